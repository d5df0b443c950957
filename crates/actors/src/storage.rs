//! What belongs to an execution though the program declares it once for all: thread-local variables, one for each actor, and static
//! values.

use std::any::Any;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

use mazurka_runtime::ObjectId;

/// The values of an execution, by the addresses of what declares them.
#[derive(Default)]
pub(crate) struct Storage {
    locals: HashMap<(usize, usize), Rc<dyn Any>>,
    /// In the order in which they were made, which is that of their destructors.
    order: Vec<(usize, usize)>,
    statics: HashMap<usize, Box<dyn Any>>,
    /// The actors whose thread-local variables are gone.
    ended: u64,
    /// The objects that nobody makes, and that are used in this execution.
    used: HashSet<ObjectId>,
}

impl Storage {
    /// The thread-local variable of an actor.
    pub fn local(&self, actor: usize, key: usize) -> Option<Rc<dyn Any>> {
        self.locals.get(&(actor, key)).cloned()
    }

    /// The actor has this variable now.
    pub fn add_local(&mut self, actor: usize, key: usize, value: Rc<dyn Any>) {
        self.order.push((actor, key));
        self.locals.insert((actor, key), value);
    }

    /// Takes away the thread-local variable of an actor that it made last.
    pub fn take_local(&mut self, actor: usize) -> Option<Rc<dyn Any>> {
        let last = self.order.iter().rposition(|(of, _)| *of == actor)?;
        let key = self.order.remove(last);
        self.locals.remove(&key)
    }

    /// The actor has no thread-local variables any more.
    pub fn end(&mut self, actor: usize) {
        self.ended |= 1 << actor;
    }

    /// Whether an actor has no thread-local variables any more.
    pub fn has_ended(&self, actor: usize) -> bool {
        self.ended >> actor & 1 == 1
    }

    /// The value of a static.
    pub fn fixed(&self, key: usize) -> Option<&dyn Any> {
        self.statics.get(&key).map(|value| &**value)
    }

    /// The static has this value now.
    pub fn add_fixed(&mut self, key: usize, value: Box<dyn Any>) {
        self.statics.insert(key, value);
    }

    /// Whether an object that nobody makes is used for the first time.
    pub fn is_first_use(&mut self, id: ObjectId) -> bool {
        self.used.insert(id)
    }

    /// All values; none is left.
    pub fn take(&mut self) -> Storage {
        std::mem::take(self)
    }
}
