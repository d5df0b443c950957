//! Two processes that are called alike are exchanged, and everything must go on in the same way.

use std::collections::HashSet;

use mazurka_model::{Interpreter, Step};

use crate::finding::{Finding, Kind, Tally, identity};
use crate::random::Random;

/// This many steps of a state are compared.
const MOST_STEPS: usize = 8;

/// How two processes of a state, or two identities of processes, are exchanged.
pub(crate) struct Swap<'s> {
    /// Which processes change places.
    pub processes: &'s [(usize, usize)],
    /// The state in which that has happened.
    pub exchanged: &'s dyn Fn(&[u8]) -> Vec<u8>,
}

/// Compares the steps of a state with those of the state in which processes are exchanged.
pub(crate) fn check_exchange(
    interpreter: &Interpreter,
    own: &[u8],
    swap: &Swap<'_>,
    random: &mut Random,
    tally: &mut Tally,
) {
    let other = (swap.exchanged)(own);
    let mut steps = Vec::new();
    interpreter.enabled(own, &mut steps);
    let mut others = Vec::new();
    interpreter.enabled(&other, &mut others);
    tally.count(Kind::Symmetry);
    let mut fail = |difference: &str, steps: Vec<Step>| {
        tally.fail(Finding {
            kind: Kind::Symmetry,
            message: format!("two processes that are called alike are not: {difference}"),
            state: identity(interpreter, own),
            walk: Vec::new(),
            about: vec![steps],
        });
    };
    // As sets: a step that is an error comes once for each partner of a rendezvous with whom it is one.
    let others: HashSet<Step> = others.into_iter().collect();
    let images: HashSet<Step> = steps.iter().map(|step| swap.renamed(*step)).collect();
    if images != others {
        let missing = steps
            .iter()
            .find(|step| !others.contains(&swap.renamed(**step)));
        return fail(
            "they have other steps",
            missing.copied().into_iter().collect(),
        );
    }
    if interpreter.is_valid_end(own) != interpreter.is_valid_end(&other) {
        return fail("the system may end for one of them only", Vec::new());
    }
    random.shuffle(&mut steps);
    for step in steps.into_iter().take(MOST_STEPS) {
        if let Some(difference) = difference(interpreter, (own, &other), step, swap) {
            return fail(difference, vec![step]);
        }
    }
}

/// How a step differs from the same step of whom it was exchanged with.
fn difference(
    interpreter: &Interpreter,
    (own, other): (&[u8], &[u8]),
    step: Step,
    swap: &Swap<'_>,
) -> Option<&'static str> {
    let (mut next, mut image, mut message) = (Vec::new(), Vec::new(), Vec::new());
    let outcome = interpreter.execute(own, step, &mut next, &mut message, &mut ());
    let step = swap.renamed(step);
    let exchange = interpreter.execute(other, step, &mut image, &mut message, &mut ());
    if outcome != exchange {
        return Some("a step ends differently");
    }
    if !outcome.complete {
        return None;
    }
    let controller = |state: &[u8]| interpreter.controller(state);
    if controller(&next).map(|process| swap.other_of(process)) != controller(&image) {
        return Some("another process is in control");
    }
    interpreter.release(&mut next);
    interpreter.release(&mut image);
    let next = (swap.exchanged)(&next);
    (interpreter.identity(&next) != interpreter.identity(&image))
        .then_some("a step leads to another state")
}

/// The state in which two processes of one type have exchanged their frames.
pub(crate) fn with_frames_exchanged(
    interpreter: &Interpreter,
    state: &[u8],
    (a, b): (usize, usize),
) -> Vec<u8> {
    let shape = interpreter.shape(state);
    let (one, other) = (shape.processes[a], shape.processes[b]);
    let bytes = interpreter.program().process_types[one.process_type.index()].frame_bytes as usize;
    let (one, other) = (one.offset as usize, other.offset as usize);
    let mut exchanged = state.to_vec();
    exchanged[one..one + bytes].copy_from_slice(&state[other..other + bytes]);
    exchanged[other..other + bytes].copy_from_slice(&state[one..one + bytes]);
    exchanged
}

impl Swap<'_> {
    fn other_of(&self, process: usize) -> usize {
        let mut pairs = self.processes.iter();
        let other = pairs.find_map(|(a, b)| match process {
            _ if process == *a => Some(*b),
            _ if process == *b => Some(*a),
            _ => None,
        });
        other.unwrap_or(process)
    }

    fn renamed(&self, step: Step) -> Step {
        let choice = match step.partner() {
            Some((partner, position)) => {
                Step::meeting(self.other_of(partner), position) | step.choice & Step::SECOND
            }
            None => step.choice,
        };
        Step {
            process: self.other_of(step.process as usize) as u32,
            choice,
            ..step
        }
    }
}
