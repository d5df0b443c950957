//! Explore concurrent Rust code: every inequivalent interleaving, once.
//!
//! [`explore`] runs a closure again and again, each time in another interleaving of the actors it
//! spawns, until all are done. The actors are coroutines of one thread; the types of [`sync`] and
//! [`thread`](mod@thread) mirror those of `std`, so that code switches by a `cfg`:
//!
//! ```
//! use mazurka_actors::sync::atomic::{AtomicI64, Ordering};
//! use mazurka_actors::thread;
//! use std::sync::Arc;
//!
//! let outcome = mazurka_actors::Explorer::new().run(|| {
//!     let x = Arc::new(AtomicI64::new(0));
//!     let other = { let x = x.clone(); thread::spawn(move || {
//!         let seen = x.load(Ordering::SeqCst);
//!         x.store(seen + 1, Ordering::SeqCst);
//!     }) };
//!     let seen = x.load(Ordering::SeqCst);
//!     x.store(seen + 1, Ordering::SeqCst);
//!     other.join().unwrap();
//!     assert_eq!(x.load(Ordering::SeqCst), 2);
//! });
//! assert_eq!(outcome.violations[0].kind().name(), "assertion");
//! ```
//!
//! Values are read as if memory were sequentially consistent; the orderings that are asked for decide
//! which accesses to a [`cell::UnsafeCell`] are in a race. What the closure makes, it must make anew each
//! time: nothing may be left over from one execution to the next, and nothing else (time, randomness)
//! may decide what it does. Only what this crate has is seen: interleavings
//! that show only in state shared by `std::sync` are not explored.

#![deny(missing_docs)]

pub mod cell;
mod coroutine;
mod explorer;
pub mod hint;
mod memory;
pub mod model;
mod numbers;
pub mod objects;
mod overflow;
mod storage;
pub mod sync;
pub mod thread;
mod waiting;
mod watchdog;

#[doc(hidden)]
pub use coroutine::{Coroutines, STACK};
pub use explorer::{Explorer, Replayed, explore, read_schedule};
#[doc(hidden)]
pub use mazurka_explore::Options;
pub use mazurka_explore::{
    Checkpoint, CheckpointFile, Config, Dependency, EngineError, Error, Leftover, Observer, Order,
    Outcome, Pending, Races, Reduction, Refusal, Run, Scenario, ScenarioFiles, Session, Statistics,
    StepRecord, StopReason, Strategy, Style, Verdict, Violation, ViolationKind, ViolationRecord,
    Written, chart, text,
};
pub use model::model;
pub use objects::*;
