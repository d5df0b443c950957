//! Running on inside an atomic sequence: what is taken at once is what the single steps do, and it ends where there is a choice,
//! where something goes wrong, and where control is given back.

mod support;

use mazurka_model::{Interpreter, Step};

/// Takes the first step of the only process, then runs on. How many steps that took, and how many are possible behind it; none if
/// control was given back.
fn run_on(source: &str) -> (usize, Option<usize>) {
    let interpreter = Interpreter::new(support::program(source));
    let (mut state, mut next, mut message) = (Vec::new(), Vec::new(), Vec::new());
    interpreter.initial(&mut state, &mut ()).unwrap();
    let mut steps = Vec::new();
    interpreter.enabled(&state, &mut steps);
    interpreter.execute(&state, steps[0], &mut next, &mut message, &mut ());
    let before = next.clone();

    let mut taken: Vec<Step> = Vec::new();
    let mut covered = vec![false; interpreter.program().transitions.len()];
    interpreter.run_on(&mut next, 1000, &mut message, &mut taken, &mut covered);

    let (mut alone, mut then) = (before, Vec::new());
    for step in &taken {
        steps.clear();
        interpreter.enabled(&alone, &mut steps);
        assert_eq!(steps, [*step], "{source}");
        let outcome = interpreter.execute(&alone, *step, &mut then, &mut message, &mut ());
        assert!(outcome.complete && outcome.failure.is_none(), "{source}");
        std::mem::swap(&mut alone, &mut then);
    }
    assert_eq!(alone, next, "{source}");
    let holds = interpreter.controller(&next).is_some();
    steps.clear();
    interpreter.enabled(&next, &mut steps);
    (taken.len(), holds.then_some(steps.len()))
}

#[test]
fn to_the_end_of_the_sequence() {
    // The end of a selection is a step of its own.
    let source = "byte x, y; init { atomic { x = 1; if :: x == 1 -> y = 1 :: else fi; x = 3 } }";
    assert_eq!(run_on(source), (4, None));
}

#[test]
fn by_way_of_an_else() {
    for guard in ["x == 2", "x == 2 && y == 0"] {
        let source = format!(
            "byte x, y; init {{ atomic {{ x = 1; if :: {guard} -> y = 1 :: else -> y = 2 fi; x = 3 }} }}"
        );
        assert_eq!(run_on(&source), (4, None));
    }
}

#[test]
fn not_past_a_choice() {
    let source = "byte x, y; init { atomic { x = 1; x = 2; if :: y = 1 :: y = 2 fi; x = 3 } }";
    assert_eq!(run_on(source), (1, Some(2)));
}

#[test]
fn not_into_a_step_that_goes_wrong_half_way() {
    let source =
        "byte x, i = 5, a[2]; init { atomic { x = 1; x = 2; d_step { x = 3; a[i] = 1 } } }";
    assert_eq!(run_on(source), (1, Some(1)));
}
