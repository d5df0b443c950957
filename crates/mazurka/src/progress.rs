//! A line on the terminal that says how far the search is.

use std::io::{self, IsTerminal};
use std::time::Duration;

use mazurka_search::{Observer, Statistics};

use crate::output::{bytes, grouped};
use crate::terminal::complain;

const PAUSE: Duration = Duration::from_millis(200);

/// Writes to standard error, and only if that is a terminal.
#[derive(Debug)]
pub struct Progress {
    visible: bool,
    last: Duration,
    is_written: bool,
}

impl Progress {
    pub fn new(quiet: bool) -> Progress {
        Progress {
            visible: !quiet && io::stderr().is_terminal(),
            last: Duration::ZERO,
            is_written: false,
        }
    }

    /// Removes the line.
    pub fn clear(&mut self) {
        if self.is_written {
            complain("\r\x1b[2K");
            self.is_written = false;
        }
    }
}

impl Observer for Progress {
    fn progress(&mut self, statistics: &Statistics) {
        if !self.visible || statistics.elapsed < self.last + PAUSE {
            return;
        }
        self.last = statistics.elapsed;
        self.is_written = true;
        complain(&format!("\r\x1b[2K{}", line(statistics)));
    }
}

fn line(statistics: &Statistics) -> String {
    let seconds = statistics.elapsed.as_secs_f64().max(0.001);
    format!(
        "{} states, {} per second, depth {}, {}, {:.0} s",
        grouped(statistics.states),
        grouped((statistics.states as f64 / seconds) as u64),
        grouped(statistics.depth),
        bytes(statistics.store_bytes),
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
        let expected = "1,500,000 states, 500,000 per second, depth 2,345, 64 MB, 3 s";
        assert_eq!(line(&statistics), expected);
    }
}
