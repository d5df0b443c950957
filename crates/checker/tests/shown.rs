//! What is shown of what was found: short scenarios, each once, and a verdict for each property.

use std::time::Duration;

use mazurka_checker::{Checker, Order, Verdict};
use mazurka_search::StopReason;

fn checker(model: &str) -> Checker {
    Checker::from_source("m.pml", model).unwrap().jobs(1)
}

/// A depth-first search goes far before it comes to a cycle, and there is one at the beginning.
#[test]
fn the_nearest_cycle_is_shown() {
    let model = "byte x; bit y, done;
        active proctype P() { do :: x < 40 -> x++ :: x == 40 -> y = 1 - y :: y == 0 -> skip od }
        ltl ends { <> done }";
    for order in [Order::DepthFirst, Order::BreadthFirst] {
        let outcome = checker(model).search(order).run().unwrap();
        let violation = outcome.violations().next().unwrap();
        assert!(violation.steps_found >= violation.steps.len());
        assert_eq!(violation.steps.len(), 2, "{order} {violation}");
        assert_eq!(violation.loop_from, Some(0));
    }
}

/// Where the system stops, to stay there is no step.
#[test]
fn the_nearest_end_is_shown() {
    let model = "byte x; bit done;
        active proctype P() { do :: x < 40 -> x++ :: x % 3 == 2 -> break :: x == 40 -> break od }
        ltl ends { <> done }";
    let outcome = checker(model).run().unwrap();
    let violation = outcome.violations().next().unwrap();
    assert_eq!(violation.steps.len(), 6, "{violation}");
    assert_eq!(violation.loop_from, Some(6));
}

#[test]
fn of_all_violations_each_is_there_once() {
    let model = "byte x; bool p;
        active proctype A() { do :: x < 5 -> x++ :: x > 0 -> x-- od }
        active proctype B() { do :: x == 4 -> assert(x != 4) :: x == 2 -> skip od }
        ltl two { <> p }";
    let outcome = checker(model).with(|config| config.all = true).run();
    let outcome = outcome.unwrap();
    let met: u64 = (outcome.properties.iter())
        .map(|property| property.statistics.violations)
        .sum();
    let shown: Vec<_> = outcome
        .violations()
        .map(|known| (known.kind(), known.loop_from, &known.steps))
        .collect();
    assert!((shown.len() as u64) < met, "{} of {met}", shown.len());
    for (number, one) in shown.iter().enumerate() {
        assert!(!shown[..number].contains(one), "{one:?}");
    }
}

/// That there is no acceptance cycle where nothing is marked says little, and is said.
#[test]
fn a_model_without_marks_of_acceptance_is_told_so() {
    let run = |label: &str| {
        let model = format!("byte x; active proctype P() {{ {label} x = 1; x = 2 }}");
        let config = mazurka_checker::Config {
            acceptance: true,
            ..Default::default()
        };
        let outcome = Checker::from_source("m.pml", model)
            .unwrap()
            .config(config)
            .run();
        let property = outcome.unwrap().properties.remove(0);
        assert_eq!(property.verdict, Verdict::Holds);
        property.notes.join("; ")
    };
    assert!(run("").contains("nothing in the model is marked accept"));
    assert_eq!(run("accept:"), "");
}

/// A search that needs all the time there is leaves some for the others.
#[test]
fn properties_share_the_time() {
    let model = "int x; active proctype P() { do :: x++ od }
        ltl wrong { [] (x < 3) }
        ltl open { [] (x != -77) }";
    let outcome = checker(model).time(Duration::from_millis(900)).run();
    let outcome = outcome.unwrap();
    let [safety, wrong, open] = &outcome.properties[..] else {
        panic!("{outcome}");
    };
    assert_eq!(safety.verdict, Verdict::Inconclusive);
    assert_eq!(wrong.verdict, Verdict::Violated, "{outcome}");
    assert_eq!(open.verdict, Verdict::Inconclusive);
    let reason = safety.reason.as_deref();
    let shared = "out of time: the limit is 0.9 s, and 3 properties share what is left of it";
    assert_eq!((safety.stop, reason), (StopReason::Time, Some(shared)));
    // The last one has what is left to itself.
    let reason = open.reason.as_deref();
    assert_eq!(reason, Some("out of time: the limit is 0.9 s"));
}
