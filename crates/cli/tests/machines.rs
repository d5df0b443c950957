//! Models of multi-port machines: the examples say in their text what is to be found, and SPIN agrees with
//! Mazurka about them and about random ones, as far as Promela has words for what is wrong.
//!
//! `MACHINES` says how many random systems, `MACHINES_SEED` where to begin.

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use mazurka_differential::formula::formula;
use mazurka_differential::machines::System;
use mazurka_differential::outcome::Outcome;
use mazurka_differential::process::{Finished, Folder, run};
use mazurka_differential::random::Random;
use mazurka_differential::spin::{self, Limits};
use serde_json::Value;
use support::{MAZURKA, complaints, here};

const LIMIT: Duration = Duration::from_secs(60);

fn mazurka(folder: &Folder, words: &[&str]) -> Result<Finished, String> {
    let mut command = Command::new(MAZURKA);
    command.args(words).current_dir(folder.path());
    // Beside the examples nothing is to be left.
    if words.first() == Some(&"check") && !words.contains(&"--scenario") {
        command.args(["--scenario", "found.json"]);
    }
    run(&mut command, folder.path(), LIMIT)
        .map_err(|error| error.to_string())?
        .ok_or_else(|| "it takes too long".to_string())
}

/// The kinds of violation that a check of safety finds, and the states it takes.
fn check(model: &Path, options: &[&str]) -> Result<(BTreeSet<String>, u64), String> {
    checked(model, &[&["--property", "safety"], options].concat())
}

fn checked(model: &Path, options: &[&str]) -> Result<(BTreeSet<String>, u64), String> {
    let folder = Folder::new().map_err(|error| error.to_string())?;
    let model = model.display().to_string();
    let mut words = vec!["check", &model, "--all", "--json"];
    words.extend(options);
    let finished = mazurka(&folder, &words)?;
    let result: Value = serde_json::from_str(&finished.stdout)
        .map_err(|error| format!("{error}: {}{}", finished.stdout, finished.stderr))?;
    if result["complete"] != Value::Bool(true) {
        return Err(format!("not complete: {result}"));
    }
    let violations = result["violations"].as_array().ok_or("no violations")?;
    let kinds = violations
        .iter()
        .filter_map(|violation| violation["kind"].as_str().map(str::to_string))
        .collect();
    Ok((kinds, result["stats"]["states"].as_u64().unwrap_or(0)))
}

/// What SPIN can tell apart: a state in which nothing is possible, and an error on the way.
fn coarse(kinds: &BTreeSet<String>) -> BTreeSet<&'static str> {
    let coarse = kinds.iter().map(|kind| match kind.as_str() {
        "deadlock" | "nonprogress-state" => "stuck",
        _ => "error",
    });
    coarse.collect()
}

fn spin_agrees(model: &Path, options: &[&str]) -> Result<(), String> {
    let (kinds, _) = check(model, options)?;
    let (reduced, _) = check(model, &[options, &["--reduce", "simultaneous"]].concat())?;
    if kinds != reduced {
        return Err(format!("{kinds:?}, but simultaneously {reduced:?}"));
    }
    let folder = Folder::new().map_err(|error| error.to_string())?;
    let name = model.display().to_string();
    let exported = mazurka(&folder, &[&["export", &name], options].concat())?;
    if exported.code != Some(0) {
        return Err(format!("export: {}", exported.stderr));
    }
    let limits = Limits {
        empty_at_end: true,
        ..Limits::small()
    };
    match spin::verify(&exported.stdout, None, &limits) {
        Outcome::Counts(counts) if !counts.truncated => {
            let (ours, theirs) = (coarse(&kinds), coarse(&counts.kinds));
            if ours != theirs {
                return Err(format!("{kinds:?}, but SPIN {:?}", counts.messages));
            }
        }
        Outcome::Timeout => return Ok(()),
        // A division by zero ends pan.
        Outcome::Crash(_) if kinds.contains("runtime-error") => return Ok(()),
        other => return Err(format!("SPIN {other}\n{}", exported.stdout)),
    }
    // After an error Mazurka goes no further, SPIN's verifier does.
    if coarse(&kinds).contains("error") {
        return Ok(());
    }
    for line in exported.stdout.lines() {
        let Some(formula) = line.strip_prefix("ltl ") else {
            continue;
        };
        let name = formula.split(' ').next().unwrap_or_default();
        let ours = holds(model, &[options, &["--claim", name]].concat())?;
        let limits = Limits {
            depth: 10_000,
            search: Duration::from_secs(2),
            ..Limits::small()
        };
        match spin::holds(&exported.stdout, name, &limits)? {
            Some(theirs) if theirs != ours => {
                let formula = format!("{formula}\n{}", exported.stdout);
                return Err(format!("holds {ours}, but SPIN {theirs}: {formula}"));
            }
            _ => {}
        }
    }
    Ok(())
}

fn holds(model: &Path, options: &[&str]) -> Result<bool, String> {
    let folder = Folder::new().map_err(|error| error.to_string())?;
    let model = model.display().to_string();
    let mut words = vec!["check", &model, "--json"];
    words.extend(options);
    match mazurka(&folder, &words)? {
        Finished { code: Some(0), .. } => Ok(true),
        Finished { code: Some(1), .. } => Ok(false),
        other => Err(format!("{}{}", other.stdout, other.stderr)),
    }
}

fn examples() -> Vec<PathBuf> {
    let folder = here("../../examples/efsm");
    let entries = std::fs::read_dir(folder).expect("a folder of models");
    let mut found: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "efsm")
        })
        .collect();
    found.sort();
    found
}

#[test]
fn the_examples_are_judged_as_their_text_says() {
    let cases: &[(&str, &[&str], &[&str])] = &[
        ("sliding-window", &["--define", "NUMBERS=2"], &["assertion"]),
        (
            "connection",
            &["--define", "RACE=1"],
            &["nonprogress-state"],
        ),
    ];
    let mut judged = 0;
    for model in examples() {
        let (kinds, _) = check(&model, &[]).unwrap();
        assert!(kinds.is_empty(), "{}: {kinds:?}", model.display());
        let name = model.file_stem().unwrap().to_string_lossy().into_owned();
        for (_, options, expected) in cases.iter().filter(|(case, ..)| *case == name) {
            let (kinds, _) = check(&model, options).unwrap();
            let found: Vec<&str> = kinds.iter().map(String::as_str).collect();
            assert_eq!(&found, expected, "{name} {options:?}");
            judged += 1;
        }
    }
    assert_eq!(judged, cases.len());
}

/// A deadlock says what each machine waits for, and a message shows the fields that it has.
#[test]
fn what_is_said_of_a_stop() {
    let folder = Folder::new().unwrap();
    let model = "enum Colour { red, green }
machine A {
    port in[2] { many(byte, Colour), one(Colour), none }
    start state Begin; state Wait, Stuck; final state End;
    Begin -> Wait !b.in.go;
    Wait -> Stuck ?in.one(_);
    Stuck -> End ?in.none;
    Stuck -> End when 1 == 2;
}
machine B {
    port in { go }
    start state Begin; final state End;
    Begin -> End ?in.go !a.in.one(green) SENDS;
}
system { a: A; b: B; }
";
    for (sends, message) in [
        ("", "a waits in Stuck for in.none or a predicate"),
        ("!a.in.many(7, red)", "which holds [many(7,red)]"),
    ] {
        let text = model.replace("SENDS", sends);
        std::fs::write(folder.path().join("stop.efsm"), text).unwrap();
        let words = ["check", "stop.efsm", "--property", "deadlock"];
        let finished = mazurka(&folder, &words).unwrap();
        assert_eq!(finished.code, Some(1), "{finished:?}");
        assert!(finished.stdout.contains(message), "{finished:?}");
        assert!(finished.stdout.contains("one(green)"), "{finished:?}");
    }
}

/// The simultaneous graph of the leader election is a path, not longer than the paper's.
#[test]
fn the_leader_election_is_a_path() {
    let model = here("../../examples/efsm/leader.efsm");
    for (nodes, states) in [(3, 37), (4, 45), (5, 53), (6, 61), (50, 8 * 50 + 13)] {
        let nodes = format!("N={nodes}");
        let options = ["--define", &nodes, "--reduce", "simultaneous"];
        let (kinds, found) = check(&model, &options).unwrap();
        assert!(kinds.is_empty() && found <= states, "{nodes}: {found}");
        let claim = [&options[..], &["--claim", "at_most_one"]].concat();
        let (kinds, found) = checked(&model, &claim).unwrap();
        assert!(kinds.is_empty() && found <= states + 1, "{nodes}: {found}");
        // Of the other formula the claim has two states.
        let claim = [&options[..], &["--claim", "elected"]].concat();
        let (kinds, found) = checked(&model, &claim).unwrap();
        assert!(
            kinds.is_empty() && found <= 2 * states + 1,
            "{nodes}: {found}"
        );
    }
}

#[test]
fn spin_agrees_about_the_examples() {
    if !spin::is_installed() {
        return;
    }
    let mut cases: Vec<(PathBuf, Vec<&str>)> =
        examples().into_iter().map(|path| (path, vec![])).collect();
    let broken = [("sliding-window", "NUMBERS=2"), ("connection", "RACE=1")];
    for (name, define) in broken {
        let path = here(&format!("../../examples/efsm/{name}.efsm"));
        cases.push((path, vec!["--define", define]));
    }
    let complaints = complaints(&cases, |(model, options)| {
        match spin_agrees(model, options) {
            Ok(()) => Vec::new(),
            Err(complaint) => vec![format!("{} {options:?}: {complaint}", model.display())],
        }
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn spin_agrees_about_random_machines() {
    if !spin::is_installed() {
        return;
    }
    let number = |name: &str, default: u64| {
        let value = std::env::var(name).ok();
        value.and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let first = number("MACHINES_SEED", 70_000);
    let seeds: Vec<u64> = (first..first + number("MACHINES", 100)).collect();
    let complaints = complaints(&seeds, |seed| {
        let system = System::random(*seed);
        let mut text = system.text();
        let random = &mut Random::new(*seed);
        let atoms = system.atoms(random);
        // A verifier has to be compiled for each, which takes longest.
        for number in 0..u64::from(seed % 4 == 0) {
            let size = 2 + random.below(6);
            let formula = formula(random, size, &atoms);
            text += &format!("ltl f{number} {{ {formula} }}\n");
        }
        let folder = Folder::new().unwrap();
        let model = folder.path().join("model.efsm");
        std::fs::write(&model, &text).unwrap();
        match spin_agrees(&model, &[]) {
            Ok(()) => Vec::new(),
            Err(complaint) => vec![format!("seed {seed}: {complaint}\n{text}")],
        }
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Words of Promela, of SPIN and of C, wherever the notation lets a name stand.
const RESERVED: &str = "
machine init {
    port run[1] { timeout(byte), c }
    var main, active: byte;
    start state atomic;
    final state od;
    atomic -> od ?run.timeout(main) { store := main; assert main == 3; }
}
machine c {
    var now: byte = 3;
    start state typedef;
    final state fi;
    typedef -> fi !network.run.timeout(now);
}
var store, new_state, q_len, unless: byte;
system { network: init; started: c; }
ltl always_ { <> (network at od && store == 3) }
";

#[test]
fn names_that_are_words_of_promela_or_c_are_exported() {
    if !spin::is_installed() {
        return;
    }
    let folder = Folder::new().unwrap();
    let model = folder.path().join("model.efsm");
    std::fs::write(&model, RESERVED).unwrap();
    assert_eq!(spin_agrees(&model, &[]), Ok(()));
}
