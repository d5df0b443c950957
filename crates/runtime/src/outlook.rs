//! What an operation will be where another order of steps is tried.

use mazurka_objects::history::{Past, Role, Try};

use crate::kernel::Kernel;
use crate::operation::Kind;

/// What is known of a step that comes earlier than it did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outlook {
    /// It will be the same to its objects.
    Same,
    /// What it will be is known only when it is performed.
    Unknown,
    /// It succeeds or not, which follows from what comes before it.
    Tries(Try),
    /// It is possible only where this would succeed: it has two objects, and a race on one says
    /// nothing of whether the other is free.
    Needs(Try),
}

impl Outlook {
    /// The outlook of an operation of this kind that was this to its object.
    pub fn of(kind: Kind, role: Role) -> Outlook {
        Outlook::Tries(match (kind, role) {
            (Kind::COMPARE_EXCHANGE | Kind::NOTIFY_ONE | Kind::NOTIFY_ALL, _) => {
                return Outlook::Unknown;
            }
            (Kind::REACQUIRE_TIMED, _) => return Outlook::Needs(Try::Lock),
            (Kind::TRY_SEND, _) => Try::Send,
            (Kind::TRY_RECEIVE, _) => Try::Receive,
            (Kind::TRY_TAKE, Role::Receive | Role::ReceiveMiss) => Try::Receive,
            (Kind::TRY_TAKE, _) => Try::Take,
            (Kind::TRY_LOCK, _) => Try::Lock,
            (Kind::TRY_READ_LOCK, _) => Try::ReadLock,
            (Kind::TRY_WRITE_LOCK, _) => Try::WriteLock,
            _ => return Outlook::Same,
        })
    }
}

impl Kernel {
    /// What the operation that an actor waits to perform will be to its object when it is
    /// possible. Nothing if that is not for others who use the object to decide.
    pub fn wish(&self, actor: usize) -> Option<Past> {
        let operation = &self.actors[actor].pending;
        // Who has not been notified waits for that, not for the mutex.
        let is_waiting = self.object(operation.second).actors >> actor & 1 == 1;
        if operation.kind == Kind::REACQUIRE && is_waiting {
            return None;
        }
        let mut past = self.effect(operation).past;
        past.role = match (operation.kind, past.role) {
            (Kind::SEND, _) => Role::Send,
            (Kind::RECEIVE, _) | (Kind::TAKE, Role::Receive | Role::ReceiveMiss) => Role::Receive,
            (Kind::TAKE, _) => Role::Take,
            (Kind::LOCK | Kind::REACQUIRE | Kind::REACQUIRE_TIMED, _) => Role::Lock,
            (Kind::READ_LOCK, _) => Role::ReadLock,
            (Kind::WRITE_LOCK, _) => Role::WriteLock,
            _ => return None,
        };
        Some(past)
    }
}
