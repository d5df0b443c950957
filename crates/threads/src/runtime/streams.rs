//! Streams of the C library that the program locks by itself, and buffers that it gives them. What the library does inside a call needs
//! no lock here: nobody else runs meanwhile. But it waits for a stream that somebody has locked, if the program locks any.

use std::ffi::c_int;

use mazurka_runtime::{Kind, ObjectId, ObjectKind, Operation};

use super::state::{
    acquire, current, is_active, kernel, object, overlook, perform, place, release, state,
};
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

// Where a file of the program names a function that locks a stream, its assembly has a mark.
std::arch::global_asm!(
    ".text",
    ".weak mazurka_locks_streams",
    ".type mazurka_mark_of_streams,@function",
    ".globl mazurka_mark_of_streams",
    "mazurka_mark_of_streams:",
    "mov rax, [rip + mazurka_locks_streams@GOTPCREL]",
    "ret",
    ".size mazurka_mark_of_streams,.-mazurka_mark_of_streams",
);

unsafe extern "C" {
    fn mazurka_mark_of_streams() -> usize;
}

/// A function of the C library uses a stream: it locks it and unlocks it.
pub fn pass(stream: usize, from: usize) {
    // SAFETY: gives an address, or zero.
    if unsafe { mazurka_mark_of_streams() } == 0 {
        return;
    }
    let id = object(stream, ObjectKind::MUTEX);
    if is_mine(id) {
        return;
    }
    perform(Operation::on(Kind::LOCK, id).at(place(from)));
    acquire(id);
    perform(Operation::on(Kind::UNLOCK, id).at(place(from)));
    release(id);
}

/// The program gives a stream a buffer, or takes it away.
pub fn set_buffer(stream: usize, start: usize, size: usize) {
    let buffers = &mut state().buffers;
    let place = buffers
        .iter()
        .position(|(other, ..)| *other == stream)
        .or_else(|| buffers.iter().position(|(other, ..)| *other == 0));
    match place {
        Some(place) if start != 0 && size != 0 => buffers[place] = (stream, start, size),
        Some(place) => buffers[place] = (0, 0, 0),
        // More streams with buffers than anybody has seen.
        None => overlook(),
    }
}

/// The buffer that the program has given a stream: where it is and how large.
pub fn buffer(stream: usize) -> Option<(usize, usize)> {
    let mut buffers = state().buffers.iter();
    let found = buffers.find(|(other, ..)| *other == stream);
    found.map(|(_, start, size)| (*start, *size))
}
