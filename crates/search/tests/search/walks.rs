//! Random orders, walks and swarms.

use std::time::Instant;

use mazurka_search::{
    Options, Ordered, Preference, StopReason, Swarm, depth_first, random_walk, swarm, weighted_walk,
};

use crate::support::*;

#[test]
fn an_order_changes_the_order_only() {
    for preference in [Preference::Random, Preference::Sends, Preference::Receives] {
        for system in systems() {
            let exact = depth_first(&system, &mut (), &all(), &mut ());
            let mut order = Ordered::new(preference, 5);
            let report = depth_first(&system, &mut order, &all(), &mut ());
            assert_eq!(report.statistics.states, exact.statistics.states);
            assert_eq!(report.statistics.matched, exact.statistics.matched);
        }
    }
}

#[test]
fn a_walk_finds_what_is_near_and_stops_when_told() {
    let [_, system] = systems();
    let found = random_walk(&system, Preference::Random, 3, &options(), &mut ());
    assert_eq!(found.stop, StopReason::Violation);
    replay(&system, &found.violations[0]);
    let soon = Options {
        deadline: Some(Instant::now()),
        ..options()
    };
    let walk = random_walk(&counters(2, 5), Preference::Random, 3, &soon, &mut ());
    assert_eq!(walk.stop, StopReason::Time);
}

/// Counts the walks that fail at each of three ways out of the start, of weights 1, 3 and 6.
#[test]
fn steps_are_as_frequent_as_they_weigh() {
    let ways: Vec<_> = (0..3).map(|way| (0, 1, Way::Breaks(way))).collect();
    let system = graph(&ways, &[0, 1]);
    let walks = 5000;
    let mut met = [0; 3];
    for seed in 0..walks {
        let weight = |_: &[u8], step: usize| [1, 3, 6][step];
        let report = weighted_walk(&system, &weight, seed, &options(), &mut ());
        assert_eq!(report.stop, StopReason::Violation);
        replay(&system, &report.violations[0]);
        met[report.violations[0].steps[0]] += 1;
    }
    // Six times the standard deviation of a binomial distribution, rounded up.
    for (met, weight) in met.into_iter().zip([1, 3, 6]) {
        let expected = walks as i64 * weight / 10;
        assert!((met - expected).abs() < 220, "{met} of {walks}: {weight}");
    }
}

#[test]
fn a_step_without_weight_is_not_taken() {
    let system = graph(&[(0, 0, Way::Breaks(1)), (0, 1, Way::Fails(2))], &[0, 1]);
    for seed in 0..50 {
        let weight = |_: &[u8], step: usize| step as u64;
        let report = weighted_walk(&system, &weight, seed, &options(), &mut ());
        assert_eq!(report.violations[0].steps, [1]);
    }
}

/// Members of a small system are done before they look at the clock.
#[test]
fn a_swarm_ends_when_its_time_is_over() {
    let [system, _] = systems();
    let flight = Swarm {
        jobs: 2,
        arena: 1 << 16,
        seed: 1,
        shard: 0,
        shards: 1,
        members: u64::MAX,
    };
    let limited = Options {
        deadline: Some(Instant::now()),
        ..options()
    };
    let report = swarm(&system, flight, &limited, &mut ());
    assert_eq!(report.stop, StopReason::Time);
}

#[test]
fn a_swarm_finds_a_deadlock_and_ends_with_its_members() {
    let [clean, system] = systems();
    let flight = Swarm {
        jobs: 2,
        arena: 1 << 20,
        seed: 1,
        shard: 0,
        shards: 1,
        members: 6,
    };
    let report = swarm(&system, flight, &options(), &mut ());
    assert!(!report.violations.is_empty());
    for violation in &report.violations {
        replay(&system, violation);
    }
    let report = swarm(&clean, flight, &options(), &mut ());
    assert!(report.violations.is_empty());
    assert_eq!(report.statistics.states, 12 * 12 * 12);
}

/// A deadlock that every member finds is one, and there are no more than other searches keep.
#[test]
fn a_swarm_tells_each_violation_once() {
    let flight = |members| Swarm {
        jobs: 2,
        arena: 1 << 16,
        seed: 1,
        shard: 0,
        shards: 1,
        members,
    };
    let two_ways = [
        (0, 1, Way::Plain),
        (0, 2, Way::Plain),
        (1, 3, Way::Plain),
        (2, 3, Way::Plain),
        (2, 4, Way::Breaks(7)),
    ];
    let report = swarm(&graph(&two_ways, &[]), flight(50), &all(), &mut ());
    assert_eq!(report.violations.len(), 2);
    assert_eq!(report.statistics.violations, 2);

    let wide: Vec<_> = (1..=100).map(|end| (0, end, Way::Plain)).collect();
    let report = swarm(&graph(&wide, &[]), flight(20), &all(), &mut ());
    assert_eq!(report.violations.len(), 64);
    assert_eq!(report.statistics.violations, 100);
}
