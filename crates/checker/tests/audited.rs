//! Random models of all notations, checked with an audit of every state and compared with nothing else: nothing that a search relies on
//! turns out to be wrong.
//!
//! `AUDIT_MODELS` says how many models of each kind, `AUDIT_SEED` where to begin.

use mazurka_checker::{
    AuditKind, AuditTally, Checker, Config, Error, Order, Property, Reduction, Share, Switch,
    Verdict,
};
use mazurka_differential::features::Features;
use mazurka_differential::formula::formula;
use mazurka_differential::generate::generate;
use mazurka_differential::machines::System;
use mazurka_differential::network;
use mazurka_differential::print::print;
use mazurka_differential::random::Random;

fn number(name: &str, default: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Checks a model in a way that its number names, and gives the audit.
fn audit(name: &str, text: &str, number: u64, all: &mut AuditTally) {
    let reductions = [
        Reduction::Auto,
        Reduction::Stubborn,
        Reduction::Simultaneous,
        Reduction::Persistent,
        Reduction::Ample,
    ];
    let search = match number / 5 % 3 {
        0 => Order::BreadthFirst,
        _ => Order::DepthFirst,
    };
    let config = Config {
        audit: Some(Share::ALL),
        reduce: reductions[number as usize % 5],
        search,
        jobs: Some(match (search, number % 5) {
            (Order::DepthFirst, 0) => 2,
            _ => 1,
        }),
        all: number.is_multiple_of(2),
        memory: Some(256 << 20),
        ..Config::default()
    };
    let checker = Checker::from_source(name, text).unwrap();
    let outcome = match checker.config(config.clone()).run() {
        Ok(outcome) => outcome,
        // Not every reduction goes with every model.
        Err(Error::Usage(_)) => return,
        Err(error) => panic!("{error}\n{text}"),
    };
    for property in &outcome.properties {
        let findings = &property.audit.tally.findings;
        assert!(
            findings.is_empty(),
            "seed {number}: {}: {findings:#?}\n{config:?}\n{text}",
            property.name
        );
        all.add(&property.audit.tally);
    }
}

/// Who looks for deadlocks alone may put off a step that fails for ever, which is no fault of the reduction.
#[test]
fn failures_are_not_looked_for_beside_deadlocks() {
    let text = "active proctype Q() { byte a[2], i; do :: a[i] = 1; i++ od }
                active proctype P() { bit x; do :: x = 1 - x od }";
    for reduce in [Reduction::Stubborn, Reduction::Persistent, Reduction::Ample] {
        let config = Config {
            property: Property::Deadlock,
            audit: Some(Share::ALL),
            reduce,
            optimize: Switch::Off,
            jobs: Some(1),
            ..Config::default()
        };
        let checker = Checker::from_source("model.pml", text).unwrap();
        let outcome = checker.config(config).run().unwrap();
        let property = &outcome.properties[0];
        assert_eq!(property.audit.tally.findings, Vec::new(), "{reduce:?}");
        assert_eq!(property.verdict, Verdict::Holds, "{reduce:?}");
    }
}

/// A rendezvous that is an error with each of two partners is one step: where it is possible and all steps are taken, nothing is called
/// invisible.
#[test]
fn an_error_with_several_partners_leaves_no_step_out() {
    let text = "chan q = [0] of { byte }; byte a[2], w = 5; bit done;
                active proctype R() { if :: q?eval(a[w]) :: q?eval(a[w]) fi }
                active proctype S() { q!1 }
                active proctype V() { done = 1 }
                ltl p { [] (done == 0) }";
    let config = Config {
        audit: Some(Share::ALL),
        reduce: Reduction::None,
        optimize: Switch::Off,
        jobs: Some(1),
        ..Config::default()
    };
    let outcome = Checker::from_source("model.pml", text)
        .unwrap()
        .config(config)
        .run()
        .unwrap();
    for property in &outcome.properties {
        assert_eq!(property.audit.tally.findings, Vec::new());
    }
}

#[test]
fn every_notation_passes() {
    let first = number("AUDIT_SEED", 1);
    let mut all = AuditTally::default();
    for seed in first..first + number("AUDIT_MODELS", 20) {
        let promela = print(&generate(seed, Features::all()));
        if Checker::from_source("model.pml", promela.clone())
            .and_then(|checker| checker.load())
            .is_ok()
        {
            audit("model.pml", &promela, seed, &mut all);
        }
        let system = System::random(seed);
        let random = &mut Random::new(seed);
        let atoms = system.atoms(random);
        let formula = formula(random, 4, &atoms);
        let machines = format!("{}ltl f {{ {formula} }}\n", system.text());
        audit("model.efsm", &machines, seed, &mut all);
        audit(
            "model.vfsm",
            &network::generate(seed).text(),
            seed,
            &mut all,
        );
    }
    // Processes that nothing tells apart are rare among random ones; `symmetry.rs` makes them.
    for seed in first..first + 8 {
        let twins = "byte x; active [3] proctype P() { byte y; do :: x < 3 -> y = x; x = y + 1 :: else -> break od }";
        audit("model.pml", twins, seed, &mut all);
    }
    eprintln!("{all:?}");
    for kind in AuditKind::ALL {
        assert!(all.checked(kind) > 0, "{kind:?}");
    }
}

/// Simultaneous sets are steps of another system: what was found there is shortened in the model itself, or shown as it is.
#[test]
fn a_violation_among_simultaneous_sets_is_shown() {
    let model = "\
var g0: byte;
var g1: byte;
machine M0 {
  port p0[2] waits { m0(byte) }
  port p1[3] { m0(byte) }
  var x, y: byte;
  start progress state S0;
  final state S1;
  state S2;
  S0 -> S1 !i2.p0.m0(y);
  S1 -> S2 ?p1.m0(x);
}
machine M1 {
  port p0[2] { m0(byte) }
  var x, y: byte;
  start state S0;
  state S1;
  progress state S2;
  S0 -> S1 !i1.p0.m0(x) !i0.p1.m0(x);
  S1 -> S2 { y := (g0 + 1) % 3; };
}
machine M2 {
  port p0[3] { m0(byte) }
  var x, y: byte;
  start state S0;
  progress state S1;
  final state S2;
  state S3;
  S0 -> S3;
  S2 -> S3 ?p0.m0(=0) !i2.p0.m0(y);
  S3 -> S1 ?p0.m0(x);
  S2 -> S3 !i1.p0.m0(x) !i1.p0.m0(x);
  S3 -> S3 !i2.p0.m0(1);
}
system {
  i0: M0;
  i1: M1;
  i2: M2;
}
ltl f { (<> ((i2.y == 1) -> (g0 == 1))) }
";
    for search in [Order::DepthFirst, Order::BreadthFirst] {
        let config = Config {
            reduce: Reduction::Simultaneous,
            search,
            jobs: Some(1),
            ..Config::default()
        };
        let checker = Checker::from_source("model.efsm", model).unwrap();
        let outcome = checker.config(config).run().unwrap();
        assert!(!outcome.holds(), "{outcome}");
    }
}

/// The `else` beside a guard without a value is a step of the interpreter, and of no execution that a claim is asked about.
#[test]
fn who_is_misled_by_a_guard_without_a_value() {
    let model = "\
chan never_set;
active proctype P() { do :: never_set?[_] :: else -> break od }
never watch { again: true; goto again }
";
    for number in 0..15 {
        audit("model.pml", model, number, &mut AuditTally::default());
    }
}

/// A send from the end of an atomic sequence hands control to a receiver inside one: the claim sees nothing there either.
#[test]
fn control_is_handed_on_by_a_rendezvous() {
    let model = "\
chan c = [0] of { byte };
byte x, y;
active proctype S() { byte l; atomic { y = 1; c!2 }; l = 1; l = l + 1; y = l }
active proctype R() { byte l; atomic { y = 4; c?x; x = 0 }; l = 1; l = l + 1; y = l }
ltl p { [] (x < 2) }
";
    for number in 0..60 {
        audit("model.pml", model, number, &mut AuditTally::default());
    }
}

/// Where only deadlocks are looked for, queues are taken to be long enough: an overflow in one order of two steps is no fault of the reduction.
#[test]
fn queues_that_are_taken_to_be_long_enough() {
    let text = "
machine A { inputs I; initial S; end S; S { IA: I ? O; } spontaneous: *I; out O: send E to b; }
machine B { inputs I; initial S; end S; S { } on E: nothing anywhere; }
network { queue 1; processor R { process P { a: A; } } processor Q { process O { b: B; } } }
";
    for reduce in [Reduction::Auto, Reduction::Persistent] {
        let config = Config {
            property: mazurka_checker::Property::Deadlock,
            audit: Some(Share::ALL),
            reduce,
            ..Config::default()
        };
        let checker = Checker::from_source("queues.vfsm", text).unwrap();
        let outcome = checker.config(config).run().unwrap();
        assert!(!outcome.has_failed_audit(), "{outcome:?}");
    }
    let outcome = Checker::from_source("queues.vfsm", text)
        .unwrap()
        .run()
        .unwrap();
    let kinds: Vec<String> = outcome
        .violations()
        .map(|violation| violation.kind().to_string())
        .collect();
    assert_eq!(kinds, ["overflow"]);
}

/// Sets of steps lead to an overflow, and nothing is accepted on the way: the violation is shown, step by step.
#[test]
fn an_overflow_that_a_set_of_steps_leads_to() {
    let text = "
machine A { port p[3] { m(byte) } var x: byte; start final state S; S -> S !a.p.m(x); }
machine B { port p { m(byte) } start final state S; accept state T; }
machine C { start final state S; state T; S -> T; }
system { a: A; b: B; c: C; }
";
    let config = Config {
        acceptance: true,
        reduce: Reduction::Simultaneous,
        jobs: Some(1),
        ..Config::default()
    };
    let checker = Checker::from_source("sets.efsm", text).unwrap();
    let outcome = checker.config(config).run().unwrap();
    for violation in outcome.with_scenarios() {
        outcome.run(violation).unwrap();
    }
}

/// In a set of steps, what a receiver goes on with at once stays with the send that handed it control.
#[test]
fn what_a_rendezvous_sets_off_stays_with_it_in_a_set() {
    let in_an_atomic_sequence = "bit s; chan c = [0] of { bit };
        proctype W() { c!0 }
        active proctype P() { byte t; run W(); atomic { c?_; t = 1 } unless { s } }
        active proctype Q() { s = 0; skip }";
    let in_local_steps = "chan c = [0] of { byte };
        proctype W(chan p) { do :: p!0; break od }
        proctype R(byte p) { c?_; c?_; for (p : 0 .. 0) { skip } }
        init { run R(0); run W(1); c!0 }";
    for text in [in_an_atomic_sequence, in_local_steps] {
        for optimize in [Switch::On, Switch::Off] {
            let config = Config {
                reduce: Reduction::Simultaneous,
                audit: Some(Share::ALL),
                jobs: Some(1),
                all: true,
                optimize,
                ..Config::default()
            };
            let checker = Checker::from_source("set.pml", text).unwrap();
            let outcome = checker.config(config).run().unwrap();
            assert!(!outcome.has_failed_audit(), "{text}\n{outcome}");
        }
    }
}
