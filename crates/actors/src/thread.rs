//! Mirrors `std::thread`: actors.

pub(crate) mod local;
mod park;
mod scope;

use std::cell::RefCell;
use std::fmt;
use std::io;
use std::rc::Rc;
use std::time::Duration;

use mazurka_runtime::{ActorState, Kind, Operation};

pub use local::{AccessError, LocalKey};
pub use park::{Thread, ThreadId, current, park, park_timeout};
pub use scope::{Scope, ScopedJoinHandle, scope};
pub use std::thread::{Result, available_parallelism, panicking};

use crate::coroutine::{self, doubt, perform, spawn as spawn_actor, with_kernel};
use crate::waiting::registers;

/// An actor that can be waited for.
pub struct JoinHandle<T> {
    actor: usize,
    result: Rc<RefCell<Option<T>>>,
    thread: Thread,
}

// SAFETY: all actors of an execution run on one thread, one at a time, so sending a handle from
// one to another does not send it anywhere.
unsafe impl<T: Send> Send for JoinHandle<T> {}
// SAFETY: the same.
unsafe impl<T: Send> Sync for JoinHandle<T> {}

/// Starts an actor.
#[track_caller]
pub fn spawn<F, T>(body: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    let result = Rc::new(RefCell::new(None));
    let told = result.clone();
    let actor = spawn_actor(Box::new(move || {
        let value = body();
        *told.borrow_mut() = Some(value);
    }));
    JoinHandle {
        actor,
        result,
        thread: Thread::of(actor),
    }
}

/// Starts an actor with a name.
#[track_caller]
pub fn spawn_named<F, T>(name: &str, body: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    let mut handle = spawn(body);
    handle.thread.give_name(name);
    handle
}

/// Mirrors its namesake: an actor to be, with a name.
#[derive(Debug, Default)]
pub struct Builder {
    name: Option<String>,
}

impl Builder {
    /// An actor without a name.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// The same with a name.
    pub fn name(mut self, name: String) -> Builder {
        self.name = Some(name);
        self
    }

    /// Starts the actor; there is never an error.
    #[track_caller]
    pub fn spawn<F, T>(self, body: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        let mut handle = spawn(body);
        self.give_name(&mut handle.thread);
        Ok(handle)
    }

    /// Starts an actor that borrows; there is never an error.
    #[track_caller]
    pub fn spawn_scoped<'scope, F, T>(
        self,
        scope: &'scope Scope<'scope, '_>,
        body: F,
    ) -> io::Result<ScopedJoinHandle<'scope, T>>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        let mut handle = scope.spawn(body);
        self.give_name(&mut handle.thread);
        Ok(handle)
    }

    /// Nothing: the stacks of actors are as large as [`crate::Explorer::stack`] says.
    pub fn stack_size(self, _: usize) -> Builder {
        self
    }

    fn give_name(&self, thread: &mut Thread) {
        if let Some(name) = &self.name {
            thread.give_name(name);
        }
    }
}

/// Lets others go first, for as long as they like: how much time passes is not known.
#[inline(always)]
#[track_caller]
pub fn sleep(_: Duration) {
    yield_now();
}

/// Lets others go first. An actor that does so twice in the same state, having only looked at atomics in between, waits until one of
/// them changes: see the book on loops that wait.
#[inline(always)]
#[track_caller]
pub fn yield_now() {
    coroutine::pass(&registers());
}

/// The number of the running actor.
pub fn id() -> usize {
    coroutine::current()
}

impl<T> JoinHandle<T> {
    /// Waits for the actor to end; an error if it panicked.
    #[track_caller]
    pub fn join(self) -> Result<T> {
        perform(Operation::new(Kind::JOIN).with(self.actor as i64));
        let result = self.result.borrow_mut().take();
        result.ok_or_else(|| Box::new("the actor panicked") as Box<_>)
    }

    /// The actor.
    pub fn thread(&self) -> &Thread {
        &self.thread
    }

    /// Whether the actor has ended. When it does so is not explored, so the outcome is inconclusive at best.
    pub fn is_finished(&self) -> bool {
        is_finished(self.actor)
    }
}

fn is_finished(actor: usize) -> bool {
    doubt("is_finished was asked for, and not all that it may tell is explored");
    with_kernel(|kernel| kernel.actors[actor].state == ActorState::FINISHED)
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("JoinHandle").field(&self.actor).finish()
    }
}
