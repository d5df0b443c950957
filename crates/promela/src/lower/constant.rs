//! Constants that must be known before the model runs: lengths, sizes, counts, priorities.

use crate::ast::{Expr, ExprKind};

use super::Lowerer;
use super::problem;

impl Lowerer<'_> {
    /// The value of a constant expression; an error is reported if there is none.
    pub(super) fn constant_value(&mut self, expr: &Expr) -> Option<i32> {
        let value = self.try_constant(expr);
        if value.is_none() && !matches!(expr.kind, ExprKind::Error) {
            self.error(
                problem::NOT_CONSTANT,
                expr.span,
                "a constant is needed here",
            );
        }
        value
    }

    /// A constant between two bounds.
    pub(super) fn bounded_constant(
        &mut self,
        expr: &Expr,
        what: &str,
        least: i32,
        most: i32,
    ) -> Option<i32> {
        let value = self.constant_value(expr)?;
        if value < least || value > most {
            let message = format!("{what} must be between {least} and {most}, not {value}");
            self.error(problem::BAD_BOUND, expr.span, message);
            return None;
        }
        Some(value)
    }

    /// The value of an expression of constants; a variable counts as the constant it starts with, as in SPIN.
    pub(super) fn try_constant(&self, expr: &Expr) -> Option<i32> {
        match &expr.kind {
            ExprKind::Number(number) => Some(number.value),
            ExprKind::Variable(reference) => {
                let name = reference.as_plain_name()?;
                if let Some((value, _)) = self.names.constants.get(&name.text) {
                    return Some(*value);
                }
                self.names.globals.find(&name.text)?.constant
            }
            ExprKind::Unary { operator, operand } => {
                let value = self.try_constant(operand)?;
                Some(operator.apply(value))
            }
            ExprKind::Binary {
                operator,
                left,
                right,
            } => {
                let left = self.try_constant(left)?;
                let right = self.try_constant(right)?;
                operator.apply(left, right)
            }
            _ => None,
        }
    }
}
