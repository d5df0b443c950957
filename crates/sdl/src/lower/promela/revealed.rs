//! Variables that processes reveal: global rows, with a place for each instance.

use mazurka_promela::ast::{Expr, ExprKind, Initializer, Unit, VariableRef};
use mazurka_promela::build;

use super::{Export, is_alive, key, plain_name, type_of};
use crate::ast::{BinaryOperator, Expression, Name};

impl Export<'_, '_> {
    pub(super) fn revealed_variables(&mut self) -> Vec<Unit> {
        let lowerer = self.lowerer;
        let mut units = Vec::new();
        for (process, described) in lowerer.processes.iter().enumerate() {
            for variable in &described.ast.variables {
                let local = described.variables[&key(&variable.name)];
                if local.revealed_by.is_none() {
                    continue;
                }
                self.process = process;
                let name = self.revealed_name(process, &variable.name);
                let length = described.slots * local.length.unwrap_or(1);
                let initial = self.initial(variable, local.type_);
                let initial = initial.map(Initializer::Expression);
                let kind = type_of(local.type_.kind());
                let declared = build::declare(kind, &name, Some(length), initial);
                units.push(Unit::Declaration(declared));
            }
        }
        units
    }

    /// The place of a variable that this process reveals.
    pub(super) fn revealed(&mut self, name: &Name, index: Option<Expr>) -> Option<VariableRef> {
        let process = self.process;
        let local = self.lowerer.processes[process].variables.get(&key(name))?;
        local.revealed_by?;
        let first = build::number(self.lowerer.processes[process].first as i32);
        let number = build::binary(BinaryOperator::Subtract, build::value("me"), first);
        Some(self.revealed_at(process, name, number, index))
    }

    fn revealed_at(
        &mut self,
        process: usize,
        name: &Name,
        number: Expr,
        index: Option<Expr>,
    ) -> VariableRef {
        use BinaryOperator as Value;
        let local = self.lowerer.processes[process].variables[&key(name)];
        let place = match local.length.zip(index) {
            None => number,
            Some((length, index)) => {
                let length = build::number(length as i32);
                let rows = build::binary(Value::Multiply, number, length.clone());
                let sum = build::binary(Value::Add, rows, index.clone());
                let low = build::binary(Value::GreaterEqual, index.clone(), build::number(0));
                let high = build::binary(Value::Less, index, length);
                far_unless(build::all([low, high]), sum)
            }
        };
        build::element(&self.revealed_name(process, name), place)
    }

    fn revealed_name(&mut self, process: usize, name: &Name) -> String {
        let (plain, positions) = plain_name(&key(name));
        let process = self.proctype_name(process);
        let name = format!("{process}_{plain}");
        self.names.given("R", &name, &positions)
    }

    /// What another process of the block reveals.
    pub(super) fn seen(
        &mut self,
        name: &Name,
        index: Option<u32>,
        of: Option<&Expression>,
    ) -> Expr {
        use BinaryOperator as Value;
        let candidates = self.lowerer.revealing(self.process, name);
        let asked = of.map(|of| self.value(of));
        let mut found: Option<Expr> = None;
        for other in candidates.into_iter().rev() {
            let described = &self.lowerer.processes[other];
            let (first, slots) = (described.first as i32, described.slots as i32);
            let asked = asked.clone().unwrap_or(build::number(first + 1));
            let start = build::number(first + 1);
            let mut number = build::binary(Value::Subtract, asked.clone(), start.clone());
            let low = build::binary(Value::GreaterEqual, asked.clone(), start);
            let high = build::binary(
                Value::LessEqual,
                asked.clone(),
                build::number(first + slots),
            );
            let is_it = build::all([low, high]);
            if described.exists.is_some() {
                let me = build::binary(Value::Subtract, asked, build::number(1));
                number = far_unless(build::all([is_it.clone(), is_alive(me)]), number);
            }
            let index = index.map(|index| build::number(index as i32));
            let value = build::read(self.revealed_at(other, name, number, index));
            found = Some(match found {
                None => value,
                Some(rest) => build::expr(ExprKind::Conditional {
                    condition: Box::new(is_it),
                    yes: Box::new(value),
                    no: Box::new(rest),
                }),
            });
        }
        found.unwrap_or(build::number(0))
    }
}

/// An index that leads out of all rows unless a condition holds.
fn far_unless(condition: Expr, index: Expr) -> Expr {
    build::expr(ExprKind::Conditional {
        condition: Box::new(condition),
        yes: Box::new(index),
        no: Box::new(build::number(10_000)),
    })
}
