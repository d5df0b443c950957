//! What basic statements do: assignments, conditions, sends, receives, runs.

use mazurka_model::{Expression, Handshake, Instruction, PlaceId};
use mazurka_span::{Span, counted};

use crate::ast::{Expr, ExprKind, Name, NumberSpelling, Statement, StatementKind, VariableRef};

use super::expression::Reference;
use super::graph::{Action, Idle};
use super::{Lowerer, problem};

/// A statement without a rendezvous.
pub(super) fn plain(guard: mazurka_model::ExpressionId, effect: Vec<Instruction>) -> Action {
    Action {
        guard,
        otherwise: false,
        handshake: Handshake::Apart,
        effect,
        idle: None,
    }
}

impl Lowerer<'_> {
    pub(super) fn skip(&mut self) -> Action {
        let mut action = plain(self.constant(1), Vec::new());
        action.idle = Some(Idle::Skip);
        action
    }

    pub(super) fn otherwise(&mut self) -> Action {
        let mut action = plain(self.constant(1), Vec::new());
        action.otherwise = true;
        action
    }

    /// What a basic statement does.
    pub(super) fn action(&mut self, statement: &Statement) -> Option<Action> {
        match &statement.kind {
            StatementKind::Assign { target, value } => {
                let is_number = match &value.kind {
                    ExprKind::Number(_) => true,
                    ExprKind::Variable(of) => {
                        let name = of.as_plain_name();
                        name.is_some_and(|name| self.names.constants.contains_key(&name.text))
                    }
                    _ => false,
                };
                if is_number && self.is_channel(target) {
                    let message = format!("`{}` is a channel, not a number", target.name());
                    self.error(problem::BAD_CHANNEL, value.span, message);
                    return None;
                }
                if let ExprKind::Run {
                    proctype,
                    arguments,
                    priority,
                } = &value.kind
                {
                    self.check_written(target);
                    let place = match self.resolve(target) {
                        Reference::Place(place) => Some(place),
                        Reference::Nowhere => None,
                        Reference::Unknown => return None,
                        _ => {
                            self.cannot_write(target);
                            return None;
                        }
                    };
                    return self.run(proctype, arguments, priority.as_deref(), place, value.span);
                }
                let value = self.expression(value);
                self.assignment(target, value)
            }
            StatementKind::Increment(target) => {
                self.change_by_one(target, mazurka_model::BinaryOperator::Add)
            }
            StatementKind::Decrement(target) => {
                self.change_by_one(target, mazurka_model::BinaryOperator::Subtract)
            }
            StatementKind::Assert(claim) => {
                let claim = self.expression(claim);
                Some(plain(self.constant(1), vec![Instruction::Assert(claim)]))
            }
            StatementKind::Printf { format, arguments } => Some(self.print(format, arguments)),
            StatementKind::Printm(argument) => Some(self.print_name(argument)),
            StatementKind::Send(send) if self.in_trace => {
                let (id, pattern) = self.sent_event(send, statement.span)?;
                let mut action = plain(self.constant(1), vec![Instruction::Receive(pattern)]);
                action.handshake = Handshake::Sends(id);
                Some(action)
            }
            StatementKind::Receive(receive) => {
                let id = self.receive(receive);
                let guard = self.expression_node(Expression::CanReceive(id));
                let mut action = plain(guard, vec![Instruction::Receive(id)]);
                if !receive.peek {
                    action.handshake = Handshake::Receives(id);
                }
                Some(action)
            }
            StatementKind::Expression(expr) => match &expr.kind {
                ExprKind::Run {
                    proctype,
                    arguments,
                    priority,
                } => self.run(proctype, arguments, priority.as_deref(), None, expr.span),
                ExprKind::Number(number) if number.value == 1 => {
                    let mut action = self.skip();
                    if number.spelling == NumberSpelling::Character {
                        action.idle = None;
                    }
                    Some(action)
                }
                _ => {
                    let guard = self.expression(expr);
                    Some(plain(guard, Vec::new()))
                }
            },
            StatementKind::Else => Some(self.otherwise()),
            StatementKind::SetPriority { process, priority } => {
                let process = self.expression(process);
                let priority = self.expression(priority);
                Some(plain(
                    self.constant(1),
                    vec![Instruction::SetPriority(process, priority)],
                ))
            }
            _ => None,
        }
    }

    pub(super) fn assignment(
        &mut self,
        target: &VariableRef,
        value: mazurka_model::ExpressionId,
    ) -> Option<Action> {
        self.check_written(target);
        let effect = match self.resolve(target) {
            Reference::Place(place) => vec![Instruction::Assign(place, value)],
            Reference::Nowhere => Vec::new(),
            Reference::Priority => {
                let own = self.expression_node(Expression::SelfProcess);
                vec![Instruction::SetPriority(own, value)]
            }
            Reference::Unknown => return None,
            Reference::Structure { .. } | Reference::Constant(_) | Reference::Computed(_) => {
                self.cannot_write(target);
                return None;
            }
        };
        Some(plain(self.constant(1), effect))
    }

    fn cannot_write(&mut self, target: &VariableRef) {
        let message = format!("`{}` cannot be assigned to", target.name());
        self.error(problem::READ_ONLY, target.span, message);
    }

    pub(super) fn change_by_one(
        &mut self,
        target: &VariableRef,
        operator: mazurka_model::BinaryOperator,
    ) -> Option<Action> {
        let value = self.read(target);
        let one = self.constant(1);
        let changed = self.expression_node(Expression::Binary(operator, value, one));
        self.assignment(target, changed)
    }

    fn run(
        &mut self,
        proctype: &Name,
        arguments: &[Expr],
        priority: Option<&Expr>,
        result: Option<PlaceId>,
        span: Span,
    ) -> Option<Action> {
        let process_type = self.process_named(proctype)?;
        let mut values = Vec::new();
        for argument in arguments {
            values.extend(self.values(argument));
        }
        let expected = self.names.processes[process_type.index()].parameter_count;
        if values.len() != expected {
            let message = format!(
                "`{proctype}` takes {}, not {}",
                counted(expected as u64, "argument"),
                values.len()
            );
            self.error(problem::ARGUMENT_COUNT, span, message);
            return None;
        }
        let priority = match priority {
            Some(priority) => self.bounded_constant(priority, "a priority", 1, 255)?,
            None => 1,
        };
        let arguments = self.push_list(values);
        let run = Instruction::Run {
            process_type,
            arguments,
            priority: priority as u8,
            result,
        };
        Some(plain(self.constant(1), vec![run]))
    }
}
