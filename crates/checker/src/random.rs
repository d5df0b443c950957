//! Random choices that a seed repeats.

use std::hash::{BuildHasher, Hasher, RandomState};

/// The random choices of a simulation: the same seed gives the same choices everywhere.
///
/// SplitMix64 (Steele, Lea, Flood 2014): good enough to choose steps.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The choices of a seed.
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A seed that differs from run to run, and is short enough to be typed.
    pub fn fresh_seed() -> u64 {
        RandomState::new().build_hasher().finish() % 1_000_000
    }

    /// A number below `bound`, which is not zero.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
