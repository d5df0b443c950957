//! What the audit of a search found, and what that means for its verdict.

use std::time::{Duration, Instant};

use mazurka_audit::{Finding, Kind, Most, Tally, locate, walk_from_the_start};
use mazurka_model::{Interpreter, Step};
use mazurka_scenario::{Model, ScenarioStep, Verdict};
use mazurka_search::{Options, Statistics};
use serde::Serialize;

use crate::config::Config;
use crate::load::Loaded;
use crate::outcome::{Outcome, PropertyOutcome};
use crate::supervisor::Limits;

/// Is the whole graph worth a look? Where a reduction left steps out in a state, there is at least about one state more than were met; a
/// graph that is larger than is looked at would only cost time.
pub(crate) fn is_small(statistics: &Statistics) -> bool {
    statistics.states + statistics.reduced <= Most::USUAL.states as u64
}

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
    // Not what options say, which is among the choices.
    let files = model.sources.files().iter();
    let files = files.filter(|file| !file.name().starts_with('<'));
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

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use mazurka_audit::{Audited, Auditor, Proviso, Share, finish};
    use mazurka_model::TransitionId;
    use mazurka_scenario::Verdict;
    use mazurka_search::store::Tree;
    use mazurka_search::{Reduction, StopReason, depth_first_in};
    use serde_json::Value;

    use super::*;
    use crate::{Checker, Reproduction};

    /// A relation that is wrong: whatever two processes do is independent.
    struct Liar;

    impl Reduction<Interpreter> for Liar {
        fn select(&mut self, _: &Interpreter, _: &[u8], steps: &mut [Step]) -> usize {
            steps.len()
        }

        fn independent(&mut self, _: &Interpreter, _: &[u8], _: Step, _: Step) -> bool {
            true
        }
    }

    /// Two writes that do not commute, where neither has happened in the initial state.
    const MODEL: &str = "byte x; bit go;
        active proctype P() { go; x = 1 } active proctype Q() { go; x = 2 } active proctype R() { go = 1 }";

    /// The outcome of a check whose search was audited while it relied on something that is not so.
    fn planted(config: &Config) -> Outcome {
        let checker = Checker::from_source("planted.pml", MODEL).unwrap();
        let mut outcome = checker.config(config.clone()).run().unwrap();
        let searched = &outcome.model.interpreter;
        let stop = Arc::new(AtomicBool::new(false));
        let limits = Limits::new(config, Instant::now(), stop.clone());
        let options = Options {
            deadlock: true,
            failures: true,
            proviso: true,
            all: true,
            depth: None,
            memory: limits.memory,
            deadline: None,
            alone: Options::ALONE,
            interrupt: &stop,
        };
        let auditor = Auditor::new(Share::ALL, None, Proviso::Nobody);
        let mut crew = [Audited::new(Liar, Some(auditor))];
        let report = depth_first_in(searched, Tree::new(), &mut crew, &options, &mut ());
        let is_complete = report.stop == StopReason::Complete;
        let tally = finish(searched, &mut crew, is_complete).unwrap();
        let mut audit = Audit::new(None, tally);
        audit.locate(searched, &limits);
        let property = &mut outcome.properties[0];
        property.verdict = audit.judge(property.verdict);
        property.reason = audit.reason();
        property.audit = audit;
        outcome
    }

    fn step(from: &Value) -> Step {
        let number = |name: &str| from[name].as_u64().unwrap() as u32;
        Step {
            process: number("process"),
            transition: TransitionId(number("transition")),
            choice: number("choice"),
        }
    }

    /// From what an audit finds to the file, and from the file alone back to what is wrong.
    #[test]
    fn the_file_of_a_failed_audit_shows_what_is_wrong() {
        let config = Config {
            memory: Some(64 << 20),
            ..Config::default()
        };
        let outcome = planted(&config);
        assert_eq!(outcome.verdict(), Verdict::Inconclusive);
        assert!(outcome.has_failed_audit());
        let reason = outcome.properties[0].reason.as_deref().unwrap();
        assert!(reason.starts_with("internal error: "), "{reason}");
        let text = serde_json::to_string(&outcome.audit_report(&config).unwrap()).unwrap();

        // Only the text from here on.
        let reproduction = Reproduction::from_json(&text).unwrap();
        assert_eq!(reproduction.checks(), ["pairs"]);
        let checker = reproduction.checker().unwrap();
        let interpreter = checker.load().unwrap().interpreter;
        let report: Value = serde_json::from_str(&text).unwrap();
        let finding = &report["findings"][0];
        let take = |state: &[u8], list: &Value| {
            let mut state = state.to_vec();
            for given in list.as_array().unwrap() {
                let mut next = Vec::new();
                let step = step(given);
                interpreter.execute(&state, step, &mut next, &mut Vec::new(), &mut ());
                state = next;
            }
            state
        };
        let mut state = Vec::new();
        interpreter.initial(&mut state, &mut ()).unwrap();
        assert!(!finding["path"].as_array().unwrap().is_empty());
        let state = take(&take(&state, &finding["path"]), &finding["walk"]);
        let (one, other) = (&finding["about"][0], &finding["about"][1]);
        let there = take(&take(&state, one), other);
        let back = take(&take(&state, other), one);
        assert_ne!(there, back, "they were called independent");

        // With relations that are right nothing is found.
        let outcome = checker.run().unwrap();
        assert_eq!(outcome.verdict(), Verdict::Holds);
        assert!(outcome.audit_report(&config).is_none());
    }
}
