//! The library that C and C++ programs are linked with; `include/mazurka.h` is its reference.
//!
//! Each function of the header is here, and does one thing: say what is to be done, and where it
//! stands in the source, to [`mazurka_processes::actor`].
//!
//! **Why it is sound.** The functions are called from C, with what the header asks for: strings
//! that end in zero (file names and names of objects) and buffers of the size of a message. A
//! handle of an object may be anything: it is checked before it is used. Nothing unwinds into C:
//! a panic ends the process, which the explorer reports as a crash.

#![deny(missing_docs)]
#![allow(clippy::missing_safety_doc)]

mod memory;
mod objects;
mod program;
mod start;

use std::ffi::{CStr, c_char, c_int};

use mazurka_processes::actor;
use mazurka_runtime::{FailureKind, ObjectId, ObjectKind};

/// The handle of an object, as C keeps it.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Handle {
    id: u16,
}

/// The handle of a queue, with the size of a message.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct QueueHandle {
    id: u16,
    size: u32,
}

/// The number of a place in the source.
fn place(file: *const c_char, line: c_int) -> u16 {
    start::begin();
    actor::with_kernel(|kernel, _| {
        kernel.texts.place(file as u64, line as u32, || {
            // SAFETY: `__FILE__` ends in zero and stays.
            let name = unsafe { CStr::from_ptr(file) };
            (0, name.to_str().unwrap_or("?"))
        })
    })
}

/// The number of a name; none for a null pointer.
fn text(name: *const c_char) -> u16 {
    start::begin();
    if name.is_null() {
        return 0;
    }
    // SAFETY: the header asks for a string that ends in zero.
    let name = unsafe { CStr::from_ptr(name) };
    actor::with_kernel(|kernel, _| kernel.texts.name(&name.to_string_lossy()))
}

/// The object of a handle, if it is one of this kind; otherwise the actor has made a mistake.
fn object(id: u16, kind: ObjectKind, place: u16) -> ObjectId {
    let id = ObjectId(id);
    let is_valid = actor::with_kernel(|kernel, _| {
        let made = usize::from(kernel.actors[id.maker()].objects);
        id.count() < made && kernel.object(id).kind == kind
    });
    if !is_valid {
        misuse(place, &format!("this is not a {}", kind.name()));
    }
    id
}

/// The actor has asked for something that makes no sense, and ends.
#[cold]
fn misuse(place: u16, what: &str) -> ! {
    actor::fail(FailureKind::MISUSE, place, what)
}
