use crate::exact::{Abstract, Comparison, Exact, concrete};
use Operation::*;
use mazurka_objects::semaphore::{Operation, View, apply, dependent, dependent_in, might_interact};

#[test]
fn semaphore() {
    let mut conditional = Comparison::default();
    let mut interaction = Comparison::default();
    for bound in 1..=4 {
        let exact = exact(bound);
        let operations = concrete(&exact.operations);
        let views: Vec<_> = exact
            .values
            .iter()
            .map(|&count| View { count, bound })
            .collect();
        let views = concrete(&views);
        let rivals = |a, b, &count: &u32| match (a, b) {
            (Take | TryTake, Take | TryTake) => count > 0,
            (Release, Release) => count < bound,
            _ => false,
        };
        let interacts = exact.interactions(rivals, |_, _| true);
        conditional.add(&operations, &views, dependent_in, |a, b, v| {
            exact.dependent_in(a, b, v)
        });
        interaction.add(&operations, &views, might_interact, |a, b, v| {
            interacts[a][v][b]
        });

        let all = [Abstract {
            known: (),
            numbers: (0..exact.values.len()).collect(),
        }];
        let mut constant = Comparison::default();
        let in_some = |a, b, v| exact.dependent_in(a, b, v);
        constant.add(&operations, &all, |a, b, _| dependent(a, b), in_some);
        constant.expect_coarser(0, "semaphore, constant");
    }
    conditional.expect_coarser(0, "semaphore, conditional");
    interaction.expect_coarser(0, "semaphore, interaction");
}

/// Counting takes as rivals takes entries away from ▷ and adds none.
#[test]
fn rivalry_only_sharpens() {
    for bound in 1..=4 {
        let exact = exact(bound);
        let bare = exact.interactions(|_, _, _| false, |_, _| true);
        for (a, &of_a) in exact.operations.iter().enumerate() {
            for (b, &of_b) in exact.operations.iter().enumerate() {
                for (v, &count) in exact.values.iter().enumerate() {
                    let entry = might_interact(of_a, of_b, &View { count, bound });
                    assert!(bare[a][v][b] || !entry, "{of_a} {of_b} {count} of {bound}");
                }
            }
        }
    }
}

fn exact(bound: u32) -> Exact<Operation, u32> {
    let operations = vec![Take, TryTake, Release, Count, IsZero];
    Exact::new(operations, (0..=bound).collect(), |o, &v| {
        apply(o, bound, v)
    })
}
