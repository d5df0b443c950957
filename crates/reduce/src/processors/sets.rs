//! Sets of operations, as words of bits.

/// A set of numbers; all sets that meet have the same number of words.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Set(Box<[u64]>);

impl Set {
    pub fn new(words: usize) -> Set {
        Set(vec![0; words].into())
    }

    pub fn insert(&mut self, number: u32) {
        self.0[number as usize / 64] |= 1 << (number % 64);
    }

    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Adds all of another set, and says whether that changed anything.
    #[inline]
    pub fn join(&mut self, other: &Set) -> bool {
        let mut changed = 0;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            changed |= more & !*word;
            *word |= more;
        }
        changed != 0
    }

    /// Is there a number in both?
    #[inline]
    pub fn meets(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> {
        (0..self.0.len() as u32 * 64)
            .filter(|number| self.0[*number as usize / 64] >> (number % 64) & 1 != 0)
    }
}
