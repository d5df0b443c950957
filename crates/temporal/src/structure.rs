//! Structural reductions under claims: fewer stored states, the same steps.
//!
//! **Dead variables** are reset whatever the property is, unless the claim looks into processes: two states that differ only in
//! a variable that nobody reads again have the same future, and the claim sees the same in both.
//!
//! **Runs of local steps** are made one, if the property cannot tell how long a state lasts (no `next`, no fairness, no claim that counts) and looks only at
//! shared variables and channels. A local step is independent of everything that others can do, and invisible; the run
//! goes on alone, as an ample set of one process, and since no cycle of locations holds control all the way
//! round, every cycle of states has one in which everything is explored. Where a local step may be a run-time error, which ends the execution,
//! the state before it stays: it is the last one, and the claim has to see it.

use mazurka_model::{Claim, Interpreter};
use mazurka_reduce::{Runs, hold_sure_local_runs, reset_dead_variables};

use crate::reduction::Reads;

/// Which structural reductions are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Structure {
    /// Reset dead variables.
    pub reset: bool,
    /// Merge local statements that follow each other.
    pub merge: bool,
    /// Collapse local chains with their branches.
    pub collapse: bool,
}

/// The program with fewer states to store, as far as it is sound under the claim. `stutters` says that the property cannot tell how
/// long a state lasts. The steps are those of the original.
pub fn structured(
    interpreter: &Interpreter,
    claim: &Claim,
    wanted: Structure,
    stutters: bool,
) -> Option<Interpreter> {
    // One transition of a virtual machine is one step already, and it has no variables.
    let mut types = interpreter.program().process_types.iter();
    if interpreter.program().monitor.is_some() || types.any(|process| process.machine) {
        return None;
    }
    let reads = Reads::of(interpreter.program(), claim);
    let looks_inside = match &reads {
        Ok(reads) => reads.looks_into_processes(),
        // Whether a process makes progress or is able to move does not depend on dead variables; anything
        // else is left alone.
        Err(_) => !claim.conditions.iter().all(|condition| {
            let expressions = &interpreter.program().expressions;
            expressions[condition.index()] == mazurka_model::Expression::NoProgress
        }),
    };
    let looks_at_places = reads.map_or(true, |reads| reads.looks_at_places());
    let mut program = interpreter.program().clone();
    let mut changes = 0;
    if wanted.reset && !looks_inside {
        changes += reset_dead_variables(&mut program);
    }
    if stutters && !looks_inside && !looks_at_places {
        if wanted.merge {
            changes += hold_sure_local_runs(&mut program, Runs::Straight);
        }
        if wanted.collapse {
            changes += hold_sure_local_runs(&mut program, Runs::Any);
        }
    }
    (changes > 0).then(|| Interpreter::new(program))
}
