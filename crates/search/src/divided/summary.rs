//! What each worker tells all others when its part of a level is done.

use crate::checkpoint::MOST_COUNTED;
use crate::frontier::{read_number, write_number};
use crate::report::{Statistics, StopReason};

/// What a worker has to say at the end of a level.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Summary {
    /// The states of the next level that it owns.
    pub met: u64,
    /// Why the search has to end.
    pub reason: Option<StopReason>,
    pub has_failed: bool,
    /// Was some path cut at the depth limit?
    pub cut: bool,
    /// What it counted.
    pub statistics: Statistics,
    /// The bytes that it sent.
    pub sent: u64,
    /// Is it time to commit the level that follows? What the first worker says is done.
    pub commits: bool,
}

const REASONS: [StopReason; 6] = [
    StopReason::Complete,
    StopReason::Violation,
    StopReason::Depth,
    StopReason::Memory,
    StopReason::Time,
    StopReason::Interrupted,
];

/// A reason as a number.
pub(super) fn number_of(reason: StopReason) -> u64 {
    let number = REASONS.iter().position(|known| *known == reason);
    number.unwrap_or(REASONS.len() - 1) as u64
}

/// The reason with this number.
pub(super) fn reason_of(number: u64) -> Option<StopReason> {
    REASONS.get(usize::try_from(number).ok()?).copied()
}

impl Summary {
    pub fn write(&self, bytes: &mut Vec<u8>) {
        let of = &self.statistics;
        for number in [
            self.met,
            self.reason.map_or(0, |reason| number_of(reason) + 1),
            self.has_failed.into(),
            self.cut.into(),
            of.states,
            of.matched,
            of.depth,
            of.atomic_steps,
            of.state_bytes,
            of.reduced,
            of.violations,
            of.store_bytes,
            of.other_bytes,
            self.sent,
            self.commits.into(),
        ] {
            write_number(bytes, number);
        }
    }

    pub fn read(bytes: &mut &[u8]) -> Option<Summary> {
        let mut next = || read_number(bytes).filter(|number| *number <= MOST_COUNTED);
        Some(Summary {
            met: next()?,
            reason: match next()? {
                0 => None,
                number => Some(reason_of(number - 1)?),
            },
            has_failed: next()? == 1,
            cut: next()? == 1,
            statistics: Statistics {
                states: next()?,
                matched: next()?,
                depth: next()?,
                atomic_steps: next()?,
                state_bytes: next()?,
                reduced: next()?,
                violations: next()?,
                store_bytes: next()?,
                other_bytes: next()?,
                ..Statistics::default()
            },
            sent: next()?,
            commits: next()? == 1,
        })
    }
}
