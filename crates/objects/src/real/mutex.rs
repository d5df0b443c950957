//! A mutex of a real program: [`crate::mutex`].
//!
//! Every change is ordered; tries that failed are reads. An unlock is asked for by who holds the
//! mutex, and not questioned here.

use super::{Call, Kind, Object, ObjectKind, Outlook, Role, Shared};
use crate::history::{Order, Past, Try};
use crate::mutex::{self, Operation};

/// The kind.
pub struct Mutex;

impl Shared for Mutex {
    type Operation = Operation;
    type Value = Option<u32>;

    const KIND: ObjectKind = ObjectKind::MUTEX;
    const BY_VALUE: bool = false;

    #[inline]
    fn operation(call: &Call, object: &Object) -> Option<Operation> {
        Some(match call.kind {
            Kind::LOCK | Kind::REACQUIRE | Kind::REACQUIRE_TIMED => Operation::Lock(call.actor),
            Kind::TRY_LOCK => Operation::TryLock(call.actor),
            Kind::UNLOCK | Kind::WAIT => Operation::Unlock(object.holder()?),
            _ => return None,
        })
    }

    #[inline]
    fn value(object: &Object) -> Option<u32> {
        object.holder()
    }

    #[inline]
    fn put(object: &mut Object, owner: Option<u32>) {
        object.owner = owner.map_or(0, |actor| actor as u8 + 1);
    }

    #[inline]
    fn perform(
        operation: Operation,
        _object: &Object,
        owner: Option<u32>,
    ) -> Option<(Option<i64>, Option<u32>)> {
        let (told, owner) = mutex::perform(operation, owner)?;
        Some((told.map(i64::from), owner))
    }

    #[inline]
    fn past(operation: Operation, object: &Object, _refined: bool) -> Past {
        let role = match operation {
            Operation::Unlock(_) => Role::Unlock,
            _ if object.owner == 0 => Role::Lock,
            _ => Role::Look,
        };
        Past {
            role,
            before: object.held(),
            ..Past::default()
        }
    }

    #[inline]
    fn order(first: &Past, second: &Past) -> Order {
        use Role::*;
        match (first.role, second.role) {
            (Lock | Unlock | Look, Lock) => second.unless_waiting(first.before == 0),
            (Lock | Unlock | Look, Unlock | Look) => Order::Conflict,
            _ => Order::None,
        }
    }

    fn outlook(kind: Kind, _role: Role) -> Outlook {
        match kind {
            Kind::TRY_LOCK => Outlook::Tries(Try::Lock),
            Kind::REACQUIRE_TIMED => Outlook::Needs(Try::Lock),
            _ => Outlook::Same,
        }
    }

    fn wish(kind: Kind, _role: Role) -> Option<Role> {
        let waits = matches!(kind, Kind::LOCK | Kind::REACQUIRE | Kind::REACQUIRE_TIMED);
        waits.then_some(Role::Lock)
    }
}
