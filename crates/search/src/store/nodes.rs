//! A table that numbers pairs: the inner nodes of the tree.
//!
//! A node is a pair of 32-bit words. Equal nodes get the same number, numbers count from zero,
//! and a number stays the same when the table grows, since other nodes refer to it.

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use super::Crowded;
use crate::huge_pages;

/// Numbers must fit into the keys of roots.
pub const NUMBER_BITS: u32 = 29;
const FIRST_NODES: usize = 1 << 9;

/// Nodes by number, and numbers by node.
#[derive(Debug)]
pub struct Nodes {
    /// The nodes, by number; as many as there is room for.
    nodes: Vec<AtomicU64>,
    /// How many numbers were given out; more than there is room for if the table is full.
    count: AtomicU32,
    /// Open addressing: zero, or half of the hash above the number plus one.
    slots: Vec<AtomicU64>,
}

impl Nodes {
    /// An empty table.
    pub fn new() -> Nodes {
        Nodes {
            nodes: huge_pages::table(FIRST_NODES),
            count: AtomicU32::new(0),
            slots: huge_pages::table(FIRST_NODES * 2),
        }
    }

    /// The number of a node, which is a new one if the node was not met before.
    #[inline]
    pub fn number(&self, node: u64) -> Result<u32, Crowded> {
        let hash = scramble(node);
        let tag = hash << 32;
        let mask = self.slots.len() - 1;
        let mut slot = (hash >> 32) as usize & mask;
        loop {
            let entry = self.slots[slot].load(Ordering::Acquire);
            if entry == 0 {
                return self.append(node, tag, slot);
            }
            let number = (entry as u32).wrapping_sub(1);
            if entry >> 32 == tag >> 32
                && self.nodes[number as usize].load(Ordering::Relaxed) == node
            {
                return Ok(number);
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Writes the node first and publishes its number afterwards, so that nobody sees one without
    /// the other. Of two workers with the same node one wins; the number of the other is lost.
    #[cold]
    fn append(&self, node: u64, tag: u64, mut slot: usize) -> Result<u32, Crowded> {
        let number = self.count.fetch_add(1, Ordering::Relaxed);
        let Some(place) = self.nodes.get(number as usize) else {
            self.count.fetch_sub(1, Ordering::Relaxed);
            return Err(Crowded);
        };
        place.store(node, Ordering::Relaxed);
        let entry = tag | u64::from(number + 1);
        let mask = self.slots.len() - 1;
        loop {
            let claimed =
                self.slots[slot].compare_exchange(0, entry, Ordering::AcqRel, Ordering::Acquire);
            match claimed {
                Ok(_) => return Ok(number),
                Err(other) => {
                    let number = (other as u32).wrapping_sub(1);
                    if other >> 32 == tag >> 32
                        && self.nodes[number as usize].load(Ordering::Relaxed) == node
                    {
                        return Ok(number);
                    }
                }
            }
            slot = (slot + 1) & mask;
        }
    }

    /// The node with a number.
    #[cfg(test)]
    pub fn node(&self, number: u32) -> u64 {
        self.nodes[number as usize].load(Ordering::Relaxed)
    }

    /// How many nodes there are.
    pub fn count(&self) -> u32 {
        self.count.load(Ordering::Relaxed)
    }

    /// Is there no room for another node?
    pub fn is_full(&self) -> bool {
        self.count() as usize >= self.nodes.len()
    }

    /// The bytes that growing takes in addition.
    pub fn bytes_to_grow(&self) -> u64 {
        // The old slots are freed only when the new ones are filled, and so are the old nodes.
        ((self.slots.len() + self.nodes.len()) * 2 * 8) as u64
    }

    /// Doubles the table. Not possible once numbers run out.
    pub fn grow(&mut self) -> bool {
        let room = self.nodes.len() * 2;
        if room > 1 << NUMBER_BITS {
            return false;
        }
        self.nodes.reserve_exact(room - self.nodes.len());
        self.nodes.resize_with(room, AtomicU64::default);
        let slots: Vec<AtomicU64> = huge_pages::table(self.slots.len() * 2);
        let mask = slots.len() - 1;
        // Numbers that were lost are in no slot, so they cannot come back.
        for entry in &self.slots {
            let entry = entry.load(Ordering::Relaxed);
            if entry == 0 {
                continue;
            }
            let number = (entry as u32).wrapping_sub(1) as usize;
            let node = self.nodes[number].load(Ordering::Relaxed);
            let mut slot = (scramble(node) >> 32) as usize & mask;
            while slots[slot].load(Ordering::Relaxed) != 0 {
                slot = (slot + 1) & mask;
            }
            slots[slot].store(entry, Ordering::Relaxed);
        }
        self.slots = slots;
        true
    }

    /// The bytes taken.
    pub fn bytes(&self) -> u64 {
        ((self.nodes.len() + self.slots.len()) * 8) as u64
    }
}

/// Both halves of a product are well mixed only together.
#[inline]
fn scramble(node: u64) -> u64 {
    let product = u128::from(node ^ 0x2d35_8dcc_aa6c_78a5) * 0x8bb8_4b93_962e_acc9;
    (product >> 64) as u64 ^ product as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_and_stay() {
        let mut nodes = Nodes::new();
        for node in 0..100_000u64 {
            let pair = ((node * node) << 20) | (node % 7);
            let number = loop {
                match nodes.number(pair) {
                    Ok(number) => break number,
                    Err(Crowded) => assert!(nodes.grow()),
                }
            };
            assert_eq!(u64::from(number), node);
        }
        for node in 0..100_000u64 {
            assert_eq!(
                nodes.number(((node * node) << 20) | (node % 7)),
                Ok(node as u32)
            );
            assert_eq!(nodes.node(node as u32), ((node * node) << 20) | (node % 7));
        }
    }

    #[test]
    fn workers_agree_on_numbers() {
        let mut nodes = Nodes::new();
        for _ in 0..6 {
            nodes.grow();
        }
        let numbers = |order: fn(u64) -> u64| {
            let mut numbers = vec![0; 10_000];
            for step in 0..10_000 {
                let node = order(step);
                numbers[node as usize] = nodes.number(node << 7).unwrap();
            }
            numbers
        };
        std::thread::scope(|scope| {
            let up = scope.spawn(|| numbers(|step| step));
            let down = scope.spawn(|| numbers(|step| 9_999 - step));
            assert_eq!(up.join().unwrap(), down.join().unwrap());
        });
    }
}
