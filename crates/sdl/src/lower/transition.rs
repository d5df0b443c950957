//! What a process does between two states.

use mazurka_model::{
    Base, BreachKind, ChannelTest, Expression, ExpressionId, Field, Instruction, Kind, Meaning,
    Send, SendId, Variable,
};
use mazurka_span::{Diagnostic, Span, counted};
use mazurka_syntax::Lower;

use super::expression::timer_local;
use super::graph::Edge;
use super::process::{FIRST_STATE, STOPPED, Work, default_of, is_of_one_state};
use super::{ALIVE, Lowerer, NEVER, QUEUE, SAVED, key};
use crate::ast::{
    Action, ActionKind, Answer, BinaryOperator, Body, ExpressionKind, Output, Question, Range,
};
use crate::codes;
use crate::routing;

impl Lowerer<'_> {
    pub(super) fn start_transition(&mut self, work: &mut Work, body: &Body) {
        let begin = self.here();
        let target = self.continuation(work, &body.actions, None, body.span);
        self.enter(work, target);
        let statement = self.add_statement(work.process, "start".into(), body.span, true);
        let mut guard = self.constant(1);
        let described = &self.processes[work.process];
        if described.created_by.is_some() {
            // The others wait to be created.
            let first = (described.first + described.count) as i32;
            let own = self.node(Expression::SelfProcess);
            let first = self.constant(first);
            guard = self.both(BinaryOperator::Less, own, first);
        }
        self.edge(work, 0, guard, begin, target, statement);
        self.rest_of_body(work, &body.actions, target, None);
    }

    fn edge(
        &mut self,
        work: &mut Work,
        node: usize,
        guard: ExpressionId,
        begin: u32,
        target: usize,
        statement: mazurka_model::StatementId,
    ) {
        work.graph.nodes[node].edges.push(Edge {
            guard,
            effect: begin..self.here(),
            target,
            otherwise: false,
            statement,
        });
    }

    /// Where a process is before some actions.
    pub(super) fn continuation(
        &mut self,
        work: &mut Work,
        actions: &[Action],
        after: Option<usize>,
        span: Span,
    ) -> usize {
        let Some(first) = actions.first() else {
            return after.unwrap_or_else(|| {
                let message = "a transition must end in `nextstate`, `stop` or `join`";
                self.error(codes::UNFINISHED, span, message);
                STOPPED
            });
        };
        if let Some(label) = &first.label {
            // The same transition may be lowered for several states.
            let known = work.labelled.iter().find(|(known, _)| *known == key(label));
            if known.is_some_and(|(_, span)| *span != label.span) {
                let message = format!("the label `{label}` is declared twice");
                self.error(codes::DUPLICATE, label.span, message);
            }
            work.labelled.push((key(label), label.span));
            return label_node(work, &key(label));
        }
        match self.ends(work, first) {
            Some(target) => target,
            None => {
                let node = work.graph.add();
                work.graph.nodes[node].origin = self.origin(first.span);
                node
            }
        }
    }

    /// Where an action leads that ends a transition.
    fn ends(&mut self, work: &mut Work, action: &Action) -> Option<usize> {
        match &action.kind {
            ActionKind::NextState(Some(name)) => {
                let states = &self.processes[work.process].states;
                let state = states.iter().position(|(_, known)| *known == key(name));
                Some(FIRST_STATE as usize + state.unwrap_or(0))
            }
            ActionKind::NextState(None) => Some(match work.state {
                Some(state) => FIRST_STATE as usize + state,
                None => {
                    let message = "the start transition comes from no state to go back to";
                    self.error(codes::UNFINISHED, action.span, message);
                    STOPPED
                }
            }),
            ActionKind::Stop => Some(STOPPED),
            ActionKind::Join(label) => {
                work.joined.push((key(label), label.span));
                Some(label_node(work, &key(label)))
            }
            _ => None,
        }
    }

    /// Puts what was saved in front of the queue again when a state is entered; forgets all signals when a process stops.
    pub(super) fn enter(&mut self, work: &Work, target: usize) {
        if target == STOPPED {
            self.stop(work.process);
            return;
        }
        let is_state = (FIRST_STATE as usize..self.after_states(work)).contains(&target);
        if !is_state || !self.processes[work.process].saves {
            return;
        }
        for (from, to) in [(QUEUE, SAVED), (SAVED, QUEUE)] {
            let (fields, values) = self.scratch(work.process);
            let from = self.load(from, Kind::Byte);
            let to = self.load(to, Kind::Byte);
            let receive = self.receive_any(from, fields);
            let some = self.node(Expression::Channel(ChannelTest::NotEmpty, from));
            let top = self.emit(Instruction::Stuck);
            self.emit(Instruction::Receive(receive));
            self.send_values(to, values);
            self.emit(Instruction::Jump(top));
            let end = self.here();
            self.patch(top, Instruction::JumpUnless(some, end));
        }
        self.clear_scratch(work.process);
    }

    /// An instance does not exist any more, nor does its queue.
    fn stop(&mut self, process: usize) {
        let Some(offset) = self.processes[process].exists else {
            return;
        };
        let (first, slots) = (self.processes[process].first, self.processes[process].slots);
        let own = self.node(Expression::SelfProcess);
        let first = self.constant(first as i32);
        let number = self.both(BinaryOperator::Subtract, own, first);
        let local = super::Local {
            offset,
            type_: super::Type::Unknown,
            length: Some(slots),
        };
        let place = self.part(Base::Shared, local, Some(number));
        let stopped = self.constant(super::STOPPED);
        self.emit(Instruction::Assign(place, stopped));
        let saves = self.processes[process].saves;
        for queue in [Some(QUEUE), saves.then_some(SAVED)].into_iter().flatten() {
            let queue = self.load(queue, Kind::Byte);
            let fields = vec![Field::Discard; self.width()];
            let receive = self.receive_any(queue, fields);
            let some = self.node(Expression::Channel(ChannelTest::NotEmpty, queue));
            self.while_there_is(some, receive);
        }
    }

    /// Takes signals as long as a condition holds.
    fn while_there_is(&mut self, some: ExpressionId, receive: mazurka_model::ReceiveId) {
        let top = self.emit(Instruction::Stuck);
        self.emit(Instruction::Receive(receive));
        self.emit(Instruction::Jump(top));
        let end = self.here();
        self.patch(top, Instruction::JumpUnless(some, end));
    }

    /// Lowers actions from the node that `continuation` gave for them.
    pub(super) fn rest_of_body(
        &mut self,
        work: &mut Work,
        actions: &[Action],
        node: usize,
        after: Option<usize>,
    ) {
        let Some((action, rest)) = actions.split_first() else {
            return;
        };
        if action.label.is_some() && !work.graph.nodes[node].edges.is_empty() {
            return;
        }
        let text = self.text(action.span);
        if let Some(target) = self.ends_again(work, action) {
            if action.label.is_some() {
                let begin = self.here();
                self.enter(work, target);
                let statement = self.add_statement(work.process, text, action.span, true);
                let guard = self.constant(1);
                self.edge(work, node, guard, begin, target, statement);
            }
            if let Some(next) = rest.first() {
                let message = "nothing can come behind the end of a transition";
                self.error(codes::UNFINISHED, next.span, message);
            }
            return;
        }
        match &action.kind {
            ActionKind::Output(output) => {
                let mut target = self.continuation(work, rest, after, action.span);
                let first = target;
                if !work.graph.nodes[target].rests {
                    let shared = rest.first().is_none_or(|next| next.label.is_some())
                        || rest
                            .first()
                            .is_some_and(|next| matches!(next.kind, ActionKind::Join(_)));
                    if shared {
                        target = work.graph.add();
                        work.graph.nodes[target].origin = self.origin(action.span);
                        let begin = self.here();
                        let statement =
                            self.add_statement(work.process, "goes on".into(), action.span, false);
                        let guard = self.constant(1);
                        self.edge(work, target, guard, begin, first, statement);
                    }
                    work.graph.nodes[target].rests = true;
                }
                self.output(work, node, output, target, action.span);
                self.rest_of_body(work, rest, first, after);
            }
            ActionKind::Decision(question, answers) => {
                let behind = match rest.is_empty() {
                    true => after,
                    false => Some(self.continuation(work, rest, after, action.span)),
                };
                self.decision(work, node, question, answers, behind, action.span);
                if let Some(behind) = behind.filter(|_| !rest.is_empty()) {
                    self.rest_of_body(work, rest, behind, after);
                }
            }
            ActionKind::Choose(variable, low, high) => {
                let target = self.continuation(work, rest, after, action.span);
                let Some((_, place)) = self.variable(work.process, variable) else {
                    return;
                };
                let statement = self.add_statement(work.process, text, action.span, true);
                for value in *low..=*high {
                    let begin = self.here();
                    let value = self.constant(value);
                    self.emit(Instruction::Assign(place, value));
                    self.enter(work, target);
                    let guard = self.constant(1);
                    self.edge(work, node, guard, begin, target, statement);
                }
                self.rest_of_body(work, rest, target, after);
            }
            ActionKind::Create(name, values) => {
                let target = self.continuation(work, rest, after, action.span);
                self.create(work, node, name, values, target, action.span);
                self.rest_of_body(work, rest, target, after);
            }
            _ => {
                let begin = self.here();
                self.simple(work, action);
                let target = self.continuation(work, rest, after, action.span);
                self.enter(work, target);
                let statement = self.add_statement(work.process, text, action.span, true);
                let guard = self.constant(1);
                self.edge(work, node, guard, begin, target, statement);
                self.rest_of_body(work, rest, target, after);
            }
        }
    }

    /// As `ends`, for an action that may have been asked about before.
    fn ends_again(&mut self, work: &mut Work, action: &Action) -> Option<usize> {
        match &action.kind {
            ActionKind::Join(label) => {
                if action.label.is_some() {
                    work.joined.push((key(label), label.span));
                }
                Some(label_node(work, &key(label)))
            }
            ActionKind::NextState(None) if work.state.is_none() => Some(STOPPED),
            _ => self.ends(work, action),
        }
    }

    fn simple(&mut self, work: &mut Work, action: &Action) {
        let process = work.process;
        match &action.kind {
            ActionKind::Assign(target, value) => {
                let Some((local, place)) = self.variable(process, target) else {
                    return;
                };
                let (id, found) = self.value(Some(process), value);
                self.expect_type(value.span, found, local.type_);
                self.check_range(id, local.type_);
                self.emit(Instruction::Assign(place, id));
            }
            ActionKind::Clear(target) => {
                let Some((local, place)) = self.variable(process, target) else {
                    return;
                };
                let first = self.constant(default_of(local.type_));
                self.emit(Instruction::Assign(place, first));
            }
            ActionKind::Informal => {
                let message = "informal text: nothing happens here";
                let note = Diagnostic::warning(codes::INFORMAL, action.span, message);
                self.building.diagnostics.push(note);
            }
            ActionKind::Set(timer, values) | ActionKind::Reset(timer, values) => {
                let Some(timer) = self.timer(process, timer) else {
                    return;
                };
                let (index, named) = self.timer_index(process, &timer, values, action.span);
                let mut fields = vec![Field::Discard; self.head() - 1];
                for (value, type_) in named {
                    self.check_range(value, type_);
                    fields.push(Field::Match(value));
                }
                // What has expired and was not taken yet is taken back (Z.100 clause 2.8).
                let saves = self.processes[process].saves;
                for queue in [Some(QUEUE), saves.then_some(SAVED)].into_iter().flatten() {
                    let receive = self.receive(queue, timer.signal, fields.clone(), true);
                    let some = self.node(Expression::CanReceive(receive));
                    self.while_there_is(some, receive);
                }
                let place = self.part(Base::Local, timer_local(&timer), index);
                let runs = self.constant(i32::from(matches!(action.kind, ActionKind::Set(..))));
                self.emit(Instruction::Assign(place, runs));
            }
            _ => {}
        }
    }

    fn decision(
        &mut self,
        work: &mut Work,
        node: usize,
        question: &Question,
        answers: &[Answer],
        after: Option<usize>,
        span: Span,
    ) {
        let process = work.process;
        let asked = match question {
            Question::Value(value) => Some(self.value(Some(process), value)),
            Question::Only => None,
            Question::Any => {
                if self.text(span).contains('\'') {
                    let message = "informal text: any answer may be chosen";
                    let note = Diagnostic::warning(codes::INFORMAL, span, message);
                    self.building.diagnostics.push(note);
                }
                None
            }
        };
        let mut covered: Vec<ExpressionId> = Vec::new();
        let mut has_else = false;
        for answer in answers {
            let guard = match (&asked, &answer.ranges) {
                (None, None) => self.constant(1),
                (None, Some(_)) => {
                    let message = "the answers of a free choice have no values";
                    self.error(codes::REPEATED_ANSWER, answer.span, message);
                    self.constant(1)
                }
                (Some(_), None) => {
                    has_else = true;
                    let not = mazurka_model::UnaryOperator::Not;
                    let mut guard = self.constant(1);
                    for other in covered.clone() {
                        let other = self.node(Expression::Unary(not, other));
                        guard = self.node(Expression::And(guard, other));
                    }
                    guard
                }
                (Some(asked), Some(ranges)) => {
                    let asked = *asked;
                    let guard = self.ranges(process, asked, ranges);
                    covered.push(guard);
                    guard
                }
            };
            let begin = self.here();
            let target = self.continuation(work, &answer.body.actions, after, answer.span);
            self.enter(work, target);
            let text = format!(
                "{} {}",
                self.text(span_of_question(question, span)),
                self.text(answer.span)
            );
            let statement = self.add_statement(process, text, answer.span, true);
            self.edge(work, node, guard, begin, target, statement);
            self.rest_of_body(work, &answer.body.actions, target, after);
        }
        if has_else && answers.last().is_some_and(|answer| answer.ranges.is_some()) {
            let message = "`else` is the last answer of a decision";
            self.error(codes::REPEATED_ANSWER, span, message);
        }
        if asked.is_some() && !has_else {
            // An answer for every value is needed; one without is an error of the model.
            let begin = self.emit(Instruction::Stuck);
            let statement = self.add_statement(
                process,
                "no answer of the decision fits".into(),
                span,
                false,
            );
            let guard = self.constant(1);
            work.graph.nodes[node].edges.push(Edge {
                guard,
                effect: begin..begin + 1,
                target: STOPPED,
                otherwise: true,
                statement,
            });
        }
    }

    fn ranges(
        &mut self,
        process: usize,
        (asked, type_): (ExpressionId, super::Type),
        ranges: &[Range],
    ) -> ExpressionId {
        let mut parts = Vec::new();
        for range in ranges {
            let side = |lowerer: &mut Self, operator: BinaryOperator, value| {
                let (id, found) = lowerer.value(Some(process), value);
                lowerer.expect_type(value.span, found, type_);
                lowerer.both(operator, asked, id)
            };
            parts.push(match range {
                Range::Compared(operator, value) => side(self, *operator, value),
                Range::Between(low, high) => {
                    let low = side(self, BinaryOperator::GreaterEqual, low);
                    let high = side(self, BinaryOperator::LessEqual, high);
                    self.node(Expression::And(low, high))
                }
            });
        }
        let mut parts = parts.into_iter();
        let first = parts.next().unwrap_or_else(|| self.constant(0));
        parts.fold(first, |all, part| self.node(Expression::Or(all, part)))
    }

    fn output(&mut self, work: &mut Work, node: usize, output: &Output, target: usize, span: Span) {
        let process = work.process;
        let Some(signal) = self.signal_named(&output.signal) else {
            self.unknown(&output.signal, "signal", &[]);
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
        let mut receivers = routing::receivers(self.system, at, &output.signal.text, &output.via);
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
        let statement = self.add_statement(process, text, span, true);
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
                let (queue, saved) = match receiver.delayed {
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
                    message.push(receiver_id);
                }
                message.extend(values.iter().map(|(value, _)| *value));
                let zero = self.constant(0);
                message.resize(self.width(), zero);
                self.send_values(queue, message);
                self.enter(work, target);
                self.edge(work, node, guard, begin, target, statement);
            }
        }
        if pid.is_some() || !always {
            // There is nobody of that name, or no way to him: the signal is lost (Z.100 clause 2.7.4).
            let begin = self.here();
            self.enter(work, target);
            let guard = self.constant(1);
            work.graph.nodes[node].edges.push(Edge {
                guard,
                effect: begin..self.here(),
                target,
                otherwise: true,
                statement,
            });
        }
    }

    /// A new instance (Z.100 clause 2.7.2); if there can be no more, nobody is created and the offspring is null.
    fn create(
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
            self.unknown(name, "process", &[]);
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
    fn no_more(&mut self, to: usize, name: &crate::ast::Name, span: Span) {
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

    pub(super) fn process_named(&self, name: &crate::ast::Name) -> Option<usize> {
        let mut processes = self.processes.iter();
        processes.position(|process| routing::same(&process.ast.name, name))
    }

    /// A signal for a queue that is full is an error, and there is no next state.
    pub(super) fn room(
        &mut self,
        queue: ExpressionId,
        saved: Option<ExpressionId>,
        signal: &str,
        span: Span,
    ) {
        let room = match saved {
            None if self.longest() == self.capacity => {
                self.node(Expression::Channel(ChannelTest::NotFull, queue))
            }
            saved => {
                let length = self.waiting(queue, saved);
                let most = self.constant(self.capacity as i32);
                self.both(BinaryOperator::Less, length, most)
            }
        };
        let message = format!(
            "overflow: no room for {signal} in a queue of {}",
            self.capacity
        );
        let breach = self.breach(BreachKind::Overflow, message, span);
        let at = self.here();
        self.emit(Instruction::JumpUnless(room, at + 2));
        self.emit(Instruction::Jump(at + 3));
        self.emit(Instruction::Stop(breach));
    }

    /// How many signals a queue can hold: besides those that count, one that creates a process.
    pub(super) fn longest(&self) -> u32 {
        let created = self
            .processes
            .iter()
            .any(|process| process.created_by.is_some());
        self.capacity + u32::from(created)
    }

    /// How many signals are in a queue; what creates its process is none of them.
    pub(super) fn waiting(
        &mut self,
        queue: ExpressionId,
        saved: Option<ExpressionId>,
    ) -> ExpressionId {
        let mut length = self.node(Expression::Channel(ChannelTest::Length, queue));
        if let Some(saved) = saved {
            let saved = self.node(Expression::Channel(ChannelTest::Length, saved));
            length = self.both(BinaryOperator::Add, length, saved);
        }
        let created: Vec<usize> = self.processes.iter().filter_map(|p| p.created_by).collect();
        for signal in created {
            let tag = self.constant(signal as i32 + 1);
            let mut fields = vec![Field::Match(tag)];
            fields.resize(self.width(), Field::Discard);
            let receive = self.receive_any(queue, fields);
            let first = self.node(Expression::CanReceive(receive));
            length = self.both(BinaryOperator::Subtract, length, first);
        }
        length
    }

    pub(super) fn send_values(&mut self, channel: ExpressionId, values: Vec<ExpressionId>) {
        let first = self.building.program.lists.len() as u32;
        self.building.program.lists.extend(values);
        self.building.program.sends.push(Send {
            channel,
            values: first..self.building.program.lists.len() as u32,
            sorted: false,
        });
        let send = SendId(self.building.program.sends.len() as u32 - 1);
        self.emit(Instruction::Send(send));
    }

    /// Room for one message in the frame of a process that saves: how it is taken there, and its values.
    pub(super) fn scratch(&mut self, process: usize) -> (Vec<Field>, Vec<ExpressionId>) {
        let mut offset = self.processes[process].frame;
        let (mut fields, mut values) = (Vec::new(), Vec::new());
        for number in 0..self.width() {
            let kind = self.building.program.channel_types[self.queue.index()].fields[number].kind;
            let place = self.local(offset, kind);
            fields.push(Field::Bind(place));
            values.push(self.node(Expression::Load(place)));
            offset += kind.bytes();
        }
        (fields, values)
    }

    pub(super) fn clear_scratch(&mut self, process: usize) {
        let (fields, _) = self.scratch(process);
        let zero = self.constant(0);
        for field in fields {
            if let Field::Bind(place) = field {
                self.emit(Instruction::Assign(place, zero));
            }
        }
    }

    /// Declares that room, and gives the end of the frame.
    pub(super) fn declare_scratch(&mut self, process: usize) -> u32 {
        let mut offset = self.processes[process].frame;
        if self.processes[process].saves {
            for number in 0..self.width() {
                let kind =
                    self.building.program.channel_types[self.queue.index()].fields[number].kind;
                self.building.program.process_types[process]
                    .variables
                    .push(Variable {
                        name: format!("aside {number}"),
                        offset,
                        kind,
                        length: None,
                        meaning: Meaning::Number,
                    });
                offset += kind.bytes();
            }
        }
        offset
    }
}

fn span_of_question(question: &Question, span: Span) -> Span {
    match question {
        Question::Value(value) => value.span,
        Question::Any | Question::Only => Span::new(span.start, span.start),
    }
}

fn label_node(work: &mut Work, label: &str) -> usize {
    let label = &match (is_of_one_state(label), work.state) {
        (true, Some(state)) => format!("{label} {state}"),
        _ => label.to_string(),
    };
    if let Some(node) = work.labels.get(label) {
        return *node;
    }
    let node = work.graph.add();
    work.labels.insert(label.to_string(), node);
    node
}
