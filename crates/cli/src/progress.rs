//! A line on the terminal that says how far the search is, and one before it that says what it will need.

use std::time::Duration;

use mazurka_checker::Forecast;
use mazurka_report::progress_of_check;
use mazurka_search::Statistics;

use crate::terminal::{StatusLine, complain};

/// A search that takes longer is a long one.
const LONG: Duration = Duration::from_secs(2);

/// Writes to standard error; how far the search is, only if that is a terminal.
#[derive(Debug)]
pub struct Progress {
    line: StatusLine,
    /// What states may take.
    memory: u64,
    /// What is to be said of a long search, as long as it has not been said.
    forecast: Option<Forecast>,
}

impl Progress {
    pub fn new(quiet: bool, forecast: Forecast, memory: u64) -> Progress {
        Progress {
            line: StatusLine::new(quiet),
            memory,
            forecast: (!quiet).then_some(forecast),
        }
    }

    /// Removes the line.
    pub fn clear(&mut self) {
        self.line.clear();
    }

    /// Says how far the search is, if it is time to.
    pub fn progress(&mut self, statistics: &Statistics, others: Option<String>) {
        if statistics.elapsed >= LONG
            && let Some(forecast) = self.forecast.take()
        {
            self.clear();
            complain(&format!("{}\n", forecast.say(statistics)));
        }
        self.line.show(|| {
            let others = others.unwrap_or_default();
            progress_of_check(statistics, self.memory) + &others
        });
    }
}
