//! Run-time errors of the system, which end an execution.
//!
//! A step that divides by zero, indexes an array out of range, sends to a channel that is not there or breaks a rule of its notation so that there is
//! no next state is a *run-time error*. An execution that comes to one has no continuation that anybody could name. So for a temporal property,
//! whatever its kind:
//!
//! - What was violated before the error is violated: the claim had come to its end, or the execution branches off into a cycle elsewhere.
//! - The execution itself is no counterexample: it neither goes on for ever nor stops. In particular the state before the error does not
//!   last, even if nobody else can move, and fairness is not satisfied by leaving a process alone that would run into its error.
//! - Otherwise the property is not decided, unless the claim gave the execution up before: then whatever comes is no violation. An automaton made of a
//!   formula has no state from which nothing is accepted, so that does not depend on its form: it gives up exactly those beginnings after
//!   which the formula is true whatever happens. They stay such if the order of invisible steps changes, so reductions keep it.
//!
//! So an error is a dead end of the product, noted by the search, which goes on elsewhere. A failed assertion is no error: the state after it is
//! the one that was meant.
//!
//! A guard that has no value is an error as well, and whoever goes on as if it had one is misled: the same transition, where an index that is out
//! of range reads as 0, and the `else` beside it. These steps are left out.
//!
//! **Reduction.** Steps that stand for others are taken *before* these. If all of them end in errors, what the others do is lost, so such
//! steps stand for nothing, and everything is explored. That depends on the system's state alone.

use mazurka_model::{Instruction, Interpreter, Program, Step};

/// Atomic sequences of more steps than these, counting all ways through them, are not looked through.
const STEPS_LOOKED_THROUGH: usize = 1 << 12;

/// Does a step do no more than report that something has no value?
pub(crate) fn is_error(step: Step) -> bool {
    step.choice == Step::FAULT
}

/// Leaves out the steps that would go on as if a guard without a value had one.
pub(crate) fn drop_misled(program: &Program, steps: &mut Vec<Step>) {
    if !steps.iter().any(|step| is_error(*step)) {
        return;
    }
    let errors: Vec<Step> = steps
        .iter()
        .copied()
        .filter(|step| is_error(*step))
        .collect();
    steps.retain(|step| {
        let is_otherwise = program.transitions[step.transition.index()].otherwise;
        let misleads = |error: &Step| {
            error.process == step.process && (error.transition == step.transition || is_otherwise)
        };
        is_error(*step) || !errors.iter().any(misleads)
    });
}

/// Which transitions are certainly no run-time errors, together with the atomic sequences that they begin. Of a system that nobody asked about,
/// none.
#[derive(Debug, Default)]
pub(crate) struct Certain(Vec<bool>);

impl Certain {
    pub fn of(interpreter: &Interpreter) -> Certain {
        let program = interpreter.program();
        let transitions = program.transitions.iter();
        let mut certain: Vec<bool> = transitions
            .map(|transition| {
                let code = transition.effect.start as usize..transition.effect.end as usize;
                let mut effect = program.code[code].iter();
                program.always_has_value(transition.guard)
                    && effect.all(|instruction| is_certain(program, instruction))
            })
            .collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (number, transition) in program.transitions.iter().enumerate() {
                let Some(target) = transition.target.filter(|_| transition.holds) else {
                    continue;
                };
                let mut after = program.locations[target.index()].transitions.clone();
                if certain[number] && after.any(|next| !certain[next as usize]) {
                    certain[number] = false;
                    changed = true;
                }
            }
        }
        Certain(certain)
    }

    /// Does one of these steps lead, to the end of the atomic sequence that it may begin, to a state that others see?
    pub fn leads_on(&self, interpreter: &Interpreter, state: &[u8], steps: &[Step]) -> bool {
        let is_certain = |step: &Step| {
            let known = self.0.get(step.transition.index());
            // What a partner in a handshake does is looked at.
            step.partner().is_none() && known == Some(&true)
        };
        if steps.iter().any(is_certain) {
            return true;
        }
        let mut left = STEPS_LOOKED_THROUGH;
        let mut inside = vec![(state.to_vec(), steps.to_vec())];
        let mut message = Vec::new();
        while let Some((state, steps)) = inside.last_mut() {
            let Some(step) = steps.pop() else {
                inside.pop();
                continue;
            };
            if left == 0 {
                return false;
            }
            left -= 1;
            let mut next = Vec::new();
            let outcome = interpreter.execute(state, step, &mut next, &mut message, &mut ());
            if outcome.is_error() {
                continue;
            }
            let mut after = Vec::new();
            if interpreter.controller(&next).is_none() || !interpreter.enabled(&next, &mut after) {
                return true;
            }
            drop_misled(interpreter.program(), &mut after);
            inside.push((next, after));
        }
        false
    }
}

fn is_certain(program: &Program, instruction: &Instruction) -> bool {
    match instruction {
        Instruction::Assign(place, value) => {
            program.always_exists(*place) && program.always_has_value(*value)
        }
        Instruction::Assert(condition) => program.always_has_value(*condition),
        Instruction::Print(_, arguments) => arguments
            .clone()
            .all(|argument| program.always_has_value(program.lists[argument as usize])),
        Instruction::Die | Instruction::Enter(_) => true,
        // The others ask about channels and processes, or may not end.
        _ => false,
    }
}
