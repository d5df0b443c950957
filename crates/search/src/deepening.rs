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
use crate::path::Path;
use crate::report::{Defect, Observer, Options, Report, Statistics, StopReason};
use crate::sequence::{Effort, Inside, Meeting};
use crate::successors::{Event, Successors};
use crate::system::System;

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
        bound: 0,
        widest: 0,
        cut: 0,
        least: 0,
        successors: Successors::new(Nearest::new(options.memory), None),
        record: Vec::new(),
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
    /// No path is longer; a violation draws it in.
    bound: usize,
    /// The bound as it was at first.
    widest: usize,
    /// How many states have that as their least depth, and a step beyond it.
    cut: u64,
    /// No violation is nearer: what is nearer was explored within the bound before.
    least: usize,
    /// The current path, with the depth of each state; inside an atomic sequence that of the state where the sequence began.
    successors: Successors<Y, usize, Nearest>,
    /// A state and its depth, as they are stored.
    record: Vec<u8>,
}

/// States inside atomic sequences that are very long or have very many ways, each with its least depth.
struct Nearest {
    effort: Effort,
    states: Exact,
    record: Vec<u8>,
}

impl Nearest {
    fn new(memory: u64) -> Nearest {
        Nearest {
            effort: Effort::default(),
            states: Exact::new(DEPTH_BYTES, memory),
            record: Vec::new(),
        }
    }
}

impl<S> Inside<S, usize> for Nearest {
    fn need_not_meet(&self, passing: u32) -> u32 {
        self.effort.need_not_meet(passing)
    }

    fn meet(
        &mut self,
        path: &mut Path<S, usize>,
        (anchor, passing): (u32, u32),
        state: &[u8],
    ) -> Result<Meeting<usize>, StopReason> {
        let depth = path.frames[anchor as usize].note;
        let is_known = self.effort.meet(passing)
            && meet(
                &mut self.states,
                &mut self.record,
                state,
                depth + passing as usize,
            )? == Met::Known;
        Ok(match is_known {
            true => Meeting::Known,
            false => Meeting::New(depth),
        })
    }
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
        self.successors.inside = Nearest::new(memory);
        self.bound = bound;
        self.widest = bound;
        self.cut = 0;
        self.book.statistics = Statistics {
            state_bytes: self.book.statistics.state_bytes,
            ..Statistics::default()
        };
        self.successors.next.clear();
        self.successors.next.extend_from_slice(initial);
        self.arrive(0)?;
        loop {
            if self.book.is_look_due() {
                let bytes = self.bytes();
                self.book.look(bytes, self.store.bytes())?;
                continue;
            }
            let last = self.successors.path.frames.last();
            let depth = last.map_or(0, |frame| frame.note) + 1;
            // The bound may have been drawn in since.
            if last.is_some() && depth > self.bound {
                self.successors.path.pop();
                continue;
            }
            match self.successors.advance(self.system, &mut self.book)? {
                Event::Over => return Ok(()),
                Event::Exhausted => drop(self.successors.path.pop()),
                Event::Failure(failure, step) => {
                    if self.violation(Defect::Failure(failure), Some(step), depth)? {
                        self.successors.abandon();
                    }
                }
                Event::Nothing | Event::Inside => {}
                Event::State => self.arrive(depth)?,
            }
        }
    }

    /// Continues from the state just arrived at, unless it was met at this depth or a smaller one.
    fn arrive(&mut self, depth: usize) -> Result<(), StopReason> {
        let Successors { path, next, .. } = &mut self.successors;
        let statistics = &mut self.book.statistics;
        let met = meet(&mut self.store, &mut self.record, next, depth)?;
        match met {
            Met::New => statistics.states += 1,
            Met::Nearer(_) => statistics.matched += 1,
            Met::Known => {
                statistics.matched += 1;
                return Ok(());
            }
        }
        statistics.state_bytes = statistics.state_bytes.max(next.len() as u64);
        statistics.depth = statistics.depth.max(depth as u64);
        let first = path.steps.len();
        let leads_on = self.system.enabled(next, &mut path.steps);
        let all = path.steps.len() - first;
        if all > 0 {
            self.cut += u64::from(depth == self.widest);
            self.cut -= u64::from(met == Met::Nearer(self.widest));
        }
        let is_dead_end = !leads_on && !self.system.is_valid_end(next);
        path.push(next, first, all, true, depth);
        if is_dead_end {
            self.violation(Defect::Deadlock, None, depth)?;
        }
        Ok(())
    }

    /// Notes a violation, which is shorter than the one known, if it is of a kind that is asked for.
    fn violation(
        &mut self,
        defect: Defect<Y::Failure>,
        last: Option<Y::Step>,
        depth: usize,
    ) -> Result<bool, StopReason> {
        let known = std::mem::take(&mut self.book.violations);
        let path = || self.successors.path.taken();
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

    fn bytes(&mut self) -> u64 {
        self.successors.path.bytes() + self.successors.inside.states.bytes()
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
