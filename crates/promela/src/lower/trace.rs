//! Trace assertions: the order in which messages may be sent and received, or may not.
//!
//! The body of a `trace` is read as a process and becomes a [`Monitor`], an automaton over messages that is part of the
//! program: its state is a shared variable, so every search, reduction and replay knows about it. What counts is said in
//! SPIN's manual: if the trace names a send (a receive) on a channel, all sends (receives) on that channel must fit.

use mazurka_model::{
    Base, Breach, BreachId, BreachKind, Expression, ExpressionId, Field, Handshake, Instruction,
    Kind, Meaning, Monitor, MonitorEvent, MonitorState, Place, PlaceId, ProcessTypeId, ReceiveId,
    Send, SendId, Variable,
};
use mazurka_span::Span;

use crate::ast::{self, ExprKind};

use super::expression::Reference;
use super::{Lowerer, problem};

const ONLY_MESSAGES: &str =
    "a trace assertion consists of sends and receives with constants or `_` as fields";

impl Lowerer<'_> {
    /// Makes a trace assertion part of the program.
    pub(super) fn trace(&mut self, trace: &ast::Trace) {
        let span = trace.span.at_start();
        let word = if trace.negated { "notrace" } else { "trace" };
        if self.program.monitor.is_some() {
            let message = "a model has one trace assertion at most";
            self.error(problem::BAD_TRACE, span, message);
            return;
        }
        self.in_trace = true;
        let first = self.program.receives.len() as u32;
        let states = self.read_apart(&trace.body, word.into(), |lowerer, id| {
            lowerer.monitor_states(id, span)
        });
        self.in_trace = false;
        let Some(mut states) = states else { return };
        states.extend(self.unreached(first, &states));
        let kind = match states.len() {
            0..=254 => Kind::Byte,
            _ => Kind::Short,
        };
        let offset = self.program.shared_bytes;
        self.program.shared_bytes += kind.bytes();
        self.program.shared.push(Variable {
            name: "_trace".into(),
            offset,
            kind,
            length: None,
            meaning: Meaning::Number,
        });
        self.program.places.push(Place {
            base: Base::Shared,
            offset,
            kind,
            indices: 0..0,
        });
        let place = PlaceId(self.program.places.len() as u32 - 1);
        let breach = self.trace_breach(
            span,
            match trace.negated {
                true => "the messages come in the order that notrace forbids",
                false => "the message does not come in the order that trace asks for",
            },
        );
        let ambiguous = self.trace_breach(
            span,
            &format!("two events of {word} are about the same message"),
        );
        self.program.monitor = Some(Monitor {
            forbids: trace.negated,
            place,
            states,
            breach,
            ambiguous,
        });
    }

    /// A state that nothing leads to, with what the trace names only in parts of it that are never reached: it counts, too. The patterns
    /// of the trace are those from `first` on.
    fn unreached(&self, first: u32, states: &[MonitorState]) -> Option<MonitorState> {
        let patterns = (first..self.program.receives.len() as u32).map(ReceiveId);
        let named = patterns.filter_map(|pattern| {
            let sends = self.program.receives[pattern.index()].keep;
            self.event(sends, pattern, 0)
        });
        let is_new = |event: &MonitorEvent| {
            let mut known = states.iter().flat_map(|state| &state.events);
            !known.any(|known| (known.sends, known.channel) == (event.sends, event.channel))
        };
        let events: Vec<MonitorEvent> = named.filter(is_new).collect();
        let end = false;
        (!events.is_empty()).then_some(MonitorState { end, events })
    }

    fn trace_breach(&mut self, span: Span, message: &str) -> BreachId {
        let origin = self.origin(span);
        self.program.breaches.push(Breach {
            kind: BreachKind::Trace,
            message: message.into(),
            origin,
        });
        BreachId(self.program.breaches.len() as u32 - 1)
    }

    /// A send of a trace: the channel, and the message as a pattern.
    pub(super) fn sent_event(
        &mut self,
        send: &ast::Send,
        span: Span,
    ) -> Option<(SendId, ReceiveId)> {
        if send.sorted {
            self.error(problem::BAD_TRACE, span, ONLY_MESSAGES);
            return None;
        }
        let channel = self.channel(&send.channel);
        let mut fields = Vec::new();
        for argument in &send.arguments {
            if let ExprKind::Variable(reference) = &argument.kind
                && let Reference::Nowhere = self.resolve(reference)
            {
                fields.push(Field::Discard);
                continue;
            }
            let values = self.values(argument);
            fields.extend(values.into_iter().map(Field::Match));
        }
        let pattern = self.push_receive(channel, fields, false, true);
        let id = self.push_send(Send {
            channel,
            values: 0..0,
            sorted: false,
        });
        Some((id, pattern))
    }

    /// The automaton that the locations of the trace are.
    fn monitor_states(&mut self, id: ProcessTypeId, span: Span) -> Option<Vec<MonitorState>> {
        let described = &self.program.process_types[id.index()];
        let (range, initial) = (described.locations.clone(), described.initial.0);
        if !described.variables.is_empty() {
            self.error(problem::BAD_TRACE, span, ONLY_MESSAGES);
            return None;
        }
        // The initial location first.
        let number = |location: u32| match location {
            location if location == initial => 0,
            location if location < initial => location - range.start + 1,
            location => location - range.start,
        };
        let mut states = vec![MonitorState::default(); range.len()];
        for location in range.clone() {
            let described = &self.program.locations[location as usize];
            let mut end = described.end;
            let mut events = Vec::new();
            let marked = described.accept || described.progress;
            for index in described.transitions.clone() {
                let transition = &self.program.transitions[index as usize];
                let code = transition.effect.start as usize..transition.effect.end as usize;
                let at = self.statement_spans[transition.statement.index()];
                let event = match (&self.program.code[code], transition.target) {
                    ([Instruction::Die], _) => {
                        end = true;
                        continue;
                    }
                    ([Instruction::Receive(pattern)], Some(target)) if !transition.holds => {
                        let sends = matches!(transition.handshake, Handshake::Sends(_));
                        self.event(sends, *pattern, number(target.0))
                    }
                    _ => None,
                };
                let Some(event) = event.filter(|_| !marked) else {
                    let message = match marked {
                        true => "acceptance and progress marks are not supported in a trace",
                        false => ONLY_MESSAGES,
                    };
                    self.error(problem::BAD_TRACE, at, message);
                    return None;
                };
                events.push(event);
            }
            states[number(location) as usize] = MonitorState { end, events };
        }
        Some(states)
    }

    /// A message that a trace waits for, if it says no more than a trace may.
    fn event(&self, sends: bool, pattern: ReceiveId, target: u32) -> Option<MonitorEvent> {
        let receive = &self.program.receives[pattern.index()];
        if receive.random || receive.keep != sends {
            return None;
        }
        let range = receive.fields.start as usize..receive.fields.end as usize;
        let fields = self.program.fields[range].iter().map(|field| match field {
            Field::Discard => Some(None),
            Field::Match(value) => self.number(*value).map(Some),
            Field::Bind(_) => None,
        });
        Some(MonitorEvent {
            sends,
            channel: receive.channel,
            fields: fields.collect::<Option<_>>()?,
            target,
        })
    }

    /// The value of an expression of numbers, such as `-1`.
    fn number(&self, value: ExpressionId) -> Option<i32> {
        match self.program.expressions[value.index()] {
            Expression::Constant(value) => Some(value),
            Expression::Unary(operator, operand) => Some(operator.apply(self.number(operand)?)),
            Expression::Binary(operator, left, right) => {
                operator.apply(self.number(left)?, self.number(right)?)
            }
            _ => None,
        }
    }
}
