//! The files that belong to an outcome: a scenario for each violation.

use std::path::PathBuf;

use mazurka_scenario::ScenarioFiles;

use crate::outcome::Outcome;

/// The files that belong to an outcome. That one cannot be written does not make a verdict undone: it is a warning.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// Where the scenario of each violation was written.
    pub scenarios: Vec<Option<PathBuf>>,
    /// What could not be written, and why.
    pub warnings: Vec<String>,
}

impl Written {
    /// Writes what belongs to the outcome of a program.
    pub fn write(outcome: &Outcome, files: &ScenarioFiles) -> Written {
        let mut written = Written::default();
        let count = outcome.violations.len();
        for (index, violation) in outcome.violations.iter().enumerate() {
            let path = files.write(&violation.scenario, index, count);
            if let Err(error) = &path {
                let warning = format!("cannot write the scenario: {error}");
                written.warnings.push(warning);
            }
            written.scenarios.push(path.ok());
        }
        written
    }
}
