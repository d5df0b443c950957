//! A search that is stopped again and again, and resumed from its file, finds what it would
//! have found at once.

#[path = "random/end.rs"]
mod end;
#[path = "random/program.rs"]
mod program;
mod programs;

use std::collections::BTreeSet;

use mazurka_actors::{
    Checkpoint, Coroutines, Dependency, Observer, Options, Reduction, STACK, StopReason,
};
use mazurka_explore::{Report, explore, explore_in_parallel, go_on, go_on_in_parallel};
use mazurka_runtime::Kernel;
use program::{Program, Random};

#[derive(Default)]
struct Keeper {
    ends: BTreeSet<u64>,
    checkpoint: Option<String>,
}

impl Observer for Keeper {
    fn execution(&mut self, kernel: &Kernel) {
        self.ends.insert(end::end(kernel));
    }

    fn wants_checkpoint(&mut self, is_stopping: bool) -> bool {
        is_stopping
    }

    fn checkpoint(&mut self, checkpoint: Checkpoint) {
        self.checkpoint = Some(checkpoint.to_json());
    }
}

/// Explores in portions of this many executions, each by an engine of its own.
fn in_portions(program: &(impl Fn() + Sync), options: &Options, portion: u64) -> (Report, Keeper) {
    let mut keeper = Keeper::default();
    let mut limit = portion;
    loop {
        let options = Options {
            executions: Some(limit),
            ..options.clone()
        };
        let mut engine = Coroutines::new(program, STACK);
        let report = match keeper.checkpoint.take() {
            None => explore(&mut engine, &options, &mut keeper),
            Some(text) => {
                let checkpoint = Checkpoint::from_json(text.as_bytes()).unwrap();
                go_on(&mut engine, &options, &mut keeper, &checkpoint)
            }
        };
        if report.reason != StopReason::Executions {
            return (report, keeper);
        }
        limit += portion;
    }
}

fn compare(program: &(impl Fn() + Sync), options: &Options, portion: u64, what: &str) {
    let mut keeper = Keeper::default();
    let mut engine = Coroutines::new(program, STACK);
    let whole = explore(&mut engine, options, &mut keeper);
    let (parts, kept) = in_portions(program, options, portion);
    assert_eq!(parts.reason, whole.reason, "{what}");
    assert_eq!(kept.ends, keeper.ends, "{what}");
    let counts = |report: &Report| {
        let statistics = &report.statistics;
        (
            statistics.executions,
            statistics.redundant_executions,
            statistics.transitions,
            statistics.max_depth,
        )
    };
    assert_eq!(counts(&parts), counts(&whole), "{what}");
    assert_eq!(parts.violations, whole.violations, "{what}");
}

#[test]
fn random_programs_in_portions() {
    let mut random = Random(11);
    let mut compared = 0;
    while compared < 40 {
        let program = Program::random(&mut random);
        let run = || program.run();
        for reduction in [
            Reduction::Dpor,
            Reduction::Sleep,
            Reduction::Persistent,
            Reduction::None,
        ] {
            for dependency in [Dependency::Constant, Dependency::Refined] {
                let options = Options {
                    reduction,
                    dependency,
                    all: true,
                    ..Options::default()
                };
                let limited = Options {
                    executions: Some(300),
                    ..options.clone()
                };
                let mut engine = Coroutines::new(&run, STACK);
                if explore(&mut engine, &limited, &mut ()).reason != StopReason::Complete {
                    continue;
                }
                let what = format!("{reduction:?} {dependency:?} {program:#?}");
                compare(&run, &options, 1 + random.below(7) as u64, &what);
                compared += 1;
            }
        }
    }
}

#[test]
fn executions_that_are_cut() {
    let options = Options {
        depth: Some(12),
        all: true,
        ..Options::default()
    };
    compare(&|| programs::adders(3, 3), &options, 7, "cut");
    let options = Options {
        reduction: Reduction::None,
        preemptions: Some(1),
        ..Options::default()
    };
    compare(&|| programs::adders(3, 3), &options, 5, "preemptions");
}

/// What is still to be explored may be a long sequence, which a file must not nest as deeply.
#[test]
fn long_sequences() {
    let program = || {
        use mazurka_actors::sync::Arc;
        use mazurka_actors::sync::atomic::{AtomicU32, Ordering};
        let shared = Arc::new(AtomicU32::new(0));
        let threads: Vec<_> = (0..3)
            .map(|number| {
                let shared = shared.clone();
                mazurka_actors::thread::spawn(move || {
                    let own = AtomicU32::new(0);
                    for _ in 0..number * 70 {
                        own.store(1, Ordering::SeqCst);
                    }
                    shared.store(number, Ordering::SeqCst);
                })
            })
            .collect();
        for thread in threads {
            thread.join().unwrap();
        }
    };
    let options = Options {
        all: true,
        ..Options::default()
    };
    compare(&program, &options, 1, "long sequences");
}

/// Explores by several jobs in portions of about this many executions; how many jobs there are changes.
fn in_shared_portions(
    program: &(impl Fn() + Sync),
    options: &Options,
    portion: u64,
) -> (Report, u64) {
    let make = |_| Ok(Coroutines::new(program, STACK));
    let mut keeper = Keeper::default();
    let (mut limit, mut stops) = (portion, 0);
    loop {
        let options = Options {
            executions: Some(limit),
            ..options.clone()
        };
        let jobs = 1 + (stops % 3) as usize;
        let report = match keeper.checkpoint.take() {
            None => explore_in_parallel(make, &options, 2, &mut keeper),
            Some(text) => {
                let checkpoint = Checkpoint::from_json(text.as_bytes()).unwrap();
                assert!(checkpoint.is_shared());
                go_on_in_parallel(make, &options, jobs, &mut keeper, &checkpoint)
            }
        };
        if report.reason != StopReason::Executions {
            return (report, stops);
        }
        stops += 1;
        limit += portion;
    }
}

#[test]
fn several_jobs_in_portions() {
    for dependency in [Dependency::Constant, Dependency::Refined] {
        for reduction in [Reduction::Dpor, Reduction::Sleep, Reduction::None] {
            for depth in [None, Some(11)] {
                let options = Options {
                    reduction,
                    dependency,
                    depth,
                    all: true,
                    ..Options::default()
                };
                let what = format!("{reduction:?} {dependency:?} {depth:?}");
                let program = || programs::dining(3, false);
                let make = |_| Ok(Coroutines::new(&program, STACK));
                let whole = explore_in_parallel(make, &options, 2, &mut ());
                // Enough to take the work apart at once.
                let portion = 40 + whole.statistics.executions / 5;
                let (parts, stops) = in_shared_portions(&program, &options, portion);
                assert_eq!(parts.reason, whole.reason, "{what}");
                let counted =
                    |report: &Report| (report.statistics.executions, report.statistics.cut);
                assert_eq!(counted(&parts), counted(&whole), "{what}");
                let messages = |report: &Report| -> BTreeSet<String> {
                    let violations = report.violations.iter();
                    violations
                        .map(|violation| violation.message.clone())
                        .collect()
                };
                assert_eq!(messages(&parts), messages(&whole), "{what}");
                assert!(stops > 0 || whole.statistics.executions < 50, "{what}");
            }
        }
    }
}

/// A program that is not the one the checkpoint was made with is noticed.
#[test]
fn another_program() {
    let options = Options {
        executions: Some(5),
        ..Options::default()
    };
    let mut keeper = Keeper::default();
    let program = || programs::adders(3, 2);
    explore(&mut Coroutines::new(&program, STACK), &options, &mut keeper);
    let checkpoint = Checkpoint::from_json(keeper.checkpoint.unwrap().as_bytes()).unwrap();
    let other = || programs::lost_update(3);
    let mut engine = Coroutines::new(&other, STACK);
    let report = go_on(&mut engine, &Options::default(), &mut (), &checkpoint);
    assert!(matches!(report.reason, StopReason::Nondeterminism(_)));
}

#[test]
fn files_that_are_no_checkpoints() {
    for text in ["", "{}", "[1]", r#"{"format":"mazurka-scenario"}"#] {
        assert!(Checkpoint::from_json(text.as_bytes()).is_err(), "{text}");
    }
    let mut keeper = Keeper::default();
    let options = Options {
        executions: Some(5),
        ..Options::default()
    };
    let program = || programs::adders(3, 2);
    explore(&mut Coroutines::new(&program, STACK), &options, &mut keeper);
    let text = keeper.checkpoint.unwrap();
    for (from, to) in [
        ("\"from\":", "\"from\":1"),
        ("\"version\":5", "\"version\":4"),
        ("\"schedule\":[[", "\"schedule\":[[64,0],["),
        ("\"numbered\":", "\"numbered\":9"),
    ] {
        let damaged = text.replace(from, to);
        assert!(Checkpoint::from_json(damaged.as_bytes()).is_err(), "{to}");
    }
}

/// What makes a proof impossible in an early execution does so after the search was resumed by another engine.
#[test]
fn what_was_not_under_control_is_not_forgotten() {
    use mazurka_actors::sync::atomic::{AtomicBool, Ordering::SeqCst};
    use mazurka_actors::thread;
    let program = || {
        let flag = std::sync::Arc::new(AtomicBool::new(false));
        let other = flag.clone();
        let child = thread::spawn(move || other.store(true, SeqCst));
        if !flag.load(SeqCst) {
            child.is_finished();
        }
        flag.load(SeqCst);
    };
    let options = Options::default();
    let at_once = explore(&mut Coroutines::new(&program, STACK), &options, &mut ());
    assert!(matches!(at_once.reason, StopReason::Uncontrolled(_)));
    let (report, _) = in_portions(&program, &options, 1);
    assert!(report.statistics.executions > 1);
    let is_told = matches!(report.reason, StopReason::Uncontrolled(_));
    assert!(is_told, "{:?}", report.reason);
}
