//! Puts the static form of the unwinder into the library, where the C compiler has one. A program
//! that needs no other then needs no shared library for it, which would make it slower to fork.

use std::path::PathBuf;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CC");
    let compiler = std::env::var_os("CC").unwrap_or_else(|| "cc".into());
    let found = Command::new(compiler)
        .arg("-print-file-name=libgcc_eh.a")
        .output();
    let Some(path) = found
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .map(|name| PathBuf::from(name.trim()))
    else {
        return;
    };
    // A compiler that has none repeats the name.
    if let Some(directory) = path.parent().filter(|_| path.is_absolute()) {
        println!("cargo::rustc-link-search=native={}", directory.display());
        println!("cargo::rustc-link-lib=static:+bundle=gcc_eh");
    }
}
