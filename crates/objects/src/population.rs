//! The processes that there are, where only the youngest can end.
//!
//! Processes are numbered in the order of their start, and a number is free again when its process
//! has ended; that is how Promela counts them. The operations carry the number of the process that
//! ends, because it decides when that is possible.

use crate::{Outcome, Output};
use std::fmt;

/// An operation on the population.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Start a process and tell its number. Where there is no room that fails, which is told too: it is an error of the model.
    Start,
    /// The end of the process with this number; undefined unless it is the youngest.
    End(u32),
    /// Tell how many processes there are.
    Count,
}

/// The present population.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// How many processes there are.
    pub count: u32,
    /// How many there can be.
    pub limit: u32,
}

/// Performs an operation on a population of this many; the value is the number of processes.
pub fn apply(operation: Operation, count: u32, limit: u32) -> Vec<Outcome<u32>> {
    match operation {
        Operation::Start if count < limit => {
            Outcome::telling(Output::Number(count.into()), count + 1)
        }
        Operation::Start => Outcome::silent(count),
        Operation::End(process) if process + 1 == count => Outcome::silent(count - 1),
        Operation::Count => Outcome::telling(Output::Number(count.into()), count),
        Operation::End(_) => vec![],
    }
}

/// Whether the order of `a` and `b` matters in some population.
#[inline]
pub fn dependent(a: Operation, b: Operation) -> bool {
    match (a, b) {
        (Operation::Count, Operation::Count) => false,
        (Operation::End(a), Operation::End(b)) => a.abs_diff(b) <= 1,
        _ => true,
    }
}

/// Whether the order of `a` and `b` matters in the present population.
#[inline]
pub fn dependent_in(a: Operation, b: Operation, view: &View) -> bool {
    use Operation::*;
    let room = view.count < view.limit;
    match (a, b) {
        (Start, Start | Count) | (Count, Start) => room,
        (Start, End(process)) | (End(process), Start) => {
            process + 1 == view.count || process == view.count && room
        }
        (End(process), Count) | (Count, End(process)) => process + 1 == view.count,
        // The end of the youngest lets the next one end.
        (End(a), End(b)) => a.abs_diff(b) <= 1 && a.max(b) + 1 == view.count,
        (Count, Count) => false,
    }
}

/// Whether a ▷ b in the present population.
#[inline]
pub fn might_interact(a: Operation, b: Operation, view: &View) -> bool {
    use Operation::*;
    let room = view.count < view.limit;
    match (a, b) {
        (Start, Start | Count) | (Count, Start) => room,
        (Start | Count, End(process)) => process + 1 == view.count,
        (Count, Count) => false,
        // The youngest stays so until somebody starts another.
        (End(process), b) if process + 1 == view.count => match b {
            // Without room too: a start fails as long as nobody ends.
            Start => true,
            End(other) => other == process,
            Count => true,
        },
        // It has to wait for the one started after it, whatever others do.
        (End(process), b) if process + 1 < view.count => b == End(process + 1),
        // It has not been started yet.
        (End(process), b) => b == Start && process < view.limit,
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operation::Start => f.write_str("start a process"),
            Operation::End(process) => write!(f, "end of process {process}"),
            Operation::Count => f.write_str("count processes"),
        }
    }
}
