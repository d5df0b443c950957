//! Depth-first search with an exact store.
//!
//! The stack holds, for every state on the current path, the state itself, its possible steps and
//! how many of them were taken. The three parts grow and shrink in three vectors, so the loop
//! allocates nothing.

use crate::bookkeeping::Bookkeeping;
use crate::exact::{Exact, Insertion, Position};
use crate::report::{Defect, Observer, Options, Report, StopReason};
use crate::system::{Reduction, System};

/// An atomic sequence of this many steps might never end: from here on its states are stored, so
/// that a cycle is noticed.
const LONG_SEQUENCE: u32 = 1000;

/// Explores everything that can be reached, or what a reduction leaves of it.
///
/// A reduction alone preserves deadlocks. With [`Options::proviso`], more steps of a state are
/// explored as long as all of them lead back to the current path: otherwise a step left out might be
/// left out for ever around a cycle (Holzmann, Godefroid and Pirottin 1992).
pub fn depth_first<Y: System, R: Reduction<Y>>(
    system: &Y,
    reduction: &mut R,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Report<Y> {
    let mut search = DepthFirst {
        system,
        reduction,
        book: Bookkeeping::new(system, options, observer),
        store: Exact::new(system.ignored_suffix(), options.memory),
        passing: Exact::new(0, options.memory),
        stack: Stack {
            frames: Vec::new(),
            states: Vec::new(),
            steps: Vec::new(),
        },
        next: Vec::new(),
        scratch: Y::Scratch::default(),
    };
    let result = search.run();
    let bytes = search.store.bytes();
    search.book.finish(result, bytes)
}

struct DepthFirst<'a, Y: System, R> {
    system: &'a Y,
    reduction: &'a mut R,
    book: Bookkeeping<'a, Y>,
    store: Exact,
    /// States inside very long atomic sequences.
    passing: Exact,
    stack: Stack<Y::Step>,
    /// The state just arrived at.
    next: Vec<u8>,
    scratch: Y::Scratch,
}

/// The current path.
struct Stack<S> {
    frames: Vec<Frame>,
    states: Vec<u8>,
    steps: Vec<S>,
}

/// A state on the current path.
#[derive(Clone, Copy)]
struct Frame {
    /// Where the state begins in `states`; it ends where the next one begins.
    state: usize,
    /// Where its steps begin in `steps`; they end where the next ones begin.
    steps: usize,
    /// The next step to take.
    next: usize,
    /// The steps before this one are to be taken.
    limit: usize,
    /// Where the state is stored, if it is.
    stored: Option<Position>,
    /// The frame of the last stored state on the path, this one or one below.
    anchor: usize,
    /// Did a step lead to a state that is not on the path?
    leads_away: bool,
    /// Did a step lead to a state at all?
    leads_on: bool,
    /// The steps since the atomic sequence it is in began; zero for an ordinary state.
    passing: u32,
}

impl<Y: System, R: Reduction<Y>> DepthFirst<'_, Y, R> {
    fn run(&mut self) -> Result<(), StopReason> {
        if let Err(failure) = self.system.initial(&mut self.next) {
            return self
                .book
                .violation(Defect::Failure(failure), None, Vec::new);
        }
        self.arrive()?;
        while let Some(frame) = self.stack.frames.last_mut() {
            if self.book.is_look_due() {
                let stores = self.store.bytes() + self.passing.bytes();
                self.book.look(stores + self.stack.bytes())?;
                continue;
            }
            if frame.next == frame.limit {
                // Steps that only fail stand for nothing.
                let in_vain = self.book.options.proviso && !frame.leads_away || !frame.leads_on;
                if frame.limit < self.stack.steps.len() && in_vain {
                    let state = &self.stack.states[frame.state..];
                    let steps = &mut self.stack.steps[frame.steps..];
                    let chosen = frame.limit - frame.steps;
                    let more = self.reduction.widen(self.system, state, steps, chosen);
                    frame.limit = frame.steps + more;
                    self.book.statistics.reduced -= u64::from(more == steps.len());
                    continue;
                }
                self.leave();
                continue;
            }
            let step = self.stack.steps[frame.next];
            frame.next += 1;
            let state = &self.stack.states[frame.state..];
            self.system.cover(state, step, &mut self.book.covered);
            let outcome = self
                .system
                .execute(&mut self.scratch, state, step, &mut self.next);
            frame.leads_on |= outcome.complete;
            if let Some(failure) = outcome.failure {
                let path = || self.stack.path();
                self.book
                    .violation(Defect::Failure(failure), Some(step), path)?;
            }
            if outcome.complete {
                self.arrive()?;
            }
        }
        Ok(())
    }

    /// Enters the state just arrived at, unless it was there before.
    #[inline]
    fn arrive(&mut self) -> Result<(), StopReason> {
        let mut passing = match self.stack.frames.last() {
            Some(frame) if self.system.is_passing(&self.next) => frame.passing + 1,
            _ => 0,
        };
        let mut stored = None;
        if passing == 0 {
            stored = self.store()?;
            if stored.is_none() {
                return Ok(());
            }
        } else {
            self.book.statistics.atomic_steps += 1;
            if passing > LONG_SEQUENCE {
                match self.passing.insert(&self.next) {
                    Insertion::New(_) => {}
                    Insertion::Known(_) => return Ok(()),
                    Insertion::Full => return Err(StopReason::Memory),
                }
            }
        }
        let depth = self.stack.frames.len();
        if self.book.options.depth.is_some_and(|limit| depth > limit) {
            self.book.cut = true;
            return Ok(());
        }
        self.book.statistics.depth = self.book.statistics.depth.max(depth as u64);
        let first = self.stack.steps.len();
        let mut leads_on = self.system.enabled(&self.next, &mut self.stack.steps);
        if !leads_on && passing != 0 {
            passing = 0;
            self.stack.steps.truncate(first);
            self.system.settle(&mut self.next);
            stored = self.store()?;
            if stored.is_none() {
                return Ok(());
            }
            leads_on = self.system.enabled(&self.next, &mut self.stack.steps);
        }
        if !leads_on && !self.system.is_valid_end(&self.next) {
            self.book
                .violation(Defect::Deadlock, None, || self.stack.path())?;
        }
        if self.stack.steps.len() > first {
            self.enter(first, stored, passing);
        }
        Ok(())
    }

    /// Puts the state just arrived at on the path, with the steps that a reduction chooses.
    #[inline]
    fn enter(&mut self, first: usize, stored: Option<Position>, passing: u32) {
        let steps = &mut self.stack.steps[first..];
        let mut kept = steps.len();
        let mut anchor = self.stack.frames.len();
        match stored {
            Some(position) => {
                kept = self.reduction.select(self.system, &self.next, steps);
                if kept < steps.len() {
                    self.book.statistics.reduced += 1;
                }
                self.store.mark(position, true);
            }
            None => anchor = self.stack.frames.last().map_or(0, |frame| frame.anchor),
        }
        self.stack.frames.push(Frame {
            state: self.stack.states.len(),
            steps: first,
            next: first,
            limit: first + kept,
            stored,
            anchor,
            leads_away: false,
            leads_on: false,
            passing,
        });
        self.stack.states.extend_from_slice(&self.next);
    }

    /// Takes the last state off the path.
    fn leave(&mut self) {
        if let Some(frame) = self.stack.frames.pop() {
            self.stack.states.truncate(frame.state);
            self.stack.steps.truncate(frame.steps);
            if let Some(position) = frame.stored {
                self.store.mark(position, false);
            }
        }
    }

    /// Stores the state just arrived at, and says where if it is new.
    #[inline]
    fn store(&mut self) -> Result<Option<Position>, StopReason> {
        let statistics = &mut self.book.statistics;
        let (position, leads_away) = match self.store.insert(&self.next) {
            Insertion::New(position) => {
                statistics.states += 1;
                statistics.state_bytes = statistics.state_bytes.max(self.next.len() as u64);
                (Some(position), true)
            }
            Insertion::Known(position) => {
                statistics.matched += 1;
                (None, !self.store.is_marked(position))
            }
            Insertion::Full => return Err(StopReason::Memory),
        };
        if leads_away && let Some(frame) = self.stack.frames.last() {
            let anchor = frame.anchor;
            self.stack.frames[anchor].leads_away = true;
        }
        Ok(position)
    }
}

impl<S: Copy> Stack<S> {
    /// The steps taken from the initial state on.
    fn path(&self) -> Vec<S> {
        self.frames
            .iter()
            .map(|frame| self.steps[frame.next - 1])
            .collect()
    }

    fn bytes(&self) -> u64 {
        (self.frames.capacity() * size_of::<Frame>()
            + self.states.capacity()
            + self.steps.capacity() * size_of::<S>()) as u64
    }
}
