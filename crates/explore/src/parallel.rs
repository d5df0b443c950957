//! Search by several threads, each with an engine of its own.
//!
//! One thread explores the first few steps of all executions by sleep sets alone. Each prefix that
//! it finds, with those who sleep at its end, is a piece of work that needs to know nothing of the
//! others: from every state of the prefix everything is explored anyhow, so a race with one of its
//! events asks for nothing new. Sleep sets keep two prefixes from leading to equivalent
//! executions; the price is executions in vain, since near the root there are more branches than
//! optimal reduction would have needed.
//!
//! What is left to do can be saved at any moment: the pieces that nobody has taken, and for each that
//! somebody has, the piece itself or what its search has saved since. A search goes on from
//! there with as many threads as it is given, whatever their number was.
//!
//! Below a prefix, that an actor slept at its end is no reason to leave a sequence out: what would
//! wake it later may be found only by exploring the sequence. In a search by one thread that is
//! found from the branch in which the actor moved first, and added to a state of the prefix.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use mazurka_runtime::{Limit, Refinement};

use crate::checkpoint::{Checkpoint, SavedNumbers, SavedPiece, SavedStack, SavedWork};
use crate::engine::{Engine, EngineError};
use crate::options::{Finding, Options, Reduction, Report, Statistics, StopReason, Strategy};
use crate::plan::WHERE_CUT;
use crate::search::{Ended, Observer, Search, Shared, explore, go_on, uncontrolled_before};

/// This many pieces for each thread are enough.
const PIECES: usize = 16;
/// The longest prefix.
const LONGEST: usize = 24;
/// How often progress is told.
const PAUSE: Duration = Duration::from_millis(100);
/// How long to wait for searches that were asked to save what they have done. One that does not
/// look in time has what it saved before.
const PATIENCE: Duration = Duration::from_millis(500);

/// Explores a program with this many threads; `make` makes an engine for each, which it numbers.
///
/// With a random strategy each thread has a seed of its own. With persistent sets there is one
/// thread: what actors are seen to use is known to all or to nobody.
///
/// # Panics
///
/// As [`explore`] does.
pub fn explore_in_parallel<E: Engine>(
    make: impl Fn(usize) -> Result<E, EngineError> + Sync,
    options: &Options,
    jobs: usize,
    observer: &mut dyn Observer,
) -> Report {
    options.assert_sound();
    let found = if jobs < 2 || options.reduction == Reduction::Persistent {
        make(0).map(|mut engine| explore(&mut engine, options, observer))
    } else if options.strategy != Strategy::Exhaustive {
        share_seeds(&make, options, jobs, observer)
    } else {
        share_pieces(&make, options, jobs, None, observer)
    };
    found.unwrap_or_else(failed)
}

/// Resumes a search that was stopped, with this many threads, whatever the number was. Apart
/// from limits, the options must be those with which it was begun. What one thread has begun,
/// one resumes.
///
/// # Panics
///
/// As [`explore`] does.
pub fn go_on_in_parallel<E: Engine>(
    make: impl Fn(usize) -> Result<E, EngineError> + Sync,
    options: &Options,
    jobs: usize,
    observer: &mut dyn Observer,
    checkpoint: &Checkpoint,
) -> Report {
    options.assert_sound();
    let found = if checkpoint.is_shared() {
        share_pieces(&make, options, jobs, Some(checkpoint), observer)
    } else {
        make(0).map(|mut engine| go_on(&mut engine, options, observer, checkpoint))
    };
    found.unwrap_or_else(failed)
}

fn failed(error: EngineError) -> Report {
    Report {
        reason: StopReason::Engine(error.0),
        ..nothing_yet()
    }
}

fn nothing_yet() -> Report {
    Report {
        reason: StopReason::Complete,
        statistics: Statistics::default(),
        violations: vec![],
    }
}

/// Random searches side by side.
fn share_seeds<E: Engine>(
    make: &(impl Fn(usize) -> Result<E, EngineError> + Sync),
    options: &Options,
    jobs: usize,
    observer: &mut dyn Observer,
) -> Result<Report, EngineError> {
    let shared = Shared::default();
    let one = |job: usize| {
        let mut options = options.clone();
        // Far apart in the sequence of random numbers.
        let shift = (job as u64).wrapping_mul(0xd134_2543_de82_ef95);
        options.seed = options.seed.wrapping_add(shift);
        let share = |all: u64| all / jobs as u64 + u64::from((job as u64) < all % jobs as u64);
        options.executions = options.executions.map(share);
        if options.executions == Some(0) {
            return Ok(Some(nothing_yet()));
        }
        let mut engine = make(job)?;
        let mut nobody = ();
        let mut search = Search::new(&mut engine, &options, &mut nobody);
        search.shared = Some(&shared);
        let reason = match search.run() {
            Ok(Ended::By(reason)) => reason,
            Ok(Ended::Cut) => StopReason::Limit(Limit::OTHER),
            Err(error) => search.interrupted_or(error),
        };
        if !matches!(reason, StopReason::Executions | StopReason::Time) {
            shared.stop.store(true, Ordering::Relaxed);
        }
        Ok(Some(Report {
            reason,
            statistics: search.statistics,
            violations: search.violations,
        }))
    };
    let meanwhile = |runs| tell(observer, &shared, runs, 0.0);
    let joined = run_all(jobs, &shared, meanwhile, &one)?;
    Ok(joined.unwrap_or_else(nothing_yet))
}

fn share_pieces<E: Engine>(
    make: &(impl Fn(usize) -> Result<E, EngineError> + Sync),
    options: &Options,
    jobs: usize,
    checkpoint: Option<&Checkpoint>,
    observer: &mut dyn Observer,
) -> Result<Report, EngineError> {
    let started = Instant::now();
    let mut options = options.clone();
    let refinement = options.refinement();
    if let Some(checkpoint) = checkpoint {
        options.reduction = checkpoint.reduction;
    }
    let ledger = match checkpoint.and_then(|checkpoint| Ledger::load(checkpoint, &options)) {
        Some(ledger) => Ok(ledger),
        None => take_apart(make, &options, refinement, jobs, started)?,
    };
    let ledger = match ledger {
        Ok(ledger) => ledger,
        Err(report) => return Ok(report),
    };
    let violations = match share(make, &options, jobs, started, ledger, observer)? {
        Ok(report) => return Ok(report),
        Err(violations) => violations,
    };
    // An execution was cut, or a step could end in several ways.
    options.reduction = WHERE_CUT;
    let known = Report {
        violations,
        ..nothing_yet()
    };
    let ledger = match take_apart(make, &options, options.refinement(), jobs, started)? {
        Ok(mut ledger) => {
            join(&mut ledger.done, known);
            ledger
        }
        Err(mut report) => {
            join(&mut report, known);
            return Ok(report);
        }
    };
    let report = share(make, &options, jobs, started, ledger, observer)?;
    Ok(report.unwrap_or_else(|_| nothing_yet()))
}

/// Takes the work apart, unless that ends the search.
fn take_apart<E: Engine>(
    make: &(impl Fn(usize) -> Result<E, EngineError> + Sync),
    options: &Options,
    refinement: Refinement,
    jobs: usize,
    started: Instant,
) -> Result<Result<Ledger, Report>, EngineError> {
    let top = Options {
        reduction: match options.reduction {
            Reduction::None => Reduction::None,
            _ => Reduction::Sleep,
        },
        ..options.clone()
    };
    let mut engine = make(0)?;
    let mut ceiling = 2;
    let (pieces, found) = loop {
        let (pieces, found) = split(&mut engine, &top, refinement, ceiling, started);
        let enough = pieces.len() >= PIECES * jobs || pieces.is_empty();
        if enough || ceiling >= LONGEST || !has_ended(&found.reason) {
            break (pieces, found);
        }
        ceiling += 2;
    };
    if !has_ended(&found.reason) {
        return Ok(Err(found));
    }
    Ok(Ok(Ledger {
        all: pieces.len(),
        left: pieces.into_iter().map(Task::Piece).collect(),
        taken: vec![],
        numbers: SavedNumbers::of(engine.kernel()),
        done: found,
    }))
}

/// Whether a search has come to its end, though perhaps not to all that the program does.
fn has_ended(reason: &StopReason) -> bool {
    matches!(reason, StopReason::Complete | StopReason::Uncontrolled(_))
}

/// A part of the work.
#[derive(Clone)]
enum Task {
    /// Nobody has begun it.
    Piece(SavedPiece),
    /// Somebody has come so far.
    Begun(Box<SavedStack>),
}

/// All that is left of the work, and what has been found where it is done.
struct Ledger {
    /// What nobody has taken.
    left: Vec<Task>,
    /// Per job, what it has taken, as it was saved last.
    taken: Vec<Option<Task>>,
    /// How many pieces there were.
    all: usize,
    /// The numbers of actors, which all threads must agree on.
    numbers: SavedNumbers,
    /// What was found in tasks that have ended.
    done: Report,
}

impl Ledger {
    fn load(checkpoint: &Checkpoint, options: &Options) -> Option<Ledger> {
        let work = checkpoint.shared.as_ref()?;
        let reason = match (options.depth, work.statistics.cut) {
            _ if work.statistics.uncontrolled => uncontrolled_before(),
            (Some(depth), 1..) => StopReason::Depth(depth),
            _ => StopReason::Complete,
        };
        let pieces = work.pieces.iter().cloned().map(Task::Piece);
        let begun = checkpoint.stacks.iter().cloned().map(Box::new);
        Some(Ledger {
            // The last one is taken first.
            left: pieces.chain(begun.map(Task::Begun)).collect(),
            taken: vec![],
            all: work.all,
            numbers: work.numbers.clone(),
            done: Report {
                reason,
                statistics: work.statistics,
                violations: work.violations.clone(),
            },
        })
    }

    fn save(&self, reduction: Reduction) -> Checkpoint {
        let (mut pieces, mut stacks) = (vec![], vec![]);
        for task in self.left.iter().chain(self.taken.iter().flatten()) {
            match task {
                Task::Piece(piece) => pieces.push(piece.clone()),
                Task::Begun(stack) => stacks.push((**stack).clone()),
            }
        }
        let work = SavedWork {
            pieces,
            all: self.all,
            numbers: self.numbers.clone(),
            statistics: self.done.statistics,
            violations: self.done.violations.clone(),
        };
        Checkpoint::new(reduction, stacks, Some(work))
    }

    /// How many executions there have been, redundant ones too.
    fn runs(&self) -> u64 {
        let begun = self.left.iter().filter_map(|task| match task {
            Task::Begun(stack) => Some(stack.statistics),
            Task::Piece(_) => None,
        });
        let counted = begun.chain([self.done.statistics]);
        counted
            .map(|statistics| statistics.executions + statistics.redundant_executions)
            .sum()
    }

    /// Which part of the work is done.
    fn share_done(&self) -> f64 {
        let left = self.left.len() + self.taken.iter().flatten().count();
        1.0 - left as f64 / self.all.max(1) as f64
    }
}

/// Only the violations that were found if an execution was cut and the reduction is not sound with that.
fn share<E: Engine>(
    make: &(impl Fn(usize) -> Result<E, EngineError> + Sync),
    options: &Options,
    jobs: usize,
    started: Instant,
    mut ledger: Ledger,
    observer: &mut dyn Observer,
) -> Result<Result<Report, Vec<Finding>>, EngineError> {
    let shared = Shared::default();
    shared.runs.store(ledger.runs(), Ordering::Relaxed);
    ledger.taken = vec![None; jobs];
    let work = Work {
        options,
        ledger: Mutex::new(ledger),
        wanted: (0..jobs).map(|_| AtomicBool::new(false)).collect(),
        shared: &shared,
        started,
    };
    let one = |job: usize| Ok(work.run(job, make(job)?));
    // When searches were asked to save what they have done.
    let mut asked: Option<Instant> = None;
    let meanwhile = |runs: u64| {
        let estimate = match work.ledger().share_done() {
            share if share > 0.0 => runs as f64 / share,
            _ => 0.0,
        };
        tell(observer, &shared, runs, estimate);
        match asked {
            Some(since) if since.elapsed() >= PATIENCE => {
                observer.checkpoint(work.ledger().save(options.reduction));
                asked = None;
            }
            None if observer.wants_checkpoint(false) => {
                for wanted in &work.wanted {
                    wanted.store(true, Ordering::Relaxed);
                }
                asked = Some(Instant::now());
            }
            _ => {}
        }
    };
    let joined = run_all(jobs, &shared, meanwhile, &one)?;
    let ledger = work.ledger();
    let Some(report) = joined else {
        return Ok(Err(ledger.done.violations.clone()));
    };
    if matches!(
        report.reason,
        StopReason::Time | StopReason::Executions | StopReason::Interrupted
    ) && observer.wants_checkpoint(true)
    {
        observer.checkpoint(ledger.save(options.reduction));
    }
    let mut all = ledger.done.clone();
    join(&mut all, report);
    Ok(Ok(all))
}

fn tell(observer: &mut dyn Observer, shared: &Shared, runs: u64, estimate: f64) {
    let statistics = Statistics {
        executions: runs,
        estimate,
        ..Statistics::default()
    };
    if observer.progress(&statistics).is_break() {
        shared.stop.store(true, Ordering::Relaxed);
    }
}

/// Stops all jobs when it is dropped: an observer may panic, and nobody would wait for them otherwise.
struct Stop<'s>(&'s Shared);

impl Drop for Stop<'_> {
    fn drop(&mut self) {
        self.0.stop.store(true, Ordering::Relaxed);
    }
}

/// Runs all jobs, does something now and then meanwhile, and joins what they found; none if one found nothing
/// that counts.
fn run_all(
    jobs: usize,
    shared: &Shared,
    mut meanwhile: impl FnMut(u64),
    one: &(impl Fn(usize) -> Result<Option<Report>, EngineError> + Sync),
) -> Result<Option<Report>, EngineError> {
    let main = thread::current();
    let found = thread::scope(|scope| {
        let handles: Vec<_> = (0..jobs)
            .map(|job| {
                let main = main.clone();
                scope.spawn(move || {
                    let found = one(job);
                    if found.is_err() {
                        shared.stop.store(true, Ordering::Relaxed);
                    }
                    main.unpark();
                    found
                })
            })
            .collect();
        let _stop = Stop(shared);
        while handles.iter().any(|handle| !handle.is_finished()) {
            thread::park_timeout(PAUSE);
            meanwhile(shared.runs.load(Ordering::Relaxed));
        }
        let joined = handles.into_iter().map(|handle| {
            let lost = |_| Err(EngineError("a thread of the search is lost".into()));
            handle.join().unwrap_or_else(lost)
        });
        joined.collect::<Result<Vec<Option<Report>>, EngineError>>()
    })?;
    let mut joined = nothing_yet();
    for report in found {
        let Some(report) = report else {
            return Ok(None);
        };
        join(&mut joined, report);
    }
    Ok(Some(joined))
}

/// The prefixes of this length, and what was found in executions that are no longer.
fn split<E: Engine>(
    engine: &mut E,
    options: &Options,
    refinement: Refinement,
    ceiling: usize,
    started: Instant,
) -> (Vec<SavedPiece>, Report) {
    let mut pieces = vec![];
    let mut observer = ();
    let mut search = Search::new(engine, options, &mut observer);
    search.started = started;
    search.refinement = refinement;
    search.prepare();
    search.kernel().forget_numbers();
    let mut from = 0;
    let reason = loop {
        if let Err(error) = search.run_engine() {
            break search.interrupted_or(error);
        }
        let before = search.statistics;
        if let Some(reason) = search.absorb(from) {
            break reason;
        }
        if search.height > ceiling {
            // It will be explored again with what follows the prefix.
            search.statistics = before;
            search.height = ceiling;
            let sleep = search.kernel().records[ceiling].sleep;
            pieces.push(SavedPiece {
                schedule: (search.path.events[..ceiling].iter())
                    .map(|event| (event.step.actor, event.step.choice))
                    .collect(),
                sleep,
            });
        }
        match search.backtrack() {
            Some(depth) => from = depth,
            None => {
                let uncontrolled = search.uncontrolled().map(StopReason::Uncontrolled);
                break uncontrolled.unwrap_or(StopReason::Complete);
            }
        }
        if let Some(reason) = search.limit() {
            break reason;
        }
    };
    let report = Report {
        reason,
        statistics: search.statistics,
        violations: search.violations,
    };
    (pieces, report)
}

/// What a thread needs to know.
struct Work<'w> {
    options: &'w Options,
    ledger: Mutex<Ledger>,
    /// Per job, whether it is to save what it has done.
    wanted: Vec<AtomicBool>,
    shared: &'w Shared,
    started: Instant,
}

impl Work<'_> {
    fn ledger(&self) -> MutexGuard<'_, Ledger> {
        // What is in it is whole at any moment.
        self.ledger.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes tasks and explores them until there are none. Gives what was found in one that has
    /// not ended; nothing if an execution was cut.
    fn run<E: Engine>(&self, job: usize, mut engine: E) -> Option<Report> {
        loop {
            let task = {
                let mut ledger = self.ledger();
                if ledger.left.is_empty() {
                    return Some(nothing_yet());
                }
                if self.shared.stop.load(Ordering::Relaxed) {
                    // What is left is not explored.
                    return Some(Report {
                        reason: StopReason::Interrupted,
                        ..nothing_yet()
                    });
                }
                let task = ledger.left.pop()?;
                ledger.taken[job] = Some(task.clone());
                task
            };
            let report = self.explore(job, &mut engine, &task)?;
            if !matches!(
                report.reason,
                StopReason::Complete
                    | StopReason::Depth(_)
                    | StopReason::Preemptions(_)
                    | StopReason::Uncontrolled(_)
            ) {
                self.shared.stop.store(true, Ordering::Relaxed);
                return Some(report);
            }
            let mut ledger = self.ledger();
            ledger.taken[job] = None;
            join(&mut ledger.done, report);
        }
    }

    fn explore<E: Engine>(&self, job: usize, engine: &mut E, task: &Task) -> Option<Report> {
        let mut saver = Saver { work: self, job };
        let mut search = Search::new(engine, self.options, &mut saver);
        search.started = self.started;
        search.shared = Some(self.shared);
        let ended = match task {
            Task::Piece(piece) => {
                search.floor = piece.schedule.len();
                search.prepare();
                let kernel = search.kernel();
                self.ledger().numbers.lay_down(kernel);
                piece.lay_down(kernel);
                search.run_from_here()
            }
            Task::Begun(stack) => search.resume(stack),
        };
        let reason = match ended {
            Ok(Ended::By(reason)) => reason,
            Ok(Ended::Cut) => {
                self.shared.stop.store(true, Ordering::Relaxed);
                let known = Report {
                    violations: search.violations,
                    ..nothing_yet()
                };
                join(&mut self.ledger().done, known);
                return None;
            }
            Err(error) => search.interrupted_or(error),
        };
        Some(Report {
            reason,
            statistics: search.statistics,
            violations: search.violations,
        })
    }
}

/// Puts what one search has done so far into the ledger.
struct Saver<'w> {
    work: &'w Work<'w>,
    job: usize,
}

impl Observer for Saver<'_> {
    fn wants_checkpoint(&mut self, is_stopping: bool) -> bool {
        self.work.wanted[self.job].swap(false, Ordering::Relaxed) || is_stopping
    }

    fn checkpoint(&mut self, checkpoint: Checkpoint) {
        let stack = checkpoint.stacks.into_iter().next();
        self.work.ledger().taken[self.job] = stack.map(|stack| Task::Begun(Box::new(stack)));
    }
}

/// Adds what one search found to what others did.
fn join(all: &mut Report, one: Report) {
    all.statistics.executions += one.statistics.executions;
    all.statistics.redundant_executions += one.statistics.redundant_executions;
    all.statistics.transitions += one.statistics.transitions;
    all.statistics.cut += one.statistics.cut;
    all.statistics.audited += one.statistics.audited;
    all.statistics.weak_orders |= one.statistics.weak_orders;
    all.statistics.states = all.statistics.states.max(one.statistics.states);
    all.statistics.waiting_loops |= one.statistics.waiting_loops;
    all.statistics.choices |= one.statistics.choices;
    let is_uncontrolled = matches!(one.reason, StopReason::Uncontrolled(_));
    all.statistics.uncontrolled |= one.statistics.uncontrolled || is_uncontrolled;
    all.statistics.max_depth = all.statistics.max_depth.max(one.statistics.max_depth);
    // A violation says most; that another search was stopped for it says nothing.
    let weight = |reason: &StopReason| match reason {
        StopReason::Complete => 0,
        StopReason::Depth(_) | StopReason::Preemptions(_) => 1,
        StopReason::Uncontrolled(_) => 2,
        StopReason::Interrupted => 3,
        StopReason::Violation => 5,
        _ => 4,
    };
    if weight(&one.reason) > weight(&all.reason) {
        all.reason = one.reason;
    }
    for violation in one.violations {
        let same =
            |other: &Finding| (other.kind, &other.message) == (violation.kind, &violation.message);
        if !all.violations.iter().any(same) {
            all.violations.push(violation);
        }
    }
}
