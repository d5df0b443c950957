//! Branches: runs that begin alike and go on otherwise. None is ever lost.

use std::sync::Arc;

use mazurka_model::Step;
use mazurka_scenario::{StepRecord, ViolationRecord};
use serde::Serialize;

/// A run that is kept. Steps are added at its end and never taken away, so that a page that knows the first ones knows them for good.
#[derive(Clone, Debug, Default)]
pub struct Branch {
    /// What people call it.
    pub name: String,
    /// The branch that it left, and after how many steps.
    pub parent: Option<(usize, usize)>,
    /// Its steps.
    pub steps: Vec<Step>,
    /// What happened in them.
    pub records: Vec<Arc<StepRecord>>,
    /// What goes wrong at its end, if that is why it is here.
    pub violation: Option<ViolationRecord>,
    /// For a run that goes on for ever: the number of steps before those that repeat.
    pub loop_from: Option<usize>,
}

/// A branch as the page lists it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BranchView {
    /// What people call it.
    pub name: String,
    /// The branch that it left.
    pub parent: Option<usize>,
    /// After how many steps.
    pub fork: usize,
    /// Its steps.
    pub length: usize,
    /// Does it show a violation?
    pub violated: bool,
}

impl Branch {
    /// How many steps two branches have in common at their beginning.
    pub fn common(&self, other: &Branch) -> usize {
        let pairs = self.steps.iter().zip(&other.steps);
        pairs.take_while(|(one, two)| one == two).count()
    }

    /// As the page lists it.
    pub fn view(&self) -> BranchView {
        BranchView {
            name: self.name.clone(),
            parent: self.parent.map(|(parent, _)| parent),
            fork: self.parent.map_or(0, |(_, fork)| fork),
            length: self.records.len(),
            violated: self.violation.is_some(),
        }
    }
}
