//! What the crate carries, in files: an installed program has no other place for it.

use std::borrow::Cow;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::assembler::SCRIPT;
use crate::packed::Packed;
use crate::{HEADER, LIBRARY, PRELOADED};

/// An archive without members.
const EMPTY: &[u8] = b"!<arch>\n";

/// The library that is preloaded into programs, in a file of its own.
pub fn preloaded() -> Result<PathBuf, String> {
    if PRELOADED.is_empty() {
        let reason = "threaded programs can be explored on Linux with x86-64 processors only";
        return Err(reason.into());
    }
    Ok(unpack()?.join("preloaded.so"))
}

/// Writes the libraries to where compilers and loaders can find them, unless they are there; tells where.
pub(crate) fn unpack() -> Result<PathBuf, String> {
    let name = format!("threads-{:016x}", fingerprint());
    let home = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache")));
    let mut places: Vec<PathBuf> = home.into_iter().collect();
    places.push(std::env::temp_dir());
    let mut trouble = None;
    for place in places {
        let directory = place.join("mazurka").join(&name);
        match unpack_to(&directory) {
            Ok(()) => return Ok(directory),
            Err(error) => trouble = Some(error),
        }
    }
    let trouble = trouble.map_or("there is no place for it".into(), |error| error.to_string());
    Err(format!("cannot unpack the library: {trouble}"))
}

fn unpack_to(directory: &Path) -> std::io::Result<()> {
    let as_it_is = |bytes: &'static [u8]| (bytes.len(), Content::Plain(bytes));
    let packed = |file: Packed| (file.len(), Content::Packed(file));
    for (name, (length, content)) in [
        ("program/libtsan.a", packed(LIBRARY)),
        ("none/libtsan.a", as_it_is(EMPTY)),
        ("names.h", as_it_is(HEADER.as_bytes())),
        ("program/as", as_it_is(SCRIPT)),
        ("none/as", as_it_is(SCRIPT)),
        ("preloaded.so", packed(PRELOADED)),
    ] {
        let path = directory.join(name);
        let is_there = std::fs::metadata(&path).is_ok_and(|found| found.len() == length as u64);
        if is_there {
            continue;
        }
        let bytes = content.bytes();
        std::fs::create_dir_all(path.parent().unwrap_or(directory))?;
        // Several compilers may run at once.
        let part = path.with_extension(format!("{}", std::process::id()));
        std::fs::write(&part, bytes)?;
        if path.ends_with("as") {
            std::fs::set_permissions(&part, std::fs::Permissions::from_mode(0o755))?;
        }
        std::fs::rename(&part, &path)?;
    }
    Ok(())
}

/// What a file is to hold.
enum Content {
    Plain(&'static [u8]),
    Packed(Packed),
}

impl Content {
    fn bytes(&self) -> Cow<'static, [u8]> {
        match self {
            Content::Plain(bytes) => Cow::Borrowed(bytes),
            Content::Packed(file) => Cow::Owned(file.bytes()),
        }
    }
}

/// Tells versions of the library apart.
fn fingerprint() -> u64 {
    let bytes = LIBRARY
        .fingerprint()
        .chain(PRELOADED.fingerprint())
        .chain(HEADER.as_bytes())
        .chain(SCRIPT);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
