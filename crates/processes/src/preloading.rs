//! Programs that nobody compiled or linked for us: a library is put before theirs, by the loader.
//!
//! The loader does so only for programs that have one, and that run with the rights of who starts them.

use std::ffi::{OsStr, OsString};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What a program that is linked with a library of ours contains: the name of a variable.
const MARK: &[u8] = b"MAZURKA_MEMORY";
const ELF: &[u8] = b"\x7fELF";
/// 64 bits, little-endian.
const WIDE: [u8; 2] = [2, 1];
const X86_64: u16 = 62;
const PT_INTERP: u32 = 3;
const RIGHTS_OF_OTHERS: u32 = 0o6000;

/// Where a program is, if a library can be preloaded into it; or why not.
pub(crate) fn find(name: &OsStr) -> Result<PathBuf, String> {
    let shown = name.to_string_lossy();
    let path = path_of(name).ok_or_else(|| format!("cannot run {shown}: there is no such file"))?;
    let problem = |error: std::io::Error| format!("cannot read {shown}: {error}");
    let metadata = std::fs::metadata(&path).map_err(problem)?;
    if metadata.mode() & RIGHTS_OF_OTHERS != 0 {
        return Err(format!(
            "{shown} runs with the rights of its owner (setuid or setgid), and the loader preloads nothing into such a program"
        ));
    }
    let bytes = std::fs::read(&path).map_err(problem)?;
    match refusal(&bytes) {
        Some(reason) => Err(format!("{shown} {reason}")),
        None => Ok(path),
    }
}

/// Looks for a command as the system does.
fn path_of(name: &OsStr) -> Option<PathBuf> {
    let direct = Path::new(name);
    if direct.components().count() > 1 {
        return direct.is_file().then(|| direct.into());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = std::env::split_paths(&path).map(|directory| directory.join(name));
    places.find(|place| place.is_file())
}

/// Why nothing can be preloaded into a program with these bytes.
fn refusal(bytes: &[u8]) -> Option<&'static str> {
    if bytes.starts_with(b"#!") {
        return Some("is a script: name the program that runs it, with the script as its argument");
    }
    if !bytes.starts_with(ELF) {
        return Some("is not a program of this system");
    }
    if bytes.get(4..6) != Some(&WIDE) || half(bytes, 18) != Some(X86_64) {
        return Some("is a program for other processors: --preload is for x86-64");
    }
    if !has_loader(bytes) {
        return Some(
            "is linked statically: there is no loader that could preload a library into it",
        );
    }
    let is_ours = bytes.windows(MARK.len()).any(|bytes| bytes == MARK);
    is_ours.then_some(
        "is under control by itself, as it was built with mazurka cc or linked with Mazurka's library: leave out --preload",
    )
}

fn has_loader(bytes: &[u8]) -> bool {
    let header = || {
        let start = word(bytes, 32)?;
        Some((start, half(bytes, 54)?, half(bytes, 56)?))
    };
    let Some((start, size, count)) = header() else {
        return false;
    };
    (0..usize::from(count)).any(|number| {
        let at = start.checked_add(number * usize::from(size));
        let kind = at.and_then(|at| bytes.get(at..at.checked_add(4)?)?.try_into().ok());
        kind.is_some_and(|kind| u32::from_le_bytes(kind) == PT_INTERP)
    })
}

fn half(bytes: &[u8], at: usize) -> Option<u16> {
    let bytes = bytes.get(at..at + 2)?.try_into().ok()?;
    Some(u16::from_le_bytes(bytes))
}

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..at + 8)?.try_into().ok()?;
    usize::try_from(u64::from_le_bytes(bytes)).ok()
}

/// What the loader is told to preload: our library, then what the user has asked for.
pub(crate) fn list(library: &Path, before: &OsStr) -> OsString {
    let mut all = OsString::from(library);
    if !before.is_empty() {
        all.push(":");
        all.push(before);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_preloaded_is_refused_with_the_reason() {
        let ordinary = std::fs::read("/bin/sh").unwrap();
        assert_eq!(refusal(&ordinary), None);
        let because = |bytes: &[u8]| refusal(bytes).unwrap_or_default();
        assert!(because(b"#!/bin/sh\n").contains("a script"));
        assert!(because(b"hello").contains("not a program"));
        assert!(because(b"").contains("not a program"));
        for length in 4..64 {
            assert!(refusal(&ordinary[..length]).is_some(), "{length}");
        }
        let mut other = ordinary.clone();
        other[18] = 3;
        assert!(because(&other).contains("other processors"));
        let mut ours = ordinary.clone();
        ours.extend(MARK);
        assert!(because(&ours).contains("leave out"));
        let mut far = ordinary;
        far[32..40].copy_from_slice(&u64::MAX.to_le_bytes());
        assert!(because(&far).contains("statically"));
    }

    #[test]
    fn programs_are_found_by_their_names() {
        assert!(find(OsStr::new("sh")).is_ok());
        assert!(find(OsStr::new("/bin/sh")).is_ok());
        assert!(
            find(OsStr::new("no-such-program"))
                .unwrap_err()
                .contains("no such file")
        );
    }
}
