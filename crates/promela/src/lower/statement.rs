//! Statements: from syntax to the graph of a process.
//!
//! Reading a statement has two phases, because SPIN's has and because the numbers of places depend on it: first what is
//! inside it is put into sequences of its own ([`Prepared`]), then the statement itself is added to the sequence at hand.

use std::collections::HashMap;
use std::sync::Arc;

use mazurka_model::{Instruction, PlaceId, StatementId};
use mazurka_span::{Diagnostic, Span};

use crate::ast::{self, Name, Statement, StatementKind};

mod loops;

use super::action::plain;
use super::graph::{
    Action, BlockKind, Graph, Idle, Jump, LoopId, Marks, NodeId, NodeKind, Sequence, SequenceId,
};
use super::symbols::Type;
use super::{Lowerer, problem};

/// The body of a process while it is read.
pub(super) struct Body<'l, 'a> {
    pub lowerer: &'l mut Lowerer<'a>,
    pub graph: Graph,
    /// Sequences being filled, innermost last.
    open: Vec<Option<(NodeId, NodeId)>>,
    loops: Vec<LoopId>,
    pub labels: Vec<Label>,
    pub gotos: Vec<Wanted>,
    /// Before the first statement, declarations give variables their values when the process starts.
    pub before_first_statement: bool,
    /// What happens when the process starts.
    pub start: Vec<Instruction>,
    /// How many `d_step`s are being read, one inside the other.
    steps: u32,
    /// The counters of loops over channels, by the scope they stand in and whether they are wide.
    counters: HashMap<(Vec<u32>, bool), PlaceId>,
}

/// A label and where it stands.
pub(super) struct Label {
    pub name: Arc<str>,
    pub scope: Vec<u32>,
    pub node: NodeId,
    pub span: Span,
}

/// A label that a `goto` wants.
pub(super) struct Wanted {
    pub name: Name,
    pub scope: Vec<u32>,
}

/// A statement whose inside has been read.
enum Prepared {
    Basic(Action),
    Goto(Jump),
    If(Vec<SequenceId>),
    Do(Vec<SequenceId>, LoopId),
    Block(BlockKind, SequenceId),
    Unless(SequenceId, SequenceId),
    /// A declaration, or an error: nothing to add.
    Nothing,
}

impl<'l, 'a> Body<'l, 'a> {
    pub fn new(lowerer: &'l mut Lowerer<'a>) -> Body<'l, 'a> {
        Body {
            lowerer,
            graph: Graph::default(),
            open: Vec::new(),
            loops: Vec::new(),
            labels: Vec::new(),
            gotos: Vec::new(),
            before_first_statement: true,
            counters: HashMap::new(),
            start: Vec::new(),
            steps: 0,
        }
    }

    /// The sequence of a whole body, with the end of the process behind it.
    pub fn whole(&mut self, body: &ast::Sequence) -> Option<Sequence> {
        self.open.push(None);
        for statement in &body.statements {
            self.step(statement);
        }
        let text = self
            .lowerer
            .statement("-end-".into(), body.span.at_end(), false);
        let finish = self.graph.add(NodeKind::Finish, text);
        self.graph.node_mut(finish).marks.end = true;
        self.append(finish);
        let id = self.close(body.span)?;
        Some(self.graph.sequence(id))
    }

    /// One statement of a sequence.
    fn step(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Declaration(declaration) => self.declaration(declaration),
            StatementKind::Exclusive { channels, .. } => {
                for channel in channels {
                    let _ = self.lowerer.channel(channel);
                }
            }
            _ => {
                let prepared = self.prepare(statement);
                self.before_first_statement = false;
                self.add(prepared, statement);
            }
        }
    }

    /// Reads what is inside a statement.
    fn prepare(&mut self, statement: &Statement) -> Prepared {
        let kind = match &statement.kind {
            StatementKind::Goto(name) => {
                let scope = self.scope_path();
                self.gotos.push(Wanted {
                    name: name.clone(),
                    scope,
                });
                self.graph.targets.push(None);
                return Prepared::Goto(Jump::Label(self.gotos.len() - 1));
            }
            StatementKind::Break => match self.loops.last() {
                Some(innermost) => return Prepared::Goto(Jump::Break(*innermost)),
                None => {
                    self.lowerer.error(
                        problem::MISPLACED_BREAK,
                        statement.span,
                        "`break` outside a loop",
                    );
                    return Prepared::Nothing;
                }
            },
            StatementKind::If(options) => {
                let options = self.options(options);
                return Prepared::If(options);
            }
            StatementKind::Do(options) => {
                let id = self.enter_loop();
                let options = self.options(options);
                self.loops.pop();
                return Prepared::Do(options, id);
            }
            StatementKind::For {
                variable,
                range,
                body,
            } => return self.prepare_for(statement, variable, range, body),
            StatementKind::Select {
                variable,
                from,
                to,
                form,
            } => {
                return self.prepare_select(statement, variable, from, to, *form);
            }
            StatementKind::Atomic(body) => (BlockKind::Atomic, body),
            StatementKind::DStep(body) => {
                self.steps += 1;
                let inner = self.braces(body);
                self.steps -= 1;
                return match inner {
                    None => Prepared::Nothing,
                    Some(inner) => {
                        self.graph.make_atomic(inner, true);
                        Prepared::Block(BlockKind::Step, inner)
                    }
                };
            }
            StatementKind::Send(send) if !self.lowerer.in_trace => {
                return self.prepare_send(statement, send);
            }
            StatementKind::Block(body) => (BlockKind::Plain, body),
            StatementKind::Inline(call) => (BlockKind::Plain, &call.body),
            StatementKind::Unless { main, escape } => {
                return self.prepare_unless(statement, main, escape);
            }
            StatementKind::Error => return Prepared::Nothing,
            _ => {
                return self
                    .lowerer
                    .action(statement)
                    .map_or(Prepared::Nothing, Prepared::Basic);
            }
        };
        let (kind, body) = kind;
        match self.braces(body) {
            None => Prepared::Nothing,
            Some(inner) => {
                match kind {
                    BlockKind::Plain => {}
                    _ => self.graph.make_atomic(inner, false),
                }
                Prepared::Block(kind, inner)
            }
        }
    }

    /// A send; to a channel that an annotation is about, there may be several ways to do it.
    fn prepare_send(&mut self, statement: &Statement, send: &ast::Send) -> Prepared {
        let mut ways = self.lowerer.ways_to_send(send);
        if ways.len() == 1 {
            return Prepared::Basic(ways.remove(0).action);
        }
        if self.steps > 0 {
            let message = "a channel that may lose or duplicate what is sent, in a `d_step`: there, nothing is left open";
            self.lowerer
                .error(problem::BAD_STEP, statement.span, message);
        }
        let written = self
            .lowerer
            .as_written(statement.span, statement.kind.to_string());
        let mut options = Vec::new();
        for way in ways {
            self.open.push(None);
            let text = format!("{written}{}", way.told);
            self.basic(way.action, text, statement.span);
            options.extend(self.close(statement.span));
        }
        Prepared::If(options)
    }

    /// Adds a prepared statement, with its labels, to the sequence at hand.
    fn add(&mut self, prepared: Prepared, statement: &Statement) {
        let text = match prepared {
            Prepared::Nothing => return,
            Prepared::Basic(_) | Prepared::Block(BlockKind::Step, _) => self.text(statement, true),
            _ => self.text(statement, false),
        };
        match prepared {
            Prepared::Nothing => {}
            Prepared::Basic(action) => {
                let node = self.graph.add(NodeKind::Basic(action), text);
                self.label(node, statement);
                self.append(node);
            }
            Prepared::Goto(jump) => {
                let node = self.graph.add(NodeKind::Goto(jump), text);
                self.label(node, statement);
                if self.graph.node(node).marks.any() {
                    // A mark needs a place to stop at, which a jump is not.
                    let skip = self.graph.add(NodeKind::Basic(self.lowerer.skip()), text);
                    self.graph.node_mut(skip).marks =
                        std::mem::take(&mut self.graph.node_mut(node).marks);
                    for label in self.labels.iter_mut().filter(|label| label.node == node) {
                        label.node = skip;
                    }
                    self.append(skip);
                }
                self.append(node);
            }
            Prepared::If(options) => {
                let branch = self.graph.add(NodeKind::Branch(options.clone()), text);
                let join = self.graph.add(NodeKind::Join, text);
                for option in options {
                    self.extend(option, join);
                }
                self.append(branch);
                self.append(join);
                self.label(branch, statement);
            }
            Prepared::Do(options, id) => {
                let branch = self.graph.add(NodeKind::Branch(options.clone()), text);
                let join = self.graph.add(NodeKind::Join, text);
                for option in options {
                    self.extend(option, join);
                }
                self.append(join);
                let exit = self.graph.add(NodeKind::Exit, text);
                self.graph.exits[id.0 as usize] = Some(exit);
                self.append(branch);
                self.append(exit);
                self.label(branch, statement);
            }
            Prepared::Block(kind, inner) => {
                let node = self.graph.add(NodeKind::Block(kind, inner), text);
                self.label(node, statement);
                self.append(node);
            }
            Prepared::Unless(main, escape) => {
                self.add_unless(main, escape, text);
            }
        }
    }

    fn add_unless(&mut self, main: SequenceId, escape: SequenceId, text: StatementId) {
        let node = self.graph.add(NodeKind::Unless(main, escape), text);
        let join = self.graph.add(NodeKind::Join, text);
        self.extend(main, join);
        self.extend(escape, join);
        self.graph.attach_escape(main, escape);
        self.append(node);
        self.append(join);
    }

    fn prepare_unless(
        &mut self,
        statement: &Statement,
        main: &Statement,
        escape: &Statement,
    ) -> Prepared {
        let main_prepared = self.prepare(main);
        self.before_first_statement = false;
        let escape_prepared = self.prepare(escape);
        if let Some(label) = escape.labels.first() {
            let message =
                "the guard of an escape is not a place of its own, so it cannot have a label";
            self.lowerer
                .error(problem::MISPLACED_LABEL, label.span, message);
        }
        let escape = match escape_prepared {
            Prepared::Block(BlockKind::Plain, inner) => inner,
            other => match self.wrapped(other, escape) {
                Some(inner) => inner,
                None => return Prepared::Nothing,
            },
        };
        let is_labelled = !main.labels.is_empty();
        match main_prepared {
            // The label stays outside: `L: atomic { … } unless …` is `L: atomic { … unless … }`. Inside a `d_step` an escape is ignored.
            Prepared::Block(kind, inner) if is_labelled => {
                self.open.push(None);
                let text = self.text(statement, false);
                self.add_unless(inner, escape, text);
                let Some(lifted) = self.close(statement.span) else {
                    return Prepared::Nothing;
                };
                if matches!(kind, BlockKind::Step) {
                    self.graph.make_atomic(lifted, true);
                }
                let text = self.text(statement, false);
                let node = self.graph.add(NodeKind::Block(kind, lifted), text);
                self.label(node, main);
                self.append(node);
                Prepared::Nothing
            }
            Prepared::Block(BlockKind::Plain, inner) => Prepared::Unless(inner, escape),
            other => {
                // Behind the label of a loop is the place where it chooses, which is inside the `unless`.
                if let Some(label) = main.labels.first()
                    && !matches!(other, Prepared::Do(..))
                {
                    let diagnostic = Diagnostic::error(
                        problem::MISPLACED_LABEL,
                        label.span,
                        "a label cannot stand here",
                    );
                    self.lowerer
                        .diagnostics
                        .push(diagnostic.hint("write `label: { statement unless statement }`"));
                }
                match self.wrapped(other, main) {
                    Some(main) => Prepared::Unless(main, escape),
                    None => Prepared::Nothing,
                }
            }
        }
    }

    /// A sequence of one statement.
    fn wrapped(&mut self, prepared: Prepared, statement: &Statement) -> Option<SequenceId> {
        self.open.push(None);
        self.add(prepared, statement);
        self.close(statement.span)
    }

    /// The options of a selection; `else` goes last, whatever its place in the text.
    fn options(&mut self, options: &[ast::Sequence]) -> Vec<SequenceId> {
        let mut sequences = Vec::new();
        let mut otherwise = None;
        for option in options {
            self.open.push(None);
            self.before_first_statement = false;
            for statement in &option.statements {
                self.step(statement);
            }
            let Some(id) = self.close(option.span) else {
                continue;
            };
            self.prune(id);
            if self.begins_with_else(id) {
                if otherwise.is_some() {
                    self.lowerer.error(
                        problem::MISPLACED_ELSE,
                        option.span,
                        "a second `else` of the same selection",
                    );
                }
                otherwise = Some(id);
            } else {
                sequences.push(id);
            }
        }
        sequences.extend(otherwise);
        sequences
    }

    fn begins_with_else(&self, id: SequenceId) -> bool {
        let first = self.graph.sequence(id).first;
        matches!(&self.graph.node(first).kind, NodeKind::Basic(action) if action.otherwise)
    }

    /// Of several `skip`s in a row inside an option, SPIN keeps one, and so do we.
    fn prune(&mut self, id: SequenceId) {
        let Sequence {
            first,
            last,
            extent,
        } = self.graph.sequence(id);
        let mut idle = 0;
        let mut before: Option<NodeId> = None;
        for at in self.graph.walk(first, last) {
            let labelled = self.labels.iter().any(|label| label.node == at);
            let kind = match &self.graph.node(at).kind {
                NodeKind::Basic(action) if !labelled => action.idle,
                _ => None,
            };
            match kind {
                Some(kind) => {
                    idle += 1;
                    let inner = at != first && at != last && at != extent;
                    if idle > 1
                        && kind == Idle::Skip
                        && inner
                        && let Some(before) = before
                    {
                        self.graph.node_mut(before).next = self.graph.node(at).next;
                        continue;
                    }
                }
                None => idle = 0,
            }
            before = Some(at);
        }
    }

    /// A variable declared inside a body.
    fn declaration(&mut self, declaration: &ast::Declaration) {
        for variable in &declaration.variables {
            let Some((of, length)) = self.lowerer.variable_type(declaration, variable) else {
                continue;
            };
            let initial = self.lowerer.initial(variable, length);
            let Some(symbol) = self.lowerer.declare_local(variable, of, length, &initial) else {
                continue;
            };
            if self.before_first_statement {
                self.lowerer.initialise(&symbol, &initial, &mut self.start);
                continue;
            }
            self.declare_late(variable, &symbol, &initial);
        }
    }

    /// After the first statement, a declaration is an assignment at the place where it stands.
    fn declare_late(
        &mut self,
        variable: &ast::Variable,
        symbol: &super::symbols::Symbol,
        initial: &super::symbols::Initial,
    ) {
        use super::symbols::Initial;
        let value = match initial {
            Initial::Zero => self.lowerer.constant(0),
            Initial::Value(expr) => self.lowerer.expression(expr),
            Initial::List(_) | Initial::Channel(_) => {
                let message =
                    "a variable declared after the first statement cannot have such an initialiser";
                let diagnostic =
                    Diagnostic::error(problem::BAD_INITIALISER, variable.span, message);
                let hint = "move the declaration to the start of the body";
                self.lowerer.diagnostics.push(diagnostic.hint(hint));
                return;
            }
        };
        let sets_one = variable.array.is_some() && matches!(symbol.of, Type::Scalar { .. });
        if sets_one && matches!(initial, Initial::Value(_)) {
            let message = "after the first statement, this sets the first element only";
            let diagnostic = Diagnostic::warning(problem::BAD_INITIALISER, variable.span, message);
            let hint = "move the declaration to the start of the body to set all of them";
            self.lowerer.diagnostics.push(diagnostic.hint(hint));
        }
        let effect = match symbol.of {
            // A structure starts as it is declared in its type, once for all; only the step remains.
            Type::Structure(_) => {
                self.lowerer.initialise(symbol, initial, &mut self.start);
                Vec::new()
            }
            // Of an array, SPIN sets the first element only.
            Type::Scalar { kind, .. } => {
                let place = self
                    .lowerer
                    .place(symbol.base, symbol.offset, kind, Vec::new());
                vec![Instruction::Assign(place, value)]
            }
        };
        let action = plain(self.lowerer.constant(1), effect);
        let text = match self.lowerer.map.text(variable.span) {
            "" => variable.name.to_string(),
            text => text.to_owned(),
        };
        // The name alone would look like a condition.
        let is_plain = variable.array.is_none() && matches!(symbol.of, Type::Scalar { .. });
        let text = match initial {
            Initial::Zero if is_plain => format!("{text} = 0"),
            _ => text,
        };
        self.basic(action, text, variable.span);
    }

    /// Appends a statement that the text does not contain as such.
    fn basic(&mut self, action: Action, text: String, span: Span) {
        let reported = !action.otherwise;
        let statement = self.lowerer.statement(text, span, reported);
        let node = self.graph.add(NodeKind::Basic(action), statement);
        self.append(node);
    }

    /// The same in the sequence around the innermost one.
    fn basic_before(&mut self, action: Action, text: String, span: Span) {
        let inner = self.open.pop();
        self.basic(action, text, span);
        self.open.extend(inner);
    }

    fn jump(&mut self, jump: Jump, span: Span) {
        let statement = self.lowerer.statement("break".into(), span, false);
        let node = self.graph.add(NodeKind::Goto(jump), statement);
        self.append(node);
    }

    fn enter_loop(&mut self) -> LoopId {
        let id = LoopId(self.graph.exits.len() as u32);
        self.graph.exits.push(None);
        self.loops.push(id);
        id
    }

    fn open_loop_scope(&mut self) {
        self.open.push(None);
        self.before_first_statement = false;
        self.lowerer_scopes().enter();
    }

    /// A sequence between braces, with a scope of its own.
    fn braces(&mut self, body: &ast::Sequence) -> Option<SequenceId> {
        self.open.push(None);
        self.before_first_statement = false;
        self.lowerer_scopes().enter();
        for statement in &body.statements {
            self.step(statement);
        }
        self.lowerer_scopes().leave();
        self.close(body.span)
    }

    fn append(&mut self, node: NodeId) {
        let Some(sequence) = self.open.last_mut() else {
            return;
        };
        match sequence {
            Some((_, last)) => {
                self.graph.node_mut(*last).next = Some(node);
                *last = node;
            }
            None => *sequence = Some((node, node)),
        }
    }

    /// Puts a node behind a finished sequence.
    fn extend(&mut self, id: SequenceId, node: NodeId) {
        let last = self.graph.sequence(id).last;
        self.graph.node_mut(last).next = Some(node);
        self.graph.sequences[id.0 as usize].last = node;
    }

    fn close(&mut self, span: Span) -> Option<SequenceId> {
        let Some((first, last)) = self.open.pop().flatten() else {
            if !self.lowerer.diagnostics.iter().any(Diagnostic::is_error) {
                let message = "a sequence needs at least one statement";
                self.lowerer
                    .error(crate::codes::EMPTY_SEQUENCE, span, message);
            }
            return None;
        };
        self.graph.sequences.push(Sequence {
            first,
            last,
            extent: last,
        });
        Some(SequenceId(self.graph.sequences.len() as u32 - 1))
    }

    fn label(&mut self, node: NodeId, statement: &Statement) {
        for name in statement.labels.iter().rev() {
            let scope = self.scope_path();
            if let Some(before) = self
                .labels
                .iter()
                .find(|label| label.name == name.text && label.scope == scope)
            {
                let before = before.span;
                self.lowerer.redeclared(name, Some(before));
            }
            self.labels.push(Label {
                name: name.text.clone(),
                scope,
                node,
                span: name.span,
            });
            self.graph
                .node_mut(node)
                .marks
                .join(Marks::of_label(&name.text));
        }
    }

    fn text(&mut self, statement: &Statement, reported: bool) -> StatementId {
        let text = match &statement.kind {
            StatementKind::If(_) => "if".into(),
            StatementKind::Do(_) => "do".into(),
            StatementKind::Atomic(_) => "atomic".into(),
            StatementKind::DStep(_) => "d_step".into(),
            StatementKind::Block(_) => "{ }".into(),
            StatementKind::Unless { .. } => "unless".into(),
            StatementKind::Inline(call) => call.name.to_string(),
            kind => self.lowerer.as_written(statement.span, kind.to_string()),
        };
        let is_else = matches!(statement.kind, StatementKind::Else);
        self.lowerer
            .statement(text, statement.span, reported && !is_else)
    }

    fn scope_path(&mut self) -> Vec<u32> {
        self.lowerer_scopes().path().to_vec()
    }

    fn lowerer_scopes(&mut self) -> &mut super::symbols::Scopes {
        let current = self.lowerer.current.map_or(0, |id| id.index());
        &mut self.lowerer.names.processes[current].scopes
    }
}
