//! What happens inside a `d_step`: a whole sequence as the effect of one transition.
//!
//! The transition can be made if the first statement can. From there on nothing may block, and where several options are
//! possible the first one is taken.

use std::collections::HashMap;

use mazurka_model::{Expression, ExpressionId, Handshake, Instruction};

use super::emit::Effect;
use super::graph::{Graph, NodeId, NodeKind, SequenceId};
use super::{Lowerer, problem};

impl Lowerer<'_> {
    /// The effect of a `d_step`.
    pub(super) fn step_effect(&mut self, graph: &Graph, inner: SequenceId) -> Effect {
        let first = graph.sequence(inner).first;
        let guard = self.guard_of(graph, first);
        let (handshake, otherwise) = match &graph.node(self.basic_start(graph, first)).kind {
            NodeKind::Basic(action) => (action.handshake, action.otherwise),
            _ => (Handshake::Apart, false),
        };
        let mut writer = Writer {
            lowerer: self,
            graph,
            code: Vec::new(),
            written: HashMap::new(),
        };
        writer.write(Some(first), true);
        // Every path ends in a jump to the end, which is known only now; so is where nothing can be done.
        let Writer { mut code, .. } = writer;
        let stuck = code.len() as u32;
        code.push(Instruction::Stuck);
        let end = code.len() as u32;
        for instruction in &mut code {
            if let Instruction::Jump(target) | Instruction::JumpUnless(_, target) = instruction {
                match *target {
                    END => *target = end,
                    STUCK => *target = stuck,
                    _ => {}
                }
            }
        }
        Effect {
            guard,
            otherwise,
            handshake,
            code: self.emit_code(code),
        }
    }

    /// The first node that does something, where there is no choice.
    fn basic_start(&self, graph: &Graph, from: NodeId) -> NodeId {
        let start = graph.start(from);
        match &graph.node(start).kind {
            NodeKind::Block(_, inner) => self.basic_start(graph, graph.sequence(*inner).first),
            _ => start,
        }
    }

    /// Can a sequence that begins with this node go on?
    fn guard_of(&mut self, graph: &Graph, from: NodeId) -> ExpressionId {
        let start = graph.start(from);
        match &graph.node(start).kind {
            NodeKind::Basic(action) => action.guard,
            NodeKind::Branch(options) => {
                let mut any: Option<ExpressionId> = None;
                for option in options {
                    let guard = self.guard_of(graph, graph.sequence(*option).first);
                    any = Some(match any {
                        None => guard,
                        Some(before) => self.expression_node(Expression::Or(before, guard)),
                    });
                }
                any.unwrap_or_else(|| self.constant(0))
            }
            NodeKind::Block(_, inner) => self.guard_of(graph, graph.sequence(*inner).first),
            _ => self.constant(1),
        }
    }
}

/// A jump to the end of the effect.
const END: u32 = u32::MAX;
/// A jump to where nothing can be done.
const STUCK: u32 = u32::MAX - 1;

struct Writer<'w, 'a> {
    lowerer: &'w mut Lowerer<'a>,
    graph: &'w Graph,
    code: Vec<Instruction>,
    written: HashMap<NodeId, u32>,
}

impl Writer<'_, '_> {
    /// Writes what happens from a node on. `tested` says that the node is known to be executable.
    fn write(&mut self, from: Option<NodeId>, tested: bool) {
        let mut next = from;
        let mut tested = tested;
        while let Some(id) = next {
            let node = self.graph.node(id);
            if !node.in_step {
                break;
            }
            if let Some(address) = self.written.get(&id) {
                self.code.push(Instruction::Jump(*address));
                return;
            }
            // Options may be entered in the middle of a test, so only untested nodes can be come back to.
            if !tested {
                self.written.insert(id, self.code.len() as u32);
            }
            next = match &node.kind {
                NodeKind::Basic(action) => {
                    let starts = |i: &Instruction| matches!(i, Instruction::Run { .. });
                    if action.effect.iter().any(starts) {
                        let span = self.lowerer.statement_spans[node.statement.index()];
                        let message = "`run` cannot be in a `d_step`; use `atomic`";
                        self.lowerer.error(problem::BAD_STEP, span, message);
                    }
                    if !tested && !self.is_always(action.guard) {
                        self.code.push(Instruction::JumpUnless(action.guard, STUCK));
                    }
                    self.code.extend(action.effect.iter().cloned());
                    node.next
                }
                NodeKind::Join | NodeKind::Exit => {
                    next = node.next;
                    continue;
                }
                NodeKind::Goto(jump) => self.graph.jump_target(jump),
                NodeKind::Block(_, inner) => {
                    next = Some(self.graph.sequence(*inner).first);
                    continue;
                }
                // Escapes from the inside of a d_step are ignored, as SPIN does.
                NodeKind::Unless(main, _) => {
                    next = Some(self.graph.sequence(*main).first);
                    continue;
                }
                NodeKind::Branch(options) => {
                    for option in options {
                        self.option(self.graph.sequence(*option).first);
                    }
                    self.code.push(Instruction::Jump(STUCK));
                    return;
                }
                NodeKind::Finish => None,
            };
            tested = false;
        }
        self.code.push(Instruction::Jump(END));
    }

    /// Writes an option: its test, with a jump behind it if it fails, and what happens if it does not.
    fn option(&mut self, first: NodeId) {
        let guard = self.lowerer.guard_of(self.graph, first);
        if self.is_always(guard) {
            self.write(Some(first), true);
            return;
        }
        let test = self.code.len();
        self.code.push(Instruction::JumpUnless(guard, 0));
        self.write(Some(first), true);
        let behind = self.code.len() as u32;
        self.code[test] = Instruction::JumpUnless(guard, behind);
    }

    fn is_always(&self, guard: ExpressionId) -> bool {
        self.lowerer.program.expressions[guard.index()] == Expression::Constant(1)
    }
}
