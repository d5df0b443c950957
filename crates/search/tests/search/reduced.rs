//! Reductions, and the proviso against ignoring steps for ever.

use mazurka_search::{Options, Reduction, StopReason};

use crate::support::*;

/// Only the first counter is explored: wrong for everything but its own steps.
struct FirstOnly;

impl Reduction<Counters> for FirstOnly {
    fn select(&mut self, _: &Counters, _: &[u8], steps: &mut [usize]) -> usize {
        steps.len().min(1)
    }
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
