//! The states of a process: which signals they take, save and pass over, and what else sets a transition off.

use mazurka_model::{BreachKind, ChannelTest, Expression, ExpressionId, Field, Instruction, Kind};
use mazurka_span::{Span, counted};
use mazurka_syntax::Lower;

use super::graph::Edge;
use super::process::{FIRST_STATE, Work};
use super::{Lowerer, QUEUE, SAVED, SENDER, Type, key};
use crate::ast::{Trigger, TriggerKind};
use crate::codes;
use crate::routing;

impl Lowerer<'_> {
    /// The signals that may come to a process: those that somebody can send to it, and its timers.
    pub(super) fn expected(&self, process: usize) -> Vec<usize> {
        let mut found: Vec<usize> = Vec::new();
        let at = self.processes[process].at;
        for sender in &self.processes {
            for action in routing::actions(sender.ast) {
                let crate::ast::ActionKind::Output(output) = &action.kind else {
                    continue;
                };
                let Some(signal) = self.signal_named(&output.signal) else {
                    continue;
                };
                let receivers = routing::receivers(self.system, sender.at, output);
                let reached = receivers
                    .iter()
                    .any(|receiver| receiver.process == Some(at));
                if reached && !found.contains(&signal) {
                    found.push(signal);
                }
            }
        }
        found.sort();
        if self.environment.is_some() {
            for (number, signal) in self.signals.iter().enumerate() {
                let is_signal = signal.timer_of.is_none() && signal.creates.is_none();
                if is_signal
                    && !found.contains(&number)
                    && routing::from_environment(self.system, &signal.name).contains(&at)
                {
                    found.push(number);
                }
            }
            found.sort();
        }
        let timers = self.processes[process].timers.iter();
        found.extend(timers.map(|timer| timer.signal));
        found
    }

    /// A signal or a timer of the process.
    pub(super) fn stimulus_named(&self, process: usize, name: &crate::ast::Name) -> Option<usize> {
        let timers = self.processes[process].timers.iter();
        let mut timers = timers.map(|timer| timer.signal);
        let timer =
            timers.find(|signal| self.signals[*signal].name.eq_ignore_ascii_case(&name.text));
        timer.or_else(|| self.signal_named(name))
    }

    pub(super) fn state(&mut self, work: &mut Work, number: usize) {
        let process = work.process;
        let ast = self.processes[process].ast;
        let node = FIRST_STATE as usize + number;
        work.state = Some(number);
        let mut triggers: Vec<&Trigger> = Vec::new();
        for state in &ast.states {
            if self.states_of(process, &state.of).contains(&number) {
                triggers.extend(&state.triggers);
            }
        }
        let span = triggers
            .first()
            .map_or(ast.name.span, |trigger| trigger.span);
        let mut handled: Vec<usize> = Vec::new();
        let mut rest: Option<&Trigger> = None;
        let mut first: Vec<(usize, &Trigger, crate::ast::Name)> = Vec::new();
        for trigger in &triggers {
            let signals = match &trigger.kind {
                TriggerKind::Input(stimuli) | TriggerKind::PriorityInput(stimuli) => {
                    let named = stimuli.iter().map(|stimulus| &stimulus.signal);
                    named.cloned().collect()
                }
                TriggerKind::Save(members) => self.saved_names(members),
                TriggerKind::AnyInput | TriggerKind::SaveAll => {
                    if rest.replace(trigger).is_some() {
                        let message = "two that take all other signals";
                        self.error(codes::AMBIGUOUS, trigger.span, message);
                    }
                    Vec::new()
                }
                _ => Vec::new(),
            };
            for name in signals {
                let Some(signal) = self.stimulus_named(process, &name) else {
                    let mut known = self.names_of_signals();
                    known.extend(self.names_of_timers(process));
                    self.unknown(&name, "signal or timer", known);
                    continue;
                };
                if handled.contains(&signal) {
                    let message = format!("this state takes or saves `{name}` already");
                    self.error(codes::AMBIGUOUS, trigger.span, message);
                    continue;
                }
                handled.push(signal);
                match &trigger.kind {
                    TriggerKind::Save(_) => self.save(work, node, signal, None, trigger.span),
                    TriggerKind::PriorityInput(_) => first.push((signal, trigger, name)),
                    _ => self.input(work, node, signal, trigger, &name),
                }
            }
        }
        let others = self.expected(process).into_iter();
        let others: Vec<usize> = others.filter(|signal| !handled.contains(signal)).collect();
        if let (Some(trigger), true) = (rest, others.is_empty()) {
            // Nothing is left for `input *`; its labels may still be joined.
            if matches!(trigger.kind, TriggerKind::AnyInput) {
                let actions = &trigger.body.actions;
                let node = self.continuation(work, actions, None, trigger.span);
                self.rest_of_body(work, actions, node, None);
            }
        }
        for signal in others {
            match rest {
                Some(trigger) if matches!(trigger.kind, TriggerKind::SaveAll) => {
                    self.save(work, node, signal, None, trigger.span);
                }
                Some(trigger) => {
                    let name = crate::ast::Name {
                        text: self.signals[signal].name.as_str().into(),
                        span: trigger.span,
                    };
                    self.input(work, node, signal, trigger, &name);
                }
                None => self.pass_over(work, node, signal, span, self.reports_unexpected),
            }
        }
        self.before_others(work, node, &first);
        self.without_signal(work, node, &triggers);
    }

    /// Priority inputs (Z.100 clause 4.10): the first of their signals in the queue is taken before all others, wherever it stands.
    pub(super) fn before_others(
        &mut self,
        work: &mut Work,
        node: usize,
        first: &[(usize, &Trigger, crate::ast::Name)],
    ) {
        if first.is_empty() {
            return;
        }
        let mut some: Option<ExpressionId> = None;
        let mut head: Option<ExpressionId> = None;
        for (signal, trigger, _) in first {
            if let Some(condition) = &trigger.provided {
                let message = "a priority input has no condition";
                self.error(codes::NOT_TAKEN, condition.span, message);
            }
            for (random, all) in [(true, &mut some), (false, &mut head)] {
                let receive = self.receive(QUEUE, *signal, Vec::new(), random);
                let one = self.node(Expression::CanReceive(receive));
                *all = Some(match *all {
                    None => one,
                    Some(before) => self.node(Expression::Or(before, one)),
                });
            }
        }
        let (Some(some), Some(head)) = (some, head) else {
            return;
        };
        let not = mazurka_model::UnaryOperator::Not;
        let none = self.node(Expression::Unary(not, some));
        for edge in 0..work.graph.nodes[node].edges.len() {
            let guard = work.graph.nodes[node].edges[edge].guard;
            let guard = self.node(Expression::And(none, guard));
            work.graph.nodes[node].edges[edge].guard = guard;
        }
        // Those before it are put aside until the next state.
        let begin = self.here();
        let (fields, values) = self.scratch(work.process);
        let queue = self.load(QUEUE, Kind::Byte);
        let saved = self.load(SAVED, Kind::Byte);
        let receive = self.receive_any(queue, fields);
        let top = self.here();
        let other = self.node(Expression::Unary(not, head));
        self.emit(Instruction::Stuck);
        self.emit(Instruction::Receive(receive));
        self.send_values(saved, values);
        self.emit(Instruction::Jump(top));
        let end = self.here();
        self.patch(top, Instruction::JumpUnless(other, end));
        self.clear_scratch(work.process);
        let pick = work.graph.add();
        let span = first[0].1.span;
        work.graph.nodes[pick].origin = self.origin(span);
        let text = "priority input".to_string();
        let statement = self.add_statement(work.process, text, span, false);
        work.graph.nodes[node].edges.push(Edge {
            guard: some,
            effect: begin..self.here(),
            target: pick,
            otherwise: false,
            statement,
        });
        for (signal, trigger, name) in first {
            self.input(work, pick, *signal, trigger, name);
        }
    }

    pub(super) fn saved_names(&mut self, members: &[crate::ast::Member]) -> Vec<crate::ast::Name> {
        let mut names = Vec::new();
        for member in members {
            let of = std::slice::from_ref(member);
            let mut signals: Vec<String> =
                routing::signals_of(self.system, of).into_iter().collect();
            signals.sort();
            names.extend(signals.into_iter().map(|text| crate::ast::Name {
                text: text.as_str().into(),
                span: member.name.span,
            }));
        }
        names
    }

    /// Spontaneous transitions and continuous signals (Z.100 clauses 2.6.6 and 4.11).
    pub(super) fn without_signal(&mut self, work: &mut Work, node: usize, triggers: &[&Trigger]) {
        let process = work.process;
        for trigger in triggers {
            match trigger.kind {
                TriggerKind::Spontaneous => {
                    let guard = match &trigger.provided {
                        Some(condition) => self.condition(Some(process), condition),
                        None => self.constant(1),
                    };
                    let begin = self.here();
                    // What comes without a signal has no sender but the process itself.
                    self.sender_is_self();
                    self.first_step(work, node, guard, begin, trigger);
                }
                TriggerKind::Continuous(priority) => {
                    let Some(condition) = &trigger.provided else {
                        continue;
                    };
                    let mut guard = self.condition(Some(process), condition);
                    let queue = self.load(QUEUE, Kind::Byte);
                    let empty = self.node(Expression::Channel(ChannelTest::Empty, queue));
                    guard = self.node(Expression::And(empty, guard));
                    for other in triggers {
                        if let (TriggerKind::Continuous(before), Some(condition)) =
                            (&other.kind, &other.provided)
                            && *before < priority
                        {
                            let other = self.condition(Some(process), condition);
                            let not = mazurka_model::UnaryOperator::Not;
                            let other = self.node(Expression::Unary(not, other));
                            guard = self.node(Expression::And(guard, other));
                        }
                    }
                    let begin = self.here();
                    self.sender_is_self();
                    self.first_step(work, node, guard, begin, trigger);
                }
                _ => {}
            }
        }
    }

    pub(super) fn sender_is_self(&mut self) {
        let own = self.node(Expression::SelfProcess);
        let one = self.constant(1);
        let own = self.both(crate::ast::BinaryOperator::Add, own, one);
        let sender = self.local(SENDER, Kind::Byte);
        self.emit(Instruction::Assign(sender, own));
    }

    /// A signal that sets a transition off. With an enabling condition it is saved while that is false (Z.100 clause 4.12).
    pub(super) fn input(
        &mut self,
        work: &mut Work,
        node: usize,
        signal: usize,
        trigger: &Trigger,
        name: &crate::ast::Name,
    ) {
        let process = work.process;
        let mut fields = vec![Field::Bind(self.local(SENDER, Kind::Byte))];
        fields.resize(self.head() - 1, Field::Discard);
        let mut checked = Vec::new();
        if let TriggerKind::Input(stimuli) | TriggerKind::PriorityInput(stimuli) = &trigger.kind {
            let stimulus = stimuli.iter().find(|s| routing::same(&s.signal, name));
            let targets = stimulus.map_or(&[][..], |stimulus| &stimulus.targets);
            let types = self.signals[signal].parameters.clone();
            if targets.len() > types.len() {
                let message = format!(
                    "`{name}` has {}, not {}",
                    counted(types.len() as u64, "parameter"),
                    targets.len()
                );
                self.error(codes::WRONG_COUNT, name.span, message);
            }
            for (target, type_) in targets.iter().zip(types) {
                let Some(target) = target else {
                    fields.push(Field::Discard);
                    continue;
                };
                let Some((local, place)) = self.variable(process, target) else {
                    continue;
                };
                self.expect_type(target.span, type_, local.type_);
                fields.push(Field::Bind(place));
                if type_ != local.type_ {
                    checked.push((place, local.type_));
                }
            }
        }
        let receive = self.receive(QUEUE, signal, fields, false);
        let mut guard = self.node(Expression::CanReceive(receive));
        if let Some(condition) = &trigger.provided {
            if super::uses::has(condition, |part| {
                matches!(part, crate::ast::ExpressionKind::Seen(..))
            }) {
                let message = "`view` in the condition of an input is not supported: nobody says when the signal that was saved is looked at again";
                self.error(codes::NOT_TAKEN, condition.span, message);
            }
            let condition_id = self.condition(Some(process), condition);
            let not = mazurka_model::UnaryOperator::Not;
            let closed = self.node(Expression::Unary(not, condition_id));
            self.save(work, node, signal, Some(closed), trigger.span);
            guard = self.node(Expression::And(guard, condition_id));
        }
        let begin = self.here();
        self.emit(Instruction::Receive(receive));
        for (place, type_) in checked {
            let value = self.node(Expression::Load(place));
            self.check_range(value, type_);
        }
        self.first_step(work, node, guard, begin, trigger);
    }

    /// A variable, or an element of a part of an array, that gets a value.
    pub(super) fn variable(
        &mut self,
        process: usize,
        target: &crate::ast::Expression,
    ) -> Option<(super::Local, mazurka_model::PlaceId)> {
        use crate::ast::ExpressionKind;
        let (name, index) = match &target.kind {
            ExpressionKind::Name(name) => (name, None),
            ExpressionKind::Element(name, index) => {
                let (id, found) = self.value(Some(process), index);
                self.expect_type(index.span, found, Type::Integer(None));
                (name, Some(id))
            }
            _ => return None,
        };
        let Some(local) = self.processes[process].variables.get(&key(name)).copied() else {
            let known = self.names_of_variables(process);
            self.unknown(name, "variable", known);
            return None;
        };
        Some((local, self.own_part(local, index)))
    }

    /// A value out of the range of its variable is an error of the model.
    pub(super) fn check_range(&mut self, value: ExpressionId, type_: Type) {
        let Type::Integer(Some((low, high))) = type_ else {
            return;
        };
        use crate::ast::BinaryOperator as Value;
        let least = (low != i32::MIN).then(|| {
            let low = self.constant(low);
            self.both(Value::GreaterEqual, value, low)
        });
        let most = (high != i32::MAX).then(|| {
            let high = self.constant(high);
            self.both(Value::LessEqual, value, high)
        });
        let claim = match (least, most) {
            (Some(least), Some(most)) => self.node(Expression::And(least, most)),
            (Some(claim), None) | (None, Some(claim)) => claim,
            (None, None) => return,
        };
        self.emit(Instruction::Assert(claim));
    }

    /// The beginning of a transition, whose code so far begins at `begin`.
    pub(super) fn first_step(
        &mut self,
        work: &mut Work,
        node: usize,
        guard: ExpressionId,
        begin: u32,
        trigger: &Trigger,
    ) {
        let text = self.text(trigger.span);
        let statement = self.add_statement(work.process, text, trigger.span, true);
        let target = self.continuation(work, &trigger.body.actions, None, trigger.body.span);
        let mut next = target;
        if let TriggerKind::Input(all) | TriggerKind::PriorityInput(all) = &trigger.kind {
            let mut targets = all.iter().flat_map(|one| one.targets.iter().flatten());
            if targets.any(|target| self.is_revealed(work.process, target)) {
                next = self.resting(work, &trigger.body.actions, target, trigger.span);
            }
        }
        self.enter(work, next);
        work.graph.nodes[node].edges.push(Edge {
            guard,
            effect: begin..self.here(),
            target: next,
            otherwise: false,
            statement,
        });
        self.rest_of_body(work, &trigger.body.actions, target, None);
    }

    /// A signal that is put aside until the next state, if a condition holds.
    pub(super) fn save(
        &mut self,
        work: &mut Work,
        node: usize,
        signal: usize,
        condition: Option<ExpressionId>,
        span: Span,
    ) {
        let (fields, values) = self.scratch(work.process);
        let receive = self.receive(QUEUE, signal, fields[1..].to_vec(), false);
        let mut guard = self.node(Expression::CanReceive(receive));
        if let Some(condition) = condition {
            guard = self.node(Expression::And(guard, condition));
        }
        let begin = self.here();
        self.emit(Instruction::Receive(receive));
        let tag = self.constant(signal as i32 + 1);
        let mut values = values;
        values[0] = tag;
        let saved = self.load(SAVED, Kind::Byte);
        self.send_values(saved, values);
        self.clear_scratch(work.process);
        let text = format!("save {}", self.signals[signal].name);
        let statement = self.add_statement(work.process, text, span, false);
        work.graph.nodes[node].edges.push(Edge {
            guard,
            effect: begin..self.here(),
            target: node,
            otherwise: false,
            statement,
        });
    }

    /// A signal that a state says nothing about: it is taken and nothing happens (Z.100 clause 2.6.3), or that is an error.
    pub(super) fn pass_over(
        &mut self,
        work: &mut Work,
        node: usize,
        signal: usize,
        span: Span,
        reported: bool,
    ) {
        let receive = self.receive(QUEUE, signal, Vec::new(), false);
        let guard = self.node(Expression::CanReceive(receive));
        let name = self.signals[signal].name.clone();
        let begin = self.here();
        let state = work.graph.nodes[node].labels[0].clone();
        if reported {
            let process = &self.processes[work.process].ast.name;
            let told =
                format!("unexpected input: {process} in state {state} says nothing about {name}");
            let breach = self.breach(BreachKind::UnexpectedInput, told, span);
            self.emit(Instruction::Breach(breach));
        }
        self.emit(Instruction::Receive(receive));
        let text = format!("{name} is passed over in {state}");
        let statement = self.add_statement(work.process, text, span, false);
        work.graph.nodes[node].edges.push(Edge {
            guard,
            effect: begin..self.here(),
            target: node,
            otherwise: false,
            statement,
        });
    }
}
