//! `mazurka tests`: short runs that together exercise every part of a model.

use std::fs;
use std::io::Write;
use std::path::Path;

use mazurka_checker::Besides;
use mazurka_checker::figures::counted;
use mazurka_generate::{MARK, script, suite};
use mazurka_model::TransitionId;
use mazurka_scenario::{Scenario, ScenarioFiles, refuse_foreign, replace_file};
use mazurka_span::SourceMap;

use crate::Exit;
use crate::arguments::{TestForm, TestsArguments};
use crate::check::open_model;
use crate::terminal::{print, warn};
use crate::trouble::Trouble;

/// Runs the command.
pub fn tests(arguments: &TestsArguments) -> Result<Exit, Trouble> {
    let model = open_model(&arguments.model.file, arguments.model.notation)?;
    let loaded = model.load(&Besides {
        define: &arguments.model.define,
        ..Besides::default()
    })?;
    warn(&loaded.sources, &loaded.warnings);
    let program = loaded.program();
    // What is to be exercised: the parts of a network, or every transition that is written in the model.
    let (goals, choices): (Vec<(String, Vec<u32>)>, _) = match loaded.notation.name() {
        "vfsm" => {
            let mut sources = SourceMap::new();
            let compiled = mazurka_vfsm::compile(&mut sources, model.path(), model.source());
            // It was compiled before, so there is nothing wrong with it.
            let compiled = compiled.map_err(|_| Trouble::Internal("no network".into()))?;
            let parts = compiled.coverage.parts.iter();
            let mut goals: Vec<_> = parts
                .map(|part| (format!("{}: {}", part.machine, part.text), Vec::new()))
                .collect();
            for (transition, parts) in compiled.coverage.by_transition.iter().enumerate() {
                for part in parts {
                    goals[*part as usize].1.push(transition as u32);
                }
            }
            (goals, Some(compiled.choices))
        }
        "efsm" => {
            let transitions = program.transitions.iter().enumerate();
            let statements = transitions.map(|(number, transition)| {
                let statement = &program.statements[transition.statement.index()];
                (statement, number as u32)
            });
            let written = statements.filter(|(statement, _)| statement.reported);
            let goals = written.map(|(statement, number)| (statement.text.clone(), vec![number]));
            (goals.collect(), None)
        }
        other => {
            let message = format!(
                "{}: tests are made of .vfsm and .efsm, not of {other}",
                model.path()
            );
            return Err(Trouble::Usage(message));
        }
    };
    let mut by_transition = vec![Vec::new(); program.transitions.len()];
    for (goal, (_, transitions)) in goals.iter().enumerate() {
        for transition in transitions {
            by_transition[*transition as usize].push(goal as u32);
        }
    }
    let meets = |transition: TransitionId| by_transition[transition.index()].clone();
    let found = suite(&loaded.interpreter, goals.len(), &meets, arguments.states);
    let stem = arguments
        .model
        .file
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy();
    let wrong =
        |path: &Path, reason: String| Trouble::Usage(format!("{}: {reason}", path.display()));
    let folder = &arguments.to;
    fs::create_dir_all(folder).map_err(|error| wrong(folder, error.to_string()))?;
    for (number, run) in found.tests.iter().enumerate() {
        let path = |ending: &str| folder.join(format!("{stem}-{:03}.{ending}", number + 1));
        match arguments.form {
            TestForm::Scenario => {
                let path = path("scenario.json");
                let scenario = Scenario::new(loaded.model.clone(), None, &loaded.interpreter, run);
                let files = ScenarioFiles::of_model(&arguments.model.file).named(Some(&path));
                let written = files.map_err(Trouble::Usage)?.write(&scenario, 0, 1);
                written.map_err(|error| wrong(&path, error.to_string()))?;
            }
            TestForm::Script => {
                let path = path("script");
                let steps = script(&loaded.interpreter, choices.as_deref(), run);
                let text = format!("# {MARK}\n{steps}");
                refuse_foreign(&path, &[MARK]).map_err(|reason| wrong(&path, reason))?;
                let write = |out: &mut fs::File| out.write_all(text.as_bytes());
                let written = replace_file(&path, write);
                written.map_err(|error| wrong(&path, error.to_string()))?;
            }
        }
    }
    let (met, all) = (goals.len() - found.missing.len(), goals.len());
    let tests = counted(found.tests.len() as u64, "test");
    let steps = counted(
        found.tests.iter().map(Vec::len).sum::<usize>() as u64,
        "step",
    );
    let mut text = format!(
        "{}: {tests}, {steps}, {met} of {all} parts\n",
        folder.display()
    );
    for goal in &found.missing {
        text += &format!("  not exercised: {}\n", goals[*goal as usize].0);
    }
    if !found.missing.is_empty() && !found.is_complete {
        let states = counted(arguments.states as u64, "state");
        text += &format!("  only {states} were looked at: --states\n");
    }
    print(&text)?;
    match found.missing.is_empty() || found.is_complete {
        true => Ok(Exit::Holds),
        false => Ok(Exit::Inconclusive),
    }
}
