//! `mazurka check`: verifies a model and reports the verdict.

use std::io;
use std::path::{Path, PathBuf};

use mazurka_checker::{
    Checker, CheckpointFile, Config, Outcome, Plan, Report, SavedSearch, Verdict, Violation,
    Written,
};
use mazurka_draw::report;
use mazurka_scenario::{Scenario, ScenarioFiles, refuse_foreign};

use crate::Exit;
use crate::arguments::CheckArguments;
use crate::output::human;
use crate::supervision::Attendant;
use crate::terminal::{complain, print, style_of_output};
use crate::trouble::Trouble;

/// With `--all` there may be many violations, each with a long scenario. Once this many steps are
/// written, the rest is not.
const STEPS_WRITTEN: usize = 5_000_000;

/// What a page of ours says near its beginning.
const REPORT_MARK: &str = "content=\"Mazurka\"";

/// Everything about a check that is over.
pub struct Checked<'a> {
    pub arguments: &'a CheckArguments,
    pub config: Config,
    pub outcome: Outcome,
    /// The files that were written.
    pub written: Written,
}

/// Runs the command.
pub fn check(arguments: &CheckArguments) -> Result<Exit, Trouble> {
    check_or_resume(arguments, None)
}

/// Runs the command from the beginning, or from where it was saved.
pub fn check_or_resume(
    arguments: &CheckArguments,
    saved: Option<SavedSearch>,
) -> Result<Exit, Trouble> {
    let config = arguments.config();
    Plan::refuse_contradictions(&config)?;
    if let Some(path) = &arguments.checkpoint {
        CheckpointFile::refuse_foreign(path)?;
    }
    let checker = Checker::open(&arguments.model.file)?.config(config.clone());
    let files = ScenarioFiles::of_model(&arguments.model.file);
    let files = files
        .named(arguments.scenario.as_deref())
        .map_err(Trouble::Usage)?;
    if let Some(path) = &arguments.report {
        refuse_lost_report(path)?;
    }
    let mut attendant = Attendant::new(arguments, &config, saved);
    let outcome = checker.run_with(&mut attendant)?;
    if let Some(path) = &arguments.report {
        write_report(path, &report(&outcome, &config, &attendant.samples));
    }
    let scenarios = write_scenarios(&files, &outcome);
    let audit_report = write_audit_report(arguments, &config, &outcome);
    let is_stale = |scenario: &Scenario| is_mended(scenario, &config, &outcome);
    if let (Some(path), false) = (files.remove_stale(is_stale), arguments.quiet) {
        let path = path.display();
        complain(&format!("{path} is removed: what it shows is mended\n"));
    }
    let checked = Checked {
        arguments,
        config,
        outcome,
        written: Written {
            scenarios,
            audit_report,
        },
    };
    checked.show()
}

/// Refuses, before anything is searched, a report that could not be written or would replace what is not a report.
fn refuse_lost_report(path: &Path) -> Result<(), Trouble> {
    let folder = path.parent();
    let folder = folder.filter(|folder| !folder.as_os_str().is_empty());
    let reason = match folder.is_some_and(|folder| !folder.is_dir()) {
        true => Err("there is no such folder".to_string()),
        false => refuse_foreign(path, &[REPORT_MARK]),
    };
    reason.map_err(|reason| Trouble::Usage(format!("--report {}: {reason}", path.display())))
}

/// Writes a report. That it cannot be written does not make a verdict undone.
fn write_report(path: &Path, text: &str) {
    if let Err(error) = std::fs::write(path, text) {
        let path = path.display();
        complain(&format!(
            "warning: cannot write the report {path}: {error}\n"
        ));
    }
}

/// Writes the scenario of each violation.
fn write_scenarios(files: &ScenarioFiles, outcome: &Outcome) -> Vec<Option<PathBuf>> {
    let mut steps_written = 0;
    let mut unwritten = 0;
    let mut paths = Vec::new();
    let count = outcome.violations().count();
    for (index, violation) in outcome.violations().enumerate() {
        steps_written += violation.steps.len();
        let is_short = steps_written <= STEPS_WRITTEN || index == 0;
        paths.push(match is_short || violation.kind().is_temporal() {
            true => {
                let scenario = outcome.scenario(violation);
                told(files.write(&scenario, index, count))
            }
            false => {
                unwritten += 1;
                None
            }
        });
    }
    if unwritten > 0 {
        complain(&format!(
            "warning: {unwritten} scenarios are not written: they are too long\n"
        ));
    }
    paths
}

/// Writes what reproduces an audit that failed, beside the scenarios, and says where.
fn write_audit_report(
    arguments: &CheckArguments,
    config: &Config,
    outcome: &Outcome,
) -> Option<PathBuf> {
    let report = outcome.audit_report(config)?;
    let stem = arguments.model.file.file_stem().unwrap_or_default();
    let mut name = stem.to_os_string();
    name.push(".audit.json");
    let beside = arguments.scenario.as_ref().unwrap_or(&arguments.model.file);
    let path = beside.with_file_name(name);
    if let Err(reason) = refuse_foreign(&path, &["mazurka-audit"]) {
        let path = path.display();
        complain(&format!("warning: cannot write {path}: {reason}\n"));
        return None;
    }
    let text = serde_json::to_string_pretty(&report);
    let written = text
        .map_err(std::io::Error::from)
        .and_then(|text| std::fs::write(&path, text + "\n"));
    match written {
        Ok(()) => Some(path),
        Err(error) => {
            let path = path.display();
            complain(&format!("warning: cannot write {path}: {error}\n"));
            None
        }
    }
}

/// Where a scenario was written. That it cannot be written does not make a violation undone.
pub fn told(written: io::Result<PathBuf>) -> Option<PathBuf> {
    if let Err(error) = &written {
        complain(&format!("warning: cannot write the scenario: {error}\n"));
    }
    written.ok()
}

/// Was this shown of the same model with the same macros, about a property that holds now?
fn is_mended(scenario: &Scenario, config: &Config, outcome: &Outcome) -> bool {
    let Some(violation) = &scenario.violation else {
        return false;
    };
    let mut properties = outcome.properties.iter();
    scenario.model.defines == config.define
        && scenario.model.formula == config.ltl
        && properties
            .any(|known| known.name == violation.property && known.verdict == Verdict::Holds)
}

impl Checked<'_> {
    /// Prints the result; the verdict is the exit code.
    fn show(&self) -> Result<Exit, Trouble> {
        print(&match self.arguments.json {
            true => Report::of(&self.outcome, &self.config, &self.written).to_json(),
            false => human(self, style_of_output()),
        })?;
        Ok(Exit::of(self.outcome.verdict()))
    }

    /// The violations and where their scenarios are.
    pub fn violations(&self) -> impl Iterator<Item = (&Violation, Option<&PathBuf>)> {
        let paths = self.written.scenarios.iter().map(Option::as_ref);
        self.outcome.violations().zip(paths)
    }
}
