//! A mutex, unlocked only by its owner.
//!
//! Operations carry the process that performs them, because only the owner's unlock is defined. A
//! mutex is not recursive: its owner waits for itself for ever.

use crate::{Outcome, Output};
use std::fmt;

/// An operation on a mutex, with the number of the process that performs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Become the owner; undefined while there is one.
    Lock(u32),
    /// Become the owner if there is none, and tell whether that was so.
    TryLock(u32),
    /// Give up ownership; undefined for others than the owner.
    Unlock(u32),
}

/// The present owner of a mutex.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// The process that holds it, if one does.
    pub owner: Option<u32>,
}

/// Performs an operation on a mutex with this owner: what it tells, and the owner after it; nothing
/// where it is undefined.
#[inline]
pub fn perform(operation: Operation, owner: Option<u32>) -> Option<(Option<bool>, Option<u32>)> {
    match (operation, owner) {
        (Operation::Lock(process) | Operation::TryLock(process), None) => {
            Some((Some(true), Some(process)))
        }
        (Operation::TryLock(_), Some(_)) => Some((Some(false), owner)),
        (Operation::Unlock(process), _) if owner == Some(process) => Some((None, None)),
        (Operation::Lock(_) | Operation::Unlock(_), _) => None,
    }
}

/// The same as a list of outcomes; the value is the owner.
pub fn apply(operation: Operation, owner: Option<u32>) -> Vec<Outcome<Option<u32>>> {
    let outcome = perform(operation, owner).map(|(told, value)| Outcome {
        output: told.map_or(Output::Nothing, Output::Truth),
        value,
    });
    outcome.into_iter().collect()
}

/// Whether the order of `a` and `b` matters in some value.
#[inline]
pub fn dependent(a: Operation, b: Operation) -> bool {
    match (a, b) {
        (Operation::Unlock(a), Operation::Unlock(b)) => a == b,
        _ => true,
    }
}

/// Whether the order of `a` and `b` matters with the present owner.
#[inline]
pub fn dependent_in(a: Operation, b: Operation, view: &View) -> bool {
    use Operation::*;
    let owner = view.owner;
    match (a, b) {
        (Lock(_) | TryLock(_), Lock(_) | TryLock(_)) => owner.is_none(),
        // With no owner, a lock makes possible the unlock of the same process only.
        (Lock(locker) | TryLock(locker), Unlock(unlocker))
        | (Unlock(unlocker), Lock(locker) | TryLock(locker)) => {
            owner == Some(unlocker) || owner.is_none() && locker == unlocker
        }
        (Unlock(a), Unlock(b)) => a == b && owner == Some(a),
    }
}

/// Whether a ▷ b with the present owner.
#[inline]
pub fn might_interact(a: Operation, b: Operation, view: &View) -> bool {
    use Operation::*;
    let owner = view.owner;
    match (a, b) {
        (Lock(_) | TryLock(_), Lock(_) | TryLock(_)) => owner.is_none(),
        (Lock(_) | TryLock(_), Unlock(unlocker)) => owner == Some(unlocker),
        // Held, an unlock is seen by whoever tries; not held, others come and go undisturbing until
        // its own process locks.
        (Unlock(unlocker), TryLock(locker)) => owner == Some(unlocker) || locker == unlocker,
        (Unlock(unlocker), Lock(locker)) => owner != Some(unlocker) && locker == unlocker,
        (Unlock(a), Unlock(b)) => a == b && owner == Some(a),
    }
}

impl Operation {
    /// The process that performs it.
    pub fn process(self) -> u32 {
        match self {
            Operation::Lock(process) | Operation::TryLock(process) | Operation::Unlock(process) => {
                process
            }
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operation::Lock(process) => write!(f, "lock by process {process}"),
            Operation::TryLock(process) => write!(f, "try-lock by process {process}"),
            Operation::Unlock(process) => write!(f, "unlock by process {process}"),
        }
    }
}
