//! Random threaded programs: every reduction finds the same ends and the same data races as trying all
//! interleavings, and dynamic reduction explores each class of equivalent ones once.
//!
//! `MAZURKA_PROGRAMS=1000 MAZURKA_SEED=7 cargo test -p mazurka-threads --test random` tries more; `MAZURKA_PAIRS=FILE` writes a table of
//! which operations met in how many programs.

mod support;
#[path = "../../differential/src/table.rs"]
#[allow(dead_code)]
mod table;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use mazurka_explore::{Observer, Options, Reduction, StopReason, class, explore};
use mazurka_processes::{Processes, Settings};
use mazurka_runtime::{ActorState, FailureKind, Kernel};
use table::Table;

/// A program has at most this many interleavings, so that all can be tried.
const MOST_EXECUTIONS: u64 = 1500;

/// The letters of operations in `random.c`, and what the table of pairs calls them.
const OPERATIONS: [(char, &str); 22] = [
    ('l', "load"),
    ('s', "store"),
    ('x', "exchange"),
    ('f', "fetch-add"),
    ('c', "compare-exchange"),
    ('o', "fetch-or"),
    ('a', "fence"),
    ('p', "plain-read"),
    ('w', "plain-write"),
    ('i', "plain-add-if-seen"),
    ('L', "lock"),
    ('T', "try-lock"),
    ('U', "unlock"),
    ('R', "read-lock"),
    ('W', "write-lock"),
    ('Q', "rwlock-unlock"),
    ('P', "post"),
    ('V', "semaphore-wait"),
    ('v', "try-wait"),
    ('n', "signal"),
    ('b', "broadcast"),
    ('k', "condition-wait"),
];

/// The operations of a program, as bits.
fn used(program: &[String]) -> u128 {
    let letters = program.iter().flat_map(|thread| thread.chars().step_by(3));
    letters.fold(0, |all, letter| {
        let position = OPERATIONS.iter().position(|(known, _)| *known == letter);
        all | 1 << position.expect("a letter of an operation")
    })
}

/// What was seen of a program.
#[derive(Default)]
struct Seen {
    ends: BTreeSet<Vec<u64>>,
    classes: BTreeSet<u64>,
    /// Which memory races are about; which of the accesses are told depends on who came first.
    races: BTreeSet<String>,
}

impl Observer for Seen {
    fn execution(&mut self, kernel: &Kernel) {
        // What each actor has learned, in its order, and what it waits to do.
        let mut end = vec![kernel.ending.0.into()];
        for actor in 0..kernel.population as usize {
            let own = (kernel.trace().iter()).filter(|record| usize::from(record.actor) == actor);
            for record in own {
                end.push(
                    u64::from(record.operation.kind.0) << 32 | u64::from(record.operation.object.0),
                );
                end.push(record.result as u64);
            }
            if kernel.actors[actor].state == ActorState::PENDING {
                end.push(kernel.actors[actor].pending.object.0.into());
            }
            end.push(u64::MAX);
        }
        self.ends.insert(end);
        self.classes.insert(class(kernel));
        let failures = &kernel.failures[..(kernel.failed as usize).min(kernel.failures.len())];
        for failure in failures {
            assert_eq!(failure.kind, FailureKind::RACE);
            let message = kernel.texts.get(failure.message);
            let place = message
                .split(" at ")
                .nth(1)
                .and_then(|rest| rest.split(" by ").next());
            self.races.insert(place.unwrap().into());
        }
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ z >> 31) % limit
    }

    /// What the threads of a program do: a few kinds of operations on a few objects.
    fn program(&mut self) -> Vec<String> {
        const KINDS: [&str; 8] = [
            "lsxfcoapw",
            "lspwwp",
            "LLUUTpwi",
            "RWQpwRQ",
            "PVvpw",
            "LkUnbpwL",
            "lsxfcaLUTPVvpwi",
            "lsxfcoapwLUTRWQPVvnbk",
        ];
        let mut kinds = KINDS[self.below(KINDS.len() as u64) as usize].to_string();
        // Or a few of all, so that any two meet.
        if self.below(3) == 0 {
            let any = |_| OPERATIONS[self.below(OPERATIONS.len() as u64) as usize].0;
            kinds = (0..4).map(any).collect();
        }
        let kinds = kinds.as_bytes();
        let objects = 1 + self.below(2);
        let threads = 2 + self.below(2);
        let length = 2 + self.below(if threads == 2 { 4 } else { 2 });
        (0..threads)
            .map(|_| {
                let operation = |_| {
                    let kind = kinds[self.below(kinds.len() as u64) as usize] as char;
                    format!("{kind}{}{}", self.below(objects), self.below(5))
                };
                (0..length).map(operation).collect()
            })
            .collect()
    }
}

fn variable(name: &str, default: u64) -> u64 {
    let text = std::env::var(name).ok();
    text.and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Built once, for all tests.
fn interpreter() -> &'static Path {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    BUILT.get_or_init(|| support::build("tests/random.c"))
}

#[test]
fn reductions_agree_with_all_interleavings() {
    let mut random = Random(variable("MAZURKA_SEED", 1));
    let wanted = variable("MAZURKA_PROGRAMS", 20);
    let (mut compared, mut executions, mut racy) = (0, 0, 0);
    let names = OPERATIONS.iter().map(|(_, name)| *name).collect();
    let mut table = Table::new(names, &["compared"], |_, _, _| None);
    while compared < wanted {
        let program = random.program();
        if let Some((count, has_races)) = compare(interpreter(), &program) {
            compared += 1;
            executions += count;
            racy += u32::from(has_races);
            table.note(used(&program), &[table::Seen::All(true)]);
        }
    }
    if let Some(path) = std::env::var_os("MAZURKA_PAIRS") {
        std::fs::write(path, table.to_text()).expect("a table can be written");
        eprint!("{}", table.summary());
    }
    println!("{compared} programs, {racy} with races, {executions} executions");
}

/// An equivalent execution, in which the other one of two came first, shows the same race.
#[test]
fn a_race_is_the_same_whoever_comes_first() {
    let program = ["Q13Q00", "W14w12", "w11Q11"].map(String::from);
    let (_, has_races) = compare(interpreter(), &program).expect("few executions");
    assert!(has_races);
}

/// How many executions were tried, and whether there is a race; none if the program has too many
/// executions, or too few to be of interest.
fn compare(interpreter: &Path, program: &[String]) -> Option<(u64, bool)> {
    let mut command = vec![OsString::from(interpreter)];
    command.extend(program.iter().map(OsString::from));
    let mut engine = Processes::start(&command, Settings::default()).unwrap();
    let mut run = |reduction, executions| {
        let options = Options {
            reduction,
            executions,
            all: true,
            ..Options::default()
        };
        let mut seen = Seen::default();
        let report = explore(&mut engine, &options, &mut seen);
        (report, seen)
    };
    let (report, all) = run(Reduction::None, Some(MOST_EXECUTIONS));
    if report.reason != StopReason::Complete || report.statistics.executions < 3 {
        assert!(
            matches!(report.reason, StopReason::Complete | StopReason::Executions),
            "{program:?}: {report:?}"
        );
        return None;
    }
    let mut executions = report.statistics.executions;
    for reduction in [Reduction::Sleep, Reduction::Persistent, Reduction::Dpor] {
        let (report, some) = run(reduction, None);
        let what = format!("{reduction:?}: {program:?}");
        assert_eq!(report.reason, StopReason::Complete, "{what}");
        assert_eq!(some.ends, all.ends, "{what}");
        assert_eq!(some.races, all.races, "{what}");
        assert_eq!(some.classes, all.classes, "{what}");
        assert_eq!(
            report.statistics.executions,
            all.classes.len() as u64,
            "{what}"
        );
        executions += report.statistics.executions;
    }
    Some((executions, !all.races.is_empty()))
}
