use crate::exact::{Exact, expect_exact};
use mazurka_objects::timer::{Operation, View, apply, dependent, dependent_in, might_interact};

#[test]
fn timer() {
    use Operation::*;
    let exact = Exact::new(
        vec![Start, Stop, Expire, IsRunning],
        vec![false, true],
        |o, &v| apply(o, v),
    );
    let views = [View { running: false }, View { running: true }];
    let relations = (dependent, dependent_in, might_interact);
    expect_exact("timer", &exact, &views, relations, |_, _| true);
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
