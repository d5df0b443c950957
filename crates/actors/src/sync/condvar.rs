//! Mirrors `std::sync::Condvar`. Which of several waiting actors a notification wakes is a choice
//! that is explored; nobody wakes without one. A time limit may run out at any moment.

use std::time::Duration;

use mazurka_runtime::{Kind, ObjectId, ObjectKind, Operation};

use super::mutex::{LockResult, MutexGuard};
use crate::coroutine::{make, perform};
use crate::objects::blank;

/// Mirrors its namesake.
#[derive(Debug)]
pub struct Condvar(ObjectId);

/// Mirrors its namesake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitTimeoutResult(bool);

impl WaitTimeoutResult {
    /// Whether the time limit ran out.
    pub fn timed_out(&self) -> bool {
        self.0
    }
}

impl Condvar {
    /// A new one.
    #[track_caller]
    pub fn new() -> Condvar {
        Condvar(make(blank(ObjectKind::CONDITION)))
    }

    /// Frees the mutex, waits for a notification, and takes the mutex again.
    #[track_caller]
    pub fn wait<'m, T: ?Sized>(&self, guard: MutexGuard<'m, T>) -> LockResult<MutexGuard<'m, T>> {
        let mutex = guard.mutex.object;
        perform(Operation::on(Kind::WAIT, self.0).beside(mutex));
        perform(Operation::on(Kind::REACQUIRE, mutex).beside(self.0));
        Ok(guard)
    }

    /// Waits while a condition holds.
    #[track_caller]
    pub fn wait_while<'m, T: ?Sized>(
        &self,
        mut guard: MutexGuard<'m, T>,
        mut condition: impl FnMut(&mut T) -> bool,
    ) -> LockResult<MutexGuard<'m, T>> {
        while condition(&mut guard) {
            guard = self.wait(guard)?;
        }
        Ok(guard)
    }

    /// The same, or until time is over, which may be at any moment.
    #[track_caller]
    pub fn wait_timeout<'m, T: ?Sized>(
        &self,
        guard: MutexGuard<'m, T>,
        _: Duration,
    ) -> LockResult<(MutexGuard<'m, T>, WaitTimeoutResult)> {
        let mutex = guard.mutex.object;
        perform(Operation::on(Kind::WAIT, self.0).beside(mutex));
        let notified = perform(Operation::on(Kind::REACQUIRE_TIMED, mutex).beside(self.0));
        Ok((guard, WaitTimeoutResult(notified == 0)))
    }

    /// Waits while a condition holds, or until time is over, which may be at any moment.
    #[track_caller]
    pub fn wait_timeout_while<'m, T: ?Sized>(
        &self,
        mut guard: MutexGuard<'m, T>,
        limit: Duration,
        mut condition: impl FnMut(&mut T) -> bool,
    ) -> LockResult<(MutexGuard<'m, T>, WaitTimeoutResult)> {
        while condition(&mut guard) {
            let (again, waited) = self.wait_timeout(guard, limit)?;
            guard = again;
            if waited.timed_out() {
                let is_over = condition(&mut guard);
                return Ok((guard, WaitTimeoutResult(is_over)));
            }
        }
        Ok((guard, WaitTimeoutResult(false)))
    }

    /// Wakes one of those who wait.
    #[track_caller]
    pub fn notify_one(&self) {
        perform(Operation::on(Kind::NOTIFY_ONE, self.0));
    }

    /// Wakes all who wait.
    #[track_caller]
    pub fn notify_all(&self) {
        perform(Operation::on(Kind::NOTIFY_ALL, self.0));
    }
}

impl Default for Condvar {
    #[track_caller]
    fn default() -> Condvar {
        Condvar::new()
    }
}
