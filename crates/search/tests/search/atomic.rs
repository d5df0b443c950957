//! Atomic sequences: their states are neither stored nor counted.

use mazurka_search::StopReason;

use crate::support::*;

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
