//! Claims: automata that watch a system.
//!
//! A claim moves together with the system: before each step of the system it looks at the state
//! and takes one of its own transitions. Where it has none, the execution does not interest it. What is
//! reported is an execution along which the claim comes to a state that says *violated*, or again and
//! again to an *accepting* one. The conditions are expressions of the program, evaluated by the
//! interpreter without a process of their own, so a claim works for every notation.

use crate::program::ExpressionId;

/// A claim has at most this many different conditions.
pub const MOST_CONDITIONS: usize = 64;

/// An automaton that watches a system.
#[derive(Clone, PartialEq, Debug)]
pub struct Claim {
    /// Its name.
    pub name: String,
    /// The conditions that its transitions are about, at most [`MOST_CONDITIONS`].
    pub conditions: Vec<ExpressionId>,
    /// Its states; the first one is the initial one.
    pub states: Vec<ClaimState>,
    /// Does it see the states inside atomic sequences? Only the one that looks for a livelock does: progress made there is progress.
    pub sees_inside: bool,
}

/// A state of a claim.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ClaimState {
    /// Is an execution reported that comes here again and again?
    pub accepting: bool,
    /// Is an execution reported as soon as it comes here?
    pub violated: bool,
    /// The transitions.
    pub transitions: Vec<ClaimTransition>,
}

/// A transition of a claim.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClaimTransition {
    /// The conditions that must hold, as bits.
    pub positive: u64,
    /// The conditions that must not.
    pub negative: u64,
    /// The condition that is asserted on the way.
    pub assertion: Option<u8>,
    /// The next state.
    pub target: u32,
}

impl ClaimTransition {
    /// Can it be taken where exactly these conditions hold?
    #[inline]
    pub fn is_enabled(&self, holding: u64) -> bool {
        self.positive & !holding == 0 && self.negative & holding == 0
    }
}
