//! Who runs, and the way of a visible operation.

use std::cell::UnsafeCell;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU8, Ordering};

use mazurka_processes::shared::{Control, Mapping};
use mazurka_processes::{server, step, uncontrolled};
use mazurka_runtime::accesses::{ATOMIC, Access, END, FREE, Found, LOCK, NEW, PERHAPS, WRITE};
use mazurka_runtime::clocks::{Carried, Knowledge};
use mazurka_runtime::{
    ACTORS, ActorState, Ending, FailureKind, Kernel, Kind, Next, Object, ObjectId, ObjectKind,
    Operation,
};

use super::global;
use super::shadow::Shadow;
use super::switch::{prepare, switch, this_thread};
use super::threads::Pool;

/// How deep calls are followed.
const CALLS: usize = 1 << 10;
/// How many callers are told with a place.
const TOLD: usize = 12;
/// After this many accesses without a visible operation, others go first: it may be a loop that waits
/// for a plain variable.
const PATIENCE: u32 = 1 << 17;
/// How many places are found without asking the kernel.
const KNOWN: usize = 1 << 10;

/// An actor as this library knows it.
pub struct Thread {
    /// Where its stack is, while it does not run.
    stack: usize,
    /// The address of what the C library keeps of it.
    pub handle: usize,
    pub body: Option<extern "C" fn(*mut c_void) -> *mut c_void>,
    pub argument: *mut c_void,
    pub result: *mut c_void,
    pub is_detached: bool,
    pub is_joined: bool,
    /// Whether its stack is gone.
    pub has_ended: bool,
    pub knowledge: Knowledge,
    /// Where the functions that it is in were called from, and what tells such rows apart.
    calls: [(usize, u64); CALLS],
    depth: usize,
    /// Accesses since its last visible operation.
    accesses: u32,
    /// Its own time when it last accessed memory, and when it last did something that nobody looks at. Zero if it never has.
    accessed: u32,
    unseen: u32,
    /// The state of its random numbers.
    pub random: u64,
    /// What it saw when it looked at the clock last, in milliseconds, and what it will see at least: it has slept, or waited in vain.
    pub clock: u64,
    pub clock_at_least: u64,
    /// Signals that were sent to it and that it has not waited for, a bit each.
    pub signals: u64,
    /// Whether something has happened to it for no reason.
    pub was_spurious: bool,
    /// What it has read since it last changed anything, for loops that wait.
    pub window: super::waiting::Window,
    /// What others have written on its stack.
    pub foreign: super::foreign::Foreign,
}

/// All that this library knows of an execution. Memory that is all zero, but for some fields.
pub struct State {
    mapping: &'static Mapping,
    pub current: usize,
    threads: [Thread; ACTORS],
    pub shadow: Shadow,
    carried: *mut Carried,
    /// Per object, whether it is in use in this execution.
    touched: *mut u8,
    pub pool: Pool,
    /// Milliseconds since the execution began, how often somebody looked at a clock, and whether a long time has passed.
    pub time: u64,
    pub looks: u64,
    pub has_jumped: bool,
    /// Whether anything was given back to the arena.
    has_freed: bool,
    /// What threads have done that nobody looks at: bits of `uncontrolled`.
    unseen: u32,
    /// Streams that the program has given a buffer: where it is and how large. Zero where there is none.
    pub buffers: [(usize, usize, usize); 8],
    /// Places found before; they stay from execution to execution, as the kernel's do.
    known: *mut [(u64, u16); KNOWN],
}

struct Cell(UnsafeCell<*mut State>);

// SAFETY: see the module `runtime`.
unsafe impl Sync for Cell {}

static STATE: Cell = Cell(UnsafeCell::new(std::ptr::null_mut()));
#[unsafe(export_name = "mazurka_active")]
static ACTIVE: AtomicU8 = AtomicU8::new(0);

/// Whether the program is being explored and this is an actor of it.
#[inline]
pub fn is_active() -> bool {
    ACTIVE.load(Ordering::Relaxed) != 0
}

/// The state, for a moment.
#[inline]
pub fn state() -> &'static mut State {
    // SAFETY: see the module `runtime`; there is one if the program is explored.
    unsafe { &mut **STATE.0.get() }
}

#[inline]
pub fn kernel() -> &'static mut Kernel {
    // SAFETY: one coroutine runs, and it owns the kernel.
    unsafe { &mut *state().mapping.kernel() }
}

pub fn control() -> &'static Control {
    state().mapping.control()
}

#[inline]
pub fn thread() -> &'static mut Thread {
    let state = state();
    &mut state.threads[state.current]
}

pub fn thread_of(actor: usize) -> &'static mut Thread {
    &mut state().threads[actor % ACTORS]
}

#[inline]
pub fn current() -> usize {
    state().current
}

/// How many actors there have been.
#[inline]
pub fn population() -> usize {
    (kernel().population as usize).min(ACTORS)
}

unsafe extern "C" {
    fn on_exit(handler: extern "C" fn(i32, *mut c_void), argument: *mut c_void) -> i32;
}

/// Becomes the fork server, if an explorer wants it. Returns in the first actor of every execution.
pub fn begin() {
    static BEGUN: AtomicU8 = AtomicU8::new(0);
    unsafe extern "C" {
        static environ: *const *const u8;
    }
    // The first call may come before the C library is ready.
    // SAFETY: a word of the C library.
    if unsafe { environ.is_null() } {
        return;
    }
    if BEGUN.swap(1, Ordering::Relaxed) != 0 || !server::is_wanted() {
        return;
    }
    let pool = Pool::new();
    let carried = global::map((1 << 16) * size_of::<Carried>(), 0).cast();
    let touched = global::map(1 << 16, 0);
    super::arena::prepare();
    if !super::preload::is_on() {
        super::outside::prepare();
    }
    let known = global::map(size_of::<[(u64, u16); KNOWN]>(), 0).cast();
    let place = global::map(size_of::<State>(), 0).cast::<State>();
    let Some(mapping) = server::start_threads(super::threads::base()) else {
        return;
    };
    if super::preload::is_on() {
        let bits = &mapping.control().uncontrolled;
        bits.fetch_or(uncontrolled::UNSEEN, Ordering::Relaxed);
    }
    let shadow = Shadow::new(mapping.control());
    // SAFETY: fresh memory that is all zero, which is right for all but these fields; they are written
    // before anybody reads them.
    unsafe {
        (&raw mut (*place).mapping).write(mapping);
        (&raw mut (*place).shadow).write(shadow);
        (&raw mut (*place).carried).write(carried);
        (&raw mut (*place).touched).write(touched);
        (&raw mut (*place).pool).write(pool);
        (&raw mut (*place).known).write(known);
        *STATE.0.get() = place;
        libc::pthread_atfork(None, None, Some(forked));
        on_exit(super::exits::at_end, std::ptr::null_mut());
    }
    let first = thread_of(0);
    first.handle = this_thread();
    first.knowledge = Knowledge::NOTHING;
    first.knowledge.now.0[0] = 1;
    first.random = 1;
    ACTIVE.store(1, Ordering::Relaxed);
    super::restart::begin(mapping.control());
}

impl State {
    /// What is not put back between two executions in one process.
    pub fn kept(&self) -> [(usize, usize); 3] {
        let [index, pieces] = self.shadow.memory();
        let known = (self.known as usize, size_of::<[(u64, u16); KNOWN]>());
        [index, pieces, known]
    }

    /// Makes that part of it empty which tells of one execution.
    pub fn clear_kept(&mut self) {
        self.shadow.clear();
    }
}

/// The program forked: the child is no actor, and runs on its own.
extern "C" fn forked() {
    let bits = &control().uncontrolled;
    bits.fetch_or(uncontrolled::FORK, Ordering::Relaxed);
    ACTIVE.store(0, Ordering::Relaxed);
}

/// The execution cannot go on in a way that would say anything.
pub fn give_up(reason: &str) -> ! {
    // What this library writes is no step of the program's.
    let was_active = ACTIVE.swap(0, Ordering::Relaxed);
    eprintln!("mazurka: {reason}");
    ACTIVE.store(was_active, Ordering::Relaxed);
    if is_active() {
        kernel().ending = Ending::LIMIT;
    }
    leave_process()
}

/// The execution has ended, and with it the process.
pub fn leave_process() -> ! {
    if is_active() && super::restart::is_on() {
        super::restart::again();
    }
    if is_active() {
        super::beyond::look_back();
        ACTIVE.store(0, Ordering::Relaxed);
        if control().flush.load(Ordering::Relaxed) != 0 {
            // SAFETY: null means all streams.
            unsafe { libc::fflush(std::ptr::null_mut()) };
        }
    }
    loop {
        // SAFETY: does not return.
        unsafe { libc::syscall(libc::SYS_exit_group, 0) };
    }
}

/// Performs a visible operation, when its turn comes, and gives its result. `refresh` is called right
/// before, to tell the kernel what memory holds.
pub fn perform_after(operation: Operation, refresh: impl FnOnce(&mut Kernel, usize)) -> i64 {
    let state = state();
    let me = state.current;
    state.threads[me].accesses = 0;
    let kernel = kernel();
    kernel.publish(me, operation);
    let next = kernel.choose();
    let control = state.mapping.control();
    if control.stepping.load(Ordering::Relaxed) != 0 && next != Next::End {
        step::ask(control);
    }
    if next != Next::Run(me) {
        hand_over(next);
    }
    let kernel = self::kernel();
    refresh(kernel, me);
    let result = kernel.execute(me);
    if kernel.ending != Ending::NONE {
        leave_process();
    }
    result
}

/// Performs a visible operation that changes something.
pub fn perform(operation: Operation) -> i64 {
    super::waiting::changed();
    perform_after(operation, |_, _| ())
}

/// Where the stack of the first actor begins.
fn first_stack_top() -> usize {
    unsafe extern "C" {
        static __libc_stack_end: usize;
    }
    // SAFETY: a word of the C library.
    unsafe { __libc_stack_end }
}

/// Whose stack an address is on.
pub fn stack_owner(address: usize) -> Option<usize> {
    let top = first_stack_top();
    match (top.saturating_sub(super::threads::STACK)..top).contains(&address) {
        true => Some(0),
        false => state().pool.stack_owner(address),
    }
}

/// Where the stack of the running actor begins.
pub fn stack_top() -> usize {
    match current() {
        0 => first_stack_top(),
        actor => state().pool.of(actor).map_or(0, |(top, _)| top),
    }
}

/// Whether an address is on the stack of the running actor.
#[inline]
pub fn is_on_own_stack(address: usize) -> bool {
    let top = stack_top();
    (top.saturating_sub(super::threads::STACK)..top).contains(&address)
}

/// Continues with another actor; returns when it is this one's turn again.
pub fn hand_over(next: Next) {
    let state = state();
    let me = state.current;
    let to = match next {
        Next::End => leave_process(),
        Next::Run(actor) => actor,
        Next::Start(actor) => {
            let Some((top, handle)) = state.pool.of(actor) else {
                kernel().ending = Ending::LIMIT;
                leave_process();
            };
            let thread = &mut state.threads[actor];
            thread.handle = handle;
            // SAFETY: the top of a stack that nobody uses.
            thread.stack = unsafe { prepare(top, super::threads::start) };
            actor
        }
    };
    state.current = to;
    state
        .mapping
        .control()
        .running
        .store(to as u32, Ordering::Relaxed);
    let keep = &raw mut state.threads[me].stack;
    let (stack, handle) = (state.threads[to].stack, state.threads[to].handle);
    // SAFETY: the stack was kept or has just been prepared, and its actor has the turn.
    unsafe { switch(keep, stack, handle) };
}

/// This actor has ended.
pub fn finish() -> ! {
    let me = current();
    let kernel = kernel();
    if kernel.actors[me].state != ActorState::FINISHED {
        kernel.finish(me);
    }
    let next = kernel.choose();
    hand_over(next);
    unreachable!("an actor that has ended has no turn")
}

/// Addresses of the program are below this; objects that are no memory have numbers beyond.
pub const USER_SPACE: usize = 1 << 47;

/// The object at an address, which is of this kind as soon as it is used.
pub fn object(address: usize, kind: ObjectKind) -> ObjectId {
    let kernel = kernel();
    let Some(id) = kernel.addresses.number(address as u64) else {
        give_up("the program uses too many objects");
    };
    let touched = state().touched.wrapping_add(id.index());
    // SAFETY: there is one for each number.
    unsafe {
        if *touched == 0 {
            *touched = 1;
            kernel.objects[id.index()] = Object {
                kind,
                senders: Object::UNCOUNTED,
                ..Object::default()
            };
        } else {
            kernel.objects[id.index()].kind = kind;
        }
    }
    // Atomics tell of their accesses themselves. The memory of a lock is not accessed by instrumented code, but it must
    // be there: who gives it back or writes over it is in a race with who uses the lock.
    if kind != ObjectKind::VARIABLE && address < USER_SPACE {
        access(address, 1, LOCK, 0);
    }
    id
}

/// A lock or its like at an address begins or ends: nobody else may use it meanwhile.
pub fn begin_or_end(address: usize, from: usize) {
    access(address, 1, LOCK | WRITE, from);
}

/// An object begins anew.
pub fn renew(id: ObjectId, object: Object) {
    kernel().objects[id.index()] = Object {
        senders: Object::UNCOUNTED,
        ..object
    };
    *carried(id) = Carried::NONE;
}

/// Forgets the objects in a piece of memory.
pub fn forget_objects(address: usize, size: usize) {
    let numbers = kernel().addresses.within(address as u64, size as u64);
    for id in numbers {
        // SAFETY: there is one for each number.
        unsafe { *state().touched.add(id.index()) = 0 };
        *carried(id) = Carried::NONE;
    }
}

/// What an object carries from actor to actor.
pub fn carried(id: ObjectId) -> &'static mut Carried {
    // SAFETY: there is one for each number, and it is all zero at first.
    unsafe { &mut *state().carried.add(id.index()) }
}

/// Takes over what an object carries.
pub fn acquire(id: ObjectId) {
    let from = &carried(id).clock;
    thread().knowledge.acquire(from, population());
}

/// Passes on to an object all that has happened.
pub fn release(id: ObjectId) {
    let me = current();
    thread()
        .knowledge
        .release(me, &mut carried(id).clock, population());
}

/// A function was called from here.
#[inline]
pub fn enter(caller: usize) {
    let thread = thread();
    let before = match thread.depth {
        0 => 0,
        depth => thread.calls[(depth - 1).min(CALLS - 1)].1,
    };
    if thread.depth < CALLS {
        let hash = (before ^ caller as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        thread.calls[thread.depth] = (caller, hash ^ hash >> 32);
    }
    thread.depth += 1;
    let here = &raw const before as usize;
    if state().pool.is_beyond(current(), here) {
        fail(FailureKind::CRASH, 0, "its stack is too small");
    }
}

/// And returned.
#[inline]
pub fn leave() {
    let thread = thread();
    thread.depth = thread.depth.saturating_sub(1);
}

/// The number of a place in the program, with its callers; zero for wherever the running function was
/// called from.
pub fn place(from: usize) -> u16 {
    let state = state();
    let thread = &state.threads[state.current];
    let depth = thread.depth.min(CALLS);
    let above = match depth {
        0 => 0,
        depth => thread.calls[depth - 1].1,
    };
    let key = (above ^ from as u64).wrapping_mul(0x2545_f491_4f6c_dd1d) | 1;
    let slot = (key >> 32) as usize % KNOWN;
    // SAFETY: it stays, and one at a time looks at it.
    let known = unsafe { &mut (*state.known)[slot] };
    if known.0 == key {
        return known.1;
    }
    let mut row = [0u64; TOLD];
    let mut length = 0;
    if from != 0 {
        row[0] = from as u64;
        length = 1;
    }
    for (caller, _) in thread.calls[..depth].iter().rev().take(TOLD - length) {
        row[length] = *caller as u64;
        length += 1;
    }
    let number = kernel().texts.code(key, &row[..length]);
    *known = (key, number);
    number
}

/// This actor has failed, and with it the execution.
pub fn fail(kind: FailureKind, place: u16, message: &str) -> ! {
    report(kind, place, message);
    kernel().ending = Ending::FAILED;
    leave_process()
}

/// Something is wrong; the execution goes on if others are looked for.
pub fn report(kind: FailureKind, place: u16, message: &str) {
    let kernel = kernel();
    let message = kernel.texts.name(message);
    kernel.fail(current(), kind, place, message);
    if kernel.ending != Ending::NONE {
        leave_process();
    }
}

/// The program does something that makes no sense.
pub fn misuse(from: usize, message: &str) -> ! {
    fail(FailureKind::MISUSE, place(from), message)
}

/// An access to memory. Tells whether something is wrong with it.
pub fn access(address: usize, size: usize, what: u8, from: usize) -> bool {
    if super::preload::is_on() {
        return false;
    }
    let state = state();
    let me = state.current;
    let thread = &mut state.threads[me];
    if what & WRITE != 0 {
        let is_own = is_on_own_stack(address);
        super::foreign::about_to_write(address, size, is_own);
        if what & ATOMIC == 0 && (!is_own || thread.window.is_looked_at(address, size)) {
            thread.window.has_changed = true;
        }
    }
    thread.accesses += 1;
    if thread.accesses > PATIENCE {
        super::waiting::pass(Operation::new(Kind::YIELD).at(place(from)));
    }
    if what & (ATOMIC | FREE | LOCK | PERHAPS) == 0 {
        super::racing::step(address, size, what, from);
    }
    if let Some(owner) = state.pool.owner_of(address)
        && state.threads[owner].has_ended
    {
        let access = Access {
            place: place(from),
            actor: me as u8,
            what,
            ..Access::default()
        };
        let end = Access {
            actor: owner as u8,
            what: END,
            ..Access::default()
        };
        tell(address, size, &access, &Found::AfterFree(end));
    }
    state.has_freed |= what & FREE != 0;
    // What the first actor did alone happens before all that others do.
    if kernel().population == 1 && !state.has_freed {
        return false;
    }
    if size > 1 << 16 {
        // Of large ranges both ends are looked at.
        overlook();
        let low = access(address, 1 << 15, what, from);
        return access(address + size - (1 << 15), 1 << 15, what, from) || low;
    }
    state.threads[me].accessed = state.threads[me].knowledge.now.0[me];
    if state.unseen != 0 && is_beside(|other| other.unseen) {
        control()
            .uncontrolled
            .fetch_or(state.unseen, Ordering::Relaxed);
    }
    let now = &state.threads[me].knowledge.now;
    let mut access = Access {
        time: now.0[me],
        place: 0,
        actor: me as u8,
        bytes: 0,
        what,
        is_step: false,
    };
    if state.shadow.is_known(address, size, access) {
        return false;
    }
    access.place = place(from);
    let found = state.shadow.access(address, size, access, now);
    if state.shadow.limits != 0 {
        let bits = &control().uncontrolled;
        bits.fetch_or(state.shadow.limits, Ordering::Relaxed);
    }
    if let Some(found) = &found {
        tell(address, size, &access, found);
    }
    found.is_some()
}

/// The running actor does something to memory that nobody looks at: another one may have used the same, or will, with nothing that orders
/// the two.
pub fn does_unseen(bit: u32) {
    if population() == 1 {
        return;
    }
    let state = state();
    let me = state.current;
    if is_beside(|other| other.accessed.max(other.unseen)) {
        control().uncontrolled.fetch_or(bit, Ordering::Relaxed);
    }
    state.unseen |= bit;
    state.threads[me].unseen = state.threads[me].knowledge.now.0[me];
}

/// Whether something that other actors did last is not ordered before what the running one does now.
fn is_beside(last: impl Fn(&Thread) -> u32) -> bool {
    let state = state();
    let now = &thread().knowledge.now;
    let others = state.threads[..population()].iter().enumerate();
    let mut others = others.filter(|(number, _)| *number != state.current);
    others.any(|(number, other)| last(other) > now.0[number])
}

/// Some of what was done to memory is not looked at.
pub fn overlook() {
    if kernel().population > 1 && !super::preload::is_on() {
        let bits = &control().uncontrolled;
        bits.fetch_or(uncontrolled::LARGE, Ordering::Relaxed);
    }
}

/// Memory is handed out: what was done to it before is forgotten.
pub fn hand_out(address: usize, size: usize) {
    let state = state();
    if state.has_freed && !super::preload::is_on() {
        let access = Access {
            what: NEW,
            ..Access::default()
        };
        let now = &state.threads[state.current].knowledge.now;
        state.shadow.access(address, size, access, now);
    }
}

/// The running actor ends, and with it the memory that was its own: nobody may use it any more.
pub fn end_memory() {
    let state = state();
    let me = state.current;
    if super::preload::is_on() {
        state.threads[me].has_ended = true;
        return;
    }
    let now = &state.threads[me].knowledge.now;
    let access = Access {
        time: now.0[me],
        place: place(0),
        actor: me as u8,
        bytes: 0,
        what: WRITE | FREE | END,
        is_step: false,
    };
    state.threads[me].has_ended = true;
    for (start, end) in state.pool.own(me) {
        if let Some((address, found)) = state.shadow.end(start, end, access, now) {
            tell(address, 8, &access, &found);
        }
    }
}

#[cold]
fn tell(address: usize, size: usize, access: &Access, found: &Found) {
    let me = access.actor;
    let bytes = match size {
        _ if access.what & LOCK != 0 => "what threads synchronize by".into(),
        _ if access.what & END != 0 => "a thread, whose memory this is,".into(),
        1 => "1 byte".into(),
        size => format!("{size} bytes"),
    };
    let what = match super::outside::name_of(address) {
        Some(name) => name.into(),
        None => format!("{bytes} at {{address {address:x}}}"),
    };
    if !found.is_certain(access) {
        // Where something is wrong anyway, this says nothing more.
        if kernel().failed == 0 {
            let bits = &control().uncontrolled;
            bits.fetch_or(uncontrolled::WIDER, Ordering::Relaxed);
        }
        return;
    }
    match found {
        Found::Race(other) => {
            let message = format!(
                "{} of {what} by {{actor {me}}} {{place {}}} is not ordered with the {} by {{actor {}}} {{place {}}}",
                access.words(),
                access.place,
                other.words(),
                other.actor,
                other.place
            );
            // What comes behind a lock that is gone means nothing: the other order might not even be possible any more.
            match (access.what | other.what) & (FREE | LOCK) == FREE | LOCK {
                true => fail(FailureKind::RACE, access.place, &message),
                false => report(FailureKind::RACE, access.place, &message),
            }
        }
        Found::AfterFree(other) => {
            let before = match other.what & END {
                0 => format!("has given back {{place {}}}", other.place),
                _ => "had for itself until it ended".into(),
            };
            let message = format!(
                "{} of {what} by {{actor {me}}} {{place {}}}, which {{actor {}}} {before}",
                access.words(),
                access.place,
                other.actor,
            );
            fail(FailureKind::USE_AFTER_FREE, access.place, &message);
        }
    }
}
