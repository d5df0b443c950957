//! Which states were sent recently, so that they are not sent again.
//!
//! States are kept in full: a cache that knew them by a hash could take a state for another, and the search would not be exact any more.
//! The bytes stand in a ring, so the oldest are forgotten first.

/// This many states are known at a time, or as many as fit into the ring.
const SLOTS: usize = 1 << 16;
/// The bytes of the ring.
const RING: usize = 4 << 20;

/// The states that were sent recently.
pub(super) struct Sent {
    slots: Vec<Slot>,
    ring: Vec<u8>,
    /// Where the next state goes, if the ring had no end.
    next: u64,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    hash: u64,
    /// Where the state begins, if the ring had no end.
    start: u64,
    /// Its bytes, plus one; zero if there is none.
    length: u32,
}

impl Sent {
    pub fn new() -> Sent {
        Sent {
            slots: Vec::new(),
            ring: Vec::new(),
            next: 0,
        }
    }

    /// Was this state, which has that hash, sent before? From now on it was.
    #[inline]
    pub fn note(&mut self, hash: u64, state: &[u8]) -> bool {
        if self.slots.is_empty() {
            self.slots = vec![Slot::default(); SLOTS];
            self.ring = vec![0; RING];
        }
        let slot = &mut self.slots[hash as usize % SLOTS];
        if slot.hash == hash && slot.length as usize == state.len() + 1 {
            let is_there = self.next - slot.start <= RING as u64;
            let at = slot.start as usize % RING;
            if is_there && self.ring[at..at + state.len()] == *state {
                return true;
            }
        }
        if state.len() > RING / 16 {
            return false;
        }
        let mut at = self.next as usize % RING;
        if at + state.len() > RING {
            self.next += (RING - at) as u64;
            at = 0;
        }
        *slot = Slot {
            hash,
            start: self.next,
            length: state.len() as u32 + 1,
        };
        self.ring[at..at + state.len()].copy_from_slice(state);
        self.next += state.len() as u64;
        false
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        (self.ring.len() + self.slots.len() * size_of::<Slot>()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// States whose hashes are all alike are told apart, and those that the ring has lost are not known.
    #[test]
    fn only_what_was_sent_is_known() {
        let mut random = Random::new(3);
        let mut sent = Sent::new();
        let mut all = std::collections::HashSet::new();
        let mut known = 0;
        for _ in 0..400_000 {
            let length = 3 + random.below(60);
            let state: Vec<u8> = (0..length).map(|_| random.below(2) as u8).collect();
            let short = &state[..3 + random.below(length - 2)];
            let hash = random.below(5) as u64 * short.len() as u64;
            if sent.note(hash, short) {
                known += 1;
                assert!(all.contains(short));
            }
            all.insert(short.to_vec());
        }
        assert!(known > 0);
    }
}
