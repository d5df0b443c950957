//! Comparisons that can only come out one way, since the number is none that the variable can hold.
//!
//! `x == 300` of a byte is never true. `x < 256`, which is always true, says that a bound was thought of: nothing is said about it.

use mazurka_span::Diagnostic;

use super::values::{Range, computed};
use super::{TOO_WIDE, warn};
use crate::ast::{BinaryOperator, Expr, ExprKind, Formula, FormulaKind, VariableRef};

/// Looks through a condition.
pub(super) fn look(
    expr: &Expr,
    range_of: &dyn Fn(&VariableRef) -> Option<Range>,
    found: &mut Vec<Diagnostic>,
) {
    match &expr.kind {
        ExprKind::Unary { operand, .. } => look(operand, range_of, found),
        ExprKind::Binary {
            operator,
            left,
            right,
        } => {
            let compared = match (&left.kind, &right.kind) {
                (ExprKind::Variable(variable), _) => Some((variable, *operator, &**right)),
                (_, ExprKind::Variable(variable)) => Some((variable, turned(*operator), &**left)),
                _ => None,
            };
            let known = compared.and_then(|(variable, operator, value)| {
                Some((range_of(variable)?, operator, computed(value)?))
            });
            let Some((range, operator, number)) = known else {
                look(left, range_of, found);
                look(right, range_of, found);
                return;
            };
            let is_doubtful = match operator {
                BinaryOperator::Equal | BinaryOperator::NotEqual => !range.has(number),
                BinaryOperator::Less | BinaryOperator::LessEqual => number < range.least,
                BinaryOperator::Greater | BinaryOperator::GreaterEqual => number > range.greatest,
                _ => false,
            };
            if is_doubtful {
                let always = operator == BinaryOperator::NotEqual;
                let (least, greatest, one) = (range.least, range.greatest, range.one());
                let message = format!(
                    "this is {} true: {one} holds {least} to {greatest}, never {number}",
                    if always { "always" } else { "never" },
                );
                warn(found, TOO_WIDE, expr.span, message);
            }
        }
        _ => {}
    }
}

/// Looks through the conditions of a formula.
pub(super) fn look_at_formula(
    formula: &Formula,
    range_of: &dyn Fn(&VariableRef) -> Option<Range>,
    found: &mut Vec<Diagnostic>,
) {
    match &formula.kind {
        FormulaKind::Atom(expr) => look(expr, range_of, found),
        FormulaKind::Not(operand)
        | FormulaKind::Next(operand)
        | FormulaKind::Always(operand)
        | FormulaKind::Eventually(operand) => look_at_formula(operand, range_of, found),
        FormulaKind::Binary { left, right, .. } => {
            look_at_formula(left, range_of, found);
            look_at_formula(right, range_of, found);
        }
    }
}

/// The operator with its operands exchanged.
fn turned(operator: BinaryOperator) -> BinaryOperator {
    match operator {
        BinaryOperator::Less => BinaryOperator::Greater,
        BinaryOperator::LessEqual => BinaryOperator::GreaterEqual,
        BinaryOperator::Greater => BinaryOperator::Less,
        BinaryOperator::GreaterEqual => BinaryOperator::LessEqual,
        same => same,
    }
}
