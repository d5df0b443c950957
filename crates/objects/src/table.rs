//! Objects of few values whose operations are given as tables.
//!
//! A modeller's own object is a small automaton: each operation says for each value whether it is possible, what it tells and which
//! value it leaves. Nobody wrote down how two of them relate: the relations are derived here, by performing both orders in every
//! value (definitions 2 and 5). Plain operations on the same variable take part, so that whoever looks at an object's value is counted.
//!
//! **The relation ▷** is derived without asking which other operations there are. What leaves `a` undisturbed leaves it as possible as
//! it is and telling what it tells, so the values that others can reach meanwhile are among those in which that is so. If `b` is
//! possible in none of them where it depends on `a`, then a ▷ b does not hold. This is safe, and exact if the others can go from any of these values
//! to any other; see `tests/tables/table.rs` for what it costs a semaphore.

use crate::outcome::order_matters;
use crate::{Output, variable};

/// What an operation does in each value, from 0 on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Table {
    /// Of each value what is told and the value after it; nothing where the operation waits.
    rows: Vec<Option<(u32, u8)>>,
}

/// An operation on such an object.
#[derive(Clone, Copy, Debug)]
pub enum Operation<'t> {
    /// What a table says.
    Table(&'t Table),
    /// That of a variable with as many values.
    Variable(variable::Operation),
}

impl Table {
    /// A table of at most 256 values: of each what the operation tells and which value it leaves, or nothing where it waits.
    pub fn new(rows: Vec<Option<(u32, u8)>>) -> Table {
        debug_assert!(rows.len() <= 256);
        debug_assert!(
            rows.iter()
                .flatten()
                .all(|row| usize::from(row.1) < rows.len())
        );
        Table { rows }
    }

    /// Does the operation leave every value as it is?
    pub fn keeps_values(&self) -> bool {
        let mut rows = self.rows.iter().enumerate();
        rows.all(|(value, row)| row.is_none_or(|(_, after)| usize::from(after) == value))
    }

    /// How many values there are.
    pub fn values(&self) -> u32 {
        self.rows.len() as u32
    }
}

impl Operation<'_> {
    /// Is an argument unknown?
    fn is_unknown(self) -> bool {
        use variable::Operation::{Add, Await, Read, Test, Write};
        match self {
            Operation::Table(_) | Operation::Variable(Read) => false,
            Operation::Variable(
                Test(_, argument) | Await(_, argument) | Write(argument) | Add(argument),
            ) => argument.is_none(),
        }
    }

    /// What it tells and the value after it; nothing where it waits.
    fn perform(self, values: u32, value: u8) -> Option<(i64, u8)> {
        match self {
            Operation::Table(table) => {
                let row = *table.rows.get(usize::from(value))?;
                row.map(|(told, after)| (i64::from(told), after))
            }
            Operation::Variable(operation) => {
                let domain = variable::Domain {
                    low: 0,
                    high: i64::from(values) - 1,
                };
                let outcomes = variable::apply(operation, domain, i64::from(value));
                let outcome = outcomes.into_iter().next()?;
                let told = match outcome.output {
                    Output::Number(number) => number,
                    Output::Truth(truth) => i64::from(truth),
                    Output::Nothing | Output::Message(_) => 0,
                };
                Some((told, outcome.value as u8))
            }
        }
    }
}

/// Whether the order of `a` and `b` matters in one of the `values` values that there are.
pub fn dependent(a: Operation<'_>, b: Operation<'_>, values: u32) -> bool {
    all(values).any(|value| dependent_in(a, b, values, value))
}

/// Whether the order of `a` and `b` matters in this value.
pub fn dependent_in(a: Operation<'_>, b: Operation<'_>, values: u32, value: u8) -> bool {
    if a.is_unknown() || b.is_unknown() {
        return true;
    }
    let perform = |operation: Operation<'_>, value| operation.perform(values, value);
    order_matters(perform, a, b, value)
}

/// Whether a ▷ b in this value.
pub fn might_interact(a: Operation<'_>, b: Operation<'_>, values: u32, value: u8) -> bool {
    if a.is_unknown() || b.is_unknown() {
        return true;
    }
    let tells = |value| a.perform(values, value).map(|(told, _)| told);
    let now = tells(value);
    all(values).any(|value| {
        tells(value) == now
            && b.perform(values, value).is_some()
            && dependent_in(a, b, values, value)
    })
}

fn all(values: u32) -> impl Iterator<Item = u8> {
    (0..values).map(|value| value as u8)
}
