use crate::exact::{Comparison, Exact, concrete};
use mazurka_objects::real::cell::{Operation, Width, apply, dependent_in};
use mazurka_objects::{Outcome, Output};

/// Cells of one and two bits, with and without a sign, and all operations on them.
#[test]
fn cell() {
    use Operation::*;
    for bits in 1..=2 {
        for is_signed in [false, true] {
            let width = Width { bits, is_signed };
            let mut values: Vec<i64> = (-2..4).map(|value| width.wrap(value)).collect();
            values.sort_unstable();
            values.dedup();
            assert_eq!(values.len(), 1 << bits);
            let mut operations = vec![Read];
            for &value in &values {
                let fetches = [FetchAnd, FetchOr, FetchXor, FetchMax, FetchMin];
                operations.extend([Write(value), Add(value), FetchAdd(value), Swap(value)]);
                operations.extend(fetches.map(|fetch| fetch(value)));
                operations.extend(values.iter().map(|&new| CompareExchange(value, new)));
            }
            let exact = Exact::new(operations, values.clone(), |operation, &value| {
                let (told, value) = apply(operation, width, value);
                let output = told.map_or(Output::Nothing, Output::Number);
                vec![Outcome { output, value }]
            });
            let mut conditional = Comparison::default();
            conditional.add(
                &concrete(&exact.operations),
                &concrete(&values),
                |a, b, &value| dependent_in(a, b, width, value),
                |a, b, v| exact.dependent_in(a, b, v),
            );
            conditional.expect_coarser(0, "cell, conditional");
        }
    }
}

#[test]
fn values_wrap_around() {
    let byte = Width {
        bits: 8,
        is_signed: false,
    };
    let signed = Width {
        is_signed: true,
        ..byte
    };
    assert_eq!(apply(Operation::FetchAdd(1), byte, 255), (Some(255), 0));
    assert_eq!(apply(Operation::FetchAdd(-1), byte, 0), (Some(0), 255));
    assert_eq!(apply(Operation::Add(1), signed, 127), (None, -128));
    let exchange = Operation::CompareExchange(-1, 3);
    assert_eq!(apply(exchange, byte, 255), (Some(255), 3));
    assert_eq!(apply(Operation::FetchMax(-1), byte, 7), (Some(7), 255));
    assert_eq!(apply(Operation::FetchMax(-1), signed, 7), (Some(7), 7));
    let word = Width {
        bits: 64,
        is_signed: false,
    };
    assert_eq!(apply(Operation::FetchMin(-1), word, 7), (Some(7), 7));
    assert_eq!(Width::WORD.wrap(i64::MIN), i64::MIN);
}
