//! A read-write lock: many readers or one writer.
//!
//! Operations carry the process that performs them. A process may hold the lock for reading more than
//! once, so how often all together do counts, and who took it last is only remembered: an unlock is
//! asked for by who holds the lock, and not questioned here.
//!
//! In an execution, what readers do commutes, and all else is ordered.

use super::{Call, Kind, Object, ObjectKind, Outlook, Role, Shared};
use crate::history::{Order, Past, Try};
use crate::outcome::order_matters;

/// The kind.
pub struct RwLock;

/// An operation on a read-write lock, with the number of the process that performs it, below 64.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Hold it for reading; undefined while a writer does.
    ReadLock(u32),
    /// Hold it for reading if no writer holds it, and tell whether that was so.
    TryReadLock(u32),
    /// Give it back; undefined where nobody holds it for reading.
    ReadUnlock(u32),
    /// Hold it for writing; undefined while anybody holds it.
    WriteLock(u32),
    /// Hold it for writing if nobody holds it, and tell whether that was so.
    TryWriteLock(u32),
    /// Give it back; undefined for others than the writer.
    WriteUnlock(u32),
}

/// Who holds a read-write lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct View {
    /// The process that holds it for writing, if one does.
    pub writer: Option<u32>,
    /// The processes that took it for reading and have not given it back since, one bit each.
    pub readers: u64,
    /// How often it is held for reading.
    pub count: u32,
}

/// Performs an operation: what it tells, and who holds the lock after it; nothing where it is
/// undefined.
#[inline]
pub fn apply(operation: Operation, view: View) -> Option<(Option<bool>, View)> {
    use Operation::*;
    let is_free = view.writer.is_none() && view.count == 0;
    let reading = |process: u32| View {
        readers: view.readers | 1 << process,
        count: view.count + 1,
        ..view
    };
    let writing = |process: u32| View {
        writer: Some(process),
        ..view
    };
    Some(match operation {
        ReadLock(process) | TryReadLock(process) if view.writer.is_none() => {
            (Some(true), reading(process))
        }
        WriteLock(process) | TryWriteLock(process) if is_free => (Some(true), writing(process)),
        TryReadLock(_) | TryWriteLock(_) => (Some(false), view),
        ReadLock(_) | WriteLock(_) => return None,
        ReadUnlock(process) => {
            let count = view.count.checked_sub(1)?;
            let readers = view.readers & !(1 << process);
            let view = View {
                readers,
                count,
                ..view
            };
            (None, view)
        }
        WriteUnlock(process) if view.writer == Some(process) => {
            let writer = None;
            (None, View { writer, ..view })
        }
        WriteUnlock(_) => return None,
    })
}

/// Whether the order of `a` and `b` matters as the lock is held now.
#[inline]
pub fn dependent_in(a: Operation, b: Operation, view: View) -> bool {
    order_matters(apply, a, b, view)
}

impl Shared for RwLock {
    type Operation = Operation;
    type Value = View;

    const KIND: ObjectKind = ObjectKind::RWLOCK;
    const BY_VALUE: bool = true;

    #[inline]
    fn operation(call: &Call, object: &Object) -> Option<Operation> {
        Some(match call.kind {
            Kind::READ_LOCK => Operation::ReadLock(call.actor),
            Kind::TRY_READ_LOCK => Operation::TryReadLock(call.actor),
            Kind::READ_UNLOCK => Operation::ReadUnlock(call.actor),
            Kind::WRITE_LOCK => Operation::WriteLock(call.actor),
            Kind::TRY_WRITE_LOCK => Operation::TryWriteLock(call.actor),
            Kind::WRITE_UNLOCK => Operation::WriteUnlock(object.holder()?),
            _ => return None,
        })
    }

    #[inline]
    fn value(object: &Object) -> View {
        View {
            writer: object.holder(),
            readers: object.actors,
            count: object.sent,
        }
    }

    #[inline]
    fn put(object: &mut Object, view: View) {
        object.owner = view.writer.map_or(0, |actor| actor as u8 + 1);
        object.actors = view.readers;
        object.sent = view.count;
    }

    #[inline]
    fn perform(operation: Operation, _object: &Object, view: View) -> Option<(Option<i64>, View)> {
        let (told, view) = apply(operation, view)?;
        Some((told.map(i64::from), view))
    }

    #[inline]
    fn past(operation: Operation, object: &Object, _refined: bool) -> Past {
        let (before, is_written) = (object.held(), object.owner != 0);
        let (role, before) = match operation {
            Operation::ReadLock(_) | Operation::TryReadLock(_) if is_written => {
                (Role::Look, before)
            }
            Operation::ReadLock(_) | Operation::TryReadLock(_) => (Role::ReadLock, before),
            Operation::WriteLock(_) | Operation::TryWriteLock(_) if before != 0 => {
                (Role::Look, before)
            }
            Operation::WriteLock(_) | Operation::TryWriteLock(_) => (Role::WriteLock, before),
            Operation::ReadUnlock(_) => (Role::ReadUnlock, 0),
            Operation::WriteUnlock(_) => (Role::WriteUnlock, 0),
        };
        Past {
            role,
            before,
            ..Past::default()
        }
    }

    #[inline]
    fn order(first: &Past, second: &Past) -> Order {
        use Role::*;
        match (first.role, second.role) {
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
            _ => Order::None,
        }
    }

    fn outlook(kind: Kind, _role: Role) -> Outlook {
        match kind {
            Kind::TRY_READ_LOCK => Outlook::Tries(Try::ReadLock),
            Kind::TRY_WRITE_LOCK => Outlook::Tries(Try::WriteLock),
            _ => Outlook::Same,
        }
    }

    fn wish(kind: Kind, _role: Role) -> Option<Role> {
        match kind {
            Kind::READ_LOCK => Some(Role::ReadLock),
            Kind::WRITE_LOCK => Some(Role::WriteLock),
            _ => None,
        }
    }
}
