//! Whatever Mazurka reads, wrong on purpose.
//!
//! Each function takes any bytes as something that Mazurka reads, does with it what a command would do, and panics if
//! something is wrong with Mazurka: not if the bytes are. The fuzz targets in `fuzz/` call them with what libFuzzer makes
//! up, the tests here with valid files that [`mutate`] spoils. Nothing of this is shipped.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

pub mod checkpoints;
pub mod choices;
pub mod clusters;
pub mod configs;
pub mod explorations;
pub mod files;
pub mod formulas;
pub mod headers;
pub mod models;
pub mod mutate;
pub mod reproductions;
pub mod requests;
pub mod results;
pub mod scenarios;
pub mod schedules;
pub mod suites;
pub mod tables;
pub mod traces;
