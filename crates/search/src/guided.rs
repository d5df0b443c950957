//! Guided search: the state that looks best is left first.
//!
//! The user says what looks good: a cost over the state, the less the better; among equals the one met
//! first comes first. Every state is left sooner or later, so the search is as exhaustive as any other; only
//! where it looks first is different.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::bookkeeping::{Bookkeeping, Control};
use crate::exact::{Exact, Insertion, Position};
use crate::report::{Defect, Observer, Options, Report, Statistics, StopReason};
use crate::system::System;

/// An atomic sequence of this many steps might never end: from here on its states are stored, so
/// that a cycle is noticed.
const LONG_SEQUENCE: usize = 1000;

/// Explores everything that can be reached, states of the least cost first.
///
/// As breadth-first, depth counts the states that others can see.
pub fn guided<Y: System>(
    system: &Y,
    cost: &dyn Fn(&[u8]) -> i64,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Report<Y> {
    let control = Control::new(options, 1);
    let mut watch = |statistics: &Statistics| observer.progress(statistics);
    let mut search = Guided {
        system,
        cost,
        book: Bookkeeping::new(system, &control, 0, Some(&mut watch)),
        store: Exact::new(system.ignored_suffix(), options.memory),
        passing: Exact::new(0, options.memory),
        waiting: BinaryHeap::new(),
        origins: Vec::new(),
        paths: Vec::new(),
        sequence: Vec::new(),
        current: 0,
        scratch: Y::Scratch::default(),
    };
    let result = search.run();
    let bytes = search.store.bytes() + search.bytes();
    if let Err(reason) = result {
        control.halt(reason);
    }
    control.merge(vec![search.book], bytes, 0.0)
}

struct Guided<'a, Y: System> {
    system: &'a Y,
    cost: &'a dyn Fn(&[u8]) -> i64,
    book: Bookkeeping<'a, Y>,
    store: Exact,
    /// States inside very long atomic sequences.
    passing: Exact,
    /// The states still to be left: cost and number.
    waiting: BinaryHeap<Reverse<(i64, u32)>>,
    /// For each stored state, in the order in which they were met.
    origins: Vec<Origin>,
    /// The steps into each state, one after the other.
    paths: Vec<Y::Step>,
    /// The steps taken from the state at hand.
    sequence: Vec<Y::Step>,
    /// The number of the state at hand.
    current: u32,
    scratch: Y::Scratch,
}

/// Where a state is, and where it was reached from.
struct Origin {
    position: Position,
    parent: u32,
    /// How many states lie before it on its path.
    depth: u32,
    /// Where the steps from the parent begin in `paths`; they end where the next ones begin.
    path: u64,
}

impl<Y: System> Guided<'_, Y> {
    fn run(&mut self) -> Result<(), StopReason> {
        let mut state = Vec::new();
        if let Err(failure) = self.system.initial(&mut state) {
            return self
                .book
                .violation(Defect::Failure(failure), None, Vec::new);
        }
        self.arrive(&state)?;
        let mut steps = Vec::new();
        while let Some(Reverse((_, number))) = self.waiting.pop() {
            self.current = number;
            let position = self.origins[number as usize].position;
            state.clear();
            state.extend_from_slice(self.store.get(position));
            self.leave(&state, &mut steps)?;
        }
        Ok(())
    }

    /// Takes all steps from a state. Those into atomic sequences are followed, depth-first, to
    /// the sequences' ends.
    fn leave(&mut self, state: &[u8], steps: &mut Vec<Y::Step>) -> Result<(), StopReason> {
        steps.clear();
        let leads_on = self.system.enabled(state, steps);
        if !leads_on && !self.system.is_valid_end(state) {
            self.book.violation(Defect::Deadlock, None, || {
                path(&self.origins, &self.paths, self.current)
            })?;
        }
        let depth = self.origins[self.current as usize].depth as usize;
        if self.book.options.depth.is_some_and(|limit| depth >= limit) {
            self.book.cut |= !steps.is_empty();
            return Ok(());
        }
        // States still to be left, with their steps: the next one, and where they end.
        let mut open = vec![(state.to_vec(), 0, steps.len())];
        let mut next = Vec::new();
        while let Some((from, taken, end)) = open.last_mut() {
            if self.book.is_look_due() {
                let bytes = self.bytes();
                self.book.look(bytes, self.store.bytes())?;
                continue;
            }
            if taken == end {
                open.pop();
                self.sequence.pop();
                steps.truncate(open.last().map_or(0, |(_, _, end)| *end));
                continue;
            }
            let step = steps[*taken];
            *taken += 1;
            self.system.cover(from, step, &mut self.book.covered);
            let outcome = self
                .system
                .execute(&mut self.scratch, from, step, &mut next);
            self.sequence.push(step);
            if let Some(failure) = outcome.failure {
                let steps = || {
                    let mut steps = path(&self.origins, &self.paths, self.current);
                    steps.extend_from_slice(&self.sequence);
                    steps
                };
                self.book
                    .violation(Defect::Failure(failure), Some(step), steps)?;
            }
            if outcome.complete && self.system.is_passing(&next) {
                self.book.statistics.atomic_steps += 1;
                if self.was_passed(&next)? {
                    self.sequence.pop();
                    continue;
                }
                let first = steps.len();
                if self.system.enabled(&next, steps) {
                    open.push((std::mem::take(&mut next), first, steps.len()));
                    continue;
                }
                steps.truncate(first);
                self.system.settle(&mut next);
            }
            if outcome.complete {
                self.arrive(&next)?;
            }
            self.sequence.pop();
        }
        Ok(())
    }

    /// Was this state of a long atomic sequence met before? Then it was left before.
    fn was_passed(&mut self, state: &[u8]) -> Result<bool, StopReason> {
        if self.sequence.len() <= LONG_SEQUENCE {
            return Ok(false);
        }
        match self.passing.insert(state) {
            Insertion::New(_) => Ok(false),
            Insertion::Known(_) => Ok(true),
            Insertion::Full => Err(StopReason::Memory),
        }
    }

    /// Stores a state, with the way that led there, unless it is there already.
    fn arrive(&mut self, state: &[u8]) -> Result<(), StopReason> {
        let position = match self.store.insert(state) {
            Insertion::Known(_) => {
                self.book.statistics.matched += 1;
                return Ok(());
            }
            Insertion::Full => return Err(StopReason::Memory),
            Insertion::New(position) => position,
        };
        let number = u32::try_from(self.origins.len()).map_err(|_| StopReason::Memory)?;
        let parent = self.origins.get(self.current as usize);
        let depth = parent.map_or(0, |parent| parent.depth + 1);
        self.origins.push(Origin {
            position,
            parent: self.current,
            depth,
            path: self.paths.len() as u64,
        });
        self.paths.extend_from_slice(&self.sequence);
        self.waiting.push(Reverse(((self.cost)(state), number)));
        let statistics = &mut self.book.statistics;
        statistics.states += 1;
        statistics.state_bytes = statistics.state_bytes.max(state.len() as u64);
        statistics.depth = statistics.depth.max(u64::from(depth));
        Ok(())
    }

    fn bytes(&self) -> u64 {
        let lists = self.origins.capacity() * size_of::<Origin>()
            + self.paths.capacity() * size_of::<Y::Step>()
            + self.waiting.capacity() * size_of::<(i64, u32)>();
        lists as u64 + self.passing.bytes()
    }
}

/// The steps from the initial state to a stored one.
fn path<S: Copy>(origins: &[Origin], paths: &[S], state: u32) -> Vec<S> {
    let mut parts = Vec::new();
    let mut state = state as usize;
    while state != 0 {
        let start = origins[state].path as usize;
        let next = origins.get(state + 1);
        let end = next.map_or(paths.len(), |next| next.path as usize);
        parts.push(&paths[start..end]);
        state = origins[state].parent as usize;
    }
    parts.into_iter().rev().flatten().copied().collect()
}
