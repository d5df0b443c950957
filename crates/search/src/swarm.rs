//! Swarms: many small searches, each different from the others (Holzmann, Joshi and Groce 2008).
//!
//! Each member is a depth-first search in a bitstate arena of its own, with its own hashes, its own
//! order of steps and its own bound on depth. What one misses another may find, so the longer the
//! swarm flies the more it covers. Members are numbered, and a number decides everything about a
//! member: so a swarm can be split over machines by giving each a part of the numbers.

use std::collections::HashSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use crate::bookkeeping::is_worth_keeping;
use crate::depth_first::depth_first_in;
use crate::preference::{Ordered, Preference};
use crate::report::{Defect, Observer, Options, Report, Statistics, StopReason};
use crate::sequence::settle;
use crate::store::Bitstate;
use crate::system::System;

/// Members are bounded to one of these depths in turn.
const DEPTHS: [usize; 4] = [100_000, 10_000, 1_000, 300_000];

/// How a swarm flies.
#[derive(Clone, Copy, Debug)]
pub struct Swarm {
    /// How many members search at the same time.
    pub jobs: usize,
    /// The bytes of a member's arena.
    pub arena: u64,
    /// Chooses the members.
    pub seed: u64,
    /// Only members whose number leaves this remainder, divided by the next field.
    pub shard: u64,
    /// How many parts the swarm is split into.
    pub shards: u64,
    /// How many members there are at most, in all parts together.
    pub members: u64,
}

/// Lets a swarm fly until a violation is met, a limit is reached or all members are done.
pub fn swarm<Y: System>(
    system: &Y,
    swarm: Swarm,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Report<Y> {
    let started = Instant::now();
    let next = AtomicU64::new(swarm.shard);
    let merged: Mutex<Option<Report<Y>>> = Mutex::new(None);
    // Most deadlocks are found by many members, each by a way of its own.
    let deadlocks = Mutex::new(HashSet::new());
    let observer = Mutex::new(observer);
    let member = || loop {
        let number = next.fetch_add(swarm.shards.max(1), Ordering::Relaxed);
        let found = |report: &Report<Y>| !options.all && !report.violations.is_empty();
        let is_over = lock(&merged)
            .as_ref()
            .is_some_and(|report| found(report) || is_limit(report.stop));
        if number >= swarm.members || is_over {
            return;
        }
        // A member may be done before it looks at the limits itself.
        if let Some(reason) = limit(options) {
            let mut merged = lock(&merged);
            if let Some(report) = merged.as_mut() {
                report.stop = reason;
                return;
            }
        }
        let seed = swarm.seed.wrapping_mul(0x9e37_79b9).wrapping_add(number);
        let preference = match number % 3 {
            0 => Preference::Random,
            1 => Preference::Sends,
            _ => Preference::Receives,
        };
        let depth = DEPTHS[(number / 3) as usize % DEPTHS.len()];
        let own = Options {
            depth: Some(options.depth.map_or(depth, |limit| limit.min(depth))),
            memory: options.memory / swarm.jobs.max(1) as u64,
            proviso: false,
            ..options.clone()
        };
        let store = Bitstate::new(swarm.arena, 3, seed);
        let mut order = [Ordered::new(preference, seed)];
        let mut report = depth_first_in(system, store, &mut order, &own, &mut ());
        let mut merged = lock(&merged);
        let found = std::mem::take(&mut report.violations);
        let mut all = match merged.take() {
            None => report,
            Some(before) => join(before, report),
        };
        for violation in found {
            let (known, defect) = (&all.violations, &violation.defect);
            if is_worth_keeping(known, defect, violation.steps.last())
                && (*defect != Defect::Deadlock
                    || lock(&deadlocks).insert(end(system, &violation.steps)))
            {
                all.violations.push(violation);
            }
        }
        all.statistics.violations = (all.statistics.violations).max(all.violations.len() as u64);
        // Members work side by side.
        all.statistics.elapsed = started.elapsed();
        lock(&observer).progress(&all.statistics);
        *merged = Some(all);
    };
    std::thread::scope(|scope| {
        for _ in 1..swarm.jobs {
            scope.spawn(member);
        }
        member();
    });
    let report = merged.into_inner().unwrap_or_else(|lock| lock.into_inner());
    let mut report = report.unwrap_or_else(|| Report {
        stop: StopReason::Depth,
        statistics: Statistics::default(),
        violations: Vec::new(),
        dead_end: None,
        covered: vec![false; system.transitions()],
    });
    report.statistics.elapsed = started.elapsed();
    if !options.all {
        report.keep_one();
    }
    report
}

/// The state that a path leads to, without what does not tell states apart.
fn end<Y: System>(system: &Y, steps: &[Y::Step]) -> Vec<u8> {
    let mut scratch = Y::Scratch::default();
    let (mut state, mut next, mut enabled) = (Vec::new(), Vec::new(), Vec::new());
    if system.initial(&mut state).is_err() {
        return state;
    }
    for &step in steps {
        settle(system, &mut state, &mut enabled);
        system.execute(&mut scratch, &state, step, &mut next);
        std::mem::swap(&mut state, &mut next);
    }
    settle(system, &mut state, &mut enabled);
    state.truncate(state.len() - system.ignored_suffix());
    state
}

/// Two members' reports as one: states and violations are those of the larger, since most were met by both.
fn join<Y: System>(mut all: Report<Y>, other: Report<Y>) -> Report<Y> {
    let violations = all.statistics.violations.max(other.statistics.violations);
    let matched = all.statistics.matched + other.statistics.matched;
    let states = all.statistics.states.max(other.statistics.states);
    let store_bytes = all.statistics.store_bytes.max(other.statistics.store_bytes);
    all.statistics.add(&other.statistics);
    all.statistics.states = states;
    all.statistics.matched = matched;
    all.statistics.store_bytes = store_bytes;
    all.statistics.omission_probability = all
        .statistics
        .omission_probability
        .min(other.statistics.omission_probability);
    all.statistics.violations = violations;
    all.dead_end = all.dead_end.or(other.dead_end);
    for (covered, also) in all.covered.iter_mut().zip(other.covered) {
        *covered |= also;
    }
    if all.stop == StopReason::Complete || is_limit(other.stop) {
        all.stop = other.stop;
    }
    all
}

/// The limit that is reached, if one is.
fn limit(options: &Options<'_>) -> Option<StopReason> {
    if options.interrupt.load(Ordering::Relaxed) {
        return Some(StopReason::Interrupted);
    }
    let deadline = options.deadline?;
    (Instant::now() >= deadline).then_some(StopReason::Time)
}

/// Does this end the whole swarm?
fn is_limit(stop: StopReason) -> bool {
    matches!(stop, StopReason::Time | StopReason::Interrupted)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|lock| lock.into_inner())
}
