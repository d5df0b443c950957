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
use mazurka_differential::process::Folder;
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

/// The default safety run stores at most as many states as SPIN with its reduction, with the verdict
/// of the full search; the list says where not, and why.
#[test]
fn spins_examples_are_reduced_as_far_as_spin_reduces_them() {
    let _alone = alone();
    if !have_examples() {
        return;
    }
    let list =
        std::fs::read_to_string(here("tests/spin-reduction.tsv")).expect("the list is there");
    let full = listed();
    let rows: Vec<(&str, u64, &str)> = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let mut fields = line.split('\t');
            let mut field = || fields.next().expect("three fields");
            (field(), field().parse().expect("a number"), field())
        })
        .collect();
    assert!(rows.len() > 60, "the list is too short");
    let complaints = complaints(&rows, |(path, most, exception)| {
        let Some(example) = full.iter().find(|example| example.path == *path) else {
            return vec![format!("{path} is not in the list of examples")];
        };
        if example.counts.states > LARGE && std::env::var_os(ALL).is_none() {
            return Vec::new();
        }
        let path = Path::new(FOLDER).join(path);
        let output = Command::new(MAZURKA)
            .args([
                "check",
                "--property",
                "safety",
                "--all",
                "--quiet",
                "--json",
            ])
            .args(["--scenario", "/dev/null"])
            .arg(path.file_name().expect("a file"))
            .current_dir(path.parent().expect("a folder"))
            .output()
            .expect("mazurka runs");
        let result: serde_json::Value =
            serde_json::from_slice(&output.stdout).expect("one object of JSON");
        let states = result["stats"]["states"].as_u64().expect("a number");
        // What ours may be is the number before the reason.
        let ours = exception
            .split(':')
            .next()
            .and_then(|text| text.parse().ok());
        let most = ours.unwrap_or(*most);
        let violated = !example.counts.kinds.is_empty();
        let mut found = Vec::new();
        if states > most {
            found.push(format!(
                "{}: {states} states, more than {most}",
                path.display()
            ));
        }
        if (result["verdict"] == "violated") != violated {
            found.push(format!("{}: {}", path.display(), result["verdict"]));
        }
        found
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

/// A search over joined steps came to this cycle by a way that was shortest in its own steps, and 26 longer than need be in those of the model.
#[test]
fn a_cycle_is_reached_by_the_fewest_steps_of_the_model() {
    if !have_examples() {
        return;
    }
    let model = Path::new(FOLDER).join("LTL/pftp.pml");
    let folder = Folder::new().unwrap();
    let mut check = Command::new(MAZURKA);
    check.arg("check").arg(model).current_dir(folder.path());
    check.args(["--scenario", "found.json"]);
    check.args(["--claim", "p3", "--json", "--quiet", "--jobs", "1"]);
    let output = check.output().unwrap();
    let result: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(result["violations"][0]["steps"], 57);
    // As `--shorten off` shows it.
    assert_eq!(result["violations"][0]["steps_found"], 83);
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
