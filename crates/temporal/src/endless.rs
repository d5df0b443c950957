//! An atomic sequence that never ends, as an execution that goes round in it.

use std::collections::HashMap;

use mazurka_model::{Interpreter, Step};

use crate::lasso::{Lasso, NotShown};

/// Goes on from an execution that comes to a state inside an atomic sequence, inside that sequence, until a state comes again: all the
/// steps, and the number of the one from which on they repeat.
pub fn round_inside(
    interpreter: &Interpreter,
    mut steps: Vec<Step>,
) -> Result<(Vec<Step>, usize), NotShown> {
    let before = Lasso::replay(interpreter, &steps, None)?;
    if let Some((from, to)) = before.first_round_inside() {
        steps.truncate(to);
        return Ok((steps, from));
    }
    let first = before.last_state();
    let known = steps.len();
    let possible = |state: &[u8]| {
        let mut possible = Vec::new();
        interpreter.enabled(state, &mut possible);
        possible
    };
    // Where on the path a state is; nowhere if all that it leads to has been seen.
    let mut met: HashMap<Vec<u8>, Option<usize>> = HashMap::new();
    met.insert(interpreter.identity(first).to_vec(), Some(known));
    let mut path = vec![(first.to_vec(), possible(first))];
    let mut message = Vec::new();
    while let Some((state, open)) = path.last_mut() {
        let Some(step) = open.pop() else {
            met.insert(interpreter.identity(state).to_vec(), None);
            path.pop();
            if path.is_empty() {
                break;
            }
            steps.pop();
            continue;
        };
        let mut next = Vec::new();
        let done = interpreter.execute(state, step, &mut next, &mut message, &mut ());
        if done.is_error() || interpreter.controller(&next).is_none() {
            continue;
        }
        match met.get(interpreter.identity(&next)) {
            Some(Some(from)) => {
                let from = *from;
                steps.push(step);
                return Ok((steps, from));
            }
            Some(None) => {}
            None => {
                steps.push(step);
                met.insert(interpreter.identity(&next).to_vec(), Some(steps.len()));
                let open = possible(&next);
                path.push((next, open));
            }
        }
    }
    Err(NotShown("the atomic sequence ends".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Goes round behind the first step of a model: where the round begins, and how many steps there are. It comes back to where it
    /// began, and never leaves the sequence.
    fn round(model: &str) -> (usize, usize) {
        let interpreter = crate::tests::interpreter(model);
        let (mut state, mut next, mut possible) = (Vec::new(), Vec::new(), Vec::new());
        let born = interpreter.initial(&mut state, &mut ());
        born.expect("an initial state");
        interpreter.enabled(&state, &mut possible);
        let Ok((steps, from)) = round_inside(&interpreter, vec![possible[0]]) else {
            panic!("there is no round");
        };
        let mut states = vec![state.clone()];
        for step in &steps {
            interpreter.execute(&state, *step, &mut next, &mut Vec::new(), &mut ());
            std::mem::swap(&mut state, &mut next);
            states.push(state.clone());
        }
        let round = &states[from..];
        let is_inside = |state: &Vec<u8>| interpreter.controller(state).is_some();
        assert!(round.iter().all(is_inside), "{model}");
        assert_eq!(round[0], round[round.len() - 1], "{model}");
        (from, steps.len())
    }

    #[test]
    fn a_round_stays_inside() {
        let model = "active proctype P() { byte x; do :: atomic { x = 1; do :: x = 3 - x :: break od } od }";
        assert_eq!(round(model), (1, 3));
    }

    #[test]
    fn a_round_begins_where_it_ends() {
        let model = "active proctype P() { byte x; atomic { x = 1; x = 2; do :: x = 5 - x od } }";
        assert_eq!(round(model), (2, 4));
    }
}
