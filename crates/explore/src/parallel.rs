//! Search by several threads, each with an engine of its own.
//!
//! One thread explores the first few steps of all executions by sleep sets alone. Each prefix that
//! it finds, with those who sleep at its end, is a piece of work that needs to know nothing of the
//! others: from every state of the prefix everything is explored anyhow, so a race with one of its
//! events asks for nothing new. Sleep sets keep two prefixes from leading to equivalent
//! executions; the price is executions in vain, since near the root there are more branches than
//! optimal reduction would have needed.
//!
//! Below a prefix, that an actor slept at its end is no reason to leave a sequence out: what would
//! wake it later may be found only by exploring the sequence. In a search by one thread that is
//! found from the branch in which the actor moved first, and added to a state of the prefix.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use mazurka_runtime::{ACTORS, Planned, Refinement};

use crate::engine::{Engine, EngineError};
use crate::options::{Options, Reduction, Report, Statistics, StopReason, Strategy, Violation};
use crate::search::{Ended, Observer, Search, Shared, explore};

/// So many pieces for each thread are enough.
const PIECES: usize = 16;
/// The longest prefix.
const LONGEST: usize = 24;
/// How often progress is told.
const PAUSE: Duration = Duration::from_millis(100);

/// A prefix to go on from.
struct Piece {
    schedule: Vec<Planned>,
    sleep: u64,
}

/// The numbers of actors, which all threads must agree on.
#[derive(Clone)]
struct Numbers([[u8; ACTORS]; ACTORS], u32);

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
        share_pieces(&make, options, jobs, observer)
    };
    found.unwrap_or_else(|error| Report {
        reason: StopReason::Engine(error.0),
        ..nothing_yet()
    })
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
            Ok(Ended::Cut) => StopReason::Limit,
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
    let joined = run_all(jobs, &shared, observer, |_| 0.0, &one)?;
    Ok(joined.unwrap_or_else(nothing_yet))
}

fn share_pieces<E: Engine>(
    make: &(impl Fn(usize) -> Result<E, EngineError> + Sync),
    options: &Options,
    jobs: usize,
    observer: &mut dyn Observer,
) -> Result<Report, EngineError> {
    let started = Instant::now();
    if let Some(report) = share(make, options, jobs, started, observer)? {
        return Ok(report);
    }
    // An execution was cut: see `explore`.
    let options = Options {
        reduction: Reduction::Sleep,
        ..options.clone()
    };
    let report = share(make, &options, jobs, started, observer)?;
    Ok(report.unwrap_or_else(nothing_yet))
}

/// None if an execution was cut and the reduction is not sound with that.
fn share<E: Engine>(
    make: &(impl Fn(usize) -> Result<E, EngineError> + Sync),
    options: &Options,
    jobs: usize,
    started: Instant,
    observer: &mut dyn Observer,
) -> Result<Option<Report>, EngineError> {
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
        let (pieces, found) = split(&mut engine, &top, options.refinement(), ceiling, started);
        let enough = pieces.len() >= PIECES * jobs || pieces.is_empty();
        if enough || ceiling >= LONGEST || found.reason != StopReason::Complete {
            break (pieces, found);
        }
        ceiling += 2;
    };
    if found.reason != StopReason::Complete {
        return Ok(Some(found));
    }
    let kernel = engine.kernel();
    let numbers = Numbers(kernel.offspring, kernel.numbered);
    drop(engine);
    let shared = Shared::default();
    let runs = found.statistics.executions + found.statistics.redundant_executions;
    shared.runs.store(runs, Ordering::Relaxed);
    let (all, finished) = (pieces.len(), AtomicUsize::new(0));
    let left = Mutex::new(pieces);
    let estimate = |runs: u64| match finished.load(Ordering::Relaxed) {
        0 => 0.0,
        finished => runs as f64 * all as f64 / finished as f64,
    };
    let one = |job: usize| {
        let work = Work {
            options,
            left: &left,
            finished: &finished,
            numbers: &numbers,
            shared: &shared,
            started,
        };
        Ok(work.run(make(job)?))
    };
    let joined = run_all(jobs, &shared, observer, estimate, &one)?;
    Ok(joined.map(|report| {
        let mut all = found;
        join(&mut all, report);
        all
    }))
}

/// Runs all jobs, tells progress meanwhile, and joins what they found; none if one found nothing
/// that counts.
fn run_all(
    jobs: usize,
    shared: &Shared,
    observer: &mut dyn Observer,
    estimate: impl Fn(u64) -> f64,
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
        while handles.iter().any(|handle| !handle.is_finished()) {
            thread::park_timeout(PAUSE);
            let runs = shared.runs.load(Ordering::Relaxed);
            observer.progress(&Statistics {
                executions: runs,
                estimate: estimate(runs),
                ..Statistics::default()
            });
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
) -> (Vec<Piece>, Report) {
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
            pieces.push(Piece {
                schedule: (search.path.events[..ceiling].iter())
                    .map(|event| Planned::new(event.step.actor.into(), event.step.choice))
                    .collect(),
                sleep,
            });
        }
        match search.backtrack() {
            Some(depth) => from = depth,
            None => break StopReason::Complete,
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
    left: &'w Mutex<Vec<Piece>>,
    finished: &'w AtomicUsize,
    numbers: &'w Numbers,
    shared: &'w Shared,
    started: Instant,
}

impl Work<'_> {
    /// Takes pieces and explores them until there are none; none if an execution was cut.
    fn run<E: Engine>(&self, mut engine: E) -> Option<Report> {
        let mut joined = nothing_yet();
        loop {
            let piece = self.left.lock().ok().and_then(|mut left| left.pop());
            let Some(piece) = piece else {
                return Some(joined);
            };
            if self.shared.stop.load(Ordering::Relaxed) {
                // What is left is not explored.
                joined.reason = StopReason::Interrupted;
                return Some(joined);
            }
            let report = self.explore(&mut engine, &piece)?;
            self.finished.fetch_add(1, Ordering::Relaxed);
            if !matches!(
                report.reason,
                StopReason::Complete | StopReason::Depth(_) | StopReason::Preemptions(_)
            ) {
                self.shared.stop.store(true, Ordering::Relaxed);
            }
            join(&mut joined, report);
        }
    }

    fn explore<E: Engine>(&self, engine: &mut E, piece: &Piece) -> Option<Report> {
        let mut nobody = ();
        let mut search = Search::new(engine, self.options, &mut nobody);
        search.started = self.started;
        search.shared = Some(self.shared);
        search.floor = piece.schedule.len();
        search.prepare();
        let kernel = search.kernel();
        (kernel.offspring, kernel.numbered) = (self.numbers.0, self.numbers.1);
        kernel.schedule[..piece.schedule.len()].copy_from_slice(&piece.schedule);
        kernel.planned = piece.schedule.len() as u32;
        kernel.policy.sleep = piece.sleep;
        kernel.policy.sleep_from = kernel.planned;
        let reason = match search.run_from_here() {
            Ok(Ended::By(reason)) => reason,
            Ok(Ended::Cut) => {
                self.shared.stop.store(true, Ordering::Relaxed);
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

/// Adds what one search found to what others did.
fn join(all: &mut Report, one: Report) {
    all.statistics.executions += one.statistics.executions;
    all.statistics.redundant_executions += one.statistics.redundant_executions;
    all.statistics.transitions += one.statistics.transitions;
    all.statistics.cut += one.statistics.cut;
    all.statistics.max_depth = all.statistics.max_depth.max(one.statistics.max_depth);
    // A violation says most; that another search was stopped for it says nothing.
    let weight = |reason: &StopReason| match reason {
        StopReason::Complete => 0,
        StopReason::Depth(_) | StopReason::Preemptions(_) => 1,
        StopReason::Interrupted => 2,
        StopReason::Violation => 4,
        _ => 3,
    };
    if weight(&one.reason) > weight(&all.reason) {
        all.reason = one.reason;
    }
    for violation in one.violations {
        let same = |other: &Violation| {
            (other.kind, &other.message) == (violation.kind, &violation.message)
        };
        if !all.violations.iter().any(same) {
            all.violations.push(violation);
        }
    }
}
