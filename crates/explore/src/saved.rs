//! The file of a search over executions.

use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mazurka_scenario::{Mark, refuse_foreign, refuse_unwritable, replace_file, shell_command};

use crate::checkpoint::{Checkpoint, FORMAT};
use crate::config::{Config, DIVERGENCE, Order};
use crate::options::StopReason;
use crate::plan::Plan;

/// A search that is not stopped is saved this often.
const PERIOD: Duration = Duration::from_secs(60);

/// Where a search is saved: what an [`Observer`](crate::Observer) needs to answer `wants_checkpoint` and `checkpoint`.
#[derive(Debug)]
pub struct CheckpointFile {
    path: PathBuf,
    /// What is explored, and how.
    command: Vec<String>,
    saved: Instant,
    /// Whether the file is of this search.
    is_written: bool,
}

impl CheckpointFile {
    /// A file that is free to be written, or why it is not. The command tells the caller later what was explored, and how; a search
    /// that was read from the same file is in it already.
    pub fn new(
        path: &Path,
        command: Vec<String>,
        is_resumed: bool,
    ) -> Result<CheckpointFile, String> {
        refuse_foreign(path, Mark::Document(FORMAT))?;
        if !is_resumed && std::fs::metadata(path).is_ok_and(|known| known.len() > 0) {
            return Err("it has a saved search in it: resume it with --from, or remove it".into());
        }
        refuse_unwritable(path)?;
        Ok(CheckpointFile {
            path: path.into(),
            command,
            saved: Instant::now(),
            is_written: is_resumed,
        })
    }

    /// Reads a search that was saved.
    pub fn read(path: &Path) -> Result<Checkpoint, String> {
        let bytes = std::fs::read(path).map_err(|error| error.to_string())?;
        Checkpoint::from_json(&bytes)
    }

    /// Reads a search that was saved, if it is of the same command and of the same plan.
    pub fn read_for(path: &Path, command: &[String], plan: &Plan) -> Result<Checkpoint, String> {
        let shown = path.display();
        let unreadable = |reason| format!("cannot read the checkpoint {shown}: {reason}");
        let saved = CheckpointFile::read(path).map_err(unreadable)?;
        if saved.command != command {
            let other = shell_command(saved.command.iter().map(OsStr::new));
            return Err(format!(
                "{shown} is of another search, which was: mazurka explore {other}"
            ));
        }
        saved.check(&plan.options).map_err(unreadable)?;
        Ok(saved)
    }

    /// What is explored and how, as far as it must stay the same when the search is resumed: the options of `mazurka explore`, and the
    /// program with its arguments.
    pub fn command_for(config: &Config, plan: &Plan, program: &[String]) -> Vec<String> {
        let mut words: Vec<String> = vec![];
        let mut say = |option: &str, value: String| words.extend([option.to_string(), value]);
        if config.search != Order::DepthFirst {
            say("--search", config.search.to_string());
        }
        say("--reduce", plan.options.reduction.to_string());
        say("--dependency", plan.options.dependency.to_string());
        if let Some(bound) = config.preemptions {
            say("--preemptions", bound.to_string());
        }
        if let Some(depth) = config.depth {
            say("--depth", depth.to_string());
        }
        if let Some(what) = config.left_behind {
            say("--left-behind", what.to_string());
        }
        let divergence = config.divergence.unwrap_or(DIVERGENCE).as_millis();
        say("--divergence", format!("{divergence}ms"));
        let flags = [
            ("--livelock", config.livelock),
            ("--exit-codes", config.exit_codes),
            ("--all", config.all),
        ];
        let given = flags.iter().filter(|(_, is_given)| *is_given);
        words.extend(given.map(|(flag, _)| flag.to_string()));
        words.push("--".into());
        words.extend(program.iter().cloned());
        words
    }

    /// The command in a file that another version may have written; none if it is not a search over executions.
    pub fn command_of(path: &Path) -> Option<Vec<String>> {
        #[derive(serde::Deserialize)]
        struct Head {
            format: String,
            #[serde(default)]
            command: Vec<String>,
        }
        let file = std::fs::File::open(path).ok()?;
        let head: Head = serde_json::from_reader(io::BufReader::new(file)).ok()?;
        (head.format == FORMAT).then_some(head.command)
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is explored, and how.
    pub fn command(&self) -> &[String] {
        &self.command
    }

    /// Is it time to save the search?
    pub fn is_due(&self, is_stopping: bool) -> bool {
        is_stopping || self.saved.elapsed() >= PERIOD
    }

    /// Saves the search. This process may be killed at any moment: the file is whole or it is not there.
    pub fn save(&mut self, mut checkpoint: Checkpoint) -> io::Result<()> {
        checkpoint.command.clone_from(&self.command);
        self.saved = Instant::now();
        // Somebody may have written it since the search began.
        refuse_foreign(&self.path, Mark::Document(FORMAT)).map_err(io::Error::other)?;
        if !self.is_written && std::fs::metadata(&self.path).is_ok_and(|known| known.len() > 0) {
            return Err(io::Error::other("another search was saved there meanwhile"));
        }
        replace_file(&self.path, |file| {
            file.write_all(checkpoint.to_json().as_bytes())
        })?;
        self.is_written = true;
        Ok(())
    }

    /// The search has ended. Can it be resumed? A file of one that cannot is removed. None if nothing was written.
    pub fn finish(&self, stop: &StopReason) -> Option<bool> {
        let can_be_resumed = matches!(
            stop,
            StopReason::Time | StopReason::Executions | StopReason::Interrupted
        );
        if !self.is_written {
            return None;
        }
        if !can_be_resumed && refuse_foreign(&self.path, Mark::Document(FORMAT)).is_ok() {
            std::fs::remove_file(&self.path).ok()?;
        }
        Some(can_be_resumed)
    }
}
