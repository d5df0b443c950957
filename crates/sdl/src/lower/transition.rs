//! What a process does between two states.

use mazurka_model::{
    Base, BreachKind, ChannelTest, Expression, ExpressionId, Field, Instruction, Kind,
};
use mazurka_span::{Diagnostic, Span};
use mazurka_syntax::Lower;

use super::expression::timer_local;
use super::graph::Edge;
use super::process::{FIRST_STATE, STOPPED, Work, default_of, is_of_one_state};
use super::{Lowerer, QUEUE, SAVED, key};
use crate::ast::{
    Action, ActionKind, Answer, BinaryOperator, Body, ExpressionKind, Question, Range,
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

    pub(super) fn edge(
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
            revealed_by: None,
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
        let mut text = self.text(action.span);
        // One `set` may be about several timers, and so may one `reset`.
        match &action.kind {
            ActionKind::Set(..) if text.starts_with('(') => text.insert_str(0, "set"),
            ActionKind::Reset(..) => text = format!("reset({text})"),
            _ => {}
        }
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
                let first = self.continuation(work, rest, after, action.span);
                let target = self.resting(work, rest, first, action.span);
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
                let next = match self.is_shared(work.process, &action.kind) {
                    true => self.resting(work, rest, target, action.span),
                    false => target,
                };
                for value in *low..=*high {
                    let begin = self.here();
                    let value = self.constant(value);
                    self.emit(Instruction::Assign(place, value));
                    self.enter(work, next);
                    let guard = self.constant(1);
                    self.edge(work, node, guard, begin, next, statement);
                }
                self.rest_of_body(work, rest, target, after);
            }
            ActionKind::Create(name, values) => {
                let target = self.continuation(work, rest, after, action.span);
                self.create(work, node, name, values, target, action.span);
                self.rest_of_body(work, rest, target, after);
            }
            _ => {
                let target = self.continuation(work, rest, after, action.span);
                let next = match self.is_shared(work.process, &action.kind) {
                    true => self.resting(work, rest, target, action.span),
                    false => target,
                };
                let begin = self.here();
                self.simple(work, action);
                self.enter(work, next);
                let statement = self.add_statement(work.process, text, action.span, true);
                let guard = self.constant(1);
                self.edge(work, node, guard, begin, next, statement);
                self.rest_of_body(work, rest, target, after);
            }
        }
    }

    /// Where others may move before some actions, whose node is known: there, or on the way to it if others come there too.
    pub(super) fn resting(
        &mut self,
        work: &mut Work,
        actions: &[Action],
        node: usize,
        span: Span,
    ) -> usize {
        if work.graph.nodes[node].rests {
            return node;
        }
        let is_alone = actions
            .first()
            .is_some_and(|next| next.label.is_none() && !matches!(next.kind, ActionKind::Join(_)));
        if is_alone {
            work.graph.nodes[node].rests = true;
            return node;
        }
        let before = work.graph.add();
        work.graph.nodes[before].origin = self.origin(span);
        work.graph.nodes[before].rests = true;
        let begin = self.here();
        let statement = self.add_statement(work.process, "goes on".into(), span, false);
        let guard = self.constant(1);
        self.edge(work, before, guard, begin, node, statement);
        before
    }

    /// Does an action see what another process reveals, or change what this one does? Others may move behind it.
    pub(super) fn is_shared(&self, process: usize, kind: &ActionKind) -> bool {
        let sees = |part: &ExpressionKind| matches!(part, ExpressionKind::Seen(..));
        let mut expressions = super::uses::expressions(kind).into_iter();
        if expressions.any(|expression| super::uses::has(expression, sees)) {
            return true;
        }
        match kind {
            ActionKind::Assign(target, _)
            | ActionKind::Choose(target, ..)
            | ActionKind::Clear(target) => self.is_revealed(process, target),
            _ => false,
        }
    }

    /// Is a variable one that others see?
    pub(super) fn is_revealed(&self, process: usize, target: &crate::ast::Expression) -> bool {
        let (ExpressionKind::Name(name) | ExpressionKind::Element(name, _)) = &target.kind else {
            return false;
        };
        let local = self.processes[process].variables.get(&key(name));
        local.is_some_and(|local| local.revealed_by.is_some())
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
            ActionKind::Unexpected(signal) if self.reports_unexpected => {
                let owner = &self.processes[process].ast.name;
                let told =
                    format!("unexpected input: {owner} says nothing about {signal} at the moment");
                let breach = self.breach(BreachKind::UnexpectedInput, told, action.span);
                self.emit(Instruction::Breach(breach));
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
                // Behind the word `decision`.
                let text = self.text(span);
                let question = text.get("decision".len()..).unwrap_or_default();
                if question.trim_start().starts_with(['\'', '"']) {
                    let message = "informal text: any answer may be chosen";
                    let note = Diagnostic::warning(codes::INFORMAL, span, message);
                    self.building.diagnostics.push(note);
                }
                None
            }
        };
        let sees = |value: &crate::ast::Expression| {
            super::uses::has(value, |part| matches!(part, ExpressionKind::Seen(..)))
        };
        let shared = matches!(question, Question::Value(value) if sees(value));
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
            let target = self.continuation(work, &answer.body.actions, after, answer.span);
            let next = match shared {
                true => self.resting(work, &answer.body.actions, target, answer.span),
                false => target,
            };
            let begin = self.here();
            self.enter(work, next);
            let text = format!(
                "{} {}",
                self.text(span_of_question(question, span)),
                self.text(answer.span)
            );
            let statement = self.add_statement(process, text, answer.span, true);
            self.edge(work, node, guard, begin, next, statement);
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
                "no answer of the decision fits its value".into(),
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

    pub(super) fn process_named(&self, name: &crate::ast::Name) -> Option<usize> {
        let mut processes = self.processes.iter();
        processes.position(|process| routing::same(&process.ast.name, name))
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
