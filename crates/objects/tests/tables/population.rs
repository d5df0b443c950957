use crate::exact::{Exact, expect_exact};
use mazurka_objects::population::{
    Operation, View, apply, dependent, dependent_in, might_interact,
};

/// Up to five processes, each of which may end, and others that start and count.
#[test]
fn population() {
    use Operation::*;
    let limit = 5;
    let operations = [Start, Count].into_iter().chain((0..limit).map(End));
    let values: Vec<u32> = (0..=limit).collect();
    let exact = Exact::new(operations.collect(), values, |o, &v| apply(o, v, limit));
    let views: Vec<_> = exact
        .values
        .iter()
        .map(|&count| View { count, limit })
        .collect();
    let other_process = |a: Operation, c: Operation| !matches!((a, c), (End(a), End(c)) if a == c);
    let relations = (dependent, dependent_in, might_interact);
    expect_exact("population", &exact, &views, relations, other_process);
}
