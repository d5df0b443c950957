//! SPIN's own examples: the verdict on each claim, acceptance and progress mark is SPIN's, however it is searched.
//!
//! `temporal-examples.tsv` is made by `scripts/temporal-examples`, which also compares what is too slow for here.

mod support;

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use mazurka_differential::process::{Folder, run};
use serde_json::Value;
use support::{MAZURKA, complaints};

const EXAMPLES: &str = "/usr/share/doc/spin/examples/Examples";
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
    for how in [
        &[][..],
        &["--emptiness", "scc"],
        &["--jobs", "2"],
        &["--reduce", "none", "--optimize", "off"],
    ] {
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
    let verdict = result["verdict"].as_str().unwrap_or("").to_string();
    if verdict == "violated" {
        let mut show = Command::new(MAZURKA);
        show.args(["show", "found.json"]);
        let shown = finish(&mut show)?;
        if shown.code != Some(0) {
            return Err(format!("it cannot be shown: {}", shown.stderr));
        }
    }
    Ok(verdict)
}
