//! Searches in files.
//!
//! A checkpoint begins with what it is: the version of Mazurka, what the caller noted, the model and the program by their
//! fingerprints. The search itself follows (`mazurka_search::checkpoint`), and a sum over everything. It is written beside the
//! previous one, which it replaces when it is complete.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use mazurka_model::Program;
use mazurka_scenario::{
    Mark, fingerprint, refuse_foreign, refuse_unwritable, replace_file, shell_command,
};
use mazurka_search::checkpoint::{Sink, Source, is_whole};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::config::{Config, MOST_JOBS};
use crate::error::Error;
use crate::load::Loaded;

const MAGIC: &str = "Mazurka checkpoint";
/// The same as it begins a file: behind its length.
const BEGINNING: &[u8] = b"\x12Mazurka checkpoint";
/// Changes whenever the form of what follows does.
const FORM: u64 = 5;
/// Of the time between two checkpoints, saving takes at most this part: one in ten.
const PART_OF_TIME: u32 = 10;

/// Nobody waits longer for a checkpoint.
const CENTURY: Duration = Duration::from_secs(100 * 365 * 24 * 3600);

/// What a checkpoint is about.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Header {
    /// The version of Mazurka.
    version: String,
    /// What the caller noted: of a command, what was typed.
    words: Vec<String>,
    /// Where the caller was.
    folder: PathBuf,
    /// The fingerprint of the model's text.
    model: String,
    /// The fingerprint of the program that is searched.
    program: String,
    /// The number of threads.
    jobs: u32,
}

/// A search in a file, to be resumed: [`CheckpointFile::resume`].
pub struct SavedSearch {
    header: Header,
    path: PathBuf,
    source: Source,
}

impl SavedSearch {
    /// Reads what a checkpoint is about, after making sure that it is whole and that this version wrote it.
    pub fn open(path: impl AsRef<Path>) -> Result<SavedSearch, Error> {
        let path = path.as_ref();
        let unreadable = |error: io::Error| {
            let path = path.display();
            Error::Usage(format!("cannot read {path}: {error}"))
        };
        let mut file = File::open(path).map_err(unreadable)?;
        let length = file.metadata().map_err(unreadable)?.len();
        let mut start = [0; BEGINNING.len()];
        let is_known = file.read_exact(&mut start).is_ok() && start == BEGINNING;
        if !is_known {
            return Err(refusal(path, "it is not a checkpoint of Mazurka"));
        }
        file.rewind().map_err(unreadable)?;
        if !is_whole(BufReader::new(&mut file), length).map_err(unreadable)? {
            return Err(refusal(path, "it is cut short or damaged"));
        }
        file.rewind().map_err(unreadable)?;
        let mut source = Source::new(BufReader::with_capacity(1 << 20, file), length);
        source.bytes().map_err(unreadable)?;
        let form = source.number().map_err(unreadable)?;
        let header = source.bytes().map_err(unreadable)?;
        let header: Result<Header, _> = serde_json::from_slice(&header);
        let own = env!("CARGO_PKG_VERSION");
        let header = match header {
            Ok(header) if form == FORM && header.version == own => header,
            Ok(header) => {
                let theirs = header.version;
                let reason = format!("Mazurka {theirs} wrote it, and this is Mazurka {own}");
                return Err(refusal(path, &reason));
            }
            Err(_) => return Err(refusal(path, "another version of Mazurka wrote it")),
        };
        if !(1..=MOST_JOBS).contains(&header.jobs) {
            return Err(refusal(path, "its number of threads is out of range"));
        }
        Ok(SavedSearch {
            header,
            path: path.into(),
            source,
        })
    }

    /// What the caller noted.
    pub fn note(&self) -> &[String] {
        &self.header.words
    }

    /// Where the caller was; relative paths count from there.
    pub fn folder(&self) -> &Path {
        &self.header.folder
    }

    /// The number of threads, which must stay the same.
    pub fn jobs(&self) -> u32 {
        self.header.jobs
    }
}

/// Where a search is saved now and then: what a [`Supervisor`](crate::Supervisor) needs to answer `resume`, `checkpoint_due`
/// and `checkpoint`. A search that is stopped is saved before it ends.
///
/// ```
/// use std::io;
/// use std::ops::ControlFlow;
/// use std::path::PathBuf;
/// use std::time::{Duration, Instant};
///
/// use mazurka_checker::{Checker, CheckpointFile, Loaded, SavedSearch, Sink, Source, Statistics, Supervisor};
/// use mazurka_model::Program;
///
/// /// Saves a search in a file, and stops it after some states.
/// struct Patience { path: PathBuf, most_states: u64, saved: Option<SavedSearch>, file: Option<CheckpointFile> }
///
/// impl Supervisor for Patience {
///     fn progress(&mut self, statistics: &Statistics) -> ControlFlow<()> {
///         match statistics.states < self.most_states {
///             true => ControlFlow::Continue(()),
///             false => ControlFlow::Break(()),
///         }
///     }
///
///     fn resume(&mut self, model: &Loaded, searched: &Program) -> Result<Option<Source>, String> {
///         let (every, about) = (Duration::from_secs(600), (model, searched));
///         let opened = match self.saved.take() {
///             Some(saved) => CheckpointFile::resume(&self.path, every, saved, about)
///                 .map(|(file, source)| (file, Some(source))),
///             None => CheckpointFile::new(&self.path, every, 1, Vec::new(), about).map(|file| (file, None)),
///         };
///         let (file, source) = opened.map_err(|error| error.to_string())?;
///         self.file = Some(file);
///         Ok(source)
///     }
///
///     fn checkpoint_due(&self) -> Option<Instant> {
///         self.file.as_ref().map(CheckpointFile::due)
///     }
///
///     fn checkpoint(&mut self, write: &mut dyn FnMut(&mut Sink<'_>) -> io::Result<()>) {
///         if let Some(file) = &mut self.file {
///             file.save(write).expect("there is room");
///         }
///     }
/// }
///
/// let model = "byte a, b; active proctype P() { do :: a < 250 -> a++ :: b < 250 -> b++ :: else -> break od }";
/// let checker = Checker::from_source("m.pml", model)?.jobs(1).with(|config| config.checkpoint = true);
/// let path = std::env::temp_dir().join(format!("mazurka-{}.checkpoint", std::process::id()));
/// let mut patience = Patience { path: path.clone(), most_states: 20_000, saved: None, file: None };
/// assert!(!checker.run_with(&mut patience)?.holds());
/// let saved = Some(SavedSearch::open(&path)?);
/// let mut patience = Patience { path: path.clone(), most_states: u64::MAX, saved, file: None };
/// assert!(checker.run_with(&mut patience)?.holds());
/// std::fs::remove_file(path).ok();
/// # Ok::<(), mazurka_checker::Error>(())
/// ```
#[derive(Debug)]
pub struct CheckpointFile {
    path: PathBuf,
    header: Header,
    every: Duration,
    due: Instant,
    /// Was nothing there when the search began?
    was_free: bool,
    is_saved: bool,
}

impl CheckpointFile {
    /// Refuses a path at which something else would be lost.
    pub fn refuse_foreign(path: &Path) -> Result<(), Error> {
        refuse_foreign(path, Mark::Beginning(BEGINNING))
            .map_err(|reason| refused_path(path, &reason))
    }

    /// Refuses a path at which another search would be lost: a new one does not take its place.
    pub fn refuse_saved(path: &Path) -> Result<(), Error> {
        CheckpointFile::refuse_foreign(path)?;
        match std::fs::metadata(path) {
            Ok(data) if data.len() > 0 => {
                let words = ["mazurka".as_ref(), "resume".as_ref(), path.as_os_str()];
                let resume = shell_command(words);
                let reason =
                    format!("it has a saved search in it: resume it with `{resume}`, or remove it");
                Err(refused_path(path, &reason))
            }
            _ => Ok(()),
        }
    }

    /// A file for a new search by this many threads. The note tells the caller later what it was.
    pub fn new(
        path: &Path,
        every: Duration,
        jobs: u32,
        note: Vec<String>,
        (loaded, searched): (&Loaded, &Program),
    ) -> Result<CheckpointFile, Error> {
        let header = Header {
            version: env!("CARGO_PKG_VERSION").into(),
            words: note,
            folder: std::env::current_dir().unwrap_or_default(),
            model: loaded.model.hash.clone(),
            program: program_of(searched),
            jobs,
        };
        CheckpointFile::at(path, every, header)
    }

    /// A file for a search that is resumed. That has to be of the same model and of the same program.
    pub fn resume(
        path: &Path,
        every: Duration,
        saved: SavedSearch,
        (loaded, searched): (&Loaded, &Program),
    ) -> Result<(CheckpointFile, Source), Error> {
        let file = &loaded.model.file;
        if saved.header.model != loaded.model.hash {
            let reason = format!("{file} is not what it was when the search was saved");
            return Err(refusal(&saved.path, &reason));
        }
        if saved.header.program != program_of(searched) {
            let reason =
                format!("{file} now compiles to a different program than when it was saved");
            return Err(refusal(&saved.path, &reason));
        }
        let kept = CheckpointFile::at(path, every, saved.header)?;
        Ok((kept, saved.source))
    }

    fn at(path: &Path, every: Duration, header: Header) -> Result<CheckpointFile, Error> {
        CheckpointFile::refuse_foreign(path)?;
        refuse_unwritable(path).map_err(|reason| refused_path(path, &reason))?;
        Ok(CheckpointFile {
            path: path.into(),
            header,
            every,
            due: in_future(every),
            was_free: is_free(path),
            is_saved: false,
        })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Was the search saved at least once?
    pub fn is_saved(&self) -> bool {
        self.is_saved
    }

    /// When to save the search next.
    pub fn due(&self) -> Instant {
        self.due
    }

    /// Saves the search: writes a new file, and puts it in the place of the old one.
    pub fn save(
        &mut self,
        write: &mut dyn FnMut(&mut Sink<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let started = Instant::now();
        let replaced = |file: &mut File| {
            let mut out = BufWriter::new(file);
            let mut sink = Sink::new(&mut out);
            sink.bytes(MAGIC.as_bytes())?;
            sink.number(FORM)?;
            sink.bytes(&serde_json::to_vec(&self.header)?)?;
            write(&mut sink)?;
            sink.finish()
        };
        let result = (self.refuse_lost()).and_then(|()| replace_file(&self.path, replaced));
        self.is_saved |= result.is_ok();
        self.due = in_future(self.every.max(started.elapsed() * PART_OF_TIME));
        result
    }

    /// Refuses what somebody, perhaps another search, has written there since the search began.
    fn refuse_lost(&self) -> io::Result<()> {
        let refused = refuse_foreign(&self.path, Mark::Beginning(BEGINNING));
        refused.map_err(io::Error::other)?;
        match self.was_free && !self.is_saved && !is_free(&self.path) {
            true => Err(io::Error::other("another search was saved there meanwhile")),
            false => Ok(()),
        }
    }
}

/// Is there nothing that could be lost?
fn is_free(path: &Path) -> bool {
    std::fs::metadata(path).map_or(true, |known| known.len() == 0)
}

/// What was searched, and how: a search may be resumed only as what it was. It stands before the search in a checkpoint, whoever
/// keeps that.
#[derive(Debug)]
pub(crate) struct Identity(Map<String, Value>);

impl Identity {
    /// Of a search for safety. Limits, and what is done with violations, may differ.
    pub fn new(config: &Config, loaded: &Loaded, searched: &Program) -> Identity {
        let free = Config::default();
        let deciding = Config {
            store: Some(config.store()),
            jobs: Some(config.jobs()),
            allow: free.allow,
            deny: free.deny,
            checkpoint: free.checkpoint,
            shorten: free.shorten,
            memory: free.memory,
            time: free.time,
            audit: free.audit,
            ..config.clone()
        };
        let mut all = match serde_json::to_value(&deciding) {
            Ok(Value::Object(all)) => all,
            _ => Map::new(),
        };
        all.insert("model".into(), loaded.model.hash.clone().into());
        all.insert("program".into(), program_of(searched).into());
        Identity(all)
    }

    /// Writes it.
    pub fn save(&self, sink: &mut Sink<'_>) -> io::Result<()> {
        sink.bytes(&serde_json::to_vec(&self.0)?)
    }

    /// Reads one, and says how it differs, if it does.
    pub fn differs(&self, source: &mut Source) -> Option<String> {
        let saved = source.bytes().ok();
        let saved: Option<Map<String, Value>> =
            saved.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let Some(saved) = saved else {
            return Some("it does not say what was searched".into());
        };
        let mut names = self.0.keys().chain(saved.keys());
        let different = names.find(|name| self.0.get(*name) != saved.get(*name))?;
        let told = |value: Option<&Value>| value.map_or("nothing".into(), Value::to_string);
        Some(match different.as_str() {
            "model" => "the model is another one".into(),
            "program" => "the model compiles to a different program".into(),
            name => format!(
                "`{name}` was {} and is {}",
                told(saved.get(name)),
                told(self.0.get(name))
            ),
        })
    }
}

/// When this time will be over; after a century if no clock goes that far.
fn in_future(time: Duration) -> Instant {
    let now = Instant::now();
    now.checked_add(time).unwrap_or(now + CENTURY)
}

fn program_of(searched: &Program) -> String {
    fingerprint([searched.to_string().as_str()])
}

fn refusal(path: &Path, reason: &str) -> Error {
    Error::Usage(format!("cannot resume {}: {reason}", path.display()))
}

fn refused_path(path: &Path, reason: &str) -> Error {
    Error::Usage(format!("--checkpoint {}: {reason}", path.display()))
}
