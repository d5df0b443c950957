//! The files that belong to an outcome: a scenario for each violation.

use std::path::PathBuf;

use mazurka_scenario::{Scenario, ScenarioFiles};

use crate::config::Config;
use crate::outcome::Outcome;

/// The files that belong to an outcome. That one cannot be written does not make a verdict undone: it is a warning.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// Where the scenario of each violation was written.
    pub scenarios: Vec<Option<PathBuf>>,
    /// Scenarios that were removed, since what they show is mended.
    pub removed: Vec<PathBuf>,
    /// What could not be written, and why.
    pub warnings: Vec<String>,
}

impl Written {
    /// Writes what belongs to the outcome of a program, and removes what does not any more. `command` is the program with its arguments.
    pub fn write(
        outcome: &Outcome,
        config: &Config,
        files: &ScenarioFiles,
        command: &[String],
    ) -> Written {
        let mut written = Written::default();
        let count = outcome.violations.len();
        for (index, violation) in outcome.violations.iter().enumerate() {
            let path = files.write(&violation.scenario, index, count);
            written.warnings.extend(files.warning_of(&path, index));
            written.scenarios.push(path.ok());
        }
        let is_stale = |scenario: &Scenario| outcome.mends(scenario, config, command);
        written.removed = files.remove_stale(is_stale);
        written
    }
}
