//! Functions of the C library that read and write memory: what they touch is announced, and then they
//! are called. `names.h` gives these names to what programs call.

use std::ffi::{c_char, c_int, c_void};

use mazurka_runtime::accesses::WRITE;

use super::state;
use super::switch::entries;

entries! {
    "mazurka_memcpy", "rcx", "mazurka_memcpy_from";
    "mazurka_memmove", "rcx", "mazurka_memmove_from";
    "mazurka_memset", "rcx", "mazurka_memset_from";
    "mazurka_memcmp", "rcx", "mazurka_memcmp_from";
    "mazurka_strlen", "rsi", "mazurka_strlen_from";
    "mazurka_strcpy", "rdx", "mazurka_strcpy_from";
    "mazurka_stpcpy", "rdx", "mazurka_stpcpy_from";
    "mazurka_strncpy", "rcx", "mazurka_strncpy_from";
    "mazurka_strcat", "rdx", "mazurka_strcat_from";
    "mazurka_strcmp", "rdx", "mazurka_strcmp_from";
    "mazurka_strncmp", "rcx", "mazurka_strncmp_from";
    "mazurka_strdup", "rsi", "mazurka_strdup_from";
}

fn reads(address: *const c_void, size: usize, from: usize) {
    if size > 0 && state::is_active() {
        state::access(address as usize, size, 0, from);
    }
}

fn writes(address: *mut c_void, size: usize, from: usize) {
    if size > 0 && state::is_active() {
        state::access(address as usize, size, WRITE, from);
    }
}

/// How many bytes of two strings decide which is less: up to the first difference, or the end, and that one too.
///
/// # Safety
///
/// Both end, or are at least as long as the size.
unsafe fn compared(one: *const c_char, other: *const c_char, size: usize) -> usize {
    let mut length = 0;
    while length < size {
        // SAFETY: neither has ended before.
        let (left, right) = unsafe { (*one.add(length), *other.add(length)) };
        length += 1;
        if left != right || left == 0 {
            break;
        }
    }
    length
}

/// Declares functions that C calls with what the function of the same name asks for.
macro_rules! functions {
    ($($name:ident($($argument:ident: $type:ty),*; $from:ident) -> $result:ty $body:block)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name($($argument: $type,)* $from: usize) -> $result {
            // SAFETY: the caller's promise, which is that of the function of the C library.
            unsafe { $body }
        }
    )*};
}

functions! {
    mazurka_memcpy_from(to: *mut c_void, source: *const c_void, size: usize; from) -> *mut c_void {
        reads(source, size, from);
        writes(to, size, from);
        libc::memcpy(to, source, size)
    }
    mazurka_memmove_from(to: *mut c_void, source: *const c_void, size: usize; from) -> *mut c_void {
        reads(source, size, from);
        writes(to, size, from);
        libc::memmove(to, source, size)
    }
    mazurka_memset_from(to: *mut c_void, byte: c_int, size: usize; from) -> *mut c_void {
        writes(to, size, from);
        libc::memset(to, byte, size)
    }
    mazurka_memcmp_from(one: *const c_void, other: *const c_void, size: usize; from) -> c_int {
        reads(one, size, from);
        reads(other, size, from);
        libc::memcmp(one, other, size)
    }
    mazurka_strlen_from(text: *const c_char; from) -> usize {
        let length = libc::strlen(text);
        reads(text.cast(), length + 1, from);
        length
    }
    mazurka_strcpy_from(to: *mut c_char, text: *const c_char; from) -> *mut c_char {
        let length = libc::strlen(text) + 1;
        reads(text.cast(), length, from);
        writes(to.cast(), length, from);
        libc::strcpy(to, text)
    }
    mazurka_stpcpy_from(to: *mut c_char, text: *const c_char; from) -> *mut c_char {
        let length = libc::strlen(text);
        mazurka_strcpy_from(to, text, from).add(length)
    }
    mazurka_strncpy_from(to: *mut c_char, text: *const c_char, size: usize; from) -> *mut c_char {
        reads(text.cast(), libc::strnlen(text, size), from);
        writes(to.cast(), size, from);
        libc::strncpy(to, text, size)
    }
    mazurka_strcat_from(to: *mut c_char, text: *const c_char; from) -> *mut c_char {
        let (before, length) = (libc::strlen(to), libc::strlen(text) + 1);
        reads(to.cast(), before + 1, from);
        reads(text.cast(), length, from);
        writes(to.add(before).cast(), length, from);
        libc::strcat(to, text)
    }
    mazurka_strcmp_from(one: *const c_char, other: *const c_char; from) -> c_int {
        let length = compared(one, other, usize::MAX);
        reads(one.cast(), length, from);
        reads(other.cast(), length, from);
        libc::strcmp(one, other)
    }
    mazurka_strncmp_from(one: *const c_char, other: *const c_char, size: usize; from) -> c_int {
        let length = compared(one, other, size);
        reads(one.cast(), length, from);
        reads(other.cast(), length, from);
        libc::strncmp(one, other, size)
    }
    mazurka_strdup_from(text: *const c_char; from) -> *mut c_char {
        reads(text.cast(), libc::strlen(text) + 1, from);
        libc::strdup(text)
    }
}
