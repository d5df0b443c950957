//! Actors that borrow from the one that starts them, as `std::thread::scope` has them.
//!
//! **Why it is sound.** What a scoped actor borrows lives longer than the call of [`scope`], and no
//! scoped actor runs, or is unwound, after that call: it waits for all of them before it returns,
//! also where the closure panics. Where an execution ends early, the engine unwinds the actors that
//! were spawned before those that spawned them, so that a scoped actor is gone before the call
//! that waits for it is unwound; waiting does nothing then.

use std::cell::RefCell;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::rc::Rc;

use mazurka_runtime::{Kind, Operation};

use super::Thread;
use crate::coroutine::{panic_is_held, panics_again, perform, spawn as spawn_actor};

/// Mirrors its namesake.
pub struct Scope<'scope, 'env: 'scope> {
    /// Those that have been started.
    actors: RefCell<Vec<usize>>,
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

// SAFETY: all actors of an execution run on one thread, one at a time.
unsafe impl Sync for Scope<'_, '_> {}

/// Mirrors its namesake.
pub struct ScopedJoinHandle<'scope, T> {
    actor: usize,
    result: Rc<RefCell<Option<T>>>,
    pub(super) thread: Thread,
    scope: PhantomData<&'scope ()>,
}

// SAFETY: all actors of an execution run on one thread, one at a time, so sending a handle from
// one to another does not send it anywhere.
unsafe impl<T: Send> Send for ScopedJoinHandle<'_, T> {}
// SAFETY: the same.
unsafe impl<T: Send> Sync for ScopedJoinHandle<'_, T> {}

/// Runs a function that may start actors that borrow, and waits for them.
#[track_caller]
pub fn scope<'env, F, T>(body: F) -> T
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    let scope = Scope {
        actors: RefCell::default(),
        scope: PhantomData,
        env: PhantomData,
    };
    let result = catch_unwind(AssertUnwindSafe(|| body(&scope)));
    let skipped = result.is_err() && panic_is_held();
    // Those that are waited for may start others.
    let mut joined = 0;
    loop {
        let next = scope.actors.borrow().get(joined).copied();
        let Some(actor) = next else { break };
        perform(Operation::new(Kind::JOIN).with(actor as i64));
        joined += 1;
    }
    result.unwrap_or_else(|payload| {
        panics_again(skipped);
        resume_unwind(payload)
    })
}

impl<'scope> Scope<'scope, '_> {
    /// Starts an actor.
    #[track_caller]
    pub fn spawn<F, T>(&'scope self, body: F) -> ScopedJoinHandle<'scope, T>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        let result = Rc::new(RefCell::new(None));
        let told = result.clone();
        let body: Box<dyn FnOnce() + 'scope> = Box::new(move || {
            let value = body();
            *told.borrow_mut() = Some(value);
        });
        // SAFETY: see the module; only the lifetime is left out.
        let body: Box<dyn FnOnce()> = unsafe { std::mem::transmute(body) };
        let actor = spawn_actor(body);
        self.actors.borrow_mut().push(actor);
        ScopedJoinHandle {
            actor,
            result,
            thread: Thread::of(actor),
            scope: PhantomData,
        }
    }
}

impl<T> ScopedJoinHandle<'_, T> {
    /// Waits for the actor to end; an error if it panicked.
    #[track_caller]
    pub fn join(self) -> std::thread::Result<T> {
        perform(Operation::new(Kind::JOIN).with(self.actor as i64));
        let result = self.result.borrow_mut().take();
        result.ok_or_else(|| Box::new("the actor panicked") as Box<_>)
    }

    /// The actor.
    pub fn thread(&self) -> &Thread {
        &self.thread
    }

    /// See [`super::JoinHandle::is_finished`].
    pub fn is_finished(&self) -> bool {
        super::is_finished(self.actor)
    }
}
