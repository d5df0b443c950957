//! The states of a process: which signals they take, save and pass over, and what else sets a transition off.

use std::collections::HashMap;

use mazurka_model::{
    Base, Breach, BreachId, BreachKind, ChannelTest, Expression, ExpressionId, Field, Instruction,
    Kind, LocationId, ProcessType, ProcessTypeId, Receive, ReceiveId,
};
use mazurka_span::{Span, counted};
use mazurka_syntax::Lower;

use super::graph::{Edge, Graph};
use super::{ALIVE, Lowerer, QUEUE, SAVED, SENDER, Timer, Type, key};
use crate::ast::{State, States, Trigger, TriggerKind};
use crate::codes;
use crate::routing;

/// The location of the first state; before it come the start and the location of a process that has stopped.
pub(super) const FIRST_STATE: u32 = 2;
pub(super) const STOPPED: usize = 1;

/// A process while its graph is made.
pub(super) struct Work {
    pub process: usize,
    pub graph: Graph,
    /// The nodes of labels, by their names in small letters, and where one is joined that has none yet.
    pub labels: HashMap<String, usize>,
    pub joined: Vec<(String, Span)>,
    pub labelled: Vec<(String, Span)>,
    /// The state that the transition at hand began in.
    pub state: Option<usize>,
}

impl Lowerer<'_> {
    pub(super) fn bodies(&mut self) {
        for process in 0..self.processes.len() {
            self.process(process);
        }
        for line in 0..self.lines.len() {
            self.line(line);
        }
        if self.has_environment() {
            self.environment_process();
        }
        let begin = self.here();
        for process in 0..self.processes.len() {
            for number in 0..self.processes[process].slots {
                self.run(process);
                let name = &self.processes[process].ast.name;
                let name = match self.processes[process].slots {
                    1 => name.to_string(),
                    _ => format!("{name}({})", number + 1),
                };
                self.building.program.instances.push(name);
            }
        }
        for line in 0..self.lines.len() {
            self.run(self.processes.len() + line);
            self.building
                .program
                .instances
                .push(self.lines[line].name.clone());
        }
        if self.has_environment() {
            self.run(self.processes.len() + self.lines.len());
            self.building.program.instances.push("environment".into());
        }
        for process in 0..self.processes.len() {
            let Some(offset) = self.processes[process].exists else {
                continue;
            };
            for number in 0..self.processes[process].count {
                let place = self.simple_place(Base::Shared, offset + number, Kind::Byte);
                let alive = self.constant(ALIVE);
                self.emit(Instruction::Assign(place, alive));
            }
        }
        self.building.program.start = begin..self.here();
    }

    fn run(&mut self, process_type: usize) {
        self.emit(Instruction::Run {
            process_type: ProcessTypeId(process_type as u32),
            arguments: 0..0,
            priority: 1,
            result: None,
        });
    }

    fn process(&mut self, process: usize) {
        let ast = self.processes[process].ast;
        self.start_code(process);
        let mut work = Work {
            process,
            graph: Graph::default(),
            labels: HashMap::new(),
            joined: Vec::new(),
            labelled: Vec::new(),
            state: None,
        };
        work.graph.add();
        work.graph.add();
        for number in 0..self.processes[process].states.len() {
            let node = work.graph.add();
            let name = self.processes[process].states[number].0.clone();
            work.graph.nodes[node].labels.push(name);
            work.graph.nodes[node].rests = true;
        }
        work.graph.nodes[0].rests = true;
        work.graph.nodes[0].origin = self.origin(ast.name.span);
        work.graph.nodes[0].labels.push("start".into());
        let stopped = &mut work.graph.nodes[STOPPED];
        (stopped.rests, stopped.end) = (true, true);
        // One that is not created yet need not be.
        work.graph.nodes[0].end = self.processes[process].created_by.is_some();
        let stopped = &mut work.graph.nodes[STOPPED];
        stopped.labels.push("stopped".into());
        match &ast.start {
            Some(start) => {
                self.start_transition(&mut work, start);
                self.born(&mut work, start);
            }
            None => {
                let message = format!("process `{}` has no start transition", ast.name);
                self.error(codes::NO_START, ast.name.span, message);
            }
        }
        for state in &ast.states {
            self.marks(&mut work, state);
            for trigger in &state.triggers {
                self.no_way_back(&trigger.body);
            }
        }
        for number in 0..self.processes[process].states.len() {
            self.state(&mut work, number);
        }
        work.state = None;
        for body in &ast.connections {
            self.no_way_back(body);
            let node = self.continuation(&mut work, &body.actions, None, body.span);
            self.rest_of_body(&mut work, &body.actions, node, None);
        }
        for (label, span) in std::mem::take(&mut work.joined) {
            if !work.labelled.iter().any(|(known, _)| *known == label) {
                let message = format!("there is no label `{label}`");
                self.error(codes::UNKNOWN_NAME, span, message);
            }
        }
        for node in 0..work.graph.nodes.len() {
            if work.graph.nodes[node].rests && node != STOPPED && node != 0 {
                self.expiries(&mut work, node);
            }
        }
        for node in work
            .graph
            .nodes
            .iter_mut()
            .filter(|node| node.labels.is_empty())
        {
            node.labels.push("(in a transition)".into());
        }
        let frame = self.declare_scratch(process);
        self.finish(process, work.graph, frame);
    }

    /// Which state `nextstate -` means behind a label would depend on who joins.
    fn no_way_back(&mut self, body: &crate::ast::Body) {
        let actions = routing::actions_of(body);
        let back = actions
            .iter()
            .find(|action| matches!(action.kind, crate::ast::ActionKind::NextState(None)));
        let is_shared = |action: &&crate::ast::Action| {
            action
                .label
                .as_ref()
                .is_some_and(|label| !is_of_one_state(&key(label)))
        };
        if let (Some(back), true) = (back, actions.iter().any(is_shared)) {
            let message = "`nextstate -` in a transition with a label, or with a procedure that has states, is not supported: name the state";
            self.error(codes::NOT_TAKEN, back.span, message);
        }
    }

    fn start_code(&mut self, process: usize) {
        let begin = self.here();
        let queue = self.local(QUEUE, Kind::Byte);
        self.emit(Instruction::NewChannel(queue, self.queue));
        if self.processes[process].saves {
            let saved = self.local(SAVED, Kind::Byte);
            self.emit(Instruction::NewChannel(saved, self.queue));
        }
        self.initial_values(process, false);
        self.building.program.process_types[process].start = begin..self.here();
    }

    /// Gives variables their first values; those of a new instance may have had others.
    fn initial_values(&mut self, process: usize, again: bool) {
        for variable in &self.processes[process].ast.variables {
            let local = self.processes[process].variables[&key(&variable.name)];
            let first = match (&variable.initial, local.type_) {
                (Some(initial), _) => {
                    let Some((value, found)) = self.constant_value(initial) else {
                        continue;
                    };
                    self.expect_type(initial.span, found, local.type_);
                    self.in_range(value, local.type_, initial.span);
                    value
                }
                (None, type_) => default_of(type_),
            };
            if first == 0 && !again {
                continue;
            }
            let value = self.constant(first);
            for element in 0..local.length.unwrap_or(1) {
                let index = self.constant(element as i32);
                let place = self.part(Base::Local, local, Some(index));
                self.emit(Instruction::Assign(place, value));
            }
        }
    }

    /// An instance that somebody creates takes what it is given and starts.
    fn born(&mut self, work: &mut Work, start: &crate::ast::Body) {
        let process = work.process;
        let Some(signal) = self.processes[process].created_by else {
            return;
        };
        let own_start = work.graph.nodes[0].edges[0].target;
        let from = match self.reuses {
            true => vec![0, STOPPED],
            false => vec![0],
        };
        for node in from {
            let parent = self.processes[process].parent;
            let parent = parent.map(|offset| Field::Bind(self.local(offset, Kind::Byte)));
            let mut fields = vec![parent.unwrap_or(Field::Discard)];
            fields.resize(self.head() - 1, Field::Discard);
            let ast = self.processes[process].ast;
            let mut checked = Vec::new();
            let mut left = ast.parameters as u32;
            for variable in &ast.variables {
                let local = self.processes[process].variables[&key(&variable.name)];
                for element in 0..local.length.unwrap_or(1).min(left) {
                    let index = self.constant(element as i32);
                    fields.push(Field::Bind(self.part(Base::Local, local, Some(index))));
                    checked.push(local.type_);
                    left -= 1;
                }
            }
            let receive = self.receive(QUEUE, signal, fields, false);
            let guard = self.node(Expression::CanReceive(receive));
            let begin = self.here();
            if self.reuses {
                self.initial_values(process, true);
                let zero = self.constant(0);
                for timer in self.processes[process].timers.clone() {
                    for number in 0..timer.count() {
                        let running = self.local(timer.offset + number, Kind::Bit);
                        self.emit(Instruction::Assign(running, zero));
                    }
                }
                let kept = self.processes[process].offspring;
                for offset in [Some(SENDER), kept].into_iter().flatten() {
                    let place = self.local(offset, Kind::Byte);
                    self.emit(Instruction::Assign(place, zero));
                }
            }
            self.emit(Instruction::Receive(receive));
            self.enter(work, own_start);
            let statement = self.add_statement(process, "start".into(), start.span, true);
            work.graph.nodes[node].edges.push(Edge {
                guard,
                effect: begin..self.here(),
                target: own_start,
                otherwise: false,
                statement,
            });
        }
    }

    fn in_range(&mut self, value: i32, type_: Type, span: Span) {
        if let Type::Integer(Some((low, high))) = type_
            && !(low..=high).contains(&value)
        {
            let message = format!("{value} is not from {low} to {high}");
            self.error(codes::OUT_OF_RANGE, span, message);
        }
    }

    /// Which states, by their numbers.
    fn states_of(&mut self, process: usize, states: &States) -> Vec<usize> {
        let names: Vec<String> = (self.processes[process].states.iter())
            .map(|(_, name)| name.clone())
            .collect();
        match states {
            States::Named(named) => named
                .iter()
                .filter_map(|name| names.iter().position(|known| *known == key(name)))
                .collect(),
            States::AllBut(named) => {
                let but: Vec<String> = named.iter().map(key).collect();
                (0..names.len())
                    .filter(|state| !but.contains(&names[*state]))
                    .collect()
            }
        }
    }

    fn marks(&mut self, work: &mut Work, state: &State) {
        let origin = self.origin(state.span);
        for number in self.states_of(work.process, &state.of) {
            let node = &mut work.graph.nodes[FIRST_STATE as usize + number];
            if let States::Named(_) = state.of {
                node.origin = origin;
            }
            for mark in &state.marks {
                match mark.as_str() {
                    "end" => node.end = true,
                    "accept" => node.accept = true,
                    "progress" => node.progress = true,
                    _ => {}
                }
            }
        }
    }

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
                let name = &output.signal.text;
                let receivers = routing::receivers(self.system, sender.at, name, &output.via);
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
    fn stimulus_named(&self, process: usize, name: &crate::ast::Name) -> Option<usize> {
        let timers = self.processes[process].timers.iter();
        let mut timers = timers.map(|timer| timer.signal);
        let timer =
            timers.find(|signal| self.signals[*signal].name.eq_ignore_ascii_case(&name.text));
        timer.or_else(|| self.signal_named(name))
    }

    fn state(&mut self, work: &mut Work, number: usize) {
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
                    self.unknown(&name, "signal or timer", &[]);
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
    fn before_others(
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

    fn saved_names(&mut self, members: &[crate::ast::Member]) -> Vec<crate::ast::Name> {
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
    fn without_signal(&mut self, work: &mut Work, node: usize, triggers: &[&Trigger]) {
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

    fn sender_is_self(&mut self) {
        let own = self.node(Expression::SelfProcess);
        let one = self.constant(1);
        let own = self.both(crate::ast::BinaryOperator::Add, own, one);
        let sender = self.local(SENDER, Kind::Byte);
        self.emit(Instruction::Assign(sender, own));
    }

    /// The receive of a signal from a channel of the process, with what becomes of its fields.
    pub(super) fn receive(
        &mut self,
        offset: u32,
        signal: usize,
        fields: Vec<Field>,
        random: bool,
    ) -> ReceiveId {
        let channel = self.load(offset, Kind::Byte);
        let tag = self.constant(signal as i32 + 1);
        let first = self.building.program.fields.len();
        self.building.program.fields.push(Field::Match(tag));
        self.building.program.fields.extend(fields);
        let end = first + self.width();
        self.building.program.fields.resize(end, Field::Discard);
        self.add_receive(Receive {
            channel,
            fields: first as u32..end as u32,
            random,
            keep: false,
        })
    }

    /// The receive of any signal from a channel, with what becomes of all its fields.
    pub(super) fn receive_any(
        &mut self,
        channel: ExpressionId,
        fields: impl IntoIterator<Item = Field>,
    ) -> ReceiveId {
        let first = self.building.program.fields.len() as u32;
        self.building.program.fields.extend(fields);
        self.add_receive(Receive {
            channel,
            fields: first..self.building.program.fields.len() as u32,
            random: false,
            keep: false,
        })
    }

    fn add_receive(&mut self, receive: Receive) -> ReceiveId {
        self.building.program.receives.push(receive);
        ReceiveId(self.building.program.receives.len() as u32 - 1)
    }

    /// A signal that sets a transition off. With an enabling condition it is saved while that is false (Z.100 clause 4.12).
    fn input(
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
            let known: Vec<String> = self.processes[process].variables.keys().cloned().collect();
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            self.unknown(name, "variable", &known);
            return None;
        };
        Some((local, self.part(Base::Local, local, index)))
    }

    /// A value out of the range of its variable is an error of the model.
    pub(super) fn check_range(&mut self, value: ExpressionId, type_: Type) {
        let Type::Integer(Some((low, high))) = type_ else {
            return;
        };
        use crate::ast::BinaryOperator as Value;
        let (low, most) = (self.constant(low), self.constant(high));
        let mut claim = self.both(Value::GreaterEqual, value, low);
        if high != i32::MAX {
            let below = self.both(Value::LessEqual, value, most);
            claim = self.node(Expression::And(claim, below));
        }
        self.emit(Instruction::Assert(claim));
    }

    /// The beginning of a transition, whose code so far begins at `begin`.
    fn first_step(
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
        self.enter(work, target);
        work.graph.nodes[node].edges.push(Edge {
            guard,
            effect: begin..self.here(),
            target,
            otherwise: false,
            statement,
        });
        self.rest_of_body(work, &trigger.body.actions, target, None);
    }

    /// A signal that is put aside until the next state, if a condition holds.
    fn save(
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
    fn pass_over(
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

    /// A timer that runs may expire whenever others can move.
    fn expiries(&mut self, work: &mut Work, node: usize) {
        for timer in self.processes[work.process].timers.clone() {
            for number in 0..timer.count() {
                self.expiry(work, node, &timer, number);
            }
        }
    }

    fn expiry(&mut self, work: &mut Work, node: usize, timer: &Timer, number: u32) {
        let offset = timer.offset + number;
        let guard = self.load(offset, Kind::Bit);
        let begin = self.here();
        let running = self.local(offset, Kind::Bit);
        let zero = self.constant(0);
        self.emit(Instruction::Assign(running, zero));
        let queue = self.load(QUEUE, Kind::Byte);
        let mut name = self.signals[timer.signal].name.clone();
        let span = self.processes[work.process].ast.name.span;
        let saved = self.processes[work.process]
            .saves
            .then(|| self.load(SAVED, Kind::Byte));
        self.room(queue, saved, &name, span);
        let own = self.node(Expression::SelfProcess);
        let one = self.constant(1);
        let own = self.both(crate::ast::BinaryOperator::Add, own, one);
        let tag = self.constant(timer.signal as i32 + 1);
        let mut values = vec![tag, own];
        values.resize(self.head(), zero);
        let named = timer.values(number);
        if !named.is_empty() {
            let named: Vec<String> = named.iter().map(i32::to_string).collect();
            name = format!("{name}({})", named.join(", "));
        }
        for value in named {
            values.push(self.constant(value));
        }
        values.resize(self.width(), zero);
        self.send_values(queue, values);
        if node >= FIRST_STATE as usize && node < self.after_states(work) {
            self.enter(work, node);
        }
        let statement =
            self.add_statement(work.process, format!("timer {name} expires"), span, false);
        work.graph.nodes[node].edges.push(Edge {
            guard,
            effect: begin..self.here(),
            target: node,
            otherwise: false,
            statement,
        });
    }

    pub(super) fn breach(&mut self, kind: BreachKind, message: String, span: Span) -> BreachId {
        let origin = self.origin(span);
        self.building.program.breaches.push(Breach {
            kind,
            message,
            origin,
        });
        BreachId(self.building.program.breaches.len() as u32 - 1)
    }

    /// The process that delays the signals of one way of a channel (Z.100 clause 2.5.1): each goes on after any time, in order.
    fn line(&mut self, line: usize) {
        let process_type = self.processes.len() + line;
        let name = self.lines[line].name.clone();
        let span = self.system.channels[self.lines[line].of.0].name.span;
        let begin = self.here();
        let queue = self.local(QUEUE, Kind::Byte);
        self.emit(Instruction::NewChannel(queue, self.queue));
        let start = begin..self.here();
        let fields = self.building.program.channel_types[self.queue.index()]
            .fields
            .clone();
        let mut variables = vec![mazurka_model::Variable {
            name: "queue".into(),
            offset: QUEUE,
            kind: Kind::Byte,
            length: None,
            meaning: mazurka_model::Meaning::Channel,
        }];
        let mut offset = 1;
        let mut bound = Vec::new();
        let mut values = Vec::new();
        let mut places = Vec::new();
        for (number, field) in fields.iter().enumerate() {
            let place = self.local(offset, field.kind);
            bound.push(Field::Bind(place));
            places.push(place);
            values.push(self.node(Expression::Load(place)));
            variables.push(mazurka_model::Variable {
                name: format!("field {number}"),
                offset,
                kind: field.kind,
                length: None,
                meaning: mazurka_model::Meaning::Number,
            });
            offset += field.kind.bytes();
        }
        self.building.program.process_types.push(ProcessType {
            start,
            variables,
            ..ProcessType::new(name.as_str(), LocationId(0))
        });
        let mut graph = Graph::default();
        let node = graph.add();
        graph.nodes[node].rests = true;
        graph.nodes[node].end = true;
        graph.nodes[node].labels.push("carries".into());
        graph.nodes[node].origin = self.origin(span);
        let own = self.load(QUEUE, Kind::Byte);
        let channel = &self.system.channels[self.lines[line].of.0];
        let to = channel.ways[self.lines[line].of.1].to.clone();
        let receivers: Vec<usize> = (0..self.processes.len())
            .filter(|process| {
                let block = &self.system.blocks[self.processes[*process].at.0];
                to.as_ref().is_some_and(|to| routing::same(to, &block.name))
            })
            .collect();
        for process in receivers {
            for number in 0..self.processes[process].slots {
                let pid = self.processes[process].first + number + 1;
                let pid = self.constant(pid as i32);
                let mut taken = bound.clone();
                taken[2] = Field::Match(pid);
                let receive = self.receive_any(own, taken);
                let guard = self.node(Expression::CanReceive(receive));
                let begin = self.here();
                self.emit(Instruction::Receive(receive));
                let (queue, saved) = self.queue_of(process, number);
                // For one that has stopped it is lost.
                let jump = self.instance_is(process, number, ALIVE);
                let jump = jump.map(|alive| (self.emit(Instruction::Stuck), alive));
                self.room(queue, saved, &name, span);
                let mut sent = values.clone();
                sent[2] = pid;
                self.send_values(queue, sent);
                if let Some((at, alive)) = jump {
                    let end = self.here();
                    self.patch(at, Instruction::JumpUnless(alive, end));
                }
                let zero = self.constant(0);
                for place in &places {
                    self.emit(Instruction::Assign(*place, zero));
                }
                let text = format!("{name} delivers to {}", self.processes[process].ast.name);
                let statement = self.add_statement(process_type, text, span, false);
                graph.nodes[node].edges.push(Edge {
                    guard,
                    effect: begin..self.here(),
                    target: node,
                    otherwise: false,
                    statement,
                });
            }
        }
        self.finish(process_type, graph, offset);
    }

    pub(super) fn after_states(&self, work: &Work) -> usize {
        FIRST_STATE as usize + self.processes[work.process].states.len()
    }

    /// The queue of an instance, and what it has put aside.
    pub(super) fn queue_of(
        &mut self,
        process: usize,
        number: u32,
    ) -> (ExpressionId, Option<ExpressionId>) {
        let described = &self.processes[process];
        let saves = described.saves;
        let queue = described.first_channel + number * (1 + u32::from(saves));
        let saved = saves.then(|| self.constant(queue as i32 + 1));
        (self.constant(queue as i32), saved)
    }
}

/// The value of a variable of which nothing else is said.
pub(super) fn default_of(type_: Type) -> i32 {
    match type_ {
        Type::Integer(Some((low, high))) => 0.clamp(low, high),
        _ => 0,
    }
}

/// Is a label of a call, which belongs to the transition of one state?
pub(super) fn is_of_one_state(label: &str) -> bool {
    label.starts_with('<')
}
