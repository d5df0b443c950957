//! Networks of virtual finite state machines as code.
//!
//! A machine becomes a function that executes a state block once, as section III.A of the paper (Godefroid, Peled and Staskauskas 1996)
//! and `vfsm/src/transition.rs` have it; the run-time has the processors, the two queues of each process, and the timers.

mod c;
mod ids;
mod machine;
mod plan;
mod rust;
pub(crate) mod words;

use mazurka_vfsm::Resolved;

use crate::{Folder, Target};

/// The code of a network. `name` is what the model is called.
pub fn generate(resolved: &Resolved, name: &str, target: Target) -> Folder {
    let plan = plan::Plan::new(resolved, name);
    match target {
        Target::C => c::folder(&plan),
        Target::Rust => rust::folder(&plan),
    }
}
