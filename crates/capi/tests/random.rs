//! Random programs as real processes: every reduction ends in the same final states, deadlocks and
//! failed assertions as trying all interleavings, which in turn are those of the same program run
//! in process.
//!
//! `MAZURKA_PROGRAMS=1000 MAZURKA_SEED=7 cargo test -p mazurka-capi --test random` tries more; `MAZURKA_PAIRS=FILE` writes a table of which
//! actions met in how many programs; `MAZURKA_FILL=FILE` resumes one, and looks only at programs that fill an empty place of it.

mod support;

#[path = "../../actors/tests/random/end.rs"]
mod end;
#[path = "../../actors/tests/random/filling.rs"]
mod filling;
#[path = "../../actors/tests/random/program.rs"]
mod program;
#[path = "../../differential/src/table.rs"]
#[allow(dead_code)]
mod table;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use filling::Filling;
use mazurka_actors::Explorer;
use mazurka_explore::{
    Dependency, Observer, Options, Reduction, Report, StopReason, explore, explore_in_parallel,
};
use mazurka_processes::{Processes, Settings};
use mazurka_runtime::Kernel;
use program::{Action, Program, Random};
use table::Table;

/// A program has at most this many interleavings, so that all can be tried.
const MOST_EXECUTIONS: u64 = 200;

#[derive(Default)]
struct Ends {
    ends: BTreeSet<u64>,
    /// The kinds of actions that each execution performed; only those in process say so.
    performed: BTreeSet<u128>,
}

impl Observer for Ends {
    fn execution(&mut self, kernel: &Kernel) {
        self.ends.insert(end::end(kernel));
        self.performed.insert(program::performed());
    }
}

fn variable(name: &str, default: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn real_processes_agree_with_all_interleavings_in_process() {
    let interpreter = support::build("tests/programs/random.c", "cc", "c");
    let mut random = Random(variable("MAZURKA_SEED", 1));
    let wanted = variable("MAZURKA_PROGRAMS", 30);
    let (mut compared, mut executions, mut held) = (0, 0, 0);
    let mut filling = Filling::new(table());
    while compared < wanted && !filling.is_done() {
        let program = Program::wanted(&mut random, filling.missing());
        if !filling.wants(program.used()) {
            continue;
        }
        if let Some(found) = compare(&interpreter, &program) {
            compared += 1;
            executions += found.executions;
            held += u64::from(found.holds);
            if compared % 100 == 0 {
                println!("{compared} programs so far, {executions} executions");
            }
            filling.note(program.used(), found.performed);
        }
    }
    filling.write();
    println!(
        "{compared} programs, {held} of which hold, {executions} executions of real processes"
    );
}

fn table() -> Table {
    let in_c = |name: &&str| {
        !program::NOT_IN_C
            .iter()
            .any(|start| name.starts_with(start))
    };
    let names = Action::NAMES.into_iter().filter(in_c).collect();
    Table::new(names, filling::COLUMNS, |_, _, _| None)
}

/// The table that is kept has no place that is empty without a reason.
#[test]
fn every_pair_of_actions_met() {
    filling::assert_full(table(), "pairs-capi.tsv");
}

struct Compared {
    /// How many executions were tried.
    executions: u64,
    /// What each of them performed.
    performed: BTreeSet<u128>,
    holds: bool,
}

/// None if the program has too many executions, or too few to be of interest, or cannot be written in C.
fn compare(interpreter: &Path, program: &Program) -> Option<Compared> {
    let arguments = program.text()?;
    let mut all = Ends::default();
    let explorer = Explorer::new().all();
    let limited = explorer.clone().reduction(Reduction::None);
    let report = limited
        .executions(MOST_EXECUTIONS)
        .run_with(|| program.run(), None, &mut all)
        .expect("it is sound");
    if report.stop != StopReason::Complete || report.statistics.executions < 3 {
        return None;
    }
    let classes = explorer.run(|| program.run()).statistics.executions;
    let mut command = vec![OsString::from(interpreter)];
    command.extend(arguments.iter().map(OsString::from));
    let mut engine = Processes::start(&command, Settings::default()).unwrap();
    let mut executions = 0;
    for reduction in [
        Reduction::None,
        Reduction::Sleep,
        Reduction::Persistent,
        Reduction::Dpor,
    ] {
        for dependency in [Dependency::Constant, Dependency::Refined] {
            let what = format!("{reduction:?}, {dependency:?}: {arguments:?}");
            let options = Options {
                reduction,
                dependency,
                all: true,
                ..Options::default()
            };
            let mut some = Ends::default();
            let found = explore(&mut engine, &options, &mut some);
            assert_eq!(found.reason, StopReason::Complete, "{what}");
            assert_eq!(some.ends, all.ends, "{what}");
            let count = found.statistics.executions;
            executions += count;
            match (reduction, dependency) {
                (Reduction::None, _) => assert_eq!(count, report.statistics.executions, "{what}"),
                (_, Dependency::Constant) => assert_eq!(count, classes, "{what}"),
                _ => assert!(count <= classes, "{what}"),
            }
        }
    }
    assert_eq!(engine.strays(), 0);
    drop(engine);
    let shared: Report = explore_in_parallel(
        |number| {
            let settings = Settings {
                number: Some(number),
                ..Settings::default()
            };
            Processes::start(&command, settings)
        },
        &Options {
            all: true,
            ..Options::default()
        },
        2,
        &mut (),
    );
    assert_eq!(shared.reason, StopReason::Complete, "{arguments:?}");
    assert_eq!(shared.statistics.executions, classes, "{arguments:?}");
    Some(Compared {
        executions,
        performed: all.performed,
        holds: report.violations.is_empty(),
    })
}
