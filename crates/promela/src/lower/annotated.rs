//! Sends to channels that an annotation is about.
//!
//! Each thing that may become of a message is a way of its own out of the place of the send: it is put into the channel, it is
//! lost, or it is put there twice. So for the reductions a message that is kept is a send to an ordinary channel, and one that is lost
//! no operation at all (`objects` says why that is right).
//!
//! A channel is known by its number where it is not known by its name: what a parameter, say, stands for is found out when the step is
//! taken. The numbers of the channels declared with the model are fixed, since nobody may put another channel into their variables.

use mazurka_model::{ChannelTest, Expression, ExpressionId, Handshake, Instruction};
use mazurka_span::Diagnostic;

use crate::annotation::Annotation;
use crate::ast::{Send, VariableRef};

use super::action::plain;
use super::graph::Action;
use super::symbols::Symbol;
use super::{Lowerer, problem};

/// A channel that an annotation is about.
pub(super) struct Annotated {
    number: i32,
    annotation: Annotation,
    capacity: u32,
}

/// One of the things that may become of a message.
pub(super) struct Way {
    pub action: Action,
    /// What is told about it, behind the statement.
    pub told: &'static str,
}

impl Lowerer<'_> {
    /// Notes the channels of a variable that are about to be made.
    pub(super) fn annotate(&mut self, symbol: &Symbol, start: &[Instruction]) {
        let made = start
            .iter()
            .filter(|instruction| matches!(instruction, Instruction::NewChannel(..)));
        let first = made.count() as i32 + 1;
        let Some(channel_type) = symbol.channel else {
            return;
        };
        let capacity = self.channel_types[channel_type.index()].capacity;
        if capacity == 0 {
            let message = format!(
                "`{}` holds no message: what is said of it has no meaning for a rendezvous",
                symbol.name
            );
            self.error(problem::BAD_CHANNEL, symbol.span, message);
        }
        for element in 0..symbol.length.unwrap_or(1) {
            self.annotated.push(Annotated {
                number: first + element as i32,
                annotation: symbol.annotation,
                capacity,
            });
        }
    }

    /// The channel that a variable was declared with, if it is one by itself.
    fn declared_with(&self, channel: &VariableRef) -> Option<&Symbol> {
        let symbol = self.find(channel.name())?;
        (channel.segments.len() == 1 && symbol.channel.is_some()).then_some(symbol)
    }

    /// Is every send to the channel a sorted one?
    pub(super) fn is_sorted(&mut self, channel: &VariableRef) -> bool {
        if let Some(symbol) = self.declared_with(channel) {
            return symbol.annotation.sorted;
        }
        if self.annotated.iter().any(|known| known.annotation.sorted) {
            let message =
                format!("it is not known here whether `{channel}` is a channel that is `sorted`");
            let diagnostic = Diagnostic::error(problem::BAD_CHANNEL, channel.span, message);
            let hint = "send to such a channel by the name that it is declared with, or write `!!`";
            self.diagnostics.push(diagnostic.hint(hint));
        }
        false
    }

    /// Where annotations are about channels, nobody puts another channel into a variable that is declared with one.
    pub(super) fn check_written(&mut self, target: &VariableRef) {
        if !self.annotated.is_empty() && self.declared_with(target).is_some() {
            let message = format!(
                "`{target}` keeps its channel, since an annotation says what some channels are like"
            );
            self.error(problem::BAD_CHANNEL, target.span, message);
        }
    }

    /// What may become of a message, first of all that it is put into the channel.
    pub(super) fn ways_to_send(&mut self, send: &Send) -> Vec<Way> {
        let (id, channel) = self.send(send);
        let guard = self.expression_node(Expression::Channel(ChannelTest::NotFull, channel));
        let mut sent = plain(guard, vec![Instruction::Send(id)]);
        sent.handshake = Handshake::Sends(id);
        let mut ways = vec![Way {
            action: sent,
            told: "",
        }];
        for (is_it, capacity) in self.where_it_is(&send.channel, channel, |a| a.duplicating) {
            let before_last = self.constant(capacity as i32 - 1);
            let length = self.expression_node(Expression::Channel(ChannelTest::Length, channel));
            let less = mazurka_model::BinaryOperator::Less;
            let has_room = Expression::Binary(less, length, before_last);
            let has_room = self.expression_node(has_room);
            let guard = self.both(is_it, has_room);
            if capacity > 1 {
                ways.push(Way {
                    action: plain(guard, vec![Instruction::Send(id), Instruction::Send(id)]),
                    told: " (duplicated)",
                });
            }
        }
        for (is_it, _) in self.where_it_is(&send.channel, channel, |a| a.lossy) {
            let always = self.constant(1);
            ways.push(Way {
                action: plain(is_it.unwrap_or(always), Vec::new()),
                told: " (lost)",
            });
        }
        ways
    }

    /// The channels of a kind that a send may be to: the condition that it is to that one, if it has to be asked, and its capacity.
    fn where_it_is(
        &mut self,
        written: &VariableRef,
        channel: ExpressionId,
        kind: impl Fn(Annotation) -> bool,
    ) -> Vec<(Option<ExpressionId>, u32)> {
        if let Some(symbol) = self.declared_with(written) {
            let Some(channel_type) = symbol.channel.filter(|_| kind(symbol.annotation)) else {
                return Vec::new();
            };
            let capacity = self.channel_types[channel_type.index()].capacity;
            return vec![(None, capacity)];
        }
        let known = self.annotated.iter().filter(|one| kind(one.annotation));
        let known: Vec<(i32, u32)> = known.map(|one| (one.number, one.capacity)).collect();
        let conditions = known.into_iter().map(|(number, capacity)| {
            let number = self.constant(number);
            let equal = mazurka_model::BinaryOperator::Equal;
            let is_it = self.expression_node(Expression::Binary(equal, channel, number));
            (Some(is_it), capacity)
        });
        conditions.collect()
    }

    fn both(&mut self, first: Option<ExpressionId>, second: ExpressionId) -> ExpressionId {
        match first {
            Some(first) => self.expression_node(Expression::And(first, second)),
            None => second,
        }
    }
}
