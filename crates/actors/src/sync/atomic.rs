//! Mirrors `std::sync::atomic`. Values are read as if memory were sequentially consistent, whatever is asked for; the orders decide
//! what happens before what, and so which accesses to [`crate::cell::UnsafeCell`] are in a race.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

use mazurka_runtime::clocks::Order;
use mazurka_runtime::{Kind, Object, ObjectId, ObjectKind, Operation};

use crate::coroutine::{make, perform, with_kernel, with_memory};
use crate::objects::blank;

pub use std::sync::atomic::{Ordering, compiler_fence};

/// An atomic of any type. Its names are those of `std`.
pub struct Atomic<T: Word> {
    object: ObjectId,
    // What it holds is in the kernel, and goes from actor to actor as a number.
    holds: PhantomData<fn(T) -> T>,
}

/// What an atomic can hold.
pub trait Word: Copy + PartialEq {
    /// How many bits it has.
    #[doc(hidden)]
    const BITS: u32;
    /// Whether it can be negative.
    #[doc(hidden)]
    const IS_SIGNED: bool;
    /// Whether it is an address, which differs from execution to execution.
    #[doc(hidden)]
    const IS_ADDRESS: bool = false;
    /// As the kernel keeps it.
    #[doc(hidden)]
    fn to_word(self) -> i64;
    /// As the program has it.
    #[doc(hidden)]
    fn from_word(word: i64) -> Self;
}

/// What an atomic can hold that is a number.
pub trait Number: Word {}

macro_rules! numbers {
    ($($(#[$doc:meta])* $name:ident $type:ident;)*) => {$(
        /// Mirrors its namesake.
        pub type $name = Atomic<$type>;

        impl Word for $type {
            const BITS: u32 = $type::BITS;
            #[allow(unused_comparisons)]
            const IS_SIGNED: bool = $type::MIN < 0;

            fn to_word(self) -> i64 {
                self as i64
            }

            fn from_word(word: i64) -> $type {
                word as $type
            }
        }

        impl Number for $type {}
    )*};
}

numbers! {
    AtomicI8 i8;
    AtomicU8 u8;
    AtomicI16 i16;
    AtomicU16 u16;
    AtomicI32 i32;
    AtomicU32 u32;
    AtomicI64 i64;
    AtomicU64 u64;
    AtomicIsize isize;
    AtomicUsize usize;
}

/// Mirrors its namesake.
pub type AtomicBool = Atomic<bool>;
/// Mirrors its namesake. Addresses are compared within an execution and never from one to the next.
pub type AtomicPtr<T> = Atomic<*mut T>;

impl Word for bool {
    const BITS: u32 = 1;
    const IS_SIGNED: bool = false;

    fn to_word(self) -> i64 {
        self.into()
    }

    fn from_word(word: i64) -> bool {
        word != 0
    }
}

impl<T> Word for *mut T {
    const BITS: u32 = 64;
    const IS_SIGNED: bool = false;
    const IS_ADDRESS: bool = true;

    fn to_word(self) -> i64 {
        self.expose_provenance() as i64
    }

    fn from_word(word: i64) -> *mut T {
        std::ptr::with_exposed_provenance_mut(word as usize)
    }
}

impl<T: Word> Atomic<T> {
    /// A new one.
    #[track_caller]
    pub fn new(value: T) -> Atomic<T> {
        let object = make(Object {
            value: value.to_word(),
            bound: T::BITS,
            deaf: u8::from(!T::IS_SIGNED),
            is_address: T::IS_ADDRESS.into(),
            ..blank(ObjectKind::VARIABLE)
        });
        Atomic {
            object,
            holds: PhantomData,
        }
    }

    /// Its value at last.
    pub fn into_inner(self) -> T {
        self.own_value()
    }

    /// Its value, which nobody else can reach.
    pub fn get_mut(&mut self) -> ValueMut<'_, T> {
        ValueMut {
            value: self.own_value(),
            atomic: self,
        }
    }

    /// Changes its value, which nobody else can reach.
    pub fn with_mut<R>(&mut self, change: impl FnOnce(&mut T) -> R) -> R {
        change(&mut self.get_mut())
    }

    /// Its value.
    ///
    /// # Panics
    ///
    /// If the order releases.
    #[track_caller]
    pub fn load(&self, order: Ordering) -> T {
        assert!(
            !matches!(order, Ordering::Release | Ordering::AcqRel),
            "a load cannot release"
        );
        self.operate(Kind::READ, 0, order)
    }

    /// Gives it a value.
    ///
    /// # Panics
    ///
    /// If the order acquires.
    #[track_caller]
    pub fn store(&self, value: T, order: Ordering) {
        assert!(
            !matches!(order, Ordering::Acquire | Ordering::AcqRel),
            "a store cannot acquire"
        );
        self.operate(Kind::WRITE, value.to_word(), order);
    }

    /// Gives it a value and tells the one before.
    #[track_caller]
    pub fn swap(&self, value: T, order: Ordering) -> T {
        self.operate(Kind::SWAP, value.to_word(), order)
    }

    /// Replaces one value by another, if it has the first.
    ///
    /// # Panics
    ///
    /// If the order of a failure releases.
    #[track_caller]
    pub fn compare_exchange(
        &self,
        current: T,
        new: T,
        success: Ordering,
        failure: Ordering,
    ) -> Result<T, T> {
        assert!(
            !matches!(failure, Ordering::Release | Ordering::AcqRel),
            "an exchange that fails cannot release"
        );
        let operation = Operation::on(Kind::COMPARE_EXCHANGE, self.object)
            .with(current.to_word())
            .and(new.to_word());
        let seen = T::from_word(operate(operation, success, failure));
        if seen == current { Ok(seen) } else { Err(seen) }
    }

    /// The same; it never fails for no reason.
    #[track_caller]
    pub fn compare_exchange_weak(
        &self,
        current: T,
        new: T,
        success: Ordering,
        failure: Ordering,
    ) -> Result<T, T> {
        self.compare_exchange(current, new, success, failure)
    }

    /// Replaces its value by what a function makes of it, again and again until nobody comes
    /// between; an error if the function gives nothing.
    #[track_caller]
    pub fn fetch_update(
        &self,
        set: Ordering,
        fetch: Ordering,
        mut update: impl FnMut(T) -> Option<T>,
    ) -> Result<T, T> {
        let mut seen = self.load(fetch);
        while let Some(next) = update(seen) {
            match self.compare_exchange_weak(seen, next, set, fetch) {
                Ok(before) => return Ok(before),
                Err(other) => seen = other,
            }
        }
        Err(seen)
    }

    /// The same by the name that `std` has for it since Rust 1.95.
    #[track_caller]
    pub fn try_update(
        &self,
        set: Ordering,
        fetch: Ordering,
        update: impl FnMut(T) -> Option<T>,
    ) -> Result<T, T> {
        self.fetch_update(set, fetch, update)
    }

    /// The same with a function that always gives something.
    #[track_caller]
    pub fn update(&self, set: Ordering, fetch: Ordering, mut update: impl FnMut(T) -> T) -> T {
        let updated = self.fetch_update(set, fetch, |seen| Some(update(seen)));
        updated.unwrap_or_else(|seen| seen)
    }

    #[track_caller]
    fn operate(&self, kind: Kind, argument: i64, order: Ordering) -> T {
        let operation = Operation::on(kind, self.object).with(argument);
        T::from_word(operate(operation, order, order))
    }

    /// The value of a variable that nobody else can reach.
    fn own_value(&self) -> T {
        T::from_word(with_kernel(|kernel| kernel.object(self.object).value))
    }
}

macro_rules! updates {
    ($($(#[$doc:meta])* $name:ident $kind:ident;)*) => {
        impl<T: Number> Atomic<T> {
            $($(#[$doc])*
            #[track_caller]
            pub fn $name(&self, value: T, order: Ordering) -> T {
                self.operate(Kind::$kind, value.to_word(), order)
            })*

            /// Subtracts from it and tells the value before.
            #[track_caller]
            pub fn fetch_sub(&self, value: T, order: Ordering) -> T {
                self.operate(Kind::FETCH_ADD, value.to_word().wrapping_neg(), order)
            }
        }
    };
}

updates! {
    /// Adds to it and tells the value before.
    fetch_add FETCH_ADD;
    /// Keeps the bits that are in this one too, and tells the value before.
    fetch_and FETCH_AND;
    /// Keeps the bits that are in this one too, turns all, and tells the value before.
    fetch_nand FETCH_NAND;
    /// Adds the bits that are in this one, and tells the value before.
    fetch_or FETCH_OR;
    /// Turns the bits that are in this one, and tells the value before.
    fetch_xor FETCH_XOR;
    /// Gives it a value that is greater, and tells the one before.
    fetch_max FETCH_MAX;
    /// Gives it a value that is less, and tells the one before.
    fetch_min FETCH_MIN;
}

impl Atomic<bool> {
    /// Whether it and this one are true, from now on; tells the value before.
    #[track_caller]
    pub fn fetch_and(&self, value: bool, order: Ordering) -> bool {
        self.operate(Kind::FETCH_AND, value.into(), order)
    }

    /// Whether it and this one are not both true, from now on; tells the value before.
    #[track_caller]
    pub fn fetch_nand(&self, value: bool, order: Ordering) -> bool {
        self.operate(Kind::FETCH_NAND, value.into(), order)
    }

    /// Whether it or this one is true, from now on; tells the value before.
    #[track_caller]
    pub fn fetch_or(&self, value: bool, order: Ordering) -> bool {
        self.operate(Kind::FETCH_OR, value.into(), order)
    }

    /// Whether one of it and this one is true, from now on; tells the value before.
    #[track_caller]
    pub fn fetch_xor(&self, value: bool, order: Ordering) -> bool {
        self.operate(Kind::FETCH_XOR, value.into(), order)
    }

    /// Whether it was false, from now on; tells the value before.
    #[track_caller]
    pub fn fetch_not(&self, order: Ordering) -> bool {
        self.fetch_xor(true, order)
    }
}

/// A fence: no step, but it decides what happens before what.
///
/// # Panics
///
/// If the order is relaxed.
#[track_caller]
pub fn fence(order: Ordering) {
    assert!(order != Ordering::Relaxed, "a fence cannot be relaxed");
    let order = order_of(order);
    with_memory(|memory, kernel, running| {
        kernel.weak |= u8::from(order.is_weak());
        memory.fence(running.actor, order);
    });
}

/// The value of an atomic that is borrowed alone, to be changed: what `get_mut` gives. It is written back in the end.
pub struct ValueMut<'a, T: Word> {
    atomic: &'a mut Atomic<T>,
    value: T,
}

impl<T: Word> Deref for ValueMut<'_, T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T: Word> DerefMut for ValueMut<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.value
    }
}

impl<T: Word> Drop for ValueMut<'_, T> {
    fn drop(&mut self) {
        let (id, value) = (self.atomic.object, self.value.to_word());
        with_kernel(|kernel| kernel.objects[id.index()].value = value);
    }
}

impl<T: Word> Default for Atomic<T> {
    /// Zero, false or null.
    #[track_caller]
    fn default() -> Atomic<T> {
        Atomic::new(T::from_word(0))
    }
}

impl<T: Word> From<T> for Atomic<T> {
    #[track_caller]
    fn from(value: T) -> Atomic<T> {
        Atomic::new(value)
    }
}

impl<T: Word> fmt::Debug for Atomic<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Atomic").field(&self.object).finish()
    }
}

/// Performs an operation with these orders, the second if it is an exchange that fails.
#[track_caller]
fn operate(operation: Operation, order: Ordering, failure: Ordering) -> i64 {
    let (order, failure) = (order_of(order), order_of(failure));
    if order.is_weak() || failure.is_weak() {
        with_kernel(|kernel| kernel.weak = 1);
    }
    perform(operation.ordered(order, failure))
}

fn order_of(order: Ordering) -> Order {
    match order {
        Ordering::Relaxed => Order::RELAXED,
        Ordering::Acquire => Order::ACQUIRE,
        Ordering::Release => Order::RELEASE,
        Ordering::AcqRel => Order::ACQUIRE_RELEASE,
        _ => Order::SEQUENTIAL,
    }
}
