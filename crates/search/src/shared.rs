//! A store that several workers use at once.
//!
//! Workers hold a read lock for thousands of steps, so the loop meets no lock. One that finds the
//! store crowded lets go, asks the others to do the same, and makes the store grow.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, RwLock, RwLockReadGuard};

use crate::report::StopReason;
use crate::sample::sample;
use crate::store::{Crowded, Store};
use crate::system::System;

/// A store and the wish that it grow.
pub(crate) struct Shared<S> {
    store: RwLock<S>,
    /// Does a worker wait for the others to let go?
    is_wanted: AtomicBool,
    /// Held by the worker who makes the store grow. Others who find it crowded wait here, not for
    /// the store: he takes it up again before they could, and would keep it.
    growing: Mutex<()>,
    /// How often it has grown. Changes only while nobody reads.
    growths: AtomicU64,
}

impl<S: Store> Shared<S> {
    pub fn new(store: S) -> Self {
        Shared {
            store: RwLock::new(store),
            is_wanted: AtomicBool::new(false),
            growing: Mutex::new(()),
            growths: AtomicU64::new(0),
        }
    }

    /// The store, for use along with others. It must be let go soon after [`Shared::is_wanted`].
    pub fn read(&self) -> RwLockReadGuard<'_, S> {
        self.store.read().unwrap_or_else(|lock| lock.into_inner())
    }

    /// How often the store has grown. The same as long as a worker reads it.
    pub fn growths(&self) -> u64 {
        self.growths.load(Ordering::Relaxed)
    }

    /// Does another worker wait for the store?
    #[inline]
    pub fn is_wanted(&self) -> bool {
        self.is_wanted.load(Ordering::Relaxed)
    }

    /// Shows a store that nobody uses yet what the states of a system are like.
    pub fn prepare<Y: System>(&self, system: &Y) {
        if S::LEARNS {
            self.change(|store| store.prepare(sample(system)));
        }
    }

    /// Changes a store that nobody uses yet.
    pub fn change<T>(&self, change: impl FnOnce(&mut S) -> T) -> T {
        change(&mut self.store.write().unwrap_or_else(|lock| lock.into_inner()))
    }

    /// Makes a store that was crowded after this many `growths` grow, to `room` bytes at most, unless
    /// another worker was faster. Says whether there may be room now.
    pub fn grow(&self, growths: u64, room: u64) -> bool {
        let turn = self.growing.lock();
        let _turn = turn.unwrap_or_else(|lock| lock.into_inner());
        if self.growths() != growths {
            return true;
        }
        self.is_wanted.store(true, Ordering::Relaxed);
        let mut store = self.store.write().unwrap_or_else(|lock| lock.into_inner());
        self.is_wanted.store(false, Ordering::Relaxed);
        self.growths.store(growths + 1, Ordering::Relaxed);
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
                    let growths = self.shared.growths();
                    self.store = None;
                    if !self.shared.grow(growths, room()) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::Tree;

    #[test]
    fn who_comes_second_does_not_wait_for_who_grew_it() {
        let shared = Shared::new(Tree::new());
        let crowded_after = shared.growths();
        assert!(shared.grow(crowded_after, u64::MAX));
        // The first one has taken it up again, and keeps it.
        let _held = shared.read();
        assert!(shared.grow(crowded_after, u64::MAX));
        assert_eq!(shared.growths(), crowded_after + 1);
        assert!(!shared.is_wanted());
    }
}
