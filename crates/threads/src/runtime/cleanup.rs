//! What C programs want to be done when a thread ends early (`pthread_cleanup_push`): places to jump to, the
//! last one first.

use std::ffi::{c_int, c_void};

use mazurka_runtime::ACTORS;

use super::state::{current, is_active, thread};
use super::threads::{end, real};

struct Cell(std::cell::UnsafeCell<[Vec<usize>; ACTORS]>);

// SAFETY: see the module `runtime`.
unsafe impl Sync for Cell {}

static PLACES: Cell = Cell(std::cell::UnsafeCell::new([const { vec![] }; ACTORS]));

fn places() -> &'static mut Vec<usize> {
    // SAFETY: see the module `runtime`.
    unsafe { &mut (*PLACES.0.get())[current()] }
}

unsafe extern "C" {
    fn siglongjmp(place: *mut c_void, value: c_int) -> !;
}

/// The running thread ends with a result, after what it wants to be done before.
pub fn unwind(result: *mut c_void) -> ! {
    thread().result = result;
    match places().pop() {
        // SAFETY: the frame that the place is in has not returned: it would have taken it back.
        Some(place) => unsafe { siglongjmp(place as *mut c_void, 1) },
        None => end(result),
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __pthread_register_cancel(place: *mut c_void) {
    if is_active() {
        places().push(place as usize);
        return;
    }
    let register = real!("__pthread_register_cancel" as unsafe extern "C" fn(*mut c_void));
    // SAFETY: the caller's promise.
    unsafe { register(place) };
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __pthread_unregister_cancel(place: *mut c_void) {
    if is_active() {
        places().pop();
        return;
    }
    let unregister = real!("__pthread_unregister_cancel" as unsafe extern "C" fn(*mut c_void));
    // SAFETY: the caller's promise.
    unsafe { unregister(place) };
}

#[unsafe(no_mangle)]
unsafe extern "C" fn __pthread_unwind_next(place: *mut c_void) -> ! {
    if is_active() {
        unwind(thread().result);
    }
    let next = real!("__pthread_unwind_next" as unsafe extern "C" fn(*mut c_void) -> !);
    // SAFETY: the caller's promise.
    unsafe { next(place) }
}
