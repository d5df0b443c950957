//! Mirrors `std::sync::Once` and `OnceLock`. They belong to one execution, so one that is `static` must be in
//! [`statics!`](crate::statics).

use std::cell::UnsafeCell;
use std::fmt;

use mazurka_runtime::ObjectId;

use super::Mutex;
use crate::objects::Variable;

/// Mirrors its namesake. It is never poisoned: see [`Mutex`].
#[derive(Debug)]
pub struct Once {
    is_done: Variable,
    turn: Mutex<()>,
}

impl Once {
    /// A new one.
    #[allow(clippy::new_without_default)]
    #[track_caller]
    pub fn new() -> Once {
        Once {
            is_done: Variable::new(0),
            turn: Mutex::new(()),
        }
    }

    /// The one that consists of these objects.
    pub(super) fn at(is_done: ObjectId, turn: ObjectId) -> Once {
        Once {
            is_done: Variable::at(is_done),
            turn: Mutex::at(turn, ()),
        }
    }

    /// Calls a function, if none has been called; waits for the one that is being called.
    #[track_caller]
    pub fn call_once_force(&self, function: impl FnOnce(&OnceState)) {
        self.call_once(|| function(&OnceState(())));
    }

    /// Calls a function, if none has been called; waits for the one that is being called.
    #[track_caller]
    pub fn call_once(&self, function: impl FnOnce()) {
        if self.is_completed() {
            return;
        }
        // There is never an error.
        let _turn = self.turn.lock();
        if !self.is_completed() {
            function();
            self.is_done.write(1);
        }
    }

    /// Whether a function has been called.
    #[track_caller]
    pub fn is_completed(&self) -> bool {
        self.is_done.read() != 0
    }
}

/// Mirrors its namesake.
#[derive(Debug)]
pub struct OnceState(());

impl OnceState {
    /// Never: see [`Once`].
    pub fn is_poisoned(&self) -> bool {
        false
    }
}

/// Mirrors its namesake.
pub struct OnceLock<T> {
    once: Once,
    value: UnsafeCell<Option<T>>,
}

// SAFETY: the value is written once, before `once` is done, and only read after that; and all actors
// that can know it run on one thread.
unsafe impl<T: Send + Sync> Sync for OnceLock<T> {}

impl<T> OnceLock<T> {
    /// An empty one.
    #[track_caller]
    pub fn new() -> OnceLock<T> {
        OnceLock {
            once: Once::new(),
            value: UnsafeCell::new(None),
        }
    }

    /// Its value, if it has one.
    #[track_caller]
    pub fn get(&self) -> Option<&T> {
        // SAFETY: nobody writes any more.
        let value = || unsafe { (*self.value.get()).as_ref() };
        self.once.is_completed().then(value).flatten()
    }

    /// Its value, which nobody else can reach.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.value.get_mut().as_mut()
    }

    /// Its value at last.
    pub fn into_inner(self) -> Option<T> {
        self.value.into_inner()
    }

    /// Its value; it is empty from now on.
    #[track_caller]
    pub fn take(&mut self) -> Option<T> {
        std::mem::take(self).into_inner()
    }

    /// Gives it a value, if it has none; the value back otherwise.
    #[track_caller]
    pub fn set(&self, value: T) -> Result<(), T> {
        let mut value = Some(value);
        self.once.call_once(|| {
            // SAFETY: as in `get_or_init`.
            unsafe {
                if (*self.value.get()).is_none() {
                    *self.value.get() = value.take();
                }
            }
        });
        value.map_or(Ok(()), Err)
    }

    /// Its value, made now if it has none.
    #[track_caller]
    pub fn get_or_init(&self, make: impl FnOnce() -> T) -> &T {
        self.once.call_once(|| {
            let value = make();
            // SAFETY: nobody reads yet, and this is called once; or the execution has ended, where nothing that is asked for
            // happens, and a value that is there stays.
            unsafe { (*self.value.get()).get_or_insert(value) };
        });
        // SAFETY: nobody writes any more.
        let value = unsafe { (*self.value.get()).as_ref() };
        value.expect("it was made, or the execution has ended")
    }
}

impl<T> Default for OnceLock<T> {
    #[track_caller]
    fn default() -> OnceLock<T> {
        OnceLock::new()
    }
}

impl<T> From<T> for OnceLock<T> {
    #[track_caller]
    fn from(value: T) -> OnceLock<T> {
        let cell = OnceLock::new();
        // There is nobody else.
        let _ = cell.set(value);
        cell
    }
}

impl<T> fmt::Debug for OnceLock<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("OnceLock").field(&self.once).finish()
    }
}
