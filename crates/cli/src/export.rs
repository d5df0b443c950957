//! `mazurka export`: a model in another notation, or as code.

use std::path::Path;

use mazurka_checker::Report;
use mazurka_generate::{TableForm, Target, alone, code, diagrams, from_tables, tables};

use crate::Exit;
use crate::arguments::{ExportArguments, ExportForm};
use crate::terminal::{complain, print};
use crate::trouble::Trouble;

/// Runs the command.
pub fn export(arguments: &ExportArguments) -> Result<Exit, Trouble> {
    if arguments.machine.is_some() && arguments.form != ExportForm::Vfsm {
        let message = "--machine goes with --as vfsm".to_string();
        return Err(Trouble::Usage(message));
    }
    let is_table = matches!(arguments.form, ExportForm::Html | ExportForm::Csv);
    if arguments.coverage.is_some() && !is_table {
        let message = "--coverage goes with --as html or csv".to_string();
        return Err(Trouble::Usage(message));
    }
    let (target, table) = match arguments.form {
        ExportForm::Promela | ExportForm::Efsm | ExportForm::Vfsm | ExportForm::Dot => (None, None),
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
            let define = &arguments.model.define;
            let text = match table {
                Some(form) => {
                    let (model, loaded) = arguments.model.load()?;
                    let result = arguments.coverage.as_deref().map(result).transpose()?;
                    tables(&model, &loaded, form, result.as_ref())?
                }
                None => match arguments.form {
                    ExportForm::Vfsm => vfsm(arguments)?,
                    ExportForm::Dot => {
                        let (model, loaded) = arguments.model.load()?;
                        diagrams(&model, &loaded)?
                    }
                    ExportForm::Efsm => arguments.model.open()?.export_machines(define)?,
                    _ => arguments.model.open()?.export(define)?,
                },
            };
            print(&text)?;
            return Ok(Exit::Holds);
        }
    };
    let (model, loaded) = arguments.model.load()?;
    let code = code(&model, &loaded, target)?;
    let written = code.write(folder).map_err(Trouble::Usage)?;
    for warning in written.warnings() {
        complain(&format!("warning: {warning}\n"));
    }
    print(&written.text(folder, target))?;
    Ok(Exit::Holds)
}

/// A result of a check.
fn result(path: &Path) -> Result<Report, Trouble> {
    let wrong = |reason: String| Trouble::Usage(format!("{}: {reason}", path.display()));
    let text = std::fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    Report::from_json(&text).map_err(|error| wrong(error.to_string()))
}

/// Machines as `.vfsm`: those of state tables, or one of a network.
fn vfsm(arguments: &ExportArguments) -> Result<String, Trouble> {
    let file = &arguments.model.file;
    if let Some(machine) = &arguments.machine {
        let (model, loaded) = arguments.model.load()?;
        return Ok(alone(&model, &loaded, machine)?);
    }
    let wrong = |reason: String| Trouble::Usage(format!("{}: {reason}", file.display()));
    if file.extension().is_none_or(|extension| extension != "csv") {
        let reason = "--as vfsm takes state tables (FILE.csv), or --machine NAME says which machine of a .vfsm model is written alone";
        return Err(wrong(reason.into()));
    }
    let text = std::fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
    from_tables(&text).map_err(wrong)
}
