//! A timer without a clock: it runs or not, and while it runs it may expire at any moment.
//!
//! Starting a timer that runs changes nothing by itself, but it does not commute with the expiry:
//! whichever comes last decides whether the timer runs.

use crate::{Outcome, Output};
use std::fmt;

/// An operation on a timer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Let it run, from now on or anew.
    Start,
    /// Let it not run.
    Stop,
    /// Its time has come; undefined unless it runs.
    Expire,
    /// Tell whether it runs.
    IsRunning,
}

/// Whether a timer runs at present.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// It runs.
    pub running: bool,
}

/// Performs an operation on a timer; the value is whether it runs.
pub fn apply(operation: Operation, running: bool) -> Vec<Outcome<bool>> {
    match operation {
        Operation::Start => Outcome::silent(true),
        Operation::Stop => Outcome::silent(false),
        Operation::Expire if running => Outcome::silent(false),
        Operation::Expire => vec![],
        Operation::IsRunning => Outcome::telling(Output::Truth(running), running),
    }
}

/// Whether the order of `a` and `b` matters, be the timer running or not.
#[inline]
pub fn dependent(a: Operation, b: Operation) -> bool {
    a != b || a == Operation::Expire
}

/// Whether the order of `a` and `b` matters at present.
#[inline]
pub fn dependent_in(a: Operation, b: Operation, view: &View) -> bool {
    use Operation::*;
    match (a, b) {
        (Start, Start) | (Stop, Stop) | (IsRunning, IsRunning) => false,
        (Start, Stop | Expire) | (Stop | Expire, Start) => true,
        (Start, IsRunning) | (IsRunning, Start) => !view.running,
        (Stop | Expire | IsRunning, Stop | Expire | IsRunning) => view.running,
    }
}

/// Whether a ▷ b at present.
///
/// Waiting adds nothing: what leaves an operation undisturbed either leaves the timer as it is or
/// does to it what the operation would do.
#[inline]
pub fn might_interact(a: Operation, b: Operation, view: &View) -> bool {
    dependent_in(a, b, view)
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Operation::Start => "start",
            Operation::Stop => "stop",
            Operation::Expire => "expire",
            Operation::IsRunning => "test for running",
        })
    }
}
