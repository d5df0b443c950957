//! From a stored state to all those that its steps lead to.

use crate::system::{Reduction, System};

use super::path::{Passing, Path};

/// Memory for [`Expansion::expand`].
pub(super) struct Expansion<Y: System> {
    path: Path<Y::Step>,
    next: Vec<u8>,
    scratch: Y::Scratch,
}

/// What happens on the way.
pub(super) enum Event<'e, Y: System> {
    /// A step is taken from a state.
    Step(&'e [u8], Y::Step),
    /// It leads into an atomic sequence.
    Inside,
    /// It fails.
    Failure(Y::Failure),
    /// It leads to a state that is to be stored.
    State(&'e [u8]),
}

impl<Y: System> Expansion<Y> {
    pub fn new() -> Expansion<Y> {
        Expansion {
            path: Path::new(),
            next: Vec::new(),
            scratch: Y::Scratch::default(),
        }
    }

    /// Takes all steps from a stored state, or those that a reduction leaves, and tells what happens, with the
    /// path from that state on. Says how many steps were left out.
    pub fn expand<R: Reduction<Y>, E>(
        &mut self,
        system: &Y,
        reduction: &mut R,
        state: &[u8],
        mut tell: impl FnMut(&Path<Y::Step>, Event<'_, Y>) -> Result<(), E>,
    ) -> Result<usize, E> {
        while self.path.pop().is_some() {}
        let left_out = self.path.push(system, reduction, state, 0);
        while !self.path.frames.is_empty() {
            let Some((state, step)) = self.path.advance() else {
                self.path.pop();
                continue;
            };
            let outcome = system.execute(&mut self.scratch, state, step, &mut self.next);
            tell(&self.path, Event::Step(self.path.top(), step))?;
            if let Some(failure) = outcome.failure {
                tell(&self.path, Event::Failure(failure))?;
            }
            if !outcome.complete {
                continue;
            }
            if system.is_passing(&self.next) {
                tell(&self.path, Event::Inside)?;
                match self.path.pass(system, &self.next) {
                    Passing::Passed => continue,
                    Passing::Stuck => system.settle(&mut self.next),
                    Passing::Around => {}
                }
            }
            tell(&self.path, Event::State(&self.next))?;
        }
        Ok(left_out)
    }
}
