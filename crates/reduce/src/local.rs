//! Runs of local steps as one: structural reduction of a program.
//!
//! A location is *local* if everything its process can do there concerns only itself. Once a
//! process is at such a location it can go on at once: nobody can tell the difference, so the
//! state in between need not be stored. A transition into a local location is therefore made to
//! hold control, as inside an atomic sequence.
//!
//! One thing has to be watched: a process that goes round a cycle of local locations would keep
//! control for ever and the others would be forgotten. So no transition that closes a cycle is
//! made to hold control.
//!
//! The steps remain what they were; only which states are stored changes. So a scenario found in
//! the changed program is one of the original.

use mazurka_model::{Base, Expression, ExpressionId, Handshake, Instruction, Program};

/// Makes transitions into local locations hold control. Says how many were changed.
pub fn hold_local_runs(program: &mut Program) -> usize {
    let features = program.features;
    // These look at steps as such.
    if features.last || features.priority || features.provided || asks_about_steps(program) {
        return 0;
    }
    let local = local_locations(program);
    let closing = cycle_closers(program, &local);
    let mut changed = 0;
    for (transition, closes) in program.transitions.iter_mut().zip(closing) {
        let Some(target) = transition.target else {
            continue;
        };
        if local[target.index()] && !closes && !transition.holds {
            transition.holds = true;
            changed += 1;
        }
    }
    changed
}

/// Which locations are local. One that an atomic sequence leaves from is so only if the sequence
/// does not lead on to one that is not: it is one step, to its end.
fn local_locations(program: &Program) -> Vec<bool> {
    let mut local: Vec<bool> = (0..program.locations.len())
        .map(|location| is_local(program, location))
        .collect();
    let mut changed = true;
    while changed {
        changed = false;
        for location in 0..local.len() {
            let leads_out = |number: u32| {
                let transition = &program.transitions[number as usize];
                transition.holds
                    && transition
                        .target
                        .is_some_and(|target| !local[target.index()])
            };
            if local[location]
                && program.locations[location]
                    .transitions
                    .clone()
                    .any(leads_out)
            {
                local[location] = false;
                changed = true;
            }
        }
    }
    local
}

/// Does some expression look at where processes are or whether they can move?
fn asks_about_steps(program: &Program) -> bool {
    program.expressions.iter().any(|expression| {
        matches!(
            expression,
            Expression::Enabled(_) | Expression::LocationOf(_) | Expression::NoProgress
        )
    })
}

fn is_local(program: &Program, number: usize) -> bool {
    let location = &program.locations[number];
    let looked_at = program.expressions.iter().any(|expression| {
        matches!(expression, Expression::At { number, .. } if *number == location.number)
    });
    let marked = location.end || location.accept || location.progress;
    !marked
        && !looked_at
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

/// A variable of the process itself that nobody else looks at.
fn is_private_place(program: &Program, place: mazurka_model::PlaceId) -> bool {
    let described = &program.places[place.index()];
    described.base == Base::Local
        && described
            .indices
            .clone()
            .all(|index| is_private(program, program.indices[index as usize].expression))
        && !program
            .places
            .iter()
            .any(|other| matches!(other.base, Base::Remote(..)))
}

/// The transitions that close a cycle of local locations: every such cycle has one.
fn cycle_closers(program: &Program, local: &[bool]) -> Vec<bool> {
    const NEW: u8 = 0;
    const OPEN: u8 = 1;
    const DONE: u8 = 2;
    let mut closing = vec![false; program.transitions.len()];
    let mut colour = vec![NEW; program.locations.len()];
    for root in 0..program.locations.len() {
        if colour[root] != NEW {
            continue;
        }
        colour[root] = OPEN;
        let mut path = vec![(root, program.locations[root].transitions.clone())];
        while let Some((location, rest)) = path.last_mut() {
            let Some(number) = rest.next() else {
                colour[*location] = DONE;
                path.pop();
                continue;
            };
            let Some(target) = program.transitions[number as usize].target else {
                continue;
            };
            match colour[target.index()] {
                NEW => {
                    colour[target.index()] = OPEN;
                    path.push((
                        target.index(),
                        program.locations[target.index()].transitions.clone(),
                    ));
                }
                OPEN => closing[number as usize] = local[target.index()],
                _ => {}
            }
        }
    }
    closing
}
