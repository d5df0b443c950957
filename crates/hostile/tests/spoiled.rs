//! Valid files, spoiled: every reader refuses them with a reason or takes them for what they are, and neither panics nor
//! hangs. More cases: `HOSTILE_CASES=100000`; others: `HOSTILE_SEED=1000`.

use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use mazurka_hostile::models::Fate;
use mazurka_hostile::mutate::Mutator;
use mazurka_hostile::{
    checkpoints, choices, clusters, configs, explorations, files, formulas, headers, models,
    reproductions, requests, results, scenarios, schedules, suites, tables, traces,
};

const CASES: u64 = 200;
const PATIENCE: Duration = Duration::from_secs(60);

/// Spoils the files again and again. Each case is known by its number. The body runs in a thread with the smallest usual stack.
fn spoil(files: Vec<Vec<u8>>, body: fn(&[u8]) -> Fate) {
    assert!(!files.is_empty());
    let number = |name: &str, usual: u64| {
        let given = std::env::var(name).ok();
        given.map_or(usual, |text| text.parse().expect("a number"))
    };
    let first = number("HOSTILE_SEED", 0);
    let cases = number("HOSTILE_CASES", CASES);
    let (report, done) = channel();
    let thread = std::thread::Builder::new()
        .stack_size(2 << 20)
        .spawn(move || {
            let mut ran = 0;
            for file in &files {
                ran += u64::from(body(file) != Fate::Refused);
            }
            assert!(
                2 * ran >= files.len() as u64,
                "most of what is valid is taken"
            );
            for case in first..first + cases {
                report.send(Ok(case)).unwrap();
                let mut mutator = Mutator::new(case);
                let file = &files[mutator.below(files.len())];
                ran += u64::from(body(&mutator.spoil(file, &files)) != Fate::Refused);
            }
            report.send(Err(ran)).unwrap();
        })
        .unwrap();
    let mut last = None;
    loop {
        match done.recv_timeout(PATIENCE) {
            Ok(Ok(case)) => last = Some(case),
            Ok(Err(_)) => return thread.join().unwrap(),
            Err(RecvTimeoutError::Timeout) => panic!("too slow: case {last:?}"),
            Err(RecvTimeoutError::Disconnected) => {
                panic!("a panic in case {last:?}, or nothing valid")
            }
        }
    }
}

/// The examples with a suffix.
fn examples(folder: &str, suffix: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../examples")
        .join(folder);
    let files = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = files
        .filter(|file| file.extension().is_some_and(|s| s == suffix))
        .collect();
    files.sort();
    files
        .iter()
        .map(|file| std::fs::read(file).unwrap())
        .collect()
}

#[test]
fn promela() {
    spoil(examples("promela", "pml"), models::promela);
}

#[test]
fn vfsm() {
    spoil(examples("vfsm", "vfsm"), models::vfsm);
}

#[test]
fn efsm() {
    spoil(examples("efsm", "efsm"), models::efsm);
}

#[test]
fn sdl() {
    spoil(examples("sdl", "sdl"), models::sdl);
}

#[test]
fn result() {
    spoil(results::valid(), results::result);
}

#[test]
fn config() {
    spoil(configs::valid(), configs::config);
}

#[test]
fn choices_for_explorations() {
    spoil(choices::valid(), choices::choices);
}

#[test]
fn header() {
    spoil(headers::valid(), headers::header);
}

#[test]
fn suite() {
    spoil(suites::valid(), suites::suite);
}

#[test]
fn request() {
    spoil(requests::valid(), requests::request);
}

#[test]
fn reproduction() {
    spoil(reproductions::valid(), reproductions::reproduction);
}

#[test]
fn schedule() {
    spoil(schedules::valid(), schedules::schedule);
}

#[test]
fn table() {
    spoil(tables::valid(), tables::table);
}

#[test]
fn trace() {
    spoil(traces::valid(), traces::trace);
}

#[test]
fn ltl() {
    spoil(formulas::valid(), formulas::ltl);
}

#[test]
fn formula() {
    spoil(formulas::valid(), formulas::formula);
}

#[test]
fn scenario() {
    spoil(scenarios::valid(), scenarios::scenario);
}

#[test]
fn checkpoint() {
    spoil(checkpoints::valid(), checkpoints::checkpoint);
}

#[test]
fn exploration() {
    spoil(explorations::valid(), explorations::exploration);
}

#[test]
fn models_in_several_files() {
    spoil(files::valid(), files::files);
}

#[test]
fn kept_parts_of_a_divided_search() {
    spoil(clusters::valid_kept(), clusters::kept);
}

#[test]
fn messages_of_a_member() {
    spoil(clusters::valid_members(), clusters::member);
}
