//! `mazurka explain`: what a diagnostic means.

use mazurka_explain::pages;

use crate::Exit;
use crate::arguments::ExplainArguments;
use crate::terminal::print;
use crate::trouble::Trouble;

/// Runs the command.
pub fn explain(arguments: &ExplainArguments) -> Result<Exit, Trouble> {
    let text = match &arguments.code {
        Some(code) => match mazurka_explain::explain(code) {
            Some(page) => page.to_string(),
            None => {
                let message =
                    format!("there is no diagnostic {code}; `mazurka explain` lists them");
                return Err(Trouble::Usage(message));
            }
        },
        None => {
            let lines = pages().map(|page| format!("{}  {}\n", page.code.id, page.code.summary));
            lines.collect()
        }
    };
    print(&text)?;
    Ok(Exit::Holds)
}
