//! The kernel: all that is known of one execution, in one flat piece of memory.
//!
//! A [`Kernel`] holds no pointer and has a fixed size, and memory that is all zero is one. So the
//! same code runs over a box in one process and over memory that several processes share, at
//! different addresses. At any moment at most one actor runs; whoever runs owns the kernel. An
//! actor that arrives at a visible operation does this:
//!
//! ```text
//! publish(actor, operation)      say what it wants
//! choose()                       who is next? hand over, unless it is itself
//! execute(actor)                 when its turn has come: perform, write a record, go on
//! ```
//!
//! and an actor that ends says [`Kernel::finish`] and then `choose`. Only the hand-over differs
//! between the two ways of running: a coroutine suspends itself, a process wakes another one.
//! `choose` follows the schedule that the search has laid down, and then the [`Policy`].

use bytemuck::Zeroable;
use mazurka_objects::real::{Kind, Object};

use crate::actor::{Actor, ActorState};
use crate::addresses::Addresses;
use crate::operation::{ObjectId, Operation};
use crate::policy::Policy;
use crate::record::{Planned, Record};
use crate::text::Texts;

/// How many actors there can be: sets of actors are the bits of a word.
pub const ACTORS: usize = 64;
/// How many steps an execution can have. Memory is used only as far as it is written.
pub const STEPS: usize = 1 << 18;
/// How many words of messages fit.
pub const WORDS: usize = 1 << 18;
/// How many failures of one execution are remembered.
pub const FAILURES: usize = 8;

/// Why an execution ended. A byte, for the reason given at [`Kind`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Zeroable)]
#[repr(transparent)]
pub struct Ending(pub u8);

impl Ending {
    /// It goes on.
    pub const NONE: Ending = Ending(0);
    /// All actors have ended.
    pub const COMPLETE: Ending = Ending(1);
    /// Some actors have not ended and none can move.
    pub const DEADLOCK: Ending = Ending(2);
    /// All that could move were asleep: an equivalent execution is explored elsewhere.
    pub const ASLEEP: Ending = Ending(3);
    /// It reached the bound on its length.
    pub const DEPTH: Ending = Ending(4);
    /// It was stopped at a failure.
    pub const FAILED: Ending = Ending(5);
    /// The schedule could not be followed: the program does not repeat itself.
    pub const MISMATCH: Ending = Ending(6);
    /// There are too many actors, objects or messages for the kernel.
    pub const LIMIT: Ending = Ending(7);
    /// An actor did not come to a visible operation in time.
    pub const DIVERGENCE: Ending = Ending(8);
    /// An actor waits for something that is no object: what comes of it is not known.
    pub const OUTSIDE: Ending = Ending(9);
    /// What counts as a step has changed, by what was seen in the execution.
    pub const CHANGED: Ending = Ending(10);
}

/// What there was too much of. A byte, for the reason given at [`Kind`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Zeroable)]
#[repr(transparent)]
pub struct Limit(pub u8);

impl Limit {
    /// More than can be looked at.
    pub const OTHER: Limit = Limit(0);
    /// More than [`ACTORS`].
    pub const ACTORS: Limit = Limit(1);
    /// More than [`ObjectId::LISTED`] made by one actor.
    pub const OBJECTS: Limit = Limit(2);
    /// More than [`WORDS`] of messages.
    pub const MESSAGES: Limit = Limit(3);
    /// More than [`STEPS`].
    pub const STEPS: Limit = Limit(4);
    /// More processes than the system allows.
    pub const PROCESSES: Limit = Limit(5);
}

/// What went wrong in an actor. A byte, for the reason given at [`Kind`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Zeroable)]
#[repr(transparent)]
pub struct FailureKind(pub u8);

impl FailureKind {
    /// An assertion.
    pub const ASSERTION: FailureKind = FailureKind(1);
    /// A signal, an exit code other than zero.
    pub const CRASH: FailureKind = FailureKind(2);
    /// An operation that makes no sense, such as unlocking what one does not hold.
    pub const MISUSE: FailureKind = FailureKind(3);
    /// Two accesses to memory that nothing orders.
    pub const RACE: FailureKind = FailureKind(4);
    /// Memory that is used after it was given back.
    pub const USE_AFTER_FREE: FailureKind = FailureKind(5);
    /// A panic of Rust code, be it an assertion or not.
    pub const PANIC: FailureKind = FailureKind(6);
}

/// A failure of an actor.
#[derive(Clone, Copy, Debug, Zeroable)]
#[repr(C)]
pub struct Failure {
    /// After how many steps.
    pub step: u32,
    /// What it is.
    pub kind: FailureKind,
    /// Whose.
    pub actor: u8,
    /// Where, as far as known.
    pub place: u16,
    /// What there is to say, in the table of names, or zero.
    pub message: u16,
    /// Padding.
    pub _padding: [u8; 2],
}

/// What `choose` decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// This actor executes its pending operation.
    Run(usize),
    /// This actor runs for the first time.
    Start(usize),
    /// The execution has ended; see [`Kernel::ending`].
    End,
}

/// All that is known of one execution, and what to do in it. What every step needs comes first, so
/// that it lies on a few pages of memory.
#[derive(Clone, Copy, Zeroable)]
#[repr(C)]
pub struct Kernel {
    /// What to do when the schedule ends, and sleep sets.
    pub policy: Policy,
    /// How many steps of the schedule there are.
    pub planned: u32,
    /// The bound on the number of steps; zero for none.
    pub depth: u32,
    /// Whether to stop at the first failure.
    pub stop_at_failure: u8,
    /// Why the execution ended.
    pub ending: Ending,
    /// The actor that moved last.
    pub current: u8,
    /// Whether the actors are being ended: operations do nothing any more.
    pub closing: u8,
    /// How many steps have been performed.
    pub length: u32,
    /// How many actors there have been, the highest number plus one.
    pub population: u32,
    /// How many failures there have been.
    pub failed: u32,
    /// How many words are in use.
    pub used_words: u32,
    /// The actors that stand before an operation that is possible.
    pub enabled: u64,
    /// The actors that stand before an operation that may wait.
    pub waiting: u64,
    /// The actors that have not run yet.
    pub embryos: u64,
    /// The actors that have not ended.
    pub alive: u64,
    /// Failures, the first [`FAILURES`] of them.
    pub failures: [Failure; FAILURES],
    /// Actors by number.
    pub actors: [Actor; ACTORS],
    /// Per actor, the numbers of the actors it spawns, plus one: an actor has the same number
    /// in every execution, whoever comes first.
    pub offspring: [[u8; ACTORS]; ACTORS],
    /// How many numbers have been given away.
    pub numbered: u32,
    /// Whether the program has ended, and those who wait do so in vain without harm.
    pub exited: u8,
    /// Whether memory was used, in any execution, by an order weaker than sequentially consistent.
    pub weak: u8,
    /// Whether a loop, in any execution, was taken to wait for a change.
    pub loops: u8,
    /// Whether a nondeterministic value, in any execution, was taken from a bounded range.
    pub bounded: u8,
    /// What there was too much of, if the execution ended by [`Ending::LIMIT`].
    pub limit: Limit,
    /// Objects that are known by their addresses; they stay from execution to execution.
    pub addresses: Addresses,
    /// Places in the source, names and messages; they stay from execution to execution.
    pub texts: Texts,
    /// Objects by number; see [`ObjectId`].
    pub objects: [Object; ACTORS * ObjectId::PER_ACTOR],
    /// The steps to perform first.
    pub schedule: [Planned; STEPS],
    /// The steps that have been performed.
    pub records: [Record; STEPS],
    /// Messages.
    pub words: [u64; WORDS],
}

impl Kernel {
    /// A kernel in memory of this process, untouched and thus hardly there.
    pub fn boxed() -> Box<Kernel> {
        bytemuck::zeroed_box()
    }

    /// Begins an execution with one actor, number 0, that has not run yet.
    pub fn begin(&mut self) {
        for actor in &mut self.actors[..self.population as usize] {
            *actor = Actor::zeroed();
        }
        self.ending = Ending::NONE;
        self.limit = Limit::OTHER;
        self.closing = 0;
        self.current = 0;
        self.length = 0;
        self.failed = 0;
        self.exited = 0;
        self.used_words = 0;
        self.enabled = 0;
        self.waiting = 0;
        self.population = 1;
        self.numbered = self.numbered.max(1);
        self.actors[0].state = ActorState::EMBRYO;
        self.embryos = 1;
        self.alive = 1;
        self.actors[0].priority = self.policy.new_priority();
    }

    /// Forgets which numbers actors have had: they will be given anew, in the order in which the
    /// actors are spawned.
    pub fn forget_numbers(&mut self) {
        self.offspring = [[0; ACTORS]; ACTORS];
        self.numbered = 0;
    }

    /// Makes an object. If there are too many, the execution ends soon.
    pub fn make(&mut self, actor: usize, object: Object) -> ObjectId {
        let count = usize::from(self.actors[actor].objects);
        if count >= ObjectId::LISTED {
            self.reach(Limit::OBJECTS);
            return ObjectId::new(actor, ObjectId::LISTED - 1);
        }
        let id = ObjectId::new(actor, count);
        if self.make_at(id, object) {
            self.actors[actor].objects += 1;
        }
        id
    }

    /// Makes an object that has a number already. If there is no room for its messages, tells so, and the execution ends soon.
    pub fn make_at(&mut self, id: ObjectId, object: Object) -> bool {
        let words = object.bound as usize * object.width as usize;
        if words > WORDS - self.used_words as usize {
            self.reach(Limit::MESSAGES);
            return false;
        }
        self.objects[id.index()] = Object {
            slots: self.used_words,
            ..object
        };
        self.used_words += words as u32;
        true
    }

    /// An actor has arrived at a visible operation.
    #[inline]
    pub fn publish(&mut self, actor: usize, operation: Operation) {
        let bit = 1 << actor;
        self.actors[actor].pending = operation;
        self.actors[actor].state = ActorState::PENDING;
        self.embryos &= !bit;
        if operation.kind.waits() || self.actors[actor].is_awaiting != 0 {
            self.waiting |= bit;
            if !self.is_possible(actor) {
                self.enabled &= !bit;
                return;
            }
        } else {
            self.waiting &= !bit;
        }
        self.enabled |= bit;
    }

    /// The next operation of an actor waits until one of its objects has another version than this.
    pub fn await_change(&mut self, actor: usize, versions: [u32; Operation::OBJECTS]) {
        self.actors[actor].awaited = versions;
        self.actors[actor].is_awaiting = 1;
        self.loops = 1;
    }

    /// The same for an actor that does not loop, but sleeps until it is woken.
    pub fn sleep_until_change(&mut self, actor: usize, version: u32) {
        self.await_change(actor, [version; Operation::OBJECTS]);
        self.actors[actor].is_awaiting = Actor::SLEEPS;
    }

    /// An actor has ended.
    pub fn finish(&mut self, actor: usize) {
        let bit = 1 << actor;
        self.actors[actor].state = ActorState::FINISHED;
        self.embryos &= !bit;
        self.enabled &= !bit;
        self.waiting &= !bit;
        self.alive &= !bit;
        self.refresh();
    }

    /// Decides who is next.
    #[inline]
    pub fn choose(&mut self) -> Next {
        if self.ending != Ending::NONE {
            return Next::End;
        }
        if self.embryos != 0 {
            let actor = self.embryos.trailing_zeros() as usize;
            self.embryos &= self.embryos - 1;
            self.actors[actor].state = ActorState::RUNNING;
            return Next::Start(actor);
        }
        match self.pick() {
            Ok(actor) => Next::Run(actor),
            Err(ending) => {
                self.ending = ending;
                Next::End
            }
        }
    }

    fn pick(&mut self) -> Result<usize, Ending> {
        if self.enabled == 0 {
            return Err(if self.alive == 0 || self.exited != 0 {
                Ending::COMPLETE
            } else {
                Ending::DEADLOCK
            });
        }
        let position = self.length;
        if position < self.planned {
            let actor = usize::from(self.schedule[position as usize].actor) % ACTORS;
            if self.enabled >> actor & 1 == 0 {
                return Err(Ending::MISMATCH);
            }
            let asleep = self.policy.sleep >> actor & 1 == 1;
            if !asleep || position <= self.policy.sleep_from {
                return Ok(actor);
            }
            // Looking at values has shown that what was planned is explored elsewhere.
            self.planned = position;
        }
        if position as usize == STEPS || self.depth > 0 && position >= self.depth {
            return Err(Ending::DEPTH);
        }
        self.pick_freely().ok_or(Ending::ASLEEP)
    }

    /// Performs the pending operation of an actor, which must be possible, and gives its result.
    #[inline]
    pub fn execute(&mut self, actor: usize) -> i64 {
        let operation = self.actors[actor].pending;
        let position = self.length as usize;
        let effect = self.effect(&operation);
        let choice = if effect.choices == 1 {
            0
        } else {
            self.pick_choice(effect.choices)
        };
        self.records[position] = Record {
            operation,
            result: 0,
            content: self.object(operation.object).content(),
            enabled: self.enabled,
            sleep: self.policy.sleep,
            choice,
            choices: effect.choices,
            number: effect.past.number,
            capacity: effect.past.capacity,
            before: effect.past.before,
            actor: actor as u8,
            role: effect.past.role as u8,
            second_role: effect.second.role as u8,
            awaits: self.actors[actor].is_awaiting,
            changed: 0,
            second_before: effect.second.before.min(u8::MAX.into()) as u8,
            _padding: [0; 6],
        };
        let versions = self.versions(&operation);
        if self.policy.sleep != 0 && position >= self.policy.sleep_from as usize {
            self.wake_by(actor, &operation, &effect);
        }
        let result = match operation.kind {
            Kind::SPAWN => self.spawn(actor, &operation),
            Kind::ASSERT => {
                if operation.argument == 0 {
                    self.fail(
                        actor,
                        FailureKind::ASSERTION,
                        operation.place,
                        operation.extra as u16,
                    );
                }
                operation.argument
            }
            _ => self.apply(actor, &operation, choice),
        };
        self.records[position].result = result;
        let after = self.versions(&operation);
        let changed = |which: usize| u8::from(versions[which] != after[which]) << which;
        self.records[position].changed = changed(0) | changed(1);
        self.actors[actor].state = ActorState::RUNNING;
        self.actors[actor].is_awaiting = 0;
        self.enabled &= !(1 << actor);
        self.waiting &= !(1 << actor);
        self.current = actor as u8;
        self.length += 1;
        self.refresh();
        result
    }

    /// The versions of the two objects that an operation may change.
    #[inline]
    fn versions(&self, operation: &Operation) -> [u32; 2] {
        [operation.object, operation.second].map(|object| match object {
            ObjectId::NONE => 0,
            object => self.object(object).version,
        })
    }

    /// Finds out again which of those who may have to wait can move.
    #[inline]
    fn refresh(&mut self) {
        let mut waiting = self.waiting;
        while waiting != 0 {
            let actor = waiting.trailing_zeros() as usize;
            waiting &= waiting - 1;
            let possible = u64::from(self.is_possible(actor)) << actor;
            self.enabled = self.enabled & !(1 << actor) | possible;
        }
    }

    /// The choice to take where there are several.
    fn pick_choice(&mut self, choices: u32) -> u32 {
        if self.length < self.planned {
            let planned = self.schedule[self.length as usize].choice;
            if planned != Planned::ANY {
                if planned >= choices {
                    self.ending = Ending::MISMATCH;
                }
                return planned.min(choices - 1);
            }
            return 0;
        }
        self.policy.pick_choice(choices)
    }

    fn spawn(&mut self, parent: usize, operation: &Operation) -> i64 {
        let count = usize::from(self.actors[parent].children);
        let Some(number) = self.offspring[parent].get_mut(count) else {
            self.reach(Limit::ACTORS);
            return 0;
        };
        if *number == 0 {
            if self.numbered as usize >= ACTORS {
                self.reach(Limit::ACTORS);
                return 0;
            }
            self.numbered += 1;
            *number = self.numbered as u8;
        }
        let child = usize::from(*number) - 1;
        self.actors[parent].children += 1;
        self.actors[child] = Actor {
            state: ActorState::EMBRYO,
            parent: parent as u8,
            place: operation.place,
            priority: self.policy.new_priority(),
            ..Actor::zeroed()
        };
        self.population = self.population.max(child as u32 + 1);
        self.embryos |= 1 << child;
        self.alive |= 1 << child;
        child as i64
    }

    /// There is too much of something: the execution ends, and says nothing.
    pub fn reach(&mut self, limit: Limit) {
        self.ending = Ending::LIMIT;
        self.limit = limit;
    }

    /// An actor has failed.
    pub fn fail(&mut self, actor: usize, kind: FailureKind, place: u16, message: u16) {
        if let Some(failure) = self.failures.get_mut(self.failed as usize) {
            *failure = Failure {
                step: self.length + u32::from(kind == FailureKind::ASSERTION),
                kind,
                actor: actor as u8,
                place,
                message,
                _padding: [0; 2],
            };
        }
        self.failed += 1;
        if self.stop_at_failure != 0 {
            self.ending = Ending::FAILED;
        }
    }

    /// The cell of an object; any cell if there is no such object.
    #[inline]
    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.index()]
    }

    /// An operation without addresses, which differ from execution to execution.
    pub fn without_addresses(&self, operation: &Operation) -> Operation {
        match self.has_addresses(operation) {
            true => operation.with(0).and(0),
            false => *operation,
        }
    }

    /// Whether the arguments and the result of an operation are addresses.
    pub fn has_addresses(&self, operation: &Operation) -> bool {
        operation.object != ObjectId::NONE && self.object(operation.object).is_address != 0
    }

    /// The steps performed so far.
    pub fn trace(&self) -> &[Record] {
        &self.records[..(self.length as usize).min(STEPS)]
    }
}
