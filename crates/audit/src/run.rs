//! A step as others see it: with the whole atomic sequence that it begins.

use mazurka_model::{Failure, Interpreter, Step};

use crate::random::Random;

/// A longer atomic sequence is not followed.
const LONGEST: usize = 64;

/// A step and, if it begins an atomic sequence, one way through it to its end.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Run {
    pub steps: Vec<Step>,
    /// What went wrong on the way.
    pub failures: Vec<Failure>,
    /// Where it leads, if it leads anywhere.
    pub end: Option<Vec<u8>>,
}

/// Why a run is not possible, or not the same, in another state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Broken {
    /// A step is not possible any more.
    Impossible,
    /// The atomic sequence is over too soon.
    Shorter,
    /// The atomic sequence is not over.
    Longer,
}

impl Broken {
    pub fn text(self) -> &'static str {
        match self {
            Broken::Impossible => "is not possible any more",
            Broken::Shorter => "ends sooner",
            Broken::Longer => "does not end",
        }
    }
}

/// Takes a step and, at random, the rest of its atomic sequence. None if that is too long.
pub(crate) fn take(
    interpreter: &Interpreter,
    state: &[u8],
    step: Step,
    random: &mut Random,
) -> Option<Run> {
    let mut run = Run {
        steps: vec![step],
        failures: Vec::new(),
        end: None,
    };
    let mut message = Vec::new();
    let mut current = Vec::new();
    let outcome = interpreter.execute(state, step, &mut current, &mut message, &mut ());
    run.failures.extend(outcome.failure);
    if !outcome.complete {
        return Some(run);
    }
    let mut steps = Vec::new();
    let mut next = Vec::new();
    while interpreter.controller(&current).is_some() {
        steps.clear();
        if !interpreter.enabled(&current, &mut steps) {
            interpreter.release(&mut current);
            break;
        }
        if run.steps.len() == LONGEST {
            return None;
        }
        let step = random.pick(&steps)?;
        let outcome = interpreter.execute(&current, step, &mut next, &mut message, &mut ());
        run.steps.push(step);
        run.failures.extend(outcome.failure);
        if !outcome.complete {
            return Some(run);
        }
        std::mem::swap(&mut current, &mut next);
    }
    run.end = Some(current);
    Some(run)
}

/// Takes the same steps in another state, of which each has to be possible there, and no more of them.
pub(crate) fn repeat(
    interpreter: &Interpreter,
    state: &[u8],
    steps: &[Step],
) -> Result<Run, Broken> {
    let mut run = Run {
        steps: steps.to_vec(),
        failures: Vec::new(),
        end: None,
    };
    let mut message = Vec::new();
    let mut possible = Vec::new();
    let mut current = state.to_vec();
    let mut next = Vec::new();
    for (position, step) in steps.iter().enumerate() {
        if position > 0 && interpreter.controller(&current).is_none() {
            return Err(Broken::Shorter);
        }
        possible.clear();
        interpreter.enabled(&current, &mut possible);
        if !possible.contains(step) {
            return Err(Broken::Impossible);
        }
        let outcome = interpreter.execute(&current, *step, &mut next, &mut message, &mut ());
        run.failures.extend(outcome.failure);
        if !outcome.complete {
            return match position + 1 == steps.len() {
                true => Ok(run),
                false => Err(Broken::Shorter),
            };
        }
        std::mem::swap(&mut current, &mut next);
    }
    if interpreter.controller(&current).is_some() {
        possible.clear();
        if interpreter.enabled(&current, &mut possible) {
            return Err(Broken::Longer);
        }
        interpreter.release(&mut current);
    }
    run.end = Some(current);
    Ok(run)
}
