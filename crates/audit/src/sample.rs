//! Which states are audited.
//!
//! By their hash, which is that of their bytes: so an audit repeats itself, whatever the order of the search and however many
//! workers it has. However small the share is, some hundred states are audited: the first ones, and then some of each
//! number of digits.

use std::fmt;
use std::str::FromStr;

/// This many states are all audited, the first ones that a worker meets.
const FIRST: u64 = 128;
/// About this many are audited of those from each power of two to the next.
const OF_EACH_OCTAVE: u64 = 24;

/// The share of the states that are audited.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Share(f64);

impl Share {
    /// Such that an audit costs at most a fiftieth of a long search.
    pub const USUAL: Share = Share(1.0 / 32_768.0);
    /// Every state.
    pub const ALL: Share = Share(1.0);

    /// As a number from 0 to 1.
    pub fn value(self) -> f64 {
        self.0
    }

    /// Is every state audited?
    pub fn is_all(self) -> bool {
        self.0 >= 1.0
    }
}

impl TryFrom<f64> for Share {
    type Error = String;

    fn try_from(share: f64) -> Result<Share, String> {
        match (0.0..=1.0).contains(&share) {
            true => Ok(Share(share)),
            false => Err("expected a number from 0 to 1, such as 0.01".into()),
        }
    }
}

impl FromStr for Share {
    type Err = String;

    fn from_str(text: &str) -> Result<Share, String> {
        Share::try_from(text.parse().unwrap_or(f64::NAN))
    }
}

/// What somebody asked for: a share of the states, such as `0.01`, or `off`, which is none.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ShareOrOff(pub Option<Share>);

impl FromStr for ShareOrOff {
    type Err = String;

    fn from_str(text: &str) -> Result<ShareOrOff, String> {
        if text == "off" {
            return Ok(ShareOrOff(None));
        }
        let share = text.parse::<Share>();
        let share = share.map_err(|reason| format!("{reason}, or off"))?;
        Ok(ShareOrOff(Some(share)))
    }
}

impl fmt::Display for Share {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.0)
    }
}

/// Takes the sample of one worker.
#[derive(Debug)]
pub(crate) struct Sampler {
    share: Share,
    /// States met so far.
    met: u64,
    /// Hashes up to this one are audited.
    limit: u64,
    /// Up to this many states, the limit is as it is.
    until: u64,
}

impl Sampler {
    pub fn new(share: Share) -> Sampler {
        Sampler {
            share,
            met: 0,
            limit: u64::MAX,
            until: FIRST,
        }
    }

    /// Is this state one of the sample? Gives its hash if it is.
    #[inline]
    pub fn takes(&mut self, state: &[u8]) -> Option<u64> {
        if self.met >= self.until {
            self.lower();
        }
        self.met += 1;
        let hash = hash(state);
        (hash <= self.limit).then_some(hash)
    }

    #[cold]
    fn lower(&mut self) {
        let share = self
            .share
            .value()
            .max(OF_EACH_OCTAVE as f64 / self.until as f64);
        self.limit = match share < 1.0 {
            true => (share * u64::MAX as f64) as u64,
            false => u64::MAX,
        };
        self.until *= 2;
    }
}

/// A hash that costs next to nothing: it has only to tell some states from others. What no word of eight bytes covers is in the last eight.
#[inline]
fn hash(state: &[u8]) -> u64 {
    let (words, rest) = state.as_chunks::<8>();
    let last = match state.last_chunk::<8>() {
        Some(last) => u64::from_le_bytes(*last),
        None => rest.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
    };
    let sum = words.iter().fold(last, |sum, word| {
        sum.wrapping_add(u64::from_le_bytes(*word))
    });
    let product = u128::from(sum ^ 0x2d35_8dcc_aa6c_78a5) * 0x9e37_79b9_7f4a_7c15;
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_for() {
        assert_eq!("off".parse(), Ok(ShareOrOff(None)));
        assert_eq!("1".parse(), Ok(ShareOrOff(Some(Share::ALL))));
        assert!("0".parse::<ShareOrOff>().is_ok());
        for wrong in ["", "on", "-1", "1.1", "nan", "2%"] {
            assert!(wrong.parse::<ShareOrOff>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn some_hundred_states_are_audited_however_small_the_share() {
        for (states, least, most) in [(100, 100, 100), (2_000, 150, 400), (1_000_000, 300, 900)] {
            let mut sampler = Sampler::new(Share(0.0));
            let taken = (0..states as u64).filter(|number| {
                let state = [number.to_le_bytes(), [7; 8]].concat();
                sampler.takes(&state).is_some()
            });
            let taken = taken.count();
            assert!((least..=most).contains(&taken), "{taken} of {states}");
        }
    }

    #[test]
    fn the_share_is_about_right() {
        let mut sampler = Sampler::new(Share(0.1));
        let states = (0..100_000u64).map(|number| (number * 3).to_le_bytes());
        let taken = states
            .filter(|state| sampler.takes(state).is_some())
            .count();
        assert!((9_000..12_000).contains(&taken), "{taken}");
        let mut sampler = Sampler::new(Share::ALL);
        assert!((0..10_000u32).all(|number| sampler.takes(&number.to_le_bytes()).is_some()));
    }
}
