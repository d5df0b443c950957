//! The result of a check as JSON.

use std::collections::BTreeMap;

use mazurka_checker::{
    AuditKind, Config, Dependency, Emptiness, Order, PropertyKind, Reduction, Share, Switch,
    Verdict,
};
use mazurka_scenario::{Position, ViolationKind};
use mazurka_search::Statistics;
use serde::Serialize;

use crate::check::Checked;

/// What `--json` prints.
#[derive(Serialize, Debug)]
pub struct Result {
    pub verdict: Verdict,
    /// Was everything explored?
    pub complete: bool,
    /// Why not.
    pub reason: Option<String>,
    pub properties: Vec<Property>,
    pub violations: Vec<Violation>,
    pub stats: Stats,
    pub options: Options,
}

#[derive(Serialize, Debug)]
pub struct Property {
    pub name: String,
    pub kind: PropertyKind,
    pub verdict: Verdict,
    pub vacuous: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub audit: Option<Audit>,
}

/// What was checked while the search went on.
#[derive(Serialize, Debug)]
pub struct Audit {
    /// Why the states of the search were not audited; null if they were.
    pub unaudited: Option<&'static str>,
    pub states: u64,
    pub checks: BTreeMap<&'static str, u64>,
    /// Checks that were given up within their bounds.
    pub undecided: u64,
    pub failures: Vec<String>,
    /// Where it stands what reproduces them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
}

impl Audit {
    fn of(checked: &Checked<'_>, audit: &mazurka_checker::Audit) -> Audit {
        let tally = &audit.tally;
        let checks = AuditKind::ALL
            .into_iter()
            .map(|kind| (kind.name(), tally.checked(kind)));
        let report = checked.audit_report.as_ref();
        Audit {
            unaudited: audit.unaudited,
            states: tally.states,
            checks: checks.filter(|(_, count)| *count > 0).collect(),
            undecided: tally.undecided,
            failures: tally
                .findings
                .iter()
                .map(|finding| finding.message.clone())
                .collect(),
            report: report
                .filter(|_| audit.has_failed())
                .map(|path| path.display().to_string()),
        }
    }
}

#[derive(Serialize, Debug)]
pub struct Violation {
    pub property: String,
    pub kind: ViolationKind,
    pub message: String,
    pub at: Option<Position>,
    pub steps: usize,
    /// Where the scenario is.
    pub scenario: Option<String>,
}

#[derive(Serialize, Debug)]
pub struct Stats {
    pub states: u64,
    pub matched: u64,
    /// States of which the reduction left steps out.
    pub reduced: u64,
    /// Stored and matched, as SPIN counts them.
    pub transitions: u64,
    pub depth: u64,
    pub state_bytes: u64,
    pub store_bytes: u64,
    pub compile_seconds: f64,
    pub search_seconds: f64,
    pub jobs: u32,
    pub omission_probability: f64,
}

/// The options as they were used, which is not always as they were given.
#[derive(Serialize, Debug)]
pub struct Options {
    pub search: &'static str,
    pub store: &'static str,
    pub reduce: &'static str,
    pub dependency: &'static str,
    pub optimize: &'static str,
    pub property: String,
    pub all: bool,
    pub jobs: u32,
    pub memory: u64,
    /// In seconds.
    pub time: Option<f64>,
    pub depth: Option<usize>,
    /// The share of the states that were audited; null if the audit was off.
    pub audit: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deepen: Option<u32>,
    pub define: Vec<String>,
    #[serde(flatten)]
    pub given: Given,
}

/// What was searched, and the options that only some searches have: those that were given or made a difference.
#[derive(Serialize, Debug)]
pub struct Given {
    /// As it was typed.
    pub model: String,
    /// The part of a swarm, such as `2/8`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ltl: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub claim: Option<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub acceptance: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub progress: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub fair: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub emptiness: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sleep: Option<&'static str>,
}

impl Result {
    /// The result of a check.
    pub fn of(checked: &Checked<'_>) -> Result {
        let (outcome, config) = (&checked.outcome, &checked.config);
        let main = checked.main();
        let statistics = main.map_or_else(Statistics::default, |main| main.statistics);
        let properties = outcome.properties.iter().map(|property| Property {
            name: property.name.clone(),
            kind: property.kind,
            verdict: property.verdict,
            vacuous: property.vacuous,
            audit: Some(Audit::of(checked, &property.audit)),
        });
        let violations = checked.violations().map(|(violation, path)| Violation {
            property: violation.record.property.clone(),
            kind: violation.record.kind,
            message: violation.record.message.clone(),
            at: violation.record.at.clone(),
            steps: violation.steps.len(),
            scenario: path.map(|path| path.display().to_string()),
        });
        let property = match outcome.safety() {
            Some(safety) => safety.name.clone(),
            None => config.property.name().into(),
        };
        Result {
            verdict: checked.verdict(),
            // Without a property there is nothing to explore.
            complete: main.is_none_or(|main| main.complete),
            reason: main.and_then(|main| main.reason.clone()),
            properties: properties.collect(),
            violations: violations.collect(),
            stats: Stats {
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
            },
            options: Options {
                search: config.search.name(),
                store: config.store().name(),
                reduce: reduction_of(checked).name(),
                dependency: config.dependency.unwrap_or(Dependency::Refined).name(),
                optimize: config.optimize.name(),
                property,
                all: config.all,
                jobs: config.jobs(),
                memory: outcome.memory,
                time: config.time.map(|time| time.as_secs_f64()),
                depth: config.depth,
                audit: config.audit.map(Share::value),
                deepen: config.deepen,
                define: config.define.clone(),
                given: Given::of(checked, config),
            },
        }
    }
}

/// The reduction of safety, or else one that was used for any of the temporal properties.
pub fn reduction_of(checked: &Checked<'_>) -> Reduction {
    if let Some(safety) = checked.outcome.safety() {
        return safety.reduction;
    }
    let used = checked
        .outcome
        .temporal()
        .map(|property| property.reduction);
    used.filter(|reduction| *reduction != Reduction::None)
        .last()
        .unwrap_or(Reduction::None)
}

impl Given {
    fn of(checked: &Checked<'_>, config: &Config) -> Given {
        let looked_for_cycles = checked.outcome.temporal().next().is_some();
        let emptiness = looked_for_cycles.then(|| config.emptiness());
        Given {
            model: checked.arguments.model.file.display().to_string(),
            shard: shard_of(config),
            ltl: config.ltl.clone(),
            claim: config.claim.clone(),
            acceptance: config.acceptance,
            progress: config.progress,
            fair: config.fair,
            emptiness: emptiness.or(config.emptiness).map(Emptiness::name),
            seed: config.seed(),
            sleep: config.sleep.map(Switch::name),
        }
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
