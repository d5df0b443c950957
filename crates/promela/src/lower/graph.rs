//! The control flow of one process, between syntax and locations.
//!
//! SPIN's verifier counts the places where a process can stop between two steps. To count the same, we have to make the
//! same places, and that is a matter of a few rules:
//!
//! - Every basic statement is a place, left by executing it. So are `goto` and `break`, but only where something has to
//!   stop at them (as the first statement of an option, say): a statement that is followed by one leads directly to where it leads.
//! - A selection or loop is a place; its transitions are those of the first statements of its options, and of theirs if they
//!   are selections in turn.
//! - A block, atomic or not, is a place too, with the transitions of its first statement: being before the block and being
//!   at its first statement again, in a loop, are different places.
//! - The point where the options of a selection meet, and the end of a loop, are not places, except at the end of an atomic
//!   sequence: a process does not leave the sequence as long as it keeps control.
//! - An `unless` is no place; its escapes become transitions of every place inside it, before their own, outer ones first.

use mazurka_model::{ExpressionId, Handshake, Instruction, StatementId};

/// A node of the graph.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct NodeId(pub u32);

/// A sequence of nodes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SequenceId(pub u32);

/// A loop that can be left by `break`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LoopId(pub u32);

#[derive(Clone, Debug)]
pub(super) struct Node {
    /// Counts from 1 in the order of creation, as SPIN numbers its states.
    pub number: u32,
    pub kind: NodeKind,
    pub next: Option<NodeId>,
    /// Control is kept after this node.
    pub atomic: bool,
    /// The last node of an atomic sequence.
    pub closing: bool,
    /// Part of a `d_step`.
    pub in_step: bool,
    /// The escape sequences of the `unless` statements around it, outermost first.
    pub escapes: Vec<SequenceId>,
    pub statement: StatementId,
    pub marks: Marks,
}

/// What the labels of a place say.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Marks {
    pub end: bool,
    pub accept: bool,
    pub progress: bool,
}

impl Marks {
    pub fn of_label(label: &str) -> Marks {
        Marks {
            end: label.starts_with("end"),
            accept: label.starts_with("accept"),
            progress: label.starts_with("progress"),
        }
    }

    pub fn any(self) -> bool {
        self.end || self.accept || self.progress
    }

    pub fn join(&mut self, other: Marks) {
        self.end |= other.end;
        self.accept |= other.accept;
        self.progress |= other.progress;
    }
}

#[derive(Clone, Debug)]
pub(super) enum NodeKind {
    Basic(Action),
    /// A selection or a loop.
    Branch(Vec<SequenceId>),
    /// Where the options of a selection meet, or where a loop begins again.
    Join,
    /// Where a loop is left to.
    Exit,
    Goto(Jump),
    Block(BlockKind, SequenceId),
    Unless(SequenceId, SequenceId),
    /// The process ends.
    Finish,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum BlockKind {
    Plain,
    Atomic,
    Step,
}

#[derive(Clone, Debug)]
pub(super) enum Jump {
    /// Index into the labels wanted by `goto`s.
    Label(usize),
    Break(LoopId),
}

/// What a basic statement does.
#[derive(Clone, Debug)]
pub(super) struct Action {
    pub guard: ExpressionId,
    pub otherwise: bool,
    pub handshake: Handshake,
    pub effect: Vec<Instruction>,
    /// Neither tests nor changes anything: `skip`, or a print.
    pub idle: Option<Idle>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Idle {
    Skip,
    Print,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Sequence {
    pub first: NodeId,
    /// The last node, which may be the meeting point of the options it is one of.
    pub last: NodeId,
    /// The last node of its own.
    pub extent: NodeId,
}

/// The nodes of one process.
#[derive(Debug, Default)]
pub(super) struct Graph {
    pub nodes: Vec<Node>,
    pub sequences: Vec<Sequence>,
    /// Where each loop is left to.
    pub exits: Vec<Option<NodeId>>,
    /// Where each `goto` leads.
    pub targets: Vec<Option<NodeId>>,
}

impl Graph {
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    pub fn node_mut(&mut self, id: NodeId) -> &mut Node {
        &mut self.nodes[id.0 as usize]
    }

    pub fn sequence(&self, id: SequenceId) -> Sequence {
        self.sequences[id.0 as usize]
    }

    pub fn add(&mut self, kind: NodeKind, statement: StatementId) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node {
            number: id.0 + 1,
            kind,
            next: None,
            atomic: false,
            closing: false,
            in_step: false,
            escapes: Vec::new(),
            statement,
            marks: Marks::default(),
        });
        id
    }

    /// The nodes of a sequence from its first to the given one.
    pub fn walk(&self, first: NodeId, last: NodeId) -> Vec<NodeId> {
        let mut walked = vec![first];
        let mut at = first;
        while at != last {
            match self.node(at).next {
                Some(next) => at = next,
                None => break,
            }
            walked.push(at);
        }
        walked
    }

    /// The sequences directly inside a node.
    fn inside(&self, id: NodeId) -> Vec<SequenceId> {
        match &self.node(id).kind {
            NodeKind::Branch(options) => options.clone(),
            NodeKind::Unless(main, escape) => vec![*main, *escape],
            _ => Vec::new(),
        }
    }

    /// Makes a sequence atomic, or part of a `d_step`: control is kept from its first node to its last.
    pub fn make_atomic(&mut self, sequence: SequenceId, step: bool) {
        let Sequence { first, last, .. } = self.sequence(sequence);
        self.mark_atomic(first, last, step);
        match self.node(last).kind {
            NodeKind::Block(BlockKind::Plain | BlockKind::Atomic, inner) => {
                self.make_atomic(inner, step);
            }
            _ => {
                let node = self.node_mut(last);
                node.atomic = false;
                node.closing = true;
            }
        }
    }

    fn mark_atomic(&mut self, first: NodeId, last: NodeId, step: bool) {
        for id in self.walk(first, last) {
            let node = self.node_mut(id);
            node.atomic = true;
            node.in_step |= step;
            // Inside an atomic sequence another one means nothing; a d_step stays one step.
            let inner = match &mut node.kind {
                NodeKind::Block(BlockKind::Step, _) if !step => None,
                NodeKind::Block(kind, inner) => {
                    *kind = BlockKind::Plain;
                    Some(*inner)
                }
                _ => None,
            };
            for inner in inner.into_iter().chain(self.inside(id)) {
                let Sequence { first, last, .. } = self.sequence(inner);
                self.mark_atomic(first, last, step);
            }
        }
    }

    /// Makes `escape` possible in every place of `main`.
    pub fn attach_escape(&mut self, main: SequenceId, escape: SequenceId) {
        let Sequence { first, extent, .. } = self.sequence(main);
        for id in self.walk(first, extent) {
            self.attach_to_node(id, escape);
        }
    }

    fn attach_to_node(&mut self, id: NodeId, escape: SequenceId) {
        if self.node(id).escapes.contains(&escape) {
            return;
        }
        // An escape can be escaped from in turn.
        for inner in self.node(id).escapes.clone() {
            self.attach_escape(inner, escape);
        }
        self.node_mut(id).escapes.insert(0, escape);
        match self.node(id).kind.clone() {
            NodeKind::Unless(main, _) => self.attach_escape(main, escape),
            NodeKind::Branch(options) => {
                for option in options {
                    self.attach_escape(option, escape);
                }
            }
            // A d_step can only be escaped from before it begins.
            NodeKind::Block(BlockKind::Step, inner) => {
                let first = self.sequence(inner).first;
                self.attach_to_node(first, escape);
            }
            NodeKind::Block(_, inner) => self.attach_escape(inner, escape),
            _ => {}
        }
    }

    /// Where a jump leads, if its target exists.
    pub fn jump_target(&self, jump: &Jump) -> Option<NodeId> {
        match jump {
            Jump::Label(wanted) => self.targets[*wanted],
            Jump::Break(exit) => self.exits[exit.0 as usize],
        }
    }

    /// Ties the ends of blocks to what follows them, and lets jumps out of and between atomic sequences give up or
    /// keep control as they should.
    pub fn tie_up(&mut self) {
        let blocks: Vec<(NodeId, SequenceId)> = self
            .nodes
            .iter()
            .enumerate()
            .filter_map(|(number, node)| match node.kind {
                NodeKind::Block(_, inner) => Some((NodeId(number as u32), inner)),
                _ => None,
            })
            .collect();
        // Outer blocks were made after the ones inside them.
        for (block, inner) in blocks.into_iter().rev() {
            let last = self.sequence(inner).last;
            self.node_mut(last).next = self.node(block).next;
            self.adjust_jumps(inner);
        }
    }

    fn adjust_jumps(&mut self, sequence: SequenceId) {
        let Sequence { first, extent, .. } = self.sequence(sequence);
        for id in self.walk(first, extent) {
            if let NodeKind::Goto(jump) = &self.node(id).kind {
                let Some(target) = self.jump_target(jump) else {
                    continue;
                };
                let inside = self.node(target).atomic || self.node(target).closing;
                let node = self.node_mut(id);
                if node.atomic || node.closing {
                    node.atomic = inside;
                    node.closing = !inside;
                }
            } else {
                for inner in self.inside(id) {
                    self.adjust_jumps(inner);
                }
            }
        }
    }

    /// The place that one comes to by going to `from`, coming from a node that keeps control or not. `None` is an endless
    /// chain of jumps.
    pub fn place(&self, from: NodeId, keeping: bool) -> Option<NodeId> {
        let mut at = from;
        for _ in 0..=self.nodes.len() {
            let next = match &self.node(at).kind {
                NodeKind::Goto(jump) => self.jump_target(jump)?,
                NodeKind::Join | NodeKind::Exit => match self.node(at).next {
                    Some(next) => next,
                    None => return Some(at),
                },
                NodeKind::Unless(main, _) => self.place(self.sequence(*main).first, keeping)?,
                _ => return Some(at),
            };
            if keeping && !self.node(next).atomic {
                return Some(at);
            }
            at = next;
        }
        None
    }

    /// The node whose transitions a sequence begins with.
    pub fn start(&self, from: NodeId) -> NodeId {
        let mut at = from;
        for _ in 0..=self.nodes.len() {
            at = match (&self.node(at).kind, self.node(at).next) {
                (NodeKind::Join, Some(next)) => next,
                (NodeKind::Unless(main, _), _) => self.sequence(*main).first,
                _ => return at,
            };
        }
        at
    }
}
