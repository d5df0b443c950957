//! The states of a process: which signals they take, save and pass over, and what else sets a transition off.

use std::collections::HashMap;

use mazurka_model::{
    Breach, BreachId, BreachKind, ChannelTest, Expression, ExpressionId, Field, Instruction, Kind,
    LocationId, ProcessType, ProcessTypeId, Receive, ReceiveId,
};
use mazurka_span::{Span, counted};
use mazurka_syntax::Lower;

use super::graph::{Edge, Graph};
use super::{Lowerer, QUEUE, SAVED, SENDER, Type, key};
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
        let begin = self.here();
        for process in 0..self.processes.len() {
            for number in 0..self.processes[process].count {
                self.run(process);
                let name = &self.processes[process].ast.name;
                let name = match self.processes[process].count {
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
        stopped.labels.push("stopped".into());
        match &ast.start {
            Some(start) => self.start_transition(&mut work, start),
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
        // A process that has stopped takes no signals any more.
        for signal in self.expected(process) {
            self.pass_over(&mut work, STOPPED, signal, ast.name.span, false);
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
        if let (Some(back), true) = (back, actions.iter().any(|action| action.label.is_some())) {
            let message =
                "`nextstate -` in a transition with a label is not supported: name the state";
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
        for variable in &self.processes[process].ast.variables {
            let local = self.processes[process].variables[&key(&variable.name)];
            let place = self.local(local.offset, local.type_.kind());
            if let Some(initial) = &variable.initial {
                let Some((value, found)) = self.constant_value(initial) else {
                    continue;
                };
                self.expect_type(initial.span, found, local.type_);
                self.in_range(value, local.type_, initial.span);
                let value = self.constant(value);
                self.emit(Instruction::Assign(place, value));
            } else if let Type::Integer(Some((low, _))) = local.type_
                && low > 0
            {
                let value = self.constant(low);
                self.emit(Instruction::Assign(place, value));
            }
        }
        self.building.program.process_types[process].start = begin..self.here();
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
        found.extend(
            self.processes[process]
                .timers
                .iter()
                .map(|(signal, _)| *signal),
        );
        found
    }

    /// A signal or a timer of the process.
    fn stimulus_named(&self, process: usize, name: &crate::ast::Name) -> Option<usize> {
        let timers = self.processes[process].timers.iter();
        let mut timers = timers.map(|(signal, _)| *signal);
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
        for trigger in &triggers {
            let signals = match &trigger.kind {
                TriggerKind::Input(stimuli) => {
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
        self.without_signal(work, node, &triggers);
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
        if let TriggerKind::Input(stimuli) = &trigger.kind {
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
                let Some(local) = self.processes[process].variables.get(&key(target)).copied()
                else {
                    self.unknown(target, "variable", &[]);
                    continue;
                };
                self.expect_type(target.span, type_, local.type_);
                fields.push(Field::Bind(self.local(local.offset, local.type_.kind())));
                if type_ != local.type_ {
                    checked.push(local);
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
        for local in checked {
            let value = self.load(local.offset, local.type_.kind());
            self.check_range(value, local.type_);
        }
        self.first_step(work, node, guard, begin, trigger);
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
        for (signal, offset) in self.processes[work.process].timers.clone() {
            let guard = self.load(offset, Kind::Bit);
            let begin = self.here();
            let running = self.local(offset, Kind::Bit);
            let zero = self.constant(0);
            self.emit(Instruction::Assign(running, zero));
            let queue = self.load(QUEUE, Kind::Byte);
            let name = self.signals[signal].name.clone();
            let span = self.processes[work.process].ast.name.span;
            let saved = self.processes[work.process]
                .saves
                .then(|| self.load(SAVED, Kind::Byte));
            self.room(queue, saved, &name, span);
            let own = self.node(Expression::SelfProcess);
            let one = self.constant(1);
            let own = self.both(crate::ast::BinaryOperator::Add, own, one);
            let tag = self.constant(signal as i32 + 1);
            let mut values = vec![tag, own];
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
            for number in 0..self.processes[process].count {
                let pid = self.processes[process].first + number + 1;
                let pid = self.constant(pid as i32);
                let mut taken = bound.clone();
                taken[2] = Field::Match(pid);
                let receive = self.receive_any(own, taken);
                let guard = self.node(Expression::CanReceive(receive));
                let begin = self.here();
                self.emit(Instruction::Receive(receive));
                let (queue, saved) = self.queue_of(process, number);
                self.room(queue, saved, &name, span);
                let mut sent = values.clone();
                sent[2] = pid;
                self.send_values(queue, sent);
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
