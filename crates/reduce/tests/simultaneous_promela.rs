//! The simultaneous graph against the full one on random Promela models: the same deadlock states,
//! and with the proviso the same failures and the same statements reached.
//!
//! `REDUCE_MODELS` says how many models, `REDUCE_SEED` where to begin; `scripts/simultaneous` runs
//! many.

mod graphs;
mod support;

use mazurka_differential::features::Features;
use mazurka_differential::generate::generate;
use mazurka_differential::print::print;
use mazurka_model::{Interpreter, Program};
use mazurka_promela::{MemoryLoader, compile};
use mazurka_reduce::{Runs, hold_local_runs, reset_dead_variables};
use mazurka_search::StopReason;
use mazurka_span::SourceMap;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

fn statements(program: &Program, covered: &[bool]) -> Vec<u32> {
    let mut reached: Vec<u32> = (0..covered.len())
        .filter(|number| covered[*number])
        .map(|number| program.transitions[number].statement.0)
        .collect();
    reached.sort_unstable();
    reached.dedup();
    reached
}

#[test]
fn the_simultaneous_graph_finds_what_the_full_one_finds() {
    let first = number("REDUCE_SEED", 5001);
    let count = number("REDUCE_MODELS", 120);
    let (mut compared, mut states, mut chosen) = (0, 0, 0);
    for seed in first..first + count {
        let features = match seed % 2 {
            0 => Features::default(),
            _ => Features::all(),
        };
        let text = print(&generate(seed, features));
        if let Some((in_full, in_sets)) = compare(&format!("seed {seed}"), &text) {
            compared += 1;
            states += in_full;
            chosen += in_sets;
        }
    }
    eprintln!("{compared} models: {states} states in full, {chosen} in simultaneous graphs");
    assert!(compared * 3 > count);
}

/// Models made to catch a reduction that leaves too much out; see `traps.rs`.
#[test]
fn traps_in_files() {
    let traps = support::traps("pml");
    let compared = traps
        .iter()
        .filter(|(name, text)| compare(name, text).is_some())
        .count();
    assert!(compared > 80, "{compared}");
}

/// The states of the full graph and of the simultaneous one; none if the model is too large, or the analysis does not allow for it.
fn compare(name: &str, text: &str) -> Option<(u64, u64)> {
    let mut map = SourceMap::new();
    let loader = MemoryLoader::default();
    let compiled = compile(&mut map, "model.pml", text.as_bytes(), &[], &loader);
    let program = compiled.ok()?.program;
    let interpreter = Interpreter::new(program.clone());
    let full = graphs::full(&interpreter);
    if full.stop != StopReason::Complete {
        return None;
    }
    let mut compared = None;
    for (refined, breadth) in [(true, false), (true, true), (false, false)] {
        let case = format!("{name}, refined {refined}, breadth {breadth}\n{text}");
        let bare = graphs::simultaneous(&interpreter, refined, breadth, false);
        let Some(bare) = bare else { continue };
        assert_eq!(bare.stop, StopReason::Complete, "{case}");
        assert_eq!(bare.stuck, full.stuck, "{case}");
        let safe = graphs::simultaneous(&interpreter, refined, breadth, true).unwrap();
        assert_eq!(safe.stuck, full.stuck, "proviso, {case}");
        assert_eq!(safe.failures, full.failures, "{case}");
        assert_eq!(
            statements(&program, &safe.covered),
            statements(&program, &full.covered),
            "{case}"
        );
        if refined && !breadth {
            compared = Some((full.states, safe.states));
        }
    }
    let mut optimised = program.clone();
    reset_dead_variables(&mut optimised);
    hold_local_runs(&mut optimised, Runs::Any);
    let optimised = Interpreter::new(optimised);
    if let Some(found) = graphs::simultaneous(&optimised, true, false, true) {
        let case = format!("{name}, optimised\n{text}");
        assert_eq!(found.stuck.is_empty(), full.stuck.is_empty(), "{case}");
        assert_eq!(found.failures, full.failures, "{case}");
    }
    compared
}
