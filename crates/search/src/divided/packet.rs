//! States on their way to the worker that owns them.
//!
//! A packet holds states as a level of a search does, each as what differs from the one before, and how each was reached. It begins with
//! what the sender has numbered since the last packet to the same worker.

use crate::frontier::{Batch, Reader, read_number, write_number};
use crate::links::{Links, read_link};

/// A packet goes when it has this many bytes of states, or this many states.
const PACKET_BYTES: usize = 1 << 14;
const PACKET_STATES: u64 = 1 << 11;

/// A packet that is being filled.
#[derive(Default)]
pub(super) struct Outgoing {
    states: Batch,
    links: Links,
    /// The numbers, in this packet, of the states about which something is asked.
    asked: Vec<u8>,
    last_asked: u64,
}

impl Outgoing {
    /// Adds a state, and whether an answer is wanted.
    #[inline]
    pub fn push(&mut self, state: &[u8], parent: u64, choices: &[u32], asks: bool) {
        if asks {
            let number = self.states.count();
            write_number(&mut self.asked, number - self.last_asked);
            self.last_asked = number;
        }
        self.states.push(state);
        self.links.push(parent, choices);
    }

    pub fn is_empty(&self) -> bool {
        self.states.count() == 0
    }

    pub fn is_full(&self) -> bool {
        self.states.len() >= PACKET_BYTES || self.states.count() >= PACKET_STATES
    }

    /// The packet as bytes, behind what stands in `bytes` already. It is empty then.
    pub fn finish(&mut self, bytes: &mut Vec<u8>, context: &[u8]) {
        for part in [context, self.asked.as_slice(), self.links.as_bytes()] {
            write_number(bytes, part.len() as u64);
            bytes.extend_from_slice(part);
        }
        bytes.extend_from_slice(self.states.as_bytes());
        *self = Outgoing::default();
    }
}

/// A packet that arrived.
pub(super) struct Incoming<'p> {
    /// What the sender has numbered.
    pub context: &'p [u8],
    asked: &'p [u8],
    next_asked: Option<u64>,
    links: &'p [u8],
    parent: u64,
    states: Reader<'p>,
    number: u64,
}

/// How a state in a packet was reached.
pub(super) struct Reached {
    /// The number of its parent.
    pub parent: u64,
    /// Is an answer wanted?
    pub asks: bool,
}

impl<'p> Incoming<'p> {
    /// Reads a packet, unless it is none.
    pub fn new(mut bytes: &'p [u8]) -> Option<Incoming<'p>> {
        let mut part = || {
            let length = usize::try_from(read_number(&mut bytes)?).ok()?;
            let (part, rest) = bytes.split_at_checked(length)?;
            bytes = rest;
            Some(part)
        };
        let (context, mut asked, links) = (part()?, part()?, part()?);
        Some(Incoming {
            context,
            next_asked: read_number(&mut asked),
            asked,
            links,
            parent: 0,
            states: Reader::of(bytes),
            number: 0,
        })
    }

    /// Have all states been read?
    pub fn is_empty(&self) -> bool {
        self.states.is_empty()
    }

    /// Turns the state before into the next one, and appends the choices that led there. Nothing is said by a packet that is none.
    #[inline]
    pub fn next(&mut self, state: &mut Vec<u8>, choices: &mut Vec<u32>) -> Option<Reached> {
        if !self.states.next(state) {
            return None;
        }
        let distance = read_link(&mut self.links, |choice| choices.push(choice as u32))?;
        self.parent = self.parent.checked_add(distance)?;
        let asks = self.next_asked == Some(self.number);
        if asks {
            let distance = read_number(&mut self.asked);
            self.next_asked = distance.map(|distance| self.number.saturating_add(distance));
        }
        self.number += 1;
        let parent = self.parent;
        Some(Reached { parent, asks })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_arrive_as_they_were_sent() {
        let mut outgoing = Outgoing::default();
        for number in 0..300u64 {
            let state = [7, 7, number as u8, 7, (number / 3) as u8];
            let choices = [number as u32; 3];
            let choices = &choices[..number as usize % 4];
            outgoing.push(&state, number / 2, choices, number % 5 == 0);
        }
        let mut bytes = Vec::new();
        outgoing.finish(&mut bytes, b"context");
        assert!(outgoing.is_empty());
        let mut incoming = Incoming::new(&bytes).unwrap();
        assert_eq!(incoming.context, b"context");
        let (mut state, mut choices) = (Vec::new(), Vec::new());
        for number in 0..300u64 {
            choices.clear();
            let reached = incoming.next(&mut state, &mut choices).unwrap();
            assert_eq!(state, [7, 7, number as u8, 7, (number / 3) as u8]);
            assert_eq!(reached.parent, number / 2);
            assert_eq!(reached.asks, number % 5 == 0);
            assert_eq!(choices.len() as u64, number % 4);
        }
        assert!(incoming.is_empty());
        for cut in 0..bytes.len() {
            let Some(mut incoming) = Incoming::new(&bytes[..cut]) else {
                continue;
            };
            while incoming.next(&mut state, &mut choices).is_some() {}
        }
    }
}
