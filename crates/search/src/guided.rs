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
use crate::sequence::Long;
use crate::successors::{Event, Successors};
use crate::system::System;

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
        successors: Successors::new(Long::new(&control), None),
        waiting: BinaryHeap::new(),
        origins: Vec::new(),
        paths: Vec::new(),
        current: 0,
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
    /// The state at hand, and atomic sequences that begin there.
    successors: Successors<Y, (), Long<'a>>,
    /// The states still to be left: cost and number.
    waiting: BinaryHeap<Reverse<(i64, u32)>>,
    /// For each stored state, in the order in which they were met.
    origins: Vec<Origin>,
    /// The steps into each state, one after the other.
    paths: Vec<Y::Step>,
    /// The number of the state at hand.
    current: u32,
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
        if let Err(failure) = self.system.initial(&mut self.successors.next) {
            return self
                .book
                .violation(Defect::Failure(failure), None, Vec::new);
        }
        self.arrive()?;
        while let Some(Reverse((_, number))) = self.waiting.pop() {
            self.current = number;
            self.leave()?;
        }
        Ok(())
    }

    /// Takes all steps from the state at hand. Those into atomic sequences are followed, depth-first, to
    /// the sequences' ends.
    fn leave(&mut self) -> Result<(), StopReason> {
        let origin = &self.origins[self.current as usize];
        let state = self.store.get(origin.position);
        self.successors.clear();
        let path = &mut self.successors.path;
        let leads_on = self.system.enabled(state, &mut path.steps);
        if !leads_on && !self.system.is_valid_end(state) {
            let steps = || steps_to(&self.origins, &self.paths, self.current);
            self.book.violation(Defect::Deadlock, None, steps)?;
        }
        let all = path.steps.len();
        let depth = origin.depth as usize;
        if self.book.options.depth.is_some_and(|limit| depth >= limit) {
            self.book.cut |= all > 0;
            return Ok(());
        }
        path.push(state, 0, all, true, ());
        loop {
            if self.book.is_look_due() {
                let bytes = self.bytes();
                self.book.look(bytes, self.store.bytes())?;
                continue;
            }
            match self.successors.advance(self.system, &mut self.book)? {
                Event::Over => return Ok(()),
                Event::Exhausted => drop(self.successors.path.pop()),
                Event::Failure(failure, step) => {
                    let steps = || {
                        let mut steps = steps_to(&self.origins, &self.paths, self.current);
                        steps.extend(self.successors.path.taken());
                        steps
                    };
                    self.book
                        .violation(Defect::Failure(failure), Some(step), steps)?;
                }
                Event::Nothing | Event::Inside => {}
                Event::State => self.arrive()?,
            }
        }
    }

    /// Stores the state just arrived at, with the way that led there, unless it is there already.
    fn arrive(&mut self) -> Result<(), StopReason> {
        let state = &self.successors.next;
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
        self.paths.extend(self.successors.path.arrived());
        self.waiting.push(Reverse(((self.cost)(state), number)));
        let statistics = &mut self.book.statistics;
        statistics.states += 1;
        statistics.state_bytes = statistics.state_bytes.max(state.len() as u64);
        statistics.depth = statistics.depth.max(u64::from(depth));
        Ok(())
    }

    fn bytes(&mut self) -> u64 {
        let lists = self.origins.capacity() * size_of::<Origin>()
            + self.paths.capacity() * size_of::<Y::Step>()
            + self.waiting.capacity() * size_of::<(i64, u32)>();
        lists as u64 + self.successors.inside.bytes() + self.successors.path.bytes()
    }
}

/// The steps from the initial state to a stored one.
fn steps_to<S: Copy>(origins: &[Origin], paths: &[S], state: u32) -> Vec<S> {
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
