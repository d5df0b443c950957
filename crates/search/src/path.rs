//! The current path of a search: states, their steps, and how far each is.
//!
//! The parts grow and shrink in vectors, so a search allocates nothing in its loop. States inside an atomic
//! sequence are on the path as others are; they are not stored, and have the place of the last stored state as their
//! *anchor*. This is the one place where sequences are followed ([`Path::pass`]): every order puts on the path what
//! it stores, and asks here about the rest.

use crate::report::{Statistics, StopReason};
use crate::sequence::{Inside, Meeting};
use crate::system::System;

/// The current path, with a note of the search about each state.
pub(crate) struct Path<S, T> {
    pub frames: Vec<Frame<T>>,
    pub states: Vec<u8>,
    pub steps: Vec<S>,
    /// The bytes taken when the path was longest.
    most_bytes: u64,
}

/// A state on the current path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame<T> {
    /// Where the state begins in `states`; it ends where the next one begins.
    pub state: usize,
    /// Where its steps begin in `steps`; they end where the next ones begin.
    pub steps: usize,
    /// The next step to take.
    pub next: usize,
    /// The steps before this one are to be taken.
    pub limit: usize,
    /// The frame of the last state on the path that is not inside a sequence, this one or one below.
    pub anchor: u32,
    /// The steps since the atomic sequence it is in began; zero for an ordinary state.
    pub passing: u32,
    /// Did a step lead to a state at all?
    pub leads_on: bool,
    /// Are these all of its steps, in the order of the system?
    pub is_whole: bool,
    pub note: T,
}

/// What a state just arrived at is to a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Arrival {
    /// One that others can see.
    Whole,
    /// One that others can see now: the sequence could not go on, and is over.
    Settled,
    /// It is inside a sequence and closes a cycle there, where that matters: it is to be stored as it is.
    Around,
    /// It is inside a sequence, and on the path now.
    Inside,
    /// It is inside a sequence, and was met there before.
    Known,
    /// It is inside a sequence, and further away than a path may be long.
    Cut,
}

impl Arrival {
    /// Is there a state to be stored?
    pub fn is_stored(self) -> bool {
        matches!(self, Arrival::Whole | Arrival::Settled | Arrival::Around)
    }
}

impl<S: Copy, T: Copy> Path<S, T> {
    pub fn new() -> Path<S, T> {
        Path {
            frames: Vec::new(),
            states: Vec::new(),
            steps: Vec::new(),
            most_bytes: 0,
        }
    }

    pub fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    pub fn clear(&mut self) {
        self.frames.clear();
        self.states.clear();
        self.steps.clear();
    }

    /// Finds the steps of a state just arrived at, and says whether one of them leads on. Most are those of the state
    /// that it was reached from.
    #[inline]
    pub fn find_steps<Y: System<Step = S>>(&mut self, system: &Y, state: &[u8]) -> bool {
        match self.frames.last() {
            Some(frame) if frame.is_whole => {
                let other = &self.states[frame.state..];
                let known = frame.steps..self.steps.len();
                system.enabled_beside(other, known, state, &mut self.steps)
            }
            _ => system.enabled(state, &mut self.steps),
        }
    }

    /// Puts an ordinary state on the path. Its steps are there, from `first` on; so many of them are to be taken.
    #[inline]
    pub fn push(&mut self, state: &[u8], first: usize, kept: usize, is_whole: bool, note: T) {
        let anchor = self.frames.len() as u32;
        self.add(state, first, kept, (anchor, 0), is_whole, note);
    }

    #[inline]
    fn add(
        &mut self,
        state: &[u8],
        first: usize,
        kept: usize,
        (anchor, passing): (u32, u32),
        is_whole: bool,
        note: T,
    ) {
        self.frames.push(Frame {
            state: self.states.len(),
            steps: first,
            next: first,
            limit: first + kept,
            anchor,
            passing,
            leads_on: false,
            is_whole,
            note,
        });
        self.states.extend_from_slice(state);
    }

    /// Follows an atomic sequence: puts a state just arrived at on the path if it is inside one and something can be learnt
    /// from it, and ends the sequence if nothing leads on from there. A path has no more than `longest` steps.
    #[inline]
    pub fn pass<Y: System<Step = S>>(
        &mut self,
        system: &Y,
        state: &mut [u8],
        longest: usize,
        inside: &mut impl Inside<S, T>,
        statistics: &mut Statistics,
    ) -> Result<Arrival, StopReason> {
        match self.frames.last() {
            Some(last) if system.is_passing(state) => {
                statistics.atomic_steps += 1;
                let place = (last.anchor, last.passing + 1);
                self.pass_inside(system, state, place, longest, inside)
            }
            _ => Ok(Arrival::Whole),
        }
    }

    fn pass_inside<Y: System<Step = S>>(
        &mut self,
        system: &Y,
        state: &mut [u8],
        place: (u32, u32),
        longest: usize,
        inside: &mut impl Inside<S, T>,
    ) -> Result<Arrival, StopReason> {
        let note = match inside.meet(self, place, state)? {
            Meeting::New(note) => note,
            Meeting::Known => return Ok(Arrival::Known),
            Meeting::Around => return Ok(Arrival::Around),
        };
        if self.frames.len() > longest {
            return Ok(Arrival::Cut);
        }
        let first = self.steps.len();
        if !self.find_steps(system, state) {
            self.steps.truncate(first);
            system.settle(state);
            return Ok(Arrival::Settled);
        }
        let kept = self.steps.len() - first;
        self.add(state, first, kept, place, true, note);
        inside.enter(&note);
        Ok(Arrival::Inside)
    }

    /// Takes the last state off the path.
    #[inline]
    pub fn pop(&mut self) -> Option<Frame<T>> {
        let frame = self.frames.pop()?;
        self.states.truncate(frame.state);
        self.steps.truncate(frame.steps);
        Some(frame)
    }

    /// The last state and its next step, which counts as taken.
    #[inline]
    pub fn advance(&mut self) -> Option<(&[u8], S)> {
        let frame = self.frames.last_mut()?;
        if frame.next == frame.limit {
            return None;
        }
        frame.next += 1;
        Some((&self.states[frame.state..], self.steps[frame.next - 1]))
    }

    /// The last state.
    pub fn top(&self) -> &[u8] {
        &self.states[self.frames.last().map_or(0, |frame| frame.state)..]
    }

    /// The state of a frame.
    #[inline]
    pub fn state(&self, frame: usize) -> &[u8] {
        let next = self.frames.get(frame + 1);
        let end = next.map_or(self.states.len(), |next| next.state);
        &self.states[self.frames[frame].state..end]
    }

    /// Where the steps of a frame end.
    #[inline]
    pub fn steps_end(&self, frame: usize) -> usize {
        let next = self.frames.get(frame + 1);
        next.map_or(self.steps.len(), |next| next.steps)
    }

    /// Are there steps of a frame that are left out?
    #[inline]
    pub fn leaves_out(&self, frame: usize) -> bool {
        self.frames[frame].limit < self.steps_end(frame)
    }

    /// The frame of the last state that is not inside a sequence.
    #[inline]
    pub fn anchor(&mut self) -> Option<&mut Frame<T>> {
        let anchor = self.frames.last()?.anchor as usize;
        self.frames.get_mut(anchor)
    }

    /// The steps taken from the first state on.
    pub fn taken(&self) -> impl Iterator<Item = S> {
        let begun = self.frames.iter().filter(|frame| frame.next > frame.steps);
        begun.map(|frame| self.steps[frame.next - 1])
    }

    /// The bytes taken. What was reserved and never used takes no memory.
    pub fn bytes(&mut self) -> u64 {
        let bytes = self.frames.len() * size_of::<Frame<T>>()
            + self.states.len()
            + self.steps.len() * size_of::<S>();
        self.most_bytes = self.most_bytes.max(bytes as u64);
        self.most_bytes
    }
}
