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
//! - Variables: reads commute, additions whose result nobody sees commute, all else is ordered.
//! - Queues: sends are ordered among themselves, and receives are; the k-th send precedes the k-th
//!   receive, and the k-th receive precedes the send that takes its place. No more.
//! - Mutexes, semaphores, barriers: every change is ordered; tries that failed are reads.
//! - Read-write locks: what readers do commutes.
//! - Condition variables: waits commute, and so do notifications that wake nobody.
//!
//! Where dependency looks at values, as far as these are fixed per class as well:
//!
//! - Variables: writes of the same value commute ([`Past::write`]), since they do in every state.
//! - Semaphores: they are queues without contents ([`Past::take`], [`Past::release`]). A release is
//!   ordered with the one take that would not have been possible without it, no other.
//!
//! Two ordered operations are a [`Order::Conflict`] if the second could have come first, and
//! [`Order::Enabling`] if it could not, because it was waiting for the first.

/// What an operation was to the object it was performed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[repr(u8)]
pub enum Role {
    /// It has no object, or does not matter to it.
    #[default]
    None,
    /// It read a variable; so does a comparison-and-swap that fails.
    Read,
    /// It added to a variable and nobody sees the sum.
    Add,
    /// It changed a variable.
    Update,
    /// It took from a semaphore.
    Take,
    /// It gave back to a semaphore.
    Release,
    /// It acquired a mutex.
    Lock,
    /// It freed a mutex.
    Unlock,
    /// It looked at a semaphore, a mutex or a read-write lock and changed nothing.
    Look,
    /// It acquired a read-write lock for reading.
    ReadLock,
    /// It gave back a read-write lock held for reading.
    ReadUnlock,
    /// It acquired a read-write lock for writing.
    WriteLock,
    /// It gave back a read-write lock held for writing.
    WriteUnlock,
    /// It put a message into a queue.
    Send,
    /// It took a message from a queue.
    Receive,
    /// It found a queue full, or without a receiver.
    SendMiss,
    /// It found a queue empty.
    ReceiveMiss,
    /// It counted the messages of a queue.
    Length,
    /// It ended a sender of a queue.
    SenderClose,
    /// It ended the receiver of a queue.
    ReceiverClose,
    /// It began to wait for a condition variable.
    Wait,
    /// It woke those who wait for a condition variable.
    Notify,
    /// It notified a condition variable for which nobody waited.
    NotifyNobody,
    /// It stopped waiting for a condition variable with a time limit, woken or not.
    EndWait,
    /// It arrived at a barrier.
    Arrive,
    /// It gave a variable a value that is known, and saw nothing.
    Write,
}

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

    /// A take, or a try to, from a semaphore with this count from which this many have been taken.
    #[inline]
    pub fn take(count: u32, taken: u32) -> Past {
        let role = match count {
            0 => Role::ReceiveMiss,
            _ => Role::Receive,
        };
        Past::of_semaphore(role, count, taken)
    }

    /// A release of such a semaphore. Its number is that of the take that it makes possible.
    #[inline]
    pub fn release(count: u32, taken: u32) -> Past {
        Past::of_semaphore(Role::Send, count, taken.saturating_add(count))
    }

    fn of_semaphore(role: Role, count: u32, number: u32) -> Past {
        Past {
            role,
            number,
            capacity: u32::MAX,
            before: count,
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
    use Role::*;
    match (first.role, second.role) {
        (None, _) | (_, None) => Order::None,

        (Read, Read) | (Add, Add) => Order::None,
        (Write, Write) if (first.number, first.before) == (second.number, second.before) => {
            Order::None
        }
        (Read | Add | Update | Write, Read | Add | Update | Write) => Order::Conflict,

        (Look, Look) => Order::None,
        (Take | Release | Look, Take) => second.unless_waiting(first.before > 0),
        (Lock | Unlock | Look, Lock) => second.unless_waiting(first.before == 0),
        (Take | Release | Look, Release | Look) => Order::Conflict,
        (Lock | Unlock | Look, Unlock | Look) => Order::Conflict,

        (ReadLock | ReadUnlock, ReadLock | ReadUnlock) => Order::None,
        (ReadUnlock, WriteLock) | (WriteUnlock, ReadLock | WriteLock) => {
            second.unless_waiting(false)
        }
        (Look, ReadLock) => second.unless_waiting(first.before & 1 == 0),
        (Look, WriteLock) => second.unless_waiting(first.before == 0),
        (
            ReadLock | ReadUnlock | WriteLock | WriteUnlock | Look,
            ReadLock | ReadUnlock | WriteLock | WriteUnlock | Look,
        ) => Order::Conflict,

        (Send, Send) | (Receive, Receive) => Order::Conflict,
        (Send, Receive) if first.number == second.number => second.unless_waiting(false),
        // Without a bound, or a known number, there is no such receive.
        (Receive, Send) if second.number == u32::MAX => Order::None,
        (Receive, Send) if first.number.checked_add(first.capacity) == Some(second.number) => {
            second.unless_waiting(false)
        }
        (Send, SendMiss) | (SendMiss, Receive) => Order::Conflict,
        (Receive, ReceiveMiss) | (ReceiveMiss, Send) => Order::Conflict,
        (Length, Receive) => second.unless_waiting(first.before > 0),
        (Length, Send) => second.unless_waiting(first.before < first.capacity),
        (Send | Receive, Length) => Order::Conflict,
        (SenderClose, ReceiveMiss) => second.unless_waiting(false),
        (ReceiveMiss, SenderClose) => {
            if first.blocking {
                Order::None
            } else {
                Order::Conflict
            }
        }
        (ReceiverClose, SendMiss) => second.unless_waiting(first.before < first.capacity),
        (Send | SendMiss, ReceiverClose) | (ReceiverClose, Send) => Order::Conflict,

        (Wait, Wait) | (NotifyNobody, NotifyNobody) | (EndWait, EndWait) => Order::None,
        (Wait, EndWait) | (EndWait, Wait) => Order::None,
        (Wait | Notify | NotifyNobody | EndWait, Wait | Notify | NotifyNobody | EndWait) => {
            Order::Conflict
        }

        (Arrive, Arrive) => Order::Conflict,
        _ => Order::None,
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
    fn unless_waiting(&self, possible: bool) -> Order {
        if possible || !self.blocking {
            Order::Conflict
        } else {
            Order::Enabling
        }
    }
}

impl Role {
    /// All roles, by their codes.
    pub const ALL: [Role; 26] = {
        use Role::*;
        [
            None,
            Read,
            Add,
            Update,
            Take,
            Release,
            Lock,
            Unlock,
            Look,
            ReadLock,
            ReadUnlock,
            WriteLock,
            WriteUnlock,
            Send,
            Receive,
            SendMiss,
            ReceiveMiss,
            Length,
            SenderClose,
            ReceiverClose,
            Wait,
            Notify,
            NotifyNobody,
            EndWait,
            Arrive,
            Write,
        ]
    };

    /// The role with this code; a code that is none is that of no role.
    #[inline]
    pub fn from_code(code: u8) -> Role {
        Role::ALL
            .get(usize::from(code))
            .copied()
            .unwrap_or_default()
    }

    /// The family of roles among which order never matters, whatever the values: one of them stands
    /// for all. None where it may.
    #[inline]
    pub fn family(self) -> Option<Role> {
        use Role::*;
        match self {
            Read | Add | Look | NotifyNobody | Length => Some(self),
            ReadLock | ReadUnlock => Some(ReadLock),
            Wait | EndWait => Some(Wait),
            _ => Option::None,
        }
    }

    /// Whether it is ordered with every other operation on its object, so that all that is
    /// ordered with an earlier one is ordered through it.
    #[inline]
    pub fn is_total(self) -> bool {
        use Role::*;
        matches!(
            self,
            Update | Take | Release | Lock | Unlock | WriteLock | WriteUnlock | Notify | Arrive
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_order_within_a_family_does_not_matter() {
        for first in Role::ALL {
            for second in Role::ALL {
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
