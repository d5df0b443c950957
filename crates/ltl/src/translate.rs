//! The whole way from a formula to an automaton.

use std::fmt;

use crate::buchi::Buchi;
use crate::degeneralise::degeneralise;
use crate::formula::Formula;
use crate::generalised::generalised;
use crate::normal::Nodes;
use crate::simulation;

/// The automaton of a formula would be too large.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl fmt::Display for TooLarge {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("the automaton of the formula is too large")
    }
}

impl std::error::Error for TooLarge {}

/// Makes an automaton that accepts exactly the words on which a formula is true.
pub fn translate(formula: &Formula) -> Result<Buchi, TooLarge> {
    let mut nodes = Nodes::default();
    let normal = nodes.normal(formula, true);
    let mut automaton = generalised(&nodes, normal).ok_or(TooLarge)?;
    simulation::reduce(&mut automaton);
    Ok(Buchi::new(&degeneralise(&automaton)))
}
