//! A search over executions while it runs: progress on the terminal, and checkpoints in a file.

use std::ffi::OsStr;
use std::ops::ControlFlow;
use std::time::Instant;

use mazurka_explore::{Checkpoint, CheckpointFile, Observer, Statistics, StopReason};
use mazurka_report::progress_of_exploration;

use crate::arguments::ExploreArguments;
use crate::resume::resume_command;
use crate::terminal::{StatusLine, complain};
use crate::trouble::Trouble;

/// Watches a search for the user.
pub struct Watcher {
    line: StatusLine,
    began: Instant,
    /// How many executions had been explored when this search began.
    before: Option<u64>,
    file: Option<CheckpointFile>,
    jobs: u32,
    is_quiet: bool,
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
            line: StatusLine::new(arguments.quiet),
            began: Instant::now(),
            before: None,
            file,
            jobs: arguments.jobs,
            is_quiet: arguments.quiet,
        })
    }

    /// Takes the line of progress away.
    pub fn clear(&mut self) {
        self.line.clear();
    }

    /// The search has ended. Gives the command that resumes it, if it can be resumed.
    pub fn finish(&self, stop: &StopReason) -> Option<String> {
        let file = self.file.as_ref()?;
        if !file.finish(stop)? {
            if !self.is_quiet {
                let path = file.path().display();
                complain(&format!("{path} was removed: the search is over\n"));
            }
            return None;
        }
        let jobs = self.jobs.to_string();
        let mut options = vec![OsStr::new("--checkpoint"), file.path().as_os_str()];
        if self.jobs > 1 {
            options.extend([OsStr::new("--jobs"), OsStr::new(&jobs)]);
        }
        Some(resume_command(file.path(), &options, file.command()))
    }
}

impl Observer for Watcher {
    fn progress(&mut self, statistics: &Statistics) -> ControlFlow<()> {
        let before = *self.before.get_or_insert(statistics.executions);
        let elapsed = self.began.elapsed();
        self.line
            .show(|| progress_of_exploration(statistics, before, elapsed));
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
