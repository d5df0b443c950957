//! Fingerprints of 128 bits, for searches of more states than 64 bits can tell apart.
//!
//! Open addressing with linear probing; an entry is two words. Who takes the first word of an entry
//! writes the second; who meets the first in the meantime waits for it, which is a matter of
//! nanoseconds.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rapidhash::v3::{RapidSecrets, rapidhash_v3_seeded};

use super::{Crowded, Folded, Insertion, Store};
use crate::checkpoint::{Sink, Source, damaged};
use crate::huge_pages;
use crate::prefetch::prefetch;

const FIRST_ENTRIES: usize = 1 << 10;
/// The bytes that a table takes for each entry while it grows, if the entries are hashes, and much to spare.
const ROOM_FOR_ONE: u64 = 1 << 10;
/// An entry is at most so far from its home.
const FARTHEST: usize = 128;
/// Both words come from hashes of their own.
const SEEDS: [u64; 2] = [0x2d35_8dcc_aa6c_78a5, 0x8bb8_4b93_962e_acc9];

/// Fingerprints of 128 bits.
#[derive(Debug)]
pub struct Wide {
    entries: Vec<[AtomicU64; 2]>,
    secrets: [RapidSecrets; 2],
    /// Was there a fingerprint without room?
    full: AtomicBool,
}

impl Wide {
    /// An empty store.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Wide {
        Wide {
            entries: huge_pages::table(FIRST_ENTRIES),
            secrets: SEEDS.map(RapidSecrets::seed),
            full: AtomicBool::new(false),
        }
    }

    #[inline]
    fn home(&self, key: [u64; 2]) -> usize {
        ((u128::from(key[0]) * self.entries.len() as u128) >> 64) as usize
    }

    /// A table of this many entries with the same fingerprints, unless they do not fit.
    fn rebuilt(&self, entries: usize) -> Result<Wide, Crowded> {
        let table = Wide {
            entries: huge_pages::table(entries),
            secrets: self.secrets,
            full: AtomicBool::new(false),
        };
        for key in self.keys() {
            table.insert(key, &[])?;
        }
        Ok(table)
    }

    fn keys(&self) -> impl Iterator<Item = [u64; 2]> {
        let keys = self.entries.iter().map(|entry| entry.each_ref());
        keys.map(|entry| entry.map(|word| word.load(Ordering::Relaxed)))
            .filter(|key| key[0] != 0)
    }

    fn bytes_of(entries: usize) -> u64 {
        (entries * size_of::<[AtomicU64; 2]>()) as u64
    }
}

impl Store for Wide {
    type Key = [u64; 2];

    #[inline]
    fn fold(
        &self,
        state: &[u8],
        _: Option<Folded<'_>>,
        nodes: &mut Vec<u32>,
    ) -> Result<[u64; 2], Crowded> {
        nodes.clear();
        // Zero marks an empty word.
        let word = |secrets| rapidhash_v3_seeded(state, secrets).max(1);
        Ok(self.secrets.each_ref().map(word))
    }

    #[inline]
    fn prefetch(&self, key: [u64; 2]) -> Option<u64> {
        prefetch(&self.entries[self.home(key)]);
        None
    }

    fn insert(&self, key: [u64; 2], _: &[u8]) -> Result<Insertion, Crowded> {
        let home = self.home(key);
        for distance in 0..FARTHEST {
            let [first, second] = &self.entries[(home + distance) % self.entries.len()];
            let mut found = first.load(Ordering::Relaxed);
            if found == 0 {
                match first.compare_exchange(0, key[0], Ordering::Relaxed, Ordering::Relaxed) {
                    Ok(_) => {
                        second.store(key[1], Ordering::Relaxed);
                        return Ok(Insertion::New);
                    }
                    Err(other) => found = other,
                }
            }
            if found != key[0] {
                continue;
            }
            loop {
                match second.load(Ordering::Relaxed) {
                    0 => std::hint::spin_loop(),
                    other if other == key[1] => return Ok(Insertion::Known),
                    _ => break,
                }
            }
        }
        self.full.store(true, Ordering::Relaxed);
        Err(Crowded)
    }

    fn grow(&mut self, room: u64) -> bool {
        if !*self.full.get_mut() {
            return true;
        }
        let mut entries = self.entries.len() * 2;
        while self.bytes() + Wide::bytes_of(entries) <= room {
            if let Ok(table) = self.rebuilt(entries) {
                *self = table;
                return true;
            }
            entries *= 2;
        }
        false
    }

    fn bytes(&self) -> u64 {
        Wide::bytes_of(self.entries.len())
    }

    #[inline]
    fn hash(&self, key: [u64; 2]) -> u64 {
        key[0]
    }

    fn save(&self, sink: &mut Sink<'_>) -> io::Result<()> {
        sink.number(self.keys().count() as u64)?;
        for [first, second] in self.keys() {
            sink.word(first)?;
            sink.word(second)?;
        }
        Ok(())
    }

    fn load(&mut self, source: &mut Source) -> io::Result<()> {
        let count = source.count(16)?;
        let room = Wide::bytes_of(FIRST_ENTRIES) + ROOM_FOR_ONE * count as u64;
        for _ in 0..count {
            let key = [source.word()?, source.word()?];
            // Zero marks an empty word; who meets half a fingerprint waits for the other half.
            if key.contains(&0) {
                return Err(damaged("an empty fingerprint"));
            }
            while self.insert(key, &[]).is_err() {
                // Fingerprints that are all alike were not made by a hash, and no table is large enough for them.
                if !self.grow(room) {
                    return Err(damaged("fingerprints that are none"));
                }
            }
        }
        Ok(())
    }

    /// That any two of the states have the same fingerprint.
    fn omission_probability(&self, states: u64) -> f64 {
        let states = states as f64;
        -(-states * states / 2f64.powi(129)).exp_m1()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_new_once_whoever_brings_it() {
        let mut store = Wide::new();
        let mut nodes = Vec::new();
        for round in 0..2 {
            for number in 0..50_000u64 {
                let state = number.to_le_bytes();
                let key = store.fold(&state, None, &mut nodes).unwrap();
                let insertion = loop {
                    match store.insert(key, &state) {
                        Ok(insertion) => break insertion,
                        Err(Crowded) => assert!(store.grow(u64::MAX)),
                    }
                };
                assert_eq!(insertion == Insertion::New, round == 0, "{number}");
            }
        }
        assert!(store.bytes() < 50_000 * 64);
        let count = |order: fn(u64) -> u64| {
            let key = |n: u64| store.fold(&order(n).to_be_bytes(), None, &mut Vec::new());
            let new = |n: &u64| store.insert(key(*n).unwrap(), &[]) == Ok(Insertion::New);
            (1..1_000).filter(new).count()
        };
        std::thread::scope(|scope| {
            let up = scope.spawn(|| count(|n| n));
            let down = scope.spawn(|| count(|n| 1_000 - n));
            assert_eq!(up.join().unwrap() + down.join().unwrap(), 999);
        });
    }

    #[test]
    fn an_omission_is_out_of_the_question() {
        assert!(Wide::new().omission_probability(1 << 40) < 1e-13);
    }
}
