//! The engine that runs each actor as a UNIX process of its own.
//!
//! Three kinds of processes share one mapping, [`shared`]: the *explorer*, which holds the search
//! and an [`Engine`](mazurka_explore::Engine) of type [`Processes`]; the *fork server*, which is the program under exploration
//! held before its `main`; and its *actors*. The explorer asks the server for an execution over a
//! socket. The server forks actor 0, which goes on into `main`; an actor that spawns another one
//! forks it, as a child of the server. At most one actor runs: at a visible operation it performs
//! the kernel's decision itself and wakes the next one, so an operation after which the same actor
//! goes on costs no system call. The server only watches: who dies, and whether anything moves.
//!
//! ```text
//! explorer ──socket── fork server ──fork── actor 0 ──clone── actor 1 …
//!     └───────────── one memfd: Control, Kernel ──────────────┘
//! ```
//!
//! Start reading at [`Explorer`]. `engine` is the explorer's side; [`server`] and [`actor`] run inside the program.

#![deny(missing_docs)]

pub mod actor;
#[cfg(feature = "explorer")]
mod advice;
#[cfg(feature = "explorer")]
mod calls;
#[cfg(feature = "explorer")]
mod debugger;
#[cfg(feature = "explorer")]
mod engine;
#[cfg(feature = "explorer")]
mod explorer;
#[cfg(feature = "explorer")]
mod imports;
pub mod library;
mod mangled;
#[cfg(feature = "explorer")]
mod preloading;
pub mod server;
pub mod shared;
pub mod step;
#[cfg(feature = "explorer")]
mod symbols;
mod system;

#[cfg(feature = "explorer")]
pub use advice::advice;
#[cfg(feature = "explorer")]
pub use debugger::Debugger;
#[cfg(feature = "explorer")]
pub use engine::{Processes, Settings, Standing};
#[cfg(feature = "explorer")]
pub use explorer::Explorer;
#[cfg(feature = "explorer")]
pub use mazurka_explore::{
    Checkpoint, CheckpointFile, Config, Dependency, EngineError, Error, Leftover, Observer, Order,
    Outcome, Pending, Races, Reduction, Refusal, Run, Scenario, ScenarioFiles, Session, Statistics,
    StepRecord, StopReason, Style, Verdict, Violation, ViolationKind, ViolationRecord, Written,
    chart, text,
};
pub use shared::uncontrolled;
