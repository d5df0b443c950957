//! The C code under the explorer: the same end states and errors as the model.

mod support;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

use mazurka_differential::machines::System;
use mazurka_explore::{Config, Outcome, StopReason};
use mazurka_generate::{State, Target};
use mazurka_processes::Explorer;
use mazurka_scenario::{ViolationKind, Walk};

use support::{Model, examples, place};

/// What ends a run that should not: the kind, and the state before the step or where nobody can move.
type Troubles = BTreeSet<(String, State)>;

/// All states of a model, by the definition, as far as traces tell them, and what goes wrong; none if there are too many.
fn of_model(model: &Model, names: &BTreeSet<String>, most: usize) -> Option<(usize, Troubles)> {
    let has = |name: &str| names.contains(name);
    let (walk, _) = Walk::start(model.interpreter()).unwrap();
    let mut known = BTreeSet::from([State::of(&walk.snapshot(), &has)]);
    let mut open = vec![walk.into_standing()];
    let mut troubles = Troubles::new();
    while let Some(standing) = open.pop() {
        let mut walk = Walk::at(model.interpreter(), standing.clone());
        let possible = walk.enabled();
        let here = State::of(&walk.snapshot(), &has);
        if possible.is_empty() && !model.interpreter().is_valid_end(walk.state()) {
            troubles.insert(("nobody can move".into(), here.clone()));
        }
        for step in possible {
            let mut walk = Walk::at(model.interpreter(), standing.clone());
            walk.enabled();
            let outcome = walk.advance(step);
            if let Some(failure) = &outcome.failure {
                let kind = ViolationKind::from(*failure);
                // Invariants are not part of the code.
                if kind != ViolationKind::Invariant {
                    troubles.insert((kind.name().to_string(), here.clone()));
                }
            }
            if outcome.complete && known.insert(State::of(&walk.snapshot(), &has)) {
                open.push(walk.into_standing());
            }
        }
        if known.len() > most {
            return None;
        }
    }
    Some((known.len(), troubles))
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The library for C.
fn library() -> &'static Path {
    static LIBRARY: OnceLock<PathBuf> = OnceLock::new();
    LIBRARY.get_or_init(|| {
        let test = std::env::current_exe().unwrap();
        let target = test.ancestors().nth(3).unwrap();
        let status = Command::new(env!("CARGO"))
            .args(["build", "-q", "-p", "mazurka-capi", "--target-dir"])
            .arg(target)
            .current_dir(root())
            .status();
        assert!(status.unwrap().success());
        target.join("debug/libmazurka_c.a")
    })
}

fn compile(folder: &Path, more: &[&str]) -> PathBuf {
    let flags = "-O1 -std=c99 -Wall -Wextra -Wconversion -pedantic -Werror";
    let output = Command::new("gcc")
        .args(flags.split(' '))
        .args(more)
        .arg(format!("-I{}", root().join("capi/include").display()))
        .args([
            "explore.c",
            "trace.c",
            "network.c",
            "mapping.c",
            "-o",
            "explore",
        ])
        .arg(library())
        .current_dir(folder)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}:\n{errors}", folder.display());
    folder.join("explore")
}

/// What the explorer finds in the code.
fn of_code(program: &Path, arguments: &[&str]) -> (Outcome, Troubles) {
    let command = [program.to_str().unwrap()];
    let command = command.iter().chain(arguments).map(|word| word.to_string());
    let config = Config {
        all: true,
        ..Config::default()
    };
    let outcome = Explorer::new(command).config(config).run().unwrap();
    let mut troubles = Troubles::new();
    for violation in &outcome.violations {
        let message = &violation.record.message;
        let (before, state) = message.split_once(" in ").unwrap();
        let kinds = [
            "nobody can move",
            "overflow",
            "unexpected-input",
            "assertion",
            "runtime-error",
            "unsettled",
            "wrong-choice",
        ];
        let kind = kinds.iter().find(|kind| before.ends_with(**kind));
        let kind = kind.unwrap_or_else(|| panic!("{message}")).to_string();
        troubles.insert((kind, State::read(&state.replace("; ", "\t"))));
    }
    (outcome, troubles)
}

/// Compares all states of the code with all of the model. Tells how many there are, or a difference; nothing if there are too many.
fn compare(model: &Model, folder: &Path, most: usize) -> Option<Result<usize, String>> {
    let built = support::compile(folder, Target::C);
    let trace = built.run(&["--script"], "");
    let state = trace.lines().find_map(|line| line.strip_prefix("state\t"));
    let mut names: BTreeSet<String> = State::read(state.unwrap_or_default()).names().collect();
    // Before the initial state is chosen, machines are not told.
    let processes = model.interpreter().program().instances.iter().cloned();
    names.extend(processes);
    let (count, troubles) = of_model(model, &names, most)?;
    let (outcome, found) = of_code(&compile(folder, &[]), &["--states"]);
    let only = |one: &Troubles, other: &Troubles| {
        let mut only = one.difference(other);
        only.next()
            .map(|(kind, state)| format!("{kind} in {state:?}"))
    };
    Some(match (only(&troubles, &found), only(&found, &troubles)) {
        (Some(missing), _) => Err(format!("only the model has {missing}")),
        (_, Some(more)) => Err(format!("only the code has {more}")),
        _ if outcome.stop != StopReason::Complete => Err(format!("{}", outcome)),
        _ if outcome.statistics.states != count as u64 => Err(format!(
            "the code has {} states, the model {count}",
            outcome.statistics.states
        )),
        _ => Ok(count),
    })
}

#[test]
fn all_states_of_the_code_of_small_examples_are_those_of_their_models() {
    let most = support::number("STATES", 1500) as usize;
    let mut compared = 0;
    for notation in ["vfsm", "efsm"] {
        for path in examples(notation) {
            let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
            let model = Model::open(&path);
            let folder = place(&format!("explored-{notation}-{stem}"));
            model.folder(Target::C).write(&folder).unwrap();
            match compare(&model, &folder, most) {
                Some(Ok(states)) => {
                    eprintln!("{stem}: {states} states");
                    compared += 1;
                }
                Some(Err(difference)) => panic!("{stem}: {difference}"),
                None => eprintln!("{stem}: too large"),
            }
        }
    }
    assert!(compared > 3, "{compared}");
}

#[test]
fn all_states_of_the_code_of_random_systems_are_those_of_their_models() {
    let mut compared = 0;
    for seed in 0..support::number("SYSTEMS", 8) {
        let text = System::random(seed).text();
        let model = Model::new("random.efsm", &text).unwrap();
        let folder = place("explored-random");
        model.folder(Target::C).write(&folder).unwrap();
        match compare(&model, &folder, 300) {
            Some(Ok(_)) => compared += 1,
            Some(Err(difference)) => panic!("seed {seed}: {difference}\n{text}"),
            None => {}
        }
    }
    assert!(compared > 0);
}

/// A mistake in the code shows as a difference, and what the explorer says of it can be read.
#[test]
fn a_mistake_in_the_code_is_found_by_exploring_it() {
    let path = examples("efsm")
        .into_iter()
        .find(|path| path.ends_with("connection.efsm"));
    let model = Model::open(&path.unwrap());
    let folder = place("explored-mistake");
    model.folder(Target::C).write(&folder).unwrap();
    let code = folder.join("network.c");
    let text = std::fs::read_to_string(&code).unwrap();
    let wrong = text.replacen("me->state = Side_Open;", "me->state = Side_Idle;", 1);
    assert_ne!(text, wrong);
    std::fs::write(&code, wrong).unwrap();
    let difference = compare(&model, &folder, 2000).unwrap().unwrap_err();
    assert!(difference.contains("only the code has"), "{difference}");
    let (outcome, _) = of_code(&folder.join("explore"), &["--states"]);
    let steps = &outcome.violations[0].run.steps;
    let told = steps
        .iter()
        .filter(|step| step.statement.starts_with("note "));
    assert!(told.count() > 2, "{outcome}");
}

/// A mapper written by hand, with a memory of its own, is held against what the model says it may do: it does less, and its memory is
/// part of the state.
#[test]
fn a_mapper_with_a_memory_is_explored() {
    let model = Model::new("press.vfsm", PRESS).unwrap();
    let folder = place("explored-mapper");
    model.folder(Target::C).write(&folder).unwrap();
    let template = std::fs::read_to_string(folder.join("mapping.c")).unwrap();
    let asked = "return network_choose(net, 2);";
    assert!(template.contains(asked), "{template}");
    // It says ready twice, then broken: the model allows all of that.
    let mapper = template.replace(
        asked,
        "static unsigned asked;\n    (void)net;\n    return asked++ < 2 ? 0 : 1;",
    );
    std::fs::write(folder.join("mapping.c"), &mapper).unwrap();
    let (outcome, found) = of_code(&compile(&folder, &[]), &[]);
    assert!(
        found.is_empty() && outcome.stop == StopReason::Complete,
        "{outcome}"
    );
    // With a mistake: a number that is no alternative.
    let wrong = mapper.replace("? 0 : 1", "? 0 : 2");
    std::fs::write(folder.join("mapping.c"), wrong).unwrap();
    let (outcome, _) = of_code(&compile(&folder, &[]), &[]);
    assert!(
        outcome.violations[0]
            .record
            .message
            .contains("wrong-choice"),
        "{outcome}"
    );
}

const PRESS: &str = "
machine DRIVER {
    inputs I_1, I_2, I_3;
    initial S_1;
    end S_4;
    S_1 { X: O_PUSH; NS: I_1 > S_2; }
    S_2 { X: O_PUSH; NS: I_2 > S_3; }
    S_3 { X: O_PUSH; NS: I_3 > S_4; }
    S_4 { }
    spontaneous in S_1: *I_1;
    spontaneous in S_2: *I_2;
    spontaneous in S_3: *I_3;
    out O_PUSH: send PUSH to press;
}
machine PRESS {
    inputs I_READY, I_BROKEN;
    initial S_ON;
    end S_ON, S_OFF;
    S_ON { IA: I_READY ? O_BEEP; NS: I_BROKEN > S_OFF; }
    S_OFF { IA: I_READY ? O_BEEP; }
    on PUSH: *I_READY | *I_BROKEN also in S_OFF;
    out O_BEEP: nothing;
}
network {
    queue 3;
    processor A { process P { driver: DRIVER; } }
    processor B { process Q { press: PRESS; } }
}
";
