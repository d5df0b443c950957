//! Mirrors `std::thread_local!`: a variable for each actor, made anew in each execution.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::rc::Rc;

use crate::coroutine::with_storage;

/// Mirrors its namesake.
///
/// ```
/// use std::cell::Cell;
///
/// mazurka_actors::thread_local! {
///     static COUNT: Cell<u32> = const { Cell::new(0) };
/// }
///
/// mazurka_actors::explore(|| {
///     COUNT.set(1);
///     let other = mazurka_actors::thread::spawn(|| COUNT.get());
///     assert_eq!(other.join().unwrap(), 0);
/// });
/// ```
#[macro_export]
macro_rules! thread_local {
    () => {};
    ($(#[$attribute:meta])* $visibility:vis static $name:ident: $type:ty = const $value:block $(; $($rest:tt)*)?) => {
        $(#[$attribute])*
        $visibility static $name: $crate::thread::LocalKey<$type> = $crate::thread::LocalKey::declare(|| $value);
        $($crate::thread_local! { $($rest)* })?
    };
    ($(#[$attribute:meta])* $visibility:vis static $name:ident: $type:ty = $value:expr $(; $($rest:tt)*)?) => {
        $(#[$attribute])*
        $visibility static $name: $crate::thread::LocalKey<$type> = $crate::thread::LocalKey::declare(|| $value);
        $($crate::thread_local! { $($rest)* })?
    };
}

/// Mirrors its namesake.
pub struct LocalKey<T: 'static> {
    make: fn() -> T,
    // Two variables are not at one address.
    _one: u8,
}

/// Mirrors its namesake.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AccessError;

impl fmt::Debug for AccessError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("AccessError")
    }
}

impl fmt::Display for AccessError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the thread-local variables of this actor are gone")
    }
}

impl std::error::Error for AccessError {}

impl<T: 'static> LocalKey<T> {
    /// What [`crate::thread_local!`] declares.
    #[doc(hidden)]
    pub const fn declare(make: fn() -> T) -> LocalKey<T> {
        LocalKey { make, _one: 0 }
    }

    /// Looks at the variable of the running actor.
    ///
    /// # Panics
    ///
    /// If the actor's variables are gone already, or nobody explores.
    #[track_caller]
    pub fn with<R>(&'static self, look: impl FnOnce(&T) -> R) -> R {
        self.try_with(look)
            .expect("the thread-local variables of this actor are gone")
    }

    /// The same, unless the variables of the actor are gone already.
    ///
    /// # Panics
    ///
    /// If nobody explores.
    #[track_caller]
    pub fn try_with<R>(&'static self, look: impl FnOnce(&T) -> R) -> Result<R, AccessError> {
        let key = std::ptr::from_ref(self) as usize;
        let found = with_storage(|storage, actor| match storage.has_ended(actor) {
            true => Err(AccessError),
            false => Ok(storage.local(actor, key)),
        });
        let found = found.expect("this can only be used in a program that mazurka explores")?;
        let value = match found {
            Some(value) => value,
            None => {
                // It may use other variables, and this one.
                let value: Rc<dyn std::any::Any> = Rc::new((self.make)());
                with_storage(|storage, actor| storage.add_local(actor, key, value.clone()));
                value
            }
        };
        let value = value.downcast_ref::<T>();
        Ok(look(value.expect("a variable has one type")))
    }
}

impl<T: 'static> LocalKey<Cell<T>> {
    /// Gives it a value.
    #[track_caller]
    pub fn set(&'static self, value: T) {
        self.with(|cell| cell.set(value));
    }

    /// Its value.
    #[track_caller]
    pub fn get(&'static self) -> T
    where
        T: Copy,
    {
        self.with(Cell::get)
    }

    /// Its value; it has the default one from now on.
    #[track_caller]
    pub fn take(&'static self) -> T
    where
        T: Default,
    {
        self.with(Cell::take)
    }

    /// Gives it a value and tells the one before.
    #[track_caller]
    pub fn replace(&'static self, value: T) -> T {
        self.with(|cell| cell.replace(value))
    }
}

impl<T: 'static> LocalKey<RefCell<T>> {
    /// Borrows its value.
    #[track_caller]
    pub fn with_borrow<R>(&'static self, look: impl FnOnce(&T) -> R) -> R {
        self.with(|cell| look(&cell.borrow()))
    }

    /// Borrows its value to change it.
    #[track_caller]
    pub fn with_borrow_mut<R>(&'static self, change: impl FnOnce(&mut T) -> R) -> R {
        self.with(|cell| change(&mut cell.borrow_mut()))
    }

    /// Gives it a value.
    #[track_caller]
    pub fn set(&'static self, value: T) {
        self.with(|cell| *cell.borrow_mut() = value);
    }

    /// Its value; it has the default one from now on.
    #[track_caller]
    pub fn take(&'static self) -> T
    where
        T: Default,
    {
        self.with(RefCell::take)
    }

    /// Gives it a value and tells the one before.
    #[track_caller]
    pub fn replace(&'static self, value: T) -> T {
        self.with(|cell| cell.replace(value))
    }
}

impl<T: 'static> fmt::Debug for LocalKey<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("LocalKey").finish_non_exhaustive()
    }
}

/// The destructors of an actor's variables, which are the last that it does.
pub(crate) fn end(actor: usize) {
    while let Some(value) = with_storage(|storage, _| storage.take_local(actor)).flatten() {
        drop(value);
    }
    with_storage(|storage, _| storage.end(actor));
}
