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
        std::fs::write(directory.join("libtsan.a"), mazurka_threads::LIBRARY).unwrap();
        std::fs::write(directory.join("names.h"), mazurka_threads::HEADER).unwrap();
        directory
    })
}

/// Builds a program in C.
pub fn build(source: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    let name = source.file_stem().unwrap().to_str().unwrap();
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let status = Command::new("gcc")
        .args(["-fsanitize=thread", "-static-libtsan", "-g", "-include"])
        .arg(library().join("names.h"))
        .arg("-L")
        .arg(library())
        .arg("-o")
        .arg(&program)
        .arg(&source)
        .status();
    assert!(status.unwrap().success());
    program
}
