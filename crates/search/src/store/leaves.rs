//! A table that numbers pieces of states: the leaves of the tree.
//!
//! As with [`super::nodes`], equal pieces get the same number, numbers count from zero, and a number
//! stays the same when the table grows.

use std::io;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::Crowded;
use super::nodes::{Given, NUMBER_BITS};
use crate::apart::Apart;
use crate::checkpoint::{Sink, Source, damaged};
use crate::huge_pages;

/// The words of a piece.
pub const WORDS: usize = 4;
const FIRST_SLOTS: usize = 1 << 10;
const FIRST_ROOM: u32 = 1 << 8;

/// A piece of a state, filled up with zeros.
pub type Piece = [u64; WORDS];

/// Numbers by piece.
#[derive(Debug)]
pub struct Leaves {
    /// The pieces, by number; as many as there is room for.
    pieces: Vec<AtomicU64>,
    /// How many words of each piece are kept; the others are zero in all of them.
    words: usize,
    /// How many numbers were given out; more than there is room for if the table is full.
    count: Apart<AtomicU32>,
    /// How many there is room for.
    room: u32,
    /// Open addressing: zero, or the number plus one, and above it as much of the hash as fits.
    slots: Vec<AtomicU32>,
}

impl Leaves {
    /// An empty table.
    pub fn new() -> Leaves {
        Leaves {
            pieces: Vec::new(),
            words: 0,
            count: Apart(AtomicU32::new(0)),
            room: 0,
            slots: huge_pages::zeroed(FIRST_SLOTS),
        }
    }

    /// There will be pieces of this many words.
    pub fn widen(&mut self, words: usize) {
        if words > self.words {
            let before = self.words;
            let old = std::mem::take(&mut self.pieces);
            self.words = words;
            self.set_room(self.room.max(FIRST_ROOM));
            if before > 0 {
                let pieces = old.chunks_exact(before);
                for (piece, place) in pieces.zip(self.pieces.chunks_exact_mut(words)) {
                    for (word, place) in piece.iter().zip(place) {
                        *place.get_mut() = word.load(Ordering::Relaxed);
                    }
                }
            }
        }
    }

    /// The number of a piece, which is a new one if the piece was not met before.
    #[inline]
    pub fn number(&self, piece: &Piece) -> Result<u32, Crowded> {
        let hash = hash(piece);
        let mask = self.mask();
        let mut slot = home(hash) & mask;
        loop {
            let entry = self.slots[slot as usize].load(Ordering::Acquire);
            if entry == 0 {
                return self.append(piece, hash, slot);
            }
            if (entry ^ hash as u32) & !mask == 0 && self.is(entry & mask, piece) {
                return Ok((entry & mask).wrapping_sub(1));
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The part of a slot that is a number.
    #[inline]
    fn mask(&self) -> u32 {
        self.slots.len() as u32 - 1
    }

    /// Where a piece is kept.
    #[inline]
    fn place(&self, number: u32) -> Option<&[AtomicU64]> {
        let start = number as usize * self.words;
        self.pieces.get(start..start + self.words)
    }

    /// Is this the number, plus one, of a piece?
    #[inline]
    fn is(&self, number: u32, piece: &Piece) -> bool {
        let found = self.place(number.wrapping_sub(1)).unwrap_or(&[]);
        let differing = |(found, word): (&AtomicU64, &u64)| found.load(Ordering::Relaxed) ^ word;
        found.iter().zip(piece).map(differing).fold(0, |a, b| a | b) == 0
    }

    /// Writes the piece first and publishes its number afterwards, so that nobody sees one without
    /// the other. Of two workers with the same piece one wins; the number of the other is lost.
    #[cold]
    fn append(&self, piece: &Piece, hash: u64, mut slot: u32) -> Result<u32, Crowded> {
        debug_assert!(piece[self.words..].iter().all(|word| *word == 0));
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        if number >= self.room {
            self.count.fetch_sub(1, Ordering::Relaxed);
            return Err(Crowded);
        }
        let place = self.place(number).unwrap_or(&[]);
        for (place, word) in place.iter().zip(piece) {
            place.store(*word, Ordering::Relaxed);
        }
        let mask = self.mask();
        let entry = hash as u32 & !mask | (number + 1);
        loop {
            let place = &self.slots[slot as usize];
            match place.compare_exchange(0, entry, Ordering::AcqRel, Ordering::Acquire) {
                Ok(_) => return Ok(number),
                Err(other) if (other ^ entry) & !mask == 0 && self.is(other & mask, piece) => {
                    return Ok((other & mask).wrapping_sub(1));
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
        self.count() >= self.room
    }

    /// The bytes that growing takes in addition.
    pub fn bytes_to_grow(&self) -> u64 {
        // The old slots are freed only when the new ones are filled, and so are the old pieces.
        self.bytes() * 2
    }

    /// Makes room for a quarter more pieces. Not possible once numbers run out.
    pub fn grow(&mut self) -> bool {
        let room = self.room + (self.room / 4).max(FIRST_ROOM);
        if room as usize > self.slots.len() / 4 * 3 && !self.double_slots() {
            return false;
        }
        let old = std::mem::take(&mut self.pieces);
        self.set_room(room);
        for (place, word) in self.pieces.iter_mut().zip(old) {
            *place = word;
        }
        true
    }

    fn set_room(&mut self, room: u32) {
        self.room = room;
        self.pieces = huge_pages::zeroed(room as usize * self.words);
    }

    fn double_slots(&mut self) -> bool {
        let slots: usize = self.slots.len() * 2;
        if slots > 1 << NUMBER_BITS {
            return false;
        }
        let old_mask = self.mask();
        let old = std::mem::replace(&mut self.slots, huge_pages::zeroed(slots));
        let mask = self.mask();
        // Numbers that were lost are in no slot, so they cannot come back.
        for entry in old {
            let number = entry.into_inner() & old_mask;
            if number == 0 {
                continue;
            }
            let hash = hash(&self.piece(number - 1));
            let mut slot = home(hash) & mask;
            while *self.slots[slot as usize].get_mut() != 0 {
                slot = (slot + 1) & mask;
            }
            *self.slots[slot as usize].get_mut() = hash as u32 & !mask | number;
        }
        true
    }

    /// The piece with a number.
    pub fn piece(&self, number: u32) -> Piece {
        let mut piece = [0; WORDS];
        let kept = self.place(number).unwrap_or(&[]);
        for (word, kept) in piece.iter_mut().zip(kept) {
            *word = kept.load(Ordering::Relaxed);
        }
        piece
    }

    /// Writes all pieces with their numbers.
    pub fn save(&self, sink: &mut Sink<'_>) -> io::Result<()> {
        let entries = self.slots.iter().map(|slot| slot.load(Ordering::Relaxed));
        let numbers = entries.filter_map(|entry| (entry & self.mask()).checked_sub(1));
        Given::save(self.count(), numbers.clone().count(), sink)?;
        for number in numbers {
            sink.number(u64::from(number))?;
            for word in self.piece(number) {
                sink.word(word)?;
            }
        }
        Ok(())
    }

    /// Becomes the table that was written, if it is empty and wide enough.
    pub fn load(&mut self, source: &mut Source) -> io::Result<()> {
        let leaves = self;
        let mut given = Given::load(source, 1 + 8 * WORDS as u64)?;
        *leaves.count.get_mut() = given.room();
        while leaves.is_full() {
            if !leaves.grow() {
                return Err(damaged("too many pieces"));
            }
        }
        for _ in 0..given.count {
            let number = given.take(source.number()?)?;
            let mut piece = [0; WORDS];
            for word in &mut piece {
                *word = source.word()?;
            }
            if piece[leaves.words..].iter().any(|word| *word != 0) {
                return Err(damaged("a piece that is too long"));
            }
            *leaves.count.get_mut() = number;
            if leaves.number(&piece) != Ok(number) {
                return Err(damaged("a piece with another number"));
            }
        }
        *leaves.count.get_mut() = given.room();
        Ok(())
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        (size_of_val(self.pieces.as_slice()) + size_of_val(self.slots.as_slice())) as u64
    }
}

/// Where a piece of this hash is looked for first, but for the mask.
#[inline]
fn home(hash: u64) -> u32 {
    (hash >> 32) as u32
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
        let last = if number < 300 { 0 } else { number * number };
        [number % 7, number, 0, last]
    }

    #[test]
    fn numbers_count_and_stay() {
        let mut leaves = Leaves::new();
        leaves.widen(2);
        for expected in 0..50_000u64 {
            let number = loop {
                match leaves.number(&piece(expected)) {
                    Ok(number) => break number,
                    Err(Crowded) => assert!(leaves.grow()),
                }
            };
            assert_eq!(u64::from(number), expected);
            if expected == 299 {
                leaves.widen(4);
            }
        }
        for expected in 0..50_000u64 {
            assert_eq!(leaves.number(&piece(expected)), Ok(expected as u32));
        }
    }

    #[test]
    fn workers_agree_on_numbers() {
        let mut leaves = Leaves::new();
        leaves.widen(4);
        for _ in 0..18 {
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
