//! A graph of states and labelled steps, and how two of them are put together.

use std::collections::HashMap;

/// The state in which something has gone wrong. It has this number in every graph, and nothing comes after it.
pub const ERROR: u32 = 0;
/// The label of a step that nobody outside sees.
pub const TAU: u32 = 0;

/// All machines are where they may end.
pub(crate) const FINAL: u8 = 1;
/// No message is left in a port.
pub(crate) const QUIET: u8 = 2;

/// A graph of states.
#[derive(Clone, Debug, Default)]
pub struct Lts {
    /// Where it begins.
    pub initial: u32,
    /// What is to be known about a state if nothing can happen in it; nothing if something can that nobody outside has a part in.
    pub flags: Vec<u8>,
    /// The steps of each state: label and target, sorted.
    pub edges: Vec<Vec<(u32, u32)>>,
}

/// Who moves in a step of two graphs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Mover {
    Left,
    Right,
    Both,
}

/// What two graphs do in a step of both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Move {
    pub mover: Mover,
    /// The label before it was hidden.
    pub label: u32,
    /// Where they are then.
    pub to: (u32, u32),
}

/// Two graphs put together.
pub(crate) struct Product {
    pub lts: Lts,
    /// The states of the two that each state stands for.
    pub pairs: Vec<(u32, u32)>,
    /// For each step of each state: what the two do.
    pub moves: Vec<Vec<Move>>,
}

impl Lts {
    /// How many states there are besides the one in which something has gone wrong.
    pub fn states(&self) -> usize {
        self.flags.len() - 1
    }

    /// How many steps there are.
    pub fn transitions(&self) -> usize {
        self.edges.iter().map(Vec::len).sum()
    }

    /// Is there a state in which something has gone wrong?
    pub fn can_fail(&self) -> bool {
        self.edges.iter().flatten().any(|(_, to)| *to == ERROR)
    }

    /// What is to be known of a state if nothing can happen in it does not matter where something can.
    pub(crate) fn forget_flags(&mut self) {
        for (flags, edges) in self.flags.iter_mut().zip(&self.edges) {
            if edges.iter().any(|(label, _)| *label == TAU) {
                *flags = 0;
            }
        }
    }
}

/// Puts two graphs together. `is_of` says which of the two take part in a label, `hidden` what the label is from now on.
/// None if there are more than `limit` states.
pub(crate) fn product(
    (left, right): (&Lts, &Lts),
    is_of: impl Fn(u32) -> (bool, bool),
    hidden: impl Fn(u32) -> u32,
    limit: usize,
) -> Option<Product> {
    let mut product = Product {
        lts: Lts::default(),
        pairs: vec![(ERROR, ERROR)],
        moves: vec![Vec::new()],
    };
    let lts = &mut product.lts;
    lts.flags.push(0);
    lts.edges.push(Vec::new());
    let mut numbers = HashMap::from([((ERROR, ERROR), ERROR)]);
    let mut unexplored = 0;
    let first = (left.initial, right.initial);
    // Whatever has failed in one of the two has failed.
    let whole = |pair: (u32, u32)| match pair.0 == ERROR || pair.1 == ERROR {
        true => (ERROR, ERROR),
        false => pair,
    };
    let pairs = &mut product.pairs;
    let mut number_of = |pair: (u32, u32)| {
        let pair = whole(pair);
        *numbers.entry(pair).or_insert_with(|| {
            pairs.push(pair);
            pairs.len() as u32 - 1
        })
    };
    lts.initial = number_of(first);
    let mut open = vec![first];
    let mut next = Vec::new();
    let mut known = if whole(first) == first { 2 } else { 1 };
    while !open.is_empty() {
        for pair in open.drain(..) {
            if whole(pair) != pair {
                continue;
            }
            unexplored += 1;
            if unexplored > limit {
                return None;
            }
            let (l, r) = (pair.0 as usize, pair.1 as usize);
            let mut steps = Vec::new();
            for (label, to) in &left.edges[l] {
                match *label == TAU || !is_of(*label).1 {
                    true => steps.push((*label, (*to, pair.1), Mover::Left)),
                    false => {
                        let from = right.edges[r].partition_point(|(other, _)| other < label);
                        let same = right.edges[r][from..].iter();
                        for (_, other) in same.take_while(|(other, _)| other == label) {
                            steps.push((*label, (*to, *other), Mover::Both));
                        }
                    }
                }
            }
            for (label, to) in &right.edges[r] {
                if *label == TAU || !is_of(*label).0 {
                    steps.push((*label, (pair.0, *to), Mover::Right));
                }
            }
            let mut numbered: Vec<_> = steps
                .into_iter()
                .map(|(label, pair, mover)| {
                    let (to, moved) = (number_of(pair), pair);
                    if to as usize == known {
                        known += 1;
                        next.push(whole(pair));
                    }
                    let step = Move {
                        mover,
                        label,
                        to: moved,
                    };
                    ((hidden(label), to), step)
                })
                .collect();
            numbered.sort_unstable_by_key(|(edge, _)| *edge);
            numbered.dedup_by_key(|(edge, _)| *edge);
            lts.flags.push(left.flags[l] & right.flags[r]);
            let (edges, moves) = numbered.into_iter().unzip();
            lts.edges.push(edges);
            product.moves.push(moves);
        }
        std::mem::swap(&mut open, &mut next);
    }
    product.lts.forget_flags();
    Some(product)
}
