//! Has a system an execution that comes to accepting states again and again?
//!
//! Three answers to the same question: [`nested_depth_first`] is the usual one, [`components`] walks
//! the graph once and finds short cycles early, and [`parallel_nested`] has several workers.
//! All of them treat passing states alike: the graph they search is that of the stored
//! states, an atomic sequence between two of them being one edge. [`shorten`] makes shorter what they find.

mod components;
mod edges;
mod nested;
mod parallel;
mod path;
mod shorten;
mod table;

pub use components::components;
pub use nested::nested_depth_first;
pub use parallel::parallel_nested;
pub use shorten::shorten;

/// An atomic sequence of this many steps might never end: from here on its states are stored.
const LONG_SEQUENCE: u32 = 1000;
