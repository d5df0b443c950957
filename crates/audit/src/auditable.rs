//! What an audit has to know of a system beyond what a search knows: the program behind it.

use mazurka_model::{Failure, Interpreter, Step};
use mazurka_reduce::{Exchange, Simultaneous, StepSet};
use mazurka_search::System;
use mazurka_temporal::{Product, ProductStep, What};

/// A system that is made of an interpreter.
pub trait Auditable: System {
    /// The interpreter.
    fn interpreter(&self) -> &Interpreter;

    /// How many bytes stand before its state.
    fn prefix(&self) -> usize {
        0
    }

    /// The step of the interpreter, if it is a single one.
    fn single(&self, step: Self::Step) -> Option<Step>;

    /// The steps of the interpreter, in an order in which they can be taken, if there are several.
    fn members(&self, _step: Self::Step) -> Option<Vec<Step>> {
        None
    }

    /// A step of the interpreter as one of the system.
    fn lift(&self, step: Step) -> Self::Step;

    /// Leaves out the steps of the interpreter that the system never takes.
    fn keep_own(&self, _steps: &mut Vec<Step>) {}

    /// Appends what a claim sees of a state of the interpreter: nothing if there is none.
    fn labels(&self, _state: &[u8], _labels: &mut Vec<u8>) {}

    /// Pairs of processes that are called alike: states in which they are exchanged are taken for one.
    fn alike(&self, _state: &[u8]) -> Vec<(usize, usize)> {
        Vec::new()
    }

    /// Pairs of identities that are called alike.
    fn identities(&self, _state: &[u8]) -> Vec<Exchange> {
        Vec::new()
    }

    /// The state in which two identities are exchanged.
    fn exchanged(&self, state: &[u8], _exchange: &Exchange) -> Vec<u8> {
        state.to_vec()
    }

    /// Are processes exchanged on the way, so that a step is found again under the name of another process?
    fn exchanges(&self) -> bool {
        false
    }
}

impl Auditable for Interpreter {
    fn interpreter(&self) -> &Interpreter {
        self
    }

    fn single(&self, step: Step) -> Option<Step> {
        Some(step)
    }

    fn lift(&self, step: Step) -> Step {
        step
    }
}

impl Auditable for Product<'_> {
    fn interpreter(&self) -> &Interpreter {
        Product::interpreter(self)
    }

    fn prefix(&self) -> usize {
        Product::PREFIX
    }

    fn single(&self, step: ProductStep) -> Option<Step> {
        match step.what {
            What::Step(step) | What::Spare(step) => Some(step),
            What::Set(_) | What::Stutter | What::Violation => None,
        }
    }

    fn members(&self, step: ProductStep) -> Option<Vec<Step>> {
        match step.what {
            What::Set(_) => Some(self.system_steps(&[step])),
            _ => None,
        }
    }

    fn lift(&self, step: Step) -> ProductStep {
        ProductStep::unwatched(step)
    }

    fn keep_own(&self, steps: &mut Vec<Step>) {
        Product::drop_misled(self, steps);
    }

    fn labels(&self, state: &[u8], labels: &mut Vec<u8>) {
        Product::labels(self, state, labels);
    }
}

impl<Y> Auditable for Simultaneous<'_, Y>
where
    Y: System<Step = Step, Failure = Failure, Scratch = Vec<i32>>,
{
    fn interpreter(&self) -> &Interpreter {
        Simultaneous::interpreter(self)
    }

    fn single(&self, step: StepSet) -> Option<Step> {
        step.single()
    }

    fn members(&self, step: StepSet) -> Option<Vec<Step>> {
        let is_set = step.single().is_none();
        is_set.then(|| Simultaneous::members(self, step).to_vec())
    }

    fn lift(&self, step: Step) -> StepSet {
        StepSet::of(step)
    }
}
