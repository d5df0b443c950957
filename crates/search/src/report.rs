//! What a search was asked for and what it found.

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use crate::system::System;

/// What to look for and when to give up.
#[derive(Clone, Debug)]
pub struct Options<'a> {
    /// Report states without a step in which the system may not stop.
    pub deadlock: bool,
    /// Report failures of steps.
    pub failures: bool,
    /// Does a reduction have to explore, sooner or later, every step that is possible? Deadlocks
    /// are found without; failures and unreached statements are not.
    pub proviso: bool,
    /// Go on after a violation, and after a failed assertion also along the same path.
    pub all: bool,
    /// The longest path.
    pub depth: Option<usize>,
    /// The bytes that states, table and stack may take together.
    pub memory: u64,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// This many states are explored by one worker before others join: what is small is done sooner
    /// alone, and in the same way every time. [`Options::ALONE`] for use, less for tests.
    pub alone: u64,
    /// Set from outside to make the search stop.
    pub interrupt: &'a AtomicBool,
}

impl Options<'_> {
    /// The states that one worker explores before others join.
    pub const ALONE: u64 = 100_000;
}

/// Why a search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// Everything was explored.
    Complete,
    /// A violation was found, and only the first was asked for.
    Violation,
    /// Some paths were longer than the limit. Depth-first, a state may have been met only at the
    /// end of a long path, so not even everything within the limit is explored.
    Depth,
    /// No memory left.
    Memory,
    /// No time left.
    Time,
    /// Asked to stop.
    Interrupted,
}

/// What a search did.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Statistics {
    /// States stored.
    pub states: u64,
    /// How often a stored state was met again.
    pub matched: u64,
    /// The steps of the longest path.
    pub depth: u64,
    /// Steps inside atomic sequences.
    pub atomic_steps: u64,
    /// Bytes of the largest state.
    pub state_bytes: u64,
    /// Bytes taken by the store.
    pub store_bytes: u64,
    /// Bytes taken besides: by paths, and by the program itself as far as it is known.
    pub other_bytes: u64,
    /// States of which a reduction left steps out.
    pub reduced: u64,
    /// Violations met, counting those of the same kind at the same place.
    pub violations: u64,
    /// How likely it is that the store took a state for another.
    pub omission_probability: f64,
    /// Time taken.
    pub elapsed: Duration,
}

impl Statistics {
    /// Adds what another worker did.
    pub(crate) fn add(&mut self, other: &Statistics) {
        self.states += other.states;
        self.matched += other.matched;
        self.depth = self.depth.max(other.depth);
        self.atomic_steps += other.atomic_steps;
        self.state_bytes = self.state_bytes.max(other.state_bytes);
        self.reduced += other.reduced;
        self.violations += other.violations;
    }

    /// Transitions as SPIN counts them.
    pub fn transitions(&self) -> u64 {
        self.states + self.matched
    }
}

/// Something that should not be.
#[derive(Clone, PartialEq, Debug)]
pub enum Defect<F> {
    /// No step is possible and the system may not stop here.
    Deadlock,
    /// A step failed.
    Failure(F),
    /// The execution comes to accepting states again and again: after its last step it goes on from
    /// the state before the step of this number, counted from 0.
    Cycle(usize),
}

/// A defect and how to get there.
#[derive(Clone, PartialEq, Debug)]
pub struct Violation<S, F> {
    /// What is wrong.
    pub defect: Defect<F>,
    /// The steps from the initial state, once around the cycle if there is one; the last one of a failure is the one that fails.
    pub steps: Vec<S>,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Report<Y: System> {
    /// Why it ended.
    pub stop: StopReason,
    /// What it did.
    pub statistics: Statistics,
    /// Different violations, in the order in which they were met.
    pub violations: Vec<Violation<Y::Step, Y::Failure>>,
    /// One of the places where nobody can say how the execution goes on, if there are any: behind it nothing was explored.
    pub dead_end: Option<Violation<Y::Step, Y::Failure>>,
    /// Which transitions of the text were carried out.
    pub covered: Vec<bool>,
}

impl<Y: System> Report<Y> {
    /// Leaves one violation, the one of the shortest path. Of several workers each may have found one
    /// before it heard of another's.
    pub(crate) fn keep_one(&mut self) {
        self.violations
            .sort_by_key(|violation| violation.steps.len());
        self.violations.truncate(1);
        self.statistics.violations = self.violations.len() as u64;
    }
}

/// Watches a search.
pub trait Observer: Send {
    /// Called now and then.
    fn progress(&mut self, statistics: &Statistics);
}

impl Observer for () {
    fn progress(&mut self, _: &Statistics) {}
}
