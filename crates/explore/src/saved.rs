//! The file of a search over executions.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mazurka_scenario::{refuse_foreign, refuse_unwritable, replace_file};

use crate::checkpoint::{Checkpoint, FORMAT};
use crate::options::StopReason;

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
        refuse_foreign(path, &[FORMAT])?;
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
        replace_file(&self.path, |file| {
            file.write_all(checkpoint.to_json().as_bytes())
        })?;
        self.is_written = true;
        Ok(())
    }

    /// The search has ended. Can it be resumed? A file of one that cannot is removed.
    pub fn finish(&self, stop: &StopReason) -> bool {
        let can_be_resumed = matches!(
            stop,
            StopReason::Time | StopReason::Executions | StopReason::Interrupted
        );
        if self.is_written && !can_be_resumed {
            let _ = std::fs::remove_file(&self.path);
        }
        self.is_written && can_be_resumed
    }
}
