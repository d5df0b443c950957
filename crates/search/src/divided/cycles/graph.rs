//! The graph of the states that one worker owns: where each was reached from, by every way.

use super::Node;

/// No more edges lead to a state.
const NONE: u32 = u32::MAX;

/// For each own state, those that lead to it. Each list is a chain through one table, the last edge first.
#[derive(Default)]
pub(super) struct Predecessors {
    /// For each state, its last edge.
    last: Vec<u32>,
    /// For each edge, the one before it to the same state.
    before: Vec<u32>,
    /// For each edge, where it begins.
    sources: Vec<u64>,
    /// For each state, from where it was reached first.
    first: Vec<u64>,
}

impl Predecessors {
    /// Adds a state that has just been met, from this one; the initial state has none.
    pub fn meet(&mut self, from: Option<Node>) {
        self.last.push(NONE);
        self.first.push(from.map_or(u64::MAX, Node::packed));
    }

    /// Adds an edge. Says whether there was room.
    pub fn add(&mut self, from: Node, to: u32) -> bool {
        let edge = self.sources.len();
        if edge >= NONE as usize {
            return false;
        }
        self.sources.push(from.packed());
        let last = &mut self.last[to as usize];
        self.before.push(std::mem::replace(last, edge as u32));
        true
    }

    /// From where a state was reached first.
    pub fn first(&self, state: u32) -> Option<Node> {
        let first = *self.first.get(state as usize)?;
        (first != u64::MAX).then(|| Node::unpacked(first))
    }

    /// All that lead to a state, as often as they do.
    pub fn of(&self, state: u32) -> impl Iterator<Item = Node> + '_ {
        let mut edge = self.last[state as usize];
        std::iter::from_fn(move || {
            let at = edge as usize;
            let source = self.sources.get(at)?;
            edge = self.before[at];
            Some(Node::unpacked(*source))
        })
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        let numbers = self.last.capacity() + self.before.capacity();
        let nodes = self.first.capacity() + self.sources.capacity();
        (numbers * 4 + nodes * 8) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_is_kept() {
        let mut graph = Predecessors::default();
        let node = |number| Node { worker: 3, number };
        graph.meet(None);
        graph.meet(Some(node(7)));
        for (from, to) in [(7, 1), (0, 0), (7, 1), (9, 1)] {
            assert!(graph.add(node(from), to));
        }
        let of = |state| -> Vec<u32> { graph.of(state).map(|node| node.number).collect() };
        assert_eq!(of(0), [0]);
        assert_eq!(of(1), [9, 7, 7]);
        assert_eq!(graph.first(1), Some(node(7)));
        assert_eq!(graph.first(0), None);
    }
}
