//! `mazurka check`: verifies a model and reports the verdict.

use std::path::{Path, PathBuf};

use mazurka_checker::{
    Checker, CheckpointFile, Config, Outcome, Plan, Report, SavedSearch, Violation, Written,
};
use mazurka_draw::{refuse_lost_report, report};
use mazurka_scenario::ScenarioFiles;

use crate::Exit;
use crate::arguments::CheckArguments;
use crate::output::human;
use crate::supervision::Attendant;
use crate::terminal::{complain, print, style_of_output};
use crate::trouble::Trouble;

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
        refuse_lost_report(path).map_err(Trouble::Usage)?;
    }
    let mut attendant = Attendant::new(arguments, &config, saved);
    let outcome = checker.run_with(&mut attendant)?;
    if let Some(path) = &arguments.report {
        write_report(path, &report(&outcome, &config, &attendant.samples.kept));
    }
    let beside = arguments.scenario.as_ref().unwrap_or(&arguments.model.file);
    let written = Written::write(&outcome, &config, &files, beside);
    for warning in &written.warnings {
        complain(&format!("warning: {warning}\n"));
    }
    if let (Some(path), false) = (&written.removed, arguments.quiet) {
        let path = path.display();
        complain(&format!("{path} is removed: what it shows is mended\n"));
    }
    let checked = Checked {
        arguments,
        config,
        outcome,
        written,
    };
    checked.show()
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

impl Checked<'_> {
    /// Prints the result; the verdict is the exit code.
    fn show(&self) -> Result<Exit, Trouble> {
        print(&match self.arguments.json {
            true => Report::of(&self.outcome, &self.config, &self.written).to_json(),
            false => human(self, style_of_output()),
        })?;
        Ok(Exit::of(self.outcome.verdict()))
    }

    /// The violations, or else what keeps a property from being decided, and where their scenarios are.
    pub fn violations(&self) -> impl Iterator<Item = (&Violation, Option<&PathBuf>)> {
        let paths = self.written.scenarios.iter().map(Option::as_ref);
        self.outcome.with_scenarios().zip(paths)
    }
}
