//! Mutexes, read-write locks, spin locks; those of C11.

use std::ffi::{c_int, c_void};

use mazurka_processes::uncontrolled;
use mazurka_runtime::{Kind, Object, ObjectId, ObjectKind, Operation};

use super::beyond::did;
use super::robust;
use super::state::{
    acquire, begin_or_end, carried, current, is_active, kernel, misuse, object, perform, place,
    population, release, renew, thread,
};
use super::switch::{entries, looks};
use super::threads::real;
use super::waiting::attempt;

const RECURSIVE: c_int = 1;
const CHECKED: c_int = 2;

entries! {
    "pthread_mutex_lock", "rsi", "mazurka_mutex_lock";
    "pthread_mutex_timedlock", "rdx", "mazurka_mutex_timedlock";
    "pthread_mutex_clocklock", "rcx", "mazurka_mutex_clocklock";
    "pthread_mutex_unlock", "rsi", "mazurka_mutex_unlock";
    "pthread_mutex_init", "rdx", "mazurka_mutex_init";
    "pthread_mutex_destroy", "rsi", "mazurka_mutex_destroy";
    "pthread_rwlock_rdlock", "rsi", "mazurka_rwlock_rdlock";
    "pthread_rwlock_timedrdlock", "rdx", "mazurka_rwlock_timedrdlock";
    "pthread_rwlock_clockrdlock", "rcx", "mazurka_rwlock_clockrdlock";
    "pthread_rwlock_wrlock", "rsi", "mazurka_rwlock_wrlock";
    "pthread_rwlock_timedwrlock", "rdx", "mazurka_rwlock_timedwrlock";
    "pthread_rwlock_clockwrlock", "rcx", "mazurka_rwlock_clockwrlock";
    "pthread_rwlock_unlock", "rsi", "mazurka_rwlock_unlock";
    "pthread_rwlock_init", "rdx", "mazurka_rwlock_init";
    "pthread_rwlock_destroy", "rsi", "mazurka_rwlock_destroy";
    "pthread_spin_lock", "rsi", "mazurka_spin_lock";
    "pthread_spin_unlock", "rsi", "mazurka_spin_unlock";
    "pthread_spin_init", "rdx", "mazurka_spin_init";
    "pthread_spin_destroy", "rsi", "mazurka_spin_destroy";
    "mtx_lock", "rsi", "mazurka_mutex_lock";
    "mtx_timedlock", "rdx", "mazurka_mtx_timedlock";
    "mtx_unlock", "rsi", "mazurka_mutex_unlock";
    "mtx_init", "rdx", "mazurka_mtx_init";
    "mtx_destroy", "rsi", "mazurka_mutex_destroy";
}

looks! {
    "pthread_mutex_trylock", "rsi", "mazurka_mutex_trylock";
    "pthread_rwlock_tryrdlock", "rsi", "mazurka_rwlock_tryrdlock";
    "pthread_rwlock_trywrlock", "rsi", "mazurka_rwlock_trywrlock";
    "pthread_spin_trylock", "rsi", "mazurka_spin_trylock";
    "mtx_trylock", "rsi", "mazurka_mtx_trylock";
}

unsafe extern "C" {
    fn pthread_mutexattr_gettype(
        attributes: *const libc::pthread_mutexattr_t,
        kind: *mut c_int,
    ) -> c_int;
}

/// The kind of a mutex and how often its owner holds it, where the C library keeps them.
///
/// # Safety
///
/// There is a mutex at this address.
unsafe fn parts(mutex: usize) -> (c_int, &'static mut u32) {
    // SAFETY: the caller's promise; the places are the same on all systems with this instruction set.
    unsafe {
        (
            *((mutex + 16) as *const c_int) & 3,
            &mut *((mutex + 4) as *mut u32),
        )
    }
}

fn owner(id: ObjectId) -> usize {
    kernel().object(id).owner.into()
}

/// Acquires a mutex; `kind` says whether it waits.
///
/// # Safety
///
/// There is a mutex at this address.
unsafe fn lock(mutex: usize, kind: Kind, failure: c_int, from: usize) -> c_int {
    let id = object(mutex, ObjectKind::MUTEX);
    // SAFETY: the caller's promise.
    let (type_of, count) = unsafe { parts(mutex) };
    if owner(id) == current() + 1 {
        match type_of {
            RECURSIVE => {
                *count += 1;
                return 0;
            }
            CHECKED if kind == Kind::LOCK => return libc::EDEADLK,
            _ => {}
        }
    }
    let operation = Operation::on(kind, id).at(place(from));
    if kind == Kind::LOCK {
        perform(operation);
    } else if !attempt(operation, from) {
        return failure;
    }
    acquire(id);
    // SAFETY: the caller's promise.
    unsafe { robust::locked(mutex, id) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_mutex_lock(mutex: usize, from: usize) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        if !is_active() {
            return real!("pthread_mutex_lock" as unsafe extern "C" fn(usize) -> c_int)(mutex);
        }
        lock(mutex, Kind::LOCK, 0, from)
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_mutex_trylock(mutex: usize, from: usize) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        if !is_active() {
            return real!("pthread_mutex_trylock" as unsafe extern "C" fn(usize) -> c_int)(mutex);
        }
        lock(mutex, Kind::TRY_LOCK, libc::EBUSY, from)
    }
}

/// A time limit may run out whenever the lock is held: trying at that moment is all there is to explore.
#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_mutex_timedlock(
    mutex: usize,
    limit: *const c_void,
    from: usize,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        if !is_active() {
            return real!(
                "pthread_mutex_timedlock" as unsafe extern "C" fn(usize, *const c_void) -> c_int
            )(mutex, limit);
        }
        lock(mutex, Kind::TRY_LOCK, libc::ETIMEDOUT, from)
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_mutex_clocklock(
    mutex: usize,
    clock: c_int,
    limit: *const c_void,
    from: usize,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        if !is_active() {
            return real!(
                "pthread_mutex_clocklock"
                    as unsafe extern "C" fn(usize, c_int, *const c_void) -> c_int
            )(mutex, clock, limit);
        }
        lock(mutex, Kind::TRY_LOCK, libc::ETIMEDOUT, from)
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_mutex_unlock(mutex: usize, from: usize) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        if !is_active() {
            return real!("pthread_mutex_unlock" as unsafe extern "C" fn(usize) -> c_int)(mutex);
        }
        let id = object(mutex, ObjectKind::MUTEX);
        let (type_of, count) = parts(mutex);
        if owner(id) != current() + 1 {
            if matches!(type_of, RECURSIVE | CHECKED) {
                return libc::EPERM;
            }
            misuse(from, "it unlocks a mutex that it does not hold");
        }
        if type_of == RECURSIVE && *count > 0 {
            *count -= 1;
            return 0;
        }
        robust::unlocking(mutex);
        perform(Operation::on(Kind::UNLOCK, id).at(place(from)));
        release(id);
        0
    }
}

fn new_lock(address: usize, kind: ObjectKind, size: usize) {
    begin_or_end(address, 0);
    let id = object(address, kind);
    renew(
        id,
        Object {
            kind,
            ..Object::default()
        },
    );
    // SAFETY: the caller's promise: there is room for a lock.
    unsafe { libc::memset(address as *mut c_void, 0, size) };
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_mutex_init(
    mutex: usize,
    attributes: *const libc::pthread_mutexattr_t,
    _: usize,
) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        if !is_active() {
            return real!(
                "pthread_mutex_init"
                    as unsafe extern "C" fn(usize, *const libc::pthread_mutexattr_t) -> c_int
            )(mutex, attributes);
        }
        let mut kind = 0;
        if !attributes.is_null() {
            pthread_mutexattr_gettype(attributes, &mut kind);
            kind |= robust::asked_for(attributes);
        }
        new_lock(mutex, ObjectKind::MUTEX, size_of::<libc::pthread_mutex_t>());
        *((mutex + 16) as *mut c_int) = kind;
        0
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_mutex_destroy(mutex: usize, from: usize) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        if !is_active() {
            return real!("pthread_mutex_destroy" as unsafe extern "C" fn(usize) -> c_int)(mutex);
        }
    }
    begin_or_end(mutex, from);
    let id = object(mutex, ObjectKind::MUTEX);
    if owner(id) != 0 {
        misuse(from, "it destroys a mutex that is held");
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_mtx_init(mutex: usize, kind: c_int, _: usize) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        if !is_active() {
            return real!("mtx_init" as unsafe extern "C" fn(usize, c_int) -> c_int)(mutex, kind);
        }
        new_lock(mutex, ObjectKind::MUTEX, size_of::<libc::pthread_mutex_t>());
        *((mutex + 16) as *mut c_int) = kind & RECURSIVE;
    }
    0
}

/// C11's answers for a lock that is held.
const BUSY: c_int = 1;
const TIMED_OUT: c_int = 4;

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_mtx_trylock(mutex: usize, from: usize) -> c_int {
    // SAFETY: the caller's promise.
    match unsafe { mazurka_mutex_trylock(mutex, from) } {
        0 => 0,
        _ => BUSY,
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_mtx_timedlock(
    mutex: usize,
    limit: *const c_void,
    from: usize,
) -> c_int {
    // SAFETY: the caller's promise.
    match unsafe { mazurka_mutex_timedlock(mutex, limit, from) } {
        0 => 0,
        _ => TIMED_OUT,
    }
}

/// Where the C library keeps whom a read-write lock prefers: zero for readers, as here.
const KIND_OF_LOCK: usize = 48;

/// Acquires a read-write lock.
fn rwlock(lock: usize, kind: Kind, failure: c_int, from: usize) -> c_int {
    let id = object(lock, ObjectKind::RWLOCK);
    // SAFETY: the caller's promise; this is within a lock.
    if unsafe { ((lock + KIND_OF_LOCK) as *const u32).read_unaligned() } != 0 {
        did(uncontrolled::WRITERS);
    }
    let waits = matches!(kind, Kind::READ_LOCK | Kind::WRITE_LOCK);
    if waits && owner(id) == current() + 1 {
        return libc::EDEADLK;
    }
    let operation = Operation::on(kind, id).at(place(from));
    if waits {
        perform(operation);
    } else if !attempt(operation, from) {
        return failure;
    }
    acquire(id);
    if matches!(kind, Kind::WRITE_LOCK | Kind::TRY_WRITE_LOCK) {
        let readers = carried(id).other;
        thread().knowledge.acquire(&readers, population());
    }
    0
}

macro_rules! rwlocks {
    ($($name:ident, $real:literal, $kind:ident, $failure:expr $(, $argument:ident)?;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(lock: usize, $($argument: *const c_void,)? from: usize) -> c_int {
            if !is_active() {
                // SAFETY: the caller's promise.
                return unsafe {
                    real!($real as unsafe extern "C" fn(usize $(, rwlocks!(@type $argument))?) -> c_int)(lock $(, $argument)?)
                };
            }
            rwlock(lock, Kind::$kind, $failure, from)
        }
    )*};
    (@type $argument:ident) => { *const c_void };
}

rwlocks! {
    mazurka_rwlock_rdlock, "pthread_rwlock_rdlock", READ_LOCK, 0;
    mazurka_rwlock_tryrdlock, "pthread_rwlock_tryrdlock", TRY_READ_LOCK, libc::EBUSY;
    mazurka_rwlock_timedrdlock, "pthread_rwlock_timedrdlock", TRY_READ_LOCK, libc::ETIMEDOUT, limit;
    mazurka_rwlock_wrlock, "pthread_rwlock_wrlock", WRITE_LOCK, 0;
    mazurka_rwlock_trywrlock, "pthread_rwlock_trywrlock", TRY_WRITE_LOCK, libc::EBUSY;
    mazurka_rwlock_timedwrlock, "pthread_rwlock_timedwrlock", TRY_WRITE_LOCK, libc::ETIMEDOUT, limit;
}

macro_rules! clocked {
    ($($name:ident, $real:literal, $kind:ident;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(lock: usize, clock: c_int, limit: *const c_void, from: usize) -> c_int {
            if !is_active() {
                // SAFETY: the caller's promise.
                return unsafe {
                    real!($real as unsafe extern "C" fn(usize, c_int, *const c_void) -> c_int)(lock, clock, limit)
                };
            }
            rwlock(lock, Kind::$kind, libc::ETIMEDOUT, from)
        }
    )*};
}

clocked! {
    mazurka_rwlock_clockrdlock, "pthread_rwlock_clockrdlock", TRY_READ_LOCK;
    mazurka_rwlock_clockwrlock, "pthread_rwlock_clockwrlock", TRY_WRITE_LOCK;
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_rwlock_unlock(lock: usize, from: usize) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe {
            real!("pthread_rwlock_unlock" as unsafe extern "C" fn(usize) -> c_int)(lock)
        };
    }
    let id = object(lock, ObjectKind::RWLOCK);
    let place = place(from);
    if owner(id) == current() + 1 {
        perform(Operation::on(Kind::WRITE_UNLOCK, id).at(place));
        release(id);
    } else if kernel().object(id).sent != 0 {
        perform(Operation::on(Kind::READ_UNLOCK, id).at(place));
        let me = current();
        thread()
            .knowledge
            .release(me, &mut carried(id).other, population());
    } else {
        misuse(from, "it unlocks a read-write lock that nobody holds");
    }
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_rwlock_init(
    lock: usize,
    attributes: *const c_void,
    _: usize,
) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe {
            real!("pthread_rwlock_init" as unsafe extern "C" fn(usize, *const c_void) -> c_int)(
                lock, attributes,
            )
        };
    }
    new_lock(
        lock,
        ObjectKind::RWLOCK,
        size_of::<libc::pthread_rwlock_t>(),
    );
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_rwlock_destroy(lock: usize, from: usize) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe {
            real!("pthread_rwlock_destroy" as unsafe extern "C" fn(usize) -> c_int)(lock)
        };
    }
    begin_or_end(lock, from);
    let id = object(lock, ObjectKind::RWLOCK);
    if owner(id) != 0 || kernel().object(id).sent != 0 {
        misuse(from, "it destroys a read-write lock that is held");
    }
    0
}

macro_rules! spins {
    ($($name:ident, $real:literal, $kind:ident, $failure:expr;)*) => {$(
        #[unsafe(no_mangle)]
        unsafe extern "C" fn $name(lock: usize, from: usize) -> c_int {
            if !is_active() {
                // SAFETY: the caller's promise.
                return unsafe { real!($real as unsafe extern "C" fn(usize) -> c_int)(lock) };
            }
            let id = object(lock, ObjectKind::MUTEX);
            let operation = Operation::on(Kind::$kind, id).at(place(from));
            if Kind::$kind == Kind::LOCK {
                perform(operation);
            } else if !attempt(operation, from) {
                return $failure;
            }
            acquire(id);
            0
        }
    )*};
}

spins! {
    mazurka_spin_lock, "pthread_spin_lock", LOCK, 0;
    mazurka_spin_trylock, "pthread_spin_trylock", TRY_LOCK, libc::EBUSY;
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_spin_unlock(lock: usize, from: usize) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe {
            real!("pthread_spin_unlock" as unsafe extern "C" fn(usize) -> c_int)(lock)
        };
    }
    let id = object(lock, ObjectKind::MUTEX);
    if owner(id) != current() + 1 {
        misuse(from, "it unlocks a spin lock that it does not hold");
    }
    perform(Operation::on(Kind::UNLOCK, id).at(place(from)));
    release(id);
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_spin_init(lock: usize, shared: c_int, _: usize) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe {
            real!("pthread_spin_init" as unsafe extern "C" fn(usize, c_int) -> c_int)(lock, shared)
        };
    }
    new_lock(lock, ObjectKind::MUTEX, size_of::<c_int>());
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_spin_destroy(lock: usize, _: usize) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe {
            real!("pthread_spin_destroy" as unsafe extern "C" fn(usize) -> c_int)(lock)
        };
    }
    0
}
