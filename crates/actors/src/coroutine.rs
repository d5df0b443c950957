//! The engine that runs actors as coroutines of one thread, on stacks that are used again.
//!
//! The only `unsafe` of the crate is here and in [`crate::sync`]'s cells.
//!
//! **Why it is sound.** A [`Coroutines`] and everything it runs stays on one thread while an
//! execution lasts: the actors of an execution never run at the same time. They reach the engine
//! through [`Context`], of which a thread-local variable holds the address while `run` is active;
//! `run` sets it before the first actor starts and takes it back after the last one is gone. The
//! context and the kernel are reached by raw pointers, and a reference made from one lives only
//! between two hand-overs: none is kept across `suspend` or `resume`, so there is never more than
//! one. A yielder lives on the stack of its coroutine and is used only by that coroutine. What
//! is left of an actor when an execution ends early is unwound on its own stack before the stack
//! is used again; operations that destructors ask for meanwhile do nothing.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Once};
use std::time::Instant;

use corosensei::stack::{DefaultStack, Stack};
use corosensei::{Coroutine, CoroutineResult, Yielder};
use mazurka_explore::{Engine, EngineError};
use mazurka_runtime::{
    ACTORS, Ending, FailureKind, Kernel, Next, Object, ObjectId, Operation, Refinement,
};

use crate::memory::Memory;
use crate::numbers::{Declared, object_of};
use crate::overflow;
use crate::storage::Storage;
use crate::thread::local as thread_local;
use crate::waiting::{Window, fingerprint};
use crate::watchdog::Pulse;

/// How much stack an actor has, unless told otherwise.
pub const STACK: usize = 256 << 10;

type Body = Box<dyn FnOnce()>;
type Actor = Coroutine<(), (), (), DefaultStack>;

/// An engine for a program given by its entry function, which makes the program anew each time.
pub struct Coroutines<'p> {
    context: Box<Context>,
    // Owned; freed in `drop`.
    kernel: *mut Kernel,
    entry: &'p (dyn Fn() + Sync),
    actors: Vec<Option<Actor>>,
    stacks: Vec<DefaultStack>,
    stack_size: usize,
}

/// What a running actor reaches.
struct Context {
    kernel: *mut Kernel,
    /// The actor that runs.
    actor: usize,
    /// What the last actor to suspend itself decided.
    next: Next,
    /// How each actor suspends itself.
    yielders: [*const Yielder<(), ()>; ACTORS],
    /// What actors that have been spawned, but have not run yet, are to do.
    bodies: Vec<(usize, Body)>,
    /// What the last panic said, and where.
    panic: Option<(String, u16)>,
    /// Shows the watchdog that something happens.
    pulse: Arc<Pulse>,
    /// When to give up, if ever, and whether that time has come.
    deadline: Option<Instant>,
    is_over: bool,
    /// How many operations there have been.
    operations: u32,
    skipped: Skipped,
    /// Where the stack of each actor ends, with a page that nobody may use.
    ends: [usize; ACTORS],
    /// Where the stack of each actor begins, and where its closure is and how large.
    begins: [(usize, (usize, usize)); ACTORS],
    /// What each actor has looked at since it last yielded.
    windows: [Window; ACTORS],
    /// What happens before what.
    memory: Memory,
    /// Which execution it is, of all in this process.
    execution: u64,
    /// What is thread-local or static in the program.
    storage: Storage,
    /// The static whose value is being made, its name, and how many objects that has so far.
    making: Option<(Declared, &'static str, usize)>,
    /// Why nothing is proved, whatever the search finds.
    doubt: Option<&'static str>,
}

/// A stack that is larger than memory can be.
const LARGEST_STACK: usize = 1 << 46;

/// The least that is between the end of a stack and what may be used.
const PAGE: usize = 1 << 12;

/// Whether an address is right behind the end of the stack of an actor that this thread runs.
pub(crate) fn is_beyond_a_stack(address: usize) -> bool {
    let context = CONTEXT.get();
    // SAFETY: the context lives while its address is there, and actors do not change the ends.
    let ends = unsafe { context.as_ref() }.map(|context| &context.ends);
    ends.is_some_and(|ends| {
        (ends.iter()).any(|&end| end != 0 && (end..end + PAGE).contains(&address))
    })
}

/// Operations that did not happen because their actor panicked. That is of no matter, unless the panic is caught: then the actor goes on
/// as if they had happened.
struct Skipped {
    /// By the actors that panic, and those that have caught it and have done nothing since.
    by: [bool; ACTORS],
    /// Has an actor gone on, in any execution?
    is_caught: bool,
}

impl Skipped {
    /// An actor that does not panic goes on.
    fn goes_on(&mut self, actor: usize) {
        self.is_caught |= std::mem::take(&mut self.by[actor]);
    }
}

/// A panic of the running actor has been caught, and will go on: what is done in between is not the actor's. Gives what
/// [`panics_again`] takes.
pub(crate) fn panic_is_held() -> bool {
    let context = CONTEXT.get();
    // SAFETY: see the module; nobody else looks at this.
    unsafe { context.as_mut() }.is_some_and(|context| {
        let actor = context.actor;
        std::mem::take(&mut context.skipped.by[actor])
    })
}

/// The panic goes on.
pub(crate) fn panics_again(skipped: bool) {
    let context = CONTEXT.get();
    // SAFETY: see the module; nobody else looks at this.
    if let Some(context) = unsafe { context.as_mut() } {
        context.skipped.by[context.actor] = skipped;
    }
}

/// The context from before, which is the one again when this is dropped.
struct Outer(*mut Context);

impl Drop for Outer {
    fn drop(&mut self) {
        CONTEXT.set(self.0);
    }
}

thread_local! {
    static CONTEXT: Cell<*mut Context> = const { Cell::new(ptr::null_mut()) };
}

impl<'p> Coroutines<'p> {
    /// An engine for a program.
    pub fn new(entry: &'p (dyn Fn() + Sync), stack_size: usize) -> Coroutines<'p> {
        quiet_panics();
        overflow::watch();
        let kernel = Box::into_raw(Kernel::boxed());
        Coroutines {
            context: Box::new(Context {
                kernel,
                actor: 0,
                next: Next::End,
                yielders: [ptr::null(); ACTORS],
                bodies: vec![],
                panic: None,
                pulse: Pulse::of(kernel),
                deadline: None,
                is_over: false,
                operations: 0,
                skipped: Skipped {
                    by: [false; ACTORS],
                    is_caught: false,
                },
                ends: [0; ACTORS],
                begins: [(0, (0, 0)); ACTORS],
                windows: [Window::default(); ACTORS],
                memory: Memory::new(),
                execution: 0,
                storage: Storage::default(),
                making: None,
                doubt: None,
            }),
            kernel,
            entry,
            actors: (0..ACTORS).map(|_| None).collect(),
            stacks: vec![],
            stack_size,
        }
    }

    fn start(&mut self, actor: usize) -> Result<(), EngineError> {
        if self.stack_size > LARGEST_STACK {
            let size = self.stack_size;
            return Err(EngineError(format!(
                "no stack of {size} bytes for an actor"
            )));
        }
        let stack = match self.stacks.pop() {
            Some(stack) => stack,
            None => DefaultStack::new(self.stack_size)
                .map_err(|error| EngineError(format!("no stack for an actor: {error}")))?,
        };
        self.context.ends[actor] = stack.limit().get();
        let context: *mut Context = &mut *self.context;
        let bodies = &mut self.context.bodies;
        let body = bodies.iter().position(|(of, _)| *of == actor);
        let body = body.map(|place| bodies.swap_remove(place).1);
        let closure = body.as_deref().map_or((0, 0), |body: &dyn FnOnce()| {
            (ptr::from_ref(body).addr(), size_of_val(body))
        });
        self.context.begins[actor] = (stack.base().get(), closure);
        self.context.windows[actor] = Window::default();
        let entry: *const (dyn Fn() + Sync + 'p) = self.entry;
        // SAFETY: the entry outlives the engine, and the engine all its coroutines; only the
        // lifetime is left out.
        let entry: *const (dyn Fn() + Sync) = unsafe { std::mem::transmute(entry) };
        self.actors[actor] = Some(Coroutine::with_stack(stack, move |yielder, ()| {
            // SAFETY: see the module; the context outlives the coroutine.
            unsafe { (*context).yielders[actor] = yielder };
            let ended = catch_unwind(AssertUnwindSafe(|| {
                match body {
                    Some(body) => body(),
                    // SAFETY: the entry outlives the engine.
                    None => unsafe { (*entry)() },
                }
                thread_local::end(actor);
            }));
            // SAFETY: no other reference to the context or the kernel is alive: this actor runs.
            let context = unsafe { &mut *context };
            let kernel = unsafe { &mut *context.kernel };
            match ended {
                Err(payload) if kernel.closing != 0 => resume_unwind(payload),
                // The program has caught the unwinding: what it does since does not count.
                Ok(()) if kernel.closing != 0 => return,
                Ok(()) => context.skipped.goes_on(actor),
                Err(_) => report_panic(context, kernel, actor),
            }
            kernel.finish(actor);
        }));
        Ok(())
    }

    fn run_actors(&mut self) -> Result<(), EngineError> {
        // SAFETY: nobody else runs.
        let kernel = self.kernel;
        self.context.memory.begin();
        self.context.execution = EXECUTIONS.fetch_add(1, Ordering::Relaxed) + 1;
        unsafe { (*kernel).begin() };
        let mut next = unsafe { (*kernel).choose() };
        loop {
            let actor = match next {
                Next::End => return Ok(()),
                Next::Run(actor) => actor,
                Next::Start(actor) => {
                    self.start(actor)?;
                    actor
                }
            };
            self.context.actor = actor;
            let Some(coroutine) = &mut self.actors[actor] else {
                return Err(EngineError(format!("actor {actor} has no stack")));
            };
            match coroutine.resume(()) {
                CoroutineResult::Yield(()) => next = self.context.next,
                CoroutineResult::Return(()) => {
                    self.stacks
                        .extend(self.actors[actor].take().map(Coroutine::into_stack));
                    // SAFETY: nobody else runs.
                    next = unsafe { (*kernel).choose() };
                }
            }
        }
    }

    /// Ends the actors that have not ended by themselves: those that were spawned by others before
    /// these, for they may borrow from them (see [`crate::thread::scope`]). An actor has a higher
    /// number than the one that spawned it.
    fn close(&mut self) {
        // SAFETY: nobody else runs.
        unsafe { (*self.kernel).closing = 1 };
        for actor in (0..ACTORS).rev() {
            // What it was to do may borrow as well.
            self.context.bodies.retain(|(of, _)| *of != actor);
            if let Some(mut coroutine) = self.actors[actor].take() {
                self.context.actor = actor;
                // The program may catch the unwinding and go on, or panic of its own. Its execution has ended: nothing of that counts.
                let _ = catch_unwind(AssertUnwindSafe(|| coroutine.force_unwind()));
                self.stacks.push(coroutine.into_stack());
            }
        }
        self.context.bodies.clear();
    }
}

impl Engine for Coroutines<'_> {
    fn kernel(&mut self) -> &mut Kernel {
        // SAFETY: the engine owns the kernel and no actor runs.
        unsafe { &mut *self.kernel }
    }

    fn run(&mut self) -> Result<(), EngineError> {
        // A panic may leave from here: what it meets then must not take this context for its own.
        let _outer = Outer(CONTEXT.replace(&mut *self.context));
        self.context.skipped.by = [false; ACTORS];
        self.context.pulse.begin();
        let result = self.run_actors();
        // SAFETY: nobody else runs.
        if unsafe { (*self.kernel).alive } != 0 {
            self.close();
        }
        // What is left is dropped as if by nobody: operations that destructors ask for do nothing.
        // SAFETY: nobody else runs.
        unsafe { (*self.kernel).closing = 1 };
        let left = self.context.storage.take();
        drop(left);
        // SAFETY: nobody else runs.
        unsafe { (*self.kernel).closing = 0 };
        self.context.pulse.runs.store(false, Ordering::Release);
        if std::mem::take(&mut self.context.is_over) {
            return Err(EngineError("out of time".into()));
        }
        result
    }

    fn stop_at(&mut self, deadline: Option<Instant>) {
        self.context.deadline = deadline;
    }

    fn uncontrolled(&mut self) -> Option<String> {
        let reason = "an operation was asked for while a panic unwound, which was caught later: it did not happen";
        let is_caught = self.context.skipped.is_caught.then_some(reason);
        is_caught.or(self.context.doubt).map(Into::into)
    }
}

impl Coroutines<'_> {
    /// How much processor time an actor has for its next visible operation; zero for any.
    pub fn diverge_after(&mut self, limit: std::time::Duration) {
        let limit = limit.as_millis() as u64;
        self.context.pulse.limit.store(limit, Ordering::Relaxed);
    }
}

impl Drop for Coroutines<'_> {
    fn drop(&mut self) {
        self.context.pulse.end();
        // SAFETY: it came from a box, and no actor is left.
        drop(unsafe { Box::from_raw(self.kernel) });
    }
}

/// The context of the running actor.
///
/// # Panics
///
/// If no exploration is under way on this thread.
#[inline]
#[track_caller]
fn context() -> *mut Context {
    let context = CONTEXT.get();
    assert!(
        !context.is_null(),
        "this can only be used in a program that mazurka explores"
    );
    context
}

/// Whether an exploration is under way on this thread.
pub(crate) fn is_exploring() -> bool {
    !CONTEXT.get().is_null()
}

/// Whether the actors of an execution that has ended are being cleared away, or the running one
/// fails: nothing that is asked for now happens.
pub(crate) fn is_closing() -> bool {
    let context = CONTEXT.get();
    // SAFETY: see the module.
    context.is_null() || unsafe { (*(*context).kernel).closing != 0 }
}

/// Performs a visible operation of the running actor, when its turn comes.
#[inline]
#[track_caller]
pub(crate) fn perform(operation: Operation) -> i64 {
    let place = place();
    let context = context();
    // SAFETY: see the module; no reference lives across the hand-over.
    unsafe {
        let kernel = (*context).kernel;
        if (*kernel).closing != 0 {
            return closed();
        }
        if std::thread::panicking() {
            let actor = (*context).actor;
            (*context).skipped.by[actor] = true;
            return 0;
        }
        let actor = (*context).actor;
        (*context).skipped.goes_on(actor);
        (*context).pulse.beat();
        (*context).operations = (*context).operations.wrapping_add(1);
        if (*context).operations.is_multiple_of(LOOK_AT_THE_CLOCK) {
            look_at_the_clock(context);
        }
        let mut operation = operation.at(place);
        let window = &mut (*context).windows[actor];
        if window.waits() {
            let (looking, awaited) = window.before(operation);
            operation = looking;
            if let Some(versions) = awaited {
                (*kernel).await_change(actor, versions);
            }
        }
        (*kernel).publish(actor, operation);
        let next = (*kernel).choose();
        if next != Next::Run(actor) {
            (*context).next = next;
            let yielder = (*context).yielders[actor];
            (*yielder).suspend(());
        }
        let result = (*kernel).execute(actor);
        (*context).memory.note(&*kernel, actor, &operation, result);
        (*context).windows[actor].after(&*kernel, &operation, result);
        result
    }
}

/// The running actor yields. The registers are those of the function that calls this.
#[track_caller]
pub(crate) fn pass(registers: &[u64; 7]) {
    let context = context();
    // SAFETY: see the module; the caller's frame is on the stack of the running actor.
    unsafe {
        let actor = (*context).actor;
        let (base, closure) = (*context).begins[actor];
        let state = fingerprint(registers, base, closure);
        (*context).windows[actor].pass(state);
    }
    perform(Operation::new(mazurka_runtime::Kind::YIELD));
}

/// How many executions there have been in this process.
static EXECUTIONS: AtomicU64 = AtomicU64::new(0);

/// What happens before what, as the running actor knows it, for a moment. None where nothing that is done counts: outside of an
/// exploration, and where an actor is being ended.
pub(crate) fn with_memory<T>(
    look: impl FnOnce(&mut Memory, &mut Kernel, Running) -> T,
) -> Option<T> {
    let context = CONTEXT.get();
    // SAFETY: see the module; `look` cannot hand over, for that takes `perform`.
    let context = unsafe { context.as_mut() }?;
    let kernel = unsafe { &mut *context.kernel };
    if kernel.closing != 0 || std::thread::panicking() {
        return None;
    }
    let running = Running {
        actor: context.actor,
        execution: context.execution,
    };
    Some(look(&mut context.memory, kernel, running))
}

/// Who runs, and in which execution.
#[derive(Clone, Copy)]
pub(crate) struct Running {
    pub actor: usize,
    /// No two executions in this process have the same number, and none has zero.
    pub execution: u64,
}

/// Something was done of which not all outcomes are explored.
pub(crate) fn doubt(reason: &'static str) {
    let context = CONTEXT.get();
    // SAFETY: see the module.
    if let Some(context) = unsafe { context.as_mut() } {
        context.doubt.get_or_insert(reason);
    }
}

/// What is thread-local or static in the program, for a moment. None outside of an exploration.
pub(crate) fn with_storage<T>(look: impl FnOnce(&mut Storage, usize) -> T) -> Option<T> {
    let context = CONTEXT.get();
    // SAFETY: see the module; `look` cannot hand over, for that takes `perform`.
    unsafe { context.as_mut() }.map(|context| look(&mut context.storage, context.actor))
}

/// Whether dependency looks at values, so that operations count as independent though they pass on different things.
pub(crate) fn is_refined(kernel: &Kernel) -> bool {
    kernel.policy.refined != Refinement::NONE
}

/// An operation in an execution that has ended: nothing happens. Who asks for it without being unwound has caught the unwinding, and
/// might wait for ever for what does not happen. It is unwound again.
#[cold]
fn closed() -> i64 {
    if !std::thread::panicking() {
        resume_unwind(Box::new("the execution has ended"));
    }
    0
}

/// After how many operations the clock is looked at.
const LOOK_AT_THE_CLOCK: u32 = 1 << 12;

/// Ends the execution if time is over.
#[cold]
fn look_at_the_clock(context: *mut Context) {
    // SAFETY: see the module.
    let context = unsafe { &mut *context };
    if context.deadline.is_some_and(|end| Instant::now() >= end) {
        context.is_over = true;
        // SAFETY: see the module.
        unsafe { (*context.kernel).ending = Ending::OUTSIDE };
    }
}

/// Makes an object of the running actor.
#[track_caller]
pub(crate) fn make(object: Object) -> ObjectId {
    let place = place();
    let context = context();
    // SAFETY: see the module.
    unsafe {
        let kernel = &mut *(*context).kernel;
        let object = Object { place, ..object };
        let Some((declared, name, count)) = &mut (*context).making else {
            return kernel.make((*context).actor, object);
        };
        let id = object_of(*declared, *count);
        let name = match *count {
            0 => kernel.texts.name(name),
            count => kernel.texts.name(&format!("{name}#{count}")),
        };
        *count += 1;
        kernel.make_at(id, Object { name, ..object });
        id
    }
}

/// Makes the value of a static, whose objects have numbers by where it is declared.
pub(crate) fn make_for<T>(declared: Declared, name: &'static str, make: fn() -> T) -> T {
    let context = context();
    // SAFETY: see the module; no reference lives while the value is made, which may need that of another static.
    let outer = unsafe { (*context).making.replace((declared, name, 0)) };
    let operations = unsafe { (*context).operations };
    let value = make();
    // SAFETY: the same.
    unsafe {
        (*context).making = outer;
        if (*context).operations != operations {
            doubt("the initial value of a static performs operations");
        }
    }
    value
}

/// An object that nobody makes: it is there as soon as it is used.
pub(crate) fn use_object(id: ObjectId, object: Object, name: impl FnOnce(&Kernel) -> String) {
    if with_storage(|storage, _| storage.is_first_use(id)) == Some(true) {
        with_kernel(|kernel| {
            let name = name(kernel);
            let name = kernel.texts.name(&name);
            kernel.objects[id.index()] = Object { name, ..object };
        });
    }
}

/// Gives an object, or an actor, a name.
pub(crate) fn name_object(object: ObjectId, name: &str) {
    // SAFETY: see the module.
    unsafe {
        let kernel = &mut *(*context()).kernel;
        kernel.objects[object.index()].name = kernel.texts.name(name);
    }
}

pub(crate) fn name_actor(actor: usize, name: &str) {
    // SAFETY: see the module.
    unsafe {
        let kernel = &mut *(*context()).kernel;
        kernel.actors[actor].name = kernel.texts.name(name);
    }
}

/// The number of a text for a message.
pub(crate) fn text(text: &str) -> u16 {
    // SAFETY: see the module.
    unsafe { (*(*context()).kernel).texts.name(text) }
}

/// The kernel of the running actor, for a moment.
pub(crate) fn with_kernel<T>(look: impl FnOnce(&mut Kernel) -> T) -> T {
    // SAFETY: see the module; `look` cannot hand over, for that takes `perform`.
    look(unsafe { &mut *(*context()).kernel })
}

/// The number of the running actor.
pub(crate) fn current() -> usize {
    // SAFETY: see the module.
    unsafe { (*context()).actor }
}

/// Spawns an actor.
#[track_caller]
pub(crate) fn spawn(body: Body) -> usize {
    let child = perform(Operation::new(mazurka_runtime::Kind::SPAWN)) as usize;
    // SAFETY: see the module. The child starts only after this actor has suspended itself.
    unsafe { (*context()).bodies.push((child, body)) };
    child
}

/// The number of the place in the source from which this was called.
#[inline]
#[track_caller]
pub(crate) fn place() -> u16 {
    let location = std::panic::Location::caller();
    let context = context();
    // SAFETY: see the module.
    unsafe {
        let texts = &mut (*(*context).kernel).texts;
        let key = ptr::from_ref(location) as u64;
        texts.place(key, location.line(), || {
            (location.column(), location.file())
        })
    }
}

fn report_panic(context: &mut Context, kernel: &mut Kernel, actor: usize) {
    let (message, place) = context.panic.take().unwrap_or_default();
    if kernel.ending == Ending::NONE || kernel.ending == Ending::FAILED {
        let message = kernel.texts.name(&message);
        kernel.fail(actor, FailureKind::PANIC, place, message);
    }
}

/// Panics of actors are reported as violations, not printed.
fn quiet_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let context = CONTEXT.get();
            if context.is_null() {
                return before(info);
            }
            let payload = info.payload();
            let message = (payload.downcast_ref::<&str>().map(ToString::to_string))
                .or_else(|| payload.downcast_ref::<String>().cloned())
                .unwrap_or_else(|| "a panic".into());
            // SAFETY: see the module; a panicking actor runs.
            let context = unsafe { &mut *context };
            let texts = unsafe { &mut (*context.kernel).texts };
            let place = info.location().map_or(0, |location| {
                let (file, line, column) = (location.file(), location.line(), location.column());
                let text = format!("{file}:{line}");
                let key = text.bytes().fold(0, |hash: u64, byte| {
                    hash.wrapping_mul(31).wrapping_add(u64::from(byte))
                });
                texts.place_of(key, line, column, file)
            });
            context.panic = Some((message, place));
        }));
    });
}
