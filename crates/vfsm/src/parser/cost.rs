//! The cost of a state in a guided search: numbers over what can be said of machines and queues.

use crate::ast::{Arithmetic, Cost};
use crate::token::TokenKind;

use super::{DEEPEST, Parsed, Parser, Reported};

/// The operators, those that bind weakest first.
const LEVELS: [&[(&str, Arithmetic)]; 4] = [
    &[("|", Arithmetic::Or), ("||", Arithmetic::Or)],
    &[("&", Arithmetic::And), ("&&", Arithmetic::And)],
    &[("+", Arithmetic::Add), ("-", Arithmetic::Subtract)],
    &[("*", Arithmetic::Multiply)],
];

impl Parser<'_> {
    /// A cost and nothing behind it.
    pub(super) fn whole_cost(&mut self) -> Parsed<Cost> {
        let cost = self.cost(0)?;
        match self.kind() {
            TokenKind::End => Ok(cost),
            _ => Err(self.unexpected("an operator or the end")),
        }
    }

    fn cost(&mut self, level: usize) -> Parsed<Cost> {
        let Some(operators) = LEVELS.get(level) else {
            return self.cost_factor();
        };
        let mut left = self.cost(level + 1)?;
        let mut length = 0;
        while let Some((_, operator)) = operators.iter().find(|(mark, _)| self.is(mark)) {
            // A chain is a tree as deep as it is long.
            length += 1;
            if length > DEEPEST {
                return Err(self.too_deep());
            }
            self.advance();
            let right = self.cost(level + 1)?;
            left = Cost::Binary(*operator, Box::new(left), Box::new(right));
        }
        Ok(left)
    }

    fn cost_factor(&mut self) -> Parsed<Cost> {
        if self.accept("-") {
            let inner = self.deeper(Self::cost_factor)?;
            let zero = Box::new(Cost::Number(0));
            return Ok(Cost::Binary(Arithmetic::Subtract, zero, Box::new(inner)));
        }
        if self.accept("!") {
            let inner = self.deeper(Self::cost_factor)?;
            return Ok(Cost::Not(Box::new(inner)));
        }
        if self.accept("(") {
            let inner = self.deeper(|parser| parser.cost(0))?;
            self.expect(")")?;
            return Ok(inner);
        }
        if let TokenKind::Number(number) = *self.kind() {
            let Ok(number) = i32::try_from(number) else {
                return Err(self.unexpected("a number below 2147483648"));
            };
            self.advance();
            return Ok(Cost::Number(number));
        }
        if self.word() == Some("len") && self.is_second("(") {
            self.advance();
            self.advance();
            let process = self.name("a process")?;
            self.expect(".")?;
            let queue = self.name("`high` or `low`")?;
            self.expect(")")?;
            return Ok(Cost::Length(process, queue));
        }
        let machine = self.name("a machine, a number, `len`, `!`, `-` or `(`")?;
        self.expect(".")?;
        let what = self.name("a state, a virtual input or a timer")?;
        Ok(Cost::Atom(machine, what))
    }

    fn too_deep(&mut self) -> Reported {
        let message = format!("more than {DEEPEST} operators in a row");
        let code = crate::codes::TOO_DEEP;
        let diagnostic = mazurka_span::Diagnostic::error(code, self.span(), message);
        self.diagnostics.push(diagnostic);
        Reported
    }
}
