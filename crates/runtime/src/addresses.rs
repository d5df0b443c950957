//! Objects that are known by where they are in memory, as those of threads are.
//!
//! A number stays with its address from execution to execution: where memory is handed out in the same
//! way in all equivalent executions, so is the number of an object.

use bytemuck::Zeroable;

use crate::operation::ObjectId;

const SLOTS: usize = 1 << 17;
const NUMBERS: usize = ObjectId::NONE.0 as usize;

/// Addresses and their numbers.
#[derive(Clone, Copy, Zeroable)]
#[repr(C)]
pub struct Addresses {
    count: u32,
    _padding: u32,
    index: [u16; SLOTS],
    known: [u64; NUMBERS + 1],
}

impl Addresses {
    /// The number of the object at an address; none if there are too many.
    #[inline]
    pub fn number(&mut self, address: u64) -> Option<ObjectId> {
        let mut slot = (address.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) as usize % SLOTS;
        loop {
            let entry = usize::from(self.index[slot]);
            if entry == 0 {
                let new = self.count as usize;
                if new >= NUMBERS - 1 {
                    return None;
                }
                self.known[new] = address;
                self.index[slot] = new as u16 + 1;
                self.count += 1;
                return Some(ObjectId(new as u16));
            }
            if self.known[entry - 1] == address {
                return Some(ObjectId(entry as u16 - 1));
            }
            slot = (slot + 1) % SLOTS;
        }
    }

    /// Where an object is, if it is known by that.
    pub fn address(&self, id: ObjectId) -> Option<u64> {
        let known = id.index() < self.len();
        known.then(|| self.known[id.index()])
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        (self.count as usize).min(NUMBERS)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The objects in a piece of memory.
    pub fn within(&self, address: u64, size: u64) -> impl Iterator<Item = ObjectId> + use<> {
        let known = self.known[..self.len()].iter().enumerate();
        let inside = known.filter(|(_, known)| (address..address + size).contains(known));
        let found: Vec<ObjectId> = inside.map(|(id, _)| ObjectId(id as u16)).collect();
        found.into_iter()
    }
}
