//! Which expressions have a value whatever the state is.
//!
//! Where nothing can fail, a step is neither a run-time error nor misled by one; reductions and temporal properties rely on it.

use crate::expression::{BinaryOperator, Expression};
use crate::program::{Base, ExpressionId, PlaceId, Program};

impl Program {
    /// Has an expression a value in every state? If in doubt, it has not.
    pub fn always_has_value(&self, expression: ExpressionId) -> bool {
        let all = |parts: &[ExpressionId]| parts.iter().all(|part| self.always_has_value(*part));
        match self.expressions[expression.index()] {
            Expression::Constant(_)
            | Expression::SelfProcess
            | Expression::ProcessCount
            | Expression::LastProcess
            | Expression::Youngest
            | Expression::Timeout
            | Expression::NoProgress => true,
            Expression::Load(place) => self.always_exists(place),
            Expression::Unary(_, operand) => all(&[operand]),
            Expression::Binary(BinaryOperator::Divide | BinaryOperator::Remainder, left, right) => {
                let divisor = &self.expressions[right.index()];
                matches!(divisor, Expression::Constant(value) if *value != 0) && all(&[left])
            }
            // What has to be exact may not fit; dividing by a constant other than -1 always does.
            Expression::Binary(operator, left, right) if operator != operator.wrapping() => {
                let divisor = &self.expressions[right.index()];
                operator == BinaryOperator::DivideExactly
                    && matches!(divisor, Expression::Constant(value) if ![0, -1].contains(value))
                    && all(&[left])
            }
            Expression::Binary(_, left, right)
            | Expression::And(left, right)
            | Expression::Or(left, right) => all(&[left, right]),
            Expression::Conditional(condition, yes, no) => all(&[condition, yes, no]),
            _ => false,
        }
    }

    /// Is there such a variable in every state, whatever the indices are? That of another process may be gone.
    pub fn always_exists(&self, place: PlaceId) -> bool {
        let described = &self.places[place.index()];
        let mut indices = described.indices.clone();
        !matches!(described.base, Base::Remote(..)) && indices.all(|index| {
            let index = &self.indices[index as usize];
            let value = &self.expressions[index.expression.index()];
            matches!(value, Expression::Constant(value) if (0..index.length as i32).contains(value))
        })
    }
}
