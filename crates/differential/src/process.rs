//! Running a program with a deadline and a place of its own.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// How a program ended, and what it wrote.
#[derive(Debug)]
pub struct Finished {
    /// `None` if a signal ended it.
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

/// Runs a program to its end, or kills it after `limit` and returns `None`.
///
/// Output goes through files in `folder`: a pipe would need a reader that outlives grandchildren which hold it open.
pub fn run(command: &mut Command, folder: &Path, limit: Duration) -> io::Result<Option<Finished>> {
    let paths = [folder.join("stdout.txt"), folder.join("stderr.txt")];
    command
        .stdin(Stdio::null())
        .stdout(File::create(&paths[0])?)
        .stderr(File::create(&paths[1])?);
    let mut child = command.spawn()?;
    let deadline = Instant::now() + limit;
    let mut pause = Duration::from_micros(500);
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    };
    let [stdout, stderr] = paths.map(|path| fs::read(path).unwrap_or_default());
    Ok(Some(Finished {
        code: status.code(),
        stdout: String::from_utf8_lossy(&stdout).into_owned(),
        stderr: String::from_utf8_lossy(&stderr).into_owned(),
    }))
}

/// An empty folder that is removed when this goes out of scope.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    pub fn new() -> io::Result<Folder> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path =
            std::env::temp_dir().join(format!("differential-{}-{number}", std::process::id()));
        fs::create_dir_all(&path)?;
        Ok(Folder(path))
    }

    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Nothing is lost if it stays behind.
        let _ = fs::remove_dir_all(&self.0);
    }
}
