//! `mazurka explain`: what a diagnostic, or a kind of violation, means.

use mazurka_explain::{list, page};

use crate::Exit;
use crate::arguments::ExplainArguments;
use crate::terminal::print;
use crate::trouble::Trouble;

/// Runs the command.
pub fn explain(arguments: &ExplainArguments) -> Result<Exit, Trouble> {
    print(&match &arguments.code {
        Some(code) => page(code).map_err(Trouble::Usage)?.to_string(),
        None => list(),
    })?;
    Ok(Exit::Holds)
}
