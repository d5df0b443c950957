//! A store that several workers use at once.
//!
//! Workers hold a read lock for thousands of steps, so the loop meets no lock. One that finds the
//! store crowded lets go, asks the others to do the same, and makes the store grow.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{RwLock, RwLockReadGuard};

use crate::store::Store;

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

    /// Makes the store grow to `room` bytes at most, and says whether it has room then.
    pub fn grow(&self, room: u64) -> bool {
        self.is_wanted.store(true, Ordering::Relaxed);
        let mut store = self.store.write().unwrap_or_else(|lock| lock.into_inner());
        self.is_wanted.store(false, Ordering::Relaxed);
        store.grow(room)
    }
}
