//! How a state was reached.
//!
//! An audit knows the state in which something is wrong, not the way there: to remember it would cost every search
//! something. So the way is looked for afterwards, by the same search once more.

use mazurka_search::{Options, Outcome, Reduction, System, breadth_first};

/// The steps from the initial state to one with this identity, found by a search with this reduction; none if the limits do not
/// allow it, or the reduction does not lead there.
pub fn locate<Y: System, R: Reduction<Y> + Send>(
    system: &Y,
    reduction: &mut R,
    target: &[u8],
    options: &Options<'_>,
) -> Option<Vec<Y::Step>> {
    let mut initial = Vec::new();
    system.initial(&mut initial).ok()?;
    if initial[..initial.len() - system.ignored_suffix()] == *target {
        return Some(Vec::new());
    }
    let sought = Until { system, target };
    let options = Options {
        deadlock: false,
        failures: true,
        all: false,
        ..options.clone()
    };
    let mut reduction = Under(reduction);
    let mut report = breadth_first(&sought, &mut reduction, &options, &mut ());
    report.violations.pop().map(|violation| violation.steps)
}

/// A system in which nothing is wrong but to come to a state.
struct Until<'u, Y> {
    system: &'u Y,
    target: &'u [u8],
}

/// The state is there.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Found;

impl<Y: System> System for Until<'_, Y> {
    type Step = Y::Step;
    type Failure = Found;
    type Scratch = Y::Scratch;

    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Found> {
        self.system.initial(state).map_err(|_| Found)
    }

    fn enabled(&self, state: &[u8], steps: &mut Vec<Y::Step>) -> bool {
        self.system.enabled(state, steps)
    }

    fn execute(
        &self,
        scratch: &mut Y::Scratch,
        state: &[u8],
        step: Y::Step,
        next: &mut Vec<u8>,
    ) -> Outcome<Found> {
        let outcome = self.system.execute(scratch, state, step, next);
        let mut is_there = false;
        if outcome.complete {
            let length = next.len() - self.system.ignored_suffix();
            is_there = next[..length] == *self.target;
            // One that somebody had control in, and could not use it.
            if !is_there && self.system.is_passing(next) {
                let mut steps = Vec::new();
                if !self.system.enabled(next, &mut steps) {
                    let mut settled = next.clone();
                    self.system.settle(&mut settled);
                    is_there = settled[..length] == *self.target;
                }
            }
        }
        Outcome {
            failure: is_there.then_some(Found),
            complete: outcome.complete,
        }
    }

    fn work(&self) -> u64 {
        self.system.work()
    }

    fn is_passing(&self, state: &[u8]) -> bool {
        self.system.is_passing(state)
    }

    fn settle(&self, state: &mut [u8]) {
        self.system.settle(state);
    }

    fn ignored_suffix(&self) -> usize {
        self.system.ignored_suffix()
    }

    fn is_valid_end(&self, state: &[u8]) -> bool {
        self.system.is_valid_end(state)
    }

    fn transitions(&self) -> usize {
        self.system.transitions()
    }

    fn cover(&self, _: &[u8], _: Y::Step, _: &mut [bool]) {}
}

/// The reduction of the system beneath.
struct Under<'r, R>(&'r mut R);

impl<'u, Y: System, R: Reduction<Y>> Reduction<Until<'u, Y>> for Under<'_, R> {
    fn select(&mut self, sought: &Until<'u, Y>, state: &[u8], steps: &mut [Y::Step]) -> usize {
        self.0.select(sought.system, state, steps)
    }

    fn widen(
        &mut self,
        sought: &Until<'u, Y>,
        state: &[u8],
        steps: &mut [Y::Step],
        chosen: usize,
    ) -> usize {
        self.0.widen(sought.system, state, steps, chosen)
    }

    fn reduces(&self) -> bool {
        self.0.reduces()
    }
}
