//! Reductions, at every state of random models, pass their audit: each model has some of them, by its number.
//!
//! `AUDIT_MODELS` says how many models, `AUDIT_SEED` where to begin.

mod support;

use mazurka_audit::{Kind, Tally};
use mazurka_differential::features::Features;
use mazurka_differential::generate::generate;
use mazurka_differential::print::print;
use mazurka_model::Interpreter;
use mazurka_reduce::{
    Chooser, Independence, Information, Persistent, Runs, Stubborn, hold_local_runs,
    reset_dead_variables,
};
use support::{Order, audit, program};

fn number(name: &str, default: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn random_models_pass() {
    let first = number("AUDIT_SEED", 1);
    let mut all = Tally::default();
    for seed in first..first + number("AUDIT_MODELS", 12) {
        let text = print(&generate(seed, Features::default()));
        check(seed, &text, &mut all);
    }
    eprintln!("{all:?}");
    for kind in [
        Kind::Pair,
        Kind::Set,
        Kind::Proviso,
        Kind::Store,
        Kind::Structure,
    ] {
        assert!(all.checked(kind) > 100, "{kind:?}");
    }
}

/// A guard without a value, alone in a set, is overtaken by the timeout beside it.
#[test]
fn a_timeout_beside_a_fault_passes() {
    let text = "bit none;
        proctype W() { skip }
        active proctype P() { run W(); if :: timeout -> assert(false) :: (0 / none) fi }";
    for seed in 0..28 {
        check(seed, text, &mut Tally::default());
    }
}

/// The reductions, by number.
fn chooser(interpreter: &Interpreter, number: usize) -> Option<Chooser> {
    let persistent = |information| Persistent::new(interpreter, true, information);
    Some(match number {
        0 => Chooser::Stubborn(Box::new(Stubborn::new(interpreter, true).ok()?)),
        1 => Chooser::Stubborn(Box::new(Stubborn::new(interpreter, false).ok()?)),
        2 => Chooser::Persistent(persistent(Information::Run).ok()?),
        3 => Chooser::Persistent(persistent(Information::State).ok()?),
        4 => Chooser::Persistent(Persistent::ample(interpreter, true).ok()?),
        5 => Chooser::Independence(Independence::new(interpreter, true).ok()?),
        _ => Chooser::All,
    })
}

fn check(seed: u64, text: &str, all: &mut Tally) {
    let Some(model) = program(text) else { return };
    let mut changed = model.clone();
    reset_dead_variables(&mut changed);
    hold_local_runs(&mut changed, Runs::Straight);
    hold_local_runs(&mut changed, Runs::Any);
    for structured in [false, true] {
        for reduction in (0..7).filter(|number| (seed + number).is_multiple_of(3)) {
            let reduction = reduction as usize;
            let orders = [
                Order::DepthFirst,
                Order::BreadthFirst,
                Order::Sleeping,
                Order::TwoWorkers,
            ];
            let order = orders[(seed as usize + reduction) % 4];
            let (program, model) = match structured {
                true => (&changed, Some(&model)),
                false => (&model, None),
            };
            let searched = Interpreter::new(program.clone());
            if chooser(&searched, reduction).is_none() {
                continue;
            }
            let make = || chooser(&searched, reduction).unwrap();
            let tally = audit(&searched, model, make, order);
            assert!(
                tally.findings.is_empty(),
                "seed {seed}, reduction {reduction}, {order:?}, structured {structured}\n{text}\n{:#?}",
                tally.findings
            );
            all.add(&tally);
        }
    }
}
