//! What came of a verification.

use std::fmt;

use mazurka_model::{BreachKind, Step};
use mazurka_scenario::figures::counted;
use mazurka_scenario::{
    Explanation, Position, PropertyKind, Run, Scenario, Symptom, Verdict, ViolationKind,
    ViolationRecord, position, replay,
};
use mazurka_search::{Statistics, StopReason};
use mazurka_span::Span;

use crate::audit::Audit;
use crate::choice::{Property, Reduction};
use crate::config::Config;
use crate::error::Error;
use crate::load::{FORMULA, Loaded};
use crate::reported::place_in;

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
    /// Does it hold even if the right side of every implication is false?
    pub vacuous: bool,
    /// Was everything explored that it depends on?
    pub complete: bool,
    /// Why not.
    pub reason: Option<String>,
    /// What went wrong in Mazurka itself, so that nothing is known about the property.
    pub defect: Option<String>,
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
    /// What keeps the property from being decided, repeated by the interpreter: a run-time error beside a temporal property, or a step that
    /// goes further than the interpreter does. What an execution does after it nobody can say.
    pub stopped_by: Option<Violation>,
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
    /// How many steps there were before it was shortened.
    pub steps_found: usize,
    /// Is it known that no violation of this kind at this place takes fewer?
    pub is_shortest: bool,
    /// For a violation that goes on for ever: the step, counted from 0, that follows the last.
    pub loop_from: Option<usize>,
    /// The last steps and what happened in them.
    pub tail: Run,
    /// Why it is one.
    pub explanation: Explanation,
    /// What its end shows, unless only the whole execution shows it.
    pub symptom: Option<Symptom>,
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

    /// The property whose figures stand for the whole: safety, or else the last one.
    pub fn main(&self) -> Option<&PropertyOutcome> {
        self.safety().or_else(|| self.properties.last())
    }

    /// The reduction of safety, or else one that was used for any of the temporal properties.
    pub fn reduction(&self) -> Reduction {
        if let Some(safety) = self.safety() {
            return safety.reduction;
        }
        let used = self.temporal().map(|property| property.reduction);
        let used = used.filter(|reduction| *reduction != Reduction::None);
        used.last().unwrap_or(Reduction::None)
    }

    /// What was looked for, if that is not everything that can go wrong; the verdict says nothing about the rest.
    pub fn scope(&self, config: &Config) -> Option<String> {
        let is_reduced = self.main().is_some_and(|main| main.statistics.reduced > 0);
        match config.property {
            // One property was asked for by name, or the model has a never claim.
            _ if self.safety().is_none() => {
                (self.verdict() == Verdict::Holds).then(|| "safety was not checked".into())
            }
            Property::All | Property::Safety => {
                let holds = self.verdict() == Verdict::Holds;
                let unasked = holds && !config.progress && self.marks_progress();
                unasked.then(|| "livelocks were not looked for".into())
            }
            // Without a proviso a step that fails may be left out for ever.
            Property::Deadlock if is_reduced => Some("only deadlocks were looked for".into()),
            other => match self.cannot_be_violated(other) {
                Some(why) => Some(format!("{why}; only run-time errors were looked for")),
                None => Some(format!("only {other} and run-time errors were looked for")),
            },
        }
    }

    /// Does the model say what progress is, as if a livelock should be found?
    fn marks_progress(&self) -> bool {
        let locations = &self.model.program().locations;
        locations.iter().any(|location| location.progress)
    }

    /// Why nothing in the model can violate what was looked for, if that is so: to hold then says nothing.
    fn cannot_be_violated(&self, property: Property) -> Option<&'static str> {
        let (kind, why) = match property {
            Property::Overflow => (
                BreachKind::Overflow,
                "nothing can overflow in this model: to send to a full channel is to wait",
            ),
            Property::UnexpectedInput => (
                BreachKind::UnexpectedInput,
                "no message can be unexpected in this model",
            ),
            Property::Invariant => (BreachKind::Invariant, "the model states no invariant"),
            _ => return None,
        };
        let mut breaches = self.model.program().breaches.iter();
        (!breaches.any(|breach| breach.kind == kind)).then_some(why)
    }

    /// The violations of all properties.
    pub fn violations(&self) -> impl Iterator<Item = &Violation> {
        let properties = self.properties.iter();
        properties.flat_map(|property| &property.violations)
    }

    /// Did anything go wrong in Mazurka itself?
    pub fn has_defect(&self) -> bool {
        let mut properties = self.properties.iter();
        properties.any(|property| property.defect.is_some())
    }

    /// The run-time errors that keep temporal properties from being decided.
    pub fn stopped_by(&self) -> impl Iterator<Item = &Violation> {
        let properties = self.properties.iter();
        properties.filter_map(|property| property.stopped_by.as_ref())
    }

    /// What is worth a scenario: the violations, or if there are none the first run-time error that keeps a property from being decided.
    pub fn with_scenarios(&self) -> impl Iterator<Item = &Violation> {
        let none = self.violations().next().is_none();
        let stopped_by = self.stopped_by().take(usize::from(none));
        self.violations().chain(stopped_by)
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

    /// Where a formula of the model stands.
    pub fn place_of_property(&self, property: &PropertyOutcome) -> Option<Position> {
        if property.kind != PropertyKind::Ltl {
            return None;
        }
        let mut formulas = self.model.properties.iter();
        let formula = formulas.find(|formula| formula.name == property.name)?;
        let place = place_in(&self.model.sources, formula.start)?;
        // One that is given besides stands in no file.
        (place.file != FORMULA).then_some(place)
    }

    /// Where a violation is in the source. A formula fails nowhere in particular: that is the statement after which the smallest part to blame is not
    /// as the formula needs it. Of a cycle, it is where that begins.
    pub fn place_of(&self, violation: &Violation) -> Option<Position> {
        if violation.record.at.is_some() {
            return violation.record.at.clone();
        }
        let step = violation.failing_step().or(violation.loop_from)?;
        let step = violation.steps.get(step.saturating_sub(1))?;
        let program = self.model.program();
        let statement = program.transitions[step.transition.index()].statement;
        let origin = program.statements[statement.index()].origin;
        Some(position(program, origin))
    }

    /// All steps of a violation and what happened in them, to be printed by
    /// [`mazurka_scenario::text`] or drawn by [`mazurka_scenario::chart`].
    pub fn run(&self, violation: &Violation) -> Result<Run, Error> {
        let roomy = self.model.interpreter.with_room();
        let interpreter = roomy.as_ref().unwrap_or(&self.model.interpreter);
        let run = replay(interpreter, &violation.steps);
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

    /// Of a false formula: the number of steps after which the smallest part to blame is not as the formula needs it.
    pub fn failing_step(&self) -> Option<usize> {
        self.explanation.blame.last().map(|blamed| blamed.step)
    }
}

/// `deadlock at model.pml:3: invalid end state: …, after 12 steps`
impl fmt::Display for Violation {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let steps = counted(self.steps.len() as u64, "step");
        write!(out, "{}, after {steps}", self.record)
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
