//! What runs inside a program under exploration: the kernel.
//!
//! Actors of the program (coroutines of one process, or processes of their own) run arbitrary
//! sequential code and meet in communication objects. A *transition* is one visible
//! [`Operation`] followed by invisible code up to the next one (Godefroid, Hanmer, Jagadeesan
//! 1998). The [`Kernel`] knows the objects and what each actor wants to do next, decides who
//! moves, performs the operation and writes a [`Record`] of it. What the operations on objects do and
//! on what they depend is not said here but in `mazurka_objects::real`.
//!
//! **Boundary.** This crate knows nothing of the search above it: the search writes a schedule, a
//! set of sleeping actors and a [`Policy`] into the kernel, an engine runs the program once, and
//! the search reads the records. It knows nothing of coroutines and processes either: an engine
//! supplies the hand-over from one actor to another (`mazurka-actors` has the one for coroutines).
//! Everything is of fixed size, without pointers, valid when zero, and read with bounds checked,
//! so that it can lie in memory shared with a program that goes astray.
//!
//! Start reading at [`Kernel`].

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod accesses;
mod actor;
mod addresses;
pub mod clocks;
mod kernel;
mod operation;
mod policy;
mod record;
mod semantics;
mod text;

pub use actor::{Actor, ActorState};
pub use addresses::Addresses;
pub use kernel::{
    ACTORS, Ending, FAILURES, Failure, FailureKind, Kernel, Limit, Next, STEPS, WORDS,
};
pub use mazurka_objects::real::{Effect, Kind, Object, ObjectKind, Outlook, Wording};
pub use operation::{ObjectId, Operation};
pub use policy::{CHANGES, Order, Policy, Refinement};
pub use record::{Planned, Record};
pub use text::Texts;
