//! A bounded channel of capacity one or more.
//!
//! Besides the send that appends and the receive that takes the first message, there are a send
//! that inserts in order (Promela's `!!`) and a receive that takes the first message that matches,
//! wherever it is (`??`). They are seldom used, and where nobody uses them on a channel much more
//! can be said of its future, so the [`View`] tells: a channel is *disorderly* if some process may
//! perform a sorted send or a receive from anywhere on it. Copies and polls from anywhere do no
//! such harm.
//!
//! Coarser than exact for what the view tells:
//!
//! - On a disorderly channel, ▷ of a receive, copy, poll or sorted send is mostly the constant
//!   relation; elsewhere too if the other operation sorts or looks anywhere.
//! - A sorted send and a receive from anywhere, with two or more messages and room, are dependent:
//!   whether they are hangs on messages behind the head.
//! - With unknown constants in operations that sort or look anywhere, what several of them imply
//!   together is not worked out, and the least and the greatest value of a field are not known.
//!
//! In ▷ two sends are rivals while there is room, and two receives that could both take the head: see
//! the crate's documentation.

mod interaction;
mod semantics;

pub use interaction::might_interact;
pub use semantics::{Value, apply};

use crate::Pattern;
use std::fmt;

/// An operation on a channel. The tests are always defined and tell their answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Append a message; undefined when full.
    Send(Pattern),
    /// Insert a message before the first that is greater; undefined when full.
    SortedSend(Pattern),
    /// Take a message and tell it; undefined when there is none that matches.
    Receive(Place, Pattern),
    /// Tell a message without taking it; undefined when there is none that matches.
    Copy(Place, Pattern),
    /// Tell whether a receive would be possible.
    Poll(Place, Pattern),
    /// Tell the number of messages.
    Length,
    /// Tell whether there is no message.
    Empty,
    /// Tell whether there is a message.
    NotEmpty,
    /// Tell whether there is no room.
    Full,
    /// Tell whether there is room.
    NotFull,
}

/// Which message a receive, copy or poll means.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The first, if it matches.
    Head,
    /// The first that matches.
    Anywhere,
}

/// What matters of the present value of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// The number of messages.
    pub length: u32,
    /// The greatest number of messages, at least one.
    pub capacity: u32,
    /// As much of the first message as is known; of no meaning if there is none.
    pub head: Pattern,
    /// Whether some process may send in order to, or receive from anywhere in, this channel.
    pub disorderly: bool,
}

/// Whether the order of `a` and `b` matters in some value of a channel of some capacity.
#[inline]
pub fn dependent(a: Operation, b: Operation) -> bool {
    use Operation::*;
    match (a, b) {
        (Send(_) | SortedSend(_), Send(_) | SortedSend(_) | Receive(..)) => true,
        (Send(message) | SortedSend(message), Copy(_, pattern) | Poll(_, pattern))
            if pattern.overlaps(message) =>
        {
            true
        }
        // Inserted before a head that matches, a message hides it.
        (SortedSend(message), Copy(Place::Head, pattern) | Poll(Place::Head, pattern)) => {
            message.may_precede(pattern)
        }
        (Send(_) | SortedSend(_), Copy(..) | Poll(..)) => false,
        (
            Receive(Place::Anywhere, a),
            Receive(Place::Anywhere, b) | Copy(Place::Anywhere, b) | Poll(Place::Anywhere, b),
        )
        | (Receive(Place::Head, a), Copy(Place::Anywhere, b) | Poll(Place::Anywhere, b)) => {
            a.overlaps(b)
        }
        (Receive(..), Receive(..) | Copy(..) | Poll(..)) => true,
        (Send(_) | SortedSend(_) | Receive(..), _) => true,
        (_, Send(_) | SortedSend(_) | Receive(..)) => dependent(b, a),
        _ => false,
    }
}

/// Whether the order of `a` and `b` matters in the present value.
#[inline]
pub fn dependent_in(a: Operation, b: Operation, view: &View) -> bool {
    use Operation::*;
    let room = view.length < view.capacity;
    match (a, b) {
        (Send(_) | SortedSend(_), Send(_) | SortedSend(_)) => {
            // For the last place they compete.
            view.length + 1 == view.capacity
                || room && order_shows_in(a, b, view).unwrap_or_default()
        }
        (Send(_) | SortedSend(_), Receive(..)) if !room => view.may_receive(b),
        (Send(_) | SortedSend(_), _) if !room => false,
        (Send(message) | SortedSend(message), Receive(_, p) | Copy(_, p) | Poll(_, p))
            if view.length == 0 =>
        {
            p.overlaps(message)
        }
        // Behind a head, a send matters only to those who look there and find nothing before it.
        (
            Send(message),
            Receive(Place::Anywhere, p) | Copy(Place::Anywhere, p) | Poll(Place::Anywhere, p),
        ) => p.may_separate(message, view.head),
        (Send(_), Receive(..) | Copy(..) | Poll(..)) => false,
        (SortedSend(message), Receive(Place::Head, p) | Copy(Place::Head, p)) => {
            message.may_precede(view.head)
                && (p.overlaps(view.head) && message.may_precede(p) || p.overlaps(message))
        }
        (SortedSend(message), Poll(Place::Head, p)) => {
            message.may_precede(view.head)
                && (p.may_separate(view.head, message) && message.may_precede(p)
                    || p.may_separate(message, view.head))
        }
        (SortedSend(_), Receive(Place::Anywhere, _)) if view.length >= 2 => true,
        (SortedSend(message), Receive(Place::Anywhere, p) | Copy(Place::Anywhere, p)) => {
            p.overlaps(message)
                && (message.may_precede(view.head) || p.may_separate(message, view.head))
        }
        (SortedSend(message), Poll(Place::Anywhere, p)) => p.may_separate(message, view.head),
        (Send(_) | SortedSend(_), Length) => true,
        (Send(_) | SortedSend(_), Empty | NotEmpty) => view.length == 0,
        (Send(_) | SortedSend(_), Full | NotFull) => view.length + 1 == view.capacity,

        (Receive(_, p), Send(message) | SortedSend(message)) if view.length == 0 => {
            p.overlaps(message)
        }
        (Receive(..), _) if view.length == 0 => false,
        (Receive(Place::Head, p), Receive(Place::Head, q)) => {
            if view.length == 1 {
                view.head_may_match_both(p, q)
            } else {
                view.head_may_match(p) || view.head_may_match(q)
            }
        }
        // A receive from anywhere disturbs those who look at the head only if it takes the head.
        (Receive(Place::Anywhere, p), Receive(Place::Head, q))
        | (Receive(Place::Head, q), Receive(Place::Anywhere, p))
        | (Receive(_, p), Copy(Place::Head, q)) => {
            if view.length == 1 {
                view.head_may_match_both(p, q)
            } else {
                view.head_may_match(p)
            }
        }
        (Receive(_, p), Poll(Place::Head, q)) => {
            if view.length == 1 {
                view.head_may_match_both(p, q)
            } else {
                view.head_may_match(p) && !q.is_any()
            }
        }
        (Receive(Place::Head, p), Copy(Place::Anywhere, q)) => view.head_may_match_both(p, q),
        (Receive(Place::Head, p), Poll(Place::Anywhere, q)) => {
            view.head_may_match_both(p, q) && !(q.is_any() && view.length >= 2)
        }
        (
            Receive(Place::Anywhere, p),
            Receive(Place::Anywhere, q) | Copy(Place::Anywhere, q) | Poll(Place::Anywhere, q),
        ) => {
            let stays_true = matches!(b, Poll(..)) && q.is_any() && view.length >= 2;
            view.head_may_match_both(p, q) && !stays_true
                || view.length >= 2
                    && view.head_may_miss(p)
                    && view.head_may_miss(q)
                    && p.overlaps(q)
        }
        (Receive(..), Length) => view.may_receive(a),
        (Receive(..), Empty | NotEmpty) => view.length == 1 && view.may_receive(a),
        (Receive(..), Full | NotFull) => !room && view.may_receive(a),
        (_, Send(_) | SortedSend(_) | Receive(..)) => dependent_in(b, a, view),
        _ => false,
    }
}

/// Whether the messages of two sends can come to stand in an order that tells which was first;
/// `None` if `a` and `b` are not both sends.
#[inline]
pub(crate) fn order_shows(a: Operation, b: Operation) -> Option<bool> {
    use Operation::*;
    Some(match (a, b) {
        (Send(a), Send(b)) => !a.accepts(b),
        (SortedSend(_), SortedSend(_)) => false,
        // Before a greater message a sorted one always goes; behind a lesser one, if that is there.
        (Send(last), SortedSend(sorted)) | (SortedSend(sorted), Send(last)) => {
            last.may_precede(sorted)
        }
        _ => return None,
    })
}

/// The same in the present value, if there is room for both: a sorted message that surely goes
/// before the head goes there in either order.
#[inline]
pub(crate) fn order_shows_in(a: Operation, b: Operation, view: &View) -> Option<bool> {
    use Operation::*;
    let shows = order_shows(a, b)?;
    Some(match (a, b) {
        (Send(_), SortedSend(sorted)) | (SortedSend(sorted), Send(_)) if view.length > 0 => {
            shows && (view.head.may_precede(sorted) || view.head.overlaps(sorted))
        }
        _ => shows,
    })
}

impl Operation {
    /// Whether it takes or puts messages elsewhere than at the ends.
    #[inline]
    pub fn is_disorderly(self) -> bool {
        matches!(
            self,
            Operation::SortedSend(_)
                | Operation::Receive(Place::Anywhere, _)
                | Operation::Copy(Place::Anywhere, _)
                | Operation::Poll(Place::Anywhere, _)
        )
    }
}

impl View {
    /// The view of a channel on which nobody sorts or receives from anywhere.
    #[inline]
    pub fn new(length: u32, capacity: u32, head: Pattern) -> View {
        View {
            length,
            capacity,
            head,
            disorderly: false,
        }
    }

    /// Whether there is a head that may match.
    #[inline]
    pub(crate) fn head_may_match(&self, pattern: Pattern) -> bool {
        self.length > 0 && pattern.overlaps(self.head)
    }

    /// Whether there is no head, or one that may fail to match.
    #[inline]
    pub(crate) fn head_may_miss(&self, pattern: Pattern) -> bool {
        self.length == 0 || !pattern.accepts(self.head)
    }

    /// Whether there is no head that matches, or may be none, though a message may.
    #[inline]
    pub(crate) fn head_may_miss_what_meets(&self, pattern: Pattern, message: Pattern) -> bool {
        if self.length == 0 {
            pattern.overlaps(message)
        } else {
            pattern.may_separate(message, self.head)
        }
    }

    /// Whether there is a head that may match both.
    #[inline]
    fn head_may_match_both(&self, p: Pattern, q: Pattern) -> bool {
        self.head_may_match(p) && self.head_may_match(q) && p.overlaps(q)
    }

    /// Whether an operation is a receive, and may be possible.
    #[inline]
    fn may_receive(&self, operation: Operation) -> bool {
        match operation {
            Operation::Receive(Place::Head, pattern) => self.head_may_match(pattern),
            Operation::Receive(Place::Anywhere, pattern) => {
                self.length >= 2 || self.head_may_match(pattern)
            }
            _ => false,
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (word, place, pattern) = match self {
            Operation::Send(message) => return write!(f, "send {message}"),
            Operation::SortedSend(message) => return write!(f, "sorted send {message}"),
            Operation::Receive(place, pattern) => ("receive", place, pattern),
            Operation::Copy(place, pattern) => ("copy", place, pattern),
            Operation::Poll(place, pattern) => ("poll", place, pattern),
            Operation::Length => return f.write_str("length"),
            Operation::Empty => return f.write_str("test for empty"),
            Operation::NotEmpty => return f.write_str("test for not empty"),
            Operation::Full => return f.write_str("test for full"),
            Operation::NotFull => return f.write_str("test for not full"),
        };
        match place {
            Place::Head => write!(f, "{word} {pattern}"),
            Place::Anywhere => write!(f, "{word} {pattern} from anywhere"),
        }
    }
}
