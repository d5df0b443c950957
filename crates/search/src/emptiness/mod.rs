//! Has a system an execution that comes to accepting states again and again?
//!
//! Four answers to the same question: [`nested_depth_first`] is the usual one, [`components`] walks
//! the graph once and finds short cycles early; [`parallel_components`] and [`parallel_nested`] have several workers.
//! All of them treat passing states alike: the graph they search is that of the stored
//! states, an atomic sequence between two of them being one edge. [`shorten`] makes shorter what they find, [`nearest`] looks for the shortest of all;
//! [`along`] finds it again in another form of the system.

mod along;
mod components;
pub(crate) mod crowd;
mod gate;
mod ground;
mod lists;
mod nearest;
mod nested;
mod parallel;
mod parallel_components;
mod roots;
mod shared_table;
mod shorten;
pub(crate) mod table;
pub(crate) mod way;

pub use along::along;
pub use components::components;
pub use nearest::nearest;
pub use nested::nested_depth_first;
pub use parallel::parallel_nested;
pub use parallel_components::parallel_components;
pub use shorten::shorten;
