//! Dependency that looks at values: two steps commute *now*, though in general they would not.
//! What depends on what is known to `mazurka-objects`; here its operations are named.

use mazurka_objects::{barrier, cell, rwlock, semaphore};

use crate::kernel::Kernel;
use crate::object::{Object, ObjectKind};
use crate::operation::{Kind, ObjectId, Operation};

impl Kernel {
    /// Whether two operations of different actors, both possible, give the same results and leave
    /// the same state in either order, here and now.
    ///
    /// This is the conditional independence of sleep sets: it need not hold in any other state.
    pub fn commute_now(&self, one: (usize, &Operation), other: (usize, &Operation)) -> bool {
        let (a, b) = (one.1, other.1);
        // Two objects at once are left to the constant relation.
        if a.object != b.object || a.second != ObjectId::NONE || b.second != ObjectId::NONE {
            return false;
        }
        let object = self.object(a.object);
        let depends = match object.kind {
            ObjectKind::VARIABLE => both(on_cell(a), on_cell(b))
                .map(|(a, b)| cell::dependent_in(a, b, object.cell_width(), object.value)),
            ObjectKind::SEMAPHORE => both(on_semaphore(a), on_semaphore(b)).map(|(a, b)| {
                let view = semaphore::View {
                    count: object.value.clamp(0, i64::from(u32::MAX) - 1) as u32,
                    bound: u32::MAX,
                };
                semaphore::dependent_in(a, b, &view)
            }),
            ObjectKind::RWLOCK => {
                let operations = both(on_rwlock(one.0, a), on_rwlock(other.0, b));
                operations.map(|(a, b)| rwlock::dependent_in(a, b, view_of_rwlock(object)))
            }
            ObjectKind::BARRIER => both(on_barrier(a), on_barrier(b)).map(|(a, b)| {
                let view = barrier::View {
                    arrived: object.sent,
                    generation: object.value,
                };
                barrier::dependent_in(a, b, object.bound, view)
            }),
            _ => None,
        };
        depends == Some(false)
    }
}

fn both<T>(a: Option<T>, b: Option<T>) -> Option<(T, T)> {
    a.zip(b)
}

/// An operation on a variable.
#[inline]
pub(crate) fn on_cell(operation: &Operation) -> Option<cell::Operation> {
    use cell::Operation::*;
    let argument = operation.argument;
    Some(match operation.kind {
        Kind::READ => Read,
        Kind::WRITE => Write(argument),
        Kind::ADD => Add(argument),
        Kind::FETCH_ADD => FetchAdd(argument),
        Kind::SWAP => Swap(argument),
        Kind::COMPARE_EXCHANGE => CompareExchange(argument, operation.extra),
        Kind::FETCH_AND => FetchAnd(argument),
        Kind::FETCH_OR => FetchOr(argument),
        Kind::FETCH_XOR => FetchXor(argument),
        Kind::FETCH_MAX => FetchMax(argument),
        Kind::FETCH_MIN => FetchMin(argument),
        _ => return None,
    })
}

fn on_semaphore(operation: &Operation) -> Option<semaphore::Operation> {
    Some(match operation.kind {
        Kind::TAKE => semaphore::Operation::Take,
        Kind::TRY_TAKE => semaphore::Operation::TryTake,
        Kind::RELEASE => semaphore::Operation::Release,
        _ => return None,
    })
}

fn on_rwlock(actor: usize, operation: &Operation) -> Option<rwlock::Operation> {
    let actor = actor as u32;
    Some(match operation.kind {
        Kind::READ_LOCK => rwlock::Operation::ReadLock(actor),
        Kind::TRY_READ_LOCK => rwlock::Operation::TryReadLock(actor),
        Kind::READ_UNLOCK => rwlock::Operation::ReadUnlock(actor),
        Kind::WRITE_LOCK => rwlock::Operation::WriteLock(actor),
        Kind::TRY_WRITE_LOCK => rwlock::Operation::TryWriteLock(actor),
        Kind::WRITE_UNLOCK => rwlock::Operation::WriteUnlock(actor),
        _ => return None,
    })
}

fn view_of_rwlock(object: &Object) -> rwlock::View {
    rwlock::View {
        writer: u32::from(object.owner).checked_sub(1),
        readers: object.actors,
        count: object.sent,
    }
}

fn on_barrier(operation: &Operation) -> Option<barrier::Operation> {
    Some(match operation.kind {
        Kind::ARRIVE => barrier::Operation::Arrive,
        Kind::PASS => barrier::Operation::Pass(operation.argument),
        _ => return None,
    })
}
