//! The result of a check as JSON.

use mazurka_scenario::{Position, ViolationKind};
use serde::Serialize;

use crate::arguments::{CheckArguments, Emptiness, Order, Store, Switch};
use crate::kernel;

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

#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    Holds,
    Violated,
    Inconclusive,
}

#[derive(Serialize, Debug)]
pub struct Property {
    pub name: String,
    pub kind: &'static str,
    pub verdict: Verdict,
    pub vacuous: bool,
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
    pub property: &'static str,
    pub all: bool,
    pub jobs: u32,
    pub memory: u64,
    /// In seconds.
    pub time: Option<f64>,
    pub depth: Option<usize>,
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

impl Given {
    /// `looked_for_cycles` says whether a temporal property was checked.
    pub fn of(arguments: &CheckArguments, looked_for_cycles: bool) -> Given {
        let emptiness = looked_for_cycles.then(|| arguments.emptiness());
        Given {
            model: arguments.model.file.display().to_string(),
            shard: shard_of(arguments),
            ltl: arguments.ltl.clone(),
            claim: arguments.claim.clone(),
            acceptance: arguments.acceptance,
            progress: arguments.progress,
            fair: arguments.fair,
            emptiness: emptiness.or(arguments.emptiness).map(Emptiness::name),
            seed: seed_of(arguments),
            sleep: arguments.sleep.map(Switch::name),
        }
    }
}

/// The part of a swarm in one way of writing it, so that the same parts look the same.
fn shard_of(arguments: &CheckArguments) -> Option<String> {
    if arguments.search != Order::Swarm {
        return None;
    }
    let (shard, shards) = kernel::shard(arguments).ok()?;
    Some(format!("{}/{shards}", shard + 1))
}

/// The seed, as given or as the search has it without.
fn seed_of(arguments: &CheckArguments) -> Option<u64> {
    let usual = match (arguments.search, arguments.store()) {
        (
            Order::Random | Order::Biased | Order::Scatter | Order::Probabilistic | Order::Swarm,
            _,
        ) => Some(1),
        (_, Store::Bitstate) => Some(0),
        _ => None,
    };
    arguments.seed.or(usual)
}
