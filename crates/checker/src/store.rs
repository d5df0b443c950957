//! The stores: their names, what a plan has to know of them, and how they are made.

use mazurka_scenario::choices;
use mazurka_search::store::{Bitstate, Cache, Compact, Nothing, Tree, Wide};

use crate::config::Config;

/// The bits of a state in the bitstate store.
const BITS_OF_A_STATE: u32 = 3;

choices! {
    /// How states are remembered.
    Store {
        /// All of every state, compressed.
        Exact "exact",
        /// A fingerprint of every state.
        Compact "compact",
        /// A few bits of every state, in fixed memory.
        Bitstate "bitstate",
        /// As many states as fixed memory takes.
        Cache "cache",
        /// Nothing.
        None "none",
    }
}

/// What a store takes of memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Growth {
    /// It grows with the states.
    Grows,
    /// A few bits of every state in an arena.
    Bits,
    /// As many states as an arena holds.
    States,
    /// Nothing.
    Nothing,
}

/// Whoever continues with a store, of whatever type.
pub(crate) trait WithStore {
    /// What comes of it.
    type Answer;

    /// Goes on.
    fn with<S: mazurka_search::store::Store>(&mut self, store: S) -> Self::Answer;
}

impl Store {
    /// Whether it never takes a state for another one.
    pub fn is_lossless(self) -> bool {
        !matches!(self, Store::Compact | Store::Bitstate)
    }

    /// Whether what was put in stays in.
    pub fn remembers(self) -> bool {
        !matches!(self, Store::Cache | Store::None)
    }

    /// What it takes of memory.
    pub fn growth(self) -> Growth {
        match self {
            Store::Exact | Store::Compact => Growth::Grows,
            Store::Bitstate => Growth::Bits,
            Store::Cache => Growth::States,
            Store::None => Growth::Nothing,
        }
    }

    /// Makes one, with an arena of this many bytes if it needs one.
    pub(crate) fn make<W: WithStore>(self, config: &Config, arena: u64, then: &mut W) -> W::Answer {
        match self {
            Store::Exact => then.with(Tree::new()),
            Store::Compact if config.fingerprint == 128 => then.with(Wide::new()),
            Store::Compact => then.with(Compact::new(config.fingerprint)),
            Store::Bitstate => then.with(Bitstate::new(
                arena,
                BITS_OF_A_STATE,
                config.seed.unwrap_or(0),
            )),
            Store::Cache => then.with(Cache::new(arena)),
            Store::None => then.with(Nothing),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exact_store_is_the_usual_one() {
        assert_eq!(Store::default(), Store::Exact);
    }
}
