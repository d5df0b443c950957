//! The files that belong to an outcome: a scenario for each violation, and what reproduces an audit that failed.

use std::path::{Path, PathBuf};

use serde::Serialize;

use mazurka_scenario::figures::counted;
use mazurka_scenario::{
    Mark, Scenario, ScenarioFiles, Verdict, ViolationKind, refuse_foreign, write_text,
};

use crate::config::Config;
use crate::outcome::Outcome;

/// There may be many violations, each with a long scenario. Once this many steps are written, some tens of megabytes, the rest is not.
const STEPS_WRITTEN: usize = 200_000;

/// The files that belong to an outcome. That one cannot be written does not make a verdict undone: it is a warning.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// Where the scenario of each violation was written.
    pub scenarios: Vec<Option<PathBuf>>,
    /// Where it stands what reproduces an audit that failed.
    pub audit_report: Option<PathBuf>,
    /// Where it stands what reproduces an internal error.
    pub defect_report: Option<PathBuf>,
    /// Scenarios that were removed, since what they show is mended.
    pub removed: Vec<PathBuf>,
    /// What could not be written, and why.
    pub warnings: Vec<String>,
}

impl Written {
    /// Writes what belongs to the outcome of a model, and removes what does not any more. The report of a failed audit goes into
    /// the folder of `beside`, under the name of the model.
    pub fn write(
        outcome: &Outcome,
        config: &Config,
        files: &ScenarioFiles,
        beside: &Path,
    ) -> Written {
        let mut written = Written::default();
        written.write_scenarios(outcome, files);
        let model = Path::new(&outcome.model.model.file);
        // With its ending: models in other notations may have the same name.
        let name = model.file_name().unwrap_or_default().to_string_lossy();
        let path = |ending: &str| beside.with_file_name(format!("{name}.{ending}.json"));
        if let Some(report) = outcome.audit_report(config) {
            let path = written.write_document(path("audit"), "mazurka-audit", &report);
            written.audit_report = path;
        }
        if let Some(report) = outcome.defect_report(config) {
            let path = written.write_document(path("defect"), "mazurka-defect", &report);
            written.defect_report = path;
        }
        let is_stale = |scenario: &Scenario| is_mended(scenario, config, outcome);
        written.removed = files.remove_stale(is_stale);
        written
    }

    fn write_scenarios(&mut self, outcome: &Outcome, files: &ScenarioFiles) {
        let (mut steps_written, mut unwritten) = (0, 0);
        let count = outcome.with_scenarios().count();
        for (index, violation) in outcome.with_scenarios().enumerate() {
            steps_written += violation.steps.len();
            let is_short = steps_written <= STEPS_WRITTEN || index == 0;
            if !is_short && !violation.kind().is_temporal() {
                unwritten += 1;
                self.scenarios.push(None);
                continue;
            }
            let path = files.write(&outcome.scenario(violation), index, count);
            self.warnings.extend(files.warning_of(&path, index));
            self.scenarios.push(path.ok());
        }
        if unwritten > 0 {
            let unwritten = counted(unwritten, "scenario");
            let warning = format!("not written, being too long: {unwritten}");
            self.warnings.push(warning);
        }
    }

    /// Writes a document, unless that would replace a file that has not its mark. Says where it is.
    fn write_document(
        &mut self,
        path: PathBuf,
        mark: &str,
        document: &impl Serialize,
    ) -> Option<PathBuf> {
        let text = serde_json::to_string_pretty(document).ok()? + "\n";
        let written = refuse_foreign(&path, Mark::Document(mark))
            .and_then(|()| write_text(&path, &text).map_err(|error| error.to_string()));
        match written {
            Ok(()) => Some(path),
            Err(reason) => {
                let warning = format!("cannot write {}: {reason}", path.display());
                self.warnings.push(warning);
                None
            }
        }
    }
}

/// Was this shown of the same model with the same macros, about a property that holds now, or about a formula that is gone from a model of
/// which all holds?
fn is_mended(scenario: &Scenario, config: &Config, outcome: &Outcome) -> bool {
    let Some(violation) = &scenario.violation else {
        return false;
    };
    let mut properties = outcome.properties.iter();
    let model = &outcome.model;
    let mut names = (model.properties.iter().map(|known| &known.name))
        .chain(model.claims.iter().map(|known| &known.name));
    let is_gone = matches!(violation.kind, ViolationKind::Ltl | ViolationKind::Never)
        && names.all(|name| *name != violation.property)
        && !config.is_temporal()
        && outcome.holds();
    // Texts that come by standard input have one name, and nothing to do with one another.
    let has_name = outcome.model.model.file != "-";
    // What is not fair may have been shown without that: nothing is mended by asking for less.
    let asks_less = config.fair && violation.property != "safety";
    has_name
        && !asks_less
        && scenario.model.defines == config.define
        && scenario.model.formula == config.ltl
        && (is_gone
            || properties
                .any(|known| known.name == violation.property && known.verdict == Verdict::Holds))
}
