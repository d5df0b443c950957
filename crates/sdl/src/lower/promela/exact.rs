//! Sums, products and quotients whose results must fit into 32 bits. SPIN's verifier computes as C does: what goes beyond is anything.
//!
//! Where a result may not fit, a condition that cannot go beyond itself comes first; if it is false, an index is out of its range.

use mazurka_promela::ast::{Expr, ExprKind};
use mazurka_promela::build;
use mazurka_span::Span;

use super::Export;
use crate::ast::{Binary, BinaryOperator, Expression, UnaryOperator};
use crate::lower::bounds::{Bounds, may_overflow};

/// An operand stands several times in such a condition; an expression that becomes larger is not exported.
const MOST_NODES: usize = 20_000;

impl Export<'_, '_> {
    pub(super) fn binary(
        &mut self,
        operator: Binary,
        left: &Expression,
        right: &Expression,
    ) -> Expr {
        use BinaryOperator as Value;
        let process = Some(self.process);
        let bounds = (
            self.lowerer.bounds(process, left),
            self.lowerer.bounds(process, right),
        );
        let (left, mut right) = (self.value(left), self.value(right));
        if let Binary::Modulo | Binary::Value(Value::Divide | Value::Remainder) = operator {
            right = self.divisor(right);
        }
        match operator {
            // Both sides are evaluated: SDL's `and` and `or` are functions.
            Binary::Value(Value::And) => build::binary(Value::BitAnd, left, right),
            Binary::Value(Value::Or) => build::binary(Value::BitOr, left, right),
            Binary::Value(Value::BitXor) => build::binary(Value::NotEqual, left, right),
            Binary::Value(Value::Remainder) => remainder(left, right, bounds),
            Binary::Value(operator) => self.exact(operator, left, right, bounds),
            Binary::Modulo => {
                let zero = || build::number(0);
                let rest = remainder(left, right.clone(), bounds);
                let sum = build::binary(Value::Add, rest.clone(), right.clone());
                let difference = build::binary(Value::Subtract, rest.clone(), right.clone());
                let is_positive = build::binary(Value::Greater, right, zero());
                let is_enough = build::binary(Value::GreaterEqual, rest.clone(), zero());
                choose(is_enough, rest, choose(is_positive, sum, difference))
            }
            _ => build::binary(Value::BitOr, build::not(left), right),
        }
    }

    /// An expression, if it is not too large.
    pub(super) fn limited(&mut self, expression: Expr, span: Span) -> Expr {
        if nodes(&expression) > MOST_NODES {
            self.too_large.get_or_insert(span);
            return build::number(0);
        }
        expression
    }

    pub(super) fn negative(&mut self, operand: &Expression) -> Expr {
        let bounds = self.lowerer.bounds(Some(self.process), operand);
        let operand = self.value(operand);
        let operator = BinaryOperator::Subtract;
        match may_overflow(operator, (0, 0), bounds) {
            true => self.exact(operator, build::number(0), operand, ((0, 0), bounds)),
            false => build::unary(UnaryOperator::Minus, operand),
        }
    }

    fn exact(
        &mut self,
        operator: BinaryOperator,
        left: Expr,
        right: Expr,
        (a, b): (Bounds, Bounds),
    ) -> Expr {
        let value = build::binary(operator, left.clone(), right.clone());
        if !may_overflow(operator, a, b) {
            return value;
        }
        self.divides = true;
        let fits = match operator {
            BinaryOperator::Add => sum_fits(left, right, b),
            BinaryOperator::Subtract => difference_fits(left, right, b),
            BinaryOperator::Multiply => product_fits(left, right, b),
            _ => {
                let least = not_equal(left, build::number(i32::MIN));
                build::any([least, not_equal(right, build::number(-1))])
            }
        };
        choose(fits, value, out_of_range())
    }
}

/// What is not there: to read it is an error.
pub(super) fn out_of_range() -> Expr {
    build::read(build::element("nothing", build::number(-1)))
}

pub(super) fn choose(condition: Expr, yes: Expr, no: Expr) -> Expr {
    build::expr(ExprKind::Conditional {
        condition: Box::new(condition),
        yes: Box::new(yes),
        no: Box::new(no),
    })
}

/// C has no remainder of the least number by -1. The dividend is computed all the same: that may be an error.
fn remainder(left: Expr, right: Expr, (a, b): (Bounds, Bounds)) -> Expr {
    let value = build::binary(BinaryOperator::Remainder, left.clone(), right.clone());
    if !may_overflow(BinaryOperator::Divide, a, b) {
        return value;
    }
    let is_one = build::equal(right, build::number(-1));
    let nothing = build::binary(BinaryOperator::BitAnd, left, build::number(0));
    choose(is_one, nothing, value)
}

fn not_equal(left: Expr, right: Expr) -> Expr {
    build::binary(BinaryOperator::NotEqual, left, right)
}

fn most() -> Expr {
    build::number(i32::MAX)
}

fn least() -> Expr {
    build::number(i32::MIN)
}

/// One condition if the right side is not negative, another if it is; only one of them where its sign is known.
fn by_sign(right: &Expr, bounds: Bounds, positive: Expr, negative: Expr) -> Expr {
    if bounds.0 >= 0 {
        positive
    } else if bounds.1 < 0 {
        negative
    } else {
        let zero = build::number(0);
        let is_positive = build::binary(BinaryOperator::GreaterEqual, right.clone(), zero);
        choose(is_positive, positive, negative)
    }
}

fn sum_fits(left: Expr, right: Expr, bounds: Bounds) -> Expr {
    let less = |from: Expr| build::binary(BinaryOperator::Subtract, from, right.clone());
    let positive = build::binary(BinaryOperator::LessEqual, left.clone(), less(most()));
    let negative = build::binary(BinaryOperator::GreaterEqual, left, less(least()));
    by_sign(&right, bounds, positive, negative)
}

fn difference_fits(left: Expr, right: Expr, bounds: Bounds) -> Expr {
    let more = |than: Expr| build::binary(BinaryOperator::Add, than, right.clone());
    let positive = build::binary(BinaryOperator::GreaterEqual, left.clone(), more(least()));
    let negative = build::binary(BinaryOperator::LessEqual, left, more(most()));
    by_sign(&right, bounds, positive, negative)
}

fn product_fits(left: Expr, right: Expr, bounds: Bounds) -> Expr {
    use BinaryOperator as Value;
    let part = |of: Expr| build::binary(Value::Divide, of, right.clone());
    let between = |low: Expr, high: Expr| {
        let low = build::binary(Value::GreaterEqual, left.clone(), low);
        build::all([low, build::binary(Value::LessEqual, left.clone(), high)])
    };
    let zero = build::number(0);
    let is_nothing = build::equal(right.clone(), zero);
    let positive = build::any([is_nothing, between(part(least()), part(most()))]);
    // The least number divided by -1 goes beyond.
    let is_one = build::equal(right.clone(), build::number(-1));
    let by_one = not_equal(left.clone(), least());
    let negative = choose(is_one, by_one, between(part(most()), part(least())));
    by_sign(&right, bounds, positive, negative)
}

/// How large an expression is.
fn nodes(expression: &Expr) -> usize {
    let index = |variable: &mazurka_promela::ast::VariableRef| {
        let indices = variable
            .segments
            .iter()
            .filter_map(|part| part.index.as_ref());
        indices.map(|index| nodes(index)).sum::<usize>()
    };
    1 + match &expression.kind {
        ExprKind::Unary { operand, .. } => nodes(operand),
        ExprKind::Binary { left, right, .. } => nodes(left) + nodes(right),
        ExprKind::Conditional { condition, yes, no } => nodes(condition) + nodes(yes) + nodes(no),
        ExprKind::Variable(variable) => index(variable),
        _ => 0,
    }
}
