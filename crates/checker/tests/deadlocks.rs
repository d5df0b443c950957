//! A reduction finds the same deadlocks as the full search.

use mazurka_checker::{Checker, Config, Property, Reduction};
use mazurka_scenario::ViolationKind;

/// Whoever waits for `m0` at the port of `i2`, which has room for one message and holds another, waits for that to be taken *and* for
/// `m0` to be sent. `i2` does both by itself, so the message of `i1` may also come second.
const ONE_PLACE: &str = "machine M0 {
        port p1[2] { m0(byte) }
        start state S0;
        state S1;
        S0 -> S1 !i2.p0.m1(0);
    }
    machine M1 {
        start final state S0;
        final state S1;
        S0 -> S1 !i0.p1.m0(1);
    }
    machine M2 {
        port p0[1] waits { m0, m1(byte) }
        start state S0;
        final state S1;
        final state S2;
        S0 -> S1 ?p0.m0;
        S2 -> S1 !i2.p0.m0;
        S1 -> S0 ?p0.m0 !i0.p1.m0(0);
        S0 -> S0 ?p0.m1(_);
        S1 -> S1 ?p0.m1(_);
        S0 -> S2 ?p0.m1(_);
    }
    system {
        i0: M0;
        i1: M1;
        i2: M2;
    }";

#[test]
fn a_channel_for_one_message_is_emptied_before_the_next_comes() {
    let deadlocks = |reduce: Reduction| {
        let config = Config {
            property: Property::Deadlock,
            reduce,
            jobs: Some(1),
            all: true,
            ..Config::default()
        };
        let checker = Checker::from_source("place.efsm", ONE_PLACE).unwrap();
        let outcome = checker.config(config).run().unwrap();
        outcome.violations().count()
    };
    let all = deadlocks(Reduction::None);
    for reduce in [Reduction::Stubborn, Reduction::Persistent, Reduction::Ample] {
        assert_eq!(deadlocks(reduce), all, "{reduce:?}");
    }
}

/// Some steps lead to a guard that has no value: that is the error, not that nobody can move.
#[test]
fn a_guard_without_a_value_is_no_deadlock() {
    let model = "byte zero, x; active proctype P() { x = 1; x = 2; 1 / zero == 1 }";
    let checker = Checker::from_source("guard.pml", model).unwrap();
    let outcome = checker.property(Property::Safety).run().unwrap();
    let told: Vec<_> = outcome
        .violations()
        .map(|of| (of.record.kind, of.steps.len()))
        .collect();
    assert_eq!(told, [(ViolationKind::RuntimeError, 3)]);
}
