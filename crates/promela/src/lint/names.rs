//! Names that nothing uses.

use std::collections::HashSet;

use mazurka_span::Diagnostic;

use super::{UNUSED_LABEL, UNUSED_PROCTYPE, UNUSED_VARIABLE, warn};
use crate::ast::{
    Declaration, Expr, ExprKind, ForRange, Formula, FormulaKind, Initializer, Model, Name,
    ReceiveArgument, ReceiveArgumentKind, Sequence, Statement, StatementKind, TypeKind, Unit,
    VariableRef,
};

/// Looks for names that are declared and not used anywhere. A name counts as used wherever it is used: what hides what does not matter.
pub(super) fn look(model: &Model, found: &mut Vec<Diagnostic>) {
    let mut used = Used::default();
    for unit in &model.units {
        used.unit(unit);
    }
    for unit in &model.units {
        match unit {
            Unit::Declaration(declaration) => used.unused_variables(declaration, found),
            Unit::Proctype(proctype) => {
                let name = &proctype.name;
                if proctype.active.is_none() && !used.proctypes.contains(name.as_str()) {
                    let message = format!("`{name}` is never run");
                    warn(found, UNUSED_PROCTYPE, name.span, message);
                }
                used.unused_in(&proctype.body, found);
            }
            Unit::Init(unit) => used.unused_in(&unit.body, found),
            _ => {}
        }
    }
}

#[derive(Default)]
struct Used<'m> {
    variables: HashSet<&'m str>,
    proctypes: HashSet<&'m str>,
    labels: HashSet<&'m str>,
}

impl<'m> Used<'m> {
    fn unused_variables(&self, declaration: &Declaration, found: &mut Vec<Diagnostic>) {
        let what = match declaration.type_name.kind {
            TypeKind::Chan => "channel",
            _ => "variable",
        };
        for variable in &declaration.variables {
            let name = &variable.name;
            if !self.variables.contains(name.as_str()) && !name.text.starts_with('_') {
                let message = format!("the {what} `{name}` is not used");
                warn(found, UNUSED_VARIABLE, name.span, message);
            }
        }
    }

    /// Labels and variables of a body that nothing uses.
    fn unused_in(&self, sequence: &Sequence, found: &mut Vec<Diagnostic>) {
        for statement in &sequence.statements {
            for label in &statement.labels {
                let is_mark = ["end", "progress", "accept"]
                    .iter()
                    .any(|mark| label.text.starts_with(mark));
                if !is_mark && !self.labels.contains(label.as_str()) {
                    let message = format!("nothing goes to the label `{label}`");
                    warn(found, UNUSED_LABEL, label.span, message);
                }
            }
            if let StatementKind::Declaration(declaration) = &statement.kind {
                self.unused_variables(declaration, found);
            }
            // What an inline leaves unused may be of use elsewhere.
            if !matches!(statement.kind, StatementKind::Inline(_)) {
                inside(&statement.kind, &mut |body| self.unused_in(body, found));
            }
        }
    }

    fn unit(&mut self, unit: &'m Unit) {
        match unit {
            Unit::Declaration(declaration) => self.declaration(declaration),
            Unit::Typedef(unit) => unit.fields.iter().for_each(|it| self.declaration(it)),
            Unit::Proctype(unit) => {
                unit.provided.iter().for_each(|it| self.expr(it));
                if let Some(active) = &unit.active {
                    active.count.iter().for_each(|it| self.expr(it));
                }
                self.sequence(&unit.body);
            }
            Unit::Init(unit) => self.sequence(&unit.body),
            Unit::Never(unit) => self.sequence(&unit.body),
            Unit::Trace(unit) => self.sequence(&unit.body),
            Unit::Ltl(unit) => self.formula(&unit.formula),
            Unit::Expression(expr) => self.expr(expr),
            Unit::Mtype(_) | Unit::Inline(_) => {}
        }
    }

    fn declaration(&mut self, declaration: &'m Declaration) {
        for variable in &declaration.variables {
            variable.array.iter().for_each(|it| self.expr(it));
            match &variable.initializer {
                Some(Initializer::Expression(expr)) => self.expr(expr),
                Some(Initializer::List { elements, .. }) => {
                    elements.iter().for_each(|it| self.expr(it));
                }
                Some(Initializer::Channel(channel)) => self.expr(&channel.capacity),
                None => {}
            }
        }
    }

    fn sequence(&mut self, sequence: &'m Sequence) {
        for statement in &sequence.statements {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &'m Statement) {
        match &statement.kind {
            StatementKind::Declaration(declaration) => self.declaration(declaration),
            StatementKind::Exclusive { channels, .. } => {
                channels.iter().for_each(|it| self.reference(it));
            }
            StatementKind::Assign { target, value } => {
                self.reference(target);
                self.expr(value);
            }
            StatementKind::Increment(target) | StatementKind::Decrement(target) => {
                self.reference(target);
            }
            StatementKind::Assert(expr)
            | StatementKind::Printm(expr)
            | StatementKind::Expression(expr) => self.expr(expr),
            StatementKind::Printf { arguments, .. } => {
                arguments.iter().for_each(|it| self.expr(it));
            }
            StatementKind::Send(send) => {
                self.reference(&send.channel);
                send.arguments.iter().for_each(|it| self.expr(it));
            }
            StatementKind::Receive(receive) => {
                self.reference(&receive.channel);
                self.patterns(&receive.arguments);
            }
            StatementKind::Goto(label) => {
                self.labels.insert(label.as_str());
            }
            StatementKind::For {
                variable, range, ..
            } => {
                self.reference(variable);
                match range {
                    ForRange::Interval { from, to } => {
                        self.expr(from);
                        self.expr(to);
                    }
                    ForRange::In(reference) => self.reference(reference),
                }
            }
            StatementKind::Select {
                variable, from, to, ..
            } => {
                self.reference(variable);
                self.expr(from);
                self.expr(to);
            }
            StatementKind::Inline(call) => call.result.iter().for_each(|it| self.reference(it)),
            StatementKind::SetPriority { process, priority } => {
                self.expr(process);
                self.expr(priority);
            }
            StatementKind::Unless { main, escape } => {
                self.statement(main);
                self.statement(escape);
            }
            _ => {}
        }
        inside(&statement.kind, &mut |body| self.sequence(body));
    }

    fn patterns(&mut self, arguments: &'m [ReceiveArgument]) {
        for argument in arguments {
            match &argument.kind {
                ReceiveArgumentKind::Constant(expr) | ReceiveArgumentKind::Eval(expr) => {
                    self.expr(expr);
                }
                ReceiveArgumentKind::Variable(reference) => self.reference(reference),
                ReceiveArgumentKind::Anything => {}
            }
        }
    }

    fn reference(&mut self, reference: &'m VariableRef) {
        self.variables.insert(reference.name().as_str());
        for segment in &reference.segments {
            segment.index.iter().for_each(|it| self.expr(it));
        }
    }

    fn proctype(&mut self, name: &'m Name) {
        self.proctypes.insert(name.as_str());
    }

    fn formula(&mut self, formula: &'m Formula) {
        match &formula.kind {
            FormulaKind::Atom(expr) => self.expr(expr),
            FormulaKind::Not(inner)
            | FormulaKind::Next(inner)
            | FormulaKind::Always(inner)
            | FormulaKind::Eventually(inner) => self.formula(inner),
            FormulaKind::Binary { left, right, .. } => {
                self.formula(left);
                self.formula(right);
            }
        }
    }

    fn expr(&mut self, expr: &'m Expr) {
        match &expr.kind {
            ExprKind::Number(_) | ExprKind::Timeout | ExprKind::NonProgress | ExprKind::Error => {}
            ExprKind::Variable(reference) | ExprKind::Length(reference) => {
                self.reference(reference);
            }
            ExprKind::Unary { operand, .. } => self.expr(operand),
            ExprKind::Binary { left, right, .. } => {
                self.expr(left);
                self.expr(right);
            }
            ExprKind::Conditional { condition, yes, no } => {
                for part in [condition, yes, no] {
                    self.expr(part);
                }
            }
            ExprKind::Run {
                proctype,
                arguments,
                priority,
            } => {
                self.proctype(proctype);
                arguments.iter().for_each(|it| self.expr(it));
                priority.iter().for_each(|it| self.expr(it));
            }
            ExprKind::Probe { channel, .. } => self.reference(channel),
            ExprKind::Poll {
                channel, arguments, ..
            } => {
                self.reference(channel);
                self.patterns(arguments);
            }
            ExprKind::RemoteLabel { process, label, .. } => {
                self.labels.insert(label.as_str());
                process.iter().for_each(|it| self.expr(it));
            }
            ExprKind::RemoteVariable {
                process, variable, ..
            } => {
                process.iter().for_each(|it| self.expr(it));
                self.reference(variable);
            }
            ExprKind::Enabled(process)
            | ExprKind::PcValue(process)
            | ExprKind::GetPriority(process) => self.expr(process),
        }
    }
}

/// The sequences directly inside a statement. Both parts of an `unless` are statements of their own.
fn inside<'m>(kind: &'m StatementKind, visit: &mut dyn FnMut(&'m Sequence)) {
    match kind {
        StatementKind::If(options) | StatementKind::Do(options) => {
            options.iter().for_each(visit);
        }
        StatementKind::Atomic(body)
        | StatementKind::DStep(body)
        | StatementKind::Block(body)
        | StatementKind::For { body, .. } => visit(body),
        StatementKind::Inline(call) => visit(&call.body),
        _ => {}
    }
}
