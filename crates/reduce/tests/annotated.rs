//! Channels of Promela that lose, duplicate or sort what is sent, on random models: the annotation means what its export writes out, and every
//! reduction finds what the full search finds.
//!
//! `ANNOTATED_MODELS` says how many models, `ANNOTATED_SEED` where to begin.

mod support;

use mazurka_differential::features::Features;
use mazurka_differential::generate::generate;
use mazurka_differential::print::print;
use mazurka_model::Interpreter;
use mazurka_promela::{MemoryLoader, compile, spelled_out};
use mazurka_span::SourceMap;

fn number(name: &str, default: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(default)
}

const KINDS: [&str; 5] = [
    "lossy",
    "duplicating",
    "lossy duplicating",
    "sorted",
    "sorted, lossy",
];

#[test]
fn random_models_with_annotations() {
    let first = number("ANNOTATED_SEED", 1);
    let count = number("ANNOTATED_MODELS", 30);
    let (mut spelled, mut compared, mut full, mut reduced) = (0, 0, 0, 0);
    for seed in first..first + count {
        let text = print(&generate(seed, Features::default()));
        let Some(text) = annotate(&text, seed) else {
            continue;
        };
        spelled += u64::from(means_what_is_written_out(seed, &text));
        if let Some((states, chosen)) = support::compare(&format!("annotated {seed}"), &text) {
            full += states;
            reduced += chosen;
            compared += 1;
        }
    }
    let combinations = support::COMPARISONS.load(std::sync::atomic::Ordering::Relaxed);
    eprintln!(
        "{spelled} of {count} models as written out; {compared} in {combinations} combinations: {full} states in full, {reduced} reduced"
    );
    assert!(spelled * 4 > count && compared * 4 > count);
}

/// Says something about each channel that is declared with the model and holds messages, if there is one.
fn annotate(text: &str, seed: u64) -> Option<String> {
    let (mut annotated, mut number) = (String::new(), seed);
    for line in text.lines() {
        if line.starts_with("chan ") && line.contains("] of {") && !line.contains("[0] of") {
            let kind = KINDS[number as usize % KINDS.len()];
            annotated += &format!("/*@ {kind} */ ");
            number += 1;
        }
        annotated += line;
        annotated.push('\n');
    }
    (number > seed).then_some(annotated)
}

/// Compares the states of a model with those of its export. Not every model has one, or has few enough states.
fn means_what_is_written_out(seed: u64, text: &str) -> bool {
    let mut map = SourceMap::new();
    let loader = MemoryLoader::default();
    let written = spelled_out(&mut map, "model.pml", text.as_bytes(), &[], &loader);
    let Some(Ok(written)) = written else {
        return false;
    };
    let [annotated, plain] = [text, &written].map(|text| {
        let compiled = compile(
            &mut SourceMap::new(),
            "m.pml",
            text.as_bytes(),
            &[],
            &loader,
        );
        let compiled = compiled.unwrap_or_else(|told| panic!("seed {seed}: {told:?}\n{text}"));
        let interpreter = Interpreter::new(compiled.program);
        support::search(&interpreter, support::Order::Depth, None, false)
    });
    if annotated.stop != mazurka_search::StopReason::Complete {
        return false;
    }
    assert_eq!(
        (annotated.states, annotated.deadlocks.len()),
        (plain.states, plain.deadlocks.len()),
        "seed {seed}\n{text}\n{written}"
    );
    true
}
