//! A store that several workers use at once.
//!
//! Workers hold a read lock for thousands of steps, so the loop meets no lock. One that finds the
//! store crowded lets go, asks the others to do the same, and makes the store grow.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{RwLock, RwLockReadGuard};

use crate::report::StopReason;
use crate::store::{Crowded, Store};

/// A store and the wish that it grow.
pub(crate) struct Shared<S> {
    store: RwLock<S>,
    is_wanted: AtomicBool,
}

impl<S: Store> Shared<S> {
    pub fn new(store: S) -> Self {
        Shared {
            store: RwLock::new(store),
            is_wanted: AtomicBool::new(false),
        }
    }

    /// The store, for use along with others. It must be let go soon after [`Shared::is_wanted`].
    pub fn read(&self) -> RwLockReadGuard<'_, S> {
        self.store.read().unwrap_or_else(|lock| lock.into_inner())
    }

    /// Does another worker wait for the store?
    #[inline]
    pub fn is_wanted(&self) -> bool {
        self.is_wanted.load(Ordering::Relaxed)
    }

    /// Changes a store that nobody uses yet.
    pub fn change<T>(&self, change: impl FnOnce(&mut S) -> T) -> T {
        change(&mut self.store.write().unwrap_or_else(|lock| lock.into_inner()))
    }

    /// Makes the store grow to `room` bytes at most, and says whether it has room then.
    pub fn grow(&self, room: u64) -> bool {
        self.is_wanted.store(true, Ordering::Relaxed);
        let mut store = self.store.write().unwrap_or_else(|lock| lock.into_inner());
        self.is_wanted.store(false, Ordering::Relaxed);
        store.grow(room)
    }
}

/// A worker's hold on a store.
pub(crate) struct Held<'a, S> {
    shared: &'a Shared<S>,
    store: Option<RwLockReadGuard<'a, S>>,
}

impl<'a, S: Store> Held<'a, S> {
    pub fn new(shared: &'a Shared<S>) -> Self {
        Held {
            shared,
            store: None,
        }
    }

    /// Asks the store, and asks again when it has grown, to `room` bytes at most.
    #[inline]
    pub fn ask<T>(
        &mut self,
        room: impl Fn() -> u64,
        mut question: impl FnMut(&S) -> Result<T, Crowded>,
    ) -> Result<T, StopReason> {
        loop {
            let store = self.store.get_or_insert_with(|| self.shared.read());
            match question(store) {
                Ok(answer) => return Ok(answer),
                Err(Crowded) => {
                    self.store = None;
                    if !self.shared.grow(room()) {
                        return Err(StopReason::Memory);
                    }
                }
            }
        }
    }

    /// Lets go of the store if another worker waits for it.
    #[inline]
    pub fn give_way(&mut self) {
        if self.shared.is_wanted() {
            self.store = None;
        }
    }
}
