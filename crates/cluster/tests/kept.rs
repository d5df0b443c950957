//! A search that is kept in a folder, stopped, and resumed: by as many workers, or by others.
//!
//! `CLUSTER_MODELS` says how many random models of each notation are tried, `CLUSTER_SEED` from which on.

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use mazurka_checker::{
    Checker, Config, Loaded, Order, Outcome, Reduction, Statistics, Supervisor, Switch, Verdict,
};
use mazurka_cluster::{About, Folder, Threads};
use mazurka_differential::notations::Notation;
use mazurka_differential::random::Random;
use mazurka_differential::{Features, generate, print};
use mazurka_search::divided::Company;

/// Processes that are started in an order that depends on the path, so that populations get other numbers each time.
const POPULATIONS: &str = "byte n;\nproctype A() { byte i; do :: i < 4 -> i++ :: i == 4 -> break od; n++ }\n\
    proctype B() { byte i; do :: i < 3 -> i++ :: i == 3 -> break od; n++ }\n\
    active proctype Main() { do :: n < 2 -> if :: run A() :: run B() fi; n++ :: n >= 2 -> break od }\n\
    active proctype Other() { run B(); run A() }\n";
const VIOLATED: &str = "byte x;\nactive [3] proctype P() { byte i; do :: i < 5 -> i++; x++ :: i == 5 -> break od; assert(x < 15) }\n";
/// A reduction is doubtful in many states of one level, and the violation is behind them.
const DOUBTFUL: &str = "byte x;\nactive [5] proctype P() { byte i; do :: i = (i + 1) % 5 od }\n\
    active proctype Q() { byte k; do :: k < 3 -> k++; x++ :: k == 3 -> break od; assert(x == 3) }\n";

/// Searches with some threads, and has seen enough after some states.
struct Helpers {
    threads: usize,
    folder: Option<Folder>,
    most_states: u64,
}

impl Supervisor for Helpers {
    fn progress(&mut self, statistics: &Statistics) -> ControlFlow<()> {
        match statistics.states < self.most_states {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    fn company(&mut self, _: &Loaded) -> Result<Arc<dyn Company + Send>, String> {
        let threads = Threads::new(self.threads);
        Ok(Arc::new(match self.folder.take() {
            Some(folder) => threads.kept_in(folder),
            None => threads,
        }))
    }
}

struct Place(PathBuf);

impl Place {
    fn new(name: &str) -> Place {
        let name = format!("mazurka-kept-{name}-{}", std::process::id());
        Place(std::env::temp_dir().join(name))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn about() -> About {
    About {
        identity: "this".into(),
        words: vec!["model.pml".into(), "--all".into()],
        folder: "/here".into(),
    }
}

fn config(reduce: Reduction, threads: usize) -> Config {
    Config {
        search: Order::BreadthFirst,
        jobs: Some(threads as u32),
        shorten: Switch::Off,
        audit: None,
        reduce,
        cluster: true,
        ..Config::default()
    }
}

/// Every level is committed.
fn at(place: &Path, resumes: bool) -> Folder {
    let folder = match resumes {
        false => Folder::create(place, &about(), Duration::ZERO),
        true => Folder::open(place, "this", Duration::ZERO),
    };
    folder.expect("a folder")
}

fn search(
    model: &str,
    reduce: Reduction,
    threads: usize,
    (folder, most_states): (Option<Folder>, u64),
) -> Outcome {
    let mut helpers = Helpers {
        threads,
        folder,
        most_states,
    };
    let checker = Checker::from_source("model.pml", model).expect("a model");
    let outcome = checker
        .config(config(reduce, threads))
        .run_with(&mut helpers);
    outcome.expect("an outcome")
}

/// What must be the same, whoever searched. How much of the last level is searched beside a violation, depends.
fn counted(outcome: &Outcome) -> (Verdict, Option<usize>, Option<[u64; 4]>) {
    let of = outcome.properties[0].statistics;
    let length = outcome.violations().next().map(|of| of.steps.len());
    let counts = [of.states, of.matched, of.depth, of.atomic_steps];
    let holds = outcome.verdict() == Verdict::Holds;
    (outcome.verdict(), length, holds.then_some(counts))
}

#[test]
fn whoever_resumes_finds_the_same() {
    let large = "active [3] proctype P() { byte a; do :: a < 12 -> a++ :: a == 12 -> break od }\n";
    for (name, model) in [
        ("large", large),
        ("populations", POPULATIONS),
        ("violated", VIOLATED),
    ] {
        let expected = search(model, Reduction::None, 2, (None, u64::MAX));
        let states = expected.properties[0].statistics.states;
        for (first, then, last) in [(2, 2, 2), (2, 3, 1), (1, 4, 4)] {
            let place = Place::new(&format!("{name}-{first}{then}{last}"));
            let cut = search(
                model,
                Reduction::None,
                first,
                (Some(at(&place.0, false)), states / 4),
            );
            if cut.verdict() != Verdict::Inconclusive {
                continue;
            }
            let again = (Some(at(&place.0, true)), states * 2 / 3);
            let cut = search(model, Reduction::None, then, again);
            let found = match cut.verdict() {
                Verdict::Inconclusive => {
                    let rest = (Some(at(&place.0, true)), u64::MAX);
                    search(model, Reduction::None, last, rest)
                }
                _ => cut,
            };
            let told = format!("{name}: {first}, {then}, {last} workers");
            assert_eq!(counted(&expected), counted(&found), "{told}");
            if found.verdict() == Verdict::Holds {
                let covered = |outcome: &Outcome| outcome.properties[0].covered.clone();
                assert_eq!(covered(&expected), covered(&found), "{told}");
            }
        }
    }
}

#[test]
fn a_reduction_is_resumed() {
    let expected = search(DOUBTFUL, Reduction::None, 1, (None, u64::MAX));
    for (first, then) in [(2, 2), (2, 3)] {
        let place = Place::new(&format!("reduced-{first}{then}"));
        let new = (Some(at(&place.0, false)), 2_000);
        let cut = search(DOUBTFUL, Reduction::Stubborn, first, new);
        assert_eq!(cut.verdict(), Verdict::Inconclusive);
        let rest = (Some(at(&place.0, true)), u64::MAX);
        let found = search(DOUBTFUL, Reduction::Stubborn, then, rest);
        assert_eq!(expected.verdict(), found.verdict());
    }
}

/// Links to states that were left a second time, by more than a batch of them.
#[test]
fn many_doubtful_states_have_ways_to_them() {
    let model = DOUBTFUL.replace("[5]", "[6]").replace("x == 3", "x < 3");
    let found = search(&model, Reduction::Stubborn, 2, (None, u64::MAX));
    assert_eq!(found.verdict(), Verdict::Violated);
    let held = search(
        &DOUBTFUL.replace("[5]", "[6]"),
        Reduction::Stubborn,
        2,
        (None, u64::MAX),
    );
    assert_eq!(held.verdict(), Verdict::Holds);
}

#[test]
fn a_folder_is_what_it_says() {
    let place = Place::new("about");
    assert!(Folder::open(&place.0, "this", Duration::ZERO).is_err());
    search(
        VIOLATED,
        Reduction::None,
        2,
        (Some(at(&place.0, false)), 100),
    );
    assert_eq!(About::of(&place.0), Ok(about()));
    let error = Folder::open(&place.0, "that", Duration::ZERO).err();
    assert!(error.is_some_and(|error| error.contains("another model")));
    let error = Folder::create(&place.0, &about(), Duration::ZERO).err();
    assert!(error.is_some_and(|error| error.contains("has a search in it")));
}

/// Nothing of somebody else is taken, overwritten or removed.
#[test]
fn two_searches_do_not_share_a_folder() {
    let place = Place::new("shared");
    let mine = place.0.join("search-1-of-2");
    std::fs::create_dir_all(&mine).expect("a folder");
    std::fs::write(mine.join("worker-1.log"), "mine").expect("a file");
    search(
        VIOLATED,
        Reduction::None,
        2,
        (Some(at(&place.0, false)), 100),
    );
    let text = std::fs::read_to_string(mine.join("worker-1.log"));
    assert_eq!(text.expect("it is there"), "mine");
    assert!(place.0.join("search-2-of-2").exists());
    // Before anything is committed, too.
    let empty = Place::new("claimed");
    at(&empty.0, false);
    let other = About {
        identity: "that".into(),
        ..about()
    };
    let error = Folder::create(&empty.0, &other, Duration::ZERO).err();
    assert!(error.is_some_and(|error| error.contains("another model")));
    assert_eq!(About::of(&empty.0), Ok(about()));
}

/// Violations that were found before the search was divided anew, twice.
#[test]
fn violations_are_kept() {
    let model = "byte x[3]; active [3] proctype P() { do :: x[_pid] < 6 -> x[_pid]++ :: x[_pid] == 6 -> x[_pid] = 0 \
        :: x[0] == 1 && x[1] == 2 && x[2] == 1 -> assert(x[2] == 0) od }\n";
    let run = |threads: usize, folder: Option<Folder>, most_states: u64| {
        let mut helpers = Helpers {
            threads,
            folder,
            most_states,
        };
        let config = Config {
            all: true,
            ..config(Reduction::None, threads)
        };
        let checker = Checker::from_source("model.pml", model).expect("a model");
        let outcome = checker.config(config).run_with(&mut helpers);
        outcome.expect("an outcome")
    };
    let expected = run(2, None, u64::MAX);
    assert_eq!(expected.verdict(), Verdict::Violated);
    let place = Place::new("violations");
    let states = expected.properties[0].statistics.states;
    for (number, (threads, part)) in [(2, 2), (3, 4), (3, 5), (2, 6)].into_iter().enumerate() {
        let folder = at(&place.0, number > 0);
        run(threads, Some(folder), states * part / 7);
    }
    let found = run(1, Some(at(&place.0, true)), u64::MAX);
    assert_eq!(found.verdict(), Verdict::Violated);
    let of = |outcome: &Outcome| outcome.properties[0].statistics;
    assert_eq!(of(&expected).states, of(&found).states);
    assert_eq!(of(&expected).matched, of(&found).matched);
}

/// If it cannot be kept any more, a search goes on, for all.
#[test]
fn a_folder_that_is_gone_does_not_end_a_search() {
    let model = "active [3] proctype P() { byte a; do :: a < 10 -> a++ :: a == 10 -> break od }\n";
    let expected = search(model, Reduction::None, 3, (None, u64::MAX));
    for round in 0..4 {
        let place = Place::new(&format!("gone-{round}"));
        let folder = at(&place.0, false);
        let path = place.0.clone();
        let remover = std::thread::spawn(move || {
            while !Folder::has_commits(&path) {
                std::thread::yield_now();
            }
            let _ = std::fs::remove_dir_all(&path);
        });
        let found = search(model, Reduction::None, 3, (Some(folder), u64::MAX));
        remover.join().expect("it ends");
        assert_eq!(counted(&expected), counted(&found));
    }
}

/// Whatever is in the files, nobody panics, and nobody takes it for a search that it is not.
#[test]
fn spoiled_files_are_refused() {
    let place = Place::new("spoiled");
    let states = {
        let outcome = search(VIOLATED, Reduction::None, 1, (None, u64::MAX));
        outcome.properties[0].statistics.states
    };
    search(
        VIOLATED,
        Reduction::None,
        1,
        (Some(at(&place.0, false)), states / 2),
    );
    let folder = place.0.join("search-1-of-1");
    for name in ["worker-0.log", "worker-0.commits"] {
        let file = folder.join(name);
        let whole = std::fs::read(&file).expect("a file");
        for spoiled in 0..40 {
            let mut bytes = whole.clone();
            match spoiled % 4 {
                0 => bytes.truncate(whole.len() * spoiled / 40),
                _ => {
                    let at = whole.len() * spoiled / 40;
                    bytes[at] ^= 1 << (spoiled % 8);
                }
            }
            std::fs::write(&file, &bytes).expect("it is written");
            let mut helpers = Helpers {
                threads: 1,
                folder: Some(at(&place.0, true)),
                most_states: u64::MAX,
            };
            let checker = Checker::from_source("model.pml", VIOLATED).expect("a model");
            let outcome = checker
                .config(config(Reduction::None, 1))
                .run_with(&mut helpers);
            // A log may have been spoiled behind its last commit.
            if let Ok(outcome) = outcome {
                assert_eq!(outcome.verdict(), Verdict::Violated, "{name}, {spoiled}");
                // It has gone on, and the files are new.
                std::fs::remove_dir_all(&place.0).expect("it is there");
                search(
                    VIOLATED,
                    Reduction::None,
                    1,
                    (Some(at(&place.0, false)), states / 2),
                );
            } else {
                std::fs::write(&file, &whole).expect("it is written");
            }
        }
    }
}

/// What a worker wrote when it was killed is not whole.
fn leave_pieces_behind(place: &Path) {
    let files = |folder: &Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let searches = files(place).into_iter().filter(|path| path.is_dir());
    for file in searches.flat_map(|search| files(&search)) {
        if file.extension().is_some_and(|ending| ending == "log") {
            let mut log = std::fs::OpenOptions::new().append(true).open(&file);
            let log = log.as_mut().expect("a log");
            std::io::Write::write_all(log, b"a piece of a record").expect("it is written");
        }
    }
}

fn number(name: &str, usual: u64) -> u64 {
    let given = std::env::var(name).ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[test]
fn random_models_are_resumed_after_a_loss() {
    let (first, count) = (number("CLUSTER_SEED", 1), number("CLUSTER_MODELS", 8));
    let notations = [None].into_iter().chain(Notation::ALL.map(Some));
    let mut resumed = 0;
    for (notation, seed) in
        notations.flat_map(|notation| (first..first + count).map(move |seed| (notation, seed)))
    {
        let random = &mut Random::new(seed ^ 0x6b65_7074);
        let (name, text, define) = match notation {
            None => {
                let features = Features::all().draw(&mut Random::new(seed));
                let text = print::print(&generate::generate(seed, features));
                ("model.pml".into(), text, Vec::new())
            }
            Some(notation) => {
                let model = notation.model(seed);
                let name = format!("model.{}", notation.name());
                (name, model.text(), model.defines().to_vec())
            }
        };
        let Ok(checker) = Checker::from_source(&name, text.as_str()) else {
            continue;
        };
        let reduce = *random.pick(&[Reduction::None, Reduction::Auto, Reduction::Stubborn]);
        let run = |threads: usize, folder: Option<Folder>, most_states: u64| {
            let mut helpers = Helpers {
                threads,
                folder,
                most_states,
            };
            let config = Config {
                property: mazurka_checker::Property::Safety,
                define: define.clone(),
                time: Some(Duration::from_secs(2)),
                all: seed % 3 == 0,
                ..config(reduce, threads)
            };
            checker.clone().config(config).run_with(&mut helpers)
        };
        // Not every reduction goes together with every model.
        let Ok(expected) = run(1, None, u64::MAX) else {
            continue;
        };
        let states = expected.properties[0].statistics.states;
        if expected.verdict() == Verdict::Inconclusive || !(8..10_000).contains(&states) {
            continue;
        }
        let place = Place::new(&format!("random-{name}-{seed}"));
        let workers = [(); 3].map(|()| 1 + random.below(3));
        let told = format!("{name} {seed}: {workers:?} workers, {reduce:?}\n{text}");
        let mut cut = run(workers[0], Some(at(&place.0, false)), states / 4).expect(&told);
        for (number, threads) in workers.into_iter().enumerate().skip(1) {
            if cut.verdict() != Verdict::Inconclusive || !Folder::has_commits(&place.0) {
                break;
            }
            leave_pieces_behind(&place.0);
            let most = if number == 1 { states / 2 } else { u64::MAX };
            cut = run(threads, Some(at(&place.0, true)), most).expect(&told);
            resumed += 1;
        }
        if cut.verdict() == Verdict::Inconclusive {
            continue;
        }
        assert_eq!(expected.verdict(), cut.verdict(), "{told}");
        if reduce == Reduction::None {
            assert_eq!(counted(&expected), counted(&cut), "{told}");
        }
    }
    assert!(resumed > 0 || count == 0);
}
