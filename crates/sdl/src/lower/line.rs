//! Channels that delay (Z.100 clause 2.5.1): a process with a queue for each way.

use mazurka_model::{Expression, Field, Instruction, Kind, LocationId, ProcessType};
use mazurka_syntax::Lower;

use super::graph::{Edge, Graph};
use super::{ALIVE, Lowerer, QUEUE};
use crate::routing;

impl Lowerer<'_> {
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
}
