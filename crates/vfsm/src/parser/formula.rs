//! Formulas of temporal logic, by precedence climbing.

use mazurka_ltl::{Formula, MOST_ATOMS};
use mazurka_syntax::{Climb, Infix, Kind, Parse, Parsed};

use crate::ast::{self, Name};
use crate::codes;

use super::Parser;

/// One atom is left for the question whether the network has started.
const MOST_NAMED: usize = MOST_ATOMS - 1;

/// What an operator makes of two formulas.
type Join = fn(Box<Formula>, Box<Formula>) -> Formula;

impl Parser<'_, '_> {
    /// `ltl NAME: formula;`
    pub(super) fn formula(&mut self) -> Parsed<ast::Formula> {
        self.expect_word("ltl")?;
        let name = self.name("the name of a formula")?;
        self.expect(":")?;
        let formula = self.named_formula(name)?;
        self.expect(";")?;
        Ok(formula)
    }

    /// A formula that is given besides the model.
    pub(super) fn unnamed_formula(&mut self) -> Parsed<ast::Formula> {
        let name = Name {
            text: "formula".into(),
            span: self.span(),
        };
        self.named_formula(name)
    }

    fn named_formula(&mut self, name: Name) -> Parsed<ast::Formula> {
        let start = self.span();
        self.atoms.clear();
        let formula = self.climb(0)?;
        let atoms = std::mem::take(&mut self.atoms);
        let span = self.since(start);
        if atoms.len() > MOST_NAMED {
            let message = format!("a formula with more than {MOST_NAMED} different conditions");
            return Err(self.error(codes::TOO_MANY, span, message));
        }
        Ok(ast::Formula {
            name,
            formula,
            atoms,
            span,
        })
    }

    fn unary(&mut self) -> Parsed<Formula> {
        if self.eat("(") {
            let inner = self.deeper(|parser| parser.climb(0))?;
            self.expect(")")?;
            return Ok(inner);
        }
        let operator: fn(Box<Formula>) -> Formula = match self.peek() {
            Kind::Sign("!") => Formula::Not,
            Kind::Sign("[]") => Formula::Always,
            Kind::Sign("<>") => Formula::Eventually,
            // A machine may be called so too.
            Kind::Word(word) if self.peek_after() != Kind::Sign(".") => match word {
                "always" | "G" => Formula::Always,
                "eventually" | "F" => Formula::Eventually,
                "next" | "X" => Formula::Next,
                "true" | "false" => {
                    let value = word == "true";
                    self.advance();
                    return Ok(Formula::Constant(value));
                }
                _ => return self.atom(),
            },
            _ => return self.atom(),
        };
        self.advance();
        let operand = self.deeper(Self::unary)?;
        Ok(operator(operand.into()))
    }

    /// `m.S_X` or `m.I_X`; the same condition is the same atom.
    fn atom(&mut self) -> Parsed<Formula> {
        let machine = self.name("a machine, a temporal operator, `!` or `(`")?;
        self.expect(".")?;
        let what = self.name("a state or a virtual input")?;
        let known = self
            .atoms
            .iter()
            .position(|(m, w)| m.text == machine.text && w.text == what.text);
        let number = known.unwrap_or_else(|| {
            self.atoms.push((machine, what));
            self.atoms.len() - 1
        });
        // Too many are reported when all of it is read.
        Ok(Formula::Atom(number.min(MOST_NAMED - 1) as u32))
    }
}

impl<'t, 'd> Climb<'t, 'd, Formula> for Parser<'t, 'd> {
    type Operator = Join;

    fn infix(&self) -> Option<Infix<Join>> {
        let (operator, strength, groups_to_the_right): (Join, u32, bool) = match self.peek() {
            Kind::Sign("<->") | Kind::Word("equivalent") => (Formula::Equivalent, 1, false),
            Kind::Sign("->") | Kind::Word("implies") => (Formula::Implies, 2, true),
            Kind::Word("U" | "until") => (Formula::Until, 3, true),
            Kind::Word("W" | "weakuntil") => (Formula::WeakUntil, 3, true),
            Kind::Word("R" | "V" | "release") => (Formula::Release, 3, true),
            Kind::Sign("|" | "||") => (Formula::Or, 4, false),
            Kind::Sign("&" | "&&") => (Formula::And, 5, false),
            _ => return None,
        };
        Some(Infix {
            operator,
            strength,
            groups_to_the_right,
        })
    }

    fn operand(&mut self) -> Parsed<Formula> {
        self.unary()
    }

    fn join(operator: Join, left: Formula, right: Formula) -> Formula {
        operator(left.into(), right.into())
    }
}
