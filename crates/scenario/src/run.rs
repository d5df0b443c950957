//! A scenario replayed: a list of steps becomes what happened.

use std::fmt;

use mazurka_model::{Failure, Interpreter, Step};
use serde::Serialize;

use crate::snapshot::Snapshot;
use crate::waiting::Waiting;
use crate::walk::{Happening, StepRecord, Walk};

/// What happened, from the initial state to the last.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Run {
    /// What happened while the initial state was made.
    pub start: Vec<Happening>,
    /// The initial state; none if it cannot be made.
    pub initial: Option<Snapshot>,
    /// How many steps at the beginning are not recorded.
    pub skipped: usize,
    /// The steps.
    pub steps: Vec<StepRecord>,
    /// For an execution that goes on for ever: the number of steps before those that repeat. If it is the
    /// number of all steps, the system has stopped.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub loop_from: Option<usize>,
    /// The state at the end, before the last step if that cannot be completed.
    pub last: Option<Snapshot>,
    /// Who cannot move at the end, and why.
    #[serde(skip)]
    pub waiting: Vec<Waiting>,
    /// What the last step, or making the initial state, ran into.
    #[serde(skip)]
    pub failure: Option<Failure>,
    /// How it ends. A failed assertion and a deadlock may come together.
    #[serde(skip)]
    pub ending: Ending,
}

/// How a run ends.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Ending {
    /// It could go on, or there is no state in which to ask.
    Open,
    /// No step is possible, and none is needed.
    ValidEnd,
    /// No step is possible, and the system may not stop here.
    Deadlock,
    /// The same, in a notation that tells apart whether messages are left: some are.
    Nonprogress,
}

/// Why steps are not a run of the model.
#[derive(Clone, PartialEq, Debug)]
pub enum ReplayError {
    /// A step is not possible where it should be taken. Steps count from 1.
    Disabled {
        /// Its number.
        number: usize,
        /// The step.
        step: Step,
    },
    /// There are steps after one that leads nowhere.
    AfterTheEnd {
        /// The number of the last step that can be.
        number: usize,
    },
}

/// Replays steps from the initial state. Each is checked to be possible where it is taken.
pub fn replay(interpreter: &Interpreter, steps: &[Step]) -> Result<Run, ReplayError> {
    replay_tail(interpreter, steps, usize::MAX)
}

/// Replays all steps but records only the last ones, since a run may be very long.
pub fn replay_tail(
    interpreter: &Interpreter,
    steps: &[Step],
    recorded: usize,
) -> Result<Run, ReplayError> {
    let (mut walk, start) = match Walk::start(interpreter) {
        Ok(started) => started,
        Err(_) if !steps.is_empty() => return Err(ReplayError::AfterTheEnd { number: 0 }),
        Err(fault) => {
            return Ok(Run {
                start: Vec::new(),
                initial: None,
                skipped: 0,
                steps: Vec::new(),
                loop_from: None,
                last: None,
                waiting: Vec::new(),
                failure: Some(Failure::Fault(fault)),
                ending: Ending::Open,
            });
        }
    };
    let mut run = Run {
        start,
        initial: Some(walk.snapshot()),
        skipped: steps.len().saturating_sub(recorded),
        steps: Vec::new(),
        loop_from: None,
        last: None,
        waiting: Vec::new(),
        failure: None,
        ending: Ending::Open,
    };
    let mut complete = true;
    for (index, step) in steps.iter().enumerate() {
        if !walk.enabled().contains(step) {
            return Err(ReplayError::Disabled {
                number: index + 1,
                step: *step,
            });
        }
        let outcome = if index < run.skipped {
            walk.advance(*step)
        } else {
            let (record, outcome) = walk.take(*step);
            run.steps.push(record);
            outcome
        };
        if !outcome.complete && index + 1 < steps.len() {
            return Err(ReplayError::AfterTheEnd { number: index + 1 });
        }
        run.failure = outcome.failure;
        complete = outcome.complete;
    }
    if complete {
        run.ending = walk.ending();
        if let Ending::Deadlock | Ending::Nonprogress = run.ending {
            run.waiting = walk.waiting();
        }
    }
    run.last = Some(walk.snapshot());
    Ok(run)
}

impl fmt::Display for ReplayError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Disabled { number, step } => write!(
                out,
                "step {number} (process {}, transition {}, choice {}) is not possible",
                step.process, step.transition.0, step.choice
            ),
            ReplayError::AfterTheEnd { number } => {
                write!(
                    out,
                    "there are steps after step {number}, which leads nowhere"
                )
            }
        }
    }
}

impl std::error::Error for ReplayError {}
