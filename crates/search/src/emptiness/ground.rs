//! What all searches for cycles have in common: a path, and what to do with a step.

use crate::bookkeeping::Bookkeeping;
use crate::report::{Defect, StopReason};
use crate::successors::Event;
use crate::system::{Acceptance, Reduction};

use super::crowd::Ways;

/// What a search stands on.
pub(super) struct Ground<'a, Y: Acceptance, R> {
    pub system: &'a Y,
    pub reduction: &'a mut R,
    pub book: Bookkeeping<'a, Y>,
    pub ways: Ways<Y>,
}

/// A depth-first search.
pub(super) trait Search<'a, Y: Acceptance + 'a, R: Reduction<Y> + 'a> {
    fn ground(&mut self) -> &mut Ground<'a, Y, R>;

    /// The bytes of what was met.
    fn bytes(&self) -> u64;

    /// Is it a second search, whose steps were taken before?
    fn is_second(&self) -> bool {
        false
    }

    /// Enters the state just arrived at, or sees that it closes a cycle.
    fn arrive(&mut self) -> Result<(), StopReason>;

    /// The last state on the path has no steps left.
    fn leave(&mut self) -> Result<(), StopReason>;

    /// Searches until the path is empty.
    fn run(&mut self) -> Result<(), StopReason> {
        let ground = self.ground();
        if let Err(failure) = ground.system.initial(&mut ground.ways.next) {
            let defect = Defect::Failure(failure);
            return ground.book.violation(defect, None, Vec::new);
        }
        self.arrive()?;
        loop {
            let (bytes, is_second) = (self.bytes(), self.is_second());
            let ground = self.ground();
            if ground.book.is_look_due() {
                ground.book.look(ground.ways.bytes(), bytes)?;
                continue;
            }
            match ground.advance()? {
                Event::Over => return Ok(()),
                Event::Exhausted => self.leave()?,
                Event::Failure(failure, step) if !is_second => {
                    let path = || ground.ways.taken();
                    let defect = Defect::Failure(failure);
                    ground.book.violation(defect, Some(step), path)?;
                }
                Event::Failure(..) | Event::Nothing | Event::Inside => {}
                Event::State => self.arrive()?,
            }
        }
    }
}

impl<'a, Y: Acceptance, R: Reduction<Y>> Ground<'a, Y, R> {
    pub fn new(system: &'a Y, reduction: &'a mut R, book: Bookkeeping<'a, Y>) -> Self {
        Ground {
            system,
            reduction,
            book,
            ways: Ways::of(system),
        }
    }

    /// Takes a step.
    #[inline]
    pub fn advance(&mut self) -> Result<Event<Y>, StopReason> {
        self.ways.advance(self.system, &mut self.book)
    }

    /// Puts the state just arrived at on the path. Says whether a reduction leaves some of its steps out.
    pub fn push(&mut self, number: u32, accepting: bool) -> bool {
        self.ways
            .push(self.system, self.reduction, number, accepting)
    }

    /// Puts the last state on the path once more.
    pub fn push_again(&mut self) {
        self.ways.push_again(self.system, self.reduction);
    }

    /// Counts a state that was stored, or met again.
    pub fn count(&mut self, is_new: bool) {
        let statistics = &mut self.book.statistics;
        if is_new {
            let bytes = self.ways.next.len() as u64;
            statistics.states += 1;
            statistics.state_bytes = statistics.state_bytes.max(bytes);
        } else {
            statistics.matched += 1;
        }
    }

    /// Is the path to the state just arrived at too long?
    pub fn is_cut(&mut self) -> bool {
        let depth = self.ways.path.depth();
        let is_cut = self.book.options.depth.is_some_and(|limit| depth > limit);
        self.book.cut |= is_cut;
        is_cut
    }

    /// The state just arrived at is on the path.
    pub fn note_depth(&mut self) {
        let depth = self.ways.path.depth() as u64;
        self.book.statistics.depth = self.book.statistics.depth.max(depth);
    }

    /// Notes the cycle from a stored state on the path to the state just arrived at.
    pub fn cycle(&mut self, number: u32) -> Result<(), StopReason> {
        let from = self.ways.steps_before(number);
        let path = || self.ways.steps();
        self.book.violation(Defect::Cycle(from), None, path)
    }
}
