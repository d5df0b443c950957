//! Builds programs in C with the library.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Where the library is; cargo builds it as a test needs it, but for Rust alone.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        let target = test.ancestors().nth(3).unwrap();
        let status = Command::new(env!("CARGO"))
            .args(["build", "-q", "-p", "mazurka-capi", "--target-dir"])
            .arg(target)
            .current_dir(root())
            .status();
        assert!(status.unwrap().success());
        target.join("debug/libmazurka_c.a")
    })
}

/// Builds a program of one or more files.
pub fn build(sources: &str, compiler: &str, language: &str) -> PathBuf {
    let sources: Vec<PathBuf> = sources.split(' ').map(|file| root().join(file)).collect();
    let name = sources[0].file_stem().unwrap().to_str().unwrap();
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "{name}-{language}-{:?}",
        std::thread::current().id()
    ));
    let status = Command::new(compiler)
        .args(["-Wall", "-Wextra", "-Werror", "-g", "-x", language, "-I"])
        .arg(root().join("include"))
        .arg("-o")
        .arg(&program)
        .args(&sources)
        .args(["-x", "none"])
        .arg(library())
        .status();
    assert!(status.unwrap().success(), "{}", sources[0].display());
    program
}
