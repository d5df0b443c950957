//! A verdict does not depend on the reduction, whatever else is wrong with the model.

use mazurka_checker::{Checker, Config, Property, Reduction, Verdict};

/// The deaf machine never takes its message, and the others go on without it; if they do not, the system is stuck.
const DEAF: &str = "machine Caller(deaf: Deaf) {
        start state Begin;
        final state Over;
        Begin -> Over !deaf.in.ring;
        GOES
    }
    machine Deaf {
        port in[1] { ring, bye }
        start final state Waiting;
        state Hears;
        Waiting -> Hears ?in.bye;
    }
    system {
        caller: Caller(deaf);
        deaf: Deaf;
    }";

fn verdict(goes: &str, property: Property, reduce: Reduction, jobs: u32) -> Verdict {
    let checker = Checker::from_source("deaf.efsm", DEAF.replace("GOES", goes)).unwrap();
    let config = Config {
        property,
        reduce,
        jobs: Some(jobs),
        ..Config::default()
    };
    checker.config(config).run().unwrap().verdict()
}

#[test]
fn an_unexpected_input_is_reported_where_it_is_asked_for() {
    let cases = [
        ("", Property::Deadlock, Verdict::Violated),
        ("Over -> Over;", Property::All, Verdict::Violated),
        ("Over -> Over;", Property::Safety, Verdict::Violated),
        (
            "Over -> Over;",
            Property::UnexpectedInput,
            Verdict::Violated,
        ),
        ("Over -> Over;", Property::Deadlock, Verdict::Holds),
        ("Over -> Over;", Property::Overflow, Verdict::Holds),
        ("Over -> Over;", Property::Invariant, Verdict::Holds),
    ];
    let reductions = [
        Reduction::Auto,
        Reduction::None,
        Reduction::Stubborn,
        Reduction::Persistent,
        Reduction::Simultaneous,
    ];
    for (goes, property, expected) in cases {
        for reduce in reductions {
            for jobs in [1, 2] {
                let found = match reduce {
                    Reduction::Simultaneous if jobs > 1 => continue,
                    reduce => verdict(goes, property, reduce, jobs),
                };
                assert_eq!(found, expected, "{goes} {property}, {reduce}, {jobs}");
            }
        }
    }
}
