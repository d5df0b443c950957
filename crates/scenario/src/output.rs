//! Files that Mazurka writes. None is ever written over something that is not Mazurka's own.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// How much of a file is looked at to see whose it is: its format is named at its beginning.
const BEGINNING: u64 = 512;

/// How many unfinished files of other runs may lie beside a file before no more are begun.
const MOST_PARTS: u32 = 1000;

/// How a file that Mazurka wrote is told from others.
#[derive(Clone, Copy, Debug)]
pub enum Mark<'m> {
    /// A JSON document whose first field is `format`, with this value.
    Document(&'m str),
    /// Bytes with which the file begins.
    Beginning(&'m [u8]),
    /// Words near its beginning that nobody else writes.
    Words(&'m str),
}

/// What else Mazurka writes, for those who mistake one for another.
const KINDS: [(Mark<'static>, &str); 10] = [
    (Mark::Document("mazurka-scenario"), "a scenario"),
    (Mark::Document("mazurka-run"), "a scenario as JSON"),
    (Mark::Document("mazurka-report"), "a report"),
    (
        Mark::Document("mazurka-reports"),
        "a report on several models",
    ),
    (
        Mark::Document("mazurka-audit"),
        "the report of a failed audit",
    ),
    (
        Mark::Document("mazurka-defect"),
        "the report of an internal error",
    ),
    // A report on a program has the same beginning as the checkpoint of one.
    (
        Mark::Document("mazurka-exploration"),
        "a saved exploration or the report on one",
    ),
    (Mark::Beginning(b"\x12Mazurka checkpoint"), "a saved search"),
    (
        Mark::Words("<meta name=\"generator\" content=\"Mazurka\">"),
        "a page",
    ),
    (Mark::Words("Made by Mazurka;"), "an export"),
];

impl Mark<'_> {
    fn is_in(self, beginning: &[u8]) -> bool {
        match self {
            Mark::Document(format) => {
                let start = format!("{{\"format\":\"{format}\"");
                let dense = beginning.iter().filter(|byte| !byte.is_ascii_whitespace());
                dense.take(start.len()).eq(start.as_bytes())
            }
            Mark::Beginning(bytes) => beginning.starts_with(bytes),
            Mark::Words(words) => {
                let words = words.as_bytes();
                beginning.windows(words.len()).any(|window| window == words)
            }
        }
    }
}

/// Refuses a file that exists and does not begin as Mazurka's own do. What is not a regular file is refused too, since it would be
/// replaced by one, and so is a file that somebody made read-only. An empty file is anybody's.
///
/// ```
/// use mazurka_scenario::{Mark, refuse_foreign};
///
/// let path = std::env::temp_dir().join("mazurka-output-example.txt");
/// std::fs::write(&path, "my own notes about mazurka-scenario").unwrap();
/// assert!(refuse_foreign(&path, Mark::Document("mazurka-scenario")).is_err());
/// std::fs::remove_file(&path).unwrap();
/// assert!(refuse_foreign(&path, Mark::Document("mazurka-scenario")).is_ok());
/// ```
pub fn refuse_foreign(path: &Path, mark: Mark<'_>) -> Result<(), String> {
    if path.as_os_str() == "-" {
        return Err("it is no name of a file; for a file that is called so, write ./-".into());
    }
    let known = match fs::metadata(path) {
        Ok(known) => known,
        // A file of this name can be written beside it, but not put in its place.
        Err(_) if path.as_os_str().as_encoded_bytes().ends_with(b"/") => {
            return Err("it ends in a slash, as folders do; name a file".into());
        }
        Err(error) if fs::symlink_metadata(path).is_ok() => {
            return Err(format!("it is a link that leads nowhere: {error}"));
        }
        // It is not there, or it cannot be reached, which writing will tell.
        Err(_) => return Ok(()),
    };
    if known.is_dir() {
        return Err("it is a folder; name a file in it".into());
    }
    if !known.is_file() {
        return Err("it is not a regular file, and would be replaced by one".into());
    }
    if known.permissions().readonly() {
        return Err("it already exists and is read-only; name another file".into());
    }
    if known.len() == 0 {
        return Ok(());
    }
    let mut beginning = Vec::new();
    let read = File::open(path).and_then(|file| file.take(BEGINNING).read_to_end(&mut beginning));
    if let Err(error) = read {
        return Err(format!("it already exists and cannot be read: {error}"));
    }
    if mark.is_in(&beginning) {
        return Ok(());
    }
    let mut kinds = KINDS.iter();
    Err(match kinds.find(|(mark, _)| mark.is_in(&beginning)) {
        Some((_, kind)) => {
            format!("it already exists, and is {kind} of Mazurka; name another file")
        }
        None => "it already exists, and Mazurka did not write it; name another file".into(),
    })
}

/// Refuses two outputs in one file, of which one would be lost. Each has the option that names it.
pub fn refuse_same(outputs: &[(&str, Option<&Path>)]) -> Result<(), String> {
    let whole = |path: &Path| {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
        let known = fs::canonicalize(path);
        known.or_else(|_| Ok(fs::canonicalize(folder)?.join(path.file_name().unwrap_or_default())))
    };
    let mut met: Vec<(&str, PathBuf)> = Vec::new();
    for (option, path) in outputs {
        let Some(Ok(path)) = path.map(|path| -> io::Result<PathBuf> { whole(path) }) else {
            continue;
        };
        let is_regular = fs::metadata(&path).map_or(true, |known| known.is_file());
        if let Some((other, _)) = met.iter().find(|(_, known)| *known == path && is_regular) {
            return Err(format!("{other} and {option} name the same file"));
        }
        met.push((option, path));
    }
    Ok(())
}

/// Refuses a place that cannot be written, by trying. A search of hours should not find out at its end that it cannot be saved.
pub fn refuse_unwritable(path: &Path) -> Result<(), String> {
    let tried = part_of(path).and_then(|(part, _)| fs::remove_file(part));
    tried.map_err(|error| error.to_string())
}

/// Writes a file beside the one that it replaces when it is complete: whoever is killed half-way leaves the old one. A link stays a link:
/// the file that it leads to is replaced.
pub fn replace_file(
    path: &Path,
    write: impl FnOnce(&mut File) -> io::Result<()>,
) -> io::Result<()> {
    let behind = fs::canonicalize(path);
    let path = behind.as_deref().unwrap_or(path);
    let (part, mut file) = part_of(path)?;
    // The name must not be there before the bytes are.
    let written = write(&mut file).and_then(|()| file.sync_all());
    let replaced = written.and_then(|()| fs::rename(&part, path));
    if replaced.is_err() {
        let _ = fs::remove_file(&part);
    }
    replaced
}

/// The same with a text: on a full disk, too, the old file stays.
pub fn write_text(path: &Path, text: &str) -> io::Result<()> {
    replace_file(path, |file| file.write_all(text.as_bytes()))
}

/// The file that is written until it is complete. It is always a new one: whatever has such a name already is somebody's.
fn part_of(path: &Path) -> io::Result<(PathBuf, File)> {
    let mut number = 0;
    loop {
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        match number {
            0 => name.push(".part"),
            _ => name.push(format!(".part-{number}")),
        }
        let part = path.with_file_name(name);
        match File::create_new(&part) {
            Ok(file) => return Ok((part, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < MOST_PARTS => {
                number += 1;
            }
            Err(error) => return Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_the_user_that_is_called_part_is_left_alone() {
        let folder = std::env::temp_dir().join(format!("mazurka-part-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (path, own) = (folder.join("save"), folder.join("save.part"));
        fs::write(&own, "my own notes").unwrap();
        refuse_unwritable(&path).unwrap();
        replace_file(&path, |file| io::Write::write_all(file, b"saved")).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"saved");
        assert_eq!(fs::read(&own).unwrap(), b"my own notes");
        assert_eq!(
            fs::read_dir(&folder).unwrap().count(),
            2,
            "nothing is left over"
        );
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn only_what_begins_as_ours_does_is_ours() {
        let folder = std::env::temp_dir().join(format!("mazurka-mark-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("file");
        let mark = Mark::Document("mazurka-scenario");
        for (text, is_ours) in [
            ("", true),
            (
                "{\n\"format\": \"mazurka-scenario\",\n\"version\": 1 }",
                true,
            ),
            ("{\"format\":\"mazurka-scenario\",\"version\":1}", true),
            ("/* see mazurka-scenario */ init { skip }", false),
            (
                "{ \"notes\": \"about\", \"format\": \"mazurka-scenario\" }",
                false,
            ),
            ("{\"format\":\"mazurka-scenarios\"}", false),
            ("{", false),
        ] {
            fs::write(&path, text).unwrap();
            assert_eq!(refuse_foreign(&path, mark).is_ok(), is_ours, "{text}");
        }
        fs::write(&path, "\x12Mazurka checkpoint").unwrap();
        let refused = refuse_foreign(&path, mark).unwrap_err();
        assert!(
            refused.contains("is a saved search of Mazurka"),
            "{refused}"
        );
        fs::write(&path, "").unwrap();
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        assert!(refuse_foreign(&path, mark).is_err(), "read-only");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn a_link_stays_a_link() {
        let folder = std::env::temp_dir().join(format!("mazurka-link-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let (link, file) = (folder.join("link"), folder.join("file"));
        std::os::unix::fs::symlink(&file, &link).unwrap();
        let refused = refuse_foreign(&link, Mark::Document("mazurka-scenario"));
        assert!(refused.unwrap_err().contains("leads nowhere"));
        fs::write(&file, "old").unwrap();
        write_text(&link, "new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        fs::remove_dir_all(&folder).unwrap();
    }
}
