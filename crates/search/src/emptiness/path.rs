//! The current path of a depth-first search: states, their steps, and how far each is.
//!
//! States inside an atomic sequence are on the path, but they are not stored. There may be more ways through a sequence than anybody can go,
//! so from each stored state on it is asked which of them were met before, as soon as there are more than a
//! few. One that closes a cycle inside its sequence is stored like any other: such a sequence may never end.

use crate::system::{Reduction, System};

use super::table::Table;

/// This many states inside sequences are met, from a stored state on, before it is asked which were met before.
const FEW: u32 = 64;

/// The current path. The three parts grow and shrink in three vectors.
pub(super) struct Path<S> {
    pub frames: Vec<Frame>,
    states: Vec<u8>,
    steps: Vec<S>,
    crowds: Vec<Crowd>,
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
    /// If it is stored, how many states inside sequences were met from it on.
    inside: u32,
    /// If it is not stored, its number in the crowd.
    member: Option<u32>,
    /// Does the state accept, if it is stored?
    pub accepting: bool,
    /// Are all successors red so far?
    pub all_red: bool,
    /// Does the second search start here? Then its step of the first search is over.
    pub seed: bool,
}

/// The states inside sequences that were met from a stored state on, if they are many.
struct Crowd {
    /// The frame of the stored state.
    anchor: usize,
    states: Table,
    /// Is each of them on the path?
    on_path: Vec<bool>,
}

/// What becomes of a state inside an atomic sequence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Passing {
    /// It is on the path now, or there is nothing new about it.
    Passed,
    /// No step leads on from it: the sequence is over.
    Stuck,
    /// It was on the path already: it has to be stored.
    Around,
}

impl<S: Copy> Path<S> {
    pub fn new() -> Path<S> {
        Path {
            frames: Vec::new(),
            states: Vec::new(),
            steps: Vec::new(),
            crowds: Vec::new(),
        }
    }

    /// Puts a state inside an atomic sequence on the path, if there is anything to be learnt from it.
    pub fn pass<Y: System<Step = S>>(&mut self, system: &Y, state: &[u8]) -> Passing {
        let anchor = self.frames.last().map_or(0, |frame| frame.anchor);
        let mut member = None;
        if let Some(frame) = self.frames.get_mut(anchor) {
            frame.inside += 1;
            let is_crowded = frame.inside > FEW;
            if is_crowded {
                let (number, is_new, on_path) = self.meet(system, anchor, state);
                match (is_new, on_path) {
                    (true, _) => member = Some(number),
                    (false, true) => return Passing::Around,
                    (false, false) => return Passing::Passed,
                }
            }
        }
        let first = self.steps.len();
        if !system.enabled(state, &mut self.steps) {
            self.steps.truncate(first);
            return Passing::Stuck;
        }
        if let (Some(number), Some(crowd)) = (member, self.crowds.last_mut()) {
            crowd.on_path[number as usize] = true;
        }
        self.frames.push(Frame {
            state: self.states.len(),
            steps: first,
            next: first,
            limit: self.steps.len(),
            stored: None,
            anchor,
            inside: 0,
            member,
            accepting: false,
            all_red: true,
            seed: false,
        });
        self.states.extend_from_slice(state);
        Passing::Passed
    }

    /// The number of a state in the crowd of a stored one, whether it is new there, and whether it is on the path.
    fn meet<Y: System<Step = S>>(
        &mut self,
        system: &Y,
        anchor: usize,
        state: &[u8],
    ) -> (u32, bool, bool) {
        if self
            .crowds
            .last()
            .is_none_or(|crowd| crowd.anchor != anchor)
        {
            let mut states = Table::new(system.ignored_suffix());
            // A stored state inside a sequence may be one that closes a cycle, too.
            let from = self.state(anchor);
            let on_path = match system.is_passing(from) {
                true => vec![states.insert(from).1],
                false => Vec::new(),
            };
            self.crowds.push(Crowd {
                anchor,
                states,
                on_path,
            });
        }
        let last = self.crowds.len() - 1;
        let crowd = &mut self.crowds[last];
        let (number, is_new) = crowd.states.insert(state);
        if is_new {
            crowd.on_path.push(false);
        }
        (number, is_new, crowd.on_path[number as usize])
    }

    /// Puts a stored state on the path. Says how many of its steps a reduction leaves out.
    pub fn push<Y: System<Step = S>, R: Reduction<Y>>(
        &mut self,
        system: &Y,
        reduction: &mut R,
        state: &[u8],
        number: u32,
    ) -> usize {
        let first = self.steps.len();
        system.enabled(state, &mut self.steps);
        let steps = &mut self.steps[first..];
        let mut kept = steps.len();
        if !system.is_passing(state) {
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
            inside: 0,
            member: None,
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
        if let Some(crowd) = self.crowds.last_mut() {
            match frame.member {
                Some(number) => crowd.on_path[number as usize] = false,
                None if crowd.anchor == self.frames.len() => drop(self.crowds.pop()),
                None => {}
            }
        }
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

    fn state(&self, frame: usize) -> &[u8] {
        let end = self.frames.get(frame + 1);
        let end = end.map_or(self.states.len(), |frame| frame.state);
        &self.states[self.frames[frame].state..end]
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
        let crowds: u64 = self.crowds.iter().map(|crowd| crowd.states.bytes()).sum();
        (self.frames.capacity() * size_of::<Frame>()
            + self.states.capacity()
            + self.steps.capacity() * size_of::<S>()) as u64
            + crowds
    }
}
