//! A folder in which members keep their parts of a search.
//!
//! Each search in it has a folder of its own, `search-NUMBER-of-WORKERS`. A worker has two files there: its log, to which it only
//! appends, and a small one with the last two levels that were committed and how long the log was then. What stands in the log
//! behind that does not count. The file `about` says what is searched, and so do all the others: a part of another search is never
//! taken for one of this. Files are only made new, unless they belong to the search that is resumed. All sums and forms are those of
//! checkpoints.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Cursor, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use mazurka_search::checkpoint::{Sink, Source, is_whole};
use mazurka_search::divided::{Archive, Log, Offer, Records};

/// What files of ours begin with.
const MAGIC: &[u8] = b"Mazurka cluster search";
/// Changes whenever the form of what follows does.
const FORM: u64 = 1;
const ABOUT: &str = "about";
/// This many commits are noted: others may have only the one before the last.
const COMMITS: usize = 2;

/// What is searched, and what was asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About {
    /// What tells the search from others: the model, the version, the options that decide.
    pub identity: String,
    /// What was typed.
    pub words: Vec<String>,
    /// Where that was.
    pub folder: PathBuf,
}

/// A folder with searches.
pub struct Folder {
    path: PathBuf,
    identity: String,
    resumes: bool,
    every: Duration,
    due: Mutex<Instant>,
    trouble: Mutex<Option<String>>,
}

impl Folder {
    /// A folder for a new search, which is committed at intervals. One with a search in it is refused: it might be needed.
    pub fn create(path: &Path, about: &About, every: Duration) -> Result<Folder, String> {
        let shown = path.display();
        fs::create_dir_all(path).map_err(|error| format!("{shown}: {error}"))?;
        let folder = Folder::at(path, &about.identity, every, false);
        if Folder::has_commits(path) {
            return Err(format!(
                "{shown} has a search in it: resume it (`mazurka resume {shown}` says how), or remove the folder"
            ));
        }
        let file = path.join(ABOUT);
        match About::read(&file) {
            // Its members may not have committed a level yet.
            Ok(other) if other.identity != about.identity => {
                return Err(format!(
                    "{shown} belongs to a search of another model or version, or with other options: take another folder"
                ));
            }
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(format!(
                    "{} was not written by Mazurka: take another folder",
                    file.display()
                ));
            }
            _ => {}
        }
        about
            .write(&file)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(folder)
    }

    /// A folder with a search to be resumed, which must be this one.
    pub fn open(path: &Path, identity: &str, every: Duration) -> Result<Folder, String> {
        let about = About::of(path)?;
        match about.identity == identity {
            true => Ok(Folder::at(path, identity, every, true)),
            false => Err(format!(
                "{} has a search of another model or version, or with other options",
                path.display()
            )),
        }
    }

    fn at(path: &Path, identity: &str, every: Duration, resumes: bool) -> Folder {
        Folder {
            path: path.into(),
            identity: identity.into(),
            resumes,
            every,
            due: Mutex::new(Instant::now() + every),
            trouble: Mutex::new(None),
        }
    }

    /// Why the search could not be kept to its end, if it could not.
    pub fn trouble(&self) -> Option<String> {
        lock(&self.trouble).clone()
    }

    /// Was any level of a search committed in this folder?
    pub fn has_commits(path: &Path) -> bool {
        let searches = searches(path).unwrap_or_default();
        searches.iter().any(|(_, _, folder)| {
            let files = fs::read_dir(folder).into_iter().flatten().flatten();
            files
                .filter_map(|file| file.file_name().into_string().ok())
                .any(|name| name.ends_with(".commits"))
        })
    }

    fn search(&self, number: u64, workers: usize) -> PathBuf {
        self.path.join(format!("search-{number}-of-{workers}"))
    }
}

impl About {
    /// What a folder is about.
    pub fn of(folder: &Path) -> Result<About, String> {
        let file = folder.join(ABOUT);
        About::read(&file).map_err(|error| match error.kind() {
            ErrorKind::NotFound => format!("{} has no search in it", folder.display()),
            _ => format!("{}: {error}", file.display()),
        })
    }

    fn write(&self, file: &Path) -> io::Result<()> {
        replace(file, |sink| {
            sink.bytes(self.identity.as_bytes())?;
            sink.bytes(self.folder.as_os_str().as_encoded_bytes())?;
            sink.number(self.words.len() as u64)?;
            self.words
                .iter()
                .try_for_each(|word| sink.bytes(word.as_bytes()))
        })
    }

    fn read(file: &Path) -> io::Result<About> {
        let mut source = open(file)?;
        let mut text = || String::from_utf8(source.bytes()?).map_err(|_| damaged());
        let (identity, folder) = (text()?, text()?);
        let count = source.count(1)?;
        let words = (0..count).map(|_| String::from_utf8(source.bytes()?).map_err(|_| damaged()));
        Ok(About {
            identity,
            folder: folder.into(),
            words: words.collect::<io::Result<_>>()?,
        })
    }
}

impl Archive for Folder {
    fn resumes(&self) -> bool {
        self.resumes
    }

    fn offers(&self, worker: usize, workers: usize) -> io::Result<Vec<Offer>> {
        let mut offers = Vec::new();
        for (search, of, folder) in searches(&self.path)? {
            let needed = match of == workers {
                true => worker..worker + 1,
                false => 0..of,
            };
            let mut levels: Option<Vec<u64>> = None;
            for worker in needed {
                // Of a search that was lost before its first commit there is nothing.
                let commits = Commits::read(&folder, worker, &self.identity).unwrap_or_default();
                let committed = || commits.0.iter().map(|commit| commit.level);
                levels = Some(match levels {
                    None => committed().collect(),
                    Some(levels) => {
                        let is_there = |level: &u64| committed().any(|other| other == *level);
                        levels.into_iter().filter(is_there).collect()
                    }
                });
            }
            offers.extend(levels.unwrap_or_default().into_iter().map(|level| Offer {
                search,
                workers: of,
                level,
            }));
        }
        Ok(offers)
    }

    fn read(&self, offer: &Offer, worker: usize) -> io::Result<(Box<dyn Records>, Vec<u8>)> {
        let folder = self.search(offer.search, offer.workers);
        let commit = Commits::read(&folder, worker, &self.identity)?.of(offer.level)?;
        let file = File::open(log_of(&folder, worker))?;
        if file.metadata()?.len() < commit.length {
            return Err(damaged());
        }
        let file = io::BufReader::with_capacity(1 << 20, file.take(commit.length));
        let mut records = Committed(file);
        match is_beginning(&mut records.next()?, &self.identity)? {
            true => Ok((Box::new(records), commit.note)),
            false => Err(damaged()),
        }
    }

    fn last(&self) -> io::Result<u64> {
        let numbers = searches(&self.path)?.into_iter();
        Ok(numbers.map(|(number, ..)| number).max().unwrap_or(0))
    }

    fn write(
        &self,
        number: u64,
        resumed: Option<&Offer>,
        (worker, workers): (usize, usize),
    ) -> io::Result<Box<dyn Log>> {
        let folder = self.search(number, workers);
        let resumed_folder = resumed.map(|offer| self.search(offer.search, offer.workers));
        let (file, length, commits) = match (resumed, &resumed_folder) {
            (Some(offer), Some(path)) if *path == folder => {
                let mut commits = Commits::read(&folder, worker, &self.identity)?;
                let length = commits.of(offer.level)?.length;
                commits.0.retain(|commit| commit.level <= offer.level);
                let mut file = OpenOptions::new()
                    .write(true)
                    .open(log_of(&folder, worker))?;
                file.set_len(length)?;
                file.seek(SeekFrom::End(0))?;
                (file, length, commits)
            }
            _ => {
                fs::create_dir_all(&folder)?;
                // Whatever has such a name already is somebody's.
                let file = File::create_new(log_of(&folder, worker))?;
                (file, 0, Commits::default())
            }
        };
        let mut log = Written {
            older: resumed_folder.filter(|path| *path != folder),
            out: io::BufWriter::with_capacity(1 << 20, file),
            folder,
            identity: self.identity.clone(),
            worker,
            length,
            commits,
        };
        if length == 0 {
            let mut bytes = Vec::new();
            let mut sink = Sink::new(&mut bytes);
            sink.bytes(MAGIC)?;
            sink.number(FORM)?;
            sink.bytes(self.identity.as_bytes())?;
            sink.finish()?;
            log.append(&bytes)?;
        }
        Ok(Box::new(log))
    }

    fn is_due(&self) -> bool {
        let mut due = lock(&self.due);
        let now = Instant::now();
        let is_due = now >= *due;
        if is_due {
            *due = now + self.every;
        }
        is_due
    }

    fn give_up(&self, reason: &str) {
        lock(&self.trouble).get_or_insert(reason.into());
    }
}

/// The levels that a worker has committed.
#[derive(Default)]
struct Commits(Vec<Commit>);

#[derive(Clone)]
struct Commit {
    level: u64,
    /// How long the log was.
    length: u64,
    note: Vec<u8>,
}

impl Commits {
    fn of(&self, level: u64) -> io::Result<Commit> {
        let commit = self.0.iter().find(|commit| commit.level == level);
        commit.cloned().ok_or_else(damaged)
    }

    /// Of this search, and of no other.
    fn read(folder: &Path, worker: usize, identity: &str) -> io::Result<Commits> {
        let mut source = open(&commits_of(folder, worker))?;
        if source.bytes()? != identity.as_bytes() {
            return Err(damaged());
        }
        let commits = (0..source.count(3)?).map(|_| {
            Ok(Commit {
                level: source.number()?,
                length: source.number()?,
                note: source.bytes()?,
            })
        });
        commits.collect::<io::Result<_>>().map(Commits)
    }
}

/// The log of a worker.
struct Written {
    out: io::BufWriter<File>,
    folder: PathBuf,
    identity: String,
    worker: usize,
    length: u64,
    commits: Commits,
    /// The search that this one was divided from. It is of no use any more, once all have committed this one.
    older: Option<PathBuf>,
}

impl Log for Written {
    fn append(&mut self, record: &[u8]) -> io::Result<()> {
        self.out.write_all(&(record.len() as u64).to_le_bytes())?;
        self.out.write_all(record)?;
        self.length += 8 + record.len() as u64;
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.out.flush()?;
        self.out.get_ref().sync_data()
    }

    fn commit(&mut self, level: u64, note: &[u8]) -> io::Result<()> {
        let commits = &mut self.commits.0;
        commits.push(Commit {
            level,
            length: self.length,
            note: note.into(),
        });
        let first = commits.len().saturating_sub(COMMITS);
        commits.drain(..first);
        let identity = self.identity.as_bytes();
        replace(&commits_of(&self.folder, self.worker), |sink| {
            sink.bytes(identity)?;
            sink.number(commits.len() as u64)?;
            commits.iter().try_for_each(|commit| {
                sink.number(commit.level)?;
                sink.number(commit.length)?;
                sink.bytes(&commit.note)
            })
        })?;
        if commits.len() == COMMITS
            && let Some(older) = self.older.take()
        {
            // All have committed the level before.
            remove(&older, &self.identity);
        }
        Ok(())
    }
}

/// Removes a search: the files of its workers, and nothing else. Others may do the same at the same time.
fn remove(folder: &Path, identity: &str) {
    let mut worker = 0;
    while let Ok(commits) = Commits::read(folder, worker, identity) {
        drop(commits);
        let _ = fs::remove_file(log_of(folder, worker));
        let _ = fs::remove_file(commits_of(folder, worker));
        worker += 1;
    }
    let _ = fs::remove_dir(folder);
}

/// A log up to a commit.
struct Committed(io::BufReader<io::Take<File>>);

impl Records for Committed {
    fn next(&mut self) -> io::Result<Source> {
        let mut length = [0; 8];
        self.0.read_exact(&mut length)?;
        let length = u64::from_le_bytes(length);
        let mut record = Vec::new();
        // What a wrong length asks for is not made room for.
        let read = self.0.by_ref().take(length).read_to_end(&mut record)? as u64;
        if read != length || !is_whole(&record[..], length)? {
            return Err(damaged());
        }
        Ok(Source::new(Cursor::new(record), length))
    }
}

/// The searches: their numbers, how many workers each had, and where they are.
fn searches(path: &Path) -> io::Result<Vec<(u64, usize, PathBuf)>> {
    let mut searches = Vec::new();
    for entry in fs::read_dir(path)? {
        let entry = entry?;
        let name = entry.file_name();
        let numbers = name.to_str().and_then(|name| {
            let (number, workers) = name.strip_prefix("search-")?.split_once("-of-")?;
            Some((number.parse().ok()?, workers.parse().ok()?))
        });
        if let Some((number, workers)) = numbers {
            searches.push((number, workers, entry.path()));
        }
    }
    searches.sort();
    Ok(searches)
}

fn log_of(folder: &Path, worker: usize) -> PathBuf {
    folder.join(format!("worker-{worker}.log"))
}

fn commits_of(folder: &Path, worker: usize) -> PathBuf {
    folder.join(format!("worker-{worker}.commits"))
}

/// Writes a small file beside the one that it replaces.
fn replace(file: &Path, write: impl FnOnce(&mut Sink<'_>) -> io::Result<()>) -> io::Result<()> {
    let mut bytes = Vec::new();
    let mut sink = Sink::new(&mut bytes);
    sink.bytes(MAGIC)?;
    sink.number(FORM)?;
    write(&mut sink)?;
    sink.finish()?;
    // Members may share a folder, and write the same at the same time.
    let part = file.with_extension(format!("part-{}", std::process::id()));
    let written = File::create(&part).and_then(|mut out| {
        out.write_all(&bytes)?;
        out.sync_all()
    });
    let replaced = written.and_then(|()| fs::rename(&part, file));
    if replaced.is_err() {
        let _ = fs::remove_file(&part);
    }
    replaced
}

/// Opens a small file that is whole.
fn open(file: &Path) -> io::Result<Source> {
    let bytes = fs::read(file)?;
    let length = bytes.len() as u64;
    if !is_whole(&bytes[..], length)? {
        return Err(damaged());
    }
    let mut source = Source::new(Cursor::new(bytes), length);
    let is_ours = source.bytes()? == MAGIC && source.number()? == FORM;
    is_ours.then_some(source).ok_or_else(damaged)
}

/// Is this how a log of the search begins?
fn is_beginning(source: &mut Source, identity: &str) -> io::Result<bool> {
    Ok(source.bytes()? == MAGIC
        && source.number()? == FORM
        && source.bytes()? == identity.as_bytes())
}

fn damaged() -> io::Error {
    io::Error::new(
        ErrorKind::InvalidData,
        "it is damaged, or another version wrote it",
    )
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|lock| lock.into_inner())
}
