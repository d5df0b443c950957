//! The current path of a search: states, their steps, and how far each is.
//!
//! The parts grow and shrink in vectors, so a search allocates nothing in its loop. States inside an atomic
//! sequence are on the path as others are; they are not stored, and have the place of the last stored state as their
//! *anchor*. This is the one place where sequences are followed ([`Path::pass`]): every order puts on the path what
//! it stores, and asks here about the rest.

use crate::bookkeeping::Bookkeeping;
use crate::report::StopReason;
use crate::sequence::{Inside, Meeting};
use crate::system::System;

/// The current path, with a note of the search about each state.
pub(crate) struct Path<S, T> {
    pub frames: Vec<Frame<T>>,
    pub states: Vec<u8>,
    pub steps: Vec<S>,
    /// Steps taken in place: those that led from the last step of a frame to the next frame, or to the state just arrived at.
    chains: Vec<S>,
    /// How many steps lead to the last state inside a sequence that was gone to in [`Path::pass`]; zero if it went to none.
    pub deepest_inside: usize,
    spare: Vec<u8>,
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
    /// Where the chain ends that led to it; it begins where that of the frame below ends.
    pub chain: usize,
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
    /// It is inside a sequence, and was met there before, or is further away than a path may be long.
    Known,
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
            chains: Vec::new(),
            deepest_inside: 0,
            spare: Vec::new(),
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
        self.chains.clear();
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

    /// Puts an ordinary state on the path. Its steps are there, from `first` on; this many of them are to be taken.
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
            chain: self.chains.len(),
            anchor,
            passing,
            leads_on: false,
            is_whole,
            note,
        });
        self.states.extend_from_slice(state);
    }

    /// Follows an atomic sequence, if the state just arrived at is inside one: goes on in place while there is one step to take, puts
    /// a state with a choice on the path, and ends the sequence where nothing leads on. A path has no more than `longest` steps.
    #[inline]
    pub fn pass<Y: System<Step = S>>(
        &mut self,
        system: &Y,
        scratch: &mut Y::Scratch,
        state: &mut Vec<u8>,
        longest: usize,
        inside: &mut impl Inside<S, T>,
        book: &mut Bookkeeping<'_, Y>,
    ) -> Result<Arrival, StopReason> {
        self.deepest_inside = 0;
        if !system.is_passing(state) || self.frames.is_empty() {
            return Ok(Arrival::Whole);
        }
        self.pass_inside(system, scratch, state, longest, inside, book)
    }

    fn pass_inside<Y: System<Step = S>>(
        &mut self,
        system: &Y,
        scratch: &mut Y::Scratch,
        state: &mut Vec<u8>,
        longest: usize,
        inside: &mut impl Inside<S, T>,
        book: &mut Bookkeeping<'_, Y>,
    ) -> Result<Arrival, StopReason> {
        let last = self.frames.len() - 1;
        let (anchor, mut passing) = (self.frames[last].anchor, self.frames[last].passing);
        let first = self.steps.len();
        loop {
            passing += 1;
            book.statistics.atomic_steps += 1;
            let note = match inside.meet(self, (anchor, passing), state)? {
                Meeting::New(note) => note,
                Meeting::Known => {
                    if system.minds_endless_sequences()
                        && inside.never_ends(system, scratch, state)?
                    {
                        book.endless_sequence(|| self.arrived());
                    }
                    return Ok(Arrival::Known);
                }
                Meeting::Around => {
                    if system.minds_endless_sequences() {
                        book.endless_sequence(|| self.arrived());
                    }
                    return Ok(Arrival::Around);
                }
            };
            let depth = self.depth();
            if depth > longest {
                book.cut = true;
                return Ok(Arrival::Known);
            }
            self.deepest_inside = depth;
            if inside.may_forget(passing, &note) {
                let most = (longest - depth).min(inside.need_not_meet(passing) as usize);
                let before = self.chains.len();
                system.run_on(
                    scratch,
                    state,
                    most + 1,
                    &mut self.chains,
                    &mut book.covered,
                );
                let taken = self.chains.len() - before;
                if taken > 0 {
                    // All states on the way are inside the sequence.
                    self.deepest_inside = depth + taken - 1;
                    passing += taken as u32 - 1;
                    book.statistics.atomic_steps += taken as u64 - 1;
                    if system.is_passing(state) {
                        continue;
                    }
                    return Ok(Arrival::Whole);
                }
            }
            if !system.enabled(state, &mut self.steps) {
                self.steps.truncate(first);
                system.settle(state);
                return Ok(Arrival::Settled);
            }
            if self.steps.len() == first + 1
                && inside.may_forget(passing, &note)
                && self.go_on(system, scratch, state, book)
            {
                if system.is_passing(state) {
                    continue;
                }
                return Ok(Arrival::Whole);
            }
            let kept = self.steps.len() - first;
            self.add(state, first, kept, (anchor, passing), true, note);
            inside.enter(&note);
            return Ok(Arrival::Inside);
        }
    }

    /// Takes the one step of a state inside a sequence, in place. One with which something is wrong is left to the search.
    #[inline]
    fn go_on<Y: System<Step = S>>(
        &mut self,
        system: &Y,
        scratch: &mut Y::Scratch,
        state: &mut Vec<u8>,
        book: &mut Bookkeeping<'_, Y>,
    ) -> bool {
        let Some(&step) = self.steps.last() else {
            return false;
        };
        let outcome = system.execute(scratch, state, step, &mut self.spare);
        if outcome.failure.is_some() || !outcome.complete {
            return false;
        }
        system.cover(state, step, &mut book.covered);
        self.steps.pop();
        self.chains.push(step);
        std::mem::swap(state, &mut self.spare);
        true
    }

    /// How many steps lead from the first state to the one just arrived at.
    #[inline]
    pub fn depth(&self) -> usize {
        self.frames.len() + self.chains.len()
    }

    /// How many steps lead from the first state to that of a frame.
    pub fn depth_of(&self, frame: usize) -> usize {
        frame + self.frames[frame].chain
    }

    /// Adds steps that were taken in place.
    pub fn extend_chain(&mut self, steps: impl IntoIterator<Item = S>) {
        self.chains.extend(steps);
    }

    /// The steps that were taken in place on the way to a frame, or to the state just arrived at.
    pub fn chain_to(&self, frame: usize) -> &[S] {
        let before = frame.checked_sub(1).map(|before| &self.frames[before]);
        let first = before.map_or(0, |before| before.chain);
        let end = self.frames.get(frame);
        let end = end.map_or(self.chains.len(), |frame| frame.chain);
        &self.chains[first..end]
    }

    /// Takes the last state off the path.
    #[inline]
    pub fn pop(&mut self) -> Option<Frame<T>> {
        let frame = self.frames.pop()?;
        self.states.truncate(frame.state);
        self.steps.truncate(frame.steps);
        self.forget_arrival();
        Some(frame)
    }

    /// The last state and its next step, which counts as taken.
    #[inline]
    pub fn advance(&mut self) -> Option<(&[u8], S)> {
        let frame = self.frames.last_mut()?;
        self.chains.truncate(frame.chain);
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

    /// The state just arrived at is left behind: another step is taken from the last one on the path.
    #[inline]
    pub fn forget_arrival(&mut self) {
        let last = self.frames.last();
        self.chains.truncate(last.map_or(0, |frame| frame.chain));
    }

    /// The steps taken from the first state on as far as a frame, those of some frames left out.
    fn steps_where(&self, to: usize, is_taken: impl Fn(&T) -> bool) -> impl Iterator<Item = S> {
        let frames = self.frames[..to].iter().enumerate();
        frames.flat_map(move |(number, frame)| {
            let is_taken = frame.next > frame.steps && is_taken(&frame.note);
            let step = is_taken.then(|| self.steps[frame.next - 1]);
            self.chain_to(number).iter().copied().chain(step)
        })
    }

    /// The steps taken from the first state on, the last one being that of the last state on the path.
    pub fn taken(&self) -> Vec<S> {
        self.steps_where(self.frames.len(), |_| true).collect()
    }

    /// The steps that lead to the state just arrived at, without those of some frames.
    pub fn arrived_without(&self, is_taken: impl Fn(&T) -> bool) -> Vec<S> {
        let count = self.frames.len();
        let taken = self.steps_where(count, is_taken);
        taken.chain(self.chain_to(count).iter().copied()).collect()
    }

    /// The steps that lead to the state just arrived at.
    pub fn arrived(&self) -> Vec<S> {
        self.arrived_without(|_| true)
    }

    /// The steps that lead to the state of a frame.
    pub fn taken_to(&self, frame: usize) -> Vec<S> {
        let taken = self.steps_where(frame, |_| true);
        taken.chain(self.chain_to(frame).iter().copied()).collect()
    }

    /// The bytes taken. What was reserved and never used takes no memory.
    pub fn bytes(&mut self) -> u64 {
        let bytes = self.frames.len() * size_of::<Frame<T>>()
            + self.states.len()
            + (self.steps.len() + self.chains.len()) * size_of::<S>();
        self.most_bytes = self.most_bytes.max(bytes as u64);
        self.most_bytes
    }
}
