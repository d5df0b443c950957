//! What can go wrong while a program runs.

use std::fmt;

use crate::program::{BreachId, BreachKind, ExpressionId};

/// A failure found while a step was carried out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
    /// An assertion did not hold. The step is complete all the same.
    Assertion(ExpressionId),
    /// A process that must be deterministic has a second enabled transition. The step is complete.
    Nondeterminism,
    /// An error of the model. Whether the step is complete depends on the error.
    Fault(Fault),
}

/// An error of the model. Most leave no sensible next state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Division, or remainder of a division, by zero.
    DivisionByZero,
    /// A result that must be exact and has more than 32 bits.
    NumberTooLarge,
    /// An array has no such element.
    IndexOutOfRange {
        /// The index asked for.
        index: i32,
        /// The number of elements.
        length: u32,
    },
    /// A variable of channel type that names no channel.
    NoChannel(i32),
    /// A message with another number of fields than the channel has.
    WrongMessage {
        /// The fields of the channel.
        expected: u32,
        /// The fields of the statement.
        found: u32,
    },
    /// A test of the contents of a rendezvous channel, which never has any.
    RendezvousPoll,
    /// A rendezvous inside a step that must not be interrupted.
    RendezvousInStep,
    /// A step that must not be interrupted has to wait.
    Stuck,
    /// A step of more instructions than the interpreter follows, which may be endless.
    Endless,
    /// More than 255 processes.
    TooManyProcesses,
    /// More than 255 channels.
    TooManyChannels,
    /// More different populations than can be told apart.
    TooManyShapes,
    /// A priority outside 1 to 255.
    PriorityOutOfRange(i32),
    /// A process asks, directly or through others, whether it is itself enabled.
    EnabledSelf,
    /// A reference to a variable of a process that is of another type.
    WrongProcessType(i32),
    /// A breach of a rule of the notation, which the program describes.
    Breach(BreachKind, BreachId),
}

impl Fault {
    /// Can the execution go on after it? An element that does not exist reads as 0 and is not
    /// written; SPIN's verifier goes on as well, with whatever lies beside the array.
    pub fn has_value(self) -> bool {
        matches!(self, Fault::IndexOutOfRange { .. })
    }

    /// Is it no error of the model, but as far as the interpreter goes? Nobody knows what would come then.
    pub fn is_limit(self) -> bool {
        matches!(self, Fault::Endless | Fault::TooManyShapes)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::DivisionByZero => out.write_str("division by zero"),
            Fault::NumberTooLarge => out.write_str("a result of more than 32 bits"),
            Fault::IndexOutOfRange { index, length } => {
                write!(out, "index {index} is out of range of an array of {length}")
            }
            Fault::NoChannel(0) => out.write_str("use of a channel that was never initialised"),
            Fault::NoChannel(value) => write!(out, "there is no channel {value}"),
            Fault::WrongMessage { expected, found } => {
                write!(
                    out,
                    "a message with the wrong number of fields: {found}, not {expected}"
                )
            }
            Fault::RendezvousPoll => out
                .write_str("the contents of a rendezvous channel are tested, which never has any"),
            Fault::RendezvousInStep => out.write_str("a rendezvous inside d_step"),
            Fault::Stuck => out.write_str("d_step blocks after its first statement"),
            Fault::Endless => out.write_str(
                "a step of more than 10,000,000 instructions, which is as far as one is followed",
            ),
            Fault::TooManyProcesses => out.write_str("more than 255 processes"),
            Fault::TooManyChannels => out.write_str("more than 255 channels"),
            Fault::TooManyShapes => {
                out.write_str("more than 65535 different sets of processes and channels")
            }
            Fault::PriorityOutOfRange(value) => {
                write!(out, "priority {value} is not in the range 1 to 255")
            }
            Fault::Breach(kind, _) => out.write_str(kind.name()),
            Fault::EnabledSelf => out.write_str("enabled() asked by a process about itself"),
            Fault::WrongProcessType(process) => {
                write!(
                    out,
                    "process {process} is not of the type that the reference names"
                )
            }
        }
    }
}
