//! Stores: what each of them remembers, a search with it meets.

use mazurka_search::store::{Bitstate, Cache, Compact, Nothing, Store, Tree, Wide};
use mazurka_search::{Options, StopReason, breadth_first_in, depth_first, depth_first_in};

use crate::support::*;

#[test]
fn every_store_meets_every_state() {
    fn compare<S: Store>(name: &str, workers: usize, store: impl Fn() -> S) {
        for system in systems() {
            let exact = depth_first(&system, &mut (), &all(), &mut ());
            let report = depth_first_in(&system, store(), &mut vec![(); workers], &all(), &mut ());
            if !S::FORGETS {
                let crew = &mut vec![(); workers];
                let breadth = breadth_first_in(&system, store(), crew, &all(), &mut ());
                let (breadth, depth) = (breadth.statistics, report.statistics);
                assert_eq!(breadth.states, depth.states, "{name}");
                assert_eq!(breadth.matched, depth.matched, "{name}");
                assert_eq!(breadth.violations, depth.violations, "{name}");
            }
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
        compare("exact", workers, Tree::new);
        compare("compact", workers, || Compact::new(64));
        compare("wide", workers, Wide::new);
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
