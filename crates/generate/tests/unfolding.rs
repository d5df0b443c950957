//! Machines that are unfolded by themselves and machines that are unfolded as their network runs: the same states, steps and errors.

mod support;

use std::collections::BTreeSet;

use mazurka_differential::network::generate;
use mazurka_generate::State;
use mazurka_model::{Interpreter, Program};
use mazurka_scenario::{ViolationKind, Walk};
use mazurka_span::SourceMap;

use support::{examples, number};

/// States, steps, and what goes wrong where.
type Reached = (BTreeSet<State>, usize, BTreeSet<(&'static str, State)>);

fn reached(program: Program, most: usize) -> Option<Reached> {
    let interpreter = Interpreter::new(program);
    let (walk, _) = Walk::start(&interpreter).unwrap();
    let has = |_: &str| true;
    let mut states = BTreeSet::from([State::of(&walk.snapshot(), &has)]);
    let mut open = vec![walk.into_standing()];
    let (mut steps, mut troubles) = (0, BTreeSet::new());
    while let Some(standing) = open.pop() {
        let mut walk = Walk::at(&interpreter, standing.clone());
        let possible = walk.enabled();
        let here = State::of(&walk.snapshot(), &has);
        if possible.is_empty() && !interpreter.is_valid_end(walk.state()) {
            troubles.insert(("deadlock", here.clone()));
        }
        steps += possible.len();
        for step in possible {
            let mut walk = Walk::at(&interpreter, standing.clone());
            walk.enabled();
            let outcome = walk.advance(step);
            if let Some(failure) = outcome.failure {
                troubles.insert((ViolationKind::from(failure).name(), here.clone()));
            }
            if outcome.complete && states.insert(State::of(&walk.snapshot(), &has)) {
                open.push(walk.into_standing());
            }
        }
        if states.len() > most {
            return None;
        }
    }
    Some((states, steps, troubles))
}

fn compare(text: &str, most: usize) -> Option<usize> {
    let mut map = SourceMap::new();
    let both = mazurka_vfsm::compile_both_ways(&mut map, "model.vfsm", text.as_bytes());
    let (alone, together) = both?;
    assert!(together.locations.len() <= alone.locations.len());
    let (first, second) = (reached(alone, most)?, reached(together, most)?);
    assert!(first == second, "{text}");
    Some(first.0.len())
}

#[test]
fn examples_are_the_same_either_way() {
    for path in examples("vfsm") {
        let text = std::fs::read_to_string(path).unwrap();
        compare(&text, 2000);
    }
}

#[test]
fn random_networks_are_the_same_either_way() {
    let mut compared = 0;
    for seed in 0..number("NETWORKS", 100) {
        compared += usize::from(compare(&generate(seed).text(), 1000).is_some());
    }
    assert!(compared > 20, "{compared}");
}
