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
    let check = || {
        plant(name);
        check()
    };
    #[cfg(test)]
    let check = || tests::planted(name, check);
    // What a panic leaves half done belongs to this property, or is guarded by locks that are taken all the same.
    match catch_unwind(AssertUnwindSafe(check)) {
        Ok(Err(Error::Internal(message))) => Ok(broken(name, kind, message)),
        Ok(result) => result,
        Err(panic) => Ok(broken(name, kind, said_by(panic.as_ref()))),
    }
}

/// Does some work on a model, or all of a command. A panic is an internal error, which costs this work and nothing else.
///
/// ```
/// use mazurka_checker::{Error, contained};
///
/// let work = || -> u32 { panic!("by mistake") };
/// assert!(matches!(contained("model.pml", work), Err(Error::Internal(_))));
/// assert_eq!(contained("model.pml", || 2).unwrap(), 2);
/// ```
pub fn contained<T>(name: &str, work: impl FnOnce() -> T) -> Result<T, Error> {
    let work = || {
        plant(name);
        work()
    };
    // Nobody looks at what a panic leaves half done.
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| Error::Internal(said_by(panic.as_ref())))
}

/// Panics, in development builds, where the variable `MAZURKA_PLANTED` names this property, this model or this command: what a user then
/// sees can be looked at.
#[cfg(debug_assertions)]
fn plant(place: &str) {
    let planted = std::env::var("MAZURKA_PLANTED");
    let is_here = planted.is_ok_and(|planted| planted.split(',').any(|known| known == place));
    assert!(!is_here, "planted in {place}");
}

#[cfg(not(debug_assertions))]
fn plant(_: &str) {}

/// What a panic says.
fn said_by(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| text.to_string());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    let Some(text) = text else {
        return "a panic".into();
    };
    // It may say more than one line; what is reported is one.
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    format!("a panic: {}", lines.collect::<Vec<_>>().join("; "))
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
    use std::cell::Cell;

    use super::*;
    use crate::checker::Checker;
    use crate::supervisor::{Stage, Supervisor};

    thread_local! {
        /// The property whose check panics, as if Mazurka were wrong.
        static PLANTED: Cell<Option<&'static str>> = const { Cell::new(None) };
    }

    pub fn planted<T>(property: &str, check: impl FnOnce() -> T) -> T {
        assert_ne!(PLANTED.get(), Some(property), "planted");
        check()
    }

    const MODEL: &str = "byte x; active proctype P() { x = 1 }
        ltl first { <> (x == 1) }
        ltl second { [] (x < 2) }
        ltl third { [] (x == 0) }";

    /// A caller that is wrong is told, and not that Mazurka is.
    #[test]
    fn a_panic_of_a_supervisor_is_the_callers() {
        struct Panics(usize);

        impl Supervisor for Panics {
            fn begin(&mut self, _: &Stage<'_>) {
                self.0 += 1;
                panic!("by the supervisor");
            }
        }

        for jobs in [1, 2] {
            let checker = Checker::from_source("m.pml", MODEL).expect("a model");
            let mut supervisor = Panics(0);
            let run = AssertUnwindSafe(|| checker.jobs(jobs).run_with(&mut supervisor));
            let panic = catch_unwind(run).expect_err("a panic");
            let said = panic.downcast_ref::<&str>();
            assert_eq!(said, Some(&"by the supervisor"));
            assert_eq!(supervisor.0, 1, "asked again");
        }
    }

    #[test]
    fn a_panic_costs_one_verdict() {
        for planted in ["safety", "first", "second"] {
            let checker = Checker::from_source("m.pml", MODEL).expect("a model");
            PLANTED.set(Some(planted));
            let outcome = checker.jobs(2).run();
            PLANTED.set(None);
            let outcome = outcome.expect("an outcome");
            assert_eq!(outcome.properties.len(), 4);
            for property in &outcome.properties {
                let expected = match property.name.as_str() {
                    name if name == planted => Verdict::Inconclusive,
                    "third" => Verdict::Violated,
                    _ => Verdict::Holds,
                };
                assert_eq!(property.verdict, expected, "{planted}: {}", property.name);
                // What is planted says several lines.
                let reason = property.reason.as_deref().unwrap_or("");
                assert!(!reason.contains('\n'), "{reason}");
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
