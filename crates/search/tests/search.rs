//! The search kernel on systems written by hand: no language, no program form.
//!
//! [`Counters`] is a grid that is easy to count; [`Graph`] is any graph, with atomic sequences.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use mazurka_search::store::{Bitstate, Cache, Compact, Nothing, Store, Tree};
use mazurka_search::{
    Defect, Observer, Options, Ordered, Outcome, Preference, Reduction, Report, Statistics,
    StopReason, Swarm, System, Violation, breadth_first, depth_first, depth_first_in, random_walk,
    swarm,
};

/// Some counters, each of which counts in a circle. A step is the number of a counter.
struct Counters {
    counters: usize,
    modulo: u8,
    /// No counter moves in this state.
    deadlock: Option<Vec<u8>>,
    /// This counter fails when it starts from zero.
    failure: Option<usize>,
}

fn counters(counters: usize, modulo: u8) -> Counters {
    Counters {
        counters,
        modulo,
        deadlock: None,
        failure: None,
    }
}

impl System for Counters {
    type Step = usize;
    type Failure = &'static str;
    type Scratch = ();

    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Self::Failure> {
        state.clear();
        state.resize(self.counters, 0);
        Ok(())
    }

    fn enabled(&self, state: &[u8], steps: &mut Vec<usize>) -> bool {
        let moves = self.deadlock.as_deref() != Some(state);
        if moves {
            steps.extend(0..self.counters);
        }
        moves
    }

    fn execute(
        &self,
        _: &mut (),
        state: &[u8],
        step: usize,
        next: &mut Vec<u8>,
    ) -> Outcome<Self::Failure> {
        next.clear();
        next.extend_from_slice(state);
        next[step] = (next[step] + 1) % self.modulo;
        let fails = self.failure == Some(step) && state[step] == 0;
        Outcome {
            failure: fails.then_some("started"),
            complete: true,
        }
    }

    fn is_passing(&self, _: &[u8]) -> bool {
        false
    }

    fn settle(&self, _: &mut [u8]) {}

    fn ignored_suffix(&self) -> usize {
        0
    }

    fn is_valid_end(&self, _: &[u8]) -> bool {
        false
    }

    fn transitions(&self) -> usize {
        self.counters
    }

    fn cover(&self, _: &[u8], step: usize, covered: &mut [bool]) {
        covered[step] = true;
    }
}

/// Only the first counter is explored: wrong for everything but its own steps.
struct FirstOnly;

impl Reduction<Counters> for FirstOnly {
    fn select(&mut self, _: &Counters, _: &[u8], steps: &mut [usize]) -> usize {
        steps.len().min(1)
    }
}

/// A graph from node 0. A step is the number of an edge. A state is the node, whether control is
/// held, and the number of steps so far, which does not tell states apart.
#[derive(Default)]
struct Graph {
    edges: Vec<Edge>,
    /// Nodes where the system may end.
    ends: Vec<u8>,
    /// There is no initial state.
    broken: bool,
}

#[derive(Clone, Copy)]
struct Edge {
    from: u8,
    to: u8,
    kind: Way,
}

#[derive(Clone, Copy, PartialEq)]
enum Way {
    Plain,
    /// Leads to a passing state.
    Holds,
    /// Somebody else's: not possible while control is held.
    Foreign,
    /// Fails and leads on.
    Fails(u8),
    /// Fails and leads nowhere.
    Breaks(u8),
}

fn graph(edges: &[(u8, u8, Way)], ends: &[u8]) -> Graph {
    Graph {
        edges: edges
            .iter()
            .map(|&(from, to, kind)| Edge { from, to, kind })
            .collect(),
        ends: ends.to_vec(),
        broken: false,
    }
}

/// A line of nodes from 0 to `last`.
fn line(last: u8, ends: &[u8]) -> Graph {
    let edges: Vec<_> = (0..last).map(|node| (node, node + 1, Way::Plain)).collect();
    graph(&edges, ends)
}

impl System for Graph {
    type Step = usize;
    type Failure = u8;
    type Scratch = ();

    fn initial(&self, state: &mut Vec<u8>) -> Result<(), u8> {
        state.clear();
        state.extend([0, 0, 0]);
        if self.broken { Err(7) } else { Ok(()) }
    }

    fn enabled(&self, state: &[u8], steps: &mut Vec<usize>) -> bool {
        let mut leads_on = false;
        for (number, edge) in self.edges.iter().enumerate() {
            if edge.from == state[0] && (state[1] == 0 || edge.kind != Way::Foreign) {
                steps.push(number);
                leads_on |= !matches!(edge.kind, Way::Breaks(_));
            }
        }
        leads_on
    }

    fn execute(
        &self,
        _: &mut (),
        state: &[u8],
        step: usize,
        next: &mut Vec<u8>,
    ) -> Outcome<Self::Failure> {
        let edge = self.edges[step];
        next.clear();
        let held = u8::from(edge.kind == Way::Holds);
        next.extend([edge.to, held, state[2].wrapping_add(1)]);
        Outcome {
            failure: match edge.kind {
                Way::Fails(failure) | Way::Breaks(failure) => Some(failure),
                _ => None,
            },
            complete: !matches!(edge.kind, Way::Breaks(_)),
        }
    }

    fn is_passing(&self, state: &[u8]) -> bool {
        state[1] != 0
    }

    fn settle(&self, state: &mut [u8]) {
        state[1] = 0;
    }

    fn ignored_suffix(&self) -> usize {
        1
    }

    fn is_valid_end(&self, state: &[u8]) -> bool {
        self.ends.contains(&state[0])
    }

    fn transitions(&self) -> usize {
        self.edges.len()
    }

    fn cover(&self, _: &[u8], step: usize, covered: &mut [bool]) {
        covered[step] = true;
    }
}

static NEVER: AtomicBool = AtomicBool::new(false);
static ALWAYS: AtomicBool = AtomicBool::new(true);

/// Everything is looked for, nothing is limited, the first violation ends the search.
fn options() -> Options<'static> {
    Options {
        deadlock: true,
        failures: true,
        proviso: true,
        all: false,
        depth: None,
        memory: u64::MAX,
        deadline: None,
        interrupt: &NEVER,
    }
}

fn all() -> Options<'static> {
    Options {
        all: true,
        ..options()
    }
}

/// Searches in both orders, replays all violations and looks at both reports.
fn check<Y: System>(system: &Y, options: &Options<'_>, look: impl Fn(&str, &Report<Y>)) {
    check_reduced(system, || (), options, look);
}

/// The same, under a reduction.
fn check_reduced<Y: System, R: Reduction<Y> + Send>(
    system: &Y,
    reduction: impl Fn() -> R,
    options: &Options<'_>,
    look: impl Fn(&str, &Report<Y>),
) {
    for (order, report) in [
        (
            "depth-first",
            depth_first(system, &mut reduction(), options, &mut ()),
        ),
        (
            "breadth-first",
            breadth_first(system, &mut reduction(), options, &mut ()),
        ),
    ] {
        for violation in &report.violations {
            replay(system, violation);
        }
        look(order, &report);
    }
}

/// Follows the steps of a violation and sees the defect at their end.
fn replay<Y: System>(system: &Y, violation: &Violation<Y::Step, Y::Failure>) {
    let mut state = Vec::new();
    if let Err(failure) = system.initial(&mut state) {
        assert_eq!(violation.defect, Defect::Failure(failure));
        return;
    }
    let mut failure = None;
    for step in &violation.steps {
        let mut possible = Vec::new();
        if !system.enabled(&state, &mut possible) && system.is_passing(&state) {
            system.settle(&mut state);
            possible.clear();
            system.enabled(&state, &mut possible);
        }
        assert!(possible.contains(step), "{step:?} is not possible");
        let mut next = Vec::new();
        failure = system
            .execute(&mut Y::Scratch::default(), &state, *step, &mut next)
            .failure;
        state = next;
    }
    match violation.defect {
        Defect::Failure(_) => {
            assert_eq!(failure.map(Defect::Failure), Some(violation.defect.clone()))
        }
        Defect::Cycle(_) => unreachable!("no cycles are looked for"),
        Defect::Deadlock => {
            assert!(!system.enabled(&state, &mut Vec::new()));
            assert!(!system.is_valid_end(&state));
        }
    }
}

#[test]
fn every_state_is_stored_once_and_every_step_is_taken_once() {
    check(&counters(2, 5), &options(), |order, report| {
        assert_eq!(report.stop, StopReason::Complete, "{order}");
        assert_eq!(report.statistics.states, 25, "{order}");
        // Two steps from each state, and the arrival at the initial one.
        assert_eq!(report.statistics.transitions(), 51, "{order}");
        assert_eq!(report.statistics.state_bytes, 2, "{order}");
        assert_eq!(report.statistics.atomic_steps, 0, "{order}");
        assert_eq!(report.statistics.reduced, 0, "{order}");
        assert!(report.violations.is_empty(), "{order}");
    });
}

#[test]
fn depth_is_the_longest_path_in_depth_and_the_greatest_distance_in_breadth() {
    check(&counters(2, 5), &options(), |order, report| {
        let depth = if order == "depth-first" { 24 } else { 8 };
        assert_eq!(report.statistics.depth, depth, "{order}");
    });
}

#[test]
fn a_planted_deadlock_is_found_and_ends_the_search() {
    let system = Counters {
        deadlock: Some(vec![3, 4]),
        ..counters(2, 6)
    };
    check(&system, &options(), |order, report| {
        assert_eq!(report.stop, StopReason::Violation, "{order}");
        assert_eq!(report.violations.len(), 1, "{order}");
        assert_eq!(report.violations[0].defect, Defect::Deadlock, "{order}");
        assert_eq!(report.statistics.violations, 1, "{order}");
    });
}

#[test]
fn breadth_first_finds_a_deadlock_by_a_shortest_path() {
    let system = Counters {
        deadlock: Some(vec![3, 4]),
        ..counters(2, 6)
    };
    let report = breadth_first(&system, &mut (), &options(), &mut ());
    assert_eq!(report.violations[0].steps.len(), 7);
}

#[test]
fn breadth_first_finds_a_failure_by_a_shortest_path() {
    // The long way comes first in the text.
    let system = graph(
        &[
            (0, 1, Way::Plain),
            (1, 2, Way::Plain),
            (2, 3, Way::Plain),
            (0, 3, Way::Plain),
            (3, 4, Way::Fails(1)),
        ],
        &[4],
    );
    let short = breadth_first(&system, &mut (), &options(), &mut ());
    assert_eq!(short.violations[0].steps, [3, 4]);
    let long = depth_first(&system, &mut (), &options(), &mut ());
    assert_eq!(long.violations[0].steps, [0, 1, 2, 4]);
}

#[test]
fn a_planted_failure_is_found_with_the_step_that_fails_at_the_end() {
    let system = Counters {
        failure: Some(1),
        ..counters(2, 3)
    };
    check(&system, &options(), |order, report| {
        assert_eq!(report.stop, StopReason::Violation, "{order}");
        let violation = &report.violations[0];
        assert_eq!(violation.defect, Defect::Failure("started"), "{order}");
        assert_eq!(violation.steps.last(), Some(&1), "{order}");
    });
}

#[test]
fn with_all_the_search_goes_on_and_finds_every_violation() {
    let system = graph(
        &[
            (0, 1, Way::Fails(1)),
            (1, 2, Way::Plain),
            (1, 3, Way::Breaks(2)),
            (0, 4, Way::Plain),
        ],
        &[],
    );
    check(&system, &all(), |order, report| {
        assert_eq!(report.stop, StopReason::Complete, "{order}");
        let found = |defect| {
            report
                .violations
                .iter()
                .filter(|violation| violation.defect == defect)
                .count()
        };
        assert_eq!(found(Defect::Failure(1)), 1, "{order}");
        assert_eq!(found(Defect::Failure(2)), 1, "{order}");
        assert_eq!(found(Defect::Deadlock), 2, "{order}");
        assert_eq!(report.statistics.violations, 4, "{order}");
        // The step that breaks leads nowhere.
        assert_eq!(report.statistics.states, 4, "{order}");
    });
    check(&system, &options(), |order, report| {
        assert_eq!(report.stop, StopReason::Violation, "{order}");
        assert_eq!(report.violations.len(), 1, "{order}");
    });
}

#[test]
fn the_same_failure_of_the_same_step_is_kept_once_and_counted_every_time() {
    let system = Counters {
        failure: Some(1),
        ..counters(2, 4)
    };
    check(&system, &all(), |order, report| {
        assert_eq!(report.violations.len(), 1, "{order}");
        assert_eq!(report.statistics.violations, 4, "{order}");
        assert_eq!(report.statistics.states, 16, "{order}");
    });
}

#[test]
fn of_a_hundred_deadlocks_all_are_counted_and_some_are_kept() {
    let edges: Vec<_> = (1..=100).map(|node| (0, node, Way::Plain)).collect();
    check(&graph(&edges, &[]), &all(), |order, report| {
        assert_eq!(report.statistics.violations, 100, "{order}");
        assert_eq!(report.violations.len(), 64, "{order}");
    });
}

#[test]
fn what_is_not_asked_for_is_not_reported() {
    let system = graph(&[(0, 1, Way::Fails(1))], &[]);
    let neither = Options {
        deadlock: false,
        failures: false,
        ..options()
    };
    check(&system, &neither, |order, report| {
        assert_eq!(report.stop, StopReason::Complete, "{order}");
        assert_eq!(report.statistics.violations, 0, "{order}");
        assert_eq!(report.statistics.states, 2, "{order}");
    });
    let deadlock = Options {
        failures: false,
        ..options()
    };
    check(&system, &deadlock, |order, report| {
        assert_eq!(report.violations[0].defect, Defect::Deadlock, "{order}");
    });
}

#[test]
fn a_valid_end_is_no_deadlock() {
    check(&line(3, &[3]), &options(), |order, report| {
        assert_eq!(report.stop, StopReason::Complete, "{order}");
        assert!(report.violations.is_empty(), "{order}");
    });
}

#[test]
fn a_state_whose_only_step_leads_nowhere_is_a_deadlock_as_well() {
    let system = graph(&[(0, 1, Way::Breaks(3))], &[]);
    check(&system, &all(), |order, report| {
        assert_eq!(report.statistics.violations, 2, "{order}");
        assert_eq!(report.statistics.states, 1, "{order}");
    });
}

#[test]
fn a_failure_to_start_is_a_violation_without_steps() {
    let system = Graph {
        broken: true,
        ..Graph::default()
    };
    check(&system, &options(), |order, report| {
        assert_eq!(report.stop, StopReason::Violation, "{order}");
        assert_eq!(report.violations[0].defect, Defect::Failure(7), "{order}");
        assert!(report.violations[0].steps.is_empty(), "{order}");
        assert_eq!(report.statistics.states, 0, "{order}");
    });
}

#[test]
fn a_path_longer_than_the_limit_is_cut_and_the_report_says_so() {
    let limited = |depth| Options {
        depth: Some(depth),
        ..options()
    };
    check(&line(10, &[]), &limited(5), |order, report| {
        assert_eq!(report.stop, StopReason::Depth, "{order}");
        assert!(report.violations.is_empty(), "{order}");
        assert_eq!(report.statistics.depth, 5, "{order}");
    });
    check(&line(10, &[]), &limited(20), |order, report| {
        assert_eq!(report.stop, StopReason::Violation, "{order}");
        assert_eq!(report.violations[0].steps.len(), 10, "{order}");
    });
}

#[test]
fn a_path_as_long_as_the_limit_is_not_cut() {
    let limited = Options {
        depth: Some(10),
        ..options()
    };
    check(&line(10, &[10]), &limited, |order, report| {
        assert_eq!(report.stop, StopReason::Complete, "{order}");
    });
    check(&line(10, &[]), &limited, |order, report| {
        assert_eq!(report.stop, StopReason::Violation, "{order}");
    });
}

#[test]
fn a_state_met_first_beyond_the_limit_makes_the_search_incomplete() {
    // Node 3 is met first beyond the limit, by the long way, and then within it. Depth-first does
    // not come back to it, and must not claim to be complete.
    let system = graph(
        &[
            (0, 1, Way::Plain),
            (1, 2, Way::Plain),
            (2, 3, Way::Plain),
            (0, 3, Way::Plain),
            (3, 4, Way::Fails(1)),
        ],
        &[4],
    );
    let limited = Options {
        depth: Some(2),
        ..options()
    };
    check(&system, &limited, |order, report| {
        assert_ne!(report.stop, StopReason::Complete, "{order}");
    });
}

#[test]
fn a_deadline_in_the_past_ends_the_search() {
    let late = Options {
        deadline: Some(Instant::now()),
        ..options()
    };
    check(&counters(3, 30), &late, |order, report| {
        assert_eq!(report.stop, StopReason::Time, "{order}");
        assert!(report.statistics.states < 27_000, "{order}");
    });
}

#[test]
fn an_interrupt_ends_the_search() {
    let interrupted = Options {
        interrupt: &ALWAYS,
        ..options()
    };
    check(&counters(3, 30), &interrupted, |order, report| {
        assert_eq!(report.stop, StopReason::Interrupted, "{order}");
        assert!(report.statistics.states < 27_000, "{order}");
    });
}

#[test]
fn a_full_memory_ends_the_search() {
    for megabytes in [1, 6] {
        let small = Options {
            memory: megabytes << 20,
            ..options()
        };
        check(&counters(3, 200), &small, |order, report| {
            assert_eq!(report.stop, StopReason::Memory, "{order}");
            assert!(report.statistics.states < 8_000_000, "{order}");
        });
    }
}

#[test]
fn memory_is_more_than_the_store() {
    // The states alone would fit; the stack, or the way to each state, does not.
    let tight = Options {
        memory: 3 << 20,
        ..options()
    };
    check(&counters(3, 30), &tight, |order, report| {
        assert_eq!(report.stop, StopReason::Memory, "{order}");
    });
}

#[test]
fn a_limit_does_not_hide_a_violation_found_before() {
    let system = Counters {
        failure: Some(0),
        ..counters(3, 30)
    };
    let late = Options {
        deadline: Some(Instant::now()),
        ..all()
    };
    check(&system, &late, |order, report| {
        assert_eq!(report.stop, StopReason::Time, "{order}");
        assert_eq!(report.violations.len(), 1, "{order}");
    });
}

#[test]
fn the_observer_is_told_now_and_then_and_numbers_only_grow() {
    #[derive(Default)]
    struct Watch(Vec<Statistics>);
    impl Observer for Watch {
        fn progress(&mut self, statistics: &Statistics) {
            self.0.push(*statistics);
        }
    }
    let system = counters(3, 30);
    for breadth in [false, true] {
        let mut watch = Watch::default();
        let report = if breadth {
            breadth_first(&system, &mut (), &options(), &mut watch)
        } else {
            depth_first(&system, &mut (), &options(), &mut watch)
        };
        assert!(watch.0.len() > 10);
        assert!(watch.0.is_sorted_by_key(|seen| seen.states));
        assert!(watch.0.is_sorted_by_key(|seen| seen.elapsed));
        assert!(watch.0.last().unwrap().states <= report.statistics.states);
        assert!(report.statistics.store_bytes > 0);
    }
}

#[test]
fn passing_states_are_not_counted() {
    let system = graph(
        &[
            (0, 1, Way::Holds),
            (1, 2, Way::Holds),
            (2, 3, Way::Plain),
            (3, 0, Way::Plain),
        ],
        &[],
    );
    check(&system, &options(), |order, report| {
        assert_eq!(report.stop, StopReason::Complete, "{order}");
        assert_eq!(report.statistics.states, 2, "{order}");
        assert_eq!(report.statistics.matched, 1, "{order}");
        assert_eq!(report.statistics.atomic_steps, 2, "{order}");
        assert_eq!(report.covered, [true; 4], "{order}");
    });
}

#[test]
fn a_failure_inside_an_atomic_sequence_has_all_its_steps() {
    let system = graph(
        &[
            (0, 1, Way::Plain),
            (1, 2, Way::Holds),
            (2, 3, Way::Holds),
            (2, 4, Way::Holds),
            (4, 5, Way::Fails(9)),
        ],
        &[3, 5],
    );
    check(&system, &options(), |order, report| {
        assert_eq!(report.violations[0].steps, [0, 1, 3, 4], "{order}");
    });
}

#[test]
fn a_passing_state_that_is_blocked_becomes_an_ordinary_one() {
    let system = graph(
        &[(0, 1, Way::Holds), (1, 2, Way::Foreign), (2, 3, Way::Holds)],
        &[],
    );
    check(&system, &all(), |order, report| {
        // 0, then 1 and 3 after control was given up, and 2.
        assert_eq!(report.statistics.states, 4, "{order}");
        assert_eq!(report.violations.len(), 1, "{order}");
        assert_eq!(report.violations[0].steps, [0, 1, 2], "{order}");
    });
}

#[test]
fn an_endless_passing_cycle_terminates() {
    let system = graph(
        &[
            (0, 1, Way::Holds),
            (1, 2, Way::Holds),
            (2, 1, Way::Holds),
            (0, 3, Way::Plain),
        ],
        &[3],
    );
    check(&system, &options(), |order, report| {
        assert_eq!(report.stop, StopReason::Complete, "{order}");
        assert_eq!(report.statistics.states, 2, "{order}");
        assert_eq!(report.covered, [true; 4], "{order}");
    });
}

#[test]
fn the_way_out_of_an_endless_passing_cycle_is_found() {
    let system = graph(
        &[
            (0, 1, Way::Holds),
            (1, 1, Way::Holds),
            (1, 2, Way::Fails(1)),
        ],
        &[2],
    );
    check(&system, &options(), |order, report| {
        assert_eq!(report.stop, StopReason::Violation, "{order}");
    });
}

#[test]
fn a_step_that_a_reduction_ignores_for_ever_is_found_by_the_proviso() {
    let system = Counters {
        failure: Some(1),
        ..counters(2, 3)
    };
    let proviso = |proviso| Options {
        proviso,
        ..options()
    };
    check_reduced(
        &system,
        || FirstOnly,
        &proviso(true),
        |order, report| {
            assert_eq!(report.stop, StopReason::Violation, "{order}");
            assert_eq!(report.violations[0].steps, [0, 0, 1], "{order}");
        },
    );
    check_reduced(
        &system,
        || FirstOnly,
        &proviso(false),
        |order, report| {
            assert_eq!(report.stop, StopReason::Complete, "{order}");
            assert_eq!(report.statistics.states, 3, "{order}");
            assert_eq!(report.statistics.reduced, 3, "{order}");
            assert_eq!(report.covered, [true, false], "{order}");
        },
    );
}

#[test]
fn the_proviso_explores_in_full_only_where_a_cycle_closes() {
    check_reduced(
        &counters(2, 3),
        || FirstOnly,
        &options(),
        |order, report| {
            assert_eq!(report.stop, StopReason::Complete, "{order}");
            assert_eq!(report.statistics.states, 9, "{order}");
            assert_eq!(report.statistics.reduced, 6, "{order}");
            assert_eq!(report.covered, [true, true], "{order}");
        },
    );
}

/// Keeps the first step of each state.
struct FirstEdge;

impl Reduction<Graph> for FirstEdge {
    fn select(&mut self, _: &Graph, _: &[u8], steps: &mut [usize]) -> usize {
        steps.len().min(1)
    }
}

#[test]
fn the_proviso_sees_through_atomic_sequences() {
    // The step chosen leads, by a passing state, back to where it began; the other one fails.
    let back = graph(
        &[
            (0, 1, Way::Holds),
            (1, 0, Way::Plain),
            (0, 2, Way::Fails(1)),
        ],
        &[2],
    );
    // The step chosen leads into an atomic sequence that never ends.
    let lost = graph(
        &[
            (0, 1, Way::Holds),
            (1, 1, Way::Holds),
            (0, 2, Way::Fails(1)),
        ],
        &[2],
    );
    for system in [back, lost] {
        check_reduced(
            &system,
            || FirstEdge,
            &options(),
            |order, report| {
                assert_eq!(report.stop, StopReason::Violation, "{order}");
                assert_eq!(report.violations[0].steps, [2], "{order}");
            },
        );
    }
}

#[test]
fn a_reduction_is_not_asked_inside_an_atomic_sequence() {
    let system = graph(
        &[(0, 1, Way::Holds), (1, 2, Way::Plain), (1, 3, Way::Plain)],
        &[2, 3],
    );
    check_reduced(
        &system,
        || FirstEdge,
        &options(),
        |order, report| {
            assert_eq!(report.statistics.states, 3, "{order}");
            assert_eq!(report.statistics.reduced, 0, "{order}");
        },
    );
}

#[test]
fn only_transitions_that_are_carried_out_are_covered() {
    let system = graph(
        &[
            (0, 1, Way::Plain),
            (5, 0, Way::Plain),
            (1, 0, Way::Plain),
            (1, 2, Way::Breaks(1)),
        ],
        &[],
    );
    check(&system, &all(), |order, report| {
        assert_eq!(report.covered, [true, false, true, true], "{order}");
    });
}

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

/// The systems that every store is tried on: one to count, and one with a violation of each kind.
fn systems() -> [Counters; 2] {
    let planted = Counters {
        deadlock: Some(vec![3, 9, 9]),
        failure: Some(1),
        ..counters(3, 12)
    };
    [counters(3, 12), planted]
}

#[test]
fn every_store_meets_every_state() {
    fn compare<S: Store>(name: &str, workers: usize, store: impl Fn() -> S) {
        for system in systems() {
            let exact = depth_first(&system, &mut (), &all(), &mut ());
            let report = depth_first_in(&system, store(), &mut vec![(); workers], &all(), &mut ());
            assert_eq!(report.stop, StopReason::Complete, "{name}");
            assert_eq!(report.statistics.states, exact.statistics.states, "{name}");
            assert_eq!(
                report.statistics.matched, exact.statistics.matched,
                "{name}"
            );
            assert_eq!(report.violations.len(), exact.violations.len(), "{name}");
            for violation in &report.violations {
                replay(&system, violation);
            }
        }
    }
    for workers in [1, 3] {
        compare("compact", workers, || Compact::new(64));
        compare("short fingerprints", workers, || Compact::new(48));
        compare("bitstate", workers, || Bitstate::new(8 << 20, 3, 7));
    }
    compare("cache", 1, || Cache::new(1 << 20));
}

#[test]
fn a_cache_that_forgets_most_states_is_still_exhaustive() {
    // A grid without cycles: what is forgotten is met again and again, but never for ever.
    let edges: Vec<_> = (0..60u8)
        .flat_map(|node| [(node, node + 1, Way::Plain), (node, node + 3, Way::Plain)])
        .chain([(5, 0, Way::Plain), (62, 63, Way::Fails(4))])
        .collect();
    let system = graph(&edges, &[63]);
    let exact = depth_first(&system, &mut (), &all(), &mut ());
    let cache = depth_first_in(&system, Cache::new(64), &mut [()], &all(), &mut ());
    assert_eq!(cache.stop, StopReason::Complete);
    assert!(cache.statistics.states >= exact.statistics.states);
    assert_eq!(cache.violations.len(), exact.violations.len());
    assert_eq!(cache.covered, exact.covered);
}

#[test]
fn without_a_store_the_path_alone_ends_the_search() {
    let edges: Vec<_> = (0..12u8)
        .flat_map(|node| [(node, node + 1, Way::Plain), (node, node + 2, Way::Plain)])
        .chain([
            (7, 2, Way::Plain),
            (13, 0, Way::Plain),
            (12, 13, Way::Fails(4)),
        ])
        .collect();
    let system = graph(&edges, &[]);
    let exact = depth_first(&system, &mut (), &all(), &mut ());
    let stack = depth_first_in(&system, Nothing, &mut [()], &all(), &mut ());
    assert_eq!(stack.stop, StopReason::Complete);
    assert!(stack.statistics.states > exact.statistics.states);
    assert_eq!(stack.covered, exact.covered);
    assert_eq!(stack.violations.len(), exact.violations.len());
}

#[test]
fn a_fixed_arena_cuts_paths_when_the_stack_takes_too_much() {
    let small = Options {
        memory: 2 << 20,
        ..options()
    };
    let store = Bitstate::new(1 << 20, 3, 7);
    let report = depth_first_in(&counters(3, 60), store, &mut [()], &small, &mut ());
    assert_eq!(report.stop, StopReason::Depth);
    assert!(report.statistics.states > 10_000);
}

#[test]
fn an_order_changes_the_order_only() {
    for preference in [Preference::Random, Preference::Sends, Preference::Receives] {
        for system in systems() {
            let exact = depth_first(&system, &mut (), &all(), &mut ());
            let mut order = Ordered::new(preference, 5);
            let report = depth_first(&system, &mut order, &all(), &mut ());
            assert_eq!(report.statistics.states, exact.statistics.states);
            assert_eq!(report.statistics.matched, exact.statistics.matched);
        }
    }
}

#[test]
fn a_walk_finds_what_is_near_and_stops_when_told() {
    let [_, system] = systems();
    let found = random_walk(&system, Preference::Random, 3, &options(), &mut ());
    assert_eq!(found.stop, StopReason::Violation);
    replay(&system, &found.violations[0]);
    let soon = Options {
        deadline: Some(Instant::now()),
        ..options()
    };
    let walk = random_walk(&counters(2, 5), Preference::Random, 3, &soon, &mut ());
    assert_eq!(walk.stop, StopReason::Time);
}

/// Members of a small system are done before they look at the clock.
#[test]
fn a_swarm_ends_when_its_time_is_over() {
    let [system, _] = systems();
    let flight = Swarm {
        jobs: 2,
        arena: 1 << 16,
        seed: 1,
        shard: 0,
        shards: 1,
        members: u64::MAX,
    };
    let limited = Options {
        deadline: Some(std::time::Instant::now()),
        ..options()
    };
    let report = swarm(&system, flight, &limited, &mut ());
    assert_eq!(report.stop, StopReason::Time);
}

#[test]
fn a_swarm_finds_a_deadlock_and_ends_with_its_members() {
    let [clean, system] = systems();
    let flight = Swarm {
        jobs: 2,
        arena: 1 << 20,
        seed: 1,
        shard: 0,
        shards: 1,
        members: 6,
    };
    let report = swarm(&system, flight, &options(), &mut ());
    assert!(!report.violations.is_empty());
    for violation in &report.violations {
        replay(&system, violation);
    }
    let report = swarm(&clean, flight, &options(), &mut ());
    assert!(report.violations.is_empty());
    assert_eq!(report.statistics.states, 12 * 12 * 12);
}
