//! The interpreter as a system to search, with only the failures that are asked for.

use mazurka_model::{Failure, Interpreter, Step};
use mazurka_search::{Outcome, System, Traffic};

/// An interpreter whose failed assertions may be left unnoticed. Run-time errors are always
/// noticed: without a next state, whatever lies behind them would be missed.
#[derive(Debug)]
pub struct Watched<'i> {
    pub interpreter: &'i Interpreter,
    pub assertions: bool,
}

impl System for Watched<'_> {
    type Step = Step;
    type Failure = Failure;
    type Scratch = Vec<i32>;

    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Failure> {
        System::initial(self.interpreter, state)
    }

    #[inline]
    fn enabled(&self, state: &[u8], steps: &mut Vec<Step>) -> bool {
        System::enabled(self.interpreter, state, steps)
    }

    #[inline]
    fn execute(
        &self,
        scratch: &mut Vec<i32>,
        state: &[u8],
        step: Step,
        next: &mut Vec<u8>,
    ) -> Outcome<Failure> {
        let mut outcome = System::execute(self.interpreter, scratch, state, step, next);
        if let Some(Failure::Assertion(_)) = outcome.failure {
            outcome.failure = outcome.failure.filter(|_| self.assertions);
        }
        outcome
    }

    #[inline]
    fn is_passing(&self, state: &[u8]) -> bool {
        self.interpreter.is_passing(state)
    }

    fn settle(&self, state: &mut [u8]) {
        self.interpreter.settle(state);
    }

    fn ignored_suffix(&self) -> usize {
        self.interpreter.ignored_suffix()
    }

    fn is_valid_end(&self, state: &[u8]) -> bool {
        System::is_valid_end(self.interpreter, state)
    }

    fn transitions(&self) -> usize {
        self.interpreter.transitions()
    }

    #[inline]
    fn cover(&self, state: &[u8], step: Step, covered: &mut [bool]) {
        self.interpreter.cover(state, step, covered);
    }

    fn traffic(&self, step: Step) -> Traffic {
        self.interpreter.traffic(step)
    }
}
