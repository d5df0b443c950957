//! The library as one that is preloaded into programs which nobody compiled for it.
//!
//! All that is seen of such a program is what it asks the C library for. So its accesses to memory are not judged (what orders them may
//! be atomic operations that nobody announces), a loop is never taken to wait (what it changes in memory is not known), and calls of
//! other libraries are no steps. What goes wrong under control has really happened; that nothing goes wrong proves nothing.

use std::sync::atomic::{AtomicBool, Ordering};

static IS_ON: AtomicBool = AtomicBool::new(false);

/// Whether the memory of the program is not seen.
#[inline]
pub fn is_on() -> bool {
    IS_ON.load(Ordering::Relaxed)
}

/// The loader calls this in a shared library, before anything of the program runs (`build.rs` says so to the linker).
#[unsafe(no_mangle)]
extern "C" fn mazurka_preloaded() {
    IS_ON.store(true, Ordering::Relaxed);
    super::state::begin();
}
