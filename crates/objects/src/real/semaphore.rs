//! A semaphore of a real program: [`crate::semaphore`], without a bound.
//!
//! Every change is ordered; tries that failed are reads. Where dependency looks at values, a
//! semaphore is a queue without contents: a release is ordered with the one take that would not
//! have been possible without it, no other.

use super::{Call, Kind, Object, ObjectKind, Outlook, Role, Shared};
use crate::history::{Order, Past, Try};
use crate::semaphore::{self, Operation};

/// The kind.
pub struct Semaphore;

/// A semaphore at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    count: u32,
    /// How many have been taken.
    taken: u32,
}

impl Shared for Semaphore {
    type Operation = Operation;
    type Value = Value;

    const KIND: ObjectKind = ObjectKind::SEMAPHORE;
    const BY_VALUE: bool = true;

    #[inline]
    fn operation(call: &Call, _object: &Object) -> Option<Operation> {
        Some(match call.kind {
            Kind::TAKE => Operation::Take,
            Kind::TRY_TAKE => Operation::TryTake,
            Kind::RELEASE => Operation::Release,
            _ => return None,
        })
    }

    #[inline]
    fn value(object: &Object) -> Value {
        Value {
            count: object.value.clamp(0, u32::MAX.into()) as u32,
            taken: object.received,
        }
    }

    #[inline]
    fn put(object: &mut Object, value: Value) {
        object.value = value.count.into();
        object.received = value.taken;
    }

    #[inline]
    fn perform(
        operation: Operation,
        _object: &Object,
        Value { count, taken }: Value,
    ) -> Option<(Option<i64>, Value)> {
        let (told, after) = semaphore::perform(operation, u32::MAX, count)?;
        let value = Value {
            count: after,
            taken: taken.wrapping_add((after < count).into()),
        };
        Some((told, value))
    }

    #[inline]
    fn past(operation: Operation, object: &Object, refined: bool) -> Past {
        let Value { count, taken } = Semaphore::value(object);
        let gives = operation == Operation::Release;
        let (role, number) = match (refined, gives) {
            (false, true) => (Role::Release, 0),
            (false, false) if count == 0 => (Role::Look, 0),
            (false, false) => (Role::Take, 0),
            // Its number is that of the take that it makes possible.
            (true, true) => (Role::Send, taken.saturating_add(count)),
            (true, false) if count == 0 => (Role::ReceiveMiss, taken),
            (true, false) => (Role::Receive, taken),
        };
        Past {
            role,
            number,
            capacity: if refined { u32::MAX } else { 0 },
            before: count,
            ..Past::default()
        }
    }

    #[inline]
    fn order(first: &Past, second: &Past) -> Order {
        use Role::*;
        match (first.role, second.role) {
            (Take | Release | Look, Take) => second.unless_waiting(first.before > 0),
            (Take | Release | Look, Release | Look) => Order::Conflict,
            _ => Order::None,
        }
    }

    fn outlook(kind: Kind, role: Role) -> Outlook {
        match (kind, role) {
            (Kind::TRY_TAKE, Role::Receive | Role::ReceiveMiss) => Outlook::Tries(Try::Receive),
            (Kind::TRY_TAKE, _) => Outlook::Tries(Try::Take),
            _ => Outlook::Same,
        }
    }

    fn wish(kind: Kind, role: Role) -> Option<Role> {
        match (kind, role) {
            (Kind::TAKE, Role::Receive | Role::ReceiveMiss) => Some(Role::Receive),
            (Kind::TAKE, _) => Some(Role::Take),
            _ => None,
        }
    }
}
