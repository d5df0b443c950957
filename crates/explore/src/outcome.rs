//! What came of an exploration.

use std::fmt;
use std::time::Duration;

use mazurka_runtime::{ACTORS, Limit, ObjectId, STEPS};
use mazurka_scenario::figures::counted;
use mazurka_scenario::{Run, Scenario, Verdict, ViolationKind, ViolationRecord};

use crate::options::{Statistics, StopReason};

/// What came of an exploration.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// Why the search ended.
    pub stop: StopReason,
    /// What was counted.
    pub statistics: Statistics,
    /// The violations, the first of each kind and message, each repeated by the program.
    pub violations: Vec<Violation>,
    /// How the program was run, and what was not looked at, as far as that says something about the verdict: one sentence each.
    pub notes: Vec<String>,
    /// How long it took.
    pub elapsed: Duration,
}

/// A violation that the program has repeated.
#[derive(Clone, Debug)]
pub struct Violation {
    /// Property, kind, message and place, as reports and scenarios have them.
    pub record: ViolationRecord,
    /// The actor and the choice of each step.
    pub schedule: Vec<(u8, u32)>,
    /// All steps and what happened in them, to be printed by [`mazurka_scenario::text`] or drawn by [`mazurka_scenario::chart`].
    pub run: Run,
    /// The scenario, to be written to a file.
    pub scenario: Scenario,
}

impl Outcome {
    /// Violated if there is a violation; holds only if every inequivalent execution was explored.
    pub fn verdict(&self) -> Verdict {
        match (&self.stop, self.violations.is_empty()) {
            (_, false) => Verdict::Violated,
            (StopReason::Complete, true) => Verdict::Holds,
            _ => Verdict::Inconclusive,
        }
    }

    /// Was everything explored, and is nothing wrong?
    pub fn holds(&self) -> bool {
        self.verdict() == Verdict::Holds
    }

    /// Does it hold as far as memory is sequentially consistent, and is nothing known beyond?
    pub fn is_under_sequential_consistency(&self) -> bool {
        self.holds() && self.statistics.weak_orders
    }

    /// Why not everything was explored.
    pub fn reason(&self) -> Option<String> {
        match self.stop {
            StopReason::Complete | StopReason::Violation => None,
            ref stop => Some(stop.to_string()),
        }
    }
}

impl Violation {
    /// What went wrong.
    pub fn kind(&self) -> ViolationKind {
        self.record.kind
    }
}

impl fmt::Display for StopReason {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StopReason::Complete => out.write_str("everything was explored"),
            StopReason::Violation => out.write_str("a violation was found"),
            StopReason::Depth(depth) => write!(
                out,
                "executions were cut after {}",
                counted((*depth).into(), "step")
            ),
            StopReason::Preemptions(bound) => write!(
                out,
                "only executions with at most {} were explored",
                counted((*bound).into(), "preemption")
            ),
            StopReason::Executions => out.write_str("as many executions as allowed were explored"),
            StopReason::Time => out.write_str("out of time"),
            StopReason::Interrupted => out.write_str("interrupted"),
            StopReason::Nondeterminism(step) => write!(
                out,
                "the program does not repeat itself: it differs at step {}; something other than its operations decides what it does",
                step + 1
            ),
            StopReason::Uncontrolled(what) => {
                write!(
                    out,
                    "not all that the program does is under control: {what}"
                )
            }
            StopReason::Audit(difference) => write!(
                out,
                "two executions that are equivalent by their visible operations are not: {difference}; either actors share memory \
                 without visible operations, or this is a defect of Mazurka"
            ),
            StopReason::Limit(limit) => match *limit {
                Limit::ACTORS => write!(out, "it has more than {ACTORS} actors in one execution"),
                Limit::OBJECTS => write!(
                    out,
                    "one of its actors makes more than {} objects in one execution",
                    ObjectId::LISTED
                ),
                Limit::MESSAGES => out.write_str("its queues have room for too many messages"),
                Limit::STEPS => write!(out, "an execution of it has more than {STEPS} steps"),
                Limit::PROCESSES => out.write_str("there can be no more processes"),
                _ => out.write_str("it has too many actors, objects or messages"),
            },
            StopReason::WeakOrders => out.write_str(
                "it holds under sequential consistency, and uses weaker memory orders, which were not explored",
            ),
            StopReason::Changed => out.write_str("what counts as a step has changed"),
            StopReason::Engine(reason) => out.write_str(reason),
        }
    }
}

/// `deadlock at main.rs:3: actor 1 waits for …, after 12 steps`
impl fmt::Display for Violation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = self.schedule.len() as u64;
        write!(out, "{}, after {}", self.record, counted(steps, "step"))
    }
}

/// A line for the verdict and one for each violation, for the message of a failed test.
impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let executions = counted(self.statistics.executions, "execution");
        let under = match self.is_under_sequential_consistency() {
            true => " under sequential consistency",
            false => "",
        };
        write!(out, "{}{under}: {executions}", self.verdict())?;
        match self.reason() {
            Some(reason) => writeln!(out, " ({reason})")?,
            None => writeln!(out)?,
        }
        for violation in &self.violations {
            writeln!(out, "  {violation}")?;
        }
        for note in &self.notes {
            writeln!(out, "  note: {note}")?;
        }
        Ok(())
    }
}
