//! Runs of local steps as one: structural reduction of a program.
//!
//! A location is *local* if everything its process can do there concerns only itself. Once a
//! process is at such a location it can go on at once: nobody can tell the difference, so the
//! state in between need not be stored. A transition into a local location is therefore made to
//! hold control, as inside an atomic sequence.
//!
//! One thing has to be watched: a process that goes round a cycle of such locations would keep
//! control for ever and the others would be forgotten. So a transition that would close a cycle of
//! transitions that hold control is not made to hold it.
//!
//! The steps remain what they were; only which states are stored changes. So a scenario found in
//! the changed program is one of the original.

use crate::bits::Bits;
use crate::rounds::until_stable;
use crate::used::Used;
use mazurka_model::{Base, Expression, ExpressionId, Handshake, Instruction, Program};

/// Which local locations a process goes on from at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runs {
    /// Those that one transition leaves, which is always possible: statements are merged.
    Straight,
    /// All: whole local chains collapse, with their branches and conditions.
    Any,
}

/// Makes transitions into local locations hold control. Says how many were changed.
pub fn hold_local_runs(program: &mut Program, runs: Runs) -> usize {
    hold(program, runs, |_, _| true)
}

/// The same, but nothing goes on at once to where a step may be a run-time error: who looks at the state before it, which is then
/// the last one, must see it.
pub fn hold_sure_local_runs(program: &mut Program, runs: Runs) -> usize {
    hold(program, runs, is_sure)
}

fn hold(program: &mut Program, runs: Runs, admits: fn(&Program, usize) -> bool) -> usize {
    let features = program.features;
    // These look at steps as such.
    let used = Used::by(program);
    let is_watched = used
        .places()
        .any(|place| matches!(program.places[place.index()].base, Base::Remote(..)));
    if features.last
        || features.priority
        || features.provided
        || is_watched
        || asks_about_steps(program, &used)
    {
        return 0;
    }
    let mut local = local_locations(program);
    for (location, local) in local.iter_mut().enumerate() {
        *local &= admits(program, location);
    }
    if runs == Runs::Straight {
        for (location, local) in local.iter_mut().enumerate() {
            *local &= is_straight(program, location);
        }
    }
    let mut candidates: Vec<(usize, usize, usize)> = Vec::new();
    for (number, location) in program.locations.iter().enumerate() {
        for transition in location.transitions.clone() {
            let transition = transition as usize;
            let described = &program.transitions[transition];
            // A rendezvous hands control to the receiver.
            let keeps_control =
                !features.rendezvous || !matches!(described.handshake, Handshake::Sends(_));
            if let Some(target) = described.target
                && keeps_control
                && !described.holds
                && local[target.index()]
            {
                candidates.push((number, transition, target.index()));
            }
        }
    }
    // The way back to the head of a loop is the one to be stored, if one has to be.
    candidates.sort_by_key(|(source, transition, target)| (target <= source, *transition));
    let mut changed = 0;
    for (source, transition, target) in candidates {
        if !leads_to(program, target, source) {
            program.transitions[transition].holds = true;
            changed += 1;
        }
    }
    changed
}

/// Does a way of transitions that hold control lead from one location to another?
fn leads_to(program: &Program, from: usize, to: usize) -> bool {
    let mut seen = Bits::new(program.locations.len());
    seen.insert(from as u32);
    let mut open = vec![from];
    while let Some(location) = open.pop() {
        if location == to {
            return true;
        }
        for number in program.locations[location].transitions.clone() {
            let transition = &program.transitions[number as usize];
            if let Some(target) = transition.target
                && transition.holds
                && !seen.contains(target.0)
            {
                seen.insert(target.0);
                open.push(target.index());
            }
        }
    }
    false
}

/// Which locations are local. One that an atomic sequence leaves from is so only if the sequence
/// does not lead on to one that is not: it is one step, to its end.
fn local_locations(program: &Program) -> Vec<bool> {
    let shy = program.features.rendezvous && tests_for_partners(program);
    let mut local: Vec<bool> = (0..program.locations.len())
        .map(|location| {
            is_local(program, location) && !(shy && leads_to_receive(program, location))
        })
        .collect();
    until_stable(0..local.len(), |location| {
        let leads_out = |number: u32| {
            let transition = &program.transitions[number as usize];
            transition.holds
                && transition
                    .target
                    .is_some_and(|target| !local[target.index()])
        };
        let is_left = local[location]
            && program.locations[location]
                .transitions
                .clone()
                .any(leads_out);
        if is_left {
            local[location] = false;
        }
        is_left
    });
    local
}

/// Does one transition leave the location, which is always possible?
fn is_straight(program: &Program, location: usize) -> bool {
    let transitions = program.locations[location].transitions.clone();
    transitions.len() == 1
        && transitions.into_iter().all(|number| {
            let guard = program.transitions[number as usize].guard;
            matches!(program.expressions[guard.index()], Expression::Constant(value) if value != 0)
        })
}

/// Is no step from a local location a run-time error?
fn is_sure(program: &Program, location: usize) -> bool {
    let transitions = program.locations[location].transitions.clone();
    transitions.into_iter().all(|number| {
        let transition = &program.transitions[number as usize];
        let code = transition.effect.start as usize..transition.effect.end as usize;
        program.always_has_value(transition.guard)
            && program.code[code]
                .iter()
                .all(|instruction| match instruction {
                    Instruction::Assign(place, value) => {
                        program.always_exists(*place) && program.always_has_value(*value)
                    }
                    Instruction::Print(_, arguments) => arguments
                        .clone()
                        .all(|argument| program.always_has_value(program.lists[argument as usize])),
                    Instruction::Assert(condition) => program.always_has_value(*condition),
                    // A loop may not end.
                    _ => false,
                })
    })
}

/// Does some expression look at where processes are or whether they can move?
fn asks_about_steps(program: &Program, used: &Used) -> bool {
    used.expressions(program).any(|expression| {
        matches!(
            expression,
            Expression::Enabled(_)
                | Expression::LocationOf(_)
                | Expression::NoProgress
                | Expression::At { .. }
                | Expression::Marked { .. }
        )
    })
}

/// Does it make a difference somewhere that a rendezvous is *not* possible?
fn tests_for_partners(program: &Program) -> bool {
    let must_be_deterministic = program.process_types.iter().any(|one| one.deterministic);
    must_be_deterministic
        || program
            .transitions
            .iter()
            .any(|transition| transition.otherwise || transition.group != 0 || transition.holds)
}

/// Does a step from here lead to where others see that the process is ready to receive?
fn leads_to_receive(program: &Program, location: usize) -> bool {
    let transitions = program.locations[location].transitions.clone();
    transitions.into_iter().any(|number| {
        let target = program.transitions[number as usize].target;
        target.is_some_and(|target| {
            program.locations[target.index()]
                .transitions
                .clone()
                .any(|next| {
                    let next = &program.transitions[next as usize];
                    matches!(next.handshake, Handshake::Receives(_))
                })
        })
    })
}

fn is_local(program: &Program, number: usize) -> bool {
    let location = &program.locations[number];
    let marked = location.end || location.accept || location.progress;
    !marked
        && !location.transitions.is_empty()
        && location.transitions.clone().all(|number| {
            let transition = &program.transitions[number as usize];
            transition.group == 0
                && transition.handshake == Handshake::Apart
                && transition.target.is_some()
                && is_private(program, transition.guard)
                && transition
                    .effect
                    .clone()
                    .all(|code| is_private_instruction(program, &program.code[code as usize]))
        })
}

fn is_private_instruction(program: &Program, instruction: &Instruction) -> bool {
    match instruction {
        Instruction::Assign(place, value) => {
            is_private_place(program, *place) && is_private(program, *value)
        }
        Instruction::Print(_, arguments) => arguments
            .clone()
            .all(|argument| is_private(program, program.lists[argument as usize])),
        Instruction::Assert(claim) => is_private(program, *claim),
        Instruction::Jump(_) => true,
        Instruction::JumpUnless(condition, _) => is_private(program, *condition),
        _ => false,
    }
}

/// Does an expression depend on nothing but the process itself?
fn is_private(program: &Program, expression: ExpressionId) -> bool {
    let all = |parts: &[ExpressionId]| parts.iter().all(|part| is_private(program, *part));
    match program.expressions[expression.index()] {
        Expression::Constant(_) | Expression::SelfProcess => true,
        Expression::Load(place) => is_private_place(program, place),
        Expression::Unary(_, operand) => all(&[operand]),
        Expression::Binary(_, left, right)
        | Expression::And(left, right)
        | Expression::Or(left, right) => all(&[left, right]),
        Expression::Conditional(condition, yes, no) => all(&[condition, yes, no]),
        _ => false,
    }
}

/// A variable of the process itself.
fn is_private_place(program: &Program, place: mazurka_model::PlaceId) -> bool {
    let described = &program.places[place.index()];
    described.base == Base::Local
        && described
            .indices
            .clone()
            .all(|index| is_private(program, program.indices[index as usize].expression))
}
