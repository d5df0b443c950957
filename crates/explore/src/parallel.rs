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
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use mazurka_runtime::{ACTORS, Planned};

use crate::engine::Engine;
use crate::options::{Options, Reduction, Report, Statistics, StopReason, Strategy, Violation};
use crate::search::{Ended, Search, explore};

/// So many pieces for each thread are enough.
const PIECES: usize = 16;
/// The longest prefix.
const LONGEST: usize = 24;

/// A prefix to go on from.
struct Piece {
    schedule: Vec<Planned>,
    sleep: u64,
}

/// The numbers of actors, which all threads must agree on.
#[derive(Clone)]
struct Numbers([[u8; ACTORS]; ACTORS], u32);

/// Explores a program with this many threads; `make` makes an engine for each.
///
/// Random strategies and persistent sets are explored by one thread.
pub fn explore_in_parallel<E: Engine>(
    make: impl Fn() -> E + Sync,
    options: &Options,
    jobs: usize,
) -> Report {
    let alone = options.strategy != Strategy::Exhaustive;
    if jobs < 2 || alone || options.reduction == Reduction::Persistent {
        return explore(&mut make(), options, &mut ());
    }
    let started = Instant::now();
    let mut report = share(&make, options, jobs, started);
    if report.is_none() {
        // An execution was cut: see `explore`.
        let options = Options {
            reduction: Reduction::Sleep,
            ..options.clone()
        };
        report = share(&make, &options, jobs, started);
    }
    report.unwrap_or_else(|| explore(&mut make(), options, &mut ()))
}

/// None if an execution was cut and the reduction is not sound with that.
fn share<E: Engine>(
    make: &(impl Fn() -> E + Sync),
    options: &Options,
    jobs: usize,
    started: Instant,
) -> Option<Report> {
    let top = Options {
        reduction: match options.reduction {
            Reduction::None => Reduction::None,
            _ => Reduction::Sleep,
        },
        ..options.clone()
    };
    let mut engine = make();
    let mut ceiling = 2;
    let (pieces, found) = loop {
        let (pieces, found) = split(&mut engine, &top, ceiling, started);
        let enough = pieces.len() >= PIECES * jobs || pieces.is_empty();
        if enough || ceiling >= LONGEST || found.reason != StopReason::Complete {
            break (pieces, found);
        }
        ceiling += 2;
    };
    if found.reason != StopReason::Complete {
        return Some(found);
    }
    let kernel = engine.kernel();
    let numbers = Numbers(kernel.offspring, kernel.numbered);
    let stop = AtomicBool::new(false);
    let left = Mutex::new(pieces);
    let reports: Vec<Option<Report>> = std::thread::scope(|scope| {
        let (left, stop, numbers) = (&left, &stop, &numbers);
        let handles: Vec<_> = (0..jobs)
            .map(|_| scope.spawn(move || work(make(), options, left, numbers, stop, started)))
            .collect();
        let joined = handles
            .into_iter()
            .map(|handle| handle.join().ok().flatten());
        joined.collect()
    });
    let mut joined = found;
    for report in reports {
        join(&mut joined, report?);
    }
    Some(joined)
}

/// The prefixes of this length, and what was found in executions that are no longer.
fn split<E: Engine>(
    engine: &mut E,
    options: &Options,
    ceiling: usize,
    started: Instant,
) -> (Vec<Piece>, Report) {
    let mut pieces = vec![];
    let mut observer = ();
    let mut search = Search::new(engine, options, &mut observer);
    search.started = started;
    search.prepare();
    search.kernel().forget_numbers();
    let mut from = 0;
    let reason = loop {
        if let Err(error) = search.run_engine() {
            break StopReason::Engine(error.0);
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
    };
    let report = Report {
        reason,
        statistics: search.statistics,
        violations: search.violations,
    };
    (pieces, report)
}

/// Takes pieces and explores them until there are none; none if an execution was cut.
fn work<E: Engine>(
    mut engine: E,
    options: &Options,
    left: &Mutex<Vec<Piece>>,
    numbers: &Numbers,
    stop: &AtomicBool,
    started: Instant,
) -> Option<Report> {
    let mut joined = Report {
        reason: StopReason::Complete,
        statistics: Statistics::default(),
        violations: vec![],
    };
    loop {
        let piece = left.lock().ok().and_then(|mut left| left.pop());
        let Some(piece) = piece.filter(|_| !stop.load(Ordering::Relaxed)) else {
            return Some(joined);
        };
        let mut observer = ();
        let mut search = Search::new(&mut engine, options, &mut observer);
        search.started = started;
        search.stop = Some(stop);
        search.floor = piece.schedule.len();
        search.prepare();
        let kernel = search.kernel();
        (kernel.offspring, kernel.numbered) = (numbers.0, numbers.1);
        kernel.schedule[..piece.schedule.len()].copy_from_slice(&piece.schedule);
        kernel.planned = piece.schedule.len() as u32;
        kernel.policy.sleep = piece.sleep;
        kernel.policy.sleep_from = kernel.planned;
        let reason = match search.run_from_here() {
            Ok(Ended::By(reason)) => reason,
            Ok(Ended::Cut) => {
                stop.store(true, Ordering::Relaxed);
                return None;
            }
            Err(error) => StopReason::Engine(error.0),
        };
        if !matches!(
            reason,
            StopReason::Complete | StopReason::Depth(_) | StopReason::Preemptions(_)
        ) {
            stop.store(true, Ordering::Relaxed);
        }
        let report = Report {
            reason,
            statistics: search.statistics,
            violations: search.violations,
        };
        join(&mut joined, report);
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
