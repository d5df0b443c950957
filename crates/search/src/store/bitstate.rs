//! The bitstate store, or supertrace (paper 003; Holzmann 1998 for several bits).
//!
//! A state is a few bits in an arena that never grows, at places that hashes choose. If all are set
//! already the state is taken for known, rightly or not: so a search in such a store covers as much
//! as the arena allows, at the same price per state however many there are, and never proves
//! anything.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use rapidhash::v3::{RapidSecrets, rapidhash_v3_seeded};

use super::{Crowded, Folded, Insertion, Store};
use crate::checkpoint::{Sink, Source, damaged};
use crate::huge_pages;
use crate::prefetch::prefetch;

/// About this many words say how full an arena is: of a million states in 1 GiB they show more than ten thousand bits, so they
/// are wrong by a hundredth or so.
const WORDS_LOOKED_AT: usize = 1 << 19;

/// The smallest arena.
const LEAST_WORDS: usize = 8;

/// Bits in a fixed arena.
#[derive(Debug)]
pub struct Bitstate {
    words: Vec<AtomicU64>,
    /// Bits per state.
    count: u32,
    secrets: RapidSecrets,
}

impl Bitstate {
    /// An arena of this many bytes, in which a state is `count` bits. The seed chooses the hashes.
    pub fn new(bytes: u64, count: u32, seed: u64) -> Bitstate {
        let words = usize::try_from(bytes / 8).unwrap_or(usize::MAX / 8);
        Bitstate {
            words: huge_pages::zeroed(words.max(LEAST_WORDS)),
            count: count.max(1),
            secrets: RapidSecrets::seed(seed),
        }
    }

    /// The words that have the bits of a state, and which bits they are.
    #[inline]
    fn places(&self, key: u64) -> impl Iterator<Item = (&AtomicU64, u64)> {
        let bits = self.words.len() as u64 * 64;
        let stride = key.wrapping_mul(0xd6e8_feb8_6659_fd93).rotate_left(32) | 1;
        (0..u64::from(self.count)).map(move |number| {
            let place = key.wrapping_add(stride.wrapping_mul(number));
            // A multiplication spreads the hash over any number of bits without a division.
            let bit = ((u128::from(place) * u128::from(bits)) >> 64) as u64;
            (&self.words[(bit / 64) as usize], 1 << (bit % 64))
        })
    }

    /// The part of the bits that are set. To count them all would take longer than many a search, so of
    /// a large arena only some evenly spread lines are looked at.
    pub fn density(&self) -> f64 {
        let apart = (self.words.len() / WORDS_LOOKED_AT).max(1);
        let (mut ones, mut words) = (0, 0);
        for line in self.words.chunks(8).step_by(apart) {
            for word in line {
                ones += u64::from(word.load(Ordering::Relaxed).count_ones());
            }
            words += line.len();
        }
        ones as f64 / (words * 64) as f64
    }
}

impl Store for Bitstate {
    type Key = u64;

    const IS_FIXED: bool = true;

    #[inline]
    fn fold(
        &self,
        state: &[u8],
        _: Option<Folded<'_>>,
        nodes: &mut Vec<u32>,
    ) -> Result<u64, Crowded> {
        nodes.clear();
        Ok(rapidhash_v3_seeded(state, &self.secrets))
    }

    #[inline]
    fn prefetch(&self, key: u64) -> Option<u64> {
        for (word, _) in self.places(key) {
            prefetch(word);
        }
        None
    }

    #[inline]
    fn insert(&self, key: u64, _: &[u8]) -> Result<Insertion, Crowded> {
        let mut insertion = Insertion::Known;
        for (word, mask) in self.places(key) {
            if word.load(Ordering::Relaxed) & mask == 0
                && word.fetch_or(mask, Ordering::Relaxed) & mask == 0
            {
                insertion = Insertion::New;
            }
        }
        Ok(insertion)
    }

    fn grow(&mut self, _: u64) -> bool {
        true
    }

    fn bytes(&self) -> u64 {
        self.words.len() as u64 * 8
    }

    #[inline]
    fn hash(&self, key: u64) -> u64 {
        key
    }

    fn save(&self, sink: &mut Sink<'_>) -> io::Result<()> {
        sink.number(u64::from(self.count))?;
        sink.number(self.words.len() as u64)?;
        for word in &self.words {
            sink.word(word.load(Ordering::Relaxed))?;
        }
        Ok(())
    }

    fn load(&mut self, source: &mut Source) -> io::Result<()> {
        if source.small()? != self.count {
            return Err(damaged("another number of bits"));
        }
        let words = source.count(8)?;
        if words < LEAST_WORDS {
            return Err(damaged("an arena that is too small"));
        }
        self.words = huge_pages::zeroed(words);
        for word in &mut self.words {
            *word.get_mut() = source.word()?;
        }
        Ok(())
    }

    /// That a state was taken for known though it was new, over the search as a whole: all its bits
    /// were set by others. Bits were set at an even pace.
    fn omission_probability(&self, _: u64) -> f64 {
        let power = self.count as i32;
        self.density().powi(power) / f64::from(power + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(states: u64, bytes: u64) -> (u64, f64) {
        let store = Bitstate::new(bytes, 3, 1);
        let mut nodes = Vec::new();
        let mut new = 0;
        for number in 0..states {
            let state = number.to_le_bytes();
            let key = store.fold(&state, None, &mut nodes).unwrap();
            new += u64::from(store.insert(key, &state) == Ok(Insertion::New));
            assert_eq!(store.insert(key, &state), Ok(Insertion::Known));
        }
        (new, store.omission_probability(new))
    }

    #[test]
    fn covers_nearly_everything_while_there_are_bits_enough() {
        let (new, omission) = covered(100_000, 1 << 20);
        assert!(new > 99_950, "{new}");
        assert!(omission < 0.001, "{omission}");
    }

    #[test]
    fn a_sample_says_how_full_a_large_arena_is() {
        let store = Bitstate::new(64 << 20, 3, 1);
        let states = 1_000_000u64;
        for number in 0..states {
            let key = store.fold(&number.to_le_bytes(), None, &mut Vec::new());
            store.insert(key.unwrap(), &[]).unwrap();
        }
        let expected = 3.0 * states as f64 / (64u64 << 23) as f64;
        assert!((store.density() / expected - 1.0).abs() < 0.05);
    }

    #[test]
    fn an_overfull_arena_says_so() {
        let (new, omission) = covered(1_000_000, 1 << 16);
        assert!(new < 400_000, "{new}");
        assert!(omission > 0.2, "{omission}");
    }
}
