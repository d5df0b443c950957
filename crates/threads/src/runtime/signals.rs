//! Signals that a thread waits for (`sigwait`) and that another one sends it. They do not come from elsewhere, nor at every moment, so the
//! verdict says that signals are not explored.

use std::ffi::c_int;

use mazurka_processes::uncontrolled;
use mazurka_runtime::{Kind, ObjectId, ObjectKind, Operation};

use super::beyond::did;
use super::state::{current, is_active, object, perform, place, thread, thread_of};
use super::switch::entries;
use super::threads::{actor_of, real};

entries! {
    "sigwait", "rdx", "mazurka_sigwait";
    "pthread_kill", "rdx", "mazurka_pthread_kill";
}

/// What counts the signals that a thread has not waited for yet: at an address that no program has.
fn count_of(actor: usize) -> ObjectId {
    object(thread_of(actor).handle | 1 << 61, ObjectKind::SEMAPHORE)
}

/// Whether a signal is held back until somebody waits for it.
fn is_blocked(signal: c_int) -> bool {
    // SAFETY: the call fills what it is given.
    unsafe {
        let mut blocked = std::mem::zeroed();
        libc::pthread_sigmask(libc::SIG_BLOCK, std::ptr::null(), &mut blocked);
        libc::sigismember(&blocked, signal) == 1
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_sigwait(
    set: *const libc::sigset_t,
    signal: *mut c_int,
    from: usize,
) -> c_int {
    if !is_active() {
        let wait =
            real!("sigwait" as unsafe extern "C" fn(*const libc::sigset_t, *mut c_int) -> c_int);
        // SAFETY: the caller's promise.
        return unsafe { wait(set, signal) };
    }
    did(uncontrolled::SIGNAL);
    perform(Operation::on(Kind::TAKE, count_of(current())).at(place(from)));
    let pending = &mut thread().signals;
    let number = pending.trailing_zeros();
    *pending &= !(1 << number);
    // SAFETY: the caller's promise.
    unsafe { *signal = number as c_int };
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_pthread_kill(handle: usize, signal: c_int, from: usize) -> c_int {
    did(uncontrolled::SIGNAL);
    let target = match is_active() && (1..64).contains(&signal) && is_blocked(signal) {
        true => actor_of(handle),
        false => None,
    };
    let Some(target) = target else {
        let kill = real!("pthread_kill" as unsafe extern "C" fn(usize, c_int) -> c_int);
        // SAFETY: the caller's promise.
        return unsafe { kill(handle, signal) };
    };
    perform(Operation::on(Kind::RELEASE, count_of(target)).at(place(from)));
    thread_of(target).signals |= 1 << signal;
    0
}
