//! `mazurka explore`: verifies a real program that is linked with the library.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use mazurka_checker::Share;
use mazurka_checker::figures::{counted, grouped};
use mazurka_explore::{
    CheckpointFile, Config, DIVERGENCE, JsonReport, Launcher, Options, Outcome, Plan, Violation,
};
use mazurka_processes::Explorer;
use mazurka_report::verdict_text;
use mazurka_scenario::{Columns, ScenarioFiles, Style, is_device, shell_command, step_text};

use crate::Exit;
use crate::arguments::ExploreArguments;
use crate::exploration::Watcher;
use crate::interrupt;
use crate::terminal::{complain, print, style_of_output};
use crate::trouble::Trouble;
use crate::values::Audited;

/// This many of the last steps of a violation are printed.
const STEPS_SHOWN: usize = 25;

/// Runs the command.
pub fn explore(arguments: &ExploreArguments) -> Result<Exit, Trouble> {
    let config = arguments.config();
    let plan = Plan::new(&config, None)?;
    let explorer = Explorer::new(&arguments.program)
        .config(config.clone())
        .show_output(arguments.output)
        .interrupt(interrupt::shared());
    let command = CheckpointFile::command_for(&config, &plan, &explorer.command());
    let files = ScenarioFiles::of_program(Path::new(&arguments.program[0]));
    let files = files
        .named(arguments.scenario.as_deref())
        .map_err(|reason| Trouble::Usage(format!("--scenario {reason}")))?;
    let mut watcher = Watcher::new(arguments, command.clone())?;
    let saved = match &arguments.resume {
        Some(path) => {
            let saved = CheckpointFile::read_for(path, &command, &plan);
            Some(saved.map_err(Trouble::Usage)?)
        }
        None => None,
    };
    let outcome = explorer.run_with(saved.as_ref(), &mut watcher);
    watcher.clear();
    let outcome = outcome.map_err(|error| Trouble::Usage(error.to_string()))?;
    let strays = explorer.strays();
    if strays > 0 && !arguments.quiet {
        complain(&format!(
            "warning: {} left running by the program {} ended; processes are made with mazurka_spawn\n",
            counted(strays.into(), "process"),
            if strays == 1 { "was" } else { "were" },
        ));
    }
    let result = Told {
        arguments,
        scenarios: write_scenarios(&files, &outcome),
        resume: watcher.finish(&outcome.stop),
        outcome: &outcome,
    };
    print(&match arguments.json {
        true => JsonReport::of(&outcome, &config, explorer.command(), &result.scenarios).to_json(),
        false => result.human(style_of_output()),
    })?;
    Ok(Exit::of(outcome.verdict()))
}

/// Writes the scenario of each violation.
fn write_scenarios(files: &ScenarioFiles, outcome: &Outcome) -> Vec<Option<PathBuf>> {
    let count = outcome.violations.len();
    let numbered = outcome.violations.iter().enumerate();
    numbered
        .map(|(index, violation)| {
            let written = files.write(&violation.scenario, index, count);
            // That it cannot be written does not make a violation undone.
            if let Err(error) = &written {
                complain(&format!("warning: cannot write the scenario: {error}\n"));
            }
            written.ok()
        })
        .collect()
}

/// An outcome and all that is said about it.
struct Told<'a> {
    arguments: &'a ExploreArguments,
    outcome: &'a Outcome,
    /// Where the scenario of each violation was written.
    scenarios: Vec<Option<PathBuf>>,
    /// The command that resumes the search, if it can be resumed.
    resume: Option<String>,
}

impl Told<'_> {
    fn human(&self, style: Style) -> String {
        let outcome = self.outcome;
        let statistics = &outcome.statistics;
        let redundant = match statistics.redundant_executions {
            0 => String::new(),
            count => format!(" ({} more begun in vain)", grouped(count)),
        };
        let found = match &outcome.violations[..] {
            [] => String::new(),
            [only] => format!(
                "{} after {}, ",
                only.kind(),
                counted(only.schedule.len() as u64, "step")
            ),
            more => format!("{} violations, ", more.len()),
        };
        let mut text = format!(
            "{}: {} — {found}{}{redundant}, {}, depth {}, {:.1} s\n",
            self.arguments.program[0].to_string_lossy(),
            match outcome.is_under_sequential_consistency() {
                true => style.success("holds under sequential consistency"),
                false => verdict_text(outcome.verdict(), style),
            },
            counted(statistics.executions, "execution"),
            counted(statistics.transitions, "transition"),
            grouped(statistics.max_depth.into()),
            outcome.elapsed.as_secs_f64(),
        );
        if let Some(reason) = outcome.reason() {
            let what = style.warning("the search is not complete");
            text += &format!("{what}: {reason}\n");
        }
        for note in &outcome.notes {
            text += &format!("{}: {note}\n", style.faint("note"));
        }
        for (violation, path) in outcome.violations.iter().zip(&self.scenarios) {
            text += &self.violation_text(violation, path.as_deref(), style);
        }
        if let Some(resume) = &self.resume {
            text += &format!("\nto resume it: {resume}\n");
        }
        text
    }

    fn violation_text(&self, violation: &Violation, path: Option<&Path>, style: Style) -> String {
        let record = &violation.record;
        let kind = style.error(record.kind.name());
        let mut text = format!("\n{kind}: {}\n", record.message);
        if let Some(at) = &record.at {
            text += &format!("  at {}:{}\n", at.file, at.line);
        }
        text += "\n";
        let columns = Columns::of_run(&violation.run);
        let steps = &violation.run.steps;
        let hidden = steps.len().saturating_sub(STEPS_SHOWN);
        if hidden > 0 {
            let before = format!("  … {} before\n", counted(hidden as u64, "step"));
            text += &style.faint(&before);
        }
        for (index, step) in steps.iter().enumerate().skip(hidden) {
            text += &step_text(index + 1, step, columns, style);
        }
        if let Some(path) = path.filter(|path| !is_device(path)) {
            text += &format!("\nto repeat it: {}\n", self.replay_command(path));
        }
        text
    }

    fn replay_command(&self, scenario: &Path) -> String {
        let divergence = format!("{}ms", self.arguments.divergence.as_millis());
        let mut words = vec![OsStr::new("mazurka"), OsStr::new("replay")];
        words.push(scenario.as_os_str());
        if self.arguments.divergence != DIVERGENCE {
            words.extend([OsStr::new("--divergence"), OsStr::new(&divergence)]);
        }
        words.push(OsStr::new("--"));
        words.extend(self.arguments.program.iter().map(OsString::as_os_str));
        shell_command(words)
    }
}

impl ExploreArguments {
    /// What to explore, and how.
    fn config(&self) -> Config {
        Config {
            search: self.search,
            reduce: self.reduce,
            dependency: self.dependency,
            jobs: self.jobs,
            deepen: self.deepen,
            preemptions: self.preemptions,
            seed: self.seed,
            divergence: Some(self.divergence),
            exit_codes: self.exit_codes,
            livelock: self.livelock,
            left_behind: self.left_behind,
            all: self.all,
            strict: self.strict,
            races: self.races,
            spurious: self.spurious,
            restart: !self.fresh,
            checkpoint: self.checkpoint.is_some() || self.resume.is_some(),
            time: self.time,
            executions: self.executions,
            depth: self.depth,
            audit: match self.audit {
                Some(Audited(share)) => share.map(Share::value),
                None => Some(Options::USUAL_AUDIT),
            },
            ..Config::default()
        }
    }
}
