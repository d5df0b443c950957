//! Who moves when the schedule has ended.

use bytemuck::Zeroable;
use mazurka_objects::real::{Effect, Kind};

use crate::kernel::{ACTORS, Kernel};
use crate::operation::Operation;

/// The most change points of PCT.
pub const CHANGES: usize = 16;

/// What decides. A byte, for the reason given at [`Kind`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Zeroable)]
#[repr(transparent)]
pub struct Order(pub u8);

impl Order {
    /// The actor that moved last goes on while it can, then the lowest number.
    pub const STEADY: Order = Order(0);
    /// Anybody, with equal probability.
    pub const RANDOM: Order = Order(1);
    /// The highest priority; priorities are random and fall at random steps (Burckhardt,
    /// Kothari, Musuvathi, Nagarakatte 2010).
    pub const PCT: Order = Order(2);
}

/// How far dependency looks at values. A byte, for the reason given at [`Kind`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Zeroable)]
#[repr(transparent)]
pub struct Refinement(pub u8);

impl Refinement {
    /// Not at all.
    pub const NONE: Refinement = Refinement(0);
    /// As far as they are the same in all executions of a class.
    pub const BY_CLASS: Refinement = Refinement(1);
    /// Besides, two steps that commute in the present state are independent there.
    pub const BY_STATE: Refinement = Refinement(2);
}

/// How to go on when the schedule has ended, and who sleeps.
#[derive(Clone, Copy, Debug, Zeroable)]
#[repr(C)]
pub struct Policy {
    /// The actors that sleep: what they would do next has been explored from here.
    pub sleep: u64,
    /// The state of the random numbers; zero is a seed like any other.
    pub random: u64,
    /// From which step on those who sleep can be woken.
    pub sleep_from: u32,
    /// What decides.
    pub order: Order,
    /// How far dependency looks at values.
    pub refined: Refinement,
    /// How many change points there are.
    pub changes: u8,
    /// Padding.
    pub _padding: u8,
    /// The steps before which the actor in front falls back, in PCT.
    pub change: [u32; CHANGES],
}

impl Policy {
    /// Throws the change points of PCT for an execution of about this length.
    pub fn prepare(&mut self, changes: u32, length: u32) {
        self.changes = changes.min(CHANGES as u32) as u8;
        for place in 0..usize::from(self.changes) {
            self.change[place] = self.below(length.max(1));
        }
    }

    /// The next random number (Steele, Lea, Flood 2014: SplitMix).
    #[inline]
    pub fn next_random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.random;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A random number below a limit.
    #[inline]
    fn below(&mut self, limit: u32) -> u32 {
        (((self.next_random() >> 32) * u64::from(limit)) >> 32) as u32
    }

    pub(crate) fn pick_choice(&mut self, choices: u32) -> u32 {
        match self.order {
            Order::STEADY => 0,
            _ => self.below(choices),
        }
    }

    pub(crate) fn new_priority(&mut self) -> u32 {
        match self.order {
            // The low ones are for those who fall back.
            Order::PCT => CHANGES as u32 + (self.next_random() >> 33) as u32,
            _ => 0,
        }
    }
}

impl Kernel {
    /// An actor that can move and does not sleep.
    #[inline]
    pub(crate) fn pick_freely(&mut self) -> Option<usize> {
        let candidates = self.enabled & !self.policy.sleep;
        if candidates == 0 {
            return None;
        }
        let lowest = candidates.trailing_zeros() as usize;
        Some(match self.policy.order {
            Order::RANDOM => {
                let mut skip = self.policy.below(candidates.count_ones());
                let mut rest = candidates;
                while skip > 0 {
                    rest &= rest - 1;
                    skip -= 1;
                }
                rest.trailing_zeros() as usize
            }
            Order::PCT => {
                let mut first = self.first_in_priority(candidates);
                let changes = &self.policy.change[..usize::from(self.policy.changes).min(CHANGES)];
                if let Some(rank) = changes.iter().position(|&step| step == self.length) {
                    self.actors[first].priority = rank as u32;
                    first = self.first_in_priority(candidates);
                }
                if self.is_patient(first) {
                    self.fall_back(first, candidates);
                }
                first
            }
            _ => {
                let current = usize::from(self.current) % ACTORS;
                let stays = candidates >> current & 1 == 1;
                let yields = self.is_patient(current);
                if stays && !(yields && candidates.count_ones() > 1) {
                    current
                } else if stays {
                    (candidates & !(1 << current)).trailing_zeros() as usize
                } else {
                    lowest
                }
            }
        })
    }

    /// Whether an actor lets others go first: it yields, or waits for some time only, which may be long.
    fn is_patient(&self, actor: usize) -> bool {
        let pending = self.actors[actor].pending.kind;
        matches!(pending, Kind::YIELD | Kind::REACQUIRE_TIMED)
    }

    /// From now on an actor comes behind these: it may be in a loop that waits for one of them.
    fn fall_back(&mut self, last: usize, others: u64) {
        for (actor, other) in self.actors.iter_mut().enumerate() {
            if others >> actor & 1 == 1 {
                other.priority = other.priority.max(1);
            }
        }
        self.actors[last].priority = 0;
    }

    fn first_in_priority(&self, candidates: u64) -> usize {
        let (mut first, mut rest) = (candidates.trailing_zeros() as usize, candidates);
        while rest != 0 {
            let actor = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if self.actors[actor].priority > self.actors[first].priority {
                first = actor;
            }
        }
        first
    }

    /// Wakes those who sleep and depend on a step that is about to be performed.
    pub(crate) fn wake_by(&mut self, actor: usize, operation: &Operation, effect: &Effect) {
        let mut sleepers = self.policy.sleep;
        while sleepers != 0 {
            let sleeper = sleepers.trailing_zeros() as usize;
            sleepers &= sleepers - 1;
            let pending = &self.actors[sleeper].pending;
            let independent = sleeper != actor && {
                let of_pending = self.effect(pending);
                Kernel::commute((operation, effect), (pending, &of_pending))
                    || self.policy.refined == Refinement::BY_STATE
                        && self.commute_now((actor, operation), (sleeper, pending))
            };
            if !independent {
                self.policy.sleep &= !(1 << sleeper);
            }
        }
    }
}
