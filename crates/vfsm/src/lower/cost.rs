//! The cost of a state in a guided search.

use mazurka_model::{BinaryOperator, ChannelTest, Expression, ExpressionId};

use crate::ast::Arithmetic;
use crate::network::{Claim, Cost};

use super::Lowering;

impl Lowering<'_> {
    pub(super) fn cost(&mut self, cost: &Cost) -> ExpressionId {
        let expression = match cost {
            Cost::Number(number) => return self.builder.constant(*number),
            Cost::Atom(atom) => return self.claim(&Claim::Atom(*atom)),
            Cost::Running { machine, timer } => Expression::Load(self.timers[*machine][*timer]),
            Cost::Length { process, high } => {
                let queues = &self.queues[*process];
                let queue = if *high { &queues.high } else { &queues.low };
                match queue {
                    Some(queue) => Expression::Channel(ChannelTest::Length, queue.channel),
                    // Nothing is ever sent to it.
                    None => return self.builder.constant(0),
                }
            }
            Cost::Not(inner) => {
                let inner = self.cost(inner);
                return self.builder.not(inner);
            }
            Cost::Binary(operator, left, right) => {
                let (left, right) = (self.cost(left), self.cost(right));
                let operator = match operator {
                    Arithmetic::And => {
                        return self.builder.expression(Expression::And(left, right));
                    }
                    Arithmetic::Or => return self.builder.expression(Expression::Or(left, right)),
                    Arithmetic::Add => BinaryOperator::Add,
                    Arithmetic::Subtract => BinaryOperator::Subtract,
                    Arithmetic::Multiply => BinaryOperator::Multiply,
                };
                Expression::Binary(operator, left, right)
            }
        };
        self.builder.expression(expression)
    }
}
