//! `mazurka tests`: short runs that together exercise every part of a model.

use mazurka_generate::Suite;

use crate::Exit;
use crate::arguments::TestsArguments;
use crate::terminal::print;
use crate::trouble::Trouble;

/// Runs the command.
pub fn tests(arguments: &TestsArguments) -> Result<Exit, Trouble> {
    let (_, loaded) = arguments.model.load()?;
    let found = Suite::new(&loaded, arguments.states)?;
    found.write(&loaded, arguments.form, &arguments.to)?;
    print(&found.text(&arguments.to, arguments.states))?;
    Ok(match found.is_conclusive() {
        true => Exit::Holds,
        false => Exit::Inconclusive,
    })
}
