//! Steps that are said to be independent in a state commute there: neither makes the other impossible, and both orders lead to
//! the same state. Asked of all pairs of steps in the states of random models.
//!
//! `COMMUTATION_MODELS` says how many models, `COMMUTATION_SEED` where to begin.

mod support;

use std::collections::HashSet;

use mazurka_differential::features::Features;
use mazurka_differential::generate::generate;
use mazurka_differential::print::print;
use mazurka_model::{Interpreter, Step};
use mazurka_promela::{MemoryLoader, compile};
use mazurka_reduce::Independence;
use mazurka_search::System;
use mazurka_span::SourceMap;

const MOST_STATES: usize = 400;

fn number(name: &str, default: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn independent_steps_commute() {
    let first = number("COMMUTATION_SEED", 1);
    let mut pairs = 0;
    for seed in first..first + number("COMMUTATION_MODELS", 150) {
        let features = match seed % 2 {
            0 => Features::default(),
            _ => Features::all(),
        };
        let text = print(&generate(seed, features));
        pairs += check(&format!("seed {seed}"), &text);
    }
    eprintln!("{pairs} pairs of independent steps");
    assert!(pairs > 1000);
}

#[test]
fn additions_lengths_and_elements_commute() {
    let first = number("COMMUTATION_SEED", 1);
    let mut pairs = 0;
    for seed in first..first + number("COMMUTATION_MODELS", 150) {
        pairs += check(&format!("targets {seed}"), &support::targets::model(seed));
    }
    eprintln!("{pairs} pairs of independent steps");
    assert!(pairs > 1000);
}

#[test]
fn the_order_of_sorted_messages_that_a_field_cuts_shows() {
    let text = "chan c = [3] of { bit };
        active proctype a() { c!!2 }
        active proctype b() { c!!3 }";
    check("cut", text);
    let text = "chan c = [3] of { byte };
        active proctype a() { c!!2 }
        active proctype b() { c!!3 }";
    assert!(check("whole", text) > 0);
}

/// Looks at the pairs of steps of a model that are independent by either relation, and says how many there are.
fn check(name: &str, text: &str) -> u64 {
    let mut map = SourceMap::new();
    let loader = MemoryLoader::default();
    let compiled = compile(&mut map, "model.pml", text.as_bytes(), &[], &loader);
    let Ok(compiled) = compiled else { return 0 };
    let interpreter = Interpreter::new(compiled.program);
    let mut pairs = 0;
    for refined in [true, false] {
        if let Ok(mut independence) = Independence::new(&interpreter, refined) {
            let name = format!("{name}, refined {refined}\n{text}");
            pairs += all_pairs(&interpreter, &mut independence, &name);
        }
    }
    pairs
}

/// Looks at all pairs in the first states of a system.
fn all_pairs(system: &Interpreter, independence: &mut Independence, name: &str) -> u64 {
    let mut initial = Vec::new();
    if System::initial(system, &mut initial).is_err() {
        return 0;
    }
    let mut met = HashSet::from([initial.clone()]);
    let mut open = vec![initial];
    let mut pairs = 0;
    while let Some(state) = open.pop() {
        let mut steps = Vec::new();
        System::enabled(system, &state, &mut steps);
        for (position, a) in steps.iter().enumerate() {
            let Some(after_a) = taken(system, &state, *a) else {
                continue;
            };
            if !System::is_passing(system, &state) {
                for b in &steps[..position] {
                    if a.process == b.process || !independence.independent(system, &state, *a, *b) {
                        continue;
                    }
                    let Some(after_b) = taken(system, &state, *b) else {
                        continue;
                    };
                    let is_whole = |state: &[u8]| !System::is_passing(system, state);
                    if !is_whole(&after_a) || !is_whole(&after_b) {
                        // An atomic sequence counts as one step, which is more than is taken here.
                        continue;
                    }
                    let both = [(&after_a, *b), (&after_b, *a)].map(|(state, step)| {
                        let mut steps = Vec::new();
                        System::enabled(system, state, &mut steps);
                        let is_there = steps.contains(&step);
                        is_there.then(|| taken(system, state, step)).flatten()
                    });
                    let end = |state: &Vec<u8>| {
                        state[..state.len() - System::ignored_suffix(system)].to_vec()
                    };
                    let [one, other] = both.map(|state| state.as_ref().map(end));
                    let show = |step: Step| {
                        let statement = system.program().transitions[step.transition.index()]
                            .statement
                            .index();
                        format!("{step:?} {:?}", system.program().statements[statement])
                    };
                    assert!(
                        one.is_some() && one == other,
                        "{}\n{}\nin {state:?}: {one:?}, {other:?}\n{name}",
                        show(*a),
                        show(*b),
                    );
                    pairs += 1;
                }
            }
            if met.len() < MOST_STATES && met.insert(after_a.clone()) {
                open.push(after_a);
            }
        }
        if steps.is_empty() && System::is_passing(system, &state) {
            let mut settled = state.clone();
            System::settle(system, &mut settled);
            if met.insert(settled.clone()) {
                open.push(settled);
            }
        }
    }
    pairs
}

/// Where a step leads, if it leads anywhere.
fn taken(system: &Interpreter, state: &[u8], step: Step) -> Option<Vec<u8>> {
    let mut next = Vec::new();
    let scratch = &mut <Interpreter as System>::Scratch::default();
    let outcome = System::execute(system, scratch, state, step, &mut next);
    outcome.complete.then_some(next)
}
