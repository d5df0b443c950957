//! The constant expressions of `#if`, over 64-bit integers; a name that is no macro is 0.

use mazurka_span::Span;

use crate::token::{Interner, Punctuation, Token, TokenKind};

/// Brackets and signs may be nested this deep.
const DEPTH: u32 = 100;

pub(super) struct Problem {
    /// `None`: where the expression ends.
    pub span: Option<Span>,
    pub message: String,
}

pub(super) fn evaluate(tokens: &[Token], interner: &Interner) -> Result<i64, Problem> {
    let mut evaluator = Evaluator {
        tokens,
        position: 0,
        depth: 0,
        interner,
    };
    let value = evaluator.conditional()?;
    match evaluator.peek() {
        None => Ok(value),
        Some(_) => Err(evaluator.problem("the condition should end here")),
    }
}

struct Evaluator<'a> {
    tokens: &'a [Token],
    position: usize,
    depth: u32,
    interner: &'a Interner,
}

impl Evaluator<'_> {
    fn peek(&self) -> Option<Token> {
        self.tokens.get(self.position).copied()
    }

    fn take(&mut self, punctuation: Punctuation) -> bool {
        let found = self.peek().is_some_and(|token| token.is(punctuation));
        self.position += usize::from(found);
        found
    }

    fn problem(&self, message: &str) -> Problem {
        Problem {
            span: self.peek().map(|token| token.span),
            message: message.to_string(),
        }
    }

    fn conditional(&mut self) -> Result<i64, Problem> {
        self.depth += 1;
        if self.depth > DEPTH {
            return Err(self.problem("the condition is nested too deeply"));
        }
        let condition = self.binary(0)?;
        let mut value = condition;
        if self.take(Punctuation::Question) {
            let yes = self.conditional()?;
            if !self.take(Punctuation::Colon) {
                return Err(self.problem("expected `:`"));
            }
            let no = self.conditional()?;
            value = if condition != 0 { yes } else { no };
        }
        self.depth -= 1;
        Ok(value)
    }

    fn binary(&mut self, minimum: u8) -> Result<i64, Problem> {
        let mut left = self.unary()?;
        while let Some(token) = self.peek() {
            let TokenKind::Punctuation(operator) = token.kind else {
                break;
            };
            let Some(precedence) = precedence(operator).filter(|level| *level >= minimum) else {
                break;
            };
            self.position += 1;
            let right = self.binary(precedence + 1)?;
            left = apply(operator, left, right).ok_or_else(|| Problem {
                span: Some(token.span),
                message: "division by zero in a condition".to_string(),
            })?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<i64, Problem> {
        let mut signs = Vec::new();
        while let Some(Token {
            kind: TokenKind::Punctuation(sign),
            ..
        }) = self.peek()
        {
            use Punctuation::*;
            match sign {
                Bang | Minus | Plus | Tilde => signs.push(sign),
                DoubleBang => signs.extend([Bang, Bang]),
                _ => break,
            }
            self.position += 1;
        }
        let value = self.primary()?;
        Ok(signs
            .into_iter()
            .rev()
            .fold(value, |value, sign| match sign {
                Punctuation::Bang => i64::from(value == 0),
                Punctuation::Minus => value.wrapping_neg(),
                Punctuation::Tilde => !value,
                _ => value,
            }))
    }

    fn primary(&mut self) -> Result<i64, Problem> {
        if self.take(Punctuation::LeftParen) {
            let value = self.conditional()?;
            if !self.take(Punctuation::RightParen) {
                return Err(self.problem("expected `)`"));
            }
            return Ok(value);
        }
        let value = match self.peek().map(|token| token.kind) {
            Some(TokenKind::Number(symbol)) => number(self.interner.text(symbol))
                .ok_or_else(|| self.problem("this is not a number"))?,
            Some(TokenKind::Character(value)) => i64::from(value),
            Some(TokenKind::Ident(_)) => 0,
            _ => return Err(self.problem("expected a value")),
        };
        self.position += 1;
        Ok(value)
    }
}

fn number(text: &str) -> Option<i64> {
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let value = if let Some(hexadecimal) = digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        u64::from_str_radix(hexadecimal, 16)
    } else if digits.len() > 1 && digits.starts_with('0') {
        u64::from_str_radix(digits, 8)
    } else {
        digits.parse()
    };
    value.ok().map(|value| value as i64)
}

fn precedence(operator: Punctuation) -> Option<u8> {
    use Punctuation::*;
    Some(match operator {
        DoublePipe => 0,
        DoubleAmpersand => 1,
        Pipe => 2,
        Caret => 3,
        Ampersand => 4,
        Equal | NotEqual => 5,
        Less | LessEqual | Greater | GreaterEqual => 6,
        ShiftLeft | ShiftRight => 7,
        Plus | Minus => 8,
        Star | Slash | Percent => 9,
        _ => return None,
    })
}

/// `None` for a division by zero.
fn apply(operator: Punctuation, left: i64, right: i64) -> Option<i64> {
    use Punctuation::*;
    Some(match operator {
        DoublePipe => i64::from(left != 0 || right != 0),
        DoubleAmpersand => i64::from(left != 0 && right != 0),
        Pipe => left | right,
        Caret => left ^ right,
        Ampersand => left & right,
        Equal => i64::from(left == right),
        NotEqual => i64::from(left != right),
        Less => i64::from(left < right),
        LessEqual => i64::from(left <= right),
        Greater => i64::from(left > right),
        GreaterEqual => i64::from(left >= right),
        ShiftLeft => left.wrapping_shl(right as u32),
        ShiftRight => left.wrapping_shr(right as u32),
        Plus => left.wrapping_add(right),
        Minus => left.wrapping_sub(right),
        Star => left.wrapping_mul(right),
        Slash => left
            .checked_div(right)
            .or((right != 0).then_some(i64::MIN))?,
        Percent => left.checked_rem(right).or((right != 0).then_some(0))?,
        _ => 0,
    })
}
