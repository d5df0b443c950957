//! Channels of Promela that lose, duplicate or sort what is sent, and variables that are objects, on random models: the annotation means what its export
//! writes out, and every reduction finds what the full search finds.
//!
//! `ANNOTATED_MODELS` says how many models, `ANNOTATED_SEED` where to begin.

mod support;

use mazurka_differential::features::Features;
use mazurka_differential::generate::generate;
use mazurka_differential::print::print;
use mazurka_differential::random::Random;
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

/// Says something about each channel that is declared with the model and holds messages, and about variables of few values, if there are any.
fn annotate(text: &str, seed: u64) -> Option<String> {
    let (mut annotated, mut number) = (String::new(), seed);
    for line in text.lines() {
        if ["bit ", "bool ", "byte "]
            .iter()
            .any(|word| line.starts_with(word))
        {
            annotated += "/*@ object */ ";
            number += 1;
        }
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

/// Statements that use a mutex, a semaphore, a counter, an array and an object of one's own, as each is to be used, or that look at one.
const USES: [&str; 18] = [
    "d_step { m == 0 -> m = 1 }",
    "atomic { !m -> m = 1; k++ }",
    "m = 0",
    "d_step { s > 0 -> s-- }",
    "atomic { s > 0 -> s-- }",
    "s++",
    "d_step { s < 3 -> s++ }",
    "n++",
    "d_step { n > 0 -> n-- }",
    "d_step { a[_pid % 2] > 0 -> a[_pid % 2]-- }",
    "a[0]++",
    "d_step { b < 2 -> b++ }",
    "d_step { b == 2 -> b = 0; x = 1 - x }",
    "if :: d_step { s > 0 -> s-- } :: d_step { m == 0 -> m = 1 } fi",
    "if :: d_step { b < 3 -> b = 3 - b } :: else fi",
    "assert(n < 3 || m)",
    "x = s > 1",
    "(b != 1)",
];

const OBJECTS: &str = "bit x;
/*@ mutex */ bit m;
/*@ semaphore */ byte s = 1;
/*@ semaphore */ byte a[2] = 1;
/*@ counter */ byte n;
/*@ object */ byte b;
";

/// Processes that do some of that, now and then in a loop.
fn with_objects(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = OBJECTS.to_string();
    for process in 0..2 + random.below(2) {
        text += &format!("active proctype P{process}() {{ byte k;\n");
        let in_loop = random.chance(20);
        if in_loop {
            text += "do :: k < 2 -> k++;\n";
        }
        for _ in 0..2 + random.below(3) {
            text += &format!("  {};\n", USES[random.below(USES.len())]);
        }
        text += match in_loop {
            true => ":: else -> break od }\n",
            false => "}\n",
        };
    }
    text
}

#[test]
fn random_models_with_objects() {
    let first = number("ANNOTATED_SEED", 1);
    let count = number("ANNOTATED_MODELS", 30);
    let (mut compared, mut full, mut reduced) = (0, 0, 0);
    for seed in first..first + count {
        let text = with_objects(seed);
        let plain = text.replace("/*@", "/*");
        assert!(means_what_is_written_out(seed, &text));
        let with = support::compare(&format!("objects {seed}"), &text);
        let without = support::compare(&format!("variables {seed}"), &plain);
        if let (Some((states, chosen)), Some((same, _))) = (with, without) {
            assert_eq!(states, same, "seed {seed}\n{text}");
            full += states;
            reduced += chosen;
            compared += 1;
        }
    }
    eprintln!("{compared} of {count} models: {full} states in full, {reduced} reduced");
    assert!(compared * 2 > count);
}
