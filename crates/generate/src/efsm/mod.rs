//! Systems of multi-port machines as code.
//!
//! The code is made from the program form, so that what a transition computes is what the model computes: numbers of 32 bits that wrap,
//! values that are cut when they are stored, and errors where the model has errors. Jumps become `if` and `while` again.

mod c;
mod expression;
mod ids;
mod layout;
mod rust;
mod statement;

use mazurka_model::Program;

use crate::{Folder, Target};

/// The code of a system, as a front end has lowered it. `name` is what the model is called.
pub fn generate(program: &Program, name: &str, target: Target) -> Folder {
    let layout = layout::Layout::new(program, name);
    match target {
        Target::C => c::folder(&layout),
        Target::Rust => rust::folder(&layout),
    }
}
