//! A folder of code, and how it is written without destroying what a person wrote.

use std::fs;
use std::path::{Path, PathBuf};

use mazurka_scenario::figures::counted;
use mazurka_scenario::{Mark, refuse_foreign, replace_file};

use crate::Target;

/// What the files say at their beginning that are written anew.
pub const MARK: &str = "Made by Mazurka; an export replaces this file.";

/// Files that belong together.
#[derive(Clone, Debug, Default)]
pub struct Folder {
    /// The files.
    pub files: Vec<File>,
}

/// A file of a folder.
#[derive(Clone, Debug)]
pub struct File {
    /// Its path in the folder.
    pub path: String,
    /// What is in it.
    pub text: String,
    /// Of a template, the functions that a person fills in; it is written once and never again. None for a file that is written anew.
    pub template: Option<Vec<String>>,
}

/// What was written.
#[derive(Clone, Debug, Default)]
pub struct Written {
    /// The files that were written.
    pub files: Vec<PathBuf>,
    /// The templates that were there already.
    pub kept: Vec<Kept>,
}

impl Written {
    /// What a person still has to write, a sentence for each template.
    pub fn warnings(&self) -> Vec<String> {
        let lacking = self.kept.iter().filter(|kept| !kept.missing.is_empty());
        let told = lacking.map(|kept| {
            let (path, missing) = (kept.path.display(), kept.missing.join(", "));
            format!("{path} is kept as it is, and lacks {missing}")
        });
        told.collect()
    }

    /// What was written into a folder, and what to do with it.
    pub fn text(&self, folder: &Path, target: Target) -> String {
        let files = counted(self.files.len() as u64, "file");
        let mut text = format!("{}: {files} written", folder.display());
        for kept in &self.kept {
            text += &format!(", {} kept", kept.path.display());
        }
        let folder = folder.display();
        let run = match target {
            Target::C => format!("make -C {folder} && {folder}/run --random 1"),
            Target::Rust => format!("cargo run --manifest-path {folder}/Cargo.toml -- --random 1"),
        };
        format!("{text}\nrun it: {run}\n")
    }
}

/// A template that was there already and stays as it is.
#[derive(Clone, Debug)]
pub struct Kept {
    /// Where it is.
    pub path: PathBuf,
    /// The functions that are nowhere in it.
    pub missing: Vec<String>,
}

impl Folder {
    pub(crate) fn ours(&mut self, path: &str, text: String) {
        self.files.push(File {
            path: path.into(),
            text,
            template: None,
        });
    }

    pub(crate) fn template(&mut self, path: &str, text: String, functions: Vec<String>) {
        self.files.push(File {
            path: path.into(),
            text,
            template: Some(functions),
        });
    }

    /// The text of a file.
    pub fn text(&self, path: &str) -> Option<&str> {
        let file = self.files.iter().find(|file| file.path == path);
        file.map(|file| file.text.as_str())
    }

    /// Writes the files. Nothing is written if one of them would replace a file that is not Mazurka's. A template that exists is kept.
    pub fn write(&self, folder: &Path) -> Result<Written, String> {
        let refused = |path: &Path, reason: String| format!("{}: {reason}", path.display());
        for file in &self.files {
            let path = folder.join(&file.path);
            if file.template.is_none() {
                refuse_foreign(&path, Mark::Words(MARK))
                    .map_err(|reason| refused(&path, reason))?;
            }
        }
        let mut written = Written::default();
        for file in &self.files {
            let path = folder.join(&file.path);
            if let (Some(functions), true) = (&file.template, path.exists()) {
                let text = fs::read_to_string(&path);
                let text = text.map_err(|error| refused(&path, error.to_string()))?;
                let missing = functions.iter().filter(|name| !mentions(&text, name));
                let missing = missing.cloned().collect();
                written.kept.push(Kept { path, missing });
                continue;
            }
            let parent = path.parent().unwrap_or(folder);
            make_folder(parent).map_err(|reason| refused(parent, reason))?;
            let text = file.text.as_bytes();
            let done = replace_file(&path, |out| std::io::Write::write_all(out, text));
            done.map_err(|error| refused(&path, error.to_string()))?;
            written.files.push(path);
        }
        Ok(written)
    }
}

/// Does a text have this name as a whole word?
fn mentions(text: &str, name: &str) -> bool {
    let mut words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words.any(|word| word == name)
}

/// Makes a folder, unless it is there; or says why that cannot be.
pub(crate) fn make_folder(folder: &Path) -> Result<(), String> {
    match folder.exists() && !folder.is_dir() {
        true => Err("it is not a folder".into()),
        false => fs::create_dir_all(folder).map_err(|error| error.to_string()),
    }
}
