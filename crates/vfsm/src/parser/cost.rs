//! The cost of a state in a guided search: numbers over what can be said of machines and queues.

use mazurka_syntax::{Climb, Infix, Kind, Parse, Parsed};

use crate::ast::{Arithmetic, Cost};

use super::Parser;

impl<'t, 'd> Climb<'t, 'd, Cost> for Parser<'t, 'd> {
    type Operator = Arithmetic;

    fn infix(&self) -> Option<Infix<Arithmetic>> {
        let (operator, strength) = match self.peek() {
            Kind::Sign("|" | "||") => (Arithmetic::Or, 1),
            Kind::Sign("&" | "&&") => (Arithmetic::And, 2),
            Kind::Sign("+") => (Arithmetic::Add, 3),
            Kind::Sign("-") => (Arithmetic::Subtract, 3),
            Kind::Sign("*") => (Arithmetic::Multiply, 4),
            _ => return None,
        };
        Some(Infix {
            operator,
            strength,
            groups_to_the_right: false,
        })
    }

    fn operand(&mut self) -> Parsed<Cost> {
        self.cost_factor()
    }

    fn join(operator: Arithmetic, left: Cost, right: Cost) -> Cost {
        Cost::Binary(operator, Box::new(left), Box::new(right))
    }
}

impl Parser<'_, '_> {
    pub(super) fn cost(&mut self) -> Parsed<Cost> {
        self.climb(0)
    }

    fn cost_factor(&mut self) -> Parsed<Cost> {
        if self.eat("-") {
            let inner = self.deeper(Self::cost_factor)?;
            let zero = Box::new(Cost::Number(0));
            return Ok(Cost::Binary(Arithmetic::Subtract, zero, Box::new(inner)));
        }
        if self.eat("!") {
            let inner = self.deeper(Self::cost_factor)?;
            return Ok(Cost::Not(Box::new(inner)));
        }
        if self.eat("(") {
            let inner = self.deeper(Self::cost)?;
            self.expect(")")?;
            return Ok(inner);
        }
        if let Kind::Number(text) = self.peek() {
            let Ok(number) = text.parse() else {
                return Err(self.unexpected("a number below 2147483648"));
            };
            self.advance();
            return Ok(Cost::Number(number));
        }
        if self.word() == Some("len") && self.peek_after() == Kind::Sign("(") {
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
}
