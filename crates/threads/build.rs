//! Builds the library that is linked into programs, so that the command carries it along as bytes: an
//! installed program has no other place to find it.
//!
//! A crate cannot be had both as a library for Rust and as a static library for C in one build, so
//! cargo is called once more, for this crate with the feature `runtime`, in a directory of its own.

use std::env;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if env::var_os("CARGO_FEATURE_RUNTIME").is_some() {
        return;
    }
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let out = PathBuf::from(env::var_os("OUT_DIR").unwrap_or_default());
    println!("cargo::rerun-if-changed=src");
    for part in ["runtime", "objects", "processes"] {
        let sources = root.join("..").join(part).join("src");
        if sources.exists() {
            println!("cargo::rerun-if-changed={}", sources.display());
        }
    }
    let (library, preloaded) = (out.join("libmazurka_threads.a"), out.join("preloaded.so"));
    let is_known = env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux")
        && env::var("CARGO_CFG_TARGET_ARCH").as_deref() == Ok("x86_64")
        // Who only makes the documentation has no network to fetch anything, and no use for the library.
        && env::var_os("DOCS_RS").is_none();
    let made = match is_known {
        true => build(&root, &out),
        false => vec![],
    };
    let is_made = !made.is_empty();
    std::fs::write(&library, made).expect("the library is written");
    match is_made {
        true => link(&library, &preloaded, &root.join("src/preloaded.map")),
        false => std::fs::write(&preloaded, []).expect("the library is written"),
    }
    pack(&library);
    pack(&preloaded);
}

/// Writes a file once more, compressed behind its length: the command carries it, and seldom needs it. Of nothing, nothing is written.
fn pack(path: &Path) {
    let bytes = std::fs::read(path).expect("the library is there");
    let mut packed = Vec::new();
    if !bytes.is_empty() {
        packed.extend((bytes.len() as u64).to_le_bytes());
        packed.extend(miniz_oxide::deflate::compress_to_vec(&bytes, 9));
    }
    std::fs::write(path.with_extension("packed"), packed).expect("the library is written");
}

/// Makes of the library one that the loader can put before those of any program. The linker is the one that Rust's programs are linked with
/// here; the libraries that Rust's own needs are those of the C compiler.
fn link(library: &Path, to: &Path, names: &Path) {
    let mut names_of = std::ffi::OsString::from("-Wl,--version-script=");
    names_of.push(names);
    let linker = env::var_os("CC").unwrap_or_else(|| "cc".into());
    let status = Command::new(linker)
        .args([
            "-shared",
            "-Wl,-u,mazurka_preloaded",
            "-Wl,-init,mazurka_preloaded",
        ])
        .args([
            "-Wl,--gc-sections",
            "-Wl,-O1",
            "-Wl,-s",
            "-Wl,-z,now",
            "-Wl,-Bsymbolic",
        ])
        .arg(names_of)
        .arg("-o")
        .args([to, library])
        .args(["-lgcc_s", "-lc", "-ldl", "-lpthread", "-lm"])
        .status();
    let is_linked = status.is_ok_and(|status| status.success());
    assert!(is_linked, "the library to be preloaded cannot be linked");
}

/// The bytes of the library.
fn build(root: &Path, out: &Path) -> Vec<u8> {
    let target = out.join("runtime");
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command
        .args([
            "rustc",
            "--quiet",
            "--release",
            "--lib",
            "--features",
            "runtime",
        ])
        .args(["--crate-type", "staticlib", "--manifest-path"])
        .arg(root.join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&target)
        .env("CARGO_PROFILE_RELEASE_PANIC", "abort")
        .env("CARGO_PROFILE_RELEASE_LTO", "fat")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "0")
        .env("CARGO_PROFILE_RELEASE_STRIP", "debuginfo");
    // What was meant for the build that calls this one.
    for name in [
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTC_WRAPPER",
        "CARGO_ENCODED_RUSTFLAGS",
        "RUSTFLAGS",
        "CARGO_TARGET_DIR",
        "CARGO_BUILD_TARGET",
        "CLIPPY_ARGS",
        "CARGO_FEATURE_RUNTIME",
    ] {
        command.env_remove(name);
    }
    let status = command.status().expect("cargo runs");
    assert!(
        status.success(),
        "the library for threaded programs cannot be built"
    );
    let built = target.join("release/libmazurka_threads.a");
    let small = out.join("stripped.a");
    // Three quarters of it are about debugging Rust's own library, or are that library once more, for optimisers. Where there is no
    // `strip`, it is only larger.
    let stripped = Command::new("strip")
        .args(["--strip-debug", "--enable-deterministic-archives"])
        .args([
            "--remove-section=.llvmbc",
            "--remove-section=.llvmcmd",
            "-o",
        ])
        .args([&small, &built])
        .status();
    let smallest = match stripped.is_ok_and(|status| status.success()) {
        true => small,
        false => built,
    };
    std::fs::read(&smallest).expect("cargo has built the library")
}
