//! Random models, of Promela and of multi-port machines, and SPIN as an outside judge.
//!
//! [`generate::generate`] makes a model from a number, [`spin`] and [`mazurka`] explore it, [`compare`] says whether
//! they agree, [`shrink`] makes a disagreement small, and [`campaign()`] does all of this for a range of numbers.

#![forbid(unsafe_code)]

pub mod ast;
pub mod campaign;
pub mod compare;
pub mod examples;
pub mod features;
pub mod formula;
pub mod generate;
pub mod machines;
pub mod mazurka;
pub mod network;
pub mod outcome;
pub mod print;
pub mod process;
pub mod random;
pub mod shrink;
pub mod spin;

pub use campaign::{Campaign, Report, campaign};
pub use features::{Feature, Features};
