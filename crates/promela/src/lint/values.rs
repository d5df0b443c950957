//! Constants and the ranges of types.

use mazurka_span::ExpansionId;

use crate::ast::{BinaryOperator, Expr, ExprKind, TypeKind, UnaryOperator, Variable};

/// The value of a literal, with its sign.
pub(super) fn constant(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Number(number) => Some(i64::from(number.value)),
        ExprKind::Unary {
            operator: UnaryOperator::Minus,
            operand,
        } => {
            // The least number is its own negation: so `-2147483648` is read.
            let value = i32::try_from(constant(operand)?).ok()?;
            Some(i64::from(value.wrapping_neg()))
        }
        _ => None,
    }
}

/// The value of an expression of literals, such as `2*N` where N is a macro.
pub(super) fn computed(expr: &Expr) -> Option<i64> {
    let ExprKind::Binary {
        operator,
        left,
        right,
    } = &expr.kind
    else {
        return constant(expr);
    };
    let (left, right) = (computed(left)?, computed(right)?);
    match operator {
        BinaryOperator::Add => left.checked_add(right),
        BinaryOperator::Subtract => left.checked_sub(right),
        BinaryOperator::Multiply => left.checked_mul(right),
        _ => None,
    }
}

/// The value of a condition of literals that stand there as they are. What a macro stands for may be another number tomorrow: `N > 2`
/// says something.
pub(super) fn decided(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Number(number) => {
            (expr.span.context == ExpansionId::NONE).then_some(i64::from(number.value))
        }
        ExprKind::Unary {
            operator: UnaryOperator::Not,
            operand,
        } => Some(i64::from(decided(operand)? == 0)),
        ExprKind::Binary {
            operator,
            left,
            right,
        } => {
            let (left, right) = (decided(left)?, decided(right)?);
            let is_true = match operator {
                BinaryOperator::Equal => left == right,
                BinaryOperator::NotEqual => left != right,
                BinaryOperator::Less => left < right,
                BinaryOperator::Greater => left > right,
                BinaryOperator::And => left != 0 && right != 0,
                BinaryOperator::Or => left != 0 || right != 0,
                _ => return None,
            };
            Some(i64::from(is_true))
        }
        _ => None,
    }
}

/// The least and the greatest value of a type, and its name.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Range {
    pub least: i64,
    pub greatest: i64,
    pub name: &'static str,
}

impl Range {
    /// Of a type that is written without a width.
    pub fn of(kind: &TypeKind) -> Option<Range> {
        let (least, greatest, name) = match kind {
            TypeKind::Bit => (0, 1, "bit"),
            TypeKind::Bool => (0, 1, "bool"),
            TypeKind::Byte => (0, 255, "byte"),
            TypeKind::Pid => (0, 255, "pid"),
            TypeKind::Short => (-(1 << 15), (1 << 15) - 1, "short"),
            TypeKind::Int => (-(1 << 31), (1 << 31) - 1, "int"),
            TypeKind::Unsigned | TypeKind::Mtype(_) | TypeKind::Chan | TypeKind::User(_) => {
                return None;
            }
        };
        Some(Range {
            least,
            greatest,
            name,
        })
    }

    /// Of a variable.
    pub fn of_variable(kind: &TypeKind, variable: &Variable) -> Option<Range> {
        match (kind, &variable.width) {
            (TypeKind::Unsigned, Some(width)) => {
                let width = constant(width).filter(|width| (1..=31).contains(width))?;
                Some(Range {
                    least: 0,
                    greatest: (1 << width) - 1,
                    name: "unsigned",
                })
            }
            (kind, None) => Range::of(kind),
            _ => None,
        }
    }

    /// The name with its article.
    pub fn one(&self) -> String {
        let article = match self.name {
            "int" | "unsigned" => "an",
            _ => "a",
        };
        format!("{article} {}", self.name)
    }

    pub fn has(&self, value: i64) -> bool {
        (self.least..=self.greatest).contains(&value)
    }

    pub fn is_within(&self, other: &Range) -> bool {
        other.has(self.least) && other.has(self.greatest)
    }
}
