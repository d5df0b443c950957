//! Invariants: conditions on a global state.

use mazurka_syntax::{Parse, Parsed};

use crate::ast::{Claim, Invariant};

use super::Parser;

impl Parser<'_, '_> {
    /// `invariant NAME: claim;`
    pub(super) fn invariant(&mut self) -> Parsed<Invariant> {
        self.expect_word("invariant")?;
        let name = self.name("the name of an invariant")?;
        self.expect(":")?;
        let start = self.span();
        let claim = self.claim()?;
        let span = self.since(start);
        self.expect(";")?;
        Ok(Invariant { name, claim, span })
    }

    /// `->` binds weakest and to the right, then `|`, `&`, `!`.
    pub(super) fn claim(&mut self) -> Parsed<Claim> {
        let left = self.disjunction()?;
        if self.eat("->") {
            let right = self.deeper(Self::claim)?;
            let not_left = Claim::Not(Box::new(left));
            return Ok(Claim::Or(vec![not_left, right]));
        }
        Ok(left)
    }

    fn disjunction(&mut self) -> Parsed<Claim> {
        self.chain(&["|", "||"], Self::claim_conjunction, Claim::Or)
    }

    fn claim_conjunction(&mut self) -> Parsed<Claim> {
        self.chain(&["&", "&&"], Self::claim_literal, Claim::And)
    }

    fn claim_literal(&mut self) -> Parsed<Claim> {
        if self.eat("!") {
            let inner = self.deeper(Self::claim_literal)?;
            return Ok(Claim::Not(Box::new(inner)));
        }
        if self.eat("(") {
            let inner = self.deeper(Self::claim)?;
            self.expect(")")?;
            return Ok(inner);
        }
        for (word, value) in [("true", true), ("false", false)] {
            if self.eat_word(word) {
                return Ok(Claim::Always(value));
            }
        }
        let machine = self.name("a machine, `!` or `(`")?;
        self.expect(".")?;
        let what = self.name("a state or a virtual input")?;
        Ok(Claim::Atom(machine, what))
    }
}
