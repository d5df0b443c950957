//! The result of a check as JSON.

use mazurka_scenario::Position;
use serde::Serialize;

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
    pub kind: String,
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
}
