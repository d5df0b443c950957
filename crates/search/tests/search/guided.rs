//! Guided search: as exhaustive as any other, and sooner where the guide points.

use mazurka_search::{StopReason, breadth_first, guided};

use crate::support::*;

#[test]
fn a_guide_changes_the_order_only() {
    let planted = Counters {
        deadlock: Some(vec![3, 9, 9]),
        failure: Some(1),
        ..counters(3, 12)
    };
    let maze = Maze {
        seed: 8,
        nodes: 3000,
        reach: 0,
        deadlocks: 200,
        failures: 300,
    };
    fn compare<Y: mazurka_search::System>(system: &Y) {
        let plain = breadth_first(system, &mut (), &all(), &mut ());
        for (up, down) in [(0, 0), (0, 1), (1, 1)] {
            let cost = |state: &[u8]| up * i64::from(state[1]) - down * i64::from(state[0]);
            let report = guided(system, &cost, &all(), &mut ());
            assert_eq!(report.stop, StopReason::Complete);
            assert_eq!(report.statistics.states, plain.statistics.states);
            assert_eq!(report.statistics.matched, plain.statistics.matched);
            assert_eq!(report.statistics.violations, plain.statistics.violations);
            assert_eq!(report.covered, plain.covered);
            for violation in &report.violations {
                replay(system, violation);
            }
        }
    }
    compare(&planted);
    compare(&maze);
}

#[test]
fn a_good_guide_meets_fewer_states() {
    let system = Counters {
        deadlock: Some(vec![20, 20, 20]),
        ..counters(3, 40)
    };
    let cost = |state: &[u8]| state.iter().map(|n| (20 - i64::from(*n)).abs()).sum();
    let led = guided(&system, &cost, &options(), &mut ());
    let plain = breadth_first(&system, &mut (), &options(), &mut ());
    assert_eq!(led.violations.len(), 1);
    replay(&system, &led.violations[0]);
    assert_eq!(led.violations[0].steps.len(), 60);
    assert!(led.statistics.states * 50 < plain.statistics.states);
}
