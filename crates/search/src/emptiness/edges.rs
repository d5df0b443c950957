//! The edges of the graph that the searches for cycles are about: from stored state to stored state, over all passing
//! states between them.

use crate::system::{Reduction, System};

use super::LONG_SEQUENCE;
use super::path::Path;

/// Memory for [`Edges::visit`].
pub(super) struct Edges<Y: System> {
    path: Path<Y::Step>,
    next: Vec<u8>,
    scratch: Y::Scratch,
    /// So many steps may still be taken: through a sequence with branches there may be more ways than one can go.
    pub steps_left: u64,
}

impl<Y: System> Edges<Y> {
    pub fn new() -> Edges<Y> {
        Edges {
            path: Path::new(),
            next: Vec::new(),
            scratch: Y::Scratch::default(),
            steps_left: u64::MAX,
        }
    }

    /// Shows every stored state that the steps from a stored one lead to, with these steps, until
    /// `visit` says that it has seen enough.
    pub fn visit<R: Reduction<Y>>(
        &mut self,
        system: &Y,
        reduction: &mut R,
        state: &[u8],
        mut visit: impl FnMut(&Path<Y::Step>, &[u8]) -> bool,
    ) {
        let passing = match system.is_passing(state) {
            true => LONG_SEQUENCE + 1,
            false => 0,
        };
        while self.path.pop().is_some() {}
        self.path.push(system, reduction, state, 0, passing);
        while !self.path.frames.is_empty() {
            let Some((state, step)) = self.path.advance() else {
                self.path.pop();
                continue;
            };
            if self.steps_left == 0 {
                return;
            }
            self.steps_left -= 1;
            let outcome = system.execute(&mut self.scratch, state, step, &mut self.next);
            if !outcome.complete {
                continue;
            }
            let passing = self.path.passing(system, &self.next);
            if passing > 0 && passing <= LONG_SEQUENCE {
                if self.path.push_passing(system, &self.next, passing) {
                    continue;
                }
                system.settle(&mut self.next);
            } else if passing > 0 && !self.path.leads_on(system, &self.next) {
                system.settle(&mut self.next);
            }
            if visit(&self.path, &self.next) {
                return;
            }
        }
    }
}
