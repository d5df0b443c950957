//! The relations as the definitions have them, computed from executable semantics, and the
//! comparison of a table with them.

use mazurka_objects::{Outcome, Output};
use std::fmt::Debug;

/// All values and operations of one object, and what each operation does in each value.
pub struct Exact<O, V> {
    pub operations: Vec<O>,
    pub values: Vec<V>,
    /// Per operation and value, the outcomes in a fixed order: output and number of the value.
    outcomes: Vec<Vec<Vec<(Output, usize)>>>,
    /// Per two operations and value: whether they are dependent.
    dependent: Vec<Vec<Vec<bool>>>,
}

impl<O: Copy + Debug, V: PartialEq + Debug> Exact<O, V> {
    pub fn new(
        operations: Vec<O>,
        values: Vec<V>,
        apply: impl Fn(O, &V) -> Vec<Outcome<V>>,
    ) -> Self {
        let number = |value: V| {
            let found = values.iter().position(|other| *other == value);
            found.unwrap_or_else(|| panic!("{value:?} is not listed"))
        };
        let outcomes: Vec<Vec<Vec<_>>> = operations
            .iter()
            .map(|&operation| {
                let of_value = |value| {
                    let outcomes = apply(operation, value).into_iter();
                    sorted(
                        outcomes
                            .map(|outcome| (outcome.output, number(outcome.value)))
                            .collect(),
                    )
                };
                values.iter().map(of_value).collect()
            })
            .collect();
        let mut exact = Exact {
            operations,
            values,
            outcomes,
            dependent: vec![],
        };
        let all = 0..exact.operations.len();
        exact.dependent = all
            .clone()
            .map(|a| {
                let with = |b| {
                    let values = 0..exact.values.len();
                    values.map(|v| exact.order_matters(a, b, v)).collect()
                };
                all.clone().map(with).collect()
            })
            .collect();
        exact
    }

    /// Definitions 2 and 5: neither makes the other possible or impossible, and both orders have
    /// the same outputs and results; all of them, if there are several.
    fn order_matters(&self, a: usize, b: usize, value: usize) -> bool {
        let changes = |first: usize, second: usize| {
            self.outcomes[first][value]
                .iter()
                .any(|&(_, after)| self.defined(second, value) != self.defined(second, after))
        };
        if changes(a, b) || changes(b, a) {
            return true;
        }
        let both = |first: usize, second: usize| {
            let mut results = vec![];
            for (first_output, after) in &self.outcomes[first][value] {
                for (second_output, end) in &self.outcomes[second][*after] {
                    results.push((first_output.clone(), second_output.clone(), *end));
                }
            }
            results
        };
        let swapped = both(b, a)
            .into_iter()
            .map(|(of_b, of_a, end)| (of_a, of_b, end));
        self.defined(a, value)
            && self.defined(b, value)
            && sorted(both(a, b)) != sorted(swapped.collect())
    }

    fn defined(&self, operation: usize, value: usize) -> bool {
        !self.outcomes[operation][value].is_empty()
    }

    pub fn dependent_in(&self, a: usize, b: usize, value: usize) -> bool {
        self.dependent[a][b][value]
    }

    /// Definition 11, per `a`, value and `b`. `rivals` are counted as dependent besides those that
    /// are; `moves(a, c)` tells whether `c` can be an operation of a process other than that of
    /// `a`.
    pub fn interactions(
        &self,
        rivals: impl Fn(O, O, &V) -> bool,
        moves: impl Fn(O, O) -> bool,
    ) -> Vec<Vec<Vec<bool>>> {
        let count = self.operations.len();
        let row = |a: usize, start: usize| {
            let disturbs = |b: usize, value: usize| {
                self.dependent[a][b][value]
                    || rivals(self.operations[a], self.operations[b], &self.values[value])
            };
            let mut interacts = vec![false; count];
            let mut seen = vec![false; self.values.len()];
            let mut stack = vec![start];
            seen[start] = true;
            while let Some(value) = stack.pop() {
                for b in (0..count).filter(|&b| self.defined(b, value)) {
                    if disturbs(b, value) {
                        interacts[b] = true;
                    } else if moves(self.operations[a], self.operations[b]) {
                        for &(_, after) in &self.outcomes[b][value] {
                            if !std::mem::replace(&mut seen[after], true) {
                                stack.push(after);
                            }
                        }
                    }
                }
            }
            interacts
        };
        (0..count)
            .map(|a| (0..self.values.len()).map(|v| row(a, v)).collect())
            .collect()
    }
}

/// Something as a table knows it, and the numbers of all that it may be.
pub struct Abstract<T> {
    pub known: T,
    pub numbers: Vec<usize>,
}

/// One abstract thing per concrete one.
pub fn concrete<T: Copy>(all: &[T]) -> Vec<Abstract<T>> {
    let one = |(number, &known)| Abstract {
        known,
        numbers: vec![number],
    };
    all.iter().enumerate().map(one).collect()
}

/// What a comparison found.
#[derive(Debug, Default)]
pub struct Comparison {
    /// The number of entries compared.
    pub entries: usize,
    /// The entries that are true where the exact relation is false for all that they stand for.
    pub coarser: Vec<String>,
}

impl Comparison {
    /// Compares a table with the exact relation: an entry must be true wherever the relation is
    /// true of something it stands for, and is coarser if it is true elsewhere.
    pub fn add<O: Copy + Debug, W: Debug>(
        &mut self,
        operations: &[Abstract<O>],
        views: &[Abstract<W>],
        table: impl Fn(O, O, &W) -> bool,
        exact: impl Fn(usize, usize, usize) -> bool,
    ) {
        for a in operations {
            for b in operations {
                for view in views {
                    let required = a.numbers.iter().any(|&a| {
                        let with = |b: usize| view.numbers.iter().any(|&v| exact(a, b, v));
                        b.numbers.iter().any(|&b| with(b))
                    });
                    let given = table(a.known, b.known, &view.known);
                    let entry = || format!("{:?} | {:?} | {:?}", a.known, b.known, view.known);
                    assert!(given || !required, "unsafe: {}", entry());
                    if given && !required {
                        self.coarser.push(entry());
                    }
                    self.entries += 1;
                }
            }
        }
    }

    /// The coarser entries in which nothing is unknown.
    pub fn coarser_though_known(&self) -> impl Iterator<Item = &String> {
        self.coarser.iter().filter(|entry| !entry.contains('?'))
    }

    /// Asserts that exactly this many entries are coarser, showing a few of them if not.
    pub fn expect_coarser(&self, count: usize, what: &str) {
        println!(
            "{what}: {} entries, {} coarser",
            self.entries,
            self.coarser.len()
        );
        let few: Vec<_> = self
            .coarser
            .iter()
            .step_by(self.coarser.len() / 40 + 1)
            .collect();
        assert_eq!(self.coarser.len(), count, "{what}: {few:#?}");
    }
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort();
    list.dedup();
    list
}

/// Asserts that the three relations of an object are exact where its value is known: constant, conditional and interaction. `views`
/// are the values as the tables see them; `moves(a, c)` tells whether `c` can be an operation of another process than that of `a`.
pub fn expect_exact<O: Copy + Debug, V: PartialEq + Debug, W: Copy + Debug>(
    what: &str,
    exact: &Exact<O, V>,
    views: &[W],
    (dependent, dependent_in, might_interact): (
        impl Fn(O, O) -> bool,
        impl Fn(O, O, &W) -> bool,
        impl Fn(O, O, &W) -> bool,
    ),
    moves: impl Fn(O, O) -> bool,
) {
    let operations = concrete(&exact.operations);
    let views = concrete(views);
    let all = [Abstract {
        known: (),
        numbers: (0..exact.values.len()).collect(),
    }];
    let interacts = exact.interactions(|_, _, _| false, moves);
    let depend = |a, b, v| exact.dependent_in(a, b, v);

    let mut constant = Comparison::default();
    constant.add(&operations, &all, |a, b, _| dependent(a, b), depend);
    constant.expect_coarser(0, &format!("{what}, constant"));
    let mut conditional = Comparison::default();
    conditional.add(&operations, &views, dependent_in, depend);
    conditional.expect_coarser(0, &format!("{what}, conditional"));
    let mut interaction = Comparison::default();
    interaction.add(&operations, &views, might_interact, |a, b, v| {
        interacts[a][v][b]
    });
    interaction.expect_coarser(0, &format!("{what}, interaction"));
}
