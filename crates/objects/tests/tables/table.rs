//! Derived tables against the definitions, for random operations and for objects whose tables are written by hand.

use crate::exact::Exact;
use mazurka_objects::table::{self, Operation, Table};
use mazurka_objects::variable::{self, Comparison, Domain};
use mazurka_objects::{Outcome, Output, mutex, semaphore};

/// Rows of a few random operations; the same for each seed.
fn random(seed: u64, values: usize) -> Vec<Vec<Option<(u32, u8)>>> {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut below = |bound: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % bound
    };
    let mut row = || match below(3) {
        0 => None,
        _ => Some((below(3) as u32 / 2, below(values as u64) as u8)),
    };
    (0..4)
        .map(|_| (0..values).map(|_| row()).collect())
        .collect()
}

fn does(
    operation: Operation<'_>,
    rows: &[Option<(u32, u8)>],
    values: u8,
    value: u8,
) -> Vec<Outcome<u8>> {
    match operation {
        Operation::Table(_) => rows[usize::from(value)]
            .map(|(told, value)| Outcome {
                output: Output::Number(told.into()),
                value,
            })
            .into_iter()
            .collect(),
        Operation::Variable(operation) => {
            let domain = Domain {
                low: 0,
                high: i64::from(values) - 1,
            };
            let outcomes = variable::apply(operation, domain, value.into()).into_iter();
            outcomes
                .map(|o| Outcome {
                    output: o.output,
                    value: o.value as u8,
                })
                .collect()
        }
    }
}

/// Definitions 2 and 5 exactly, and of definition 11 nothing is missing.
#[test]
fn derived_tables_are_what_the_definitions_say() {
    let mut exactly = 0;
    let mut coarser = 0;
    for seed in 1..=300 {
        let values = 2 + (seed % 4) as u8;
        let rows = random(seed, values.into());
        let tables: Vec<Table> = rows.iter().cloned().map(Table::new).collect();
        let mut operations: Vec<Operation<'_>> = tables.iter().map(Operation::Table).collect();
        use variable::Operation::{Add, Await, Read, Test, Write};
        let plain = [
            Read,
            Test(Comparison::Less, Some(1)),
            Await(Comparison::Greater, Some(0)),
            Write(Some(1)),
            Add(Some(1)),
        ];
        operations.extend(plain.map(Operation::Variable));
        let of = |number: usize| rows.get(number).map_or(&[][..], |rows| rows);
        let numbers: Vec<usize> = (0..operations.len()).collect();
        let exact = Exact::new(numbers, (0..values).collect(), |number: usize, &value| {
            does(operations[number], of(number), values, value)
        });
        let interacts = exact.interactions(|_, _, _| false, |_, _| true);
        for (a, of_a) in operations.iter().enumerate() {
            for (b, of_b) in operations.iter().enumerate() {
                let mut some = false;
                for value in 0..values {
                    let number = usize::from(value);
                    let truth = exact.dependent_in(a, b, number);
                    some |= truth;
                    let n = u32::from(values);
                    assert_eq!(table::dependent_in(*of_a, *of_b, n, value), truth, "{seed}");
                    let answer = table::might_interact(*of_a, *of_b, n, value);
                    assert!(
                        answer || !interacts[a][number][b],
                        "{seed}: {of_a:?} {of_b:?} {value}"
                    );
                    exactly += u32::from(answer == interacts[a][number][b]);
                    coarser += u32::from(answer != interacts[a][number][b]);
                }
                assert_eq!(
                    table::dependent(*of_a, *of_b, values.into()),
                    some,
                    "{seed}"
                );
            }
        }
    }
    assert!(coarser * 5 < exactly, "{coarser} of {exactly}");
}

/// What is unknown may be anything.
#[test]
fn unknown_arguments_depend_on_everything() {
    let wait = Table::new(vec![None, None]);
    let unknown = Operation::Variable(variable::Operation::Write(None));
    for value in 0..2 {
        assert!(table::dependent_in(
            Operation::Table(&wait),
            unknown,
            2,
            value
        ));
        assert!(table::might_interact(
            unknown,
            Operation::Table(&wait),
            2,
            value
        ));
    }
}

/// A semaphore of a model is a variable of 256 values. The derived tables are those written by hand.
#[test]
fn a_semaphore_has_the_tables_of_the_library() {
    use semaphore::Operation::{Release, Take};
    for bound in [1, 2, 3, 7, 255] {
        let table = |operation| {
            let rows = (0..256u32).map(|count| {
                // Above the bound the model waits to release, and takes.
                if count > bound {
                    return (operation == Take).then_some((0, (count - 1) as u8));
                }
                let done = semaphore::perform(operation, bound, count);
                done.map(|(_, after)| (0, after as u8))
            });
            Table::new(rows.collect())
        };
        let tables = [table(Take), table(Release)];
        for (a, of_a) in [Take, Release].into_iter().enumerate() {
            for (b, of_b) in [Take, Release].into_iter().enumerate() {
                for count in 0..=bound {
                    let view = semaphore::View { count, bound };
                    let of = |n: usize| Operation::Table(&tables[n]);
                    let value = count as u8;
                    assert_eq!(
                        table::dependent_in(of(a), of(b), 256, value),
                        semaphore::dependent_in(of_a, of_b, &view),
                        "{of_a} {of_b} {count} of {bound}"
                    );
                    assert_eq!(
                        table::might_interact(of(a), of(b), 256, value),
                        semaphore::might_interact(of_a, of_b, &view),
                        "{of_a} ▷ {of_b} {count} of {bound}"
                    );
                }
            }
        }
    }
}

/// A mutex that does not know who holds it: two who want it depend on each other while it is free.
#[test]
fn a_mutex_has_the_tables_of_the_library() {
    let lock = Table::new(vec![Some((0, 1)), None]);
    let other = mutex::Operation::Lock(1);
    let mine = mutex::Operation::Lock(0);
    for (value, owner) in [(0, None), (1, Some(2))] {
        let view = mutex::View { owner };
        let lock = Operation::Table(&lock);
        assert_eq!(
            table::dependent_in(lock, lock, 2, value),
            mutex::dependent_in(mine, other, &view)
        );
        assert_eq!(
            table::might_interact(lock, lock, 2, value),
            mutex::might_interact(mine, other, &view)
        );
    }
}
