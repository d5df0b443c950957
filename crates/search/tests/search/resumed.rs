//! A search that was stopped and goes on says what an undisturbed one says.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

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

/// Saves a search that a limit has ended.
struct AtTheEnd {
    from: Option<Source>,
    saved: Vec<u8>,
}

impl Keeper for AtTheEnd {
    fn due(&self) -> Option<Instant> {
        None
    }

    fn keep(&mut self, write: &mut dyn FnMut(&mut Sink<'_>) -> io::Result<()>) {
        let mut sink = Sink::new(&mut self.saved);
        write(&mut sink).unwrap();
        sink.finish().unwrap();
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
    for _ in 0..100_000 {
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
    panic!("it never ends");
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

/// Round and round inside an atomic sequence, further than the search gets between two looks at the limits, with a way out.
fn endless_sequence() -> Graph {
    let mut edges = vec![(0, 1, Way::Holds), (0, 250, Way::Plain)];
    edges.extend((1..128).map(|node| (node, node + 1, Way::Holds)));
    edges.extend([(128, 1, Way::Holds), (100, 251, Way::Plain)]);
    graph(&edges, &[250])
}

#[test]
fn a_search_that_is_stopped_inside_an_endless_sequence_ends() {
    let system = endless_sequence();
    for breadth in [false, true] {
        for workers in [1, 2] {
            let search = |options: &Options<'_>, keeper: &mut dyn Keeper| {
                let crew = &mut vec![(); workers];
                match breadth {
                    true => {
                        breadth_first_kept(&system, Tree::new(), crew, options, &mut (), keeper)
                    }
                    false => depth_first_kept(&system, Tree::new(), crew, options, &mut (), keeper),
                }
            };
            let whole = search(&often(all()), &mut mazurka_search::checkpoint::NotKept).unwrap();
            assert_eq!(whole.violations.len(), 1);
            let report = disturbed(&often(all()), 1, search);
            assert_eq!(report.stop, StopReason::Complete);
            assert_eq!(report.statistics.states, whole.statistics.states);
            assert_eq!(report.violations.len(), 1);
        }
    }
}

/// However short the time, a search that is resumed again and again comes to its end, and one that time ended in the middle of a state
/// is saved.
#[test]
fn a_time_that_is_too_short_for_one_state_is_enough_in_the_end() {
    let system = long_sequences();
    for breadth in [false, true] {
        let mut saved: Option<Vec<u8>> = None;
        let mut times = 0;
        let report = loop {
            times += 1;
            assert!(times < 10_000, "it never ends");
            let mut keeper = AtTheEnd {
                from: saved.take().map(|saved| {
                    let length = saved.len() as u64;
                    Source::new(io::Cursor::new(saved), length)
                }),
                saved: Vec::new(),
            };
            let now = Options {
                deadline: Instant::now().checked_sub(Duration::from_millis(1)),
                ..often(all())
            };
            let crew = &mut [()];
            let search = match breadth {
                true => breadth_first_kept,
                false => depth_first_kept,
            };
            let report = search(&system, Tree::new(), crew, &now, &mut (), &mut keeper).unwrap();
            if report.stop != StopReason::Time {
                break report;
            }
            assert!(!keeper.saved.is_empty(), "it is not saved");
            saved = Some(keeper.saved);
        };
        assert!(times > 2, "{times}");
        assert_eq!(report.stop, StopReason::Complete);
        assert_eq!(report.statistics.states, 4);
        assert_eq!(report.violations.len(), 1);
    }
}

/// Three times on end a sequence with more ways through it than a search goes before it looks at its limits.
fn long_sequences() -> Graph {
    let mut edges = Vec::new();
    for first in [0u8, 30, 60] {
        for layer in 0..7 {
            let from = first + layer * 3;
            for way in 0..if layer == 0 { 1 } else { 3 } {
                for to in 0..3 {
                    edges.push((from + way, from + 3 + to, Way::Holds));
                }
            }
        }
        for way in 0..3 {
            edges.push((first + 21 + way, first + 30, Way::Plain));
        }
    }
    graph(&edges, &[])
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
