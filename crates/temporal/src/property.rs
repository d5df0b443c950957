//! A formula about a system.

use mazurka_ltl::Formula;
use mazurka_model::ExpressionId;

/// A formula, and what its atoms mean in the program: all that a notation has to give.
#[derive(Clone, PartialEq, Debug)]
pub struct Property {
    /// Its name.
    pub name: String,
    /// The formula.
    pub formula: Formula,
    /// For each atom, the expression that says whether it is true of a state.
    pub atoms: Vec<ExpressionId>,
    /// How it is written.
    pub text: String,
}
