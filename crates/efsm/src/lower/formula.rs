//! Formulas of temporal logic over conditions on a state.

use std::collections::HashMap;

use mazurka_ltl::Formula;
use mazurka_model::ExpressionId;
use mazurka_span::{Code, Span};
use mazurka_syntax::{LowerFormulas, Part};

use super::Lowerer;
use crate::ast::{self, Binary, BinaryOperator, ExpressionKind, Unary, UnaryOperator};
use crate::codes;

impl Lowerer<'_> {
    pub(super) fn formulas(&mut self) {
        let model = self.model;
        let mut names: HashMap<&str, Span> = HashMap::new();
        for formula in &model.formulas {
            self.declared_once(&mut names, &formula.name);
            let property = self.property(&formula.name, &formula.body);
            self.formulas.push(property);
        }
    }
}

impl<'a> LowerFormulas<'a> for Lowerer<'a> {
    type Expression = ast::Expression;
    const TOO_LARGE: Code = codes::TOO_LARGE;

    fn part(expression: &ast::Expression) -> Part<'_, ast::Expression> {
        match &expression.kind {
            ExpressionKind::Unary(operator, operand) => Part::Unary(
                match operator {
                    Unary::Value(UnaryOperator::Not) => Formula::Not,
                    Unary::Always => Formula::Always,
                    Unary::Eventually => Formula::Eventually,
                    Unary::Next => Formula::Next,
                    Unary::Value(_) => return Part::Condition,
                },
                operand,
            ),
            ExpressionKind::Binary(operator, left, right) => Part::Binary(
                match operator {
                    Binary::Value(BinaryOperator::And) => Formula::And,
                    Binary::Value(BinaryOperator::Or) => Formula::Or,
                    Binary::Implies => Formula::Implies,
                    Binary::Equivalent => Formula::Equivalent,
                    Binary::Until => Formula::Until,
                    Binary::WeakUntil => Formula::WeakUntil,
                    Binary::Release => Formula::Release,
                    Binary::Value(_) => return Part::Condition,
                },
                left,
                right,
            ),
            _ => Part::Condition,
        }
    }

    fn span(expression: &ast::Expression) -> Span {
        expression.span
    }

    fn condition_of(&mut self, expression: &ast::Expression) -> ExpressionId {
        self.condition(None, expression)
    }
}
