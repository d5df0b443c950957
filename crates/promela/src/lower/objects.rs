//! Variables that are said to be mutexes, semaphores or counters: whether they are used as such.
//!
//! What is done with one stays what is written, for SPIN and for Mazurka. That a mutex is only taken where it is free, say, can be seen in the text: the
//! wait stands right before, in the same `d_step` or `atomic`.

use std::collections::HashMap;
use std::sync::Arc;

use mazurka_span::{Diagnostic, Span};

use crate::ast::{
    BinaryOperator, Declaration, Expr, ExprKind, Model, Object, ReceiveArgumentKind, Sequence,
    Statement, StatementKind, UnaryOperator, Unit, VariableRef,
};
use crate::codes;

/// Says where variables are not used as what they are said to be.
pub(super) fn check(model: &Model, diagnostics: &mut Vec<Diagnostic>) {
    let mut objects = HashMap::new();
    for unit in &model.units {
        if let Unit::Declaration(declaration) = unit
            && let Some(object) = declaration.annotation.and_then(|said| said.object)
        {
            let names = declaration
                .variables
                .iter()
                .map(|known| known.name.text.clone());
            objects.extend(names.map(|name| (name, object)));
        }
    }
    if objects.is_empty() {
        return;
    }
    for unit in &model.units {
        let (parameters, body): (&[Declaration], &Sequence) = match unit {
            Unit::Proctype(proctype) => (&proctype.parameters, &proctype.body),
            Unit::Init(init) => (&[], &init.body),
            _ => continue,
        };
        let mut checker = Checker {
            objects: objects.clone(),
            diagnostics,
        };
        parameters.iter().for_each(|known| checker.hide(known));
        checker.sequence(body, false);
    }
}

struct Checker<'d> {
    /// The variables, by their names, that no other variable hides.
    objects: HashMap<Arc<str>, Object>,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl Checker<'_> {
    fn hide(&mut self, declaration: &Declaration) {
        for variable in &declaration.variables {
            self.objects.remove(&variable.name.text);
        }
    }

    fn sequence(&mut self, sequence: &Sequence, is_atomic: bool) {
        let mut before: Option<&Statement> = None;
        for statement in &sequence.statements {
            self.statement(statement, before.filter(|_| is_atomic), is_atomic);
            before = Some(statement);
        }
    }

    /// `before` is what stands right before it in the same atomic sequence.
    fn statement(&mut self, statement: &Statement, before: Option<&Statement>, is_atomic: bool) {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Declaration(declaration) => self.hide(declaration),
            StatementKind::Assign { target, value } => self.assigned(target, value, before, span),
            StatementKind::Increment(target) => {
                let is_allowed = !matches!(self.object(target), Some(Object::Mutex));
                self.expect(is_allowed, target, span, "is set to 0 and 1");
            }
            StatementKind::Decrement(target) => match self.object(target) {
                Some(Object::Semaphore) => {
                    let is_allowed = before.is_some_and(|before| waits(before, target, true));
                    let rule = "is taken from right behind a wait until something is left, in one `d_step` or `atomic`";
                    self.expect(is_allowed, target, span, rule);
                }
                Some(Object::Mutex) => self.expect(false, target, span, "is set to 0 and 1"),
                _ => {}
            },
            StatementKind::Receive(receive) => {
                for argument in &receive.arguments {
                    if let ReceiveArgumentKind::Variable(target) = &argument.kind {
                        self.written_otherwise(target, argument.span);
                    }
                }
            }
            StatementKind::For { variable, body, .. } => {
                self.written_otherwise(variable, span);
                self.sequence(body, is_atomic);
            }
            StatementKind::Select { variable, .. } => self.written_otherwise(variable, span),
            StatementKind::If(options) | StatementKind::Do(options) => {
                options
                    .iter()
                    .for_each(|option| self.sequence(option, is_atomic));
            }
            StatementKind::Atomic(body) | StatementKind::DStep(body) => self.sequence(body, true),
            StatementKind::Block(body) => self.sequence(body, is_atomic),
            StatementKind::Inline(call) => self.sequence(&call.body, is_atomic),
            StatementKind::Unless { main, escape } => {
                self.statement(main, None, is_atomic);
                self.statement(escape, None, is_atomic);
            }
            _ => {}
        }
    }

    fn assigned(
        &mut self,
        target: &VariableRef,
        value: &Expr,
        before: Option<&Statement>,
        span: Span,
    ) {
        match (self.object(target), number(value)) {
            (Some(Object::Mutex), Some(1)) => {
                let is_allowed = before.is_some_and(|before| waits(before, target, false));
                let rule =
                    "is taken right behind a wait until it is 0, in one `d_step` or `atomic`";
                self.expect(is_allowed, target, span, rule);
            }
            (Some(Object::Mutex), Some(0)) => {}
            _ => self.written_otherwise(target, span),
        }
    }

    fn written_otherwise(&mut self, target: &VariableRef, span: Span) {
        match self.object(target) {
            Some(Object::Mutex) => self.expect(false, target, span, "is set to 0 and 1"),
            Some(Object::Semaphore | Object::Counter) => {
                self.expect(
                    false,
                    target,
                    span,
                    "is counted up and down, by `++` and `--`",
                );
            }
            Some(Object::Barrier | Object::Own) | None => {}
        }
    }

    fn object(&self, target: &VariableRef) -> Option<Object> {
        match target.segments.len() {
            1 => self.objects.get(&target.name().text).copied(),
            _ => None,
        }
    }

    fn expect(&mut self, is_allowed: bool, target: &VariableRef, span: Span, rule: &str) {
        let what = match self.object(target) {
            Some(Object::Mutex) => "a mutex",
            Some(Object::Semaphore) => "a semaphore",
            Some(Object::Counter) => "a counter",
            _ => return,
        };
        if !is_allowed {
            let message = format!("`{}` is {what}: it {rule}", target.name());
            let diagnostic = Diagnostic::error(codes::ANNOTATION, span, message);
            let hint = "what is used in other ways is an `/*@ object */`";
            self.diagnostics.push(diagnostic.hint(hint));
        }
    }
}

/// Does a statement wait until a variable is greater than 0, or until it is 0?
fn waits(statement: &Statement, target: &VariableRef, until_left: bool) -> bool {
    let is_target = |expr: &Expr| match &expr.kind {
        ExprKind::Variable(of) => of.to_string() == target.to_string(),
        _ => false,
    };
    let StatementKind::Expression(condition) = &statement.kind else {
        return false;
    };
    match (&condition.kind, until_left) {
        (ExprKind::Variable(_), true) => is_target(condition),
        (ExprKind::Unary { operator, operand }, false) => {
            *operator == UnaryOperator::Not && is_target(operand)
        }
        (
            ExprKind::Binary {
                operator,
                left,
                right,
            },
            _,
        ) if is_target(left) => matches!(
            (operator, number(right), until_left),
            (
                BinaryOperator::Greater | BinaryOperator::NotEqual,
                Some(0),
                true
            ) | (BinaryOperator::GreaterEqual, Some(1), true)
                | (BinaryOperator::Equal, Some(0), false)
        ),
        _ => false,
    }
}

fn number(expr: &Expr) -> Option<i64> {
    match &expr.kind {
        ExprKind::Number(number) => Some(number.value.into()),
        _ => None,
    }
}
