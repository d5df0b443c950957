//! The end of the program, by itself or by force.

use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use mazurka_runtime::FailureKind;

use super::state::{self, control, fail, is_active, kernel, place};
use super::switch::entries;
use super::threads::{as_function, real};

entries! {
    "abort", "rdi", "mazurka_abort";
    "__assert_fail", "r8", "mazurka_assert_fail";
    "__assert", "rcx", "mazurka_assert";
}

/// Whether somebody has begun to end the program.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

type Main = extern "C" fn(c_int, *mut *mut c_char, *mut *mut c_char) -> c_int;
static MAIN: AtomicUsize = AtomicUsize::new(0);

/// Calls `main`, and then `exit` as a program does.
extern "C" fn run_main(
    count: c_int,
    words: *mut *mut c_char,
    environment: *mut *mut c_char,
) -> c_int {
    let main: Main = as_function(MAIN.load(Ordering::Relaxed));
    exit(main(count, words, environment))
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __libc_start_main(
    main: usize,
    count: c_int,
    words: *mut *mut c_char,
    begin: usize,
    end: usize,
    leave: usize,
    stack: usize,
) -> c_int {
    let start = real!(
        "__libc_start_main"
            as unsafe extern "C" fn(
                Main,
                c_int,
                *mut *mut c_char,
                usize,
                usize,
                usize,
                usize,
            ) -> c_int
    );
    MAIN.store(main, Ordering::Relaxed);
    // SAFETY: the caller's promise.
    unsafe { start(run_main, count, words, begin, end, leave, stack) }
}

/// The program ends. The first to say so does what is to be done at the end; what others do who say so later could have come
/// before, but no more than that.
#[unsafe(no_mangle)]
extern "C" fn exit(code: c_int) -> ! {
    if is_active() && IS_ENDING.swap(true, Ordering::Relaxed) {
        at_exit(code, std::ptr::null_mut());
    }
    // SAFETY: always allowed.
    unsafe { real!("exit" as unsafe extern "C" fn(c_int) -> !)(code) }
}

/// The handlers that the program has set itself have run. What it has the loader call comes after them.
pub extern "C" fn at_end(code: c_int, argument: *mut c_void) {
    if is_active() {
        super::outside::call_the_last();
    }
    at_exit(code, argument);
}

/// The program calls `exit`, or returns from `main`. What the others would still do can as well come
/// before this, so they go on; but who waits then does not wait for ever.
pub extern "C" fn at_exit(code: c_int, _: *mut c_void) {
    if !is_active() {
        return;
    }
    if code != 0 && control().judge_exit_codes.load(Ordering::Relaxed) != 0 {
        fail(
            FailureKind::CRASH,
            place(0),
            &format!("it exited with code {code}"),
        );
    }
    kernel().exited = 1;
    state::finish()
}

#[unsafe(no_mangle)]
extern "C" fn _exit(code: c_int) -> ! {
    at_exit(code, std::ptr::null_mut());
    loop {
        // SAFETY: does not return.
        unsafe { libc::syscall(libc::SYS_exit_group, code) };
    }
}

#[unsafe(no_mangle)]
extern "C" fn _Exit(code: c_int) -> ! {
    _exit(code)
}

#[unsafe(no_mangle)]
extern "C" fn mazurka_abort(from: usize) -> ! {
    if is_active() {
        if super::verifier::is_assumption(from) {
            super::verifier::assumption_failed(from);
        }
        fail(FailureKind::CRASH, place(from), "it calls abort");
    }
    let abort = real!("abort" as unsafe extern "C" fn() -> !);
    // SAFETY: always allowed.
    unsafe { abort() }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_assert_fail(
    condition: *const c_char,
    file: *const c_char,
    line: c_uint,
    function: *const c_char,
    from: usize,
) -> ! {
    // SAFETY: the caller's promise.
    unsafe {
        if is_active() {
            let condition = CStr::from_ptr(condition).to_string_lossy();
            fail(FailureKind::ASSERTION, place(from), &condition);
        }
        real!(
            "__assert_fail"
                as unsafe extern "C" fn(*const c_char, *const c_char, c_uint, *const c_char) -> !
        )(condition, file, line, function)
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_assert(
    condition: *const c_char,
    file: *const c_char,
    line: c_int,
    from: usize,
) -> ! {
    // SAFETY: the caller's promise.
    unsafe { mazurka_assert_fail(condition, file, line as c_uint, c"?".as_ptr(), from) }
}
