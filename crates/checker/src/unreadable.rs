//! Why a path is no model, in words that say what to do instead.

use std::io;
use std::path::Path;

use mazurka_span::nearest;

use crate::notation::notation_of;

/// How much of a file is looked at.
const BEGINNING: usize = 4096;

/// What to say of a path that cannot be opened as a file: nothing if it can.
pub(crate) fn no_file(path: &Path) -> Option<String> {
    match std::fs::metadata(path) {
        Err(error) => Some(match meant(path, &error) {
            Some(other) => format!("{error}; did you mean {other}?"),
            None => error.to_string(),
        }),
        Ok(kind) if kind.is_dir() => Some(folder(path)),
        Ok(kind) if !kind.is_file() => Some("it is not a regular file".into()),
        Ok(_) => None,
    }
}

/// Why a text is no model in any notation. Hundreds of unknown characters would not tell.
pub(crate) fn no_model(path: &Path, source: &[u8]) -> Option<&'static str> {
    let beginning = &source[..source.len().min(BEGINNING)];
    let is_wide = [[0xff, 0xfe], [0xfe, 0xff]]
        .iter()
        .any(|mark| beginning.starts_with(mark));
    let text = String::from_utf8_lossy(beginning);
    if is_wide {
        Some("it is UTF-16; save it as UTF-8")
    } else if is_binary(&text) {
        Some("it is not a text")
    } else if text.starts_with('{') && text.contains("\"mazurka-scenario\"") {
        Some("it is a scenario, not a model; see `mazurka show`")
    } else {
        program(path, source)
    }
}

/// A text has no zeros, and hardly anything else that commands a terminal. Comments in an old encoding are text.
fn is_binary(text: &str) -> bool {
    let odd = |c: &char| c.is_ascii_control() && !c.is_whitespace();
    text.contains('\0') || text.chars().filter(odd).count() * 20 > text.chars().count()
}

/// A real program, by the ending of its name and its main function. Any other ending may be that of a model.
fn program(path: &Path, source: &[u8]) -> Option<&'static str> {
    let (main, reason): (&[&str], _) = match path.extension()?.to_str()? {
        "c" => (
            &["int main", "void main"],
            "it is a program in C, not a model; see `mazurka cc --help`",
        ),
        "cc" | "cpp" | "cxx" => (
            &["int main", "auto main"],
            "it is a program in C++, not a model; see `mazurka c++ --help`",
        ),
        "rs" => (
            &["fn main"],
            "it is a program in Rust, not a model; the book says how such programs are explored",
        ),
        _ => return None,
    };
    let source = String::from_utf8_lossy(source);
    let has_main = main.iter().any(|main| {
        let mut after = source.split(main).skip(1);
        after.any(|rest| rest.trim_start().starts_with('('))
    });
    has_main.then_some(reason)
}

/// The models of a folder cannot be guessed, but one can be named.
fn folder(path: &Path) -> String {
    if path.join("mazurka.toml").is_file() {
        let path = path.display();
        return format!(
            "it is a folder; `mazurka suite {path}` checks what its mazurka.toml names"
        );
    }
    let is_model = |name: &String| {
        let extension = Path::new(name).extension().and_then(|it| it.to_str());
        extension.and_then(notation_of).is_some()
    };
    match names_in(path).into_iter().find(is_model) {
        Some(name) => format!(
            "it is a folder; name a model in it, such as {}",
            path.join(name).display()
        ),
        None => "it is a folder; name a model".into(),
    }
}

/// The file that was meant by a path that leads nowhere: with its ending, with the slashes of this system, or spelt otherwise.
fn meant(path: &Path, error: &io::Error) -> Option<String> {
    if error.kind() != io::ErrorKind::NotFound {
        return None;
    }
    let turned = path.to_str()?.replace('\\', "/");
    if turned.as_str() != path.as_os_str() && Path::new(&turned).is_file() {
        return Some(turned);
    }
    let folder = path.parent().filter(|it| !it.as_os_str().is_empty());
    let names = names_in(folder.unwrap_or(Path::new(".")));
    let wanted = path.file_name()?.to_str()?;
    let with_ending = names.iter().find(|name| {
        let ending = name
            .strip_prefix(wanted)
            .and_then(|it| it.strip_prefix('.'));
        ending.and_then(notation_of).is_some()
    });
    let near = || nearest(wanted, names.iter().map(String::as_str));
    let name = with_ending.map(String::as_str).or_else(near)?;
    Some(path.with_file_name(name).display().to_string())
}

/// The names of files in a folder, in order.
fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.path().is_file());
    let mut names: Vec<String> = files
        .filter_map(|entry| entry.file_name().into_string().ok())
        .collect();
    names.sort();
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folder_with(name: &str, files: &[&str]) -> std::path::PathBuf {
        let folder = std::env::temp_dir().join(format!("mazurka-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        for file in files {
            std::fs::write(folder.join(file), "init { skip }").unwrap();
        }
        folder
    }

    #[test]
    fn says_which_file_was_meant() {
        let folder = folder_with("meant", &["counter.pml", "notes.txt"]);
        let said = |name: &str| no_file(&folder.join(name)).unwrap_or_default();
        let counter = folder.join("counter.pml").display().to_string();
        for name in ["counter", "couter.pml", "counter.plm"] {
            assert!(said(name).ends_with(&format!("; did you mean {counter}?")));
        }
        assert_eq!(said("counter.pml"), "");
        assert!(!said("other.pml").contains("did you mean"));
        assert!(!said("nowhere/counter.pml").contains("did you mean"));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn says_what_to_do_with_a_folder() {
        let folder = folder_with("folder", &["a.txt"]);
        assert_eq!(no_file(&folder).unwrap(), "it is a folder; name a model");
        std::fs::write(folder.join("b.efsm"), "").unwrap();
        let example = folder.join("b.efsm").display().to_string();
        assert!(
            no_file(&folder)
                .unwrap()
                .ends_with(&format!("such as {example}"))
        );
        std::fs::write(folder.join("mazurka.toml"), "").unwrap();
        assert!(no_file(&folder).unwrap().contains("mazurka suite"));
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn tells_programs_and_bytes_from_models() {
        let said = |name: &str, source: &[u8]| no_model(Path::new(name), source);
        assert!(
            said("a.c", b"int main(void) { return 0; }")
                .unwrap()
                .contains("program in C,")
        );
        assert!(said("a.rs", b"fn main() {}").unwrap().contains("Rust"));
        assert_eq!(said("a.c", b"int main; init { main = 1 }"), None);
        assert_eq!(said("a.pml", b"/* int main() */ init { skip }"), None);
        assert_eq!(
            said("a.pml", b"\x01\x02\x80\x90abc"),
            Some("it is not a text")
        );
        assert_eq!(said("a.pml", b"// caf\xe9\ninit { skip }"), None);
        assert_eq!(said("a.pml", b""), None);
    }
}
