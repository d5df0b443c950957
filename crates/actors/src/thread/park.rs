//! Mirrors `std::thread::Thread`, `park` and `unpark`. Nobody wakes without a sign, and what the actor that gave it knew is known to the one
//! that takes it.

use std::sync::Arc;
use std::time::Duration;

use mazurka_runtime::{Kind, Object, ObjectId, ObjectKind, Operation};

use crate::coroutine::{self, name_actor, perform, use_object, with_kernel, with_memory};
use crate::objects::blank;

/// Mirrors its namesake: an actor.
#[derive(Clone, Debug)]
pub struct Thread {
    actor: usize,
    name: Option<Arc<str>>,
}

/// Mirrors its namesake.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ThreadId(usize);

/// The running actor.
pub fn current() -> Thread {
    let mut thread = Thread::of(coroutine::current());
    let name = with_kernel(|kernel| kernel.texts.get(kernel.actors[thread.actor].name));
    let name = match (name.is_empty(), thread.actor) {
        (true, 0) => Some("main".into()),
        (true, _) => None,
        (false, _) => Some(name.into()),
    };
    thread.name = name;
    thread
}

/// Waits for a sign by [`Thread::unpark`], and takes it.
#[track_caller]
pub fn park() {
    perform(Operation::on(Kind::RECEIVE, sign_of(coroutine::current())));
}

/// The same, unless time is over, which may be at any moment at which there is no sign.
#[track_caller]
pub fn park_timeout(_: Duration) {
    let sign = sign_of(coroutine::current());
    perform(Operation::on(Kind::TRY_RECEIVE, sign));
}

impl Thread {
    /// An actor of which the name is not known.
    pub(super) fn of(actor: usize) -> Thread {
        Thread { actor, name: None }
    }

    /// Gives it a name.
    pub(super) fn give_name(&mut self, name: &str) {
        name_actor(self.actor, name);
        self.name = Some(name.into());
    }

    /// Gives the actor a sign, unless it has one.
    #[track_caller]
    pub fn unpark(&self) {
        let sign = sign_of(self.actor);
        if perform(Operation::on(Kind::TRY_SEND, sign)) == 0 {
            with_memory(|memory, kernel, running| memory.sign_again(kernel, running.actor, sign));
        }
    }

    /// Tells it from others.
    pub fn id(&self) -> ThreadId {
        ThreadId(self.actor)
    }

    /// Its name, if it has one.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }
}

/// The queue with room for one sign.
fn sign_of(actor: usize) -> ObjectId {
    let id = ObjectId::parking(actor);
    let sign = Object {
        bound: 1,
        ..blank(ObjectKind::QUEUE)
    };
    use_object(id, sign, |kernel| {
        format!("sign for {}", mazurka_explore::actor_name(kernel, actor))
    });
    id
}
