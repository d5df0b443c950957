//! Expressions, by precedence climbing.

use mazurka_span::Span;
use mazurka_syntax::{Climb, Infix, Kind, Parse, Parsed};

use super::Parser;
use crate::ast::{Binary, BinaryOperator, Expression, ExpressionKind, Name, Unary, UnaryOperator};
use crate::codes;

impl<'t, 'd> Climb<'t, 'd, Expression> for Parser<'t, 'd> {
    type Operator = Binary;

    /// In a formula only: `->` is not an operator of values, and the words are names there.
    fn infix(&self) -> Option<Infix<Binary>> {
        let (operator, strength) = match self.peek() {
            Kind::Sign("<->") if self.temporal => (Binary::Equivalent, 1),
            Kind::Sign("->") if self.temporal => (Binary::Implies, 2),
            Kind::Word("U" | "until") if self.temporal => (Binary::Until, 3),
            Kind::Word("W" | "weakuntil") if self.temporal => (Binary::WeakUntil, 3),
            Kind::Word("R" | "V" | "release") if self.temporal => (Binary::Release, 3),
            Kind::Sign(sign) => {
                let operator = BinaryOperator::from_text(sign)?;
                let strength = 3 + u32::from(operator.precedence());
                (Binary::Value(operator), strength)
            }
            _ => return None,
        };
        Some(Infix {
            operator,
            strength,
            groups_to_the_right: operator == Binary::Implies || operator.is_temporal(),
        })
    }

    fn operand(&mut self) -> Parsed<Expression> {
        self.unary()
    }

    fn join(operator: Binary, left: Expression, right: Expression) -> Expression {
        Expression {
            span: Span::new(left.span.start, right.span.end),
            kind: ExpressionKind::Binary(operator, Box::new(left), Box::new(right)),
        }
    }
}

impl Parser<'_, '_> {
    fn unary(&mut self) -> Parsed<Expression> {
        let start = self.span();
        let operator = match self.peek() {
            Kind::Sign("!") => Unary::Value(UnaryOperator::Not),
            Kind::Sign("-") => Unary::Value(UnaryOperator::Minus),
            Kind::Sign("~") => Unary::Value(UnaryOperator::Complement),
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
            span: Span::new(start.start, operand.span.end),
            kind: ExpressionKind::Unary(operator, Box::new(operand)),
        })
    }

    fn primary(&mut self) -> Parsed<Expression> {
        let span = self.span();
        let simple = |kind| Expression { kind, span };
        match self.peek() {
            Kind::Number(text) => {
                self.advance();
                match text.parse() {
                    Ok(value) => Ok(simple(ExpressionKind::Number(value))),
                    Err(_) => {
                        let message = "a number must be decimal and fit into 32 bits";
                        self.error(codes::MALFORMED_NUMBER, span, message);
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
                    span: self.since(span),
                    kind: ExpressionKind::Length(Box::new(port)),
                })
            }
            Kind::Sign("(") => {
                self.advance();
                let inner = self.deeper(Self::expression)?;
                self.expect(")")?;
                Ok(Expression {
                    span: self.since(span),
                    ..inner
                })
            }
            _ => self.reference(),
        }
    }

    /// `x`, `x[i]`, `node[i].x`, `node[i] at Done`.
    fn reference(&mut self) -> Parsed<Expression> {
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
}
