//! A system call by the instruction for it, without the C library.

use libc::c_long;

/// Calls the kernel of the operating system; a negative result is the number of an error.
///
/// # Safety
///
/// As the call asks for.
#[cfg(target_arch = "x86_64")]
#[inline]
pub unsafe fn call(number: c_long, arguments: [usize; 4]) -> isize {
    let [first, second, third, fourth] = arguments;
    let result;
    // SAFETY: the instruction changes these registers alone, and memory as the caller allows.
    unsafe {
        std::arch::asm!(
            "syscall",
            inlateout("rax") number as isize => result,
            in("rdi") first,
            in("rsi") second,
            in("rdx") third,
            in("r10") fourth,
            in("r8") 0usize,
            lateout("rcx") _,
            lateout("r11") _,
            options(nostack),
        );
    }
    result
}

/// Calls the kernel of the operating system; a negative result is the number of an error.
///
/// # Safety
///
/// As the call asks for.
#[cfg(target_arch = "aarch64")]
#[inline]
pub unsafe fn call(number: c_long, arguments: [usize; 4]) -> isize {
    let [first, second, third, fourth] = arguments;
    let result;
    // SAFETY: the instruction changes this register alone, and memory as the caller allows.
    unsafe {
        std::arch::asm!(
            "svc 0",
            in("x8") number,
            inlateout("x0") first as isize => result,
            in("x1") second,
            in("x2") third,
            in("x3") fourth,
            in("x4") 0usize,
            options(nostack),
        );
    }
    result
}

/// Calls the kernel of the operating system; a negative result says that there was an error.
///
/// # Safety
///
/// As the call asks for.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
#[inline]
pub unsafe fn call(number: c_long, arguments: [usize; 4]) -> isize {
    let [first, second, third, fourth] = arguments;
    // SAFETY: the caller's.
    unsafe { libc::syscall(number, first, second, third, fourth, 0usize) as isize }
}

/// The address of what the C library keeps of this thread.
#[inline]
pub fn thread() -> usize {
    let thread;
    // SAFETY: reads a register, or the word that it points to, which holds the same.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        std::arch::asm!(
            "mov {}, fs:[0]",
            out(reg) thread,
            options(nostack, preserves_flags, readonly),
        );
    }
    // SAFETY: the same.
    #[cfg(target_arch = "aarch64")]
    unsafe {
        std::arch::asm!(
            "mrs {}, tpidr_el0",
            out(reg) thread,
            options(nostack, preserves_flags, nomem),
        );
    }
    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    {
        // SAFETY: cannot fail.
        thread = unsafe { libc::pthread_self() } as usize;
    }
    thread
}

#[cfg(test)]
mod tests {
    use super::{call, thread};

    #[test]
    fn threads_differ() {
        let here = thread();
        assert_eq!(here, thread());
        assert_ne!(std::thread::spawn(thread).join().unwrap(), here);
    }

    #[test]
    fn results_and_errors() {
        // SAFETY: plain numbers.
        unsafe {
            assert_eq!(call(libc::SYS_getpid, [0; 4]), libc::getpid() as isize);
            let none = call(libc::SYS_close, [usize::MAX >> 1, 0, 0, 0]);
            assert!(none < 0);
        }
    }
}
