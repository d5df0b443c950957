//! What flat code does in a step is what the definition does: assignments, sums and branches on variables of every width.

mod support;

use std::collections::{HashSet, VecDeque};

use mazurka_model::{Event, Failure, Interpreter, Step};

/// At most this many states are looked at.
const STATES: usize = 20_000;

#[test]
fn moves_are_what_the_definition_says() {
    let interpreter = Interpreter::new(support::program(
        "bit a; byte b; short c; int d; unsigned e : 3; unsigned f : 12; unsigned g : 20;
         byte table[3]; int wide[2]; short middle[2]; byte index;
         active proctype common() {
            do
            :: a++; b--; c = c - 30000; d = d + 2000000000; e++; f = f + 4000; g = g - 7
            :: c < 0 -> c++
            :: else -> c--
            :: d_step {
                index = 0;
                do
                :: index < 3 -> table[index] = table[index] + index; index++
                :: else -> break
                od;
                if :: table[1] > 1 -> wide[1] = wide[1] - table[2] * 1000 :: else -> middle[e % 2]-- fi;
                index = 0
               }
            od
         }
         active proctype own() {
            bit a; byte b; short c; int d; unsigned e : 3; unsigned f : 12; unsigned g : 20; byte i;
            do
            :: atomic { a++; b = b - 100; c = c + 30000; d = d - 2000000000; e--; f--; g = g + 500000 }
            :: atomic {
                i = 0;
                do
                :: i < 2 ->
                    if :: middle[i] < 0 || wide[i] != 0 -> middle[i]++ :: else -> skip fi;
                    i++
                :: else -> break
                od;
                i = 0;
                if :: d > c && !(f == 4095) -> b = c :: else -> c = b * e fi
               }
            od
         }",
    ));
    let mut met = HashSet::new();
    let mut initial = Vec::new();
    interpreter.initial(&mut initial, &mut ()).unwrap();
    let mut waiting = VecDeque::from([initial]);
    let mut ran = 0;
    while let Some(state) = waiting.pop_front() {
        if met.len() == STATES || !met.insert(state.clone()) {
            continue;
        }
        ran += usize::from(run_on_as_defined(&interpreter, &state));
        let mut steps = Vec::new();
        interpreter.enabled(&state, &mut steps);
        for step in steps {
            let (mut quick, mut defined) = (Vec::new(), Vec::new());
            let outcome = interpreter.execute(&state, step, &mut quick, &mut Vec::new(), &mut ());
            let expected = define(&interpreter, &state, step, &mut defined);
            assert_eq!(outcome.failure, expected, "{step:?}");
            assert_eq!(quick, defined, "{step:?}");
            if outcome.complete {
                waiting.push_back(quick);
            }
        }
    }
    assert_eq!(met.len(), STATES);
    assert!(ran > 1_000, "{ran}");
}

/// Whoever watches a step sees it carried out by the definition.
fn define(
    interpreter: &Interpreter,
    state: &[u8],
    step: Step,
    next: &mut Vec<u8>,
) -> Option<Failure> {
    let mut watching: Vec<Event> = Vec::new();
    let outcome = interpreter.execute(state, step, next, &mut Vec::new(), &mut watching);
    outcome.failure
}

/// Running on inside a sequence takes steps that are the only ones, and ends where the definition ends.
fn run_on_as_defined(interpreter: &Interpreter, state: &[u8]) -> bool {
    let mut ended = state.to_vec();
    let mut taken = Vec::new();
    let mut covered = vec![false; interpreter.program().transitions.len()];
    interpreter.run_on(&mut ended, 7, &mut Vec::new(), &mut taken, &mut covered);
    assert!(taken.len() <= 7);
    let (mut now, mut next) = (state.to_vec(), Vec::new());
    for step in &taken {
        let mut steps = Vec::new();
        interpreter.enabled(&now, &mut steps);
        assert_eq!(steps, [*step]);
        assert_eq!(define(interpreter, &now, *step, &mut next), None);
        assert!(covered[step.transition.index()]);
        std::mem::swap(&mut now, &mut next);
    }
    assert_eq!(now, ended);
    !taken.is_empty()
}
