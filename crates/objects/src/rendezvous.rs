//! A rendezvous port: a channel of capacity zero, where sender and receiver meet.
//!
//! A message passes in one step of two processes, the handshake, and the port is idle before and
//! after. So two handshakes on one port never disturb each other *there*; they exclude each other
//! when they share a process, which is not the port's business. What a process does alone is only
//! half of a handshake, and what can be said of halves is which can join.
//!
//! - Of a handshake that happens, ask with [`Operation::Handshake`] (sleep sets, dynamic reduction).
//! - Of a step that waits for a partner, or of a handshake put in a stubborn set, ask with its
//!   halves: a half draws in every half it can join, and each of these draws in its process.
//!
//! The executable semantics has a value that no global state shows: the message in the hand of the
//! sender, between the two halves of a handshake.

use crate::{Outcome, Output, Pattern};
use std::fmt;

/// An operation on a port.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Both halves in one step, of two processes.
    Handshake(Pattern),
    /// The sender's half.
    OfferSend(Pattern),
    /// The receiver's half, with what it asks of the message.
    OfferReceive(Pattern),
}

/// Performs an operation on a port; the value is the message in the hand of a sender.
///
/// # Panics
///
/// If the message is not known, or it is not known whether it is accepted.
pub fn apply(operation: Operation, hand: &Option<Vec<i64>>) -> Vec<Outcome<Option<Vec<i64>>>> {
    let known = |message: Pattern| message.known_fields().expect("the message is known");
    match (operation, hand) {
        (Operation::Handshake(message), None) => {
            Outcome::telling(Output::Message(known(message)), None)
        }
        (Operation::OfferSend(message), None) => Outcome::silent(Some(known(message))),
        (Operation::OfferReceive(pattern), Some(message))
            if pattern.matches(message).expect("the pattern is known") =>
        {
            Outcome::telling(Output::Message(message.clone()), None)
        }
        _ => vec![],
    }
}

/// Whether `a` and `b` can join in a handshake; this is also their relation in every state, and
/// a ▷ b, since an idle port has but one value.
#[inline]
pub fn dependent(a: Operation, b: Operation) -> bool {
    use Operation::*;
    match (a, b) {
        (OfferSend(message), OfferReceive(pattern))
        | (OfferReceive(pattern), OfferSend(message)) => pattern.overlaps(message),
        _ => false,
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operation::Handshake(message) => write!(f, "handshake {message}"),
            Operation::OfferSend(message) => write!(f, "offer to send {message}"),
            Operation::OfferReceive(pattern) => write!(f, "offer to receive {pattern}"),
        }
    }
}
