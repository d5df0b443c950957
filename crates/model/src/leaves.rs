//! What an expression reads: the parts of it that have a value of their own, and no operators.

use crate::expression::Expression;
use crate::program::{Base, ExpressionId, Meaning, PlaceId, ProcessTypeId, Program, Variable};

impl Program {
    /// The variables and questions that an expression consists of, in the order in which they stand there, each once. An element of
    /// an array is followed by what its index reads.
    pub fn leaves(&self, expression: ExpressionId) -> Vec<ExpressionId> {
        let mut leaves = Vec::new();
        self.add_leaves(expression, &mut leaves);
        leaves
    }

    fn add_leaves(&self, expression: ExpressionId, leaves: &mut Vec<ExpressionId>) {
        match self.expressions[expression.index()] {
            Expression::Constant(_) => {}
            Expression::Unary(_, operand) => self.add_leaves(operand, leaves),
            Expression::Binary(_, left, right)
            | Expression::And(left, right)
            | Expression::Or(left, right) => {
                self.add_leaves(left, leaves);
                self.add_leaves(right, leaves);
            }
            Expression::Conditional(condition, yes, no) => {
                for part in [condition, yes, no] {
                    self.add_leaves(part, leaves);
                }
            }
            leaf => {
                let is_known = |known: &ExpressionId| self.expressions[known.index()] == leaf;
                if !leaves.iter().any(is_known) {
                    leaves.push(expression);
                }
                if let Expression::Load(place) = leaf {
                    let indices = self.places[place.index()].indices.clone();
                    for index in indices {
                        self.add_leaves(self.indices[index as usize].expression, leaves);
                    }
                }
            }
        }
    }

    /// How people read the value of an expression.
    pub fn meaning(
        &self,
        process_type: Option<ProcessTypeId>,
        expression: ExpressionId,
    ) -> Meaning {
        match self.expressions[expression.index()] {
            Expression::Load(place) => {
                let variable = self.variable(process_type, place);
                variable.map_or(Meaning::Number, |variable| variable.meaning)
            }
            Expression::CanReceive(_)
            | Expression::Timeout
            | Expression::NoProgress
            | Expression::Youngest
            | Expression::Enabled(_)
            | Expression::At { .. }
            | Expression::Marked { .. } => Meaning::Truth,
            Expression::Channel(test, _) if test != crate::ChannelTest::Length => Meaning::Truth,
            _ => Meaning::Number,
        }
    }

    /// The variable that a place belongs to, as the given type of process reads it.
    pub fn variable(
        &self,
        process_type: Option<ProcessTypeId>,
        place: PlaceId,
    ) -> Option<&Variable> {
        let place = &self.places[place.index()];
        let variables: &[Variable] = match place.base {
            Base::Shared => &self.shared,
            Base::Hidden => &self.hidden,
            Base::Local => &self.process_types[process_type?.index()].variables,
            Base::Remote(process_type, _) => &self.process_types[process_type.index()].variables,
        };
        let offset = place.offset;
        variables.iter().rev().find(|variable| {
            let bytes = variable.kind.bytes() * variable.length.unwrap_or(1);
            variable.offset <= offset && offset < variable.offset + bytes
        })
    }
}
