//! Transcripts of `explore`, `replay` and `show` for real programs: `explore/*.transcript`, run in a
//! directory with the examples in C, which their own Makefiles build.
//!
//! `$ COMMAND` is followed by what it prints, and by `? CODE` if its exit code is not 0. Times are
//! `[time]`. `MAZURKA_OVERWRITE=1 cargo test -p mazurka-cli --test explore` writes them anew.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// The variable that asks for new transcripts.
const OVERWRITE: &str = "MAZURKA_OVERWRITE";

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap()
}

fn succeed(command: &mut Command) -> Output {
    let output = command.output().unwrap();
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {error}");
    output
}

/// Builds the library, and returns the directory where it is.
fn library() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let target = test.ancestors().nth(3).unwrap();
    succeed(
        Command::new(env!("CARGO"))
            .args(["build", "-q", "-p", "mazurka-capi", "--target-dir"])
            .arg(target)
            .current_dir(root()),
    );
    target.join("debug")
}

/// A new directory with everything that the transcripts need.
fn playground(name: &str) -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let built = BUILT.get_or_init(|| {
        let directory = new_directory("programs");
        for source in ["examples/c", "examples/hbm", "crates/cli/tests/explore"] {
            copy_files(&root().join(source), &directory);
            make(&directory);
            let _ = std::fs::remove_file(directory.join("Makefile"));
        }
        directory
    });
    let directory = new_directory(name);
    copy_files(built, &directory);
    directory
}

fn new_directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).unwrap();
    directory
}

fn copy_files(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap().flatten() {
        if entry.path().is_file() {
            std::fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
    }
}

/// Builds what there is to build: by the Makefile, or else each file by itself.
fn make(directory: &Path) {
    let library = library();
    let header = root().join("crates/capi/include");
    if directory.join("Makefile").exists() {
        succeed(
            Command::new("make")
                .arg(format!("MAZURKA={}", library.display()))
                .arg(format!("HEADER={}", header.display()))
                .current_dir(directory),
        );
        return;
    }
    for program in ["keeps", "hangs"] {
        succeed(
            Command::new("cc")
                .args(["-g", "-o", program])
                .arg("-I")
                .arg(&header)
                .arg(format!("{program}.c"))
                .arg(library.join("libmazurka_c.a"))
                .current_dir(directory),
        );
    }
}

/// What a command prints, and its exit code.
fn transcript_of(command: &str, directory: &Path) -> String {
    let mazurka = Path::new(env!("CARGO_BIN_EXE_mazurka")).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let output = Command::new("sh")
        .args(["-c", &format!("{command} 2>&1")])
        .env("PATH", format!("{}:{path}", mazurka.display()))
        .env("COLUMNS", "100")
        .current_dir(directory)
        .output()
        .unwrap();
    let mut text = format!("$ {command}\n");
    if let Some(code) = output.status.code().filter(|&code| code != 0) {
        text += &format!("? {code}\n");
    }
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        text += without_time(line).trim_end();
        text += "\n";
    }
    text
}

/// A line whose time, if it ends in one, is left out.
fn without_time(line: &str) -> String {
    let is_time = |text: &str| text.contains('.') && text.parse::<f64>().is_ok();
    match line
        .strip_suffix(" s")
        .and_then(|rest| rest.rsplit_once(' '))
    {
        Some((before, time)) if is_time(time) => format!("{before} [time]"),
        _ => line.into(),
    }
}

fn compare(name: &str) {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/explore/{name}.transcript"));
    let expected = std::fs::read_to_string(&file).unwrap();
    let directory = playground(name);
    let mut seen = String::new();
    for line in expected.lines() {
        if let Some(command) = line.strip_prefix("$ ") {
            if !seen.is_empty() {
                seen += "\n";
            }
            seen += &transcript_of(command, &directory);
        }
    }
    if std::env::var_os(OVERWRITE).is_some() {
        std::fs::write(&file, seen).unwrap();
        return;
    }
    assert!(seen == expected, "{name}:\n{seen}");
}

#[test]
fn violations() {
    compare("violations");
}

#[test]
fn searches() {
    compare("searches");
}

#[test]
fn simulations() {
    compare("simulations");
}

#[test]
fn refused() {
    compare("refused");
}

/// How many processes run a program.
fn processes_of(program: &Path) -> usize {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    let runs_it = |entry: &std::fs::DirEntry| {
        std::fs::read_link(entry.path().join("exe")).is_ok_and(|path| path == program)
    };
    entries.filter(runs_it).count()
}

/// Ctrl-C ends a search, says so, and leaves nothing behind; a second signal that cannot be caught
/// leaves nothing behind either.
#[test]
fn interrupted() {
    let directory = playground("interrupted");
    let program = directory.join("hangs").canonicalize().unwrap();
    for (signal, code, jobs) in [
        ("INT", Some(3), "1"),
        ("INT", Some(3), "2"),
        ("KILL", None, "2"),
    ] {
        let mut explorer = Command::new(env!("CARGO_BIN_EXE_mazurka"))
            .args([
                "explore",
                "--divergence",
                "0",
                "--jobs",
                jobs,
                "--",
                "./hangs",
            ])
            .current_dir(&directory)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // The server, and actors that hang.
        while processes_of(&program) < 2 {
            assert_eq!(explorer.try_wait().unwrap(), None);
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(300));
        let pid = explorer.id().to_string();
        succeed(Command::new("kill").args(["-s", signal, &pid]));
        assert_eq!(explorer.wait().unwrap().code(), code, "{signal} {jobs}");
        // The limit is for a machine with a lot to do.
        let began = Instant::now();
        while processes_of(&program) > 0 && began.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(10));
        }
        assert_eq!(processes_of(&program), 0, "{signal} {jobs}");
    }
}

/// The Makefile of the heart-beat monitor checks six of its seven properties.
#[test]
fn makefile_of_the_heart_beat_monitor() {
    let directory = playground("heart-beat");
    std::fs::copy(
        root().join("examples/hbm/Makefile"),
        directory.join("Makefile"),
    )
    .unwrap();
    let output = succeed(
        Command::new("make")
            .arg("check-short")
            .arg(format!("MAZURKA={}", library().display()))
            .arg(format!(
                "HEADER={}",
                root().join("crates/capi/include").display()
            ))
            .current_dir(&directory),
    );
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        text.contains("holds") && text.contains("violated"),
        "{text}"
    );
}
