//! SPIN's own examples: the verdict on each claim, acceptance and progress mark is SPIN's, however it is searched.
//!
//! `temporal-examples.tsv` is made by `scripts/temporal-examples`, which also compares what is too slow for here.

mod support;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use mazurka_differential::process::{Folder, run};
use serde_json::Value;
use support::{MAZURKA, complaints, here};

const EXAMPLES: &str = "/usr/share/doc/spin/examples/Examples";
/// Ways to search.
const WAYS: [&[&str]; 5] = [
    &[],
    &["--emptiness", "scc"],
    &["--jobs", "2"],
    &["--jobs", "2", "--emptiness", "nested"],
    &["--reduce", "none", "--optimize", "off"],
];
/// More of them, for small models and without fairness.
const REDUCED: [&[&str]; 4] = [
    &["--reduce", "persistent"],
    &["--reduce", "ample", "--optimize", "off"],
    &["--reduce", "simultaneous"],
    &["--reduce", "stubborn", "--search", "bfs"],
];
const LIMIT: Duration = Duration::from_secs(120);

#[test]
fn the_same_verdicts_as_spins() {
    if !Path::new(EXAMPLES).is_dir() {
        eprintln!("SPIN's examples are not installed: nothing to compare with");
        return;
    }
    let lines: Vec<&str> = include_str!("temporal-examples.tsv")
        .lines()
        // What is slow is left to the script.
        .filter(|line| !line.starts_with('#') && !line.ends_with("\tslow"))
        .collect();
    assert!(lines.len() >= 60);
    let complaints = complaints(&lines, |line| judge(line));
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

fn judge(line: &str) -> Vec<String> {
    let fields: Vec<&str> = line.split('\t').collect();
    let [file, what, fair, verdict] = fields[..] else {
        return vec![format!("not a line: {line}")];
    };
    let asked: Vec<String> = match what.split_once(' ') {
        Some(("claim", name)) => vec!["--claim".into(), name.into()],
        _ => vec![format!("--{what}")],
    };
    let mut complaints = Vec::new();
    for how in WAYS {
        let found = verdict_of(file, &asked, fair == "fair", how);
        if found.as_deref() != Ok(verdict) {
            complaints.push(format!("{line}, {how:?}: {found:?}"));
        }
    }
    complaints
}

/// The verdict; a violation must have a scenario that can be shown.
fn verdict_of(file: &str, asked: &[String], fair: bool, how: &[&str]) -> Result<String, String> {
    let folder = Folder::new().map_err(|error| error.to_string())?;
    let mut check = Command::new(MAZURKA);
    check.arg("check").arg(Path::new(EXAMPLES).join(file));
    check.args(asked).args(how).args(["--json", "--quiet"]);
    check
        .arg("--scenario")
        .arg(folder.path().join("found.json"));
    if fair {
        check.arg("--fair");
    }
    let finish = |command: &mut Command| {
        command.current_dir(folder.path());
        run(command, folder.path(), LIMIT)
            .map_err(|error| error.to_string())?
            .ok_or("it takes too long".to_string())
    };
    let finished = finish(&mut check)?;
    let result: Value = serde_json::from_str(&finished.stdout)
        .map_err(|error| format!("{error}: {}", finished.stderr))?;
    let verdict = result["properties"][0]["verdict"].as_str().unwrap_or("");
    let verdict = verdict.to_string();
    // A run-time error that keeps a property from being decided has a scenario, too.
    if matches!(verdict.as_str(), "violated" | "not decided") {
        let mut show = Command::new(MAZURKA);
        show.args(["show", "found.json"]);
        let shown = finish(&mut show)?;
        if shown.code != Some(0) {
            return Err(format!("it cannot be shown: {}", shown.stderr));
        }
    }
    Ok(verdict)
}

/// Small models, each about one thing that a claim may stumble over. Their first lines say what SPIN finds, after `spin -a -o3` and without
/// its reduction.
#[test]
fn small_models() {
    let folder = here("tests/temporal");
    let mut lines = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of models") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a model");
        for line in text.lines().map_while(|line| line.strip_prefix("// ")) {
            lines.push((path.clone(), line.to_string()));
        }
    }
    assert!(lines.len() > 40);
    let complaints = complaints(&lines, |(path, line)| {
        let (asked, verdict) = line.split_once(": ").expect("a verdict");
        let verdict = verdict.split(',').next().expect("a verdict");
        let (name, fair) = match asked.split_once(' ') {
            Some((name, _)) => (name, true),
            None => (asked, false),
        };
        let asked = match name {
            "acceptance" | "progress" => vec![format!("--{name}")],
            _ => vec!["--claim".to_string(), name.to_string()],
        };
        let mut complaints = Vec::new();
        let reduced = REDUCED.into_iter().filter(|_| !fair);
        for how in WAYS.into_iter().chain(reduced) {
            let file = path.to_str().expect("a plain name");
            let found = verdict_of(file, &asked, fair, how);
            if found.as_deref() != Ok(verdict) {
                complaints.push(format!("{file}: {line}, {how:?}: {found:?}"));
            }
        }
        complaints
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// However a search for safety goes, it ends in time, even inside an atomic sequence with more states than anybody can see.
#[test]
fn time_ends_what_never_ends() {
    let model = "int n; active proctype A() { atomic { do :: n++ :: n = n + 2 od } }\n";
    for order in ["dfs", "bfs"] {
        let folder = Folder::new().expect("a folder");
        std::fs::write(folder.path().join("model.pml"), model).expect("it is written");
        let mut check = Command::new(MAZURKA);
        check.arg("check").arg(folder.path().join("model.pml"));
        check.args(["--property", "safety", "--time", "1", "--search", order]);
        let finished = run(&mut check, folder.path(), LIMIT).expect("it runs");
        let finished = finished.unwrap_or_else(|| panic!("{order}: it takes too long"));
        assert_eq!(finished.code, Some(3), "{order}: {}", finished.stdout);
    }
}
