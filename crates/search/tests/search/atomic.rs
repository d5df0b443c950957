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

#[test]
fn steps_taken_in_place_are_counted_covered_and_on_the_path() {
    let system = graph(
        &[
            (0, 1, Way::Holds),
            (1, 2, Way::Holds),
            (2, 3, Way::Holds),
            (3, 4, Way::Holds),
            (3, 5, Way::Plain),
            (4, 6, Way::Holds),
            (6, 7, Way::Plain),
            (7, 8, Way::Fails(2)),
        ],
        &[5],
    );
    check(&system, &all(), |order, report| {
        assert_eq!(report.statistics.states, 4, "{order}");
        assert_eq!(report.statistics.atomic_steps, 5, "{order}");
        assert_eq!(report.covered, [true; 8], "{order}");
        let depth = if order == "depth-first" { 7 } else { 2 };
        assert_eq!(report.statistics.depth, depth, "{order}");
        for violation in &report.violations {
            assert_eq!(violation.steps, [0, 1, 2, 3, 5, 6, 7], "{order}");
        }
    });
}

#[test]
fn a_path_may_be_too_long_in_the_middle_of_a_sequence() {
    let system = graph(
        &[
            (0, 1, Way::Holds),
            (1, 2, Way::Holds),
            (2, 3, Way::Plain),
            (0, 4, Way::Plain),
        ],
        &[3, 4],
    );
    let options = mazurka_search::Options {
        depth: Some(1),
        ..options()
    };
    let report = mazurka_search::depth_first(&system, &mut (), &options, &mut ());
    assert_eq!(report.stop, StopReason::Depth);
    assert_eq!(report.statistics.states, 2);
    assert_eq!(report.statistics.depth, 1);
    assert_eq!(report.covered, [true, true, false, true]);
}
