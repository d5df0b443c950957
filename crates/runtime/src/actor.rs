//! Actors as the kernel keeps them.

use bytemuck::Zeroable;

use crate::operation::Operation;

/// How far an actor has come. A byte, for the reason given at [`crate::Kind`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Zeroable)]
#[repr(transparent)]
pub struct ActorState(pub u8);

impl ActorState {
    /// There is no such actor, yet.
    pub const ABSENT: ActorState = ActorState(0);
    /// It has been spawned and must run to its first visible operation before anybody moves.
    pub const EMBRYO: ActorState = ActorState(1);
    /// It runs invisible code.
    pub const RUNNING: ActorState = ActorState(2);
    /// It stands before a visible operation.
    pub const PENDING: ActorState = ActorState(3);
    /// It has ended.
    pub const FINISHED: ActorState = ActorState(4);
}

/// An actor.
#[derive(Clone, Copy, Debug, Zeroable)]
#[repr(C)]
pub struct Actor {
    /// The operation it stands before, or the last one if it does not.
    pub pending: Operation,
    /// Its priority under PCT.
    pub priority: u32,
    /// How many actors it has spawned.
    pub children: u16,
    /// How many objects it has made.
    pub objects: u16,
    /// How far it has come.
    pub state: ActorState,
    /// The actor that spawned it.
    pub parent: u8,
    /// Where it was spawned.
    pub place: u16,
    /// Its name in the table of names, or zero.
    pub name: u16,
    /// Whether its pending operation waits for a change of its objects: because it loops, or ([`Actor::SLEEPS`]) sleeps.
    pub is_awaiting: u8,
    /// Padding.
    pub _padding: u8,
    /// The versions of its objects that it has seen, then.
    pub awaited: [u32; Operation::OBJECTS],
}

impl Actor {
    /// It is asleep, and will see the change only if it is woken.
    pub const SLEEPS: u8 = 2;

    /// Whether it waits in a loop for a change of what it reads.
    pub fn loops(&self) -> bool {
        !matches!(self.is_awaiting, 0 | Actor::SLEEPS)
    }
}
