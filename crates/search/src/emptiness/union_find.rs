//! Sets of states that several workers join (Bloemen, Laarman and van de Pol 2016: multi-core on-the-fly SCC
//! decomposition, sections 3 and 4).
//!
//! Each set is a part of a strongly connected component. One of its states stands for it, and knows which workers
//! have it on their path; all its states are in a ring, from which those that are explored drop out. So a worker that comes to
//! a set that others are busy with takes a state of it that nobody has explored yet. A set whose ring is empty is a
//! component, and *dead*: nothing more is to be learnt there.
//!
//! Nobody waits, except for a moment while two sets are joined: then one state of each ring, and the state that will no longer stand
//! for its set, are locked, those of the set with the smaller number first.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

/// As many workers as bits of a word, less two that say something about a set.
pub(super) const MOST_WORKERS: usize = 62;
const ACCEPTING: u64 = 1 << 62;
const REPORTED: u64 = 1 << 63;

/// The states of the first chunk; the others double what there is.
const FIRST_CHUNK: usize = 1 << 12;
/// Chunks for all numbers of 32 bits.
const CHUNKS: usize = 21;

const LIVE: u8 = 0;
const LOCKED: u8 = 1;
const DEAD: u8 = 2;

const BUSY: u8 = 0;
const DONE: u8 = 2;

/// States by number, each in a set of its own at first.
pub(super) struct UnionFind {
    chunks: Vec<OnceLock<Box<[Node]>>>,
}

struct Node {
    /// A state nearer to that which stands for the set; that one itself.
    parent: AtomicU32,
    /// The next one in the ring of the set.
    next: AtomicU32,
    /// Of the state that stands for a set: who has it on the path, whether it accepts, and whether a cycle of it is
    /// reported.
    workers: AtomicU64,
    /// Live, locked or dead: of the state that stands for a set.
    set: AtomicU8,
    /// Busy, locked or done.
    place: AtomicU8,
}

/// What a worker that comes to a state finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Claim {
    /// The worker has not been to its set yet.
    New,
    /// Its set is on the worker's path.
    OnPath,
    /// Its component is done with.
    Dead,
}

impl UnionFind {
    pub fn new() -> UnionFind {
        UnionFind {
            chunks: (0..CHUNKS).map(|_| OnceLock::new()).collect(),
        }
    }

    fn node(&self, number: u32) -> &Node {
        let number = number as usize;
        let chunk = (number / FIRST_CHUNK)
            .checked_ilog2()
            .map_or(0, |log| log as usize + 1);
        let first = match chunk {
            0 => 0,
            _ => FIRST_CHUNK << (chunk - 1),
        };
        let nodes = self.chunks[chunk].get_or_init(|| {
            let numbers = first..FIRST_CHUNK << chunk;
            numbers.map(|number| Node::new(number as u32)).collect()
        });
        &nodes[number - first]
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        let nodes = self.chunks.iter().filter_map(OnceLock::get);
        let nodes: usize = nodes.map(|nodes| nodes.len()).sum();
        (nodes * size_of::<Node>()) as u64
    }

    /// Says that a state accepts, before anybody comes to it.
    pub fn accept(&self, state: u32) {
        self.node(state)
            .workers
            .fetch_or(ACCEPTING, Ordering::SeqCst);
    }

    /// Is there an accepting state in the set of this one?
    pub fn is_accepting(&self, state: u32) -> bool {
        let root = self.find(state);
        self.node(root).workers.load(Ordering::SeqCst) & ACCEPTING != 0
    }

    /// Says that a cycle of the set of a state is reported, and whether it was not so far.
    pub fn report(&self, state: u32) -> bool {
        let root = self.node(self.find(state));
        root.workers.fetch_or(REPORTED, Ordering::SeqCst) & REPORTED == 0
    }

    /// The state that stands for the set of this one.
    fn find(&self, mut state: u32) -> u32 {
        loop {
            let node = self.node(state);
            let parent = node.parent.load(Ordering::SeqCst);
            if parent == state {
                return state;
            }
            let above = self.node(parent).parent.load(Ordering::SeqCst);
            if above != parent {
                // Whoever was faster has brought it nearer still.
                let (success, failure) = (Ordering::SeqCst, Ordering::Relaxed);
                let _ = node
                    .parent
                    .compare_exchange(parent, above, success, failure);
            }
            state = above;
        }
    }

    /// Are two states in the same set?
    pub fn is_same(&self, one: u32, other: u32) -> bool {
        loop {
            let (root, other) = (self.find(one), self.find(other));
            if root == other {
                return true;
            }
            // It stands for its set still, so the two were different a moment ago.
            if self.node(root).parent.load(Ordering::SeqCst) == root {
                return false;
            }
        }
    }

    /// A worker comes to a state.
    pub fn claim(&self, state: u32, worker: usize) -> Claim {
        let own = 1 << worker;
        loop {
            let root = self.find(state);
            let node = self.node(root);
            if node.set.load(Ordering::SeqCst) == DEAD {
                return Claim::Dead;
            }
            if node.workers.load(Ordering::SeqCst) & own != 0 {
                return Claim::OnPath;
            }
            node.workers.fetch_or(own, Ordering::SeqCst);
            // If the set was joined to another meanwhile, it may have been so before this worker was noted.
            if node.parent.load(Ordering::SeqCst) == root {
                return Claim::New;
            }
        }
    }

    /// Is the component of a state done with?
    pub fn is_dead(&self, state: u32) -> bool {
        self.node(self.find(state)).set.load(Ordering::SeqCst) == DEAD
    }

    /// A state of the same set that nobody has explored, this one if it can be. If there is none, the set is dead.
    pub fn pick(&self, state: u32) -> Option<u32> {
        let picked = self.busy(state);
        if picked.is_none() {
            let root = self.node(self.find(state));
            while root.set.load(Ordering::SeqCst) != DEAD {
                let (success, failure) = (Ordering::SeqCst, Ordering::Relaxed);
                if root
                    .set
                    .compare_exchange(LIVE, DEAD, success, failure)
                    .is_err()
                {
                    std::thread::yield_now();
                }
            }
        }
        picked
    }

    /// Is a state explored?
    pub fn is_done(&self, state: u32) -> bool {
        self.node(state).place.load(Ordering::SeqCst) == DONE
    }

    /// A state is explored: all its steps lead to dead sets or into its own.
    pub fn done(&self, state: u32) {
        let place = &self.node(state).place;
        loop {
            let (success, failure) = (Ordering::SeqCst, Ordering::SeqCst);
            match place.compare_exchange(BUSY, DONE, success, failure) {
                Ok(_) | Err(DONE) => return,
                Err(_) => std::thread::yield_now(),
            }
        }
    }

    /// Joins the sets of two states.
    pub fn unite(&self, one: u32, other: u32) {
        loop {
            let (root, root_of_other) = (self.find(one), self.find(other));
            if root == root_of_other {
                return;
            }
            let under = root.min(root_of_other);
            let above = root.max(root_of_other);
            if self.lock_root(under) {
                let is_joined = self.join(under, above);
                self.node(under).set.store(LIVE, Ordering::SeqCst);
                if is_joined {
                    return;
                }
            }
            std::thread::yield_now();
        }
    }

    fn lock_root(&self, root: u32) -> bool {
        let node = self.node(root);
        let (success, failure) = (Ordering::SeqCst, Ordering::Relaxed);
        if node
            .set
            .compare_exchange(LIVE, LOCKED, success, failure)
            .is_err()
        {
            return false;
        }
        let stands = node.parent.load(Ordering::SeqCst) == root;
        if !stands {
            node.set.store(LIVE, Ordering::SeqCst);
        }
        stands
    }

    /// Joins a set whose root is locked to another.
    fn join(&self, under: u32, above: u32) -> bool {
        let Some(first) = self.lock_place(under) else {
            return false;
        };
        let second = self.lock_place(above);
        if let Some(second) = second {
            let (first, second) = (self.node(first), self.node(second));
            let next = first.next.load(Ordering::SeqCst);
            let next_of_second = second.next.swap(next, Ordering::SeqCst);
            first.next.store(next_of_second, Ordering::SeqCst);
            let node = self.node(under);
            node.parent.store(above, Ordering::SeqCst);
            loop {
                let root = self.find(above);
                let workers = node.workers.load(Ordering::SeqCst);
                self.node(root).workers.fetch_or(workers, Ordering::SeqCst);
                if self.node(root).parent.load(Ordering::SeqCst) == root {
                    break;
                }
            }
            second.place.store(BUSY, Ordering::SeqCst);
        }
        self.node(first).place.store(BUSY, Ordering::SeqCst);
        second.is_some()
    }

    /// Locks a busy state in the ring of a set.
    fn lock_place(&self, state: u32) -> Option<u32> {
        loop {
            let picked = self.busy(state)?;
            let place = &self.node(picked).place;
            let (success, failure) = (Ordering::SeqCst, Ordering::Relaxed);
            if place
                .compare_exchange(BUSY, LOCKED, success, failure)
                .is_ok()
            {
                return Some(picked);
            }
        }
    }

    /// A busy state in the ring, this one if it can be. Takes out of the ring what is done with on the way.
    fn busy(&self, mut state: u32) -> Option<u32> {
        loop {
            if self.is_busy(state) {
                return Some(state);
            }
            let node = self.node(state);
            let next = node.next.load(Ordering::SeqCst);
            if next == state {
                return None;
            }
            if self.is_busy(next) {
                return Some(next);
            }
            let after = self.node(next).next.load(Ordering::SeqCst);
            let (success, failure) = (Ordering::SeqCst, Ordering::Relaxed);
            let _ = node.next.compare_exchange(next, after, success, failure);
            state = after;
        }
    }

    /// Is a state busy? Waits for whoever has locked it.
    fn is_busy(&self, state: u32) -> bool {
        loop {
            match self.node(state).place.load(Ordering::SeqCst) {
                BUSY => return true,
                DONE => return false,
                _ => std::thread::yield_now(),
            }
        }
    }
}

impl Node {
    fn new(number: u32) -> Node {
        Node {
            parent: AtomicU32::new(number),
            next: AtomicU32::new(number),
            workers: AtomicU64::new(0),
            set: AtomicU8::new(LIVE),
            place: AtomicU8::new(BUSY),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ring_loses_what_is_done() {
        let sets = UnionFind::new();
        for state in 1..5 {
            assert_eq!(sets.claim(state, 0), Claim::New);
            sets.unite(0, state);
        }
        assert_eq!(sets.claim(0, 0), Claim::OnPath);
        assert_eq!(sets.claim(3, 1), Claim::New);
        for state in [2, 0, 4, 1] {
            sets.done(state);
            assert!(!sets.is_dead(2));
        }
        assert_eq!(sets.pick(0), Some(3));
        sets.done(3);
        assert_eq!(sets.pick(0), None);
        assert_eq!(sets.claim(2, 2), Claim::Dead);
    }

    #[test]
    fn acceptance_and_workers_are_joined() {
        let sets = UnionFind::new();
        sets.accept(7);
        assert!(!sets.is_accepting(3));
        sets.claim(7, 5);
        sets.unite(3, 7);
        assert!(sets.is_accepting(3) && sets.is_same(3, 7));
        assert_eq!(sets.claim(3, 5), Claim::OnPath);
        assert_eq!(sets.claim(3, 4), Claim::New);
    }

    /// Several threads join numbers that are equal modulo a small number.
    #[test]
    fn threads_join_the_same_sets() {
        const NUMBERS: u32 = 4000;
        const SETS: u32 = 7;
        let sets = UnionFind::new();
        std::thread::scope(|scope| {
            for worker in 0..4u32 {
                let sets = &sets;
                scope.spawn(move || {
                    for round in 0..NUMBERS - SETS {
                        let number = (round * (2 * worker + 1)) % (NUMBERS - SETS);
                        sets.claim(number, worker as usize);
                        sets.unite(number, number + SETS);
                    }
                });
            }
        });
        for number in 0..NUMBERS - SETS {
            sets.unite(number, number + SETS);
            assert!(sets.is_same(number, number % SETS));
            assert!(!sets.is_same(number, (number + 1) % SETS));
        }
        // Every number is in a ring.
        for set in 0..SETS {
            let mut members = 0;
            while let Some(number) = sets.pick(set) {
                assert_eq!(number % SETS, set);
                sets.done(number);
                members += 1;
            }
            assert_eq!(members, (NUMBERS - set).div_ceil(SETS));
        }
    }
}
