//! A model whose machines are put together from parts, each made small before.

use mazurka_compose::{Composed, Finding, Options, PartSizes, Stuck, Trouble, compose, plain};
use mazurka_model::{Failure, Fault};
use mazurka_scenario::{Run, Scenario, Symptom, Verdict, replay};

use crate::confirm::described;
use crate::error::Error;
use crate::load::{Besides, Loaded, ModelText};
use crate::outcome::Violation;

/// What is said about the safety of a model.
const PROPERTY: &str = "safety";

/// What came of putting a model together from its parts.
#[derive(Debug)]
pub struct Composition {
    /// The model.
    pub model: Loaded,
    /// Whether it has a deadlock, or an error. Unexpected inputs are not looked for.
    pub verdict: Verdict,
    /// Why nothing is decided.
    pub reason: Option<String>,
    /// The parts, what was put together of them, and what is left in the end.
    pub composed: Option<Composed>,
    /// One violation of each kind, repeated by the interpreter.
    pub violations: Vec<Violation>,
    /// The sizes of the whole graph, if that was asked for and it has not too many states.
    pub whole: Option<PartSizes>,
}

/// What the interpreter says about a finding.
enum Confirmed {
    Violation(Box<Violation>),
    /// It is as far as anybody looks.
    Limit(Fault),
}

impl Composition {
    /// Puts a model together. `with_whole`: explores it as a whole, too, to tell how many states that has.
    pub fn of(
        text: &ModelText,
        define: &[String],
        options: &Options,
        with_whole: bool,
    ) -> Result<Composition, Error> {
        let besides = Besides {
            define,
            ..Besides::default()
        };
        let mut model = text.load(&besides)?;
        let open = text.open_machines(define)?;
        if let Some(interpreter) = model.after_unexpected_inputs() {
            model.interpreter = interpreter;
        }
        let mut composition = Composition {
            model,
            verdict: Verdict::Inconclusive,
            reason: None,
            composed: None,
            violations: Vec::new(),
            whole: None,
        };
        match compose(&open, options) {
            Err(Trouble::Refused(message)) => return Err(Error::Usage(message)),
            Err(Trouble::Internal(message)) => return Err(Error::Internal(message)),
            Err(limit @ Trouble::Limit(_)) => composition.reason = Some(limit.to_string()),
            Ok(composed) => {
                for finding in &composed.findings {
                    match composition.confirmed(finding)? {
                        Confirmed::Violation(violation) => composition.violations.push(*violation),
                        Confirmed::Limit(fault) => composition.reason = Some(fault.to_string()),
                    }
                }
                composition.verdict = match (&composition.reason, &composition.violations[..]) {
                    (None, []) => Verdict::Holds,
                    // What comes behind a step that is not followed to its end is not known.
                    (Some(_), []) => Verdict::Inconclusive,
                    _ => Verdict::Violated,
                };
                composition.composed = Some(composed);
            }
        }
        if with_whole {
            composition.explore_whole(options);
        }
        Ok(composition)
    }

    /// The interpreter repeats what was found.
    fn confirmed(&self, finding: &Finding) -> Result<Confirmed, Error> {
        let interpreter = &self.model.interpreter;
        let symptom = match finding.stuck {
            Stuck::Deadlock | Stuck::Nonprogress => Symptom::Deadlock,
            Stuck::Error => {
                let run = replay(interpreter, &finding.steps);
                let run = run.map_err(|error| Error::Internal(error.to_string()))?;
                let failure = run.failure.ok_or_else(|| {
                    Error::Internal("an error that was found does not happen".into())
                })?;
                match failure {
                    Failure::Fault(fault) if fault.is_limit() => {
                        return Ok(Confirmed::Limit(fault));
                    }
                    _ => Symptom::Failure(failure),
                }
            }
        };
        let violation = described(&self.model, PROPERTY, symptom, finding.steps.clone())?;
        Ok(Confirmed::Violation(Box::new(violation)))
    }

    fn explore_whole(&mut self, options: &Options) {
        let names = self.composed.as_ref().map(|composed| &composed.names[..]);
        if let Ok(whole) = plain(&self.model.interpreter, options, names.unwrap_or(&[])) {
            let (smallest, _) = mazurka_compose::minimise(&whole.lts);
            self.whole = Some(PartSizes {
                name: "the whole".into(),
                states: whole.lts.states(),
                transitions: whole.lts.transitions(),
                states_left: smallest.states(),
                transitions_left: smallest.transitions(),
            });
        }
    }

    /// The scenario of a violation, to be written to a file.
    pub fn scenario(&self, violation: &Violation) -> Scenario {
        let record = violation.record.clone();
        let interpreter = &self.model.interpreter;
        Scenario::new(
            self.model.model.clone(),
            record,
            interpreter,
            &violation.steps,
        )
    }

    /// All steps of a violation and what happened in them.
    pub fn run(&self, violation: &Violation) -> Result<Run, Error> {
        let run = replay(&self.model.interpreter, &violation.steps);
        run.map_err(|error| Error::Internal(error.to_string()))
    }
}
