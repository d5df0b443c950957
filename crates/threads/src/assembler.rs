//! The assembler, which compilers call with what they have written: it gets that with calls for what they left out.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::assembly::announce;

/// Tells the script that stands for the assembler where this program is.
pub(crate) const PROGRAM: &str = "MAZURKA_PROGRAM";
/// That script. Compilers look for an assembler beside the libraries that they are told of.
pub(crate) const SCRIPT: &[u8] =
    b"#!/bin/sh\nMAZURKA_ASSEMBLES=1\nexport MAZURKA_ASSEMBLES\nexec \"$MAZURKA_PROGRAM\" \"$@\"\n";

/// Whether this program was called in place of the assembler.
pub fn is_assembler() -> bool {
    std::env::var_os("MAZURKA_ASSEMBLES").is_some()
}

/// Assembles; tells how the assembler ended.
pub fn assemble(words: &[OsString]) -> Result<i32, String> {
    let mut command = Command::new("as");
    command.env_remove("MAZURKA_ASSEMBLES");
    let mut made = Made(vec![]);
    let (mut is_output, mut has_input) = (false, false);
    for word in words {
        let is_option = word.to_string_lossy().starts_with('-') && word != "-";
        if std::mem::take(&mut is_output) || is_option || word.to_string_lossy().starts_with('@') {
            is_output = word == "-o" || word == "-I" || word == "-MD" || word == "--MD";
            command.arg(word);
            continue;
        }
        has_input = true;
        match word == "-" {
            true => command.arg(made.read_input()?),
            false => command.arg(made.read(Path::new(word))?),
        };
    }
    if !has_input {
        command.arg(made.read_input()?);
    }
    let status = command.status();
    let status = status.map_err(|error| format!("cannot run as: {error}"))?;
    Ok(status.code().unwrap_or(1))
}

/// Files that are made for the assembler and removed after it.
struct Made(Vec<PathBuf>);

impl Made {
    fn read(&mut self, path: &Path) -> Result<PathBuf, String> {
        let text = std::fs::read(path);
        let text = text.map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        self.write(text)
    }

    fn read_input(&mut self) -> Result<PathBuf, String> {
        let mut text = vec![];
        let read = std::io::stdin().read_to_end(&mut text);
        read.map_err(|error| format!("cannot read the standard input: {error}"))?;
        self.write(text)
    }

    fn write(&mut self, text: Vec<u8>) -> Result<PathBuf, String> {
        // Assembly that no compiler wrote may be in any encoding.
        let text = match String::from_utf8(text) {
            Ok(text) => announce(&text).into_bytes(),
            Err(text) => text.into_bytes(),
        };
        let name = format!("mazurka-{}-{}.s", std::process::id(), self.0.len());
        let path = std::env::temp_dir().join(name);
        let written = std::fs::write(&path, text);
        written.map_err(|error| format!("cannot write {}: {error}", path.display()))?;
        self.0.push(path.clone());
        Ok(path)
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        for path in &self.0 {
            // What cannot be removed stays among other temporary files.
            let _ = std::fs::remove_file(path);
        }
    }
}
