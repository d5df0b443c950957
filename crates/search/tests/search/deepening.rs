//! Iterative depth bounding: a shortest scenario, and all of what breadth-first search sees.

use std::time::Instant;

use mazurka_search::{Defect, Options, StopReason, System, breadth_first, deepening, depth_first};

use crate::support::*;

fn mazes() -> impl Iterator<Item = Maze> {
    (0..60).map(|seed| Maze {
        seed,
        nodes: 40 + 15 * (seed as u32 % 30),
        reach: [0, 4, 9][seed as usize % 3],
        deadlocks: [0, 40, 150][seed as usize / 3 % 3],
        failures: [60, 0, 250, 0][seed as usize % 4],
    })
}

#[test]
fn the_scenario_is_a_shortest_one() {
    let mut found = 0;
    let mut shorter = 0;
    for maze in mazes() {
        let nearest = nearest_defect(&maze);
        let plain = depth_first(&maze, &mut (), &options(), &mut ());
        for step in [1, 2, 5, 1000] {
            let report = deepening(&maze, step, &options(), &mut ());
            let length = report.violations.first().map(|violation| {
                replay(&maze, violation);
                maze.visible(&violation.steps)
            });
            assert_eq!(length, nearest, "seed {}, by {step}", maze.seed);
            match nearest {
                None => assert_eq!(report.stop, StopReason::Complete),
                Some(_) => assert_eq!(report.stop, StopReason::Violation),
            }
            found += usize::from(nearest.is_some());
        }
        if let (Some(nearest), Some(violation)) = (nearest, plain.violations.first()) {
            shorter += usize::from(nearest < maze.visible(&violation.steps));
        }
    }
    assert!(found > 100, "{found}");
    assert!(shorter > 20, "{shorter}");
}

#[test]
fn what_is_not_asked_for_does_not_draw_the_bound_in() {
    for maze in mazes() {
        for (deadlock, failures) in [(true, false), (false, true), (false, false)] {
            let asked = Options {
                deadlock,
                failures,
                ..options()
            };
            let breadth = breadth_first(&maze, &mut (), &asked, &mut ());
            let report = deepening(&maze, 3, &asked, &mut ());
            assert_eq!(report.stop, breadth.stop);
            let length = |report: &mazurka_search::Report<Maze>| {
                let first = report.violations.first();
                first.map(|violation| maze.visible(&violation.steps))
            };
            assert_eq!(length(&report), length(&breadth), "seed {}", maze.seed);
        }
    }
}

#[test]
fn a_bound_is_as_many_levels() {
    fn compare<Y: System>(system: &Y) {
        for depth in (0..24).chain([200]) {
            let limited = Options {
                deadlock: false,
                failures: false,
                depth: Some(depth),
                ..options()
            };
            let breadth = breadth_first(system, &mut (), &limited, &mut ());
            for step in [1, 7, 200] {
                let report = deepening(system, step, &limited, &mut ());
                assert_eq!(report.stop, breadth.stop, "{depth} by {step}");
                assert_eq!(report.statistics.states, breadth.statistics.states);
            }
        }
    }
    mazes().take(20).for_each(|maze| compare(&maze));
    compare(&counters(3, 5));
    compare(&line(10, &[]));
}

#[test]
fn a_search_without_violations_ends_with_the_last_level() {
    let system = counters(3, 12);
    let report = deepening(&system, 1, &options(), &mut ());
    let breadth = breadth_first(&system, &mut (), &options(), &mut ());
    assert_eq!(report.stop, StopReason::Complete);
    assert_eq!(report.statistics.states, breadth.statistics.states);
    // The last level has the depth 33, and all of its steps lead back.
    assert!(report.statistics.depth <= 34);
}

#[test]
fn a_state_met_first_at_the_bound_is_left_when_it_is_met_nearer() {
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
    for step in 1..5 {
        let report = deepening(&system, step, &options(), &mut ());
        assert_eq!(report.violations.len(), 1);
        assert_eq!(report.violations[0].steps, [3, 4], "by {step}");
        assert_eq!(report.statistics.violations, 1);
    }
}

#[test]
fn a_deadlock_at_the_start_and_no_start_at_all() {
    let report = deepening(&graph(&[], &[]), 1, &options(), &mut ());
    assert_eq!(report.violations[0].defect, Defect::Deadlock);
    assert!(report.violations[0].steps.is_empty());
    let broken = Graph {
        broken: true,
        ..Graph::default()
    };
    let report = deepening(&broken, 1, &options(), &mut ());
    assert_eq!(report.violations[0].defect, Defect::Failure(7));
}

#[test]
fn an_atomic_sequence_that_goes_round_for_ever_is_left() {
    let system = graph(
        &[
            (0, 1, Way::Holds),
            (1, 2, Way::Holds),
            (2, 1, Way::Holds),
            (2, 3, Way::Plain),
            (3, 3, Way::Foreign),
        ],
        &[],
    );
    let report = deepening(&system, 2, &options(), &mut ());
    assert_eq!(report.stop, StopReason::Complete);
    assert_eq!(report.statistics.states, 2);
}

#[test]
fn limits_end_it() {
    let system = counters(3, 30);
    for (limited, reason) in [
        (
            Options {
                deadline: Some(Instant::now()),
                ..options()
            },
            StopReason::Time,
        ),
        (
            Options {
                interrupt: &ALWAYS,
                ..options()
            },
            StopReason::Interrupted,
        ),
        (
            Options {
                memory: 1 << 20,
                ..options()
            },
            StopReason::Memory,
        ),
    ] {
        let report = deepening(&system, 50, &limited, &mut ());
        assert_eq!(report.stop, reason);
    }
}
