//! Mazurka, run as a user would run it.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde_json::Value;

use crate::outcome::{Counts, Outcome};
use crate::process::{Finished, Folder, run};

/// The options under which Mazurka promises SPIN's counts.
const OPTIONS: &[&str] = &[
    "--optimize",
    "off",
    "--reduce",
    "none",
    "--all",
    "--property",
    "safety",
    "--jobs",
    "1",
    "--json",
];

/// Verifies the model in `text` with the binary at `binary`.
pub fn verify(binary: &Path, text: &str, limit: Duration) -> Outcome {
    let in_folder = || -> io::Result<Outcome> {
        let folder = Folder::new()?;
        let model = folder.path().join("model.pml");
        std::fs::write(&model, text)?;
        verify_file(binary, &model, limit)
    };
    in_folder().unwrap_or_else(|error| Outcome::Crash(error.to_string()))
}

/// Verifies a model where it stands, in its own folder, so that the files it includes are found.
pub fn verify_file(binary: &Path, model: &Path, limit: Duration) -> io::Result<Outcome> {
    let output = Folder::new()?;
    let binary = binary.canonicalize()?;
    let model = model.canonicalize()?;
    let mut command = Command::new(binary);
    command.arg("check").arg(&model).args(OPTIONS);
    // Scenarios go where they disturb nobody.
    command.current_dir(output.path());
    Ok(match run(&mut command, output.path(), limit)? {
        None => Outcome::Timeout,
        Some(finished) => interpret(&finished),
    })
}

fn interpret(finished: &Finished) -> Outcome {
    match finished.code {
        Some(2) => return Outcome::Rejected(finished.stderr.trim().to_string()),
        Some(0 | 1 | 3) => {}
        code => return Outcome::Crash(format!("ended with {code:?}: {}", finished.stderr.trim())),
    }
    match parse(&finished.stdout) {
        Some(counts) => Outcome::Counts(counts),
        None => Outcome::Crash(format!("unexpected output: {}", finished.stdout)),
    }
}

fn parse(output: &str) -> Option<Counts> {
    let result: Value = serde_json::from_str(output).ok()?;
    let stats = result.get("stats")?;
    let number = |name: &str| stats.get(name).and_then(Value::as_u64);
    let violations = result.get("violations")?.as_array()?;
    let mut messages = BTreeMap::new();
    for violation in violations {
        let message = violation
            .get("message")
            .and_then(Value::as_str)
            .unwrap_or_default();
        *messages.entry(message.to_string()).or_insert(0) += 1;
    }
    let kinds = violations
        .iter()
        .filter_map(|violation| violation.get("kind")?.as_str().map(str::to_string));
    // A violated model may still have been searched to the end; `complete` says so where it is given.
    let complete = result.get("complete").and_then(Value::as_bool);
    let verdict = result.get("verdict")?.as_str()?;
    Some(Counts {
        states: number("states")?,
        matched: number("matched").unwrap_or(0),
        transitions: number("transitions")?,
        depth: number("depth").unwrap_or(0),
        errors: violations.len() as u64,
        messages,
        kinds: kinds.collect(),
        truncated: !complete.unwrap_or(verdict != "inconclusive"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_result() {
        let stdout = r#"{"verdict": "violated", "complete": true, "violations": [
            {"kind": "deadlock", "message": "invalid end state"}],
            "stats": {"states": 7, "matched": 2, "transitions": 9, "depth": 4}}"#;
        let finished = Finished {
            code: Some(1),
            stdout: stdout.to_string(),
            stderr: String::new(),
        };
        let Outcome::Counts(counts) = interpret(&finished) else {
            panic!("it has counts")
        };
        assert_eq!(
            (counts.states, counts.transitions, counts.truncated),
            (7, 9, false)
        );
        assert!(counts.kinds.contains("deadlock"));
    }

    #[test]
    fn bad_input_is_rejected() {
        let finished = Finished {
            code: Some(2),
            stdout: String::new(),
            stderr: "line 1: no".to_string(),
        };
        assert_eq!(
            interpret(&finished),
            Outcome::Rejected("line 1: no".to_string())
        );
    }
}
