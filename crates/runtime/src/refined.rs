//! Dependency that looks at values: two steps commute *now*, though in general they would not.

use mazurka_objects::semaphore;

use crate::kernel::Kernel;
use crate::object::{Object, ObjectKind};
use crate::operation::{Kind, ObjectId, Operation};

impl Kernel {
    /// Whether two operations of different actors, both possible, give the same results and leave
    /// the same state in either order, here and now.
    ///
    /// This is the conditional independence of sleep sets: it need not hold in any other state.
    pub fn commute_now(&self, operation: &Operation, pending: &Operation) -> bool {
        // Two objects at once are left to the constant relation.
        if operation.object != pending.object
            || operation.second != ObjectId::NONE
            || pending.second != ObjectId::NONE
        {
            return false;
        }
        let object = self.object(operation.object);
        match object.kind {
            ObjectKind::VARIABLE => variables_commute(operation, pending, object.value),
            ObjectKind::SEMAPHORE => semaphores_commute(operation, pending, object),
            _ => false,
        }
    }
}

/// By doing it: variables are simple enough.
fn variables_commute(a: &Operation, b: &Operation, value: i64) -> bool {
    let (a_first, middle) = perform(a, value);
    let (b_second, end) = perform(b, middle);
    let (b_first, middle) = perform(b, value);
    let (a_second, other_end) = perform(a, middle);
    a_first == a_second && b_first == b_second && end == other_end
}

/// What an operation tells of a variable and what it leaves.
fn perform(operation: &Operation, value: i64) -> (Option<i64>, i64) {
    let argument = operation.argument;
    match operation.kind {
        Kind::READ => (Some(value), value),
        Kind::WRITE => (None, argument),
        Kind::ADD => (None, value.wrapping_add(argument)),
        Kind::FETCH_ADD => (Some(value), value.wrapping_add(argument)),
        Kind::SWAP => (Some(value), argument),
        Kind::COMPARE_EXCHANGE if value == argument => (Some(value), operation.extra),
        _ => (Some(value), value),
    }
}

fn semaphores_commute(a: &Operation, b: &Operation, object: &Object) -> bool {
    let view = semaphore::View {
        count: object.value.clamp(0, i64::from(u32::MAX) - 1) as u32,
        bound: u32::MAX,
    };
    let known = |operation: &Operation| {
        Some(match operation.kind {
            Kind::TAKE => semaphore::Operation::Take,
            Kind::TRY_TAKE => semaphore::Operation::TryTake,
            Kind::RELEASE => semaphore::Operation::Release,
            _ => return None,
        })
    };
    match (known(a), known(b)) {
        (Some(a), Some(b)) => !semaphore::dependent_in(a, b, &view),
        _ => false,
    }
}
