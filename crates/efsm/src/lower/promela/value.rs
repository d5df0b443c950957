//! Expressions and formulas in Promela.

use mazurka_promela::ast::{Expr, ExprKind, Formula, FormulaKind, FormulaOperator, VariableRef};
use mazurka_promela::build;

use super::{Export, Scope};
use crate::ast::{Binary, BinaryOperator, Expression, ExpressionKind, Place, Unary, UnaryOperator};

impl Export<'_, '_> {
    pub(super) fn value(&mut self, scope: Scope<'_>, expression: &Expression) -> Expr {
        let lowerer = self.lowerer;
        match &expression.kind {
            ExpressionKind::Number(value) => build::number(*value),
            ExpressionKind::Truth(value) => build::number(i32::from(*value)),
            ExpressionKind::Name(name) => self.named(scope, name),
            ExpressionKind::Index(name, index) => {
                let index = self.value(scope, index);
                if let Some(array) = self.variable(scope, &name.text) {
                    return build::read(build::element(&array, index));
                }
                let instances = lowerer.instances.get(&name.text);
                match instances.map_or(0, |found| found.first) {
                    0 => index,
                    first => build::binary(BinaryOperator::Add, build::number(first as i32), index),
                }
            }
            ExpressionKind::Unary(Unary::Value(operator), operand) => {
                build::unary(*operator, self.value(scope, operand))
            }
            ExpressionKind::Binary(Binary::Value(operator), left, right) => {
                let left = self.value(scope, left);
                build::binary(*operator, left, self.value(scope, right))
            }
            ExpressionKind::Length(port) => match (&port.kind, scope.machine) {
                (ExpressionKind::Name(name), Some(machine)) => {
                    self.length(machine, name, &build::value("self"))
                }
                (ExpressionKind::Member(instance, port), _) => {
                    let number = self.value(scope, instance);
                    let machine = self.machine_of(scope, instance).unwrap_or(0);
                    self.length(machine, &port.text, &number)
                }
                _ => build::number(0),
            },
            ExpressionKind::Member(instance, member) => {
                let (proctype, process) = self.process(scope, instance);
                build::expr(ExprKind::RemoteVariable {
                    proctype,
                    process,
                    variable: build::variable(&self.names.local(&member.text)),
                })
            }
            ExpressionKind::At(instance, state) => {
                let (proctype, process) = self.process(scope, instance);
                build::expr(ExprKind::RemoteLabel {
                    proctype,
                    process,
                    label: build::name(&self.names.state(&state.text)),
                })
            }
            // The lowering has refused these.
            ExpressionKind::Unary(..) | ExpressionKind::Binary(..) | ExpressionKind::Wrong => {
                build::number(0)
            }
        }
    }

    /// A part of a formula; what has no temporal operator on top and does not join formulas is a condition.
    pub(super) fn formula(&mut self, part: &Expression) -> Formula {
        use FormulaOperator as Operator;
        let mut inside = |part: &Expression| Box::new(self.formula(part));
        build::formula(match &part.kind {
            ExpressionKind::Unary(Unary::Value(UnaryOperator::Not), operand) => {
                FormulaKind::Not(inside(operand))
            }
            ExpressionKind::Unary(Unary::Always, operand) => FormulaKind::Always(inside(operand)),
            ExpressionKind::Unary(Unary::Eventually, operand) => {
                FormulaKind::Eventually(inside(operand))
            }
            ExpressionKind::Unary(Unary::Next, operand) => FormulaKind::Next(inside(operand)),
            ExpressionKind::Binary(operator, left, right) => {
                let operator = match operator {
                    Binary::Value(BinaryOperator::And) => Operator::And,
                    Binary::Value(BinaryOperator::Or) => Operator::Or,
                    Binary::Value(_) => {
                        return build::atom(self.value(Scope::of(None), part));
                    }
                    Binary::Implies => Operator::Implies,
                    Binary::Equivalent => Operator::Equivalent,
                    Binary::Until => Operator::Until,
                    Binary::WeakUntil => Operator::WeakUntil,
                    Binary::Release => Operator::Release,
                };
                FormulaKind::Binary {
                    operator,
                    left: inside(left),
                    right: inside(right),
                }
            }
            _ => FormulaKind::Atom(self.value(Scope::of(None), part)),
        })
    }

    pub(super) fn place(&mut self, scope: Scope<'_>, place: &Place) -> VariableRef {
        let name = self.variable(scope, &place.name.text).unwrap_or_default();
        match &place.index {
            Some(index) => build::element(&name, self.value(scope, index)),
            None => build::variable(&name),
        }
    }

    /// The machine of the instance that an expression names.
    pub(super) fn machine_of(&self, scope: Scope<'_>, expression: &Expression) -> Option<usize> {
        self.lowerer.machine_of(scope.machine, expression)
    }

    /// What a variable is called, if the name is that of one.
    fn variable(&mut self, scope: Scope<'_>, name: &str) -> Option<String> {
        let lowerer = self.lowerer;
        let mut counted = scope.loops.iter().rev();
        if let Some((_, called)) = counted.find(|(known, _)| &**known == name) {
            return Some(called.clone());
        }
        let machine = scope.machine.map(|machine| &lowerer.machines[machine]);
        if machine.is_some_and(|machine| machine.locals.contains_key(name)) {
            return Some(self.names.local(name));
        }
        let is_global = lowerer.globals.contains_key(name);
        is_global.then(|| self.names.global(name))
    }

    fn named(&mut self, scope: Scope<'_>, name: &str) -> Expr {
        let lowerer = self.lowerer;
        if let Some(variable) = self.variable(scope, name) {
            return build::value(&variable);
        }
        if let Some((value, _)) = lowerer.constants.get(name) {
            return build::number(*value);
        }
        let instances = lowerer.instances.get(name);
        build::number(instances.map_or(0, |found| found.first as i32))
    }

    /// The process of an instance, as a remote reference names it.
    fn process(
        &mut self,
        scope: Scope<'_>,
        instance: &Expression,
    ) -> (mazurka_promela::ast::Name, Option<Box<Expr>>) {
        let machine = self.machine_of(scope, instance).unwrap_or(0);
        let described = &self.lowerer.machines[machine];
        let number = self.value(scope, instance);
        // Before it come `init` and the process that stops all others after an overflow.
        let first = described.first_process + 1 + u32::from(self.overflows());
        let first = build::number(first as i32);
        let process = build::binary(BinaryOperator::Add, first, number);
        let proctype = build::name(&self.names.proctype(&described.name));
        (proctype, Some(Box::new(process)))
    }
}
