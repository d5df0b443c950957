//! The names by which loom is called, so that a test for loom is one for Mazurka: see "Coming from loom or shuttle" in the book.

use std::time::Duration;

use crate::explorer::Explorer;

/// Explores a program exhaustively and panics if it goes wrong in some interleaving: [`crate::explore`] by another name.
///
/// # Panics
///
/// If a violation is found, or if the exploration is not complete.
#[track_caller]
pub fn model(program: impl Fn() + Sync) {
    Builder::new().check(program);
}

/// How to explore, as loom has it. [`Explorer`] has more choices.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Builder {
    /// Only executions with at most this many preemptions, without reduction.
    pub preemption_bound: Option<usize>,
    /// Stop after this many executions.
    pub max_permutations: Option<usize>,
    /// Stop after this time.
    pub max_duration: Option<Duration>,
}

impl Builder {
    /// Everything.
    pub fn new() -> Builder {
        Builder::default()
    }

    /// Explores a program and panics if it goes wrong. What a bound leaves out is no reason to panic.
    ///
    /// # Panics
    ///
    /// If a violation is found, or if the exploration ends for another reason than a bound.
    #[track_caller]
    pub fn check(&self, program: impl Fn() + Sync) {
        let mut explorer = Explorer::new();
        if let Some(bound) = self.preemption_bound {
            explorer = explorer.preemptions(bound as u32);
        }
        if let Some(limit) = self.max_permutations {
            explorer = explorer.executions(limit as u64);
        }
        if let Some(limit) = self.max_duration {
            explorer = explorer.time(limit);
        }
        explorer.check_within_bounds(program);
    }
}
