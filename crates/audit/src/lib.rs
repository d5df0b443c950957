//! A search that checks what it relies on.
//!
//! A reduction leaves steps out because relations between operations say that it may; a structural reduction changes the
//! program; a store gives a state a number. All of that is argued and tested, and may still be wrong. So at some of its states a search
//! carries out what it only relies on elsewhere: [`Audited`] stands between a search and its reduction, takes
//! a sample of the states ([`Share`]) and compares
//!
//! - two steps that are called independent, in both orders (`commute`);
//! - a reduced set with its definition, along walks of steps outside it (`walk`);
//! - what a claim sees before and after a step that is called invisible;
//! - the steps that were left out with those that the search took later (`proviso`);
//! - what the store gives back, with what was put in;
//! - what two processes do that are called alike, when they are exchanged (`exchange`);
//! - the program that is searched with the model, by walks of both (`lockstep`);
//! - the verdict with that of the plainest search there is, where the model is small (`whole`).
//!
//! Nothing here asks `mazurka_objects`: the interpreter is the judge. So what the audit cannot see is an error of the
//! interpreter itself. A failure is a defect of Mazurka, a [`Finding`]; what was searched then proves nothing.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod auditable;
mod audited;
mod commute;
mod exchange;
mod finding;
mod locate;
mod lockstep;
mod proviso;
mod random;
mod run;
mod sample;
mod walk;
mod whole;

pub use auditable::Auditable;
pub use audited::{Audited, Auditor, Proviso, finish};
pub use finding::{Finding, Kind, Tally};
pub use locate::locate;
pub use lockstep::walk_from_the_start;
pub use sample::{Share, ShareOrOff};
pub use whole::{Most, Sought, Whole, whole_graph, whole_graph_with_cycles};
