//! A verifier for concurrent systems: every interleaving, once.
//!
//! This crate is the face of Mazurka's libraries. Features choose what is behind it:
//!
//! - `explore` (on by default): concurrent Rust code, run in every inequivalent interleaving. [`sync`] and [`mod@thread`] mirror `std`;
//!   what threads share by other means is not seen. Linux only.
//! - `check`: models in Promela, VFSM, EFSM or SDL notation, checked and stepped through. It builds on every platform.
//! - `programs`: executables in C, C++ or Rust that are linked with Mazurka's library, each actor a process. Linux only.
//!
#![cfg_attr(feature = "explore", doc = "```")]
#![cfg_attr(not(feature = "explore"), doc = "```ignore")]
//! use mazurka::explore::Explorer;
//! use mazurka::sync::{Arc, Mutex};
//! use mazurka::thread;
//!
//! let outcome = Explorer::new().run(|| {
//!     let (a, b) = (Arc::new(Mutex::new(0)), Arc::new(Mutex::new(0)));
//!     let other = { let (a, b) = (a.clone(), b.clone()); thread::spawn(move || {
//!         let _first = a.lock();
//!         let _second = b.lock();
//!     }) };
//!     let _first = b.lock();
//!     let _second = a.lock();
//!     drop((_first, _second));
//!     other.join().unwrap();
//! });
//! assert_eq!(outcome.violations[0].kind().name(), "deadlock");
//! ```
//!
//! A model from a string, its violations, and a scenario:
//!
#![cfg_attr(feature = "check", doc = "```")]
#![cfg_attr(not(feature = "check"), doc = "```ignore")]
//! use mazurka::check::{Checker, Style, text};
//!
//! let model = "byte x; active [2] proctype P() { x++; assert(x < 2) }";
//! let outcome = Checker::from_source("race.pml", model)?.run()?;
//! for violation in outcome.violations() {
//!     println!("{violation}");
//!     print!("{}", text(&outcome.run(violation)?, Some(&violation.record), Style::default()));
//! }
//! # assert!(!outcome.holds());
//! # Ok::<(), mazurka::check::Error>(())
//! ```

#![forbid(unsafe_code)]
#![deny(missing_docs)]

/// Check models: [`Checker`](check::Checker) from text to outcome, [`Simulation`](check::Simulation) back and forth.
#[cfg(feature = "check")]
pub mod check {
    pub use mazurka_checker::{
        Audit, Besides, Checker, CheckpointFile, Choice, Config, Course, Dependency, Diagnosed,
        Emptiness, Error, Extent, Footprint, Loaded, ModelText, NOTATIONS, Notation, Order,
        Outcome, Plan, Property, PropertyKind, PropertyOutcome, Reached, Reduction, Refusal,
        Report, Reproduction, SavedSearch, Share, Simulation, Sink, Source, Stage, StateEdge,
        StateGraph, StateNode, Statistics, StopReason, Store, Supervisor, Switch, Symmetry,
        Unreached, UnreachedPart, Verdict, Violation, Written, notation_named,
    };
    pub use mazurka_model::{Failure, Fault, Program, Step};
    pub use mazurka_scenario::{
        Change, ChannelContents, Ending, Explanation, Happening, Message, NamedValue, Partner,
        Position, ProcessAt, Run, Scenario, ScenarioFiles, Snapshot, StepRecord, Style,
        ViolationKind, ViolationRecord, Waiting, chart, text,
    };
    pub use mazurka_span::{Diagnostic, RenderOptions, SourceMap, Span};
}

/// Explore Rust code: [`Explorer`](explore::Explorer) runs a closure in every inequivalent interleaving.
#[cfg(all(feature = "explore", target_os = "linux"))]
pub mod explore {
    pub use mazurka_actors::objects::*;
    pub use mazurka_actors::{
        Checkpoint, CheckpointFile, Config, Dependency, EngineError, Error, Explorer, Leftover,
        Observer, Order, Outcome, Pending, Races, Reduction, Refusal, Replayed, Run, Scenario,
        ScenarioFiles, Session, Statistics, StepRecord, StopReason, Strategy, Style, Verdict,
        Violation, ViolationKind, ViolationRecord, Written, chart, explore, text,
    };
}

/// Explore executables that are linked with Mazurka's library: [`Explorer`](programs::Explorer) runs one in every inequivalent
/// interleaving of its processes and threads. Linux only.
#[cfg(all(feature = "programs", target_os = "linux"))]
pub mod programs {
    pub use mazurka_processes::{
        Checkpoint, CheckpointFile, Config, Dependency, EngineError, Error, Explorer, Leftover,
        Observer, Order, Outcome, Pending, Races, Reduction, Refusal, Run, Scenario, ScenarioFiles,
        Session, Statistics, StepRecord, StopReason, Style, Verdict, Violation, ViolationKind,
        ViolationRecord, Written, chart, text,
    };
}

#[cfg(all(feature = "explore", target_os = "linux"))]
pub use mazurka_actors::{cell, hint, model, statics, sync, thread, thread_local};

/// The page of the book about this library, whose programs are run as tests.
#[cfg(all(doctest, feature = "check"))]
#[doc = include_str!("../../../docs/book/library.md")]
struct Book;

/// The page of the book about programs in Rust.
#[cfg(all(doctest, feature = "explore", target_os = "linux"))]
#[doc = include_str!("../../../docs/book/programs.md")]
struct Programs;
