//! What to explore of a real program, and how.

use std::time::Duration;

use mazurka_scenario::choices;
use serde::{Deserialize, Serialize};

use crate::options::{Dependency, Options, Reduction};

choices! {
    /// The order in which executions are tried.
    Order {
        /// All of them, depth first.
        DepthFirst "dfs",
        /// At random.
        Random "random",
        /// With random priorities, which change a few times (probabilistic concurrency testing).
        Pct "pct",
    }

    /// What becomes of data races, in threaded programs.
    Races {
        /// They are violations.
        Report "report",
        /// Accesses to memory that is in a race are steps, and all orders of them are explored.
        Ignore "ignore",
    }

    /// What must not be left behind when all actors have ended.
    Leftover {
        /// Locks that are held.
        Locks "locks",
        /// Messages that nobody has received.
        Messages "messages",
        /// Both.
        All "all",
    }
}

/// What to explore and how: plain data, one field for each choice, named like the options of `mazurka explore`.
///
/// Not all choices go together. [`Plan`](crate::Plan) says which do, and why not.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// The order in which executions are tried.
    pub search: Order,
    /// How many changes of priority [`Order::Pct`] makes, and one more: the depth of the defects that it looks for.
    pub pct_depth: u32,
    /// How equivalent executions are left out; [`Reduction::Dpor`] if nothing is said and it is sound.
    pub reduce: Option<Reduction>,
    /// Whether dependency looks at values; constant if nothing is said.
    pub dependency: Option<Dependency>,
    /// How many threads, each with a copy of the program.
    pub jobs: u32,
    /// Cut executions after this many steps, then after twice as many, and so on until none is cut.
    pub deepen: Option<u32>,
    /// Only executions with at most this many preemptions.
    pub preemptions: Option<u32>,
    /// The seed of a random order; 0 if nothing is said.
    pub seed: Option<u64>,

    /// An actor that does not come to its next visible operation for this long diverges; never if it is zero. If nothing is said, two
    /// seconds for real processes, and ten seconds of processor time in process.
    #[serde(with = "mazurka_scenario::seconds")]
    pub divergence: Option<Duration>,
    /// Of real processes: is an exit code other than zero a violation?
    pub exit_codes: bool,
    /// Is an execution that is cut by `depth` a violation?
    pub livelock: bool,
    /// What must not be left behind when all actors have ended.
    pub left_behind: Option<Leftover>,
    /// Do not stop at the first violation.
    pub all: bool,
    /// Is a program inconclusive that holds under sequential consistency, but uses weaker orders?
    pub strict: bool,

    /// Of threaded programs: are data races violations?
    pub races: Races,
    /// Of threaded programs: do waits end, and weak compare-and-swaps fail, for no reason, once in each thread?
    pub spurious: bool,
    /// Of threaded programs: may a process run one execution after the other, where it can undo what it did?
    pub restart: bool,
    /// Of programs that were not built for it: is a library preloaded? Their accesses to memory are not seen.
    pub preload: bool,

    /// Of this share of the executions, from 0 to 1, an equivalent one is run too and must show the same; nothing is audited if there is
    /// none.
    pub audit: Option<f64>,

    /// Will the caller save the search, or does it resume one? (See [`Observer`](crate::Observer).)
    pub checkpoint: bool,
    /// Stop after this time, in seconds where it is written down.
    #[serde(with = "mazurka_scenario::seconds")]
    pub time: Option<Duration>,
    /// Stop after this many executions.
    pub executions: Option<u64>,
    /// Cut executions after this many steps.
    pub depth: Option<u32>,
}

/// The time that an actor of a real program has for its next operation, unless the caller says otherwise.
pub const DIVERGENCE: Duration = Duration::from_secs(2);

impl Default for Config {
    fn default() -> Config {
        Config {
            search: Order::DepthFirst,
            pct_depth: 3,
            reduce: None,
            dependency: None,
            jobs: 1,
            deepen: None,
            preemptions: None,
            seed: None,
            divergence: None,
            exit_codes: false,
            livelock: false,
            left_behind: None,
            all: false,
            strict: false,
            races: Races::Report,
            spurious: false,
            restart: true,
            preload: false,
            audit: Some(Options::USUAL_AUDIT),
            checkpoint: false,
            time: None,
            executions: None,
            depth: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_config_is_written_and_read_back() {
        let config = Config {
            reduce: Some(Reduction::Sleep),
            left_behind: Some(Leftover::Locks),
            time: Some(Duration::from_millis(1500)),
            ..Config::default()
        };
        let text = serde_json::to_string(&config).unwrap();
        assert!(text.contains(r#""reduce":"sleep""#), "{text}");
        assert_eq!(serde_json::from_str::<Config>(&text).unwrap(), config);
        assert_eq!(
            serde_json::from_str::<Config>("{}").unwrap(),
            Config::default()
        );
        assert!(serde_json::from_str::<Config>(r#"{"reduse": "sleep"}"#).is_err());
    }
}
