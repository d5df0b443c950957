//! What to type instead of what cannot be run.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use mazurka_explore::shell_command;

/// What to type, if somebody names a source text, or a program in this folder without saying so.
///
/// ```
/// # let folder = std::env::temp_dir();
/// # let race = folder.join("advice-race.c");
/// # std::fs::write(&race, "int main(void) { return 0; }").unwrap();
/// // `mazurka cc -o race race.c`, then `mazurka explore -- ./race`
/// let told = mazurka_processes::advice(race.as_os_str()).unwrap();
/// assert!(told.starts_with("it is a source text: build it with `mazurka cc -o "), "{told}");
/// # std::fs::remove_file(&race).unwrap();
/// ```
pub fn advice(name: &OsStr) -> Option<String> {
    let path = Path::new(name);
    if !path.is_file() {
        return None;
    }
    let explore = |program: &Path| {
        let words = ["mazurka", "explore", "--"].map(OsStr::new).into_iter();
        shell_command(words.chain([here(program).as_os_str()]))
    };
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    let compiler = match extension {
        "c" => "cc",
        "C" | "cc" | "cpp" | "cxx" | "c++" => "c++",
        _ if path.components().count() > 1 || path.is_absolute() => return None,
        _ => {
            let command = explore(path);
            return Some(format!("for the program in this folder: {command}"));
        }
    };
    let program = path.with_extension("");
    let words = ["mazurka", compiler, "-o"].map(OsStr::new).into_iter();
    let build = shell_command(words.chain([program.as_os_str(), name]));
    let explore = explore(&program);
    Some(format!(
        "it is a source text: build it with `{build}`, then `{explore}`"
    ))
}

/// A path that a shell takes for a program in this folder.
fn here(program: &Path) -> PathBuf {
    match program.components().count() {
        1 => Path::new(".").join(program),
        _ => program.into(),
    }
}
