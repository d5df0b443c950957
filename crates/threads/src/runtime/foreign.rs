//! What others write on the stack of an actor.
//!
//! That is no part of what the actor itself is like (`waiting`): when others write is not a matter of its own steps, so two executions that
//! differ only in the order of independent steps would tell different loops to be waiting. What such memory held before counts, until the
//! actor writes it itself. What the actor reads of it, it reads in order: something that it has looked at was changed before, or it is a race.

use super::state;

/// How many words of a stack others can write.
const WORDS: usize = 128;

/// Bytes of a stack that others have written. Memory that is all zero is none.
pub struct Foreign {
    words: [Word; WORDS],
    /// One more than there are places for, if there were too many.
    count: usize,
}

/// Some bytes of a word, and what they were.
#[derive(Clone, Copy)]
struct Word {
    address: usize,
    mask: u64,
    before: u64,
}

impl Foreign {
    /// Others are about to write.
    fn note(&mut self, address: usize, size: usize) {
        for (at, mask) in words(address, size) {
            let known = self.words[..self.count.min(WORDS)]
                .iter_mut()
                .find(|word| word.address == at);
            // SAFETY: a word of a stack.
            let now = unsafe { (at as *const u64).read_volatile() };
            if let Some(word) = known {
                let new = mask & !word.mask;
                word.before = word.before & !new | now & new;
                word.mask |= mask;
            } else if let Some(place) = self.words.get_mut(self.count) {
                *place = Word {
                    address: at,
                    mask,
                    before: now,
                };
                self.count += 1;
            } else {
                self.count = WORDS + 1;
                return;
            }
        }
    }

    /// The owner is about to write.
    fn forget(&mut self, address: usize, size: usize) {
        for word in &mut self.words[..self.count.min(WORDS)] {
            if word.address < address + size && address < word.address + 8 {
                let mut concerned = words(address, size).filter(|(at, _)| *at == word.address);
                word.mask &= !concerned.next().map_or(0, |(_, mask)| mask);
            }
        }
    }

    /// Whether nobody can tell any more what is the owner's.
    pub fn is_full(&self) -> bool {
        self.count > WORDS
    }

    /// A word of the stack as it would be without the others.
    #[inline]
    pub fn without(&self, at: usize, word: u64) -> u64 {
        let known = self.words[..self.count.min(WORDS)].iter();
        let known = known.filter(|known| known.address == at);
        known.fold(word, |word, known| {
            word & !known.mask | known.before & known.mask
        })
    }
}

/// The words that some bytes are in, and which of each.
fn words(address: usize, size: usize) -> impl Iterator<Item = (usize, u64)> {
    let end = address.saturating_add(size);
    let starts = (address & !7..end).step_by(8);
    starts.map(move |at| {
        let from = address.max(at) - at;
        let to = end.min(at + 8) - at;
        let low = |bytes: usize| match bytes {
            8 => u64::MAX,
            bytes => (1u64 << (8 * bytes)) - 1,
        };
        (at, low(to) & !low(from))
    })
}

/// The running actor is about to write.
#[inline]
pub fn about_to_write(address: usize, size: usize, is_own_stack: bool) {
    if is_own_stack {
        let foreign = &mut state::thread().foreign;
        if foreign.count > 0 {
            foreign.forget(address, size);
        }
    } else if let Some(owner) = state::stack_owner(address) {
        state::thread_of(owner).foreign.note(address, size);
    }
}
