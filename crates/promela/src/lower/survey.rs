//! A first look at the whole model: what it makes use of. The layout of the state depends on it.

use mazurka_model::Features;

use crate::ast::{
    Expr, ExprKind, ForRange, Formula, FormulaKind, Initializer, Model, ReceiveArgument,
    ReceiveArgumentKind, Sequence, Statement, StatementKind, Unit, VariableRef,
};

/// What a model makes use of, as far as its text shows.
pub(super) fn features(model: &Model) -> Features {
    let mut features = Features::default();
    for unit in &model.units {
        match unit {
            Unit::Proctype(proctype) => {
                features.priority |= proctype.priority.is_some();
                if let Some(condition) = &proctype.provided {
                    features.provided = true;
                    in_expr(condition, &mut features);
                }
                in_sequence(&proctype.body, &mut features);
            }
            Unit::Init(init) => {
                features.priority |= init.priority.is_some();
                in_sequence(&init.body, &mut features);
            }
            Unit::Declaration(declaration) => {
                for variable in &declaration.variables {
                    if let Some(Initializer::Expression(expr)) = &variable.initializer {
                        in_expr(expr, &mut features);
                    }
                }
            }
            Unit::Never(never) => watched_in_sequence(&never.body, &mut features),
            Unit::Ltl(ltl) => in_formula(&ltl.formula, &mut features),
            Unit::Expression(expr) => in_atom(expr, &mut features),
            _ => {}
        }
    }
    features
}

/// The same with an expression that somebody outside asks for.
pub(super) fn features_with(mut features: Features, expr: &Expr) -> Features {
    in_atom(expr, &mut features);
    features
}

/// A claim that asks for a timeout is not a process that waits for one.
fn watched_in_sequence(sequence: &Sequence, features: &mut Features) {
    let timeout = features.timeout;
    in_sequence(sequence, features);
    features.timeout = timeout;
}

fn in_atom(expr: &Expr, features: &mut Features) {
    let timeout = features.timeout;
    in_expr(expr, features);
    features.timeout = timeout;
}

fn in_formula(formula: &Formula, features: &mut Features) {
    match &formula.kind {
        FormulaKind::Atom(expr) => in_atom(expr, features),
        FormulaKind::Not(operand)
        | FormulaKind::Next(operand)
        | FormulaKind::Always(operand)
        | FormulaKind::Eventually(operand) => in_formula(operand, features),
        FormulaKind::Binary { left, right, .. } => {
            in_formula(left, features);
            in_formula(right, features);
        }
    }
}

fn in_sequence(sequence: &Sequence, features: &mut Features) {
    for statement in &sequence.statements {
        in_statement(statement, features);
    }
}

fn in_statement(statement: &Statement, features: &mut Features) {
    each_part(statement, &mut |part| match part {
        Part::Expr(expr) => in_expr(expr, features),
        Part::Reference(reference) => in_reference(reference, features),
        Part::SetPriority => features.priority = true,
    });
}

fn in_expr(expr: &Expr, features: &mut Features) {
    match &expr.kind {
        ExprKind::Timeout => features.timeout = true,
        ExprKind::GetPriority(_) => features.priority = true,
        ExprKind::Run {
            priority: Some(_), ..
        } => features.priority = true,
        ExprKind::Variable(reference) => in_name(reference, features),
        _ => {}
    }
    each_operand(expr, &mut |operand| in_expr(operand, features));
}

fn in_reference(reference: &VariableRef, features: &mut Features) {
    in_name(reference, features);
    for segment in &reference.segments {
        if let Some(index) = &segment.index {
            in_expr(index, features);
        }
    }
}

fn in_name(reference: &VariableRef, features: &mut Features) {
    match reference.name().as_str() {
        "_last" => features.last = true,
        "_priority" => features.priority = true,
        _ => {}
    }
}

/// A part of a statement that a survey cares for.
pub(super) enum Part<'s> {
    Expr(&'s Expr),
    Reference(&'s VariableRef),
    SetPriority,
}

/// Visits all expressions and references of a statement and of the statements inside it.
pub(super) fn each_part<'s>(statement: &'s Statement, visit: &mut dyn FnMut(Part<'s>)) {
    let inner = |sequence: &'s Sequence, visit: &mut dyn FnMut(Part<'s>)| {
        for statement in &sequence.statements {
            each_part(statement, visit);
        }
    };
    match &statement.kind {
        StatementKind::Declaration(declaration) => {
            for variable in &declaration.variables {
                if let Some(Initializer::Expression(expr)) = &variable.initializer {
                    visit(Part::Expr(expr));
                }
            }
        }
        StatementKind::Exclusive { channels, .. } => {
            channels
                .iter()
                .for_each(|channel| visit(Part::Reference(channel)));
        }
        StatementKind::Assign { target, value } => {
            visit(Part::Reference(target));
            visit(Part::Expr(value));
        }
        StatementKind::Increment(target) | StatementKind::Decrement(target) => {
            visit(Part::Reference(target))
        }
        StatementKind::Assert(expr)
        | StatementKind::Expression(expr)
        | StatementKind::Printm(expr) => {
            visit(Part::Expr(expr));
        }
        StatementKind::Printf { arguments, .. } => {
            arguments.iter().for_each(|expr| visit(Part::Expr(expr)))
        }
        StatementKind::Send(send) => {
            visit(Part::Reference(&send.channel));
            send.arguments
                .iter()
                .for_each(|expr| visit(Part::Expr(expr)));
        }
        StatementKind::Receive(receive) => {
            visit(Part::Reference(&receive.channel));
            receive
                .arguments
                .iter()
                .for_each(|argument| receive_part(argument, visit));
        }
        StatementKind::If(options) | StatementKind::Do(options) => {
            options.iter().for_each(|option| inner(option, visit));
        }
        StatementKind::For {
            variable,
            range,
            body,
        } => {
            visit(Part::Reference(variable));
            match range {
                ForRange::Interval { from, to } => {
                    visit(Part::Expr(from));
                    visit(Part::Expr(to));
                }
                ForRange::In(reference) => visit(Part::Reference(reference)),
            }
            inner(body, visit);
        }
        StatementKind::Select {
            variable, from, to, ..
        } => {
            visit(Part::Reference(variable));
            visit(Part::Expr(from));
            visit(Part::Expr(to));
        }
        StatementKind::Atomic(body) | StatementKind::DStep(body) | StatementKind::Block(body) => {
            inner(body, visit)
        }
        StatementKind::Inline(call) => inner(&call.body, visit),
        StatementKind::Unless { main, escape } => {
            each_part(main, visit);
            each_part(escape, visit);
        }
        StatementKind::SetPriority { process, priority } => {
            visit(Part::SetPriority);
            visit(Part::Expr(process));
            visit(Part::Expr(priority));
        }
        StatementKind::Else
        | StatementKind::Goto(_)
        | StatementKind::Break
        | StatementKind::Error => {}
    }
}

fn receive_part<'s>(argument: &'s ReceiveArgument, visit: &mut dyn FnMut(Part<'s>)) {
    match &argument.kind {
        ReceiveArgumentKind::Constant(expr) | ReceiveArgumentKind::Eval(expr) => {
            visit(Part::Expr(expr))
        }
        ReceiveArgumentKind::Variable(reference) => visit(Part::Reference(reference)),
        ReceiveArgumentKind::Anything => {}
    }
}

/// Visits the operands of an expression, one level deep; the indices of variables among them.
pub(super) fn each_operand<'e>(expr: &'e Expr, visit: &mut dyn FnMut(&'e Expr)) {
    let indices = |reference: &'e VariableRef, visit: &mut dyn FnMut(&'e Expr)| {
        for segment in &reference.segments {
            if let Some(index) = &segment.index {
                visit(index);
            }
        }
    };
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::Timeout | ExprKind::NonProgress | ExprKind::Error => {}
        ExprKind::Variable(reference) | ExprKind::Length(reference) => indices(reference, visit),
        ExprKind::Probe { channel, .. } => indices(channel, visit),
        ExprKind::Unary { operand, .. } => visit(operand),
        ExprKind::Binary { left, right, .. } => {
            visit(left);
            visit(right);
        }
        ExprKind::Conditional { condition, yes, no } => {
            visit(condition);
            visit(yes);
            visit(no);
        }
        ExprKind::Run { arguments, .. } => arguments.iter().for_each(visit),
        ExprKind::Poll {
            channel, arguments, ..
        } => {
            indices(channel, visit);
            for argument in arguments {
                match &argument.kind {
                    ReceiveArgumentKind::Constant(expr) | ReceiveArgumentKind::Eval(expr) => {
                        visit(expr)
                    }
                    ReceiveArgumentKind::Variable(reference) => indices(reference, visit),
                    ReceiveArgumentKind::Anything => {}
                }
            }
        }
        ExprKind::RemoteLabel { process, .. } => process.iter().for_each(|process| visit(process)),
        ExprKind::RemoteVariable {
            process, variable, ..
        } => {
            process.iter().for_each(|process| visit(process));
            indices(variable, visit);
        }
        ExprKind::Enabled(operand)
        | ExprKind::PcValue(operand)
        | ExprKind::GetPriority(operand) => visit(operand),
    }
}
