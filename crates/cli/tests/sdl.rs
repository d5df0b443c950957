//! Systems in SDL: the examples are judged as their text says, and random ones as SPIN judges their exports; no reduction changes that.
//!
//! `SDL` says how many random systems, `SDL_SEED` where to begin.

mod support;

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use mazurka_differential::outcome::Outcome;
use mazurka_differential::process::{Finished, Folder, run};
use mazurka_differential::sdl::system;
use mazurka_differential::spin::{self, Limits};
use serde_json::Value;
use support::{MAZURKA, complaints, here};

const LIMIT: Duration = Duration::from_secs(120);

fn mazurka(words: &[&str]) -> Result<Finished, String> {
    let folder = Folder::new().map_err(|error| error.to_string())?;
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

/// The kinds of violation that a check finds, if it comes to an end in time.
fn kinds(model: &Path, options: &[&str], time: &str) -> Result<Option<BTreeSet<String>>, String> {
    let model = model.display().to_string();
    let mut words = vec!["check", &model, "--all", "--json", "--property", "safety"];
    words.extend(["--jobs", "1", "--time", time]);
    words.extend(options);
    let finished = mazurka(&words)?;
    let result: Value = serde_json::from_str(&finished.stdout)
        .map_err(|error| format!("{error}: {}{}", finished.stdout, finished.stderr))?;
    if result["complete"] != Value::Bool(true) {
        return Ok(None);
    }
    let violations = result["violations"].as_array().ok_or("no violations")?;
    let kinds = violations.iter();
    let kinds = kinds.filter_map(|violation| violation["kind"].as_str().map(str::to_string));
    Ok(Some(kinds.collect()))
}

fn coarse(kinds: &BTreeSet<String>) -> &'static str {
    match (
        kinds.iter().any(|kind| kind != "deadlock"),
        kinds.is_empty(),
    ) {
        (true, _) => "error",
        (false, false) => "deadlock",
        (false, true) => "holds",
    }
}

fn agree(model: &Path, options: &[&str]) -> Result<(), String> {
    let full = [options, &["--reduce", "none", "--optimize", "off"]].concat();
    let Some(found) = kinds(model, &full, "10s")? else {
        return Ok(());
    };
    for reduced in [
        &["--reduce", "auto"][..],
        &["--search", "bfs"],
        &["--sleep", "on"],
    ] {
        let reduced = [options, reduced].concat();
        // A machine that is busy may have slowed down this one alone.
        let less = kinds(model, &reduced, "100s")?;
        let less = less.ok_or_else(|| format!("{reduced:?} does not end"))?;
        if coarse(&less) != coarse(&found) {
            return Err(format!("{found:?}, but {reduced:?} {less:?}"));
        }
    }
    if !spin::is_installed() {
        return Ok(());
    }
    let name = model.display().to_string();
    let exported = mazurka(&[&["export", &name], options].concat())?;
    if exported.code != Some(0) {
        return Err(format!("export: {}", exported.stderr));
    }
    match spin::verify(&exported.stdout, None, &Limits::small()) {
        Outcome::Counts(counts) if !counts.truncated => {
            let theirs = coarse(&counts.kinds);
            if coarse(&found) != theirs {
                return Err(format!("{found:?}, but SPIN {:?}", counts.messages));
            }
            Ok(())
        }
        Outcome::Counts(_) | Outcome::Timeout => Ok(()),
        other => Err(format!("SPIN {other}\n{}", exported.stdout)),
    }
}

#[test]
fn the_examples_are_judged_as_their_text_says() {
    let cases = [
        ("alternating-bit", vec!["--property", "safety"], 0),
        (
            "alternating-bit",
            vec!["--ltl", "[] <> Transmitter at Waiting"],
            0,
        ),
        ("call", vec!["--property", "safety"], 0),
        (
            "call",
            vec!["--ltl", "[] (Caller at Talking -> Called at Talking)"],
            0,
        ),
        ("call", vec!["--ltl", "<> Called at Over"], 0),
        (
            "inres",
            vec!["--property", "safety", "--define", "QUEUE=6"],
            0,
        ),
    ];
    let complaints = complaints(&cases, |(name, options, code)| {
        let model = here(&format!("../../examples/sdl/{name}.sdl"));
        let model = model.display().to_string();
        let mut words = vec!["check", &model, "--quiet"];
        words.extend(options);
        match mazurka(&words) {
            Ok(finished) if finished.code == Some(*code) => Vec::new(),
            other => vec![format!("{name} {options:?}: {other:?}")],
        }
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// An unexpected signal is an error, and is passed over all the same: what a formula says is about all that comes after it.
#[test]
fn a_formula_is_judged_beyond_an_unexpected_signal() {
    let text = "system s; signal ring, bye;
        channel there from Left to Right with ring, bye; endchannel there;
        block Left; process Caller; start; output ring; output bye; nextstate Over;
            state Over comment 'end'; endstate; endprocess; endblock;
        block Right; process Phone; start; nextstate Asleep;
            state Asleep; input bye; nextstate Over; endstate;
            state Over comment 'end'; input ring; nextstate Over; endstate; endprocess; endblock;
        endsystem;";
    let folder = Folder::new().unwrap();
    let model = folder.path().join("model.sdl");
    std::fs::write(&model, text).unwrap();
    let model = model.display().to_string();
    let properties = [
        (["--property", "safety"], 1),
        (["--ltl", "<> [] (Phone at Over)"], 0),
        (["--ltl", "[] (Phone at Over -> [] Phone at Over)"], 0),
        (["--ltl", "[] !(Phone at Over)"], 1),
        (["--ltl", "[] (Phone at Asleep -> [] Phone at Asleep)"], 1),
    ];
    let ways = [
        &[][..],
        &["--jobs", "2"],
        &["--reduce", "none", "--optimize", "off"],
        &["--audit", "1"],
    ];
    for (property, code) in properties {
        for way in ways {
            let mut words = vec!["check", &model, "--quiet", "--define", "UNEXPECTED=report"];
            words.extend(property);
            words.extend(way);
            let finished = mazurka(&words).unwrap();
            assert_eq!(
                finished.code,
                Some(code),
                "{property:?} {way:?}: {finished:?}"
            );
        }
    }
}

#[test]
fn spin_agrees_about_the_examples() {
    let models = ["alternating-bit", "call"];
    let complaints = complaints(&models, |name| {
        let model = here(&format!("../../examples/sdl/{name}.sdl"));
        agree(&model, &[]).err().into_iter().collect()
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// One model for each construct, and systems as books write them; what each is to be is said, and judged, where they are.
#[test]
fn spin_agrees_about_the_models() {
    let folder = here("../sdl/tests/models");
    let models = std::fs::read_dir(folder).unwrap();
    let mut models: Vec<_> = models.map(|entry| entry.unwrap().path()).collect();
    models.sort();
    let complaints = complaints(&models, |model| {
        let text = std::fs::read_to_string(model).unwrap();
        let first = text.split(" */").next().unwrap_or_default();
        if first.contains("refused") {
            return Vec::new();
        }
        let defines = first.split("; define ").skip(1);
        let options: Vec<&str> = defines.flat_map(|define| ["--define", define]).collect();
        let complaint = agree(model, &options).err();
        let named = complaint.map(|complaint| format!("{}: {complaint}", model.display()));
        named.into_iter().collect()
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// What is between two outputs of a transition is one step, also where labels are joined in it: neither a formula nor SPIN sees what is inside.
#[test]
fn formulas_see_no_more_than_spin_does() {
    let parts = "state aggregation v; substructure
        state m0; substructure start; task y := y + 1; nextstate k; state k; endstate; endsubstructure;
        state m1; substructure start; task y := y + 1; nextstate k; state k; endstate; endsubstructure;
        endsubstructure; state v comment 'end'; endstate;";
    let cases = [
        ("", "task y := 1; task y := 2; nextstate e;", false),
        (
            "",
            "task y := 1; join l; input none; l: task y := 2; nextstate e;",
            false,
        ),
        (
            "",
            "l: task y := y + 1; decision y < 2; (true): join l; (false): nextstate e; enddecision;",
            false,
        ),
        (
            "",
            "task y := 1; decision any; ( ): task y := 3; ( ): enddecision; task y := y + 1; nextstate e;",
            false,
        ),
        (
            "",
            "task y := 1; output a to self; l: task y := 2; nextstate e;",
            true,
        ),
        (parts, "nextstate v;", false),
    ];
    let complaints = complaints(&cases, |(parts, body, expected)| {
        let folder = Folder::new().unwrap();
        let text = format!(
            "system s; signal a; block b; process p; dcl y Integer := 0; {parts} start; nextstate w;
             state w; input none; {body} input a; nextstate e; endstate; state e comment 'end'; endstate; endprocess; endblock; endsystem;"
        );
        let model = folder.path().join("model.sdl");
        std::fs::write(&model, &text).unwrap();
        let model = model.display().to_string();
        let mut complaints = Vec::new();
        for more in [&["--reduce", "none"][..], &[]] {
            let words = [
                &["check", &model, "--quiet", "--ltl", "[] (p.y /= 1)"],
                more,
            ]
            .concat();
            if mazurka(&words).unwrap().code != Some(i32::from(*expected)) {
                complaints.push(format!("{more:?}: not {expected}: {text}"));
            }
        }
        if !spin::is_installed() {
            return complaints;
        }
        let exported = mazurka(&["export", &model]).unwrap().stdout;
        let exported = exported + "ltl f { [] (P_p:v_y != 1) }\n";
        let theirs = spin::holds(&exported, "f", &Limits::small());
        if theirs != Ok(Some(!expected)) {
            complaints.push(format!("SPIN {theirs:?}: {exported}"));
        }
        complaints
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// As SPIN is used without options: it then takes several statements as one, and refuses some loops.
#[test]
fn spin_takes_transitions_that_lead_nowhere_else() {
    if !spin::is_installed() {
        return;
    }
    let bodies = [
        "input none; nextstate s1;",
        "input none; nextstate -;",
        "input none; provided true; task 'nothing'; nextstate s1;",
        "input none; provided yes; nextstate s1;",
        "input none; l: task 'nothing'; join l;",
        "input none; l: join l;",
        "input none; l: join m; input none; m: join l;",
        "input none; l: set(now, t); reset(t); join l; input t; nextstate -;",
        "input none; l: decision any; ( ): join l; ( ): set(now, t); join l; enddecision; input t; nextstate -;",
        "input none; l: decision any; ( ): ( ): join l; enddecision; join l;",
        "provided true; priority 1; nextstate s1;",
    ];
    for body in bodies {
        let folder = Folder::new().unwrap();
        let text = format!(
            "system s; synonym yes Boolean = true; block b; process p; timer t; start; nextstate s1;
             state s1; {body} endstate; endprocess; endblock b; endsystem s;"
        );
        let model = folder.path().join("model.sdl");
        std::fs::write(&model, text).unwrap();
        let exported = mazurka(&["export", &model.display().to_string()]).unwrap();
        assert_eq!(exported.code, Some(0), "{}", exported.stderr);
        std::fs::write(folder.path().join("model.pml"), &exported.stdout).unwrap();
        let mut output = String::new();
        for words in [
            &["spin", "-a", "model.pml"][..],
            &["cc", "-w", "-DSAFETY", "-o", "pan", "pan.c"],
            &["./pan"],
        ] {
            let mut command = Command::new(words[0]);
            command.args(&words[1..]).current_dir(folder.path());
            let finished = run(&mut command, folder.path(), LIMIT).unwrap();
            output = finished.expect("it ends").stdout;
        }
        assert!(
            output.contains("errors: 0"),
            "{output}\n{}",
            exported.stdout
        );
    }
}

#[test]
fn spin_agrees_about_random_systems() {
    let number = |name: &str, default: u64| {
        let value = std::env::var(name).ok();
        value.and_then(|text| text.parse().ok()).unwrap_or(default)
    };
    let first = number("SDL_SEED", 9_000);
    let seeds: Vec<u64> = (first..first + number("SDL", 30)).collect();
    let complaints = complaints(&seeds, |seed| {
        let system = system(*seed);
        let text = &system.text;
        let folder = Folder::new().unwrap();
        let model = folder.path().join("model.sdl");
        std::fs::write(&model, text).unwrap();
        let defines = system.defines.iter();
        let options: Vec<&str> = defines.flat_map(|define| ["--define", define]).collect();
        match agree(&model, &options) {
            Ok(()) => Vec::new(),
            Err(complaint) => vec![format!("seed {seed}: {complaint}\n{text}")],
        }
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// Sender and receiver of a signal are not among what it carries.
#[test]
fn signals_are_told_as_they_are_written() {
    let model = here("../../examples/sdl/alternating-bit.sdl");
    let model = model.display().to_string();
    let finished = mazurka(&["simulate", &model, "--seed", "1", "--steps", "14"]).unwrap();
    let text = finished.stdout;
    assert!(text.contains("sends frame(0,0) on Medium.queue"), "{text}");
    assert!(text.contains("sends lost on Transmitter.queue"), "{text}");
}
