//! How the states of one length are folded into a tree.
//!
//! A state is cut into pieces of up to 32 bytes. Each piece is a leaf; two neighbours are joined,
//! and so on, until two nodes are left: the root. The tree is as balanced as it can be.

use super::leaves::WORDS;

/// The bytes of a word.
pub const WORD: usize = 8;

/// The tree of states of one length.
#[derive(Debug)]
pub struct Plan {
    /// The leaves.
    pub pieces: usize,
    /// The words of a leaf; the last one may have fewer.
    pub words: usize,
    /// The nodes but for the root: first the leaves in their order, then nodes that join two
    /// others, each behind the two.
    pub nodes: Vec<PlannedNode>,
    /// The two nodes of the root; the second is missing if there is only one leaf.
    pub left: usize,
    pub right: Option<usize>,
}

/// A node of the tree.
#[derive(Clone, Copy, Debug)]
pub struct PlannedNode {
    /// The two nodes it joins; of no meaning for a leaf.
    pub children: (u32, u32),
    /// The node that joins it; none if that is the root.
    pub parent: Option<u32>,
    /// The table that numbers it.
    pub table: Side,
}

/// Nodes directly below the root are numbered apart, so that their numbers are small.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The left child of the root.
    Left,
    /// Its right child.
    Right,
    /// All others.
    Below,
}

impl Plan {
    /// The tree of states of this length.
    pub fn new(length: usize) -> Plan {
        let all_words = length.div_ceil(WORD).max(1);
        let words = all_words.div_ceil(all_words.div_ceil(WORDS).max(2));
        let pieces = all_words.div_ceil(words);
        let leaf = PlannedNode {
            children: (0, 0),
            parent: None,
            table: Side::Below,
        };
        let mut nodes = vec![leaf; pieces];
        let left_pieces = pieces.div_ceil(2);
        let left = join(&mut nodes, 0, left_pieces);
        nodes[left].table = Side::Left;
        let right = (pieces > 1).then(|| join(&mut nodes, left_pieces, pieces));
        if let Some(right) = right {
            nodes[right].table = Side::Right;
        }
        Plan {
            pieces,
            words,
            nodes,
            left,
            right,
        }
    }
}

/// Plans the tree over the leaves from `first` to before `last`, and says which node is its top.
fn join(nodes: &mut Vec<PlannedNode>, first: usize, last: usize) -> usize {
    if last - first == 1 {
        return first;
    }
    let middle = first + (last - first).div_ceil(2);
    let left = join(nodes, first, middle);
    let right = join(nodes, middle, last);
    let number = nodes.len();
    nodes[left].parent = Some(number as u32);
    nodes[right].parent = Some(number as u32);
    nodes.push(PlannedNode {
        children: (left as u32, right as u32),
        parent: None,
        table: Side::Below,
    });
    number
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_leaf_is_below_the_root_and_parents_come_later() {
        for length in 0..300 {
            let plan = Plan::new(length);
            assert!(plan.words <= WORDS);
            assert!(plan.pieces * plan.words * WORD >= length);
            assert!((plan.pieces - 1) * plan.words * WORD <= length);
            let tops: Vec<usize> = (0..plan.nodes.len())
                .filter(|node| plan.nodes[*node].parent.is_none())
                .collect();
            let mut expected = vec![plan.left];
            expected.extend(plan.right);
            expected.sort_unstable();
            assert_eq!(tops, expected, "{length}");
            for (number, node) in plan.nodes.iter().enumerate() {
                assert!(node.parent.is_none_or(|parent| parent as usize > number));
            }
        }
    }
}
