//! A search over executions while it runs: progress on the terminal, and checkpoints in a file.

use std::ffi::OsStr;
use std::io::{self, IsTerminal};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use mazurka_checker::figures::{counted, grouped, rough};
use mazurka_explore::{Checkpoint, CheckpointFile, Observer, Statistics, StopReason};
use mazurka_scenario::shell_command;

use crate::arguments::ExploreArguments;
use crate::terminal::complain;
use crate::trouble::Trouble;

/// The line of progress is written no more often.
const PAUSE: Duration = Duration::from_millis(200);

/// Watches a search for the user.
pub struct Watcher {
    visible: bool,
    began: Instant,
    last: Option<Instant>,
    /// How many executions had been explored when this search began.
    before: Option<u64>,
    file: Option<CheckpointFile>,
    jobs: u32,
}

impl Watcher {
    /// Nothing has happened yet. `command` says what is explored, and how.
    pub fn new(arguments: &ExploreArguments, command: Vec<String>) -> Result<Watcher, Trouble> {
        let is_resumed = arguments.resume.is_some() && arguments.resume == arguments.checkpoint;
        let file = match &arguments.checkpoint {
            None => None,
            Some(path) => {
                let file = CheckpointFile::new(path, command, is_resumed);
                Some(file.map_err(|reason| {
                    Trouble::Usage(format!("--checkpoint {}: {reason}", path.display()))
                })?)
            }
        };
        Ok(Watcher {
            visible: !arguments.quiet && io::stderr().is_terminal(),
            began: Instant::now(),
            last: None,
            before: None,
            file,
            jobs: arguments.jobs,
        })
    }

    /// Takes the line of progress away.
    pub fn clear(&mut self) {
        if self.last.take().is_some() {
            complain("\r\x1b[2K");
        }
    }

    /// The search has ended. Gives the command that resumes it, if it can be resumed.
    pub fn finish(&self, stop: &StopReason) -> Option<String> {
        let file = self.file.as_ref().filter(|file| file.finish(stop))?;
        let path = file.path().as_os_str();
        let mut words: Vec<&OsStr> = ["mazurka", "explore", "--from"].map(OsStr::new).into();
        words.extend([path, OsStr::new("--checkpoint"), path]);
        let jobs = self.jobs.to_string();
        if self.jobs > 1 {
            words.extend([OsStr::new("--jobs"), OsStr::new(&jobs)]);
        }
        words.extend(file.command().iter().map(OsStr::new));
        Some(shell_command(words))
    }
}

impl Observer for Watcher {
    fn progress(&mut self, statistics: &Statistics) -> ControlFlow<()> {
        let before = *self.before.get_or_insert(statistics.executions);
        if !self.visible || self.last.is_some_and(|last| last.elapsed() < PAUSE) {
            return ControlFlow::Continue(());
        }
        self.last = Some(Instant::now());
        let seconds = self.began.elapsed().as_secs_f64().max(0.001);
        let rate = statistics.executions.saturating_sub(before) as f64 / seconds;
        let estimate = match statistics.estimate as u64 {
            0 => String::new(),
            estimate => format!(" of about {}", rough(estimate)),
        };
        complain(&format!(
            "\r\x1b[2K{}{estimate}, {} per second, {seconds:.0} s",
            counted(statistics.executions, "execution"),
            grouped(rate as u64),
        ));
        ControlFlow::Continue(())
    }

    fn wants_checkpoint(&mut self, is_stopping: bool) -> bool {
        let file = self.file.as_ref();
        file.is_some_and(|file| file.is_due(is_stopping))
    }

    fn checkpoint(&mut self, checkpoint: Checkpoint) {
        if let Some(file) = &mut self.file
            && let Err(error) = file.save(checkpoint)
        {
            let path = file.path().display();
            complain(&format!(
                "warning: cannot write the checkpoint {path}: {error}\n"
            ));
        }
    }
}
