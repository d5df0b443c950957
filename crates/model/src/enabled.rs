//! Which steps are possible in a state.
//!
//! The order is that of SPIN's verifier, youngest process first and transitions as written, so
//! that a depth-first search meets states in the same order.

use crate::channel::{channel, has_fields, matches};
use crate::evaluate::{Environment, Midway, evaluate};
use crate::expression::Expression;
use crate::fault::Fault;
use crate::program::{ExpressionId, Handshake, SendId, Transition, TransitionId};
use crate::quick::QuickTransition;
use crate::step::Step;

/// Appends the steps of one process, and says whether one of them leads on.
pub(crate) fn steps_of(env: &Environment<'_>, process: usize, steps: &mut Vec<Step>) -> bool {
    let env = env.of_process(process);
    let allowed = match env.quick.is_free {
        true => Ok(true),
        false => is_allowed(&env),
    };
    match allowed {
        Ok(true) => {}
        Ok(false) => return false,
        // The condition on its execution has no value, whatever the process would do.
        Err(_) => {
            let location = &env.program.locations[env.location(process) as usize];
            steps.extend(location.transitions.clone().next().map(|number| Step {
                process: process as u32,
                transition: TransitionId(number),
                choice: Step::FAULT,
            }));
            return false;
        }
    }
    let (first, end) = env.quick.locations[env.location(process) as usize];
    let mut any = false;
    let mut group = 0;
    for number in first..end {
        let transition = &env.quick.transitions[number as usize];
        if group != 0 && transition.group != group {
            break;
        }
        if transition.otherwise && any {
            continue;
        }
        let before = steps.len();
        if steps_by(&env, TransitionId(number), transition, steps) {
            group = transition.group;
            if any && is_deterministic(&env) {
                steps[before].choice |= Step::SECOND;
            }
            any = true;
        }
    }
    any
}

/// Is a second enabled transition of this process an error?
fn is_deterministic(env: &Environment<'_>) -> bool {
    let process_type = env.shape.processes[env.process].process_type;
    env.quick.process_types[process_type.index()].is_deterministic
}

/// Appends the steps of one transition: none, one, or one for each partner of a rendezvous. A
/// guard that has no value gives a step that reports the fault and leads nowhere. Says whether
/// the transition is enabled.
#[inline]
fn steps_by(
    env: &Environment<'_>,
    number: TransitionId,
    transition: &QuickTransition,
    steps: &mut Vec<Step>,
) -> bool {
    let step = Step {
        process: env.process as u32,
        transition: number,
        choice: 0,
    };
    let open = transition.is_open || evaluate(env, transition.guard) != 0;
    if let Some(fault) = env.fault.take() {
        steps.push(Step {
            choice: Step::FAULT,
            ..step
        });
        if !fault.has_value() {
            return false;
        }
    }
    if !open {
        return false;
    }
    if transition.sends
        && env.program.features.rendezvous
        && let Handshake::Sends(send) = env.program.transitions[number.index()].handshake
    {
        let before = steps.len();
        partners(env, step, send, steps);
        return steps[before..]
            .iter()
            .any(|step| step.choice != Step::FAULT);
    }
    steps.push(step);
    true
}

/// Appends a step for each receiver that a send can meet, or the plain step if the channel is
/// not a rendezvous channel.
fn partners(env: &Environment<'_>, step: Step, send: SendId, steps: &mut Vec<Step>) {
    let send = &env.program.sends[send.index()];
    let number = evaluate(env, send.channel);
    let Some(meeting) = channel(env, number) else {
        env.fault.take();
        steps.push(Step {
            choice: Step::FAULT,
            ..step
        });
        return;
    };
    if !meeting.is_rendezvous() {
        steps.push(step);
        return;
    }
    let values = &env.program.lists[send.values.start as usize..send.values.end as usize];
    if values.len() != meeting.channel_type.fields.len() {
        steps.push(Step {
            choice: Step::FAULT,
            ..step
        });
        return;
    }
    let sent = |field: usize| {
        meeting.channel_type.fields[field]
            .kind
            .cast(evaluate(env, values[field]))
    };
    let midway = Midway {
        sender: env.process,
        location: env.program.transitions[step.transition.index()]
            .target
            .map_or(env.location(env.process), |target| target.0),
        channel: number,
    };
    for partner in (0..env.shape.processes.len()).rev() {
        let other = Environment {
            midway: Some(&midway),
            ..env.of_process(partner)
        };
        if partner == env.process || is_allowed(&other) != Ok(true) {
            continue;
        }
        let location = &env.program.locations[env.location(partner) as usize];
        let mut group = 0;
        for (position, number_of_transition) in location.transitions.clone().enumerate() {
            let transition = &env.program.transitions[number_of_transition as usize];
            if group != 0 && transition.group != group {
                break;
            }
            let Handshake::Receives(receive) = transition.handshake else {
                continue;
            };
            let receive = &env.program.receives[receive.index()];
            if receive.keep || evaluate(&other, receive.channel) != number {
                // A receive on a channel that does not exist is reported when its own process
                // is looked at.
                other.fault.take();
                continue;
            }
            if has_fields(&other, &meeting, receive) && matches(&other, receive, sent) {
                group = transition.group;
                steps.push(Step {
                    choice: Step::meeting(partner, position),
                    ..step
                });
            }
            if env.fault.take().is_some() {
                steps.push(Step {
                    choice: Step::FAULT,
                    ..step
                });
            }
        }
    }
}

/// Do the condition on its execution and priorities let this process move?
#[inline]
fn is_allowed(env: &Environment<'_>) -> Result<bool, Fault> {
    let features = &env.program.features;
    if features.provided {
        let provided = is_provided(env);
        if let Some(fault) = env.fault.take() {
            return Err(fault);
        }
        if !provided {
            return Ok(false);
        }
    }
    Ok(!features.priority || has_highest_priority(env))
}

/// Does the condition on its execution let this process move?
fn is_provided(env: &Environment<'_>) -> bool {
    let process_type = env.shape.processes[env.process].process_type;
    let condition = env.program.process_types[process_type.index()].provided;
    condition.is_none_or(|condition| holds(env, condition))
}

/// No process of a higher priority could move. One whose condition on execution is false keeps nobody from moving, as in SPIN.
fn has_highest_priority(env: &Environment<'_>) -> bool {
    let own = env.priority(env.process);
    let highest = (0..env.shape.processes.len()).all(|other| {
        other == env.process
            || env.priority(other) <= own
            || !is_provided(&env.of_process(other))
            || !can_move(env, other)
    });
    // What is wrong with the guards of others is reported when they are looked at themselves.
    env.fault.take();
    highest
}

/// Could the process move, were it alone to decide? Its condition on execution is not asked, and
/// a send to a rendezvous counts as possible, as in SPIN.
pub(crate) fn can_move(env: &Environment<'_>, process: usize) -> bool {
    let env = env.of_process(process);
    let location = &env.program.locations[env.location(process) as usize];
    location
        .transitions
        .clone()
        .any(|number| holds(&env, env.program.transitions[number as usize].guard))
}

/// Is a condition true? Most guards are constant or a single test, so the constant is settled
/// without a call.
#[inline]
fn holds(env: &Environment<'_>, condition: ExpressionId) -> bool {
    match env.program.expressions[condition.index()] {
        Expression::Constant(value) => value != 0,
        _ => evaluate(env, condition) != 0,
    }
}

/// The fault that a step marked as faulty runs into.
pub(crate) fn fault_of(env: &Environment<'_>, transition: &Transition) -> Fault {
    if let Err(fault) = is_allowed(env) {
        return fault;
    }
    let _ = holds(env, transition.guard);
    if let Some(fault) = env.fault.take() {
        return fault;
    }
    let mut steps = Vec::new();
    if let Handshake::Sends(send) = transition.handshake {
        let described = &env.program.sends[send.index()];
        let number = evaluate(env, described.channel);
        let Some(meeting) = channel(env, number) else {
            return env.fault.take().unwrap_or(Fault::NoChannel(number));
        };
        let expected = meeting.channel_type.fields.len() as u32;
        let found = described.values.len() as u32;
        if expected != found {
            return Fault::WrongMessage { expected, found };
        }
        let step = Step {
            process: env.process as u32,
            transition: TransitionId(0),
            choice: 0,
        };
        partners(env, step, send, &mut steps);
    }
    env.fault.take().unwrap_or(Fault::DivisionByZero)
}
