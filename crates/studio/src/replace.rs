//! A file gets another text, and is never without one.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// This many names are tried for the new text before it has the name of the file.
const TRIES: u32 = 100;

/// The file has its old text or its new one, whatever happens; or why it still has its old one.
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let told = |error: io::Error| error.to_string();
    let path = std::fs::canonicalize(path).map_err(told)?;
    // A file that must not be written to could still be replaced by another one.
    if std::fs::metadata(&path)
        .map_err(told)?
        .permissions()
        .readonly()
    {
        return Err("it is read-only".into());
    }
    let old = OpenOptions::new().write(true).open(&path).map_err(told)?;
    let (mut file, new) = beside(&path).map_err(told)?;
    let written = file
        .write_all(bytes)
        .and_then(|()| file.set_permissions(old.metadata()?.permissions()))
        .and_then(|()| file.sync_all());
    let replaced = written.and_then(|()| match is_only_name(&old, &file)? {
        true => std::fs::rename(&new, &path).map(|()| None),
        false => Ok(Some(old)),
    });
    match replaced {
        Ok(None) => Ok(()),
        Ok(Some(old)) => overwrite(old, bytes, &new),
        Err(error) => {
            let _ = std::fs::remove_file(&new);
            Err(error.to_string())
        }
    }
}

/// Writes into the file itself, which has other names or is somebody else's. The new text is kept beside it until that is done.
fn overwrite(mut old: File, bytes: &[u8], kept: &Path) -> Result<(), String> {
    let written = old
        .set_len(0)
        .and_then(|()| old.write_all(bytes))
        .and_then(|()| old.sync_all());
    match written {
        Ok(()) => {
            let _ = std::fs::remove_file(kept);
            Ok(())
        }
        Err(error) => Err(format!("{error}; the new text is in {}", kept.display())),
    }
}

/// A file in the same folder that was not there before.
fn beside(path: &Path) -> io::Result<(File, PathBuf)> {
    for number in 1.. {
        let mut name = path.file_name().unwrap_or_default().to_os_string();
        name.push(match number {
            1 => ".new".into(),
            _ => format!(".new{number}"),
        });
        let new = path.with_file_name(name);
        let made = OpenOptions::new().write(true).create_new(true).open(&new);
        match made {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < TRIES => {}
            made => return made.map(|file| (file, new)),
        }
    }
    unreachable!("the last try is the answer")
}

/// Can the new file take the place of the old one, so that nobody notices? Not if the old one has other names, or another owner.
#[cfg(unix)]
fn is_only_name(old: &File, new: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let (old, new) = (old.metadata()?, new.metadata()?);
    Ok(old.nlink() == 1 && (old.uid(), old.gid()) == (new.uid(), new.gid()))
}

#[cfg(not(unix))]
fn is_only_name(_: &File, _: &File) -> io::Result<bool> {
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::replace;

    #[test]
    fn a_file_is_replaced_and_nothing_beside_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("model.pml");
        let other = folder.path().join("model.pml.new");
        fs::write(&file, "old").unwrap();
        fs::write(&other, "mine").unwrap();
        replace(&file, b"fresh").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "fresh");
        assert_eq!(fs::read_to_string(&other).unwrap(), "mine");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn a_file_that_is_read_only_stays_as_it_is() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("model.pml");
        fs::write(&file, "old").unwrap();
        let mut permissions = fs::metadata(&file).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&file, permissions).unwrap();
        assert_eq!(replace(&file, b"fresh"), Err("it is read-only".into()));
        assert_eq!(fs::read_to_string(&file).unwrap(), "old");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn all_names_of_a_file_have_the_new_text() {
        let folder = tempfile::tempdir().unwrap();
        let names = ["one", "two", "three"].map(|name| folder.path().join(name));
        fs::write(&names[0], "a longer text").unwrap();
        fs::hard_link(&names[0], &names[1]).unwrap();
        std::os::unix::fs::symlink(&names[0], &names[2]).unwrap();
        replace(&names[2], b"fresh").unwrap();
        for name in &names {
            assert_eq!(fs::read_to_string(name).unwrap(), "fresh");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }
}
