//! A read-write lock: many readers or one writer.
//!
//! Operations carry the process that performs them. A process may hold the lock for reading more than
//! once, so how often all together do counts, and who took it last is only remembered: an unlock is
//! asked for by who holds the lock, and not questioned here.

use crate::outcome::order_matters;

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
pub fn apply(operation: Operation, view: View) -> Option<(bool, View)> {
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
            (true, reading(process))
        }
        WriteLock(process) | TryWriteLock(process) if is_free => (true, writing(process)),
        TryReadLock(_) | TryWriteLock(_) => (false, view),
        ReadLock(_) | WriteLock(_) => return None,
        ReadUnlock(process) => {
            let count = view.count.checked_sub(1)?;
            let readers = view.readers & !(1 << process);
            (
                true,
                View {
                    readers,
                    count,
                    ..view
                },
            )
        }
        WriteUnlock(process) if view.writer == Some(process) => (
            true,
            View {
                writer: None,
                ..view
            },
        ),
        WriteUnlock(_) => return None,
    })
}

/// Whether the order of `a` and `b` matters as the lock is held now.
#[inline]
pub fn dependent_in(a: Operation, b: Operation, view: View) -> bool {
    order_matters(apply, a, b, view)
}
