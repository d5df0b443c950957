//! A cell of memory that real programs share: a number of some width with the operations that
//! processors have.
//!
//! Numbers wrap around in their width, so that additions commute, whatever they add. Whether the
//! order of two operations matters at the present value is found by performing both orders: that is
//! the definition, and cheaper than telling the cases apart.
//!
//! In an execution, reads commute, additions whose result nobody sees commute, and all else is
//! ordered. Where dependency looks at values, writes of the same value commute, since they do in
//! every state.

use super::{Call, Effect, Kind, Object, ObjectKind, Outlook, Role, Shared};
use crate::history::{Order, Past};
use crate::outcome::order_matters;

/// The kind.
pub struct Cell;

/// An operation on a cell. All but writes and silent additions tell the value before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Tell the value.
    Read,
    /// Replace the value.
    Write(i64),
    /// Add to the value.
    Add(i64),
    /// Add, and tell the value before.
    FetchAdd(i64),
    /// Replace, and tell the value before.
    Swap(i64),
    /// Replace the first by the second if that is the value.
    CompareExchange(i64, i64),
    /// Keep the bits that are in this one too.
    FetchAnd(i64),
    /// Keep the bits that are in this one too, and turn all.
    FetchNand(i64),
    /// Add the bits that are in this one.
    FetchOr(i64),
    /// Turn the bits that are in this one.
    FetchXor(i64),
    /// Replace, if this one is greater.
    FetchMax(i64),
    /// Replace, if this one is less.
    FetchMin(i64),
}

/// How many bits a cell has, and whether the first is a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Width {
    /// From 1 to 64.
    pub bits: u32,
    /// Whether values can be negative.
    pub is_signed: bool,
}

impl Width {
    /// A whole word with a sign.
    pub const WORD: Width = Width {
        bits: 64,
        is_signed: true,
    };

    /// The value of the cell that has these bits. Without a sign and with 64 bits, a number and its
    /// bits are taken for the same.
    #[inline]
    pub fn wrap(self, bits: i64) -> i64 {
        let unused = 64 - self.bits.clamp(1, 64);
        let high = bits << unused;
        if self.is_signed {
            high >> unused
        } else {
            ((high as u64) >> unused) as i64
        }
    }

    fn is_less(self, a: i64, b: i64) -> bool {
        if self.is_signed {
            a < b
        } else {
            (a as u64) < b as u64
        }
    }
}

/// Performs an operation on a value: what it tells, and the value after it.
#[inline]
pub fn apply(operation: Operation, width: Width, value: i64) -> (Option<i64>, i64) {
    use Operation::*;
    let after = match operation {
        Read => value,
        Write(written) | Swap(written) => written,
        Add(added) | FetchAdd(added) => value.wrapping_add(added),
        CompareExchange(expected, new) if width.wrap(expected) == value => new,
        CompareExchange(..) => value,
        FetchAnd(mask) => value & mask,
        FetchNand(mask) => !(value & mask),
        FetchOr(mask) => value | mask,
        FetchXor(mask) => value ^ mask,
        FetchMax(other) if width.is_less(value, width.wrap(other)) => other,
        FetchMin(other) if width.is_less(width.wrap(other), value) => other,
        FetchMax(_) | FetchMin(_) => value,
    };
    let told = match operation {
        Write(_) | Add(_) => None,
        _ => Some(value),
    };
    (told, width.wrap(after))
}

/// Whether the order of `a` and `b` matters at the present value.
#[inline]
pub fn dependent_in(a: Operation, b: Operation, width: Width, value: i64) -> bool {
    let perform = |operation, value| Some(apply(operation, width, value));
    order_matters(perform, a, b, value)
}

impl Shared for Cell {
    type Operation = Operation;
    type Value = i64;

    const KIND: ObjectKind = ObjectKind::VARIABLE;
    const BY_VALUE: bool = true;

    #[inline]
    fn operation(call: &Call, _object: &Object) -> Option<Operation> {
        use Operation::*;
        let argument = call.argument;
        Some(match call.kind {
            Kind::READ => Read,
            Kind::WRITE => Write(argument),
            Kind::ADD => Add(argument),
            Kind::FETCH_ADD => FetchAdd(argument),
            Kind::SWAP => Swap(argument),
            Kind::COMPARE_EXCHANGE => CompareExchange(argument, call.extra),
            Kind::FETCH_AND => FetchAnd(argument),
            Kind::FETCH_NAND => FetchNand(argument),
            Kind::FETCH_OR => FetchOr(argument),
            Kind::FETCH_XOR => FetchXor(argument),
            Kind::FETCH_MAX => FetchMax(argument),
            Kind::FETCH_MIN => FetchMin(argument),
            _ => return None,
        })
    }

    #[inline]
    fn value(object: &Object) -> i64 {
        object.value
    }

    #[inline]
    fn put(object: &mut Object, value: i64) {
        object.value = value;
    }

    #[inline]
    fn perform(operation: Operation, object: &Object, value: i64) -> Option<(Option<i64>, i64)> {
        Some(apply(operation, object.cell_width(), value))
    }

    #[inline]
    fn past(operation: Operation, object: &Object, refined: bool) -> Past {
        let width = object.cell_width();
        let role = match operation {
            Operation::Read => Role::Read,
            Operation::Add(_) => Role::Add,
            // An address is not the same in all executions of a class.
            Operation::Write(value) if refined && object.is_address == 0 => {
                return Past::write(width.wrap(value));
            }
            Operation::CompareExchange(expected, _) if object.value != width.wrap(expected) => {
                Role::Read
            }
            _ => Role::Update,
        };
        Past {
            role,
            ..Past::default()
        }
    }

    #[inline]
    fn order(first: &Past, second: &Past) -> Order {
        use Role::*;
        match (first.role, second.role) {
            (Read, Read) | (Add, Add) => Order::None,
            (Write, Write) if (first.number, first.before) == (second.number, second.before) => {
                Order::None
            }
            (Read | Add | Update | Write, Read | Add | Update | Write) => Order::Conflict,
            _ => Order::None,
        }
    }

    #[inline(always)]
    fn look(call: &Call, object: &Object, refined: bool, effect: &mut Effect) {
        let Some(operation) = Self::operation(call, object) else {
            return;
        };
        effect.past = Self::past(operation, object, refined);
        let is_quiet = call.extra == Call::QUIET && effect.past.role == Role::Update;
        let tells = !matches!(
            operation,
            Operation::Write(_) | Operation::CompareExchange(..)
        );
        if is_quiet && tells {
            let (_, after) = apply(operation, object.cell_width(), object.value);
            if after == object.value {
                effect.past.role = Role::Read;
            }
        }
    }

    fn outlook(kind: Kind, _role: Role) -> Outlook {
        match kind {
            Kind::READ | Kind::WRITE | Kind::ADD => Outlook::Same,
            // Where it changes nothing it may be a read.
            _ => Outlook::ByValue,
        }
    }
}
