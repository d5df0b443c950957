//! The interpreter as a system to search, with only the failures that are asked for.

use mazurka_audit::Auditable;
use mazurka_model::{BreachKind, Failure, Fault, Interpreter, Step};
use mazurka_reduce::{Exchange, Symmetry};
use mazurka_search::{Outcome, Over};

use crate::choice::Property;

/// An interpreter of whose failures only those are noticed that are asked for. Those that leave no
/// next state are always noticed: whatever lies behind them would be missed.
#[derive(Debug)]
pub struct Watched<'i> {
    interpreter: &'i Interpreter,
    property: Property,
    symmetry: Option<&'i Symmetry>,
}

impl<'i> Watched<'i> {
    /// The system of a program, with the failures that belong to a property.
    pub fn new(interpreter: &'i Interpreter, property: Property) -> Watched<'i> {
        Watched {
            interpreter,
            property,
            symmetry: None,
        }
    }

    /// The same, where states that differ only in which of several processes does what are taken for one. Its paths are
    /// [unfolded](Symmetry::unfold).
    pub(crate) fn with_symmetry(self, symmetry: Option<&'i Symmetry>) -> Watched<'i> {
        Watched { symmetry, ..self }
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

    fn alike(&self, state: &[u8]) -> Vec<(usize, usize)> {
        let pairs = |symmetry: &Symmetry| symmetry.pairs(self.interpreter, state);
        self.symmetry.map(pairs).unwrap_or_default()
    }

    fn identities(&self, state: &[u8]) -> Vec<Exchange> {
        let pairs = |symmetry: &Symmetry| symmetry.exchanges(self.interpreter, state);
        self.symmetry.map(pairs).unwrap_or_default()
    }

    fn exchanged(&self, state: &[u8], exchange: &Exchange) -> Vec<u8> {
        match self.symmetry {
            Some(symmetry) => symmetry.exchanged(self.interpreter, state, exchange),
            None => state.to_vec(),
        }
    }

    fn exchanges(&self) -> bool {
        self.symmetry.is_some()
    }
}

impl Over for Watched<'_> {
    type Beneath = Interpreter;

    #[inline]
    fn beneath(&self) -> &Interpreter {
        self.interpreter
    }

    #[inline]
    fn taken(
        &self,
        _: &[u8],
        _: Step,
        _: &[u8],
        mut outcome: Outcome<Failure>,
    ) -> Outcome<Failure> {
        if outcome.complete {
            outcome.failure = outcome
                .failure
                .filter(|failure| self.is_asked_for(*failure));
        }
        outcome
    }

    #[inline]
    fn represent(&self, state: &mut [u8]) {
        if let Some(symmetry) = self.symmetry {
            symmetry.represent(self.interpreter, state);
        }
    }

    /// Processes are exchanged step by step.
    #[inline]
    fn sees_every_step(&self) -> bool {
        self.symmetry.is_some()
    }
}
