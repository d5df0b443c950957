//! Mazurka beside SPIN: its own examples, the list of what it says about them, and random models.
//!
//! Where SPIN, its examples or a C compiler are missing a test says so and passes.

mod support;

use std::path::Path;
use std::process::Command;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use mazurka_differential::compare::{Comparison, compare_counts};
use mazurka_differential::examples::{self, Example, FOLDER};
use mazurka_differential::outcome::Outcome;
use mazurka_differential::spin::{self, Limits};
use mazurka_differential::{Features, campaign};
use support::{MAZURKA, complaints, here};

/// Larger examples are compared only where this variable is set.
const ALL: &str = "MAZURKA_ALL_EXAMPLES";
const LARGE: u64 = 2_000_000;
/// SPIN is asked again about examples up to this size.
const QUICK: u64 = 300_000;

#[test]
fn spins_examples_are_counted_as_spin_counts_them() {
    let _alone = alone();
    if !have_examples() {
        return;
    }
    let all = std::env::var_os(ALL).is_some();
    let mut examples = listed();
    examples.retain(|example| all || example.counts.states < LARGE);
    let complaints = complaints(&examples, |example| {
        let limit = Duration::from_secs(600);
        match examples::check(example, Path::new(FOLDER), Path::new(MAZURKA), limit) {
            Comparison::Agree => Vec::new(),
            other => vec![format!("{}: {other:?}", example.path)],
        }
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn the_list_is_what_spin_says() {
    let _alone = alone();
    if !have_examples() || !have_spin() {
        return;
    }
    let mut examples = listed();
    examples.retain(|example| example.counts.states < QUICK);
    // What takes no time to compile takes longer to run; for graphs of this size that is the better bargain.
    let limits = Limits {
        optimise: false,
        hash_bits: 18,
        ..Limits::large()
    };
    let complaints = complaints(&examples, |example| {
        let path = Path::new(FOLDER).join(&example.path);
        let model = std::fs::read(&path).expect("a listed model is there");
        let model = String::from_utf8_lossy(&model);
        match spin::verify(&model, path.parent(), &limits) {
            Outcome::Counts(counts) => match compare_counts(&counts, &example.counts) {
                Comparison::Agree => Vec::new(),
                other => vec![format!("{} (the list as mazurka): {other:?}", example.path)],
            },
            other => vec![format!("{}: {other}", example.path)],
        }
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn random_models_are_counted_as_spin_counts_them() {
    let _alone = alone();
    if !have_spin() {
        return;
    }
    let report = campaign(0..300, Path::new(MAZURKA), Features::default());
    eprintln!("{report}");
    let disagreements: Vec<String> = report
        .disagreements
        .iter()
        .map(|one| format!("seed {}\n{}{}", one.seed, one.shrunk, one.shrunk.model))
        .collect();
    assert!(disagreements.is_empty(), "{}", disagreements.join("\n"));
    // A generator that makes nothing comparable would agree with everybody.
    assert!(report.agreed.len() > 200, "{report}");
}

/// The time limits of one test mean little while another keeps the processors busy.
fn alone() -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    ONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn listed() -> Vec<Example> {
    let list = std::fs::read_to_string(here("tests/spin-examples.tsv")).expect("the list is there");
    let examples = examples::parse(&list).expect("the list can be read");
    assert!(examples.len() > 60, "the list is too short");
    examples
}

fn have_examples() -> bool {
    let there = Path::new(FOLDER).is_dir();
    if !there {
        eprintln!("skipped: SPIN's examples are not in {FOLDER}");
    }
    there
}

/// SPIN itself needs gcc, as its preprocessor.
fn have_spin() -> bool {
    let compiler = Command::new("gcc").arg("--version").output().is_ok();
    let there = spin::is_installed() && compiler;
    if !there {
        eprintln!("skipped: SPIN or gcc is not installed");
    }
    there
}
