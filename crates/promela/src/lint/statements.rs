//! Sequences of statements: what is never reached, what blocks in the middle of an atomic sequence, what does not fit.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use mazurka_span::{Diagnostic, counted};

use super::values::{Range, constant};
use super::{
    BLOCKING_ATOMIC, HIDES, MESSAGE_CUT, MESSAGE_LENGTH, TOO_WIDE, UNREACHABLE, selection, warn,
};
use crate::ast::{
    Declaration, Expr, ExprKind, Initializer, Model, Send, Sequence, Statement, StatementKind,
    TypeKind, TypeName, Unit, VariableRef,
};

/// Looks through all bodies.
pub(super) fn look(model: &Model, found: &mut Vec<Diagnostic>) {
    let mut look = Look {
        scopes: vec![HashMap::new()],
        cut: HashSet::new(),
        found,
    };
    for unit in &model.units {
        if let Unit::Declaration(declaration) = unit {
            look.declare(declaration);
        }
    }
    for unit in &model.units {
        let (parameters, body): (&[Declaration], &Sequence) = match unit {
            Unit::Proctype(unit) => (&unit.parameters, &unit.body),
            Unit::Init(unit) => (&[], &unit.body),
            Unit::Never(unit) => (&[], &unit.body),
            _ => continue,
        };
        look.scopes.push(HashMap::new());
        look.cut.clear();
        for parameter in parameters {
            look.declare(parameter);
        }
        look.sequence(body);
        look.scopes.pop();
    }
}

/// What is known of a variable.
#[derive(Clone)]
struct Known {
    range: Option<Range>,
    /// Of a channel that is made where it is declared.
    fields: Option<Vec<TypeName>>,
}

struct Look<'d> {
    scopes: Vec<HashMap<Arc<str>, Known>>,
    /// The variables of this body that were said not to fit a field of this type.
    cut: HashSet<(Arc<str>, &'static str)>,
    found: &'d mut Vec<Diagnostic>,
}

impl Look<'_> {
    fn find(&self, reference: &VariableRef) -> Option<&Known> {
        let [segment] = reference.segments.as_slice() else {
            return None;
        };
        let name = &segment.name.text;
        self.scopes.iter().rev().find_map(|scope| scope.get(name))
    }

    fn declare(&mut self, declaration: &Declaration) {
        let kind = &declaration.type_name.kind;
        for variable in &declaration.variables {
            let name = &variable.name;
            let is_local = self.scopes.len() > 1;
            if is_local && self.scopes[0].contains_key(&name.text) {
                let message = format!("`{name}` hides the global variable of that name");
                warn(self.found, HIDES, name.span, message);
            }
            let range = Range::of_variable(kind, variable);
            match &variable.initializer {
                Some(Initializer::Expression(value)) => self.fits(range, value),
                Some(Initializer::List { elements, .. }) => {
                    for value in elements {
                        self.fits(range, value);
                    }
                }
                _ => {}
            }
            let fields = match &variable.initializer {
                Some(Initializer::Channel(channel)) => Some(channel.fields.clone()),
                _ => None,
            };
            if let Some(scope) = self.scopes.last_mut() {
                scope.insert(name.text.clone(), Known { range, fields });
            }
        }
    }

    fn fits(&mut self, range: Option<Range>, value: &Expr) {
        if let (Some(range), Some(number)) = (range, constant(value))
            && !range.has(number)
        {
            let Range {
                least,
                greatest,
                name,
            } = range;
            let message = format!("{number} does not fit: a {name} holds {least} to {greatest}");
            warn(self.found, TOO_WIDE, value.span, message);
        }
    }

    fn sequence(&mut self, sequence: &Sequence) {
        self.scopes.push(HashMap::new());
        let mut is_over = false;
        for statement in &sequence.statements {
            let is_declaration = matches!(statement.kind, StatementKind::Declaration(_));
            if is_over && !is_declaration {
                if !has_label(statement) {
                    let message = "nothing leads to this statement";
                    warn(self.found, UNREACHABLE, statement.span, message);
                }
                is_over = false;
            }
            self.statement(statement);
            is_over |= never_ends(statement);
        }
        self.scopes.pop();
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Declaration(declaration) => self.declare(declaration),
            StatementKind::Assign { target, value } => {
                let range = self.find(target).and_then(|known| known.range);
                self.fits(range, value);
            }
            StatementKind::Send(send) => self.send(send, statement),
            StatementKind::If(options) | StatementKind::Do(options) => {
                selection::look(options, self.found);
                for option in options {
                    self.sequence(option);
                }
            }
            StatementKind::Atomic(body) => {
                self.atomic(body);
                self.sequence(body);
            }
            StatementKind::DStep(body)
            | StatementKind::Block(body)
            | StatementKind::For { body, .. } => self.sequence(body),
            StatementKind::Inline(call) => self.sequence(&call.body),
            StatementKind::Unless { main, escape } => {
                self.statement(main);
                self.statement(escape);
            }
            _ => {}
        }
    }

    /// A message that does not fit the channel it is sent on.
    fn send(&mut self, send: &Send, statement: &Statement) {
        let Some(fields) = self.find(&send.channel).and_then(|it| it.fields.clone()) else {
            return;
        };
        let is_whole = |field: &TypeName| !matches!(field.kind, TypeKind::User(_));
        if !fields.iter().all(is_whole) {
            return;
        }
        if send.arguments.len() < fields.len() {
            let message = format!(
                "the channel takes {}, not {}: sending this is a run-time error",
                counted(fields.len() as u64, "field"),
                send.arguments.len()
            );
            warn(self.found, MESSAGE_LENGTH, statement.span, message);
        }
        for (field, value) in fields.iter().zip(&send.arguments) {
            let Some(room) = Range::of(&field.kind) else {
                continue;
            };
            let needed = match (&value.kind, constant(value)) {
                (_, Some(number)) if !room.has(number) => number.to_string(),
                (ExprKind::Variable(reference), None) => {
                    match self.find(reference).and_then(|known| known.range) {
                        Some(range) if !range.is_within(&room) => {
                            format!("a value of type {}", range.name)
                        }
                        _ => continue,
                    }
                }
                _ => continue,
            };
            // Of a variable that is sent in many places it is said once.
            let is_new = match &value.kind {
                ExprKind::Variable(variable) => {
                    let name = variable.name().text.clone();
                    self.cut.insert((name, room.name))
                }
                _ => true,
            };
            if is_new {
                let message = format!("{needed} may not fit the field, which is a {}", room.name);
                warn(self.found, MESSAGE_CUT, value.span, message);
            }
        }
    }

    /// Where an atomic sequence blocks after its first statement, others go on in between.
    fn atomic(&mut self, body: &Sequence) {
        let statements = body.statements.iter();
        let statements =
            statements.filter(|statement| !matches!(statement.kind, StatementKind::Declaration(_)));
        let mut asked = HashSet::new();
        for (place, statement) in statements.enumerate() {
            let blocks = match &statement.kind {
                _ if place == 0 => false,
                // `nempty(c) -> c?x` does not block.
                StatementKind::Receive(receive) => !asked.contains(receive.channel.name().as_str()),
                StatementKind::Expression(expr) => {
                    constant(expr).is_none() && !matches!(expr.kind, ExprKind::Run { .. })
                }
                _ => false,
            };
            if blocks {
                let message = "if this blocks, others go on in the middle of the atomic sequence";
                warn(self.found, BLOCKING_ATOMIC, statement.span, message);
                return;
            }
            if let StatementKind::Expression(expr) = &statement.kind {
                channels_in(expr, &mut asked);
            }
        }
    }
}

/// The channels that a condition asks about.
fn channels_in<'m>(expr: &'m Expr, asked: &mut HashSet<&'m str>) {
    match &expr.kind {
        ExprKind::Length(channel)
        | ExprKind::Probe { channel, .. }
        | ExprKind::Poll { channel, .. } => {
            asked.insert(channel.name().as_str());
        }
        ExprKind::Unary { operand, .. } => channels_in(operand, asked),
        ExprKind::Binary { left, right, .. } => {
            channels_in(left, asked);
            channels_in(right, asked);
        }
        _ => {}
    }
}

fn has_label(statement: &Statement) -> bool {
    let inner = match &statement.kind {
        StatementKind::Block(body) | StatementKind::Atomic(body) | StatementKind::DStep(body) => {
            body.statements.first().is_some_and(has_label)
        }
        StatementKind::Inline(call) => call.body.statements.first().is_some_and(has_label),
        StatementKind::If(options) | StatementKind::Do(options) => {
            let mut options = options.iter();
            options.any(|option| option.statements.iter().any(has_label))
        }
        StatementKind::Unless { main, escape } => has_label(main) || has_label(escape),
        _ => false,
    };
    inner || !statement.labels.is_empty()
}

/// Does nothing come after a statement?
fn never_ends(statement: &Statement) -> bool {
    let last = |sequence: &Sequence| sequence.statements.last().is_some_and(never_ends);
    match &statement.kind {
        StatementKind::Goto(_) | StatementKind::Break => true,
        StatementKind::If(options) => options.iter().all(last),
        StatementKind::Block(body) | StatementKind::Atomic(body) | StatementKind::DStep(body) => {
            last(body)
        }
        _ => false,
    }
}
