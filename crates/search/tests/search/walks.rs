//! Random orders, walks and swarms.

use std::time::Instant;

use mazurka_search::{
    Options, Ordered, Preference, StopReason, Swarm, depth_first, random_walk, swarm,
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
