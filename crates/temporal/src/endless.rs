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
