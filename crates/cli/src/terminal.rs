//! Standard output and what it can show.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use mazurka_scenario::{Style, removed_words};
use mazurka_span::{Diagnostic, RenderOptions, SourceMap, render};

use crate::trouble::Trouble;

/// The line of progress is written no more often.
const PAUSE: Duration = Duration::from_millis(200);

/// Back to the beginning of a line that is empty then.
const CLEARED: &str = "\r\x1b[2K";

/// A line that goes on below the edge of the terminal could not be taken away: it ends there.
const UNWRAPPED: &str = "\x1b[?7l";
const WRAPPED: &str = "\x1b[?7h";

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

/// The same for standard error.
pub fn style_of_errors() -> Style {
    Style {
        colour: colour_of_errors(),
        ..style_of_output()
    }
}

/// Are diagnostics on standard error in colour?
pub fn colour_of_errors() -> bool {
    io::stderr().is_terminal() && wants_colour()
}

fn wants_colour() -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !is_set("NO_COLOR") && !is_dumb()
}

/// A terminal that takes no commands.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|term| term == "dumb")
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
pub fn print_part(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush())
}

/// Says on standard error what is odd about a model.
pub fn warn(sources: &SourceMap, warnings: &[Diagnostic]) {
    let options = RenderOptions {
        colour: colour_of_errors(),
        ..Default::default()
    };
    complain(&render(sources, warnings, options));
}

/// A line on the terminal that says how far something is, written over itself at most five times a second.
#[derive(Debug)]
pub struct StatusLine {
    is_visible: bool,
    last: Option<Instant>,
    is_written: bool,
}

impl StatusLine {
    /// Nothing is written yet, and never is if nobody is to see it.
    pub fn new(is_quiet: bool) -> StatusLine {
        StatusLine {
            is_visible: !is_quiet && io::stderr().is_terminal() && !is_dumb(),
            last: None,
            is_written: false,
        }
    }

    /// Writes the line anew, if it is time to.
    pub fn show(&mut self, line: impl FnOnce() -> String) {
        if self.is_visible && self.last.is_none_or(|last| last.elapsed() >= PAUSE) {
            self.last = Some(Instant::now());
            self.is_written = true;
            let width = terminal_size::terminal_size_of(io::stderr()).map(|(width, _)| width.0);
            let line = line();
            let line = fitting(&line, width.map_or(usize::MAX, usize::from));
            complain(&format!("{CLEARED}{UNWRAPPED}{line}{WRAPPED}"));
        }
    }

    /// Takes the line away.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.is_written) {
            complain(CLEARED);
        }
    }
}

/// As many parts of a line, which have commas between them, as fit into some columns.
fn fitting(line: &str, columns: usize) -> &str {
    let mut parts = line;
    while parts.chars().count() >= columns
        && let Some((first, _)) = parts.rsplit_once(", ")
    {
        parts = first;
    }
    parts
}

/// Prints on standard error; if that fails there is nobody left to tell.
pub fn complain(text: &str) {
    let mut error = io::stderr().lock();
    let _ = error
        .write_all(text.as_bytes())
        .and_then(|()| error.flush());
}

/// Says which scenarios are gone, since what they showed does not happen any more.
pub fn tell_removed(removed: &[PathBuf]) {
    if let Some(text) = removed_words(removed) {
        complain(&format!("{text}\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_too_long_loses_its_last_parts() {
        let line = "1,500,000 states, depth 2,345, 3 s";
        assert_eq!(fitting(line, 80), line);
        assert_eq!(fitting(line, 35), line);
        assert_eq!(fitting(line, 34), "1,500,000 states, depth 2,345");
        assert_eq!(fitting(line, 3), "1,500,000 states");
    }
}
