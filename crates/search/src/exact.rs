//! The exact store: every state in full, found by hash, compared byte by byte.
//!
//! States stand one after the other in an arena, in the order in which they were met. A table of
//! 64-bit entries, open addressing with linear probing, finds them: 24 bits of the hash, which
//! settle almost all comparisons without a look at the arena, and 40 bits of position. When the
//! table fills up it is rebuilt from the arena.

use rapidhash::v3::rapidhash_v3;

const CHUNK_BITS: u32 = 22;
const CHUNK_BYTES: usize = 1 << CHUNK_BITS;
const POSITION_BITS: u32 = 40;
const POSITION_MASK: u64 = (1 << POSITION_BITS) - 1;
const FIRST_SLOTS: usize = 1 << 14;

/// The exact store.
#[derive(Debug)]
pub struct Exact {
    /// Zero, or tag and position plus one.
    slots: Vec<u64>,
    states: usize,
    chunks: Vec<Vec<u8>>,
    /// How many bytes at the end of a state do not tell it from others.
    ignored_suffix: usize,
    /// The bytes that table and arena may take together.
    limit: u64,
}

/// Where a state is kept. Later states have greater positions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position(u64);

/// What became of a state that was put into the store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insertion {
    /// It was not there before.
    New(Position),
    /// It was there.
    Known(Position),
    /// There is no memory left for it.
    Full,
}

impl Exact {
    /// An empty store that takes at most `limit` bytes.
    pub fn new(ignored_suffix: usize, limit: u64) -> Exact {
        Exact {
            slots: vec![0; FIRST_SLOTS],
            states: 0,
            chunks: Vec::new(),
            ignored_suffix,
            limit,
        }
    }

    /// Puts a state into the store.
    pub fn insert(&mut self, state: &[u8]) -> Insertion {
        let identity = &state[..state.len() - self.ignored_suffix];
        let hash = rapidhash_v3(identity);
        let mask = self.slots.len() - 1;
        let tag = hash & !POSITION_MASK;
        let mut slot = hash as usize & mask;
        loop {
            let entry = self.slots[slot];
            if entry == 0 {
                break;
            }
            if entry & !POSITION_MASK == tag {
                let position = Position((entry & POSITION_MASK) - 1);
                let stored = self.get(position);
                if &stored[..stored.len() - self.ignored_suffix] == identity {
                    return Insertion::Known(position);
                }
            }
            slot = (slot + 1) & mask;
        }
        let Some(position) = self.append(state) else {
            return Insertion::Full;
        };
        self.slots[slot] = tag | (position.0 + 1);
        self.states += 1;
        if self.states * 8 > self.slots.len() * 5 && !self.grow() {
            return Insertion::Full;
        }
        Insertion::New(position)
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        (self.slots.len() * 8 + self.chunks.iter().map(Vec::capacity).sum::<usize>()) as u64
    }

    /// Where the first state is.
    pub fn first(&self) -> Position {
        Position(0)
    }

    /// The state at a position.
    #[inline]
    pub fn get(&self, position: Position) -> &[u8] {
        let (start, length) = self.record(position);
        &self.chunks[(position.0 >> CHUNK_BITS) as usize][start..start + length]
    }

    /// The last bytes of the state at a position. They may change if they do not tell states apart.
    pub fn last_bytes<const BYTES: usize>(&mut self, position: Position) -> &mut [u8; BYTES] {
        debug_assert!(BYTES <= self.ignored_suffix);
        let (start, length) = self.record(position);
        let chunk = &mut self.chunks[(position.0 >> CHUNK_BITS) as usize];
        chunk[start..start + length]
            .last_chunk_mut()
            .expect("every state has the suffix")
    }

    /// Where the state after the one at this position is, if there is one.
    pub fn after(&self, position: Position) -> Option<Position> {
        let (start, length) = self.record(position);
        let chunk = (position.0 >> CHUNK_BITS) as usize;
        if start + length < self.chunks[chunk].len() {
            return Some(Position(
                ((chunk as u64) << CHUNK_BITS) + (start + length) as u64,
            ));
        }
        (chunk + 1 < self.chunks.len()).then(|| Position((chunk as u64 + 1) << CHUNK_BITS))
    }

    /// A record is a mark, the length of the state, in one byte if it is below 255, and the state.
    #[inline]
    fn record(&self, position: Position) -> (usize, usize) {
        let chunk = &self.chunks[(position.0 >> CHUNK_BITS) as usize];
        let start = (position.0 as usize & (CHUNK_BYTES - 1)) + 1;
        match chunk[start] {
            255 => {
                let bytes: [u8; 4] = chunk[start + 1..start + 5]
                    .try_into()
                    .expect("a slice of four bytes");
                (start + 5, u32::from_le_bytes(bytes) as usize)
            }
            length => (start + 1, length as usize),
        }
    }

    fn append(&mut self, state: &[u8]) -> Option<Position> {
        let needed = state.len() + 6;
        let fits = self
            .chunks
            .last()
            .is_some_and(|chunk| chunk.len() + needed <= chunk.capacity());
        if !fits {
            let capacity = CHUNK_BYTES.max(needed);
            // A state larger than a chunk would make positions ambiguous.
            if needed > CHUNK_BYTES || self.bytes() + capacity as u64 > self.limit {
                return None;
            }
            self.chunks.push(Vec::with_capacity(capacity));
        }
        let number = self.chunks.len() as u64 - 1;
        let chunk = self.chunks.last_mut()?;
        let position = Position((number << CHUNK_BITS) + chunk.len() as u64);
        chunk.push(0);
        match u8::try_from(state.len()) {
            Ok(length) if length < 255 => chunk.push(length),
            _ => {
                chunk.push(255);
                chunk.extend_from_slice(&(state.len() as u32).to_le_bytes());
            }
        }
        chunk.extend_from_slice(state);
        Some(position)
    }

    /// Doubles the table. The old one is freed first, since everything is in the arena.
    fn grow(&mut self) -> bool {
        let slots = self.slots.len() * 2;
        if self.bytes() + (slots * 4) as u64 > self.limit {
            return false;
        }
        self.slots = Vec::new();
        let mut table = vec![0u64; slots];
        let mask = slots - 1;
        let mut next = Some(self.first());
        while let Some(position) = next {
            let state = self.get(position);
            let hash = rapidhash_v3(&state[..state.len() - self.ignored_suffix]);
            let mut slot = hash as usize & mask;
            while table[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            table[slot] = (hash & !POSITION_MASK) | (position.0 + 1);
            next = self.after(position);
        }
        self.slots = table;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn agrees_with_a_set_of_strings() {
        let mut store = Exact::new(0, u64::MAX);
        let mut set = HashSet::new();
        let mut seed = 7u64;
        for _ in 0..200_000 {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let length = (seed >> 60) as usize + if seed >> 55 & 31 == 0 { 300 } else { 0 };
            let state: Vec<u8> = (0..length)
                .map(|i| ((seed >> 33) as usize % 400 * (i + 1) / 7) as u8)
                .collect();
            let is_new = set.insert(state.clone());
            assert_eq!(matches!(store.insert(&state), Insertion::New(_)), is_new);
        }
        let mut next = Some(store.first());
        let mut walked = 0;
        while let Some(position) = next {
            assert!(set.contains(store.get(position)));
            walked += 1;
            next = store.after(position);
        }
        assert_eq!(walked, set.len());
    }

    #[test]
    fn the_suffix_does_not_tell_states_apart() {
        let mut store = Exact::new(2, u64::MAX);
        assert!(matches!(store.insert(b"abcXX"), Insertion::New(_)));
        assert!(matches!(store.insert(b"abcYY"), Insertion::Known(_)));
        assert!(matches!(store.insert(b"abdXX"), Insertion::New(_)));
        assert_eq!(store.get(store.first()), b"abcXX");
    }

    #[test]
    fn stops_at_its_limit() {
        let mut store = Exact::new(0, 6 << 20);
        let mut number = 0u64;
        while let Insertion::New(_) = store.insert(&number.to_le_bytes()) {
            number += 1;
        }
        assert!(number > 10_000);
        assert!(store.bytes() <= 6 << 20);
    }
}
