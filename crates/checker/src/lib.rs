//! A verification as a value, without a terminal.
//!
//! A [`Config`] says what to check and how, a [`Plan`] decides what is sound together, a [`Checker`] runs it, and an [`Outcome`] says for
//! each property what came of it. A [`Supervisor`] watches, saves and stops. A [`Simulation`] is
//! one run of a model, back and forth.
//!
//! The way of a model, without loops: text → [`Notation`] → [`Loaded`] → [`Plan`] → search → [`Outcome`].
//!
//! ```
//! use mazurka_checker::Checker;
//!
//! let model = "byte x; active [2] proctype P() { atomic { x++; assert(x < 3) } }";
//! let outcome = Checker::from_source("counter.pml", model)?.run()?;
//! assert!(outcome.holds(), "{outcome}");
//! # Ok::<(), mazurka_checker::Error>(())
//! ```
//!
//! Start reading at [`Checker`], then [`Plan`].

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod audit;
mod checker;
mod choice;
mod config;
mod confirm;
mod coverage;
mod error;
pub mod figures;
mod graph;
mod load;
mod memory;
mod notation;
mod outcome;
mod plan;
mod repeat;
mod search;
mod simulation;
mod supervisor;
mod temporal;
mod watched;
mod weights;

pub use audit::{Audit, AuditReport};
pub use checker::Checker;
pub use choice::{
    Choice, Dependency, Emptiness, Footprint, Order, Property, Reduction, Store, Switch,
    UnknownName,
};
pub use config::{Config, MOST_JOBS};
pub use coverage::Reached;
pub use error::{Diagnosed, Error};
pub use graph::{Extent, StateEdge, StateGraph, StateNode};
pub use load::{Besides, Loaded, ModelText};
pub use mazurka_audit::{Finding as AuditFinding, Kind as AuditKind, Share, Tally as AuditTally};
pub use memory::available_memory;
pub use notation::{Compiled, NOTATIONS, Notation, Text, known_extensions, notation_of};
pub use outcome::{Outcome, PropertyKind, PropertyOutcome, Verdict, Violation};
pub use plan::{AuditPlan, Plan, Refusal, SafetyPlan, chooser_of, simultaneous_of};
pub use simulation::Simulation;
pub use supervisor::{Stage, Supervisor};
pub use watched::Watched;
pub use weights::Weights;
