//! System calls of a program that begins again: the system stops at each and asks us. A few only look, and are carried out; the others
//! change something that is not memory, so the process gives way to one that runs a single execution.
//!
//! Our own calls go through one instruction, by whose address the system's filter knows them.

use std::arch::global_asm;
use std::ffi::{c_int, c_long, c_void};

use mazurka_processes::shared::obstacle;

use super::restart::{give_way, touched};

// rdi: the number; rsi: six arguments.
global_asm!(
    ".text",
    ".globl mazurka_system",
    ".type mazurka_system,@function",
    "mazurka_system:",
    "mov rax, rdi",
    "mov r11, rsi",
    "mov rdi, [r11]",
    "mov rsi, [r11 + 8]",
    "mov rdx, [r11 + 16]",
    "mov r10, [r11 + 24]",
    "mov r8, [r11 + 32]",
    "mov r9, [r11 + 40]",
    "syscall",
    ".globl mazurka_after_system",
    "mazurka_after_system:",
    "ret",
    ".size mazurka_system,.-mazurka_system",
    // The system continues here after a handler of ours.
    ".globl mazurka_back",
    ".type mazurka_back,@function",
    "mazurka_back:",
    "mov eax, 15",
    "syscall",
    ".size mazurka_back,.-mazurka_back",
);

unsafe extern "C" {
    fn mazurka_system(number: c_long, arguments: *const usize) -> isize;
    fn mazurka_after_system();
    fn mazurka_back();
}

/// A system call of ours; a negative result is the number of an error.
///
/// # Safety
///
/// As the call asks for.
pub unsafe fn system(number: c_long, arguments: [usize; 6]) -> isize {
    // SAFETY: the caller's promise.
    unsafe { mazurka_system(number, arguments.as_ptr()) }
}

/// Begins to watch system calls, and writes to memory that is read-only; or tells why that is not possible.
///
/// # Safety
///
/// The memory for handlers is used by nobody else.
pub unsafe fn watch((stack, size): (*mut c_void, usize)) -> Result<(), u32> {
    let stack = libc::stack_t {
        ss_sp: stack,
        ss_flags: 0,
        ss_size: size,
    };
    // SAFETY: plain values that live; the handlers are functions of this library.
    let is_done = unsafe {
        libc::sigaltstack(&stack, std::ptr::null_mut()) == 0
            && handle(libc::SIGSEGV, written as *const () as usize)
            && handle(libc::SIGSYS, called as *const () as usize)
            && install_filter()
    };
    if is_done {
        Ok(())
    } else {
        Err(obstacle::SYSTEM)
    }
}

/// The system's own form of an action.
#[repr(C)]
struct Action {
    handler: usize,
    flags: u64,
    back: usize,
    mask: u64,
}

const RESTORER: u64 = 0x0400_0000;

unsafe fn handle(signal: c_int, handler: usize) -> bool {
    let flags = (libc::SA_SIGINFO | libc::SA_ONSTACK) as u64 | RESTORER;
    let action = Action {
        handler,
        flags,
        back: mazurka_back as *const () as usize,
        mask: 0,
    };
    // SAFETY: the action lives, and is as long as the system's.
    unsafe { set_action(signal, &action) }
}

unsafe fn set_action(signal: c_int, action: &Action) -> bool {
    let action = std::ptr::from_ref(action) as usize;
    // SAFETY: the caller's promise.
    unsafe {
        system(
            libc::SYS_rt_sigaction,
            [signal as usize, action, 0, 8, 0, 0],
        ) == 0
    }
}

/// Lets the system stop at all calls but those that come from our instruction, the way back from a handler, and the end.
unsafe fn install_filter() -> bool {
    let ours = mazurka_after_system as *const () as usize;
    let load = |offset: u32| libc::sock_filter {
        code: (libc::BPF_LD | libc::BPF_W | libc::BPF_ABS) as u16,
        jt: 0,
        jf: 0,
        k: offset,
    };
    // Skips this many instructions, whether the word is this or not.
    let is = |word: usize, yes: u8, no: u8| libc::sock_filter {
        code: (libc::BPF_JMP | libc::BPF_JEQ | libc::BPF_K) as u16,
        jt: yes,
        jf: no,
        k: word as u32,
    };
    let answer = |answer: u32| libc::sock_filter {
        code: (libc::BPF_RET | libc::BPF_K) as u16,
        jt: 0,
        jf: 0,
        k: answer,
    };
    const INSTRUCTION: u32 = 8;
    const ARCHITECTURE: u32 = 4;
    const X86_64: usize = 0xc000_003e;
    let mut filter = [
        load(INSTRUCTION),
        is(ours, 0, 2),
        load(INSTRUCTION + 4),
        is(ours >> 32, 6, 0),
        load(ARCHITECTURE),
        is(X86_64, 0, 3),
        load(0),
        is(libc::SYS_rt_sigreturn as usize, 2, 0),
        is(libc::SYS_exit_group as usize, 1, 0),
        answer(libc::SECCOMP_RET_TRAP),
        answer(libc::SECCOMP_RET_ALLOW),
    ];
    let program = libc::sock_fprog {
        len: filter.len() as u16,
        filter: filter.as_mut_ptr(),
    };
    // Without it some systems slow down all that a process does that has a filter.
    let flags = libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW as usize;
    let program = &raw const program as usize;
    // SAFETY: the filter lives during the call.
    unsafe {
        let unprivileged = [libc::PR_SET_NO_NEW_PRIVS as usize, 1, 0, 0, 0, 0];
        let filter = [
            libc::SECCOMP_SET_MODE_FILTER as usize,
            flags,
            program,
            0,
            0,
            0,
        ];
        system(libc::SYS_prctl, unprivileged) == 0 && system(libc::SYS_seccomp, filter) == 0
    }
}

/// Somebody writes to memory that is read-only.
unsafe extern "C" fn written(_: c_int, information: *const libc::siginfo_t, _: *mut c_void) {
    const NOT_ALLOWED: c_int = 2;
    // SAFETY: the system's own description of what happened.
    unsafe {
        let address = (*information).si_addr() as usize;
        if (*information).si_code == NOT_ALLOWED && touched(address) {
            return;
        }
        // It is the program's own error: it ends as it would have.
        let usual = Action {
            handler: 0,
            flags: 0,
            back: 0,
            mask: 0,
        };
        set_action(libc::SIGSEGV, &usual);
    }
}

/// Somebody makes a system call.
unsafe extern "C" fn called(_: c_int, _: *const libc::siginfo_t, context: *mut c_void) {
    // SAFETY: the system's own description of what happened.
    unsafe {
        let registers = &mut (*context.cast::<libc::ucontext_t>()).uc_mcontext.gregs;
        let number = registers[libc::REG_RAX as usize];
        let arguments = [
            libc::REG_RDI,
            libc::REG_RSI,
            libc::REG_RDX,
            libc::REG_R10,
            libc::REG_R8,
            libc::REG_R9,
        ]
        .map(|register| registers[register as usize] as usize);
        match carry_out(number, arguments) {
            Some(result) => registers[libc::REG_RAX as usize] = result as i64,
            None => give_way(obstacle::CALL | number as u32 & 0xffff),
        }
    }
}

/// Carries out a call that leaves nothing behind but what it writes to memory.
unsafe fn carry_out(number: c_long, arguments: [usize; 6]) -> Option<isize> {
    let [first, second, third, ..] = arguments;
    let written = match number {
        // What the program tells us goes nowhere.
        libc::SYS_write if matches!(first, 1 | 2) => return Some(third as isize),
        libc::SYS_writev if matches!(first, 1 | 2) => {
            // SAFETY: the caller's promise.
            let parts = unsafe { std::slice::from_raw_parts(second as *const libc::iovec, third) };
            return Some(parts.iter().map(|part| part.iov_len as isize).sum());
        }
        libc::SYS_getpid
        | libc::SYS_getppid
        | libc::SYS_gettid
        | libc::SYS_getuid
        | libc::SYS_geteuid
        | libc::SYS_getgid
        | libc::SYS_getegid
        | libc::SYS_sched_yield => (0, 0),
        libc::SYS_futex if second & 0x7f == libc::FUTEX_WAKE as usize => (0, 0),
        libc::SYS_fstat => (second, size_of::<libc::stat>()),
        libc::SYS_newfstatat => (third, size_of::<libc::stat>()),
        libc::SYS_ioctl if second == libc::TCGETS as usize => (third, size_of::<libc::termios>()),
        libc::SYS_clock_gettime | libc::SYS_clock_getres => (second, size_of::<libc::timespec>()),
        libc::SYS_gettimeofday => (first, size_of::<libc::timeval>()),
        libc::SYS_sched_getaffinity => (third, second),
        libc::SYS_uname => (first, size_of::<libc::utsname>()),
        libc::SYS_getcwd => (first, second),
        _ => return None,
    };
    // The system would not write where we have to be asked first.
    let (address, size) = written;
    if address != 0 {
        let mut at = address;
        while at < address.saturating_add(size) {
            // SAFETY: what the call would write to, and what is there.
            unsafe { (at as *mut u8).write_volatile((at as *const u8).read_volatile()) };
            at = (at & !0xfff) + 0x1000;
        }
    }
    // SAFETY: the caller's promise.
    Some(unsafe { system(number, arguments) })
}
