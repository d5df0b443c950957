//! The outcome of a verification as a document: what `--json` prints, and what is read back to be merged.
//!
//! The fields are described in the book (`docs/book/formats.md`); `docs/report.schema.json` is their schema. New ones may appear in the
//! same version.

use mazurka_audit::{Kind as AuditKind, Share};
use mazurka_scenario::{
    ReportedAudit, ReportedFigures, ReportedProperty, ReportedViolation, Verdict,
};
use mazurka_search::Statistics;
use serde::{Deserialize, Serialize};

use crate::audit::Audit;
use crate::choice::{Dependency, Emptiness, Order, Reduction, Switch};
use crate::config::Config;
use crate::coverage::Unreached;
use crate::files::Written;
use crate::outcome::{Outcome, Violation};
use crate::reported::ReportedDiagnostic;
use crate::store::Store;

/// The outcome of a verification as a document.
///
/// ```
/// use mazurka_checker::{Checker, Config, Report};
///
/// let config = Config::default();
/// let outcome = Checker::from_source("p.pml", "active proctype P() { skip }")?.run()?;
/// let text = Report::of(&outcome, &config, &Default::default()).to_json();
/// assert!(text.contains("\"verdict\": \"holds\""));
/// assert!(Report::from_json(&text).is_ok());
/// # Ok::<(), mazurka_checker::Error>(())
/// ```
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct Report {
    /// [`Report::FORMAT`].
    #[serde(default)]
    pub format: String,
    /// [`Report::VERSION`].
    #[serde(default)]
    pub version: u32,
    /// On everything.
    pub verdict: Verdict,
    /// Was everything explored?
    pub complete: bool,
    /// Why not.
    pub reason: Option<String>,
    /// One entry for each property.
    pub properties: Vec<ReportedProperty>,
    /// What went wrong.
    pub violations: Vec<ReportedViolation>,
    /// What is odd about the model, but not wrong.
    #[serde(default)]
    pub diagnostics: Vec<ReportedDiagnostic>,
    /// What no execution came to, for each process or machine in which there is something.
    #[serde(default)]
    pub unreached: Vec<Unreached>,
    /// What the search did: that for safety, or else the last one.
    pub stats: ReportedStatistics,
    /// How it was searched.
    pub options: ReportedOptions,
}

/// What the search for one property did: that for errors in states, or else the last. Each property has its own figures too.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct ReportedStatistics {
    /// The name of that property.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub property: Option<String>,
    /// Different states.
    pub states: u64,
    /// How often a state was met again.
    pub matched: u64,
    /// States of which the reduction left steps out.
    pub reduced: u64,
    /// Stored and matched, as SPIN counts them.
    pub transitions: u64,
    /// The longest path.
    pub depth: u64,
    /// The bytes of a state.
    pub state_bytes: u64,
    /// The bytes of all states as they are stored.
    pub store_bytes: u64,
    /// How long it took to read the model.
    pub compile_seconds: f64,
    /// How long the search took.
    pub search_seconds: f64,
    /// The number of threads.
    pub jobs: u32,
    /// How likely it is that a state is taken for another.
    pub omission_probability: f64,
}

/// The choices as they were used, which is not always as they were given.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[allow(missing_docs)] // They are those of `Config`.
pub struct ReportedOptions {
    pub search: Order,
    pub store: Store,
    pub reduce: Reduction,
    pub dependency: Dependency,
    pub optimize: Switch,
    pub property: String,
    pub all: bool,
    pub jobs: u32,
    pub memory: u64,
    /// In seconds.
    pub time: Option<f64>,
    pub depth: Option<usize>,
    /// The share of the states that were audited; null if the audit was off.
    #[serde(default)]
    pub audit: Option<f64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deepen: Option<u32>,
    pub define: Vec<String>,
    /// As it was opened.
    pub model: String,
    /// What tells its text from others; missing in older reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model_hash: Option<String>,
    /// The part of a swarm, such as `2/8`; of merged reports, all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ltl: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub acceptance: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub progress: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub fair: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub emptiness: Option<Emptiness>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sleep: Option<Switch>,
}

impl Report {
    /// What the field `format` says.
    pub const FORMAT: &'static str = "mazurka-report";
    /// What the field `version` says. Fields are added in the same version, never removed or renamed.
    pub const VERSION: u32 = 1;

    /// The report of an outcome, and where the files are that belong to it.
    pub fn of(outcome: &Outcome, config: &Config, written: &Written) -> Report {
        let main = outcome.main();
        let paths = written.scenarios.iter().map(Option::as_ref);
        let paths = paths.chain(std::iter::repeat(None));
        let with_paths: Vec<_> = outcome.with_scenarios().zip(paths).collect();
        let reported = |violation: &Violation| {
            let mut known = with_paths.iter();
            let path = known.find(|(known, _)| std::ptr::eq(*known, violation));
            let path = path.and_then(|(_, path)| Some(path.as_ref()?.display().to_string()));
            ReportedViolation {
                at: outcome.place_of(violation),
                steps_found: violation.steps_found,
                shortest: violation.is_shortest,
                ..ReportedViolation::of(&violation.record, violation.steps.len(), path)
            }
        };
        let properties = outcome.properties.iter().map(|property| ReportedProperty {
            name: property.name.clone(),
            kind: property.kind,
            at: outcome.place_of_property(property),
            verdict: property.verdict,
            vacuous: property.vacuous,
            seconds: property.statistics.elapsed.as_secs_f64(),
            stats: Some(figures_of(&property.statistics)),
            reason: property.reason.clone(),
            internal_error: property.defect.clone(),
            stopped_by: property.stopped_by.as_ref().map(reported),
            notes: property.notes.clone(),
            audit: Some(audit_of(&property.audit, written)),
        });
        let violations = outcome.violations().map(reported);
        let model = &outcome.model;
        Report {
            format: Report::FORMAT.into(),
            version: Report::VERSION,
            verdict: outcome.verdict(),
            // Without a property there is nothing to explore.
            complete: (outcome.properties.iter()).all(|property| property.complete),
            reason: main.and_then(|main| main.reason.clone()),
            properties: properties.collect(),
            violations: violations.collect(),
            diagnostics: ReportedDiagnostic::all(&model.sources, &model.warnings),
            unreached: outcome.unreached(),
            stats: ReportedStatistics::of(outcome, config),
            options: ReportedOptions::of(outcome, config),
        }
    }

    /// Its text.
    pub fn to_json(&self) -> String {
        // There is nothing in it that could fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}

impl ReportedStatistics {
    fn of(outcome: &Outcome, config: &Config) -> ReportedStatistics {
        let main = outcome.main();
        let statistics = main.map_or_else(Statistics::default, |main| main.statistics);
        ReportedStatistics {
            property: main.map(|main| main.name.clone()),
            states: statistics.states,
            matched: statistics.matched,
            reduced: statistics.reduced,
            transitions: statistics.transitions(),
            depth: statistics.depth,
            state_bytes: statistics.state_bytes,
            store_bytes: statistics.store_bytes,
            compile_seconds: outcome.model.compile_seconds,
            search_seconds: statistics.elapsed.as_secs_f64(),
            jobs: config.jobs(),
            omission_probability: statistics.omission_probability,
        }
    }
}

impl ReportedOptions {
    fn of(outcome: &Outcome, config: &Config) -> ReportedOptions {
        let has_temporal = outcome.temporal().next().is_some();
        let emptiness = has_temporal.then(|| config.emptiness());
        ReportedOptions {
            search: config.search,
            store: config.store(),
            reduce: outcome.reduction(),
            dependency: config.dependency.unwrap_or(Dependency::Refined),
            optimize: config.optimize,
            property: match outcome.safety() {
                Some(safety) => safety.name.clone(),
                None => config.property.name().into(),
            },
            all: config.all,
            jobs: config.jobs(),
            memory: outcome.memory,
            time: config.time.map(|time| time.as_secs_f64()),
            depth: config.depth,
            audit: config.audit.map(Share::value),
            deepen: config.deepen,
            define: config.define.clone(),
            model: outcome.model.model.file.clone(),
            model_hash: Some(outcome.model.model.hash.clone()),
            shard: shard_of(config),
            ltl: config.ltl.clone(),
            claim: config.claim.clone(),
            acceptance: config.acceptance,
            progress: config.progress,
            fair: config.fair,
            emptiness: emptiness.or(config.emptiness),
            seed: config.seed(),
            sleep: config.sleep,
        }
    }
}

fn figures_of(statistics: &Statistics) -> ReportedFigures {
    ReportedFigures {
        states: statistics.states,
        matched: statistics.matched,
        transitions: statistics.transitions(),
        reduced: statistics.reduced,
        depth: statistics.depth,
        store_bytes: statistics.store_bytes,
    }
}

fn audit_of(audit: &Audit, written: &Written) -> ReportedAudit {
    let tally = &audit.tally;
    let checks = AuditKind::ALL.into_iter();
    let checks = checks.map(|kind| (kind.name().to_string(), tally.checked(kind)));
    let failures = tally.findings.iter();
    let report = written.audit_report.as_ref();
    ReportedAudit {
        unaudited: audit.unaudited.map(String::from),
        audited_states: tally.states,
        checks: checks.filter(|(_, count)| *count > 0).collect(),
        undecided: tally.undecided,
        failures: failures.map(|found| found.message.clone()).collect(),
        report: report
            .filter(|_| audit.has_failed())
            .map(|path| path.display().to_string()),
    }
}

/// The part of a swarm in one way of writing it, so that the same parts look the same.
fn shard_of(config: &Config) -> Option<String> {
    if config.search != Order::Swarm {
        return None;
    }
    let (shard, shards) = config.shard()?;
    Some(format!("{}/{shards}", shard + 1))
}
