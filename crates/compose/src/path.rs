//! From a path in what is left in the end back to steps of the system.
//!
//! Branching bisimulation makes this local: if one state of a block has a step to another block, then every state of it has that step,
//! perhaps after hidden steps inside the block. So whoever stands in any state of a block finds the way there, in the graph
//! as it was before it was made smaller; and each step of that graph is one of the two that it was put together from.

use std::collections::{HashMap, VecDeque};

use mazurka_model::Step;

use crate::lts::{Lts, Move, Mover, TAU};

/// A graph, what it was made of, and where somebody stands in it.
pub(crate) struct Node {
    pub name: String,
    /// The parts in it, a bit for each.
    pub members: u64,
    /// As it was put together.
    pub raw: Lts,
    /// As small as possible.
    pub smallest: Lts,
    /// The state there for each state here.
    pub map: Vec<u32>,
    pub made_of: MadeOf,
    /// Where somebody stands, in the graph as it was put together.
    at: u32,
    /// The step that is taken next, by its number among those of the state.
    next: usize,
}

pub(crate) enum MadeOf {
    /// A part, with the steps that are its own.
    Part(Vec<Vec<Option<Step>>>),
    /// Two others, and what they do in each step.
    Two(Box<(Node, Node)>, Vec<Vec<Move>>),
}

impl Node {
    pub fn new(name: String, members: u64, raw: Lts, made_of: MadeOf) -> Node {
        let (smallest, map) = crate::minimise::minimise(&raw);
        Node {
            name,
            members,
            at: raw.initial,
            raw,
            smallest,
            map,
            made_of,
            next: 0,
        }
    }

    /// The steps of the system along a path of the smallest graph, and then on to where nothing is possible, if that is its end. None if there are none, which cannot be.
    pub fn steps_along(&mut self, path: &[(u32, u32)], is_stuck: bool) -> Option<Vec<Step>> {
        let mut steps = Vec::new();
        self.begin();
        for (label, to) in path {
            self.prepare(*label, *to, &mut steps)?;
            self.take(&mut steps);
        }
        if is_stuck {
            self.settle(&mut steps)?;
        }
        Some(steps)
    }

    fn begin(&mut self) {
        self.at = self.raw.initial;
        if let MadeOf::Two(two, _) = &mut self.made_of {
            two.0.begin();
            two.1.begin();
        }
    }

    /// Goes to where a step with this label to this state of the smallest graph is the next one.
    fn prepare(&mut self, label: u32, to: u32, steps: &mut Vec<Step>) -> Option<()> {
        for edge in self.way(label, to)? {
            self.choose(edge, steps)?;
            let is_last = self.raw.edges[self.at as usize][edge];
            let is_last = (is_last.0, self.map[is_last.1 as usize]) == (label, to);
            if is_last {
                return Some(());
            }
            self.take(steps);
        }
        None
    }

    /// The steps from here inside the block to such a step, and that step.
    fn way(&self, label: u32, to: u32) -> Option<Vec<usize>> {
        let block = self.map[self.at as usize];
        let mut reached: HashMap<u32, (u32, usize)> = HashMap::new();
        let mut open = VecDeque::from([self.at]);
        while let Some(state) = open.pop_front() {
            for (number, (other, target)) in self.raw.edges[state as usize].iter().enumerate() {
                let target_block = self.map[*target as usize];
                if (*other, target_block) == (label, to) {
                    let mut way = vec![number];
                    let mut at = state;
                    while at != self.at {
                        let (from, edge) = reached[&at];
                        way.push(edge);
                        at = from;
                    }
                    way.reverse();
                    return Some(way);
                }
                let is_new = *target != self.at && !reached.contains_key(target);
                if *other == TAU && target_block == block && is_new {
                    reached.insert(*target, (state, number));
                    open.push_back(*target);
                }
            }
        }
        None
    }

    /// Makes a step the next one: whoever takes part in it goes to where it can be taken.
    fn choose(&mut self, edge: usize, steps: &mut Vec<Step>) -> Option<()> {
        self.next = edge;
        if let MadeOf::Two(two, moves) = &mut self.made_of {
            let Move { mover, label, to } = moves[self.at as usize][edge];
            if mover != Mover::Right {
                two.0.prepare(label, to.0, steps)?;
            }
            if mover != Mover::Left {
                two.1.prepare(label, to.1, steps)?;
            }
        }
        Some(())
    }

    /// Takes the step that is the next one.
    fn take(&mut self, steps: &mut Vec<Step>) {
        match &mut self.made_of {
            MadeOf::Part(own) => steps.extend(own[self.at as usize][self.next]),
            MadeOf::Two(two, moves) => {
                let mover = moves[self.at as usize][self.next].mover;
                if mover != Mover::Right {
                    two.0.take(steps);
                }
                if mover != Mover::Left {
                    two.1.take(steps);
                }
            }
        }
        self.at = self.raw.edges[self.at as usize][self.next].1;
    }

    /// Takes hidden steps as long as there are any. In a block without a way out or round they come to an end.
    fn settle(&mut self, steps: &mut Vec<Step>) -> Option<()> {
        let mut left = self.raw.flags.len();
        while let Some((TAU, _)) = self.raw.edges[self.at as usize].first() {
            left = left.checked_sub(1)?;
            self.choose(0, steps)?;
            self.take(steps);
        }
        if let MadeOf::Two(two, _) = &mut self.made_of {
            two.0.settle(steps)?;
            two.1.settle(steps)?;
        }
        Some(())
    }
}
