//! Every reduction against the full search on random models: the same deadlock states, and with
//! the proviso the same failures and the same statements reached.
//!
//! `REDUCE_MODELS` says how many models, `REDUCE_SEED` where to begin; `scripts/reduction` runs
//! many.

mod support;

use mazurka_differential::features::Features;
use mazurka_differential::generate::generate;
use mazurka_differential::print::print;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

#[test]
fn every_reduction_finds_what_the_full_search_finds() {
    let first = number("REDUCE_SEED", 1);
    let count = number("REDUCE_MODELS", 80);
    let (mut full, mut reduced, mut compared) = (0, 0, 0);
    for seed in first..first + count {
        // Every second model may have what SPIN does not judge: faults while conditions are evaluated, channels of dead processes.
        let features = match seed % 2 {
            0 => Features::default(),
            _ => Features::all(),
        };
        let text = print(&generate(seed, features));
        if let Some((states, chosen)) = support::compare(&format!("seed {seed}"), &text) {
            full += states;
            reduced += chosen;
            compared += 1;
        }
    }
    eprintln!("{compared} models: {full} states in full, {reduced} reduced");
    let combinations = support::COMPARISONS.load(std::sync::atomic::Ordering::Relaxed);
    println!("{{\"models\":{compared},\"combinations\":{combinations},\"disagreements\":0}}");
    assert!(compared * 2 > count);
}

#[test]
fn additions_lengths_and_targets() {
    let first = number("REDUCE_SEED", 1);
    let count = number("REDUCE_MODELS", 80);
    let (mut full, mut reduced, mut compared) = (0, 0, 0);
    for seed in first..first + count {
        let text = support::targets::model(seed);
        if let Some((states, chosen)) = support::compare(&format!("targets {seed}"), &text) {
            full += states;
            reduced += chosen;
            compared += 1;
        }
    }
    eprintln!("{compared} models: {full} states in full, {reduced} reduced");
    assert!(compared * 2 > count);
}
