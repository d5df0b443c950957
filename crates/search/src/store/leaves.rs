//! A table that numbers pieces of states: the leaves of the tree.
//!
//! As with [`super::nodes`], equal pieces get the same number, numbers count from zero, and a number
//! stays the same when the table grows.

use std::io;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::Crowded;
use super::nodes::NUMBER_BITS;
use crate::apart::Apart;
use crate::checkpoint::{Sink, Source, damaged};
use crate::huge_pages;

/// The words of a piece.
pub const WORDS: usize = 4;
const FIRST_SLOTS: usize = 1 << 10;

/// A piece of a state, filled up with zeros.
pub type Piece = [u64; WORDS];

/// Numbers by piece.
#[derive(Debug)]
pub struct Leaves {
    /// The pieces, by number; as many as there is room for.
    pieces: Vec<[AtomicU64; WORDS]>,
    /// How many numbers were given out; more than there is room for if the table is full.
    count: Apart<AtomicU32>,
    /// Open addressing: zero, or half of the hash above the number plus one.
    slots: Vec<AtomicU64>,
}

impl Leaves {
    /// An empty table.
    pub fn new() -> Leaves {
        Leaves {
            pieces: huge_pages::table(room(FIRST_SLOTS)),
            count: Apart(AtomicU32::new(0)),
            slots: huge_pages::table(FIRST_SLOTS),
        }
    }

    /// The number of a piece, which is a new one if the piece was not met before.
    #[inline]
    pub fn number(&self, piece: &Piece) -> Result<u32, Crowded> {
        let hash = hash(piece);
        let mask = self.slots.len() - 1;
        let mut slot = (hash >> 32) as usize & mask;
        loop {
            let entry = self.slots[slot].load(Ordering::Acquire);
            if entry == 0 {
                return self.append(piece, hash, slot);
            }
            if entry >> 32 == hash & u64::from(u32::MAX) && self.is(entry, piece) {
                return Ok((entry as u32).wrapping_sub(1));
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Is this the entry of a piece?
    #[inline]
    fn is(&self, entry: u64, piece: &Piece) -> bool {
        let found = &self.pieces[(entry as u32).wrapping_sub(1) as usize];
        let differing = |(found, word): (&AtomicU64, &u64)| found.load(Ordering::Relaxed) ^ word;
        found.iter().zip(piece).map(differing).fold(0, |a, b| a | b) == 0
    }

    /// Writes the piece first and publishes its number afterwards, so that nobody sees one without
    /// the other. Of two workers with the same piece one wins; the number of the other is lost.
    #[cold]
    fn append(&self, piece: &Piece, hash: u64, mut slot: usize) -> Result<u32, Crowded> {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let Some(place) = self.pieces.get(number as usize) else {
            self.count.fetch_sub(1, Ordering::Relaxed);
            return Err(Crowded);
        };
        for (place, word) in place.iter().zip(piece) {
            place.store(*word, Ordering::Relaxed);
        }
        let entry = hash << 32 | u64::from(number + 1);
        let mask = self.slots.len() - 1;
        loop {
            let claimed =
                self.slots[slot].compare_exchange(0, entry, Ordering::AcqRel, Ordering::Acquire);
            match claimed {
                Ok(_) => return Ok(number),
                Err(other) if other >> 32 == entry >> 32 && self.is(other, piece) => {
                    return Ok((other as u32).wrapping_sub(1));
                }
                Err(_) => slot = (slot + 1) & mask,
            }
        }
    }

    /// How many pieces there are.
    pub fn count(&self) -> u32 {
        self.count.load(Ordering::Relaxed)
    }

    /// Is there no room for another piece?
    pub fn is_full(&self) -> bool {
        self.count() as usize >= self.pieces.len()
    }

    /// The bytes that growing takes in addition.
    pub fn bytes_to_grow(&self) -> u64 {
        // The old slots are freed only when the new ones are filled, and so are the old pieces.
        self.bytes() * 2
    }

    /// Doubles the table. Not possible once numbers run out.
    pub fn grow(&mut self) -> bool {
        let slots: usize = self.slots.len() * 2;
        if slots > 1 << NUMBER_BITS {
            return false;
        }
        let mut pieces: Vec<[AtomicU64; WORDS]> = huge_pages::table(room(slots));
        pieces[..self.pieces.len()].swap_with_slice(&mut self.pieces);
        self.pieces = pieces;
        let slots: Vec<AtomicU64> = huge_pages::table(slots);
        let mask = slots.len() - 1;
        // Numbers that were lost are in no slot, so they cannot come back.
        for entry in &mut self.slots {
            let entry = *entry.get_mut();
            if entry == 0 {
                continue;
            }
            let number = (entry as u32).wrapping_sub(1) as usize;
            let piece = self.pieces[number]
                .each_ref()
                .map(|word| word.load(Ordering::Relaxed));
            let mut slot = (hash(&piece) >> 32) as usize & mask;
            while slots[slot].load(Ordering::Relaxed) != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot].store(entry, Ordering::Relaxed);
        }
        self.slots = slots;
        true
    }

    /// Writes all pieces with their numbers.
    pub fn save(&self, sink: &mut Sink<'_>) -> io::Result<()> {
        let entries = self.slots.iter().map(|slot| slot.load(Ordering::Relaxed));
        let numbers = entries.filter_map(|entry| (entry as u32).checked_sub(1));
        sink.number(u64::from(self.count()))?;
        sink.number(numbers.clone().count() as u64)?;
        for number in numbers {
            sink.number(u64::from(number))?;
            for word in &self.pieces[number as usize] {
                sink.word(word.load(Ordering::Relaxed))?;
            }
        }
        Ok(())
    }

    /// The table that was written.
    pub fn load(source: &mut Source) -> io::Result<Leaves> {
        let mut leaves = Leaves::new();
        let count = source.number()? as u32;
        *leaves.count.get_mut() = count;
        while leaves.is_full() {
            if !leaves.grow() {
                return Err(damaged("too many pieces"));
            }
        }
        for _ in 0..source.number()? {
            let number = source.number()? as u32;
            let mut piece = [0; WORDS];
            for word in &mut piece {
                *word = source.word()?;
            }
            *leaves.count.get_mut() = number;
            if leaves.number(&piece) != Ok(number) {
                return Err(damaged("a piece with another number"));
            }
        }
        *leaves.count.get_mut() = count;
        Ok(leaves)
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        (size_of_val(self.pieces.as_slice()) + size_of_val(self.slots.as_slice())) as u64
    }
}

/// How many pieces so many slots are for.
fn room(slots: usize) -> usize {
    slots / 4 * 3
}

/// A hash of a piece, good in all of its bits.
#[inline]
fn hash(piece: &Piece) -> u64 {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        (product >> 64) as u64 ^ product as u64
    };
    let first = fold(
        piece[0] ^ 0x2d35_8dcc_aa6c_78a5,
        piece[1] ^ 0x8bb8_4b93_962e_acc9,
    );
    let second = fold(
        piece[2] ^ 0x4b33_a62e_d433_d4a3,
        piece[3] ^ 0x4d5a_2da5_1de1_aa47,
    );
    fold(
        first ^ 0xa076_1d64_78bd_642f,
        second ^ 0xe703_7ed1_a0b4_28db,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(number: u64) -> Piece {
        [number % 7, number, 0, number * number]
    }

    #[test]
    fn numbers_count_and_stay() {
        let mut leaves = Leaves::new();
        for expected in 0..50_000u64 {
            let number = loop {
                match leaves.number(&piece(expected)) {
                    Ok(number) => break number,
                    Err(Crowded) => assert!(leaves.grow()),
                }
            };
            assert_eq!(u64::from(number), expected);
        }
        for expected in 0..50_000u64 {
            assert_eq!(leaves.number(&piece(expected)), Ok(expected as u32));
        }
    }

    #[test]
    fn workers_agree_on_numbers() {
        let mut leaves = Leaves::new();
        for _ in 0..6 {
            leaves.grow();
        }
        let numbers = |order: fn(u64) -> u64| {
            let mut numbers = vec![0; 10_000];
            for step in 0..10_000 {
                let number = order(step);
                numbers[number as usize] = leaves.number(&piece(number)).unwrap();
            }
            numbers
        };
        std::thread::scope(|scope| {
            let up = scope.spawn(|| numbers(|step| step));
            let down = scope.spawn(|| numbers(|step| 9_999 - step));
            assert_eq!(up.join().unwrap(), down.join().unwrap());
        });
    }
}
