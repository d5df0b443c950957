//! Sends and receives.

use mazurka_model::{ExpressionId, Field, Receive, ReceiveId, Send, SendId};

use crate::ast::{self, ReceiveArgument, ReceiveArgumentKind, VariableRef};

use super::Lowerer;
use super::expression::Reference;
use super::problem;

impl Lowerer<'_> {
    /// A send; gives also the channel, which must not be full.
    pub(super) fn send(&mut self, send: &ast::Send) -> (SendId, ExpressionId) {
        let channel = self.channel(&send.channel);
        let mut values = Vec::new();
        for argument in &send.arguments {
            values.extend(self.values(argument));
        }
        let values = self.push_list(values);
        let sorted = send.sorted || self.is_sorted(&send.channel);
        let id = self.push_send(Send {
            channel,
            values,
            sorted,
        });
        (id, channel)
    }

    pub(super) fn push_send(&mut self, send: Send) -> SendId {
        self.program.sends.push(send);
        SendId(self.program.sends.len() as u32 - 1)
    }

    pub(super) fn receive(&mut self, receive: &ast::Receive) -> ReceiveId {
        let channel = self.channel(&receive.channel);
        let mut fields = Vec::new();
        for argument in &receive.arguments {
            self.receive_field(argument, &mut fields);
        }
        self.push_receive(channel, fields, receive.random, receive.peek)
    }

    /// The question whether a receive is possible: variables take anything and are not changed.
    pub(super) fn poll(
        &mut self,
        channel: &VariableRef,
        random: bool,
        arguments: &[ReceiveArgument],
    ) -> ReceiveId {
        let channel = self.channel(channel);
        let mut fields = Vec::new();
        for argument in arguments {
            self.receive_field(argument, &mut fields);
        }
        for field in &mut fields {
            if let Field::Bind(_) = field {
                *field = Field::Discard;
            }
        }
        self.push_receive(channel, fields, random, true)
    }

    pub(super) fn push_receive(
        &mut self,
        channel: ExpressionId,
        fields: Vec<Field>,
        random: bool,
        keep: bool,
    ) -> ReceiveId {
        let start = self.program.fields.len() as u32;
        self.program.fields.extend(fields);
        let fields = start..self.program.fields.len() as u32;
        self.program.receives.push(Receive {
            channel,
            fields,
            random,
            keep,
        });
        ReceiveId(self.program.receives.len() as u32 - 1)
    }

    fn receive_field(&mut self, argument: &ReceiveArgument, fields: &mut Vec<Field>) {
        match &argument.kind {
            ReceiveArgumentKind::Constant(expr) | ReceiveArgumentKind::Eval(expr) => {
                let value = self.expression(expr);
                fields.push(Field::Match(value));
            }
            ReceiveArgumentKind::Anything => fields.push(Field::Discard),
            ReceiveArgumentKind::Variable(reference) => match self.resolve(reference) {
                Reference::Place(place) => {
                    self.check_written(reference);
                    fields.push(Field::Bind(place));
                }
                Reference::Structure {
                    base,
                    offset,
                    structure,
                    indices,
                } => {
                    let places = self.leaves(base, offset, structure, &indices, reference.span);
                    fields.extend(places.into_iter().map(Field::Bind));
                }
                Reference::Constant(value) => {
                    let value = self.constant(value);
                    fields.push(Field::Match(value));
                }
                Reference::Nowhere => fields.push(Field::Discard),
                Reference::Computed(_) | Reference::Priority => {
                    let name = reference.name();
                    let message = format!(
                        "`{name}` cannot be written: any value is received, and forgotten; to match it, write eval({name})"
                    );
                    self.warn(problem::READ_ONLY, reference.span, message);
                    fields.push(Field::Discard);
                }
                Reference::Unknown => fields.push(Field::Discard),
            },
        }
    }
}
