//! The processes of a system: what each does first, its states and its instances.

use std::collections::HashMap;

use mazurka_model::{
    Base, Breach, BreachId, BreachKind, Expression, Field, Instruction, Kind, ProcessTypeId,
};
use mazurka_span::Span;
use mazurka_syntax::Lower;

use super::graph::{Edge, Graph};
use super::{ALIVE, Lowerer, QUEUE, SAVED, SENDER, Type, key};
use crate::ast::{State, States};
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
        for process in 0..self.processes.len() {
            self.revealed_values(process);
        }
        self.building.program.start = begin..self.here();
    }

    /// The first values of what a process reveals.
    fn revealed_values(&mut self, process: usize) {
        let ast = self.processes[process].ast;
        for variable in ast.variables.iter().filter(|variable| variable.revealed) {
            let local = self.processes[process].variables[&key(&variable.name)];
            let first = match &variable.initial {
                Some(initial) => self.constant_value(initial).map_or(0, |(value, _)| value),
                None => default_of(local.type_),
            };
            if first == 0 {
                continue;
            }
            let bytes = local.type_.kind().bytes();
            let count = self.processes[process].slots * local.length.unwrap_or(1);
            for number in 0..count {
                let offset = local.offset + number * bytes;
                let place = self.simple_place(Base::Shared, offset, local.type_.kind());
                let value = self.constant(first);
                self.emit(Instruction::Assign(place, value));
            }
        }
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
            // What is revealed gets its value when all instances have been made.
            if (first == 0 || local.revealed_by.is_some()) && !again {
                continue;
            }
            let value = self.constant(first);
            for element in 0..local.length.unwrap_or(1) {
                let index = self.constant(element as i32);
                let place = self.own_part(local, Some(index));
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
                    fields.push(Field::Bind(self.own_part(local, Some(index))));
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
    pub(super) fn states_of(&self, process: usize, states: &States) -> Vec<usize> {
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

    pub(super) fn breach(&mut self, kind: BreachKind, message: String, span: Span) -> BreachId {
        let origin = self.origin(span);
        self.building.program.breaches.push(Breach {
            kind,
            message,
            origin,
        });
        BreachId(self.building.program.breaches.len() as u32 - 1)
    }

    pub(super) fn after_states(&self, work: &Work) -> usize {
        FIRST_STATE as usize + self.processes[work.process].states.len()
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
