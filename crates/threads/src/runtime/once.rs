//! What is done once: `pthread_once`, `call_once`, and the first time that C++ comes to a static
//! variable of a function.
//!
//! The first to come wins a comparison-and-swap; those who come while it is at work wait until it is
//! done; those who come later only look.

use std::ffi::{c_int, c_void};

use mazurka_runtime::{Kind, Operation};

use super::atomics::{cell, refresh, write_back};
use super::state::{acquire, is_active, kernel, perform, perform_after, place, release};
use super::switch::entries;
use super::threads::real;
use super::waiting::perform_awaiting;

/// How something that is done once is marked in memory.
#[derive(Clone, Copy)]
struct Mark {
    address: usize,
    size: usize,
    busy: i64,
    done: i64,
}

impl Mark {
    fn once(address: usize) -> Mark {
        Mark {
            address,
            size: 4,
            busy: 1,
            done: 2,
        }
    }

    /// The program itself looks at the first byte, and does not ask where it is not zero.
    fn guard(address: usize) -> Mark {
        Mark {
            address,
            size: 2,
            busy: 0x100,
            done: 1,
        }
    }

    /// Whether the running actor is the first and has it to do.
    fn begin(self, place: u16) -> bool {
        let id = cell(self.address, self.size);
        let attempt = Operation::on(Kind::COMPARE_EXCHANGE, id)
            .with(0)
            .and(self.busy)
            .at(place);
        loop {
            let seen = perform_after(attempt, |kernel, _| refresh(kernel, id, self.address));
            write_back(id, self.address);
            if seen != self.busy {
                acquire(id);
                return seen == 0;
            }
            let version = kernel().object(id).version;
            let look = Operation::on(Kind::READ, id).at(place);
            perform_awaiting(look, &[(id, version)], |kernel, _| {
                refresh(kernel, id, self.address)
            });
        }
    }

    fn end(self, value: i64, place: u16) {
        let id = cell(self.address, self.size);
        perform(Operation::on(Kind::WRITE, id).with(value).at(place));
        write_back(id, self.address);
        release(id);
    }
}

entries! {
    "pthread_once", "rdx", "mazurka_once";
    "call_once", "rdx", "mazurka_call_once";
    "__cxa_guard_acquire", "rsi", "mazurka_guard_acquire";
    "__cxa_guard_release", "rsi", "mazurka_guard_release";
    "__cxa_guard_abort", "rsi", "mazurka_guard_abort";
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_once(control: usize, body: extern "C" fn(), from: usize) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe {
            real!("pthread_once" as unsafe extern "C" fn(usize, extern "C" fn()) -> c_int)(
                control, body,
            )
        };
    }
    let (mark, place) = (Mark::once(control), place(from));
    if mark.begin(place) {
        // SAFETY: the caller's promise, and where the mark is.
        unsafe { mazurka_run_once(body, control, from) };
        mark.end(mark.done, place);
    }
    0
}

// rdi: a function that is called; it may be left by an exception, and what it was to do is then not done. rsi, rdx: the mark, and
// where it was asked for.
std::arch::global_asm!(
    ".text",
    ".type mazurka_run_once,@function",
    ".globl mazurka_run_once",
    "mazurka_run_once:",
    ".cfi_startproc",
    ".cfi_personality 0x1b, mazurka_leaves_once",
    "push rbx",
    ".cfi_def_cfa_offset 16",
    ".cfi_offset rbx, -16",
    "push r12",
    ".cfi_def_cfa_offset 24",
    ".cfi_offset r12, -24",
    "sub rsp, 8",
    ".cfi_def_cfa_offset 32",
    "mov rbx, rsi",
    "mov r12, rdx",
    "call rdi",
    "add rsp, 8",
    ".cfi_def_cfa_offset 24",
    "pop r12",
    ".cfi_def_cfa_offset 16",
    "pop rbx",
    ".cfi_def_cfa_offset 8",
    "ret",
    ".cfi_endproc",
    ".size mazurka_run_once,.-mazurka_run_once",
);

unsafe extern "C" {
    fn mazurka_run_once(body: extern "C" fn(), mark: usize, from: usize);
    fn _Unwind_GetGR(context: *mut c_void, register: c_int) -> usize;
}

/// An exception goes past `mazurka_run_once`: the next one to come has it to do.
#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_leaves_once(
    _: c_int,
    actions: c_int,
    _: u64,
    _: *mut c_void,
    context: *mut c_void,
) -> c_int {
    const CLEANUP: c_int = 2;
    const CONTINUE: c_int = 8;
    const RBX: c_int = 3;
    const R12: c_int = 12;
    if actions & CLEANUP != 0 {
        // SAFETY: the frame of the function above, which keeps both in these registers.
        let (mark, from) = unsafe { (_Unwind_GetGR(context, RBX), _Unwind_GetGR(context, R12)) };
        Mark::once(mark).end(0, place(from));
    }
    CONTINUE
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_call_once(control: usize, body: extern "C" fn(), from: usize) {
    // SAFETY: the caller's promise.
    unsafe { mazurka_once(control, body, from) };
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_guard_acquire(guard: *mut u8, from: usize) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe {
            real!("__cxa_guard_acquire" as unsafe extern "C" fn(*mut u8) -> c_int)(guard)
        };
    }
    Mark::guard(guard as usize).begin(place(from)).into()
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_guard_release(guard: *mut u8, from: usize) {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe { real!("__cxa_guard_release" as unsafe extern "C" fn(*mut u8))(guard) };
    }
    let mark = Mark::guard(guard as usize);
    mark.end(mark.done, place(from));
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_guard_abort(guard: *mut u8, from: usize) {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe { real!("__cxa_guard_abort" as unsafe extern "C" fn(*mut u8))(guard) };
    }
    Mark::guard(guard as usize).end(0, place(from));
}
