//! Expressions, by precedence climbing.

use mazurka_span::Span;

use super::{Failed, MOST_DEPTH, Parser, Result};
use crate::ast::{Binary, Expression, ExpressionKind, Name, Unary};
use crate::codes;
use crate::lexer::Kind;

/// A chain of operators is a tree as deep as it is long.
const MOST_OPERATORS: u32 = 200;

/// How tightly a binary operator binds; larger is tighter.
fn binary(kind: Kind<'_>) -> Option<(Binary, u32)> {
    let found = match kind {
        Kind::Sign(sign) => match sign {
            "<->" => (Binary::Equivalent, 1),
            "->" => (Binary::Implies, 2),
            "||" => (Binary::Or, 4),
            "&&" => (Binary::And, 5),
            "|" => (Binary::BitOr, 6),
            "^" => (Binary::BitXor, 7),
            "&" => (Binary::BitAnd, 8),
            "==" => (Binary::Equal, 9),
            "!=" => (Binary::NotEqual, 9),
            "<" => (Binary::Less, 10),
            "<=" => (Binary::LessEqual, 10),
            ">" => (Binary::Greater, 10),
            ">=" => (Binary::GreaterEqual, 10),
            "<<" => (Binary::ShiftLeft, 11),
            ">>" => (Binary::ShiftRight, 11),
            "+" => (Binary::Add, 12),
            "-" => (Binary::Subtract, 12),
            "*" => (Binary::Multiply, 13),
            "/" => (Binary::Divide, 13),
            "%" => (Binary::Remainder, 13),
            _ => return None,
        },
        Kind::Word(word) => match word {
            "U" | "until" => (Binary::Until, 3),
            "W" | "weakuntil" => (Binary::WeakUntil, 3),
            "R" | "V" | "release" => (Binary::Release, 3),
            _ => return None,
        },
        _ => return None,
    };
    Some(found)
}

impl Parser<'_, '_> {
    pub(super) fn expression(&mut self) -> Result<Expression> {
        self.climb(0)
    }

    fn climb(&mut self, least: u32) -> Result<Expression> {
        let mut left = self.unary()?;
        let mut operators = 0;
        while let Some((operator, strength)) = binary(self.peek().kind) {
            // In a formula only: `->` is not an operator of values, and the words are names there.
            let is_logical = matches!(operator, Binary::Implies | Binary::Equivalent);
            if strength < least || (is_logical || operator.is_temporal()) && !self.temporal {
                break;
            }
            operators += 1;
            if operators > MOST_OPERATORS {
                let span = self.peek().span;
                self.error(
                    codes::TOO_DEEP,
                    span,
                    "an expression with too many operators",
                );
                return Err(Failed);
            }
            self.advance();
            let groups_to_the_right = matches!(operator, Binary::Implies) || operator.is_temporal();
            let least = if groups_to_the_right {
                strength
            } else {
                strength + 1
            };
            let right = self.deeper(|parser| parser.climb(least))?;
            left = Expression {
                span: Span::new(left.span.start, right.span.end),
                kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)),
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expression> {
        let token = self.peek();
        let operator = match token.kind {
            Kind::Sign("!") => Unary::Not,
            Kind::Sign("-") => Unary::Negate,
            Kind::Sign("~") => Unary::Complement,
            Kind::Sign("[]") if self.temporal => Unary::Always,
            Kind::Sign("<>") if self.temporal => Unary::Eventually,
            Kind::Word("always" | "G") if self.temporal => Unary::Always,
            Kind::Word("eventually" | "F") if self.temporal => Unary::Eventually,
            Kind::Word("next" | "X") if self.temporal => Unary::Next,
            _ => return self.primary(),
        };
        self.advance();
        let operand = self.deeper(Self::unary)?;
        Ok(Expression {
            span: Span::new(token.span.start, operand.span.end),
            kind: ExpressionKind::Unary(operator, Box::new(operand)),
        })
    }

    fn primary(&mut self) -> Result<Expression> {
        let token = self.peek();
        let simple = |kind| Expression {
            kind,
            span: token.span,
        };
        match token.kind {
            Kind::Number(text) => {
                self.advance();
                match text.parse() {
                    Ok(value) => Ok(simple(ExpressionKind::Number(value))),
                    Err(_) => {
                        let message = "a number must be decimal and fit into 32 bits";
                        self.error(codes::MALFORMED_NUMBER, token.span, message);
                        Ok(simple(ExpressionKind::Wrong))
                    }
                }
            }
            Kind::Word("true") => {
                self.advance();
                Ok(simple(ExpressionKind::Truth(true)))
            }
            Kind::Word("false") => {
                self.advance();
                Ok(simple(ExpressionKind::Truth(false)))
            }
            Kind::Word("len") => {
                self.advance();
                self.expect("(")?;
                let port = self.deeper(Self::expression)?;
                self.expect(")")?;
                Ok(Expression {
                    span: self.since(token.span),
                    kind: ExpressionKind::Length(Box::new(port)),
                })
            }
            Kind::Sign("(") => {
                self.advance();
                let inner = self.deeper(Self::expression)?;
                self.expect(")")?;
                Ok(Expression {
                    span: self.since(token.span),
                    ..inner
                })
            }
            _ => self.reference(),
        }
    }

    /// `x`, `x[i]`, `node[i].x`, `node[i] at Done`.
    fn reference(&mut self) -> Result<Expression> {
        let name = self.name("a value")?;
        let start = name.span;
        let mut found = if self.eat("[") {
            let index = Box::new(self.deeper(Self::expression)?);
            self.expect("]")?;
            Expression {
                span: self.since(start),
                kind: ExpressionKind::Index(name, index),
            }
        } else {
            Expression {
                span: start,
                kind: ExpressionKind::Name(name.text),
            }
        };
        if self.is_sign(".") {
            self.advance();
            let member: Name = self.name("a variable or port of the instance")?;
            found = Expression {
                span: self.since(start),
                kind: ExpressionKind::Member(Box::new(found), member),
            };
        } else if self.eat_word("at") {
            let state = self.name("a state of the instance")?;
            found = Expression {
                span: self.since(start),
                kind: ExpressionKind::At(Box::new(found), state),
            };
        }
        Ok(found)
    }

    pub(super) fn deeper<T>(&mut self, part: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        self.depth += 1;
        if self.depth > MOST_DEPTH {
            let span = self.peek().span;
            self.error(codes::TOO_DEEP, span, "the model is nested too deeply");
            self.depth -= 1;
            return Err(Failed);
        }
        let result = part(self);
        self.depth -= 1;
        result
    }
}
