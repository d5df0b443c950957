//! Builds programs as `mazurka cc` does.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Where the library is, in the form in which a compiler finds it.
fn library() -> &'static Path {
    static DIRECTORY: OnceLock<PathBuf> = OnceLock::new();
    DIRECTORY.get_or_init(|| {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("library");
        std::fs::create_dir_all(&directory).unwrap();
        std::fs::write(
            directory.join("libtsan.a"),
            mazurka_threads::LIBRARY.bytes(),
        )
        .unwrap();
        std::fs::write(directory.join("names.h"), mazurka_threads::HEADER).unwrap();
        directory
    })
}

/// Builds a program in C.
pub fn build(source: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    let name = source.file_stem().unwrap().to_str().unwrap();
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let assembly = program.with_extension("s");
    let status = Command::new("gcc")
        .args(["-fsanitize=thread", "-g", "-S", "-include"])
        .arg(library().join("names.h"))
        .arg("-o")
        .arg(&assembly)
        .arg(&source)
        .status();
    assert!(status.unwrap().success());
    let text = std::fs::read_to_string(&assembly).unwrap();
    std::fs::write(&assembly, mazurka_threads::announce(&text)).unwrap();
    let note = program.with_extension("note.o");
    let plain = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/note.c");
    let status = Command::new("gcc")
        .arg("-c")
        .arg(plain)
        .arg("-o")
        .arg(&note)
        .status();
    assert!(status.unwrap().success());
    let status = Command::new("gcc")
        .args(["-fsanitize=thread", "-static-libtsan", "-L"])
        .arg(library())
        .arg("-o")
        .args([&program, &assembly, &note])
        .status();
    assert!(status.unwrap().success());
    program
}
