//! Threads: made, joined, ended. Each is a coroutine with a stack of its own, and with what the C library
//! keeps of a thread borrowed from a real one that is parked for ever.

use std::ffi::{c_char, c_int, c_long, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

use mazurka_processes::uncontrolled;
use mazurka_runtime::clocks::Knowledge;
use mazurka_runtime::{ACTORS, Kind, Operation};

use super::beyond::did;
use super::global;
use super::state::{
    self, give_up, is_active, misuse, perform, place, population, thread, thread_of,
};
use super::switch::{entries, this_thread};

/// How large the stack of a thread is.
pub const STACK: usize = 64 << 20;
/// How much of it must be left.
const MARGIN: usize = 16 << 10;
/// How large the stack of a parked thread is, with its `thread_local` variables.
const PARKED: usize = 64 << 10;

type Body = extern "C" fn(*mut c_void) -> *mut c_void;

/// The function of the C library that this library has taken the name of.
macro_rules! real {
    ($name:literal as $type:ty) => {{
        static ADDRESS: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
        super::threads::as_function::<$type>(super::threads::find(&ADDRESS, concat!($name, "\0")))
    }};
}
pub(crate) use real;

/// Where the C library has a function.
pub fn find(known: &AtomicUsize, name: &str) -> usize {
    let mut address = known.load(Ordering::Relaxed);
    if address == 0 {
        // SAFETY: the name ends in zero.
        address = unsafe { super::outside::look_up(libc::RTLD_NEXT, name.as_ptr().cast()) };
        if address == 0 {
            state::give_up("the C library lacks a function");
        }
        known.store(address, Ordering::Relaxed);
    }
    address
}

/// A function of the C library by its address, which [`find`] gave for its name. Calling it is up to
/// the caller.
pub fn as_function<F: Copy>(address: usize) -> F {
    // SAFETY: a function pointer is an address; its type is that of the function of this name.
    unsafe { std::mem::transmute_copy(&address) }
}

/// Stacks, and parked threads.
pub struct Pool {
    stacks: usize,
    parked: usize,
    handles: [usize; ACTORS],
}

static PARKED_AT: [AtomicUsize; ACTORS] = [const { AtomicUsize::new(0) }; ACTORS];

extern "C" fn park(number: *mut c_void) -> *mut c_void {
    PARKED_AT[number as usize].store(this_thread(), Ordering::Release);
    static NEVER: AtomicUsize = AtomicUsize::new(0);
    loop {
        // SAFETY: the word lives; nobody ever wakes it.
        unsafe {
            libc::syscall(
                libc::SYS_futex,
                &NEVER,
                libc::FUTEX_WAIT,
                0,
                0usize,
                0usize,
                0,
            )
        };
    }
}

impl Pool {
    /// Parks as many threads as there can be actors.
    pub fn new() -> Pool {
        let stacks = global::map(STACK * ACTORS, 0) as usize;
        let parked = global::map(PARKED * ACTORS, 0) as usize;
        let create = real!(
            "pthread_create"
                as unsafe extern "C" fn(
                    *mut libc::pthread_t,
                    *const libc::pthread_attr_t,
                    Body,
                    *mut c_void,
                ) -> c_int
        );
        let mut handles = [0; ACTORS];
        let mut made = 1;
        // SAFETY: plain calls on values that live; the stacks are new and stay.
        unsafe {
            let (mut all, mut before) = (std::mem::zeroed(), std::mem::zeroed());
            libc::sigfillset(&mut all);
            libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
            for number in 1..ACTORS {
                let mut attributes = std::mem::zeroed();
                libc::pthread_attr_init(&mut attributes);
                let stack = (parked + number * PARKED) as *mut c_void;
                libc::pthread_attr_setstack(&mut attributes, stack, PARKED);
                let mut new = 0;
                if create(&mut new, &attributes, park, number as *mut c_void) != 0 {
                    break;
                }
                made += 1;
            }
            libc::pthread_sigmask(libc::SIG_SETMASK, &before, std::ptr::null_mut());
        }
        for (number, handle) in handles.iter_mut().enumerate().take(made).skip(1) {
            while *handle == 0 {
                *handle = PARKED_AT[number].load(Ordering::Acquire);
                std::thread::yield_now();
            }
        }
        Pool {
            stacks,
            parked,
            handles,
        }
    }

    /// The top of the stack of an actor, and what the C library keeps of it.
    pub fn of(&self, actor: usize) -> Option<(usize, usize)> {
        let handle = *self.handles.get(actor)?;
        (handle != 0).then_some((self.stacks + (actor + 1) * STACK, handle))
    }

    /// The memory of an actor other than the first that ends with it, by starts and ends: its stack, and its `thread_local` variables.
    pub fn own(&self, actor: usize) -> [(usize, usize); 2] {
        let of = |all: usize, size: usize| (all + actor * size, all + (actor + 1) * size);
        match actor {
            0 => [(0, 0); 2],
            _ => [of(self.stacks, STACK), of(self.parked, PARKED)],
        }
    }

    /// Whose stack, other than the first's, an address is on.
    pub fn stack_owner(&self, address: usize) -> Option<usize> {
        let owner = address.checked_sub(self.stacks)? / STACK;
        (owner < ACTORS).then_some(owner)
    }

    /// Whose memory, that ends with it, an address is in.
    #[inline]
    pub fn owner_of(&self, address: usize) -> Option<usize> {
        let within = |all: usize, size: usize| {
            let owner = address.checked_sub(all)? / size;
            (owner < ACTORS).then_some(owner)
        };
        within(self.stacks, STACK).or_else(|| within(self.parked, PARKED))
    }

    /// Whether an actor that has come to this address on its stack has no room left.
    #[inline]
    pub fn is_beyond(&self, actor: usize, address: usize) -> bool {
        let start = self.stacks + actor * STACK;
        // Elsewhere it is on a stack that the program has made for itself.
        actor != 0 && (start - MARGIN..start + MARGIN).contains(&address)
    }
}

/// What is added to the addresses in the program's file where it lies in memory.
pub fn base() -> u64 {
    /// The first module is the program.
    unsafe extern "C" fn first(
        module: *mut libc::dl_phdr_info,
        _: usize,
        base: *mut c_void,
    ) -> c_int {
        // SAFETY: the loader's own description of a module, and what is given below.
        unsafe { *base.cast::<u64>() = (*module).dlpi_addr };
        1
    }
    let mut base = 0u64;
    // SAFETY: the callback gets what it is given here.
    unsafe { libc::dl_iterate_phdr(Some(first), (&raw mut base).cast()) };
    base
}

#[unsafe(no_mangle)]
pub extern "C" fn gettid() -> libc::pid_t {
    let system = real!("syscall" as unsafe extern "C" fn(c_long, ...) -> c_long);
    // SAFETY: cannot fail.
    let real = unsafe { system(libc::SYS_gettid) } as libc::pid_t;
    real + if is_active() {
        state::current() as libc::pid_t
    } else {
        0
    }
}

unsafe extern "C" {
    fn pthread_attr_getdetachstate(
        attributes: *const libc::pthread_attr_t,
        state: *mut c_int,
    ) -> c_int;
}

/// What a new coroutine does.
pub extern "C" fn start() -> ! {
    let thread = thread();
    let (body, argument) = (thread.body.take(), thread.argument);
    let Some(body) = body else {
        // SAFETY: it is not: the program calls a function that is not there, and is told so by the fault that this is.
        unsafe { std::ptr::null::<u8>().read_volatile() };
        std::process::abort();
    };
    end(body(argument))
}

/// The running actor ends.
pub fn end(result: *mut c_void) -> ! {
    super::keys::destroy();
    super::robust::leave_behind();
    state::end_memory();
    thread().result = result;
    state::finish()
}

/// The actor that a handle stands for.
pub fn actor_of(handle: usize) -> Option<usize> {
    (0..population()).find(|&actor| thread_of(actor).handle == handle)
}

entries! {
    "pthread_create", "r8", "mazurka_pthread_create";
    "pthread_join", "rdx", "mazurka_pthread_join";
    "pthread_detach", "rsi", "mazurka_pthread_detach";
    "thrd_create", "rcx", "mazurka_thrd_create";
    "thrd_join", "rdx", "mazurka_thrd_join";
    "thrd_detach", "rsi", "mazurka_pthread_detach";
}

fn spawn(body: Option<Body>, argument: *mut c_void, from: usize) -> usize {
    let child = perform(Operation::new(Kind::SPAWN).at(place(from))) as usize;
    let me = state::current();
    let Some((_, handle)) = state::state().pool.of(child) else {
        state::give_up("the program makes too many threads");
    };
    let knowledge = &mut thread().knowledge;
    let mut now = knowledge.now;
    knowledge.now.0[me] += 1;
    now.0[child] += 1;
    let new = thread_of(child);
    new.knowledge = Knowledge::NOTHING;
    new.knowledge.now = now;
    new.body = body;
    new.argument = argument;
    new.handle = handle;
    new.random = child as u64 + 1;
    new.is_detached = false;
    new.is_joined = false;
    new.has_ended = false;
    new.was_spurious = false;
    new.signals = 0;
    child
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_pthread_create(
    handle: *mut libc::pthread_t,
    attributes: *const libc::pthread_attr_t,
    body: Option<Body>,
    argument: *mut c_void,
    from: usize,
) -> c_int {
    if !is_active() {
        let create = real!(
            "pthread_create"
                as unsafe extern "C" fn(
                    *mut libc::pthread_t,
                    *const libc::pthread_attr_t,
                    Option<Body>,
                    *mut c_void,
                ) -> c_int
        );
        // SAFETY: the caller's promise.
        return unsafe { create(handle, attributes, body, argument) };
    }
    let child = spawn(body, argument, from);
    // SAFETY: the caller's promise.
    unsafe {
        let mut detached = 0;
        if !attributes.is_null() {
            pthread_attr_getdetachstate(attributes, &mut detached);
            let mut stack = 0;
            libc::pthread_attr_getstacksize(attributes, &mut stack);
            if stack > STACK {
                state::give_up(
                    "the program makes a thread with a larger stack than there is room for",
                );
            }
        }
        thread_of(child).is_detached = detached == libc::PTHREAD_CREATE_DETACHED;
        state::access(handle as usize, 8, mazurka_runtime::accesses::WRITE, from);
        *handle = thread_of(child).handle as libc::pthread_t;
    }
    0
}

/// Waits for a thread to end; its result.
fn join(handle: usize, from: usize) -> *mut c_void {
    let me = state::current();
    let Some(target) = actor_of(handle).filter(|&target| target != me) else {
        misuse(from, "there is no such thread to join");
    };
    perform(
        Operation::new(Kind::JOIN)
            .with(target as i64)
            .at(place(from)),
    );
    let ended = thread_of(target);
    // Two who wait for one thread are not ordered: whoever is second has done wrong, and that is known only now.
    if ended.is_detached || ended.is_joined {
        misuse(
            from,
            "a thread is joined that was detached or joined before",
        );
    }
    ended.is_joined = true;
    let (now, result) = (ended.knowledge.now, ended.result);
    thread().knowledge.acquire(&now, population());
    result
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_pthread_join(
    handle: usize,
    result: *mut *mut c_void,
    from: usize,
) -> c_int {
    if !is_active() {
        let join = real!("pthread_join" as unsafe extern "C" fn(usize, *mut *mut c_void) -> c_int);
        // SAFETY: the caller's promise.
        return unsafe { join(handle, result) };
    }
    let value = join(handle, from);
    if !result.is_null() {
        state::access(result as usize, 8, mazurka_runtime::accesses::WRITE, from);
        // SAFETY: the caller's promise.
        unsafe { *result = value };
    }
    0
}

#[unsafe(no_mangle)]
extern "C" fn mazurka_pthread_detach(handle: usize, from: usize) -> c_int {
    if !is_active() {
        let detach = real!("pthread_detach" as unsafe extern "C" fn(usize) -> c_int);
        // SAFETY: the caller's promise.
        return unsafe { detach(handle) };
    }
    let Some(target) = actor_of(handle) else {
        misuse(from, "there is no such thread to detach");
    };
    if thread_of(target).is_detached || thread_of(target).is_joined {
        misuse(
            from,
            "a thread is detached that was detached or joined before",
        );
    }
    thread_of(target).is_detached = true;
    0
}

#[unsafe(no_mangle)]
extern "C" fn pthread_exit(result: *mut c_void) -> ! {
    if !is_active() {
        let exit = real!("pthread_exit" as unsafe extern "C" fn(*mut c_void) -> !);
        // SAFETY: the caller's promise.
        unsafe { exit(result) }
    }
    super::cleanup::unwind(result)
}

#[unsafe(no_mangle)]
extern "C" fn thrd_exit(result: c_int) -> ! {
    pthread_exit(result as usize as *mut c_void)
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_thrd_create(
    handle: *mut libc::pthread_t,
    body: Option<extern "C" fn(*mut c_void) -> c_int>,
    argument: *mut c_void,
    from: usize,
) -> c_int {
    // SAFETY: the result of such a body is the low half of what the other returns.
    unsafe {
        let body =
            body.map(|body| std::mem::transmute::<extern "C" fn(*mut c_void) -> c_int, Body>(body));
        mazurka_pthread_create(handle, std::ptr::null(), body, argument, from)
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn mazurka_thrd_join(handle: usize, result: *mut c_int, from: usize) -> c_int {
    let mut value = std::ptr::null_mut();
    // SAFETY: the caller's promise.
    unsafe {
        let failed = mazurka_pthread_join(handle, &mut value, from);
        if !result.is_null() {
            if is_active() {
                state::access(result as usize, 4, mazurka_runtime::accesses::WRITE, from);
            }
            *result = value as usize as c_int;
        }
        failed
    }
}

#[unsafe(no_mangle)]
unsafe extern "C" fn pthread_setname_np(handle: usize, name: *const c_char) -> c_int {
    if is_active() {
        if let Some(actor) = actor_of(handle) {
            // SAFETY: the caller's promise.
            let name = unsafe { std::ffi::CStr::from_ptr(name) };
            let kernel = state::kernel();
            let number = kernel.texts.name(&name.to_string_lossy());
            kernel.actors[actor].name = number;
        }
        return 0;
    }
    let name_it =
        real!("pthread_setname_np" as unsafe extern "C" fn(usize, *const c_char) -> c_int);
    // SAFETY: the caller's promise.
    unsafe { name_it(handle, name) }
}

#[unsafe(no_mangle)]
extern "C" fn pthread_cancel(handle: usize) -> c_int {
    if is_active() {
        did(uncontrolled::CANCEL);
        give_up("threads are cancelled, which is not explored");
    }
    let cancel = real!("pthread_cancel" as unsafe extern "C" fn(usize) -> c_int);
    // SAFETY: the caller's promise.
    unsafe { cancel(handle) }
}
