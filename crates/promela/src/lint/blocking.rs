//! Where an atomic sequence can block, others go on in between.

use std::collections::HashSet;

use mazurka_span::Diagnostic;

use super::values::constant;
use super::{BLOCKING_ATOMIC, warn};
use crate::ast::{Expr, ExprKind, Sequence, Statement, StatementKind};

/// Looks for the first statement of an atomic sequence, behind its first one, that can block.
pub(super) fn look(body: &Sequence, found: &mut Vec<Diagnostic>) {
    let mut asked = HashSet::new();
    let mut statements = statements(body).peekable();
    let mut is_first = true;
    while let Some(statement) = statements.next() {
        // To send at the end is usual, and not in the middle.
        let is_last_send =
            statements.peek().is_none() && matches!(statement.kind, StatementKind::Send(_));
        if !is_first
            && !is_last_send
            && let Some(blocking) = blocking(statement, &asked)
        {
            let message = "if this blocks, others go on in the middle of the atomic sequence";
            warn(found, BLOCKING_ATOMIC, blocking.span, message);
            return;
        }
        is_first = false;
        if let StatementKind::Expression(expr) = &statement.kind {
            channels_in(expr, &mut asked);
        }
    }
}

fn statements(body: &Sequence) -> impl Iterator<Item = &Statement> {
    let is_executed = |it: &&Statement| !matches!(it.kind, StatementKind::Declaration(_));
    body.statements.iter().filter(is_executed)
}

/// The part of a statement that can keep it from being executed.
fn blocking<'m>(statement: &'m Statement, asked: &HashSet<&str>) -> Option<&'m Statement> {
    let blocks = match &statement.kind {
        // `nempty(c) -> c?x` does not block.
        StatementKind::Receive(receive) => !asked.contains(receive.channel.name().as_str()),
        StatementKind::Send(send) => !asked.contains(send.channel.name().as_str()),
        StatementKind::Expression(expr) => {
            constant(expr).is_none() && !matches!(expr.kind, ExprKind::Run { .. })
        }
        StatementKind::Block(body) | StatementKind::Atomic(body) | StatementKind::DStep(body) => {
            return statements(body)
                .next()
                .and_then(|first| blocking(first, asked));
        }
        // Several conditions may be such that one of them is always true.
        StatementKind::If(options) | StatementKind::Do(options) => options.iter().all(|option| {
            let first = statements(option).next();
            let first = first.and_then(|first| blocking(first, asked));
            first.is_some_and(|first| {
                options.len() == 1 || !matches!(first.kind, StatementKind::Expression(_))
            })
        }),
        _ => false,
    };
    blocks.then_some(statement)
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
