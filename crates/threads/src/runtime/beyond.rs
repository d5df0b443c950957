//! What a program may ask the C library for that is not explored: signals between threads, timers, pipes and sockets, other ways to wait
//! for a thread, other programs, code that is loaded later. It happens as it would, in one order, and the verdict says so.
//!
//! These functions have any number of arguments, and one of them returns twice, so they are not called but jumped to, with every
//! register as it was.

use std::ffi::c_char;
use std::sync::atomic::Ordering;

use mazurka_processes::uncontrolled;

use super::state::{self, control, is_active};

macro_rules! beyond {
    ($($bit:ident: $($name:literal)*;)*) => {$($(
        std::arch::global_asm!(
            ".section .rodata",
            concat!("mazurka_name_of_", $name, ": .asciz \"", $name, "\""),
            ".text",
            concat!(".globl ", $name),
            concat!(".type ", $name, ",@function"),
            concat!($name, ":"),
            "push rax",
            "push rdi",
            "push rsi",
            "push rdx",
            "push rcx",
            "push r8",
            "push r9",
            concat!("lea rdi, [rip + mazurka_name_of_", $name, "]"),
            "mov esi, {bit}",
            "call mazurka_beyond",
            "mov r11, rax",
            "pop r9",
            "pop r8",
            "pop rcx",
            "pop rdx",
            "pop rsi",
            "pop rdi",
            "pop rax",
            "jmp r11",
            concat!(".size ", $name, ",.-", $name),
            bit = const uncontrolled::$bit,
        );
    )*)*};
}

beyond! {
    SIGNAL: "pthread_sigqueue" "tgkill" "alarm" "ualarm" "setitimer" "timer_create";
    TALK: "pipe" "pipe2" "eventfd" "timerfd_create" "signalfd" "socketpair" "socket" "mkfifo" "semget" "msgget" "mq_open" "sem_open";
    JOIN: "pthread_tryjoin_np" "pthread_timedjoin_np" "pthread_clockjoin_np";
    PROGRAM: "system" "popen" "posix_spawn" "posix_spawnp" "execve" "execv" "execvp" "execvpe" "execl" "execlp" "execle" "fexecve";
    FORK: "vfork" "clone";
    MEMORY: "shmat";
    UNKNOWN: "dlopen" "dlmopen";
}

/// Notes what is asked for, and gives the function of the C library.
#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_beyond(name: *const c_char, bit: u32) -> usize {
    did(bit);
    // SAFETY: the name ends in zero.
    let function = unsafe { super::outside::look_up(libc::RTLD_NEXT, name) };
    if function == 0 {
        state::give_up("the C library lacks a function");
    }
    function
}

/// The program has done something that is not under control.
pub fn did(bit: u32) {
    if is_active() {
        control().uncontrolled.fetch_or(bit, Ordering::Relaxed);
    }
}

/// Something could happen here that is not tried.
pub fn leave_untried(bit: u32) {
    control().untried.fetch_or(bit, Ordering::Relaxed);
}

/// The process is about to end: were there others?
pub fn look_back() {
    // SAFETY: plain data that the call fills.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &mut usage);
        usage
    };
    // The largest of them: of a child that did anything it is not zero.
    if usage.ru_maxrss != 0 {
        did(uncontrolled::PROGRAM);
    }
}
