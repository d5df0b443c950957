//! Lists of successors that workers find for each other.
//!
//! For each state there is a word: nobody has begun, somebody has, or where the list is and how long. Lists
//! lie one behind the other in chunks, each of which doubles what there is; a worker takes a piece at a time for its
//! lists.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The entries of the first chunk.
const FIRST_CHUNK: usize = 1 << 12;
/// More chunks than anybody has memory for.
const CHUNKS: usize = 32;
/// Entries that a worker takes at a time.
const PIECE: u64 = 1 << 10;

const BEGUN: u64 = 1;
/// Bits of a word for the length of a list, plus two.
const LENGTH_BITS: u32 = 24;
const LONGEST: usize = (1 << LENGTH_BITS) - 3;

/// Lists of numbers, by number.
pub(super) struct Lists {
    words: Chunks<AtomicU64>,
    entries: Chunks<AtomicU32>,
    /// Where the next piece begins.
    next: AtomicU64,
}

/// What is left of a worker's piece.
#[derive(Default)]
pub(super) struct Piece {
    from: u64,
    to: u64,
}

/// What is known of a list.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum List {
    /// Whoever asks is the first to do so, and makes it.
    Own,
    /// Somebody is about to make it.
    Begun,
    /// Where it begins and how long it is.
    Made(u64, usize),
}

impl Lists {
    pub fn new() -> Lists {
        Lists {
            words: Chunks::new(),
            entries: Chunks::new(),
            next: AtomicU64::new(0),
        }
    }

    /// Asks for the list of a state, to make it if nobody else does.
    pub fn ask(&self, state: u32) -> List {
        let word = self.words.get(u64::from(state));
        let (success, failure) = (Ordering::Acquire, Ordering::Acquire);
        match word.compare_exchange(0, BEGUN, success, failure) {
            Ok(_) => List::Own,
            Err(BEGUN) => List::Begun,
            Err(made) => {
                let length = (made & ((1 << LENGTH_BITS) - 1)) as usize - 2;
                List::Made(made >> LENGTH_BITS, length)
            }
        }
    }

    /// An entry of a list that is made.
    pub fn entry(&self, at: u64) -> u32 {
        self.entries.get(at).load(Ordering::Relaxed)
    }

    /// Makes the list of a state. One that is too long is left to whoever needs it.
    pub fn make(&self, state: u32, list: &[u32], piece: &mut Piece) {
        let length = list.len() as u64;
        if list.len() > LONGEST {
            return;
        }
        if piece.to - piece.from < length {
            let size = PIECE.max(length);
            piece.from = self.next.fetch_add(size, Ordering::Relaxed);
            piece.to = piece.from + size;
        }
        for (offset, entry) in list.iter().enumerate() {
            let at = piece.from + offset as u64;
            self.entries.get(at).store(*entry, Ordering::Relaxed);
        }
        let made = piece.from << LENGTH_BITS | (length + 2);
        piece.from += length;
        let word = self.words.get(u64::from(state));
        word.store(made, Ordering::Release);
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        self.words.bytes() + self.entries.bytes()
    }
}

/// Numbers that others read while more are added.
struct Chunks<T>(Vec<OnceLock<Box<[T]>>>);

impl<T: Default> Chunks<T> {
    fn new() -> Chunks<T> {
        Chunks((0..CHUNKS).map(|_| OnceLock::new()).collect())
    }

    fn get(&self, at: u64) -> &T {
        let at = at as usize;
        let doublings = (at / FIRST_CHUNK).checked_ilog2();
        let chunk = doublings.map_or(0, |log| log as usize + 1);
        let first = match chunk {
            0 => 0,
            _ => FIRST_CHUNK << (chunk - 1),
        };
        let made = || {
            (first..FIRST_CHUNK << chunk)
                .map(|_| T::default())
                .collect()
        };
        &self.0[chunk].get_or_init(made)[at - first]
    }

    fn bytes(&self) -> u64 {
        let chunks = self.0.iter().filter_map(OnceLock::get);
        chunks
            .map(|chunk| (chunk.len() * size_of::<T>()) as u64)
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_found_again() {
        let lists = Lists::new();
        let piece = &mut Piece::default();
        for state in 0..3000u32 {
            assert_eq!(lists.ask(state), List::Own);
            assert_eq!(lists.ask(state), List::Begun);
            let list: Vec<u32> = (0..state % 7).map(|entry| state + entry).collect();
            lists.make(state, &list, piece);
        }
        for state in 0..3000u32 {
            let List::Made(from, length) = lists.ask(state) else {
                panic!("the list of {state} is made");
            };
            assert_eq!(length, state as usize % 7);
            for offset in 0..length as u64 {
                assert_eq!(lists.entry(from + offset), state + offset as u32);
            }
        }
    }
}
