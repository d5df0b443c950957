use crate::exact::{Abstract, Comparison, Exact, concrete};
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
    let operations = concrete(&exact.operations);
    let views: Vec<_> = exact
        .values
        .iter()
        .map(|&count| View { count, limit })
        .collect();
    let views = concrete(&views);
    let all = [Abstract {
        known: (),
        numbers: (0..exact.values.len()).collect(),
    }];
    let other_process = |a: Operation, c: Operation| !matches!((a, c), (End(a), End(c)) if a == c);
    let interacts = exact.interactions(|_, _, _| false, other_process);

    let mut constant = Comparison::default();
    constant.add(
        &operations,
        &all,
        |a, b, _| dependent(a, b),
        |a, b, v| exact.dependent_in(a, b, v),
    );
    constant.expect_coarser(0, "population, constant");
    let mut conditional = Comparison::default();
    conditional.add(&operations, &views, dependent_in, |a, b, v| {
        exact.dependent_in(a, b, v)
    });
    conditional.expect_coarser(0, "population, conditional");
    let mut interaction = Comparison::default();
    interaction.add(&operations, &views, might_interact, |a, b, v| {
        interacts[a][v][b]
    });
    interaction.expect_coarser(0, "population, interaction");
}
