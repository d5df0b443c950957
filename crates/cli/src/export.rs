//! `mazurka export`: a model in another notation, or as code.

use std::path::Path;

use mazurka_checker::figures::counted;
use mazurka_checker::{Besides, ModelText};
use mazurka_generate::{Folder, Target, Written};
use mazurka_span::SourceMap;

use crate::Exit;
use crate::arguments::{ExportArguments, ExportForm};
use crate::check::open_model;
use crate::terminal::{complain, print, warn};
use crate::trouble::Trouble;

/// Runs the command.
pub fn export(arguments: &ExportArguments) -> Result<Exit, Trouble> {
    let target = match arguments.form {
        ExportForm::Promela => None,
        ExportForm::C => Some(Target::C),
        ExportForm::Rust => Some(Target::Rust),
    };
    let model = open_model(&arguments.model.file, arguments.model.notation)?;
    let define = &arguments.model.define;
    let (target, folder) = match (target, &arguments.to) {
        (Some(target), Some(folder)) => (target, folder),
        (Some(_), None) => {
            let message = "--to FOLDER says where the code goes".to_string();
            return Err(Trouble::Usage(message));
        }
        (None, Some(_)) => {
            let message = "--to goes with --as c or rust: Promela is printed".to_string();
            return Err(Trouble::Usage(message));
        }
        (None, None) => {
            print(&model.export(define)?)?;
            return Ok(Exit::Holds);
        }
    };
    let code = generate(&model, define, target)?;
    let written = code.write(folder).map_err(Trouble::Usage)?;
    print(&told(folder, &written, target))?;
    Ok(Exit::Holds)
}

/// The code of a model.
fn generate(model: &ModelText, define: &[String], target: Target) -> Result<Folder, Trouble> {
    let loaded = model.load(&Besides {
        define,
        ..Besides::default()
    })?;
    warn(&loaded.sources, &loaded.warnings);
    let path = Path::new(model.path());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut sources = SourceMap::new();
    match loaded.notation.name() {
        "vfsm" => {
            let resolved = mazurka_vfsm::resolve(&mut sources, model.path(), model.source());
            // It was compiled, so there is nothing wrong with it.
            let resolved = resolved.map_err(|_| Trouble::Internal("no network".into()))?;
            Ok(mazurka_generate::vfsm::generate(&resolved, &name, target))
        }
        "efsm" if target == Target::C => {
            Ok(mazurka_generate::efsm::generate(loaded.program(), &name))
        }
        "efsm" => Err(Trouble::Usage(format!(
            "{}: a .efsm model is written as C, not as Rust",
            model.path()
        ))),
        other => Err(Trouble::Usage(format!(
            "{}: there is no code for models in {other}, only for .vfsm and .efsm",
            model.path()
        ))),
    }
}

/// What was written, and what to do with it.
fn told(folder: &Path, written: &Written, target: Target) -> String {
    for kept in &written.kept {
        if !kept.missing.is_empty() {
            let (path, missing) = (kept.path.display(), kept.missing.join(", "));
            complain(&format!(
                "warning: {path} is kept as it is, and lacks {missing}\n"
            ));
        }
    }
    let files = counted(written.files.len() as u64, "file");
    let mut text = format!("{}: {files} written", folder.display());
    for kept in &written.kept {
        text += &format!(", {} kept", kept.path.display());
    }
    let folder = folder.display();
    let run = match target {
        Target::C => format!("make -C {folder} && {folder}/run --random 1"),
        Target::Rust => format!("cargo run --manifest-path {folder}/Cargo.toml -- --random 1"),
    };
    format!("{text}\nrun it: {run}\n")
}
