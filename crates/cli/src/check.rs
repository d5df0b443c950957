//! `mazurka check`: verifies a model and reports the verdict.

use std::path::{Path, PathBuf};

use mazurka_checker::{
    Checker, CheckpointFile, Config, Outcome, Plan, Report, SavedSearch, Violation, Written,
};
use mazurka_draw::report;

use crate::Exit;
use crate::arguments::CheckArguments;
use crate::output::human;
use crate::supervision::Attendant;
use crate::terminal::{complain, print, style_of_output};
use crate::trouble::Trouble;

/// With `--all` there may be many violations, each with a long scenario. Once this many steps are
/// written, the rest is not.
const STEPS_WRITTEN: usize = 5_000_000;

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
    if let Some(path) = &arguments.report {
        refuse_lost_report(path, &arguments.model.file)?;
    }
    let mut attendant = Attendant::new(arguments, &config, saved);
    let outcome = checker.run_with(&mut attendant)?;
    if let Some(path) = &arguments.report {
        write_report(path, &report(&outcome, &config, &attendant.samples));
    }
    let scenarios = write_scenarios(arguments, &outcome);
    let audit_report = write_audit_report(arguments, &config, &outcome);
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
fn refuse_lost_report(path: &Path, model: &Path) -> Result<(), Trouble> {
    let refuse = |reason: &str| {
        let path = path.display();
        Err(Trouble::Usage(format!("--report {path}: {reason}")))
    };
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let is_model = || match (path.canonicalize(), model.canonicalize()) {
        (Ok(path), Ok(model)) => path == model,
        _ => false,
    };
    match path {
        _ if path.is_dir() => refuse("it is a folder; name a file in it"),
        _ if folder.is_some_and(|folder| !folder.is_dir()) => refuse("there is no such folder"),
        _ if is_model() => refuse("it is the model"),
        _ => Ok(()),
    }
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
fn write_scenarios(arguments: &CheckArguments, outcome: &Outcome) -> Vec<Option<PathBuf>> {
    let mut steps_written = 0;
    let mut unwritten = 0;
    let mut paths = Vec::new();
    for (index, violation) in outcome.violations().enumerate() {
        steps_written += violation.steps.len();
        let is_short = steps_written <= STEPS_WRITTEN || index == 0;
        paths.push(match is_short || violation.kind().is_temporal() {
            true => write_scenario(outcome, violation, scenario_path(arguments, index)),
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
    let path = scenario_path(arguments, 0).with_file_name(name);
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

/// The path of the first scenario, and of the further ones with a number.
fn scenario_path(arguments: &CheckArguments, index: usize) -> PathBuf {
    let first = arguments.scenario.clone().unwrap_or_else(|| {
        let mut name = arguments
            .model
            .file
            .file_stem()
            .unwrap_or_default()
            .to_os_string();
        name.push(".scenario.json");
        PathBuf::from(name)
    });
    if index == 0 {
        return first;
    }
    let name = first
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let (stem, extension) = match name.strip_suffix(".scenario.json") {
        Some(stem) => (stem.to_string(), ".scenario.json".to_string()),
        None => match name.rsplit_once('.') {
            Some((stem, extension)) if !stem.is_empty() => (stem.into(), format!(".{extension}")),
            _ => (name, String::new()),
        },
    };
    first.with_file_name(format!("{stem}-{}{extension}", index + 1))
}

/// Writes a scenario and says where. That it cannot be written does not make a violation undone.
fn write_scenario(outcome: &Outcome, violation: &Violation, path: PathBuf) -> Option<PathBuf> {
    let mut scenario = outcome.scenario(violation);
    // A relative path in a scenario counts from the scenario's folder.
    let is_here = path
        .parent()
        .is_none_or(|folder| folder.as_os_str().is_empty());
    if !is_here && let Ok(absolute) = std::path::absolute(&scenario.model.file) {
        scenario.model.file = absolute.to_string_lossy().into_owned();
    }
    match std::fs::write(&path, scenario.to_json()) {
        Ok(()) => Some(path),
        Err(error) => {
            let path = path.display();
            complain(&format!(
                "warning: cannot write the scenario {path}: {error}\n"
            ));
            None
        }
    }
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
