//! Mirrors `std::sync::atomic`, sequentially consistent whatever is asked for.

use mazurka_runtime::{Kind, Object, ObjectId, ObjectKind, Operation};

use crate::coroutine::{make, perform};
use crate::objects::blank;

pub use std::sync::atomic::Ordering;

#[track_caller]
fn variable(value: i64) -> ObjectId {
    make(Object {
        value,
        ..blank(ObjectKind::VARIABLE)
    })
}

macro_rules! integers {
    ($($name:ident $type:ty;)*) => {$(
        /// Mirrors its namesake.
        #[derive(Debug)]
        pub struct $name(ObjectId);

        impl $name {
            /// A new one.
            #[track_caller]
            pub fn new(value: $type) -> $name {
                $name(variable(value as i64))
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
                // The cell may hold a sum that has wrapped around in the type but not in the cell.
                let seen = perform(operation.with(current as i64).and(new as i64));
                seen as $type
            }
        }
    )*};
}

integers! {
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
        AtomicBool(variable(value.into()))
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

/// A fence; memory is sequentially consistent anyhow.
pub fn fence(_: Ordering) {}
