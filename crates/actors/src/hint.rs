//! Mirrors `std::hint`, as far as it concerns actors.

pub use std::hint::black_box;

/// Lets others go first, as [`crate::thread::yield_now`] does.
#[inline(always)]
#[track_caller]
pub fn spin_loop() {
    crate::thread::yield_now();
}
