//! `mazurka explain`: what a diagnostic, or a kind of violation, means.

use mazurka_explain::{pages, violations};

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
                let hint = match mazurka_explain::nearest(code) {
                    Some(near) => format!("did you mean {near}? "),
                    None => String::new(),
                };
                let message = format!(
                    "there is no diagnostic and no violation {code}; {hint}`mazurka explain` lists them"
                );
                return Err(Trouble::Usage(message));
            }
        },
        None => {
            let pages = pages().chain(violations());
            let lines = pages.map(|page| format!("{}  {}\n", page.code.id, page.code.summary));
            lines.collect()
        }
    };
    print(&text)?;
    Ok(Exit::Holds)
}
