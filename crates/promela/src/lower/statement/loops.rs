//! `for` and `select`, which are loops with a counter.

use mazurka_model::{ChannelTest, Expression, Field, Handshake, Instruction, PlaceId, Send};
use mazurka_span::Span;

use crate::ast::{self, BinaryOperator, Expr, ForRange, SelectForm, Statement, VariableRef};
use crate::lower::action::plain;
use crate::lower::expression::Reference;
use crate::lower::graph::Jump;
use crate::lower::problem;
use crate::lower::symbols::Type;

use super::{Body, Prepared};

/// From where to where a loop counts, and how the model says it.
struct Bounds {
    from: mazurka_model::ExpressionId,
    to: mazurka_model::ExpressionId,
    told: (String, String),
}

impl Body<'_, '_> {
    pub(super) fn prepare_for(
        &mut self,
        statement: &Statement,
        variable: &VariableRef,
        range: &ForRange,
        body: &ast::Sequence,
    ) -> Prepared {
        let span = statement.span;
        let id = self.enter_loop();
        self.open_loop_scope();
        match range {
            ForRange::Interval { from, to } => {
                let told = (from.to_string(), to.to_string());
                let from = self.lowerer.expression(from);
                let to = self.lowerer.expression(to);
                let bounds = Bounds { from, to, told };
                self.count_up(variable, bounds, BinaryOperator::LessEqual, span);
                self.loop_body(body);
                self.increment(variable, span);
            }
            ForRange::In(reference) => self.prepare_for_in(statement, variable, reference, body),
        }
        self.lowerer_scopes().leave();
        let main = self.close(span);
        self.loops.pop();
        let Some(main) = main else {
            return Prepared::Nothing;
        };
        self.open.push(None);
        let otherwise = self.lowerer.otherwise();
        self.basic(otherwise, "else".into(), span);
        self.jump(Jump::Break(id), span);
        let Some(leave) = self.close(span) else {
            return Prepared::Nothing;
        };
        Prepared::Do(vec![main, leave], id)
    }

    fn prepare_for_in(
        &mut self,
        statement: &Statement,
        variable: &VariableRef,
        reference: &VariableRef,
        body: &ast::Sequence,
    ) {
        let span = statement.span;
        let Some(symbol) = self.lowerer.find(reference.name()).cloned() else {
            let _ = self.lowerer.resolve(reference);
            return;
        };
        let whole = match self.lowerer.find(variable.name()) {
            Some(symbol) => matches!(symbol.of, Type::Structure(_)),
            None => false,
        };
        if !whole {
            let Some(length) = symbol.length else {
                let message = format!("`{}` is neither an array nor a channel", reference.name());
                self.lowerer
                    .error(problem::BAD_LOOP, reference.span, message);
                return;
            };
            let last = length as i32 - 1;
            let bounds = Bounds {
                from: self.lowerer.constant(0),
                to: self.lowerer.constant(last),
                told: ("0".into(), last.to_string()),
            };
            self.count_up(variable, bounds, BinaryOperator::LessEqual, span);
            self.loop_body(body);
            self.increment(variable, span);
            return;
        }
        let Some(channel_type) = symbol.channel else {
            let message = format!(
                "`{}` must be a channel with an initialiser",
                reference.name()
            );
            self.lowerer
                .error(problem::BAD_LOOP, reference.span, message);
            return;
        };
        // The loop takes each message out and puts it back behind the others, so that every one passes the head.
        let wide = self.lowerer.channel_types[channel_type.index()].capacity > 255;
        let counter = self.hidden_counter(wide);
        let zero = self.lowerer.constant(0);
        let effect = vec![Instruction::Assign(counter, zero)];
        let action = plain(self.lowerer.constant(1), effect);
        self.basic_before(action, "counter = 0".into(), span);
        let channel = self.lowerer.channel(reference);
        let load = self.lowerer.expression_node(Expression::Load(counter));
        let length = self
            .lowerer
            .expression_node(Expression::Channel(ChannelTest::Length, channel));
        let below = Expression::Binary(mazurka_model::BinaryOperator::Less, load, length);
        let below = self.lowerer.expression_node(below);
        self.basic(
            plain(below, Vec::new()),
            format!("counter < len({reference})"),
            span,
        );
        let Reference::Structure {
            base,
            offset,
            structure,
            indices,
        } = self.lowerer.resolve(variable)
        else {
            return;
        };
        let places = self
            .lowerer
            .leaves(base, offset, structure, &indices, variable.span);
        let fields = places.iter().copied().map(Field::Bind).collect();
        let receive = self.lowerer.push_receive(channel, fields, false, false);
        let guard = self
            .lowerer
            .expression_node(Expression::CanReceive(receive));
        let mut action = plain(guard, vec![Instruction::Receive(receive)]);
        action.handshake = Handshake::Receives(receive);
        self.basic(action, format!("{reference}?{variable}"), span);
        let values = places
            .into_iter()
            .map(|place| self.lowerer.expression_node(Expression::Load(place)))
            .collect();
        let values = self.lowerer.push_list(values);
        let send = self.lowerer.push_send(Send {
            channel,
            values,
            sorted: false,
        });
        let guard = self
            .lowerer
            .expression_node(Expression::Channel(ChannelTest::NotFull, channel));
        let mut action = plain(guard, vec![Instruction::Send(send)]);
        action.handshake = Handshake::Sends(send);
        self.basic(action, format!("{reference}!{variable}"), span);
        self.loop_body(body);
        let one = self.lowerer.constant(1);
        let load = self.lowerer.expression_node(Expression::Load(counter));
        let sum = Expression::Binary(mazurka_model::BinaryOperator::Add, load, one);
        let sum = self.lowerer.expression_node(sum);
        let action = plain(
            self.lowerer.constant(1),
            vec![Instruction::Assign(counter, sum)],
        );
        self.basic(action, "counter++".into(), span);
    }

    pub(super) fn prepare_select(
        &mut self,
        statement: &Statement,
        variable: &VariableRef,
        from: &Expr,
        to: &Expr,
        form: SelectForm,
    ) -> Prepared {
        let span = statement.span;
        if form == SelectForm::Options {
            let bounds = (
                self.lowerer.constant_value(from),
                self.lowerer.constant_value(to),
            );
            let (Some(first), Some(last)) = bounds else {
                return Prepared::Nothing;
            };
            let mut options = Vec::new();
            for value in first..=last {
                self.open.push(None);
                let constant = self.lowerer.constant(value);
                self.assign(variable, constant, format!("{variable} = {value}"), span);
                options.extend(self.close(span));
            }
            return Prepared::If(options);
        }
        let told = (from.to_string(), to.to_string());
        let from = self.lowerer.expression(from);
        let to = self.lowerer.expression(to);
        self.open.push(None);
        let bounds = Bounds { from, to, told };
        self.count_up(variable, bounds, BinaryOperator::Less, span);
        self.increment(variable, span);
        let Some(main) = self.close(span) else {
            return Prepared::Nothing;
        };
        let id = self.enter_loop();
        self.loops.pop();
        self.open.push(None);
        self.jump(Jump::Break(id), span);
        let Some(leave) = self.close(span) else {
            return Prepared::Nothing;
        };
        match form {
            SelectForm::Loop => Prepared::Do(vec![main, leave], id),
            _ => Prepared::Do(vec![leave, main], id),
        }
    }

    /// `variable = from` in the sequence around the one just opened, and the condition to go on in that.
    fn count_up(
        &mut self,
        variable: &VariableRef,
        bounds: Bounds,
        comparison: BinaryOperator,
        span: Span,
    ) {
        let Bounds { from, to, told } = bounds;
        if let Some(symbol) = self.lowerer.find(variable.name())
            && matches!(symbol.of, Type::Structure(_))
        {
            self.lowerer.error(
                problem::BAD_LOOP,
                variable.span,
                "the variable of a loop must be a number",
            );
            return;
        }
        if let Some(action) = self.lowerer.assignment(variable, from) {
            self.basic_before(action, format!("{variable} = {}", told.0), span);
        }
        let value = self.lowerer.read(variable);
        let operator = match comparison {
            BinaryOperator::Less => mazurka_model::BinaryOperator::Less,
            _ => mazurka_model::BinaryOperator::LessEqual,
        };
        let condition = self
            .lowerer
            .expression_node(Expression::Binary(operator, value, to));
        let symbol = operator.symbol();
        self.basic(
            plain(condition, Vec::new()),
            format!("{variable} {symbol} {}", told.1),
            span,
        );
    }

    fn increment(&mut self, variable: &VariableRef, span: Span) {
        if let Some(action) = self
            .lowerer
            .change_by_one(variable, mazurka_model::BinaryOperator::Add)
        {
            self.basic(action, format!("{variable}++"), span);
        }
    }

    fn assign(
        &mut self,
        variable: &VariableRef,
        value: mazurka_model::ExpressionId,
        text: String,
        span: Span,
    ) {
        if let Some(action) = self.lowerer.assignment(variable, value) {
            self.basic(action, text, span);
        }
    }

    fn loop_body(&mut self, body: &ast::Sequence) {
        for statement in &body.statements {
            self.step(statement);
        }
    }

    /// The counter of a loop over a channel. As in SPIN, loops that stand in the same scope share one, so that what a loop leaves
    /// in it tells no states apart once the next has begun.
    fn hidden_counter(&mut self, wide: bool) -> PlaceId {
        let mut scope = self.scope_path();
        // The loop's own.
        scope.pop();
        if let Some(counter) = self.counters.get(&(scope.clone(), wide)) {
            return *counter;
        }
        let kind = if wide {
            mazurka_model::Kind::Short
        } else {
            mazurka_model::Kind::Byte
        };
        let counter = self.lowerer.unnamed_local(kind);
        self.counters.insert((scope, wide), counter);
        counter
    }
}
