//! From a path on the command line to a program that can be run.

use std::collections::HashSet;
use std::path::Path;
use std::time::Instant;

use mazurka_ltl::Formula;
use mazurka_model::{Claim, Expression, ExpressionId, Interpreter, Program, verify};
use mazurka_promela::{DiskLoader, FileLoader, compile};
use mazurka_scenario::{Model, fingerprint};
use mazurka_span::{RenderOptions, SourceFile, SourceMap, render};
use mazurka_temporal::Property;
use mazurka_vfsm::Coverage;

use crate::arguments::ModelArguments;
use crate::terminal;
use crate::trouble::Trouble;

/// What the cost of a guided search is called while it is read.
const GUIDE: &str = "mazurka_guide";

/// A model that is ready to run.
#[derive(Debug)]
pub struct Loaded {
    pub interpreter: Interpreter,
    pub sources: SourceMap,
    /// What a scenario must know to find and recognize it.
    pub model: Model,
    /// What the front end has to remark, ready to print.
    pub warnings: String,
    /// The formulas of the model; one of the command line is the last.
    pub properties: Vec<Property>,
    /// Its never claims.
    pub claims: Vec<Claim>,
    /// The cost of a guided search.
    pub guide: Option<ExpressionId>,
    /// What transitions exercise, in a notation whose statements do not tell.
    pub coverage: Option<Coverage>,
    pub compile_seconds: f64,
    /// Where in the source of a network something begins that may be given a weight.
    pub weighable: Option<HashSet<u32>>,
}

/// Reads a model as the command line names it.
pub fn load(arguments: &ModelArguments) -> Result<Loaded, Trouble> {
    load_model(&arguments.file, &arguments.define, None)
}

/// Reads the model at a path with macros `NAME` or `NAME=VALUE`.
///
/// A further formula is read as if it stood at the end of the file, so that it knows the file's
/// macros.
pub fn load_model(
    file: &Path,
    defines: &[String],
    formula: Option<&str>,
) -> Result<Loaded, Trouble> {
    load_guided(file, defines, formula, None)
}

/// The same, with a cost over states, which is an expression of the model.
pub fn load_guided(
    file: &Path,
    defines: &[String],
    formula: Option<&str>,
    guide: Option<&str>,
) -> Result<Loaded, Trouble> {
    let started = Instant::now();
    let (path, source) = read_source(file, defines)?;
    let mut sources = SourceMap::new();
    let options = RenderOptions {
        colour: terminal::colour_of_errors(),
        ..Default::default()
    };
    let notation = notation(file);
    let mut appended = formula.map(|formula| match notation {
        Notation::Vfsm => format!("\nltl formula: {formula};\n"),
        _ => format!("\nltl formula {{ {formula} }}\n"),
    });
    if let Some(guide) = guide.filter(|_| notation != Notation::Vfsm) {
        // Read as a formula, so that it knows what formulas know.
        let text = format!("\nltl {GUIDE} {{ ({guide}) != 0 }}\n");
        appended.get_or_insert_default().push_str(&text);
    }
    let mut text = source;
    text.extend(appended.iter().flat_map(|text| text.bytes()));
    let mut claims = Vec::new();
    let mut properties = Vec::new();
    let mut coverage = None;
    let (mut costs, mut weighable) = (None, None);
    let compiled = match notation {
        Notation::Efsm => {
            let compiled = mazurka_efsm::compile(&mut sources, path, &text, defines);
            compiled.map(|compiled| {
                let formulas = compiled.formulas.into_iter();
                properties.extend(formulas.map(|f| property(f.name, f.formula, f.atoms, f.text)));
                (compiled.program, compiled.warnings)
            })
        }
        Notation::Vfsm => {
            refuse_defines(defines)?;
            let extras = mazurka_vfsm::Extras {
                guide,
                ..Default::default()
            };
            let compiled = mazurka_vfsm::compile_with(&mut sources, path, &text, &extras);
            compiled.map(|compiled| {
                costs = compiled.guide;
                weighable = Some(compiled.weighable);
                let formulas = compiled.formulas.into_iter();
                properties.extend(formulas.map(|f| property(f.name, f.formula, f.atoms, f.text)));
                coverage = Some(compiled.coverage);
                (compiled.program, compiled.warnings)
            })
        }
        _ => {
            let compiled = compile(&mut sources, path, &text, defines, &DiskLoader);
            compiled.map(|compiled| {
                claims = compiled.claims;
                let formulas = compiled.formulas.into_iter();
                properties.extend(formulas.map(|f| property(f.name, f.formula, f.atoms, f.text)));
                (compiled.program, compiled.warnings)
            })
        }
    };
    let (program, warnings) =
        compiled.map_err(|errors| Trouble::Diagnostics(render(&sources, &errors, options)))?;
    let guide = match guide.filter(|_| costs.is_none()) {
        Some(text) => Some(cost(text, &program, properties.pop())?),
        None => costs,
    };
    let flaws = verify(&program);
    if let Some(flaw) = flaws.first() {
        let message = format!("{path} was lowered to a program that is not well formed: {flaw}");
        return Err(Trouble::Internal(message));
    }
    Ok(Loaded {
        interpreter: Interpreter::new(program),
        model: Model {
            file: path.into(),
            language: notation.name().into(),
            defines: defines.to_vec(),
            formula: formula.map(str::to_string),
            hash: fingerprint(model_files(&sources).map(|file| {
                let appended = appended.as_deref().unwrap_or_default();
                file.text().strip_suffix(appended).unwrap_or(file.text())
            })),
            optimize: false,
        },
        warnings: render(&sources, &warnings, options),
        properties,
        claims,
        guide,
        coverage,
        weighable,
        sources,
        compile_seconds: started.elapsed().as_secs_f64(),
    })
}

/// The files of the model itself.
pub fn model_files(sources: &SourceMap) -> impl Iterator<Item = &SourceFile> {
    let files = sources.files().iter();
    files.filter(|file| file.name() != mazurka_vfsm::GUIDE)
}

/// A formula as the search knows it, whichever notation it comes from.
fn property(name: String, formula: Formula, atoms: Vec<ExpressionId>, text: String) -> Property {
    Property {
        name,
        formula,
        atoms,
        text,
    }
}

/// The expression that was read as the left side of a comparison with zero.
fn cost(text: &str, program: &Program, formula: Option<Property>) -> Result<ExpressionId, Trouble> {
    let wrong = |what: &str| Trouble::Usage(format!("--guide {text}: {what}"));
    let formula = formula.filter(|formula| formula.name == GUIDE);
    let formula = formula.ok_or_else(|| wrong("expected an expression"))?;
    match (&formula.formula, &formula.atoms[..]) {
        (Formula::Atom(0), [atom]) => match program.expressions[atom.index()] {
            Expression::Binary(_, cost, _) => Ok(cost),
            _ => Err(wrong("expected an expression")),
        },
        (Formula::Constant(_), _) => Err(wrong("it is the same in every state")),
        _ => Err(wrong("expected an expression, not a formula")),
    }
}

/// The path of a model and its bytes.
pub fn read_source<'f>(file: &'f Path, defines: &[String]) -> Result<(&'f str, Vec<u8>), Trouble> {
    let path = readable_model(file)?;
    check_defines(defines)?;
    let source = DiskLoader
        .load(path)
        .map_err(|reason| Trouble::Usage(format!("cannot read {path}: {reason}")))?;
    Ok((path, source))
}

/// The notation of a model, by the name of its file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    Promela,
    Vfsm,
    Efsm,
    Unknown,
}

impl Notation {
    /// As scenarios name it.
    fn name(self) -> &'static str {
        match self {
            Notation::Promela => "promela",
            Notation::Vfsm => "vfsm",
            Notation::Efsm => "efsm",
            Notation::Unknown => "unknown",
        }
    }
}

/// The notation of a model, by the name of its file.
pub fn notation(file: &Path) -> Notation {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("pml" | "prom" | "promela") => Notation::Promela,
        Some("vfsm") => Notation::Vfsm,
        Some("efsm") => Notation::Efsm,
        _ => Notation::Unknown,
    }
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
    match notation(file) {
        Notation::Promela | Notation::Efsm | Notation::Vfsm => {}
        Notation::Unknown => {
            return trouble(
                "the notation is not known; a model is named .pml, .prom, .promela, .vfsm or .efsm",
            );
        }
    }
    file.to_str()
        .map_or_else(|| trouble("its name is not valid Unicode"), Ok)
}

/// The VFSM notation has no macros.
pub fn refuse_defines(defines: &[String]) -> Result<(), Trouble> {
    if defines.is_empty() {
        return Ok(());
    }
    let message = "--define: the VFSM notation has no macros";
    Err(Trouble::Usage(message.into()))
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
