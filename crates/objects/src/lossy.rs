//! A bounded channel that may lose any message sent to it.
//!
//! Its operations and views are those of [`fifo`]. A send never waits: it appends the message or
//! loses it, and loses it for certain when the channel is full. Two operations are independent when
//! both orders have the same *set* of outcomes; so sends that compete for the last place commute,
//! since either may be the one that is lost. A send to a full channel still depends on a receive,
//! which gives it a chance.
//!
//! So a lossy send is one step with several results. A search that makes losing and keeping two
//! steps of their own should ask about each as what it then is: keeping as a send on a [`fifo`],
//! losing as no operation at all.

use crate::Outcome;
use crate::fifo::{self, Operation, Place, Value, View};

/// Performs an operation on a channel.
///
/// # Panics
///
/// If an argument that matters is unknown.
pub fn apply(operation: Operation, value: &Value) -> Vec<Outcome<Value>> {
    let mut outcomes = fifo::apply(operation, value);
    if let Operation::Send(_) | Operation::SortedSend(_) = operation {
        outcomes.extend(Outcome::silent(value.clone()));
    }
    outcomes
}

/// Whether the order of `a` and `b` matters in some value of a channel of some capacity.
#[inline]
pub fn dependent(a: Operation, b: Operation) -> bool {
    fifo::order_shows(a, b).unwrap_or_else(|| fifo::dependent(a, b))
}

/// Whether the order of `a` and `b` matters in the present value.
#[inline]
pub fn dependent_in(a: Operation, b: Operation, view: &View) -> bool {
    match fifo::order_shows_in(a, b, view) {
        Some(shows) => view.length + 2 <= view.capacity && shows,
        None => fifo::dependent_in(a, b, view),
    }
}

/// Whether a ▷ b in the present value.
#[inline]
pub fn might_interact(a: Operation, b: Operation, view: &View) -> bool {
    match (a, b) {
        // Unlike a send that waits, a send to a full channel happens, and a receive before it
        // would have left room. Sends of others can fill the channel.
        (Operation::Receive(Place::Head, pattern), Operation::Send(_))
            if view.head_may_match(pattern) =>
        {
            true
        }
        _ => fifo::might_interact(a, b, view),
    }
}
