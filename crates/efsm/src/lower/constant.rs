//! Values that must be known before the system runs.

use std::sync::Arc;

use mazurka_span::Span;
use mazurka_syntax::Lower;

use super::{Lowerer, Type};
use crate::ast::{Binary, Expression, ExpressionKind, Unary};
use crate::codes;

impl Lowerer<'_> {
    /// The value of an expression over constants, and a variable that counts instances.
    pub(super) fn evaluate(
        &mut self,
        expression: &Expression,
        counter: Option<(&str, i32)>,
    ) -> Option<i32> {
        match &expression.kind {
            ExpressionKind::Number(value) => Some(*value),
            ExpressionKind::Truth(value) => Some(i32::from(*value)),
            ExpressionKind::Name(name) => {
                if let Some((counter, value)) = counter
                    && counter == &**name
                {
                    return Some(value);
                }
                match self.constants.get(name) {
                    Some((value, _)) => Some(*value),
                    None => self.not_constant(expression.span),
                }
            }
            ExpressionKind::Unary(operator, operand) => {
                let value = self.evaluate(operand, counter)?;
                match operator {
                    Unary::Value(operator) => Some(operator.apply(value)),
                    _ => self.not_constant(expression.span),
                }
            }
            ExpressionKind::Binary(operator, left, right) => {
                let left = self.evaluate(left, counter)?;
                let right = self.evaluate(right, counter)?;
                self.apply(*operator, left, right, expression.span)
            }
            ExpressionKind::Wrong => None,
            _ => self.not_constant(expression.span),
        }
    }

    fn not_constant(&mut self, span: Span) -> Option<i32> {
        let message = "this must be known before the system runs, so only constants can be used";
        self.error(codes::NOT_CONSTANT, span, message);
        None
    }

    fn apply(&mut self, operator: Binary, left: i32, right: i32, span: Span) -> Option<i32> {
        let Binary::Value(operator) = operator else {
            return self.not_constant(span);
        };
        let value = operator.apply(left, right);
        if value.is_none() {
            self.error(codes::DIVISION_BY_ZERO, span, "division by zero");
        }
        value
    }

    /// The same, as a number of things: at least `least`, and not more than `most`.
    pub(super) fn amount(
        &mut self,
        expression: &Expression,
        what: &str,
        least: i32,
        most: i32,
    ) -> u32 {
        let Some(value) = self.evaluate(expression, None) else {
            return least as u32;
        };
        if !(least..=most).contains(&value) {
            let message = format!("{what} must be from {least} to {most}, not {value}");
            self.error(codes::OUT_OF_RANGE, expression.span, message);
            return least as u32;
        }
        value as u32
    }

    /// An argument of an instance: a number, or another instance.
    pub(super) fn argument(
        &mut self,
        expression: &Expression,
        counter: Option<(&str, i32)>,
        wanted: Type,
    ) -> i32 {
        let Type::Machine(machine) = wanted else {
            return self.evaluate(expression, counter).unwrap_or(0);
        };
        let (name, index) = match &expression.kind {
            ExpressionKind::Name(name) => (name, None),
            ExpressionKind::Index(name, index) => (&name.text, Some(index)),
            _ => {
                let message = "an instance is needed here";
                self.error(codes::WRONG_TYPE, expression.span, message);
                return 0;
            }
        };
        let Some(found) = self.instances.get(name).copied() else {
            let known: Vec<Arc<str>> = self.instances.keys().cloned().collect();
            let known = known.iter().map(|name| &**name);
            self.unknown(expression.span, "there is no instance", name, known);
            return 0;
        };
        self.expect_type(
            expression.span,
            Type::Machine(found.machine),
            Type::Machine(machine),
        );
        let offset = match (found.count, index) {
            (None, None) => 0,
            (Some(count), Some(index)) => {
                let value = self.evaluate(index, counter).unwrap_or(0);
                if !(0..count as i32).contains(&value) {
                    let message = format!("there is no {name}[{value}]: there are {count}");
                    self.error(codes::OUT_OF_RANGE, expression.span, message);
                    return 0;
                }
                value
            }
            (None, Some(_)) => {
                let message = format!("`{name}` is one instance, not an array of them");
                self.error(codes::NOT_AN_ARRAY, expression.span, message);
                0
            }
            (Some(_), None) => {
                let message = format!("`{name}` is an array of instances: which one?");
                self.error(codes::NOT_AN_ARRAY, expression.span, message);
                0
            }
        };
        found.first as i32 + offset
    }
}
