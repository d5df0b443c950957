//! What happens before what in an execution, by the memory orders that the program wrote, and what of it
//! each object passes on from actor to actor.
//!
//! Every operation is told here right after it was performed. Two executions of one class must agree on
//! what happens before what, or a race that only one of them shows would be missed. So an object passes
//! on only along pairs of operations that the reduction keeps in order (`mazurka_objects::real`): a message
//! what its sender knew, not what other senders knew; a round of a barrier what came to that round.

use std::collections::HashMap;

use mazurka_runtime::clocks::{Carried, Clock, Knowledge, Order};
use mazurka_runtime::{ACTORS, Kernel, Kind, ObjectId, Operation};

/// What happens before what in an execution.
pub(crate) struct Memory {
    knowledge: Vec<Knowledge>,
    /// By the maker of an object, and how many it had made before.
    carried: Vec<Vec<Carried>>,
    /// What objects pass on that are not numbered in this way.
    others: HashMap<ObjectId, Carried>,
    /// What single messages of a queue, free places in it, and rounds of a barrier pass on.
    parts: HashMap<(ObjectId, Part), Clock>,
    /// How many actors have knowledge.
    actors: usize,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    /// The message with this number.
    Message(u32),
    /// The place that this message had.
    Place(u32),
    /// The round with this number.
    Round(i64),
}

impl Memory {
    pub fn new() -> Memory {
        Memory {
            knowledge: vec![Knowledge::NOTHING; ACTORS],
            carried: (0..ACTORS).map(|_| vec![]).collect(),
            others: HashMap::new(),
            parts: HashMap::new(),
            actors: 0,
        }
    }

    /// An execution begins.
    pub fn begin(&mut self) {
        for maker in &mut self.carried[..self.actors] {
            maker.clear();
        }
        self.others.clear();
        self.parts.clear();
        self.actors = 1;
        self.knowledge[0] = Knowledge::NOTHING;
        self.knowledge[0].now.0[0] = 1;
    }

    /// What happened before the next access of an actor.
    #[inline]
    pub fn now(&self, actor: usize) -> &Clock {
        &self.knowledge[actor].now
    }

    /// A fence.
    pub fn fence(&mut self, actor: usize, order: Order) {
        self.knowledge[actor].fence(actor, order, self.actors);
    }

    #[inline]
    fn carried(&mut self, id: ObjectId) -> (&mut Vec<Knowledge>, &mut Carried, usize) {
        let Memory {
            knowledge,
            carried,
            others,
            actors,
            ..
        } = self;
        let of_maker = &mut carried[id.maker()];
        let carried = if id.count() < ObjectId::LISTED {
            if id.count() >= of_maker.len() {
                of_maker.resize(id.count() + 1, Carried::NONE);
            }
            &mut of_maker[id.count()]
        } else {
            others.entry(id).or_insert(Carried::NONE)
        };
        (knowledge, carried, *actors)
    }

    /// An actor takes over what an object passes on.
    fn acquire(&mut self, actor: usize, id: ObjectId) {
        let (knowledge, carried, actors) = self.carried(id);
        knowledge[actor].acquire(&carried.clock, actors);
    }

    /// An object passes on all that has happened.
    fn release(&mut self, actor: usize, id: ObjectId) {
        let (knowledge, carried, actors) = self.carried(id);
        knowledge[actor].release(actor, &mut carried.clock, actors);
    }

    fn acquire_other(&mut self, actor: usize, id: ObjectId) {
        let (knowledge, carried, actors) = self.carried(id);
        knowledge[actor].acquire(&carried.other, actors);
    }

    fn release_other(&mut self, actor: usize, id: ObjectId) {
        let (knowledge, carried, actors) = self.carried(id);
        knowledge[actor].release(actor, &mut carried.other, actors);
    }

    fn acquire_part(&mut self, actor: usize, id: ObjectId, part: Part) {
        if let Some(clock) = self.parts.get(&(id, part)) {
            self.knowledge[actor].acquire(clock, self.actors);
        }
    }

    fn release_part(&mut self, actor: usize, id: ObjectId, part: Part) {
        let clock = self.parts.entry((id, part)).or_insert(Clock::NONE);
        self.knowledge[actor].release(actor, clock, self.actors);
    }

    /// An actor has performed an operation, with this result.
    #[inline]
    pub fn note(&mut self, kernel: &Kernel, actor: usize, operation: &Operation, result: i64) {
        let id = operation.object;
        match operation.kind {
            Kind::READ
            | Kind::WRITE
            | Kind::ADD
            | Kind::FETCH_ADD
            | Kind::SWAP
            | Kind::COMPARE_EXCHANGE
            | Kind::FETCH_AND
            | Kind::FETCH_NAND
            | Kind::FETCH_OR
            | Kind::FETCH_XOR
            | Kind::FETCH_MAX
            | Kind::FETCH_MIN => self.note_atomic(kernel, actor, operation, result),
            Kind::LOCK | Kind::REACQUIRE | Kind::REACQUIRE_TIMED | Kind::TAKE | Kind::READ_LOCK => {
                self.acquire(actor, id)
            }
            Kind::TRY_LOCK | Kind::TRY_TAKE | Kind::TRY_READ_LOCK if result != 0 => {
                self.acquire(actor, id);
            }
            Kind::UNLOCK | Kind::RELEASE | Kind::WRITE_UNLOCK => self.release(actor, id),
            Kind::WAIT => self.release(actor, operation.second),
            Kind::READ_UNLOCK => self.release_other(actor, id),
            Kind::WRITE_LOCK => {
                self.acquire(actor, id);
                self.acquire_other(actor, id);
            }
            Kind::TRY_WRITE_LOCK if result != 0 => {
                self.acquire(actor, id);
                self.acquire_other(actor, id);
            }
            Kind::SEND | Kind::TRY_SEND => self.note_send(kernel, actor, id, result),
            Kind::RECEIVE | Kind::TRY_RECEIVE => self.note_receive(kernel, actor, id, result),
            Kind::CLOSE_SENDER => self.release(actor, id),
            Kind::CLOSE_RECEIVER => self.release_other(actor, id),
            Kind::ARRIVE => {
                self.release(actor, id);
                if result != 0 {
                    self.acquire(actor, id);
                    let (_, carried, _) = self.carried(id);
                    let round = std::mem::replace(&mut carried.clock, Clock::NONE);
                    let ended = kernel.object(id).value - 1;
                    self.parts.insert((id, Part::Round(ended)), round);
                }
            }
            Kind::PASS => self.acquire_part(actor, id, Part::Round(operation.argument)),
            Kind::SPAWN => self.spawn(actor, result as usize),
            Kind::JOIN => {
                let ended = self.knowledge[operation.argument as usize % ACTORS].now;
                self.knowledge[actor].acquire(&ended, self.actors);
            }
            _ => {}
        }
    }

    #[inline]
    fn note_atomic(&mut self, kernel: &Kernel, actor: usize, operation: &Operation, result: i64) {
        let id = operation.object;
        let width = kernel.object(id).cell_width();
        let (reads, writes) = match operation.kind {
            Kind::READ => (true, false),
            Kind::WRITE | Kind::ADD => (false, true),
            Kind::COMPARE_EXCHANGE => (true, width.wrap(operation.argument) == result),
            _ => (true, true),
        };
        let order = Order(i32::from(match writes || operation.kind == Kind::READ {
            true => operation.order & 15,
            false => operation.order >> 4,
        }));
        let (knowledge, carried, actors) = self.carried(id);
        let knowledge = &mut knowledge[actor];
        if reads {
            knowledge.load(carried, order, actors);
        }
        match operation.kind {
            Kind::WRITE => {
                knowledge.store(actor, carried, order, actors);
                // Since C++20, and in Rust, a later store of the same thread does not go on with a release sequence.
                carried.head = 0;
            }
            _ if writes => knowledge.update(actor, carried, order, actors),
            _ => {}
        }
    }

    fn note_send(&mut self, kernel: &Kernel, actor: usize, id: ObjectId, result: i64) {
        let queue = kernel.object(id);
        if result > 0 {
            let number = result as u32;
            if let Some(before) = number.checked_sub(queue.bound) {
                self.acquire_part(actor, id, Part::Place(before));
                self.parts.remove(&(id, Part::Place(before)));
            }
            self.release_part(actor, id, Part::Message(number));
        } else if queue.deaf != 0 {
            self.acquire_other(actor, id);
        }
    }

    fn note_receive(&mut self, kernel: &Kernel, actor: usize, id: ObjectId, result: i64) {
        let queue = kernel.object(id);
        if result > 0 {
            let number = result as u32;
            self.acquire_part(actor, id, Part::Message(number));
            self.parts.remove(&(id, Part::Message(number)));
            if queue.bound != u32::MAX {
                self.release_part(actor, id, Part::Place(number));
            }
        } else if queue.senders == 0 {
            self.acquire(actor, id);
        }
    }

    /// A sign that was there already is given once more: who takes it knows of both.
    pub fn sign_again(&mut self, kernel: &Kernel, actor: usize, id: ObjectId) {
        self.release_part(actor, id, Part::Message(kernel.object(id).sent));
    }

    fn spawn(&mut self, parent: usize, child: usize) {
        self.actors = self.actors.max(child + 1);
        let now = self.knowledge[parent].now;
        self.knowledge[child] = Knowledge::NOTHING;
        self.knowledge[child].now = now;
        self.knowledge[child].now.0[child] = 1;
        self.knowledge[parent].now.0[parent] += 1;
    }
}
