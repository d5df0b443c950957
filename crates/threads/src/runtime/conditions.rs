//! Condition variables.

use std::ffi::{c_int, c_void};

use mazurka_runtime::{Kind, Object, ObjectKind, Operation};

use super::spurious;
use super::state::{
    acquire, begin_or_end, current, is_active, kernel, misuse, object, perform, place, release,
    renew,
};
use super::switch::entries;
use super::threads::real;
use super::time;

entries! {
    "pthread_cond_wait", "rdx", "mazurka_cond_wait";
    "pthread_cond_timedwait", "rcx", "mazurka_cond_timedwait";
    "pthread_cond_clockwait", "r8", "mazurka_cond_clockwait";
    "pthread_cond_signal", "rsi", "mazurka_cond_signal";
    "pthread_cond_broadcast", "rsi", "mazurka_cond_broadcast";
    "pthread_cond_init", "rdx", "mazurka_cond_init";
    "cnd_wait", "rdx", "mazurka_cond_wait";
    "cnd_timedwait", "rcx", "mazurka_cnd_timedwait";
    "cnd_signal", "rsi", "mazurka_cond_signal";
    "cnd_broadcast", "rsi", "mazurka_cond_broadcast";
}

/// Waits, with or without a limit; tells whether there was a notification.
fn wait(condition: usize, mutex: usize, then: Kind, from: usize) -> bool {
    let condition = object(condition, ObjectKind::CONDITION);
    let mutex = object(mutex, ObjectKind::MUTEX);
    if usize::from(kernel().object(mutex).owner) != current() + 1 {
        misuse(from, "it waits without holding the mutex");
    }
    let place = place(from);
    perform(Operation::on(Kind::WAIT, condition).beside(mutex).at(place));
    release(mutex);
    let notified = perform(Operation::on(then, mutex).beside(condition).at(place));
    acquire(mutex);
    notified != 0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_cond_wait(condition: usize, mutex: usize, from: usize) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe {
            real!("pthread_cond_wait" as unsafe extern "C" fn(usize, usize) -> c_int)(
                condition, mutex,
            )
        };
    }
    let then = match spurious::may_wake() {
        true => Kind::REACQUIRE_TIMED,
        false => Kind::REACQUIRE,
    };
    if !wait(condition, mutex, then, from) && then == Kind::REACQUIRE_TIMED {
        spurious::woke();
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_cond_timedwait(
    condition: usize,
    mutex: usize,
    limit: *const c_void,
    from: usize,
) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe {
            real!(
                "pthread_cond_timedwait"
                    as unsafe extern "C" fn(usize, usize, *const c_void) -> c_int
            )(condition, mutex, limit)
        };
    }
    if wait(condition, mutex, Kind::REACQUIRE_TIMED, from) {
        return 0;
    }
    // SAFETY: the caller's promise.
    unsafe { time::ran_out(limit) };
    libc::ETIMEDOUT
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_cond_clockwait(
    condition: usize,
    mutex: usize,
    clock: c_int,
    limit: *const c_void,
    from: usize,
) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe {
            real!(
                "pthread_cond_clockwait"
                    as unsafe extern "C" fn(usize, usize, c_int, *const c_void) -> c_int
            )(condition, mutex, clock, limit)
        };
    }
    // SAFETY: the caller's promise.
    unsafe { mazurka_cond_timedwait(condition, mutex, limit, from) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_cnd_timedwait(
    condition: usize,
    mutex: usize,
    limit: *const c_void,
    from: usize,
) -> c_int {
    // SAFETY: the caller's promise.
    match unsafe { mazurka_cond_timedwait(condition, mutex, limit, from) } {
        0 => 0,
        _ => 4,
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_cond_signal(condition: usize, from: usize) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe {
            real!("pthread_cond_signal" as unsafe extern "C" fn(usize) -> c_int)(condition)
        };
    }
    let id = object(condition, ObjectKind::CONDITION);
    perform(Operation::on(Kind::NOTIFY_ONE, id).at(place(from)));
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_cond_broadcast(condition: usize, from: usize) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe {
            real!("pthread_cond_broadcast" as unsafe extern "C" fn(usize) -> c_int)(condition)
        };
    }
    let id = object(condition, ObjectKind::CONDITION);
    perform(Operation::on(Kind::NOTIFY_ALL, id).at(place(from)));
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_cond_init(
    condition: usize,
    attributes: *const c_void,
    _: usize,
) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe {
            real!("pthread_cond_init" as unsafe extern "C" fn(usize, *const c_void) -> c_int)(
                condition, attributes,
            )
        };
    }
    renew_condition(condition);
    0
}

fn renew_condition(condition: usize) {
    begin_or_end(condition, 0);
    let id = object(condition, ObjectKind::CONDITION);
    renew(
        id,
        Object {
            kind: ObjectKind::CONDITION,
            ..Object::default()
        },
    );
}

#[unsafe(no_mangle)]
extern "C" fn cnd_init(condition: usize) -> c_int {
    if is_active() {
        renew_condition(condition);
        return 0;
    }
    // SAFETY: the caller's promise.
    unsafe { real!("cnd_init" as unsafe extern "C" fn(usize) -> c_int)(condition) }
}

#[unsafe(no_mangle)]
extern "C" fn pthread_cond_destroy(condition: usize) -> c_int {
    if is_active() {
        begin_or_end(condition, 0);
        if kernel()
            .object(object(condition, ObjectKind::CONDITION))
            .actors
            != 0
        {
            misuse(0, "it destroys a condition variable for which others wait");
        }
        return 0;
    }
    // SAFETY: the caller's promise.
    unsafe { real!("pthread_cond_destroy" as unsafe extern "C" fn(usize) -> c_int)(condition) }
}

#[unsafe(no_mangle)]
extern "C" fn cnd_destroy(condition: usize) {
    pthread_cond_destroy(condition);
}
