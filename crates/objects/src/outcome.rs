//! What performing an operation yields.

/// One way in which an operation can end: what the process learns, and the value it leaves.
///
/// `apply` of each kind of object returns all of them: none when the operation is undefined in that
/// value (which is what blocks a process), several when it is nondeterministic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome<V> {
    /// What the operation tells the process.
    pub output: Output,
    /// The value of the object afterwards.
    pub value: V,
}

/// What an operation tells the process that performs it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Output {
    /// Nothing.
    Nothing,
    /// The answer of a test.
    Truth(bool),
    /// A number read.
    Number(i64),
    /// A message received or copied.
    Message(Vec<i64>),
}

impl<V> Outcome<V> {
    /// The only outcome of an operation that tells nothing.
    pub(crate) fn silent(value: V) -> Vec<Outcome<V>> {
        Outcome::telling(Output::Nothing, value)
    }

    /// The only outcome of an operation that tells something.
    pub(crate) fn telling(output: Output, value: V) -> Vec<Outcome<V>> {
        vec![Outcome { output, value }]
    }
}

/// Definitions 2 and 5 by performing both orders: whether one operation makes the other possible or
/// impossible, or the orders differ in what is told or in the value that is left.
#[inline]
pub(crate) fn order_matters<O: Copy, T: PartialEq, V: Copy + PartialEq>(
    perform: impl Fn(O, V) -> Option<(T, V)>,
    a: O,
    b: O,
    value: V,
) -> bool {
    match (perform(a, value), perform(b, value)) {
        (None, None) => false,
        (Some((_, after)), None) => perform(b, after).is_some(),
        (None, Some((_, after))) => perform(a, after).is_some(),
        (Some((of_a, after_a)), Some((of_b, after_b))) => {
            let (b_second, a_second) = (perform(b, after_a), perform(a, after_b));
            let ends = |second: &Option<(T, V)>| second.as_ref().map(|(_, end)| *end);
            let same = a_second.as_ref().is_some_and(|(told, _)| *told == of_a)
                && b_second.as_ref().is_some_and(|(told, _)| *told == of_b)
                && ends(&a_second) == ends(&b_second);
            !same
        }
    }
}
