//! An actor that overflows its stack is told apart from one that follows a wild pointer.
//!
//! **Why it is sound.** The handler of the signal runs on the alternative stack that `std` gives to
//! its threads. It compares addresses, and writes and aborts, or gives way to the handler that was
//! there before: nothing that a handler may not do.

use std::ffi::c_int;
use std::mem::MaybeUninit;
use std::ptr;
use std::sync::OnceLock;

use crate::coroutine::is_beyond_a_stack;

/// What was to be done with the signal before.
static BEFORE: OnceLock<libc::sigaction> = OnceLock::new();

/// Sees to it that an overflow is told. Once is enough.
pub(crate) fn watch() {
    BEFORE.get_or_init(|| {
        let handler: extern "C" fn(c_int, *mut libc::siginfo_t, *mut libc::c_void) = on_fault;
        // SAFETY: both actions are plain numbers, one filled in here and one by the call; the
        // handler is a function of this program.
        unsafe {
            let mut action: libc::sigaction = MaybeUninit::zeroed().assume_init();
            let mut before = action;
            action.sa_sigaction = handler as usize;
            action.sa_flags = libc::SA_SIGINFO | libc::SA_ONSTACK;
            libc::sigaction(libc::SIGSEGV, &action, &mut before);
            before
        }
    });
}

extern "C" fn on_fault(_: c_int, info: *mut libc::siginfo_t, _: *mut libc::c_void) {
    // SAFETY: the system hands in what it knows of the fault.
    let address = unsafe { (*info).si_addr() } as usize;
    if is_beyond_a_stack(address) {
        let message = "an actor has overflowed its stack: Explorer::stack gives it a larger one\n";
        // SAFETY: the message lives; aborting is always allowed.
        unsafe {
            libc::write(2, message.as_ptr().cast(), message.len());
            libc::abort();
        }
    }
    // The instruction is tried again, and faults again, under the handler that was there.
    if let Some(before) = BEFORE.get() {
        // SAFETY: an action that the system gave out.
        unsafe { libc::sigaction(libc::SIGSEGV, before, ptr::null_mut()) };
    }
}
