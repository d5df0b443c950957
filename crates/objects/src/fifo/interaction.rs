//! The relation ▷ of a bounded channel (Godefroid & Pirottin 1993, definition 11).
//!
//! Each row is the story of one waiting operation `a`: what others can do without disturbing it,
//! and what then can.

use super::{Operation, View, dependent};
use crate::Pattern;

/// Whether a ▷ b in the present value.
#[inline]
pub fn might_interact(a: Operation, b: Operation, view: &View) -> bool {
    use Operation::*;
    let orderly = !(view.disorderly || a.is_disorderly() || b.is_disorderly());
    let room = view.length < view.capacity;
    match a {
        // With room, rival sends disturb it, and receives empty the channel undisturbing.
        Send(message) if room => match b {
            Send(_) | SortedSend(_) | Length | Empty | NotEmpty => true,
            Poll(_, pattern) => pattern.overlaps(message),
            Full | NotFull => view.length + 1 == view.capacity,
            Receive(..) | Copy(..) => false,
        },
        // Without, only a receive disturbs it.
        Send(_) | SortedSend(_) if !room => view.may_receive(b),
        Receive(_, pattern) if orderly => receive(pattern, b, view),
        Copy(_, pattern) if orderly => copy(pattern, b, view),
        Poll(_, pattern) if orderly => poll(pattern, b, view),
        // As long as it is disturbed by nobody, a receive that waits disturbs nobody.
        Receive(..) if !view.may_receive(a) => {
            matches!(b, Send(_) | SortedSend(_) | Receive(..)) && dependent(a, b)
        }
        Send(_) | SortedSend(_) | Receive(..) | Copy(..) | Poll(..) => dependent(a, b),
        // Any change of the length disturbs, so the present is all there is.
        Length => match b {
            Send(_) | SortedSend(_) => room,
            _ => view.may_receive(b),
        },
        // While there are messages they come and go, until the last is taken.
        Empty | NotEmpty => match b {
            Send(_) | SortedSend(_) => view.length == 0,
            Receive(..) if view.capacity >= 2 => view.length > 0,
            _ => view.may_receive(b),
        },
        // While there is room messages come and go, until the last place is taken.
        Full | NotFull => match b {
            Send(_) | SortedSend(_) => room,
            _ => !room && view.may_receive(b),
        },
    }
}

/// Waiting, it is disturbed by what gives it its message. With its message at the head, by whoever
/// takes or looks at the head, or at the length; sends undisturbing fill the channel behind it.
#[inline]
fn receive(pattern: Pattern, b: Operation, view: &View) -> bool {
    use Operation::*;
    let enabled = view.head_may_match(pattern);
    match b {
        Send(_) | Receive(..) => copy(pattern, b, view),
        Copy(_, other) => view.head_may_match_both(pattern, other),
        Poll(_, other) if other.is_any() => enabled && view.length == 1,
        Poll(_, other) => enabled && view.capacity >= 2 || view.head_may_match_both(pattern, other),
        Length | Full | NotFull => enabled,
        Empty | NotEmpty => enabled && view.length == 1,
        _ => false,
    }
}

/// Like a receive, but nobody is disturbed by it.
#[inline]
fn copy(pattern: Pattern, b: Operation, view: &View) -> bool {
    match b {
        Operation::Receive(_, other) if view.head_may_match_both(pattern, other) => true,
        _ => brings_to_head(pattern, b, view),
    }
}

/// True, it is disturbed when the last message of a run of matching ones is taken, and such a run
/// may yet grow. False, like a copy that waits.
#[inline]
fn poll(pattern: Pattern, b: Operation, view: &View) -> bool {
    match b {
        Operation::Receive(_, other)
            if view.capacity >= 2 && view.head_may_match(pattern) && pattern.overlaps(other) =>
        {
            true
        }
        _ => copy(pattern, b, view),
    }
}

/// Whether `b` can bring a matching message to the head where now is none: by sending it to a
/// channel that others emptied, or by taking a message that does not match from before it.
#[inline]
fn brings_to_head(pattern: Pattern, b: Operation, view: &View) -> bool {
    match b {
        Operation::Send(message) => view.head_may_miss_what_meets(pattern, message),
        Operation::Receive(_, other) => {
            view.capacity >= 2 && view.head_may_miss(pattern) && !pattern.accepts(other)
        }
        _ => false,
    }
}
