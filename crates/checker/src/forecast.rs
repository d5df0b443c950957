//! What a search will need, said once when it turns out to be a long one.
//!
//! Stores that grow are judged by what a state has taken so far. It becomes less as a rule, since later
//! states have more in common with earlier ones, and grows in jumps, since tables do.

use mazurka_scenario::figures::{bytes, rough};
use mazurka_search::Statistics;

use crate::choice::Order;
use crate::store::{Growth, Store};
use crate::supervisor::Stage;

/// With this many bits to a state, a bitstate search misses hardly any.
const GOOD_HASH_FACTOR: u64 = 100;

/// What a search will need: which store it uses, and how.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Forecast {
    search: Order,
    store: Store,
    /// The bytes that everything may take together.
    memory: u64,
}

impl Forecast {
    /// The forecast of a search that begins.
    pub fn new(stage: &Stage<'_>) -> Forecast {
        Forecast {
            search: stage.order,
            store: stage.store,
            memory: stage.memory,
        }
    }

    /// What the search will need, as far as can be told by what it did; nothing as long as nothing is known about its store.
    pub fn say(&self, statistics: &Statistics) -> Option<String> {
        let taken = statistics.store_bytes;
        let is_unknown = taken == 0 || statistics.states == 0;
        if is_unknown && self.store.growth() != Growth::Nothing {
            return None;
        }
        let memory = bytes(self.memory);
        let path = format!("including the path, within {memory} (--memory)");
        Some(match self.store.growth() {
            Growth::Grows => {
                let each = taken as f64 / statistics.states as f64;
                let name = self.store.name();
                let levels = match self.search {
                    Order::BreadthFirst => ", minus the memory for two levels of full states",
                    _ => "",
                };
                format!(
                    "{name} store: {each:.1} bytes per state so far; at that rate, about {} states fit into {memory} (--memory){levels}",
                    rough((self.memory as f64 / each) as u64)
                )
            }
            Growth::Bits => {
                let whose = match self.search {
                    Order::Swarm => "bitstate store of each member",
                    _ => "bitstate store",
                };
                format!(
                    "{whose}: an arena of {}, which does not grow; it covers nearly all of up to {} states, and only part of a larger number; {path}",
                    bytes(taken),
                    rough(taken * 8 / GOOD_HASH_FACTOR)
                )
            }
            Growth::States => format!(
                "cache: an arena of {}, which does not grow; it holds about {} states at a time; {path}",
                bytes(taken),
                // Two bytes for its length.
                rough(taken / (statistics.state_bytes + 2))
            ),
            Growth::Nothing => format!("no store: memory is for the path alone, up to {memory}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn forecast(search: Order, store: Store) -> String {
        let statistics = Statistics {
            states: 1 << 20,
            store_bytes: 16 << 20,
            state_bytes: 30,
            ..Statistics::default()
        };
        let memory = 1 << 30;
        let forecast = Forecast {
            search,
            store,
            memory,
        };
        forecast.say(&statistics).unwrap()
    }

    #[test]
    fn nothing_is_said_of_a_store_about_which_nothing_is_known() {
        let resumed = Statistics {
            states: 1 << 20,
            ..Statistics::default()
        };
        let forecast = |store| {
            let forecast = Forecast {
                search: Order::BreadthFirst,
                store,
                memory: 1 << 34,
            };
            forecast.say(&resumed)
        };
        assert_eq!(forecast(Store::Exact), None);
        assert!(forecast(Store::None).is_some());
    }

    #[test]
    fn every_store_says_what_it_needs() {
        let exact = "exact store: 16.0 bytes per state so far; at that rate, about 67,000,000 states fit into 1024 MB (--memory)";
        assert_eq!(forecast(Order::DepthFirst, Store::Exact), exact);
        let breadth = format!("{exact}, minus the memory for two levels of full states");
        assert_eq!(forecast(Order::BreadthFirst, Store::Exact), breadth);
        assert_eq!(
            forecast(Order::DepthFirst, Store::Compact),
            exact.replace("exact", "compact")
        );
        assert_eq!(
            forecast(Order::DepthFirst, Store::Bitstate),
            "bitstate store: an arena of 16 MB, which does not grow; it covers nearly all of up to 1,300,000 states, and only part of a larger number; including the path, within 1024 MB (--memory)"
        );
        assert!(
            forecast(Order::Swarm, Store::Bitstate).starts_with("bitstate store of each member")
        );
        assert_eq!(
            forecast(Order::DepthFirst, Store::Cache),
            "cache: an arena of 16 MB, which does not grow; it holds about 520,000 states at a time; including the path, within 1024 MB (--memory)"
        );
        assert_eq!(
            forecast(Order::Stack, Store::None),
            "no store: memory is for the path alone, up to 1024 MB"
        );
    }
}
