//! What a model says of its executions.

use crate::Formula;

/// A formula, and what its atoms mean: all that a notation has to give.
#[derive(Clone, PartialEq, Debug)]
pub struct Property<Atom> {
    /// Its name.
    pub name: String,
    /// The formula.
    pub formula: Formula,
    /// For each atom, what says whether it is true of a state.
    pub atoms: Vec<Atom>,
    /// How each atom is written, where the notation knows that better than the expression that it became.
    pub words: Vec<String>,
    /// How it is written.
    pub text: String,
    /// The byte of the sources at which it begins.
    pub start: u32,
}
