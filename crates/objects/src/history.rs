//! Happens-before: which operations of one execution are ordered by the objects they share.
//!
//! [`crate::dependent_in`] answers for two operations that might come next. Dynamic partial-order
//! reduction asks the converse question of two operations that *have* been performed: is their
//! order part of what the execution is, or an accident of this interleaving? The relation here is
//! fixed for each class of equivalent executions, as optimal reduction demands (Abdulla, Aronis,
//! Jonsson, Sagonas 2017, section 3): it looks at the [`Role`] that an operation played, at its
//! number among its likes and at counts that the order of earlier conflicts has fixed, never at
//! anything that the order of unrelated operations could change.
//!
//! What that comes to for each kind of object is in its file in [`crate::real`].
//!
//! Two ordered operations are a [`Order::Conflict`] if the second could have come first, and
//! [`Order::Enabling`] if it could not, because it was waiting for the first.

use crate::real;
pub use crate::real::Role;

/// An operation as it was performed on one object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Past {
    /// What it was to the object.
    pub role: Role,
    /// Whether it would have waited where it could not be performed.
    pub blocking: bool,
    /// Its number among the sends, or receives, of a queue; how many of them came before, for
    /// one that missed. Of a value that is written, the low half.
    pub number: u32,
    /// The greatest length of the queue.
    pub capacity: u32,
    /// The object before it: the count of a semaphore, the length of a queue; for a lock, 1 if it
    /// had an owner, plus 2 if it had readers. Of a value that is written, the high half.
    pub before: u32,
}

impl Past {
    /// A read.
    pub const READ: Past = Past {
        role: Role::Read,
        blocking: false,
        number: 0,
        capacity: 0,
        before: 0,
    };

    /// A write of this value.
    #[inline]
    pub fn write(value: i64) -> Past {
        Past {
            role: Role::Write,
            number: value as u32,
            before: (value >> 32) as u32,
            ..Past::default()
        }
    }

    /// What a step with two objects was to the second: a wait found the mutex held.
    #[inline]
    pub fn beside(role: Role) -> Past {
        Past {
            role,
            before: 1,
            ..Past::default()
        }
    }

    /// The same in another order of the operations on its object: which number it will have is
    /// not known.
    #[inline]
    pub fn somewhere(self) -> Past {
        match self.role {
            Role::Send | Role::Receive | Role::SendMiss | Role::ReceiveMiss => Past {
                number: u32::MAX,
                ..self
            },
            _ => self,
        }
    }
}

/// How two operations on one object, performed one after the other, are ordered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Their order does not matter, or follows from other pairs.
    None,
    /// Their order matters, and the second was possible without the first.
    Conflict,
    /// The second waited for the first.
    Enabling,
}

/// How `first` and `second`, performed in this order on one object by two actors, are ordered.
#[inline]
pub fn order(first: &Past, second: &Past) -> Order {
    match (first.role, second.role) {
        (Role::None, _) | (_, Role::None) => Order::None,
        _ => real::order(first, second),
    }
}

/// Whether two operations that are both possible may be performed in either order.
#[inline]
pub fn commute(a: &Past, b: &Past) -> bool {
    order(a, b) == Order::None && order(b, a) == Order::None
}

/// An operation that is performed if that is possible, and otherwise only looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Try {
    /// To put a message into a queue.
    Send,
    /// To take a message from a queue.
    Receive,
    /// To take from a semaphore.
    Take,
    /// To acquire a mutex.
    Lock,
    /// To acquire a read-write lock for reading.
    ReadLock,
    /// To acquire a read-write lock for writing.
    WriteLock,
}

/// What a try will be to its object after these operations, in any order. `capacity` is that of a
/// queue, `initial` the count of a semaphore, or the length of a queue, before all of them.
pub fn outcome<'p>(
    attempt: Try,
    pasts: impl Iterator<Item = &'p Past>,
    capacity: u32,
    initial: u32,
) -> Role {
    let (mut sent, mut received, mut deaf) = (0i64, 0i64, false);
    let (mut count, mut owned, mut readers) = (i64::from(initial), 0i64, 0i64);
    for past in pasts {
        match past.role {
            Role::Send => sent += 1,
            Role::Receive => received += 1,
            Role::ReceiverClose => deaf = true,
            Role::Take => count -= 1,
            Role::Release => count += 1,
            Role::Lock | Role::WriteLock => owned += 1,
            Role::Unlock | Role::WriteUnlock => owned -= 1,
            Role::ReadLock => readers += 1,
            Role::ReadUnlock => readers -= 1,
            _ => {}
        }
    }
    let free = owned <= 0;
    let (succeeds, role, otherwise) = match attempt {
        Try::Send => {
            let room = sent - received < i64::from(capacity);
            (room && !deaf, Role::Send, Role::SendMiss)
        }
        Try::Receive => {
            let length = i64::from(initial) + sent - received;
            (length > 0, Role::Receive, Role::ReceiveMiss)
        }
        Try::Take => (count > 0, Role::Take, Role::Look),
        Try::Lock => (free, Role::Lock, Role::Look),
        Try::ReadLock => (free, Role::ReadLock, Role::Look),
        Try::WriteLock => (free && readers <= 0, Role::WriteLock, Role::Look),
    };
    if succeeds { role } else { otherwise }
}

/// Of the operations on an object, the last one first, one that would keep an operation waiting
/// and is itself in no race with it: a writer is in a race with the reader before it, and waits for
/// the others as well. Operations come with their actors; the position among them is told.
pub fn obstacle(waiting: &Past, mut earlier: impl Iterator<Item = (usize, Role)>) -> Option<usize> {
    if waiting.role != Role::WriteLock || !waiting.blocking {
        return None;
    }
    let mut given_back = vec![];
    earlier.position(|(actor, role)| {
        if actor >= given_back.len() {
            given_back.resize(actor + 1, 0u32);
        }
        let of_actor = &mut given_back[actor];
        match role {
            Role::ReadUnlock => *of_actor += 1,
            Role::ReadLock if *of_actor == 0 => return true,
            Role::ReadLock => *of_actor -= 1,
            _ => {}
        }
        false
    })
}

impl Past {
    #[inline]
    pub(crate) fn unless_waiting(&self, possible: bool) -> Order {
        if possible || !self.blocking {
            Order::Conflict
        } else {
            Order::Enabling
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_within_a_family_does_not_matter() {
        let roles = || (0..=u8::MAX).map(Role::from_code);
        for first in roles() {
            for second in roles() {
                if first.family().is_none() || first.family() != second.family() {
                    continue;
                }
                for blocking in [false, true] {
                    for before in 0..4 {
                        let past = |role| Past {
                            role,
                            blocking,
                            number: before,
                            capacity: 1,
                            before,
                        };
                        assert_eq!(order(&past(first), &past(second)), Order::None);
                    }
                }
            }
        }
    }
}
