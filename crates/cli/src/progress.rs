//! A line on the terminal that says how far the search is, and one before it that says what it will need.

use std::time::Duration;

use mazurka_checker::Forecast;
use mazurka_checker::figures::{bytes, counted, grouped};
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
            line(statistics, self.memory) + &others
        });
    }
}

/// How far it is and, from what a state has taken so far, how far it can come.
fn line(statistics: &Statistics, memory: u64) -> String {
    let seconds = statistics.elapsed.as_secs_f64().max(0.001);
    // What matters least comes last: where the terminal is narrow, it is left out.
    let (store, each) = match statistics.store_bytes {
        0 => Default::default(),
        taken => (
            format!(", {} of {}", bytes(taken), bytes(memory)),
            format!(
                ", {:.1} bytes a state",
                taken as f64 / statistics.states.max(1) as f64
            ),
        ),
    };
    format!(
        "{}, {} per second, depth {}{store}, {:.0} s{each}",
        counted(statistics.states, "state"),
        grouped((statistics.states as f64 / seconds) as u64),
        grouped(statistics.depth),
        seconds,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_has_states_rate_depth_and_memory() {
        let statistics = Statistics {
            states: 1_500_000,
            depth: 2345,
            store_bytes: 64 << 20,
            elapsed: Duration::from_secs(3),
            ..Statistics::default()
        };
        let expected = "1,500,000 states, 500,000 per second, depth 2,345, 64 MB of 4096 MB, 3 s, 44.7 bytes a state";
        assert_eq!(line(&statistics, 4 << 30), expected);
        let walk = Statistics {
            store_bytes: 0,
            ..statistics
        };
        let expected = "1,500,000 states, 500,000 per second, depth 2,345, 3 s";
        assert_eq!(line(&walk, 4 << 30), expected);
    }
}
