//! Visible operations: what an actor can ask of the kernel.

use bytemuck::Zeroable;
use mazurka_objects::real::{Call, Kind};

use crate::clocks::Order;
use crate::kernel::ACTORS;

/// The number of an object: the actor that made it and how many it had made before, so that it
/// does not depend on who came first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Zeroable)]
#[repr(transparent)]
pub struct ObjectId(pub u16);

impl ObjectId {
    /// No object.
    pub const NONE: ObjectId = ObjectId(u16::MAX);
    /// How many numbers of objects there are for each actor.
    pub const PER_ACTOR: usize = 1 << Self::SHIFT;
    /// How many objects one actor can make. The numbers behind are for objects that nobody makes.
    pub const LISTED: usize = 960;
    /// How many objects there can be that are static.
    pub const STATICS: usize = (Self::PARKING - Self::LISTED) * ACTORS;
    const SHIFT: u32 = 10;
    const PARKING: usize = Self::PER_ACTOR - 2;

    /// The object made by an actor that had made `count` before.
    pub fn new(actor: usize, count: usize) -> ObjectId {
        ObjectId((actor << Self::SHIFT | count) as u16)
    }

    /// What an actor waits for when it parks.
    pub fn parking(actor: usize) -> ObjectId {
        ObjectId::new(actor, Self::PARKING)
    }

    /// The object that is static and has this number among them.
    pub fn fixed(number: usize) -> ObjectId {
        let each = Self::PARKING - Self::LISTED;
        ObjectId::new(number / each % ACTORS, Self::LISTED + number % each)
    }

    /// The actor that made it.
    pub fn maker(self) -> usize {
        usize::from(self.0 >> Self::SHIFT)
    }

    /// How many objects its maker had made before.
    pub fn count(self) -> usize {
        usize::from(self.0) & (Self::PER_ACTOR - 1)
    }

    /// Its place in the table of objects.
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A visible operation, ready to be performed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Zeroable)]
#[repr(C)]
pub struct Operation {
    /// What to do.
    pub kind: Kind,
    /// The memory order that was written, as compilers number it (see [`crate::clocks::Order`]); in the
    /// high half, that of an exchange that fails.
    pub order: u8,
    /// The object it is about.
    pub object: ObjectId,
    /// The mutex of a wait, the condition variable of a reacquisition.
    pub second: ObjectId,
    /// Where it stands in the source: a number in the table of places.
    pub place: u16,
    /// The first argument.
    pub argument: i64,
    /// The second argument.
    pub extra: i64,
    /// The variables that a loop waits for besides.
    pub more: [ObjectId; Operation::MORE],
}

impl Operation {
    /// See [`Call::QUIET`].
    pub const QUIET: i64 = Call::QUIET;
    /// How many objects it can have besides two.
    pub const MORE: usize = 4;
    /// How many objects it can have.
    pub const OBJECTS: usize = 2 + Self::MORE;
    /// What is written, where nobody knows it.
    pub const UNKNOWN: i64 = i64::MIN;

    /// An operation without object and arguments.
    #[inline]
    pub fn new(kind: Kind) -> Operation {
        Operation {
            kind,
            order: 0,
            object: ObjectId::NONE,
            second: ObjectId::NONE,
            place: 0,
            argument: 0,
            extra: 0,
            more: [ObjectId::NONE; Operation::MORE],
        }
    }

    /// An operation on an object.
    #[inline]
    pub fn on(kind: Kind, object: ObjectId) -> Operation {
        Operation {
            object,
            ..Operation::new(kind)
        }
    }

    /// What an actor asks of its objects by it.
    #[inline]
    pub fn call(&self, actor: usize, choice: u32) -> Call {
        Call {
            kind: self.kind,
            actor: actor as u32,
            choice,
            argument: self.argument,
            extra: self.extra,
        }
    }

    /// The same with this argument.
    #[inline]
    pub fn with(self, argument: i64) -> Operation {
        Operation { argument, ..self }
    }

    /// The same with this second argument.
    #[inline]
    pub fn and(self, extra: i64) -> Operation {
        Operation { extra, ..self }
    }

    /// The same with this second object.
    #[inline]
    pub fn beside(self, second: ObjectId) -> Operation {
        Operation { second, ..self }
    }

    /// The same while it waits for a change of these objects too, of which all but the first are variables.
    pub fn beside_all(self, others: impl Iterator<Item = ObjectId>) -> Operation {
        let mut others = others.chain(std::iter::repeat(ObjectId::NONE));
        let mut next = || others.next().unwrap_or(ObjectId::NONE);
        Operation {
            second: next(),
            more: std::array::from_fn(|_| next()),
            ..self
        }
    }

    /// Its objects.
    #[inline]
    pub fn objects(&self) -> impl Iterator<Item = ObjectId> {
        let all = [self.object, self.second].into_iter().chain(self.more);
        all.filter(|&object| object != ObjectId::NONE)
    }

    /// The same with these memory orders, the second if it is an exchange that fails.
    #[inline]
    pub fn ordered(self, order: Order, failure: Order) -> Operation {
        let order = (order.0 & 15 | (failure.0 & 15) << 4) as u8;
        Operation { order, ..self }
    }

    /// The same at this place.
    #[inline]
    pub fn at(self, place: u16) -> Operation {
        Operation { place, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_that_nobody_makes_have_numbers_of_their_own() {
        let mut all: Vec<ObjectId> = (0..ObjectId::STATICS).map(ObjectId::fixed).collect();
        all.extend((0..ACTORS).map(ObjectId::parking));
        assert!(all.iter().all(|id| id.count() >= ObjectId::LISTED));
        assert!(!all.contains(&ObjectId::NONE));
        let count = all.len();
        all.sort_by_key(|id| id.0);
        all.dedup();
        assert_eq!(all.len(), count);
    }

    #[test]
    fn an_object_knows_its_maker() {
        let object = ObjectId::new(63, 1022);
        assert_eq!((object.maker(), object.count()), (63, 1022));
        assert_ne!(object, ObjectId::NONE);
    }
}
