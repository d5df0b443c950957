//! Tells when files change.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher as _};

/// How often a flag is looked at.
const LOOK: Duration = Duration::from_millis(200);
/// An editor writes a file in several steps. After the last of them it is quiet for this long.
const QUIET: Duration = Duration::from_millis(60);

/// What files hold at some time.
#[derive(Clone, Debug, Default)]
pub struct Snapshot(Vec<(PathBuf, Option<Vec<u8>>)>);

impl Snapshot {
    /// What these files hold now.
    pub fn of(files: &[PathBuf]) -> Snapshot {
        let mut snapshot = Snapshot::default();
        snapshot.add(files);
        snapshot
    }

    /// Adds what files hold now that are not in it yet.
    pub fn add(&mut self, files: &[PathBuf]) {
        for file in files {
            if !self.0.iter().any(|(known, _)| known == file) {
                self.0.push((file.clone(), std::fs::read(file).ok()));
            }
        }
    }

    fn has_changed(&self) -> bool {
        let mut files = self.0.iter();
        files.any(|(file, before)| std::fs::read(file).ok() != *before)
    }
}

/// The names in a folder. Files that come and go while a model is checked are not among them afterwards.
fn names_in(folders: &BTreeSet<PathBuf>) -> BTreeSet<PathBuf> {
    let entries = folders.iter().filter_map(|folder| folder.read_dir().ok());
    let entries = entries.flatten().filter_map(Result::ok);
    entries.map(|entry| entry.path()).collect()
}

/// Tells when one of several files changes. Its folder is watched, since many editors write a new file and give it the old name.
pub struct Watcher {
    _watcher: RecommendedWatcher,
    events: Receiver<notify::Result<Event>>,
    files: Snapshot,
    folders: BTreeSet<PathBuf>,
    /// The names in the folders, if another one counts as a change.
    names: Option<BTreeSet<PathBuf>>,
}

impl Watcher {
    /// Watches files that held something once. With `eager` a file that comes to their folders counts too: it may be one that was
    /// looked for in vain.
    pub fn new(files: Snapshot, eager: bool) -> Result<Watcher, String> {
        let (sender, events) = channel();
        let mut watcher = notify::recommended_watcher(sender).map_err(|error| error.to_string())?;
        let folders = files.0.iter();
        let folders: BTreeSet<PathBuf> = folders
            .map(|(file, _)| folder_of(file).to_path_buf())
            .collect();
        for folder in &folders {
            watcher
                .watch(folder, RecursiveMode::NonRecursive)
                .map_err(|error| format!("cannot watch {}: {error}", folder.display()))?;
        }
        Ok(Watcher {
            _watcher: watcher,
            events,
            files,
            names: eager.then(|| names_in(&folders)),
            folders,
        })
    }

    /// Waits for a change of contents; false if `stop` was set before.
    pub fn wait(&self, stop: &AtomicBool) -> bool {
        // What happened before anybody watched.
        if self.files.has_changed() {
            return true;
        }
        while !stop.load(Ordering::Relaxed) {
            match self.events.recv_timeout(LOOK) {
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return false,
            }
            while self.events.recv_timeout(QUIET).is_ok() {}
            if self.files.has_changed() || self.has_new_names() {
                return true;
            }
        }
        false
    }

    fn has_new_names(&self) -> bool {
        let names = self.names.as_ref();
        names.is_some_and(|names| names_in(&self.folders) != *names)
    }
}

fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::sync::Arc;
    use std::thread;

    use super::*;

    /// Does a change that is made meanwhile count? What should not is given a while, what should as long as a busy machine may need.
    fn notices(eager: bool, should: bool, change: impl FnOnce(&Path) + Send + 'static) -> bool {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("model.pml");
        std::fs::write(&file, "one").unwrap();
        let snapshot = Snapshot::of(std::slice::from_ref(&file));
        let watcher = Watcher::new(snapshot, eager).unwrap();
        let stop = Arc::new(AtomicBool::new(false));
        let (late, path) = (stop.clone(), folder.path().to_path_buf());
        let (told, answer) = channel();
        let changer = thread::spawn(move || {
            change(&path);
            let patience = Duration::from_millis(if should { 60_000 } else { 1500 });
            let _ = answer.recv_timeout(patience);
            late.store(true, Ordering::Relaxed);
        });
        let noticed = watcher.wait(&stop);
        let _ = told.send(());
        changer.join().unwrap();
        noticed
    }

    #[test]
    fn contents_count_and_nothing_else_unless_it_is_eager() {
        let write = |folder: &Path| std::fs::write(folder.join("model.pml"), "two").unwrap();
        let rename = |folder: &Path| {
            std::fs::write(folder.join("new"), "two").unwrap();
            std::fs::rename(folder.join("new"), folder.join("model.pml")).unwrap();
        };
        // Not by `fs::write`, after which the file is empty for a moment.
        let touch = |folder: &Path| {
            let file = std::fs::File::options()
                .write(true)
                .open(folder.join("model.pml"));
            file.unwrap().write_all(b"one").unwrap();
        };
        let beside = |folder: &Path| std::fs::write(folder.join("other"), "x").unwrap();
        let passing = |folder: &Path| {
            std::fs::write(folder.join("tried"), "").unwrap();
            std::fs::remove_file(folder.join("tried")).unwrap();
        };
        let tests: Vec<(bool, thread::JoinHandle<bool>)> = vec![
            (true, thread::spawn(move || notices(false, true, write))),
            (true, thread::spawn(move || notices(false, true, rename))),
            (false, thread::spawn(move || notices(false, false, touch))),
            (false, thread::spawn(move || notices(false, false, beside))),
            (true, thread::spawn(move || notices(true, true, beside))),
            (false, thread::spawn(move || notices(true, false, touch))),
            (false, thread::spawn(move || notices(true, false, passing))),
        ];
        for (number, (expected, test)) in tests.into_iter().enumerate() {
            assert_eq!(test.join().unwrap(), expected, "{number}");
        }
    }
}
