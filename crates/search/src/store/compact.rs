//! The compact store: a fingerprint of every state (Wolper and Leroy 1993, Stern and Dill 1995).
//!
//! Two states with the same fingerprint are taken for one, so a search may miss states; how
//! likely that is, [`Store::omission_probability`] says. The fingerprints stand in the compact
//! table of the exact store.

use std::io;

use rapidhash::v3::rapidhash_v3;

use super::table::Table;
use super::{Crowded, Folded, Insertion, Store};
use crate::checkpoint::{Sink, Source, damaged};

/// Fingerprints.
#[derive(Debug)]
pub struct Compact {
    table: Table,
    bits: u32,
    workers: usize,
}

impl Compact {
    /// An empty store of fingerprints of `bits` bits, from 40 to 64.
    pub fn new(bits: u32) -> Compact {
        let bits = bits.clamp(40, 64);
        Compact {
            table: Table::new(bits),
            bits,
            workers: 1,
        }
    }
}

impl Store for Compact {
    type Key = u64;

    #[inline]
    fn fold(
        &self,
        state: &[u8],
        _: Option<Folded<'_>>,
        nodes: &mut Vec<u32>,
    ) -> Result<u64, Crowded> {
        nodes.clear();
        Ok(rapidhash_v3(state) >> (64 - self.bits))
    }

    #[inline]
    fn insert(&self, key: u64, _: &[u8]) -> Result<Insertion, Crowded> {
        self.table.insert(key)
    }

    #[inline]
    fn insert_at(&self, _: u64, place: u64, _: &[u8]) -> Result<Insertion, Crowded> {
        self.table.insert_at(place)
    }

    #[inline]
    fn prefetch(&self, key: u64) -> Option<u64> {
        Some(self.table.prefetch(key))
    }

    fn mark(&self, key: u64, clear: u8, set: u8) -> Option<u8> {
        self.table.mark(key, clear, set)
    }

    fn employ(&mut self, workers: usize) {
        self.workers = workers;
    }

    fn grow(&mut self, room: u64) -> bool {
        if !self.table.is_full() {
            return true;
        }
        for sizes in 1.. {
            if self.bytes() + self.table.bytes_when(self.bits, sizes) > room {
                break;
            }
            let table = self.table.rebuilt(self.bits, sizes, self.workers, None);
            if let Ok(table) = table {
                self.table = table;
                return true;
            }
        }
        false
    }

    fn bytes(&self) -> u64 {
        self.table.bytes()
    }

    #[inline]
    fn hash(&self, key: u64) -> u64 {
        key.wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    fn save(&self, sink: &mut Sink<'_>) -> io::Result<()> {
        sink.number(u64::from(self.bits))?;
        self.table.save(sink)
    }

    fn load(&mut self, source: &mut Source) -> io::Result<()> {
        if source.small()? != self.bits {
            return Err(damaged("fingerprints of another width"));
        }
        self.table = Table::load(self.bits, source)?;
        Ok(())
    }

    /// That any two of the states have the same fingerprint.
    fn omission_probability(&self, states: u64) -> f64 {
        let states = states as f64;
        -(-states * states / 2f64.powi(self.bits as i32 + 1)).exp_m1()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_new_once() {
        for bits in [40, 64] {
            let mut store = Compact::new(bits);
            let mut nodes = Vec::new();
            for round in 0..2 {
                for number in 0..100_000u64 {
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
            assert!(store.bytes() < 100_000 * 24);
        }
    }

    #[test]
    fn the_probability_of_an_omission() {
        let store = Compact::new(64);
        assert!(store.omission_probability(1) < 1e-18);
        let billion = store.omission_probability(1_000_000_000);
        assert!((0.02..0.04).contains(&billion), "{billion}");
        assert!(Compact::new(40).omission_probability(10_000_000) > 0.99);
    }
}
