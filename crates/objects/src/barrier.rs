//! A barrier: who arrives waits until all have.
//!
//! Two arrivals neither of which is the last commute.

use crate::outcome::order_matters;

/// An operation on a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Arrive, and tell whether that was the last of this generation.
    Arrive,
    /// Go on; undefined while the generation is this one or an earlier one.
    Pass(i64),
}

/// How many have arrived at a barrier.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct View {
    /// How many have arrived in this generation.
    pub arrived: u32,
    /// How many generations have passed.
    pub generation: i64,
}

/// Performs an operation on a barrier for this many: what it tells, and the value after it; nothing
/// where it is undefined.
#[inline]
pub fn apply(operation: Operation, size: u32, view: View) -> Option<(bool, View)> {
    let View {
        arrived,
        generation,
    } = view;
    match operation {
        Operation::Arrive if arrived + 1 >= size => {
            let (arrived, generation) = (0, generation + 1);
            Some((
                true,
                View {
                    arrived,
                    generation,
                },
            ))
        }
        Operation::Arrive => {
            let arrived = arrived + 1;
            Some((
                false,
                View {
                    arrived,
                    generation,
                },
            ))
        }
        Operation::Pass(waited) => (generation > waited).then_some((true, view)),
    }
}

/// Whether the order of `a` and `b` matters as many have arrived by now.
#[inline]
pub fn dependent_in(a: Operation, b: Operation, size: u32, view: View) -> bool {
    let perform = |operation, view| apply(operation, size, view);
    order_matters(perform, a, b, view)
}
