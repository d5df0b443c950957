//! A barrier: who arrives waits until all have.
//!
//! Two arrivals neither of which is the last commute; in an execution, all are ordered.

use super::{Call, Kind, Object, ObjectKind, Role, Shared};
use crate::history::{Order, Past};
use crate::outcome::order_matters;

/// The kind.
pub struct Barrier;

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
pub fn apply(operation: Operation, size: u32, view: View) -> Option<(Option<bool>, View)> {
    let View {
        arrived,
        generation,
    } = view;
    let (told, arrived, generation) = match operation {
        Operation::Arrive if arrived + 1 >= size => (Some(true), 0, generation + 1),
        Operation::Arrive => (Some(false), arrived + 1, generation),
        Operation::Pass(waited) if generation > waited => (None, arrived, generation),
        Operation::Pass(_) => return None,
    };
    let view = View {
        arrived,
        generation,
    };
    Some((told, view))
}

/// Whether the order of `a` and `b` matters as many have arrived by now.
#[inline]
pub fn dependent_in(a: Operation, b: Operation, size: u32, view: View) -> bool {
    let perform = |operation, view| apply(operation, size, view);
    order_matters(perform, a, b, view)
}

impl Shared for Barrier {
    type Operation = Operation;
    type Value = View;

    const KIND: ObjectKind = ObjectKind::BARRIER;
    const BY_VALUE: bool = true;

    #[inline]
    fn operation(call: &Call, _object: &Object) -> Option<Operation> {
        Some(match call.kind {
            Kind::ARRIVE => Operation::Arrive,
            Kind::PASS => Operation::Pass(call.argument),
            _ => return None,
        })
    }

    #[inline]
    fn value(object: &Object) -> View {
        View {
            arrived: object.sent,
            generation: object.value,
        }
    }

    #[inline]
    fn put(object: &mut Object, view: View) {
        object.sent = view.arrived;
        object.value = view.generation;
    }

    #[inline]
    fn perform(operation: Operation, object: &Object, view: View) -> Option<(Option<i64>, View)> {
        let (told, view) = apply(operation, object.bound, view)?;
        Some((told.map(i64::from), view))
    }

    #[inline]
    fn past(operation: Operation, object: &Object, _refined: bool) -> Past {
        match operation {
            Operation::Arrive => Past {
                role: Role::Arrive,
                before: object.value as u32,
                ..Past::default()
            },
            // It has one certain arrival before it, and no more to do with the others.
            Operation::Pass(_) => Past::default(),
        }
    }

    #[inline]
    fn order(first: &Past, second: &Past) -> Order {
        match (first.role, second.role) {
            (Role::Arrive, Role::Arrive) => Order::Conflict,
            _ => Order::None,
        }
    }

    fn awaits(kind: Kind) -> bool {
        kind == Kind::PASS
    }

    fn is_cause(call: &Call, kind: Kind, told: i64, past: &Past) -> bool {
        kind == Kind::ARRIVE && told == 1 && i64::from(past.before) == call.argument
    }
}
