//! A successor worked out before it is asked for.
//!
//! A depth-first search that comes back to a state has some steps left there, and most of them lead
//! to states it knows by now. To find that out is to wait for memory. So where the next step leads is
//! worked out first, and the last one is looked up afterwards, when its memory has come. What was worked
//! out is thrown away if the last one turns out to be new and the search goes on from there. Order and
//! result of the search are the same.

use crate::system::Outcome;

/// The successors of the last state on the path that were worked out and not taken yet, in turn.
pub(crate) struct Ahead<F, K> {
    successors: [Successor<F, K>; 2],
    /// Which of the two is taken next.
    next: usize,
    /// How many are ready to be taken.
    ready: usize,
}

/// What a step leads to.
pub(crate) struct Successor<F, K> {
    pub outcome: Outcome<F>,
    pub state: Vec<u8>,
    /// What the store knows of it, by what it is looked up, and where: none if it is not to be stored.
    pub nodes: Vec<u32>,
    pub key: Option<K>,
    pub place: Option<u64>,
}

impl<F, K> Ahead<F, K> {
    pub fn new() -> Ahead<F, K> {
        let successor = |_| Successor {
            outcome: Outcome {
                failure: None,
                complete: false,
            },
            state: Vec::new(),
            nodes: Vec::new(),
            key: None,
            place: None,
        };
        Ahead {
            successors: [0, 1].map(successor),
            next: 0,
            ready: 0,
        }
    }

    /// How many are ready to be taken.
    #[inline]
    pub fn ready(&self) -> usize {
        self.ready
    }

    /// The path has changed.
    #[inline]
    pub fn forget(&mut self) {
        self.ready = 0;
    }

    /// Room for one more, which is to be worked out now.
    #[inline]
    pub fn add(&mut self) -> &mut Successor<F, K> {
        let free = (self.next + self.ready) & 1;
        self.ready += 1;
        &mut self.successors[free]
    }

    /// The next one that was worked out.
    #[inline]
    pub fn take(&mut self) -> &mut Successor<F, K> {
        let taken = self.next;
        self.next ^= 1;
        self.ready -= 1;
        &mut self.successors[taken]
    }
}
