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

/// Why there is no automaton of a formula.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Untranslated {
    /// It would be too large.
    TooLarge,
    /// Whoever asked for it did not want to wait any longer.
    Stopped,
}

/// Says when to give up.
#[derive(Clone, Copy)]
pub struct Patience<'p>(&'p dyn Fn() -> bool);

impl Patience<'_> {
    /// Is it over? To be asked within any work that may take long.
    pub fn check(self) -> Result<(), Untranslated> {
        match (self.0)() {
            true => Err(Untranslated::Stopped),
            false => Ok(()),
        }
    }
}

/// Makes an automaton that accepts exactly the words on which a formula is true.
pub fn translate(formula: &Formula) -> Result<Buchi, TooLarge> {
    translate_until(formula, &|| false).map_err(|_| TooLarge)
}

/// The same, but gives up as soon as `is_over` says so.
pub fn translate_until(
    formula: &Formula,
    is_over: &dyn Fn() -> bool,
) -> Result<Buchi, Untranslated> {
    let patience = Patience(is_over);
    let mut nodes = Nodes::default();
    let normal = nodes.normal(formula, true);
    let mut automaton = generalised(&nodes, normal, patience)?;
    simulation::reduce(&mut automaton, patience)?;
    Ok(Buchi::new(&degeneralise(&automaton, patience)?))
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn it_is_given_up_when_told() {
        let boxes = (0..11).map(|atom| Formula::Always(Formula::Atom(atom).into()));
        let formula = boxes
            .reduce(|one, other| Formula::Or(one.into(), other.into()))
            .expect("there are some");
        let asked = Cell::new(0);
        let over = || {
            asked.set(asked.get() + 1);
            asked.get() > 1000
        };
        let given_up = translate_until(&formula.negation(), &over);
        assert_eq!(given_up, Err(Untranslated::Stopped));
        assert_eq!(asked.get(), 1001);
    }
}
