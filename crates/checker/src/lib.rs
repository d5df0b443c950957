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
mod composition;
mod config;
mod confirm;
mod coverage;
mod defect;
mod error;
mod explain;
mod files;
mod forecast;
mod graph;
mod lints;
mod load;
mod memory;
mod merge;
mod notation;
mod outcome;
mod plan;
mod random;
mod reached;
mod recognize;
mod repeat;
mod report;
mod reported;
mod reproduction;
mod saved;
mod search;
mod shorten;
mod simulation;
mod store;
mod supervisor;
mod temporal;
mod unreadable;
mod watched;
mod weights;

pub use audit::{Audit, AuditReport};
pub use checker::Checker;
pub use choice::{Dependency, Emptiness, Footprint, Order, Property, Reduction, Switch, Symmetry};
pub use composition::Composition;
pub use config::Config;
#[doc(hidden)]
pub use config::MOST_JOBS;
pub use coverage::{Unreached, UnreachedPart};
pub use defect::{DefectReport, contained};
pub use error::{Diagnosed, Error};
pub use files::Written;
pub use forecast::Forecast;
pub use graph::{Extent, StateEdge, StateGraph, StateNode};
pub use load::{Besides, Loaded, ModelText};
pub use mazurka_audit::{
    Finding as AuditFinding, Kind as AuditKind, Share, ShareOrOff, Tally as AuditTally,
};
pub use mazurka_compose::{
    Composed, Lts as ReducedGraph, Options as CompositionOptions, PartSizes, Stuck, TAU,
};
#[doc(hidden)]
pub use mazurka_scenario::figures;
pub use mazurka_scenario::{
    Choice, PropertyKind, Refusal, ReportedAudit, ReportedProperty, ReportedViolation, UnknownName,
    Verdict,
};
pub use mazurka_search::checkpoint::{Sink, Source};
pub use mazurka_search::{Statistics, StopReason};
pub use notation::{
    Compiled, NOTATIONS, Notation, Text, known_extensions, notation_named, notation_of,
};
pub use outcome::{Outcome, PropertyOutcome, Violation};
pub use plan::Plan;
#[doc(hidden)]
pub use random::Random;
pub use reached::Reached;
pub use report::{Report, ReportedOptions, ReportedStatistics};
pub use reported::{ReportedDiagnostic, ReportedSeverity};
pub use reproduction::Reproduction;
pub use saved::{CheckpointFile, SavedSearch};
pub use simulation::Simulation;
pub use store::Store;
pub use supervisor::{Course, Stage, Supervisor};
