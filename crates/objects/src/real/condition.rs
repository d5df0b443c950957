//! A condition variable.
//!
//! To wait for it is to free a mutex and to begin to wait, at once; then, notified, to acquire the
//! mutex again. Waits commute, and so do notifications that wake nobody.

use super::{Call, Kind, Object, ObjectKind, Outlook, Role, Shared};
use crate::history::{Order, Past};

/// The kind.
pub struct Condition;

/// An operation on a condition variable, with the number of the actor that performs it, below 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Begin to wait.
    Begin(u32),
    /// Go on, notified; undefined before.
    GoOn(u32),
    /// Wait no longer, and tell whether it was notified.
    End(u32),
    /// Wake one of those who wait, the one with this rank among them, and tell who, plus one; zero
    /// if nobody waits.
    NotifyOne(u32),
    /// Wake all who wait, and tell who, one bit each.
    NotifyAll,
}

/// Performs an operation while these wait, one bit each: what it tells, and who waits after it;
/// nothing where it is undefined.
#[inline]
pub fn perform(operation: Operation, waiting: u64) -> Option<(Option<i64>, u64)> {
    Some(match operation {
        Operation::Begin(actor) => (None, waiting | 1 << actor),
        Operation::GoOn(actor) if waiting >> actor & 1 == 1 => return None,
        Operation::GoOn(_) => (None, waiting),
        Operation::End(actor) => {
            let was_notified = waiting >> actor & 1 == 0;
            (Some(was_notified.into()), waiting & !(1 << actor))
        }
        Operation::NotifyOne(rank) => {
            let mut candidates = waiting;
            for _ in 0..rank {
                candidates &= candidates.wrapping_sub(1);
            }
            let woken = candidates & candidates.wrapping_neg();
            let number = 64 - woken.leading_zeros();
            (Some(number.into()), waiting & !woken)
        }
        Operation::NotifyAll => (Some(waiting as i64), 0),
    })
}

impl Shared for Condition {
    type Operation = Operation;
    type Value = u64;

    const KIND: ObjectKind = ObjectKind::CONDITION;
    const BY_VALUE: bool = false;

    #[inline]
    fn operation(call: &Call, _object: &Object) -> Option<Operation> {
        Some(match call.kind {
            Kind::WAIT => Operation::Begin(call.actor),
            Kind::REACQUIRE => Operation::GoOn(call.actor),
            Kind::REACQUIRE_TIMED => Operation::End(call.actor),
            Kind::NOTIFY_ONE => Operation::NotifyOne(call.choice),
            Kind::NOTIFY_ALL => Operation::NotifyAll,
            _ => return None,
        })
    }

    #[inline]
    fn value(object: &Object) -> u64 {
        object.actors
    }

    #[inline]
    fn put(object: &mut Object, waiting: u64) {
        object.actors = waiting;
    }

    #[inline]
    fn perform(operation: Operation, _object: &Object, waiting: u64) -> Option<(Option<i64>, u64)> {
        perform(operation, waiting)
    }

    #[inline]
    fn past(operation: Operation, object: &Object, _refined: bool) -> Past {
        let role = match operation {
            Operation::Begin(_) => Role::Wait,
            // It has one certain notification before it, and no more to do with the others.
            Operation::GoOn(_) => Role::None,
            Operation::End(_) => Role::EndWait,
            _ if object.actors != 0 => Role::Notify,
            _ => Role::NotifyNobody,
        };
        Past {
            role,
            ..Past::default()
        }
    }

    #[inline]
    fn order(first: &Past, second: &Past) -> Order {
        use Role::*;
        match (first.role, second.role) {
            (Wait, Wait) | (NotifyNobody, NotifyNobody) | (EndWait, EndWait) => Order::None,
            (Wait, EndWait) | (EndWait, Wait) => Order::None,
            (Wait | Notify | NotifyNobody | EndWait, Wait | Notify | NotifyNobody | EndWait) => {
                Order::Conflict
            }
            _ => Order::None,
        }
    }

    #[inline]
    fn choices(operation: Operation, object: &Object) -> u32 {
        match operation {
            Operation::NotifyOne(_) => object.actors.count_ones().max(1),
            _ => 1,
        }
    }

    fn outlook(kind: Kind, _role: Role) -> Outlook {
        match kind {
            Kind::NOTIFY_ONE | Kind::NOTIFY_ALL => Outlook::ByValue,
            _ => Outlook::Same,
        }
    }

    fn awaits(kind: Kind) -> bool {
        kind == Kind::REACQUIRE
    }

    fn is_cause(call: &Call, kind: Kind, told: i64, _past: &Past) -> bool {
        match kind {
            Kind::NOTIFY_ONE => told == i64::from(call.actor) + 1,
            Kind::NOTIFY_ALL => told >> call.actor & 1 == 1,
            _ => false,
        }
    }
}
