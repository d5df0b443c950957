//! A counting semaphore with a bound.
//!
//! A take waits while the count is zero, a release waits while it stands at the bound (a bound of
//! `u32::MAX` makes that a case that never comes). Takes and releases commute in between.
//!
//! In ▷ two takes of a positive count are rivals, and so are two releases below the bound: see the
//! crate's documentation.

use crate::{Outcome, Output};
use std::fmt;

/// An operation on a semaphore.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Dijkstra's P: take one; undefined at zero.
    Take,
    /// Take one if there is one, and tell whether there was.
    TryTake,
    /// Dijkstra's V: give one back; undefined at the bound.
    Release,
    /// Tell the count.
    Count,
    /// Tell whether the count is zero.
    IsZero,
}

/// The present count of a semaphore, and its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// The present count.
    pub count: u32,
    /// The highest count, at least one.
    pub bound: u32,
}

/// Performs an operation on a semaphore of this count and bound: what it tells, a truth as zero or
/// one, and the count after it; nothing where it is undefined.
#[inline]
pub fn perform(operation: Operation, bound: u32, count: u32) -> Option<(Option<i64>, u32)> {
    Some(match operation {
        Operation::Take if count == 0 => return None,
        Operation::TryTake if count == 0 => (Some(0), 0),
        Operation::Take | Operation::TryTake => (Some(1), count - 1),
        Operation::Release if count == bound => return None,
        Operation::Release => (None, count + 1),
        Operation::Count => (Some(count.into()), count),
        Operation::IsZero => (Some((count == 0).into()), count),
    })
}

/// The same as a list of outcomes; the value is the count.
pub fn apply(operation: Operation, bound: u32, count: u32) -> Vec<Outcome<u32>> {
    let outcome = perform(operation, bound, count).map(|(told, value)| Outcome {
        output: told.map_or(Output::Nothing, Output::Number),
        value,
    });
    outcome.into_iter().collect()
}

/// Whether the order of `a` and `b` matters at some count.
#[inline]
pub fn dependent(a: Operation, b: Operation) -> bool {
    use Operation::*;
    !matches!((a, b), (Count | IsZero, Count | IsZero))
}

/// Whether the order of `a` and `b` matters at the present count.
#[inline]
pub fn dependent_in(a: Operation, b: Operation, view: &View) -> bool {
    use Operation::*;
    let View { count, bound } = *view;
    match (a, b) {
        (Count | IsZero, Count | IsZero) => false,
        (Take | TryTake, Take | TryTake) => count == 1,
        (Release, Release) => count == bound - 1,
        (Take | TryTake, Release) | (Release, Take | TryTake) => count == 0 || count == bound,
        (Take | TryTake, Count) | (Count, Take | TryTake) => count > 0,
        (Take | TryTake, IsZero) | (IsZero, Take | TryTake) => count == 1,
        (Release, Count) | (Count, Release) => count < bound,
        (Release, IsZero) | (IsZero, Release) => count == 0,
    }
}

/// Whether a ▷ b at the present count.
#[inline]
pub fn might_interact(a: Operation, b: Operation, view: &View) -> bool {
    use Operation::*;
    let View { count, bound } = *view;
    match (a, b) {
        (Count | IsZero, Count | IsZero) => false,
        // With one to take, only a rival take disturbs it, and releases lead upwards. With none,
        // only a release does.
        (Take | TryTake, Take | TryTake | Count) => count > 0,
        (Take | TryTake, IsZero) => count == 1,
        (Take | TryTake, Release) => count == 0,
        // Below the bound, takes lead down to zero, where the next release shows to all who look.
        (Release, Release | Count | IsZero) => count < bound,
        (Release, TryTake) => true,
        (Release, Take) => count == bound,
        (Count, Take | TryTake) => count > 0,
        (Count, Release) => count < bound,
        (IsZero, Take | TryTake) => count > 0,
        (IsZero, Release) => count == 0,
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Operation::Take => "take",
            Operation::TryTake => "try to take",
            Operation::Release => "release",
            Operation::Count => "count",
            Operation::IsZero => "test for zero",
        })
    }
}
