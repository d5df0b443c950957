//! The cache: as many states as memory holds, and the rest is forgotten (state-space caching;
//! Holzmann 1987, Godefroid, Holzmann and Pirottin 1992).
//!
//! A forgotten state is explored again when it is met again. A depth-first search that knows the
//! states on its path ends nevertheless: no path can be longer than there are states. So the search is
//! still exhaustive; it may only take long.
//!
//! The cache consists of sets, each with states one after the other, oldest first. A hash chooses
//! the set, and the oldest states of the set give way.

use std::sync::Mutex;

use rapidhash::v3::rapidhash_v3;

use super::{Crowded, Folded, Insertion, Store};

/// The bytes of a set.
const SET_BYTES: usize = 4096;
/// What a set takes besides.
const SET_OVERHEAD: usize = 64;

/// Some states, in fixed memory.
#[derive(Debug)]
pub struct Cache {
    /// A state is its length in two bytes and its bytes.
    sets: Vec<Mutex<Vec<u8>>>,
}

impl Cache {
    /// A cache of this many bytes.
    pub fn new(bytes: u64) -> Cache {
        let sets = (bytes / (SET_BYTES + SET_OVERHEAD) as u64).max(1);
        let set = |_| Mutex::new(Vec::with_capacity(SET_BYTES));
        Cache {
            sets: (0..sets).map(set).collect(),
        }
    }
}

impl Store for Cache {
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

    fn insert(&self, key: u64, state: &[u8]) -> Result<Insertion, Crowded> {
        let needed = state.len() + 2;
        // A state that no set holds is never remembered.
        if needed > SET_BYTES {
            return Ok(Insertion::New);
        }
        let number = (u128::from(key) * self.sets.len() as u128) >> 64;
        let set = &self.sets[number as usize];
        let mut set = set.lock().unwrap_or_else(|lock| lock.into_inner());
        let mut at = 0;
        while at < set.len() {
            let end = record_end(&set, at);
            if &set[at + 2..end] == state {
                return Ok(Insertion::Known);
            }
            at = end;
        }
        let mut first_kept = 0;
        while set.len() - first_kept + needed > SET_BYTES {
            first_kept = record_end(&set, first_kept);
        }
        set.drain(..first_kept);
        set.extend_from_slice(&(state.len() as u16).to_le_bytes());
        set.extend_from_slice(state);
        Ok(Insertion::New)
    }

    fn grow(&mut self, _: u64) -> bool {
        true
    }

    fn bytes(&self) -> u64 {
        (self.sets.len() * (SET_BYTES + SET_OVERHEAD)) as u64
    }

    #[inline]
    fn hash(&self, key: u64) -> u64 {
        key
    }
}

/// Where the record at `at` ends.
fn record_end(set: &[u8], at: usize) -> usize {
    at + 2 + usize::from(u16::from_le_bytes([set[at], set[at + 1]]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cache_remembers_the_last_states_and_forgets_old_ones() {
        let store = Cache::new(1 << 16);
        let mut nodes = Vec::new();
        let mut put = |number: u64| {
            let state = vec![number as u8; 2 + (number % 50) as usize];
            let state = [&number.to_le_bytes()[..], &state].concat();
            let key = store.fold(&state, None, &mut nodes).unwrap();
            store.insert(key, &state).unwrap()
        };
        for number in 0..20_000 {
            assert_eq!(put(number), Insertion::New);
            assert_eq!(put(number), Insertion::Known);
        }
        assert_eq!(put(19_990), Insertion::Known);
        assert_eq!(put(3), Insertion::New);
        assert!(
            store
                .sets
                .iter()
                .all(|set| set.lock().unwrap().capacity() <= SET_BYTES)
        );
    }
}
