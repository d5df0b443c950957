//! A search that was stopped and goes on says what an undisturbed one says.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use mazurka_search::checkpoint::{Keeper, Sink, Source, is_whole};
use mazurka_search::store::{Bitstate, Compact, Store, Tree, Wide};
use mazurka_search::{
    Options, Reduction, Report, StopReason, System, breadth_first_kept, depth_first_kept,
};

use crate::support::*;

/// Saves as often as it can, and ends the search after this many times.
struct Killer<'a> {
    from: Option<Source>,
    saved: Vec<u8>,
    saves_left: usize,
    kill: &'a AtomicBool,
}

impl Keeper for Killer<'_> {
    fn due(&self) -> Option<Instant> {
        Some(Instant::now())
    }

    fn keep(&mut self, write: &mut dyn FnMut(&mut Sink<'_>) -> io::Result<()>) {
        // What is saved afterwards is lost, as if the program had been killed.
        let Some(left) = self.saves_left.checked_sub(1) else {
            return;
        };
        self.saves_left = left;
        self.saved.clear();
        let mut sink = Sink::new(&mut self.saved);
        write(&mut sink).unwrap();
        sink.finish().unwrap();
        assert!(is_whole(&self.saved[..], self.saved.len() as u64).unwrap());
        if left == 0 {
            self.kill.store(true, Ordering::Relaxed);
        }
    }

    fn source(&mut self) -> Option<&mut Source> {
        self.from.as_mut()
    }
}

/// Searches until it has been saved this many times and is killed, and resumes it there until the
/// next time, until it is done.
fn disturbed<Y: System>(
    options: &Options<'_>,
    saves: usize,
    search: impl Fn(&Options<'_>, &mut dyn Keeper) -> io::Result<Report<Y>>,
) -> Report<Y> {
    let mut saved = None;
    loop {
        let kill = AtomicBool::new(false);
        let mut keeper = Killer {
            from: saved.take().map(|saved: Vec<u8>| {
                let length = saved.len() as u64;
                Source::new(io::Cursor::new(saved), length)
            }),
            saved: Vec::new(),
            saves_left: saves,
            kill: &kill,
        };
        let own = Options {
            interrupt: &kill,
            ..options.clone()
        };
        let report = search(&own, &mut keeper).unwrap();
        if report.stop != StopReason::Interrupted {
            return report;
        }
        saved = Some(keeper.saved);
    }
}

fn compare<Y: System>(name: &str, whole: &Report<Y>, disturbed: &Report<Y>) {
    assert_eq!(whole.stop, disturbed.stop, "{name}");
    let (left, right) = (&whole.statistics, &disturbed.statistics);
    assert_eq!(left.states, right.states, "{name}");
    assert_eq!(left.matched, right.matched, "{name}");
    assert_eq!(left.atomic_steps, right.atomic_steps, "{name}");
    assert_eq!(left.violations, right.violations, "{name}");
    assert_eq!(whole.violations.len(), disturbed.violations.len(), "{name}");
    assert_eq!(whole.covered, disturbed.covered, "{name}");
}

fn mazes() -> [Maze; 4] {
    let maze = |seed, reach, deadlocks, failures| Maze {
        seed,
        nodes: 900,
        reach,
        deadlocks,
        failures,
    };
    [
        maze(1, 0, 0, 0),
        maze(2, 9, 0, 0),
        maze(3, 0, 100, 90),
        maze(4, 50, 90, 100),
    ]
}

fn often(options: Options<'static>) -> Options<'static> {
    Options {
        alone: 0,
        ..options
    }
}

fn every_search<S: Store>(store: impl Fn() -> S, name: &str) {
    for maze in mazes() {
        for workers in [1, 2] {
            for saves in [1, 5] {
                let case = format!("{name}, seed {}, {workers} workers", maze.seed);
                let depth = |options: &Options<'_>, keeper: &mut dyn Keeper| {
                    let crew = &mut vec![(); workers];
                    depth_first_kept(&maze, store(), crew, options, &mut (), keeper)
                };
                let whole = depth(&often(all()), &mut mazurka_search::checkpoint::NotKept);
                let report = disturbed(&often(all()), saves, depth);
                compare(&format!("depth, {case}"), &whole.unwrap(), &report);
                let breadth = |options: &Options<'_>, keeper: &mut dyn Keeper| {
                    let crew = &mut vec![(); workers];
                    breadth_first_kept(&maze, store(), crew, options, &mut (), keeper)
                };
                let whole = breadth(&often(all()), &mut mazurka_search::checkpoint::NotKept);
                let report = disturbed(&often(all()), saves, breadth);
                compare(&format!("breadth, {case}"), &whole.unwrap(), &report);
                for violation in &report.violations {
                    replay(&maze, violation);
                }
                let nearest = disturbed(&often(options()), saves, breadth);
                let found = nearest.violations.first();
                let found = found.map(|violation| maze.visible(&violation.steps));
                assert_eq!(found, nearest_defect(&maze), "{case}");
            }
        }
    }
}

#[test]
fn with_every_state_stored() {
    every_search(Tree::new, "exact");
}

#[test]
fn with_fingerprints() {
    every_search(|| Compact::new(48), "compact");
    every_search(Wide::new, "wide");
}

#[test]
fn with_bits() {
    // Of several bits, two workers who meet a state at once may each set one first, and both call it new.
    every_search(|| Bitstate::new(1 << 20, 1, 5), "bitstate");
}

/// Only the first counter is explored at first: the proviso has to do the rest.
struct FirstOnly;

impl Reduction<Counters> for FirstOnly {
    fn select(&mut self, _: &Counters, _: &[u8], steps: &mut [usize]) -> usize {
        steps.len().min(1)
    }
}

#[test]
fn with_a_reduction() {
    let system = Counters {
        deadlock: Some(vec![3, 9, 9]),
        failure: Some(1),
        ..counters(3, 12)
    };
    for breadth in [false, true] {
        for workers in [1, 2] {
            let search = |options: &Options<'_>, keeper: &mut dyn Keeper| {
                let mut crew: Vec<FirstOnly> = (0..workers).map(|_| FirstOnly).collect();
                let search = if breadth {
                    breadth_first_kept
                } else {
                    depth_first_kept
                };
                search(&system, Tree::new(), &mut crew, options, &mut (), keeper)
            };
            let whole = search(&often(all()), &mut mazurka_search::checkpoint::NotKept);
            let whole = whole.unwrap();
            let report = disturbed(&often(all()), 3, search);
            if workers == 1 {
                compare("reduced", &whole, &report);
            }
            assert_eq!(report.stop, StopReason::Complete);
            assert_eq!(report.violations.len(), whole.violations.len());
            assert_eq!(report.covered, whole.covered);
        }
    }
}

#[test]
fn a_search_that_memory_ended_goes_on_with_more() {
    let maze = Maze {
        nodes: 30_000,
        ..mazes()[0]
    };
    let tight = Options {
        memory: 1 << 20,
        ..all()
    };
    let kill = AtomicBool::new(false);
    let mut keeper = Killer {
        from: None,
        saved: Vec::new(),
        saves_left: usize::MAX,
        kill: &kill,
    };
    let crew = &mut [()];
    let report = depth_first_kept(&maze, Tree::new(), crew, &tight, &mut (), &mut keeper);
    assert_eq!(report.unwrap().stop, StopReason::Memory);
    let saved = keeper.saved.clone();
    let length = saved.len() as u64;
    keeper.from = Some(Source::new(io::Cursor::new(saved), length));
    let report = depth_first_kept(&maze, Tree::new(), crew, &all(), &mut (), &mut keeper);
    let nothing = &mut mazurka_search::checkpoint::NotKept;
    let whole = depth_first_kept(&maze, Tree::new(), crew, &all(), &mut (), nothing);
    compare("memory", &whole.unwrap(), &report.unwrap());
}

/// The links of a forged checkpoint lead elsewhere. Here they are those of another maze.
#[test]
fn a_forged_breadth_first_search_is_refused_or_its_violations_replay() {
    let mut refused = 0;
    for seed in 0..20 {
        let [own, other] = [seed, seed + 100].map(|seed| Maze {
            seed,
            ..mazes()[if seed % 2 == 0 { 2 } else { 3 }]
        });
        let kill = AtomicBool::new(false);
        let mut keeper = Killer {
            from: None,
            saved: Vec::new(),
            saves_left: 3,
            kill: &kill,
        };
        let killed = Options {
            interrupt: &kill,
            ..often(all())
        };
        let crew = &mut [()];
        breadth_first_kept(&other, Tree::new(), crew, &killed, &mut (), &mut keeper).unwrap();
        if keeper.saved.is_empty() {
            continue;
        }
        for workers in [1, 2] {
            let saved = keeper.saved.clone();
            let length = saved.len() as u64;
            let mut resumed = Killer {
                from: Some(Source::new(io::Cursor::new(saved), length)),
                saved: Vec::new(),
                // Whatever is resumed can be saved again.
                saves_left: usize::MAX,
                kill: &NEVER,
            };
            let crew = &mut vec![(); workers];
            let options = often(all());
            match breadth_first_kept(&own, Tree::new(), crew, &options, &mut (), &mut resumed) {
                Err(error) => {
                    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
                    refused += 1;
                }
                Ok(report) => {
                    for violation in &report.violations {
                        replay(&own, violation);
                    }
                }
            }
        }
    }
    assert!(refused > 20, "{refused}");
}

/// Loads a store from what is written.
fn loaded<S: Store>(
    mut store: S,
    write: impl FnOnce(&mut Sink<'_>) -> io::Result<()>,
) -> io::Result<()> {
    let mut file = Vec::new();
    let mut sink = Sink::new(&mut file);
    write(&mut sink).unwrap();
    sink.finish().unwrap();
    let length = file.len() as u64 - 8;
    store.load(&mut Source::new(io::Cursor::new(file), length))
}

/// Numbers one after the other.
fn numbers(numbers: &[u64]) -> impl FnOnce(&mut Sink<'_>) -> io::Result<()> {
    move |sink| numbers.iter().try_for_each(|number| sink.number(*number))
}

#[test]
fn a_store_that_claims_to_be_large_is_refused() {
    let huge = 1 << 60;
    // No trees; then as many pieces as nobody has, with all numbers, or hardly any of them.
    for claimed in [[0, huge, huge], [0, 1 << 28, 1 << 28], [0, 1 << 28, 0]] {
        assert!(loaded(Tree::new(), numbers(&claimed)).is_err());
    }
    // A tree for states of any length, without a cut; and more trees than there are lengths.
    assert!(loaded(Tree::new(), numbers(&[1, huge, 0])).is_err());
    assert!(loaded(Tree::new(), numbers(&[huge])).is_err());
    assert!(loaded(Compact::new(48), numbers(&[48, huge])).is_err());
    assert!(loaded(Compact::new(48), numbers(&[90, 0])).is_err());
    assert!(loaded(Bitstate::new(1 << 10, 3, 0), numbers(&[3, huge])).is_err());
    assert!(loaded(Bitstate::new(1 << 10, 3, 0), numbers(&[3, 0])).is_err());
    assert!(loaded(Wide::new(), numbers(&[huge])).is_err());
}

#[test]
fn a_store_that_makes_no_sense_is_refused() {
    // Cuts from which a tree would be as deep as the state is long.
    let cuts: Vec<u64> = (1..=100_000).collect();
    let deep = [&[1, 100_033, cuts.len() as u64][..], &cuts].concat();
    assert!(loaded(Tree::new(), numbers(&deep)).is_err());
    // A fingerprint of which one half is missing: who meets it would wait for ever.
    let half = |sink: &mut Sink<'_>| {
        sink.number(1)?;
        sink.word(5)?;
        sink.word(0)
    };
    assert!(loaded(Wide::new(), half).is_err());
    // Fingerprints that belong to the same place, for which no table is large enough.
    let alike = |sink: &mut Sink<'_>| {
        sink.number(1000)?;
        (1..=1000).try_for_each(|number| sink.word(5).and_then(|()| sink.word(number)))
    };
    assert!(loaded(Wide::new(), alike).is_err());
    // Different nodes with the same number, more than the table has room for.
    let twice = |sink: &mut Sink<'_>| {
        // No trees and no leaves.
        [0, 0, 0, 1, 9000]
            .iter()
            .try_for_each(|n| sink.number(*n))?;
        (1..=9000).try_for_each(|node| sink.word(node).and_then(|()| sink.number(0)))
    };
    assert!(loaded(Tree::new(), twice).is_err());
    // Entries that are wider than those of the table.
    let wide = |sink: &mut Sink<'_>| {
        sink.number(48)?;
        sink.number(1)?;
        sink.word(u64::MAX)?;
        sink.number(0)
    };
    assert!(loaded(Compact::new(48), wide).is_err());
}
