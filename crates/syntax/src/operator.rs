//! Operators on values, as expressions of every notation have them.

use mazurka_model::{BinaryOperator as Target, Expression, ExpressionId};

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOperator {
    /// `!`
    Not,
    /// `-`
    Minus,
    /// `~`
    Complement,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum BinaryOperator {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    ShiftLeft,
    ShiftRight,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl UnaryOperator {
    /// As C and Promela write it.
    pub fn text(self) -> &'static str {
        match self {
            UnaryOperator::Not => "!",
            UnaryOperator::Minus => "-",
            UnaryOperator::Complement => "~",
        }
    }

    /// The same operator of the program form.
    pub fn of_program(self) -> mazurka_model::UnaryOperator {
        match self {
            UnaryOperator::Not => mazurka_model::UnaryOperator::Not,
            UnaryOperator::Minus => mazurka_model::UnaryOperator::Negate,
            UnaryOperator::Complement => mazurka_model::UnaryOperator::Complement,
        }
    }

    /// What it makes of a constant.
    pub fn apply(self, value: i32) -> i32 {
        self.of_program().apply(value)
    }
}

/// How each operator is written, how tightly it binds, and what it is in the program form; in the order of the enumeration.
const TABLE: [(BinaryOperator, &str, u8, Option<Target>); 18] = [
    (BinaryOperator::Or, "||", 1, None),
    (BinaryOperator::And, "&&", 2, None),
    (BinaryOperator::BitOr, "|", 4, Some(Target::BitOr)),
    (BinaryOperator::BitXor, "^", 5, Some(Target::BitXor)),
    (BinaryOperator::BitAnd, "&", 6, Some(Target::BitAnd)),
    (BinaryOperator::Equal, "==", 7, Some(Target::Equal)),
    (BinaryOperator::NotEqual, "!=", 7, Some(Target::NotEqual)),
    (BinaryOperator::Less, "<", 8, Some(Target::Less)),
    (BinaryOperator::LessEqual, "<=", 8, Some(Target::LessEqual)),
    (BinaryOperator::Greater, ">", 8, Some(Target::Greater)),
    (
        BinaryOperator::GreaterEqual,
        ">=",
        8,
        Some(Target::GreaterEqual),
    ),
    (BinaryOperator::ShiftLeft, "<<", 9, Some(Target::ShiftLeft)),
    (
        BinaryOperator::ShiftRight,
        ">>",
        9,
        Some(Target::ShiftRight),
    ),
    (BinaryOperator::Add, "+", 10, Some(Target::Add)),
    (BinaryOperator::Subtract, "-", 10, Some(Target::Subtract)),
    (BinaryOperator::Multiply, "*", 11, Some(Target::Multiply)),
    (BinaryOperator::Divide, "/", 11, Some(Target::Divide)),
    (BinaryOperator::Remainder, "%", 11, Some(Target::Remainder)),
];

impl BinaryOperator {
    /// As C and Promela write it.
    pub fn text(self) -> &'static str {
        TABLE[self as usize].1
    }

    /// How tightly it binds; larger is tighter. Level 3 is left to the temporal operators of Promela, as is what is below 1.
    pub fn precedence(self) -> u8 {
        TABLE[self as usize].2
    }

    /// The operator that is written so.
    pub fn from_text(text: &str) -> Option<BinaryOperator> {
        let found = TABLE.iter().find(|(_, known, ..)| *known == text);
        found.map(|(operator, ..)| *operator)
    }

    /// Is its value true or false, and never another number?
    pub fn gives_truth(self) -> bool {
        matches!(self.precedence(), 1 | 2 | 7 | 8)
    }

    /// The same operator of the program form, which has `&&` and `||` as expressions of their own: they do not evaluate
    /// their right side when the left one decides.
    pub fn of_program(self) -> Option<Target> {
        TABLE[self as usize].3
    }

    /// The operator with its operands in the program form.
    pub fn expression(self, left: ExpressionId, right: ExpressionId) -> Expression {
        match self.of_program() {
            Some(operator) => Expression::Binary(operator, left, right),
            None if self == BinaryOperator::And => Expression::And(left, right),
            None => Expression::Or(left, right),
        }
    }

    /// What it makes of two constants; nothing if that is a division by zero.
    pub fn apply(self, left: i32, right: i32) -> Option<i32> {
        match self.of_program() {
            Some(operator) => operator.apply(left, right),
            None if self == BinaryOperator::And => Some(i32::from(left != 0 && right != 0)),
            None => Some(i32::from(left != 0 || right != 0)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operator_is_found_by_its_text() {
        for (number, (operator, text, _, program)) in TABLE.into_iter().enumerate() {
            assert_eq!(operator as usize, number);
            assert_eq!(BinaryOperator::from_text(text), Some(operator));
            assert!(program.is_none_or(|same| same.symbol() == text), "{text}");
        }
        assert_eq!(BinaryOperator::from_text("->"), None);
        assert_eq!(BinaryOperator::Divide.apply(1, 0), None);
        assert_eq!(BinaryOperator::Or.apply(0, 7), Some(1));
    }
}
