//! From a path on the command line to a program that can be run.

use std::path::Path;
use std::time::Instant;

use mazurka_model::{Interpreter, verify};
use mazurka_promela::{Compiled, DiskLoader, FileLoader, compile};
use mazurka_scenario::{Model, fingerprint};
use mazurka_span::{RenderOptions, SourceMap, render};

use crate::arguments::ModelArguments;
use crate::terminal;
use crate::trouble::Trouble;

/// A model that is ready to run.
#[derive(Debug)]
pub struct Loaded {
    pub interpreter: Interpreter,
    pub sources: SourceMap,
    /// What a scenario must know to find and recognize it.
    pub model: Model,
    /// What the front end has to remark, ready to print.
    pub warnings: String,
    /// How many formulas the model has.
    pub formulas: usize,
    pub compile_seconds: f64,
}

/// Reads a model as the command line names it.
pub fn load(arguments: &ModelArguments) -> Result<Loaded, Trouble> {
    load_model(&arguments.file, &arguments.define)
}

/// Reads the model at a path with macros `NAME` or `NAME=VALUE`.
pub fn load_model(file: &Path, defines: &[String]) -> Result<Loaded, Trouble> {
    let started = Instant::now();
    let path = readable_model(file)?;
    let mut sources = SourceMap::new();
    let options = RenderOptions {
        colour: terminal::colour_of_errors(),
        ..Default::default()
    };
    check_defines(defines)?;
    let source = DiskLoader
        .load(path)
        .map_err(|reason| Trouble::Usage(format!("cannot read {path}: {reason}")))?;
    let compiled = compile(&mut sources, path, &source, defines, &DiskLoader)
        .map_err(|errors| Trouble::Diagnostics(render(&sources, &errors, options)))?;
    let Compiled {
        program,
        warnings,
        formulas,
    } = compiled;
    let flaws = verify(&program);
    if let Some(flaw) = flaws.first() {
        let message = format!("{path} was lowered to a program that is not well formed: {flaw}");
        return Err(Trouble::Internal(message));
    }
    Ok(Loaded {
        interpreter: Interpreter::new(program),
        model: Model {
            file: path.into(),
            language: "promela".into(),
            defines: defines.to_vec(),
            hash: fingerprint(sources.files().iter().map(|file| file.text())),
            optimize: false,
        },
        warnings: render(&sources, &warnings, options),
        formulas: formulas.len(),
        sources,
        compile_seconds: started.elapsed().as_secs_f64(),
    })
}

/// The path as text, if it names a file in a notation that is known.
fn readable_model(file: &Path) -> Result<&str, Trouble> {
    let name = file.display();
    let trouble = |reason: &str| Err(Trouble::Usage(format!("cannot read {name}: {reason}")));
    match std::fs::metadata(file) {
        Err(error) => return trouble(&error.to_string()),
        Ok(kind) if kind.is_dir() => return trouble("it is a directory"),
        Ok(kind) if !kind.is_file() => return trouble("it is not a regular file"),
        Ok(_) => {}
    }
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("pml" | "prom" | "promela") => {}
        Some(later @ ("vfsm" | "efsm")) => {
            return trouble(&format!("models in .{later} are not available yet"));
        }
        _ => return trouble("the notation is not known; a model is named .pml, .prom or .promela"),
    }
    file.to_str()
        .map_or_else(|| trouble("its name is not valid Unicode"), Ok)
}

/// A macro that cannot be named in the model would be silently useless.
fn check_defines(defines: &[String]) -> Result<(), Trouble> {
    for define in defines {
        let name = define.split('=').next().unwrap_or_default();
        let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
            && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if !is_name {
            let message = format!("--define {define}: `{name}` cannot be the name of a macro");
            return Err(Trouble::Usage(message));
        }
    }
    Ok(())
}
