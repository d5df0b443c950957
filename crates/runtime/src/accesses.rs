//! Accesses to memory that are no steps, and when two of them are in a race.
//!
//! Of the accesses to a piece of memory those are kept that a later one could be in a race with: one that
//! happens before a later access, and conflicts with nothing that the later one does not, is forgotten
//! (as in FastTrack: Flanagan, Freund 2009, but kept for each actor, so that every race of an execution
//! is found).

use crate::clocks::Clock;

/// An access.
#[derive(Clone, Copy, Default, Debug)]
pub struct Access {
    /// The actor's own time.
    pub time: u32,
    /// Where it stands in the program.
    pub place: u16,
    /// Who.
    pub actor: u8,
    /// Which bytes of a piece of eight, one bit each.
    pub bytes: u8,
    /// [`WRITE`], [`ATOMIC`], [`FREE`].
    pub what: u8,
    /// Where races are not reported: whether it is a step on the one object of this piece of memory, so that all orders of such are explored.
    pub is_step: bool,
}

/// It writes.
pub const WRITE: u8 = 1;
/// It is atomic.
pub const ATOMIC: u8 = 2;
/// It gives the memory back.
pub const FREE: u8 = 4;
/// It is atomic, and concerns sixteen bytes.
pub const WIDE: u8 = 16;
/// It uses a lock or its like, which must be there; with [`WRITE`], it makes or destroys one.
pub const LOCK: u8 = 32;
/// With [`FREE`], it is the end of the actor whose memory it is.
pub const END: u8 = 64;
/// Of a copy that may read more than it is to copy, what may be too much.
pub const PERHAPS: u8 = 128;
/// It is the memory's first: what was there before is forgotten.
pub const NEW: u8 = 8;

/// What is wrong with an access.
#[derive(Clone, Copy, Debug)]
pub enum Found {
    /// It is in a race with this one.
    Race(Access),
    /// It comes after this one, which gave the memory back.
    AfterFree(Access),
}

impl Found {
    /// Whether it is certain that both accesses are meant.
    pub fn is_certain(&self, access: &Access) -> bool {
        let (Found::Race(other) | Found::AfterFree(other)) = self;
        (other.what | access.what) & PERHAPS == 0
    }
}

/// What is wrong with an access by an actor that knows of this, beside one that is kept.
#[inline]
pub fn judge(kept: &Access, access: &Access, now: &Clock) -> Option<Found> {
    if !kept.meets(access) {
        return None;
    }
    let is_before = kept.happens_before(access, now);
    let are_ordered = kept.what & access.what & ATOMIC != 0 && kept.is_step == access.is_step;
    let conflicts = (kept.what | access.what) & WRITE != 0 && !are_ordered;
    if is_before && kept.what & FREE != 0 {
        Some(Found::AfterFree(*kept))
    } else if !is_before && conflicts {
        Some(Found::Race(*kept))
    } else {
        None
    }
}

impl Access {
    /// Whether two say the same, wherever they were.
    #[inline]
    pub fn is_like(&self, other: &Access) -> bool {
        (self.time, self.actor, self.bytes, self.what, self.is_step)
            == (
                other.time,
                other.actor,
                other.bytes,
                other.what,
                other.is_step,
            )
    }

    /// Whether two concern the same memory, and one could be wrong because of the other.
    #[inline]
    fn meets(&self, later: &Access) -> bool {
        self.bytes & later.bytes != 0 && (self.actor != later.actor || self.what & FREE != 0)
    }

    #[inline]
    fn happens_before(&self, later: &Access, now: &Clock) -> bool {
        self.time <= now.0[usize::from(self.actor)] || self.actor == later.actor
    }

    /// Whether two are atomic and concern different bytes, some of them the same: each is an operation on
    /// an object of its own, so nobody would look for the other order.
    #[inline]
    pub fn is_mixed_with(&self, later: &Access) -> bool {
        let is_other = self.bytes != later.bytes || (self.what ^ later.what) & WIDE != 0;
        self.meets(later) && is_other && self.what & later.what & ATOMIC != 0
    }

    /// Whether an earlier access need not be kept: who would be in a race with it is in a race with this one.
    #[inline]
    pub fn stands_for(&self, earlier: &Access, now: &Clock) -> bool {
        earlier.happens_before(self, now)
            && earlier.bytes & !self.bytes == 0
            && (self.what & WRITE != 0 || earlier.what & WRITE == 0)
            && (self.what & ATOMIC == 0 || earlier.what & ATOMIC != 0)
            && (self.what & PERHAPS == 0 || earlier.what & PERHAPS != 0)
            && earlier.what & FREE == 0
            && self.is_step == earlier.is_step
    }

    /// What it is, in a word or two.
    pub fn words(&self) -> &'static str {
        match self.what & !(WIDE | PERHAPS) {
            what if what & END != 0 => "end",
            what if what & FREE != 0 => "free",
            what if what == LOCK | WRITE => "initialization or destruction",
            what if what & LOCK != 0 => "use",
            3 => "atomic write",
            2 => "atomic read",
            1 => "write",
            _ => "read",
        }
    }
}
