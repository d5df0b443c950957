//! Breadth-first search with an exact store: a violation is found by a shortest path.
//!
//! The store keeps states in the order in which they were met, so it is the queue as well: the
//! search walks along it. Beside each state stands its parent and the steps that led from there,
//! which is more than one step if an atomic sequence lies between.

use std::ops::Range;

use crate::bookkeeping::{Bookkeeping, Control};
use crate::exact::{Exact, Insertion, Position};
use crate::report::{Defect, Observer, Options, Report, Statistics, StopReason};
use crate::system::{Reduction, System};

/// An atomic sequence of this many steps might never end: from here on its states are stored, so
/// that a cycle is noticed.
const LONG_SEQUENCE: usize = 1000;

/// Explores everything that can be reached, or what a reduction leaves of it, nearest states first.
///
/// Length counts the states that others can see: an atomic sequence is one step, however long.
/// With [`Options::proviso`], more steps of a state are explored until one of them leads to a state
/// that is still to be explored: there, the steps left out are looked at again.
pub fn breadth_first<Y: System, R: Reduction<Y>>(
    system: &Y,
    reduction: &mut R,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Report<Y> {
    let control = Control::new(options, 1);
    let mut watch = |statistics: &Statistics| observer.progress(statistics);
    let mut search = BreadthFirst {
        system,
        reduction,
        book: Bookkeeping::new(system, &control, 0, Some(&mut watch)),
        store: Exact::new(system.ignored_suffix(), options.memory),
        passing: Exact::new(0, options.memory),
        origins: Vec::new(),
        paths: Vec::new(),
        sequence: Vec::new(),
        current: 0,
        position: None,
        leads_away: false,
        scratch: Y::Scratch::default(),
    };
    let result = search.run();
    let bytes = search.store.bytes() + search.bytes();
    if let Err(reason) = result {
        control.halt(reason);
    }
    control.merge(vec![search.book], bytes, 0.0)
}

struct BreadthFirst<'a, Y: System, R> {
    system: &'a Y,
    reduction: &'a mut R,
    book: Bookkeeping<'a, Y>,
    store: Exact,
    /// States inside very long atomic sequences.
    passing: Exact,
    /// For each stored state, in the order of the store.
    origins: Vec<OriginOfState>,
    /// The steps into each state, one after the other.
    paths: Vec<Y::Step>,
    /// The steps taken from the state at hand.
    sequence: Vec<Y::Step>,
    /// The number of the state at hand.
    current: u32,
    /// Where it is stored.
    position: Option<Position>,
    /// Did a step from it lead to a state that is still to be explored?
    leads_away: bool,
    scratch: Y::Scratch,
}

/// Where a state was reached from.
#[derive(Clone, Copy)]
struct OriginOfState {
    parent: u32,
    /// Where the steps from the parent begin in `paths`; they end where the next ones begin.
    path: u64,
    /// How many states lie before it on its path.
    level: u32,
}

impl<Y: System, R: Reduction<Y>> BreadthFirst<'_, Y, R> {
    fn run(&mut self) -> Result<(), StopReason> {
        let mut state = Vec::new();
        if let Err(failure) = self.system.initial(&mut state) {
            return self
                .book
                .violation(Defect::Failure(failure), None, Vec::new);
        }
        self.arrive(&state)?;
        let mut steps = Vec::new();
        let mut next: Option<Position> = Some(self.store.first());
        while let Some(position) = next {
            self.position = Some(position);
            state.clear();
            state.extend_from_slice(self.store.get(position));
            self.expand(&state, &mut steps)?;
            next = self.store.after(position);
            self.current += 1;
        }
        Ok(())
    }

    /// Takes all steps from a state. Those into atomic sequences are followed, depth-first, to
    /// the sequences' ends.
    fn expand(&mut self, state: &[u8], steps: &mut Vec<Y::Step>) -> Result<(), StopReason> {
        steps.clear();
        let leads_on = self.system.enabled(state, steps);
        if !leads_on && !self.system.is_valid_end(state) {
            self.book.violation(Defect::Deadlock, None, || {
                path(&self.origins, &self.paths, self.current, &[])
            })?;
        }
        let level = self.origins[self.current as usize].level as usize;
        if self.book.options.depth.is_some_and(|limit| level >= limit) {
            self.book.cut |= !steps.is_empty();
            return Ok(());
        }
        let mut chosen = self.reduction.select(self.system, state, steps);
        let all = steps.len();
        self.leads_away = false;
        // Steps that only fail stand for nothing.
        let mut leads_on_at_all = false;
        // States still to be left, each with its next step.
        let mut open: Vec<(Vec<u8>, Range<usize>)> = vec![(state.to_vec(), 0..chosen)];
        let mut next = Vec::new();
        while let Some((from, range)) = open.last_mut() {
            if self.book.is_look_due() {
                let bytes = self.passing.bytes() + self.bytes();
                self.book.look(bytes, self.store.bytes())?;
                continue;
            }
            let Some(number) = range.next() else {
                let in_vain = self.book.options.proviso && !self.leads_away || !leads_on_at_all;
                if open.len() == 1 && chosen < all && in_vain {
                    let steps = &mut steps[..all];
                    let more = self.reduction.widen(self.system, state, steps, chosen);
                    open[0].1 = chosen..more;
                    chosen = more;
                    continue;
                }
                open.pop();
                self.sequence.pop();
                if let Some((_, range)) = open.last() {
                    let end = if open.len() == 1 { all } else { range.end };
                    steps.truncate(end);
                }
                continue;
            };
            let step = steps[number];
            self.system.cover(from, step, &mut self.book.covered);
            let outcome = self
                .system
                .execute(&mut self.scratch, from, step, &mut next);
            self.sequence.push(step);
            if let Some(failure) = outcome.failure {
                self.book
                    .violation(Defect::Failure(failure), Some(step), || {
                        path(&self.origins, &self.paths, self.current, &self.sequence)
                    })?;
            }
            if !outcome.complete {
                self.sequence.pop();
                continue;
            }
            leads_on_at_all = true;
            if self.system.is_passing(&next) {
                self.book.statistics.atomic_steps += 1;
                // A state of an atomic sequence that was met before has been left before.
                let is_known = self.sequence.len() > LONG_SEQUENCE
                    && match self.passing.insert(&next) {
                        Insertion::New(_) => false,
                        Insertion::Known(_) => true,
                        Insertion::Full => return Err(StopReason::Memory),
                    };
                if is_known {
                    self.sequence.pop();
                    continue;
                }
                let first = steps.len();
                let leads_on = self.system.enabled(&next, steps);
                if leads_on {
                    open.push((std::mem::take(&mut next), first..steps.len()));
                    continue;
                }
                steps.truncate(first);
                self.system.settle(&mut next);
            }
            self.arrive(&next)?;
            self.sequence.pop();
        }
        if chosen < all {
            self.book.statistics.reduced += 1;
        }
        Ok(())
    }

    /// Stores a state, with the way that led there, unless it is there already.
    fn arrive(&mut self, state: &[u8]) -> Result<(), StopReason> {
        match self.store.insert(state) {
            Insertion::Known(position) => {
                self.book.statistics.matched += 1;
                // States are explored in the order in which they are stored.
                self.leads_away |= Some(position) > self.position;
                return Ok(());
            }
            Insertion::Full => return Err(StopReason::Memory),
            Insertion::New(_) => self.leads_away = true,
        }
        let level = match self.origins.get(self.current as usize) {
            Some(parent) => parent.level + 1,
            None => 0,
        };
        self.origins.push(OriginOfState {
            parent: self.current,
            path: self.paths.len() as u64,
            level,
        });
        self.paths.extend_from_slice(&self.sequence);
        let statistics = &mut self.book.statistics;
        statistics.states += 1;
        statistics.state_bytes = statistics.state_bytes.max(state.len() as u64);
        statistics.depth = statistics.depth.max(u64::from(level));
        if self.origins.len() == u32::MAX as usize {
            return Err(StopReason::Memory);
        }
        Ok(())
    }

    fn bytes(&self) -> u64 {
        (self.origins.capacity() * size_of::<OriginOfState>()
            + self.paths.capacity() * size_of::<Y::Step>()) as u64
    }
}

/// The steps from the initial state to a stored one, and `last` behind them.
fn path<S: Copy>(origins: &[OriginOfState], paths: &[S], state: u32, last: &[S]) -> Vec<S> {
    let mut parts = Vec::new();
    let mut state = state as usize;
    while state != 0 {
        let start = origins[state].path as usize;
        let end = origins
            .get(state + 1)
            .map_or(paths.len(), |next| next.path as usize);
        parts.push(&paths[start..end]);
        state = origins[state].parent as usize;
    }
    let mut steps: Vec<S> = parts.into_iter().rev().flatten().copied().collect();
    steps.extend_from_slice(last);
    steps
}
