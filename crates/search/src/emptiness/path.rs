//! The current path of a depth-first search: states, their steps, and how far each is.

use crate::system::{Reduction, System};

use super::LONG_SEQUENCE;

/// The current path. The three parts grow and shrink in three vectors.
pub(super) struct Path<S> {
    pub frames: Vec<Frame>,
    states: Vec<u8>,
    steps: Vec<S>,
}

/// A state on the current path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    state: usize,
    steps: usize,
    next: usize,
    limit: usize,
    /// Its number, if it is stored.
    pub stored: Option<u32>,
    /// The frame of the last stored state on the path, this one or one below.
    pub anchor: usize,
    /// The steps since the atomic sequence it is in began; zero for an ordinary state.
    pub passing: u32,
    /// Does the state accept, if it is stored?
    pub accepting: bool,
    /// Are all successors red so far?
    pub all_red: bool,
    /// Does the second search start here? Then its step of the first search is over.
    pub seed: bool,
}

impl<S: Copy> Path<S> {
    pub fn new() -> Path<S> {
        Path {
            frames: Vec::new(),
            states: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// How many steps of its atomic sequence lie before a state that the last one leads to; zero for
    /// an ordinary state.
    pub fn passing<Y: System<Step = S>>(&self, system: &Y, next: &[u8]) -> u32 {
        match self.frames.last() {
            _ if !system.is_passing(next) => 0,
            // A stored state inside a sequence is there because the sequence is long.
            Some(frame) if frame.stored.is_some() && frame.passing > 0 => LONG_SEQUENCE + 1,
            Some(frame) => frame.passing + 1,
            None => 1,
        }
    }

    /// Puts a passing state on the path, unless it is one that no step leads on from.
    pub fn push_passing<Y: System<Step = S>>(
        &mut self,
        system: &Y,
        state: &[u8],
        passing: u32,
    ) -> bool {
        let first = self.steps.len();
        if !system.enabled(state, &mut self.steps) {
            self.steps.truncate(first);
            return false;
        }
        let anchor = self.frames.last().map_or(0, |frame| frame.anchor);
        self.frames.push(Frame {
            state: self.states.len(),
            steps: first,
            next: first,
            limit: self.steps.len(),
            stored: None,
            anchor,
            passing,
            accepting: false,
            all_red: true,
            seed: false,
        });
        self.states.extend_from_slice(state);
        true
    }

    /// Does a step lead on from this state?
    pub fn leads_on<Y: System<Step = S>>(&mut self, system: &Y, state: &[u8]) -> bool {
        let first = self.steps.len();
        let leads_on = system.enabled(state, &mut self.steps);
        self.steps.truncate(first);
        leads_on
    }

    /// Puts a stored state on the path. Says how many of its steps a reduction leaves out.
    pub fn push<Y: System<Step = S>, R: Reduction<Y>>(
        &mut self,
        system: &Y,
        reduction: &mut R,
        state: &[u8],
        number: u32,
        passing: u32,
    ) -> usize {
        let first = self.steps.len();
        system.enabled(state, &mut self.steps);
        let steps = &mut self.steps[first..];
        let mut kept = steps.len();
        if passing == 0 {
            kept = reduction.select(system, state, steps);
        }
        let left_out = steps.len() - kept;
        self.frames.push(Frame {
            state: self.states.len(),
            steps: first,
            next: first,
            limit: first + kept,
            stored: Some(number),
            anchor: self.frames.len(),
            passing,
            accepting: false,
            all_red: true,
            seed: false,
        });
        self.states.extend_from_slice(state);
        left_out
    }

    /// Takes the last state off the path.
    pub fn pop(&mut self) -> Option<Frame> {
        let frame = self.frames.pop()?;
        self.states.truncate(frame.state);
        self.steps.truncate(frame.steps);
        Some(frame)
    }

    /// The last state and its next step, which counts as taken.
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

    /// The frame of the last stored state.
    pub fn anchor(&mut self) -> Option<&mut Frame> {
        let anchor = self.frames.last()?.anchor;
        self.frames.get_mut(anchor)
    }

    /// The steps taken from the initial state on.
    pub fn steps(&self) -> Vec<S> {
        let frames = self.frames.iter().filter(|frame| !frame.seed);
        frames.map(|frame| self.steps[frame.next - 1]).collect()
    }

    /// How many steps lie before the first frame of a stored state.
    pub fn steps_before(&self, stored: u32) -> usize {
        let at = |frame: &Frame| frame.stored == Some(stored);
        let index = self.frames.iter().position(at).unwrap_or(0);
        self.frames[..index]
            .iter()
            .filter(|frame| !frame.seed)
            .count()
    }

    pub fn bytes(&self) -> u64 {
        (self.frames.capacity() * size_of::<Frame>()
            + self.states.capacity()
            + self.steps.capacity() * size_of::<S>()) as u64
    }
}
