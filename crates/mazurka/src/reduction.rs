//! Which reduction a check runs with.

use mazurka_model::{Interpreter, Step};
use mazurka_reduce::{Stubborn, hold_local_runs, reset_dead_variables};
use mazurka_search::Reduction;

use crate::arguments::{self, CheckArguments, Dependency, Order, Property, Switch};
use crate::trouble::Trouble;
use crate::watched::Watched;

/// The reduction that a check runs with.
#[derive(Debug)]
pub struct Chosen(Option<Stubborn>);

impl Chosen {
    /// What was asked for, if it is sound for the model. Until reductions have been compared with
    /// the full search for longer, `auto` is none.
    pub fn of(arguments: &CheckArguments, interpreter: &Interpreter) -> Result<Chosen, Trouble> {
        if arguments.reduce != arguments::Reduction::Stubborn {
            return Ok(Chosen(None));
        }
        let refined = arguments.dependency != Some(Dependency::Constant);
        match Stubborn::new(interpreter, refined) {
            Ok(stubborn) => Ok(Chosen(Some(stubborn))),
            Err(unsupported) => Err(Trouble::Usage(format!(
                "--reduce stubborn is not sound for this model: it uses {}",
                unsupported.0
            ))),
        }
    }

    /// How it is called.
    pub fn name(&self) -> &'static str {
        match self.0 {
            Some(_) => "stubborn",
            None => "none",
        }
    }
}

/// The program with fewer states to store, unless `--optimize off` is given. Its steps are those of
/// the original, which is what scenarios are replayed in.
pub fn optimised(arguments: &CheckArguments, interpreter: &Interpreter) -> Option<Interpreter> {
    if arguments.optimize == Switch::Off {
        return None;
    }
    let mut program = interpreter.program().clone();
    let mut changes = reset_dead_variables(&mut program);
    // A run of local steps counts as one, which is not what a shortest scenario means.
    if arguments.search != Order::BreadthFirst {
        changes += hold_local_runs(&mut program);
    }
    (changes > 0).then(|| Interpreter::new(program))
}

/// Must every step be explored, sooner or later? Not if only deadlocks are asked for.
pub fn needs_proviso(arguments: &CheckArguments) -> bool {
    arguments.property != Property::Deadlock
}

impl Reduction<Watched<'_>> for Chosen {
    #[inline]
    fn select(&mut self, system: &Watched<'_>, state: &[u8], steps: &mut [Step]) -> usize {
        match &mut self.0 {
            Some(stubborn) => stubborn.select(system.interpreter, state, steps),
            None => steps.len(),
        }
    }

    fn widen(
        &mut self,
        system: &Watched<'_>,
        state: &[u8],
        steps: &mut [Step],
        chosen: usize,
    ) -> usize {
        match &mut self.0 {
            Some(stubborn) => stubborn.widen(system.interpreter, state, steps, chosen),
            None => steps.len(),
        }
    }

    fn independent(&mut self, system: &Watched<'_>, state: &[u8], a: Step, b: Step) -> bool {
        match &mut self.0 {
            Some(stubborn) => stubborn.independent(system.interpreter, state, a, b),
            None => false,
        }
    }
}
