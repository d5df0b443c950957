//! A shared variable whose values wrap around in its domain.
//!
//! Additions commute, whatever they add; two writes of one constant commute; a test depends only
//! on what changes its answer. The ▷ of a test follows its answer: a test that is false now is
//! reached by the writes that make it true, not by others. To wait until a test is true is another
//! operation than to ask: a write that makes it true comes first anyway, so it is not reached by the
//! one who waits.
//!
//! Coarser than exact: ▷ of a write and a wait for an unknown constant does not work out which
//! constants there are; a test that gives one answer throughout the domain (say, `x < 0` of a
//! `byte`) is taken for one that can give both. Fold such tests before asking.

use crate::{Outcome, Output};
use std::fmt;

/// An operation on a variable. An argument is `None` where it is not known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Tell the value.
    Read,
    /// Tell how the value compares with a constant.
    Test(Comparison, Option<i64>),
    /// Go on if the value compares so with a constant; undefined otherwise.
    Await(Comparison, Option<i64>),
    /// Replace the value by a constant of the domain.
    Write(Option<i64>),
    /// Add a constant smaller than the number of values of the domain, and wrap around.
    Add(Option<i64>),
}

/// How a test compares the value, on the left, with its constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Comparison {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    AtMost,
    /// `>`
    Greater,
    /// `>=`
    AtLeast,
}

/// The values that a variable can take: all from the lowest to the highest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Domain {
    /// The lowest value.
    pub low: i64,
    /// The highest value.
    pub high: i64,
}

/// The present value of a variable, and its domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// The present value.
    pub value: i64,
    /// All values.
    pub domain: Domain,
}

/// Performs an operation on a value.
///
/// # Panics
///
/// If an argument of the operation is unknown.
pub fn apply(operation: Operation, domain: Domain, value: i64) -> Vec<Outcome<i64>> {
    let known = |argument: Option<i64>| argument.expect("the argument is known");
    match operation {
        Operation::Read => Outcome::telling(Output::Number(value), value),
        Operation::Test(comparison, right) => {
            Outcome::telling(Output::Truth(comparison.holds(value, known(right))), value)
        }
        Operation::Await(comparison, right) if comparison.holds(value, known(right)) => {
            Outcome::silent(value)
        }
        Operation::Await(..) => vec![],
        Operation::Write(written) => Outcome::silent(known(written)),
        Operation::Add(added) => Outcome::silent(domain.add(value, known(added))),
    }
}

/// Whether the order of `a` and `b` matters in some value of some variable.
#[inline]
pub fn dependent(a: Operation, b: Operation) -> bool {
    use Operation::*;
    match (a, b) {
        (Read | Test(..) | Await(..), Read | Test(..) | Await(..)) | (Add(_), Add(_)) => false,
        (Write(a), Write(b)) => may_differ(a, b),
        (Add(added), _) | (_, Add(added)) => added != Some(0),
        (Write(_), _) | (_, Write(_)) => true,
    }
}

/// Whether the order of `a` and `b` matters in the present value.
#[inline]
pub fn dependent_in(a: Operation, b: Operation, view: &View) -> bool {
    use Operation::*;
    let value = view.value;
    match (a, b) {
        (Write(written), Read) | (Read, Write(written)) => may_differ(written, Some(value)),
        (Write(Some(written)), Test(comparison, Some(right)) | Await(comparison, Some(right)))
        | (Test(comparison, Some(right)) | Await(comparison, Some(right)), Write(Some(written))) => {
            comparison.holds(value, right) != comparison.holds(written, right)
        }
        (Add(Some(added)), Test(comparison, Some(right)) | Await(comparison, Some(right)))
        | (Test(comparison, Some(right)) | Await(comparison, Some(right)), Add(Some(added))) => {
            let sum = view.domain.add(value, added);
            comparison.holds(value, right) != comparison.holds(sum, right)
        }
        (Write(Some(written)), Test(_, None) | Await(_, None))
        | (Test(_, None) | Await(_, None), Write(Some(written))) => written != value,
        _ => dependent(a, b),
    }
}

/// Whether a ▷ b in the present value.
#[inline]
pub fn might_interact(a: Operation, b: Operation, view: &View) -> bool {
    // Additions by others leave an addition undisturbed and take the value anywhere; a test lets
    // the value roam where its answer is the same, from where any addition may lead out. All
    // others are undisturbed only by what leaves the value alone or makes it what they write.
    match (a, b) {
        (Operation::Add(_), _) | (_, Operation::Add(_)) => dependent(a, b),
        // Who waits goes on before a write only if it need not wait, so what counts is that the
        // write would make it wait.
        (Operation::Write(_), Operation::Await(comparison, Some(right))) => {
            comparison.holds(view.value, right) && dependent_in(a, b, view)
        }
        _ => dependent_in(a, b, view),
    }
}

impl Comparison {
    /// Whether `left` compares so with `right`.
    #[inline]
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
            Comparison::Less => left < right,
            Comparison::AtMost => left <= right,
            Comparison::Greater => left > right,
            Comparison::AtLeast => left >= right,
        }
    }
}

impl Domain {
    /// The value reached by adding, wrapped around in the domain.
    #[inline]
    pub fn add(self, value: i64, added: i64) -> i64 {
        let (low, high) = (i128::from(self.low), i128::from(self.high));
        let sum = i128::from(value) + i128::from(added);
        if low <= sum && sum <= high {
            sum as i64
        } else {
            (low + (sum - low).rem_euclid(high - low + 1)) as i64
        }
    }
}

/// Whether two arguments are not surely the same.
#[inline]
fn may_differ(a: Option<i64>, b: Option<i64>) -> bool {
    a.is_none() || a != b
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::Greater => ">",
            Comparison::AtLeast => ">=",
        })
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (words, argument) = match self {
            Operation::Read => return f.write_str("read"),
            Operation::Test(comparison, right) => {
                write!(f, "test {comparison} ")?;
                ("", right)
            }
            Operation::Await(comparison, right) => {
                write!(f, "await {comparison} ")?;
                ("", right)
            }
            Operation::Write(written) => ("write ", written),
            Operation::Add(added) => ("add ", added),
        };
        match argument {
            Some(argument) => write!(f, "{words}{argument}"),
            None => write!(f, "{words}?"),
        }
    }
}
