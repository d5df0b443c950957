//! Limits end a search with a reason, and hide nothing.

use std::time::{Duration, Instant};

use mazurka_search::{Observer, Options, Statistics, StopReason, breadth_first, depth_first};

use crate::support::*;

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
fn a_deadline_is_seen_between_slow_steps() {
    // A tenth of a second each; the first look at the limits would otherwise come after hundreds of them.
    let slow = Counters {
        pause: Duration::from_millis(100),
        ..counters(3, 30)
    };
    let late = Options {
        deadline: Some(Instant::now()),
        ..options()
    };
    check(&slow, &late, |order, report| {
        assert_eq!(report.stop, StopReason::Time, "{order}");
        assert!(report.statistics.transitions() < 30, "{order}");
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
    // The states alone would fit; the stack, or the states of a level and the ways to them, do not.
    let tight = |memory| Options {
        memory,
        ..options()
    };
    let system = counters(3, 30);
    let report = depth_first(&system, &mut (), &tight(3 << 20), &mut ());
    assert_eq!(report.stop, StopReason::Memory);
    let unlimited = breadth_first(&system, &mut (), &options(), &mut ());
    let bytes = unlimited.statistics.store_bytes;
    let report = breadth_first(&system, &mut (), &tight(bytes), &mut ());
    assert_eq!(report.stop, StopReason::Memory);
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
