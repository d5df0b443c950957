//! A reduced set, compared with its definition.
//!
//! A set is persistent in a state (Godefroid 1996) if whatever the system does from there without a step of the set is
//! independent of every step of the set, each time in the state where it is done. So walks are taken at random by
//! steps outside the set, and at each of their states the steps of the set must still be possible and commute with the next step of the walk.
//! That holds for a step that only says that a guard has no value as well: nobody outside may make it possible or impossible.

use std::collections::HashSet;

use mazurka_model::Step;

use crate::auditable::Auditable;
use crate::commute::commute;
use crate::finding::{Finding, Kind, Tally, identity};
use crate::random::Random;
use crate::run::{Run, take};

/// How much is done at one state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    pub walks: usize,
    pub length: usize,
    /// Of the steps of the set, this many are compared with each step of a walk.
    pub steps: usize,
    /// Are queues taken to be long enough?
    pub long_queues: bool,
}

impl Effort {
    /// At one state of many.
    pub const SAMPLE: Effort = Effort {
        walks: 2,
        length: 6,
        steps: 2,
        long_queues: false,
    };
    /// The same, after many.
    pub const LIGHT: Effort = Effort {
        walks: 1,
        length: 4,
        steps: 2,
        long_queues: false,
    };
    /// Where every state is audited, walks from the next states go on where those from this one end.
    pub const THOROUGH: Effort = Effort {
        walks: 3,
        length: 10,
        steps: 8,
        long_queues: false,
    };
}

/// Is this set persistent in this state, as far as some walks show?
pub(crate) fn check_set(
    system: &impl Auditable,
    state: &[u8],
    set: &[Step],
    effort: Effort,
    random: &mut Random,
    tally: &mut Tally,
) {
    for _ in 0..effort.walks {
        tally.walks += 1;
        let mut walk = Vec::new();
        if let Err((message, about)) =
            walk_outside(system, state, set, effort, random, tally, &mut walk)
        {
            tally.fail(Finding {
                kind: Kind::Set,
                message,
                state: identity(system.interpreter(), state),
                walk,
                about,
            });
            return;
        }
    }
}

/// What differs, and the steps that it is about.
type Difference = (String, Vec<Vec<Step>>);

fn walk_outside(
    system: &impl Auditable,
    state: &[u8],
    set: &[Step],
    effort: Effort,
    random: &mut Random,
    tally: &mut Tally,
    walk: &mut Vec<Step>,
) -> Result<(), Difference> {
    let interpreter = system.interpreter();
    let mut current = state.to_vec();
    let mut steps = Vec::new();
    // There may be very many.
    let inside: HashSet<Step> = set.iter().copied().collect();
    for _ in 0..effort.length {
        steps.clear();
        interpreter.enabled(&current, &mut steps);
        system.keep_own(&mut steps);
        let possible: HashSet<Step> = steps.iter().copied().collect();
        if let Some(gone) = set.iter().find(|step| !possible.contains(step)) {
            let message = "a step of a reduced set is not possible any more after steps outside it";
            return Err((message.into(), vec![vec![*gone]]));
        }
        steps.retain(|step| !inside.contains(step));
        let Some(outside) = random.pick(&steps) else {
            break;
        };
        let Some(other) = take(interpreter, &current, outside, random) else {
            tally.undecided += 1;
            break;
        };
        let first = random.below(set.len());
        for position in 0..set.len().min(effort.steps) {
            let inside = set[(first + position) % set.len()];
            let Some(run) = take(interpreter, &current, inside, random) else {
                tally.undecided += 1;
                continue;
            };
            tally.count(Kind::Set);
            if let Err(difference) = commute(interpreter, (&run, &other), effort.long_queues) {
                let message = format!(
                    "a step outside a reduced set does not commute with one inside: {difference}"
                );
                return Err((message, vec![run.steps, other.steps]));
            }
        }
        let Run { steps, end, .. } = other;
        walk.extend(steps);
        match end {
            Some(end) => current = end,
            None => break,
        }
    }
    Ok(())
}
