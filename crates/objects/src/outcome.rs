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
