//! POSIX semaphores.

use std::ffi::{c_int, c_uint, c_void};

use mazurka_runtime::accesses::WRITE;
use mazurka_runtime::{Kind, Object, ObjectKind, Operation};

use super::atomics::cell;
use super::state::{
    access, acquire, begin_or_end, is_active, object, perform, perform_after, place, release, renew,
};
use super::switch::{entries, looks};
use super::threads::real;
use super::time;
use super::waiting::attempt;

entries! {
    "sem_init", "rcx", "mazurka_sem_init";
    "sem_destroy", "rsi", "mazurka_sem_destroy";
    "sem_wait", "rsi", "mazurka_sem_wait";
    "sem_post", "rsi", "mazurka_sem_post";
    "sem_getvalue", "rdx", "mazurka_sem_getvalue";
}

looks! {
    "sem_trywait", "rsi", "mazurka_sem_trywait";
    "sem_timedwait", "rdx", "mazurka_sem_timedwait";
    "sem_clockwait", "rcx", "mazurka_sem_clockwait";
}

fn set_error(error: c_int) -> c_int {
    // SAFETY: the place of the running thread's error number.
    unsafe { *libc::__errno_location() = error };
    -1
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_sem_init(
    semaphore: usize,
    shared: c_int,
    value: c_uint,
    _: usize,
) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe {
            real!("sem_init" as unsafe extern "C" fn(usize, c_int, c_uint) -> c_int)(
                semaphore, shared, value,
            )
        };
    }
    begin_or_end(semaphore, 0);
    let id = object(semaphore, ObjectKind::SEMAPHORE);
    renew(
        id,
        Object {
            kind: ObjectKind::SEMAPHORE,
            value: value.into(),
            ..Object::default()
        },
    );
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_sem_destroy(semaphore: usize, _: usize) -> c_int {
    if is_active() {
        return 0;
    }
    // SAFETY: the caller's promise.
    unsafe { real!("sem_destroy" as unsafe extern "C" fn(usize) -> c_int)(semaphore) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_sem_wait(semaphore: usize, from: usize) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe { real!("sem_wait" as unsafe extern "C" fn(usize) -> c_int)(semaphore) };
    }
    let id = object(semaphore, ObjectKind::SEMAPHORE);
    perform(Operation::on(Kind::TAKE, id).at(place(from)));
    acquire(id);
    0
}

fn try_take(semaphore: usize, failure: c_int, from: usize) -> c_int {
    let id = object(semaphore, ObjectKind::SEMAPHORE);
    if !attempt(Operation::on(Kind::TRY_TAKE, id).at(place(from)), from) {
        return set_error(failure);
    }
    acquire(id);
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_sem_trywait(semaphore: usize, from: usize) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe { real!("sem_trywait" as unsafe extern "C" fn(usize) -> c_int)(semaphore) };
    }
    try_take(semaphore, libc::EAGAIN, from)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_sem_timedwait(
    semaphore: usize,
    limit: *const c_void,
    from: usize,
) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe {
            real!("sem_timedwait" as unsafe extern "C" fn(usize, *const c_void) -> c_int)(
                semaphore, limit,
            )
        };
    }
    let told = try_take(semaphore, libc::ETIMEDOUT, from);
    if told != 0 {
        // SAFETY: the caller's promise.
        unsafe { time::ran_out(limit) };
    }
    told
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_sem_clockwait(
    semaphore: usize,
    clock: c_int,
    limit: *const c_void,
    from: usize,
) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe {
            real!("sem_clockwait" as unsafe extern "C" fn(usize, c_int, *const c_void) -> c_int)(
                semaphore, clock, limit,
            )
        };
    }
    let told = try_take(semaphore, libc::ETIMEDOUT, from);
    if told != 0 {
        // SAFETY: the caller's promise.
        unsafe { time::ran_out(limit) };
    }
    told
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_sem_post(semaphore: usize, from: usize) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe { real!("sem_post" as unsafe extern "C" fn(usize) -> c_int)(semaphore) };
    }
    let id = object(semaphore, ObjectKind::SEMAPHORE);
    perform(Operation::on(Kind::RELEASE, id).at(place(from)));
    release(id);
    0
}

/// Its value now. A look that takes one if there is one, and gives it back, depends on all that it should.
#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_sem_getvalue(
    semaphore: usize,
    value: *mut c_int,
    from: usize,
) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe {
            real!("sem_getvalue" as unsafe extern "C" fn(usize, *mut c_int) -> c_int)(
                semaphore, value,
            )
        };
    }
    let id = object(semaphore, ObjectKind::SEMAPHORE);
    // To look at a semaphore beside a variable is one step; the variable is at an address that no program has, and nobody writes it.
    let nothing = cell(semaphore | 1 << 62, 8);
    let look = Operation::on(Kind::READ, nothing)
        .beside(id)
        .at(place(from));
    let mut seen = 0;
    perform_after(look, |kernel, _| seen = kernel.object(id).value);
    access(value as usize, size_of::<c_int>(), WRITE, from);
    // SAFETY: the caller's promise.
    unsafe { *value = seen as c_int };
    0
}
