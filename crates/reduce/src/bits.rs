//! A set of small numbers.

/// A set of numbers below a bound that is fixed when it is made.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Bits(Vec<u64>);

impl Bits {
    pub fn new(bound: usize) -> Bits {
        Bits(vec![0; bound.div_ceil(64)])
    }

    #[inline]
    pub fn contains(&self, number: u32) -> bool {
        self.0[number as usize / 64] >> (number % 64) & 1 != 0
    }

    pub fn insert(&mut self, number: u32) {
        self.0[number as usize / 64] |= 1 << (number % 64);
    }

    /// The numbers as bits of words, smallest first.
    #[inline]
    pub fn words(&self) -> &[u64] {
        &self.0
    }

    /// Have the sets a number in common?
    #[inline]
    pub fn meets(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Its numbers, smallest first.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        self.0.iter().enumerate().flat_map(|(position, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros())?;
                rest &= rest - 1;
                Some(position as u32 * 64 + bit)
            })
        })
    }

    /// Takes all of another set away.
    pub fn remove(&mut self, other: &Bits) {
        for (word, less) in self.0.iter_mut().zip(&other.0) {
            *word &= !less;
        }
    }

    /// Adds all of another set, and says whether that changed anything.
    #[inline]
    pub fn join(&mut self, other: &Bits) -> bool {
        let mut changed = 0;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            changed |= *more & !*word;
            *word |= more;
        }
        changed != 0
    }

    /// Takes all away.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }
}
