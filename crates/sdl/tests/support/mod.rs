//! A small search by the interpreter, and the same of the export read as Promela.

use std::collections::{BTreeSet, HashSet};

use mazurka_model::{Failure, Fault, Interpreter, Program};
use mazurka_promela::MemoryLoader;
use mazurka_span::{RenderOptions, Snippets, SourceMap, render};

/// States that are looked at before a search is given up.
pub const MOST: usize = 12_000;

/// What is wrong with a system, if all of it could be seen.
pub fn judge(program: Program) -> Option<BTreeSet<String>> {
    judge_within(program, MOST)
}

/// The same, within a number of states.
pub fn judge_within(program: Program, most: usize) -> Option<BTreeSet<String>> {
    let interpreter = Interpreter::new(program);
    let mut found = BTreeSet::new();
    let mut first = Vec::new();
    interpreter.initial(&mut first, &mut ()).unwrap();
    let mut seen = HashSet::from([first.clone()]);
    let mut open = vec![first];
    let mut steps = Vec::new();
    while let Some(mut state) = open.pop() {
        steps.clear();
        interpreter.enabled(&state, &mut steps);
        if steps.is_empty() && interpreter.controller(&state).is_some() {
            interpreter.release(&mut state);
            interpreter.enabled(&state, &mut steps);
        }
        if steps.is_empty() && !interpreter.is_valid_end(&state) {
            found.insert("deadlock".to_string());
        }
        for step in &steps {
            let mut next = Vec::new();
            let outcome = interpreter.execute(&state, *step, &mut next, &mut Vec::new(), &mut ());
            match outcome.failure {
                Some(Failure::Fault(Fault::Breach(kind, _))) => {
                    found.insert(kind.name().to_string());
                    continue;
                }
                Some(_) => {
                    found.insert("error".to_string());
                    continue;
                }
                None => {}
            }
            if outcome.complete && seen.insert(next.clone()) {
                open.push(next);
            }
        }
        if seen.len() > most {
            return None;
        }
    }
    Some(found)
}

pub fn program(text: &str, defines: &[String]) -> Program {
    let mut map = SourceMap::new();
    match mazurka_sdl::compile(&mut map, "model.sdl", text.as_bytes(), defines) {
        Ok(compiled) => compiled.program,
        Err(errors) => {
            let errors: Vec<_> = errors.into_iter().filter(|told| told.is_error()).collect();
            let told = render(&map, &errors, RenderOptions::default());
            panic!("{told}\n{text}")
        }
    }
}

pub fn exported(text: &str, defines: &[String]) -> (String, Program) {
    let mut map = SourceMap::new();
    let promela = mazurka_sdl::promela(&mut map, "model.sdl", text.as_bytes(), defines).unwrap();
    let mut map = SourceMap::new();
    let loader = MemoryLoader::default();
    let compiled =
        mazurka_promela::compile(&mut map, "model.pml", promela.as_bytes(), &[], &loader);
    match compiled {
        Ok(compiled) => (promela, compiled.program),
        Err(errors) => panic!("{errors:#?}\n{promela}"),
    }
}

/// What Promela can tell apart: after an error it goes on, and may get stuck.
pub fn coarse(found: &BTreeSet<String>) -> &'static str {
    match (
        found.iter().any(|kind| kind != "deadlock"),
        found.is_empty(),
    ) {
        (true, _) => "error",
        (false, false) => "deadlock",
        (false, true) => "holds",
    }
}

/// Compares a system with its export, as far as both can be searched.
pub fn agree(text: &str, defines: &[String]) -> Option<&'static str> {
    let ours = judge(program(text, defines))?;
    let (promela, program) = exported(text, defines);
    let theirs = judge(program)?;
    let (ours, theirs) = (coarse(&ours), coarse(&theirs));
    assert_eq!(ours, theirs, "\n{text}\n{promela}");
    Some(ours)
}

/// Files that are there.
pub fn with(files: &[(&str, &str)]) -> MemoryLoader {
    let mut loader = MemoryLoader::default();
    for (name, text) in files {
        loader.files.insert((*name).into(), (*text).into());
    }
    loader
}

pub fn judged(loader: &MemoryLoader, main: &str, source: &str) -> Result<&'static str, String> {
    judged_with(loader, main, source, &[])
}

/// What is wrong with a system, of which its export says the same.
pub fn judged_with(
    loader: &MemoryLoader,
    main: &str,
    source: &str,
    defines: &[String],
) -> Result<&'static str, String> {
    let mut map = SourceMap::new();
    let compiled = mazurka_sdl::compile_with(
        &mut map,
        main,
        source.as_bytes(),
        defines,
        &Snippets::default(),
        loader,
    );
    let compiled = compiled.map_err(|told| render(&map, &told, RenderOptions::default()))?;
    let ours = coarse(&judge(compiled.program).unwrap());
    let mut map = SourceMap::new();
    let promela =
        mazurka_sdl::promela_with(&mut map, main, source.as_bytes(), defines, loader).unwrap();
    let mut map = SourceMap::new();
    let compiled =
        mazurka_promela::compile(&mut map, "m.pml", promela.as_bytes(), &[], loader).unwrap();
    assert_eq!(coarse(&judge(compiled.program).unwrap()), ours);
    Ok(ours)
}

/// A system of one process that must end in the state `fine`, with its types in a file that a `use` names.
pub fn computes(types: &str, variables: &str, start: &str) -> Result<&'static str, String> {
    let system = format!(
        "use dv comment 'types.asn'; system s; block b; process p; {variables} start; {start} state fine comment 'end'; endstate; state wrong; endstate; endprocess; endblock; endsystem;"
    );
    let types = format!("Dv DEFINITIONS ::= BEGIN {types} END");
    let loader = with(&[("types.asn", &types)]);
    judged(&loader, "s.pr", &system)
}
