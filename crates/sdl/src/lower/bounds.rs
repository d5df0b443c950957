//! What a number can be, by the types of what it is made of: where a result certainly fits into 32 bits, nothing has to be looked at.
//!
//! Integers have no bounds in Z.100 (annex D). A result that does not fit is an error of the model, here and in the export.

use super::{Lowerer, Type, key};
use crate::ast::{Binary, BinaryOperator, Expression, ExpressionKind, Unary, UnaryOperator};

/// The least and the greatest value.
pub(super) type Bounds = (i64, i64);

const ALL: Bounds = (i32::MIN as i64, i32::MAX as i64);
const TRUTH: Bounds = (0, 1);
/// Of instances, literals and lengths of queues.
const FEW: Bounds = (0, 10_000);

/// May a result not fit into 32 bits?
pub(super) fn may_overflow(operator: BinaryOperator, left: Bounds, right: Bounds) -> bool {
    let (low, high) = result(operator, left, right);
    low < ALL.0 || high > ALL.1
}

impl Lowerer<'_> {
    /// What an expression can be where it has a value. It has been put in its place, and its types are right.
    pub(super) fn bounds(&self, process: Option<usize>, expression: &Expression) -> Bounds {
        let of = |part: &Expression| self.bounds(process, part);
        let one = |value: i32| (i64::from(value), i64::from(value));
        match &expression.kind {
            ExpressionKind::Number(value) => one(*value),
            ExpressionKind::Text(text) => one(text.chars().next().map_or(0, |c| c as i32)),
            ExpressionKind::Truth(_)
            | ExpressionKind::Active(..)
            | ExpressionKind::At(..)
            | ExpressionKind::Unary(Unary::Value(UnaryOperator::Not), _) => TRUTH,
            ExpressionKind::Null
            | ExpressionKind::Own
            | ExpressionKind::Sender
            | ExpressionKind::Parent
            | ExpressionKind::Offspring
            | ExpressionKind::Length(_) => FEW,
            ExpressionKind::Name(name) | ExpressionKind::Element(name, _) => {
                let local = process.and_then(|p| self.processes[p].variables.get(&key(name)));
                match (local, self.constants.get(&key(name))) {
                    (Some(local), _) => bounds_of(local.type_),
                    (None, Some((value, _))) => one(*value),
                    (None, None) => ALL,
                }
            }
            ExpressionKind::Applied(inner, values) if values.is_empty() => of(inner),
            ExpressionKind::Unary(Unary::Value(UnaryOperator::Minus), inner) => {
                clipped(result(BinaryOperator::Subtract, (0, 0), of(inner)))
            }
            ExpressionKind::Binary(Binary::Value(operator), left, right) => {
                clipped(result(*operator, of(left), of(right)))
            }
            ExpressionKind::Binary(Binary::Modulo, _, right) => (0, size(of(right)) - 1),
            ExpressionKind::Binary(..) => TRUTH,
            ExpressionKind::Conditional(_, yes, no) => {
                let (yes, no) = (of(yes), of(no));
                (yes.0.min(no.0), yes.1.max(no.1))
            }
            _ => ALL,
        }
    }
}

/// The values of a type.
fn bounds_of(type_: Type) -> Bounds {
    match type_ {
        Type::Boolean => TRUTH,
        Type::Integer(Some((low, high))) => (i64::from(low), i64::from(high)),
        Type::Pid | Type::Character | Type::Literal(_) => FEW,
        Type::Integer(None) | Type::Unknown => ALL,
    }
}

/// The largest value without its sign.
fn size((low, high): Bounds) -> i64 {
    low.abs().max(high.abs())
}

fn clipped((low, high): Bounds) -> Bounds {
    (low.clamp(ALL.0, ALL.1), high.clamp(ALL.0, ALL.1))
}

/// What a result can be if nothing bounds it.
fn result(operator: BinaryOperator, left: Bounds, right: Bounds) -> Bounds {
    match operator {
        BinaryOperator::Add => (left.0 + right.0, left.1 + right.1),
        BinaryOperator::Subtract => (left.0 - right.1, left.1 - right.0),
        BinaryOperator::Multiply => {
            let ((a, b), (c, d)) = (left, right);
            let corners = [a * c, a * d, b * c, b * d];
            let low = corners.into_iter().fold(i64::MAX, i64::min);
            (low, corners.into_iter().fold(i64::MIN, i64::max))
        }
        // Only the least number of all becomes too large, divided by -1.
        BinaryOperator::Divide => match left.0 == ALL.0 && right.0 <= -1 && right.1 >= -1 {
            true => (-size(left), size(left)),
            false => {
                let most = size(left).min(ALL.1);
                (left.0.min(-most), most)
            }
        },
        BinaryOperator::Remainder => {
            let most = size(left).min(size(right).max(1) - 1);
            (if left.0 < 0 { -most } else { 0 }, most)
        }
        BinaryOperator::ShiftLeft if left == (1, 1) && right.1 < 31 => (1, 1 << right.1.max(0)),
        BinaryOperator::BitAnd | BinaryOperator::BitOr | BinaryOperator::BitXor => {
            match left == TRUTH && right == TRUTH {
                true => TRUTH,
                false => ALL,
            }
        }
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight => ALL,
        _ => TRUTH,
    }
}
