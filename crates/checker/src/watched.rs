//! The interpreter as a system to search, with only the failures that are asked for.

use std::ops::Range;

use mazurka_audit::Auditable;
use mazurka_model::{BreachKind, Failure, Fault, Interpreter, Step};
use mazurka_search::{Outcome, System, Traffic};

use crate::choice::Property;

/// An interpreter of whose failures only those are noticed that are asked for. Those that leave no
/// next state are always noticed: whatever lies behind them would be missed.
#[derive(Debug)]
pub struct Watched<'i> {
    interpreter: &'i Interpreter,
    property: Property,
}

impl<'i> Watched<'i> {
    /// The system of a program, with the failures that belong to a property.
    pub fn new(interpreter: &'i Interpreter, property: Property) -> Watched<'i> {
        Watched {
            interpreter,
            property,
        }
    }

    /// The interpreter.
    #[inline]
    pub fn interpreter(&self) -> &'i Interpreter {
        self.interpreter
    }

    fn is_asked_for(&self, failure: Failure) -> bool {
        match (self.property, failure) {
            (Property::All | Property::Safety, _) => true,
            (Property::Assertion, Failure::Assertion(_)) => true,
            (_, Failure::Assertion(_)) => false,
            (Property::Invariant, Failure::Fault(Fault::Breach(kind, _))) => {
                kind == BreachKind::Invariant
            }
            (Property::Assertion, Failure::Fault(Fault::Breach(BreachKind::Trace, _))) => true,
            (Property::UnexpectedInput, Failure::Fault(Fault::Breach(kind, _))) => {
                kind == BreachKind::UnexpectedInput
            }
            (_, Failure::Fault(Fault::Breach(..))) => false,
            _ => true,
        }
    }
}

impl Auditable for Watched<'_> {
    fn interpreter(&self) -> &Interpreter {
        self.interpreter
    }

    fn single(&self, step: Step) -> Option<Step> {
        Some(step)
    }

    fn lift(&self, step: Step) -> Step {
        step
    }
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
    fn enabled_beside(
        &self,
        other: &[u8],
        known: Range<usize>,
        state: &[u8],
        steps: &mut Vec<Step>,
    ) -> bool {
        System::enabled_beside(self.interpreter, other, known, state, steps)
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
        if outcome.complete {
            outcome.failure = outcome
                .failure
                .filter(|failure| self.is_asked_for(*failure));
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

    fn context(&self) -> Vec<u8> {
        self.interpreter.context()
    }

    fn restore(&self, context: &[u8]) -> bool {
        self.interpreter.restore(context)
    }

    fn is_state(&self, state: &[u8]) -> bool {
        self.interpreter.is_state(state)
    }

    fn traffic(&self, step: Step) -> Traffic {
        self.interpreter.traffic(step)
    }
}
