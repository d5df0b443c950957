//! Mirrors `std::sync`.

pub mod atomic;
mod barrier;
mod condvar;
mod fixed;
mod lazy;
pub mod mpsc;
mod mutex;
mod once;
mod rwlock;

pub use barrier::{Barrier, BarrierWaitResult};
pub use condvar::{Condvar, WaitTimeoutResult};
pub use fixed::Static;
pub use lazy::LazyLock;
pub use mutex::{LockResult, Mutex, MutexGuard, PoisonError, TryLockError, TryLockResult};
pub use once::{Once, OnceLock, OnceState};
pub use rwlock::{RwLock, RwLockReadGuard, RwLockWriteGuard};
pub use std::sync::{Arc, Weak};
