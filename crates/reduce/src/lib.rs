//! Partial-order reduction of the common program form.
//!
//! Of several steps that are possible in a state, often only some have to be explored, because
//! the others lead to the same states in another order. [`Stubborn`] finds such a part. What may
//! be left out is decided by the operations that processes perform on shared objects, now and
//! later, and by the relations of `mazurka_objects`; the search adds what the property needs.

#![forbid(unsafe_code)]
#![deny(missing_docs)]

mod bits;
mod constancy;
mod dead;
mod footprint;
mod local;
mod operation;
mod relations;
mod simultaneous;
mod stubborn;

pub use dead::reset_dead_variables;
pub use local::hold_local_runs;
pub use operation::Unsupported;
pub use simultaneous::{SetsFirst, Simultaneous, StepSet};
pub use stubborn::Stubborn;

use mazurka_model::{Interpreter, Step};
use mazurka_search::Reduction;

impl Reduction<Interpreter> for Stubborn {
    fn select(&mut self, system: &Interpreter, state: &[u8], steps: &mut [Step]) -> usize {
        Stubborn::select(self, system, state, steps)
    }

    fn widen(
        &mut self,
        system: &Interpreter,
        state: &[u8],
        steps: &mut [Step],
        chosen: usize,
    ) -> usize {
        Stubborn::widen(self, system, state, steps, chosen)
    }
}
