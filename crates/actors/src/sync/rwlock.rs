//! Mirrors `std::sync::RwLock`.

use std::cell::UnsafeCell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use mazurka_runtime::{Kind, ObjectId, ObjectKind, Operation};

use super::mutex::{LockResult, TryLockError, TryLockResult};
use crate::coroutine::{make, perform};
use crate::objects::blank;

/// Mirrors its namesake.
pub struct RwLock<T: ?Sized> {
    object: ObjectId,
    value: UnsafeCell<T>,
}

// SAFETY: the kernel gives the lock to one writer or to readers, and all actors that can know it
// run on one thread.
unsafe impl<T: ?Sized + Send> Send for RwLock<T> {}
// SAFETY: the same.
unsafe impl<T: ?Sized + Send + Sync> Sync for RwLock<T> {}

/// Mirrors its namesake.
pub struct RwLockReadGuard<'l, T: ?Sized>(&'l RwLock<T>, Stays);
/// Mirrors its namesake.
pub struct RwLockWriteGuard<'l, T: ?Sized>(&'l RwLock<T>, Stays);

/// As in `std`, whoever takes a lock gives it back.
type Stays = PhantomData<*mut ()>;

// SAFETY: a guard that is shared gives shared access to the contents, and no more.
unsafe impl<T: ?Sized + Sync> Sync for RwLockReadGuard<'_, T> {}
// SAFETY: the same.
unsafe impl<T: ?Sized + Sync> Sync for RwLockWriteGuard<'_, T> {}

impl<T> RwLock<T> {
    /// A new one.
    #[track_caller]
    pub fn new(value: T) -> RwLock<T> {
        RwLock {
            object: make(blank(ObjectKind::RWLOCK)),
            value: UnsafeCell::new(value),
        }
    }

    /// Its contents.
    pub fn into_inner(self) -> LockResult<T> {
        Ok(self.value.into_inner())
    }
}

impl<T: ?Sized> RwLock<T> {
    /// Waits until no writer holds it, and takes it for reading.
    #[track_caller]
    pub fn read(&self) -> LockResult<RwLockReadGuard<'_, T>> {
        perform(Operation::on(Kind::READ_LOCK, self.object));
        Ok(RwLockReadGuard(self, PhantomData))
    }

    /// Waits until nobody holds it, and takes it for writing.
    #[track_caller]
    pub fn write(&self) -> LockResult<RwLockWriteGuard<'_, T>> {
        perform(Operation::on(Kind::WRITE_LOCK, self.object));
        Ok(RwLockWriteGuard(self, PhantomData))
    }

    /// Its contents, which nobody else can reach.
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        Ok(self.value.get_mut())
    }

    /// Never: an actor that panics ends the execution, or keeps what it holds.
    pub fn is_poisoned(&self) -> bool {
        false
    }

    /// Nothing: it is never poisoned.
    pub fn clear_poison(&self) {}

    /// Takes it for reading, if no writer holds it.
    #[track_caller]
    pub fn try_read(&self) -> TryLockResult<RwLockReadGuard<'_, T>> {
        match perform(Operation::on(Kind::TRY_READ_LOCK, self.object)) {
            0 => Err(TryLockError::WouldBlock),
            _ => Ok(RwLockReadGuard(self, PhantomData)),
        }
    }

    /// Takes it for writing, if nobody holds it.
    #[track_caller]
    pub fn try_write(&self) -> TryLockResult<RwLockWriteGuard<'_, T>> {
        match perform(Operation::on(Kind::TRY_WRITE_LOCK, self.object)) {
            0 => Err(TryLockError::WouldBlock),
            _ => Ok(RwLockWriteGuard(self, PhantomData)),
        }
    }
}

impl<T: ?Sized> Deref for RwLockReadGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: no writer holds the lock while the guard lives.
        unsafe { &*self.0.value.get() }
    }
}

impl<T: ?Sized> Deref for RwLockWriteGuard<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: nobody else holds the lock.
        unsafe { &*self.0.value.get() }
    }
}

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: nobody else holds the lock.
        unsafe { &mut *self.0.value.get() }
    }
}

impl<T: ?Sized> Drop for RwLockReadGuard<'_, T> {
    #[track_caller]
    fn drop(&mut self) {
        perform(Operation::on(Kind::READ_UNLOCK, self.0.object));
    }
}

impl<T: ?Sized> Drop for RwLockWriteGuard<'_, T> {
    #[track_caller]
    fn drop(&mut self) {
        perform(Operation::on(Kind::WRITE_UNLOCK, self.0.object));
    }
}

impl<T: ?Sized> fmt::Debug for RwLock<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("RwLock").field(&self.object).finish()
    }
}

impl<T: Default> Default for RwLock<T> {
    #[track_caller]
    fn default() -> RwLock<T> {
        RwLock::new(T::default())
    }
}

impl<T> From<T> for RwLock<T> {
    #[track_caller]
    fn from(value: T) -> RwLock<T> {
        RwLock::new(value)
    }
}

macro_rules! shown {
    ($($guard:ident)*) => {$(
        impl<T: ?Sized + fmt::Debug> fmt::Debug for $guard<'_, T> {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                (**self).fmt(out)
            }
        }

        impl<T: ?Sized + fmt::Display> fmt::Display for $guard<'_, T> {
            fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                (**self).fmt(out)
            }
        }
    )*};
}

shown! { RwLockReadGuard RwLockWriteGuard }
