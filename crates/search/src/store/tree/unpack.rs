//! From roots back to states.
//!
//! The tables find the number of a node, not the node of a number. So the nodes that are wanted are found by walks over
//! the tables: one for each level of the trees, for all roots together.

use rapidhash::{RapidHashMap, RapidHashSet};

use super::{LENGTHS, OTHER_LENGTH, Root, Tree};
use crate::store::nodes::NUMBER_BITS;
use crate::store::plan::{Plan, Side};

/// The nodes of one table that are known, by number.
type Known = RapidHashMap<u32, u64>;

impl Tree {
    /// The states with these roots; of one that has no tree, nothing.
    pub(super) fn unpack_all(&self, roots: &[Root]) -> Vec<Vec<u8>> {
        let tops = self.tops(roots);
        let mut known = [Known::default(), Known::default(), Known::default()];
        loop {
            let mut wanted = [const { Vec::new() }; 3];
            for (plan, left, right) in tops.iter().flatten() {
                let mut numbers = vec![None; plan.nodes.len()];
                self.spread(plan, *left, *right, &known, &mut numbers, &mut wanted);
            }
            if wanted.iter().all(Vec::is_empty) {
                break;
            }
            for (side, wanted) in [Side::Below, Side::Left, Side::Right]
                .into_iter()
                .zip(wanted)
            {
                let wanted: RapidHashSet<u32> = wanted.into_iter().collect();
                let found = self.numbers(side).nodes.with_numbers(&wanted);
                let known = &mut known[place(side)];
                // What is not there is not looked for again.
                known.extend(wanted.into_iter().map(|number| (number, u64::MAX)));
                known.extend(found);
            }
        }
        let states = tops.iter().map(|top| {
            let Some((plan, left, right)) = top else {
                return Vec::new();
            };
            let mut numbers = vec![None; plan.nodes.len()];
            let wanted = &mut [const { Vec::new() }; 3];
            self.spread(plan, *left, *right, &known, &mut numbers, wanted);
            let mut state = vec![0; plan.length()];
            for (position, piece) in plan.pieces.iter().enumerate() {
                if let Some(number) = numbers[position] {
                    let leaves = &self.numbers(plan.nodes[position].table).leaves;
                    piece.put(&leaves.piece(number), &mut state);
                }
            }
            state
        });
        states.collect()
    }

    /// For each root its plan and the numbers of its two nodes.
    fn tops(&self, roots: &[Root]) -> Vec<Option<(&Plan, u32, u32)>> {
        let mask = (1 << NUMBER_BITS) - 1;
        let parts = |Root(root): &Root| {
            let (left, right) = (root >> NUMBER_BITS & mask, root & mask);
            (root >> (2 * NUMBER_BITS), left as u32, right as u32)
        };
        // Those of the other lengths are one node of the lower table.
        let joined = roots.iter().map(parts);
        let joined = joined.filter(|(class, ..)| *class == OTHER_LENGTH);
        let joined: RapidHashSet<u32> = joined.map(|(_, both, _)| both).collect();
        let joined = match joined.is_empty() {
            true => Known::default(),
            false => self.below.nodes.with_numbers(&joined),
        };
        let top = |root: &Root| match parts(root) {
            (OTHER_LENGTH, both, length) => {
                let class = *self.plan_of_length.get(length as usize)?;
                let plan = self.plans.get(usize::from(class).checked_sub(1)?)?;
                let pair = joined.get(&both)?;
                Some((plan, (pair >> 32) as u32, *pair as u32))
            }
            (class, left, right) => {
                debug_assert!((class as usize) < LENGTHS);
                Some((self.plans.get(class as usize)?, left, right))
            }
        };
        roots.iter().map(top).collect()
    }

    /// Fills in the numbers of the nodes of a state, from the root down, as far as nodes are known; those that are not
    /// are wanted.
    fn spread(
        &self,
        plan: &Plan,
        left: u32,
        right: u32,
        known: &[Known; 3],
        numbers: &mut [Option<u32>],
        wanted: &mut [Vec<u32>; 3],
    ) {
        numbers[plan.left] = Some(left);
        if let Some(node) = plan.right {
            numbers[node] = Some(right);
        }
        // A node that joins others stands behind them.
        for node in (plan.pieces.len()..plan.nodes.len()).rev() {
            let Some(number) = numbers[node] else {
                continue;
            };
            let planned = &plan.nodes[node];
            let (left, right) = planned.children;
            match known[place(planned.table)].get(&number) {
                Some(pair) => {
                    numbers[left as usize] = Some((pair >> 32) as u32);
                    numbers[right as usize] = Some(*pair as u32);
                }
                None => wanted[place(planned.table)].push(number),
            }
        }
    }
}

fn place(side: Side) -> usize {
    match side {
        Side::Below => 0,
        Side::Left => 1,
        Side::Right => 2,
    }
}
