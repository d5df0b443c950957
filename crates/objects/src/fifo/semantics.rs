//! The executable semantics of a bounded channel.

use super::{Operation, Place};
use crate::{Outcome, Output, Pattern};

/// The value of a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The greatest number of messages.
    pub capacity: usize,
    /// The messages, the oldest first, each with the values of its fields.
    pub messages: Vec<Vec<i64>>,
}

/// Performs an operation on a channel.
///
/// # Panics
///
/// If an argument that matters is unknown.
pub fn apply(operation: Operation, value: &Value) -> Vec<Outcome<Value>> {
    let length = value.messages.len();
    let truth = |answer: bool| Outcome::telling(Output::Truth(answer), value.clone());
    match operation {
        Operation::Send(_) | Operation::SortedSend(_) if length == value.capacity => vec![],
        Operation::Send(message) => insert(value, length, known(message)),
        Operation::SortedSend(message) => {
            let message = known(message);
            let greater = value.messages.iter().position(|other| *other > message);
            insert(value, greater.unwrap_or(length), message)
        }
        Operation::Receive(place, pattern) => match find(value, place, pattern) {
            None => vec![],
            Some(index) => {
                let mut after = value.clone();
                let message = after.messages.remove(index);
                Outcome::telling(Output::Message(message), after)
            }
        },
        Operation::Copy(place, pattern) => match find(value, place, pattern) {
            None => vec![],
            Some(index) => Outcome::telling(
                Output::Message(value.messages[index].clone()),
                value.clone(),
            ),
        },
        Operation::Poll(place, pattern) => truth(find(value, place, pattern).is_some()),
        Operation::Length => Outcome::telling(Output::Number(length as i64), value.clone()),
        Operation::Empty => truth(length == 0),
        Operation::NotEmpty => truth(length > 0),
        Operation::Full => truth(length == value.capacity),
        Operation::NotFull => truth(length < value.capacity),
    }
}

fn known(message: Pattern) -> Vec<i64> {
    message.known_fields().expect("the message is known")
}

fn insert(value: &Value, index: usize, message: Vec<i64>) -> Vec<Outcome<Value>> {
    let mut after = value.clone();
    after.messages.insert(index, message);
    Outcome::silent(after)
}

/// Where the message is that a receive, copy or poll means.
fn find(value: &Value, place: Place, pattern: Pattern) -> Option<usize> {
    let visible = match place {
        Place::Head => value.messages.len().min(1),
        Place::Anywhere => value.messages.len(),
    };
    value.messages[..visible]
        .iter()
        .position(|message| pattern.matches(message).expect("the pattern is known"))
}
