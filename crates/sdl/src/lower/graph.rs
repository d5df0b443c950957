//! Locations and transitions under construction, and how they join the program.

use std::ops::Range;

use mazurka_model::{
    ExpressionId, Handshake, Kind, Location, LocationId, Origin, Slot, StatementId, Transition,
};

use super::Lowerer;

/// The graph of a process.
#[derive(Default)]
pub(super) struct Graph {
    pub nodes: Vec<Node>,
}

#[derive(Default)]
pub(super) struct Node {
    pub edges: Vec<Edge>,
    pub labels: Vec<String>,
    pub end: bool,
    pub accept: bool,
    pub progress: bool,
    pub origin: Origin,
    /// Do others move while the process is here?
    pub rests: bool,
}

pub(super) struct Edge {
    pub guard: ExpressionId,
    pub effect: Range<u32>,
    pub target: usize,
    pub otherwise: bool,
    pub statement: StatementId,
}

impl Graph {
    pub fn add(&mut self) -> usize {
        self.nodes.push(Node::default());
        self.nodes.len() - 1
    }
}

impl Lowerer<'_> {
    /// Adds a finished graph to the program.
    pub(super) fn finish(&mut self, process_type: usize, graph: Graph, frame: u32) {
        let first = self.building.program.locations.len() as u32;
        let count = graph.nodes.len() as u32;
        let rests: Vec<bool> = graph.nodes.iter().map(|node| node.rests).collect();
        for (number, node) in graph.nodes.into_iter().enumerate() {
            let begin = self.building.program.transitions.len() as u32;
            for edge in node.edges {
                self.building.program.transitions.push(Transition {
                    guard: edge.guard,
                    otherwise: edge.otherwise,
                    handshake: Handshake::Apart,
                    effect: edge.effect,
                    target: Some(LocationId(first + edge.target as u32)),
                    holds: !rests[edge.target],
                    group: 0,
                    statement: edge.statement,
                });
            }
            self.building.program.locations.push(Location {
                number: number as u32,
                transitions: begin..self.building.program.transitions.len() as u32,
                end: node.end,
                accept: node.accept,
                progress: node.progress,
                labels: node.labels,
                marks: 0,
                origin: node.origin,
            });
        }
        let kind = match count {
            0..=256 => Kind::Byte,
            _ => Kind::Unsigned(16),
        };
        let described = &mut self.building.program.process_types[process_type];
        described.locations = first..first + count;
        described.initial = LocationId(first);
        described.location = Slot {
            offset: frame,
            kind,
        };
        described.frame_bytes = frame + kind.bytes();
    }
}
