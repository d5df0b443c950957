//! A step: which process, which transition, which choice.
//!
//! A scenario is a list of steps. A step says what happens, never where it leads, so it can be
//! replayed and checked.

use crate::program::TransitionId;

/// One step of the system.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Step {
    /// The process that moves; in a rendezvous the one that sends.
    pub process: u32,
    /// Its transition.
    pub transition: TransitionId,
    /// Zero for an ordinary step. In a rendezvous, who receives and how.
    pub choice: u32,
}

impl Step {
    /// The guard of the transition has no value: the step reports the fault and leads nowhere.
    pub const FAULT: u32 = u32::MAX;
    /// A process that must be deterministic had another enabled transition before this one.
    pub const SECOND: u32 = 1 << 31;

    const POSITION_BITS: u32 = 16;

    /// The choice of a rendezvous: the partner, and which transition of its location.
    pub fn meeting(partner: usize, position: usize) -> u32 {
        ((partner as u32 + 1) << Step::POSITION_BITS) | position as u32
    }

    /// The partner of a rendezvous, and which transition of its location.
    pub fn partner(self) -> Option<(usize, usize)> {
        let choice = self.choice & !Step::SECOND;
        let partner = choice >> Step::POSITION_BITS;
        if self.choice == Step::FAULT || partner == 0 {
            return None;
        }
        let position = choice & ((1 << Step::POSITION_BITS) - 1);
        Some((partner as usize - 1, position as usize))
    }
}
