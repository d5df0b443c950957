//! Mirrors `std::thread`: actors.

mod scope;

use std::cell::RefCell;
use std::io;
use std::rc::Rc;
use std::time::Duration;

use mazurka_runtime::{Kind, Operation};

pub use scope::{Scope, ScopedJoinHandle, scope};

use crate::coroutine::{current, name_actor, perform, spawn as spawn_actor};

/// An actor that can be waited for.
pub struct JoinHandle<T> {
    actor: usize,
    result: Rc<RefCell<Option<T>>>,
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
    JoinHandle { actor, result }
}

/// Starts an actor with a name.
#[track_caller]
pub fn spawn_named<F, T>(name: &str, body: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    let handle = spawn(body);
    name_actor(handle.actor, name);
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
        let handle = spawn(body);
        if let Some(name) = &self.name {
            name_actor(handle.actor, name);
        }
        Ok(handle)
    }
}

/// Lets others go first, for as long as they like: how much time passes is not known.
#[track_caller]
pub fn sleep(_: Duration) {
    yield_now();
}

/// Lets others go first.
#[track_caller]
pub fn yield_now() {
    perform(Operation::new(Kind::YIELD));
}

/// The number of the running actor.
pub fn id() -> usize {
    current()
}

impl<T> JoinHandle<T> {
    /// Waits for the actor to end; an error if it panicked.
    #[track_caller]
    pub fn join(self) -> std::thread::Result<T> {
        perform(Operation::new(Kind::JOIN).with(self.actor as i64));
        let result = self.result.borrow_mut().take();
        result.ok_or_else(|| Box::new("the actor panicked") as Box<_>)
    }
}
