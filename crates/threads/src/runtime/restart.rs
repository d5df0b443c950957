//! One execution after the other in one process: when one has ended, memory becomes what it was when the first began, and the next
//! begins.
//!
//! **Why nothing is left behind.** What a program changes is its memory, or something that the system keeps for it. All memory that
//! can be written is watched ([`pages`]), that of the C library too, so no list of what a program may change is needed. The system
//! is asked by system calls alone, and these are watched as well ([`calls`]). One that nobody can undo ends the process before it
//! is performed; the explorer then runs the execution once more in a process of its own, and all later ones too.
//!
//! [`pages`]: super::pages
//! [`calls`]: super::calls

use std::ffi::c_void;
use std::sync::atomic::{AtomicPtr, Ordering};

use mazurka_processes::shared::{Control, DONE, RUN, obstacle};

use super::calls;
use super::global;
use super::pages::Pages;
use super::state;
use super::switch::{prepare, switch, this_thread};

/// The stack of the coroutine that puts memory back, which must not be on memory that is put back; and that of handlers of signals.
const STACK: usize = 64 << 10;

/// What is known of the process. It lies in memory that is not watched.
struct Restart {
    pages: Pages,
    /// Where the first actor stands, before its first execution.
    first: usize,
    thread: usize,
    /// Where the coroutine that puts memory back stands.
    itself: usize,
    /// How the processor rounds, and which floating-point exceptions it tells.
    vector_control: u32,
    float_control: u16,
    control: *const Control,
    stack: [u8; STACK],
    handlers: [u8; STACK],
}

static RESTART: AtomicPtr<Restart> = AtomicPtr::new(std::ptr::null_mut());

/// The first actor stands at its beginning. Returns there at the beginning of every execution.
pub fn begin(control: &'static Control) {
    if control.restart.load(Ordering::Relaxed) == 0 {
        return;
    }
    let size = size_of::<Restart>();
    let restart = global::map(size, 0).cast::<Restart>();
    // SAFETY: fresh memory that is all zero, which is right for all fields but those written here.
    unsafe {
        (*restart).control = control;
        (*restart).thread = this_thread();
        std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut (*restart).vector_control);
        std::arch::asm!("fnstcw [{}]", in(reg) &raw mut (*restart).float_control);
        RESTART.store(restart, Ordering::Relaxed);
        let mut kept = state::state().kept().to_vec();
        kept.push((restart as usize, size));
        if let Err(why) = (*restart).pages.look_around(&kept) {
            give_way(why);
        }
        let top = (&raw const (*restart).stack) as usize + STACK;
        let turn = prepare(top, turn);
        switch(&raw mut (*restart).first, turn, (*restart).thread);
    }
}

/// Whether this process begins again rather than end.
pub fn is_on() -> bool {
    !RESTART.load(Ordering::Relaxed).is_null()
}

/// The execution has ended.
pub fn again() -> ! {
    let restart = RESTART.load(Ordering::Relaxed);
    let mut nowhere = 0;
    // SAFETY: the coroutine stands where it handed over, and waits for nothing else.
    unsafe { switch(&raw mut nowhere, (*restart).itself, (*restart).thread) };
    unreachable!("the next execution begins at the beginning")
}

/// This process cannot begin again, and must not go on either: it has not yet done what cannot be undone.
pub fn give_way(why: u32) -> ! {
    let restart = RESTART.load(Ordering::Relaxed);
    // SAFETY: it is there while anybody asks; the process ends.
    unsafe {
        let control = &*(*restart).control;
        control.obstacle.store(why, Ordering::Relaxed);
        loop {
            calls::system(libc::SYS_exit_group, [0; 6]);
        }
    }
}

/// What was written to at this address is to be put back. Tells whether it is memory that is watched.
pub fn touched(address: usize) -> bool {
    let restart = RESTART.load(Ordering::Relaxed);
    // SAFETY: it is there while memory is watched, and nobody else uses it meanwhile.
    match unsafe { (*restart).pages.touched(address) } {
        Some(true) => true,
        Some(false) => false,
        None => give_way(obstacle::MEMORY),
    }
}

/// The coroutine that puts memory back.
extern "C" fn turn() -> ! {
    let restart = RESTART.load(Ordering::Relaxed);
    // SAFETY: nobody else uses the memory for handlers. What is read-only from here on is none of this coroutine's.
    unsafe {
        let handlers = ((&raw mut (*restart).handlers) as *mut c_void, STACK);
        let watched = calls::watch(handlers).and_then(|()| (*restart).pages.watch());
        if let Err(why) = watched {
            give_way(why);
        }
    }
    loop {
        // SAFETY: `restart` is not among the memory that is put back. The first actor's stack is as it was when it was left, and so are
        // the registers, which it holds.
        unsafe {
            std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const (*restart).vector_control);
            std::arch::asm!("fldcw [{}]", in(reg) &raw const (*restart).float_control);
            let (first, thread) = ((*restart).first, (*restart).thread);
            switch(&raw mut (*restart).itself, first, thread);
            state::state().clear_kept();
            (*restart).pages.put_back();
            wait(&*(*restart).control);
        }
    }
}

/// Tells the explorer that the execution has ended, and waits for the next.
fn wait(control: &Control) {
    let futex = |operation: i32, value: u32| {
        let word = &raw const control.baton as usize;
        // SAFETY: the word lives.
        unsafe {
            let arguments = [word, operation as usize, value as usize, 0, 0, 0];
            calls::system(libc::SYS_futex, arguments)
        }
    };
    control.is_resident.store(1, Ordering::Relaxed);
    control.baton.store(DONE, Ordering::Release);
    futex(libc::FUTEX_WAKE, 1);
    while control.baton.load(Ordering::Acquire) != RUN {
        futex(libc::FUTEX_WAIT, DONE);
    }
}
