//! Which reduction a check runs with.

use mazurka_model::{Interpreter, Step};
use mazurka_reduce::{
    Chooser, Independence, Information, Persistent, Processors, Runs, Stubborn, Unsupported,
    hold_local_runs, reset_dead_variables,
};
use mazurka_search::Reduction;

use crate::arguments::{self, CheckArguments, Dependency, Footprint, Property, Switch};
use crate::trouble::Trouble;
use crate::watched::Watched;

/// The reduction that a check runs with.
#[derive(Debug)]
pub struct Chosen {
    chooser: Chooser,
    name: &'static str,
}

impl Chosen {
    /// What was asked for, if it is sound for the model; `auto` is the best that is.
    pub fn of(arguments: &CheckArguments, interpreter: &Interpreter) -> Result<Chosen, Trouble> {
        let asked = match arguments.reduce {
            // Sets of steps are not chosen among steps.
            arguments::Reduction::Simultaneous => arguments::Reduction::None,
            arguments::Reduction::Auto if !arguments.may_reduce() => arguments::Reduction::None,
            arguments::Reduction::Auto if has_machines(interpreter) => {
                arguments::Reduction::Persistent
            }
            arguments::Reduction::Auto => arguments::Reduction::Stubborn,
            asked => asked,
        };
        let refined = arguments.dependency != Some(Dependency::Constant);
        let information = information(arguments);
        let overflow = matches!(
            arguments.property,
            Property::All | Property::Safety | Property::Overflow
        );
        let chooser = match chooser(asked, interpreter, refined, information, overflow) {
            // Nothing is chosen, but what is independent must be known.
            Ok(Chooser::All) if arguments.sleep == Some(Switch::On) => {
                Independence::new(interpreter, refined).map(Chooser::Independence)
            }
            chooser => chooser,
        };
        match chooser {
            Ok(chooser) => Ok(Chosen {
                chooser,
                name: asked.name(),
            }),
            Err(_) if arguments.reduce == arguments::Reduction::Auto => Ok(Chosen {
                chooser: Chooser::All,
                name: arguments::Reduction::None.name(),
            }),
            Err(unsupported) => {
                let option = match asked {
                    arguments::Reduction::None => "--sleep on".into(),
                    asked => format!("--reduce {}", asked.name()),
                };
                Err(Trouble::Usage(format!(
                    "{option} is not sound for this model: it uses {}",
                    unsupported.0
                )))
            }
        }
    }

    /// How it is called.
    pub fn name(&self) -> &'static str {
        self.name
    }
}

fn information(arguments: &CheckArguments) -> Information {
    match arguments.footprint {
        Some(Footprint::Machine) => Information::Machine,
        Some(Footprint::State) => Information::State,
        Some(Footprint::Run) | None => Information::Run,
    }
}

/// How the reduction that is asked for chooses, for temporal properties; an overflow on the way must be found.
pub fn chooser_for(
    arguments: &CheckArguments,
    interpreter: &Interpreter,
) -> Result<Chooser, Unsupported> {
    let refined = arguments.dependency != Some(Dependency::Constant);
    let information = information(arguments);
    let asked = match arguments.reduce {
        arguments::Reduction::Auto => arguments::Reduction::Stubborn,
        asked => asked,
    };
    chooser(asked, interpreter, refined, information, true)
}

/// Is there a reduction of the kind that is asked for, for this kind of model?
pub fn refuse_unknown(
    arguments: &CheckArguments,
    interpreter: &Interpreter,
) -> Result<(), Trouble> {
    let persistent = matches!(
        arguments.reduce,
        arguments::Reduction::Auto | arguments::Reduction::Persistent
    );
    let constant = arguments.dependency == Some(Dependency::Constant);
    if persistent && constant && has_machines(interpreter) {
        let message = "--dependency constant does not go with persistent sets of machines, which \
                       are made of refined dependencies; --reduce stubborn has both";
        return Err(Trouble::Usage(message.into()));
    }
    Ok(())
}

/// How a reduction of that name, with its defaults, chooses; all steps if it is none.
pub fn chooser_of(
    asked: arguments::Reduction,
    interpreter: &Interpreter,
) -> Result<Chooser, Trouble> {
    chooser(asked, interpreter, true, Information::Run, true).map_err(|unsupported| {
        let name = asked.name();
        let reason = unsupported.0;
        Trouble::Usage(format!(
            "--reduce {name} is not sound for this model: it uses {reason}"
        ))
    })
}

fn chooser(
    asked: arguments::Reduction,
    interpreter: &Interpreter,
    refined: bool,
    information: Information,
    overflow: bool,
) -> Result<Chooser, Unsupported> {
    Ok(match asked {
        arguments::Reduction::Stubborn => {
            Chooser::Stubborn(Box::new(Stubborn::new(interpreter, refined)?))
        }
        // The agents of a network of machines are its processors.
        arguments::Reduction::Persistent if has_machines(interpreter) => {
            let processors = Processors::new(interpreter, information, overflow)?;
            Chooser::Processors(Box::new(processors))
        }
        arguments::Reduction::Persistent => {
            Chooser::Persistent(Persistent::new(interpreter, refined, information)?)
        }
        arguments::Reduction::Ample => {
            Chooser::Persistent(Persistent::ample(interpreter, refined)?)
        }
        _ => Chooser::All,
    })
}

/// Is it a network of machines? One transition of a machine is one step already, and it has no
/// variables: there is nothing to merge or to reset.
fn has_machines(interpreter: &Interpreter) -> bool {
    let mut types = interpreter.program().process_types.iter();
    types.any(|process| process.machine)
}

/// The program with fewer states to store, as far as the switches allow it. Its steps are those of
/// the original, which is what scenarios are replayed in.
pub fn optimised(arguments: &CheckArguments, interpreter: &Interpreter) -> Option<Interpreter> {
    let is_on = |switch: Option<Switch>| switch.unwrap_or(arguments.optimize) == Switch::On;
    if has_machines(interpreter) || interpreter.program().monitor.is_some() {
        return None;
    }
    let mut program = interpreter.program().clone();
    let mut changes = 0;
    if is_on(arguments.reset) {
        changes += reset_dead_variables(&mut program);
    }
    // A run of local steps counts as one, which is not what a shortest scenario means.
    if !arguments.counts_steps() {
        if is_on(arguments.merge) {
            changes += hold_local_runs(&mut program, Runs::Straight);
        }
        if is_on(arguments.collapse) {
            changes += hold_local_runs(&mut program, Runs::Any);
        }
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
        self.chooser.select(system.interpreter, state, steps)
    }

    fn widen(
        &mut self,
        system: &Watched<'_>,
        state: &[u8],
        steps: &mut [Step],
        chosen: usize,
    ) -> usize {
        self.chooser.widen(system.interpreter, state, steps, chosen)
    }

    fn independent(&mut self, system: &Watched<'_>, state: &[u8], a: Step, b: Step) -> bool {
        self.chooser.independent(system.interpreter, state, a, b)
    }

    fn reduces(&self) -> bool {
        self.chooser.reduces()
    }

    fn is_idle(&self) -> bool {
        self.chooser.is_idle()
    }
}
