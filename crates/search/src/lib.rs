//! Explores the states of any [`System`] and says what it found.
//!
//! A search is an order, a store and a set of limits. It knows no language and prints nothing:
//! it takes a [`System`] and [`Options`], tells an [`Observer`] how far it is, and returns a
//! [`Report`] that says why it ended. Start reading at [`System`], then [`depth_first`].

// Only `huge_pages` and `prefetch` may allow it, with a safety argument.
#![deny(unsafe_code)]
#![deny(missing_docs)]

mod again;
mod ahead;
mod alarm;
mod apart;
mod bookkeeping;
mod breadth_first;
pub mod checkpoint;
mod deepening;
mod depth_first;
pub mod divided;
pub mod emptiness;
mod exact;
mod frontier;
mod guided;
mod huge_pages;
mod interpreted;
mod links;
mod over;
mod path;
mod path_set;
mod pool;
mod preference;
mod prefetch;
mod random;
mod report;
mod sample;
mod sequence;
mod shared;
mod shorter;
mod sleeping;
pub mod store;
mod successors;
mod swarm;
mod system;
mod walk;

pub use breadth_first::{breadth_first, breadth_first_in, breadth_first_kept};
pub use deepening::deepening;
pub use depth_first::{depth_first, depth_first_in, depth_first_kept};
pub use guided::guided;
pub use over::Over;
pub use preference::{Ordered, Preference};
pub use report::{Defect, Observer, Options, Report, Statistics, StopReason, Violation};
pub use sequence::{LONG_SEQUENCE, settle, settled_steps};
pub use shorter::{Effort, End, Goal, Shorter, shorter};
pub use sleeping::depth_first_sleeping;
pub use swarm::{Swarm, swarm};
pub use system::{Acceptance, Lookup, Outcome, Reduction, System, Traffic};
pub use walk::{random_walk, weighted_walk};
