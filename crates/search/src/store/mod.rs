//! Stores: what a search remembers of the states it has met.
//!
//! A store takes a state in two moves. [`Store::fold`] turns it into a key, using what is known
//! of the state it came from; [`Store::insert`] looks the key up and puts it in if it is new. Any
//! number of workers may do both at once: entries are atomic words, taken by compare-and-swap,
//! and nobody waits for anybody. Only [`Store::grow`] needs the store for itself.
//!
//! | store | remembers | memory |
//! |---|---|---|
//! | [`Tree`] | everything, compressed | grows |
//! | [`Compact`] | a fingerprint of up to 64 bits | grows |
//! | [`Wide`] | a fingerprint of 128 bits | grows |
//! | [`Bitstate`] | a few bits | fixed |
//! | [`Cache`] | some states in full, others are forgotten | fixed |
//! | [`Nothing`] | nothing | none |

mod bitstate;
mod cache;
mod compact;
mod leaves;
mod nodes;
mod nothing;
mod plan;
mod table;
mod tree;
mod wide;

pub use bitstate::Bitstate;
pub use cache::Cache;
pub use compact::Compact;
pub use nothing::Nothing;
pub use tree::Tree;
pub use wide::Wide;

use std::io;

use crate::checkpoint::{Sink, Source};

/// What a search remembers of the states it has met.
pub trait Store: Send + Sync {
    /// What a state is looked up by.
    type Key: Copy + Send;

    /// Does it forget states, so that a search has to know itself which are on its path?
    const FORGETS: bool = false;

    /// Does it take the same memory from beginning to end?
    const IS_FIXED: bool = false;

    /// Does it gain from [`Store::prepare`]?
    const LEARNS: bool = false;

    /// Prepares an empty store for states such as these.
    fn prepare(&mut self, _typical: Vec<Vec<u8>>) {}

    /// The key of a state, of which only the part that tells it from others is given. What `from`
    /// knows of a state that differs little saves work; `nodes` becomes what is known of this one.
    fn fold(
        &self,
        state: &[u8],
        from: Option<Folded<'_>>,
        nodes: &mut Vec<u32>,
    ) -> Result<Self::Key, Crowded>;

    /// Asks for the memory that looking up a key will need, and may say where that is. A key stays good when the store grows, and a
    /// place does not.
    #[inline]
    fn prefetch(&self, _key: Self::Key) -> Option<u64> {
        None
    }

    /// Puts the key of a state into the store, unless it is there.
    fn insert(&self, key: Self::Key, state: &[u8]) -> Result<Insertion, Crowded>;

    /// The same, where the place is known.
    #[inline]
    fn insert_at(&self, key: Self::Key, _place: u64, state: &[u8]) -> Result<Insertion, Crowded> {
        self.insert(key, state)
    }

    /// Takes the marks `clear` from a state that is in the store, gives it `set`, and says which it
    /// had. A mark is 1 or 2. Nothing is said by a store that has no marks.
    fn mark(&self, _key: Self::Key, _clear: u8, _set: u8) -> Option<u8> {
        None
    }

    /// This many workers use the store. While it grows they have nothing else to do.
    fn employ(&mut self, _workers: usize) {}

    /// Makes room, if `room` bytes in all allow it. Says whether there is room now.
    fn grow(&mut self, room: u64) -> bool;

    /// The bytes taken.
    fn bytes(&self) -> u64;

    /// A number that is the same for equal keys.
    fn hash(&self, key: Self::Key) -> u64;

    /// Writes all that was put in.
    fn save(&self, _sink: &mut Sink<'_>) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Becomes the store that was written, if it is empty.
    fn load(&mut self, _source: &mut Source) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// The states with these keys, in full, if the store has all that is needed for it. It may take as long as a walk over
    /// all that is stored.
    fn unpack(&self, _keys: &[Self::Key]) -> Option<Vec<Vec<u8>>> {
        None
    }

    /// How likely it is that a state was taken for another, once this many were stored.
    fn omission_probability(&self, _states: u64) -> f64 {
        0.0
    }
}

/// A state and the nodes of its tree.
#[derive(Clone, Copy, Debug)]
pub struct Folded<'a> {
    /// The part of the state that tells it from others.
    pub state: &'a [u8],
    /// As [`Store::fold`] left them.
    pub nodes: &'a [u32],
}

/// What became of a state that was put into the store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Insertion {
    /// It was not there before.
    New,
    /// It was there.
    Known,
}

/// There is no room: the store has to grow, and then to be asked again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Crowded;
