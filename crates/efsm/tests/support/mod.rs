//! All states of a small system.

use std::collections::HashSet;

use mazurka_model::{Interpreter, Step};
use mazurka_span::SourceMap;

/// Shows every state of a model with the steps that it has, and counts the failures on the way.
pub fn walk(text: &str, mut see: impl FnMut(&Interpreter, &[u8], &[Step])) -> usize {
    let compiled = mazurka_efsm::compile(&mut SourceMap::new(), "m.efsm", text.as_bytes(), &[]);
    let interpreter = Interpreter::new(compiled.unwrap().program);
    let mut first = Vec::new();
    interpreter.initial(&mut first, &mut ()).unwrap();
    let mut seen = HashSet::from([first.clone()]);
    let (mut open, mut failures) = (vec![first], 0);
    while let Some(state) = open.pop() {
        let mut steps = Vec::new();
        interpreter.enabled(&state, &mut steps);
        see(&interpreter, &state, &steps);
        for step in steps {
            let mut next = Vec::new();
            let outcome = interpreter.execute(&state, step, &mut next, &mut Vec::new(), &mut ());
            failures += usize::from(outcome.failure.is_some());
            if outcome.complete && seen.insert(next.clone()) {
                open.push(next);
            }
        }
    }
    failures
}
