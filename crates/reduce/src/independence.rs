//! No set, only independence: for sleep sets by themselves.

use std::sync::Arc;

use mazurka_model::{Interpreter, Step};

use crate::footprint::Footprints;
use crate::operation::Unsupported;
use crate::relations::Relations;
use crate::state_view::StateView;

/// Knows which steps are independent, and leaves out none.
#[derive(Debug)]
pub struct Independence {
    relations: Relations,
}

impl Independence {
    /// Prepares the analysis of a program, with refined or with constant dependency.
    pub fn new(interpreter: &Interpreter, refined: bool) -> Result<Independence, Unsupported> {
        let footprints = Footprints::of(interpreter.program());
        match footprints.unsupported {
            Some(unsupported) => Err(unsupported),
            None => Ok(Independence {
                relations: Relations::new(interpreter, Arc::new(footprints), refined),
            }),
        }
    }

    /// Does the order of two possible steps make no difference in this state?
    pub fn independent(&mut self, system: &Interpreter, state: &[u8], a: Step, b: Step) -> bool {
        let view = StateView { system, state };
        self.relations.independent(&view, a, b)
    }
}
