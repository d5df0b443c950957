//! Computation blocks to instructions.

use mazurka_model::{Base, BinaryOperator, Expression, Instruction, Variable};
use mazurka_syntax::Lower;

use super::{Local, Lowerer, Type};
use crate::ast::{self, Name, Statement};

impl Lowerer<'_> {
    pub(super) fn block(&mut self, machine: usize, statements: &[Statement]) {
        for statement in statements {
            self.statement(machine, statement);
        }
    }

    fn statement(&mut self, machine: usize, statement: &Statement) {
        match statement {
            Statement::Assign(place, value) => {
                let target = self.target(machine, place);
                let (value_id, type_) = self.expression(Some(machine), value);
                if let Some((place, wanted)) = target {
                    self.expect_type(value.span, type_, wanted);
                    self.emit(Instruction::Assign(place, value_id));
                }
            }
            Statement::Assert(claim) => {
                let claim = self.condition(Some(machine), claim);
                self.emit(Instruction::Assert(claim));
            }
            Statement::If(condition, then, otherwise) => {
                let condition = self.condition(Some(machine), condition);
                let unless = self.emit(Instruction::Stuck);
                self.block(machine, then);
                if otherwise.is_empty() {
                    let end = self.here();
                    self.patch(unless, Instruction::JumpUnless(condition, end));
                    return;
                }
                let jump = self.emit(Instruction::Stuck);
                let middle = self.here();
                self.patch(unless, Instruction::JumpUnless(condition, middle));
                self.block(machine, otherwise);
                let end = self.here();
                self.patch(jump, Instruction::Jump(end));
            }
            Statement::While(condition, body) => {
                let top = self.here();
                let condition = self.condition(Some(machine), condition);
                let unless = self.emit(Instruction::Stuck);
                self.block(machine, body);
                self.emit(Instruction::Jump(top));
                let end = self.here();
                self.patch(unless, Instruction::JumpUnless(condition, end));
            }
            Statement::For(variable, from, to, body) => {
                self.counted(machine, variable, from, to, body);
            }
        }
    }

    /// `for i in a..b { … }`: the variable is the loop's own, and 0 outside it, so that it tells no
    /// states apart.
    fn counted(
        &mut self,
        machine: usize,
        variable: &Name,
        from: &ast::Expression,
        to: &ast::Expression,
        body: &[Statement],
    ) {
        let (start, type_) = self.expression(Some(machine), from);
        self.expect_type(from.span, type_, Type::Int);
        let offset = self.machines[machine].frame_bytes;
        let local = Local {
            base: Base::Local,
            offset,
            type_: Type::Int,
            length: None,
            writable: false,
        };
        self.machines[machine].frame_bytes += Type::Int.kind().bytes();
        self.building.program.process_types[machine]
            .variables
            .push(Variable {
                name: variable.to_string(),
                offset,
                kind: Type::Int.kind(),
                length: None,
                meaning: Type::Int.meaning(),
            });
        let locals = &mut self.machines[machine].locals;
        let hidden = locals.insert(variable.text.clone(), local);
        let place = self.simple_place(Base::Local, offset, Type::Int.kind());
        self.emit(Instruction::Assign(place, start));
        let top = self.here();
        let (end, type_) = self.expression(Some(machine), to);
        self.expect_type(to.span, type_, Type::Int);
        let value = self.node(Expression::Load(place));
        let goes_on = self.node(Expression::Binary(BinaryOperator::Less, value, end));
        let unless = self.emit(Instruction::Stuck);
        self.block(machine, body);
        let one = self.constant(1);
        let next = self.node(Expression::Binary(BinaryOperator::Add, value, one));
        self.emit(Instruction::Assign(place, next));
        self.emit(Instruction::Jump(top));
        let after = self.here();
        self.patch(unless, Instruction::JumpUnless(goes_on, after));
        let zero = self.constant(0);
        self.emit(Instruction::Assign(place, zero));
        let locals = &mut self.machines[machine].locals;
        match hidden {
            Some(hidden) => locals.insert(variable.text.clone(), hidden),
            None => locals.remove(&variable.text),
        };
    }
}
