//! Barriers.

use std::ffi::{c_int, c_uint, c_void};

use mazurka_runtime::clocks::Clock;
use mazurka_runtime::{Kind, Object, ObjectKind, Operation};

use super::state::{
    begin_or_end, carried, is_active, kernel, object, perform, place, population, release, renew,
    thread,
};
use super::switch::entries;
use super::threads::real;

entries! {
    "pthread_barrier_init", "rcx", "mazurka_barrier_init";
    "pthread_barrier_wait", "rsi", "mazurka_barrier_wait";
    "pthread_barrier_destroy", "rsi", "mazurka_barrier_destroy";
}

/// What `pthread_barrier_wait` gives to one of those who wait.
const SERIAL: c_int = -1;

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_barrier_init(
    barrier: usize,
    attributes: *const c_void,
    count: c_uint,
    _: usize,
) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe {
            real!(
                "pthread_barrier_init"
                    as unsafe extern "C" fn(usize, *const c_void, c_uint) -> c_int
            )(barrier, attributes, count)
        };
    }
    if count == 0 {
        return libc::EINVAL;
    }
    begin_or_end(barrier, 0);
    let id = object(barrier, ObjectKind::BARRIER);
    renew(
        id,
        Object {
            kind: ObjectKind::BARRIER,
            bound: count,
            ..Object::default()
        },
    );
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_barrier_wait(barrier: usize, from: usize) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe {
            real!("pthread_barrier_wait" as unsafe extern "C" fn(usize) -> c_int)(barrier)
        };
    }
    let id = object(barrier, ObjectKind::BARRIER);
    let place = place(from);
    let last = perform(Operation::on(Kind::ARRIVE, id).at(place));
    release(id);
    if last == 0 {
        let generation = kernel().object(id).value;
        perform(Operation::on(Kind::PASS, id).with(generation).at(place));
    } else {
        // The next round carries what comes after this one.
        let carried = carried(id);
        carried.other = carried.clock;
        carried.clock = Clock::NONE;
    }
    let all = carried(id).other;
    thread().knowledge.acquire(&all, population());
    if last == 0 { 0 } else { SERIAL }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_barrier_destroy(barrier: usize, _: usize) -> c_int {
    if is_active() {
        return 0;
    }
    // SAFETY: the caller's promise.
    unsafe { real!("pthread_barrier_destroy" as unsafe extern "C" fn(usize) -> c_int)(barrier) }
}
