//! Inside the program: what an actor does at a visible operation, and when it ends.
//!
//! **Why it is sound.** A process has one `Context`, set before its first operation and replaced
//! only by a fork. An operation in another thread than the first ends the process, so references to
//! the kernel made here, none of which lives across a hand-over, are the only ones; who owns the
//! kernel is told in [`crate::shared`].
//!
//! What an actor writes to memory of its own right after it was forked makes the system copy a page,
//! which takes longer than an operation. So the context is the same in all of them: who an actor is
//! follows from whose turn it is.

use std::cell::UnsafeCell;
use std::sync::atomic::Ordering;

use libc::{c_int, c_void};
use mazurka_runtime::{
    ACTORS, ActorState, Ending, FailureKind, Kernel, Kind, Limit, Next, Object, ObjectId, Operation,
};

use crate::shared::{CLOSE, Control, GO, Mapping, WAIT, uncontrolled};
use crate::step::ask;
use crate::system::{self, Forked};

/// What a process knows of itself.
struct Context {
    mapping: Option<Mapping>,
    /// The thread that actors are: the first one of their process.
    thread: usize,
    /// Whether the program forked this process by itself: it is no actor.
    stray: bool,
}

struct Cell(UnsafeCell<Context>);

// SAFETY: see the module: others only look, at what was set before there were any.
unsafe impl Sync for Cell {}

static CONTEXT: Cell = Cell(UnsafeCell::new(Context {
    mapping: None,
    thread: 0,
    stray: false,
}));

/// What is known of this process.
#[inline]
fn context() -> &'static Context {
    // SAFETY: see the module.
    unsafe { &*CONTEXT.0.get() }
}

/// The processes forked from this one, which has not looked yet, are actors.
pub(crate) fn share(mapping: Mapping) -> &'static Mapping {
    // SAFETY: see the module; nobody has looked yet.
    unsafe {
        (*CONTEXT.0.get()).thread = system::this_thread();
        (*CONTEXT.0.get()).mapping.insert(mapping)
    }
}

/// This process, which was just forked by the server, is actor 0.
pub(crate) fn become_first(mapping: &Mapping) {
    allow_debuggers(mapping.control());
}

/// Sees to it that actors notice when the program exits or forks.
pub(crate) fn announce() {
    // SAFETY: the handlers are functions of this program, which stays.
    unsafe {
        libc::pthread_atfork(None, None, Some(forked_by_the_program));
        on_exit(at_exit, std::ptr::null_mut());
    }
}

unsafe extern "C" {
    fn on_exit(handler: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
}

extern "C" fn forked_by_the_program() {
    // SAFETY: see the module; the new process has one thread.
    unsafe { (*CONTEXT.0.get()).stray = true };
    did(uncontrolled::FORK);
}

/// The program has done something that is not under control.
pub fn did(what: u32) {
    if let Some(mapping) = &context().mapping {
        let control = mapping.control();
        control.uncontrolled.fetch_or(what, Ordering::Relaxed);
    }
}

/// This actor ends, and had done all it would: was all of it under control?
fn look_back() {
    if system::has_had_threads() {
        did(uncontrolled::THREAD);
    }
    if system::has_had_children() {
        did(uncontrolled::PROGRAM);
    }
}

/// Ends this process, which is an actor.
fn leave() -> ! {
    look_back();
    system::exit_now(0)
}

/// The program calls `exit`, or returns from `main`. The handlers that it has set itself have run.
/// What the libraries would still do takes longer than all before it, and nobody would see it.
extern "C" fn at_exit(code: c_int, _: *mut c_void) {
    if context().stray {
        return;
    }
    let (mapping, _) = me();
    look_back();
    end(code);
    if mapping.control().flush.load(Ordering::Relaxed) == 0 {
        system::exit_now(code);
    }
}

/// Whether this process is an actor.
pub fn is_actor() -> bool {
    context().mapping.is_some()
}

/// The number of this actor: it has the turn, or it would not ask.
pub fn current() -> usize {
    me().1
}

/// The mapping and the number of this actor. Whoever asks for something that only actors can do
/// is told so, and ended.
#[inline]
fn me() -> (&'static Mapping, usize) {
    let context = context();
    match &context.mapping {
        Some(mapping) if !context.stray && context.thread == system::this_thread() => {
            let running = mapping.control().running.load(Ordering::Relaxed);
            (mapping, running as usize % ACTORS)
        }
        _ => not_an_actor(),
    }
}

#[cold]
fn not_an_actor() -> ! {
    let context = context();
    if let Some(mapping) = context.mapping.as_ref().filter(|_| !context.stray) {
        // Whose turn it is says nothing about a thread that nobody knows of. The server tells.
        mapping.control().threaded.store(1, Ordering::Release);
    } else if !context.stray {
        eprintln!(
            "this program is linked with Mazurka and runs under its control: \
             mazurka explore -- PROGRAM"
        );
    }
    system::exit_now(2)
}

/// The kernel, for a moment. `look` must not perform an operation.
#[inline]
pub fn with_kernel<T>(look: impl FnOnce(&mut Kernel, usize) -> T) -> T {
    let (mapping, actor) = me();
    // SAFETY: this actor runs, so it owns the kernel.
    look(unsafe { &mut *mapping.kernel() }, actor)
}

/// Makes an object of this actor.
pub fn make(object: Object) -> ObjectId {
    with_kernel(|kernel, actor| kernel.make(actor, object))
}

/// Performs a visible operation, when its turn comes, and gives its result.
#[inline]
pub fn perform(operation: Operation) -> i64 {
    let (mapping, actor) = me();
    let next = with_kernel(|kernel, actor| {
        kernel.publish(actor, operation);
        kernel.choose()
    });
    let control = mapping.control();
    if control.stepping.load(Ordering::Relaxed) != 0 && next != Next::End {
        ask(control);
    }
    if next != Next::Run(actor) {
        hand_over(mapping, actor, next);
        if next == Next::End {
            flush();
            leave();
        }
        wait_for_turn(control, actor);
    }
    let (result, ended) = with_kernel(|kernel, actor| {
        let result = kernel.execute(actor);
        (result, kernel.ending != Ending::NONE)
    });
    if ended {
        hand_over(mapping, actor, Next::End);
        flush();
        leave();
    }
    result
}

/// Whether there is an actor with this number, or was in this execution.
pub fn exists(number: usize) -> bool {
    with_kernel(|kernel, _| {
        let actor = kernel.actors.get(number);
        actor.is_some_and(|actor| actor.state != ActorState::ABSENT)
    })
}

/// This actor has failed, and ends.
pub fn fail(kind: FailureKind, place: u16, message: &str) -> ! {
    with_kernel(|kernel, actor| {
        let message = kernel.texts.name(message);
        kernel.fail(actor, kind, place, message);
    });
    finish()
}

/// Starts an actor with a name. The new process goes on after this with `true`, once its turn has
/// come.
pub fn spawn(place: u16, name: u16) -> (usize, bool) {
    let child = perform(Operation::new(Kind::SPAWN).at(place)) as usize;
    with_kernel(|kernel, _| kernel.actors[child].name = name);
    let (mapping, actor) = me();
    let control = mapping.control();
    flush();
    control.forked.fetch_add(1, Ordering::Relaxed);
    match system::fork_sibling() {
        Forked::Parent(pid) => {
            control.pids[child].store(pid, Ordering::Release);
            (child, false)
        }
        Forked::Child => {
            system::die_with_parent(libc::SIGKILL);
            allow_debuggers(control);
            wait_for_turn(control, child);
            (child, true)
        }
        Forked::Failed => {
            control.forked.fetch_sub(1, Ordering::Relaxed);
            with_kernel(|kernel, _| kernel.reach(Limit::PROCESSES));
            hand_over(mapping, actor, Next::End);
            system::exit_now(0)
        }
    }
}

/// The body of a spawned actor has returned.
pub fn finish() -> ! {
    flush();
    end(0);
    leave()
}

/// This actor ends: others go on.
fn end(code: c_int) {
    let (mapping, actor) = me();
    let judge = mapping.control().judge_exit_codes.load(Ordering::Relaxed) != 0;
    let next = with_kernel(|kernel, actor| {
        if kernel.actors[actor].state == ActorState::FINISHED {
            return None;
        }
        if code != 0 && judge {
            exited(kernel, actor, code);
        }
        kernel.finish(actor);
        Some(kernel.choose())
    });
    if let Some(next) = next {
        hand_over(mapping, actor, next);
    }
}

/// An actor ended with a code that is held against it.
pub(crate) fn exited(kernel: &mut Kernel, actor: usize, code: c_int) {
    let message = kernel.texts.name(&format!("it exited with code {code}"));
    let place = kernel.actors[actor].pending.place;
    kernel.fail(actor, FailureKind::CRASH, place, message);
}

/// Gives the turn, and the kernel, to another process.
pub(crate) fn hand_over(mapping: &Mapping, from: usize, next: Next) {
    let control = mapping.control();
    match next {
        Next::Run(actor) | Next::Start(actor) => {
            control.running.store(actor as u32, Ordering::Relaxed);
            control.turns[actor].store(GO, Ordering::Release);
            system::futex_wake(&control.turns[actor]);
        }
        Next::End => {
            // SAFETY: the caller owns the kernel.
            let mut alive = unsafe { (*mapping.kernel()).alive } & !(1 << from);
            while alive != 0 {
                let actor = alive.trailing_zeros() as usize;
                alive &= alive - 1;
                control.turns[actor].store(CLOSE, Ordering::Release);
                system::futex_wake(&control.turns[actor]);
            }
        }
    }
}

fn wait_for_turn(control: &Control, actor: usize) {
    let turn = &control.turns[actor];
    loop {
        match turn.load(Ordering::Acquire) {
            GO => {
                turn.store(WAIT, Ordering::Relaxed);
                return;
            }
            CLOSE => {
                flush();
                leave()
            }
            _ => system::futex_wait(turn, WAIT, None),
        }
    }
}

/// Writes out what is in buffers, if anybody sees it.
fn flush() {
    let (mapping, _) = me();
    if mapping.control().flush.load(Ordering::Relaxed) != 0 {
        system::flush();
    }
}

/// Lets a debugger attach that is no ancestor of this process, where the execution goes step by
/// step.
fn allow_debuggers(control: &Control) {
    if control.stepping.load(Ordering::Relaxed) != 0 {
        system::allow_debuggers();
    }
}
