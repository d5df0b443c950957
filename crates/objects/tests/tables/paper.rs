//! The tables for a bounded channel in Godefroid & Pirottin 1993, sections 4 and 5, derived here by
//! enumeration instead of by hand.

use crate::channel::{Channel, rivals};
use crate::exact::Exact;
use Operation::*;
use mazurka_objects::fifo::{Operation, Place, apply, might_interact};
use mazurka_objects::{Pattern, View, dependent_in, fifo};

type Condition = fn(usize, usize) -> bool;

const NEVER: Condition = |_, _| false;
const ROOM: Condition = |n, capacity| n < capacity;
const FULL: Condition = |n, capacity| n == capacity;
const ALMOST_FULL: Condition = |n, capacity| n + 1 == capacity;
const EMPTY: Condition = |n, _| n == 0;
const ONE: Condition = |n, _| n == 1;
const SOME: Condition = |n, _| n > 0;
const EITHER_END: Condition = |n, capacity| n == 0 || n == capacity;

/// Rows and columns: send, receive, length, empty, full.
const CONDITIONAL: [[Condition; 5]; 5] = [
    [ROOM, EITHER_END, ROOM, EMPTY, ALMOST_FULL],
    [EITHER_END, SOME, SOME, ONE, FULL],
    [ROOM, SOME, NEVER, NEVER, NEVER],
    [EMPTY, ONE, NEVER, NEVER, NEVER],
    [ALMOST_FULL, FULL, NEVER, NEVER, NEVER],
];

const INTERACTION: [[Condition; 5]; 5] = [
    [ROOM, FULL, ROOM, ROOM, ALMOST_FULL],
    [EMPTY, SOME, SOME, ONE, SOME],
    [ROOM, SOME, NEVER, NEVER, NEVER],
    [EMPTY, SOME, NEVER, NEVER, NEVER],
    [ROOM, FULL, NEVER, NEVER, NEVER],
];

const OPERATIONS: [Operation; 5] = [
    Send(Pattern::UNKNOWN),
    Receive(Place::Head, Pattern::ANY),
    Length,
    Empty,
    Full,
];

/// No entry of the paper's two tables differs from enumeration, if its two sends are any two.
#[test]
fn tables_of_the_paper() {
    for capacity in 1..=3 {
        let channel = Channel {
            capacity,
            fields: 1,
            letters: 2,
            disorderly: false,
        };
        let concrete: Vec<_> = channel
            .operations()
            .into_iter()
            .filter(in_the_paper)
            .collect();
        let exact = Exact::new(concrete, channel.values(), apply);
        let interacts = exact.interactions(rivals, |_, _| true);
        let numbers = |operation: Operation| -> Vec<usize> {
            let is = |n: &usize| match (operation, exact.operations[*n]) {
                (Send(_), Send(_)) => true,
                (operation, other) => operation == other,
            };
            (0..exact.operations.len()).filter(is).collect()
        };
        for (row, a) in OPERATIONS.into_iter().enumerate() {
            for (column, b) in OPERATIONS.into_iter().enumerate() {
                for length in 0..=capacity {
                    let seen = |v: &usize| exact.values[*v].messages.len() == length;
                    let mut dependent = false;
                    let mut interact = false;
                    for (a, b) in numbers(a)
                        .into_iter()
                        .flat_map(|a| numbers(b).into_iter().map(move |b| (a, b)))
                    {
                        for v in (0..exact.values.len()).filter(seen) {
                            dependent |= exact.dependent_in(a, b, v);
                            interact |= interacts[a][v][b];
                        }
                    }
                    let what = format!("{a} and {b} at {length} of {capacity}");
                    assert_eq!(
                        CONDITIONAL[row][column](length, capacity),
                        dependent,
                        "{what}"
                    );
                    assert_eq!(
                        INTERACTION[row][column](length, capacity),
                        interact,
                        "{what}"
                    );

                    let view = fifo::View::new(length as u32, capacity as u32, Pattern::UNKNOWN);
                    assert_eq!(fifo::dependent_in(a, b, &view), dependent, "{what}");
                    assert_eq!(might_interact(a, b, &view), interact, "{what}");
                    let (a, b) = (
                        mazurka_objects::Operation::Fifo(a),
                        mazurka_objects::Operation::Fifo(b),
                    );
                    assert_eq!(dependent_in(a, b, &View::Fifo(view)), dependent, "{what}");
                }
            }
        }
    }
}

fn in_the_paper(operation: &Operation) -> bool {
    matches!(operation, Send(_) | Length | Empty | Full) || *operation == OPERATIONS[1]
}
