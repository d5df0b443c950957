//! Mirrors `std::sync::LazyLock`: what a `static` is in a program that is explored. Its value is made anew in each execution.
//!
//! Who makes it may perform operations, so that is a matter of turns: a static whose value is a constant has no need of that
//! ([`statics!`](crate::statics)).
//!
//! **Why it is sound.** The value is in a box that stays until the execution has ended and all actors are gone. No reference to it can
//! be had from any other execution. Who keeps one beyond the execution, in a static of `std`, breaks the rule that nothing is left over
//! from one execution to the next; that cannot be prevented by types, for which the static lives for ever.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::panic::Location;

use mazurka_runtime::ObjectKind;

use super::Once;
use crate::coroutine::{use_object, with_storage};
use crate::numbers::{Declared, object_of};
use crate::objects::blank;

/// Mirrors its namesake, as a `static`: one that is not makes the outcome inconclusive.
///
/// ```
/// use mazurka_actors::sync::atomic::{AtomicU32, Ordering};
/// use mazurka_actors::sync::LazyLock;
///
/// static NEXT: LazyLock<AtomicU32> = LazyLock::new(|| AtomicU32::new(0));
///
/// mazurka_actors::explore(|| {
///     let other = mazurka_actors::thread::spawn(|| NEXT.fetch_add(1, Ordering::SeqCst));
///     let mine = NEXT.fetch_add(1, Ordering::SeqCst);
///     assert_eq!(mine + other.join().unwrap(), 1);
/// });
/// ```
pub struct LazyLock<T, F = fn() -> T> {
    make: F,
    /// Where it is declared.
    declared: &'static Location<'static>,
    value: PhantomData<fn() -> T>,
}

impl<T: 'static, F: Fn() -> T> LazyLock<T, F> {
    /// A value that is made by this function when it is needed.
    #[track_caller]
    pub const fn new(make: F) -> LazyLock<T, F> {
        LazyLock {
            make,
            declared: Location::caller(),
            value: PhantomData,
        }
    }

    /// Its value, made now if there is none.
    ///
    /// # Panics
    ///
    /// If nobody explores.
    #[track_caller]
    pub fn force(this: &LazyLock<T, F>) -> &T {
        let key = std::ptr::from_ref(this) as usize;
        this.once().call_once(|| {
            let value = (this.make)();
            with_storage(|storage, _| {
                // Where an execution has ended nothing that is asked for happens, and a value that is there stays.
                if storage.fixed(key).is_none() {
                    storage.add_fixed(key, Box::new(value));
                }
            });
        });
        let value = with_storage(|storage, _| {
            let value = storage.fixed(key)?.downcast_ref::<T>()?;
            Some(std::ptr::from_ref(value))
        });
        let value = value.flatten().expect("it was made");
        // SAFETY: see the module.
        unsafe { &*value }
    }

    /// Tells who makes the value.
    #[track_caller]
    fn once(&self) -> Once {
        let at = Declared::new(self.declared, "", self);
        let (is_done, turn) = (object_of(at, 0), object_of(at, 1));
        let declared = || format!("static {}:{}", self.declared.file(), self.declared.line());
        use_object(is_done, blank(ObjectKind::VARIABLE), |_| declared());
        use_object(turn, blank(ObjectKind::MUTEX), |_| {
            format!("mutex of {}", declared())
        });
        Once::at(is_done, turn)
    }
}

impl<T: 'static, F: Fn() -> T> Deref for LazyLock<T, F> {
    type Target = T;

    #[track_caller]
    fn deref(&self) -> &T {
        LazyLock::force(self)
    }
}

impl<T, F> fmt::Debug for LazyLock<T, F> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("LazyLock").finish_non_exhaustive()
    }
}
