//! Random models, of Promela and of multi-port machines, and SPIN as an outside judge.
//!
//! [`generate::generate`] makes a model from a number, [`spin`] and [`mazurka`] explore it, [`compare`] says whether
//! they agree, [`shrink`] makes a disagreement small, and [`campaign()`] does all of this for a range of numbers. [`drive`] holds
//! combinations of options against the full search, and [`pairs`] counts which features of the language met.

#![forbid(unsafe_code)]

pub mod alike;
pub mod ast;
pub mod campaign;
pub mod combination;
pub mod compare;
pub mod drive;
pub mod examples;
pub mod execution;
pub mod features;
pub mod formula;
pub mod generate;
pub mod machines;
pub mod mazurka;
pub mod network;
pub mod notations;
pub mod outcome;
pub mod pairs;
pub mod print;
pub mod process;
pub mod random;
pub mod sdl;
pub mod session;
pub mod shrink;
pub mod spin;
pub mod table;
pub mod usage;

pub use campaign::{Campaign, Report, campaign};
pub use features::{Feature, Features};
