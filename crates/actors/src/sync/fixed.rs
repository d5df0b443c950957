//! Statics that have a value from the beginning.
//!
//! Constructors are not `const`: at run time they tell the kernel which actor makes an object, and no function can both do that and be called when the
//! program is compiled. So [`statics!`](crate::statics) makes a function of the initial value, and it is called in each execution where the static is
//! first used. That is no step, for it does not matter who does it: the objects in the value have numbers of their own (see `numbers.rs`), and an
//! initial value knows nothing of the execution.
//!
//! **Why it is sound.** See [`LazyLock`](super::LazyLock), which keeps its values in the same place.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::panic::Location;

use crate::coroutine::{make_for, with_storage};
use crate::numbers::Declared;

/// Declares statics as the language does. What they hold begins anew in each execution.
///
/// ```
/// use mazurka_actors::sync::atomic::{AtomicU32, Ordering};
/// use mazurka_actors::sync::Mutex;
///
/// mazurka_actors::statics! {
///     static NEXT: AtomicU32 = AtomicU32::new(0);
///     static NAMES: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// }
///
/// mazurka_actors::explore(|| {
///     let other = mazurka_actors::thread::spawn(|| NEXT.fetch_add(1, Ordering::SeqCst));
///     let mine = NEXT.fetch_add(1, Ordering::SeqCst);
///     assert_eq!(mine + other.join().unwrap(), 1);
///     assert!(NAMES.lock().unwrap().is_empty());
/// });
/// ```
#[macro_export]
macro_rules! statics {
    ($($(#[$attribute:meta])* $visibility:vis static $name:ident: $type:ty = $value:expr;)*) => {$(
        $(#[$attribute])*
        $visibility static $name: $crate::sync::Static<$type> = $crate::sync::Static::declare(stringify!($name), || $value);
    )*};
}

/// What [`statics!`](crate::statics) declares: it stands for its value.
pub struct Static<T> {
    name: &'static str,
    make: fn() -> T,
    declared: &'static Location<'static>,
    value: PhantomData<fn() -> T>,
}

impl<T: 'static> Static<T> {
    /// For the macro.
    #[doc(hidden)]
    #[track_caller]
    pub const fn declare(name: &'static str, make: fn() -> T) -> Static<T> {
        Static {
            name,
            make,
            declared: Location::caller(),
            value: PhantomData,
        }
    }
}

impl<T: 'static> Deref for Static<T> {
    type Target = T;

    /// Its value in this execution.
    ///
    /// # Panics
    ///
    /// If nobody explores.
    #[track_caller]
    fn deref(&self) -> &T {
        let declared = Declared::new(self.declared, self.name, self);
        let key = declared.key();
        let found = || {
            with_storage(|storage, _| {
                let value = storage.fixed(key)?.downcast_ref::<T>()?;
                Some(std::ptr::from_ref(value))
            })
        };
        if found().flatten().is_none() {
            let value = make_for(declared, self.name, self.make);
            with_storage(|storage, _| storage.add_fixed(key, Box::new(value)));
        }
        let value = found().flatten();
        let value = value.expect("this can only be used in a program that mazurka explores");
        // SAFETY: see the module.
        unsafe { &*value }
    }
}

impl<T> fmt::Debug for Static<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Static").finish_non_exhaustive()
    }
}
