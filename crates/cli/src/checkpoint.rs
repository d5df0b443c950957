//! Searches in files: `--checkpoint FILE` saves one, `mazurka resume FILE` goes on with it.
//!
//! A checkpoint begins with what it is: the words of the command, the model and the program by their
//! fingerprints, the version of Mazurka. The search itself follows (`mazurka_search::checkpoint`), and a sum
//! over everything. It is written beside the previous one, which it replaces when it is complete.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Seek};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Parser;
use mazurka_checker::Loaded;
use mazurka_model::Program;
use mazurka_scenario::fingerprint;
use mazurka_search::checkpoint::{Sink, Source, is_whole};
use serde::{Deserialize, Serialize};

use mazurka_checker::MOST_JOBS;

use crate::Exit;
use crate::arguments::{Arguments, Command, ResumeArguments};
use crate::check::check_or_resume;
use crate::shell;
use crate::terminal::complain;
use crate::trouble::Trouble;

const MAGIC: &[u8] = b"Mazurka checkpoint";
/// Changes whenever the form of what follows does.
const FORM: u64 = 3;
/// Saving takes at most one part in so many of the time.
const PART_OF_TIME: u32 = 10;

/// What a checkpoint is about.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
struct Header {
    /// The version of Mazurka.
    version: String,
    /// What was typed after `mazurka check`.
    words: Vec<String>,
    /// Where it was typed.
    folder: PathBuf,
    /// The fingerprint of the model's text.
    model: String,
    /// The fingerprint of the program that is searched.
    program: String,
    /// The number of threads.
    jobs: u32,
}

/// What tells a checkpoint of `mazurka explore`, and how to go on with it.
#[derive(Deserialize)]
struct Exploration {
    format: String,
    /// The options of the search and the program; another version may have kept them elsewhere.
    #[serde(default)]
    command: Vec<String>,
}

impl Exploration {
    /// The format that such a checkpoint names.
    const FORMAT: &str = "mazurka-exploration";

    /// Reads one, if the file is one.
    fn read(file: &File) -> Option<Exploration> {
        let known: Exploration = serde_json::from_reader(BufReader::new(file)).ok()?;
        (known.format == Exploration::FORMAT).then_some(known)
    }

    fn explanation(&self, path: &Path) -> String {
        let mut words: Vec<&OsStr> = ["mazurka", "explore", "--resume"].map(OsStr::new).into();
        words.push(path.as_os_str());
        match self.command.is_empty() {
            true => words.extend(["--", "PROGRAM"].map(OsStr::new)),
            false => words.extend(self.command.iter().map(OsStr::new)),
        }
        let command = shell::command(words);
        format!("it is of a real program; go on with: {command}")
    }
}

/// A search to go on with.
pub struct Saved {
    header: Header,
    path: PathBuf,
    source: Source,
}

/// `mazurka resume`.
pub fn resume(given: &ResumeArguments) -> Result<Exit, Trouble> {
    let saved = open(&given.checkpoint)?;
    let words = ["mazurka", "check"].into_iter().map(String::from);
    let words = words.chain(saved.header.words.iter().cloned());
    let mut arguments = match Arguments::try_parse_from(words).map(|known| known.command) {
        Ok(Command::Check(arguments)) => arguments,
        _ => return Err(refusal(&given.checkpoint, "its options are not understood")),
    };
    if arguments.model.file.is_relative() {
        let is_elsewhere =
            std::env::current_dir().map_or(true, |folder| folder != saved.header.folder);
        if is_elsewhere {
            arguments.model.file = saved.header.folder.join(&arguments.model.file);
        }
    }
    if !(1..=MOST_JOBS).contains(&saved.header.jobs) {
        return Err(refusal(
            &given.checkpoint,
            "it is of a number of jobs that cannot be",
        ));
    }
    arguments.jobs = Some(saved.header.jobs);
    arguments.checkpoint = Some(given.checkpoint.clone());
    arguments.memory = given.memory.or(arguments.memory);
    arguments.time = given.time;
    arguments.json |= given.json;
    arguments.quiet |= given.quiet;
    check_or_resume(&arguments, Some(saved))
}

/// Reads what a checkpoint is about, after making sure that it is whole.
fn open(path: &Path) -> Result<Saved, Trouble> {
    let unreadable = |error: io::Error| {
        let path = path.display();
        Trouble::Usage(format!("cannot read {path}: {error}"))
    };
    let mut file = File::open(path).map_err(unreadable)?;
    let length = file.metadata().map_err(unreadable)?.len();
    let mut start = vec![0; MAGIC.len() + 1];
    let is_known = file.read_exact(&mut start).is_ok() && &start[1..] == MAGIC;
    file.rewind().map_err(unreadable)?;
    if !is_known {
        let reason = match Exploration::read(&file) {
            Some(exploration) => exploration.explanation(path),
            None => "it is not a checkpoint of Mazurka".into(),
        };
        return Err(refusal(path, &reason));
    }
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
    match header {
        Ok(header) if form == FORM && header.version == own => Ok(Saved {
            header,
            path: path.into(),
            source,
        }),
        Ok(header) => {
            let theirs = header.version;
            let reason = format!("Mazurka {theirs} wrote it, and this is Mazurka {own}");
            Err(refusal(path, &reason))
        }
        Err(_) => Err(refusal(path, "another version of Mazurka wrote it")),
    }
}

fn refusal(path: &Path, reason: &str) -> Trouble {
    Trouble::Usage(format!("cannot go on with {}: {reason}", path.display()))
}

/// Refuses to save a search in the place of anything but a file: a device or a folder would be lost.
pub fn refuse_other_than_file(path: &Path) -> Result<(), Trouble> {
    let refuse = |reason: &str| {
        let path = path.display();
        Err(Trouble::Usage(format!("--checkpoint {path}: {reason}")))
    };
    match fs::metadata(path) {
        Ok(known) if known.is_file() => Ok(()),
        Ok(known) if known.is_dir() => refuse("it is a folder; name a file in it"),
        Ok(_) => refuse("it is not a regular file, and would be replaced by one"),
        // A file of this name can be written beside it, but not put in its place.
        Err(_) if path.as_os_str().as_encoded_bytes().ends_with(b"/") => {
            refuse("it ends in a slash, as folders do; name a file")
        }
        // It is not there, or it cannot be reached, which writing beside it will tell.
        Err(_) => Ok(()),
    }
}

/// Refuses a place that cannot be written, where `part` is written before it becomes the checkpoint. A search of
/// hours should not find out at its end that it cannot be saved.
pub fn refuse_unwritable(path: &Path, part: &Path) -> Result<(), Trouble> {
    File::create(part)
        .and_then(|_| fs::remove_file(part))
        .map_err(|error| Trouble::Usage(format!("--checkpoint {}: {error}", path.display())))
}

/// Where a search is saved.
pub struct Place {
    path: PathBuf,
    header: Header,
    every: Duration,
    due: Instant,
    has_saved: bool,
}

impl Place {
    /// A file, and the search to resume if one was saved. That has to be of the same model and the same program.
    pub fn new(
        path: &Path,
        every: Duration,
        jobs: u32,
        (loaded, searched): (&Loaded, &Program),
        saved: Option<Saved>,
    ) -> Result<(Place, Option<Source>), Trouble> {
        let model = loaded.model.hash.clone();
        let program = fingerprint([searched.to_string().as_str()]);
        let file = &loaded.model.file;
        let (header, source) = match saved {
            None => {
                let header = Header {
                    version: env!("CARGO_PKG_VERSION").into(),
                    words: words()?,
                    folder: std::env::current_dir().unwrap_or_default(),
                    model,
                    program,
                    jobs,
                };
                (header, None)
            }
            Some(saved) if saved.header.model != model => {
                let reason = format!("{file} is not what it was when the search was saved");
                return Err(refusal(&saved.path, &reason));
            }
            Some(saved) if saved.header.program != program => {
                let reason = format!("{file} has become another program since it was saved");
                return Err(refusal(&saved.path, &reason));
            }
            Some(saved) => (saved.header, Some(saved.source)),
        };
        refuse_unwritable(path, &part_of(path))?;
        let place = Place {
            path: path.into(),
            header,
            every,
            due: Instant::now() + every,
            has_saved: false,
        };
        Ok((place, source))
    }

    /// Tells the user how to go on with a search that a limit ended.
    pub fn announce(&self) {
        if self.has_saved {
            let path = self.path.display();
            complain(&format!(
                "the search is saved; go on with: mazurka resume {path}\n"
            ));
        }
    }

    /// When to save the search next.
    pub fn due(&self) -> Instant {
        self.due
    }

    /// Saves the search.
    pub fn keep(&mut self, write: &mut dyn FnMut(&mut Sink<'_>) -> io::Result<()>) {
        let started = Instant::now();
        match self.save(write) {
            Ok(()) => self.has_saved = true,
            Err(error) => {
                let path = self.path.display();
                complain(&format!(
                    "warning: cannot save the search in {path}: {error}\n"
                ));
            }
        }
        let pause = self.every.max(started.elapsed() * PART_OF_TIME);
        self.due = Instant::now() + pause;
    }

    /// Writes a new file, and puts it in the place of the old one.
    fn save(&self, write: &mut dyn FnMut(&mut Sink<'_>) -> io::Result<()>) -> io::Result<()> {
        let part = part_of(&self.path);
        let result = self
            .write_to(&part, write)
            .and_then(|()| fs::rename(&part, &self.path));
        if result.is_err() {
            let _ = fs::remove_file(&part);
        }
        result
    }

    fn write_to(
        &self,
        path: &Path,
        write: &mut dyn FnMut(&mut Sink<'_>) -> io::Result<()>,
    ) -> io::Result<()> {
        let file = File::create(path)?;
        let mut out = BufWriter::new(&file);
        let mut sink = Sink::new(&mut out);
        sink.bytes(MAGIC)?;
        sink.number(FORM)?;
        sink.bytes(&serde_json::to_vec(&self.header)?)?;
        write(&mut sink)?;
        sink.finish()?;
        drop(out);
        // The name must not be there before the bytes are.
        file.sync_all()
    }
}

/// The file in which a checkpoint is written until it is complete.
fn part_of(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".part");
    path.with_file_name(name)
}

/// What was typed after `mazurka check`.
fn words() -> Result<Vec<String>, Trouble> {
    let words = std::env::args_os().skip(2).map(|word| word.into_string());
    words.collect::<Result<_, _>>().map_err(|word| {
        let word = word.to_string_lossy();
        Trouble::Usage(format!("--checkpoint: {word} is not valid Unicode"))
    })
}
