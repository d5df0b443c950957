//! The outcome of an exploration as a document: what `--json` prints.

use std::path::PathBuf;

use mazurka_scenario::{PropertyKind, ReportedProperty, ReportedViolation, Verdict};
use serde::{Deserialize, Serialize};

use crate::config::{Config, DIVERGENCE, Leftover, Order, Races};
use crate::options::{Dependency, Reduction, StopReason};
use crate::outcome::Outcome;
use crate::plan::Plan;

/// The outcome of an exploration as a document. The fields are described in the book.
#[derive(Serialize, Deserialize, Clone, Debug)]
pub struct JsonReport {
    /// What it is.
    #[serde(default = "format")]
    pub format: String,
    /// Of the format; fields are added without a change of it.
    #[serde(default = "version")]
    pub version: u32,
    /// On everything.
    pub verdict: Verdict,
    /// What it holds under, if not in any case: `sequential-consistency`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub under: Option<String>,
    /// Was everything explored?
    pub complete: bool,
    /// Why not.
    pub reason: Option<String>,
    /// The one property: safety.
    pub properties: Vec<ReportedProperty>,
    /// What went wrong.
    pub violations: Vec<ReportedViolation>,
    /// How the program was run, and what was not looked at.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What was counted.
    pub stats: JsonStatistics,
    /// How it was explored.
    pub options: JsonOptions,
}

fn format() -> String {
    "mazurka-exploration".into()
}

fn version() -> u32 {
    1
}

/// What was counted.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[allow(missing_docs)] // They are those of `Statistics`.
pub struct JsonStatistics {
    pub executions: u64,
    /// Those of which an equivalent one was run too.
    #[serde(default)]
    pub audited_executions: u64,
    pub redundant_executions: u64,
    pub transitions: u64,
    pub max_depth: u32,
    pub search_seconds: f64,
    pub jobs: u32,
}

/// The choices as they were used, which is not always as they were given.
#[derive(Serialize, Deserialize, Clone, Debug)]
#[allow(missing_docs)] // They are those of `Config`.
pub struct JsonOptions {
    pub search: Order,
    pub reduce: Reduction,
    pub dependency: Dependency,
    pub depth: Option<u32>,
    pub deepen: Option<u32>,
    pub preemptions: Option<u32>,
    pub livelock: bool,
    #[serde(default)]
    pub races: Races,
    pub left_behind: Option<Leftover>,
    pub all: bool,
    pub executions: Option<u64>,
    /// In seconds.
    pub time: Option<f64>,
    /// In seconds.
    pub divergence: f64,
    pub seed: u64,
    pub program: Vec<String>,
}

impl JsonReport {
    /// The report of an outcome; `scenarios` says where the scenario of each violation was written.
    pub fn of(
        outcome: &Outcome,
        config: &Config,
        program: Vec<String>,
        scenarios: &[Option<PathBuf>],
    ) -> JsonReport {
        let paths = scenarios.iter().map(Option::as_ref);
        let paths = paths.chain(std::iter::repeat(None));
        let violations = outcome
            .violations
            .iter()
            .zip(paths)
            .map(|(violation, path)| {
                let path = path.map(|path| path.display().to_string());
                ReportedViolation::of(&violation.record, violation.schedule.len(), path)
            });
        let statistics = &outcome.statistics;
        let used = Plan::new(config, None).map(|plan| plan.options);
        let used = used.unwrap_or_default();
        JsonReport {
            format: format(),
            version: version(),
            verdict: outcome.verdict(),
            under: (outcome.is_under_sequential_consistency())
                .then(|| "sequential-consistency".into()),
            complete: outcome.stop == StopReason::Complete,
            reason: outcome.reason(),
            properties: vec![ReportedProperty {
                reason: None,
                internal_error: None,
                stopped_by: None,
                notes: Vec::new(),
                name: PropertyKind::Safety.name().into(),
                kind: PropertyKind::Safety,
                at: None,
                verdict: outcome.verdict(),
                vacuous: false,
                seconds: outcome.elapsed.as_secs_f64(),
                stats: None,
                audit: None,
            }],
            violations: violations.collect(),
            notes: outcome.notes.clone(),
            stats: JsonStatistics {
                executions: statistics.executions,
                audited_executions: statistics.audited,
                redundant_executions: statistics.redundant_executions,
                transitions: statistics.transitions,
                max_depth: statistics.max_depth,
                search_seconds: outcome.elapsed.as_secs_f64(),
                jobs: config.jobs,
            },
            options: JsonOptions {
                search: config.search,
                reduce: used.reduction,
                dependency: used.dependency,
                depth: config.depth,
                deepen: config.deepen,
                preemptions: config.preemptions,
                livelock: config.livelock,
                races: config.races,
                left_behind: config.left_behind,
                all: config.all,
                executions: config.executions,
                time: config.time.map(|time| time.as_secs_f64()),
                divergence: config.divergence.unwrap_or(DIVERGENCE).as_secs_f64(),
                seed: used.seed,
                program,
            },
        }
    }

    /// Its text.
    pub fn to_json(&self) -> String {
        // There is nothing in it that could fail.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }
}
