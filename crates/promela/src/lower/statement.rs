//! Statements: from syntax to the graph of a process.
//!
//! Reading a statement has two phases, because SPIN's has and because the numbers of places depend on it: first what is
//! inside it is put into sequences of its own ([`Prepared`]), then the statement itself is added to the sequence at hand.

use std::collections::HashMap;
use std::sync::Arc;

use mazurka_model::{
    ChannelTest, Expression, Field, Handshake, Instruction, PlaceId, Send, StatementId,
};
use mazurka_span::{Diagnostic, Span};

use crate::ast::{
    self, BinaryOperator, Expr, ForRange, Name, SelectForm, Statement, StatementKind, VariableRef,
};

use super::action::plain;
use super::expression::Reference;
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

/// From where to where a loop counts, and how the model says it.
struct Bounds {
    from: mazurka_model::ExpressionId,
    to: mazurka_model::ExpressionId,
    told: (String, String),
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

    fn prepare_for(
        &mut self,
        statement: &Statement,
        variable: &VariableRef,
        range: &ForRange,
        body: &ast::Sequence,
    ) -> Prepared {
        let span = statement.span;
        let id = self.enter_loop();
        self.open_loop_scope();
        match range {
            ForRange::Interval { from, to } => {
                let told = (from.to_string(), to.to_string());
                let from = self.lowerer.expression(from);
                let to = self.lowerer.expression(to);
                let bounds = Bounds { from, to, told };
                self.count_up(variable, bounds, BinaryOperator::LessEqual, span);
                self.loop_body(body);
                self.increment(variable, span);
            }
            ForRange::In(reference) => self.prepare_for_in(statement, variable, reference, body),
        }
        self.lowerer_scopes().leave();
        let main = self.close(span);
        self.loops.pop();
        let Some(main) = main else {
            return Prepared::Nothing;
        };
        self.open.push(None);
        let otherwise = self.lowerer.otherwise();
        self.basic(otherwise, "else".into(), span);
        self.jump(Jump::Break(id), span);
        let Some(leave) = self.close(span) else {
            return Prepared::Nothing;
        };
        Prepared::Do(vec![main, leave], id)
    }

    fn prepare_for_in(
        &mut self,
        statement: &Statement,
        variable: &VariableRef,
        reference: &VariableRef,
        body: &ast::Sequence,
    ) {
        let span = statement.span;
        let Some(symbol) = self.lowerer.find(reference.name()).cloned() else {
            let _ = self.lowerer.resolve(reference);
            return;
        };
        let whole = match self.lowerer.find(variable.name()) {
            Some(symbol) => matches!(symbol.of, Type::Structure(_)),
            None => false,
        };
        if !whole {
            let Some(length) = symbol.length else {
                let message = format!("`{}` is neither an array nor a channel", reference.name());
                self.lowerer
                    .error(problem::BAD_LOOP, reference.span, message);
                return;
            };
            let last = length as i32 - 1;
            let bounds = Bounds {
                from: self.lowerer.constant(0),
                to: self.lowerer.constant(last),
                told: ("0".into(), last.to_string()),
            };
            self.count_up(variable, bounds, BinaryOperator::LessEqual, span);
            self.loop_body(body);
            self.increment(variable, span);
            return;
        }
        let Some(channel_type) = symbol.channel else {
            let message = format!(
                "`{}` must be a channel with an initialiser",
                reference.name()
            );
            self.lowerer
                .error(problem::BAD_LOOP, reference.span, message);
            return;
        };
        // The loop takes each message out and puts it back behind the others, so that every one passes the head.
        let wide = self.lowerer.channel_types[channel_type.index()].capacity > 255;
        let counter = self.hidden_counter(wide);
        let zero = self.lowerer.constant(0);
        let effect = vec![Instruction::Assign(counter, zero)];
        let action = plain(self.lowerer.constant(1), effect);
        self.basic_before(action, "counter = 0".into(), span);
        let channel = self.lowerer.channel(reference);
        let load = self.lowerer.expression_node(Expression::Load(counter));
        let length = self
            .lowerer
            .expression_node(Expression::Channel(ChannelTest::Length, channel));
        let below = Expression::Binary(mazurka_model::BinaryOperator::Less, load, length);
        let below = self.lowerer.expression_node(below);
        self.basic(
            plain(below, Vec::new()),
            format!("counter < len({reference})"),
            span,
        );
        let Reference::Structure {
            base,
            offset,
            structure,
            indices,
        } = self.lowerer.resolve(variable)
        else {
            return;
        };
        let places = self
            .lowerer
            .leaves(base, offset, structure, &indices, variable.span);
        let fields = places.iter().copied().map(Field::Bind).collect();
        let receive = self.lowerer.push_receive(channel, fields, false, false);
        let guard = self
            .lowerer
            .expression_node(Expression::CanReceive(receive));
        let mut action = plain(guard, vec![Instruction::Receive(receive)]);
        action.handshake = Handshake::Receives(receive);
        self.basic(action, format!("{reference}?{variable}"), span);
        let values = places
            .into_iter()
            .map(|place| self.lowerer.expression_node(Expression::Load(place)))
            .collect();
        let values = self.lowerer.push_list(values);
        let send = self.lowerer.push_send(Send {
            channel,
            values,
            sorted: false,
        });
        let guard = self
            .lowerer
            .expression_node(Expression::Channel(ChannelTest::NotFull, channel));
        let mut action = plain(guard, vec![Instruction::Send(send)]);
        action.handshake = Handshake::Sends(send);
        self.basic(action, format!("{reference}!{variable}"), span);
        self.loop_body(body);
        let one = self.lowerer.constant(1);
        let load = self.lowerer.expression_node(Expression::Load(counter));
        let sum = Expression::Binary(mazurka_model::BinaryOperator::Add, load, one);
        let sum = self.lowerer.expression_node(sum);
        let action = plain(
            self.lowerer.constant(1),
            vec![Instruction::Assign(counter, sum)],
        );
        self.basic(action, "counter++".into(), span);
    }

    fn prepare_select(
        &mut self,
        statement: &Statement,
        variable: &VariableRef,
        from: &Expr,
        to: &Expr,
        form: SelectForm,
    ) -> Prepared {
        let span = statement.span;
        if form == SelectForm::Options {
            let bounds = (
                self.lowerer.constant_value(from),
                self.lowerer.constant_value(to),
            );
            let (Some(first), Some(last)) = bounds else {
                return Prepared::Nothing;
            };
            let mut options = Vec::new();
            for value in first..=last {
                self.open.push(None);
                let constant = self.lowerer.constant(value);
                self.assign(variable, constant, format!("{variable} = {value}"), span);
                options.extend(self.close(span));
            }
            return Prepared::If(options);
        }
        let told = (from.to_string(), to.to_string());
        let from = self.lowerer.expression(from);
        let to = self.lowerer.expression(to);
        self.open.push(None);
        let bounds = Bounds { from, to, told };
        self.count_up(variable, bounds, BinaryOperator::Less, span);
        self.increment(variable, span);
        let Some(main) = self.close(span) else {
            return Prepared::Nothing;
        };
        let id = self.enter_loop();
        self.loops.pop();
        self.open.push(None);
        self.jump(Jump::Break(id), span);
        let Some(leave) = self.close(span) else {
            return Prepared::Nothing;
        };
        match form {
            SelectForm::Loop => Prepared::Do(vec![main, leave], id),
            _ => Prepared::Do(vec![leave, main], id),
        }
    }

    /// `variable = from` in the sequence around the one just opened, and the condition to go on in that.
    fn count_up(
        &mut self,
        variable: &VariableRef,
        bounds: Bounds,
        comparison: BinaryOperator,
        span: Span,
    ) {
        let Bounds { from, to, told } = bounds;
        if let Some(symbol) = self.lowerer.find(variable.name())
            && matches!(symbol.of, Type::Structure(_))
        {
            self.lowerer.error(
                problem::BAD_LOOP,
                variable.span,
                "the variable of a loop must be a number",
            );
            return;
        }
        if let Some(action) = self.lowerer.assignment(variable, from) {
            self.basic_before(action, format!("{variable} = {}", told.0), span);
        }
        let value = self.lowerer.read(variable);
        let operator = match comparison {
            BinaryOperator::Less => mazurka_model::BinaryOperator::Less,
            _ => mazurka_model::BinaryOperator::LessEqual,
        };
        let condition = self
            .lowerer
            .expression_node(Expression::Binary(operator, value, to));
        let symbol = operator.symbol();
        self.basic(
            plain(condition, Vec::new()),
            format!("{variable} {symbol} {}", told.1),
            span,
        );
    }

    fn increment(&mut self, variable: &VariableRef, span: Span) {
        if let Some(action) = self
            .lowerer
            .change_by_one(variable, mazurka_model::BinaryOperator::Add)
        {
            self.basic(action, format!("{variable}++"), span);
        }
    }

    fn assign(
        &mut self,
        variable: &VariableRef,
        value: mazurka_model::ExpressionId,
        text: String,
        span: Span,
    ) {
        if let Some(action) = self.lowerer.assignment(variable, value) {
            self.basic(action, text, span);
        }
    }

    fn loop_body(&mut self, body: &ast::Sequence) {
        for statement in &body.statements {
            self.step(statement);
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

    /// A variable that the text does not name.
    /// The counter of a loop over a channel. As in SPIN, loops that stand in the same scope share one, so that what a loop leaves
    /// in it tells no states apart once the next has begun.
    fn hidden_counter(&mut self, wide: bool) -> PlaceId {
        let mut scope = self.scope_path();
        // The loop's own.
        scope.pop();
        if let Some(counter) = self.counters.get(&(scope.clone(), wide)) {
            return *counter;
        }
        let kind = if wide {
            mazurka_model::Kind::Short
        } else {
            mazurka_model::Kind::Byte
        };
        let counter = self.lowerer.unnamed_local(kind);
        self.counters.insert((scope, wide), counter);
        counter
    }
}
