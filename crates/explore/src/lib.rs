//! Explores the executions of a real program: every inequivalent interleaving and every choice,
//! once, without storing states.
//!
//! The search drives an [`Engine`], which runs the program under a
//! [`Kernel`](mazurka_runtime::Kernel). It knows nothing of how actors are run, and the kernel
//! knows nothing of the search. Start reading at [`explore`], then `dpor`.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod account;
mod audit;
#[cfg(test)]
mod by_value;
mod checkpoint;
mod dpor;
mod engine;
mod lifelines;
mod options;
mod parallel;
mod path;
mod persistent;
mod repetition;
mod replay;
mod search;
mod violation;
mod wakeup;

pub use mazurka_scenario::ViolationKind;

pub use account::{LANGUAGE, account, record_of, run_of, scenario, schedule_of, statement};
pub use checkpoint::Checkpoint;
pub use engine::{Engine, EngineError};
pub use lifelines::with_objects;
pub use options::{
    Dependency, Judgement, LeftBehind, Options, Reduction, Report, Statistics, StopReason,
    Strategy, Violation,
};
pub use parallel::{explore_in_parallel, go_on_in_parallel};
pub use path::class;
pub use replay::{replay, shorten};
pub use search::{Observer, explore, explore_deeper_and_deeper, go_on};
pub use violation::{actor_name, describe, object_name};
