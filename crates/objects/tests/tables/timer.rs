use crate::exact::{Abstract, Comparison, Exact, concrete};
use mazurka_objects::timer::{Operation, View, apply, dependent, dependent_in, might_interact};

#[test]
fn timer() {
    use Operation::*;
    let exact = Exact::new(
        vec![Start, Stop, Expire, IsRunning],
        vec![false, true],
        |o, &v| apply(o, v),
    );
    let operations = concrete(&exact.operations);
    let views = concrete(&[View { running: false }, View { running: true }]);
    let all = [Abstract {
        known: (),
        numbers: vec![0, 1],
    }];
    let interacts = exact.interactions(|_, _, _| false, |_, _| true);

    let mut constant = Comparison::default();
    constant.add(
        &operations,
        &all,
        |a, b, _| dependent(a, b),
        |a, b, v| exact.dependent_in(a, b, v),
    );
    constant.expect_coarser(0, "timer, constant");
    let mut conditional = Comparison::default();
    conditional.add(&operations, &views, dependent_in, |a, b, v| {
        exact.dependent_in(a, b, v)
    });
    conditional.expect_coarser(0, "timer, conditional");
    let mut interaction = Comparison::default();
    interaction.add(&operations, &views, might_interact, |a, b, v| {
        interacts[a][v][b]
    });
    interaction.expect_coarser(0, "timer, interaction");
}

/// The trap of timers: starting one that runs changes nothing, and yet its expiry is disturbed.
#[test]
fn restart_depends_on_expiry() {
    assert!(dependent_in(
        Operation::Start,
        Operation::Expire,
        &View { running: true }
    ));
}
