//! What came of a verification.

use std::fmt;

use mazurka_model::Step;
use mazurka_scenario::{Run, Scenario, ViolationKind, ViolationRecord, replay};
use mazurka_search::{Statistics, StopReason};
use mazurka_span::Span;
use serde::Serialize;

use crate::audit::Audit;
use crate::choice::Reduction;
use crate::error::Error;
use crate::figures::counted;
use crate::load::Loaded;

/// What came of a verification: one entry for each property, and the model that it is about.
#[derive(Debug)]
pub struct Outcome {
    /// Safety first, then the temporal properties in the order of the model.
    pub properties: Vec<PropertyOutcome>,
    /// The model.
    pub model: Loaded,
    /// The bytes that states were allowed to take.
    pub memory: u64,
}

/// What came of one property.
#[derive(Clone, Debug)]
pub struct PropertyOutcome {
    /// Its name.
    pub name: String,
    /// What kind of property it is.
    pub kind: PropertyKind,
    /// Its own verdict.
    pub verdict: Verdict,
    /// Does it hold only because a left side of an implication never does?
    pub vacuous: bool,
    /// Was everything explored that it depends on?
    pub complete: bool,
    /// Why not.
    pub reason: Option<String>,
    /// What the reader should know about how it was checked.
    pub notes: Vec<String>,
    /// Why the search ended.
    pub stop: StopReason,
    /// What the search did.
    pub statistics: Statistics,
    /// The reduction that was used.
    pub reduction: Reduction,
    /// What of the search was audited, and what came of it.
    pub audit: Audit,
    /// Its violations, each repeated by the interpreter.
    pub violations: Vec<Violation>,
    /// Which transitions were carried out, if the search went everywhere that matters to that.
    pub covered: Option<Vec<bool>>,
}

/// A violation that the interpreter has repeated.
#[derive(Clone, Debug)]
pub struct Violation {
    /// Property, kind, message and place, as reports and scenarios have them.
    pub record: ViolationRecord,
    /// Where it is in the source.
    pub span: Option<Span>,
    /// The steps from the initial state.
    pub steps: Vec<Step>,
    /// For a violation that goes on for ever: the step, counted from 0, that follows the last.
    pub loop_from: Option<usize>,
    /// The last steps and what happened in them.
    pub tail: Run,
}

/// A kind of property.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum PropertyKind {
    /// Deadlocks, assertions and everything else about states and steps.
    Safety,
    /// A formula.
    Ltl,
    /// A never claim.
    Never,
    /// No acceptance cycles.
    Acceptance,
    /// No cycles without progress.
    Progress,
}

impl PropertyKind {
    /// As reports name it.
    pub fn name(self) -> &'static str {
        match self {
            PropertyKind::Safety => "safety",
            PropertyKind::Ltl => "ltl",
            PropertyKind::Never => "never",
            PropertyKind::Acceptance => "acceptance",
            PropertyKind::Progress => "progress",
        }
    }
}

/// What is known about a property.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Everything was explored, and nothing is wrong.
    Holds,
    /// There is a violation.
    Violated,
    /// Not everything was explored.
    Inconclusive,
    /// Nothing was explored, since something else ended the verification before.
    #[serde(rename = "not decided")]
    NotDecided,
}

impl Verdict {
    /// As reports name it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Inconclusive => "inconclusive",
            Verdict::NotDecided => "not decided",
        }
    }

    /// Violated if anything is, else inconclusive if anything is or is not decided.
    pub fn overall(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
        let all = verdicts.into_iter();
        all.fold(Verdict::Holds, |all, one| match (all, one) {
            (Verdict::Violated, _) | (_, Verdict::Violated) => Verdict::Violated,
            (Verdict::Holds, Verdict::Holds) => Verdict::Holds,
            _ => Verdict::Inconclusive,
        })
    }
}

impl Outcome {
    /// Violated if any property is, else inconclusive if any is, else holds.
    pub fn verdict(&self) -> Verdict {
        Verdict::overall(self.properties.iter().map(|property| property.verdict))
    }

    /// Do all properties hold?
    pub fn holds(&self) -> bool {
        self.verdict() == Verdict::Holds
    }

    /// What came of safety, unless only temporal properties were asked for.
    pub fn safety(&self) -> Option<&PropertyOutcome> {
        let mut properties = self.properties.iter();
        properties.find(|property| property.kind == PropertyKind::Safety)
    }

    /// What came of the temporal properties.
    pub fn temporal(&self) -> impl Iterator<Item = &PropertyOutcome> {
        let properties = self.properties.iter();
        properties.filter(|property| property.kind != PropertyKind::Safety)
    }

    /// The violations of all properties.
    pub fn violations(&self) -> impl Iterator<Item = &Violation> {
        let properties = self.properties.iter();
        properties.flat_map(|property| &property.violations)
    }

    /// The scenario of a violation, to be written to a file. The path of the model is as it was opened.
    pub fn scenario(&self, violation: &Violation) -> Scenario {
        let interpreter = &self.model.interpreter;
        let model = self.model.model.clone();
        let record = violation.record.clone();
        let mut scenario = Scenario::new(model, record, interpreter, &violation.steps);
        scenario.loop_from = violation.loop_from;
        scenario
    }

    /// All steps of a violation and what happened in them, to be printed by
    /// [`mazurka_scenario::text`] or drawn by [`mazurka_scenario::chart`].
    pub fn run(&self, violation: &Violation) -> Result<Run, Error> {
        let run = replay(&self.model.interpreter, &violation.steps);
        let mut run = run.map_err(|error| Error::Internal(error.to_string()))?;
        run.loop_from = violation.loop_from;
        Ok(run)
    }
}

impl Violation {
    /// What went wrong.
    pub fn kind(&self) -> ViolationKind {
        self.record.kind
    }
}

impl fmt::Display for PropertyKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// `deadlock at model.pml:3: invalid end state: …, after 12 steps`
impl fmt::Display for Violation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let record = &self.record;
        write!(out, "{}", record.kind)?;
        if let Some(at) = &record.at {
            write!(out, " at {}:{}", at.file, at.line)?;
        }
        let steps = counted(self.steps.len() as u64, "step");
        write!(out, ": {}, after {steps}", record.message)
    }
}

/// A line for each property and each violation, for the message of a failed test.
impl fmt::Display for Outcome {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "{}: {}", self.model.model.file, self.verdict())?;
        for property in &self.properties {
            write!(out, "  {}: {}", property.name, property.verdict)?;
            match &property.reason {
                Some(reason) => writeln!(out, " ({reason})")?,
                None => writeln!(out)?,
            }
            for violation in &property.violations {
                writeln!(out, "    {violation}")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_violation_decides_and_what_is_not_decided_does_not_hold() {
        use Verdict::*;
        for (verdicts, expected) in [
            (&[Holds, Holds][..], Holds),
            (&[Holds, Inconclusive], Inconclusive),
            (&[NotDecided, Holds], Inconclusive),
            (&[NotDecided, Violated, Holds], Violated),
            (&[], Holds),
        ] {
            assert_eq!(Verdict::overall(verdicts.iter().copied()), expected);
        }
    }
}
