//! An error of Mazurka itself costs the verdict of one property, not those of the others.
//!
//! Whatever goes wrong while a property is checked, a result that the interpreter does not confirm or a panic of a worker, the property is
//! inconclusive, says so, and what reproduces it is kept: the text of the model, what was asked for, and the property.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use mazurka_scenario::{Model, PropertyKind, Verdict};
use mazurka_search::{Statistics, StopReason};
use serde::Serialize;

use crate::audit::{Audit, Source, sources_of};
use crate::choice::Reduction;
use crate::config::Config;
use crate::error::Error;
use crate::outcome::{Outcome, PropertyOutcome};

/// Checks a property. An internal error, or a panic, is its outcome.
pub(crate) fn guarded(
    name: &str,
    kind: PropertyKind,
    check: impl FnOnce() -> Result<PropertyOutcome, Error>,
) -> Result<PropertyOutcome, Error> {
    // What a panic leaves half done belongs to this property, or is guarded by locks that are taken all the same.
    match catch_unwind(AssertUnwindSafe(check)) {
        Ok(Err(Error::Internal(message))) => Ok(broken(name, kind, message)),
        Ok(result) => result,
        Err(panic) => Ok(broken(name, kind, said_by(panic.as_ref()))),
    }
}

/// What a panic says.
fn said_by(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    match text {
        Some(text) => format!("a panic: {text}"),
        None => "a panic".into(),
    }
}

fn broken(name: &str, kind: PropertyKind, message: String) -> PropertyOutcome {
    PropertyOutcome {
        name: name.into(),
        kind,
        verdict: Verdict::Inconclusive,
        vacuous: false,
        complete: false,
        reason: Some(format!("internal error: {message}")),
        defect: Some(message),
        notes: Vec::new(),
        stop: StopReason::Interrupted,
        statistics: Statistics::default(),
        reduction: Reduction::None,
        audit: Audit::none("the search did not come to its end"),
        violations: Vec::new(),
        stopped_by: None,
        covered: None,
    }
}

/// What reproduces internal errors: the text of the model, what was asked for, and what went wrong for which property.
#[derive(Serialize, Debug)]
pub struct DefectReport<'o> {
    format: &'static str,
    version: &'static str,
    model: &'o Model,
    sources: Vec<Source<'o>>,
    config: &'o Config,
    defects: Vec<Defect<'o>>,
}

#[derive(Serialize, Debug)]
struct Defect<'o> {
    property: &'o str,
    kind: PropertyKind,
    message: &'o str,
}

impl Outcome {
    /// What reproduces the internal errors, to be written to a file; none if there were none.
    pub fn defect_report<'o>(&'o self, config: &'o Config) -> Option<DefectReport<'o>> {
        let properties = self.properties.iter();
        let defects = properties.filter_map(|property| {
            Some(Defect {
                property: &property.name,
                kind: property.kind,
                message: property.defect.as_deref()?,
            })
        });
        let defects: Vec<Defect<'o>> = defects.collect();
        (!defects.is_empty()).then(|| DefectReport {
            format: "mazurka-defect",
            version: env!("CARGO_PKG_VERSION"),
            model: &self.model.model,
            sources: sources_of(&self.model),
            config,
            defects,
        })
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use crate::checker::Checker;
    use crate::supervisor::{Stage, Supervisor};

    const MODEL: &str = "byte x; active proctype P() { x = 1 }
        ltl first { <> (x == 1) }
        ltl second { [] (x < 2) }
        ltl third { [] (x == 0) }";

    /// Panics when a property comes to its turn, or while it is searched.
    struct Panics(&'static str);

    impl Supervisor for Panics {
        fn begin(&mut self, stage: &Stage<'_>) {
            assert_ne!(stage.property, self.0, "planted");
        }

        fn progress(&mut self, _: &Statistics) -> ControlFlow<()> {
            ControlFlow::Continue(())
        }
    }

    #[test]
    fn a_panic_costs_one_verdict() {
        for planted in ["safety", "first", "second"] {
            let checker = Checker::from_source("m.pml", MODEL).expect("a model");
            let outcome = checker.jobs(2).run_with(&mut Panics(planted));
            let outcome = outcome.expect("an outcome");
            assert_eq!(outcome.properties.len(), 4);
            for property in &outcome.properties {
                let expected = match property.name.as_str() {
                    name if name == planted => Verdict::Inconclusive,
                    "third" => Verdict::Violated,
                    _ => Verdict::Holds,
                };
                assert_eq!(property.verdict, expected, "{planted}: {}", property.name);
            }
            let config = Config::default();
            let report = outcome.defect_report(&config).expect("a report");
            let report = serde_json::to_string(&report).expect("text");
            for part in ["mazurka-defect", planted, "planted", "active proctype"] {
                assert!(report.contains(part), "{report}");
            }
        }
    }

    #[test]
    fn an_internal_error_costs_one_verdict() {
        let error = || Err(Error::Internal("it does not replay".into()));
        let outcome = guarded("p", PropertyKind::Ltl, error).expect("an outcome");
        assert_eq!(outcome.verdict, Verdict::Inconclusive);
        let reason = outcome.reason.as_deref();
        assert_eq!(reason, Some("internal error: it does not replay"));
        let usage = || Err(Error::Usage("no such file".into()));
        assert!(guarded("p", PropertyKind::Ltl, usage).is_err());
    }
}
