//! How far a search was, time and again, for a plot.

use std::time::Instant;

use mazurka_checker::Statistics;

/// A plot has no more points.
const MOST: usize = 500;

/// How far a search was at some time.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Sample {
    /// Seconds since it began.
    pub seconds: f64,
    /// States stored.
    pub states: u64,
    /// Bytes of the store.
    pub bytes: u64,
    /// The longest path.
    pub depth: u64,
}

/// How far searches were since the first began.
#[derive(Clone, Debug)]
pub struct Samples {
    began: Instant,
    /// At most as many as a plot can show.
    pub kept: Vec<Sample>,
}

impl Default for Samples {
    fn default() -> Samples {
        Samples {
            began: Instant::now(),
            kept: Vec::new(),
        }
    }
}

impl Samples {
    /// Keeps how far a search is, and of many such only every second.
    pub fn add(&mut self, statistics: &Statistics) {
        self.kept.push(Sample {
            seconds: self.began.elapsed().as_secs_f64(),
            states: statistics.states,
            bytes: statistics.store_bytes,
            depth: statistics.depth,
        });
        if self.kept.len() > MOST {
            let mut number = 0;
            self.kept.retain(|_| {
                number += 1;
                number % 2 == 0
            });
        }
    }
}
