//! Small models, one feature each, and the examples: each says in its first comment what is to be found.
//!
//! ```text
//! /* expect: holds */
//! /* expect: holds, states 12, transitions 17 */
//! /* expect: violated deadlock assertion, states 12, transitions 17 */
//! /* not run: why */
//! ```
//!
//! The counts are SPIN's too, except in `models/spin-differs`, whose models say what SPIN makes of them, and `models/annotated`, where they are
//! SPIN's for what `mazurka export --as promela` prints.

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use mazurka_differential::process::{Finished, Folder, run};
use serde_json::Value;
use support::{MAZURKA, complaints, here};

const LIMIT: Duration = Duration::from_secs(60);

/// What the first comment of a model says.
#[derive(Debug, PartialEq, Eq)]
struct Expectation {
    kinds: BTreeSet<String>,
    /// States and transitions.
    counts: Option<(u64, u64)>,
}

#[test]
fn models_are_judged_as_they_say() {
    let mut models = models_under(&here("tests/models"));
    models.extend(models_under(&here("../../examples/promela")));
    assert!(models.len() > 50, "the models are not where they should be");
    let complaints = complaints(&models, |model| match judge(model) {
        Ok(()) => Vec::new(),
        Err(complaint) => vec![format!("{}: {complaint}", model.display())],
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn headers_are_read() {
    let expectation = |kinds: &[&str], counts| Expectation {
        kinds: kinds.iter().map(|kind| kind.to_string()).collect(),
        counts,
    };
    assert_eq!(expected("expect: holds"), Ok(expectation(&[], None)));
    assert_eq!(
        expected("expect: violated deadlock assertion, states 3, transitions 4"),
        Ok(expectation(&["assertion", "deadlock"], Some((3, 4))))
    );
    for wrong in [
        "",
        "expect: violated",
        "expect: fine",
        "expect: holds, states 3",
    ] {
        assert!(expected(wrong).is_err(), "{wrong}");
    }
}

/// Every `.pml` file under `folder`.
fn models_under(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder of models") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(models_under(&path));
        } else if path.extension().is_some_and(|extension| extension == "pml") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn judge(model: &Path) -> Result<(), String> {
    let text = std::fs::read_to_string(model).map_err(|error| error.to_string())?;
    let comment = text
        .strip_prefix("/* ")
        .and_then(|rest| rest.split_once(" */"))
        .map_or("", |(comment, _)| comment);
    if comment.starts_with("not run: ") {
        return Ok(());
    }
    let expectation = expected(comment)?;

    let folder = Folder::new().map_err(|error| error.to_string())?;
    let scenario = folder.path().join("found.json");
    let mut check = Command::new(MAZURKA);
    check.arg("check").arg(model);
    check.args(["--optimize", "off", "--reduce", "none", "--all"]);
    check.args(["--property", "safety", "--jobs", "1", "--json"]);
    check.arg("--scenario").arg(&scenario);
    let finished = finish(&mut check, &folder)?;
    let result: Value = serde_json::from_str(&finished.stdout)
        .map_err(|error| format!("{error}: {}{}", finished.stdout, finished.stderr))?;

    let violations = result["violations"].as_array().ok_or("no violations")?;
    let kinds: BTreeSet<String> = violations
        .iter()
        .filter_map(|violation| violation["kind"].as_str().map(str::to_string))
        .collect();
    let holds = expectation.kinds.is_empty();
    let verdict = if holds { "holds" } else { "violated" };
    let code = if holds { 0 } else { 1 };
    same("verdict", verdict, result["verdict"].as_str().unwrap_or(""))?;
    same("exit code", Some(code), finished.code)?;
    same("complete", Some(true), result["complete"].as_bool())?;
    same("violations", &expectation.kinds, &kinds)?;
    if let Some((states, transitions)) = expectation.counts {
        let stats = &result["stats"];
        same("states", Some(states), stats["states"].as_u64())?;
        same(
            "transitions",
            Some(transitions),
            stats["transitions"].as_u64(),
        )?;
    }
    violations
        .iter()
        .try_for_each(|violation| shows(violation, &folder))
}

/// The scenario of a violation was written, and can be shown; showing it replays it.
fn shows(violation: &Value, folder: &Folder) -> Result<(), String> {
    let path = violation["scenario"]
        .as_str()
        .ok_or_else(|| format!("no scenario: {violation}"))?;
    for form in ["text", "msc"] {
        let mut show = Command::new(MAZURKA);
        show.args(["show", path, "--as", form]);
        let finished = finish(&mut show, folder)?;
        let kind = violation["kind"].as_str().unwrap_or("");
        if finished.code != Some(0) || !finished.stdout.contains(kind) {
            return Err(format!("show --as {form}: {finished:?}"));
        }
    }
    Ok(())
}

fn finish(command: &mut Command, folder: &Folder) -> Result<Finished, String> {
    command.current_dir(folder.path());
    run(command, folder.path(), LIMIT)
        .map_err(|error| error.to_string())?
        .ok_or_else(|| "it takes too long".to_string())
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, expected: T, found: T) -> Result<(), String> {
    if expected == found {
        return Ok(());
    }
    Err(format!("{what}: expected {expected:?}, found {found:?}"))
}

fn expected(comment: &str) -> Result<Expectation, String> {
    let wrong = || format!("not an expectation: {comment:?}");
    let rest = comment.strip_prefix("expect: ").ok_or_else(wrong)?;
    let parts: Vec<&str> = rest.split(", ").collect();
    let (verdict, counts) = match parts[..] {
        [verdict] => (verdict, None),
        [verdict, states, transitions] => {
            let number = |part: &str, name: &str| -> Option<u64> {
                part.strip_prefix(name)?.trim().parse().ok()
            };
            let states = number(states, "states ").ok_or_else(wrong)?;
            let transitions = number(transitions, "transitions ").ok_or_else(wrong)?;
            (verdict, Some((states, transitions)))
        }
        _ => return Err(wrong()),
    };
    let kinds = match verdict.split_once(' ') {
        None if verdict == "holds" => BTreeSet::new(),
        Some(("violated", kinds)) => kinds.split_whitespace().map(str::to_string).collect(),
        _ => return Err(wrong()),
    };
    Ok(Expectation { kinds, counts })
}
