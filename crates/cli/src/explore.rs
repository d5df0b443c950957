//! `mazurka explore`: verifies a real program that is linked with the library.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use mazurka_checker::figures::counted;
use mazurka_checker::{Share, ShareOrOff};
use mazurka_explore::{
    CheckpointFile, Config, DIVERGENCE, JsonReport, Launcher, Options, Plan, Written,
};
use mazurka_processes::Explorer;
use mazurka_report::{Exploration, exploration};
use mazurka_scenario::{ScenarioFiles, is_device, shell_command};

use crate::Exit;
use crate::arguments::ExploreArguments;
use crate::exploration::Watcher;
use crate::interrupt;
use crate::terminal::{complain, print, style_of_output, tell_removed};
use crate::trouble::Trouble;

/// Runs the command.
pub fn explore(arguments: &ExploreArguments) -> Result<Exit, Trouble> {
    let config = arguments.config();
    let plan = Plan::new(&config, None)?;
    let explorer = Explorer::new(&arguments.program).config(config.clone());
    let explorer = with_library(explorer)?
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
    let told = explorer.command();
    let Written {
        scenarios,
        removed,
        warnings,
    } = Written::write(&outcome, &config, &files, &told);
    for warning in warnings {
        complain(&format!("warning: {warning}\n"));
    }
    tell_removed(&removed);
    let resume = watcher.finish(&outcome.stop);
    print(&match arguments.json || arguments.format == "json" {
        true => JsonReport::of(&outcome, &config, told, &scenarios).to_json(),
        false => {
            let replays = scenarios.iter().map(|path| {
                let path = path.as_deref().filter(|path| !is_device(path))?;
                Some(replay_command(arguments, path))
            });
            let shown = Exploration {
                program: &arguments.program[0].to_string_lossy(),
                outcome: &outcome,
                replays: &replays.collect::<Vec<_>>(),
                resume: resume.as_deref(),
                quiet: arguments.quiet,
            };
            exploration(&shown, style_of_output())
        }
    })?;
    Ok(Exit::of(outcome.verdict()))
}

/// Gives an explorer the library that it is to preload, if it is to preload one.
pub fn with_library(explorer: Explorer) -> Result<Explorer, Trouble> {
    let library = match explorer.preloads() {
        true => Some(mazurka_threads::preloaded().map_err(Trouble::Usage)?),
        false => None,
    };
    Ok(explorer.library(library))
}

/// What repeats a violation.
fn replay_command(arguments: &ExploreArguments, scenario: &Path) -> String {
    let divergence = format!("{}ms", arguments.divergence.as_millis());
    let mut words = vec![OsStr::new("mazurka"), OsStr::new("replay")];
    words.push(scenario.as_os_str());
    if arguments.divergence != DIVERGENCE {
        words.extend([OsStr::new("--divergence"), OsStr::new(&divergence)]);
    }
    words.push(OsStr::new("--"));
    words.extend(arguments.program.iter().map(OsString::as_os_str));
    shell_command(words)
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
            preload: self.preload,
            checkpoint: self.checkpoint.is_some() || self.resume.is_some(),
            time: self.time,
            executions: self.executions,
            depth: self.depth,
            audit: match self.audit {
                Some(ShareOrOff(share)) => share.map(Share::value),
                None => Some(Options::USUAL_AUDIT),
            },
            ..Config::default()
        }
    }
}
