//! What was meant by a command line that is wrong, where that is known.

use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use mazurka_checker::notation_of;

/// The same error with what was meant.
pub fn with_hint(mut error: clap::Error, command: &clap::Command) -> clap::Error {
    let of = |kind| match error.get(kind) {
        Some(ContextValue::String(word)) => Some(word.as_str()),
        _ => None,
    };
    let hint = match error.kind() {
        ErrorKind::InvalidSubcommand => of(ContextKind::InvalidSubcommand).and_then(no_command),
        ErrorKind::UnknownArgument => {
            let name = std::env::args().nth(1).unwrap_or_default();
            let subcommand = command.find_subcommand(&name);
            let word = of(ContextKind::InvalidArg);
            subcommand
                .zip(word)
                .and_then(|(subcommand, word)| no_argument(subcommand, word))
        }
        _ => None,
    };
    if let Some(hint) = hint {
        let hints = ContextValue::StyledStrs(vec![hint.into()]);
        error.insert(ContextKind::Suggested, hints);
    }
    error
}

/// A file is not a command, but says which one is missing.
fn no_command(word: &str) -> Option<String> {
    let path = Path::new(word);
    let extension = path.extension().and_then(|extension| extension.to_str());
    let is_model = extension.and_then(notation_of).is_some();
    match word {
        "version" => Some("to see the version: mazurka --version".into()),
        _ if word.ends_with(".scenario.json") => Some(format!("to see it: mazurka show {word}")),
        _ if is_model || path.is_file() => Some(format!("to verify it: mazurka check {word}")),
        _ => None,
    }
}

/// Where a program belongs that was named without `--`, and what stands here for an option of others.
fn no_argument(subcommand: &clap::Command, word: &str) -> Option<String> {
    let name = subcommand.get_name();
    let asks_for_program = subcommand
        .get_positionals()
        .any(|argument| argument.is_last_set() && argument.is_required_set());
    if asks_for_program && !word.starts_with('-') {
        #[cfg(target_os = "linux")]
        if let Some(advice) = mazurka_processes::advice(word.as_ref()) {
            return Some(advice);
        }
        let hint = "the program and its arguments come after `--`";
        return Some(format!("{hint}: mazurka {name} -- {word}"));
    }
    let here = match (name, word) {
        ("show" | "graph" | "ltl", "-o" | "--output") => "redirect what is printed with `>`",
        ("check", word) => mazurka_explain::option_of_spin(word)?,
        _ => return None,
    };
    Some(here.to_string())
}
