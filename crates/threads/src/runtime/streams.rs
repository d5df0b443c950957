//! Streams of the C library that the program locks by itself. What the library does inside a call needs no lock here: nobody else runs
//! meanwhile.

use std::ffi::c_int;

use mazurka_runtime::{Kind, ObjectId, ObjectKind, Operation};

use super::state::{acquire, current, is_active, kernel, object, perform, place, release};
use super::switch::{entries, looks};
use super::threads::real;
use super::waiting::attempt;

entries! {
    "flockfile", "rsi", "mazurka_flockfile";
    "funlockfile", "rsi", "mazurka_funlockfile";
}

looks! {
    "ftrylockfile", "rsi", "mazurka_ftrylockfile";
}

/// How often the owner of a stream has locked it besides the first time: a field that mutexes have no use for.
fn depth(id: ObjectId) -> &'static mut u32 {
    &mut kernel().objects[id.index()].bound
}

fn is_mine(id: ObjectId) -> bool {
    usize::from(kernel().object(id).owner) == current() + 1
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_flockfile(stream: usize, from: usize) {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe { real!("flockfile" as unsafe extern "C" fn(usize))(stream) };
    }
    let id = object(stream, ObjectKind::MUTEX);
    if is_mine(id) {
        *depth(id) += 1;
        return;
    }
    perform(Operation::on(Kind::LOCK, id).at(place(from)));
    acquire(id);
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_ftrylockfile(stream: usize, from: usize) -> c_int {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe { real!("ftrylockfile" as unsafe extern "C" fn(usize) -> c_int)(stream) };
    }
    let id = object(stream, ObjectKind::MUTEX);
    if is_mine(id) {
        *depth(id) += 1;
        return 0;
    }
    if !attempt(Operation::on(Kind::TRY_LOCK, id).at(place(from)), from) {
        return libc::EBUSY;
    }
    acquire(id);
    0
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_funlockfile(stream: usize, from: usize) {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe { real!("funlockfile" as unsafe extern "C" fn(usize))(stream) };
    }
    let id = object(stream, ObjectKind::MUTEX);
    if !is_mine(id) {
        return;
    }
    if *depth(id) > 0 {
        *depth(id) -= 1;
        return;
    }
    perform(Operation::on(Kind::UNLOCK, id).at(place(from)));
    release(id);
}
