//! Any bytes as the file of a saved search, from its first byte on.
//!
//! If the first byte is odd, the rest gets the sum that it needs: who forges a file can work it out.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mazurka_checker::{Checker, CheckpointFile, Config, Error, Loaded, SavedSearch, Supervisor};
use mazurka_model::Program;
use mazurka_search::checkpoint::{Sink, Source};

use crate::configs::bounded;
use crate::models::Fate;

/// Enough steps for a search to be saved on the way.
const MODEL: &str = "
byte x, y;
active proctype P() {
    do
    :: x < 20 -> x++
    :: y < 20 -> y++
    :: x == 20 && y == 20 -> break
    od
}
";
const EVERY: Duration = Duration::from_secs(3600);

/// A file that is gone when it is not needed any more.
struct Temporary(PathBuf);

impl Temporary {
    fn new() -> Temporary {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("mazurka-hostile-{}-{number}", std::process::id());
        Temporary(std::env::temp_dir().join(name))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // It may never have been written.
        let _ = fs::remove_file(&self.0);
    }
}

/// Saves a search once, or resumes one.
struct Keeper<'p> {
    path: &'p Path,
    from: Option<SavedSearch>,
    file: Option<CheckpointFile>,
    stop: Arc<AtomicBool>,
}

impl Supervisor for Keeper<'_> {
    fn stop(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }

    fn resume(&mut self, model: &Loaded, searched: &Program) -> Result<Option<Source>, String> {
        let of = (model, searched);
        match self.from.take() {
            None => {
                let note = vec!["check".into(), "any.pml".into()];
                let file = CheckpointFile::new(self.path, EVERY, 1, note, of);
                self.file = Some(file.map_err(|error| error.to_string())?);
                Ok(None)
            }
            Some(saved) => {
                let resumed = CheckpointFile::resume(self.path, EVERY, saved, of);
                let (_, source) = resumed.map_err(|error| error.to_string())?;
                Ok(Some(source))
            }
        }
    }

    fn checkpoint_due(&self) -> Option<Instant> {
        self.file.as_ref().map(|_| Instant::now())
    }

    fn checkpoint(&mut self, write: &mut dyn FnMut(&mut Sink<'_>) -> io::Result<()>) {
        if let Some(file) = &mut self.file {
            file.save(write).expect("a search can be saved");
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

fn keeper(path: &Path, from: Option<SavedSearch>) -> Keeper<'_> {
    Keeper {
        path,
        from,
        file: None,
        stop: Arc::default(),
    }
}

fn checker(jobs: u32) -> Checker {
    let config = Config {
        checkpoint: true,
        jobs: Some(jobs),
        ..Config::default()
    };
    let checker = Checker::from_source("any.pml", MODEL).expect("a model");
    checker.config(bounded(config))
}

/// Opens the bytes as a saved search, and resumes it if it is one.
pub fn header(bytes: &[u8]) -> Fate {
    let Some((first, rest)) = bytes.split_first() else {
        return Fate::Refused;
    };
    let file = Temporary::new();
    let bytes = match first % 2 {
        0 => rest.to_vec(),
        _ => summed(rest),
    };
    fs::write(&file.0, bytes).expect("there is room");
    let refused = |reason: String| {
        assert!(!reason.is_empty());
        Fate::Refused
    };
    let saved = match SavedSearch::open(&file.0) {
        Ok(saved) => saved,
        Err(reason) => return refused(reason.to_string()),
    };
    let checker = checker(saved.jobs());
    match checker.run_with(&mut keeper(&file.0, Some(saved))) {
        Ok(outcome) => Fate::Ran(outcome.properties.len()),
        Err(Error::Internal(reason)) => panic!("{reason}"),
        Err(reason) => refused(reason.to_string()),
    }
}

/// The bytes, made up to whole words, and the sum over them.
fn summed(bytes: &[u8]) -> Vec<u8> {
    let mut all = Vec::new();
    let mut sink = Sink::new(&mut all);
    for part in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        sink.word(u64::from_le_bytes(word)).expect("there is room");
    }
    sink.finish().expect("there is room");
    all
}

/// Files of saved searches: as they are, and without the sum.
pub fn valid() -> Vec<Vec<u8>> {
    let file = Temporary::new();
    let saved = checker(1).run_with(&mut keeper(&file.0, None));
    saved.expect("nothing is read");
    let bytes = fs::read(&file.0).expect("it was saved");
    let without_sum = &bytes[..bytes.len() - 8];
    vec![[&[0], &bytes[..]].concat(), [&[1], without_sum].concat()]
}
