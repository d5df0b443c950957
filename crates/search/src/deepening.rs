//! Iterative depth bounding: depth-first search that finds a shortest scenario.
//!
//! A bound grows until nothing is cut any more or a violation is found. Within a bound, the least depth at
//! which a state was met is kept with it, and a state that is met again at a smaller depth is left
//! again: what was out of reach the first time may be within reach now. So everything within the bound
//! is explored, as the levels of breadth-first search would be.
//!
//! A violation draws the bound in: from then on only what is shorter is looked for. It is the depth that is
//! kept, not how much depth remained, so that states left under the wider bound stay right.

use crate::bookkeeping::{Bookkeeping, Control};
use crate::exact::{Exact, Insertion};
use crate::report::{Defect, Observer, Options, Report, Statistics, StopReason};
use crate::system::System;

/// An atomic sequence of this many steps might never end: from here on its states are stored, so
/// that a cycle is noticed.
const LONG_SEQUENCE: usize = 1000;
/// The bytes of a depth behind a stored state.
const DEPTH_BYTES: usize = size_of::<u32>();

/// Explores everything up to a depth of `step`, then up to twice that, and so on. The one violation
/// that is reported is a shortest one, unless a limit ends the search before that is known.
///
/// As breadth-first, depth counts the states that others can see. States are counted within the last bound.
pub fn deepening<Y: System>(
    system: &Y,
    step: usize,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Report<Y> {
    let options = &Options {
        all: false,
        ..options.clone()
    };
    let control = Control::new(options, 1);
    let mut watch = |statistics: &Statistics| observer.progress(statistics);
    let mut search = Deepening {
        system,
        book: Bookkeeping::new(system, &control, 0, Some(&mut watch)),
        store: Exact::new(0, 0),
        passing: Exact::new(0, 0),
        bound: 0,
        widest: 0,
        cut: 0,
        least: 0,
        frames: Vec::new(),
        states: Vec::new(),
        steps: Vec::new(),
        record: Vec::new(),
        scratch: Y::Scratch::default(),
    };
    if let Err(reason) = search.run(step.max(1)) {
        control.halt(reason);
    }
    let bytes = search.store.bytes() + search.bytes();
    search.book.statistics.violations = search.book.violations.len() as u64;
    control.merge(vec![search.book], bytes, 0.0)
}

struct Deepening<'a, Y: System> {
    system: &'a Y,
    book: Bookkeeping<'a, Y>,
    /// The states met within this bound, each with its least depth.
    store: Exact,
    /// States inside very long atomic sequences, with the depth at which these begin.
    passing: Exact,
    /// No path is longer; a violation draws it in.
    bound: usize,
    /// The bound as it was at first.
    widest: usize,
    /// How many states have that as their least depth, and a step beyond it.
    cut: u64,
    /// No violation is nearer: what is nearer was explored within the bound before.
    least: usize,
    /// The states of the current path.
    frames: Vec<Frame>,
    /// Their bytes, one after the other.
    states: Vec<u8>,
    /// The steps possible in each of them, one after the other.
    steps: Vec<Y::Step>,
    /// A state and its depth, as they are stored.
    record: Vec<u8>,
    scratch: Y::Scratch,
}

/// A state of the current path.
#[derive(Clone, Copy)]
struct Frame {
    /// Where its bytes begin; they end where the next ones begin.
    state: usize,
    /// Where its steps begin.
    steps: usize,
    /// The step to take next; the one before it is on the path.
    next: usize,
    /// Its depth; inside an atomic sequence that of the state where the sequence began.
    depth: usize,
    /// How many steps of an atomic sequence led here.
    sequence: usize,
}

impl<Y: System> Deepening<'_, Y> {
    fn run(&mut self, step: usize) -> Result<(), StopReason> {
        let mut initial = Vec::new();
        if let Err(failure) = self.system.initial(&mut initial) {
            return self
                .book
                .violation(Defect::Failure(failure), None, Vec::new);
        }
        let limit = self.book.options.depth.unwrap_or(u32::MAX as usize);
        let mut bound = step.min(limit);
        loop {
            self.within(bound, &initial)?;
            if !self.book.violations.is_empty() {
                return Err(StopReason::Violation);
            }
            if self.cut == 0 || bound == limit {
                self.book.cut = self.cut > 0;
                return Ok(());
            }
            self.least = bound + 1;
            bound = bound.saturating_add(step).min(limit);
        }
    }

    /// Explores everything within a bound.
    fn within(&mut self, bound: usize, initial: &[u8]) -> Result<(), StopReason> {
        let memory = self.book.options.memory;
        let suffix = self.system.ignored_suffix();
        self.store = Exact::new(suffix + DEPTH_BYTES, memory);
        self.passing = Exact::new(DEPTH_BYTES, memory);
        self.bound = bound;
        self.widest = bound;
        self.cut = 0;
        self.book.statistics = Statistics {
            state_bytes: self.book.statistics.state_bytes,
            ..Statistics::default()
        };
        self.arrive(initial, 0)?;
        let mut next = Vec::new();
        while let Some(&frame) = self.frames.last() {
            if self.book.is_look_due() {
                let bytes = self.bytes();
                self.book.look(bytes, self.store.bytes())?;
                continue;
            }
            // The bound may have been drawn in since.
            if frame.depth >= self.bound || frame.next == self.steps.len() {
                self.leave();
                continue;
            }
            let step = self.steps[frame.next];
            let top = self.frames.len() - 1;
            self.frames[top].next += 1;
            let state = &self.states[frame.state..];
            self.system.cover(state, step, &mut self.book.covered);
            let outcome = self
                .system
                .execute(&mut self.scratch, state, step, &mut next);
            let depth = frame.depth + 1;
            if let Some(failure) = outcome.failure
                && self.violation(Defect::Failure(failure), Some(step), depth)?
            {
                continue;
            }
            if !outcome.complete {
                continue;
            }
            if self.system.is_passing(&next) {
                self.book.statistics.atomic_steps += 1;
                if self.pass(&next, &frame)? {
                    continue;
                }
                self.system.settle(&mut next);
            }
            self.arrive(&next, depth)?;
        }
        Ok(())
    }

    /// Continues from a state unless it was met at this depth or a smaller one.
    fn arrive(&mut self, state: &[u8], depth: usize) -> Result<(), StopReason> {
        let statistics = &mut self.book.statistics;
        let met = meet(&mut self.store, &mut self.record, state, depth)?;
        match met {
            Met::New => statistics.states += 1,
            Met::Nearer(_) => statistics.matched += 1,
            Met::Known => {
                statistics.matched += 1;
                return Ok(());
            }
        }
        statistics.state_bytes = statistics.state_bytes.max(state.len() as u64);
        statistics.depth = statistics.depth.max(depth as u64);
        let first = self.steps.len();
        let leads_on = self.enter(state, depth, 0);
        if first < self.steps.len() {
            self.cut += u64::from(depth == self.widest);
            self.cut -= u64::from(met == Met::Nearer(self.widest));
        }
        if !leads_on && !self.system.is_valid_end(state) {
            self.violation(Defect::Deadlock, None, depth)?;
        }
        Ok(())
    }

    /// Goes on inside an atomic sequence, unless it does not lead on from this state.
    fn pass(&mut self, state: &[u8], from: &Frame) -> Result<bool, StopReason> {
        let sequence = from.sequence + 1;
        if !self.enter(state, from.depth, sequence) {
            self.leave();
            return Ok(false);
        }
        if sequence > LONG_SEQUENCE {
            let met = meet(&mut self.passing, &mut self.record, state, from.depth)?;
            if met == Met::Known {
                self.leave();
            }
        }
        Ok(true)
    }

    /// Puts a state on the path and says whether a step leads on from it.
    fn enter(&mut self, state: &[u8], depth: usize, sequence: usize) -> bool {
        self.frames.push(Frame {
            state: self.states.len(),
            steps: self.steps.len(),
            next: self.steps.len(),
            depth,
            sequence,
        });
        self.states.extend_from_slice(state);
        self.system.enabled(state, &mut self.steps)
    }

    /// Takes the last state off the path.
    fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.states.truncate(frame.state);
            self.steps.truncate(frame.steps);
        }
    }

    /// Notes a violation, which is shorter than the one known, if it is of a kind that is asked for.
    fn violation(
        &mut self,
        defect: Defect<Y::Failure>,
        last: Option<Y::Step>,
        depth: usize,
    ) -> Result<bool, StopReason> {
        let known = std::mem::take(&mut self.book.violations);
        let path = || {
            let begun = self.frames.iter().filter(|frame| frame.next > frame.steps);
            begun.map(|frame| self.steps[frame.next - 1]).collect()
        };
        if self.book.violation(defect, last, path).is_ok() {
            self.book.violations = known;
            return Ok(false);
        }
        if depth <= self.least {
            return Err(StopReason::Violation);
        }
        self.bound = depth - 1;
        Ok(true)
    }

    fn bytes(&self) -> u64 {
        let lists = self.frames.capacity() * size_of::<Frame>()
            + self.states.capacity()
            + self.steps.capacity() * size_of::<Y::Step>();
        lists as u64 + self.passing.bytes()
    }
}

/// How a state was met.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Met {
    /// For the first time.
    New,
    /// At a smaller depth than before, which was this.
    Nearer(usize),
    /// At a depth no smaller than before.
    Known,
}

/// Keeps the least depth of a state behind it in the store, where it does not tell states apart.
fn meet(
    store: &mut Exact,
    record: &mut Vec<u8>,
    state: &[u8],
    depth: usize,
) -> Result<Met, StopReason> {
    let depth = u32::try_from(depth).map_err(|_| StopReason::Depth)?;
    record.clear();
    record.extend_from_slice(state);
    record.extend_from_slice(&depth.to_le_bytes());
    let position = match store.insert(record) {
        Insertion::New(_) => return Ok(Met::New),
        Insertion::Full => return Err(StopReason::Memory),
        Insertion::Known(position) => position,
    };
    let kept = store.last_bytes::<DEPTH_BYTES>(position);
    let before = u32::from_le_bytes(*kept);
    if before <= depth {
        return Ok(Met::Known);
    }
    *kept = depth.to_le_bytes();
    Ok(Met::Nearer(before as usize))
}
