//! What to check, and how.

use std::time::Duration;

use mazurka_audit::Share;
use serde::{Deserialize, Serialize};

use crate::choice::{
    Dependency, Emptiness, Footprint, Order, Property, Reduction, Switch, Symmetry,
};
use crate::store::Store;

/// The most threads. Each has memory of its own, and no machine has use for more.
pub const MOST_JOBS: u32 = 256;

/// What to check and how: plain data, one field for each choice, named like the options of `mazurka check`.
///
/// Not all choices go together. [`Plan`](crate::Plan) says which do, and why not.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Macros of the model, `NAME` or `NAME=VALUE`.
    pub define: Vec<String>,

    /// Diagnostics that are not told if they are warnings, such as `P0207`; `warnings` are all.
    pub allow: Vec<String>,
    /// Diagnostics that are errors; `warnings` are all.
    pub deny: Vec<String>,

    /// The order of the search.
    pub search: Order,
    /// How states are remembered; if nothing is said, as the order needs it.
    pub store: Option<Store>,
    /// The bits of a fingerprint in the compact store, from 40 to 64, or 128.
    pub fingerprint: u32,
    /// How equivalent interleavings are left out.
    pub reduce: Reduction,
    /// Sleep sets; off if nothing is said.
    pub sleep: Option<Switch>,
    /// The dependency relation of a reduction; refined if nothing is said.
    pub dependency: Option<Dependency>,
    /// What persistent sets know of processes.
    pub footprint: Option<Footprint>,
    /// States that differ only in which of several processes does what are taken for one; if nothing is said, unless `reduce` is `none`
    /// or `optimize` is `off`.
    pub symmetry: Option<Symmetry>,
    /// Structural reductions: the default of the next three.
    pub optimize: Switch,
    /// Merge local statements that follow each other.
    #[serde(alias = "merge-steps")]
    pub merge: Option<Switch>,
    /// Collapse local chains with their branches.
    pub collapse: Option<Switch>,
    /// Reset variables that nobody reads again.
    pub reset: Option<Switch>,
    /// The number of threads; if nothing is said, all cores where a search can use them.
    pub jobs: Option<u32>,
    /// Seed of a randomized search.
    pub seed: Option<u64>,
    /// The cost of a state in a guided search, an expression of the model.
    pub guide: Option<String>,
    /// Bound the depth by this number, then by twice as many, and so on.
    pub deepen: Option<u32>,
    /// Only this part of a swarm, such as `2/8`.
    pub shard: Option<String>,
    /// Do several processes search together? (See [`Supervisor::company`](crate::Supervisor::company).)
    pub cluster: bool,
    /// Will the caller save the search? (See [`Supervisor`](crate::Supervisor).)
    pub checkpoint: bool,

    /// What to look for.
    pub property: Property,
    /// Check this formula alone.
    pub ltl: Option<String>,
    /// Check the formula or never claim of this name alone.
    pub claim: Option<String>,
    /// Look for acceptance cycles alone.
    pub acceptance: bool,
    /// Look for non-progress cycles alone.
    #[serde(alias = "livelock")]
    pub progress: bool,
    /// Only executions in which no process is ignored for ever.
    pub fair: bool,
    /// How cycles are looked for.
    pub emptiness: Option<Emptiness>,
    /// Do not stop at the first violation.
    pub all: bool,
    /// Look for fewer steps to what was found.
    pub shorten: Switch,

    /// The bytes for states; if nothing is said, three quarters of what is available.
    pub memory: Option<u64>,
    /// The time for the verification, in seconds where it is written down. Compiling the model counts, but is not cut short.
    #[serde(with = "mazurka_scenario::seconds")]
    pub time: Option<Duration>,
    /// The longest path.
    pub depth: Option<usize>,

    /// The share of the states at which the search checks what it relies on, a number from 0 to 1 where it is written down; nothing is
    /// audited if there is none.
    #[serde(with = "share")]
    pub audit: Option<Share>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            define: Vec::new(),
            allow: Vec::new(),
            deny: Vec::new(),
            search: Order::DepthFirst,
            store: None,
            fingerprint: 64,
            reduce: Reduction::Auto,
            sleep: None,
            dependency: None,
            footprint: None,
            symmetry: None,
            optimize: Switch::On,
            merge: None,
            collapse: None,
            reset: None,
            jobs: None,
            seed: None,
            guide: None,
            deepen: None,
            shard: None,
            cluster: false,
            checkpoint: false,
            property: Property::All,
            ltl: None,
            claim: None,
            acceptance: false,
            progress: false,
            fair: false,
            emptiness: None,
            all: false,
            shorten: Switch::On,
            memory: None,
            time: None,
            depth: None,
            audit: Some(Share::USUAL),
        }
    }
}

impl Config {
    /// The store, as given or as the order needs it.
    pub fn store(&self) -> Store {
        self.store.unwrap_or(match self.search {
            Order::Stack
            | Order::Random
            | Order::Biased
            | Order::Scatter
            | Order::Probabilistic => Store::None,
            Order::Swarm => Store::Bitstate,
            _ => Store::Exact,
        })
    }

    /// Is a temporal property asked for, and nothing else?
    pub fn is_temporal(&self) -> bool {
        self.ltl.is_some() || self.claim.is_some() || self.acceptance || self.progress
    }

    /// The number of threads for safety. A search by several begins with one, and what is small ends with it.
    pub fn jobs(&self) -> u32 {
        self.jobs
            .unwrap_or_else(|| match self.can_use_several_jobs() {
                true => std::thread::available_parallelism()
                    .map_or(1, |cores| cores.get().min(MOST_JOBS as usize) as u32),
                false => 1,
            })
    }

    /// The number of threads for temporal properties.
    pub fn temporal_jobs(&self) -> u32 {
        self.jobs.unwrap_or(1)
    }

    /// How cycles are looked for. On one large component several nested searches do the same work.
    pub fn emptiness(&self) -> Emptiness {
        self.emptiness.unwrap_or(match self.temporal_jobs() {
            1 => Emptiness::Nested,
            _ => Emptiness::Components,
        })
    }

    /// The seed, as given or as the search has it without; none if it has no use for one.
    pub fn seed(&self) -> Option<u64> {
        let usual = match (self.search, self.store()) {
            (
                Order::Random
                | Order::Biased
                | Order::Scatter
                | Order::Probabilistic
                | Order::Swarm,
                _,
            ) => Some(1),
            (_, Store::Bitstate) => Some(0),
            _ => None,
        };
        self.seed.or(usual)
    }

    /// The part of a swarm as a remainder and a divisor, if that is what `shard` says.
    pub fn shard(&self) -> Option<(u64, u64)> {
        let Some(text) = &self.shard else {
            return Some((0, 1));
        };
        let (part, parts) = text.split_once('/')?;
        let (part, parts) = (part.parse::<u64>().ok()?, parts.parse::<u64>().ok()?);
        (1 <= part && part <= parts).then(|| (part - 1, parts))
    }

    pub(crate) fn is_refined(&self) -> bool {
        self.dependency != Some(Dependency::Constant)
    }

    /// A switch that follows `optimize` if nothing is said.
    pub(crate) fn is_on(&self, switch: Option<Switch>) -> bool {
        switch.unwrap_or(self.optimize) == Switch::On
    }

    /// May states that differ only in which of several processes does what be taken for one? Whoever wants to see all states gets them.
    pub(crate) fn symmetry(&self) -> Symmetry {
        self.symmetry.unwrap_or(match (self.reduce, self.optimize) {
            (Reduction::None, _) | (_, Switch::Off) => Symmetry::Off,
            _ => Symmetry::Auto,
        })
    }

    fn can_use_several_jobs(&self) -> bool {
        let remembers = self.store().remembers();
        // All members of a cluster have as many workers, whatever their machines are.
        remembers
            && !self.cluster
            && self.search != Order::Guided
            && self.deepen.is_none()
            && self.sleep != Some(Switch::On)
            && self.reduce != Reduction::Simultaneous
            && !self.is_temporal()
    }
}

/// A share as a number.
mod share {
    use mazurka_audit::Share;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub fn serialize<S: Serializer>(share: &Option<Share>, to: S) -> Result<S::Ok, S::Error> {
        share.map(Share::value).serialize(to)
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(from: D) -> Result<Option<Share>, D::Error> {
        let share = Option::<f64>::deserialize(from)?;
        let share = share.map(|share| Share::try_from(share).map_err(serde::de::Error::custom));
        share.transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_config_is_written_and_read_back() {
        let config = Config {
            search: Order::BreadthFirst,
            store: Some(Store::Compact),
            time: Some(Duration::from_millis(1500)),
            ltl: Some("[] p".into()),
            audit: None,
            ..Config::default()
        };
        let text = serde_json::to_string(&config).unwrap();
        assert_eq!(serde_json::from_str::<Config>(&text).unwrap(), config);
        let short: Config = serde_json::from_str(r#"{"search": "bfs", "time": 2}"#).unwrap();
        assert_eq!(short.time, Some(Duration::from_secs(2)));
        assert_eq!(short.fingerprint, 64);
        assert_eq!(short.audit, Some(Share::USUAL));
        assert!(serde_json::from_str::<Config>(r#"{"audit": 2}"#).is_err());
        assert!(serde_json::from_str::<Config>(r#"{"serach": "bfs"}"#).is_err());
        assert!(serde_json::from_str::<Config>(r#"{"time": -1}"#).is_err());
    }

    #[test]
    fn shards_count_from_one() {
        let shard = |text: &str| {
            let shard = Some(text.into());
            Config {
                shard,
                ..Config::default()
            }
            .shard()
        };
        assert_eq!(shard("2/8"), Some((1, 8)));
        for wrong in ["0/8", "9/8", "2", "a/b", "/"] {
            assert_eq!(shard(wrong), None, "{wrong}");
        }
        assert_eq!(Config::default().shard(), Some((0, 1)));
    }
}
