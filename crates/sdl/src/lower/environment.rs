//! The environment as a process of its own: any signal that may come from there comes, with any values, while the queue of who gets it
//! is not longer than was asked for. Where all that waits is saved, a signal that is not among it comes too: a process must not wait for
//! ever because it saves.

use mazurka_model::{Expression, ExpressionId, Field, LocationId, ProcessType, UnaryOperator};
use mazurka_span::Span;
use mazurka_syntax::Lower;

use super::graph::{Edge, Graph};
use super::process::default_of;
use super::{ALIVE, Lowerer, Type, key};
use crate::ast::{self, BinaryOperator, ExpressionKind, Name};
use crate::codes;
use crate::routing;

/// More signals with different values than that are too many.
const MOST_CHOICES: usize = 1000;

/// A signal that may come from outside, to whom and with which values.
pub(super) struct Arrival {
    pub signal: usize,
    pub process: usize,
    pub number: u32,
    pub values: Vec<i32>,
}

impl Lowerer<'_> {
    /// Is there one, and does it send anything?
    pub(super) fn has_environment(&self) -> bool {
        let channels = self.system.channels.iter();
        let channels = channels.filter(|channel| channel.scope == 0);
        let mut ways = channels.flat_map(|channel| &channel.ways);
        self.environment.is_some() && ways.any(|way| way.from.is_none())
    }

    /// The PId of the environment.
    pub(super) fn environment_pid(&self) -> i32 {
        let slots: u32 = self.processes.iter().map(|process| process.slots).sum();
        slots as i32 + self.lines.len() as i32 + 1
    }

    /// Everything that may come from outside.
    pub(super) fn arrivals(&self) -> Result<Vec<Arrival>, String> {
        let mut all = Vec::new();
        for (number, signal) in self.signals.iter().enumerate() {
            if signal.timer_of.is_some() || signal.creates.is_some() {
                continue;
            }
            for at in routing::from_environment(self.system, &signal.name) {
                let mut processes = self.processes.iter();
                let Some(process) = processes.position(|process| process.at == at) else {
                    continue;
                };
                let written = self.system.signals.get(number);
                for values in self.combinations(&signal.parameters, written, &signal.name)? {
                    for instance in 0..self.processes[process].slots {
                        all.push(Arrival {
                            signal: number,
                            process,
                            number: instance,
                            values: values.clone(),
                        });
                    }
                }
                if all.len() > MOST_CHOICES {
                    return Err(format!(
                        "more than {MOST_CHOICES} different signals may come from the environment: give their parameters smaller ranges"
                    ));
                }
            }
        }
        Ok(all)
    }

    /// All values; a part that is not there is as at the start.
    fn combinations(
        &self,
        types: &[Type],
        written: Option<&ast::Signal>,
        signal: &str,
    ) -> Result<Vec<Vec<i32>>, String> {
        let mut all: Vec<Vec<i32>> = vec![Vec::new()];
        for (number, type_) in types.iter().enumerate() {
            let presence = written.and_then(|written| written.parts.get(number));
            let presence = presence.map_or(&[][..], Vec::as_slice);
            let first = written.and_then(|written| written.parameters.get(number));
            let first = first.and_then(|type_| self.default_value(type_));
            let first = first.unwrap_or(default_of(*type_));
            let is_there = |before: &[i32]| {
                let mut needed = presence.iter();
                needed.all(|one| (one.low..=one.high).contains(&before[one.part]))
            };
            let range = match type_ {
                Type::Pid => Some((0, 0)),
                other => self.range_of(*other),
            };
            let Some((low, high)) = range else {
                return Err(format!(
                    "`{signal}` comes from the environment with a parameter of type {}: it needs a range",
                    self.type_name(*type_)
                ));
            };
            let there = all.iter().filter(|before| is_there(before)).count() as i64;
            let others = all.len() as i64 - there;
            if there * (i64::from(high) - i64::from(low) + 1) + others > MOST_CHOICES as i64 {
                return Err(format!(
                    "`{signal}` comes from the environment with more than {MOST_CHOICES} different values: give its parameters smaller ranges"
                ));
            }
            let with = |before: &Vec<i32>| {
                let values = match is_there(before) {
                    true => low..=high,
                    false => first..=first,
                };
                let longer = values.map(|value| [&before[..], &[value]].concat());
                longer.collect::<Vec<_>>()
            };
            all = all.iter().flat_map(with).collect();
        }
        Ok(all)
    }

    /// What a field of that type is if nothing is said.
    fn default_value(&self, type_: &Name) -> Option<i32> {
        let mut defaults = self.system.defaults.iter();
        let (_, value) = defaults.find(|(known, _)| routing::same(known, type_))?;
        match &value.kind {
            ExpressionKind::Number(value) => Some(*value),
            ExpressionKind::Truth(value) => Some(i32::from(*value)),
            ExpressionKind::Name(name) => self.constants.get(&key(name)).map(|found| found.0),
            _ => None,
        }
    }

    pub(super) fn environment_process(&mut self) {
        let process_type = self.building.program.process_types.len();
        let ways = self
            .system
            .channels
            .iter()
            .flat_map(|channel| &channel.ways);
        let span = ways
            .filter(|way| way.from.is_none())
            .map(|way| way.span)
            .next();
        let span = span.unwrap_or_default();
        let arrivals = match self.arrivals() {
            Ok(arrivals) => arrivals,
            Err(message) => {
                self.error(codes::OPEN_SYSTEM, span, message);
                return;
            }
        };
        let ready = ProcessType::new("environment", LocationId(0));
        self.building.program.process_types.push(ready);
        let mut graph = Graph::default();
        let node = graph.add();
        graph.nodes[node].rests = true;
        graph.nodes[node].end = true;
        graph.nodes[node].labels.push("environment".into());
        graph.nodes[node].origin = self.origin(span);
        for arrival in arrivals {
            let edge = self.arrival(process_type, node, &arrival, span);
            graph.nodes[node].edges.push(edge);
        }
        self.finish(process_type, graph, 0);
    }

    /// Do so few signals wait that more may come?
    fn is_short(&mut self, queue: ExpressionId, saved: Option<ExpressionId>) -> ExpressionId {
        let length = self.waiting(queue, saved);
        let most = self.environment.unwrap_or(1).min(self.capacity);
        let most = self.constant(most as i32);
        self.both(BinaryOperator::Less, length, most)
    }

    fn arrival(&mut self, process_type: usize, node: usize, arrival: &Arrival, span: Span) -> Edge {
        let (queue, saved) = self.queue_of(arrival.process, arrival.number);
        let mut guard = self.is_short(queue, saved);
        if let Some(saved) = saved {
            // A process that saves all that waits may need another signal.
            let short = self.is_short(queue, None);
            let mut fields = vec![Field::Match(self.constant(arrival.signal as i32 + 1))];
            fields.resize(self.width(), Field::Discard);
            let receive = self.receive_any(saved, fields);
            self.building.program.receives[receive.0 as usize].random = true;
            let some = self.node(Expression::CanReceive(receive));
            let none = self.node(Expression::Unary(UnaryOperator::Not, some));
            let other = self.node(Expression::And(short, none));
            guard = self.node(Expression::Or(guard, other));
        }
        if let Some(alive) = self.instance_is(arrival.process, arrival.number, ALIVE) {
            guard = self.node(Expression::And(alive, guard));
        }
        let begin = self.here();
        let pid = self.processes[arrival.process].first + arrival.number + 1;
        let mut message = vec![arrival.signal as i32 + 1, self.environment_pid()];
        if self.head() == 3 {
            message.push(pid as i32);
        }
        message.extend(&arrival.values);
        message.resize(self.width(), 0);
        let message = message
            .into_iter()
            .map(|value| self.constant(value))
            .collect();
        let signal = self.signals[arrival.signal].name.clone();
        if saved.is_some() {
            self.room(queue, saved, &signal, span);
        }
        self.send_values(queue, message);
        let mut text = format!("output {signal}");
        if !arrival.values.is_empty() {
            let values: Vec<String> = arrival.values.iter().map(i32::to_string).collect();
            text += &format!("({})", values.join(", "));
        }
        let statement = self.add_statement(process_type, text, span, true);
        Edge {
            guard,
            effect: begin..self.here(),
            target: node,
            otherwise: false,
            statement,
        }
    }
}
