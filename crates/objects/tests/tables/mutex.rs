use crate::exact::{Abstract, Comparison, Exact, concrete};
use mazurka_objects::mutex::{Operation, View, apply, dependent, dependent_in, might_interact};

/// Three processes: two that are asked about and a third that comes and goes.
#[test]
fn mutex() {
    use Operation::*;
    let operations = (0..3).flat_map(|process| [Lock(process), TryLock(process), Unlock(process)]);
    let values = vec![None, Some(0), Some(1), Some(2)];
    let exact = Exact::new(operations.collect(), values, |o, &v| apply(o, v));
    let operations = concrete(&exact.operations);
    let views: Vec<_> = exact.values.iter().map(|&owner| View { owner }).collect();
    let views = concrete(&views);
    let all = [Abstract {
        known: (),
        numbers: vec![0, 1, 2, 3],
    }];
    let other_process = |a: Operation, c: Operation| a.process() != c.process();
    let interacts = exact.interactions(|_, _, _| false, other_process);

    let mut constant = Comparison::default();
    constant.add(
        &operations,
        &all,
        |a, b, _| dependent(a, b),
        |a, b, v| exact.dependent_in(a, b, v),
    );
    constant.expect_coarser(0, "mutex, constant");
    let mut conditional = Comparison::default();
    conditional.add(&operations, &views, dependent_in, |a, b, v| {
        exact.dependent_in(a, b, v)
    });
    conditional.expect_coarser(0, "mutex, conditional");
    let mut interaction = Comparison::default();
    interaction.add(&operations, &views, might_interact, |a, b, v| {
        interacts[a][v][b]
    });
    interaction.expect_coarser(0, "mutex, interaction");
}
