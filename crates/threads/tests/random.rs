//! Random threaded programs: every reduction finds the same ends and the same data races as trying all
//! interleavings, and dynamic reduction explores each class of equivalent ones once. Where memory is used after it was given back,
//! every reduction finds that something is wrong.
//!
//! `MAZURKA_PROGRAMS=1000 MAZURKA_SEED=7 cargo test -p mazurka-threads --test random` tries more; `MAZURKA_PAIRS=FILE` writes a table of
//! which operations met in how many programs; `MAZURKA_FILL=FILE` resumes one, and looks only at programs that fill an empty place.

#[path = "../../actors/tests/random/filling.rs"]
mod filling;
mod support;
#[path = "../../differential/src/table.rs"]
#[allow(dead_code)]
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use filling::Filling;
use mazurka_explore::{
    Observer, Options, Reduction, Report, StopReason, ViolationKind, class, explore,
    explore_in_parallel,
};
use mazurka_processes::{Processes, Settings};
use mazurka_runtime::{ActorState, Ending, FailureKind, Kernel};

use table::Table;

/// A program has at most this many interleavings, so that all can be tried.
const MOST_EXECUTIONS: u64 = 1500;

/// The letters of operations in `random.c`, and what the table of pairs calls them.
const OPERATIONS: [(char, &str); 69] = [
    ('l', "load"),
    ('s', "store"),
    ('x', "exchange"),
    ('f', "fetch-add"),
    ('d', "fetch-sub"),
    ('c', "compare-exchange"),
    ('K', "compare-exchange-weak"),
    ('o', "fetch-or"),
    ('A', "fetch-and"),
    ('X', "fetch-xor"),
    ('t', "test-and-set"),
    ('C', "flag-clear"),
    ('g', "byte-fetch-add"),
    ('G', "wide-exchange"),
    ('a', "fence"),
    ('p', "plain-read"),
    ('w', "plain-write"),
    ('i', "plain-add-if-seen"),
    ('D', "memset"),
    ('{', "structure-argument"),
    ('}', "structure-result"),
    ('L', "lock"),
    ('T', "try-lock"),
    ('j', "timed-lock"),
    ('U', "unlock"),
    ('M', "recursive-lock"),
    ('m', "recursive-unlock"),
    ('R', "read-lock"),
    ('W', "write-lock"),
    ('r', "try-read-lock"),
    ('q', "try-write-lock"),
    ('y', "timed-read-lock"),
    ('Q', "rwlock-unlock"),
    ('S', "spin-lock"),
    ('I', "spin-try-lock"),
    ('Z', "spin-unlock"),
    ('P', "post"),
    ('V', "semaphore-wait"),
    ('v', "try-wait"),
    ('e', "semaphore-timed-wait"),
    ('z', "semaphore-value"),
    ('n', "signal"),
    ('b', "broadcast"),
    ('k', "condition-wait"),
    ('h', "condition-timed-wait"),
    ('B', "barrier"),
    ('O', "once"),
    ('u', "thread-specific"),
    ('Y', "yield"),
    ('J', "create-and-join"),
    ('E', "create-and-detach"),
    ('H', "allocate"),
    ('F', "free"),
    ('N', "read-block"),
    ('_', "free-block-of-others"),
    (']', "lock-that-may-be-freed"),
    ('^', "free-lock"),
    ('`', "loop-over-two-variables"),
    ('[', "loop-over-three-variables"),
    ('|', "loop-over-lock-and-variable"),
    ('~', "loop-over-semaphore-and-variable"),
    ('\\', "loop-over-exchange-and-variable"),
    ('=', "loop-with-yield"),
    ('&', "condition-wait-loop"),
    ('!', "plain-read-of-atomic"),
    ('#', "plain-write-of-atomic"),
    ('$', "copy"),
    ('%', "wide-read"),
    ('+', "detached-plain-writer"),
];

/// What makes an operation possible: it is nothing otherwise.
const BEFORE: [(char, char); 11] = [
    ('i', 'f'),
    ('U', 'L'),
    ('k', 'L'),
    ('h', 'L'),
    ('&', 'L'),
    ('Q', 'R'),
    ('Z', 'S'),
    ('m', 'M'),
    ('F', 'H'),
    ('N', 'H'),
    ('_', 'H'),
];

/// Operations on memory that others may give back, or that give back what others use.
const MAY_BE_STALE: &str = "N_]^";

/// Plain accesses to memory that is atomic for others. They are no steps unless races are ignored, so what comes of a race with them
/// depends on the execution.
const MIXED: &str = "!#";

/// The operations of a program, as bits.
fn used(program: &[String]) -> u128 {
    let letters = program.iter().flat_map(|thread| thread.chars().step_by(3));
    letters.fold(0, |all, letter| {
        let position = OPERATIONS.iter().position(|(known, _)| *known == letter);
        all | 1 << position.expect("a letter of an operation")
    })
}

/// A file that the program notes in what it performs, a bit for each letter.
struct Notes {
    path: PathBuf,
    file: File,
}

impl Notes {
    fn new() -> Notes {
        // Tests run side by side.
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("performed-{}-{number}", std::process::id());
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let options = File::options()
            .read(true)
            .write(true)
            .create_new(true)
            .clone();
        let file = options.open(&path);
        let file = file.expect("a file can be made");
        file.set_len(16).expect("a file of two words");
        Notes { path, file }
    }

    /// The operations that were performed since this was asked last, as bits of the table.
    fn take(&self) -> u128 {
        let mut bytes = [0; 16];
        self.file.read_exact_at(&mut bytes, 0).expect("two words");
        self.file.write_all_at(&[0; 16], 0).expect("two words");
        let letters = u128::from_le_bytes(bytes);
        let has = |letter: char| letters >> (letter as u32 - '!' as u32) & 1 != 0;
        let all = OPERATIONS.iter().enumerate();
        let all = all.filter(|(_, (letter, _))| has(*letter));
        all.fold(0, |all, (position, _)| all | 1 << position)
    }
}

impl Drop for Notes {
    fn drop(&mut self) {
        // What is left behind is in the folder of the build.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// What was seen of a program.
struct Seen<'n> {
    notes: &'n Notes,
    performed: BTreeSet<u128>,
    ends: BTreeSet<Vec<u64>>,
    classes: BTreeSet<u64>,
    /// Which memory races are about; which of the accesses are told depends on who came first.
    races: BTreeSet<String>,
    /// The memory whose races are ignored.
    racing: BTreeSet<u64>,
    /// Does an execution end in a deadlock?
    stuck: bool,
    /// Is memory used after it was given back, or given back twice? That ends an execution on the spot.
    stale: bool,
}

impl Seen<'_> {
    fn new(notes: &Notes) -> Seen<'_> {
        Seen {
            notes,
            performed: BTreeSet::new(),
            ends: BTreeSet::new(),
            classes: BTreeSet::new(),
            races: BTreeSet::new(),
            racing: BTreeSet::new(),
            stuck: false,
            stale: false,
        }
    }
}

impl Seen<'_> {
    /// Is there a race, or a use of memory that was given back?
    fn is_violated(&self) -> bool {
        self.stale || !self.races.is_empty()
    }
}

impl Observer for Seen<'_> {
    fn execution(&mut self, kernel: &Kernel) {
        self.performed.insert(self.notes.take());
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
        self.stuck |= kernel.ending == Ending::DEADLOCK;
        self.classes.insert(class(kernel));
        let failures = &kernel.failures[..(kernel.failed as usize).min(kernel.failures.len())];
        for failure in failures {
            if failure.kind == FailureKind::USE_AFTER_FREE {
                self.stale = true;
                continue;
            }
            let message = kernel.texts.get(failure.message);
            assert_eq!(failure.kind, FailureKind::RACE, "{message}");
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

    /// A small program with these two operations, if another one is not wanted.
    fn wanted(&mut self, names: Option<[&str; 2]>) -> Vec<String> {
        let Some(names) = names else {
            return self.program();
        };
        let mut threads = vec![String::new(), String::new()];
        let both = self.below(2) as usize;
        for (number, name) in names.into_iter().enumerate() {
            let object = self.below(2);
            let letter = OPERATIONS.iter().find(|(_, known)| *known == name);
            let letter = letter.expect("an operation of the table").0;
            let mut letters = vec![letter];
            if let Some((_, before)) = BEFORE.iter().find(|(what, _)| *what == letter) {
                letters.insert(0, *before);
                letters.insert(0, *before);
            }
            for letter in letters {
                threads[both * number] += &format!("{letter}{object}{}", self.below(5));
            }
        }
        // Something for the other one to do, and to see.
        let more = *b"fPLJb".get(self.below(5) as usize).expect("a letter") as char;
        threads[1] += &format!("{more}{}{}", self.below(2), self.below(5));
        threads
    }

    /// A program whose threads assert something about what they have seen.
    fn asserting(&mut self) -> Vec<String> {
        const KINDS: [&str; 4] = ["lsxf??", "LULU?f?", "PVvf??", "lsTU?L?"];
        let kinds = KINDS[self.below(KINDS.len() as u64) as usize].as_bytes();
        let threads = 2 + self.below(2);
        let length = 5 - threads;
        let operation = |random: &mut Random| {
            let kind = kinds[random.below(kinds.len() as u64) as usize] as char;
            format!("{kind}{}{}", random.below(2), random.below(5))
        };
        (0..threads)
            .map(|_| (0..=length).map(|_| operation(self)).collect())
            .collect()
    }

    /// What the threads of a program do: a few kinds of operations on a few objects.
    fn program(&mut self) -> Vec<String> {
        const KINDS: [&str; 22] = [
            "lsxfcoapw",
            "lspwwp",
            "ls{}f{}",
            "LU{}{}T",
            "LLUUTpwi",
            "RWQpwRQ",
            "PVvpw",
            "LkUnbpwL",
            "lsxfcaLUTPVvpwi",
            "dKAXtCgGD",
            "SIZMmpwjU",
            "rqyQBOuYHF",
            "HHFN_]^LUf",
            "lsxfcoapwLUTRWQPVvnbk",
            "`[sf",
            "`sspw[sg",
            "|~LUPVs",
            "\\`sfd|",
            "L&Uns&=b",
            "!#lsxp",
            "$%pwwL",
            "+$wDpL",
        ];
        let mut kinds = KINDS[self.below(KINDS.len() as u64) as usize].to_string();
        // Or a few of all, so that any two meet.
        if self.below(3) == 0 {
            let any = |_| OPERATIONS[self.below(OPERATIONS.len() as u64) as usize].0;
            kinds = (0..4).map(any).collect();
        }
        let kinds = kinds.as_bytes();
        let objects = 1 + self.below(2);
        let threads = 2 + self.below(3);
        let length = match threads {
            2 => 2 + self.below(4),
            3 => 2 + self.below(2),
            // Who reads beside others that read, and beside one who writes, shows only here.
            _ => 1,
        };
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
    let (mut compared, mut executions, mut racy, mut stuck) = (0, 0, 0, 0);
    let mut ways = [0; WAYS.len()];
    let mut filling = Filling::new(table());
    while compared < wanted && !filling.is_done() {
        let program = random.wanted(filling.missing());
        if !filling.wants(used(&program)) {
            continue;
        }
        // Most programs as they are by default, or what some ways leave to find would be rare.
        let way = match filling.missing() {
            Some(_) => 0,
            None => (random.below(2) * random.below(WAYS.len() as u64)) as usize,
        };
        if let Some(found) = compare(interpreter(), &program, WAYS[way]) {
            compared += 1;
            ways[way] += 1;
            executions += found.executions;
            if compared % 100 == 0 {
                println!("{compared} programs so far, {executions} executions");
            }
            racy += u32::from(found.has_races);
            stuck += u32::from(found.has_deadlock && !found.has_races);
            filling.note(used(&program), found.performed);
        }
    }
    filling.write();
    println!(
        "{compared} programs, {racy} with races or uses after free, {stuck} others with deadlocks, {executions} executions; {} with races ignored, \
         {} with what fails for no reason, {} with both",
        ways[1], ways[2], ways[3]
    );
}

fn table() -> Table {
    let names = OPERATIONS.iter().map(|(_, name)| *name).collect();
    Table::new(names, filling::COLUMNS, |_, _, _| None)
}

/// The table that is kept has no place that is empty without a reason.
#[test]
fn every_pair_of_operations_met() {
    filling::assert_full(table(), "pairs-threads.tsv");
}

/// An equivalent execution, in which the other one of two came first, shows the same race.
#[test]
fn a_race_is_the_same_whoever_comes_first() {
    let program = ["Q13Q00", "W14w12", "w11Q11"].map(String::from);
    let found = compare(interpreter(), &program, Way::default()).expect("few executions");
    assert!(found.has_races);
}

/// Behind a lock that is given back while another thread uses it, there is nothing to explore: an equivalent execution might not be possible.
#[test]
fn a_lock_that_is_freed_too_early_ends_the_execution() {
    let program = ["L02^00", "]00f03"].map(String::from);
    let found = compare(interpreter(), &program, Way::default()).expect("few executions");
    assert!(found.has_races);
}

/// A loop that waits for several objects goes on after a change of any of them, so it could have come before each of two changes, if not
/// before both.
/// Whether the second of two is found to give memory back again depends on who comes first, as does what happens from there on.
#[test]
fn memory_that_two_give_back() {
    let program = ["^03_13f12H03", "f01H11^04H11"].map(String::from);
    assert!(compare(interpreter(), &program, Way::default()).is_some());
}

/// What is in a race is a step, at whatever time it came to light.
#[test]
fn plain_accesses_to_what_is_atomic_for_others() {
    for program in [["!01", "#00", "!02", "s02"], ["#01", "s12", "!02", "p10"]] {
        let program = program.map(String::from);
        for way in [WAYS[1], WAYS[3]] {
            assert!(compare(interpreter(), &program, way).is_some());
        }
    }
}

/// One of 13 classes was missed: where the exchange comes before the store it fails, so it only reads.
#[test]
fn an_exchange_that_fails_beside_others_that_read() {
    let program = ["s01", "l00", "l00", "c01"].map(String::from);
    assert!(compare(interpreter(), &program, Way::default()).is_some());
}

#[test]
fn a_loop_that_waits_for_several_objects() {
    for program in [
        ["`00", "s01s11"].as_slice(),
        &["`00", "s01", "s11"],
        &["`00p00", "w00s02", "s11"],
        &["[00", "s11g00"],
        &["|00", "L00U00", "s01"],
        &["~00", "V00", "P00s01"],
        &["\\00", "s02s11s00"],
    ] {
        let program: Vec<String> = program.iter().map(|&thread| thread.into()).collect();
        compare(interpreter(), &program, Way::default()).expect("a few executions");
    }
}

/// A failed assertion ends the process, and with it all that others would have done. Behind it there may be other violations, in executions
/// in which it comes later or not at all.
#[test]
fn all_violations_are_found() {
    let missed_once = [
        ["f00?04", "f00?01"].as_slice(),
        &["?00", "l00?01", "s01"],
        &["?00", "x00?01", "s01x01"],
    ];
    for program in missed_once {
        let program: Vec<String> = program.iter().map(|&thread| thread.into()).collect();
        assert!(compare_violations(interpreter(), &program).is_some_and(|found| found > 0));
    }
    let mut random = Random(variable("MAZURKA_SEED", 1));
    let wanted = variable("MAZURKA_PROGRAMS", 20);
    let (mut compared, mut several) = (0, 0);
    while compared < wanted {
        if let Some(found) = compare_violations(interpreter(), &random.asserting()) {
            compared += 1;
            several += u64::from(found > 1);
        }
    }
    println!("{compared} programs with assertions, {several} with more than one violation");
    assert!(several * 8 > wanted, "they are hardly put to the test");
}

/// The number of violations, which must be the same by all reductions. None if there are too many executions.
fn compare_violations(interpreter: &Path, program: &[String]) -> Option<usize> {
    let notes = Notes::new();
    let mut command = vec![OsString::from(interpreter), notes.path.clone().into()];
    command.extend(program.iter().map(OsString::from));
    let start = || Processes::start(&command, Settings::default());
    let options = |reduction, executions| Options {
        reduction,
        executions,
        all: true,
        ..Options::default()
    };
    let told = |report: Report| -> BTreeSet<(ViolationKind, String)> {
        assert_eq!(report.reason, StopReason::Complete, "{program:?}");
        let violations = report.violations.into_iter();
        violations
            .map(|found| (found.kind, found.message))
            .collect()
    };
    let mut engine = start().unwrap();
    let every = options(Reduction::None, Some(MOST_EXECUTIONS));
    let report = explore(&mut engine, &every, &mut ());
    if report.reason == StopReason::Executions {
        return None;
    }
    let all = told(report);
    for reduction in [Reduction::Sleep, Reduction::Persistent, Reduction::Dpor] {
        let some = told(explore(&mut engine, &options(reduction, None), &mut ()));
        assert_eq!(some, all, "{reduction:?}: {program:?}");
    }
    let make = |_| start();
    let shared = explore_in_parallel(make, &options(Reduction::Dpor, None), 2, &mut ());
    assert_eq!(told(shared), all, "by two: {program:?}");
    Some(all.len())
}

/// What a program was found to do.
struct Found {
    /// How many executions were tried.
    executions: u64,
    has_races: bool,
    has_deadlock: bool,
    performed: BTreeSet<u128>,
}

/// What of a program is looked at.
#[derive(Clone, Copy, Default, Debug)]
struct Way {
    ignore_races: bool,
    spurious: bool,
}

const WAYS: [Way; 4] = [
    Way::of(false, false),
    Way::of(true, false),
    Way::of(false, true),
    Way::of(true, true),
];

impl Way {
    const fn of(ignore_races: bool, spurious: bool) -> Way {
        Way {
            ignore_races,
            spurious,
        }
    }
}

/// None if the program has too many executions, or too few to be of interest.
fn compare(interpreter: &Path, program: &[String], way: Way) -> Option<Found> {
    let notes = Notes::new();
    let mut command = vec![OsString::from(interpreter), notes.path.clone().into()];
    command.extend(program.iter().map(OsString::from));
    let start = |restart, racing: &Arc<Mutex<BTreeMap<u64, u64>>>| {
        let settings = Settings {
            restart,
            ignore_races: way.ignore_races,
            racing: racing.clone(),
            spurious: way.spurious,
            ..Settings::default()
        };
        Processes::start(&command, settings).unwrap()
    };
    let run = |reduction, executions| {
        let racing = Arc::default();
        // The best reduction is tried with a process for each execution, the others in one.
        let restart = reduction != Reduction::Dpor;
        let options = Options {
            reduction,
            executions,
            all: true,
            ..Options::default()
        };
        loop {
            let mut seen = Seen::new(&notes);
            let report = explore(&mut start(restart, &racing), &options, &mut seen);
            // More memory is in races than was known, so what a step is has changed.
            if report.reason != StopReason::Changed {
                seen.racing = racing.lock().unwrap().keys().copied().collect();
                return (report, seen);
            }
        }
    };
    let (report, all) = run(Reduction::None, Some(MOST_EXECUTIONS));
    if report.reason != StopReason::Complete || report.statistics.executions < 3 {
        assert!(
            matches!(report.reason, StopReason::Complete | StopReason::Executions)
                // One access to several pieces of memory that are in races is no step, and makes the verdict inconclusive.
                || way.ignore_races && matches!(report.reason, StopReason::Uncontrolled(_)),
            "{program:?}: {report:?}"
        );
        return None;
    }
    let mut executions = report.statistics.executions;
    let means_little =
        |letter| MAY_BE_STALE.contains(letter) || !way.ignore_races && MIXED.contains(letter);
    let mut operations = program.iter().flat_map(|thread| thread.chars().step_by(3));
    let means_little = operations.any(means_little);
    for reduction in [Reduction::Sleep, Reduction::Persistent, Reduction::Dpor] {
        let (report, some) = run(reduction, None);
        let what = format!("{reduction:?}: {program:?}, {way:?}");
        executions += report.statistics.executions;
        // Whether a use comes before or after the end of memory may not show in a class, and what happens from there on means nothing:
        // that something is wrong is all that must be found.
        if means_little && (all.is_violated() || some.is_violated()) {
            assert!(all.is_violated() && some.is_violated(), "{what}");
            let is_right = matches!(report.reason, StopReason::Complete | StopReason::Audit(_));
            assert!(is_right, "{what}: {:?}", report.reason);
            continue;
        }
        assert_eq!(report.reason, StopReason::Complete, "{what}");
        assert_eq!(some.racing, all.racing, "{what}");
        assert_eq!(some.ends, all.ends, "{what}");
        // Of two that overlap, either names the place.
        match program.iter().any(|thread| thread.contains('%')) {
            true => assert_eq!(some.races.is_empty(), all.races.is_empty(), "{what}"),
            false => assert_eq!(some.races, all.races, "{what}"),
        }
        assert_eq!(some.classes, all.classes, "{what}");
        assert_eq!(
            report.statistics.executions,
            all.classes.len() as u64,
            "{what}"
        );
    }
    Some(Found {
        executions,
        has_races: all.is_violated(),
        has_deadlock: all.stuck,
        performed: all.performed,
    })
}
