//! `mazurka ltl`: prints the Büchi automaton of a formula.

use mazurka_ltl::{dot, formula_text, hoa, never, parse, text, translate};

use crate::Exit;
use crate::arguments::{AutomatonForm, LtlArguments};
use crate::terminal::print;
use crate::trouble::Trouble;

/// Runs the command.
pub fn ltl(arguments: &LtlArguments) -> Result<Exit, Trouble> {
    let wrong = |error: &dyn std::fmt::Display| {
        Trouble::Usage(format!("the formula {}: {error}", arguments.formula))
    };
    let (formula, atoms) = parse(&arguments.formula).map_err(|error| wrong(&error))?;
    let automaton = translate(&formula).map_err(|error| wrong(&error))?;
    let name = formula_text(&formula, &atoms);
    print(&match arguments.form {
        AutomatonForm::Text => text(&automaton, &atoms),
        AutomatonForm::Dot => dot(&automaton, &atoms),
        AutomatonForm::Hoa => hoa(&automaton, &name, &atoms),
        AutomatonForm::Never => never(&automaton, &name, &atoms),
    })?;
    Ok(Exit::Holds)
}
