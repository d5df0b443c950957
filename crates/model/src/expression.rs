//! Expressions: pure functions of a state and of the process that asks.
//!
//! Nodes live in one table of the program and name their children by number, so that an
//! expression is small, can be shared, printed and compiled.

use crate::program::{ExpressionId, PlaceId, ProcessTypeId, ReceiveId};

/// One node of an expression.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Expression {
    /// A literal.
    Constant(i32),
    /// The value of a variable.
    Load(PlaceId),
    /// An operator with one operand.
    Unary(UnaryOperator, ExpressionId),
    /// An operator with two operands, both evaluated.
    Binary(BinaryOperator, ExpressionId, ExpressionId),
    /// The right side is evaluated only if the left is true.
    And(ExpressionId, ExpressionId),
    /// The right side is evaluated only if the left is false.
    Or(ExpressionId, ExpressionId),
    /// Condition, value if true, value if false.
    Conditional(ExpressionId, ExpressionId, ExpressionId),
    /// A question about the channel that the operand names.
    Channel(ChannelTest, ExpressionId),
    /// Would this receive be possible, without waiting for a partner?
    CanReceive(ReceiveId),
    /// The number of the process that asks.
    SelfProcess,
    /// How many processes there are.
    ProcessCount,
    /// The process that made the last step.
    LastProcess,
    /// Is the asking process the youngest one?
    Youngest,
    /// True when nothing else in the system can move.
    Timeout,
    /// True when no process is at a location marked as progress.
    NoProgress,
    /// Could the named process make a step now?
    Enabled(ExpressionId),
    /// The number of the location of the named process.
    LocationOf(ExpressionId),
    /// The priority of the named process.
    PriorityOf(ExpressionId),
    /// Is the process of that type at the location with that number?
    At {
        /// The type that the process must have.
        process_type: ProcessTypeId,
        /// Which process; the oldest of its type if absent.
        process: Option<ExpressionId>,
        /// The number of the location.
        number: u32,
    },
    /// Is the named process at a location with this mark?
    Marked {
        /// Which process.
        process: ExpressionId,
        /// The number of the mark, below 64.
        mark: u32,
    },
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnaryOperator {
    /// Logical negation.
    Not,
    /// Arithmetic negation.
    Negate,
    /// Complement of all bits.
    Complement,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BinaryOperator {
    /// Sum, wrapping.
    Add,
    /// Difference, wrapping.
    Subtract,
    /// Product, wrapping.
    Multiply,
    /// Quotient, towards zero.
    Divide,
    /// Sum; one beyond 32 bits is a fault.
    AddExactly,
    /// Difference; one beyond 32 bits is a fault.
    SubtractExactly,
    /// Product; one beyond 32 bits is a fault.
    MultiplyExactly,
    /// Quotient, towards zero; one beyond 32 bits is a fault.
    DivideExactly,
    /// Remainder, with the sign of the dividend.
    Remainder,
    /// Bitwise and.
    BitAnd,
    /// Bitwise or.
    BitOr,
    /// Bitwise exclusive or.
    BitXor,
    /// Shift to the left.
    ShiftLeft,
    /// Arithmetic shift to the right.
    ShiftRight,
    /// Equality.
    Equal,
    /// Inequality.
    NotEqual,
    /// Less.
    Less,
    /// Less or equal.
    LessEqual,
    /// Greater.
    Greater,
    /// Greater or equal.
    GreaterEqual,
}

impl UnaryOperator {
    /// What it makes of a value.
    #[inline(always)]
    pub fn apply(self, value: i32) -> i32 {
        match self {
            UnaryOperator::Not => i32::from(value == 0),
            UnaryOperator::Negate => value.wrapping_neg(),
            UnaryOperator::Complement => !value,
        }
    }
}

impl BinaryOperator {
    /// What it makes of two values; nothing if that is a division by zero or, where it has to be exact, beyond 32 bits.
    #[inline(always)]
    pub fn apply(self, left: i32, right: i32) -> Option<i32> {
        Some(match self {
            BinaryOperator::Add => left.wrapping_add(right),
            BinaryOperator::Subtract => left.wrapping_sub(right),
            BinaryOperator::Multiply => left.wrapping_mul(right),
            BinaryOperator::AddExactly => return left.checked_add(right),
            BinaryOperator::SubtractExactly => return left.checked_sub(right),
            BinaryOperator::MultiplyExactly => return left.checked_mul(right),
            BinaryOperator::DivideExactly => return left.checked_div(right),
            BinaryOperator::Divide | BinaryOperator::Remainder if right == 0 => return None,
            BinaryOperator::Divide => left.wrapping_div(right),
            BinaryOperator::Remainder => left.wrapping_rem(right),
            BinaryOperator::BitAnd => left & right,
            BinaryOperator::BitOr => left | right,
            BinaryOperator::BitXor => left ^ right,
            BinaryOperator::ShiftLeft => left.wrapping_shl(right as u32),
            BinaryOperator::ShiftRight => left.wrapping_shr(right as u32),
            BinaryOperator::Equal => i32::from(left == right),
            BinaryOperator::NotEqual => i32::from(left != right),
            BinaryOperator::Less => i32::from(left < right),
            BinaryOperator::LessEqual => i32::from(left <= right),
            BinaryOperator::Greater => i32::from(left > right),
            BinaryOperator::GreaterEqual => i32::from(left >= right),
        })
    }

    /// The one whose results must fit 32 bits, if it makes numbers that may not.
    pub fn exactly(self) -> BinaryOperator {
        match self {
            BinaryOperator::Add => BinaryOperator::AddExactly,
            BinaryOperator::Subtract => BinaryOperator::SubtractExactly,
            BinaryOperator::Multiply => BinaryOperator::MultiplyExactly,
            BinaryOperator::Divide => BinaryOperator::DivideExactly,
            other => other,
        }
    }

    /// The one that wraps, which has the same results where both have one.
    pub fn wrapping(self) -> BinaryOperator {
        match self {
            BinaryOperator::AddExactly => BinaryOperator::Add,
            BinaryOperator::SubtractExactly => BinaryOperator::Subtract,
            BinaryOperator::MultiplyExactly => BinaryOperator::Multiply,
            BinaryOperator::DivideExactly => BinaryOperator::Divide,
            other => other,
        }
    }

    /// How it is written.
    pub fn symbol(self) -> &'static str {
        match self {
            BinaryOperator::Add => "+",
            BinaryOperator::Subtract => "-",
            BinaryOperator::Multiply => "*",
            BinaryOperator::Divide => "/",
            BinaryOperator::AddExactly => "+!",
            BinaryOperator::SubtractExactly => "-!",
            BinaryOperator::MultiplyExactly => "*!",
            BinaryOperator::DivideExactly => "/!",
            BinaryOperator::Remainder => "%",
            BinaryOperator::BitAnd => "&",
            BinaryOperator::BitOr => "|",
            BinaryOperator::BitXor => "^",
            BinaryOperator::ShiftLeft => "<<",
            BinaryOperator::ShiftRight => ">>",
            BinaryOperator::Equal => "==",
            BinaryOperator::NotEqual => "!=",
            BinaryOperator::Less => "<",
            BinaryOperator::LessEqual => "<=",
            BinaryOperator::Greater => ">",
            BinaryOperator::GreaterEqual => ">=",
        }
    }
}

/// Questions about a channel. They are different operations for the dependency relation, which
/// is why `empty(q)` is not written `len(q) == 0`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChannelTest {
    /// The number of messages.
    Length,
    /// No message.
    Empty,
    /// At least one message.
    NotEmpty,
    /// No room.
    Full,
    /// Room for one more; what a send waits for.
    NotFull,
}

impl ChannelTest {
    /// How it is written.
    pub fn name(self) -> &'static str {
        match self {
            ChannelTest::Length => "len",
            ChannelTest::Empty => "empty",
            ChannelTest::NotEmpty => "nempty",
            ChannelTest::Full => "full",
            ChannelTest::NotFull => "nfull",
        }
    }
}
