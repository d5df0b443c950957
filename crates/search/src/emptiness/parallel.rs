//! Nested depth-first search by several workers (Evangelista, Laarman, Petrucci and van de Pol 2012:
//! improved multi-core nested depth-first search, CNDFS).
//!
//! Each worker runs a nested search of its own, in an order of its own. What they share is
//! which states are *blue* (done with by somebody's first search) and *red* (known not to reach
//! an accepting cycle); a worker skips what others have done. A second search collects what it
//! visits and makes it red only at its end, after it has waited for accepting states among it that other workers
//! are still busy with.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use crate::report::{Defect, Observer, Options, Report, Statistics, StopReason, Violation};
use crate::system::{Acceptance, Outcome, Reduction};

use super::path::{Passing, Path};
use super::shared_table::SharedTable;

const BLUE: u8 = 1;
const RED: u8 = 2;
/// Limits are looked at once in this many steps.
const STEPS_BETWEEN_LOOKS: u32 = 1 << 10;

/// Looks for an execution that comes to accepting states again and again, and for steps that fail,
/// with one worker for each reduction. It stops at the first violation.
///
/// If in each component of the graph either all states accept or none (`weak`), the second search
/// is not needed: the first state of a cycle to become blue has its successor on the path.
///
/// What is said of the reduction of [`super::nested_depth_first`] holds here, too.
pub fn parallel_nested<Y: Acceptance, R: Reduction<Y> + Send>(
    system: &Y,
    reductions: &mut [R],
    weak: bool,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Report<Y> {
    let started = Instant::now();
    let shared = Shared {
        table: SharedTable::new(system.ignored_suffix()),
        stop: AtomicBool::new(false),
        bytes: AtomicU64::new(0),
        found: Mutex::new(Found {
            violation: None,
            reason: None,
            cut: false,
            statistics: Statistics::default(),
            covered: vec![false; system.transitions()],
        }),
    };
    std::thread::scope(|scope| {
        for (number, reduction) in reductions.iter_mut().enumerate() {
            let shared = &shared;
            let worker = move || {
                let mut worker = Worker::new(system, reduction, options, shared, number as u64);
                worker.weak = weak;
                let result = worker.run();
                worker.finish(result);
            };
            std::thread::Builder::new()
                .spawn_scoped(scope, worker)
                .expect("a thread can be started");
        }
    });
    let found = shared.found.into_inner().expect("no worker panicked");
    let mut statistics = found.statistics;
    statistics.elapsed = started.elapsed();
    statistics.store_bytes = shared.table.bytes();
    observer.progress(&statistics);
    let stop = match (&found.violation, found.reason) {
        (Some(_), _) => StopReason::Violation,
        (None, Some(reason)) => reason,
        (None, None) if found.cut => StopReason::Depth,
        (None, None) => StopReason::Complete,
    };
    Report {
        stop,
        statistics,
        violations: found.violation.into_iter().collect(),
        covered: found.covered,
    }
}

struct Shared<Y: Acceptance> {
    /// States and their colours.
    table: SharedTable<u8>,
    stop: AtomicBool,
    /// The bytes that all workers' paths take.
    bytes: AtomicU64,
    found: Mutex<Found<Y>>,
}

struct Found<Y: Acceptance> {
    violation: Option<Violation<Y::Step, Y::Failure>>,
    reason: Option<StopReason>,
    cut: bool,
    statistics: Statistics,
    covered: Vec<bool>,
}

/// What a worker itself thinks of a state.
const CYAN: u8 = 1;
const PINK: u8 = 2;

struct Worker<'a, Y: Acceptance, R> {
    system: &'a Y,
    reduction: Shuffled<'a, R>,
    options: &'a Options<'a>,
    shared: &'a Shared<Y>,
    path: Path<Y::Step>,
    /// Cyan states, and pink ones of the second search under way.
    own: HashMap<u32, u8, std::hash::BuildHasherDefault<Identity>>,
    weak: bool,
    /// The frame that the second search started from.
    seed: Option<usize>,
    /// What the second search has visited: state, and whether it accepts.
    visited: Vec<(u32, bool)>,
    next: Vec<u8>,
    scratch: Y::Scratch,
    statistics: Statistics,
    covered: Vec<bool>,
    cut: bool,
    until_look: u32,
    noted_bytes: u64,
}

/// Numbers of states are hashes of themselves.
#[derive(Default)]
struct Identity(u64);

impl std::hash::Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only numbers are hashed");
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// Takes the steps that a reduction chooses in an order that depends on the worker.
struct Shuffled<'a, R> {
    reduction: &'a mut R,
    worker: u64,
}

impl<Y: Acceptance, R: Reduction<Y>> Reduction<Y> for Shuffled<'_, R> {
    fn select(&mut self, system: &Y, state: &[u8], steps: &mut [Y::Step]) -> usize {
        let kept = self.reduction.select(system, state, steps);
        if self.worker > 0 && kept > 1 {
            let by = (self.worker as usize).wrapping_mul(state.len() + kept / 2 + 1) % kept;
            steps[..kept].rotate_left(by);
            if self.worker % 2 == 1 {
                steps[..kept].reverse();
            }
        }
        kept
    }
}

impl<'a, Y: Acceptance, R: Reduction<Y>> Worker<'a, Y, R> {
    fn new(
        system: &'a Y,
        reduction: &'a mut R,
        options: &'a Options<'a>,
        shared: &'a Shared<Y>,
        worker: u64,
    ) -> Worker<'a, Y, R> {
        Worker {
            system,
            reduction: Shuffled { reduction, worker },
            options,
            shared,
            path: Path::new(),
            own: HashMap::default(),
            weak: false,
            seed: None,
            visited: Vec::new(),
            next: Vec::new(),
            scratch: Y::Scratch::default(),
            statistics: Statistics::default(),
            covered: vec![false; system.transitions()],
            cut: false,
            until_look: STEPS_BETWEEN_LOOKS,
            noted_bytes: 0,
        }
    }

    fn run(&mut self) -> Result<(), StopReason> {
        if let Err(failure) = self.system.initial(&mut self.next) {
            return self.violation(Defect::Failure(failure), Vec::new());
        }
        self.arrive()?;
        while !self.path.frames.is_empty() {
            self.until_look -= 1;
            if self.until_look == 0 {
                self.look()?;
                continue;
            }
            let Some((state, step)) = self.path.advance() else {
                self.leave()?;
                continue;
            };
            self.system.cover(state, step, &mut self.covered);
            let Outcome { failure, complete } =
                self.system
                    .execute(&mut self.scratch, state, step, &mut self.next);
            if let Some(failure) = failure
                && self.seed.is_none()
                && self.options.failures
            {
                return self.violation(Defect::Failure(failure), self.path.steps());
            }
            if complete {
                self.arrive()?;
            }
        }
        Ok(())
    }

    fn look(&mut self) -> Result<(), StopReason> {
        self.until_look = STEPS_BETWEEN_LOOKS;
        if self.shared.stop.load(Ordering::Relaxed) {
            // Whoever set it has said why.
            return Err(StopReason::Violation);
        }
        if self.options.interrupt.load(Ordering::Relaxed) {
            return Err(StopReason::Interrupted);
        }
        if self.options.deadline.is_some_and(|at| Instant::now() >= at) {
            return Err(StopReason::Time);
        }
        let own = self.path.bytes() + self.own.capacity() as u64 * 8;
        self.shared.bytes.fetch_add(own, Ordering::Relaxed);
        let others = self
            .shared
            .bytes
            .fetch_sub(self.noted_bytes, Ordering::Relaxed);
        self.noted_bytes = own;
        if others + self.shared.table.bytes() > self.options.memory {
            return Err(StopReason::Memory);
        }
        Ok(())
    }

    fn colour(&self, number: u32) -> u8 {
        self.shared.table.about(number)
    }

    fn set_colour(&self, number: u32, colour: u8) {
        self.shared.table.change(number, |known| *known |= colour);
    }

    fn arrive(&mut self) -> Result<(), StopReason> {
        if self.system.is_passing(&self.next) {
            self.statistics.atomic_steps += 1;
            match self.path.pass(self.system, &self.next) {
                Passing::Passed => return Ok(()),
                Passing::Stuck => self.system.settle(&mut self.next),
                Passing::Around => {}
            }
        }
        let (number, colour, is_new) = self.shared.table.insert(&self.next, |_| 0);
        let accepting = self.system.is_accepting(&self.next);
        let own = self.own.get(&number).copied();
        if is_new {
            self.statistics.states += 1;
            let bytes = self.next.len() as u64;
            self.statistics.state_bytes = self.statistics.state_bytes.max(bytes);
        } else if self.seed.is_none() {
            self.statistics.matched += 1;
        }
        if own == Some(CYAN) {
            let from_accepting = self.path.anchor().is_some_and(|frame| frame.accepting);
            if self.seed.is_some() || accepting || from_accepting {
                let from = self.path.steps_before(number);
                return self.violation(Defect::Cycle(from), self.path.steps());
            }
            return Ok(());
        }
        if self.seed.is_some() {
            if own != Some(PINK) && colour & RED == 0 {
                self.own.insert(number, PINK);
                self.visited.push((number, accepting));
                self.enter(number, accepting);
            }
            return Ok(());
        }
        if colour & BLUE != 0 {
            return Ok(());
        }
        let depth = self.path.frames.len();
        if self.options.depth.is_some_and(|limit| depth > limit) {
            self.cut = true;
            return Ok(());
        }
        self.statistics.depth = self.statistics.depth.max(depth as u64);
        self.own.insert(number, CYAN);
        self.enter(number, accepting);
        Ok(())
    }

    fn enter(&mut self, number: u32, accepting: bool) {
        let left_out = self
            .path
            .push(self.system, &mut self.reduction, &self.next, number);
        self.statistics.reduced += u64::from(left_out > 0 && self.seed.is_none());
        if let Some(frame) = self.path.frames.last_mut() {
            frame.accepting = accepting;
        }
    }

    fn leave(&mut self) -> Result<(), StopReason> {
        let index = self.path.frames.len() - 1;
        let top = self.path.frames[index];
        let (Some(number), None) = (top.stored, self.seed) else {
            self.path.pop();
            if self.seed == Some(index) {
                self.end_second_search()?;
            }
            return Ok(());
        };
        // Blue before the second search, as in the paper.
        self.set_colour(number, BLUE);
        if top.accepting && !self.weak && self.colour(number) & RED == 0 {
            self.path.frames[index].seed = true;
            self.next.clear();
            self.next.extend_from_slice(self.path.top());
            self.seed = Some(index + 1);
            self.visited.clear();
            self.visited.push((number, true));
            self.enter(number, top.accepting);
            return Ok(());
        }
        self.own.remove(&number);
        self.path.pop();
        Ok(())
    }

    /// Waits until the accepting states visited are red by somebody's hand, then makes all red.
    fn end_second_search(&mut self) -> Result<(), StopReason> {
        let seed = self.visited[0].0;
        for index in 1..self.visited.len() {
            let (number, accepting) = self.visited[index];
            while accepting && self.colour(number) & RED == 0 {
                self.look()?;
                std::thread::yield_now();
            }
        }
        for index in 0..self.visited.len() {
            let (number, _) = self.visited[index];
            self.set_colour(number, RED);
            self.own.remove(&number);
        }
        self.seed = None;
        self.own.remove(&seed);
        self.path.pop();
        Ok(())
    }

    fn violation(
        &mut self,
        defect: Defect<Y::Failure>,
        steps: Vec<Y::Step>,
    ) -> Result<(), StopReason> {
        let mut found = self.shared.found.lock().expect("no worker panicked");
        if found.violation.is_none() {
            found.violation = Some(Violation { defect, steps });
            found.statistics.violations = 1;
        }
        Err(StopReason::Violation)
    }

    /// Adds what this worker did to what all did.
    fn finish(self, result: Result<(), StopReason>) {
        let mut found = self.shared.found.lock().expect("no worker panicked");
        match result {
            // Others may still be busy with second searches that this one relies on.
            Ok(()) => {}
            Err(reason) => {
                if reason != StopReason::Violation {
                    found.reason.get_or_insert(reason);
                }
                self.shared.stop.store(true, Ordering::Relaxed);
            }
        }
        found.cut |= self.cut;
        let total = &mut found.statistics;
        total.states += self.statistics.states;
        total.matched += self.statistics.matched;
        total.atomic_steps += self.statistics.atomic_steps;
        total.reduced += self.statistics.reduced;
        total.depth = total.depth.max(self.statistics.depth);
        total.state_bytes = total.state_bytes.max(self.statistics.state_bytes);
        for (all, own) in found.covered.iter_mut().zip(self.covered) {
            *all |= own;
        }
    }
}
