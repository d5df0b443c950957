//! The exact store: every state, without loss, in a few bytes.
//!
//! A state is folded into a binary tree whose equal subtrees are kept once (Laarman, van de Pol and
//! Weber 2011): states differ from their neighbours in a few bytes, so nearly everything below the
//! root is shared, and what a state adds is its root, a pair of numbers. Roots stand in a compact
//! [`Table`]. From one state to the next only the path from a changed piece to the root has to be
//! looked up again.

mod unpack;

use std::cmp::Reverse;
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::leaves::Leaves;
use super::nodes::{NUMBER_BITS, Nodes};
use super::plan::{self, Bits, Plan, Side};
use super::table::Table;
use super::{Crowded, Folded, Insertion, Store};
use crate::checkpoint::{Sink, Source, damaged};

/// This many lengths of states have a tree of their own.
const LENGTHS: usize = 63;
/// States of further lengths are folded into one number, which is joined with the length.
const OTHER_LENGTH: u64 = LENGTHS as u64;
/// The bits of the number of a tree.
const LENGTH_BITS: u32 = 6;
/// States are shorter: the length of one may stand in the place of a node's number.
const MOST_LENGTHS: usize = 1 << NUMBER_BITS;
const MOST_PLANS: usize = u16::MAX as usize;
/// Changed nodes are noted in a set of at most this many; of longer states, all nodes are looked up.
const NODES_NOTED: usize = u128::BITS as usize;
/// Fewer states of a length do not show where to cut it.
const FEWEST_TYPICAL: usize = 64;

/// The exact store.
#[derive(Debug)]
pub struct Tree {
    plans: Vec<Plan>,
    /// For each length, its plan plus one.
    plan_of_length: Vec<u16>,
    /// A length that has no plan yet.
    wanted_length: AtomicUsize,
    below: Numbers,
    left: Numbers,
    right: Numbers,
    roots: Table,
    widths: Widths,
    workers: usize,
}

/// The numbers of the leaves and of the other nodes at one place in the tree.
#[derive(Debug)]
struct Numbers {
    leaves: Leaves,
    nodes: Nodes,
}

impl Numbers {
    fn new() -> Numbers {
        Numbers {
            leaves: Leaves::new(),
            nodes: Nodes::new(),
        }
    }

    /// No number is as great as this.
    fn count(&self) -> u32 {
        self.leaves.count().max(self.nodes.count())
    }

    fn bytes(&self) -> u64 {
        self.leaves.bytes() + self.nodes.bytes()
    }
}

/// The root of a state: which plan, the number of the left node, and of the right.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Root(u64);

impl Root {
    fn new(length: u64, left: u32, right: u32) -> Root {
        Root(length << (2 * NUMBER_BITS) | u64::from(left) << NUMBER_BITS | u64::from(right))
    }
}

/// How many bits the parts of a root take in the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Widths {
    length: u32,
    left: u32,
    right: u32,
}

impl Widths {
    fn total(self) -> u32 {
        self.length + self.left + self.right
    }

    /// The root as a number of [`Widths::total`] bits, if its parts fit.
    #[inline]
    fn pack(self, Root(root): Root) -> Option<u64> {
        let length = root >> (2 * NUMBER_BITS);
        let left = root >> NUMBER_BITS & ((1 << NUMBER_BITS) - 1);
        let right = root & ((1 << NUMBER_BITS) - 1);
        let fits = (length >> self.length | left >> self.left | right >> self.right) == 0;
        fits.then_some(length << (self.left + self.right) | left << self.right | right)
    }

    fn unpack(self, number: u64) -> Root {
        let part = |shift: u32, bits: u32| number >> shift & ((1 << bits) - 1);
        Root::new(
            part(self.left + self.right, self.length),
            part(self.right, self.left) as u32,
            part(0, self.right) as u32,
        )
    }
}

impl Tree {
    /// An empty store.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Tree {
        let widths = Widths {
            length: 0,
            left: 12,
            right: 12,
        };
        Tree {
            plans: Vec::new(),
            plan_of_length: Vec::new(),
            wanted_length: AtomicUsize::new(usize::MAX),
            below: Numbers::new(),
            left: Numbers::new(),
            right: Numbers::new(),
            roots: Table::new(widths.total()),
            widths,
            workers: 1,
        }
    }

    /// Plans the tree of states of a length. Of some lengths, `typical` states are known; the others are cut
    /// where the most similar ones are.
    fn plan(&mut self, length: usize, typical: &[&[u8]]) {
        let planned = self.plan_of_length.iter().enumerate();
        let planned = planned.filter_map(|(length, plan)| Some((length, plan.checked_sub(1)?)));
        let nearest = planned.min_by_key(|(other, _)| other.abs_diff(length));
        let first = nearest.and_then(|(_, plan)| self.plans[plan as usize].cuts.first());
        let cuts = plan::cuts(length, typical, first.copied());
        if let Some(plan) = Plan::new(length, cuts) {
            self.add(length, plan);
        }
    }

    fn add(&mut self, length: usize, plan: Plan) {
        if self.plan_of_length.len() <= length {
            self.plan_of_length.resize(length + 1, 0);
        }
        for (node, piece) in plan.nodes.iter().zip(&plan.pieces) {
            let numbers = match node.table {
                Side::Below => &mut self.below,
                Side::Left => &mut self.left,
                Side::Right => &mut self.right,
            };
            numbers.leaves.widen(piece.words);
        }
        self.plans.push(plan);
        self.plan_of_length[length] = self.plans.len() as u16;
    }

    #[inline]
    fn numbers(&self, side: Side) -> &Numbers {
        match side {
            Side::Below => &self.below,
            Side::Left => &self.left,
            Side::Right => &self.right,
        }
    }

    /// Looks up a leaf, or a node that joins two others, which are in `nodes`.
    #[inline]
    fn node(
        &self,
        plan: &Plan,
        number: usize,
        state: &[u8],
        nodes: &[u32],
    ) -> Result<u32, Crowded> {
        let planned = &plan.nodes[number];
        let numbers = self.numbers(planned.table);
        match plan.pieces.get(number) {
            Some(piece) => numbers.leaves.number(&piece.of(state)),
            None => {
                let (left, right) = planned.children;
                let pair = u64::from(nodes[left as usize]) << 32 | u64::from(nodes[right as usize]);
                numbers.nodes.number(pair)
            }
        }
    }

    /// Looks up the nodes that differ from those of `from`.
    #[inline]
    fn refold<B: Bits>(
        &self,
        plan: &Plan,
        state: &[u8],
        from: Folded<'_>,
        nodes: &mut Vec<u32>,
    ) -> Result<(), Crowded> {
        nodes.extend_from_slice(from.nodes);
        let mut changed: B = plan.differing(from.state, state);
        while let Some(number) = changed.take() {
            nodes[number] = self.node(plan, number, state, nodes)?;
            if let Some(parent) = plan.nodes[number].parent {
                changed.add(parent as usize);
            }
        }
        Ok(())
    }

    /// Looks up the nodes of a state with many of them, or one of which nothing is known.
    #[inline(never)]
    fn fold_large(
        &self,
        plan: &Plan,
        state: &[u8],
        from: Option<Folded<'_>>,
        nodes: &mut Vec<u32>,
    ) -> Result<(), Crowded> {
        match from {
            Some(from)
                if from.state.len() == state.len()
                    && from.nodes.len() == plan.nodes.len()
                    && plan.nodes.len() <= NODES_NOTED =>
            {
                self.refold::<u128>(plan, state, from, nodes)
            }
            _ => {
                for number in 0..plan.nodes.len() {
                    let node = self.node(plan, number, state, nodes)?;
                    nodes.push(node);
                }
                Ok(())
            }
        }
    }

    /// The widths that the numbers given out so far need.
    fn needed(&self) -> Widths {
        let bits = |count: u32| 32 - count.saturating_sub(1).leading_zeros();
        let mut left = self.left.count();
        let mut right = self.right.count();
        if self.plans.len() > LENGTHS {
            left = left.max(self.below.count());
            right = right.max(self.plan_of_length.len() as u32);
        }
        Widths {
            length: bits(self.plans.len().min(LENGTHS + 1) as u32),
            left: bits(left),
            right: bits(right),
        }
    }
}

impl Store for Tree {
    type Key = Root;

    const LEARNS: bool = true;

    fn prepare(&mut self, mut typical: Vec<Vec<u8>>) {
        typical.sort_unstable_by(|a, b| a.len().cmp(&b.len()).then(a.cmp(b)));
        typical.dedup();
        let mut groups: Vec<_> = typical.chunk_by(|a, b| a.len() == b.len()).collect();
        groups.sort_by_key(|group| Reverse(group.len()));
        for group in groups {
            if group.len() >= FEWEST_TYPICAL && self.plans.len() < LENGTHS / 2 {
                let states: Vec<&[u8]> = group.iter().map(Vec::as_slice).collect();
                self.plan(states[0].len(), &states);
            }
        }
    }

    #[inline]
    fn fold(
        &self,
        state: &[u8],
        from: Option<Folded<'_>>,
        nodes: &mut Vec<u32>,
    ) -> Result<Root, Crowded> {
        nodes.clear();
        let class = self.plan_of_length.get(state.len()).copied().unwrap_or(0);
        let Some(class) = usize::from(class).checked_sub(1) else {
            self.wanted_length.store(state.len(), Ordering::Relaxed);
            return Err(Crowded);
        };
        let plan = &self.plans[class];
        match from {
            Some(from)
                if from.state.len() == state.len()
                    && from.nodes.len() == plan.nodes.len()
                    && plan.nodes.len() <= u64::BITS as usize =>
            {
                self.refold::<u64>(plan, state, from, nodes)?;
            }
            _ => self.fold_large(plan, state, from, nodes)?,
        }
        let left = nodes[plan.left];
        let right = plan.right.map_or(0, |right| nodes[right]);
        if class < LENGTHS {
            return Ok(Root::new(class as u64, left, right));
        }
        let both = self
            .below
            .nodes
            .number(u64::from(left) << 32 | u64::from(right))?;
        Ok(Root::new(OTHER_LENGTH, both, state.len() as u32))
    }

    #[inline]
    fn prefetch(&self, key: Root) -> Option<u64> {
        Some(self.roots.prefetch(self.widths.pack(key)?))
    }

    #[inline]
    fn insert(&self, key: Root, _: &[u8]) -> Result<Insertion, Crowded> {
        self.roots.insert(self.widths.pack(key).ok_or(Crowded)?)
    }

    #[inline]
    fn insert_at(&self, key: Root, place: u64, _: &[u8]) -> Result<Insertion, Crowded> {
        debug_assert_eq!(self.prefetch(key), Some(place));
        self.roots.insert_at(place)
    }

    fn mark(&self, key: Root, clear: u8, set: u8) -> Option<u8> {
        self.roots.mark(self.widths.pack(key)?, clear, set)
    }

    fn employ(&mut self, workers: usize) {
        self.workers = workers;
    }

    fn grow(&mut self, room: u64) -> bool {
        let before = self.bytes();
        let wanted = *self.wanted_length.get_mut();
        if wanted != usize::MAX {
            // The number of a length takes the place of a node's.
            if wanted >= MOST_LENGTHS || self.plans.len() == MOST_PLANS {
                return false;
            }
            if self
                .plan_of_length
                .get(wanted)
                .is_none_or(|plan| *plan == 0)
            {
                self.plan(wanted, &[]);
            }
            self.wanted_length = AtomicUsize::new(usize::MAX);
        }
        for Numbers { leaves, nodes } in [&mut self.below, &mut self.left, &mut self.right] {
            if nodes.is_full() && (before + nodes.bytes_to_grow() > room || !nodes.grow()) {
                return false;
            }
            if leaves.is_full() && (before + leaves.bytes_to_grow() > room || !leaves.grow()) {
                return false;
            }
        }
        let crowded = self.roots.is_full();
        let needed = self.needed();
        let fits = needed.length <= self.widths.length
            && needed.left <= self.widths.left
            && needed.right <= self.widths.right;
        if fits && !crowded {
            return true;
        }
        // One bit to spare in each direction that was too narrow.
        let widen = |needed: u32, has: u32| if needed > has { needed + 1 } else { has };
        let widths = if fits {
            self.widths
        } else {
            Widths {
                length: widen(needed.length, self.widths.length).min(LENGTH_BITS),
                left: widen(needed.left, self.widths.left).min(NUMBER_BITS),
                right: widen(needed.right, self.widths.right).min(NUMBER_BITS),
            }
        };
        let old = self.widths;
        let convert = |number| {
            let packed = widths.pack(old.unpack(number));
            packed.expect("a wider number has room for what a narrower one held")
        };
        let convert = (!fits).then_some(&convert as &(dyn Fn(u64) -> u64 + Sync));
        // A table that is full may not have room for the same entries in another order.
        for sizes in u32::from(crowded).. {
            if before + self.roots.bytes_when(widths.total(), sizes) > room {
                break;
            }
            let roots = self
                .roots
                .rebuilt(widths.total(), sizes, self.workers, convert);
            if let Ok(roots) = roots {
                self.roots = roots;
                self.widths = widths;
                return true;
            }
        }
        false
    }

    fn bytes(&self) -> u64 {
        let nodes = self.below.bytes() + self.left.bytes() + self.right.bytes();
        nodes + self.roots.bytes() + (self.plan_of_length.len() * 2) as u64
    }

    fn save(&self, sink: &mut Sink<'_>) -> io::Result<()> {
        // Plans are numbered in the order in which their lengths were met.
        let mut lengths = vec![0; self.plans.len()];
        for (length, plan) in self.plan_of_length.iter().enumerate() {
            if let Some(plan) = usize::from(*plan).checked_sub(1) {
                lengths[plan] = length;
            }
        }
        sink.number(lengths.len() as u64)?;
        for (length, plan) in lengths.into_iter().zip(&self.plans) {
            sink.number(length as u64)?;
            sink.number(plan.cuts.len() as u64)?;
            for cut in &plan.cuts {
                sink.number(*cut as u64)?;
            }
        }
        for numbers in [&self.below, &self.left, &self.right] {
            numbers.leaves.save(sink)?;
            numbers.nodes.save(sink)?;
        }
        for width in [self.widths.length, self.widths.left, self.widths.right] {
            sink.number(u64::from(width))?;
        }
        self.roots.save(sink)
    }

    fn load(&mut self, source: &mut Source) -> io::Result<()> {
        for _ in 0..source.count(2)? {
            let length = source.size()?;
            let cuts = (0..source.count(1)?).map(|_| source.size());
            let cuts = cuts.collect::<io::Result<Vec<usize>>>()?;
            let is_planned = self
                .plan_of_length
                .get(length)
                .is_some_and(|plan| *plan != 0);
            let plan = (!is_planned && length < MOST_LENGTHS && self.plans.len() < MOST_PLANS)
                .then(|| Plan::new(length, cuts));
            let plan = plan
                .flatten()
                .ok_or_else(|| damaged("a state cut wrongly"))?;
            self.add(length, plan);
        }
        for numbers in [&mut self.below, &mut self.left, &mut self.right] {
            numbers.leaves.load(source)?;
            numbers.nodes = Nodes::load(source)?;
        }
        self.widths = Widths {
            length: source.small()?,
            left: source.small()?,
            right: source.small()?,
        };
        let Widths {
            length,
            left,
            right,
        } = self.widths;
        if length > LENGTH_BITS || left > NUMBER_BITS || right > NUMBER_BITS {
            return Err(damaged("a root that is too wide"));
        }
        self.roots = Table::load(self.widths.total(), source)?;
        Ok(())
    }

    fn unpack(&self, keys: &[Root]) -> Option<Vec<Vec<u8>>> {
        Some(self.unpack_all(keys))
    }

    #[inline]
    fn hash(&self, key: Root) -> u64 {
        // The halves of a product are well mixed only together.
        let product = u128::from(key.0 ^ 0x2d35_8dcc_aa6c_78a5) * 0x9e37_79b9_7f4a_7c15;
        (product >> 64) as u64 ^ product as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Neighbours: each state differs from the one before in a few bytes, now and then in length.
    struct Neighbours {
        seed: u64,
        state: Vec<u8>,
        longest: u64,
    }

    impl Neighbours {
        fn random(&mut self, below: u64) -> u64 {
            self.seed = self
                .seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (self.seed >> 33) % below
        }

        fn step(&mut self) {
            if self.random(50) == 0 {
                let length = self.random(self.longest) as usize;
                self.state.resize(length, 0);
            }
            for _ in 0..self.random(4) {
                let length = self.state.len() as u64;
                if length > 0 {
                    let at = self.random(length) as usize;
                    self.state[at] = self.random(4) as u8;
                }
            }
        }
    }

    fn put(store: &mut Tree, state: &[u8], from: Option<Folded<'_>>, nodes: &mut Vec<u32>) -> bool {
        loop {
            let folded = store.fold(state, from, nodes);
            match folded.and_then(|key| store.insert(key, state)) {
                Ok(insertion) => return insertion == Insertion::New,
                Err(Crowded) => assert!(store.grow(u64::MAX)),
            }
        }
    }

    #[test]
    fn agrees_with_a_set_of_strings() {
        // Few lengths, as in a system, and more than have trees of their own.
        for longest in [3, 100, 1500] {
            let mut store = Tree::new();
            let mut set = HashSet::new();
            let mut neighbours = Neighbours {
                seed: longest,
                state: Vec::new(),
                longest,
            };
            let mut last = (Vec::new(), Vec::new());
            let mut some = Vec::new();
            for round in 0..60_000 {
                neighbours.step();
                let state = &neighbours.state;
                let from = (round > 0).then_some(Folded {
                    state: &last.0,
                    nodes: &last.1,
                });
                let mut nodes = Vec::new();
                let is_new = put(&mut store, state, from, &mut nodes);
                assert_eq!(is_new, set.insert(state.clone()));
                last = (state.clone(), nodes);
                if round % 97 == 0 {
                    some.push(state.clone());
                }
            }
            let key = |state: &Vec<u8>| store.fold(state, None, &mut Vec::new()).unwrap();
            let keys: Vec<Root> = some.iter().map(key).collect();
            assert_eq!(store.unpack(&keys), Some(some));
            assert_eq!(store.plans.len() > LENGTHS, longest > 64);
        }
    }

    #[test]
    fn marks_stay() {
        let mut store = Tree::new();
        let mut nodes = Vec::new();
        for number in 0..50_000u32 {
            let state = [number.to_le_bytes(), (number % 7).to_le_bytes(), [1; 4]].concat();
            put(&mut store, &state, None, &mut nodes);
            let key = store.fold(&state, None, &mut nodes).unwrap();
            assert_eq!(store.mark(key, 0, (number % 4) as u8), Some(0));
        }
        for number in 0..50_000u32 {
            let state = [number.to_le_bytes(), (number % 7).to_le_bytes(), [1; 4]].concat();
            let key = store.fold(&state, None, &mut nodes).unwrap();
            assert_eq!(store.mark(key, 1, 0), Some((number % 4) as u8));
            assert_eq!(store.mark(key, 0, 0), Some((number % 4) as u8 & 2));
        }
    }

    #[test]
    fn stops_at_its_limit() {
        let limit = 3 << 20;
        let mut store = Tree::new();
        let mut nodes = Vec::new();
        let mut number = 0u64;
        loop {
            let state = [number & 1023, number >> 10].map(u64::to_le_bytes).concat();
            let folded = store.fold(&state, None, &mut nodes);
            match folded.and_then(|key| store.insert(key, &state)) {
                Ok(insertion) => assert_eq!(insertion, Insertion::New),
                Err(Crowded) if store.grow(limit) => continue,
                Err(Crowded) => break,
            }
            number += 1;
        }
        assert!(number > 200_000, "{number}");
        assert!(store.bytes() <= limit);
    }
}
