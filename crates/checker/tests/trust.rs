//! Verdicts that were wrong once, and what is defined about atoms without a value: the same under every combination of options.
//!
//! The table of the book (`docs/book/temporal.md`) has a row for each case of the second test.

use std::time::Duration;

use mazurka_checker::{
    Checker, Choice, Config, Dependency, Emptiness, Error, Order, Property, Reduction, Share,
    Store, Switch, Verdict,
};
use mazurka_scenario::ViolationKind;

/// A search that has no end of its own is given this time.
const TIME: Duration = Duration::from_millis(5);

/// What is to be found for a property of a model.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Found {
    Holds,
    /// A violation, and nothing but violations of this kind.
    Violated(ViolationKind),
    /// Violations of one or both of these kinds; of both if all are asked for.
    Either(ViolationKind, ViolationKind),
}

use Found::{Either, Holds, Violated};

const ERROR: Found = Violated(ViolationKind::RuntimeError);

/// A name whose ending is the notation, a text, a property by name, and what is to be found.
type Case = (&'static str, &'static str, &'static str, Found);

/// Every combination of what decides how a property is searched for, and every other order with each reduction.
fn combinations() -> Vec<Config> {
    let mut all = Vec::new();
    for search in [Order::DepthFirst, Order::BreadthFirst] {
        for reduce in Reduction::ALL {
            for number in 0..128 {
                let bit = |place: u32| number >> place & 1 == 1;
                all.push(Config {
                    search,
                    reduce: *reduce,
                    optimize: if bit(0) { Switch::Off } else { Switch::On },
                    dependency: bit(1).then_some(Dependency::Constant),
                    sleep: bit(2).then_some(Switch::On),
                    jobs: Some(if bit(3) { 2 } else { 1 }),
                    emptiness: bit(4).then_some(Emptiness::Components),
                    fair: bit(5),
                    all: bit(6),
                    audit: if bit(0) == bit(4) {
                        None
                    } else {
                        Some(Share::ALL)
                    },
                    ..Config::default()
                });
            }
        }
    }
    for search in Order::ALL {
        for store in [
            None,
            Some(Store::Compact),
            Some(Store::Bitstate),
            Some(Store::Cache),
        ] {
            for reduce in [Reduction::Auto, Reduction::None] {
                all.push(Config {
                    search: *search,
                    store,
                    reduce,
                    guide: (*search == Order::Guided).then(|| "0".into()),
                    time: Some(TIME),
                    memory: Some(16 << 20),
                    ..Config::default()
                });
            }
        }
    }
    all
}

/// Tries a case by one combination. Says whether it was tried: not every property goes with every option.
fn is_tried((name, text, property, found): Case, config: &Config) -> bool {
    let is_safety = property == "safety";
    let config = Config {
        claim: (!is_safety).then(|| property.into()),
        // Fairness and emptiness are about properties of executions.
        fair: config.fair && !is_safety,
        emptiness: config.emptiness.filter(|_| !is_safety),
        ..config.clone()
    };
    let checker = Checker::from_source(name, text).unwrap();
    let outcome = match checker.config(config.clone()).run() {
        Ok(outcome) => outcome,
        Err(Error::Usage(_)) => return false,
        Err(error) => panic!("{name}, {property}, {config:?}: {error}"),
    };
    let mut properties = outcome.properties.iter();
    let Some(checked) = properties.find(|checked| checked.name == property) else {
        return false;
    };
    let mut kinds: Vec<ViolationKind> = checked.violations.iter().map(|one| one.kind()).collect();
    kinds.dedup();
    let told = format!(
        "{name}, {property}: {} {kinds:?}\n{config:?}\n{text}",
        checked.verdict
    );
    assert_eq!(checked.audit.tally.findings, [], "{told}");
    for violation in &checked.violations {
        let is_error = violation.kind() == ViolationKind::RuntimeError;
        let explanation = &violation.explanation;
        let is_blamed = !explanation.blame.is_empty() || !explanation.atoms.is_empty();
        assert!(
            !is_error || !is_blamed,
            "without a value it is neither true nor false: {told}"
        );
    }
    let is_exhaustive = config.time.is_none();
    match found {
        Holds => {
            assert_ne!(checked.verdict, Verdict::Violated, "{told}");
            assert!(
                !is_exhaustive || checked.verdict == Verdict::Holds,
                "{told}"
            );
        }
        Violated(kind) => {
            assert_ne!(checked.verdict, Verdict::Holds, "{told}");
            assert!(
                !is_exhaustive || checked.verdict == Verdict::Violated,
                "{told}"
            );
            assert!(kinds.iter().all(|one| *one == kind), "{told}");
        }
        Either(one, other) => {
            assert_ne!(checked.verdict, Verdict::Holds, "{told}");
            assert!(
                !is_exhaustive || checked.verdict == Verdict::Violated,
                "{told}"
            );
            assert!(
                kinds.iter().all(|kind| [one, other].contains(kind)),
                "{told}"
            );
            let are_both = kinds.contains(&one) && kinds.contains(&other);
            assert!(!is_exhaustive || !config.all || are_both, "{told}");
        }
    }
    true
}

fn try_all(cases: &[Case], every: usize) {
    let combinations = combinations();
    for (number, case) in cases.iter().enumerate() {
        let own = combinations.iter().skip(number % every).step_by(every);
        let tried = own.filter(|config| is_tried(*case, config)).count();
        assert!(tried * every > 100, "{}: only {tried}", case.0);
    }
}

/// What a review found: each was a wrong "holds" or an internal error.
#[test]
fn what_was_wrong_once() {
    let reused = "chan gc; bit flag, g;
        proctype L() { chan me = [1] of { byte }; gc = me }
        proctype Q() { chan my = [1] of { byte }; end: false }
        active proctype A() { run L(); _nr_pr == 3; flag = 1; run Q() }
        active proctype B() { flag == 1; g = 1; g = 0 }
        active proctype C() { end: false }
        ltl p { [] ((g && len(gc) == 0) + 0 < 2) }";
    let provided = "byte x;
        active proctype P() priority 1 { end: x = 1; assert(false) }
        active proctype Q() priority 4 provided (x == 9) { end: skip }";
    let ends = "byte x; active proctype P() { x = 1; end: x == 5 }
        never { T: do :: x == 1 -> goto fin :: x == 0 od; fin: skip }";
    let next = "byte x; active proctype P() { x = 1; end: x == 5 } ltl p { X X X (x == 5) }";
    let unasked = "byte z, g; active proctype A() { z = 1; g = 1; g = 0 }
        ltl p { [] (g == 1 -> [] (g == 1 || 5 / z != 5)) }";
    let cases: [Case; 5] = [
        ("reused.pml", reused, "p", ERROR),
        (
            "provided.pml",
            provided,
            "safety",
            Violated(ViolationKind::Assertion),
        ),
        ("ends.pml", ends, "never_0", Violated(ViolationKind::Never)),
        ("next.pml", next, "p", Violated(ViolationKind::Ltl)),
        ("unasked.pml", unasked, "p", ERROR),
    ];
    try_all(&cases, 1);
}

/// Nothing that a formula sees is left out because something else stands for it.
#[test]
fn what_no_reduction_leaves_out() {
    // The first state violates it, and what comes then does not.
    let already = "byte x, y, u, v;
        active proctype A() { u = 1; u = 2; y = 1 }
        active proctype B() { v = 1; v = 2 }
        ltl p { x != 0 && <> (y == 1) } ltl q { x != 0 && [] (y != 9) }";
    // Between two steps that have nothing to do with each other.
    let between = "byte x, y, u;
        active proctype A() { u = 1; x = 1 }
        active proctype B() { y = 1 }
        ltl p { [] !(x == 1 && y == 0) } ltl q { [] !(x == 0 && y == 1) } ltl r { <> (x == 1) }";
    let violated = Violated(ViolationKind::Ltl);
    let cases: [Case; 5] = [
        ("already.pml", already, "p", violated),
        ("already.pml", already, "q", violated),
        ("between.pml", between, "p", violated),
        ("between.pml", between, "q", violated),
        ("between.pml", between, "r", Holds),
    ];
    try_all(&cases, 3);
}

/// The table of the book.
#[test]
fn atoms_without_a_value() {
    let alone = "byte z = 1; active proctype P() { z = 0; z = 1 }
        ltl p { [] (5/z != 7) } ltl next { X (5/z != 7) } ltl until { (5/z != 7) U (z == 9) }";
    let beside = "byte z = 1, g; active proctype P() { g = 1; z = 0; z = 1; g = 0 }
        ltl two { [] (g == 1 || 5/z != 7) } ltl one { [] ((g == 1 || 5/z != 7) == 1) }";
    let after = "byte z = 1, g; active proctype P() { g = 1; g = 0; z = 0 }
        ltl p { <> (g == 1 || 5/z == 7) }";
    let before = "byte z = 1, q = 1; active proctype P() { q = 0; if :: z = 0 :: skip fi }
        ltl p { [] (q == 1 && 5/z != 7) }";
    let index = "byte a[2], i; active proctype P() { i = 1; i = 2 } ltl p { [] (a[i] == 0) }";
    let dead = "chan gc = [1] of { byte }; proctype L() { chan me = [1] of { byte }; gc = me }
        active proctype A() { run L(); _nr_pr == 1 } ltl p { [] (len(gc) == 0) }";
    let remote = "byte z; active proctype A() { byte y; z = 1; here: z = 2; end: false }
        active proctype B() { byte x; x = 1; there: x = 2 }
        ltl gone { <> [] (B[1]:x == 0) } ltl another { [] (A[1]:y == 0) }
        ltl place { [] !(A[1]@here) } ltl left { <> [] !(B[1]@there) }";
    let claim = "byte z = 1; active proctype P() { z = 0; z = 1 }
        never { do :: z == 9 -> break :: else od; do :: 5/z != 7 od }";
    let machines = "var z: byte; var a: byte[2];
        machine A { port p[2] { m(byte) } var x: byte; start final state S; state T; final state U;
            S -> T { z := 1; } !a0.p.m(1); T -> U ?p.m(x) { z := 0; x := 2; }; }
        system { a0: A; }
        ltl division { [] (5 / z != 7) } ltl index { [] (a[a0.x] == 0) } ltl queue { [] (len(a0.p) < 2) }";
    let cases: [Case; 17] = [
        ("alone.pml", alone, "p", ERROR),
        ("alone.pml", alone, "next", ERROR),
        ("alone.pml", alone, "until", ERROR),
        ("beside.pml", beside, "two", ERROR),
        ("beside.pml", beside, "one", Holds),
        ("after.pml", after, "p", ERROR),
        (
            "before.pml",
            before,
            "p",
            Either(ViolationKind::Ltl, ViolationKind::RuntimeError),
        ),
        ("index.pml", index, "p", ERROR),
        ("dead.pml", dead, "p", ERROR),
        ("remote.pml", remote, "gone", Holds),
        ("remote.pml", remote, "another", ERROR),
        ("remote.pml", remote, "place", Holds),
        ("remote.pml", remote, "left", Holds),
        ("claim.pml", claim, "never_0", Holds),
        ("machines.efsm", machines, "division", ERROR),
        ("machines.efsm", machines, "index", ERROR),
        ("machines.efsm", machines, "queue", Holds),
    ];
    try_all(&cases, 3);
}

/// One property of a model, checked by these choices.
fn checked(text: &str, config: Config) -> mazurka_checker::PropertyOutcome {
    let checker = Checker::from_source("model.pml", text).unwrap();
    checker.config(config).run().unwrap().properties.remove(0)
}

/// A search without memory meets one deadlock by thousands of ways, and still tells what else there is.
#[test]
fn a_deadlock_that_is_met_again_is_not_a_new_one() {
    let text = "byte x, y, z, w;
        active proctype A() { x = 1; x = 2; x = 3 }
        active proctype B() { y = 1; y = 2; y = 3 }
        active proctype C() { z = 1; z = 2; if :: w = 1; false :: skip; x == 3 -> assert(y != 3) fi }";
    let found = checked(
        text,
        Config {
            search: Order::Stack,
            all: true,
            optimize: Switch::Off,
            ..Config::default()
        },
    );
    let kinds: Vec<ViolationKind> = found.violations.iter().map(|one| one.kind()).collect();
    assert_eq!(kinds, [ViolationKind::Deadlock, ViolationKind::Assertion]);
}

#[test]
fn what_a_trace_assertion_misses_at_the_end_is_said() {
    let text = "mtype = { a, b }; chan q = [1] of { mtype };
        trace { q!a; q!b }
        active proctype P() { q!a; q?a }";
    let found = checked(text, Config::default());
    let message = &found.violations[0].record.message;
    assert!(message.contains("asks for more messages"), "{message}");
}

/// Inside a long atomic sequence other steps may sleep than when its states were met before.
#[test]
fn what_sleeps_in_a_long_atomic_sequence() {
    let text = "byte x, y, z; short n;
        active proctype A() {
            if :: atomic { skip; do :: n < 1200 -> n++ :: else -> break od; y = 1 }
               :: atomic { x == 0; do :: n < 1200 -> n++ :: else -> break od; y = 1 }
               :: atomic { x == 1; do :: n < 1200 -> n++ :: else -> break od; y = 1 }
            fi;
            z = x + 1
        }
        active proctype B() { x = 1; x = 2; assert(z != 2 || y != 1) }";
    for (optimize, property) in [
        (Switch::On, Property::Safety),
        (Switch::Off, Property::Safety),
        (Switch::Off, Property::Assertion),
    ] {
        let counted = |sleep: Option<Switch>| {
            let config = Config {
                sleep,
                optimize,
                property,
                reduce: Reduction::None,
                all: true,
                jobs: Some(1),
                ..Config::default()
            };
            let found = checked(text, config);
            let kinds: Vec<ViolationKind> = found.violations.iter().map(|one| one.kind()).collect();
            (found.verdict, found.statistics.states, kinds)
        };
        let full = counted(None);
        assert_eq!(full.0, Verdict::Violated);
        assert_eq!(counted(Some(Switch::On)), full, "{optimize}, {property}");
    }
}
