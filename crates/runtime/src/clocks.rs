//! What happens before what, by the memory orders that the program wrote (C11, section 5.1.2.4).
//!
//! Each actor has a vector clock; so has each object that carries an order from one actor to another.
//! A relaxed store carries nothing but what a release fence before it did; a release sequence goes on
//! through operations that read and write, and through later stores of its own thread.

use crate::kernel::ACTORS;

/// Per actor, how much of it is known to have happened.
#[derive(Clone, Copy, Debug)]
pub struct Clock(pub [u32; ACTORS]);

impl Clock {
    /// Nothing is known.
    pub const NONE: Clock = Clock([0; ACTORS]);

    /// What is known of either, where there are this many actors.
    #[inline]
    pub fn join(&mut self, other: &Clock, actors: usize) {
        for (mine, theirs) in self.0[..actors].iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }
}

/// What an actor knows.
#[derive(Clone, Copy, Debug)]
pub struct Knowledge {
    /// What happened before its next access.
    pub now: Clock,
    /// What an acquire fence would add: what relaxed loads have seen.
    pub seen: Clock,
    /// What a relaxed store passes on: what had happened at the last release fence.
    pub fence: Clock,
    /// Whether there was a release fence.
    pub has_fence: bool,
    /// Whether relaxed loads have seen anything.
    pub has_seen: bool,
}

/// What an object passes on.
#[derive(Clone, Copy, Debug)]
pub struct Carried {
    /// To whoever acquires it.
    pub clock: Clock,
    /// Of an atomic: the clock of its last release store. Of a read-write lock: what readers left. Of a
    /// barrier: what was carried in the round before.
    pub other: Clock,
    /// Of an atomic: whose its last release store was, plus one.
    pub head: u8,
}

impl Carried {
    /// It passes on nothing.
    pub const NONE: Carried = Carried {
        clock: Clock::NONE,
        other: Clock::NONE,
        head: 0,
    };
}

/// A memory order as compilers number it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Order(pub i32);

impl Order {
    /// Nothing but the value.
    pub const RELAXED: Order = Order(0);
    /// See [`Order::acquires`].
    pub const ACQUIRE: Order = Order(2);
    /// See [`Order::releases`].
    pub const RELEASE: Order = Order(3);
    /// Both.
    pub const ACQUIRE_RELEASE: Order = Order(4);
    /// Both, and in one order with all others of its kind.
    pub const SEQUENTIAL: Order = Order(5);

    /// Whether what was passed on to the value is taken over. Consume is acquire, as compilers have it.
    #[inline]
    pub fn acquires(self) -> bool {
        matches!(self.0 & 7, 1 | 2 | 4 | 5)
    }

    /// Whether what has happened is passed on with the value.
    #[inline]
    pub fn releases(self) -> bool {
        matches!(self.0 & 7, 3..=5)
    }

    /// Whether it is weaker than sequentially consistent.
    #[inline]
    pub fn is_weak(self) -> bool {
        self.0 & 7 < 5
    }
}

impl Knowledge {
    /// Nothing has happened.
    pub const NOTHING: Knowledge = Knowledge {
        now: Clock::NONE,
        seen: Clock::NONE,
        fence: Clock::NONE,
        has_fence: false,
        has_seen: false,
    };

    /// Takes over what an object carries.
    #[inline]
    pub fn acquire(&mut self, from: &Clock, actors: usize) {
        self.now.join(from, actors);
    }

    /// A load of an atomic.
    #[inline]
    pub fn load(&mut self, atomic: &Carried, order: Order, actors: usize) {
        if order.acquires() {
            self.now.join(&atomic.clock, actors);
        } else {
            self.seen.join(&atomic.clock, actors);
            self.has_seen = true;
        }
    }

    /// A store to an atomic by this actor.
    #[inline]
    pub fn store(&mut self, actor: usize, atomic: &mut Carried, order: Order, actors: usize) {
        if order.releases() {
            atomic.clock = self.now;
            atomic.other = self.now;
            atomic.head = actor as u8 + 1;
            self.now.0[actor] += 1;
            return;
        }
        // C11: a store of the thread that released continues with its sequence.
        if usize::from(atomic.head) == actor + 1 {
            atomic.clock = atomic.other;
        } else {
            atomic.clock = Clock::NONE;
            atomic.head = 0;
        }
        self.add_fence(actor, atomic, actors);
    }

    /// The store of an operation that reads and writes.
    #[inline]
    pub fn update(&mut self, actor: usize, atomic: &mut Carried, order: Order, actors: usize) {
        if order.releases() {
            atomic.clock.join(&self.now, actors);
            self.now.0[actor] += 1;
        } else {
            self.add_fence(actor, atomic, actors);
        }
    }

    #[inline]
    fn add_fence(&mut self, actor: usize, atomic: &mut Carried, actors: usize) {
        if self.has_fence {
            atomic.clock.join(&self.fence, actors);
            self.now.0[actor] += 1;
        }
    }

    /// A fence.
    pub fn fence(&mut self, actor: usize, order: Order, actors: usize) {
        if order.acquires() && self.has_seen {
            let seen = self.seen;
            self.now.join(&seen, actors);
        }
        if order.releases() {
            self.fence = self.now;
            self.has_fence = true;
            self.now.0[actor] += 1;
        }
    }

    /// Passes on all that has happened.
    #[inline]
    pub fn release(&mut self, actor: usize, to: &mut Clock, actors: usize) {
        to.join(&self.now, actors);
        self.now.0[actor] += 1;
    }
}
