//! What the kernel writes down about each step, and what it is told to do.

use bytemuck::Zeroable;
use mazurka_objects::history::{Past, Role};

use crate::operation::Operation;

/// A step that has been performed.
#[derive(Clone, Copy, Debug, Zeroable)]
#[repr(C)]
pub struct Record {
    /// What was done.
    pub operation: Operation,
    /// What the actor learned.
    pub result: i64,
    /// What its object was before: see [`Object::content`].
    ///
    /// [`Object::content`]: mazurka_objects::real::Object::content
    pub content: i64,
    /// The actors that could have moved instead, and this one.
    pub enabled: u64,
    /// Those of them that were asleep.
    pub sleep: u64,
    /// Which of the choices was taken.
    pub choice: u32,
    /// How many there were; at least one.
    pub choices: u32,
    /// See [`Past::number`].
    pub number: u32,
    /// See [`Past::capacity`].
    pub capacity: u32,
    /// See [`Past::before`].
    pub before: u32,
    /// The actor.
    pub actor: u8,
    /// What it was to its object: the code of a [`Role`].
    pub role: u8,
    /// What it was to its second object.
    pub second_role: u8,
    /// Whether it waited for a change of its objects.
    pub awaits: u8,
    /// Whether it changed its objects, a bit for each.
    pub changed: u8,
    /// See [`Past::before`], for the second object.
    pub second_before: u8,
    /// Padding.
    pub _padding: [u8; 6],
}

impl Record {
    /// The step as its object remembers it.
    #[inline]
    pub fn past(&self) -> Past {
        Past {
            role: Role::from_code(self.role),
            blocking: self.operation.kind.waits(),
            number: self.number,
            capacity: self.capacity,
            before: self.before,
        }
    }

    /// The step as its second object remembers it.
    #[inline]
    pub fn second_past(&self) -> Past {
        Past {
            before: self.second_before.into(),
            ..Past::beside(Role::from_code(self.second_role))
        }
    }
}

/// A step to perform: who, and which choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Zeroable)]
#[repr(C)]
pub struct Planned {
    /// The choice to take, or [`Planned::ANY`].
    pub choice: u32,
    /// The actor to move.
    pub actor: u8,
    /// Padding.
    pub _padding: [u8; 3],
}

impl Planned {
    /// Any choice.
    pub const ANY: u32 = u32::MAX;

    /// A step of an actor.
    pub fn new(actor: usize, choice: u32) -> Planned {
        Planned {
            choice,
            actor: actor as u8,
            _padding: [0; 3],
        }
    }
}
