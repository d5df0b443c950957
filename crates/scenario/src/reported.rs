//! What reports of models and of real programs have in common.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::format::ViolationRecord;
use crate::kind::ViolationKind;
use crate::verdict::{PropertyKind, Verdict};
use crate::walk::Position;

/// A property and its verdict, as `--json` has them.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct ReportedProperty {
    /// Its name.
    pub name: String,
    /// What kind of property it is.
    pub kind: PropertyKind,
    /// Where a formula of the model stands.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<Position>,
    /// Its own verdict.
    pub verdict: Verdict,
    /// Does it hold even if the right side of every implication is false?
    pub vacuous: bool,
    /// How long the search took.
    #[serde(default)]
    pub seconds: f64,
    /// What its search did; missing if several searches were joined, and for a real program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stats: Option<ReportedFigures>,
    /// Why it is not decided, if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What went wrong in Mazurka itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub internal_error: Option<String>,
    /// The run-time error that keeps a temporal property from being decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stopped_by: Option<ReportedViolation>,
    /// What else is to be known about the search.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// What was checked while the search went on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub audit: Option<ReportedAudit>,
}

/// What the search for a property did, as `--json` has it.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
pub struct ReportedFigures {
    /// Different states; of a formula, each with a place of its automaton.
    pub states: u64,
    /// How often a state was met again.
    pub matched: u64,
    /// Stored and matched.
    pub transitions: u64,
    /// States of which the reduction left steps out.
    pub reduced: u64,
    /// The longest path.
    pub depth: u64,
    /// The bytes of all states as they are stored.
    pub store_bytes: u64,
}

/// What a search checked of itself, as `--json` has it.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct ReportedAudit {
    /// Why the states of the search were not audited; null if they were.
    pub unaudited: Option<String>,
    /// How many states were audited.
    pub audited_states: u64,
    /// How many checks of each kind were made.
    pub checks: BTreeMap<String, u64>,
    /// Checks that were given up within their bounds.
    pub undecided: u64,
    /// What was found wrong.
    pub failures: Vec<String>,
    /// Where it stands what reproduces it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<String>,
}

/// A violation, as `--json` has it.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct ReportedViolation {
    /// Which property is violated.
    pub property: String,
    /// What went wrong.
    pub kind: ViolationKind,
    /// One sentence.
    pub message: String,
    /// Where in the source.
    pub at: Option<Position>,
    /// The length of the scenario.
    pub steps: usize,
    /// The same before it was shortened.
    #[serde(default)]
    pub steps_found: usize,
    /// Is it known that no violation of this kind at this place takes fewer?
    #[serde(default)]
    pub shortest: bool,
    /// Where the scenario is.
    pub scenario: Option<String>,
}

impl ReportedViolation {
    /// A violation after this many steps, whose scenario was written to a file or not.
    pub fn of(record: &ViolationRecord, steps: usize, scenario: Option<String>) -> Self {
        ReportedViolation {
            property: record.property.clone(),
            kind: record.kind,
            message: record.message.clone(),
            at: record.at.clone(),
            steps,
            steps_found: steps,
            shortest: false,
            scenario,
        }
    }
}
