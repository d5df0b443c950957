//! Mirrors `std::sync::Mutex`. A mutex is never poisoned: an actor that panics ends the execution,
//! or keeps what it holds.

use std::cell::UnsafeCell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use mazurka_runtime::{Kind, ObjectId, ObjectKind, Operation};

use crate::coroutine::{make, perform};
use crate::objects::blank;

pub use std::sync::{LockResult, PoisonError, TryLockError, TryLockResult};

/// Mirrors its namesake.
pub struct Mutex<T: ?Sized> {
    pub(super) object: ObjectId,
    value: UnsafeCell<T>,
}

// SAFETY: the kernel gives the mutex to one actor at a time, and all actors that can know it run
// on one thread.
unsafe impl<T: ?Sized + Send> Send for Mutex<T> {}
// SAFETY: the same.
unsafe impl<T: ?Sized + Send> Sync for Mutex<T> {}

/// Mirrors its namesake.
pub struct MutexGuard<'m, T: ?Sized> {
    pub(super) mutex: &'m Mutex<T>,
    // As in `std`, whoever takes a mutex frees it.
    stays: PhantomData<*mut ()>,
}

// SAFETY: a guard that is shared gives shared access to the contents, and no more.
unsafe impl<T: ?Sized + Sync> Sync for MutexGuard<'_, T> {}

impl<T> Mutex<T> {
    /// A new one.
    #[track_caller]
    pub fn new(value: T) -> Mutex<T> {
        Mutex {
            object: make(blank(ObjectKind::MUTEX)),
            value: UnsafeCell::new(value),
        }
    }

    /// The mutex that is this object.
    pub(crate) fn at(object: ObjectId, value: T) -> Mutex<T> {
        Mutex {
            object,
            value: UnsafeCell::new(value),
        }
    }

    /// Its contents.
    pub fn into_inner(self) -> LockResult<T> {
        Ok(self.value.into_inner())
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Waits until it is free, and takes it.
    #[track_caller]
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        perform(Operation::on(Kind::LOCK, self.object));
        Ok(self.guard())
    }

    /// Takes it, if it is free.
    #[track_caller]
    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        if perform(Operation::on(Kind::TRY_LOCK, self.object)) != 0 {
            Ok(self.guard())
        } else {
            Err(TryLockError::WouldBlock)
        }
    }

    /// Its contents, which nobody else can reach.
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        Ok(self.value.get_mut())
    }

    /// Never: see the module.
    pub fn is_poisoned(&self) -> bool {
        false
    }

    /// Nothing: see the module.
    pub fn clear_poison(&self) {}

    fn guard(&self) -> MutexGuard<'_, T> {
        MutexGuard {
            mutex: self,
            stays: PhantomData,
        }
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the guard's actor holds the mutex.
        unsafe { &*self.mutex.value.get() }
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the guard's actor holds the mutex.
        unsafe { &mut *self.mutex.value.get() }
    }
}

impl<T: ?Sized> Drop for MutexGuard<'_, T> {
    #[track_caller]
    fn drop(&mut self) {
        perform(Operation::on(Kind::UNLOCK, self.mutex.object));
    }
}

impl<T: ?Sized> fmt::Debug for Mutex<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Mutex").field(&self.object).finish()
    }
}

impl<T: Default> Default for Mutex<T> {
    #[track_caller]
    fn default() -> Mutex<T> {
        Mutex::new(T::default())
    }
}

impl<T> From<T> for Mutex<T> {
    #[track_caller]
    fn from(value: T) -> Mutex<T> {
        Mutex::new(value)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(out)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for MutexGuard<'_, T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(out)
    }
}
