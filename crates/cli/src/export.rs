//! `mazurka export`: a model in another notation.

use crate::Exit;
use crate::arguments::ExportArguments;
use crate::check::open_model;
use crate::terminal::print;
use crate::trouble::Trouble;

/// Runs the command.
pub fn export(arguments: &ExportArguments) -> Result<Exit, Trouble> {
    let model = open_model(&arguments.model.file, arguments.model.notation)?;
    print(&model.export(&arguments.model.define)?)?;
    Ok(Exit::Holds)
}
