//! A line on the terminal that says how far the search is, and some before it that say what is to come.

use mazurka_report::Told;
use mazurka_search::Statistics;

use crate::terminal::{StatusLine, complain};

/// Writes to standard error; how far a search is, only if that is a terminal.
#[derive(Debug)]
pub struct Progress {
    line: StatusLine,
    pub said: Told,
}

impl Progress {
    pub fn new(is_quiet: bool) -> Progress {
        Progress {
            line: StatusLine::new(is_quiet),
            said: Told::new(is_quiet),
        }
    }

    /// Removes the line.
    pub fn clear(&mut self) {
        self.line.clear();
    }

    /// Says how far the search is, if it is time to.
    pub fn progress(&mut self, statistics: &Statistics, others: Option<String>) {
        self.said.progress(statistics);
        if let Some(said) = self.said.of_long_search(statistics) {
            self.line.clear();
            complain(&said);
        }
        let others = others.unwrap_or_default();
        self.line.show(|| self.said.line(statistics) + &others);
    }
}
