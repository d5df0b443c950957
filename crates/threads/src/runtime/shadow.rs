//! What was last done to each piece of memory, by whom and when: enough to tell whether an access is in
//! a race with an earlier one.
//!
//! Memory is looked at in granules of eight bytes, with a bit for each byte. A granule keeps the
//! accesses that a later one could be in a race with (`mazurka_runtime::accesses`).

use mazurka_processes::shared::Control;
use mazurka_processes::uncontrolled;
use mazurka_runtime::accesses::{ATOMIC, Access, FREE, Found, LOCK, NEW, judge};
use mazurka_runtime::clocks::Clock;

use super::global;
use super::racing::{self, Racing};
use super::state::USER_SPACE;

/// Granules of one piece of the table.
const GRANULES: usize = 64;
/// Pieces there can be: each is for half a kilobyte of memory.
const PIECES: usize = 1 << 20;
/// Accesses that a granule keeps; more go to the side.
const KEPT: usize = 5;

#[derive(Clone, Copy)]
struct Granule {
    kept: [Access; KEPT],
    count: u8,
    /// Whether more are kept at the side.
    has_more: bool,
}

struct Piece {
    number: usize,
    /// Where the index has it.
    slot: u32,
    /// The granules that were ever asked for, a bit each.
    asked: u64,
    granules: [Granule; GRANULES],
}

/// The table. Memory that is all zero is an empty one.
pub struct Shadow {
    index: *mut u32,
    pieces: *mut Piece,
    used: u32,
    last: (usize, u32),
    more: Vec<(usize, Vec<Access>)>,
    /// What makes it blind: bits of `uncontrolled`.
    pub limits: u32,
    /// Memory that is known to be in a race, where races are not reported.
    pub racing: Racing,
}

impl Shadow {
    pub fn new(control: &Control) -> Shadow {
        let mut racing = Racing::NONE;
        racing.read(control);
        Shadow {
            racing,
            index: global::map(2 * PIECES * size_of::<u32>(), 0).cast(),
            pieces: global::map(PIECES * size_of::<Piece>(), 0).cast(),
            used: 0,
            last: (usize::MAX, 0),
            more: vec![],
            limits: 0,
        }
    }

    /// Where the table is in memory: start and length.
    pub fn memory(&self) -> [(usize, usize); 2] {
        let index = (self.index as usize, 2 * PIECES * size_of::<u32>());
        [index, (self.pieces as usize, PIECES * size_of::<Piece>())]
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        for piece in 0..self.used as usize {
            // SAFETY: pieces that are in use, and their slots.
            unsafe {
                let piece = &mut *self.pieces.add(piece);
                *self.index.add(piece.slot as usize) = 0;
                let mut asked = std::mem::take(&mut piece.asked);
                while asked != 0 {
                    let granule = &mut piece.granules[asked.trailing_zeros() as usize];
                    granule.count = 0;
                    granule.has_more = false;
                    asked &= asked - 1;
                }
            }
        }
        self.used = 0;
        self.last = (usize::MAX, 0);
    }

    /// Notes an access to memory, and tells what is wrong with it, if anything is.
    pub fn access(
        &mut self,
        address: usize,
        size: usize,
        access: Access,
        now: &Clock,
    ) -> Option<Found> {
        let end = address.saturating_add(size);
        let mut granule = address >> 3;
        let mut found = None;
        while granule << 3 < end {
            let start = granule << 3;
            let first = address.max(start) - start;
            let last = end.min(start + 8) - start;
            let bytes = ((1u16 << last) - (1u16 << first)) as u8;
            let one = self.note(granule, Access { bytes, ..access }, now);
            found = found.or(one);
            granule += 1;
        }
        found
    }

    /// Whether the same has been noted since its actor last passed anything on or took anything over. Most accesses are such.
    #[inline]
    pub fn is_known(&mut self, address: usize, size: usize, access: Access) -> bool {
        let granule = address >> 3;
        if size == 0 || (address + size - 1) >> 3 != granule || access.what & (FREE | NEW) != 0 {
            return false;
        }
        let Some(cell) = self.find(granule) else {
            return false;
        };
        let first = address & 7;
        let bytes = ((1u16 << (first + size)) - (1u16 << first)) as u8;
        // SAFETY: of a piece that is in use.
        let cell = unsafe { &*cell };
        let kept = &cell.kept[..usize::from(cell.count)];
        kept.iter()
            .any(|kept| kept.is_like(&Access { bytes, ..access }))
    }

    fn note(&mut self, granule: usize, access: Access, now: &Clock) -> Option<Found> {
        let Some(cell) = self.find(granule) else {
            self.limits |= uncontrolled::LARGE;
            return None;
        };
        let mut access = access;
        let object = self.racing.object_of(granule);
        let is_racing = object.is_some();
        if is_racing && access.what & (FREE | NEW | LOCK) == 0 {
            let own = racing::object_of_atomic(granule, &access);
            access.is_step = access.what & ATOMIC == 0 || object == Some(own as usize);
            // It is a step, so all orders are explored.
            access.what |= ATOMIC;
        }
        // SAFETY: of a piece that is in use.
        let cell = unsafe { &mut *cell };
        let count = usize::from(cell.count);
        let same = |kept: &Access| kept.is_like(&access);
        if access.what & (FREE | NEW) == 0 && cell.kept[..count].iter().any(same) {
            return None;
        }
        if access.what & NEW != 0 {
            cell.count = 0;
            if cell.has_more {
                cell.has_more = false;
                self.more.retain(|(other, _)| *other != granule);
            }
            return None;
        }
        let mut found = None;
        let mut is_mixed = false;
        let mut look = |kept: &Access| {
            // A step and something else are a race, which is learned from.
            is_mixed |= !kept.is_step && !access.is_step && kept.is_mixed_with(&access);
            let one = judge(kept, &access, now);
            let is_certain =
                |found: &Option<Found>| found.is_some_and(|found| found.is_certain(&access));
            let is_worse = matches!(one, Some(Found::AfterFree(_))) && is_certain(&one);
            if is_worse || !is_certain(&found) {
                found = one.or(found.take());
            }
        };
        cell.kept[..count].iter().for_each(&mut look);
        let place = match cell.has_more {
            true => self.more.iter().position(|(other, _)| *other == granule),
            false => None,
        };
        if let Some(place) = place {
            self.more[place].1.iter().for_each(&mut look);
        }
        if is_mixed {
            self.limits |= uncontrolled::MIXED;
        }
        let is_forgotten = |kept: &Access| access.stands_for(kept, now);
        let mut left = 0;
        for at in 0..count {
            if !is_forgotten(&cell.kept[at]) {
                cell.kept[left] = cell.kept[at];
                left += 1;
            }
        }
        if let Some(place) = place {
            self.more[place].1.retain(|kept| !is_forgotten(kept));
        }
        if left < KEPT {
            cell.kept[left] = access;
            cell.count = left as u8 + 1;
        } else {
            cell.count = left as u8;
            cell.has_more = true;
            match place {
                Some(place) => self.more[place].1.push(access),
                None => self.more.push((granule, vec![access])),
            }
        }
        if let Some(Found::Race(other)) = &found
            && self.racing.is_ignoring
            && (other.what | access.what) & (FREE | LOCK) == 0
            // Memory without an address cannot be looked at by a step.
            && granule << 3 < USER_SPACE
        {
            racing::learn(granule, [other, &access]);
            return None;
        }
        found
    }

    /// Memory is gone, as far as anybody has used it: notes that as an access, and tells where something is wrong with it.
    pub fn end(
        &mut self,
        start: usize,
        end: usize,
        access: Access,
        now: &Clock,
    ) -> Option<(usize, Found)> {
        let mut found = None;
        for piece in 0..self.used as usize {
            // SAFETY: a piece that is in use.
            let (number, asked) = unsafe {
                let piece = &*self.pieces.add(piece);
                (piece.number - 1, piece.asked)
            };
            for granule in (0..GRANULES).filter(|granule| asked >> granule & 1 == 1) {
                let granule = number * GRANULES + granule;
                if !(start..end).contains(&(granule << 3)) {
                    continue;
                }
                let all = Access {
                    bytes: u8::MAX,
                    ..access
                };
                let one = self.note(granule, all, now);
                found = found.or(one.map(|one| (granule << 3, one)));
            }
        }
        found
    }

    /// The cell of a granule; none if there is no more room.
    #[inline]
    fn find(&mut self, granule: usize) -> Option<*mut Granule> {
        let number = granule / GRANULES + 1;
        if self.last.0 != number {
            self.last = (number, self.look_up(number)?);
        }
        // SAFETY: the piece is within its mapping.
        unsafe {
            let piece = self.pieces.add(self.last.1 as usize);
            (*piece).asked |= 1 << (granule % GRANULES);
            Some(&raw mut (*piece).granules[granule % GRANULES])
        }
    }

    fn look_up(&mut self, number: usize) -> Option<u32> {
        let mut slot = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40) % (2 * PIECES);
        // SAFETY: slots and pieces are within their mappings.
        unsafe {
            loop {
                let entry = *self.index.add(slot);
                if entry == 0 {
                    if self.used as usize + 1 >= PIECES {
                        super::state::give_up("the program uses too much memory");
                    }
                    let new = self.used;
                    (*self.pieces.add(new as usize)).number = number;
                    (*self.pieces.add(new as usize)).slot = slot as u32;
                    *self.index.add(slot) = new + 1;
                    self.used += 1;
                    return Some(new);
                }
                if (*self.pieces.add(entry as usize - 1)).number == number {
                    return Some(entry - 1);
                }
                slot = (slot + 1) % (2 * PIECES);
            }
        }
    }
}
