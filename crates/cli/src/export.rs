//! `mazurka export`: a model in another notation.

use mazurka_checker::ModelText;

use crate::Exit;
use crate::arguments::ExportArguments;
use crate::terminal::print;
use crate::trouble::Trouble;

/// Runs the command.
pub fn export(arguments: &ExportArguments) -> Result<Exit, Trouble> {
    let model = ModelText::open(&arguments.model.file)?;
    print(&model.export(&arguments.model.define)?)?;
    Ok(Exit::Holds)
}
