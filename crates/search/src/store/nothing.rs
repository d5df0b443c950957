//! No store: a search knows no more than its path (the stack search of paper 003, type 3).

use rapidhash::v3::rapidhash_v3;

use super::{Crowded, Folded, Insertion, Store};

/// Remembers nothing.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

impl Store for Nothing {
    type Key = u64;

    const FORGETS: bool = true;
    const IS_FIXED: bool = true;

    #[inline]
    fn fold(
        &self,
        state: &[u8],
        _: Option<Folded<'_>>,
        nodes: &mut Vec<u32>,
    ) -> Result<u64, Crowded> {
        nodes.clear();
        Ok(rapidhash_v3(state))
    }

    #[inline]
    fn insert(&self, _: u64, _: &[u8]) -> Result<Insertion, Crowded> {
        Ok(Insertion::New)
    }

    fn grow(&mut self, _: u64) -> bool {
        true
    }

    fn bytes(&self) -> u64 {
        0
    }

    #[inline]
    fn hash(&self, key: u64) -> u64 {
        key
    }
}
