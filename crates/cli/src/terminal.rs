//! Standard output and what it can show.

use std::io::{self, IsTerminal, Write};

use mazurka_scenario::Style;
use mazurka_span::{Diagnostic, RenderOptions, SourceMap, render};

use crate::trouble::Trouble;

/// The width of lines that go to a file or a pipe.
const PLAIN_WIDTH: usize = 100;

/// Nothing is told in fewer columns.
pub const LEAST_WIDTH: usize = 40;

/// The style for standard output.
pub fn style_of_output() -> Style {
    let is_terminal = io::stdout().is_terminal();
    let width = terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| width.0.into());
    let columns = std::env::var("COLUMNS")
        .ok()
        .and_then(|columns| columns.parse().ok());
    Style {
        colour: is_terminal && wants_colour(),
        width: width.or(columns).unwrap_or(PLAIN_WIDTH).max(LEAST_WIDTH),
    }
}

/// The same for diagnostics on standard error.
pub fn colour_of_errors() -> bool {
    io::stderr().is_terminal() && wants_colour()
}

fn wants_colour() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Prints a result. That nobody reads it to the end is no trouble: the exit code still counts.
pub fn print(text: &str) -> Result<(), Trouble> {
    print_bytes(text.as_bytes())
}

/// Prints bytes as they are.
pub fn print_bytes(bytes: &[u8]) -> Result<(), Trouble> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Trouble::Output(error)),
        _ => Ok(()),
    }
}

/// Prints part of a result that is still growing. A reader who left is a reason to stop.
pub fn print_part(text: &str) -> Result<(), Trouble> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())
        .and_then(|()| out.flush())
        .map_err(Trouble::Output)
}

/// Says on standard error what is odd about a model.
pub fn warn(sources: &SourceMap, warnings: &[Diagnostic]) {
    let options = RenderOptions {
        colour: colour_of_errors(),
        ..Default::default()
    };
    complain(&render(sources, warnings, options));
}

/// Prints on standard error; if that fails there is nobody left to tell.
pub fn complain(text: &str) {
    let mut error = io::stderr().lock();
    let _ = error
        .write_all(text.as_bytes())
        .and_then(|()| error.flush());
}
