//! Networks of virtual finite state machines: the examples hold, each planted error is found and
//! replays, reductions save what they should, and SPIN agrees on the exported models.

mod support;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use mazurka_differential::outcome::Outcome;
use mazurka_differential::process::{Finished, Folder, run};
use mazurka_differential::spin::{self, Limits};
use serde_json::Value;
use support::{MAZURKA, complaints, here};

const LIMIT: Duration = Duration::from_secs(240);

fn mazurka(folder: &Folder, arguments: &[&str], model: &Path) -> Finished {
    let mut command = Command::new(MAZURKA);
    command.current_dir(folder.path());
    command
        .args(&arguments[..1])
        .arg(model)
        .args(&arguments[1..]);
    // Beside the examples nothing is to be left.
    if arguments.first() == Some(&"check") && !arguments.contains(&"--scenario") {
        command.args(["--scenario", "found.json"]);
    }
    let finished = run(&mut command, folder.path(), LIMIT).expect("mazurka can be run");
    finished.expect("mazurka ends in time")
}

fn json(finished: &Finished) -> Value {
    let parsed = serde_json::from_str(&finished.stdout);
    parsed.unwrap_or_else(|error| panic!("{error}: {finished:?}"))
}

fn models(folder: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(here(folder)).expect("the examples are there");
    let mut models: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "vfsm")
        })
        .collect();
    models.sort();
    models
}

#[test]
fn every_planted_error_is_found_and_replays() {
    let models = models("../../examples/vfsm/errors");
    assert_eq!(models.len(), 7);
    let complaints = complaints(&models, |model| {
        let text = fs::read_to_string(model).expect("the model can be read");
        let first = text.lines().next().unwrap_or("");
        let mut words = first.trim_start_matches("// expect: ").split(' ');
        let kind = words.next().unwrap_or("");
        let more: Vec<&str> = words.collect();
        let mut complaints = Vec::new();
        for reduce in ["none", "stubborn", "persistent"] {
            let folder = Folder::new().expect("a folder");
            let mut options = vec![
                "check",
                "--json",
                "--quiet",
                "--reduce",
                reduce,
                "--scenario",
                "s.json",
            ];
            options.extend(&more);
            let result = json(&mazurka(&folder, &options, model));
            let found = &result["violations"][0]["kind"];
            if found != kind {
                complaints.push(format!("{model:?}, {reduce}: {found} instead of {kind}"));
                continue;
            }
            let shown = mazurka(&folder, &["show"], &folder.path().join("s.json"));
            if shown.code != Some(0) || !shown.stdout.contains(kind) {
                complaints.push(format!("{model:?}, {reduce}: {shown:?}"));
            }
            let simulated = mazurka(&folder, &["simulate", "--scenario", "s.json"], model);
            // An execution that goes on for ever does not end in an error.
            let repeats = result["violations"][0]["message"]
                .as_str()
                .is_some_and(|message| message.contains("for ever"));
            if simulated.code != Some(i32::from(!repeats)) {
                complaints.push(format!("{model:?}, {reduce}: {simulated:?}"));
            }
        }
        complaints
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Which machine, in which state, on which event, and why.
#[test]
fn messages_name_machine_state_event_and_reason() {
    let cases: &[(&str, &[&str], &str)] = &[
        (
            "deadlock",
            &[],
            "caller waits in S_WAITING for DONE or FAILED, sender in S_SEND_REQ for ACK",
        ),
        (
            "unexpected-input",
            &[],
            "sender in S_OVER receives ACK, but no condition of S_OVER mentions I_ACK",
        ),
        (
            "overflow",
            &[],
            "receiver in S_LISTEN sends ACK to sender, but the low queue of process PROTOCOL is full",
        ),
        (
            "unsettled",
            &[],
            "sender in S_SEND_REQ receives TIMEOUT and may never settle",
        ),
        (
            "invariant",
            &[],
            "caller in S_WAITING receives FAILED and goes to S_DISAPPOINTED",
        ),
        (
            "livelock",
            &["--progress"],
            "the next 2 steps repeat for ever, by receiver, sender",
        ),
        ("formula", &[], "for ever, by receiver, sender"),
    ];
    for (name, options, message) in cases {
        let folder = Folder::new().expect("a folder");
        let model = here("../../examples/vfsm/errors").join(format!("{name}.vfsm"));
        let arguments = [&["check", "--json"], *options].concat();
        let result = json(&mazurka(&folder, &arguments, &model));
        let found = result["violations"][0]["message"].as_str().expect("text");
        assert!(found.contains(message), "{name}: {found}");
    }
}

/// The shape of the paper's table: what each quality of information saves.
#[test]
fn information_saves_transitions() {
    let folder = Folder::new().expect("a folder");
    let transitions = |example: &str, options: &[&str]| {
        let model = here("../../examples/vfsm").join(format!("{example}.vfsm"));
        let mut arguments = vec![
            "check",
            "--json",
            "--quiet",
            "--property",
            "deadlock",
            "--reduce",
        ];
        arguments.extend(options);
        let result = json(&mazurka(&folder, &arguments, &model));
        assert_eq!(result["verdict"], "holds", "{example}: {result}");
        result["stats"]["transitions"].as_u64().expect("a number")
    };
    let row = |example: &str| {
        let of = |footprint| transitions(example, &["persistent", "--footprint", footprint]);
        let row = [
            transitions(example, &["none"]),
            of("machine"),
            of("state"),
            of("run"),
        ];
        assert!(
            row.windows(2).all(|pair| pair[1] <= pair[0]),
            "{example}: {row:?}"
        );
        assert!((500_000..5_000_000).contains(&row[0]), "{example}: {row:?}");
        row
    };
    let [normal, machine, state, run] = row("voice-storage");
    assert!(state * 2 < machine && run * 4 < normal);
    let [normal, machine, state, run] = row("mfc-signalling");
    assert!(state * 3 < machine * 2 && run * 3 < normal);
    // Strongly connected: what may be done some day says nothing about the next transition.
    let [normal, machine, state, run] = row("speech-handler");
    assert!(machine == state && run * 3 < normal && run * 2 < state);
    // Nearly all is sequential: no information saves much.
    let [normal, _, _, run] = row("remove-restore");
    assert!(run < normal && run * 5 > normal * 4);
}

#[test]
fn spin_agrees_on_the_exported_models() {
    let handshake = here("../../examples/vfsm/handshake.vfsm");
    let mut models = models("../../examples/vfsm/errors");
    // The same with names that are words of Promela, of SPIN or of C.
    let mut text = std::fs::read_to_string(&handshake).expect("a model");
    for (name, reserved) in [
        ("caller", "c"),
        ("sender", "init"),
        ("receiver", "timeout"),
        ("CALLS", "network"),
        ("PROTOCOL", "started"),
        ("SERVER", "run"),
        ("answered", "always"),
        ("T_ACK", "state"),
        ("I_TIMEOUT", "now"),
    ] {
        text = text.replace(name, reserved);
    }
    let renamed = Folder::new().expect("a folder");
    let reserved = renamed.path().join("reserved.vfsm");
    std::fs::write(&reserved, text).expect("a file");
    models.extend([handshake, reserved]);
    let complaints = complaints(&models, |model| {
        let folder = Folder::new().expect("a folder");
        let safety = ["check", "--json", "--quiet", "--property", "safety"];
        let verdict = json(&mazurka(&folder, &safety, model))["verdict"].clone();
        let exported = mazurka(&folder, &["export", "--as", "promela"], model);
        let outcome = spin::verify(&exported.stdout, None, &Limits::small());
        let holds = match &outcome {
            Outcome::Counts(counts) if !counts.truncated => counts.errors == 0,
            other => return vec![format!("{model:?}: SPIN {other}")],
        };
        if holds != (verdict == "holds") {
            return vec![format!("{model:?}: mazurka says {verdict}, SPIN {outcome}")];
        }
        let formulas = exported.stdout.lines();
        let formulas = formulas.filter_map(|line| line.strip_prefix("ltl ")?.split(' ').next());
        let mut complaints = Vec::new();
        for formula in formulas.filter(|_| holds) {
            let claim = formula.trim_end_matches('_');
            let ours = mazurka(&folder, &["check", "--quiet", "--claim", claim], model);
            let theirs = spin::holds(&exported.stdout, formula, &Limits::small());
            if theirs != Ok(Some(ours.code == Some(0))) {
                complaints.push(format!(
                    "{model:?}, {formula}: {ours:?}, but SPIN {theirs:?}"
                ));
            }
        }
        complaints
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// From the model to code that runs, and from what it did back to a scenario of the model; a mistake in the code is told.
#[test]
fn exported_code_is_followed_in_the_model() {
    let folder = Folder::new().expect("a folder");
    let model = folder.path().join("handshake.vfsm");
    fs::copy(here("../../examples/vfsm/handshake.vfsm"), &model).expect("a copy");
    let exported = mazurka(&folder, &["export", "--as", "c", "--to", "code"], &model);
    assert_eq!(exported.code, Some(0), "{exported:?}");
    let run_code = || {
        let make = Command::new("make")
            .args(["-sC", "code", "run"])
            .current_dir(folder.path())
            .status();
        assert!(make.expect("make can be run").success());
        let mut command = Command::new(folder.path().join("code/run"));
        command
            .current_dir(folder.path())
            .args(["--random", "3", "--trace", "run.trace"]);
        assert!(command.output().expect("the code runs").status.success());
        mazurka(&folder, &["simulate", "--follow", "run.trace"], &model)
    };
    let followed = run_code();
    assert_eq!(followed.code, Some(0), "{followed:?}");
    let scenario = folder.path().join("handshake.run.scenario.json");
    let shown = mazurka(&folder, &["show"], &scenario);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    let code = folder.path().join("code/network.c");
    let text = fs::read_to_string(&code).expect("code");
    let wrong = text.replace("SENDER_S_OVER;", "SENDER_S_IDLE;");
    assert_ne!(text, wrong);
    fs::write(&code, wrong).expect("code");
    let followed = run_code();
    assert_eq!(followed.code, Some(1), "{followed:?}");
    let told = "the code and the model differ: in step";
    assert!(followed.stdout.contains(told), "{followed:?}");
}

/// Tests exercise every part of the example, and each is a scenario that can be shown.
#[test]
fn tests_are_scenarios_that_exercise_every_part() {
    let folder = Folder::new().expect("a folder");
    let model = folder.path().join("handshake.vfsm");
    fs::copy(here("../../examples/vfsm/handshake.vfsm"), &model).expect("a copy");
    for form in ["scenario", "script"] {
        let made = mazurka(&folder, &["tests", "--as", form, "--to", "tests"], &model);
        assert_eq!(made.code, Some(0), "{made:?}");
        assert!(made.stdout.contains("38 of 38 parts"), "{made:?}");
    }
    let first = folder.path().join("tests/handshake-001.scenario.json");
    let shown = mazurka(&folder, &["show"], &first);
    assert_eq!(shown.code, Some(0), "{shown:?}");
    fs::write(folder.path().join("tests/handshake-001.script"), "mine").expect("a file");
    let refused = mazurka(
        &folder,
        &["tests", "--as", "script", "--to", "tests"],
        &model,
    );
    assert_eq!(refused.code, Some(2), "{refused:?}");
}
