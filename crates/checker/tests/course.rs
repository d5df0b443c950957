//! Whoever looks on knows what is checked, what is still to come, and each verdict as soon as there is one.

use mazurka_checker::{Checker, Course, PropertyOutcome, Stage, Supervisor};

#[derive(Default)]
struct Notes(Vec<String>);

impl Supervisor for Notes {
    fn next(&mut self, course: &Course<'_>) {
        let later = course.later.join(", ");
        self.0.push(format!("now {}; later {later}", course.now));
    }

    fn begin(&mut self, stage: &Stage<'_>) {
        self.0.push(format!("search for {}", stage.property));
    }

    fn decided(&mut self, outcome: &PropertyOutcome) {
        let verdict = outcome.verdict.name();
        self.0.push(format!("{} {verdict}", outcome.name));
    }
}

fn notes(checker: Checker) -> Vec<String> {
    let mut notes = Notes::default();
    checker.jobs(1).run_with(&mut notes).unwrap();
    notes.0.dedup();
    notes.0
}

#[test]
fn each_verdict_is_told_before_the_next_property_is_searched() {
    let model = "byte x; active proctype P() { do :: x < 3 -> x++ :: x > 0 -> x-- od }\n\
                 ltl low { [] (x <= 2) }\nltl live { <> (x == 3) }";
    let checker = Checker::from_source("m.pml", model).unwrap();
    assert_eq!(
        notes(checker.clone()),
        [
            "now safety; later ltl low, ltl live",
            "search for safety",
            "safety holds",
            "now ltl low; later ltl live",
            "search for low",
            "low violated",
            "now ltl live; later ",
            "search for live",
            "live violated",
        ]
    );
    let one = checker.with(|config| config.claim = Some("live".into()));
    assert_eq!(
        notes(one),
        ["now ltl live; later ", "search for live", "live violated"]
    );
}
