//! Programs in C, built with the library and explored as real processes: what goes wrong in them
//! is reported, and nothing of them is left.

mod support;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use mazurka_explore::{
    Dependency, Options, Reduction, Report, StopReason, ViolationKind, explore, replay,
};
use mazurka_processes::{Processes, Settings};
use support::build;

/// Set for a copy of this test that is to be killed.
const VICTIM: &str = "MAZURKA_TEST_VICTIM";

struct Explored {
    report: Report,
    strays: u32,
}

fn run(source: &str, arguments: &[&str], settings: Settings, options: &Options) -> Explored {
    let program = build(source, "cc", "c");
    run_built(&program, arguments, settings, options)
}

fn run_built(
    program: &Path,
    arguments: &[&str],
    settings: Settings,
    options: &Options,
) -> Explored {
    let mut command = vec![program.as_os_str().to_owned()];
    command.extend(arguments.iter().map(Into::into));
    let mut engine = Processes::start(&command, settings).unwrap();
    let report = explore(&mut engine, options, &mut ());
    if let Some(violation) = report.violations.first() {
        let again = replay(&mut engine, &violation.schedule, &options.judgement).unwrap();
        let same = |other: &mazurka_explore::Finding| other.message == violation.message;
        assert!(again.unwrap().iter().any(same), "{}", violation.message);
    }
    let strays = engine.strays();
    drop(engine);
    assert_eq!(processes_of(program), 0);
    Explored { report, strays }
}

fn plain(source: &str, arguments: &[&str]) -> Explored {
    run(source, arguments, Settings::default(), &Options::default())
}

fn violation(explored: &Explored, kind: ViolationKind, message: &str) {
    let first = &explored.report.violations[0];
    assert_eq!(first.kind, kind);
    assert!(first.message.contains(message), "{}", first.message);
    assert!(first.at.is_some());
}

/// How many processes run a program.
fn processes_of(program: &Path) -> usize {
    let entries = std::fs::read_dir("/proc").unwrap().flatten();
    entries
        .filter(|entry| {
            std::fs::read_link(entry.path().join("exe")).is_ok_and(|path| path == program)
        })
        .count()
}

/// Whose parent was killed ends within a moment; the limit is for a machine with a lot to do.
fn wait_for_the_end_of(program: &Path) {
    let began = Instant::now();
    while processes_of(program) > 0 && began.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert_eq!(processes_of(program), 0);
}

#[test]
fn all_objects_work_from_c() {
    let explored = plain("tests/programs/objects.c", &[]);
    assert_eq!(explored.report.violations, []);
    assert_eq!(explored.report.reason, StopReason::Complete);
    assert!(explored.report.statistics.executions > 10);
    assert_eq!(explored.strays, 0);
}

#[test]
fn all_objects_work_from_cpp() {
    let program = build("tests/programs/objects.c", "c++", "c++");
    let explored = run_built(&program, &[], Settings::default(), &Options::default());
    assert_eq!(explored.report.reason, StopReason::Complete);
}

/// They are caught; one that nobody catches ends its actor.
#[test]
fn exceptions_of_cpp() {
    let program = build("tests/programs/exceptions.cpp", "c++", "c++");
    let explored = run_built(&program, &[], Settings::default(), &Options::default());
    violation(&explored, ViolationKind::Crash, "it was ended by SIGABRT");
}

/// An operation by a thread that is no actor is not taken for one of an actor.
#[test]
fn threads_of_actors() {
    let source = "tests/programs/threads.c";
    let explored = plain(source, &[]);
    uncontrolled(&explored.report, "it makes threads");
    assert_eq!(explored.report.violations, []);
    let explored = plain(source, &["loud"]);
    violation(
        &explored,
        ViolationKind::RuntimeError,
        "a thread other than its first",
    );
}

fn uncontrolled(report: &Report, what: &str) {
    match &report.reason {
        StopReason::Uncontrolled(reason) => assert!(reason.contains(what), "{reason}"),
        reason => panic!("{what}: {reason:?}"),
    }
}

/// What the kernel does not see is never said to hold.
#[test]
fn what_is_not_under_control() {
    let source = "tests/programs/outside.c";
    assert_eq!(plain(source, &[]).report.reason, StopReason::Complete);
    for (how, what) in [
        ("thread", "it makes threads"),
        ("fork", "it makes processes by itself"),
        ("program", "it runs other programs"),
        ("memory", "memory that processes share"),
    ] {
        uncontrolled(&plain(source, &[how]).report, what);
    }
    let settings = Settings {
        divergence: Some(Duration::from_millis(300)),
        ..Settings::default()
    };
    let explored = run(source, &["pipe"], settings, &Options::default());
    uncontrolled(
        &explored.report,
        "something that is not an object of Mazurka",
    );
    assert_eq!(explored.report.violations, []);
}

/// Limits hold within an execution.
#[test]
fn time_is_over_within_an_execution() {
    let settings = Settings {
        divergence: None,
        ..Settings::default()
    };
    let options = Options {
        time: Some(Duration::from_millis(300)),
        ..Options::default()
    };
    let explored = run("tests/programs/outside.c", &["loop"], settings, &options);
    assert_eq!(explored.report.reason, StopReason::Time);
}

#[test]
fn as_many_executions_as_there_are_inequivalent_ones() {
    let source = "../../examples/c/philosophers.c";
    for (number, executions) in [("3", 6), ("4", 14), ("5", 30)] {
        let report = plain(source, &[number, "ordered"]).report;
        assert_eq!(report.reason, StopReason::Complete);
        assert_eq!(report.statistics.executions, executions);
        assert_eq!(report.statistics.redundant_executions, 0);
    }
    let all = Options {
        all: true,
        ..Options::default()
    };
    let report = run(source, &["5"], Settings::default(), &all).report;
    assert_eq!(report.statistics.executions, 31);
    assert_eq!(report.violations.len(), 1);
    assert_eq!(report.violations[0].kind, ViolationKind::Deadlock);
}

#[test]
fn every_reduction_finds_the_lost_update() {
    for reduction in [
        Reduction::None,
        Reduction::Sleep,
        Reduction::Persistent,
        Reduction::Dpor,
    ] {
        for dependency in [Dependency::Constant, Dependency::Refined] {
            let options = Options {
                reduction,
                dependency,
                ..Options::default()
            };
            let source = "../../examples/c/lost_update.c";
            let explored = run(source, &[], Settings::default(), &options);
            violation(&explored, ViolationKind::Assertion, "mazurka_read(x) == 2");
        }
    }
}

#[test]
fn a_program_that_hangs_diverges() {
    let settings = Settings {
        divergence: Some(Duration::from_millis(500)),
        ..Settings::default()
    };
    let explored = run("tests/programs/hangs.c", &[], settings, &Options::default());
    violation(&explored, ViolationKind::Divergence, "other does not come");
}

#[test]
fn crashes_are_observed() {
    for (how, message) in [
        ("signal", "SIGSEGV"),
        ("abort", "SIGABRT"),
        ("kill", "SIGKILL"),
    ] {
        let explored = plain("tests/programs/crashes.c", &[how]);
        violation(&explored, ViolationKind::Crash, message);
    }
}

#[test]
fn exit_codes_are_judged_if_asked_for() {
    for how in ["exit", "_exit"] {
        let explored = plain("tests/programs/crashes.c", &[how]);
        assert_eq!(explored.report.reason, StopReason::Complete);
        let settings = Settings {
            judge_exit_codes: true,
            ..Settings::default()
        };
        let options = Options::default();
        let explored = run("tests/programs/crashes.c", &[how], settings, &options);
        violation(&explored, ViolationKind::Crash, "code 7");
    }
}

#[test]
fn after_a_crash_the_others_go_on() {
    let all = Options {
        all: true,
        ..Options::default()
    };
    let source = "tests/programs/crashes.c";
    let report = run(source, &["signal"], Settings::default(), &all).report;
    assert_eq!(report.reason, StopReason::Complete);
    assert_eq!(report.statistics.executions, 2);
    assert_eq!(report.violations.len(), 1);
}

#[test]
fn stray_children_are_ended() {
    let explored = plain("tests/programs/strays.c", &[]);
    uncontrolled(&explored.report, "it makes processes by itself");
    assert!(explored.strays >= 2);
}

#[test]
fn descriptors_and_output_of_the_program_are_its_own() {
    for source in ["tests/programs/closes.c", "tests/programs/writes.c"] {
        let explored = plain(source, &[]);
        assert_eq!(explored.report.reason, StopReason::Complete);
        assert!(explored.report.violations.is_empty());
    }
}

/// Whatever a program does, the explorer says something, and nothing is left.
#[test]
fn hostile_programs() {
    let program = build("tests/programs/hostile.c", "cc", "c");
    let explored = |how: &str| {
        let settings = Settings {
            divergence: Some(Duration::from_millis(300)),
            ..Settings::default()
        };
        let command = [program.as_os_str().to_owned(), how.into()];
        let mut engine = Processes::start(&command, settings).unwrap();
        let report = explore(&mut engine, &Options::default(), &mut ());
        drop(engine);
        wait_for_the_end_of(&program);
        report
    };
    assert_eq!(explored("").reason, StopReason::Complete);
    uncontrolled(
        &explored("exec"),
        "something that is not an object of Mazurka",
    );
    for how in ["stop", "deaf"] {
        let report = explored(how);
        assert_eq!(
            report.violations[0].kind,
            ViolationKind::Divergence,
            "{how}"
        );
    }
    for how in ["actors", "objects", "endless"] {
        let reason = explored(how).reason;
        assert!(matches!(reason, StopReason::Limit(_)), "{how}: {reason}");
    }
    uncontrolled(&explored("session"), "it makes processes by itself");
    for how in ["parent", "group", "scribble"] {
        let report = explored(how);
        let told = matches!(report.reason, StopReason::Engine(_));
        assert!(told || !report.violations.is_empty(), "{how}: {report:?}");
    }
}

#[test]
fn misuse_is_reported() {
    let explored = plain("tests/programs/misuse.c", &[]);
    violation(&explored, ViolationKind::RuntimeError, "does not hold");
}

#[test]
fn a_program_that_does_not_repeat_itself_is_never_said_to_hold() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("runs");
    for reduction in [Reduction::None, Reduction::Dpor] {
        let _ = std::fs::remove_file(&file);
        let options = Options {
            reduction,
            ..Options::default()
        };
        let arguments = [file.to_str().unwrap()];
        let source = "tests/programs/remembers.c";
        let report = run(source, &arguments, Settings::default(), &options).report;
        assert!(matches!(report.reason, StopReason::Nondeterminism(_)));
    }
}

/// The third property of `examples/hbm`, which takes longest, for fewer intervals. The others are
/// checked by the Makefile there, which a test of the command line runs.
#[test]
fn the_heart_beat_monitor() {
    let sources = "../../examples/hbm/hbm.c ../../examples/hbm/monitor.c";
    let program = build(sources, "cc", "c");
    let options = Options::default();
    let report = run_built(&program, &["3", "4"], Settings::default(), &options).report;
    assert_eq!(report.reason, StopReason::Complete);
    assert_eq!(report.violations, []);
}

#[test]
fn a_program_without_the_library_is_refused() {
    let refused = Processes::start(&["/bin/true".into()], Settings::default());
    assert!(refused.is_err_and(|error| error.0.contains("not under control")));
    let refused = Processes::start(&["/no/such/program".into()], Settings::default());
    assert!(refused.is_err_and(|error| error.0.contains("cannot run")));
}

/// Not a test of its own: what the next one kills.
#[test]
fn victim() {
    let Some(program) = std::env::var_os(VICTIM) else {
        return;
    };
    let settings = Settings {
        divergence: None,
        ..Settings::default()
    };
    let mut engine = Processes::start(&[program], settings).unwrap();
    explore(&mut engine, &Options::default(), &mut ());
}

#[test]
fn nothing_is_left_when_the_explorer_is_killed() {
    for source in ["tests/programs/hangs.c", "tests/programs/strays.c"] {
        let program = build(source, "cc", "c");
        let mut explorer = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "victim"])
            .env(VICTIM, &program)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        let hangs = source.contains("hangs");
        let is_under_way = || processes_of(&program) > if hangs { 1 } else { 0 };
        while !is_under_way() && explorer.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        explorer.kill().unwrap();
        explorer.wait().unwrap();
        wait_for_the_end_of(&program);
    }
}
