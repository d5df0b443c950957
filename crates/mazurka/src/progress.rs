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
    /// What states may take.
    memory: u64,
    last: Duration,
    is_written: bool,
}

impl Progress {
    pub fn new(quiet: bool, memory: u64) -> Progress {
        Progress {
            visible: !quiet && io::stderr().is_terminal(),
            memory,
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
        complain(&format!("\r\x1b[2K{}", line(statistics, self.memory)));
    }
}

/// How far it is and, from what a state has taken so far, how far it can come.
fn line(statistics: &Statistics, memory: u64) -> String {
    let seconds = statistics.elapsed.as_secs_f64().max(0.001);
    let store = match statistics.store_bytes {
        0 => String::new(),
        taken => format!(
            ", {} of {} at {:.1} bytes a state",
            bytes(taken),
            bytes(memory),
            taken as f64 / statistics.states.max(1) as f64
        ),
    };
    format!(
        "{} states, {} per second, depth {}{store}, {:.0} s",
        grouped(statistics.states),
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
        let expected = "1,500,000 states, 500,000 per second, depth 2,345, 64 MB of 4096 MB at 44.7 bytes a state, 3 s";
        assert_eq!(line(&statistics, 4 << 30), expected);
        let walk = Statistics {
            store_bytes: 0,
            ..statistics
        };
        let expected = "1,500,000 states, 500,000 per second, depth 2,345, 3 s";
        assert_eq!(line(&walk, 4 << 30), expected);
    }
}
