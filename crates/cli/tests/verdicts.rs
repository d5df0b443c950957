//! A verdict for each property: what fails elsewhere in the model says nothing about a formula.
//!
//! The first lines of each model say what becomes of its properties, however they are searched; of one that is said to be violated once, how often
//! it is reported.

mod support;

use std::process::Command;
use std::time::Duration;

use mazurka_differential::process::{Folder, run};
use serde_json::Value;
use support::{MAZURKA, complaints, here};

const LIMIT: Duration = Duration::from_secs(60);

const WAYS: [&[&str]; 5] = [
    &[],
    &["--all"],
    &["--jobs", "2"],
    &[
        "--emptiness",
        "scc",
        "--reduce",
        "none",
        "--optimize",
        "off",
    ],
    &["--audit", "1"],
];

#[test]
fn each_property_has_its_own() {
    let folder = here("tests/verdicts");
    let entries = std::fs::read_dir(folder).expect("a folder of models");
    let models: Vec<_> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    assert!(models.len() >= 6);
    let cases: Vec<_> = models
        .iter()
        .flat_map(|model| WAYS.map(|how| (model, how)))
        .collect();
    let complaints = complaints(&cases, |(model, how)| {
        let complaint = |reason| format!("{}, {how:?}: {reason}", model.display());
        let name = model.to_str().expect("a plain name");
        judge(name, how).err().map(complaint).into_iter().collect()
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

fn judge(model: &str, how: &[&str]) -> Result<(), String> {
    let folder = Folder::new().map_err(|error| error.to_string())?;
    let mut check = Command::new(MAZURKA);
    check.args([
        "check",
        model,
        "--json",
        "--quiet",
        "--scenario",
        "found.json",
    ]);
    check.args(how).current_dir(folder.path());
    let finished = run(&mut check, folder.path(), LIMIT).map_err(|error| error.to_string())?;
    let finished = finished.ok_or("it takes too long")?;
    let result: Value = serde_json::from_str(&finished.stdout)
        .map_err(|error| format!("{error}: {}", finished.stderr))?;
    let text = std::fs::read_to_string(model).map_err(|error| error.to_string())?;
    let expected = text.lines().map_while(|line| line.strip_prefix("// "));
    let mut verdicts = Vec::new();
    for line in expected {
        let (name, verdict) = line.split_once(": ").ok_or("a line without a verdict")?;
        let (verdict, once) = verdict.split_once(", ").unwrap_or((verdict, ""));
        let violations = result["violations"].as_array().ok_or("no violations")?;
        let count = violations.iter().filter(|found| found["property"] == name);
        if once == "once" && count.count() != 1 {
            return Err(format!("{name} is reported not once: {violations:?}"));
        }
        verdicts.push((name.to_string(), verdict.to_string()));
    }
    let properties = result["properties"].as_array().ok_or("no properties")?;
    let word = |found: &Value, field: &str| found[field].as_str().unwrap_or("").to_string();
    let found = properties.iter();
    let found = found.map(|found| (word(found, "name"), word(found, "verdict")));
    let found: Vec<_> = found.collect();
    if verdicts != found {
        return Err(format!("{found:?} instead of {verdicts:?}"));
    }
    let violations = result["violations"].as_array().ok_or("no violations")?;
    violations
        .iter()
        .try_for_each(|found| shows(found, &folder))
}

/// The scenario of a violation can be shown, which replays it.
fn shows(violation: &Value, folder: &Folder) -> Result<(), String> {
    let scenario = violation["scenario"].as_str().ok_or("no scenario")?;
    let mut show = Command::new(MAZURKA);
    show.args(["show", scenario]).current_dir(folder.path());
    let finished = run(&mut show, folder.path(), LIMIT).map_err(|error| error.to_string())?;
    let finished = finished.ok_or("it takes too long")?;
    match finished.code {
        Some(0) => Ok(()),
        _ => Err(format!("show {scenario}: {}", finished.stderr)),
    }
}

/// What is looked for decides what happens after an unexpected input, and a scenario does not say what that was.
#[test]
fn a_deadlock_behind_an_unexpected_input_is_shown() {
    let model = here("tests/verdicts/unexpected-input.efsm");
    let folder = Folder::new().expect("a folder");
    let mut check = Command::new(MAZURKA);
    check.arg("check").arg(model).current_dir(folder.path());
    check.args([
        "--property",
        "deadlock",
        "--json",
        "--scenario",
        "found.json",
    ]);
    let finished = run(&mut check, folder.path(), LIMIT).expect("it runs");
    let finished = finished.expect("it ends in time");
    let result: Value = serde_json::from_str(&finished.stdout).expect("a report");
    let violation = &result["violations"][0];
    assert_eq!(violation["kind"], "nonprogress-state");
    assert_eq!(shows(violation, &folder), Ok(()));
}
