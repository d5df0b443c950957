//! The system calls that `std` does not have, each as a safe function.
//!
//! **Why it is sound.** Every function passes numbers, or addresses of values that live as long as
//! the call, and the kernel of the operating system checks what it is given. Forking copies this
//! thread alone: the processes that fork (the server and actors) have no other thread of ours.
//!
//! What actors do goes past the C library: a process that was just forked has none of its code
//! mapped, and would get it page by page.

mod raw;

use std::ffi::CStr;
use std::sync::atomic::AtomicU32;
use std::time::Duration;

use libc::{c_int, pid_t};

/// Sleeps while a word has a value; may wake for no reason.
#[inline]
pub fn futex_wait(word: &AtomicU32, value: u32, limit: Option<Duration>) {
    let limit = limit.map(|limit| libc::timespec {
        tv_sec: limit.as_secs() as libc::time_t,
        tv_nsec: limit.subsec_nanos().into(),
    });
    let limit = limit.as_ref().map_or(std::ptr::null(), std::ptr::from_ref);
    let (word, limit) = (std::ptr::from_ref(word) as usize, limit as usize);
    let wait = libc::FUTEX_WAIT as usize;
    // SAFETY: the word lives; the limit lives or is null.
    unsafe { raw::call(libc::SYS_futex, [word, wait, value as usize, limit]) };
}

/// Wakes who sleeps on a word.
#[inline]
pub fn futex_wake(word: &AtomicU32) {
    let word = std::ptr::from_ref(word) as usize;
    let (wake, all) = (libc::FUTEX_WAKE as usize, i32::MAX as usize);
    // SAFETY: the word lives.
    unsafe { raw::call(libc::SYS_futex, [word, wake, all, 0]) };
}

/// What a fork is to the process that called it.
pub enum Forked {
    /// It is the new process.
    Child,
    /// It has a new process.
    Parent(pid_t),
    /// There is no new process.
    Failed,
}

/// A new process that is a child of this one.
pub fn fork_child() -> Forked {
    clone_with(libc::SIGCHLD)
}

/// A new process that is a child of this one's parent.
pub fn fork_sibling() -> Forked {
    clone_with(libc::SIGCHLD | libc::CLONE_PARENT)
}

/// Not `fork` of the C library: that has no siblings, and would tell the program's handlers.
fn clone_with(flags: c_int) -> Forked {
    // SAFETY: without a new stack and without shared memory, clone is fork.
    match unsafe { raw::call(libc::SYS_clone, [flags as usize, 0, 0, 0]) } {
        0 => Forked::Child,
        pid if pid > 0 => Forked::Parent(pid as pid_t),
        _ => Forked::Failed,
    }
}

/// How the wait for a child ended.
pub enum Waited {
    /// A child has ended, with this status.
    Ended(pid_t, c_int),
    /// None has, yet.
    Nothing,
    /// There is no child.
    NoChild,
}

/// Waits for a child to end, or until a signal arrives.
pub fn wait_for_child(block: bool) -> Waited {
    let mut status = 0;
    let options = if block { 0 } else { libc::WNOHANG };
    // SAFETY: the status lives.
    match unsafe { libc::waitpid(-1, &mut status, options) } {
        0 => Waited::Nothing,
        pid if pid > 0 => Waited::Ended(pid, status),
        _ if std::io::Error::last_os_error().raw_os_error() == Some(libc::ECHILD) => {
            Waited::NoChild
        }
        _ => Waited::Nothing,
    }
}

/// Kills and reaps the children of this process, and theirs, until there is none; tells how many
/// there were. The process must be the one that orphans go to.
pub fn kill_children() -> u32 {
    let mut killed = 0;
    let path = format!("/proc/self/task/{}/children", parent_of_children());
    loop {
        let children = std::fs::read_to_string(&path).unwrap_or_default();
        for child in children.split_whitespace() {
            if let Ok(pid) = child.parse() {
                // SAFETY: a child that has not been reaped keeps its number.
                unsafe { libc::kill(pid, libc::SIGKILL) };
            }
        }
        match wait_for_child(true) {
            Waited::Ended(..) => killed += 1,
            Waited::NoChild => return killed,
            Waited::Nothing => {}
        }
    }
}

fn parent_of_children() -> pid_t {
    // SAFETY: cannot fail.
    unsafe { libc::gettid() }
}

/// This process will be the parent of orphans among its descendants.
pub fn adopt_orphans() {
    // SAFETY: plain numbers.
    unsafe { libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) };
}

/// This process gets a signal when its parent dies. Safe in a process that was just forked.
pub fn die_with_parent(signal: c_int) {
    let what = libc::PR_SET_PDEATHSIG as usize;
    // SAFETY: plain numbers.
    unsafe { raw::call(libc::SYS_prctl, [what, signal as usize, 0, 0]) };
}

/// Any process of this user may trace this one.
pub fn allow_debuggers() {
    // SAFETY: plain numbers.
    unsafe { libc::prctl(libc::PR_SET_PTRACER, libc::PR_SET_PTRACER_ANY, 0, 0, 0) };
}

/// The parent of this process.
pub fn parent() -> pid_t {
    // SAFETY: cannot fail.
    unsafe { raw::call(libc::SYS_getppid, [0; 4]) as pid_t }
}

/// This process.
pub fn this_process() -> pid_t {
    // SAFETY: cannot fail.
    unsafe { libc::getpid() }
}

/// What tells this thread from others of its process. The same after a fork.
#[inline]
pub fn this_thread() -> usize {
    raw::thread()
}

unsafe extern "C" {
    /// Of the C library: not zero while there has never been a second thread.
    static __libc_single_threaded: libc::c_char;
}

/// Whether this process has, or had, another thread than its first.
pub fn has_had_threads() -> bool {
    // SAFETY: a byte of the C library, which only ever changes to zero.
    unsafe { (&raw const __libc_single_threaded).read_volatile() == 0 }
}

/// Whether this process has waited for a child of its own.
pub fn has_had_children() -> bool {
    let mut usage = [0u64; 36];
    let (who, place) = (libc::RUSAGE_CHILDREN as usize, usage.as_mut_ptr() as usize);
    // SAFETY: there is more room than the call fills.
    unsafe { raw::call(libc::SYS_getrusage, [who, place, 0, 0]) };
    // The largest of them: of a child that did anything it is not zero.
    usage[4] != 0
}

/// Whether a process does something, or waits for the system: then its processor time stands still.
pub fn is_waiting(pid: pid_t) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    let state = stat
        .rsplit(')')
        .next()
        .and_then(|rest| rest.trim().chars().next());
    matches!(state, Some('S' | 'D'))
}

/// Ends this process without running anything more of it.
pub fn exit_now(code: c_int) -> ! {
    loop {
        // SAFETY: does not return.
        unsafe { raw::call(libc::SYS_exit_group, [code as usize, 0, 0, 0]) };
    }
}

/// Writes out what the C library keeps in its buffers.
pub fn flush() {
    // SAFETY: null means all streams.
    unsafe { libc::fflush(std::ptr::null_mut()) };
}

extern "C" fn ignore(_: c_int) {}

/// Lets a signal interrupt system calls and do nothing else.
pub fn interrupt_by(signal: c_int) {
    // SAFETY: the action is plain numbers, filled in; the handler does nothing.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = ignore as extern "C" fn(c_int) as usize;
        libc::sigaction(signal, &action, std::ptr::null_mut());
    }
}

/// Gives a signal its usual meaning back.
pub fn restore(signal: c_int) {
    // The kernel's own form of an action: the usual one is all zero.
    let usual = [0u64; 4];
    let action = std::ptr::from_ref(&usual) as usize;
    // SAFETY: the action lives and is as long as the kernel's; the set of signals has 8 bytes.
    unsafe { raw::call(libc::SYS_rt_sigaction, [signal as usize, action, 0, 8]) };
}

/// Sends this process SIGALRM again and again.
pub fn tick_every(period: Duration) {
    let period = libc::timeval {
        tv_sec: period.as_secs() as libc::time_t,
        tv_usec: period.subsec_micros().into(),
    };
    let timer = libc::itimerval {
        it_interval: period,
        it_value: period,
    };
    // SAFETY: the timer lives.
    unsafe { libc::setitimer(libc::ITIMER_REAL, &timer, std::ptr::null_mut()) };
}

/// The processors that this thread may run on.
#[cfg(feature = "explorer")]
#[derive(Clone, Copy)]
pub struct Processors(libc::cpu_set_t);

#[cfg(feature = "explorer")]
impl Processors {
    /// Those of this thread now, and one of them: the one with this number, or where it is.
    pub fn of_this_thread(number: Option<usize>) -> Option<(Processors, Processors)> {
        // SAFETY: sets are plain numbers, valid when zero, and live during the calls.
        unsafe {
            let mut all: libc::cpu_set_t = std::mem::zeroed();
            let mut one = all;
            let size = size_of::<libc::cpu_set_t>();
            let here = usize::try_from(libc::sched_getcpu()).ok()?;
            if libc::sched_getaffinity(0, size, &mut all) != 0 {
                return None;
            }
            let allowed = || {
                let all = (0..libc::CPU_SETSIZE as usize).filter(|&cpu| libc::CPU_ISSET(cpu, &all));
                all.collect::<Vec<_>>()
            };
            let chosen = number.map(|number| {
                let allowed = allowed();
                allowed.get(number % allowed.len().max(1)).copied()
            });
            libc::CPU_SET(chosen.flatten().unwrap_or(here), &mut one);
            Some((Processors(all), Processors(one)))
        }
    }

    /// This thread, and processes that it forks later, run on these.
    pub fn use_by_this_thread(&self) {
        // SAFETY: the set lives.
        unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &self.0) };
    }
}

/// Sends a signal to a child that has not been reaped.
#[cfg(feature = "explorer")]
pub fn signal(child: pid_t, signal: c_int) {
    // SAFETY: such a child keeps its number.
    unsafe { libc::kill(child, signal) };
}

/// Reads one byte; nothing at the end of the file.
pub fn read_byte(fd: c_int) -> Option<u8> {
    let mut byte = 0u8;
    loop {
        // SAFETY: the byte lives.
        match unsafe { libc::read(fd, (&raw mut byte).cast(), 1) } {
            1 => return Some(byte),
            -1 if std::io::Error::last_os_error().raw_os_error() == Some(libc::EINTR) => {}
            _ => return None,
        }
    }
}

/// Writes one byte to a socket; nobody listening is no trouble.
pub fn write_byte(fd: c_int, byte: u8) {
    // SAFETY: the byte lives.
    unsafe { libc::send(fd, (&raw const byte).cast(), 1, libc::MSG_NOSIGNAL) };
}

/// The number that a variable of the environment holds. Takes no memory.
pub fn number_in_environment(name: &CStr) -> Option<c_int> {
    // SAFETY: the name ends in zero; what is found does too, and nobody changes the environment meanwhile: there is one thread.
    let value = unsafe {
        let value = libc::getenv(name.as_ptr());
        if value.is_null() {
            return None;
        }
        CStr::from_ptr(value)
    };
    value.to_str().ok()?.parse().ok()
}

/// Whether there is a limit on the address space of this process and of those that it starts.
#[cfg(feature = "explorer")]
pub fn has_limited_memory() -> bool {
    let mut limit = libc::rlimit {
        rlim_cur: libc::RLIM_INFINITY,
        rlim_max: libc::RLIM_INFINITY,
    };
    // SAFETY: the call fills what it is given.
    unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut limit) };
    limit.rlim_cur != libc::RLIM_INFINITY
}

/// Closes a descriptor by its number.
pub fn close(fd: c_int) {
    // SAFETY: the caller's number; closing what is not open does nothing.
    unsafe { raw::call(libc::SYS_close, [fd as usize, 0, 0, 0]) };
}

/// The name of a signal.
pub fn signal_name(signal: c_int) -> String {
    let name = match signal {
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGILL => "SIGILL",
        libc::SIGKILL => "SIGKILL",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGSYS => "SIGSYS",
        libc::SIGTERM => "SIGTERM",
        libc::SIGTRAP => "SIGTRAP",
        libc::SIGXCPU => "SIGXCPU",
        libc::SIGXFSZ => "SIGXFSZ",
        _ => return format!("signal {signal}"),
    };
    name.into()
}
