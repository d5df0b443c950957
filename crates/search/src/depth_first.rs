//! Depth-first search with an exact store.
//!
//! The stack holds, for every state on the current path, the state itself, its possible steps and
//! how many of them were taken. The three parts grow and shrink in three vectors, so the loop
//! allocates nothing.

use crate::bookkeeping::Bookkeeping;
use crate::exact::{Exact, Insertion};
use crate::report::{Defect, Observer, Options, Report, StopReason};
use crate::system::System;

/// An atomic sequence of this many steps might never end: from here on its states are stored, so
/// that a cycle is noticed.
const LONG_SEQUENCE: u32 = 1000;

/// Explores everything that can be reached.
pub fn depth_first<Y: System>(
    system: &Y,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Report<Y> {
    let mut search = DepthFirst {
        system,
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

struct DepthFirst<'a, Y: System> {
    system: &'a Y,
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
    /// The steps since the atomic sequence it is in began; zero for an ordinary state.
    passing: u32,
}

impl<Y: System> DepthFirst<'_, Y> {
    fn run(&mut self) -> Result<(), StopReason> {
        if let Err(failure) = self.system.initial(&mut self.next) {
            return self
                .book
                .violation(Defect::Failure(failure), None, Vec::new);
        }
        self.arrive()?;
        while let Some(frame) = self.stack.frames.last_mut() {
            if self.book.is_look_due() {
                self.book.look(self.store.bytes() + self.stack.bytes())?;
                continue;
            }
            if frame.next == self.stack.steps.len() {
                self.stack.pop();
                continue;
            }
            let step = self.stack.steps[frame.next];
            frame.next += 1;
            let state = &self.stack.states[frame.state..];
            self.system.cover(state, step, &mut self.book.covered);
            let outcome = self
                .system
                .execute(&mut self.scratch, state, step, &mut self.next);
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
        if passing == 0 {
            if !self.is_new()? {
                return Ok(());
            }
        } else {
            self.book.statistics.atomic_steps += 1;
            if passing > LONG_SEQUENCE {
                match self.passing.insert(&self.next) {
                    Insertion::New => {}
                    Insertion::Known => return Ok(()),
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
            if !self.is_new()? {
                return Ok(());
            }
            leads_on = self.system.enabled(&self.next, &mut self.stack.steps);
        }
        if !leads_on && !self.system.is_valid_end(&self.next) {
            self.book
                .violation(Defect::Deadlock, None, || self.stack.path())?;
        }
        if self.stack.steps.len() > first {
            self.stack.push(&self.next, first, passing);
        }
        Ok(())
    }

    /// Stores the state just arrived at.
    #[inline]
    fn is_new(&mut self) -> Result<bool, StopReason> {
        let statistics = &mut self.book.statistics;
        match self.store.insert(&self.next) {
            Insertion::New => {
                statistics.states += 1;
                statistics.state_bytes = statistics.state_bytes.max(self.next.len() as u64);
                Ok(true)
            }
            Insertion::Known => {
                statistics.matched += 1;
                Ok(false)
            }
            Insertion::Full => Err(StopReason::Memory),
        }
    }
}

impl<S: Copy> Stack<S> {
    #[inline]
    fn push(&mut self, state: &[u8], steps: usize, passing: u32) {
        let frame = Frame {
            state: self.states.len(),
            steps,
            next: steps,
            passing,
        };
        self.frames.push(frame);
        self.states.extend_from_slice(state);
    }

    #[inline]
    fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.states.truncate(frame.state);
            self.steps.truncate(frame.steps);
        }
    }

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
