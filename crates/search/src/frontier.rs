//! States that are met and not yet left, in few bytes.
//!
//! States of a level stand in batches, in the order in which they were met. Neighbours mostly
//! have the same parent, so each is written as what differs from the one before.

use std::io;

use crate::checkpoint::{Sink, Source, damaged};

/// This many bytes make a batch, or this many states: few enough to share a level out.
const BATCH_BYTES: usize = 1 << 13;
const BATCH_STATES: u64 = 1 << 8;
/// Equal bytes between different ones are copied along if they are fewer than this.
const SHORTEST_GAP: usize = 3;

/// Some states, one after the other.
#[derive(Clone, Default, Debug)]
pub(crate) struct Batch {
    bytes: Vec<u8>,
    count: u64,
    /// The last state, while there are more to come.
    last: Vec<u8>,
}

impl Batch {
    /// Adds a state behind the others.
    pub fn push(&mut self, state: &[u8]) {
        write_number(&mut self.bytes, state.len() as u64);
        let differs = |at: usize| self.last.get(at) != Some(&state[at]);
        let mut at = 0;
        while at < state.len() {
            let common = self.last.len().min(state.len()).max(at);
            let before = self.last.get(at..common).unwrap_or_default();
            let start = at + equal_bytes(&state[at..common], before);
            let mut end = start;
            for next in start..state.len() {
                if differs(next) {
                    end = next + 1;
                } else if next - end >= SHORTEST_GAP {
                    break;
                }
            }
            write_number(&mut self.bytes, (start - at) as u64);
            write_number(&mut self.bytes, (end - start) as u64);
            self.bytes.extend_from_slice(&state[start..end]);
            at = end;
        }
        self.last.clear();
        self.last.extend_from_slice(state);
        self.count += 1;
    }

    /// Is it large enough?
    pub fn is_full(&self) -> bool {
        self.bytes.len() >= BATCH_BYTES || self.count >= BATCH_STATES
    }

    /// No more states will be added.
    pub fn close(&mut self) {
        self.last = Vec::new();
        self.bytes.shrink_to_fit();
    }

    /// The bytes that its states take.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Its states as bytes, for [`Reader::of`].
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many states it has.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Writes a batch that is closed.
    pub fn save(&self, sink: &mut Sink<'_>) -> io::Result<()> {
        sink.number(self.count)?;
        sink.bytes(&self.bytes)
    }

    /// The batch that was written, if all in it have the form of states.
    pub fn load(source: &mut Source, is_state: impl Fn(&[u8]) -> bool) -> io::Result<Batch> {
        let batch = Batch {
            count: source.number()?,
            bytes: source.bytes()?,
            last: Vec::new(),
        };
        let mut reader = batch.read();
        let mut state = Vec::new();
        let mut count = 0;
        while !reader.rest.is_empty() {
            if !reader.next(&mut state) || !is_state(&state) {
                return Err(damaged("a state that is none"));
            }
            count += 1;
        }
        match count == batch.count {
            true => Ok(batch),
            false => Err(damaged("another number of states")),
        }
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        (self.bytes.capacity() + self.last.capacity() + size_of::<Batch>()) as u64
    }

    /// Its states from the beginning.
    pub fn read(&self) -> Reader<'_> {
        Reader::of(&self.bytes)
    }
}

/// Reads the states of a batch in their order.
pub(crate) struct Reader<'a> {
    rest: &'a [u8],
    /// The first state is written in full; what was there before does not matter.
    is_first: bool,
}

impl<'a> Reader<'a> {
    /// Reads what [`Batch::as_bytes`] gave.
    pub fn of(bytes: &'a [u8]) -> Reader<'a> {
        Reader {
            rest: bytes,
            is_first: true,
        }
    }

    /// Have all states been read?
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Turns the state before, at first any, into the next one, if there is one.
    pub fn next(&mut self, state: &mut Vec<u8>) -> bool {
        self.advance(state).is_some()
    }

    fn advance(&mut self, state: &mut Vec<u8>) -> Option<()> {
        if std::mem::take(&mut self.is_first) {
            state.clear();
        }
        let length = read_number(&mut self.rest)? as usize;
        // What is longer than the state before is among the bytes that follow.
        if length > state.len() + self.rest.len() {
            return None;
        }
        state.resize(length, 0);
        let mut at = 0;
        while at < state.len() {
            let same = read_number(&mut self.rest)? as usize;
            let changed = read_number(&mut self.rest)? as usize;
            let (bytes, rest) = self.rest.split_at_checked(changed)?;
            let start = at.checked_add(same)?;
            let end = start.checked_add(changed)?;
            state.get_mut(start..end)?.copy_from_slice(bytes);
            // A piece of nothing would go on for ever.
            if end == at {
                return None;
            }
            at = end;
            self.rest = rest;
        }
        Some(())
    }
}

/// How many bytes at the beginning are the same, of two slices of one length. States are long, and most of their bytes are, so eight
/// are compared at a time.
#[inline]
fn equal_bytes(one: &[u8], other: &[u8]) -> usize {
    let (words, _) = one.as_chunks::<8>();
    let (others, _) = other.as_chunks::<8>();
    let pairs = words.iter().zip(others);
    for (number, (word, other)) in pairs.enumerate() {
        let difference = u64::from_le_bytes(*word) ^ u64::from_le_bytes(*other);
        if difference != 0 {
            return number * 8 + difference.trailing_zeros() as usize / 8;
        }
    }
    let rest = words.len().min(others.len()) * 8;
    let pairs = one[rest..].iter().zip(&other[rest..]);
    rest + pairs.take_while(|(one, other)| one == other).count()
}

/// Writes a number, seven bits to a byte, the lowest first.
pub(crate) fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads a number, unless there is none.
pub(crate) fn read_number(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    let mut shift = 0;
    loop {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        shift += 7;
        if byte & 0x80 == 0 || shift > 63 {
            return Some(number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn numbers_come_back() {
        let numbers = [0, 1, 127, 128, 300, 1 << 40, u64::MAX];
        let mut bytes = Vec::new();
        for number in numbers {
            write_number(&mut bytes, number);
        }
        let mut rest = &bytes[..];
        for number in numbers {
            assert_eq!(read_number(&mut rest), Some(number));
        }
        assert_eq!(read_number(&mut rest), None);
    }

    #[test]
    fn states_come_back_in_their_order() {
        let mut random = Random::new(5);
        let mut state = vec![7; 40];
        let mut batch = Batch::default();
        let mut states = Vec::new();
        for _ in 0..3000 {
            if random.below(20) == 0 {
                state.resize(random.below(300), 1);
            }
            for _ in 0..random.below(4) {
                if !state.is_empty() {
                    let at = random.below(state.len());
                    state[at] = random.below(3) as u8;
                }
            }
            batch.push(&state);
            states.push(state.clone());
        }
        batch.close();
        assert_eq!(batch.count(), 3000);
        assert!(batch.bytes() < 3000 * 40);
        let mut reader = batch.read();
        let mut read = Vec::new();
        for state in states {
            assert!(reader.next(&mut read));
            assert_eq!(read, state);
        }
        assert!(!reader.next(&mut read));
    }
}
