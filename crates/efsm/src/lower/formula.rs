//! Formulas of temporal logic over conditions on a state.

use std::collections::HashMap;

use mazurka_ltl::{Formula, MOST_ATOMS};
use mazurka_model::{Expression, ExpressionId};
use mazurka_span::Span;

use super::Lowerer;
use crate::ast::{self, Binary, BinaryOperator, ExpressionKind, Unary, UnaryOperator};
use crate::{Property, codes};

impl Lowerer<'_> {
    pub(super) fn formulas(&mut self) {
        let model = self.model;
        let mut names: HashMap<&str, Span> = HashMap::new();
        for formula in &model.formulas {
            self.declared_once(&mut names, &formula.name);
            let property = self.formula(formula);
            self.formulas.push(property);
        }
    }

    fn formula(&mut self, formula: &ast::Formula) -> Property {
        let mut atoms = Vec::new();
        let lowered = self.formula_part(&formula.body, &mut atoms);
        if atoms.len() > MOST_ATOMS {
            let message = format!("a formula with more than {MOST_ATOMS} different conditions");
            self.error(codes::TOO_LARGE, formula.body.span, message);
        }
        Property {
            name: formula.name.to_string(),
            formula: lowered,
            atoms: atoms
                .into_iter()
                .map(|(_, expression)| expression)
                .collect(),
            text: self.text(formula.body.span),
        }
    }

    /// A part of a formula. What has no temporal operator on top and does not join formulas is a
    /// condition on a state; those that are written alike are one atom.
    fn formula_part(
        &mut self,
        part: &ast::Expression,
        atoms: &mut Vec<(String, ExpressionId)>,
    ) -> Formula {
        let mut inside = |part: &ast::Expression| Box::new(self.formula_part(part, atoms));
        match &part.kind {
            ExpressionKind::Unary(Unary::Value(UnaryOperator::Not), operand) => {
                Formula::Not(inside(operand))
            }
            ExpressionKind::Unary(Unary::Always, operand) => Formula::Always(inside(operand)),
            ExpressionKind::Unary(Unary::Eventually, operand) => {
                Formula::Eventually(inside(operand))
            }
            ExpressionKind::Unary(Unary::Next, operand) => Formula::Next(inside(operand)),
            ExpressionKind::Binary(operator, left, right) if joins(*operator) => {
                let (left, right) = (inside(left), inside(right));
                match operator {
                    Binary::Value(BinaryOperator::And) => Formula::And(left, right),
                    Binary::Value(BinaryOperator::Or) => Formula::Or(left, right),
                    Binary::Implies => Formula::Implies(left, right),
                    Binary::Equivalent => Formula::Equivalent(left, right),
                    Binary::Until => Formula::Until(left, right),
                    Binary::WeakUntil => Formula::WeakUntil(left, right),
                    _ => Formula::Release(left, right),
                }
            }
            _ => {
                let condition = self.condition(None, part);
                if let Expression::Constant(value) = self.program.expressions[condition.index()] {
                    return Formula::Constant(value != 0);
                }
                let text = self.text(part.span);
                let known = atoms.iter().position(|(known, _)| *known == text);
                let number = known.unwrap_or_else(|| {
                    atoms.push((text, condition));
                    atoms.len() - 1
                });
                // Too many are reported by the caller.
                Formula::Atom(number.min(MOST_ATOMS - 1) as u32)
            }
        }
    }
}

/// Does an operator make a formula of two formulas?
fn joins(operator: Binary) -> bool {
    operator.is_temporal()
        || matches!(
            operator,
            Binary::Value(BinaryOperator::And)
                | Binary::Value(BinaryOperator::Or)
                | Binary::Implies
                | Binary::Equivalent
        )
}
