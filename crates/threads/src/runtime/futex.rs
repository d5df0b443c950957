//! Direct calls of the system: those that wait for a word of memory are known, for `std::atomic::wait` and
//! futures are made of them; all others go to the system as they are.
//!
//! Whether the word has the value, and that nobody has been woken since, is one look at two objects: the
//! word, and a count of how often somebody was to be woken. So no wake-up is lost between the look and the
//! sleep, as in the system itself. All who sleep wake, which
//! they must be prepared for anyhow; but that somebody is never woken is not found then, so the verdict says so.

use std::ffi::{c_int, c_long};

use mazurka_processes::uncontrolled;
use mazurka_runtime::{ActorState, Kind, ObjectId, Operation};

use super::atomics::{cell, refresh};
use super::beyond::did;
use super::state::{is_active, kernel, perform, perform_after, place};
use super::switch::entries;
use super::threads::real;
use super::waiting::perform_sleeping;

entries! {
    "syscall", "rax", "mazurka_syscall_entry";
}

// The arguments are passed on as they came, and where the call came from behind them.
std::arch::global_asm!(
    ".text",
    "mazurka_syscall_entry:",
    "sub rsp, 8",
    "push qword ptr [rsp + 16]",
    "push rax",
    "call mazurka_syscall",
    "add rsp, 24",
    "ret",
);

const COMMAND: c_int = 0x7f;

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_syscall(
    number: c_long,
    a: usize,
    b: usize,
    c: usize,
    d: usize,
    e: usize,
    from: usize,
    f: usize,
) -> c_long {
    if is_active() && number == libc::SYS_futex {
        match b as c_int & COMMAND {
            libc::FUTEX_WAIT | libc::FUTEX_WAIT_BITSET => return wait(a, c as u32, d != 0, from),
            libc::FUTEX_WAKE | libc::FUTEX_WAKE_BITSET => return wake(a, c, from),
            _ => {}
        }
    }
    if is_active() && number == libc::SYS_gettid {
        return super::threads::gettid().into();
    }
    if matches!(
        number,
        libc::SYS_fork | libc::SYS_vfork | libc::SYS_clone | libc::SYS_clone3
    ) {
        did(uncontrolled::FORK);
    }
    if matches!(number, libc::SYS_execve | libc::SYS_execveat) {
        did(uncontrolled::PROGRAM);
    }
    let call = real!("syscall" as unsafe extern "C" fn(c_long, ...) -> c_long);
    // SAFETY: the caller's promise.
    unsafe { call(number, a, b, c, d, e, f) }
}

/// The count of those to be woken at an address: an address that no program has.
fn wakes(address: usize) -> ObjectId {
    cell(address | 1 << 63, 8)
}

fn error(number: c_int) -> c_long {
    // SAFETY: the place of the running thread's error number.
    unsafe { *libc::__errno_location() = number };
    -1
}

fn wait(address: usize, value: u32, is_limited: bool, from: usize) -> c_long {
    let (word, wakes) = (cell(address, 4), wakes(address));
    let place = place(from);
    let look = Operation::on(Kind::READ, word).beside(wakes).at(place);
    let mut version = 0;
    let seen = perform_after(look, |kernel, _| {
        refresh(kernel, word, address);
        version = kernel.object(wakes).version;
    });
    if seen as u32 != value {
        return error(libc::EAGAIN);
    }
    if is_limited {
        // Time may run out at any moment.
        return error(libc::ETIMEDOUT);
    }
    let woken = Operation::on(Kind::READ, wakes).at(place);
    perform_sleeping(woken, version);
    0
}

fn wake(address: usize, most: usize, from: usize) -> c_long {
    let wakes = wakes(address);
    let wake = Operation::on(Kind::FETCH_ADD, wakes).with(1);
    perform(wake.at(place(from)));
    let actors = kernel().actors.iter();
    let sleeping = actors.filter(|actor| actor.state == ActorState::PENDING);
    let here = sleeping
        .filter(|actor| actor.pending.object == wakes)
        .count();
    if here > most {
        did(uncontrolled::WAKE);
    }
    0
}
