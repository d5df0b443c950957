//! What decides whether a condition can be evaluated at all.
//!
//! A guard `a[i] == 0 && y` that is false because of `y` is nevertheless a step, the last one, as soon as `i` is
//! out of range. Whoever asks what might make such a transition possible has to count what moves `i`.

use mazurka_model::{Base, BinaryOperator, ChannelTest, Expression, ExpressionId, Field, PlaceId};

use crate::constancy::Constancy;
use crate::operation::Collector;

impl Collector<'_> {
    /// Collects what decides whether evaluating an expression fails.
    pub fn hazards(&mut self, expression: ExpressionId) {
        let program = self.program;
        match program.expressions[expression.index()] {
            Expression::Load(place) => self.hazards_of_load(expression, place),
            Expression::Unary(_, operand) => self.hazards(operand),
            Expression::Binary(operator, left, right) => {
                self.hazards(left);
                self.hazards(right);
                let divides =
                    matches!(operator, BinaryOperator::Divide | BinaryOperator::Remainder);
                if divides {
                    self.reads(right);
                }
                if operator != operator.wrapping() {
                    self.reads(left);
                    self.reads(right);
                }
            }
            // What is evaluated hangs on values.
            Expression::And(left, right) | Expression::Or(left, right) => {
                self.hazards_of_any(expression, &[left, right]);
            }
            Expression::Conditional(condition, yes, no) => {
                self.hazards_of_any(expression, &[condition, yes, no]);
            }
            Expression::Channel(test, name) => {
                // Only of a channel that exists for ever is it certain that it can be asked.
                let polls = !matches!(test, ChannelTest::Length | ChannelTest::NotFull);
                if !self.is_lasting(name) || polls && program.features.rendezvous {
                    self.reads(expression);
                }
            }
            Expression::CanReceive(receive) => {
                let receive = &program.receives[receive.index()];
                let fields = receive.fields.start as usize..receive.fields.end as usize;
                let is_plain = |field: &Field| match field {
                    Field::Match(value) => {
                        matches!(program.expressions[value.index()], Expression::Constant(_))
                    }
                    Field::Bind(_) | Field::Discard => true,
                };
                let is_plain = program.fields[fields].iter().all(is_plain);
                if !is_plain || !self.is_lasting(receive.channel) || program.features.rendezvous {
                    self.reads(expression);
                }
            }
            Expression::Constant(_)
            | Expression::SelfProcess
            | Expression::ProcessCount
            | Expression::LastProcess
            | Expression::Youngest
            | Expression::Timeout
            | Expression::NoProgress => {}
            Expression::Enabled(_)
            | Expression::LocationOf(_)
            | Expression::PriorityOf(_)
            | Expression::At { .. }
            | Expression::Marked { .. } => self.reads(expression),
        }
    }

    fn hazards_of_load(&mut self, whole: ExpressionId, place: PlaceId) {
        let program = self.program;
        let place = &program.places[place.index()];
        if let Base::Remote(..) = place.base {
            self.reads(whole);
        }
        let indices = place.indices.start as usize..place.indices.end as usize;
        for index in &program.indices[indices] {
            self.hazards(index.expression);
            self.reads(index.expression);
        }
    }

    /// If a part can fail, everything that decides which parts are evaluated counts.
    fn hazards_of_any(&mut self, whole: ExpressionId, parts: &[ExpressionId]) {
        let before = (self.operations.len(), self.reads_local);
        self.reads_local = false;
        for part in parts {
            self.hazards(*part);
        }
        let found = self.operations.len() > before.0 || self.reads_local;
        self.reads_local |= before.1;
        if found {
            self.reads(whole);
        }
    }

    /// Does a name mean the same channel from the start to the end?
    fn is_lasting(&self, name: ExpressionId) -> bool {
        match self.program.expressions[name.index()] {
            Expression::Load(place) => {
                let described = &self.program.places[place.index()];
                let process_type = self.process_type as usize;
                let constancy = self.writes.constancy(self.program, process_type, name);
                described.base == Base::Shared && constancy == Constancy::Instance
            }
            _ => false,
        }
    }
}
