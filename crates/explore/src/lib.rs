//! Explores the executions of a real program: every inequivalent interleaving and every choice,
//! once, without storing states.
//!
//! The search drives an [`Engine`], which runs the program under a
//! [`Kernel`](mazurka_runtime::Kernel). It knows nothing of how actors are run, and the kernel
//! knows nothing of the search.
//!
//! A [`Config`] says what to explore and how, a [`Plan`] decides what is sound together, [`run`] searches and repeats what is
//! found, and an [`Outcome`] says what came of it. Start reading at [`run`], then `search.rs`, then `dpor.rs`.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod account;
mod audit;
#[cfg(test)]
mod by_value;
mod checkpoint;
mod config;
mod dpor;
mod engine;
mod exploration;
mod files;
mod lifelines;
mod mended;
mod options;
mod outcome;
mod parallel;
mod path;
mod persistent;
mod plan;
mod repetition;
mod replay;
mod report;
mod saved;
mod search;
mod session;
mod told;
mod violation;
mod wakeup;

pub use mazurka_scenario::{
    Choice, Model, Refusal, Run, Scenario, ScenarioFiles, StepRecord, Style, Verdict,
    ViolationKind, ViolationRecord, chart, shell_command, text,
};

pub use account::{run_of, statement};
pub use checkpoint::Checkpoint;
pub use config::{Config, DIVERGENCE, Leftover, Order, Races};
pub use engine::{Engine, EngineError};
pub use exploration::{Error, Launcher, run};
pub use files::Written;
pub use lifelines::{Lifelines, with_objects};
pub use options::{Dependency, Reduction, Statistics, StopReason, Strategy};
pub use outcome::{Outcome, Violation};
pub use plan::Plan;
pub use replay::{Repeated, repeat};
pub use report::{JsonOptions, JsonReport, JsonStatistics};
pub use saved::CheckpointFile;
pub use search::Observer;
pub use session::{Pending, Session};
pub use violation::actor_name;

// The search below `run`, for engines and their tests.
#[doc(hidden)]
pub use account::{account, record_of, schedule_of};
#[doc(hidden)]
pub use options::{Finding, Judgement, LeftBehind, Options, Report};
#[doc(hidden)]
pub use parallel::{explore_in_parallel, go_on_in_parallel};
#[doc(hidden)]
pub use path::class;
#[doc(hidden)]
pub use replay::replay;
#[doc(hidden)]
pub use search::{explore, go_on};
