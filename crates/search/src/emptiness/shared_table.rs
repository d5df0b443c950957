//! States with numbers, for several workers.
//!
//! There are many tables, each with a lock of its own; a state's hash says which one is its.

use std::sync::Mutex;

use super::table::Table;

/// The number of tables.
const SHARDS: usize = 256;

/// States, and something about each of them.
pub(super) struct SharedTable<T> {
    shards: Vec<Mutex<(Table, Vec<T>)>>,
    ignored_suffix: usize,
}

impl<T: Copy> SharedTable<T> {
    pub fn new(ignored_suffix: usize) -> SharedTable<T> {
        let shard = |_| Mutex::new((Table::new(ignored_suffix), Vec::new()));
        SharedTable {
            shards: (0..SHARDS).map(shard).collect(),
            ignored_suffix,
        }
    }

    fn shard(&self, number: u32) -> std::sync::MutexGuard<'_, (Table, Vec<T>)> {
        let shard = &self.shards[number as usize % SHARDS];
        shard.lock().expect("no worker panicked")
    }

    /// The number of a state, what is known about it, and whether it is new. What is said about a new one is `first`, which is given
    /// its number before anybody else knows it.
    pub fn insert(&self, state: &[u8], first: impl FnOnce(u32) -> T) -> (u32, T, bool) {
        let hash = rapidhash::v3::rapidhash_v3(&state[..state.len() - self.ignored_suffix]);
        let shard = (hash >> 24) as usize % SHARDS;
        let mut guard = self.shard(shard as u32);
        let (table, about) = &mut *guard;
        let (local, is_new) = table.insert_hashed(state, hash);
        let number = local * SHARDS as u32 + shard as u32;
        if is_new {
            about.push(first(number));
        }
        (number, about[local as usize], is_new)
    }

    /// The number of a state, if it is there.
    pub fn find(&self, state: &[u8]) -> Option<u32> {
        let hash = rapidhash::v3::rapidhash_v3(&state[..state.len() - self.ignored_suffix]);
        let shard = (hash >> 24) as usize % SHARDS;
        let local = self.shard(shard as u32).0.find(state)?;
        Some(local * SHARDS as u32 + shard as u32)
    }

    /// Copies a state.
    pub fn get(&self, number: u32, state: &mut Vec<u8>) {
        state.clear();
        state.extend_from_slice(self.shard(number).0.get(number / SHARDS as u32));
    }

    /// What is known about a state.
    pub fn about(&self, number: u32) -> T {
        self.shard(number).1[number as usize / SHARDS]
    }

    /// Changes what is known about a state.
    pub fn change(&self, number: u32, change: impl FnOnce(&mut T)) {
        change(&mut self.shard(number).1[number as usize / SHARDS]);
    }

    /// The bytes taken, roughly: states are spread evenly, so one table stands for all.
    pub fn bytes(&self) -> u64 {
        let shard = self.shard(0);
        (shard.0.bytes() + (shard.1.capacity() * size_of::<T>()) as u64) * SHARDS as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A limit on memory means the same to one worker and to several.
    #[test]
    fn what_is_reserved_does_not_count() {
        let shared = SharedTable::new(0);
        let mut alone = Table::new(0);
        for number in 0..30_000u32 {
            let state = [&number.to_le_bytes()[..], &[0; 250]].concat();
            shared.insert(&state, |_| ());
            alone.insert(&state);
        }
        let (shared, alone) = (shared.bytes(), alone.bytes());
        assert!(shared < alone * 3 / 2, "{shared} and {alone}");
    }
}
