//! What the audit of a search found, and what that means for its verdict.

use std::time::{Duration, Instant};

use mazurka_audit::{Finding, Kind, Most, Tally, locate, walk_from_the_start};
use mazurka_model::{Interpreter, Step};
use mazurka_scenario::{Model, ScenarioStep, Verdict};
use mazurka_search::Options;
use serde::Serialize;

use crate::config::Config;
use crate::load::Loaded;
use crate::outcome::{Outcome, PropertyOutcome};
use crate::supervisor::Limits;

/// Searches of no more states than these are compared with the whole graph.
pub(crate) const SMALL: u64 = Most::USUAL.states as u64;

/// The way to a state in which something is wrong is looked for so long.
const LONGEST_LOOK: Duration = Duration::from_secs(30);

/// What of a search was audited, and what came of it.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Audit {
    /// Why the states of the search were not audited; none if they were.
    pub unaudited: Option<&'static str>,
    /// What was checked, and how often.
    pub tally: Tally,
    /// For each finding of the tally, how its state is reached; none if it is about no state, or the way was not found.
    pub paths: Vec<Option<Vec<Step>>>,
}

impl Audit {
    /// Of a search that was not audited.
    pub(crate) fn none(reason: &'static str) -> Audit {
        Audit {
            unaudited: Some(reason),
            ..Audit::default()
        }
    }

    /// Of a search whose states were audited, or whose program was compared with the model by walks alone.
    pub(crate) fn new(unaudited: Option<&'static str>, tally: Tally) -> Audit {
        Audit {
            unaudited,
            tally,
            paths: Vec::new(),
        }
    }

    /// Did anything fail that the search relies on?
    pub fn has_failed(&self) -> bool {
        self.tally.failures > 0
    }

    /// Adds the audit of another search for the same property.
    pub(crate) fn add(&mut self, other: Audit) {
        self.unaudited = self.unaudited.or(other.unaudited);
        // Of each kind only the first finding is kept.
        let known = self.tally.findings.len();
        self.tally.add(&other.tally);
        self.paths.resize(known, None);
        for finding in &self.tally.findings[known..] {
            let mut from = other.tally.findings.iter();
            let position = from.position(|other| other == finding);
            let path = position.and_then(|position| other.paths.get(position).cloned().flatten());
            self.paths.push(path);
        }
    }

    /// Looks for the way to each state in which something is wrong.
    pub(crate) fn locate(&mut self, searched: &Interpreter, limits: &Limits) {
        let soon = Instant::now() + LONGEST_LOOK;
        let options = Options {
            deadlock: false,
            failures: false,
            proviso: false,
            all: false,
            depth: None,
            memory: limits.memory / 2,
            deadline: Some(limits.deadline.map_or(soon, |deadline| deadline.min(soon))),
            alone: Options::ALONE,
            interrupt: &limits.stop,
        };
        let mut path = |finding: &Finding| match finding.state.is_empty() {
            true => None,
            false => locate(searched, &mut (), &finding.state, &options),
        };
        self.paths = self.tally.findings.iter().map(&mut path).collect();
    }

    /// What a verdict is worth after the audit: nothing is proved by a search that relied on what is not so. A violation that was
    /// repeated is one.
    pub(crate) fn judge(&self, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Holds if self.has_failed() => Verdict::Inconclusive,
            verdict => verdict,
        }
    }

    /// Why nothing is proved, if the audit failed.
    pub(crate) fn reason(&self) -> Option<String> {
        let first = self.tally.findings.first()?;
        Some(format!(
            "internal error: the audit of the search failed: {}",
            first.message
        ))
    }
}

/// Compares a changed program with the model, for searches that say nothing of the states they meet.
pub(crate) fn walks(searched: &Interpreter, loaded: &Loaded) -> Tally {
    match searched.beside(loaded.program().clone()) {
        Some(model) => walk_from_the_start(searched, &model),
        None => Tally::default(),
    }
}

/// What reproduces an audit that failed: the text of the model, what was asked for, and what is wrong where.
#[derive(Serialize, Debug)]
pub struct AuditReport<'o> {
    format: &'static str,
    version: &'static str,
    model: &'o Model,
    sources: Vec<Source<'o>>,
    config: &'o Config,
    findings: Vec<Failed<'o>>,
}

/// A file of a model.
#[derive(Serialize, Debug)]
pub(crate) struct Source<'o> {
    name: &'o str,
    text: &'o str,
}

/// The files of a model.
pub(crate) fn sources_of(model: &Loaded) -> Vec<Source<'_>> {
    let files = model.sources.files().iter();
    files
        .map(|file| Source {
            name: file.name(),
            text: file.text(),
        })
        .collect()
}

#[derive(Serialize, Debug)]
struct Failed<'o> {
    property: &'o str,
    check: &'static str,
    message: &'o str,
    /// The steps from the initial state to the one that was audited.
    path: Option<Vec<ScenarioStep>>,
    /// The steps from there to where it shows.
    walk: Vec<ScenarioStep>,
    /// The steps, or whole atomic sequences, that it is about.
    about: Vec<Vec<ScenarioStep>>,
}

impl Outcome {
    /// Did the audit of any search fail? Then Mazurka is wrong, and what holds otherwise is inconclusive.
    pub fn has_failed_audit(&self) -> bool {
        let mut properties = self.properties.iter();
        properties.any(|property| property.audit.has_failed())
    }

    /// What reproduces an audit that failed, to be written to a file; none if none did.
    pub fn audit_report<'o>(&'o self, config: &'o Config) -> Option<AuditReport<'o>> {
        if !self.has_failed_audit() {
            return None;
        }
        Some(AuditReport {
            format: "mazurka-audit",
            version: env!("CARGO_PKG_VERSION"),
            model: &self.model.model,
            sources: sources_of(&self.model),
            config,
            findings: self
                .properties
                .iter()
                .flat_map(|property| failed(&self.model, property))
                .collect(),
        })
    }
}

fn failed<'o>(loaded: &'o Loaded, property: &'o PropertyOutcome) -> Vec<Failed<'o>> {
    let described = |steps: &[Step]| -> Vec<ScenarioStep> {
        let plain = steps.iter().map(|step| ScenarioStep::from(*step));
        plain
            .map(|step| step.described(&loaded.interpreter))
            .collect()
    };
    let audit = &property.audit;
    let numbered = audit.tally.findings.iter().enumerate();
    numbered
        .map(|(number, finding)| Failed {
            property: &property.name,
            check: finding.kind.name(),
            message: &finding.message,
            path: audit
                .paths
                .get(number)
                .and_then(|path| path.as_deref().map(described)),
            walk: described(&finding.walk),
            about: finding.about.iter().map(|steps| described(steps)).collect(),
        })
        .collect()
}

/// As people read it: `312 states and 1,934 checks`.
impl std::fmt::Display for Audit {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use crate::figures::counted;
        let checks: u64 = self.tally.checks.iter().sum();
        match self.unaudited {
            Some(reason) => write!(out, "its states were not audited: {reason}")?,
            None => write!(out, "{} audited", counted(self.tally.states, "state"))?,
        }
        if checks > 0 {
            write!(out, ", {}", counted(checks, "check"))?;
        }
        match self.tally.checked(Kind::Whole) {
            0 => Ok(()),
            _ => out.write_str(", the whole graph among them"),
        }
    }
}
