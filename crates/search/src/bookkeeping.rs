//! What all orders of search have in common: counting, limits, violations.
//!
//! Every worker has [`Bookkeeping`] of its own; [`Control`] is what they share.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use rapidhash::RapidHashSet;
use rapidhash::v3::rapidhash_v3;

use crate::report::{Defect, Options, Report, Statistics, StopReason, Violation};
use crate::system::System;

/// Deadlocks are collected up to this number, and so are different failures; the rest is counted.
const VIOLATIONS_KEPT: usize = 64;
/// Of this many deadlocks it is known that they are different; those met later may be counted twice.
const DEADLOCKS_TOLD_APART: usize = 1 << 16;
/// Limits are looked at, and the observer is told, once in this many steps.
const STEPS_BETWEEN_LOOKS: u32 = 1 << 12;
/// In tests with small systems, workers meet more often, and so they do where steps take long.
const FEWEST_STEPS_BETWEEN_LOOKS: u32 = 16;
/// This many before the first look, when it is not known yet how long they take.
const STEPS_BEFORE_FIRST_LOOK: u32 = 1 << 8;
/// If the time between looks is more, they are taken more often; if it is less than a tenth, less often. It is so long that
/// only very slow steps make a difference, not what else a machine does: a search is to be the same every time.
const LONG_BETWEEN_LOOKS: Duration = Duration::from_millis(500);
/// What the program takes besides states, tables and stacks.
const OVERHEAD: u64 = 20 << 20;
/// What each worker takes besides.
const OVERHEAD_OF_WORKER: u64 = 4 << 20;

/// Is told how far the search is.
pub(crate) type Watcher<'a> = &'a mut (dyn FnMut(&Statistics) + Send);

/// What the workers of a search share.
pub(crate) struct Control<'a> {
    pub options: &'a Options<'a>,
    started: Instant,
    halted: AtomicBool,
    reason: Mutex<Option<StopReason>>,
    /// Are all workers to stop and then to go on?
    paused: AtomicBool,
    /// When the next pause is due.
    pause_at: Mutex<Option<Instant>>,
    /// The time that the search took before it was resumed.
    before: Mutex<Duration>,
    /// How far each worker is.
    workers: Vec<Published>,
}

/// What a worker tells the others now and then.
#[derive(Default)]
#[repr(align(128))]
struct Published {
    states: AtomicU64,
    matched: AtomicU64,
    depth: AtomicU64,
    /// The bytes of its stack.
    bytes: AtomicU64,
}

impl<'a> Control<'a> {
    pub fn new(options: &'a Options<'a>, workers: usize) -> Self {
        Control {
            options,
            started: Instant::now(),
            halted: AtomicBool::new(false),
            reason: Mutex::new(None),
            paused: AtomicBool::new(false),
            pause_at: Mutex::new(None),
            before: Mutex::new(Duration::ZERO),
            workers: (0..workers).map(|_| Published::default()).collect(),
        }
    }

    /// Makes all workers stop. The first reason counts.
    pub fn halt(&self, reason: StopReason) {
        let mut known = self.reason.lock().unwrap_or_else(|lock| lock.into_inner());
        known.get_or_insert(reason);
        self.halted.store(true, Ordering::Release);
    }

    /// Is the search to end?
    pub fn is_halted(&self) -> bool {
        self.halted.load(Ordering::Relaxed)
    }

    /// Goes on after a pause, until the next one.
    pub fn go_on(&self, until: Option<Instant>) {
        self.paused.store(false, Ordering::Relaxed);
        *lock(&self.pause_at) = until;
    }

    /// Is the search stopped in order to go on? One that ends for a reason is not.
    pub fn is_paused(&self) -> bool {
        self.paused.load(Ordering::Relaxed)
    }

    /// Ends the search for all workers, unless it is only paused.
    pub fn halt_unless_paused(&self, reason: StopReason) {
        if reason != StopReason::Interrupted || !self.is_paused() {
            self.halt(reason);
        }
    }

    /// Is there a reason to save what is left of the search? There is none once it has its verdict.
    pub fn is_worth_saving(&self) -> bool {
        match self.reason() {
            None => self.is_paused(),
            Some(reason) => matches!(
                reason,
                StopReason::Memory | StopReason::Time | StopReason::Interrupted
            ),
        }
    }

    /// The time taken, before the search was resumed and since.
    pub fn elapsed(&self) -> Duration {
        *lock(&self.before) + self.started.elapsed()
    }

    /// The search took so long before it was resumed.
    pub fn set_before(&self, elapsed: Duration) {
        *lock(&self.before) = elapsed;
    }

    /// Why the search is to end.
    pub fn reason(&self) -> Option<StopReason> {
        *self.reason.lock().unwrap_or_else(|lock| lock.into_inner())
    }

    /// Is the search to end, here and now? Then it ends for all workers.
    pub fn end_if_over(&self) -> Result<(), StopReason> {
        self.end_by(self.options.deadline)
    }

    /// The same, whatever the time.
    pub fn end_if_stopped(&self) -> Result<(), StopReason> {
        self.end_by(None)
    }

    fn end_by(&self, deadline: Option<Instant>) -> Result<(), StopReason> {
        let reason = if self.is_halted() {
            self.reason().unwrap_or(StopReason::Interrupted)
        } else if self.options.interrupt.load(Ordering::Relaxed) {
            StopReason::Interrupted
        } else if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            StopReason::Time
        } else {
            return Ok(());
        };
        self.halt(reason);
        Err(reason)
    }

    /// Have the workers met enough states for it to be worth sharing the rest?
    pub fn is_large(&self) -> bool {
        let states = self.workers.iter().map(|worker| &worker.states);
        let states = states.map(|states| states.load(Ordering::Relaxed));
        states.sum::<u64>() >= self.options.alone
    }

    /// The bytes that a store may take, given what the workers take.
    pub fn room(&self) -> u64 {
        self.options.memory.saturating_sub(self.taken())
    }

    fn taken(&self) -> u64 {
        // A limit so small that the program alone is near it has to be taken with a grain of salt.
        let overhead = OVERHEAD + OVERHEAD_OF_WORKER * self.workers.len() as u64;
        let overhead = overhead.min(self.options.memory / 2);
        let stacks = self.workers.iter().map(|worker| &worker.bytes);
        overhead
            + stacks
                .map(|bytes| bytes.load(Ordering::Relaxed))
                .sum::<u64>()
    }

    /// The reports of all workers as one.
    pub fn merge<Y: System>(
        &self,
        books: Vec<Bookkeeping<'_, Y>>,
        store_bytes: u64,
        omission_probability: f64,
    ) -> Report<Y> {
        let mut statistics = Statistics::default();
        let mut violations: Vec<Violation<Y::Step, Y::Failure>> = Vec::new();
        let mut dead_end: Option<Violation<Y::Step, Y::Failure>> = None;
        let mut covered = Vec::new();
        let mut cut = false;
        for book in books {
            statistics.add(&book.statistics);
            let is_shorter = |found: &Violation<_, _>| {
                let known = dead_end.as_ref();
                known.is_none_or(|known| found.steps.len() < known.steps.len())
            };
            if let Some(found) = book.dead_end.filter(is_shorter) {
                dead_end = Some(found);
            }
            for violation in book.violations {
                if is_worth_keeping(&violations, &violation.defect, violation.steps.last()) {
                    violations.push(violation);
                }
            }
            covered.resize(book.covered.len(), false);
            for (all, own) in covered.iter_mut().zip(book.covered) {
                *all |= own;
            }
            cut |= book.cut;
        }
        statistics.elapsed = self.elapsed();
        statistics.store_bytes = store_bytes;
        statistics.other_bytes = self.taken();
        statistics.omission_probability = omission_probability;
        let stop = match self.reason() {
            None if cut => StopReason::Depth,
            None => StopReason::Complete,
            Some(reason) => reason,
        };
        Report {
            stop,
            statistics,
            violations,
            dead_end,
            covered,
        }
    }
}

/// The state of a worker apart from its order.
pub(crate) struct Bookkeeping<'a, Y: System> {
    pub control: &'a Control<'a>,
    pub options: &'a Options<'a>,
    pub statistics: Statistics,
    pub violations: Vec<Violation<Y::Step, Y::Failure>>,
    /// The first dead end.
    pub dead_end: Option<Violation<Y::Step, Y::Failure>>,
    /// The deadlocks met, by the hash of their state.
    deadlocks: RapidHashSet<u64>,
    pub covered: Vec<bool>,
    /// Was some path cut at the depth limit?
    pub cut: bool,
    worker: usize,
    /// Only one worker is watched, and speaks for all.
    observer: Option<Watcher<'a>>,
    /// What the store took at the last look.
    store_bytes: u64,
    until_look: u32,
    /// This many steps more are followed by a glance at the clock: where steps are slow, a look comes as soon as it says so. One
    /// deterministic sequence may be a million statements long.
    glances: u32,
    /// Steps from one look to the next.
    between_looks: u32,
    last_look: Instant,
}

impl<'a, Y: System> Bookkeeping<'a, Y> {
    pub fn new(
        system: &Y,
        control: &'a Control<'a>,
        worker: usize,
        observer: Option<Watcher<'a>>,
    ) -> Self {
        let between_looks = most_between_looks(control.options).min(STEPS_BEFORE_FIRST_LOOK);
        Bookkeeping {
            control,
            options: control.options,
            statistics: Statistics::default(),
            violations: Vec::new(),
            dead_end: None,
            deadlocks: RapidHashSet::default(),
            covered: vec![false; system.transitions()],
            cut: false,
            worker,
            observer,
            store_bytes: 0,
            until_look: 1,
            glances: between_looks - 1,
            between_looks,
            last_look: Instant::now(),
        }
    }

    /// Is it time for a look at the limits?
    #[inline]
    pub fn is_look_due(&mut self) -> bool {
        self.until_look -= 1;
        self.until_look == 0 && self.is_look_due_by_the_clock()
    }

    #[cold]
    fn is_look_due_by_the_clock(&mut self) -> bool {
        if self.glances == 0 || self.last_look.elapsed() > LONG_BETWEEN_LOOKS {
            return true;
        }
        self.glances -= 1;
        self.until_look = 1;
        false
    }

    /// Puts a look off that cannot be taken now.
    pub fn put_off_look(&mut self) {
        self.until_look = self.between_looks;
        self.glances = 0;
    }

    /// Tells the observer, if this is the worker that does, how far all are.
    pub fn tell(&mut self) {
        if let Some(observer) = &mut self.observer {
            let mut all = self.statistics;
            for (number, other) in self.control.workers.iter().enumerate() {
                if number != self.worker {
                    all.states += other.states.load(Ordering::Relaxed);
                    all.matched += other.matched.load(Ordering::Relaxed);
                    all.depth = all.depth.max(other.depth.load(Ordering::Relaxed));
                }
            }
            all.elapsed = self.control.elapsed();
            all.store_bytes = self.store_bytes;
            observer(&all);
        }
    }

    /// Looks at the limits; a reason to stop ends the search. `bytes` is what this worker takes,
    /// `store_bytes` what the store does.
    pub fn look(&mut self, bytes: u64, store_bytes: u64) -> Result<(), StopReason> {
        let now = Instant::now();
        let since = now - std::mem::replace(&mut self.last_look, now);
        if since > LONG_BETWEEN_LOOKS {
            self.between_looks = (self.between_looks / 16).max(FEWEST_STEPS_BETWEEN_LOOKS);
        } else if since < LONG_BETWEEN_LOOKS / 10 {
            let most = most_between_looks(self.options);
            self.between_looks = (self.between_looks * 16).min(most);
        }
        (self.until_look, self.glances) = match since > LONG_BETWEEN_LOOKS {
            true => (1, self.between_looks - 1),
            false => (self.between_looks, 0),
        };
        let published = &self.control.workers[self.worker];
        published.bytes.store(bytes, Ordering::Relaxed);
        published
            .states
            .store(self.statistics.states, Ordering::Relaxed);
        published
            .matched
            .store(self.statistics.matched, Ordering::Relaxed);
        published
            .depth
            .store(self.statistics.depth, Ordering::Relaxed);
        self.store_bytes = store_bytes;
        self.tell();
        if let Some(reason) = self.control.is_halted().then(|| self.control.reason()) {
            return Err(reason.unwrap_or(StopReason::Interrupted));
        }
        // An end comes before a pause: where one pause follows the other, there would be none.
        if self.options.interrupt.load(Ordering::Relaxed) {
            return Err(StopReason::Interrupted);
        }
        if self
            .options
            .deadline
            .is_some_and(|deadline| Instant::now() >= deadline)
        {
            return Err(StopReason::Time);
        }
        let is_pause_due = || lock(&self.control.pause_at).is_some_and(|at| Instant::now() >= at);
        if self.control.is_paused() || is_pause_due() {
            self.control.paused.store(true, Ordering::Relaxed);
            return Err(StopReason::Interrupted);
        }
        if store_bytes.saturating_add(self.control.taken()) > self.options.memory {
            return Err(StopReason::Memory);
        }
        Ok(())
    }

    /// Notes a deadlock in an order that may come to the same state again and again. `identity` tells the state from others.
    pub fn deadlock(
        &mut self,
        identity: &[u8],
        steps: impl FnOnce() -> Vec<Y::Step>,
    ) -> Result<(), StopReason> {
        if self.deadlocks.len() < DEADLOCKS_TOLD_APART
            && !self.deadlocks.insert(rapidhash_v3(identity))
        {
            return Ok(());
        }
        self.violation(Defect::Deadlock, None, steps)
    }

    /// Notes an atomic sequence that never ends: these steps lead round in it.
    #[cold]
    pub fn endless_sequence(&mut self, steps: impl FnOnce() -> Vec<Y::Step>) {
        self.dead_end.get_or_insert_with(|| {
            let steps = steps();
            let defect = Defect::Cycle(steps.len());
            Violation { defect, steps }
        });
    }

    /// Notes a violation, unless it is of a kind not asked for. `steps` is called only for a
    /// violation that was not met before.
    pub fn violation(
        &mut self,
        defect: Defect<Y::Failure>,
        last: Option<Y::Step>,
        steps: impl FnOnce() -> Vec<Y::Step>,
    ) -> Result<(), StopReason> {
        let asked = match defect {
            Defect::Deadlock => self.options.deadlock,
            Defect::Failure(_) => self.options.failures,
            Defect::Cycle(_) => true,
        };
        if !asked {
            return Ok(());
        }
        if matches!(&defect, Defect::Failure(failure) if Y::is_dead_end(failure)) {
            let found = || Violation {
                defect,
                steps: steps(),
            };
            self.dead_end.get_or_insert_with(found);
            return Ok(());
        }
        self.statistics.violations += 1;
        if is_worth_keeping(&self.violations, &defect, last.as_ref()) {
            self.violations.push(Violation {
                defect,
                steps: steps(),
            });
        }
        if self.options.all {
            Ok(())
        } else {
            Err(StopReason::Violation)
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|lock| lock.into_inner())
}

fn most_between_looks(options: &Options<'_>) -> u32 {
    let most = u64::from(STEPS_BETWEEN_LOOKS);
    (options.alone.min(most) as u32).max(FEWEST_STEPS_BETWEEN_LOOKS)
}

/// Is this violation a new one, and are there not too many of its kind?
pub(crate) fn is_worth_keeping<S: PartialEq, F: PartialEq>(
    violations: &[Violation<S, F>],
    defect: &Defect<F>,
    last: Option<&S>,
) -> bool {
    let is_deadlock = *defect == Defect::Deadlock;
    let is_known = !is_deadlock
        && violations
            .iter()
            .any(|known| known.defect == *defect && known.steps.last() == last);
    let kept = violations
        .iter()
        .filter(|known| (known.defect == Defect::Deadlock) == is_deadlock)
        .count();
    !is_known && kept < VIOLATIONS_KEPT
}
