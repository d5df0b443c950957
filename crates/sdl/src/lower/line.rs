//! Channels that delay (Z.100 clause 2.5.1): a process with a queue for each way.

use mazurka_model::{Expression, Field, Instruction, Kind, LocationId, ProcessType};
use mazurka_syntax::Lower;

use super::graph::{Edge, Graph};
use super::{ALIVE, Lowerer, QUEUE};
use crate::routing;

/// Where a delaying channel hands signals on to.
pub(super) struct Hop {
    /// The process that they are for.
    pub process: usize,
    /// What delays them next, if anything does.
    pub next: Option<usize>,
    /// Which signals, if not all.
    pub signals: Option<Vec<usize>>,
}

impl Lowerer<'_> {
    /// Every end of a way of a channel: processes, or another channel on the way to them.
    pub(super) fn hops(&self, line: usize) -> Vec<Hop> {
        let mut hops: Vec<Hop> = Vec::new();
        for (signal, described) in self.signals.iter().enumerate() {
            if described.timer_of.is_some() || described.creates.is_some() {
                continue;
            }
            for receiver in routing::onward(self.system, self.lines[line].of, &described.name) {
                let mut processes = self.processes.iter();
                let process = processes.position(|p| Some(p.at) == receiver.process);
                let Some(process) = process else {
                    continue;
                };
                let mut lines = self.lines.iter();
                let next = lines.position(|line| Some(line.of) == receiver.delayed);
                let mut known = hops.iter_mut();
                match known.find(|hop| hop.process == process && hop.next == next) {
                    Some(hop) => hop.signals.iter_mut().for_each(|all| all.push(signal)),
                    None => hops.push(Hop {
                        process,
                        next,
                        signals: Some(vec![signal]),
                    }),
                }
            }
        }
        for number in 0..hops.len() {
            let process = hops[number].process;
            // Where there is one way only, all signals take it.
            if hops.iter().filter(|hop| hop.process == process).count() == 1 {
                hops[number].signals = None;
            }
        }
        hops
    }

    /// The process that delays the signals of one way of a channel (Z.100 clause 2.5.1): each goes on after any time, in order.
    pub(super) fn line(&mut self, line: usize) {
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
        for hop in self.hops(line) {
            let process = hop.process;
            let numbers = 0..self.processes[process].slots;
            let tags: Vec<Option<usize>> = match &hop.signals {
                None => vec![None],
                Some(signals) => signals.iter().copied().map(Some).collect(),
            };
            for (number, tag) in numbers.flat_map(|n| tags.iter().map(move |tag| (n, *tag))) {
                let pid = self.processes[process].first + number + 1;
                let pid = self.constant(pid as i32);
                let mut taken = bound.clone();
                taken[2] = Field::Match(pid);
                let tag = tag.map(|signal| self.constant(signal as i32 + 1));
                if let Some(tag) = tag {
                    taken[0] = Field::Match(tag);
                }
                let receive = self.receive_any(own, taken);
                let guard = self.node(Expression::CanReceive(receive));
                let begin = self.here();
                self.emit(Instruction::Receive(receive));
                let (queue, saved) = match hop.next {
                    None => self.queue_of(process, number),
                    Some(next) => (self.constant(self.lines[next].channel as i32), None),
                };
                // For one that has stopped it is lost.
                let jump = match hop.next {
                    None => self.instance_is(process, number, ALIVE),
                    Some(_) => None,
                };
                let jump = jump.map(|alive| (self.emit(Instruction::Stuck), alive));
                self.room(queue, saved, &name, span);
                let mut sent = values.clone();
                sent[2] = pid;
                sent[0] = tag.unwrap_or(sent[0]);
                self.send_values(queue, sent);
                if let Some((at, alive)) = jump {
                    let end = self.here();
                    self.patch(at, Instruction::JumpUnless(alive, end));
                }
                let zero = self.constant(0);
                for place in &places {
                    self.emit(Instruction::Assign(*place, zero));
                }
                let text = match hop.next {
                    None => format!("{name} delivers to {}", self.processes[process].ast.name),
                    Some(next) => format!("{name} hands on to {}", self.lines[next].name),
                };
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
}
