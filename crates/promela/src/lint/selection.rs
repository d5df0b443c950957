//! Guards of `if` and `do`.

use mazurka_span::Diagnostic;

use super::values::{constant, decided};
use super::{ASSIGNMENT_AS_GUARD, CONSTANT_AS_GUARD, ELSE_WITH_MESSAGES, warn};
use crate::ast::{Expr, ExprKind, NumberSpelling, Sequence, Statement, StatementKind, VariableRef};

/// Looks at the guards of a selection or a loop. A name of an `mtype` is a number that is not zero.
pub(super) fn look(
    options: &[Sequence],
    is_mtype: &dyn Fn(&VariableRef) -> bool,
    found: &mut Vec<Diagnostic>,
) {
    let guards: Vec<&Statement> = options.iter().filter_map(guard).collect();
    let has_else = guards
        .iter()
        .any(|guard| matches!(guard.kind, StatementKind::Else));
    let conditions: Vec<&Expr> = (guards.iter())
        .filter_map(|guard| match &guard.kind {
            StatementKind::Expression(expr) => Some(expr),
            _ => None,
        })
        .collect();
    for guard in &guards {
        let first = first_inside(guard);
        let is_direct = std::ptr::eq(first, *guard);
        match &first.kind {
            StatementKind::Assign { target, .. } => {
                // `if :: x = 1 :: x = 2 fi` is how one chooses; beside a condition on x, or an else, it is not.
                let is_compared = || conditions.iter().any(|expr| reads(expr, target));
                if has_else || is_direct && is_compared() {
                    let message = "this is an assignment, which is always executable";
                    let hint = "to compare, write `==`";
                    found.push(
                        Diagnostic::warning(ASSIGNMENT_AS_GUARD, first.span, message).hint(hint),
                    );
                }
            }
            StatementKind::Expression(expr) => {
                let names_mtype = matches!(&expr.kind, ExprKind::Variable(name) if is_mtype(name));
                let message = match names_mtype {
                    true => {
                        Some("a name of an mtype is not a condition: this guard is always true")
                    }
                    false => constant_guard(expr, has_else),
                };
                if let Some(message) = message {
                    warn(found, CONSTANT_AS_GUARD, expr.span, message);
                }
                if has_else && is_direct && asks_about_messages(expr) {
                    warn_of_messages(guard, found);
                }
            }
            StatementKind::Send(_) | StatementKind::Receive(_) if has_else && is_direct => {
                warn_of_messages(guard, found);
            }
            _ => {}
        }
    }
}

fn warn_of_messages(guard: &Statement, found: &mut Vec<Diagnostic>) {
    let message = "whether the `else` beside this can be taken depends on how far others are with their messages";
    warn(found, ELSE_WITH_MESSAGES, guard.span, message);
}

fn guard(option: &Sequence) -> Option<&Statement> {
    let mut statements = option.statements.iter();
    statements.find(|statement| !matches!(statement.kind, StatementKind::Declaration(_)))
}

/// What a guard that is a sequence begins with.
fn first_inside(guard: &Statement) -> &Statement {
    match &guard.kind {
        StatementKind::Atomic(body) | StatementKind::DStep(body) | StatementKind::Block(body) => {
            body.statements.first().map_or(guard, first_inside)
        }
        _ => guard,
    }
}

fn constant_guard(expr: &Expr, has_else: bool) -> Option<&'static str> {
    let Some(value) = constant(expr) else {
        return match decided(expr)? {
            0 => Some("this guard is never true"),
            _ if has_else => {
                Some("this guard is always true, so the `else` beside it is never taken")
            }
            _ => None,
        };
    };
    let is_plain = match &expr.kind {
        ExprKind::Number(number) => number.spelling != NumberSpelling::Decimal || number.value < 2,
        _ => false,
    };
    match value {
        0 => Some("this guard is never true"),
        _ if !is_plain => Some("a number is not a condition: this guard is always true"),
        _ if has_else => Some("this guard is always true, so the `else` beside it is never taken"),
        _ => None,
    }
}

/// Does an expression read the variable of a reference?
fn reads(expr: &Expr, variable: &VariableRef) -> bool {
    match &expr.kind {
        ExprKind::Variable(reference) => {
            reference.segments.len() == variable.segments.len()
                && (reference.segments.iter().zip(&variable.segments))
                    .all(|(one, other)| one.name.text == other.name.text)
        }
        ExprKind::Unary { operand, .. } => reads(operand, variable),
        ExprKind::Binary { left, right, .. } => reads(left, variable) || reads(right, variable),
        _ => false,
    }
}

fn asks_about_messages(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Poll { .. } | ExprKind::Probe { .. } | ExprKind::Length(_) => true,
        ExprKind::Unary { operand, .. } => asks_about_messages(operand),
        ExprKind::Binary { left, right, .. } => {
            asks_about_messages(left) || asks_about_messages(right)
        }
        _ => false,
    }
}
