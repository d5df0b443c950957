//! The simultaneous graph against the full one on random systems of machines: the same deadlock and
//! nonprogress states, and with the proviso the same failures and the same transitions carried out.
//!
//! `REDUCE_MODELS` says how many systems, `REDUCE_SEED` where to begin; `scripts/simultaneous` runs
//! many. A system that fails is made smaller as long as it fails.

mod graphs;

use mazurka_differential::machines::System;
use mazurka_model::Interpreter;
use mazurka_search::StopReason;
use mazurka_span::SourceMap;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// What a comparison saw.
struct Sizes {
    full: u64,
    reduced: u64,
    stuck: usize,
    failures: usize,
}

/// Compares the graphs; an error says what is different. None if the system is too large.
fn compare(text: &str) -> Result<Option<Sizes>, String> {
    let mut map = SourceMap::new();
    let compiled = mazurka_efsm::compile(&mut map, "m.efsm", text.as_bytes(), &[])
        .map_err(|errors| format!("{errors:?}"))?;
    let interpreter = Interpreter::new(compiled.program);
    let full = graphs::full(&interpreter);
    if full.stop != StopReason::Complete {
        return Ok(None);
    }
    let mut reduced = 0;
    for (refined, breadth) in [(true, false), (true, true), (false, false)] {
        let case = format!("refined {refined}, breadth {breadth}");
        for proviso in [false, true] {
            let found = graphs::simultaneous(&interpreter, refined, breadth, proviso)
                .ok_or("the analysis refuses")?;
            if found.stop != StopReason::Complete {
                return Err(format!("{case}: {:?}", found.stop));
            }
            if found.stuck != full.stuck {
                return Err(format!("{case}, proviso {proviso}: other stuck states"));
            }
            if proviso && found.failures != full.failures {
                let (found, full) = (&found.failures, &full.failures);
                return Err(format!("{case}: {found:?} instead of {full:?}"));
            }
            if proviso && found.covered != full.covered {
                return Err(format!("{case}: other transitions carried out"));
            }
            if refined && !breadth {
                reduced = found.states;
            }
        }
    }
    Ok(Some(Sizes {
        full: full.states,
        reduced,
        stuck: full.stuck.len(),
        failures: full.failures.len(),
    }))
}

/// The smallest system found that still fails, and how.
fn shrink(mut system: System, mut reason: String) -> (System, String) {
    'again: loop {
        for smaller in system.smaller() {
            if let Err(why) = compare(&smaller.text()) {
                system = smaller;
                reason = why;
                continue 'again;
            }
        }
        return (system, reason);
    }
}

#[test]
fn the_simultaneous_graph_finds_what_the_full_one_finds() {
    let first = number("REDUCE_SEED", 1);
    let count = number("REDUCE_MODELS", 1500);
    let (mut compared, mut full, mut reduced, mut stuck, mut failing) = (0, 0, 0, 0, 0);
    for seed in first..first + count {
        let system = System::random(seed);
        match compare(&system.text()) {
            Ok(None) => {}
            Ok(Some(sizes)) => {
                compared += 1;
                full += sizes.full;
                reduced += sizes.reduced;
                stuck += usize::from(sizes.stuck > 0);
                failing += usize::from(sizes.failures > 0);
            }
            Err(reason) => {
                let (smallest, reason) = shrink(system, reason);
                panic!("seed {seed}: {reason}\n{}", smallest.text());
            }
        }
    }
    eprintln!(
        "{compared} systems, {stuck} get stuck, {failing} fail: \
         {full} states in full, {reduced} in simultaneous graphs"
    );
    assert!(compared * 10 > count * 9);
    assert!(stuck as u64 * 5 > count && failing as u64 * 5 > count);
}
