//! Partial-order reduction of the common program form.
//!
//! Of several steps that are possible in a state, often only some have to be explored, because
//! the others lead to the same states in another order. [`Stubborn`] finds such a part. What may
//! be left out is decided by the operations that processes perform on shared objects, now and
//! later, and by the relations of `mazurka_objects`; the search adds what the property needs.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod bits;
mod bounds;
mod constancy;
mod dead;
mod footprint;
mod hazards;
mod identity;
mod independence;
mod local;
mod mixer;
mod operation;
mod persistent;
mod place;
mod processors;
mod prospect;
mod relations;
mod rounds;
mod simultaneous;
mod state_view;
mod stubborn;
mod symmetry;
mod tables;
mod used;

pub use constancy::is_never_written;
pub use dead::{reset_dead_variables, reset_dead_variables_but};
pub use identity::Exchange;
pub use independence::Independence;
pub use local::{Runs, hold_local_runs, hold_sure_local_runs};
pub use operation::Unsupported;
pub use persistent::{Information, Persistent};
pub use processors::Processors;
pub use simultaneous::{SetsFirst, Simultaneous, StepSet};
pub use stubborn::Stubborn;
pub use symmetry::{Symmetry, forget_ends, with_ends};

use mazurka_model::{Interpreter, Step};
use mazurka_search::Reduction;

/// Any of the reductions that choose among the steps of a program.
#[derive(Debug)]
pub enum Chooser {
    /// Chooses all.
    All,
    /// Chooses all, but knows which are independent.
    Independence(Independence),
    /// Persistent sets of whole processes, or ample sets.
    Persistent(Persistent),
    /// Persistent sets of whole processors of machines, and of timers.
    Processors(Box<Processors>),
    /// Stubborn sets.
    Stubborn(Box<Stubborn>),
}

impl Reduction<Interpreter> for Chooser {
    #[inline]
    fn select(&mut self, system: &Interpreter, state: &[u8], steps: &mut [Step]) -> usize {
        match self {
            Chooser::All | Chooser::Independence(_) => steps.len(),
            Chooser::Persistent(persistent) => persistent.select(system, state, steps),
            Chooser::Processors(processors) => processors.select(system, state, steps),
            Chooser::Stubborn(stubborn) => stubborn.select(system, state, steps),
        }
    }

    fn widen(
        &mut self,
        system: &Interpreter,
        state: &[u8],
        steps: &mut [Step],
        chosen: usize,
    ) -> usize {
        match self {
            Chooser::Stubborn(stubborn) => stubborn.widen(system, state, steps, chosen),
            _ => steps.len(),
        }
    }

    fn independent(&mut self, system: &Interpreter, state: &[u8], a: Step, b: Step) -> bool {
        match self {
            Chooser::All | Chooser::Processors(_) => false,
            Chooser::Independence(chooser) => chooser.independent(system, state, a, b),
            Chooser::Persistent(persistent) => persistent.independent(system, state, a, b),
            Chooser::Stubborn(stubborn) => stubborn.independent(system, state, a, b),
        }
    }

    fn reduces(&self) -> bool {
        !matches!(self, Chooser::All | Chooser::Independence(_))
    }

    fn is_idle(&self) -> bool {
        matches!(self, Chooser::All)
    }
}
