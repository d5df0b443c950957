//! Operators on values, as expressions of every notation have them.

use mazurka_model::{Expression, ExpressionId};

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

impl BinaryOperator {
    /// All of them.
    pub const ALL: [BinaryOperator; 18] = {
        use BinaryOperator::*;
        [
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
        ]
    };

    /// As C and Promela write it.
    pub fn text(self) -> &'static str {
        self.text_and_precedence().0
    }

    /// How tightly it binds; larger is tighter. Level 3 is left to the temporal operators of Promela, as is what is below 1.
    pub fn precedence(self) -> u8 {
        self.text_and_precedence().1
    }

    /// The operator that is written so.
    pub fn from_text(text: &str) -> Option<BinaryOperator> {
        let mut all = BinaryOperator::ALL.into_iter();
        all.find(|operator| operator.text() == text)
    }

    fn text_and_precedence(self) -> (&'static str, u8) {
        match self {
            BinaryOperator::Or => ("||", 1),
            BinaryOperator::And => ("&&", 2),
            BinaryOperator::BitOr => ("|", 4),
            BinaryOperator::BitXor => ("^", 5),
            BinaryOperator::BitAnd => ("&", 6),
            BinaryOperator::Equal => ("==", 7),
            BinaryOperator::NotEqual => ("!=", 7),
            BinaryOperator::Less => ("<", 8),
            BinaryOperator::LessEqual => ("<=", 8),
            BinaryOperator::Greater => (">", 8),
            BinaryOperator::GreaterEqual => (">=", 8),
            BinaryOperator::ShiftLeft => ("<<", 9),
            BinaryOperator::ShiftRight => (">>", 9),
            BinaryOperator::Add => ("+", 10),
            BinaryOperator::Subtract => ("-", 10),
            BinaryOperator::Multiply => ("*", 11),
            BinaryOperator::Divide => ("/", 11),
            BinaryOperator::Remainder => ("%", 11),
        }
    }

    /// Is its value true or false, and never another number?
    pub fn gives_truth(self) -> bool {
        matches!(self.precedence(), 1 | 2 | 7 | 8)
    }

    /// The same operator of the program form, which has `&&` and `||` as expressions of their own: they do not evaluate
    /// their right side when the left one decides.
    pub fn of_program(self) -> Option<mazurka_model::BinaryOperator> {
        use mazurka_model::BinaryOperator as Target;
        Some(match self {
            BinaryOperator::Or | BinaryOperator::And => return None,
            BinaryOperator::BitOr => Target::BitOr,
            BinaryOperator::BitXor => Target::BitXor,
            BinaryOperator::BitAnd => Target::BitAnd,
            BinaryOperator::Equal => Target::Equal,
            BinaryOperator::NotEqual => Target::NotEqual,
            BinaryOperator::Less => Target::Less,
            BinaryOperator::LessEqual => Target::LessEqual,
            BinaryOperator::Greater => Target::Greater,
            BinaryOperator::GreaterEqual => Target::GreaterEqual,
            BinaryOperator::ShiftLeft => Target::ShiftLeft,
            BinaryOperator::ShiftRight => Target::ShiftRight,
            BinaryOperator::Add => Target::Add,
            BinaryOperator::Subtract => Target::Subtract,
            BinaryOperator::Multiply => Target::Multiply,
            BinaryOperator::Divide => Target::Divide,
            BinaryOperator::Remainder => Target::Remainder,
        })
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
        for operator in BinaryOperator::ALL {
            assert_eq!(BinaryOperator::from_text(operator.text()), Some(operator));
            let same = operator
                .of_program()
                .is_none_or(|same| same.symbol() == operator.text());
            assert!(same, "{operator:?}");
        }
        assert_eq!(BinaryOperator::from_text("->"), None);
        assert_eq!(BinaryOperator::Divide.apply(1, 0), None);
        assert_eq!(BinaryOperator::Or.apply(0, 7), Some(1));
    }
}
