//! From the graph of a process to its locations and transitions.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;

use mazurka_model::{
    Expression, Handshake, Instruction, Location, LocationId, ProcessTypeId, Transition,
};

use super::graph::{BlockKind, Graph, Marks, NodeId, NodeKind, Sequence};
use super::statement::{Label, Wanted};
use super::{Lowerer, problem};

/// A step has room for this many alternatives of the receiver in a rendezvous.
const MOST_TRANSITIONS: usize = 65_535;

/// A transition of a place: the node that makes it, and the group of escapes it belongs to.
#[derive(Clone, Copy)]
struct Way {
    node: NodeId,
    group: u32,
}

impl Lowerer<'_> {
    /// Finds the target of every `goto`: the label of that name in the nearest scope.
    pub(super) fn link_labels(
        &mut self,
        id: ProcessTypeId,
        graph: &mut Graph,
        labels: &[Label],
        gotos: &[Wanted],
    ) {
        for (number, wanted) in gotos.iter().enumerate() {
            let same_name = || labels.iter().filter(|label| label.name == wanted.name.text);
            let found = same_name()
                .find(|label| label.scope == wanted.scope)
                .or_else(|| same_name().find(|label| wanted.scope.starts_with(&label.scope)))
                .or_else(|| same_name().next_back());
            match found {
                Some(label) => graph.targets[number] = Some(label.node),
                None => {
                    let known = labels.iter().map(|label| &*label.name);
                    let span = wanted.name.span;
                    self.unknown(
                        problem::UNKNOWN_LABEL,
                        span,
                        "label",
                        wanted.name.as_str(),
                        known,
                    );
                }
            }
        }
        self.check_jumps(graph);
        self.keep_referred_jumps(id, graph, labels);
        let numbers = labels
            .iter()
            .map(|label| (label.name.clone(), graph.node(label.node).number));
        self.names.processes[id.index()].label_numbers = numbers.collect();
    }

    /// A `d_step` is entered at its beginning and left at its end.
    fn check_jumps(&mut self, graph: &Graph) {
        for node in &graph.nodes {
            if let NodeKind::Goto(jump) = &node.kind
                && let Some(target) = graph.jump_target(jump)
                && graph.node(target).in_step != node.in_step
            {
                let span = self.statement_spans[node.statement.index()];
                self.error(
                    problem::JUMP_ACROSS_STEP,
                    span,
                    "a jump into or out of a `d_step`",
                );
            }
        }
    }

    /// A jump with a label that somebody looks at becomes a `skip` with the jump behind it, or nobody would ever be there.
    fn keep_referred_jumps(&mut self, id: ProcessTypeId, graph: &mut Graph, labels: &[Label]) {
        let referred = self.names.processes[id.index()].referred_labels.clone();
        for label in labels.iter().filter(|label| referred.contains(&label.name)) {
            let node = graph.node(label.node).clone();
            let NodeKind::Goto(_) = node.kind else {
                continue;
            };
            let jump = graph.add(node.kind, node.statement);
            let copy = graph.node_mut(jump);
            copy.next = node.next;
            let skip = NodeKind::Basic(super::action::plain(self.constant(1), Vec::new()));
            let original = graph.node_mut(label.node);
            original.kind = skip;
            original.next = Some(jump);
        }
    }

    /// Makes the locations and transitions of a process.
    pub(super) fn emit(
        &mut self,
        id: ProcessTypeId,
        graph: &Graph,
        labels: &[Label],
        body: Sequence,
    ) {
        let Some(initial) = graph.place(body.first, graph.node(body.first).atomic) else {
            self.endless_jump(graph, body.first);
            return;
        };
        let mut targets: Vec<Option<NodeId>> = Vec::new();
        for (number, node) in graph.nodes.iter().enumerate() {
            let node_id = NodeId(number as u32);
            let next = match &node.kind {
                NodeKind::Goto(jump) => graph.jump_target(jump),
                _ => node.next,
            };
            let target = next.map(|next| graph.place(next, node.atomic));
            if target == Some(None) && !matches!(node.kind, NodeKind::Unless(..)) {
                self.endless_jump(graph, node_id);
                return;
            }
            targets.push(target.flatten());
        }
        let mut marks: Vec<Marks> = graph.nodes.iter().map(|node| node.marks).collect();
        let mut ways = self.ways(graph, &targets, &mut marks);
        attach_escapes(graph, &mut ways);
        self.emit_places(id, graph, labels, initial, &targets, &marks, &ways);
    }

    /// The transitions of every place, and what its labels mark, before escapes are added.
    fn ways(
        &mut self,
        graph: &Graph,
        targets: &[Option<NodeId>],
        marks: &mut [Marks],
    ) -> Vec<Vec<Way>> {
        let mut ways: Vec<Vec<Way>> = Vec::new();
        for number in 0..graph.nodes.len() {
            let mut list = Vec::new();
            self.collect_ways(graph, NodeId(number as u32), marks, &mut list);
            ways.push(list);
        }
        // A label on a statement that is only ever reached as the beginning of something marks what comes after it.
        for (number, node) in graph.nodes.iter().enumerate() {
            let is_compound = matches!(
                node.kind,
                NodeKind::Branch(_) | NodeKind::Block(BlockKind::Plain | BlockKind::Atomic, _)
            );
            if is_compound {
                for way in &ways[number] {
                    if let Some(target) = targets[way.node.0 as usize] {
                        let first = marks[way.node.0 as usize];
                        marks[target.0 as usize].join(first);
                    }
                }
            }
        }
        for (number, node) in graph.nodes.iter().enumerate() {
            if let (NodeKind::Join, Some(target)) = (&node.kind, targets[number])
                && marks[number].end
            {
                marks[target.0 as usize].end = true;
            }
        }
        ways
    }

    fn collect_ways(&self, graph: &Graph, id: NodeId, marks: &mut [Marks], list: &mut Vec<Way>) {
        let inside: Vec<NodeId> = match &graph.node(id).kind {
            NodeKind::Branch(options) => options
                .iter()
                .map(|option| graph.sequence(*option).first)
                .collect(),
            NodeKind::Block(BlockKind::Plain | BlockKind::Atomic, inner) => {
                vec![graph.sequence(*inner).first]
            }
            NodeKind::Unless(..) => return,
            _ => {
                list.push(Way { node: id, group: 0 });
                return;
            }
        };
        for first in inside {
            let start = graph.start(first);
            let compound = matches!(
                graph.node(start).kind,
                NodeKind::Branch(_) | NodeKind::Block(BlockKind::Plain | BlockKind::Atomic, _)
            );
            if compound {
                let own = marks[start.0 as usize];
                for inner in first_nodes(graph, start) {
                    marks[inner.0 as usize].join(own);
                }
            }
            self.collect_ways(graph, start, marks, list);
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn emit_places(
        &mut self,
        id: ProcessTypeId,
        graph: &Graph,
        labels: &[Label],
        initial: NodeId,
        targets: &[Option<NodeId>],
        marks: &[Marks],
        ways: &[Vec<Way>],
    ) {
        let places = reachable(initial, targets, ways);
        let first = self.program.locations.len() as u32;
        let numbers: BTreeMap<NodeId, LocationId> = places
            .iter()
            .enumerate()
            .map(|(n, node)| (*node, LocationId(first + n as u32)))
            .collect();
        let mut effects: BTreeMap<NodeId, Effect> = BTreeMap::new();
        for node in &places {
            let start = self.program.transitions.len() as u32;
            if ways[node.0 as usize].len() > MOST_TRANSITIONS {
                let span = self.statement_spans[graph.node(*node).statement.index()];
                let message = "more than 65,535 alternatives in one place";
                self.error(problem::TOO_LARGE, span, message);
                return;
            }
            for way in &ways[node.0 as usize] {
                let effect = match effects.entry(way.node) {
                    Entry::Occupied(known) => known.into_mut(),
                    Entry::Vacant(entry) => entry.insert(self.effect(graph, way.node)),
                };
                let described = graph.node(way.node);
                self.program.transitions.push(Transition {
                    guard: effect.guard,
                    otherwise: effect.otherwise,
                    handshake: effect.handshake,
                    effect: effect.code.clone(),
                    target: match described.kind {
                        NodeKind::Finish => None,
                        _ => targets[way.node.0 as usize]
                            .and_then(|target| numbers.get(&target).copied()),
                    },
                    holds: described.atomic,
                    group: way.group,
                    statement: described.statement,
                });
            }
            let described = graph.node(*node);
            let marks = marks[node.0 as usize];
            self.program.locations.push(Location {
                number: described.number,
                transitions: start..self.program.transitions.len() as u32,
                end: marks.end,
                accept: marks.accept,
                progress: marks.progress,
                marks: 0,
                labels: labels
                    .iter()
                    .filter(|label| label.node == *node)
                    .map(|label| label.name.to_string())
                    .collect(),
                origin: self.program.statements[described.statement.index()].origin,
            });
        }
        let described = &mut self.program.process_types[id.index()];
        described.locations = first..self.program.locations.len() as u32;
        described.initial = numbers[&initial];
    }

    /// What executing a node means.
    fn effect(&mut self, graph: &Graph, id: NodeId) -> Effect {
        match &graph.node(id).kind {
            NodeKind::Basic(action) => Effect {
                guard: action.guard,
                otherwise: action.otherwise,
                handshake: action.handshake,
                code: self.emit_code(action.effect.clone()),
            },
            NodeKind::Finish => {
                let guard = self.expression_node(Expression::Youngest);
                Effect::plain(guard, self.emit_code(vec![Instruction::Die]))
            }
            NodeKind::Block(BlockKind::Step, inner) => self.step_effect(graph, *inner),
            _ => {
                let guard = self.constant(1);
                Effect::plain(guard, 0..0)
            }
        }
    }

    fn endless_jump(&mut self, graph: &Graph, node: NodeId) {
        // A missing label was reported where it is wanted.
        if !mazurka_span::has_errors(self.diagnostics) {
            let span = self.statement_spans[graph.node(node).statement.index()];
            self.error(
                problem::GOTO_CYCLE,
                span,
                "the jumps from here lead nowhere",
            );
        }
    }
}

/// The guard and effect of a transition.
pub(super) struct Effect {
    pub guard: mazurka_model::ExpressionId,
    pub otherwise: bool,
    pub handshake: Handshake,
    pub code: Range<u32>,
}

impl Effect {
    fn plain(guard: mazurka_model::ExpressionId, code: Range<u32>) -> Effect {
        Effect {
            guard,
            otherwise: false,
            handshake: Handshake::Apart,
            code,
        }
    }
}

/// The nodes that the options of a compound statement begin with.
fn first_nodes(graph: &Graph, id: NodeId) -> Vec<NodeId> {
    match &graph.node(id).kind {
        NodeKind::Branch(options) => options
            .iter()
            .map(|option| graph.start(graph.sequence(*option).first))
            .collect(),
        NodeKind::Block(_, inner) => vec![graph.start(graph.sequence(*inner).first)],
        _ => Vec::new(),
    }
}

/// Puts the transitions of escapes before those of every place they can be made from. The outermost escape comes first.
fn attach_escapes(graph: &Graph, ways: &mut [Vec<Way>]) {
    for number in 0..ways.len() {
        let own = ways[number].clone();
        for way in own {
            let node = graph.node(way.node);
            if matches!(node.kind, NodeKind::Join) {
                continue;
            }
            for escape in node.escapes.iter().rev() {
                let first = graph.sequence(*escape).first;
                let Some(place) = graph.place(first, node.atomic) else {
                    continue;
                };
                for escaping in ways[place.0 as usize].clone() {
                    let known = ways[number].iter().any(|way| way.node == escaping.node);
                    if !known {
                        let group = graph.node(place).number;
                        ways[number].insert(
                            0,
                            Way {
                                node: escaping.node,
                                group,
                            },
                        );
                    }
                }
            }
        }
    }
}

/// The places that a process can come to, in the order of their numbers.
fn reachable(initial: NodeId, targets: &[Option<NodeId>], ways: &[Vec<Way>]) -> Vec<NodeId> {
    let mut seen = vec![false; targets.len()];
    let mut open = vec![initial];
    seen[initial.0 as usize] = true;
    while let Some(node) = open.pop() {
        for way in &ways[node.0 as usize] {
            if let Some(target) = targets[way.node.0 as usize]
                && !std::mem::replace(&mut seen[target.0 as usize], true)
            {
                open.push(target);
            }
        }
    }
    (0..targets.len() as u32)
        .map(NodeId)
        .filter(|node| seen[node.0 as usize])
        .collect()
}
