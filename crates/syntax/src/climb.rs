//! Expressions by the strength of their operators ("precedence climbing").

use crate::{Parse, Parsed};

/// An operator between two operands, and how tightly it binds: larger is tighter.
#[derive(Clone, Copy, Debug)]
pub struct Infix<O> {
    /// The operator.
    pub operator: O,
    /// How tightly it binds.
    pub strength: u32,
    /// `a * b * c` is `a * (b * c)`.
    pub groups_to_the_right: bool,
}

/// A chain of operators is a tree as deep as it is long.
const MOST_OPERATORS: u32 = 200;

/// A parser that reads expressions of one kind. It may read several kinds, each with operators of its own.
pub trait Climb<'t, 'd, Tree>: Parse<'t, 'd> {
    /// What is between operands.
    type Operator;

    /// The operator that comes next, which is one token.
    fn infix(&self) -> Option<Infix<Self::Operator>>;

    /// Reads what is between operators.
    fn operand(&mut self) -> Parsed<Tree>;

    /// An operator with its operands.
    fn join(operator: Self::Operator, left: Tree, right: Tree) -> Tree;

    /// Reads an expression of operators that bind at least so tightly.
    fn climb(&mut self, least: u32) -> Parsed<Tree> {
        let mut left = self.operand()?;
        let mut operators = 0;
        while let Some(infix) = self.infix().filter(|infix| infix.strength >= least) {
            operators += 1;
            if operators > MOST_OPERATORS {
                let message = format!("more than {MOST_OPERATORS} operators in a row");
                let (code, span) = (Self::CODES.too_deep, self.span());
                return Err(self.error(code, span, message));
            }
            self.advance();
            let least = infix.strength + u32::from(!infix.groups_to_the_right);
            let right = self.deeper(|parser| parser.climb(least))?;
            left = Self::join(infix.operator, left, right);
        }
        Ok(left)
    }
}
