//! A system that is another one in all but what it makes of steps, of states and of ends.

use std::ops::Range;

use crate::system::{Outcome, System, Traffic};

/// A system over another one: the same states and the same steps. It may judge them differently, note what it sees, or take one state
/// for another.
pub trait Over: Sync {
    /// The system beneath.
    type Beneath: System;

    /// The system beneath.
    fn beneath(&self) -> &Self::Beneath;

    /// A step from one state to the next was carried out. Gives what is to be said of it.
    #[inline]
    fn taken(
        &self,
        _state: &[u8],
        _step: <Self::Beneath as System>::Step,
        _next: &[u8],
        outcome: Outcome<<Self::Beneath as System>::Failure>,
    ) -> Outcome<<Self::Beneath as System>::Failure> {
        outcome
    }

    /// Has [`Over::taken`] to see also steps in which nothing goes wrong? If not, a part of an atomic sequence may be run without it.
    #[inline]
    fn sees_every_step(&self) -> bool {
        true
    }

    /// The system beneath may stop in a state, or may not. Gives what is to be said of it.
    #[inline]
    fn ended(&self, _state: &[u8], is_valid: bool) -> bool {
        is_valid
    }

    /// A state was arrived at. Puts another one in its place that stands for it, if there is one: a state with which everything goes on
    /// in the same way, under other names.
    #[inline]
    fn represent(&self, _state: &mut [u8]) {}
}

impl<O: Over> System for O {
    type Step = <O::Beneath as System>::Step;
    type Failure = <O::Beneath as System>::Failure;
    type Scratch = <O::Beneath as System>::Scratch;

    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Self::Failure> {
        self.beneath().initial(state)?;
        self.represent(state);
        Ok(())
    }

    #[inline]
    fn enabled(&self, state: &[u8], steps: &mut Vec<Self::Step>) -> bool {
        self.beneath().enabled(state, steps)
    }

    #[inline]
    fn enabled_beside(
        &self,
        other: &[u8],
        known: Range<usize>,
        state: &[u8],
        steps: &mut Vec<Self::Step>,
    ) -> bool {
        self.beneath().enabled_beside(other, known, state, steps)
    }

    #[inline]
    fn execute(
        &self,
        scratch: &mut Self::Scratch,
        state: &[u8],
        step: Self::Step,
        next: &mut Vec<u8>,
    ) -> Outcome<Self::Failure> {
        let outcome = self.beneath().execute(scratch, state, step, next);
        let outcome = self.taken(state, step, next, outcome);
        if outcome.complete {
            self.represent(next);
        }
        outcome
    }

    #[inline]
    fn run_on(
        &self,
        scratch: &mut Self::Scratch,
        state: &mut Vec<u8>,
        most: usize,
        taken: &mut Vec<Self::Step>,
        covered: &mut [bool],
    ) {
        if !self.sees_every_step() {
            self.beneath().run_on(scratch, state, most, taken, covered);
        }
    }

    #[inline]
    fn is_passing(&self, state: &[u8]) -> bool {
        self.beneath().is_passing(state)
    }

    fn settle(&self, state: &mut [u8]) {
        self.beneath().settle(state);
        self.represent(state);
    }

    fn ignored_suffix(&self) -> usize {
        self.beneath().ignored_suffix()
    }

    fn is_valid_end(&self, state: &[u8]) -> bool {
        self.ended(state, self.beneath().is_valid_end(state))
    }

    fn transitions(&self) -> usize {
        self.beneath().transitions()
    }

    #[inline]
    fn cover(&self, state: &[u8], step: Self::Step, covered: &mut [bool]) {
        self.beneath().cover(state, step, covered);
    }

    fn work(&self) -> u64 {
        self.beneath().work()
    }

    fn context(&self) -> Vec<u8> {
        self.beneath().context()
    }

    fn restore(&self, context: &[u8]) -> bool {
        self.beneath().restore(context)
    }

    fn names(&self) -> usize {
        self.beneath().names()
    }

    fn learn(&self, context: &[u8], numbers: &mut Vec<u16>) -> bool {
        self.beneath().learn(context, numbers)
    }

    #[inline]
    fn rename(&self, state: &mut [u8], numbers: &[u16]) -> bool {
        self.beneath().rename(state, numbers)
    }

    #[inline]
    fn essence(&self, state: &[u8]) -> (u64, usize) {
        self.beneath().essence(state)
    }

    fn is_state(&self, state: &[u8]) -> bool {
        self.beneath().is_state(state)
    }

    fn is_dead_end(failure: &Self::Failure) -> bool {
        O::Beneath::is_dead_end(failure)
    }

    fn minds_endless_sequences(&self) -> bool {
        self.beneath().minds_endless_sequences()
    }

    fn traffic(&self, step: Self::Step) -> Traffic {
        self.beneath().traffic(step)
    }
}
