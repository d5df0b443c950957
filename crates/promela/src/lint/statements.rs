//! Sequences of statements: what is never reached, what does not fit.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use mazurka_span::{Diagnostic, counted};

use super::values::{Range, computed};
use super::{
    HIDES, MESSAGE_CUT, MESSAGE_LENGTH, TOO_WIDE, UNREACHABLE, blocking, comparisons, selection,
    warn,
};
use crate::ast::{
    Declaration, Expr, ExprKind, Initializer, Model, Receive, ReceiveArgumentKind, Send, Sequence,
    Statement, StatementKind, TypeKind, TypeName, Unit, VariableRef,
};

/// Looks through all bodies.
pub(super) fn look(model: &Model, found: &mut Vec<Diagnostic>) {
    let mut look = Look {
        scopes: vec![HashMap::new()],
        structures: HashMap::new(),
        constants: HashSet::new(),
        parameters: HashMap::new(),
        cut: HashSet::new(),
        found,
    };
    for unit in &model.units {
        match unit {
            Unit::Declaration(declaration) => look.declare(declaration),
            Unit::Mtype(unit) => {
                let names = unit.names.iter().map(|name| name.text.clone());
                look.constants.extend(names);
            }
            Unit::Typedef(unit) => {
                let fields = unit.fields.iter().flat_map(known).collect();
                look.structures.insert(unit.name.text.clone(), fields);
            }
            Unit::Proctype(unit) => {
                let parameters = unit.parameters.iter().flat_map(known);
                let ranges = parameters.map(|(_, known)| known.range).collect();
                look.parameters.insert(unit.name.text.clone(), ranges);
            }
            _ => {}
        }
    }
    for unit in &model.units {
        let (parameters, body): (&[Declaration], &Sequence) = match unit {
            Unit::Proctype(unit) => (&unit.parameters, &unit.body),
            Unit::Init(unit) => (&[], &unit.body),
            Unit::Never(unit) => (&[], &unit.body),
            Unit::Ltl(unit) => {
                let mut odd = Vec::new();
                let range_of = |reference: &VariableRef| look.range_of(reference);
                comparisons::look_at_formula(&unit.formula, &range_of, &mut odd);
                look.found.append(&mut odd);
                continue;
            }
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
    /// The structure that it is.
    structure: Option<Arc<str>>,
    /// Of a channel that is made where it is declared.
    fields: Option<Vec<TypeName>>,
}

struct Look<'d> {
    scopes: Vec<HashMap<Arc<str>, Known>>,
    /// The fields of each structure.
    structures: HashMap<Arc<str>, HashMap<Arc<str>, Known>>,
    /// The names of mtypes.
    constants: HashSet<Arc<str>>,
    /// The parameters of each type of processes.
    parameters: HashMap<Arc<str>, Vec<Option<Range>>>,
    /// The variables of this body that were said not to fit a field of this type.
    cut: HashSet<(Arc<str>, &'static str)>,
    found: &'d mut Vec<Diagnostic>,
}

impl Look<'_> {
    fn find(&self, reference: &VariableRef) -> Option<&Known> {
        let [first, fields @ ..] = reference.segments.as_slice() else {
            return None;
        };
        let name = &first.name.text;
        let variable = self.scopes.iter().rev().find_map(|scope| scope.get(name))?;
        fields.iter().try_fold(variable, |known, field| {
            let structure = self.structures.get(known.structure.as_ref()?)?;
            structure.get(&field.name.text)
        })
    }

    fn range_of(&self, reference: &VariableRef) -> Option<Range> {
        self.find(reference).and_then(|known| known.range)
    }

    fn is_structure(&self, reference: &VariableRef) -> bool {
        let known = self.find(reference);
        known.is_some_and(|known| known.structure.is_some())
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
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.extend(known(declaration));
        }
    }

    fn fits(&mut self, range: Option<Range>, value: &Expr) {
        if let (Some(range), Some(number)) = (range, computed(value))
            && !range.has(number)
        {
            let (least, greatest, one) = (range.least, range.greatest, range.one());
            let message = format!("{number} does not fit: {one} holds {least} to {greatest}");
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
                let range = self.range_of(target);
                self.fits(range, value);
            }
            StatementKind::Send(send) => self.send(send, statement),
            StatementKind::If(options) | StatementKind::Do(options) => {
                let is_mtype = |reference: &VariableRef| match reference.segments.as_slice() {
                    [only] => {
                        let name = &only.name.text;
                        let is_hidden = self.scopes.iter().any(|scope| scope.contains_key(name));
                        self.constants.contains(name) && !is_hidden
                    }
                    _ => false,
                };
                selection::look(options, &is_mtype, self.found);
                for option in options {
                    self.sequence(option);
                }
            }
            StatementKind::Atomic(body) => {
                blocking::look(body, self.found);
                self.sequence(body);
            }
            StatementKind::Expression(expr) => {
                self.compared(expr);
                self.run(expr);
            }
            StatementKind::Assert(expr) => self.compared(expr),
            StatementKind::Receive(receive) => self.receive(receive, statement),
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

    /// The comparisons of a condition.
    fn compared(&mut self, expr: &Expr) {
        let mut odd = Vec::new();
        comparisons::look(expr, &|reference| self.range_of(reference), &mut odd);
        self.found.append(&mut odd);
    }

    /// The values that a process is started with.
    fn run(&mut self, expr: &Expr) {
        let ExprKind::Run {
            proctype,
            arguments,
            ..
        } = &expr.kind
        else {
            return;
        };
        let ranges = self.parameters.get(&proctype.text).cloned();
        for (range, value) in ranges.unwrap_or_default().into_iter().zip(arguments) {
            self.fits(range, value);
        }
    }

    /// The fields of a channel, if none of them is a structure.
    fn fields_of(&self, channel: &VariableRef) -> Option<Vec<TypeName>> {
        let fields = self.find(channel)?.fields.clone()?;
        let is_whole = |field: &TypeName| !matches!(field.kind, TypeKind::User(_));
        fields.iter().all(is_whole).then_some(fields)
    }

    /// A receive that takes another number of fields than the channel has. One that leaves the message there may take fewer.
    fn receive(&mut self, receive: &Receive, statement: &Statement) {
        let arguments = &receive.arguments;
        let is_structure = arguments.iter().any(|it| match &it.kind {
            ReceiveArgumentKind::Variable(variable) => self.is_structure(variable),
            _ => false,
        });
        let Some(fields) = self.fields_of(&receive.channel).filter(|_| !is_structure) else {
            return;
        };
        if !(receive.peek && arguments.len() < fields.len()) {
            self.count(&fields, arguments.len(), "receiving", statement);
        }
    }

    fn count(&mut self, fields: &[TypeName], found: usize, doing: &str, statement: &Statement) {
        if found != fields.len() {
            let expected = counted(fields.len() as u64, "field");
            let message = format!(
                "the channel takes {expected}, not {found}: {doing} this is a run-time error"
            );
            warn(self.found, MESSAGE_LENGTH, statement.span, message);
        }
    }

    /// A message that does not fit the channel it is sent on.
    fn send(&mut self, send: &Send, statement: &Statement) {
        let Some(fields) = self.fields_of(&send.channel) else {
            return;
        };
        let is_structure = |value: &Expr| match &value.kind {
            ExprKind::Variable(variable) => self.is_structure(variable),
            _ => false,
        };
        if !send.arguments.iter().any(is_structure) {
            self.count(&fields, send.arguments.len(), "sending", statement);
        }
        for (field, value) in fields.iter().zip(&send.arguments) {
            let Some(room) = Range::of(&field.kind) else {
                continue;
            };
            let needed = match (&value.kind, computed(value)) {
                (_, Some(number)) if !room.has(number) => format!("{number} does not fit"),
                (ExprKind::Variable(reference), None) => match self.range_of(reference) {
                    Some(range) if !range.is_within(&room) => {
                        format!("a value of type {} may not fit", range.name)
                    }
                    _ => continue,
                },
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
                let message = format!("{needed} the field, which is {}", room.one());
                warn(self.found, MESSAGE_CUT, value.span, message);
            }
        }
    }
}

/// What is known of the variables of a declaration.
fn known(declaration: &Declaration) -> impl Iterator<Item = (Arc<str>, Known)> {
    let kind = &declaration.type_name.kind;
    declaration.variables.iter().map(move |variable| {
        let known = Known {
            range: Range::of_variable(kind, variable),
            structure: match kind {
                TypeKind::User(name) => Some(name.text.clone()),
                _ => None,
            },
            fields: match &variable.initializer {
                Some(Initializer::Channel(channel)) => Some(channel.fields.clone()),
                _ => None,
            },
        };
        (variable.name.text.clone(), known)
    })
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
        StatementKind::Do(options) => !options.iter().any(has_break),
        StatementKind::Block(body) | StatementKind::Atomic(body) | StatementKind::DStep(body) => {
            last(body)
        }
        _ => false,
    }
}

/// Is there a `break` that leaves the loop around a sequence?
fn has_break(sequence: &Sequence) -> bool {
    sequence.statements.iter().any(breaks)
}

fn breaks(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Break => true,
        StatementKind::If(options) => options.iter().any(has_break),
        StatementKind::Block(body) | StatementKind::Atomic(body) | StatementKind::DStep(body) => {
            has_break(body)
        }
        StatementKind::Inline(call) => has_break(&call.body),
        StatementKind::Unless { main, escape } => breaks(main) || breaks(escape),
        _ => false,
    }
}
