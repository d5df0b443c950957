//! Who gets a signal, and new instances.

use mazurka_model::{Base, BreachKind, Expression, ExpressionId, Instruction, Kind};
use mazurka_span::{Span, counted};
use mazurka_syntax::Lower;

use super::graph::Edge;
use super::process::Work;
use super::{ALIVE, Lowerer, NEVER};
use crate::ast::{BinaryOperator, ExpressionKind, Output};
use crate::codes;
use crate::routing;

impl Lowerer<'_> {
    pub(super) fn output(
        &mut self,
        work: &mut Work,
        node: usize,
        output: &Output,
        target: usize,
        span: Span,
    ) {
        let process = work.process;
        let Some(signal) = self.signal_named(&output.signal) else {
            let known = self.names_of_signals();
            self.unknown(&output.signal, "signal", known);
            return;
        };
        let types = self.signals[signal].parameters.clone();
        if types.len() != output.values.len() {
            let found = output.values.len();
            let message = format!(
                "`{}` has {}, not {found}",
                output.signal,
                counted(types.len() as u64, "parameter")
            );
            self.error(codes::WRONG_COUNT, span, message);
        }
        let mut values = Vec::new();
        for (value, type_) in output.values.iter().zip(types) {
            let (id, found) = self.value(Some(process), value);
            self.expect_type(value.span, found, type_);
            values.push((id, (found != type_).then_some(type_)));
        }
        let at = self.processes[process].at;
        let mut receivers = routing::receivers(self.system, at, output);
        let mut pid = None;
        match output.to.as_ref().map(|to| &to.kind) {
            Some(ExpressionKind::Name(name)) if self.process_named(name).is_some() => {
                let wanted = self
                    .process_named(name)
                    .map(|process| self.processes[process].at);
                receivers.retain(|receiver| receiver.process == wanted);
            }
            Some(_) => {
                let to = output.to.as_ref().expect("there is one");
                let (id, found) = self.value(Some(process), to);
                self.expect_type(to.span, found, super::Type::Pid);
                pid = Some(id);
            }
            None => {}
        }
        if receivers.is_empty() {
            let message = format!("nobody can get `{}` from here", output.signal);
            self.error(codes::NO_WAY, span, message);
            return;
        }
        let text = format!("output {}", self.text(span));
        let lost = format!("{text}: nobody gets it");
        let statement = self.add_statement(process, text, span, true);
        if output.everybody {
            self.send_to_everybody(
                work,
                node,
                output,
                &receivers,
                (signal, &values),
                target,
                span,
            );
            return;
        }
        // Where all who could get it may have stopped, it may be lost.
        let mut always = false;
        for receiver in receivers {
            let Some(at) = receiver.process else {
                let begin = self.here();
                self.enter(work, target);
                let guard = match (pid, self.has_environment()) {
                    (None, _) => self.constant(1),
                    (Some(_), false) => self.constant(0),
                    (Some(pid), true) => {
                        let environment = self.constant(self.environment_pid());
                        self.both(BinaryOperator::Equal, pid, environment)
                    }
                };
                self.edge(work, node, guard, begin, target, statement);
                always = true;
                continue;
            };
            let mut processes = self.processes.iter();
            let Some(to) = processes.position(|process| process.at == at) else {
                continue;
            };
            always = always || self.processes[to].exists.is_none();
            for number in 0..self.processes[to].slots {
                let number_of = (self.processes[to].first + number + 1) as i32;
                let receiver_id = self.constant(number_of);
                let mut guard = match pid {
                    Some(pid) => self.both(BinaryOperator::Equal, pid, receiver_id),
                    None => self.constant(1),
                };
                if let Some(alive) = self.instance_is(to, number, ALIVE) {
                    guard = self.node(Expression::And(guard, alive));
                }
                let begin = self.here();
                for (value, type_) in &values {
                    if let Some(type_) = type_ {
                        self.check_range(*value, *type_);
                    }
                }
                let values = values.iter().map(|(value, _)| *value).collect();
                let way = (receiver.delayed, to, number);
                self.send_signal(output, signal, way, receiver_id, values, span);
                self.enter(work, target);
                self.edge(work, node, guard, begin, target, statement);
            }
        }
        if pid.is_some() || !always {
            // There is nobody of that name, or no way to him: the signal is lost (Z.100 clause 2.7.4).
            let begin = self.here();
            self.enter(work, target);
            let guard = self.constant(1);
            let statement = self.add_statement(process, lost, span, false);
            work.graph.nodes[node].edges.push(Edge {
                guard,
                effect: begin..self.here(),
                target,
                otherwise: true,
                statement,
            });
        }
    }

    /// Everybody who can get a signal gets it, in one step.
    #[allow(clippy::too_many_arguments)]
    fn send_to_everybody(
        &mut self,
        work: &mut Work,
        node: usize,
        output: &Output,
        receivers: &[routing::Receiver],
        (signal, values): (usize, &[(ExpressionId, Option<super::Type>)]),
        target: usize,
        span: Span,
    ) {
        let begin = self.here();
        for (value, type_) in values {
            if let Some(type_) = type_ {
                self.check_range(*value, *type_);
            }
        }
        for receiver in receivers {
            let mut processes = self.processes.iter();
            let to = processes.position(|process| Some(process.at) == receiver.process);
            let Some(to) = to else {
                continue;
            };
            for number in 0..self.processes[to].slots {
                let alive = self.instance_is(to, number, ALIVE);
                let jump = alive.map(|alive| (self.emit(Instruction::Stuck), alive));
                let pid = self.constant((self.processes[to].first + number + 1) as i32);
                let values: Vec<ExpressionId> = values.iter().map(|(value, _)| *value).collect();
                let way = (receiver.delayed, to, number);
                self.send_signal(output, signal, way, pid, values, span);
                if let Some((at, alive)) = jump {
                    let end = self.here();
                    self.patch(at, Instruction::JumpUnless(alive, end));
                }
            }
        }
        self.enter(work, target);
        let text = format!("output {}", self.text(span));
        let statement = self.add_statement(work.process, text, span, true);
        let guard = self.constant(1);
        self.edge(work, node, guard, begin, target, statement);
    }

    /// Puts a signal into the queue of an instance, or of the channel that delays it.
    fn send_signal(
        &mut self,
        output: &Output,
        signal: usize,
        (delayed, to, number): (Option<(usize, usize)>, usize, u32),
        receiver: ExpressionId,
        values: Vec<ExpressionId>,
        span: Span,
    ) {
        let (queue, saved) = match delayed {
            None => self.queue_of(to, number),
            Some(way) => {
                let line = self.lines.iter().find(|line| line.of == way);
                let channel = line.map_or(0, |line| line.channel);
                (self.constant(channel as i32), None)
            }
        };
        let name = output.signal.to_string();
        self.room(queue, saved, &name, span);
        let own = self.node(Expression::SelfProcess);
        let one = self.constant(1);
        let own = self.both(BinaryOperator::Add, own, one);
        let tag = self.constant(signal as i32 + 1);
        let mut message = vec![tag, own];
        if self.head() == 3 {
            message.push(receiver);
        }
        message.extend(values);
        let zero = self.constant(0);
        message.resize(self.width(), zero);
        self.send_values(queue, message);
    }

    /// A new instance (Z.100 clause 2.7.2); if there can be no more, nobody is created and the offspring is null.
    pub(super) fn create(
        &mut self,
        work: &mut Work,
        node: usize,
        name: &crate::ast::Name,
        values: &[crate::ast::Expression],
        target: usize,
        span: Span,
    ) {
        let process = work.process;
        let found = self.process_named(name);
        let Some((to, signal)) = found.and_then(|to| Some((to, self.processes[to].created_by?)))
        else {
            let processes = self.processes.iter();
            let known = processes.filter(|process| process.created_by.is_some());
            let known = known.map(|process| process.ast.name.to_string()).collect();
            self.unknown(name, "process", known);
            return;
        };
        if self.processes[to].at.0 != self.processes[process].at.0 {
            let message =
                format!("`{name}` is in another block: a process creates those of its own block");
            self.error(codes::NO_WAY, span, message);
        }
        let types = self.signals[signal].parameters.clone();
        if types.len() != values.len() {
            let count = counted(types.len() as u64, "parameter");
            let message = format!("`{name}` has {count}, not {}", values.len());
            self.error(codes::WRONG_COUNT, span, message);
        }
        let mut given = Vec::new();
        for (value, type_) in values.iter().zip(types) {
            let (id, found) = self.value(Some(process), value);
            self.expect_type(value.span, found, type_);
            given.push((id, type_));
        }
        let statement = self.add_statement(process, self.text(span), span, true);
        let offspring = self.processes[process].offspring;
        let offspring = offspring.map(|offset| self.local(offset, Kind::Byte));
        // One that may be used: never used before or, on request, not in use.
        let free = if self.reuses { ALIVE } else { NEVER };
        let mut none_before = self.constant(1);
        for number in 0..self.processes[to].slots {
            let Some(mut is_free) = self.instance_is(to, number, free) else {
                return;
            };
            let not = mazurka_model::UnaryOperator::Not;
            let mut is_used = self.node(Expression::Unary(not, is_free));
            if self.reuses {
                std::mem::swap(&mut is_free, &mut is_used);
            }
            let guard = self.node(Expression::And(none_before, is_free));
            none_before = self.node(Expression::And(none_before, is_used));
            let begin = self.here();
            for (value, type_) in &given {
                self.check_range(*value, *type_);
            }
            let offset = self.processes[to].exists.unwrap_or(0) + number;
            let place = self.simple_place(Base::Shared, offset, Kind::Byte);
            let alive = self.constant(ALIVE);
            self.emit(Instruction::Assign(place, alive));
            let (queue, _) = self.queue_of(to, number);
            let own = self.node(Expression::SelfProcess);
            let one = self.constant(1);
            let own = self.both(BinaryOperator::Add, own, one);
            let tag = self.constant(signal as i32 + 1);
            let mut message = vec![tag, own];
            let zero = self.constant(0);
            message.resize(self.head(), zero);
            message.extend(given.iter().map(|(value, _)| *value));
            message.resize(self.width(), zero);
            self.send_values(queue, message);
            if let Some(offspring) = offspring {
                let pid = self.processes[to].first + number + 1;
                let pid = self.constant(pid as i32);
                self.emit(Instruction::Assign(offspring, pid));
            }
            self.enter(work, target);
            self.edge(work, node, guard, begin, target, statement);
        }
        let begin = self.here();
        self.no_more(to, name, span);
        if let Some(offspring) = offspring {
            let nobody = self.constant(0);
            self.emit(Instruction::Assign(offspring, nobody));
        }
        self.enter(work, target);
        self.edge(work, node, none_before, begin, target, statement);
    }

    /// What is wrong if no instance is left: nothing, if as many exist as the model allows.
    pub(super) fn no_more(&mut self, to: usize, name: &crate::ast::Name, span: Span) {
        let slots = self.processes[to].slots;
        let message = match self.processes[to].bounded {
            true => format!(
                "no identity left for a new {name}: there were {slots}, and some have stopped; REUSE=1 gives theirs again"
            ),
            false => format!(
                "there are {slots} of {name} already: INSTANCES=N says how many there can be"
            ),
        };
        let breach = self.breach(BreachKind::Overflow, message, span);
        if !self.processes[to].bounded {
            self.emit(Instruction::Stop(breach));
            return;
        }
        for number in 0..slots {
            let Some(stopped) = self.instance_is(to, number, super::STOPPED) else {
                continue;
            };
            let at = self.here();
            self.emit(Instruction::JumpUnless(stopped, at + 2));
            self.emit(Instruction::Stop(breach));
        }
    }
}
