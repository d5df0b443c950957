//! What was found, and how to get there: paths are put together from links that different workers have.

use crate::frontier::{read_number, write_number};
use crate::links::follow;
use crate::report::{Defect, Violation};
use crate::sequence::settled_steps;
use crate::system::System;

/// Something that a worker found in one of its states. The steps behind that state are numbers among those possible, which every
/// worker repeats.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Found {
    pub kind: Kind,
    pub place: Place,
    tail: Vec<u32>,
    /// The choices into each level on the way there, the last ones first.
    ways: Vec<Vec<u32>>,
}

/// What was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// The last step fails.
    Failure,
    /// There are no steps.
    Deadlock,
    /// The steps lead round in an atomic sequence that never ends.
    Endless,
}

const KINDS: [Kind; 3] = [Kind::Failure, Kind::Deadlock, Kind::Endless];

impl Kind {
    pub fn number(self) -> u64 {
        let number = KINDS.iter().position(|kind| *kind == self);
        number.unwrap_or_default() as u64
    }

    pub fn of(number: u64) -> Option<Kind> {
        KINDS.get(usize::try_from(number).ok()?).copied()
    }
}

/// A state of a level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    /// Who owns it.
    pub owner: usize,
    pub level: usize,
    pub number: u64,
}

impl Found {
    pub fn new<Y: System>(
        system: &Y,
        kind: Kind,
        (owner, (level, number)): (usize, (usize, u64)),
        state: &[u8],
        tail: &[Y::Step],
    ) -> Found {
        Found {
            kind,
            place: Place {
                owner,
                level,
                number,
            },
            tail: numbers(system, state, tail),
            ways: Vec::new(),
        }
    }

    /// The same in a state that somebody else owns now, or that has another number.
    pub fn at(&self, owner: usize, number: u64) -> Found {
        let place = Place {
            owner,
            number,
            ..self.place
        };
        Found {
            place,
            ..self.clone()
        }
    }

    /// Goes back by one level.
    pub fn go_back(&mut self, owner: usize, number: u64, choices: Vec<u32>) {
        self.place = Place {
            owner,
            level: self.place.level.saturating_sub(1),
            number,
        };
        self.ways.push(choices);
    }

    pub fn write(&self, bytes: &mut Vec<u8>) {
        let Place {
            owner,
            level,
            number,
        } = self.place;
        for number in [
            self.kind.number(),
            owner as u64,
            level as u64,
            number,
            self.tail.len() as u64,
        ] {
            write_number(bytes, number);
        }
        for number in &self.tail {
            write_number(bytes, u64::from(*number));
        }
    }

    pub fn read(bytes: &mut &[u8]) -> Option<Found> {
        let mut next = || read_number(bytes);
        let kind = Kind::of(next()?)?;
        let place = Place {
            owner: next()? as usize,
            level: next()? as usize,
            number: next()?,
        };
        let length = next()?;
        let tail: Option<Vec<u32>> = (0..length).map(|_| Some(next()? as u32)).collect();
        Some(Found {
            kind,
            place,
            tail: tail?,
            ways: Vec::new(),
        })
    }

    /// What it is, with the steps from the initial state, once it was followed back to it. Nothing if the steps are not possible, or
    /// lead to nothing of the kind.
    pub fn repeat<Y: System>(&self, system: &Y) -> Option<Violation<Y::Step, Y::Failure>> {
        let mut scratch = Y::Scratch::default();
        let (mut state, mut steps) = (Vec::new(), Vec::new());
        if let Err(failure) = system.initial(&mut state) {
            let defect = Defect::Failure(failure);
            return Some(Violation { defect, steps });
        }
        for choices in self.ways.iter().rev() {
            if !follow(system, &mut scratch, &mut state, choices, &mut steps) {
                return None;
            }
        }
        let defect = behind(system, &mut state, self.kind, &self.tail, &mut steps)?;
        Some(Violation { defect, steps })
    }
}

/// What is behind a state, by steps that are numbers among those possible. Appends them.
pub(super) fn behind<Y: System>(
    system: &Y,
    state: &mut Vec<u8>,
    kind: Kind,
    tail: &[u32],
    steps: &mut Vec<Y::Step>,
) -> Option<Defect<Y::Failure>> {
    let mut scratch = Y::Scratch::default();
    let (mut next, mut possible) = (Vec::new(), Vec::new());
    if kind == Kind::Deadlock {
        let is_deadlock = !system.enabled(state, &mut possible) && !system.is_valid_end(state);
        return is_deadlock.then_some(Defect::Deadlock);
    }
    for (at, number) in tail.iter().enumerate() {
        possible.clear();
        settled_steps(system, state, &mut possible);
        let step = *possible.get(*number as usize)?;
        steps.push(step);
        let outcome = system.execute(&mut scratch, state, step, &mut next);
        if kind == Kind::Failure && at + 1 == tail.len() {
            return Some(Defect::Failure(outcome.failure?));
        }
        if !outcome.complete {
            return None;
        }
        std::mem::swap(state, &mut next);
    }
    match kind {
        Kind::Endless => Some(Defect::Cycle(steps.len())),
        Kind::Failure | Kind::Deadlock => None,
    }
}

/// The numbers of steps, each among those possible where it is taken.
pub(super) fn numbers<Y: System>(system: &Y, state: &[u8], steps: &[Y::Step]) -> Vec<u32> {
    let mut scratch = Y::Scratch::default();
    let (mut state, mut next, mut possible) = (state.to_vec(), Vec::new(), Vec::new());
    let mut numbers = Vec::new();
    for step in steps {
        possible.clear();
        settled_steps(system, &mut state, &mut possible);
        let number = possible.iter().position(|other| other == step);
        numbers.push(number.map_or(u32::MAX, |number| number as u32));
        system.execute(&mut scratch, &state, *step, &mut next);
        std::mem::swap(&mut state, &mut next);
    }
    numbers
}
