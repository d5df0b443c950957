//! From one coroutine to another: the registers that a function must keep, the stack, and the address
//! of what the C library keeps of a thread (`errno`, `thread_local` variables).

use std::arch::global_asm;

// rdi: where to keep the stack pointer; rsi: the new one; rdx: the new thread address, or 0.
global_asm!(
    ".text",
    ".globl mazurka_switch",
    ".type mazurka_switch,@function",
    "mazurka_switch:",
    "push rbp",
    "push rbx",
    "push r12",
    "push r13",
    "push r14",
    "push r15",
    "mov [rdi], rsp",
    "mov rsp, rsi",
    "wrfsbase rdx",
    "pop r15",
    "pop r14",
    "pop r13",
    "pop r12",
    "pop rbx",
    "pop rbp",
    "ret",
    ".size mazurka_switch,.-mazurka_switch",
);

unsafe extern "C" {
    fn mazurka_switch(keep: *mut usize, stack: usize, thread: usize);
}

/// Continues with another coroutine. Returns when somebody continues with this one.
///
/// # Safety
///
/// `stack` was kept by an earlier switch, or made by [`prepare`], and is used once; `thread` is the
/// address of a thread of this process that never runs.
#[inline]
pub unsafe fn switch(keep: *mut usize, stack: usize, thread: usize) {
    // SAFETY: the caller's promise.
    unsafe { mazurka_switch(keep, stack, thread) }
}

/// A stack on which a coroutine begins with a function that never returns.
///
/// # Safety
///
/// There is room for some words below `top`.
pub unsafe fn prepare(top: usize, body: extern "C" fn() -> !) -> usize {
    let top = top & !15;
    // SAFETY: the caller's promise. Seven words: six registers and where to return to; above them a
    // word of padding, as if the function had been called.
    unsafe {
        let words = (top as *mut usize).sub(8);
        for word in 0..8 {
            *words.add(word) = 0;
        }
        *words.add(6) = body as usize;
        words as usize
    }
}

/// The address of what the C library keeps of this thread.
pub fn this_thread() -> usize {
    let thread;
    // SAFETY: reads a word that holds its own address.
    unsafe {
        std::arch::asm!("mov {}, fs:[0]", out(reg) thread, options(nostack, preserves_flags, readonly));
    }
    thread
}

/// Declares functions that the program calls: each passes on its arguments, and where it was called
/// from in the next register, to a function of this library.
macro_rules! entries {
    ($($name:literal, $register:literal, $to:literal;)*) => {$(
        std::arch::global_asm!(
            ".text",
            concat!(".globl ", $name),
            concat!(".type ", $name, ",@function"),
            concat!($name, ":"),
            concat!("mov ", $register, ", [rsp]"),
            concat!("jmp ", $to),
            concat!(".size ", $name, ",.-", $name),
        );
    )*};
}
pub(crate) use entries;

/// What a function keeps in registers at a call that may be a look: the stack pointer, and what a
/// called function leaves as it was.
#[unsafe(no_mangle)]
pub static mut MAZURKA_REGISTERS: [usize; 7] = [0; 7];

/// The same for functions that may be called by a loop that waits: the registers are noted.
macro_rules! looks {
    ($($name:literal, $register:literal, $to:literal;)*) => {$(
        std::arch::global_asm!(
            ".text",
            concat!(".globl ", $name),
            concat!(".type ", $name, ",@function"),
            concat!($name, ":"),
            "mov [rip + MAZURKA_REGISTERS], rsp",
            "mov [rip + MAZURKA_REGISTERS + 8], rbx",
            "mov [rip + MAZURKA_REGISTERS + 16], rbp",
            "mov [rip + MAZURKA_REGISTERS + 24], r12",
            "mov [rip + MAZURKA_REGISTERS + 32], r13",
            "mov [rip + MAZURKA_REGISTERS + 40], r14",
            "mov [rip + MAZURKA_REGISTERS + 48], r15",
            concat!("mov ", $register, ", [rsp]"),
            concat!("jmp ", $to),
            concat!(".size ", $name, ",.-", $name),
        );
    )*};
}
pub(crate) use looks;
