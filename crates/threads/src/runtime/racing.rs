//! Memory that is in a race, where races are not reported: accesses to it are steps.
//!
//! Which memory that is grows while a search goes on, and the search begins again when it has ([`learn`] tells the explorer). A plain
//! access there is an operation on an object like one on an atomic variable, but carries no order from one actor to another.

use std::sync::atomic::Ordering;

use mazurka_processes::shared::{Control, Racing as Known};
use mazurka_processes::uncontrolled;
use mazurka_runtime::accesses::{ATOMIC, Access, WIDE, WRITE};
use mazurka_runtime::{Kernel, Kind, ObjectId, Operation};

use super::atomics::{cell, refresh};
use super::beyond::did;
use super::state::{control, kernel, perform_after, place, state};
use super::waiting::{changed, looked, perform_looking};

/// Slots of the table: twice as many as there can be entries.
const SLOTS: usize = 2 * Known::MOST;

/// The memory that is in a race, in granules of eight bytes. All zero if there is none.
pub struct Racing {
    /// A granule plus one, and the address of the object that its accesses are about.
    slots: [(usize, usize); SLOTS],
    is_any: bool,
    /// Whether races are not reported.
    pub is_ignoring: bool,
}

impl Racing {
    pub const NONE: Racing = Racing {
        slots: [(0, 0); SLOTS],
        is_any: false,
        is_ignoring: false,
    };

    /// What the explorer knows so far.
    pub fn read(&mut self, control: &Control) {
        self.is_ignoring = control.racing.is_ignoring.load(Ordering::Relaxed) != 0;
        for (granule, object) in control.racing.all() {
            let mut slot = granule as usize % SLOTS;
            while self.slots[slot].0 != 0 {
                slot = (slot + 1) % SLOTS;
            }
            self.slots[slot] = (granule as usize + 1, object as usize);
            self.is_any = true;
        }
    }

    /// The address of the object that accesses to a granule are about, if it is in a race.
    #[inline]
    pub fn object_of(&self, granule: usize) -> Option<usize> {
        if !self.is_any {
            return None;
        }
        let mut slot = granule % SLOTS;
        loop {
            match self.slots[slot] {
                (0, _) => return None,
                (known, object) if known == granule + 1 => return Some(object),
                _ => slot = (slot + 1) % SLOTS,
            }
        }
    }
}

/// Two accesses to a granule are in a race. An atomic one that is not about the object that is known says which object it is.
#[cold]
pub fn learn(granule: usize, accesses: [&Access; 2]) {
    let is_other = |access: &&&Access| access.what & ATOMIC != 0 && !access.is_step;
    let object = match accesses.iter().find(is_other) {
        Some(access) => object_of_atomic(granule, access),
        None => Known::plain(granule as u64),
    };
    if !control().racing.add(granule as u64, object) {
        super::state::give_up("too much of the program's memory is in races");
    }
}

/// The object that an atomic access is about.
pub fn object_of_atomic(granule: usize, access: &Access) -> u64 {
    let address = (granule << 3) as u64 + u64::from(access.bytes.trailing_zeros());
    match access.what & WIDE {
        0 => Known::atomic(address, access.bytes.count_ones()),
        _ => Known::SEVERAL,
    }
}

/// A plain access is about to happen. If it is to memory that is in a race, this is a step.
pub fn step(address: usize, size: usize, what: u8, from: usize) {
    let racing = &state().shadow.racing;
    if !racing.is_any {
        return;
    }
    let granules = address >> 3..=(address + size - 1) >> 3;
    let mut objects = granules.filter_map(|granule| racing.object_of(granule));
    let Some(first) = objects.next() else {
        return;
    };
    let second = objects.find(|&other| other != first);
    if first as u64 == Known::SEVERAL || second.is_some() {
        // One step cannot be about all of them.
        did(uncontrolled::RACES);
        return;
    }
    kernel().weak = 1;
    let (memory, size) = Known::place(first as u64);
    let is_plain = first as u64 & Known::PLAIN != 0;
    // What is seen must not depend on whether operations of the atomic have come before.
    let id = match is_plain {
        true => cell(first, size),
        false => cell(memory as usize, size),
    };
    match what & WRITE {
        0 => {
            let read = Operation::on(Kind::READ, id).at(place(from));
            perform_looking(read, from, |kernel, _| {
                // Plain memory may lie beside what others change by other steps, so what it holds is not told.
                if !is_plain {
                    refresh(kernel, id, memory as usize);
                }
            });
            looked(id);
        }
        _ => {
            let write = Operation::on(Kind::WRITE, id)
                .with(Operation::UNKNOWN)
                .at(place(from));
            changed();
            perform_after(write, |kernel, _| unsettle(kernel, id));
        }
    }
}

/// What will be written is not known: whoever waits for a change is to look.
fn unsettle(kernel: &mut Kernel, id: ObjectId) {
    kernel.objects[id.index()].value = -1;
}
