//! How each state of a breadth-first search was reached, in a byte or two.
//!
//! A link says which state of the level before was left, as a distance from the link before, and
//! which of the possible steps was taken, as a number; the steps of an atomic sequence have a number
//! each unless there was no choice. So a link can only be followed by repeating the search's steps,
//! which costs nothing: it happens once for each violation.

use std::io;

use crate::checkpoint::{Sink, Source, damaged};
use crate::frontier::{read_number, write_number};
use crate::sequence::{LONG_SEQUENCE, settle};
use crate::system::System;

/// The links of states that one worker met in one level, in the order in which they were met.
#[derive(Clone, Default, Debug)]
pub(crate) struct Links {
    bytes: Vec<u8>,
    count: u64,
    last_parent: u64,
}

impl Links {
    /// Adds a link: the number of the parent in its level, which never decreases, and the numbers
    /// of the steps taken wherever there was a choice.
    pub fn push(&mut self, parent: u64, choices: &[u32]) {
        let distance = parent - self.last_parent;
        write_number(
            &mut self.bytes,
            distance << 1 | u64::from(choices.len() != 1),
        );
        if choices.len() != 1 {
            write_number(&mut self.bytes, choices.len() as u64);
        }
        for choice in choices {
            write_number(&mut self.bytes, u64::from(*choice));
        }
        self.last_parent = parent;
        self.count += 1;
    }

    /// How many there are.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// No more links will be added.
    pub fn close(&mut self) {
        self.bytes.shrink_to_fit();
    }

    /// The links as bytes, for [`read_link`].
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Writes links that are closed.
    pub fn save(&self, sink: &mut Sink<'_>) -> io::Result<()> {
        sink.number(self.count)?;
        sink.bytes(&self.bytes)
    }

    /// The links that were written, to states that come from this many others.
    pub fn load(source: &mut Source, parents: u64) -> io::Result<Links> {
        let links = Links {
            count: source.number()?,
            bytes: source.bytes()?,
            last_parent: 0,
        };
        let mut rest = &links.bytes[..];
        let (mut parent, mut count) = (0u64, 0);
        while !rest.is_empty() {
            let link = read_link(&mut rest, |_| ());
            let link = link.and_then(|distance| parent.checked_add(distance));
            parent = link
                .filter(|parent| *parent < parents)
                .ok_or_else(|| damaged("a wrong link"))?;
            count += 1;
        }
        match count == links.count {
            true => Ok(links),
            false => Err(damaged("another number of links")),
        }
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        (self.bytes.capacity() + size_of::<Links>()) as u64
    }

    /// The parent of a state and the choices that led from there.
    pub fn find(&self, number: u64) -> Option<(u64, Vec<u32>)> {
        let mut rest = &self.bytes[..];
        let mut parent = 0;
        for _ in 0..number {
            parent += read_link(&mut rest, |_| ())?;
        }
        let mut choices = Vec::new();
        parent += read_link(&mut rest, |choice| choices.push(choice as u32))?;
        Some((parent, choices))
    }
}

/// Reads a link: how far its parent is from the one before. Shows the choices.
pub(crate) fn read_link(bytes: &mut &[u8], mut show: impl FnMut(u64)) -> Option<u64> {
    let first = read_number(bytes)?;
    let count = match first & 1 {
        0 => 1,
        _ => read_number(bytes)?,
    };
    for _ in 0..count {
        show(read_number(bytes)?);
    }
    Some(first >> 1)
}

/// The steps that lead from the initial state to a state of the last level, and whether they do.
///
/// `levels` are the links into each level but that of the initial state; a state is known by its
/// number in its level, worker after worker. Only a forged checkpoint has links that lead nowhere, or to another state;
/// then the path ends where they do.
pub(crate) fn path<Y: System>(
    system: &Y,
    levels: &[Vec<Links>],
    number: u64,
    end: &[u8],
) -> (Vec<Y::Step>, bool) {
    let mut ways = Vec::new();
    let mut number = number;
    for level in levels.iter().rev() {
        for links in level {
            if number < links.count {
                let (parent, choices) = links.find(number).unwrap_or_default();
                ways.push(choices);
                number = parent;
                break;
            }
            number -= links.count;
        }
    }
    let mut path = Vec::new();
    let mut state = Vec::new();
    let mut scratch = Y::Scratch::default();
    let mut ways = ways.iter().rev();
    let leads_there = system.initial(&mut state).is_ok()
        && ways.all(|choices| follow(system, &mut scratch, &mut state, choices, &mut path))
        && state == end;
    (path, leads_there)
}

/// Goes from one state to the next, through an atomic sequence if there is one. Says whether that is possible.
pub(crate) fn follow<Y: System>(
    system: &Y,
    scratch: &mut Y::Scratch,
    state: &mut Vec<u8>,
    choices: &[u32],
    path: &mut Vec<Y::Step>,
) -> bool {
    let mut choices = choices.iter();
    let mut steps = Vec::new();
    let mut next = Vec::new();
    // A search goes around in a sequence only while it is short. One that never ends comes back to a state noted before.
    let mut noted = Vec::new();
    system.enabled(state, &mut steps);
    for passing in 1u64.. {
        let number = match steps.len() {
            1 => Some(0),
            _ => choices.next().map(|choice| *choice as usize),
        };
        let Some(&step) = number.and_then(|number| steps.get(number)) else {
            return false;
        };
        path.push(step);
        if !system.execute(scratch, state, step, &mut next).complete {
            return false;
        }
        std::mem::swap(state, &mut next);
        if !settle(system, state, &mut steps) {
            return true;
        }
        if noted == *state {
            return false;
        }
        if passing > u64::from(LONG_SEQUENCE) && passing.is_power_of_two() {
            noted.clone_from(state);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_found_again() {
        let given: Vec<(u64, Vec<u32>)> = (0..500u64)
            .map(|number| {
                let choices = (0..number % 4).map(|choice| (choice * number) as u32);
                (number * number / 7, choices.collect())
            })
            .collect();
        let mut links = Links::default();
        for (parent, choices) in &given {
            links.push(*parent, choices);
        }
        links.close();
        for (number, link) in given.into_iter().enumerate() {
            assert_eq!(links.find(number as u64), Some(link));
        }
        assert_eq!(links.find(500), None);
    }
}
