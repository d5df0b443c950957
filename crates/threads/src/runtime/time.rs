//! Time and chance: neither passes by itself. There is one clock, which goes on by a millisecond whenever somebody looks at it, and once in
//! an execution, at any look but the first, by an hour. Who has slept, or waited until a time limit ran out, finds at its next look that so much
//! has passed; others find that only after this look. Each thread has random numbers of its own.

use std::ffi::{c_int, c_long, c_uint, c_void};

use mazurka_processes::library;
use mazurka_runtime::accesses::WRITE;
use mazurka_runtime::{Kind, Operation};

use super::outside;
use super::state::{self, is_active, perform, place, population, thread};
use super::switch::entries;
use super::threads::real;
use super::waiting;

/// When executions begin, in seconds since 1970.
const BEGINNING: i64 = 1_600_000_000;

entries! {
    "sched_yield", "rdi", "mazurka_yield";
    "pthread_yield", "rdi", "mazurka_yield";
    "thrd_yield", "rdi", "mazurka_yield";
    "usleep", "rsi", "mazurka_usleep";
    "sleep", "rsi", "mazurka_sleep";
    "nanosleep", "rdx", "mazurka_nanosleep";
    "clock_nanosleep", "r8", "mazurka_clock_nanosleep";
    "thrd_sleep", "rdx", "mazurka_nanosleep";
}

fn pass(from: usize) -> c_int {
    waiting::pass(Operation::new(Kind::YIELD).at(place(from)));
    0
}

#[unsafe(no_mangle)]
extern "C" fn mazurka_yield(from: usize) -> c_int {
    if is_active() {
        return pass(from);
    }
    // SAFETY: no arguments.
    unsafe { libc::syscall(libc::SYS_sched_yield) as c_int }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_usleep(time: c_uint, from: usize) -> c_int {
    if is_active() {
        slept(u64::from(time).div_ceil(1000));
        return pass(from);
    }
    // SAFETY: the caller's promise.
    unsafe { real!("usleep" as unsafe extern "C" fn(c_uint) -> c_int)(time) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_sleep(time: c_uint, from: usize) -> c_uint {
    if is_active() {
        slept(u64::from(time) * 1000);
        return pass(from) as c_uint;
    }
    // SAFETY: the caller's promise.
    unsafe { real!("sleep" as unsafe extern "C" fn(c_uint) -> c_uint)(time) }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_nanosleep(
    time: *const c_void,
    rest: *mut c_void,
    from: usize,
) -> c_int {
    if is_active() {
        // SAFETY: the caller's promise.
        slept(unsafe { milliseconds(time) }.unwrap_or(0));
        return pass(from);
    }
    // SAFETY: the caller's promise.
    unsafe {
        real!("nanosleep" as unsafe extern "C" fn(*const c_void, *mut c_void) -> c_int)(time, rest)
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_clock_nanosleep(
    clock: c_int,
    flags: c_int,
    time: *const c_void,
    rest: *mut c_void,
    from: usize,
) -> c_int {
    if is_active() {
        // SAFETY: the caller's promise.
        match flags & libc::TIMER_ABSTIME {
            0 => slept(unsafe { milliseconds(time) }.unwrap_or(0)),
            _ => unsafe { ran_out(time) },
        }
        return pass(from);
    }
    // SAFETY: the caller's promise.
    unsafe {
        real!(
            "clock_nanosleep"
                as unsafe extern "C" fn(c_int, c_int, *const c_void, *mut c_void) -> c_int
        )(clock, flags, time, rest)
    }
}

/// The longest time that is counted, in milliseconds: a hundred years.
const LONGEST: u64 = 100 * 366 * 24 * HOUR;

/// Milliseconds, rounded up.
///
/// # Safety
///
/// It points to a time.
unsafe fn milliseconds(time: *const c_void) -> Option<u64> {
    // SAFETY: the caller's promise.
    let time = unsafe { time.cast::<libc::timespec>().as_ref() }?;
    let milliseconds = (time.tv_sec as u64)
        .saturating_mul(1000)
        .saturating_add((time.tv_nsec as u64).div_ceil(1_000_000));
    Some(milliseconds.min(LONGEST + BEGINNING as u64 * 1000))
}

/// The running thread has waited until then, in vain.
///
/// # Safety
///
/// It points to a time.
pub unsafe fn ran_out(limit: *const c_void) {
    // SAFETY: the caller's promise.
    if let Some(limit) = unsafe { milliseconds(limit) } {
        let thread = thread();
        let limit = limit.saturating_sub(BEGINNING as u64 * 1000);
        thread.clock_at_least = thread.clock_at_least.max(limit);
    }
}

/// The running thread has slept as long as this.
fn slept(milliseconds: u64) {
    let thread = thread();
    let before = thread.clock.max(thread.clock_at_least);
    thread.clock_at_least = before + milliseconds.min(LONGEST);
}

/// A long time, in milliseconds.
const HOUR: u64 = 3_600_000;

/// Seconds and milliseconds.
fn now() -> (i64, i64) {
    if population() > 1 {
        outside::change(library::CLOCK, 0);
        let state = state::state();
        if state.looks > 0 && !state.has_jumped {
            let toss = Operation::new(Kind::TOSS).with(2).at(place(0));
            if perform(toss) == 1 {
                let state = state::state();
                state.has_jumped = true;
                state.time += HOUR;
            }
        }
    }
    let (state, thread) = (state::state(), thread());
    state.looks += 1;
    state.time = state.time.max(thread.clock_at_least) + 1;
    thread.clock = state.time;
    let time = state.time as i64;
    (BEGINNING + time / 1000, time % 1000)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn clock_gettime(clock: c_int, time: *mut libc::timespec) -> c_int {
    if is_active() {
        let (seconds, milliseconds) = now();
        state::access(time as usize, size_of::<libc::timespec>(), WRITE, 0);
        // SAFETY: the caller's promise.
        unsafe {
            (*time).tv_sec = seconds;
            (*time).tv_nsec = milliseconds * 1_000_000;
        }
        return 0;
    }
    // SAFETY: the caller's promise.
    unsafe { libc::syscall(libc::SYS_clock_gettime, clock, time) as c_int }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn gettimeofday(time: *mut libc::timeval, zone: *mut c_void) -> c_int {
    if is_active() {
        let (seconds, milliseconds) = now();
        state::access(time as usize, size_of::<libc::timeval>(), WRITE, 0);
        // SAFETY: the caller's promise.
        unsafe {
            (*time).tv_sec = seconds;
            (*time).tv_usec = milliseconds * 1000;
        }
        return 0;
    }
    // SAFETY: the caller's promise.
    unsafe { libc::syscall(libc::SYS_gettimeofday, time, zone) as c_int }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn time(place: *mut i64) -> i64 {
    let seconds = if is_active() {
        now().0
    } else {
        let mut time = libc::timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        // SAFETY: the call fills what it is given.
        unsafe { libc::syscall(libc::SYS_clock_gettime, libc::CLOCK_REALTIME, &mut time) };
        time.tv_sec
    };
    if !place.is_null() {
        if is_active() {
            state::access(place as usize, size_of::<i64>(), WRITE, 0);
        }
        // SAFETY: the caller's promise.
        unsafe { *place = seconds };
    }
    seconds
}

#[unsafe(no_mangle)]
unsafe extern "C" fn timespec_get(time: *mut libc::timespec, base: c_int) -> c_int {
    const UTC: c_int = 1;
    // SAFETY: the caller's promise.
    if base != UTC || unsafe { clock_gettime(libc::CLOCK_REALTIME, time) } != 0 {
        return 0;
    }
    base
}

/// Processor time, in microseconds.
#[unsafe(no_mangle)]
extern "C" fn clock() -> c_long {
    if is_active() {
        let (seconds, milliseconds) = now();
        return (seconds - BEGINNING) * 1_000_000 + milliseconds * 1000;
    }
    // SAFETY: no arguments.
    unsafe { real!("clock" as unsafe extern "C" fn() -> c_long)() }
}

/// The next random number of the running thread.
fn random_number() -> u64 {
    let thread = thread();
    thread.random = thread
        .random
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    thread.random >> 33
}

#[unsafe(no_mangle)]
extern "C" fn rand() -> c_int {
    if is_active() {
        return (random_number() & 0x7fff_ffff) as c_int;
    }
    // SAFETY: no arguments.
    unsafe { real!("rand" as unsafe extern "C" fn() -> c_int)() }
}

#[unsafe(no_mangle)]
extern "C" fn random() -> c_long {
    if is_active() {
        return (random_number() & 0x7fff_ffff) as c_long;
    }
    // SAFETY: no arguments.
    unsafe { real!("random" as unsafe extern "C" fn() -> c_long)() }
}

#[unsafe(no_mangle)]
extern "C" fn srand(seed: c_uint) {
    if is_active() {
        thread().random = u64::from(seed) << 8 | state::current() as u64;
        return;
    }
    // SAFETY: the caller's promise.
    unsafe { real!("srand" as unsafe extern "C" fn(c_uint))(seed) };
}

#[unsafe(no_mangle)]
extern "C" fn srandom(seed: c_uint) {
    if is_active() {
        return srand(seed);
    }
    // SAFETY: the caller's promise.
    unsafe { real!("srandom" as unsafe extern "C" fn(c_uint))(seed) };
}

#[unsafe(no_mangle)]
unsafe extern "C" fn getrandom(buffer: *mut u8, size: usize, flags: c_uint) -> isize {
    if !is_active() {
        // SAFETY: the caller's promise.
        return unsafe { libc::syscall(libc::SYS_getrandom, buffer, size, flags) as isize };
    }
    for at in 0..size {
        // SAFETY: the caller's promise.
        unsafe { *buffer.add(at) = random_number() as u8 };
    }
    size as isize
}
