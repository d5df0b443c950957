//! The steps of a state, found with the help of another one's, are those found without.

mod support;

use std::collections::HashSet;

use mazurka_model::{Interpreter, Step};

/// At most this many states of each model are looked at.
const STATES: usize = 400;

#[test]
fn what_is_known_of_another_state_changes_nothing() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/promela");
    let mut models = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "pml") {
            let text = std::fs::read_to_string(&path).unwrap();
            compare(&Interpreter::new(support::program(&text)));
            models += 1;
        }
    }
    assert!(models > 5);
    // What guards may look at besides variables and channels.
    compare(&Interpreter::new(support::program(
        "byte a; hidden byte h;
         chan c = [1] of { byte };
         active proctype p() { byte x; do :: a < 3 -> a++ :: c?x :: c?2 :: q@there -> h++ od }
         active proctype q() { there: do :: c!a :: a > 1 -> a = 0 :: h > 1 -> h = 0 :: p:x == 2 -> break od }
         active [2] proctype r() { byte b[2]; do :: b[a % 2] < 2 -> b[a % 2]++ :: nempty(c) && len(c) > 0 -> skip od }",
    )));
}

/// Compares for the first states of a program, each beside the one it was reached from and beside any other.
fn compare(interpreter: &Interpreter) {
    let mut states: Vec<(Vec<u8>, Vec<Step>)> = Vec::new();
    let mut met = HashSet::new();
    let mut initial = Vec::new();
    interpreter.initial(&mut initial, &mut ()).unwrap();
    let mut waiting = vec![(initial, None)];
    while let Some((mut state, from)) = waiting.pop() {
        if states.len() == STATES || !met.insert(state.clone()) {
            continue;
        }
        let mut steps = Vec::new();
        if !interpreter.enabled(&state, &mut steps) && interpreter.controller(&state).is_some() {
            interpreter.release(&mut state);
            steps.clear();
            interpreter.enabled(&state, &mut steps);
        }
        let number = states.len();
        let others = from.into_iter().chain([number / 2, number / 3]);
        for (other, known) in others.filter_map(|other| states.get(other)) {
            // Something else may stand before them.
            let mut found: Vec<Step> = steps.first().copied().into_iter().collect();
            let start = found.len();
            found.extend(known);
            let end = found.len();
            interpreter.enabled_beside(other, start..end, &state, &mut found);
            assert_eq!(found[end..], steps);
        }
        for step in &steps {
            let mut next = Vec::new();
            let outcome = interpreter.execute(&state, *step, &mut next, &mut Vec::new(), &mut ());
            if outcome.complete {
                waiting.push((next, Some(number)));
            }
        }
        states.push((state, steps));
    }
}
