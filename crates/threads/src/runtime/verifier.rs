//! The functions that programs of the competition on software verification (SV-COMP) expect.

use std::ffi::{c_char, c_int};

use mazurka_runtime::{FailureKind, Kind, ObjectKind, Operation};

use super::state::{acquire, current, fail, is_active, kernel, object, perform, place, release};
use super::switch::entries;

entries! {
    "reach_error", "rdi", "mazurka_reach_error";
    "__VERIFIER_error", "rdi", "mazurka_reach_error";
    "__VERIFIER_assert", "rsi", "mazurka_verifier_assert";
    "__VERIFIER_assume", "rsi", "mazurka_verifier_assume";
    "__VERIFIER_atomic_begin", "rdi", "mazurka_atomic_begin";
    "__VERIFIER_atomic_end", "rdi", "mazurka_atomic_end";
    "__VERIFIER_nondet_bool", "rdi", "mazurka_nondet_bool";
    "__VERIFIER_nondet_int", "rdi", "mazurka_nondet";
    "__VERIFIER_nondet_uint", "rdi", "mazurka_nondet";
    "__VERIFIER_nondet_char", "rdi", "mazurka_nondet";
    "__VERIFIER_nondet_uchar", "rdi", "mazurka_nondet";
    "__VERIFIER_nondet_short", "rdi", "mazurka_nondet";
    "__VERIFIER_nondet_ushort", "rdi", "mazurka_nondet";
    "__VERIFIER_nondet_long", "rdi", "mazurka_nondet";
    "__VERIFIER_nondet_ulong", "rdi", "mazurka_nondet";
    "__VERIFIER_nondet_size_t", "rdi", "mazurka_nondet";
}

// A program may bring functions of these names along: SV-COMP's define reach_error themselves.
std::arch::global_asm!(
    ".weak reach_error",
    ".weak __VERIFIER_error",
    ".weak __VERIFIER_assert",
    ".weak __VERIFIER_assume",
    ".weak __VERIFIER_atomic_begin",
    ".weak __VERIFIER_atomic_end",
);

/// How many values a nondeterministic number takes. That others are left out is told.
const VALUES: i64 = 3;

#[unsafe(no_mangle)]
extern "C" fn mazurka_reach_error(from: usize) -> ! {
    if is_active() {
        fail(
            FailureKind::ASSERTION,
            place(from),
            "reach_error is reached",
        );
    }
    std::process::abort()
}

#[unsafe(no_mangle)]
extern "C" fn mazurka_verifier_assert(holds: c_int, from: usize) {
    if holds == 0 {
        mazurka_reach_error(from);
    }
}

/// An execution in which this is false is none; but what others do could have come before.
#[unsafe(no_mangle)]
extern "C" fn mazurka_verifier_assume(holds: c_int, from: usize) {
    if holds == 0 {
        if is_active() {
            give_way(from);
        }
        std::process::exit(0);
    }
}

/// The running actor goes no further, and that is no deadlock.
fn give_way(from: usize) -> ! {
    kernel().exited = 1;
    let never = Operation::new(Kind::JOIN).with(current() as i64);
    perform(never.at(place(from)));
    unreachable!("nobody comes after oneself")
}

/// Whether a call comes from the function by which these programs assume something.
pub fn is_assumption(from: usize) -> bool {
    unsafe extern "C" {
        /// Where the program has it, or zero.
        fn mazurka_assumption() -> usize;
    }
    // SAFETY: gives an address.
    let start = unsafe { mazurka_assumption() };
    start != 0 && (start..start + 128).contains(&from)
}

/// Such a function calls `abort`.
pub fn assumption_failed(from: usize) -> ! {
    give_way(from)
}

std::arch::global_asm!(
    ".weak assume_abort_if_not",
    ".globl mazurka_assumption",
    "mazurka_assumption:",
    "mov rax, [rip + assume_abort_if_not@GOTPCREL]",
    "ret",
);

/// One lock for all atomic sections.
static SECTION: c_char = 0;

#[unsafe(no_mangle)]
extern "C" fn mazurka_atomic_begin(from: usize) {
    if is_active() {
        let id = object(&raw const SECTION as usize, ObjectKind::MUTEX);
        perform(Operation::on(Kind::LOCK, id).at(place(from)));
        acquire(id);
    }
}

#[unsafe(no_mangle)]
extern "C" fn mazurka_atomic_end(from: usize) {
    if is_active() {
        let id = object(&raw const SECTION as usize, ObjectKind::MUTEX);
        perform(Operation::on(Kind::UNLOCK, id).at(place(from)));
        release(id);
    }
}

fn choose(count: i64, from: usize) -> i64 {
    if !is_active() {
        return 0;
    }
    perform(Operation::new(Kind::TOSS).with(count).at(place(from)))
}

#[unsafe(no_mangle)]
extern "C" fn mazurka_nondet_bool(from: usize) -> i64 {
    choose(2, from)
}

#[unsafe(no_mangle)]
extern "C" fn mazurka_nondet(from: usize) -> i64 {
    if is_active() {
        super::state::kernel().bounded = 1;
    }
    choose(VALUES, from)
}
