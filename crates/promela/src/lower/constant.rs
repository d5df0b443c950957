//! Constants that must be known before the model runs: lengths, sizes, counts, priorities.

use crate::ast::{BinaryOperator, Expr, ExprKind, UnaryOperator};

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
                if let Some((value, _)) = self.constants.get(&name.text) {
                    return Some(*value);
                }
                self.globals.find(&name.text)?.constant
            }
            ExprKind::Unary { operator, operand } => {
                let value = self.try_constant(operand)?;
                Some(match operator {
                    UnaryOperator::Not => i32::from(value == 0),
                    UnaryOperator::Minus => value.wrapping_neg(),
                    UnaryOperator::Complement => !value,
                })
            }
            ExprKind::Binary {
                operator,
                left,
                right,
            } => {
                let left = self.try_constant(left)?;
                let right = self.try_constant(right)?;
                binary(*operator, left, right)
            }
            _ => None,
        }
    }
}

fn binary(operator: BinaryOperator, left: i32, right: i32) -> Option<i32> {
    Some(match operator {
        BinaryOperator::Add => left.wrapping_add(right),
        BinaryOperator::Subtract => left.wrapping_sub(right),
        BinaryOperator::Multiply => left.wrapping_mul(right),
        BinaryOperator::Divide => left.checked_div(right)?,
        BinaryOperator::Remainder => left.checked_rem(right)?,
        BinaryOperator::Or => i32::from(left != 0 || right != 0),
        BinaryOperator::And => i32::from(left != 0 && right != 0),
        BinaryOperator::BitOr => left | right,
        BinaryOperator::BitXor => left ^ right,
        BinaryOperator::BitAnd => left & right,
        BinaryOperator::Equal => i32::from(left == right),
        BinaryOperator::NotEqual => i32::from(left != right),
        BinaryOperator::Less => i32::from(left < right),
        BinaryOperator::LessEqual => i32::from(left <= right),
        BinaryOperator::Greater => i32::from(left > right),
        BinaryOperator::GreaterEqual => i32::from(left >= right),
        BinaryOperator::ShiftLeft => left.wrapping_shl(right as u32),
        BinaryOperator::ShiftRight => left.wrapping_shr(right as u32),
    })
}
