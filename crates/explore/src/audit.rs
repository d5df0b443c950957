//! Are executions that are called equivalent so? Some executions are run once more, with independent steps in another order.
//!
//! The new order is drawn at random among those that respect what happens before what. It must be possible, and every actor must do and
//! learn the same in it; it must end in the same way, with the same violations, and belong to the same class. If not, the
//! relation that executions are left out by is wrong, and a search that found nothing proves nothing.

use mazurka_runtime::{ACTORS, Ending, Kernel, Operation, Planned};
use mazurka_scenario::ViolationKind;

use crate::options::Judgement;
use crate::path::{Path, class};
use crate::violation::judge;

/// This many executions are all audited, the first ones.
const FIRST: u64 = 32;
/// About this many of those from each power of two to the next.
const OF_EACH_OCTAVE: u64 = 8;
/// Longer executions are not audited.
const LONGEST: usize = 4_000;

/// Which executions are audited.
pub(crate) struct Auditor {
    /// The share of all; none if nothing is audited.
    share: Option<f64>,
    met: u64,
    random: u64,
}

/// An execution, as far as an equivalent one must agree with it.
#[derive(PartialEq, Debug)]
struct Seen {
    ending: u8,
    /// What each actor did and learned.
    actors: Vec<Vec<(Operation, u32, i64)>>,
    violations: Vec<(ViolationKind, String)>,
    /// Whether memory was used or given back after its end, or beside it.
    is_stale: bool,
    class: u64,
}

/// An order in which an execution is to be repeated, and what it must show.
pub(crate) struct Other {
    schedule: Vec<(u8, u32)>,
    /// The order of the execution itself.
    original: Vec<(u8, u32)>,
    /// What was done in it.
    operations: Vec<Operation>,
    expected: Seen,
}

impl Auditor {
    pub fn new(share: Option<f64>) -> Auditor {
        Auditor {
            share,
            met: 0,
            random: 0,
        }
    }

    /// An equivalent order of the execution that has just ended, if it is one of those that are audited. The
    /// sample depends on the executions alone, so that it repeats itself.
    pub fn draw(&mut self, kernel: &Kernel, judgement: &Judgement) -> Option<Other> {
        let share = self.share?;
        let is_whole = matches!(kernel.ending, Ending::COMPLETE | Ending::DEADLOCK);
        // One that was stopped at a failure would have gone on in another order, and not all of very many failures are written down.
        let is_told = kernel.failed as usize <= kernel.failures.len();
        if !is_whole || !is_told || kernel.failed > 0 && kernel.stop_at_failure != 0 {
            return None;
        }
        self.met += 1;
        if self.met > FIRST {
            let octave = self.met.next_power_of_two() as f64 / 2.0;
            let share = share.max(OF_EACH_OCTAVE as f64 / octave);
            let hash = hash(kernel);
            if hash as f64 / u64::MAX as f64 > share {
                return None;
            }
            self.random = hash;
        }
        if kernel.trace().len() > LONGEST {
            return None;
        }
        let original = kernel.trace().iter();
        let operations = kernel.trace().iter();
        let operations = operations.map(|record| kernel.without_addresses(&record.operation));
        Some(Other {
            schedule: self.another_order(kernel),
            original: original
                .map(|record| (record.actor, record.choice))
                .collect(),
            operations: operations.collect(),
            expected: seen(kernel, judgement),
        })
    }

    /// A random order of the steps that respects what happens before what.
    fn another_order(&mut self, kernel: &Kernel) -> Vec<(u8, u32)> {
        let trace = kernel.trace();
        let mut path = Path::new();
        let mut own: Vec<Vec<usize>> = vec![vec![]; ACTORS];
        for (number, record) in trace.iter().enumerate() {
            path.push(record);
            own[usize::from(record.actor)].push(number);
        }
        let mut taken = [0; ACTORS];
        let mut order = Vec::with_capacity(trace.len());
        while order.len() < trace.len() {
            // Of each actor, all that happens before its next event must have been taken.
            let is_ready = |actor: usize| {
                let next = own[actor].get(taken[actor])?;
                let is_missing = |other: usize| {
                    let missing = own[other].get(taken[other]);
                    other != actor
                        && missing.is_some_and(|event| path.happens_before(*event, *next))
                };
                (!(0..ACTORS).any(is_missing)).then_some(*next)
            };
            let ready: Vec<usize> = (0..ACTORS).filter_map(is_ready).collect();
            // What comes next in the execution itself is always ready.
            let Some(event) = ready.get(self.below(ready.len())) else {
                break;
            };
            let record = &trace[*event];
            taken[usize::from(record.actor)] += 1;
            order.push((record.actor, record.choice));
        }
        order
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random = self
            .random
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        ((u128::from(self.random) * bound as u128) >> 64) as usize
    }
}

impl Other {
    /// Tells the kernel to take this order.
    pub fn lay_down(&self, kernel: &mut Kernel) {
        lay_down(&self.schedule, kernel);
    }

    /// Tells the kernel to take the order of the execution itself once more: if that differs as well, the program does not repeat itself.
    pub fn lay_down_original(&self, kernel: &mut Kernel) {
        lay_down(&self.original, kernel);
    }

    /// The first step at which the execution itself, repeated, is not what it was.
    pub fn first_difference(&self, kernel: &Kernel) -> u32 {
        let both = kernel.trace().iter().zip(&self.operations);
        let same = both.take_while(|(record, operation)| {
            kernel.without_addresses(&record.operation) == **operation
        });
        same.count() as u32
    }

    /// What is wrong with the execution that has just ended.
    pub fn difference(&self, kernel: &Kernel, judgement: &Judgement) -> Option<String> {
        if kernel.ending == Ending::MISMATCH {
            return Some(format!(
                "its step {} is not possible any more",
                kernel.length
            ));
        }
        let found = seen(kernel, judgement);
        let expected = &self.expected;
        // What comes after that means nothing: that something is wrong is all that both must show.
        if found.is_stale || expected.is_stale {
            let is_missed = found.violations.is_empty() || expected.violations.is_empty();
            return is_missed.then(|| "only one of them uses memory after its end".into());
        }
        if found.ending != expected.ending {
            return Some("it ends in another way".into());
        }
        if found.violations != expected.violations {
            return Some(format!(
                "it shows {:?} instead of {:?}",
                found.violations, expected.violations
            ));
        }
        if found.actors != expected.actors {
            return Some("an actor does or observes something else".into());
        }
        (found.class != expected.class).then(|| "the happens-before order differs".into())
    }

    /// The order, as it is printed.
    pub fn text(&self) -> String {
        let step = |&(actor, choice): &(u8, u32)| match choice {
            0 => actor.to_string(),
            _ => format!("{actor}.{choice}"),
        };
        self.schedule.iter().map(step).collect::<Vec<_>>().join(" ")
    }
}

fn lay_down(schedule: &[(u8, u32)], kernel: &mut Kernel) {
    for (planned, &(actor, choice)) in kernel.schedule.iter_mut().zip(schedule) {
        *planned = Planned::new(actor.into(), choice);
    }
    kernel.planned = schedule.len() as u32;
    kernel.policy.sleep = 0;
}

fn seen(kernel: &Kernel, judgement: &Judgement) -> Seen {
    let mut actors = vec![vec![]; ACTORS];
    for record in kernel.trace() {
        let result = match kernel.has_addresses(&record.operation) {
            true => 0,
            false => record.result,
        };
        let operation = kernel.without_addresses(&record.operation);
        let known = (operation, record.choice, result);
        actors[usize::from(record.actor)].push(known);
    }
    let violations = judge(kernel, judgement);
    let is_stale = violations.iter().any(|violation| match violation.kind {
        ViolationKind::DataRace => is_about_the_end(&violation.message),
        kind => kind == ViolationKind::UseAfterFree,
    });
    let mut violations: Vec<_> = violations
        .into_iter()
        .map(|violation| match violation.kind {
            ViolationKind::DataRace => (violation.kind, memory_of(violation.message)),
            kind => (kind, violation.message),
        })
        .collect();
    violations.sort_by(|a, b| (a.0.name(), &a.1).cmp(&(b.0.name(), &b.1)));
    violations.dedup();
    Seen {
        ending: kernel.ending.0,
        actors,
        violations,
        is_stale,
        class: class(kernel),
    }
}

/// Whether one of the two accesses of a data race gives memory back.
fn is_about_the_end(message: &str) -> bool {
    message.starts_with("free of ") || message.contains(" is not ordered with the free ")
}

/// Which memory a data race is about. Which of the two accesses is told first depends on who came first, and there may be several.
fn memory_of(message: String) -> String {
    let place = message.split_once(" at ").map(|(_, rest)| rest);
    let place = place.and_then(|rest| rest.split_once(" by "));
    place.map_or(message.clone(), |(place, _)| place.to_string())
}

fn hash(kernel: &Kernel) -> u64 {
    kernel
        .trace()
        .iter()
        .fold(0x9e37_79b9_7f4a_7c15, |hash, record| {
            let step = u64::from(record.actor) << 32 | u64::from(record.choice);
            let mixed = (hash ^ step).wrapping_mul(0xd6e8_feb8_6659_fd93);
            mixed ^ mixed >> 32
        })
}
