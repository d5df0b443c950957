//! Atomic sequences: which of their states were met before, and how they end.
//!
//! There may be more ways through a sequence with branches than anybody can go, and a sequence may never end. So from some
//! length on its states are kept, and one that is met again is not left again.

use rapidhash::RapidHashSet;

use crate::bookkeeping::Control;
use crate::path::Path;
use crate::report::StopReason;
use crate::store::{Crowded, Insertion, Store, Tree};
use crate::system::System;

/// An atomic sequence of this many steps might never end: from here on its states are kept, so that a cycle is noticed.
pub const LONG_SEQUENCE: u32 = 1000;

/// Once this many states of a sequence were met, it may have too many ways: from here on they are kept, too.
const MANY_WAYS: u32 = 1 << 16;
/// The same in a system that is known to have such sequences: it may have to go through one in every state.
const MANY_WAYS_AGAIN: u32 = 1 << 8;

/// Finds the steps of a state just arrived at, and says whether one of them leads on. If it is inside an atomic sequence
/// that cannot go on, the sequence is over.
pub fn settled_steps<Y: System>(system: &Y, state: &mut [u8], steps: &mut Vec<Y::Step>) -> bool {
    let first = steps.len();
    if system.enabled(state, steps) {
        return true;
    }
    if !system.is_passing(state) {
        return false;
    }
    steps.truncate(first);
    system.settle(state);
    system.enabled(state, steps)
}

/// Ends the atomic sequence that a state just arrived at is inside of, if it cannot go on. Says whether it can.
pub fn settle<Y: System>(system: &Y, state: &mut [u8], scratch: &mut Vec<Y::Step>) -> bool {
    if !system.is_passing(state) {
        return false;
    }
    scratch.clear();
    let leads_on = system.enabled(state, scratch);
    if !leads_on {
        system.settle(state);
    }
    leads_on
}

/// Knows which states inside atomic sequences were met before.
pub(crate) trait Inside<S, T> {
    /// A state was arrived at: its anchor on the path, and how many steps ago its sequence began.
    fn meet(
        &mut self,
        path: &mut Path<S, T>,
        place: (u32, u32),
        state: &[u8],
    ) -> Result<Meeting<T>, StopReason>;

    /// May a state with one step be left in place, without a frame on the path?
    fn may_forget(&self, passing: u32, _note: &T) -> bool {
        // Limits are looked at between frames.
        passing <= LONG_SEQUENCE
    }

    /// How many states that follow in the same sequence need not be met? This one may be left without a frame.
    fn need_not_meet(&self, _passing: u32) -> u32 {
        0
    }

    /// The state with this note is on the path now.
    fn enter(&mut self, _note: &T) {}

    /// Can the sequence that a state is inside of go on for ever from there? Asked of states that were met before.
    fn never_ends<Y: System<Step = S>>(
        &mut self,
        _system: &Y,
        _scratch: &mut Y::Scratch,
        _state: &[u8],
    ) -> Result<bool, StopReason> {
        Ok(false)
    }
}

/// What is known of a state inside a sequence.
pub(crate) enum Meeting<T> {
    /// It is to be left, with this note.
    New(T),
    /// It was left before.
    Known,
    /// It is on the path already, and is to be stored.
    Around,
}

/// Counts the states that were met since a sequence began: there may be more ways through it than anybody can go, however short they are.
#[derive(Clone, Copy)]
pub(crate) struct Effort {
    met: u32,
    /// More than this are many.
    many: u32,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort {
            met: 0,
            many: MANY_WAYS,
        }
    }
}

impl Effort {
    /// A state was met, `passing` steps behind the beginning of its sequence. Is it to be kept?
    #[inline]
    pub fn meet(&mut self, passing: u32) -> bool {
        self.met = match passing {
            1 => 1,
            _ => self.met.saturating_add(1),
        };
        let are_many = self.met > self.many;
        if are_many {
            self.many = MANY_WAYS_AGAIN;
        }
        are_many || passing > LONG_SEQUENCE
    }

    /// How many of the states that follow are not to be kept for sure?
    #[inline]
    pub fn need_not_meet(&self, passing: u32) -> u32 {
        match self.met < self.many {
            true => LONG_SEQUENCE.saturating_sub(passing),
            false => 0,
        }
    }
}

/// Remembers the states of long sequences, and of those with many ways through them.
pub(crate) struct Long<'a> {
    control: &'a Control<'a>,
    effort: Effort,
    states: Option<Tree>,
    nodes: Vec<u32>,
    /// States from which every way leads out of the sequence.
    ending: RapidHashSet<Box<[u8]>>,
    /// The bytes of those states.
    ending_bytes: u64,
    /// Is each sequence for itself? Otherwise a state that was left in one is not left in another.
    is_each_for_itself: bool,
}

impl<'a> Long<'a> {
    /// One memory for all sequences.
    pub fn new(control: &'a Control<'a>) -> Long<'a> {
        Long {
            control,
            effort: Effort::default(),
            states: None,
            nodes: Vec::new(),
            ending: RapidHashSet::default(),
            ending_bytes: 0,
            is_each_for_itself: false,
        }
    }

    /// Each sequence for itself.
    pub fn each_for_itself(control: &'a Control<'a>) -> Long<'a> {
        Long {
            is_each_for_itself: true,
            ..Long::new(control)
        }
    }

    pub fn clear(&mut self) {
        self.states = None;
    }

    /// A state on the path of a search that is resumed: without it, one that is stopped again and again inside an endless sequence would
    /// never notice that it has been there before.
    pub fn resume(&mut self, passing: u32, state: &[u8]) -> Result<(), StopReason> {
        match passing > LONG_SEQUENCE {
            true => self.is_known(state).map(|_| ()),
            false => Ok(()),
        }
    }

    pub fn bytes(&self) -> u64 {
        self.states.as_ref().map_or(0, Store::bytes) + self.ending_bytes
    }

    #[cold]
    fn is_known(&mut self, state: &[u8]) -> Result<bool, StopReason> {
        let states = self.states.get_or_insert_with(Tree::new);
        loop {
            let key = states.fold(state, None, &mut self.nodes);
            match key.and_then(|key| states.insert(key, state)) {
                Ok(insertion) => return Ok(insertion == Insertion::Known),
                Err(Crowded) if states.grow(self.control.room()) => {}
                Err(Crowded) => return Err(StopReason::Memory),
            }
        }
    }
}

/// How many states are left between two looks at the limits.
const STATES_BETWEEN_LOOKS: usize = 1 << 12;

impl<S: Copy, T: Default> Inside<S, T> for Long<'_> {
    /// Goes through what is left of the sequence, depth first: it never ends if a way leads back to itself. What was gone through before
    /// is not gone through again.
    #[cold]
    fn never_ends<Y: System<Step = S>>(
        &mut self,
        system: &Y,
        scratch: &mut Y::Scratch,
        state: &[u8],
    ) -> Result<bool, StopReason> {
        let mut on_path: RapidHashSet<Box<[u8]>> = RapidHashSet::default();
        let mut path: Vec<(Box<[u8]>, Vec<S>)> = Vec::new();
        let mut next = Some(Box::<[u8]>::from(state));
        let mut left = 0;
        loop {
            if let Some(state) = next.take() {
                if on_path.contains(&state) {
                    return Ok(true);
                }
                if !self.ending.contains(&state) {
                    let mut steps = Vec::new();
                    system.enabled(&state, &mut steps);
                    on_path.insert(state.clone());
                    path.push((state, steps));
                }
            }
            let Some((state, steps)) = path.last_mut() else {
                return Ok(false);
            };
            let Some(step) = steps.pop() else {
                on_path.remove(state);
                // Each with its pointer and its length.
                let bytes = state.len() as u64 + 16;
                if self.ending.insert(std::mem::take(state)) {
                    self.ending_bytes += bytes;
                }
                path.pop();
                left += 1;
                if left % STATES_BETWEEN_LOOKS == 0 {
                    self.control.end_if_over()?;
                }
                continue;
            };
            let mut successor = Vec::new();
            let outcome = system.execute(scratch, state, step, &mut successor);
            if outcome.complete && system.is_passing(&successor) {
                next = Some(successor.into());
            }
        }
    }

    /// Only states of long sequences are kept, and of those with many ways.
    #[inline]
    fn need_not_meet(&self, passing: u32) -> u32 {
        self.effort.need_not_meet(passing)
    }

    #[inline]
    fn meet(
        &mut self,
        _: &mut Path<S, T>,
        (_, passing): (u32, u32),
        state: &[u8],
    ) -> Result<Meeting<T>, StopReason> {
        if passing == 1 && self.is_each_for_itself {
            self.clear();
        }
        if self.effort.meet(passing) && self.is_known(state)? {
            return Ok(Meeting::Known);
        }
        Ok(Meeting::New(T::default()))
    }
}
