//! Formulas of temporal logic, by precedence climbing.

use mazurka_ltl::{Formula, MOST_ATOMS};
use mazurka_span::Diagnostic;

use crate::ast::{self, Name};
use crate::codes;
use crate::token::TokenKind;

use super::{DEEPEST, Parsed, Parser, Reported};

/// One atom is left for the question whether the network has started.
const MOST_NAMED: usize = MOST_ATOMS - 1;

/// The conditions of a formula, in the order in which they are met.
type Atoms = Vec<(Name, Name)>;

/// What an operator makes of two formulas.
type Join = fn(Box<Formula>, Box<Formula>) -> Formula;

impl Parser<'_> {
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
    pub(super) fn whole_formula(&mut self) -> Parsed<ast::Formula> {
        let name = Name {
            text: "formula".into(),
            span: self.span(),
        };
        let formula = self.named_formula(name)?;
        match self.kind() {
            TokenKind::End => Ok(formula),
            _ => Err(self.unexpected("an operator or the end")),
        }
    }

    fn named_formula(&mut self, name: Name) -> Parsed<ast::Formula> {
        let start = self.span();
        let mut atoms = Atoms::new();
        let formula = self.climb(0, &mut atoms)?;
        let span = self.since(start);
        if atoms.len() > MOST_NAMED {
            let message = format!("a formula with more than {MOST_NAMED} different conditions");
            let diagnostic = Diagnostic::error(codes::TOO_MANY, span, message);
            self.diagnostics.push(diagnostic);
            return Err(Reported);
        }
        Ok(ast::Formula {
            name,
            formula,
            atoms,
            span,
        })
    }

    fn climb(&mut self, least: u32, atoms: &mut Atoms) -> Parsed<Formula> {
        let mut left = self.unary(atoms)?;
        let mut operators = 0;
        while let Some((join, strength, to_the_right)) = self.operator() {
            if strength < least {
                break;
            }
            // A chain is a tree as deep as it is long.
            operators += 1;
            if operators > DEEPEST {
                let message = format!("a formula of more than {DEEPEST} operators in a row");
                let diagnostic = Diagnostic::error(codes::TOO_DEEP, self.span(), message);
                self.diagnostics.push(diagnostic);
                return Err(Reported);
            }
            self.advance();
            let least = strength + u32::from(!to_the_right);
            let right = self.deeper(|parser| parser.climb(least, atoms))?;
            left = join(left.into(), right.into());
        }
        Ok(left)
    }

    /// The operator that comes next, how tightly it binds, and whether it groups to the right.
    fn operator(&self) -> Option<(Join, u32, bool)> {
        Some(match self.kind() {
            TokenKind::Mark("<->") => (Formula::Equivalent, 1, false),
            TokenKind::Mark("->") => (Formula::Implies, 2, true),
            TokenKind::Mark("|" | "||") => (Formula::Or, 4, false),
            TokenKind::Mark("&" | "&&") => (Formula::And, 5, false),
            TokenKind::Word(word) => match &**word {
                "equivalent" => (Formula::Equivalent, 1, false),
                "implies" => (Formula::Implies, 2, true),
                "U" | "until" => (Formula::Until, 3, true),
                "W" | "weakuntil" => (Formula::WeakUntil, 3, true),
                "R" | "V" | "release" => (Formula::Release, 3, true),
                _ => return None,
            },
            _ => return None,
        })
    }

    fn unary(&mut self, atoms: &mut Atoms) -> Parsed<Formula> {
        if self.accept("(") {
            let inner = self.deeper(|parser| parser.climb(0, atoms))?;
            self.expect(")")?;
            return Ok(inner);
        }
        let operator: fn(Box<Formula>) -> Formula = match self.kind() {
            TokenKind::Mark("!") => Formula::Not,
            TokenKind::Mark("[]") => Formula::Always,
            TokenKind::Mark("<>") => Formula::Eventually,
            // A machine may be called so too.
            TokenKind::Word(word) if !self.is_second(".") => match &**word {
                "always" | "G" => Formula::Always,
                "eventually" | "F" => Formula::Eventually,
                "next" | "X" => Formula::Next,
                "true" | "false" => {
                    let value = &**word == "true";
                    self.advance();
                    return Ok(Formula::Constant(value));
                }
                _ => return self.atom(atoms),
            },
            _ => return self.atom(atoms),
        };
        self.advance();
        let operand = self.deeper(|parser| parser.unary(atoms))?;
        Ok(operator(operand.into()))
    }

    /// `m.S_X` or `m.I_X`; the same condition is the same atom.
    fn atom(&mut self, atoms: &mut Atoms) -> Parsed<Formula> {
        let machine = self.name("a machine, a temporal operator, `!` or `(`")?;
        self.expect(".")?;
        let what = self.name("a state or a virtual input")?;
        let known = atoms
            .iter()
            .position(|(m, w)| m.text == machine.text && w.text == what.text);
        let number = known.unwrap_or_else(|| {
            atoms.push((machine, what));
            atoms.len() - 1
        });
        // Too many are reported when all of it is read.
        Ok(Formula::Atom(number.min(MOST_NAMED - 1) as u32))
    }
}
