//! Threaded programs as they are, built with `mazurka cc` and `mazurka c++`: `threads/*.c` and `*.cpp`; and by other compilers, explored
//! with `--preload`: `preload/*`. Each says in its first comment what is to be found.
//!
//! ```text
//! /* expect: holds */
//! /* expect: holds under sequential-consistency, executions 4 */
//! /* expect: violated data-race */
//! /* expect: inconclusive; options: --search random --executions 100 */
//! /* expect: holds; note: openat; options: --all */
//! ```
//!
//! `note: WORDS` asks for a note with these words, and `note: none` for none about restarting.

use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::Value;

const MAZURKA: &str = env!("CARGO_BIN_EXE_mazurka");

/// Who compiles a program.
#[derive(Clone, Copy)]
enum Compiler {
    /// `mazurka cc`, with the compiler that it finds or with this one.
    Ours(Option<&'static str>),
    /// The compiler of the system, which knows nothing of us.
    Other,
}

fn programs(folder: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests")
        .join(folder);
    let entries = std::fs::read_dir(directory).unwrap().flatten();
    let mut programs: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension()
                .is_some_and(|end| end == "c" || end == "cpp")
        })
        .collect();
    programs.sort();
    programs
}

#[test]
fn programs_are_judged_as_they_say() {
    judge_all(&programs("threads"), 60, Compiler::Ours(None));
}

#[test]
fn programs_of_others_are_judged_as_they_say() {
    judge_all(&programs("preload"), 20, Compiler::Other);
}

fn judge_all(programs: &[PathBuf], least: usize, compiler: Compiler) {
    assert!(
        programs.len() >= least,
        "the programs are not where they should be"
    );
    let (next, complaints) = (AtomicUsize::new(0), Mutex::new(vec![]));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(program) = programs.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if let Err(complaint) = judge(program, compiler) {
                        let complaint = format!("{}: {complaint}", program.display());
                        complaints.lock().unwrap().push(complaint);
                    }
                }
            });
        }
    });
    let complaints = complaints.into_inner().unwrap();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// The same with clang, where it is installed. It does not tell which compare-and-swaps are weak. `MAZURKA_CLANG=all` takes all programs.
#[test]
fn clang_will_do() {
    let is_there = Command::new("clang++").arg("--version").output().is_ok();
    if !is_there {
        return;
    }
    let chosen = [
        "assembly-",
        "cpp-",
        "ended-",
        "hazard-",
        "litmus-",
        "races-",
        "stack-",
        "treiber-",
        "value-",
    ];
    // What differs with clang: it loads no more than a structure has, stores plainly in `atomic_init`, and looks once more in a loop.
    let different = [
        "behind-value.c",
        "spin-own-stack.c",
        "spin-two-variables.c",
        "spurious-exchange.c",
    ];
    let all = std::env::var("MAZURKA_CLANG").is_ok_and(|which| which == "all");
    let mut programs = programs("threads");
    programs.retain(|program| {
        let name = program.file_name().unwrap_or_default().to_string_lossy();
        let is_chosen = all || chosen.iter().any(|start| name.starts_with(start));
        is_chosen && !different.contains(&&*name)
    });
    judge_all(&programs, 60, Compiler::Ours(Some("clang")));
}

fn judge(source: &Path, compiler: Compiler) -> Result<(), String> {
    let text = std::fs::read_to_string(source).map_err(|error| error.to_string())?;
    let first = text.lines().next().unwrap_or_default();
    let said = first
        .split_once("expect: ")
        .and_then(|(_, rest)| rest.split_once("*/"))
        .ok_or("the first comment says nothing")?
        .0
        .trim();
    let (said, options) = said.split_once("; options: ").unwrap_or((said, ""));
    let (said, note) = said.split_once("; note: ").unwrap_or((said, ""));
    let (said, executions) = match said.split_once(", executions ") {
        Some((said, count)) => (
            said,
            Some(count.parse::<u64>().map_err(|error| error.to_string())?),
        ),
        None => (said, None),
    };
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!(
        "{}thread-{}",
        match compiler {
            Compiler::Ours(name) => name.unwrap_or_default(),
            Compiler::Other => "other-",
        },
        source
            .file_name()
            .unwrap()
            .to_string_lossy()
            .replace('.', "-")
    ));
    let is_cpp = source.extension().is_some_and(|end| end == "cpp");
    let (ours, other) = match is_cpp {
        true => ("c++", "g++"),
        false => ("cc", "gcc"),
    };
    let mut command = match compiler {
        Compiler::Other => Command::new(other),
        Compiler::Ours(name) => {
            let mut command = Command::new(MAZURKA);
            if let Some(name) = name {
                command.env("MAZURKA_CC", name);
                command.env("MAZURKA_CXX", format!("{name}++"));
            }
            command.arg(ours);
            command
        }
    };
    let built = command
        .args(is_cpp.then_some("-std=c++20"))
        // In DWARF 5 of GCC, some versions of addr2line take the first header for the source file itself.
        .arg("-gdwarf-4")
        .arg(source)
        .arg("-o")
        .arg(&program)
        .output()
        .map_err(|error| error.to_string())?;
    if !built.status.success() {
        return Err(String::from_utf8_lossy(&built.stderr).into_owned());
    }
    let output = Command::new(MAZURKA)
        .args(["explore", "--json", "--time", "60s", "--scenario"])
        .arg(program.with_extension("scenario.json"))
        .args(options.split_whitespace())
        .args(matches!(compiler, Compiler::Other).then_some("--preload"))
        .arg("--")
        .arg(&program)
        .output()
        .map_err(|error| error.to_string())?;
    let answer: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("{error}: {}", String::from_utf8_lossy(&output.stderr)))?;
    let mut found = answer["verdict"].as_str().unwrap_or_default().to_string();
    if let Some(under) = answer["under"].as_str() {
        found += &format!(" under {under}");
    }
    if found == "violated" {
        found += &format!(
            " {}",
            answer["violations"][0]["kind"].as_str().unwrap_or_default()
        );
    }
    let at = &answer["violations"][0]["at"];
    let is_here = at["file"]
        .as_str()
        .is_some_and(|file| source.ends_with(file));
    if is_here && at["line"].as_u64() > Some(text.lines().count() as u64) {
        return Err(format!("there is no such line: {at}"));
    }
    let count = answer["stats"]["executions"].as_u64();
    if found != said {
        return Err(format!(
            "expected {said}, found {found}: {} {}",
            answer["reason"], answer["violations"]
        ));
    }
    let notes = answer["notes"].to_string() + &answer["reason"].to_string();
    let is_noted = match note {
        "none" => !notes.contains("process of its own"),
        words => notes.contains(words),
    };
    if !is_noted {
        return Err(format!("expected the note {note}, found {notes}"));
    }
    if executions.is_some() && executions != count {
        return Err(format!(
            "expected {executions:?} executions, found {count:?}"
        ));
    }
    if answer["stats"]["redundant_executions"].as_u64() != Some(0) && executions.is_some() {
        return Err(format!(
            "some executions are redundant: {}",
            answer["stats"]
        ));
    }
    Ok(())
}

/// With too little memory the reason is told; a program that nobody explores needs no more than usual.
#[test]
fn too_little_memory_is_told() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/threads/mutex-counter-2.c");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("thread-cramped");
    let built = Command::new(MAZURKA)
        .arg("cc")
        .arg(source)
        .arg("-o")
        .arg(&program)
        .output()
        .unwrap();
    assert!(built.status.success(), "{built:?}");
    let program = program.display();
    let cramped = |command: &str| {
        let command = format!("ulimit -v 700000; {command}");
        Command::new("sh").args(["-c", &command]).output().unwrap()
    };
    let explored = cramped(&format!("{MAZURKA} explore -- {program}"));
    let complaint = String::from_utf8_lossy(&explored.stderr);
    assert_eq!(explored.status.code(), Some(2), "{complaint}");
    assert!(complaint.contains("does not get the memory"), "{complaint}");
    assert!(complaint.contains("ulimit -v"), "{complaint}");
    let alone = cramped(&program.to_string());
    assert!(alone.status.success(), "{alone:?}");
}

/// Whoever follows a scenario runs the program as it was run then, and what is saved on the way says so too.
#[test]
fn a_scenario_is_followed_as_it_was_run() {
    for (name, option) in [
        ("races-ignored", "--races=ignore"),
        ("spurious-wakeup", "--spurious"),
        ("lost-wakeup", "--preload"),
    ] {
        let is_preloaded = option == "--preload";
        let folder = if is_preloaded { "preload" } else { "threads" };
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/{folder}/{name}.c"));
        let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("followed-{name}"));
        let scenario = program.with_extension("scenario.json");
        let saved = program.with_extension("saved.json");
        let run = |arguments: &[&str], input: &str| {
            let mut command = Command::new(MAZURKA);
            let command = command.args(arguments).stdin(Stdio::piped());
            let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
            let mut lines = child.stdin.take().unwrap();
            lines.write_all(input.as_bytes()).unwrap();
            drop(lines);
            let output = child.wait_with_output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout).into_owned();
            (output.status.code(), text)
        };
        let [source, program, scenario, saved] =
            [&source, &program, &scenario, &saved].map(|path| path.to_str().unwrap());
        if is_preloaded {
            let mut command = Command::new("gcc");
            let built = command.args([source, "-o", program]).status();
            assert!(built.unwrap().success());
        } else {
            assert_eq!(run(&["cc", source, "-o", program], "").0, Some(0));
        }
        let explored = run(
            &["explore", option, "--scenario", scenario, "--", program],
            "",
        );
        assert_eq!(explored.0, Some(1), "{}", explored.1);
        let lines = format!("goto 999\nsave {saved}\nq\n");
        let followed = run(&["simulate", "--scenario", scenario, "--", program], &lines);
        assert_eq!(followed.0, Some(1), "{}", followed.1);
        for path in [scenario, saved] {
            let repeated = run(&["replay", path], "");
            assert_eq!(repeated.0, Some(0), "{name}, {path}: {}", repeated.1);
        }
    }
}

/// A library that is built by `mazurka cc` is looked at like the program; of another one the report says that it is not. It says
/// how the program was compiled, too.
#[test]
fn a_library_is_looked_at_if_it_is_built_so() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("linked");
    std::fs::create_dir_all(&folder).unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).unwrap();
    let library = |before: &str, behind: &str| {
        format!(
            "#include <pthread.h>\nstatic pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; static int n;\n\
             void bump(void) {{ {before} n++; {behind} }}\n"
        )
    };
    let locks = ["pthread_mutex_lock(&m);", "pthread_mutex_unlock(&m);"];
    write("right.c", &library(locks[0], locks[1]));
    write("wrong.c", &library("", ""));
    write(
        "main.c",
        "#include <pthread.h>\nvoid bump(void);\nstatic void *run(void *none) { bump(); return none; }\n\
         int main(void) { pthread_t one; pthread_create(&one, 0, run, 0); bump(); return pthread_join(one, 0); }\n",
    );
    let run = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        let output = command.args(arguments).current_dir(&folder).output();
        let output = output.unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        (output.status.code(), text)
    };
    for (compiler, source, code, is_seen) in [
        (&[MAZURKA, "cc"][..], "right.c", 0, true),
        (&[MAZURKA, "cc"], "wrong.c", 1, true),
        (&["gcc"], "wrong.c", 3, false),
    ] {
        let options = ["-shared", "-fPIC", "-o", "part.so", source];
        let built = run(compiler[0], &[&compiler[1..], &options].concat());
        assert_eq!(built.0, Some(0), "{}", built.1);
        let level = if is_seen { "-O2" } else { "-O0" };
        let built = run(MAZURKA, &["cc", level, "-o", "main", "main.c", "./part.so"]);
        assert_eq!(built.0, Some(0), "{}", built.1);
        let (found, text) = run(MAZURKA, &["explore", "--", "./main"]);
        assert_eq!(found, Some(code), "{compiler:?}, {source}: {text}");
        assert_eq!(text.contains("not looked at: bump"), !is_seen, "{text}");
        let is_noted = text.contains("compiled with optimization");
        assert_eq!(is_noted, level == "-O2", "{text}");
    }
}

/// A race is shown with its two accesses. Its scenario is removed once the race is gone, and not where races are ignored.
#[test]
fn a_race_has_two_accesses_and_goes_with_them() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("race-gone");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let program = |increments: &str| {
        format!(
            "#include <pthread.h>\nint x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n\
             static void *run(void *none) {{\n{increments}\nreturn none; }}\n\
             int main(void) {{ pthread_t one; pthread_create(&one, 0, run, 0); run(0); return pthread_join(one, 0); }}\n"
        )
    };
    let run = |arguments: &[&str]| {
        let command = Command::new(MAZURKA)
            .args(arguments)
            .current_dir(&folder)
            .output();
        let output = command.unwrap();
        let text = String::from_utf8_lossy(&output.stdout).into_owned()
            + &String::from_utf8_lossy(&output.stderr);
        (output.status.code(), text)
    };
    let compile = |increments: &str| {
        std::fs::write(folder.join("race.c"), program(increments)).unwrap();
        let built = run(&["cc", "-g", "race.c", "-o", "race"]);
        assert_eq!(built.0, Some(0), "{}", built.1);
    };
    let scenario = folder.join("race.scenario.json");
    compile("x++;");
    for arguments in [
        &["explore", "--", "./race"][..],
        &["show", "race.scenario.json"],
    ] {
        let (_, text) = run(arguments);
        for access in ["race.c:4  write of 4 bytes at x", "race.c:4  read of 4"] {
            assert!(text.contains(access), "{text}");
        }
    }
    assert!(scenario.exists());
    let ignored = run(&["explore", "--races", "ignore", "--", "./race"]);
    assert_eq!(ignored.0, Some(0), "{}", ignored.1);
    assert!(scenario.exists());
    compile("pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);");
    let other = run(&["explore", "--", "./race", "argument"]);
    assert_eq!(other.0, Some(0), "{}", other.1);
    assert!(scenario.exists());
    let (code, text) = run(&["explore", "--", "./race"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("race.scenario.json was removed"), "{text}");
    assert!(!scenario.exists());
}

/// What a preloaded library cannot control is refused with the reason.
#[test]
fn what_cannot_be_preloaded_is_refused() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("preload-refused");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/preload/counter.c");
    let build = |program: &str, words: &[&str], name: &str| {
        let mut command = Command::new(program);
        command.args(words).arg(&source).arg("-o").arg(name);
        let built = command.current_dir(&folder).output().unwrap();
        assert!(built.status.success(), "{built:?}");
    };
    build("gcc", &[], "plain");
    build("gcc", &["-static"], "static");
    build(MAZURKA, &["cc"], "ours");
    std::fs::copy(folder.join("plain"), folder.join("setuid")).unwrap();
    let rights = std::fs::Permissions::from_mode(0o4755);
    std::fs::set_permissions(folder.join("setuid"), rights).unwrap();
    std::fs::write(folder.join("script"), "#!/bin/sh\n").unwrap();
    let refused = |words: &[&str], because: &str| {
        let mut command = Command::new(MAZURKA);
        let output = command.args(words).current_dir(&folder).output().unwrap();
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{words:?}: {text}");
        assert!(text.contains(because), "{words:?}: {text}");
    };
    let preload = ["explore", "--preload", "--"];
    for (name, because) in [
        ("./static", "linked statically"),
        ("./ours", "leave out --preload"),
        ("./setuid", "rights of its owner"),
        ("./script", "is a script"),
        ("./missing", "no such file"),
    ] {
        refused(&[&preload[..], &[name]].concat(), because);
    }
    refused(&["explore", "--", "./plain"], "--preload");
    let ignoring = ["explore", "--preload", "--races", "ignore", "--", "./plain"];
    refused(&ignoring, "races are not seen");
    let saving = [
        "explore",
        "--preload",
        "--checkpoint",
        "saved",
        "--",
        "./plain",
    ];
    refused(&saving, "--checkpoint");
}

/// A program of the system, which sorts with two threads, and whose output is right in whatever order they run.
#[test]
fn a_program_of_the_system_is_explored() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("preload-sort");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    let mut lines: Vec<String> = (0..150_000)
        .rev()
        .map(|line| format!("{line:06}\n"))
        .collect();
    std::fs::write(folder.join("lines"), lines.concat()).unwrap();
    let output = Command::new(MAZURKA)
        .args([
            "explore",
            "--preload",
            "--search",
            "random",
            "--executions",
            "2",
        ])
        .args([
            "--output",
            "--json",
            "--",
            "sort",
            "--parallel=2",
            "-o",
            "sorted",
            "lines",
        ])
        .current_dir(&folder)
        .output()
        .unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["verdict"], "inconclusive", "{answer}");
    assert_eq!(answer["stats"]["executions"], 2, "{answer}");
    assert!(
        answer["stats"]["max_depth"].as_u64() > Some(100),
        "{answer}"
    );
    lines.sort_unstable();
    let sorted = std::fs::read_to_string(folder.join("sorted")).unwrap();
    assert!(sorted == lines.concat(), "the output is not sorted");
}
