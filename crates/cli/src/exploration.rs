//! A search over executions while it runs: progress on the terminal, and checkpoints in a file.

use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mazurka_checker::figures::grouped;
use mazurka_explore::{
    Checkpoint, Dependency, Observer, Options, Reduction, Statistics, StopReason, Strategy,
};

use crate::arguments::{ExploreArguments, Leftover};
use crate::checkpoint::{refuse_other_than_file, refuse_unwritable};
use crate::shell;
use crate::terminal::complain;
use crate::trouble::Trouble;

/// The line of progress is written no more often.
const PAUSE: Duration = Duration::from_millis(200);
/// A search that is not stopped is saved so often.
const PERIOD: Duration = Duration::from_secs(60);

/// Watches a search.
pub struct Keeper {
    visible: bool,
    began: Instant,
    last: Option<Instant>,
    /// How many executions had been explored when this search began.
    before: Option<u64>,
    checkpoint: Option<PathBuf>,
    command: Vec<String>,
    jobs: u32,
    saved: Instant,
    /// Whether the file is of this search.
    is_written: bool,
}

impl Keeper {
    /// Nothing has happened yet. `command` says what is explored, and how.
    pub fn new(arguments: &ExploreArguments, command: Vec<String>) -> Keeper {
        Keeper {
            visible: !arguments.quiet && io::stderr().is_terminal(),
            began: Instant::now(),
            last: None,
            before: None,
            checkpoint: arguments.checkpoint.clone(),
            command,
            jobs: arguments.jobs,
            saved: Instant::now(),
            is_written: arguments.resume.is_some() && arguments.resume == arguments.checkpoint,
        }
    }

    /// Takes the line of progress away.
    pub fn clear(&mut self) {
        if self.last.take().is_some() {
            complain("\r\x1b[2K");
        }
    }

    /// The search has ended. Gives the command that goes on with it, if it can be gone on with; a
    /// checkpoint of one that cannot is of no use.
    pub fn finish(&self, reason: &StopReason) -> Option<String> {
        let path = self.checkpoint.as_ref().filter(|_| self.is_written)?;
        if let StopReason::Time | StopReason::Executions | StopReason::Interrupted = reason {
            let path = path.as_os_str();
            let mut words: Vec<&OsStr> = ["mazurka", "explore", "--resume"].map(OsStr::new).into();
            words.extend([path, OsStr::new("--checkpoint"), path]);
            let jobs = self.jobs.to_string();
            if self.jobs > 1 {
                words.extend([OsStr::new("--jobs"), OsStr::new(&jobs)]);
            }
            words.extend(self.command.iter().map(OsStr::new));
            return Some(shell::command(words));
        }
        let _ = std::fs::remove_file(path);
        None
    }
}

impl Observer for Keeper {
    fn progress(&mut self, statistics: &Statistics) {
        let before = *self.before.get_or_insert(statistics.executions);
        if !self.visible || self.last.is_some_and(|last| last.elapsed() < PAUSE) {
            return;
        }
        self.last = Some(Instant::now());
        let seconds = self.began.elapsed().as_secs_f64().max(0.001);
        let rate = statistics.executions.saturating_sub(before) as f64 / seconds;
        let estimate = match statistics.estimate as u64 {
            0 => String::new(),
            estimate => format!(" of about {}", grouped(estimate)),
        };
        complain(&format!(
            "\r\x1b[2K{} executions{estimate}, {} per second, {seconds:.0} s",
            grouped(statistics.executions),
            grouped(rate as u64),
        ));
    }

    fn wants_checkpoint(&mut self, is_stopping: bool) -> bool {
        self.checkpoint.is_some() && (is_stopping || self.saved.elapsed() >= PERIOD)
    }

    /// Another process may be killed at any moment, and so may this one: the file is whole or it
    /// is not there.
    fn checkpoint(&mut self, mut checkpoint: Checkpoint) {
        let Some(path) = &self.checkpoint else {
            return;
        };
        checkpoint.command.clone_from(&self.command);
        let new = new_of(path);
        let written =
            std::fs::write(&new, checkpoint.to_json()).and_then(|()| std::fs::rename(&new, path));
        self.saved = Instant::now();
        match written {
            Ok(()) => self.is_written = true,
            Err(error) => {
                let path = path.display();
                complain(&format!(
                    "warning: cannot write the checkpoint {path}: {error}\n"
                ));
            }
        }
    }
}

/// Refuses, before the program runs, a checkpoint that could not be written or would replace something else.
pub fn refuse_lost_checkpoint(arguments: &ExploreArguments) -> Result<(), Trouble> {
    let Some(path) = &arguments.checkpoint else {
        return Ok(());
    };
    refuse_other_than_file(path)?;
    refuse_unwritable(path, &new_of(path))
}

/// The file in which a checkpoint is written until it is complete.
fn new_of(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(".new");
    name.into()
}

/// What is explored and how, as far as it must stay the same when a search goes on.
pub fn used_command(arguments: &ExploreArguments, options: &Options) -> Vec<String> {
    let mut words: Vec<String> = vec![];
    let mut say = |option: &str, value: String| words.extend([option.to_string(), value]);
    if options.strategy != Strategy::Exhaustive {
        say("--search", arguments.search.name().into());
    }
    let reduction = match options.reduction {
        Reduction::None => "none",
        Reduction::Sleep => "sleep",
        Reduction::Persistent => "persistent",
        Reduction::Dpor => "dpor",
    };
    say("--reduce", reduction.into());
    let dependency = match options.dependency {
        Dependency::Constant => "constant",
        Dependency::Refined => "refined",
    };
    say("--dependency", dependency.into());
    if let Some(bound) = options.preemptions {
        say("--preemptions", bound.to_string());
    }
    if let Some(depth) = options.depth {
        say("--depth", depth.to_string());
    }
    if let Some(what) = arguments.left_behind.map(Leftover::name) {
        say("--left-behind", what.into());
    }
    let divergence = arguments.divergence.as_millis();
    say("--divergence", format!("{divergence}ms"));
    let flags = [
        ("--livelock", arguments.livelock),
        ("--exit-codes", arguments.exit_codes),
        ("--all", arguments.all),
    ];
    let given = flags.iter().filter(|(_, is_given)| *is_given);
    words.extend(given.map(|(flag, _)| flag.to_string()));
    words.push("--".into());
    let program = arguments.program.iter();
    words.extend(program.map(|word| word.to_string_lossy().into_owned()));
    words
}
