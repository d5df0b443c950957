//! A table of states with dense numbers, for searches that keep something about each state.

use rapidhash::v3::rapidhash_v3;

/// Most tables are small, so the first chunk is, and each is four times as large as the one before, up to this.
const CHUNK_BYTES: usize = 1 << 22;
const FIRST_CHUNK_BYTES: usize = 1 << 12;
const FIRST_SLOTS: usize = 1 << 6;

/// States in the order in which they were met.
#[derive(Debug)]
pub(crate) struct Table {
    /// Zero, or a number plus one, with bits of the hash above.
    slots: Vec<u64>,
    /// Where each state is: chunk and offset; and one more, where the next one goes.
    places: Vec<(u32, u32)>,
    lengths: Vec<u32>,
    chunks: Vec<Vec<u8>>,
    /// How many bytes at the end of a state do not tell it from others.
    ignored_suffix: usize,
}

impl Table {
    pub fn new(ignored_suffix: usize) -> Table {
        Table {
            slots: vec![0; FIRST_SLOTS],
            places: Vec::new(),
            lengths: Vec::new(),
            chunks: Vec::new(),
            ignored_suffix,
        }
    }

    /// The hash that a state is found by.
    pub fn hash(&self, state: &[u8]) -> u64 {
        rapidhash_v3(&state[..state.len() - self.ignored_suffix])
    }

    /// The number of a state, and whether it is new.
    pub fn insert(&mut self, state: &[u8]) -> (u32, bool) {
        let hash = self.hash(state);
        self.insert_hashed(state, hash)
    }

    pub fn insert_hashed(&mut self, state: &[u8], hash: u64) -> (u32, bool) {
        let identity = &state[..state.len() - self.ignored_suffix];
        let mask = self.slots.len() - 1;
        let tag = hash & !u64::from(u32::MAX);
        let mut slot = hash as usize & mask;
        loop {
            let entry = self.slots[slot];
            if entry == 0 {
                break;
            }
            if entry & !u64::from(u32::MAX) == tag {
                let number = entry as u32 - 1;
                let known = self.get(number);
                if &known[..known.len() - self.ignored_suffix] == identity {
                    return (number, false);
                }
            }
            slot = (slot + 1) & mask;
        }
        let number = self.places.len() as u32;
        self.append(state);
        self.slots[slot] = tag | u64::from(number + 1);
        if self.places.len() * 8 > self.slots.len() * 5 {
            self.grow();
        }
        (number, true)
    }

    /// The number of a state, if it is there.
    pub fn find(&self, state: &[u8]) -> Option<u32> {
        let identity = &state[..state.len() - self.ignored_suffix];
        let hash = self.hash(state);
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        while self.slots[slot] != 0 {
            let entry = self.slots[slot];
            if entry >> 32 == hash >> 32 {
                let known = self.get(entry as u32 - 1);
                if &known[..known.len() - self.ignored_suffix] == identity {
                    return Some(entry as u32 - 1);
                }
            }
            slot = (slot + 1) & mask;
        }
        None
    }

    pub fn get(&self, number: u32) -> &[u8] {
        let (chunk, offset) = self.places[number as usize];
        let length = self.lengths[number as usize] as usize;
        &self.chunks[chunk as usize][offset as usize..offset as usize + length]
    }

    /// The bytes taken. What was reserved and never used takes no memory.
    pub fn bytes(&self) -> u64 {
        let chunks: usize = self.chunks.iter().map(Vec::len).sum();
        (self.slots.len() * 8 + self.places.capacity() * 12 + chunks) as u64
    }

    fn append(&mut self, state: &[u8]) {
        let fits = self
            .chunks
            .last()
            .is_some_and(|chunk| chunk.len() + state.len() <= chunk.capacity());
        if !fits {
            let doublings = 2 * self.chunks.len().min(5);
            let usual = (FIRST_CHUNK_BYTES << doublings).min(CHUNK_BYTES);
            self.chunks.push(Vec::with_capacity(usual.max(state.len())));
        }
        let number = self.chunks.len() - 1;
        let chunk = &mut self.chunks[number];
        self.places.push((number as u32, chunk.len() as u32));
        self.lengths.push(state.len() as u32);
        chunk.extend_from_slice(state);
    }

    fn grow(&mut self) {
        let slots = self.slots.len() * 2;
        let mask = slots - 1;
        let mut table = vec![0u64; slots];
        self.slots = Vec::new();
        for number in 0..self.places.len() as u32 {
            let hash = self.hash(self.get(number));
            let mut slot = hash as usize & mask;
            while table[slot] != 0 {
                slot = (slot + 1) & mask;
            }
            table[slot] = (hash & !u64::from(u32::MAX)) | u64::from(number + 1);
        }
        self.slots = table;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_dense_and_stay() {
        let mut table = Table::new(1);
        for number in 0..20_000u32 {
            let mut state = number.to_le_bytes().to_vec();
            state.push(9);
            assert_eq!(table.insert(&state), (number, true));
            state[4] = 7;
            assert_eq!(table.insert(&state), (number, false));
            assert_eq!(table.get(number)[4], 9);
        }
    }
}
