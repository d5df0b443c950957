//! Formulas of temporal logic.

use mazurka_ltl::Formula;
use mazurka_model::{BinaryOperator, Expression};

use crate::Property;
use crate::network::Claim;

use super::Lowering;

impl Lowering<'_> {
    /// The formulas with their atoms as expressions.
    ///
    /// A formula is about executions from an initial global state. Where one is chosen by a step of its
    /// own, the formula f becomes `!started W (started && f)`, which does not ask for the next state, so
    /// that it can be reduced as well as f.
    pub(super) fn formulas(&mut self) -> Vec<Property> {
        let mut properties = Vec::new();
        for formula in &self.network.formulas {
            let atoms = formula.atoms.iter();
            let mut atoms: Vec<_> = atoms.map(|atom| self.claim(&Claim::Atom(*atom))).collect();
            let mut lowered = formula.formula.clone();
            if self.several_starts {
                let started = || Box::new(Formula::Atom(atoms.len() as u32));
                let after = Formula::And(started(), lowered.into());
                lowered = Formula::WeakUntil(Formula::Not(started()).into(), after.into());
                let count = self.builder.expression(Expression::ProcessCount);
                let one = self.builder.constant(1);
                let many = Expression::Binary(BinaryOperator::Greater, count, one);
                atoms.push(self.builder.expression(many));
            }
            properties.push(Property {
                name: formula.name.clone(),
                formula: lowered,
                atoms,
                words: Vec::new(),
                text: self.words.text(formula.span),
                start: formula.span.start,
            });
        }
        properties
    }
}
