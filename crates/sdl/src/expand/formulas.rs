//! Formulas over states and variables of processes, in terms of the parts that these are made of.

use super::context::{Context, Scope};
use super::values::{at, binary};
use super::{Expander, key};
use crate::ast::{BinaryOperator, Expression, ExpressionKind, Instance, Name};

impl Expander<'_> {
    /// The type of what a formula says of a process.
    fn type_of_member(&mut self, formula: &Expression) -> Option<Name> {
        let ExpressionKind::Member(instance, member) = &formula.kind else {
            return None;
        };
        let scope = self.scopes.get(&key(&instance.process)).cloned()?;
        let context = Context::of_process(scope, Vec::new());
        self.type_of(&context, member)
    }

    /// Of a formula: a part of a state is in one of its states.
    fn part_at(&self, instance: &Instance, state: &Name) -> Option<Expression> {
        let (span, asked) = (state.span, key(state));
        let below = |inner: &str, outer: &str| {
            inner == outer
                || inner
                    .strip_prefix(outer)
                    .is_some_and(|r| r.starts_with('.'))
        };
        let parts = self.parts.get(&key(&instance.process))?;
        let mut parts = parts.iter();
        let part = parts.find(|part| below(&asked, &part.variable.text))?;
        let states = part
            .states
            .iter()
            .filter(|known| below(&key(known), &asked));
        let equal = states.map(|known| {
            let variable = at(ExpressionKind::Name(part.variable.clone()), span);
            let member = ExpressionKind::Member(instance.clone(), Box::new(variable));
            let value = part.value(&known.text, span);
            binary(BinaryOperator::Equal, at(member, span), value)
        });
        equal.reduce(|all, one| binary(BinaryOperator::Or, all, one))
    }

    /// A formula: parts of variables of processes.
    pub(super) fn formula(&mut self, formula: &Expression) -> Expression {
        self.in_formula = true;
        let span = formula.span;
        let kind = match &formula.kind {
            ExpressionKind::Member(instance, member) => {
                let scope = self.scopes.get(&key(&instance.process)).cloned();
                let known = match (&member.kind, &scope) {
                    (ExpressionKind::Name(name), Some(scope)) => scope.contains_key(&key(name)),
                    (ExpressionKind::Name(_), None) => false,
                    _ => true,
                };
                let member = match known {
                    true => {
                        let context = Context::of_process(scope.unwrap_or_default(), Vec::new());
                        self.plain(&context, member)
                    }
                    false => (**member).clone(),
                };
                ExpressionKind::Member(instance.clone(), Box::new(member))
            }
            ExpressionKind::At(instance, state) => match self.part_at(instance, state) {
                Some(at) => return at,
                None => formula.kind.clone(),
            },
            ExpressionKind::Unary(operator, inner) => {
                ExpressionKind::Unary(*operator, Box::new(self.formula(inner)))
            }
            ExpressionKind::Binary(operator, left, right) => {
                let (mut a, mut b) = (self.formula(left), self.formula(right));
                let nowhere = Context::of_process(Scope::default(), Vec::new());
                if let Some(type_) = self.type_of_member(left) {
                    self.settle(&nowhere, &mut b, &type_);
                }
                if let Some(type_) = self.type_of_member(right) {
                    self.settle(&nowhere, &mut a, &type_);
                }
                ExpressionKind::Binary(*operator, Box::new(a), Box::new(b))
            }
            ExpressionKind::Conditional(condition, yes, no) => ExpressionKind::Conditional(
                Box::new(self.formula(condition)),
                Box::new(self.formula(yes)),
                Box::new(self.formula(no)),
            ),
            other => other.clone(),
        };
        at(kind, span)
    }
}
