//! What depth-first and breadth-first search have in common, and what tells them apart.

use mazurka_search::{Defect, Options, StopReason, breadth_first, depth_first};

use crate::support::*;

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
