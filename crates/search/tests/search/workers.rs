//! Several workers do together what one does.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mazurka_search::emptiness::{parallel_components, parallel_nested};
use mazurka_search::store::{Compact, Store, Tree};
use mazurka_search::{
    Acceptance, Options, Outcome, StopReason, System, breadth_first, breadth_first_in, depth_first,
    depth_first_in,
};

use crate::support::*;

/// A graph large enough that work goes from one worker to the others: four counters,
/// each of which counts to 20.
#[test]
fn workers_together_do_what_one_does() {
    let system = counters(4, 20);
    let one = depth_first(&system, &mut (), &all(), &mut ());
    assert_eq!(one.statistics.states, 160_000);
    for workers in [2, 3, 7] {
        let mut reductions = vec![(); workers];
        let many = depth_first_in(&system, Tree::new(), &mut reductions, &all(), &mut ());
        assert_eq!(many.stop, StopReason::Complete);
        assert_eq!(many.statistics.states, one.statistics.states);
        assert_eq!(many.statistics.matched, one.statistics.matched);
        assert_eq!(many.covered, one.covered);
    }
}

#[test]
fn what_any_worker_finds_is_found_and_replays() {
    let system = Counters {
        deadlock: Some(vec![9, 19, 3, 17]),
        failure: Some(2),
        ..counters(4, 20)
    };
    for options in [options(), all()] {
        let report = depth_first_in(&system, Tree::new(), &mut [(); 3], &options, &mut ());
        assert!(!report.violations.is_empty());
        for violation in &report.violations {
            replay(&system, violation);
        }
        if options.all {
            assert_eq!(report.violations.len(), 2);
            assert_eq!(report.stop, StopReason::Complete);
        }
    }
}

/// Every step of one counter fails, so that workers find violations at the same time.
#[test]
fn of_several_violations_found_at_once_one_is_reported() {
    let system = Counters {
        failure: Some(3),
        ..counters(4, 20)
    };
    for seed in 0..20 {
        let options = Options {
            alone: seed,
            ..options()
        };
        let report = depth_first_in(&system, Tree::new(), &mut [(); 4], &options, &mut ());
        assert_eq!(report.stop, StopReason::Violation);
        assert_eq!(report.violations.len(), 1);
        assert_eq!(report.statistics.violations, 1);
        replay(&system, &report.violations[0]);
    }
}

/// Workers join early.
fn soon(options: Options<'static>) -> Options<'static> {
    Options {
        alone: 1_000,
        ..options
    }
}

/// Mazes that are wide, and mazes that are long; some with few defects, far away.
fn mazes() -> Vec<Maze> {
    let maze = |seed, reach, deadlocks, failures| Maze {
        seed,
        nodes: 130_000,
        reach,
        deadlocks,
        failures,
    };
    vec![
        maze(1, 0, 0, 0),
        maze(3, 0, 20_000, 0),
        maze(4, 20_000, 60_000, 50_000),
        maze(6, 3_000, 120_000, 120_000),
    ]
}

#[test]
fn breadth_first_workers_do_what_one_does_and_find_a_shortest_path() {
    fn compare<S: Store>(name: &str, store: impl Fn() -> S) {
        for maze in mazes() {
            let depth = depth_first(&maze, &mut (), &all(), &mut ());
            let one = breadth_first(&maze, &mut (), &all(), &mut ());
            assert_eq!(one.statistics.states, depth.statistics.states, "{name}");
            assert_eq!(one.statistics.matched, depth.statistics.matched, "{name}");
            let nearest = nearest_defect(&maze);
            for workers in [1, 3] {
                let crew = &mut vec![(); workers];
                let many = breadth_first_in(&maze, store(), crew, &soon(all()), &mut ());
                assert_eq!(many.stop, StopReason::Complete, "{name}");
                assert_eq!(many.statistics.states, one.statistics.states, "{name}");
                assert_eq!(many.statistics.matched, one.statistics.matched, "{name}");
                assert_eq!(many.statistics.depth, one.statistics.depth, "{name}");
                let violations = many.statistics.violations;
                assert_eq!(violations, one.statistics.violations, "{name}");
                assert_eq!(many.covered, one.covered, "{name}");
                for violation in &many.violations {
                    replay(&maze, violation);
                }
                let first = breadth_first_in(&maze, store(), crew, &soon(options()), &mut ());
                let found = first.violations.first().map(|violation| {
                    replay(&maze, violation);
                    maze.visible(&violation.steps)
                });
                assert_eq!(found, nearest, "{name}, {workers} workers");
            }
        }
    }
    compare("exact", Tree::new);
    compare("compact", || Compact::new(64));
}

/// Counters of which one state makes whoever looks at it panic.
struct Panics(Counters);

impl System for Panics {
    type Step = usize;
    type Failure = &'static str;
    type Scratch = ();

    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Self::Failure> {
        self.0.initial(state)
    }

    fn enabled(&self, state: &[u8], steps: &mut Vec<usize>) -> bool {
        assert_ne!(state, [9, 11, 3, 17], "planted");
        self.0.enabled(state, steps)
    }

    fn enabled_beside(
        &self,
        _: &[u8],
        _: Range<usize>,
        state: &[u8],
        steps: &mut Vec<usize>,
    ) -> bool {
        self.enabled(state, steps)
    }

    fn execute(
        &self,
        scratch: &mut (),
        state: &[u8],
        step: usize,
        next: &mut Vec<u8>,
    ) -> Outcome<Self::Failure> {
        self.0.execute(scratch, state, step, next)
    }

    fn is_passing(&self, state: &[u8]) -> bool {
        self.0.is_passing(state)
    }

    fn settle(&self, state: &mut [u8]) {
        self.0.settle(state);
    }

    fn ignored_suffix(&self) -> usize {
        self.0.ignored_suffix()
    }

    fn is_valid_end(&self, state: &[u8]) -> bool {
        self.0.is_valid_end(state)
    }

    fn transitions(&self) -> usize {
        self.0.transitions()
    }

    fn cover(&self, state: &[u8], step: usize, covered: &mut [bool]) {
        self.0.cover(state, step, covered);
    }
}

impl Acceptance for Panics {
    fn is_accepting(&self, _: &[u8]) -> bool {
        false
    }
}

/// Whoever panics takes the others along: nobody waits for what will not come.
#[test]
fn a_panic_of_one_ends_the_search_for_all() {
    let system = Panics(counters(4, 20));
    let options = Options {
        alone: 0,
        ..options()
    };
    let searches: [(&str, &dyn Fn()); 4] = [
        ("depth-first", &|| {
            depth_first_in(&system, Tree::new(), &mut [(); 3], &options, &mut ());
        }),
        ("breadth-first", &|| {
            breadth_first_in(&system, Tree::new(), &mut [(); 3], &options, &mut ());
        }),
        ("nested", &|| {
            parallel_nested(&system, &mut [(); 3], false, &options, &mut ());
        }),
        ("components", &|| {
            parallel_components(&system, &mut [(); 3], &options, &mut ());
        }),
    ];
    for (name, search) in searches {
        assert!(catch_unwind(AssertUnwindSafe(search)).is_err(), "{name}");
    }
}
