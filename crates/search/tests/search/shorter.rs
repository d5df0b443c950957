//! Violations made shorter: the same end, never more steps, the fewest where that can be known.

use mazurka_search::{Effort, End, Goal, Shorter, System, shorter};

use crate::support::{Counters, counters};

fn effort(steps: u64) -> Effort<'static> {
    Effort {
        steps,
        bytes: 1 << 20,
        is_over: Box::new(|| false),
    }
}

/// Three counters that stop in a state, and a long way there.
fn stopping(modulo: u8, end: [u8; 3]) -> (Counters, Vec<usize>) {
    let system = Counters {
        deadlock: Some(end.to_vec()),
        ..counters(3, modulo)
    };
    // Around and around, and in the wrong order.
    let mut steps = Vec::new();
    steps.extend(vec![0; usize::from(modulo) - 1]);
    for counter in [2, 1] {
        steps.extend(vec![
            counter;
            5 * usize::from(modulo) + usize::from(end[counter])
        ]);
    }
    steps.extend(vec![0; usize::from(end[0]) + 1]);
    (system, steps)
}

fn end_of(system: &Counters, steps: &[usize]) -> Vec<u8> {
    let (mut state, mut next) = (Vec::new(), Vec::new());
    system.initial(&mut state).unwrap();
    for step in steps {
        assert!(system.execute(&mut (), &state, *step, &mut next).complete);
        std::mem::swap(&mut state, &mut next);
    }
    state
}

fn shortened(
    system: &Counters,
    steps: &[usize],
    end: [u8; 3],
    effort_given: u64,
) -> Shorter<usize> {
    let distance = move |state: &[u8]| {
        let missing = state.iter().zip(end).map(|(at, end)| u32::from(*at != end));
        missing.sum()
    };
    let goal = Goal {
        end: End::Stop(&|_| true),
        distance: &distance,
        may_fail: false,
    };
    let found = shorter(system, steps, &goal, &mut effort(effort_given));
    // Without effort nothing is found, and the path stays as it is.
    found.unwrap_or_else(|| Shorter {
        steps: steps.to_vec(),
        shortest: false,
    })
}

#[test]
fn a_small_system_gives_the_fewest_steps() {
    let end = [2, 3, 1];
    let (system, steps) = stopping(8, end);
    assert_eq!(end_of(&system, &steps), end);
    let found = shortened(&system, &steps, end, 1_000_000);
    assert!(found.shortest);
    assert_eq!(found.steps.len(), 6);
    assert_eq!(end_of(&system, &found.steps), end);
}

#[test]
fn little_effort_still_ends_there_and_repeats_itself() {
    let end = [40, 0, 9];
    let (system, steps) = stopping(200, end);
    for effort in [0, 1, 10, 3_000, 100_000] {
        let found = shortened(&system, &steps, end, effort);
        assert!(found.steps.len() <= steps.len());
        assert_eq!(end_of(&system, &found.steps), end, "{effort}");
        assert_eq!(found, shortened(&system, &steps, end, effort));
    }
    // Loops and needless steps are found without meeting all states.
    let found = shortened(&system, &steps, end, 100_000);
    assert!(
        found.steps.len() < steps.len() / 4 && !found.shortest,
        "{found:?}"
    );
}

#[test]
fn a_failure_is_found_again() {
    let system = Counters {
        failure: Some(2),
        ..counters(3, 4)
    };
    let steps = [0, 1, 0, 1, 1, 0, 2];
    let goal = Goal {
        end: End::Failure(&|step, failure| step == 2 && failure == "started"),
        distance: &|_| 0,
        may_fail: false,
    };
    let found = shorter(&system, &steps, &goal, &mut effort(10_000)).unwrap();
    assert_eq!((found.steps, found.shortest), (vec![2], true));
}

/// What a search of another form of the system found may be no path of this one: it is never given back.
#[test]
fn a_path_of_another_form_is_not_given_back() {
    let system = counters(3, 4);
    let goal = Goal {
        end: End::Failure(&|_, _| true),
        distance: &|_| 0,
        may_fail: false,
    };
    for effort_given in [0, 10, 10_000] {
        assert_eq!(
            shorter(&system, &[7, 9], &goal, &mut effort(effort_given)),
            None
        );
    }
    let system = Counters {
        failure: Some(2),
        ..counters(3, 4)
    };
    let found = shorter(&system, &[7], &goal, &mut effort(10_000)).unwrap();
    assert_eq!((found.steps, found.shortest), (vec![2], true));
}
