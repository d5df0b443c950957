//! Operations of shared objects and the dependency relations between them.
//!
//! Processes of a concurrent system meet only in shared objects, so whether the order of two of
//! their steps matters is decided by the operations these steps perform on the same object. This
//! crate knows, once for the whole of Mazurka, which operations there are on each kind of object
//! and how they relate. For operations `a` and `b` of two different processes on one object:
//!
//! - [`dependent`]`(a, b)`: in *some* value of the object the order of `a` and `b` matters: one
//!   makes the other possible or impossible, or the two orders give different outputs or leave
//!   different values (Godefroid & Pirottin 1993, definition 2).
//! - [`dependent_in`]`(a, b, view)`: the same for the object's *present* value, of which a
//!   [`View`] says as much as matters (definition 5).
//! - [`might_interact`]`(a, b, view)`: the relation ▷ (definition 11). While the process of `a`
//!   stands still, others may operate on the object as long as they do not disturb `a`; can one of
//!   them then perform `b` at a moment when `b` depends on `a`? It is not symmetric: a send on a
//!   full queue is reached by a receive, but a receive of a waiting message is not reached by a
//!   send.
//!
//! **Who uses what.** Sleep sets and dynamic partial-order reduction ask `dependent_in` of steps
//! that happen in a known state. Stubborn, persistent and ample sets ask `might_interact`: a step
//! in the set, enabled or not, draws in every step that `might_interact` with one of its
//! operations. Where nothing is known of the value, [`View::Unknown`] gives the constant relation.
//! A step that performs several operations on one object performs only the first in the present
//! value: ask about the later ones with [`View::Unknown`].
//!
//! **Unknown arguments.** A front end that cannot tell what is written, sent or matched says so,
//! and gets the join over everything it might be. All answers are safe; with known arguments they
//! are exact for what the view tells, save where a module lists an exception. The tests prove both
//! by enumeration against each object's executable semantics, the `apply` of its module.
//!
//! **Rivals.** Definition 11 may be read over any valid dependency relation, not only the smallest:
//! what makes a stubborn set correct is that the *first* step to disturb `a` is drawn in. Two sends
//! of equal messages commute while there is room for both, but counting them as dependent in ▷ costs
//! nothing (for the last free place they are anyhow) and keeps the queue from filling up unnoticed.
//! So, in ▷ only, these are always rivals: two sends while there is room, two receives that could
//! both take the head, two takes of a positive semaphore, two releases below its bound.
//!
//! **Real programs.** Their objects are in [`real`], one file for each kind; what is ordered after
//! the fact is in [`history`].
//!
//! ```
//! use mazurka_objects::{dependent, dependent_in, fifo, might_interact, Operation, Pattern, View};
//!
//! let send = Operation::Fifo(fifo::Operation::Send(Pattern::UNKNOWN));
//! let receive = Operation::Fifo(fifo::Operation::Receive(fifo::Place::Head, Pattern::ANY));
//! assert!(dependent(send, receive));
//!
//! // One message in a queue for three: the order of a send and a receive does not matter now, and
//! // no undisturbed future makes it matter to either.
//! let view = View::Fifo(fifo::View::new(1, 3, Pattern::UNKNOWN));
//! assert!(!dependent_in(send, receive, &view));
//! assert!(!might_interact(send, receive, &view));
//! assert!(!might_interact(receive, send, &view));
//!
//! // A receive that waits on an empty queue is reached by a send, and by nothing else.
//! let empty = View::Fifo(fifo::View::new(0, 3, Pattern::UNKNOWN));
//! assert!(might_interact(receive, send, &empty));
//! assert!(!might_interact(receive, receive, &empty));
//! ```
#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod fifo;
pub mod history;
pub mod lossy;
pub mod mutex;
mod outcome;
mod pattern;
pub mod population;
pub mod real;
pub mod rendezvous;
pub mod semaphore;
pub mod table;
pub mod timer;
pub mod variable;

pub use outcome::{Outcome, Output};
pub use pattern::{Field, Pattern};

use std::fmt;

/// An operation on a shared object of one of the kinds of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// On a shared variable.
    Variable(variable::Operation),
    /// On a bounded channel of capacity one or more.
    Fifo(fifo::Operation),
    /// On a port of capacity zero.
    Rendezvous(rendezvous::Operation),
    /// On a bounded channel that may lose what is sent.
    Lossy(fifo::Operation),
    /// On a counting semaphore.
    Semaphore(semaphore::Operation),
    /// On a mutex.
    Mutex(mutex::Operation),
    /// On a timer.
    Timer(timer::Operation),
    /// On the processes that there are.
    Population(population::Operation),
}

/// What is known of the present value of the object that two operations meet in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum View {
    /// Nothing; also the view of a rendezvous port, which has no value.
    Unknown,
    /// Of a shared variable.
    Variable(variable::View),
    /// Of a channel, lossy or not.
    Fifo(fifo::View),
    /// Of a semaphore.
    Semaphore(semaphore::View),
    /// Of a mutex.
    Mutex(mutex::View),
    /// Of a timer.
    Timer(timer::View),
    /// Of the processes that there are.
    Population(population::View),
}

/// Whether the order of `a` and `b` on one object matters in some value of it.
#[inline]
pub fn dependent(a: Operation, b: Operation) -> bool {
    use Operation::*;
    match (a, b) {
        (Variable(a), Variable(b)) => variable::dependent(a, b),
        (Fifo(a), Fifo(b)) => fifo::dependent(a, b),
        (Rendezvous(a), Rendezvous(b)) => rendezvous::dependent(a, b),
        (Lossy(a), Lossy(b)) => lossy::dependent(a, b),
        (Semaphore(a), Semaphore(b)) => semaphore::dependent(a, b),
        (Mutex(a), Mutex(b)) => mutex::dependent(a, b),
        (Timer(a), Timer(b)) => timer::dependent(a, b),
        (Population(a), Population(b)) => population::dependent(a, b),
        _ => mismatch(a, b),
    }
}

/// Whether the order of `a` and `b` on one object matters in its present value.
#[inline]
pub fn dependent_in(a: Operation, b: Operation, view: &View) -> bool {
    use Operation::*;
    match (a, b, view) {
        (Variable(a), Variable(b), View::Variable(view)) => variable::dependent_in(a, b, view),
        (Fifo(a), Fifo(b), View::Fifo(view)) => fifo::dependent_in(a, b, view),
        (Lossy(a), Lossy(b), View::Fifo(view)) => lossy::dependent_in(a, b, view),
        (Semaphore(a), Semaphore(b), View::Semaphore(view)) => semaphore::dependent_in(a, b, view),
        (Mutex(a), Mutex(b), View::Mutex(view)) => mutex::dependent_in(a, b, view),
        (Timer(a), Timer(b), View::Timer(view)) => timer::dependent_in(a, b, view),
        (Population(a), Population(b), View::Population(view)) => {
            population::dependent_in(a, b, view)
        }
        _ => dependent(a, b),
    }
}

/// Whether `b` can come to be performed, after operations of other processes that leave `a`
/// undisturbed, at a moment when it depends on `a`: the relation a ▷ b in the present value.
#[inline]
pub fn might_interact(a: Operation, b: Operation, view: &View) -> bool {
    use Operation::*;
    match (a, b, view) {
        (Variable(a), Variable(b), View::Variable(view)) => variable::might_interact(a, b, view),
        (Fifo(a), Fifo(b), View::Fifo(view)) => fifo::might_interact(a, b, view),
        (Lossy(a), Lossy(b), View::Fifo(view)) => lossy::might_interact(a, b, view),
        (Semaphore(a), Semaphore(b), View::Semaphore(view)) => {
            semaphore::might_interact(a, b, view)
        }
        (Mutex(a), Mutex(b), View::Mutex(view)) => mutex::might_interact(a, b, view),
        (Timer(a), Timer(b), View::Timer(view)) => timer::might_interact(a, b, view),
        (Population(a), Population(b), View::Population(view)) => {
            population::might_interact(a, b, view)
        }
        _ => dependent(a, b),
    }
}

/// Operations of different kinds cannot be on one object; whoever asks is mistaken, and the safe
/// answer is that the order matters.
#[cold]
fn mismatch(a: Operation, b: Operation) -> bool {
    debug_assert!(false, "`{a}` and `{b}` are not operations on one object");
    true
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operation::Variable(operation) => operation.fmt(f),
            Operation::Fifo(operation) => operation.fmt(f),
            Operation::Rendezvous(operation) => operation.fmt(f),
            Operation::Lossy(operation) => write!(f, "{operation} (lossy)"),
            Operation::Semaphore(operation) => operation.fmt(f),
            Operation::Mutex(operation) => operation.fmt(f),
            Operation::Timer(operation) => operation.fmt(f),
            Operation::Population(operation) => operation.fmt(f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Footprints are long lists of operations, so these stay small.
    #[test]
    fn operations_are_small() {
        assert!(size_of::<Operation>() <= 32);
        assert!(size_of::<View>() <= 48);
    }

    #[test]
    fn words() {
        let pattern = Pattern::new(&[Field::Constant(3), Field::Any, Field::Unknown]);
        let receive = fifo::Operation::Receive(fifo::Place::Anywhere, pattern);
        let test = variable::Operation::Test(variable::Comparison::AtMost, Some(4));
        assert_eq!(
            Operation::Fifo(receive).to_string(),
            "receive 3,_,? from anywhere"
        );
        assert_eq!(Operation::Variable(test).to_string(), "test <= 4");
        assert_eq!(
            Operation::Mutex(mutex::Operation::Lock(2)).to_string(),
            "lock by process 2"
        );
    }

    #[test]
    fn nothing_known_gives_the_constant_relation() {
        let write = Operation::Variable(variable::Operation::Write(None));
        let add = Operation::Variable(variable::Operation::Add(Some(1)));
        for (a, b) in [(write, add), (add, add), (write, write)] {
            assert_eq!(dependent_in(a, b, &View::Unknown), dependent(a, b));
            assert_eq!(might_interact(a, b, &View::Unknown), dependent(a, b));
        }
    }
}
