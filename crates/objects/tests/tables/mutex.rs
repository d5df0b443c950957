use crate::exact::{Exact, expect_exact};
use mazurka_objects::mutex::{Operation, View, apply, dependent, dependent_in, might_interact};

/// Three processes: two that are asked about and a third that comes and goes.
#[test]
fn mutex() {
    use Operation::*;
    let operations = (0..3).flat_map(|process| [Lock(process), TryLock(process), Unlock(process)]);
    let values = vec![None, Some(0), Some(1), Some(2)];
    let exact = Exact::new(operations.collect(), values, |o, &v| apply(o, v));
    let views: Vec<_> = exact.values.iter().map(|&owner| View { owner }).collect();
    let other_process = |a: Operation, c: Operation| a.process() != c.process();
    let relations = (dependent, dependent_in, might_interact);
    expect_exact("mutex", &exact, &views, relations, other_process);
}
