//! Mirrors `std::sync::atomic`, sequentially consistent whatever is asked for.

use mazurka_runtime::{Kind, Object, ObjectId, ObjectKind, Operation};

use crate::coroutine::{make, perform, with_kernel};
use crate::objects::blank;

pub use std::sync::atomic::Ordering;

#[track_caller]
fn variable(value: i64, bits: u32, is_signed: bool) -> ObjectId {
    make(Object {
        value,
        bound: bits,
        deaf: u8::from(!is_signed),
        ..blank(ObjectKind::VARIABLE)
    })
}

/// The value of a variable that nobody else can reach any more.
fn last_value(object: ObjectId) -> i64 {
    with_kernel(|kernel| kernel.object(object).value)
}

macro_rules! integers {
    ($($name:ident $type:ident;)*) => {$(
        /// Mirrors its namesake.
        #[derive(Debug)]
        pub struct $name(ObjectId);

        impl $name {
            /// A new one.
            #[track_caller]
            pub fn new(value: $type) -> $name {
                #[allow(unused_comparisons)]
                let is_signed = $type::MIN < 0;
                $name(variable(value as i64, $type::BITS, is_signed))
            }

            /// Its value at last.
            pub fn into_inner(self) -> $type {
                last_value(self.0) as $type
            }

            /// Its value.
            #[track_caller]
            pub fn load(&self, _: Ordering) -> $type {
                perform(Operation::on(Kind::READ, self.0)) as $type
            }

            /// Gives it a value.
            #[track_caller]
            pub fn store(&self, value: $type, _: Ordering) {
                perform(Operation::on(Kind::WRITE, self.0).with(value as i64));
            }

            /// Gives it a value and tells the one before.
            #[track_caller]
            pub fn swap(&self, value: $type, _: Ordering) -> $type {
                perform(Operation::on(Kind::SWAP, self.0).with(value as i64)) as $type
            }

            /// Adds to it and tells the value before.
            #[track_caller]
            pub fn fetch_add(&self, value: $type, _: Ordering) -> $type {
                perform(Operation::on(Kind::FETCH_ADD, self.0).with(value as i64)) as $type
            }

            /// Subtracts from it and tells the value before.
            #[track_caller]
            pub fn fetch_sub(&self, value: $type, _: Ordering) -> $type {
                let value = (value as i64).wrapping_neg();
                perform(Operation::on(Kind::FETCH_ADD, self.0).with(value)) as $type
            }

            /// Keeps the bits that are in this one too, and tells the value before.
            #[track_caller]
            pub fn fetch_and(&self, value: $type, _: Ordering) -> $type {
                perform(Operation::on(Kind::FETCH_AND, self.0).with(value as i64)) as $type
            }

            /// Adds the bits that are in this one, and tells the value before.
            #[track_caller]
            pub fn fetch_or(&self, value: $type, _: Ordering) -> $type {
                perform(Operation::on(Kind::FETCH_OR, self.0).with(value as i64)) as $type
            }

            /// Turns the bits that are in this one, and tells the value before.
            #[track_caller]
            pub fn fetch_xor(&self, value: $type, _: Ordering) -> $type {
                perform(Operation::on(Kind::FETCH_XOR, self.0).with(value as i64)) as $type
            }

            /// Gives it a value that is greater, and tells the one before.
            #[track_caller]
            pub fn fetch_max(&self, value: $type, _: Ordering) -> $type {
                perform(Operation::on(Kind::FETCH_MAX, self.0).with(value as i64)) as $type
            }

            /// Gives it a value that is less, and tells the one before.
            #[track_caller]
            pub fn fetch_min(&self, value: $type, _: Ordering) -> $type {
                perform(Operation::on(Kind::FETCH_MIN, self.0).with(value as i64)) as $type
            }

            /// Replaces its value by what a function makes of it, again and again until nobody
            /// comes between; an error if the function gives nothing.
            #[track_caller]
            pub fn fetch_update(
                &self,
                set: Ordering,
                fetch: Ordering,
                mut update: impl FnMut($type) -> Option<$type>,
            ) -> Result<$type, $type> {
                let mut seen = self.load(fetch);
                while let Some(next) = update(seen) {
                    match self.compare_exchange_weak(seen, next, set, fetch) {
                        Ok(before) => return Ok(before),
                        Err(other) => seen = other,
                    }
                }
                Err(seen)
            }

            /// Replaces one value by another, if it has the first.
            #[track_caller]
            pub fn compare_exchange(
                &self,
                current: $type,
                new: $type,
                _: Ordering,
                _: Ordering,
            ) -> Result<$type, $type> {
                let seen = self.load_for_exchange(current, new);
                if seen == current { Ok(seen) } else { Err(seen) }
            }

            /// The same; it never fails for no reason.
            #[track_caller]
            pub fn compare_exchange_weak(
                &self,
                current: $type,
                new: $type,
                success: Ordering,
                failure: Ordering,
            ) -> Result<$type, $type> {
                self.compare_exchange(current, new, success, failure)
            }

            #[track_caller]
            fn load_for_exchange(&self, current: $type, new: $type) -> $type {
                let operation = Operation::on(Kind::COMPARE_EXCHANGE, self.0);
                perform(operation.with(current as i64).and(new as i64)) as $type
            }
        }

        impl Default for $name {
            fn default() -> $name {
                $name::new(0)
            }
        }

        impl From<$type> for $name {
            fn from(value: $type) -> $name {
                $name::new(value)
            }
        }
    )*};
}

integers! {
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
#[derive(Debug)]
pub struct AtomicBool(ObjectId);

impl AtomicBool {
    /// A new one.
    #[track_caller]
    pub fn new(value: bool) -> AtomicBool {
        AtomicBool(variable(value.into(), 1, false))
    }

    /// Its value.
    #[track_caller]
    pub fn load(&self, _: Ordering) -> bool {
        perform(Operation::on(Kind::READ, self.0)) != 0
    }

    /// Gives it a value.
    #[track_caller]
    pub fn store(&self, value: bool, _: Ordering) {
        perform(Operation::on(Kind::WRITE, self.0).with(value.into()));
    }

    /// Gives it a value and tells the one before.
    #[track_caller]
    pub fn swap(&self, value: bool, _: Ordering) -> bool {
        perform(Operation::on(Kind::SWAP, self.0).with(value.into())) != 0
    }

    /// Its value at last.
    pub fn into_inner(self) -> bool {
        last_value(self.0) != 0
    }

    /// Whether it and this one are true, from now on; tells the value before.
    #[track_caller]
    pub fn fetch_and(&self, value: bool, _: Ordering) -> bool {
        perform(Operation::on(Kind::FETCH_AND, self.0).with(value.into())) != 0
    }

    /// Whether it or this one is true, from now on; tells the value before.
    #[track_caller]
    pub fn fetch_or(&self, value: bool, _: Ordering) -> bool {
        perform(Operation::on(Kind::FETCH_OR, self.0).with(value.into())) != 0
    }

    /// Whether one of it and this one is true, from now on; tells the value before.
    #[track_caller]
    pub fn fetch_xor(&self, value: bool, _: Ordering) -> bool {
        perform(Operation::on(Kind::FETCH_XOR, self.0).with(value.into())) != 0
    }

    /// The same as the next; it never fails for no reason.
    #[track_caller]
    pub fn compare_exchange_weak(
        &self,
        current: bool,
        new: bool,
        success: Ordering,
        failure: Ordering,
    ) -> Result<bool, bool> {
        self.compare_exchange(current, new, success, failure)
    }

    /// Replaces one value by another, if it has the first.
    #[track_caller]
    pub fn compare_exchange(
        &self,
        current: bool,
        new: bool,
        _: Ordering,
        _: Ordering,
    ) -> Result<bool, bool> {
        let operation = Operation::on(Kind::COMPARE_EXCHANGE, self.0);
        let seen = perform(operation.with(current.into()).and(new.into())) != 0;
        if seen == current { Ok(seen) } else { Err(seen) }
    }
}

impl Default for AtomicBool {
    fn default() -> AtomicBool {
        AtomicBool::new(false)
    }
}

/// A fence; memory is sequentially consistent anyhow.
pub fn fence(_: Ordering) {}
