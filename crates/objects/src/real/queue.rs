//! A bounded queue of a real program, with senders and a receiver that may end.
//!
//! Messages are numbered; what is in them is kept elsewhere, so sends are never equal. Sends are
//! ordered among themselves, and receives are; the k-th send precedes the k-th receive, and the
//! k-th receive precedes the send that takes its place. No more.

use super::{Call, Kind, Object, ObjectKind, Outlook, Role, Shared};
use crate::history::{Order, Past, Try};

/// The kind.
pub struct Queue;

/// An operation on a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Append a message, and tell its number from one on; zero if the receiver has ended. Undefined
    /// while the queue is full.
    Send,
    /// Append a message if there is room, and tell its number, or zero.
    TrySend,
    /// Take the first message, and tell its number from one on; zero if there is none and all
    /// senders have ended. Undefined while the queue is empty otherwise.
    Receive,
    /// Take the first message if there is one, and tell its number, or zero.
    TryReceive,
    /// Tell how many messages there are.
    Length,
    /// End one of the senders.
    CloseSender,
    /// End the receiver.
    CloseReceiver,
}

/// A queue at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// How many messages have been sent.
    pub sent: u32,
    /// How many messages have been received.
    pub received: u32,
    /// How many senders there are, if they are counted.
    pub senders: u32,
    /// Whether the receiver has ended.
    pub is_deaf: bool,
}

impl Value {
    #[inline]
    fn length(&self) -> u32 {
        self.sent.wrapping_sub(self.received)
    }
}

/// Performs an operation on a queue of this capacity: what it tells, and the queue after it; nothing
/// where it is undefined.
#[inline]
pub fn perform(operation: Operation, capacity: u32, value: Value) -> Option<(Option<i64>, Value)> {
    let has_room = value.length() < capacity;
    let (told, value) = match operation {
        Operation::Send | Operation::TrySend if has_room && !value.is_deaf => {
            let sent = value.sent.wrapping_add(1);
            (i64::from(value.sent) + 1, Value { sent, ..value })
        }
        Operation::Send if !value.is_deaf => return None,
        Operation::Send | Operation::TrySend => (0, value),
        Operation::Receive | Operation::TryReceive if value.length() > 0 => {
            let received = value.received.wrapping_add(1);
            (i64::from(value.received) + 1, Value { received, ..value })
        }
        Operation::Receive if value.senders > 0 => return None,
        Operation::Receive | Operation::TryReceive => (0, value),
        Operation::Length => (value.length().into(), value),
        Operation::CloseSender if value.senders == Object::UNCOUNTED => return Some((None, value)),
        Operation::CloseSender => {
            let senders = value.senders.saturating_sub(1);
            return Some((None, Value { senders, ..value }));
        }
        Operation::CloseReceiver => {
            let is_deaf = true;
            return Some((None, Value { is_deaf, ..value }));
        }
    };
    Some((Some(told), value))
}

impl Shared for Queue {
    type Operation = Operation;
    type Value = Value;

    const KIND: ObjectKind = ObjectKind::QUEUE;
    const BY_VALUE: bool = false;

    #[inline]
    fn operation(call: &Call, _object: &Object) -> Option<Operation> {
        Some(match call.kind {
            Kind::SEND => Operation::Send,
            Kind::TRY_SEND => Operation::TrySend,
            Kind::RECEIVE => Operation::Receive,
            Kind::TRY_RECEIVE => Operation::TryReceive,
            Kind::LENGTH => Operation::Length,
            Kind::CLOSE_SENDER => Operation::CloseSender,
            Kind::CLOSE_RECEIVER => Operation::CloseReceiver,
            _ => return None,
        })
    }

    #[inline]
    fn value(object: &Object) -> Value {
        Value {
            sent: object.sent,
            received: object.received,
            senders: object.senders,
            is_deaf: object.deaf != 0,
        }
    }

    #[inline]
    fn put(object: &mut Object, value: Value) {
        object.sent = value.sent;
        object.received = value.received;
        object.senders = value.senders;
        object.deaf = value.is_deaf.into();
    }

    #[inline]
    fn perform(
        operation: Operation,
        object: &Object,
        value: Value,
    ) -> Option<(Option<i64>, Value)> {
        perform(operation, object.bound, value)
    }

    #[inline]
    fn past(operation: Operation, object: &Object, _refined: bool) -> Past {
        let length = object.length();
        let (role, number) = match operation {
            Operation::Send | Operation::TrySend if length < object.bound && object.deaf == 0 => {
                (Role::Send, object.sent)
            }
            Operation::Send | Operation::TrySend => (Role::SendMiss, object.sent),
            Operation::Receive | Operation::TryReceive if length > 0 => {
                (Role::Receive, object.received)
            }
            Operation::Receive | Operation::TryReceive => (Role::ReceiveMiss, object.received),
            Operation::Length => (Role::Length, 0),
            Operation::CloseReceiver => (Role::ReceiverClose, 0),
            Operation::CloseSender => {
                return Past {
                    role: Role::SenderClose,
                    ..Past::default()
                };
            }
        };
        Past {
            role,
            number,
            capacity: object.bound,
            before: length,
            ..Past::default()
        }
    }

    #[inline]
    fn order(first: &Past, second: &Past) -> Order {
        use Role::*;
        match (first.role, second.role) {
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
            (ReceiveMiss, SenderClose) if first.blocking => Order::None,
            (ReceiveMiss, SenderClose) => Order::Conflict,
            // A try that takes a message finds none when it comes before the send, and then the order matters. What is ordered
            // with it must not depend on that, or an execution in which both come before the send is missed.
            (SenderClose, Receive) if !second.blocking => Order::Conflict,
            (Receive, SenderClose) if !first.blocking => Order::Conflict,
            (ReceiverClose, SendMiss) => second.unless_waiting(first.before < first.capacity),
            (Send | SendMiss, ReceiverClose) | (ReceiverClose, Send) => Order::Conflict,
            _ => Order::None,
        }
    }

    fn outlook(kind: Kind, _role: Role) -> Outlook {
        match kind {
            Kind::TRY_SEND => Outlook::Tries(Try::Send),
            Kind::TRY_RECEIVE => Outlook::Tries(Try::Receive),
            _ => Outlook::Same,
        }
    }

    fn wish(kind: Kind, _role: Role) -> Option<Role> {
        match kind {
            Kind::SEND => Some(Role::Send),
            Kind::RECEIVE => Some(Role::Receive),
            _ => None,
        }
    }
}
