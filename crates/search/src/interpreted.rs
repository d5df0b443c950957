//! The interpreter of the common program form, as a system to search.

use std::ops::Range;

use mazurka_model::{Failure, Instruction, Interpreter, Step};

use crate::system::{Outcome, System, Traffic};

/// To carry out this many instructions takes about as long as a small step.
const INSTRUCTIONS_OF_A_STEP: u64 = 32;

impl System for Interpreter {
    type Step = Step;
    type Failure = Failure;
    type Scratch = Vec<i32>;

    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Failure> {
        Interpreter::initial(self, state, &mut ()).map_err(Failure::Fault)
    }

    fn enabled(&self, state: &[u8], steps: &mut Vec<Step>) -> bool {
        Interpreter::enabled(self, state, steps)
    }

    fn enabled_beside(
        &self,
        other: &[u8],
        known: Range<usize>,
        state: &[u8],
        steps: &mut Vec<Step>,
    ) -> bool {
        Interpreter::enabled_beside(self, other, known, state, steps)
    }

    fn execute(
        &self,
        scratch: &mut Vec<i32>,
        state: &[u8],
        step: Step,
        next: &mut Vec<u8>,
    ) -> Outcome<Failure> {
        let outcome = Interpreter::execute(self, state, step, next, scratch, &mut ());
        Outcome {
            failure: outcome.failure,
            complete: outcome.complete,
        }
    }

    fn run_on(
        &self,
        scratch: &mut Vec<i32>,
        state: &mut Vec<u8>,
        most: usize,
        taken: &mut Vec<Step>,
        covered: &mut [bool],
    ) {
        Interpreter::run_on(self, state, most, scratch, taken, covered);
    }

    #[inline]
    fn is_passing(&self, state: &[u8]) -> bool {
        self.controller(state).is_some()
    }

    fn settle(&self, state: &mut [u8]) {
        self.release(state);
    }

    fn ignored_suffix(&self) -> usize {
        self.program().hidden_bytes as usize
    }

    fn is_valid_end(&self, state: &[u8]) -> bool {
        Interpreter::is_valid_end(self, state)
    }

    fn transitions(&self) -> usize {
        self.program().transitions.len()
    }

    #[inline]
    fn cover(&self, state: &[u8], step: Step, covered: &mut [bool]) {
        note(&mut covered[step.transition.index()]);
        if step.choice != 0
            && let Some((_, transition)) = self.partner(state, step)
        {
            note(&mut covered[transition.index()]);
        }
    }

    fn work(&self) -> u64 {
        self.instructions_of_long_steps() / INSTRUCTIONS_OF_A_STEP
    }

    fn context(&self) -> Vec<u8> {
        self.shapes().save()
    }

    fn restore(&self, context: &[u8]) -> bool {
        self.shapes().restore(context)
    }

    fn names(&self) -> usize {
        self.shapes().count()
    }

    fn learn(&self, context: &[u8], numbers: &mut Vec<u16>) -> bool {
        self.shapes().learn(context, numbers)
    }

    #[inline]
    fn rename(&self, state: &mut [u8], numbers: &[u16]) -> bool {
        let Some((first, _)) = state.split_first_chunk_mut() else {
            return false;
        };
        match numbers.get(u16::from_le_bytes(*first) as usize) {
            Some(number) => *first = number.to_le_bytes(),
            None => return false,
        }
        true
    }

    #[inline]
    fn essence(&self, state: &[u8]) -> (u64, usize) {
        (self.shapes().of(state).essence, 2)
    }

    fn is_state(&self, state: &[u8]) -> bool {
        Interpreter::is_state(self, state)
    }

    fn is_dead_end(failure: &Failure) -> bool {
        matches!(failure, Failure::Fault(fault) if fault.is_limit())
    }

    fn traffic(&self, step: Step) -> Traffic {
        if step.partner().is_some() {
            return Traffic::Neither;
        }
        let program = self.program();
        let effect = program.transitions[step.transition.index()].effect.clone();
        let code = &program.code[effect.start as usize..effect.end as usize];
        let message = code.iter().find_map(|instruction| match instruction {
            Instruction::Send(_) => Some(Traffic::Sends),
            Instruction::Receive(_) => Some(Traffic::Receives),
            _ => None,
        });
        message.unwrap_or(Traffic::Neither)
    }
}

/// Writes only what is new: the notes of two workers may lie in one line of the cache.
#[inline]
fn note(covered: &mut bool) {
    if !*covered {
        *covered = true;
    }
}
