//! `mazurka export`: a model in another notation, or as code.

use std::path::Path;

use mazurka_checker::figures::counted;
use mazurka_generate::{TableForm, Target, Written, code, tables};

use crate::Exit;
use crate::arguments::{ExportArguments, ExportForm};
use crate::terminal::{complain, print};
use crate::trouble::Trouble;

/// Runs the command.
pub fn export(arguments: &ExportArguments) -> Result<Exit, Trouble> {
    let (target, table) = match arguments.form {
        ExportForm::Promela => (None, None),
        ExportForm::C => (Some(Target::C), None),
        ExportForm::Rust => (Some(Target::Rust), None),
        ExportForm::Html => (None, Some(TableForm::Html)),
        ExportForm::Csv => (None, Some(TableForm::Csv)),
    };
    let (target, folder) = match (target, &arguments.to) {
        (Some(target), Some(folder)) => (target, folder),
        (Some(_), None) => {
            let message = "--to FOLDER says where the code goes".to_string();
            return Err(Trouble::Usage(message));
        }
        (None, Some(_)) => {
            let message = "--to goes with --as c or rust: anything else is printed".to_string();
            return Err(Trouble::Usage(message));
        }
        (None, None) => {
            let text = match table {
                Some(form) => {
                    let (model, loaded) = arguments.model.load()?;
                    tables(&model, &loaded, form)?
                }
                None => {
                    let model = arguments.model.open()?;
                    model.export(&arguments.model.define)?
                }
            };
            print(&text)?;
            return Ok(Exit::Holds);
        }
    };
    let (model, loaded) = arguments.model.load()?;
    let code = code(&model, &loaded, target)?;
    let written = code.write(folder).map_err(Trouble::Usage)?;
    print(&told(folder, &written, target))?;
    Ok(Exit::Holds)
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
