//! Plain accesses, as the compiler's instrumentation announces them.

use std::ffi::c_void;

use mazurka_runtime::accesses::{FREE, WRITE};

use super::state;
use super::switch::{entries, looks};

// A read may be that of a loop that waits, where races are not reported.
looks! {
    "__tsan_read1", "rsi", "mazurka_read1";
    "__tsan_read2", "rsi", "mazurka_read2";
    "__tsan_read4", "rsi", "mazurka_read4";
    "__tsan_read8", "rsi", "mazurka_read8";
    "__tsan_read16", "rsi", "mazurka_read16";
    "__tsan_unaligned_read2", "rsi", "mazurka_read2";
    "__tsan_unaligned_read4", "rsi", "mazurka_read4";
    "__tsan_unaligned_read8", "rsi", "mazurka_read8";
    "__tsan_unaligned_read16", "rsi", "mazurka_read16";
    "__tsan_volatile_read1", "rsi", "mazurka_read1";
    "__tsan_volatile_read2", "rsi", "mazurka_read2";
    "__tsan_volatile_read4", "rsi", "mazurka_read4";
    "__tsan_volatile_read8", "rsi", "mazurka_read8";
    "__tsan_volatile_read16", "rsi", "mazurka_read16";
    "__tsan_read_range", "rdx", "mazurka_read_range";
    "__tsan_vptr_read", "rsi", "mazurka_read8";
}

entries! {
    "__tsan_write1", "rsi", "mazurka_write1";
    "__tsan_write2", "rsi", "mazurka_write2";
    "__tsan_write4", "rsi", "mazurka_write4";
    "__tsan_write8", "rsi", "mazurka_write8";
    "__tsan_write16", "rsi", "mazurka_write16";
    "__tsan_unaligned_write2", "rsi", "mazurka_write2";
    "__tsan_unaligned_write4", "rsi", "mazurka_write4";
    "__tsan_unaligned_write8", "rsi", "mazurka_write8";
    "__tsan_unaligned_write16", "rsi", "mazurka_write16";
    "__tsan_volatile_write1", "rsi", "mazurka_write1";
    "__tsan_volatile_write2", "rsi", "mazurka_write2";
    "__tsan_volatile_write4", "rsi", "mazurka_write4";
    "__tsan_volatile_write8", "rsi", "mazurka_write8";
    "__tsan_volatile_write16", "rsi", "mazurka_write16";
    // Clang announces a read and a write of one place at once.
    "__tsan_read_write1", "rsi", "mazurka_write1";
    "__tsan_read_write2", "rsi", "mazurka_write2";
    "__tsan_read_write4", "rsi", "mazurka_write4";
    "__tsan_read_write8", "rsi", "mazurka_write8";
    "__tsan_read_write16", "rsi", "mazurka_write16";
    "__tsan_write_range", "rdx", "mazurka_write_range";
    "__tsan_vptr_update", "rdx", "mazurka_vptr_update";
}

macro_rules! accesses {
    ($($name:ident, $size:literal, $what:expr;)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $name(address: usize, from: usize) {
            if state::is_active() {
                state::access(address, $size, $what, from);
            }
        }
    )*};
}

accesses! {
    mazurka_read1, 1, 0;
    mazurka_read2, 2, 0;
    mazurka_read4, 4, 0;
    mazurka_read8, 8, 0;
    mazurka_read16, 16, 0;
    mazurka_write1, 1, WRITE;
    mazurka_write2, 2, WRITE;
    mazurka_write4, 4, WRITE;
    mazurka_write8, 8, WRITE;
    mazurka_write16, 16, WRITE;
}

#[unsafe(no_mangle)]
extern "C" fn mazurka_read_range(address: usize, size: usize, from: usize) {
    if state::is_active() && size > 0 {
        state::access(address, size, 0, from);
    }
}

#[unsafe(no_mangle)]
extern "C" fn mazurka_write_range(address: usize, size: usize, from: usize) {
    if state::is_active() && size > 0 {
        state::access(address, size, WRITE, from);
    }
}

/// An object gets its table of virtual functions. It may have had the same before: a destructor of a
/// class that nobody derives from writes nothing new.
///
/// # Safety
///
/// `address` is that of the table's place in the object.
#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_vptr_update(address: *const usize, value: usize, from: usize) {
    // SAFETY: the caller's promise.
    if state::is_active() && unsafe { *address } != value {
        state::access(address as usize, 8, WRITE, from);
    }
}

/// A block is given back: that counts as a write of all of it.
pub fn freed(address: usize, size: usize, from: usize) {
    if state::is_active() && size > 0 {
        state::access(address, size, WRITE | FREE, from);
    }
}

#[unsafe(no_mangle)]
extern "C" fn __tsan_init() {
    state::begin();
}

#[unsafe(no_mangle)]
extern "C" fn __tsan_func_entry(caller: usize) {
    if state::is_active() {
        state::enter(caller);
    }
}

#[unsafe(no_mangle)]
extern "C" fn __tsan_func_exit() {
    if state::is_active() {
        state::leave();
    }
}

#[unsafe(no_mangle)]
extern "C" fn __tsan_ignore_thread_begin() {}

#[unsafe(no_mangle)]
extern "C" fn __tsan_ignore_thread_end() {}

/// Clang's names for the memory functions.
#[unsafe(no_mangle)]
unsafe extern "C" fn __tsan_memcpy(
    to: *mut c_void,
    from: *const c_void,
    size: usize,
) -> *mut c_void {
    mazurka_read_range(from as usize, size, 0);
    mazurka_write_range(to as usize, size, 0);
    // SAFETY: the caller's promise.
    unsafe { libc::memcpy(to, from, size) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __tsan_memmove(
    to: *mut c_void,
    from: *const c_void,
    size: usize,
) -> *mut c_void {
    mazurka_read_range(from as usize, size, 0);
    mazurka_write_range(to as usize, size, 0);
    // SAFETY: the caller's promise.
    unsafe { libc::memmove(to, from, size) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __tsan_memset(to: *mut c_void, byte: i32, size: usize) -> *mut c_void {
    mazurka_write_range(to as usize, size, 0);
    // SAFETY: the caller's promise.
    unsafe { libc::memset(to, byte, size) }
}
