//! Mutexes that survive their owner: when a thread ends that holds one, the next to lock it is told so.

use std::ffi::c_int;
use std::sync::atomic::{AtomicBool, Ordering};

use mazurka_runtime::{Kind, ObjectId, ObjectKind, Operation};

use super::state::{current, is_active, kernel, perform, release};
use super::threads::real;

/// Among the bits of a mutex's kind, as in the C library.
pub const ROBUST: c_int = 16;

/// It is as its owners left it.
const SOUND: u32 = 0;
/// Its owner has ended, and nobody has been told.
const ORPHANED: u32 = 1;
/// Its owner was told, and has not made it sound yet.
const INHERITED: u32 = 2;
/// It was left without being made sound.
const LOST: u32 = 3;

/// Whether there was ever one in this execution.
static ARE_THERE: AtomicBool = AtomicBool::new(false);

unsafe extern "C" {
    fn pthread_mutexattr_getrobust(
        attributes: *const libc::pthread_mutexattr_t,
        robust: *mut c_int,
    ) -> c_int;
}

/// The bit of a new mutex's kind.
///
/// # Safety
///
/// As `pthread_mutex_init`.
pub unsafe fn asked_for(attributes: *const libc::pthread_mutexattr_t) -> c_int {
    let mut robust = 0;
    // SAFETY: the caller's promise.
    unsafe { pthread_mutexattr_getrobust(attributes, &mut robust) };
    if robust == 0 {
        return 0;
    }
    ARE_THERE.store(true, Ordering::Relaxed);
    ROBUST
}

/// Whether a mutex is one, and its state.
///
/// # Safety
///
/// There is a mutex at this address.
unsafe fn state_of(mutex: usize) -> Option<&'static mut u32> {
    // SAFETY: the caller's promise; the first word belongs to the C library's owner, of which it knows nothing here.
    unsafe {
        let is_robust = *((mutex + 16) as *const c_int) & ROBUST != 0;
        is_robust.then(|| &mut *((mutex + 8) as *mut u32))
    }
}

/// The running actor has locked a mutex; what it is told.
///
/// # Safety
///
/// There is a mutex at this address.
pub unsafe fn locked(mutex: usize, id: ObjectId) -> c_int {
    // SAFETY: the caller's promise.
    let Some(state) = (unsafe { state_of(mutex) }) else {
        return 0;
    };
    match *state {
        ORPHANED => {
            *state = INHERITED;
            libc::EOWNERDEAD
        }
        LOST => {
            perform(Operation::on(Kind::UNLOCK, id));
            release(id);
            libc::ENOTRECOVERABLE
        }
        _ => 0,
    }
}

/// The running actor is about to unlock a mutex.
///
/// # Safety
///
/// There is a mutex at this address.
pub unsafe fn unlocking(mutex: usize) {
    // SAFETY: the caller's promise.
    if let Some(state) = unsafe { state_of(mutex) }
        && *state == INHERITED
    {
        *state = LOST;
    }
}

/// The running actor ends: it gives up the robust mutexes that it holds.
pub fn leave_behind() {
    if !ARE_THERE.load(Ordering::Relaxed) {
        return;
    }
    for number in 0..kernel().addresses.len() {
        let id = ObjectId(number as u16);
        let object = kernel().object(id);
        let is_mine =
            object.kind == ObjectKind::MUTEX && usize::from(object.owner) == current() + 1;
        let Some(mutex) = kernel().addresses.address(id).filter(|_| is_mine) else {
            continue;
        };
        // SAFETY: it was used as a mutex, and is held.
        if let Some(state) = unsafe { state_of(mutex as usize) } {
            *state = ORPHANED;
            perform(Operation::on(Kind::UNLOCK, id));
            release(id);
        }
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_mutex_consistent(mutex: usize) -> c_int {
    // SAFETY: the caller's promise.
    unsafe {
        if !is_active() {
            return real!("pthread_mutex_consistent" as unsafe extern "C" fn(usize) -> c_int)(
                mutex,
            );
        }
        match state_of(mutex) {
            Some(state) if *state == INHERITED => {
                *state = SOUND;
                0
            }
            _ => libc::EINVAL,
        }
    }
}
