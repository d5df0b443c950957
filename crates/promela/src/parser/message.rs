//! Sending, receiving and polling.

use super::{Parsed, Parser};
use crate::ast::{
    Expr, ExprKind, Receive, ReceiveArgument, ReceiveArgumentKind, Send, StatementKind,
    UnaryOperator, VariableRef,
};
use crate::keyword::Keyword;
use crate::token::{Punctuation, TokenKind};

impl Parser<'_> {
    /// After `q!` or `q!!`.
    pub(super) fn send(&mut self, channel: VariableRef, sorted: bool) -> Parsed<StatementKind> {
        let mut arguments = vec![self.expression()?];
        let tagged = self.eat(Punctuation::LeftParen);
        if tagged {
            let rest = self.arguments()?;
            if rest.is_empty() {
                self.warn_not_in_spin(
                    self.cursor.previous().span,
                    "SPIN wants an argument between the brackets",
                );
            }
            arguments.extend(rest);
        } else {
            while self.eat(Punctuation::Comma) {
                arguments.push(self.expression()?);
            }
        }
        Ok(StatementKind::Send(Send {
            channel,
            sorted,
            arguments,
            tagged,
        }))
    }

    /// After `q?` or `q??`, where it is not a poll.
    pub(super) fn receive(&mut self, channel: VariableRef, random: bool) -> Parsed<StatementKind> {
        let peek = self.eat(Punctuation::Less);
        let mut arguments = Vec::new();
        let tagged = self.receive_arguments(&mut arguments)?;
        if peek {
            self.expect(Punctuation::Greater)?;
        }
        Ok(StatementKind::Receive(Receive {
            channel,
            random,
            peek,
            arguments,
            tagged,
        }))
    }

    /// `q?[…]` or `q??[…]`; the question marks are next.
    pub(super) fn poll(&mut self, channel: VariableRef, random: bool) -> Parsed<Expr> {
        let start = channel.span;
        self.bump();
        self.expect(Punctuation::LeftBracket)?;
        let mut arguments = Vec::new();
        self.receive_arguments(&mut arguments)?;
        self.expect(Punctuation::RightBracket)?;
        Ok(Expr {
            kind: ExprKind::Poll {
                channel,
                random,
                arguments,
            },
            span: self.since(start),
        })
    }

    /// `a, b`, `a(b, c)` or `(a, b)`, which all mean a flat list. Gives whether the first has the others in brackets.
    fn receive_arguments(&mut self, arguments: &mut Vec<ReceiveArgument>) -> Parsed<bool> {
        self.enter()?;
        let result = self.receive_arguments_inner(arguments);
        self.leave();
        result
    }

    fn receive_arguments_inner(&mut self, arguments: &mut Vec<ReceiveArgument>) -> Parsed<bool> {
        if self.eat(Punctuation::LeftParen) {
            self.receive_arguments(arguments)?;
            self.expect(Punctuation::RightParen)?;
            return Ok(false);
        }
        let first = arguments.len() + 1;
        loop {
            arguments.push(self.receive_argument()?);
            if self.eat(Punctuation::LeftParen) {
                let tagged = arguments.len() == first;
                self.receive_arguments(arguments)?;
                self.expect(Punctuation::RightParen)?;
                return Ok(tagged);
            }
            if !self.eat(Punctuation::Comma) {
                return Ok(false);
            }
        }
    }

    fn receive_argument(&mut self) -> Parsed<ReceiveArgument> {
        let start = self.peek().span;
        let kind = match self.peek().kind {
            TokenKind::Keyword(Keyword::Eval) => {
                self.bump();
                self.expect(Punctuation::LeftParen)?;
                let expr = self.expression()?;
                self.expect(Punctuation::RightParen)?;
                ReceiveArgumentKind::Eval(expr)
            }
            TokenKind::Punctuation(Punctuation::Minus) => {
                self.bump();
                let operand = match self.number() {
                    Some(number) => Box::new(number),
                    None => return Err(self.unexpected("a number")),
                };
                let kind = ExprKind::Unary {
                    operator: UnaryOperator::Minus,
                    operand,
                };
                ReceiveArgumentKind::Constant(Expr {
                    kind,
                    span: self.since(start),
                })
            }
            TokenKind::Ident(_) => {
                let variable = self.variable_ref()?;
                match variable.as_plain_name() {
                    Some(name) if &*name.text == "_" => ReceiveArgumentKind::Anything,
                    _ => ReceiveArgumentKind::Variable(variable),
                }
            }
            _ => match self.number() {
                Some(number) => ReceiveArgumentKind::Constant(number),
                None => {
                    let diagnostic = self
                        .unexpected_diagnostic("a variable or a constant")
                        .hint("to match the value of an expression, write `eval(…)`");
                    return Err(self.error(diagnostic));
                }
            },
        };
        Ok(ReceiveArgument {
            kind,
            span: self.since(start),
        })
    }
}
