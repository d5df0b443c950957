//! From a state to those that its steps lead to, one after the other, through atomic sequences.
//!
//! A search puts a state on the path with the steps that are to be taken, and asks for what happens next until the
//! state is exhausted. States inside sequences come and go on the path by themselves. Depth-first search alone
//! works steps out ahead (`ahead.rs`) and so takes them by itself; its sequences are those of the path, too.

use crate::bookkeeping::Bookkeeping;
use crate::path::{Arrival, Path};
use crate::report::StopReason;
use crate::sequence::Inside;
use crate::system::System;

/// The current path of a search, and the state just arrived at.
pub(crate) struct Successors<Y: System, T, M> {
    pub path: Path<Y::Step, T>,
    /// The state just arrived at.
    pub next: Vec<u8>,
    /// Which states inside sequences were met before.
    pub inside: M,
    /// The longest path.
    longest: usize,
    /// Has a step that failed led to `next` all the same?
    is_pending: bool,
    scratch: Y::Scratch,
}

/// What happens next.
pub(crate) enum Event<Y: System> {
    /// There is nothing on the path.
    Over,
    /// All steps of the last state on the path were taken: it is to be taken off, or to get more of them.
    Exhausted,
    /// A step failed. What it leads to, if it does, is the next event.
    Failure(Y::Failure, Y::Step),
    /// A step was taken, and there is nothing to do about it.
    Nothing,
    /// A state inside a sequence is on the path now.
    Inside,
    /// A state is to be stored: it is in `next`.
    State,
}

impl<Y: System, T: Copy, M: Inside<Y::Step, T>> Successors<Y, T, M> {
    /// An empty path, which may become as long as `longest` also inside sequences.
    pub fn new(inside: M, longest: Option<usize>) -> Successors<Y, T, M> {
        Successors {
            path: Path::new(),
            next: Vec::new(),
            inside,
            longest: longest.unwrap_or(usize::MAX),
            is_pending: false,
            scratch: Y::Scratch::default(),
        }
    }

    /// Empties the path.
    pub fn clear(&mut self) {
        self.path.clear();
        self.is_pending = false;
    }

    /// Takes a step.
    #[inline]
    pub fn advance(
        &mut self,
        system: &Y,
        book: &mut Bookkeeping<'_, Y>,
    ) -> Result<Event<Y>, StopReason> {
        if !std::mem::take(&mut self.is_pending) {
            let Some((state, step)) = self.path.advance() else {
                return Ok(match self.path.is_empty() {
                    true => Event::Over,
                    false => Event::Exhausted,
                });
            };
            system.cover(state, step, &mut book.covered);
            let outcome = system.execute(&mut self.scratch, state, step, &mut self.next);
            if let Some(last) = self.path.frames.last_mut() {
                last.leads_on |= outcome.complete;
            }
            if let Some(failure) = outcome.failure {
                self.is_pending = outcome.complete;
                return Ok(Event::Failure(failure, step));
            }
            if !outcome.complete {
                return Ok(Event::Nothing);
            }
        }
        let Successors {
            path,
            next,
            inside,
            longest,
            scratch,
            ..
        } = self;
        let arrival = path.pass(system, scratch, next, *longest, inside, book)?;
        Ok(match arrival {
            Arrival::Inside => Event::Inside,
            Arrival::Known => Event::Nothing,
            Arrival::Whole | Arrival::Settled | Arrival::Around => Event::State,
        })
    }

    /// Does not look at what the step that failed leads to.
    pub fn abandon(&mut self) {
        self.is_pending = false;
    }
}
