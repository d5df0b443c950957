//! Divergence-preserving branching bisimulation: the states of a graph that nobody outside can tell apart are made one.
//!
//! States on a cycle of hidden steps are equivalent, so each such cycle becomes one state that is marked as *divergent*: something can go on in it for
//! ever that nobody sees. What is left of the hidden steps has no cycles. Blocks of states are then split by signatures (Blom and
//! van de Pol 2003): which label leads to which block, perhaps after hidden steps that stay in the block. What must not get lost in
//! a state that hidden steps lead to, that it is divergent and what is known of it when nothing can happen, is part of its signature.

use std::collections::HashMap;

use crate::lts::{ERROR, Lts, TAU};

/// Part of a signature besides labels: divergence, and the flags of a state.
const DIVERGENT: u32 = u32::MAX;
const FLAGS: u32 = u32::MAX - 8;

/// The smallest equivalent graph, and the state of it for each state.
pub fn minimise(lts: &Lts) -> (Lts, Vec<u32>) {
    let collapsed = Collapsed::new(lts);
    let blocks = collapsed.blocks();
    let block_of = |state: u32| blocks[collapsed.component[state as usize] as usize];
    // The block of the error is given the number of the error.
    let first = block_of(ERROR);
    let renumbered = |block: u32| match block {
        _ if block == first => ERROR,
        ERROR => first,
        other => other,
    };
    let count = blocks.iter().max().map_or(0, |most| *most as usize + 1);
    let mut smallest = Lts {
        initial: renumbered(block_of(lts.initial)),
        flags: vec![0; count],
        edges: vec![Vec::new(); count],
    };
    for (component, block) in blocks.iter().enumerate() {
        let from = renumbered(*block);
        smallest.flags[from as usize] |= collapsed.flags[component];
        let edges = &mut smallest.edges[from as usize];
        if collapsed.divergent[component] {
            edges.push((TAU, from));
        }
        for (label, to) in &collapsed.edges[component] {
            let to = renumbered(blocks[*to as usize]);
            if *label != TAU || to != from {
                edges.push((*label, to));
            }
        }
    }
    for edges in &mut smallest.edges {
        edges.sort_unstable();
        edges.dedup();
    }
    smallest.forget_flags();
    let map = (0..lts.flags.len() as u32).map(|state| renumbered(block_of(state)));
    (smallest, map.collect())
}

/// Can nobody outside tell the two graphs apart?
pub fn are_equivalent(one: &Lts, other: &Lts) -> bool {
    // Both in one graph, with the error in common.
    let offset = one.flags.len() as u32 - 1;
    let moved = |state: u32| match state {
        ERROR => ERROR,
        state => state + offset,
    };
    let mut both = one.clone();
    both.flags.extend(&other.flags[1..]);
    for edges in &other.edges[1..] {
        let edges = edges.iter().map(|(label, to)| (*label, moved(*to)));
        both.edges.push(edges.collect());
    }
    let (_, map) = minimise(&both);
    map[one.initial as usize] == map[moved(other.initial) as usize]
}

/// A graph without cycles of hidden steps.
struct Collapsed {
    /// Of each state of the original.
    component: Vec<u32>,
    flags: Vec<u8>,
    divergent: Vec<bool>,
    /// A hidden step leads to a component with a smaller number.
    edges: Vec<Vec<(u32, u32)>>,
}

impl Collapsed {
    fn new(lts: &Lts) -> Collapsed {
        let (component, count) = components(lts);
        let mut collapsed = Collapsed {
            flags: vec![0; count],
            divergent: vec![false; count],
            edges: vec![Vec::new(); count],
            component,
        };
        for (state, edges) in lts.edges.iter().enumerate() {
            let from = collapsed.component[state];
            collapsed.flags[from as usize] |= lts.flags[state];
            for (label, to) in edges {
                let to = collapsed.component[*to as usize];
                match *label == TAU && to == from {
                    true => collapsed.divergent[from as usize] = true,
                    false => collapsed.edges[from as usize].push((*label, to)),
                }
            }
        }
        for edges in &mut collapsed.edges {
            edges.sort_unstable();
            edges.dedup();
        }
        collapsed
    }

    /// The block of each component. The error is in a block of its own.
    fn blocks(&self) -> Vec<u32> {
        let error = self.component[ERROR as usize];
        let is_error = |component: usize| u32::from(component as u32 == error);
        let mut blocks: Vec<u32> = (0..self.flags.len()).map(is_error).collect();
        let mut count = 0;
        loop {
            let mut numbers: HashMap<(u32, Vec<(u32, u32)>), u32> = HashMap::new();
            let mut signatures: Vec<Vec<(u32, u32)>> = Vec::with_capacity(blocks.len());
            let mut next = Vec::with_capacity(blocks.len());
            // Hidden steps lead to components whose signatures are known already.
            for component in 0..blocks.len() {
                let own = blocks[component];
                let mut signature = Vec::new();
                if self.divergent[component] {
                    signature.push((DIVERGENT, own));
                }
                if self.flags[component] != 0 {
                    signature.push((FLAGS + u32::from(self.flags[component]), own));
                }
                for (label, to) in &self.edges[component] {
                    let block = blocks[*to as usize];
                    match *label == TAU && block == own {
                        true => signature.extend_from_slice(&signatures[*to as usize]),
                        false => signature.push((*label, block)),
                    }
                }
                signature.sort_unstable();
                signature.dedup();
                let new = numbers.len() as u32;
                let number = *numbers.entry((own, signature.clone())).or_insert(new);
                next.push(number);
                signatures.push(signature);
            }
            blocks = next;
            if numbers.len() == count {
                return blocks;
            }
            count = numbers.len();
        }
    }
}

/// The strongly connected components of hidden steps (Tarjan 1972), in an order in which such steps lead back, and how many there are.
fn components(lts: &Lts) -> (Vec<u32>, usize) {
    const NONE: u32 = u32::MAX;
    let count = lts.flags.len();
    let (mut index, mut low) = (vec![NONE; count], vec![0; count]);
    let mut component = vec![NONE; count];
    let (mut stack, mut path) = (Vec::new(), Vec::new());
    let (mut visited, mut found) = (0, 0);
    for root in 0..count as u32 {
        if index[root as usize] != NONE {
            continue;
        }
        path.push((root, 0));
        while let Some((state, at)) = path.last_mut() {
            let own = *state as usize;
            if *at == 0 {
                index[own] = visited;
                low[own] = visited;
                visited += 1;
                stack.push(own as u32);
            }
            // Hidden steps come first.
            let edge = lts.edges[own].get(*at).filter(|(label, _)| *label == TAU);
            if let Some((_, to)) = edge {
                *at += 1;
                let to = *to as usize;
                if index[to] == NONE {
                    path.push((to as u32, 0));
                } else if component[to] == NONE {
                    low[own] = low[own].min(index[to]);
                }
                continue;
            }
            path.pop();
            if let Some((above, _)) = path.last() {
                low[*above as usize] = low[*above as usize].min(low[own]);
            }
            if low[own] == index[own] {
                while let Some(member) = stack.pop() {
                    component[member as usize] = found;
                    if member as usize == own {
                        break;
                    }
                }
                found += 1;
            }
        }
    }
    (component, found as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A graph whose state 0 is the error; states without steps may end there with the flags given.
    fn graph(flags: &[u8], edges: &[(u32, u32, u32)]) -> Lts {
        let mut lts = Lts {
            initial: 1,
            flags: flags.to_vec(),
            edges: vec![Vec::new(); flags.len()],
        };
        for (from, label, to) in edges {
            lts.edges[*from as usize].push((*label, *to));
        }
        lts.edges.iter_mut().for_each(|edges| edges.sort_unstable());
        lts
    }

    #[test]
    fn a_hidden_step_that_decides_nothing_goes() {
        let long = graph(&[0; 4], &[(1, TAU, 2), (2, 1, 3)]);
        let (small, map) = minimise(&long);
        assert_eq!((small.states(), small.transitions()), (2, 1));
        assert_eq!(map[1], map[2]);
    }

    #[test]
    fn a_hidden_step_that_decides_stays() {
        let choice = graph(&[0; 5], &[(1, TAU, 2), (1, 2, 4), (2, 1, 4)]);
        assert_eq!(minimise(&choice).0.states(), 3);
    }

    #[test]
    fn to_go_on_unseen_for_ever_is_not_to_stop() {
        let stops = graph(&[0, 0, 0], &[(1, 1, 2)]);
        let goes_on = graph(&[0, 0, 0], &[(1, 1, 2), (2, TAU, 2)]);
        assert!(!are_equivalent(&stops, &goes_on));
        let by_two = graph(&[0, 0, 0, 0], &[(1, 1, 2), (2, TAU, 3), (3, TAU, 2)]);
        assert!(are_equivalent(&goes_on, &by_two));
    }

    #[test]
    fn to_end_well_to_be_stuck_and_to_fail_differ() {
        let ends = graph(&[0, 0, 3], &[(1, 1, 2)]);
        let stuck = graph(&[0, 0, 2], &[(1, 1, 2)]);
        let fails = graph(&[0, 0], &[(1, 1, ERROR)]);
        assert!(!are_equivalent(&ends, &stuck));
        assert!(!are_equivalent(&fails, &stuck));
        assert!(are_equivalent(&fails, &fails));
    }
}
