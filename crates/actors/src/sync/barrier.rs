//! Mirrors `std::sync::Barrier`.

use mazurka_runtime::{Kind, Object, ObjectId, ObjectKind, Operation};

use crate::coroutine::{make, perform, with_kernel};
use crate::objects::blank;

/// Mirrors its namesake.
#[derive(Debug)]
pub struct Barrier(ObjectId);

/// Mirrors its namesake.
#[derive(Clone, Copy, Debug)]
pub struct BarrierWaitResult(bool);

impl BarrierWaitResult {
    /// Whether this was the last to arrive.
    pub fn is_leader(&self) -> bool {
        self.0
    }
}

impl Barrier {
    /// A barrier for this many actors.
    #[track_caller]
    pub fn new(size: usize) -> Barrier {
        Barrier(make(Object {
            bound: size as u32,
            ..blank(ObjectKind::BARRIER)
        }))
    }

    /// Waits for the others.
    #[track_caller]
    pub fn wait(&self) -> BarrierWaitResult {
        let last = perform(Operation::on(Kind::ARRIVE, self.0)) != 0;
        if !last {
            // Nobody can pass before this actor's next operation.
            let generation = with_kernel(|kernel| kernel.object(self.0).value);
            perform(Operation::on(Kind::PASS, self.0).with(generation));
        }
        BarrierWaitResult(last)
    }
}
