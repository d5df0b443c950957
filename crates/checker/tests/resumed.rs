//! A search is resumed as what it was, or not at all.

use std::cell::RefCell;
use std::io;
use std::ops::ControlFlow;
use std::time::Instant;

use mazurka_checker::{
    Checker, Config, Error, Loaded, Order, Property, Reduction, Supervisor, Switch, Verdict,
};
use mazurka_model::Program;
use mazurka_search::Statistics;
use mazurka_search::checkpoint::{Sink, Source};

/// The assertion fails at once; what comes later takes long enough to be saved.
const MODEL: &str = "byte x, go, a, b;
    active proctype I() { if :: x = 1; assert(x == 2) :: x = 2 fi; go = 1 }
    active proctype A() { go == 1; do :: a < 200 -> a++ :: a > 0 -> a-- od }
    active proctype B() { go == 1; do :: b < 200 -> b++ :: b > 0 -> b-- od }";

/// Keeps a search in memory, and stops after it was kept.
#[derive(Default)]
struct Keeps {
    kept: RefCell<Vec<u8>>,
}

/// Resumes what was kept.
struct Resumes(Vec<u8>);

impl Supervisor for Resumes {
    fn resume(&mut self, _: &Loaded, _: &Program) -> Result<Option<Source>, String> {
        let length = self.0.len() as u64;
        let bytes = std::mem::take(&mut self.0);
        Ok(Some(Source::new(io::Cursor::new(bytes), length)))
    }
}

impl Supervisor for Keeps {
    fn progress(&mut self, _: &Statistics) -> ControlFlow<()> {
        match self.kept.borrow().is_empty() {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        }
    }

    fn checkpoint_due(&self) -> Option<Instant> {
        self.kept.borrow().is_empty().then(Instant::now)
    }

    fn checkpoint(&mut self, write: &mut dyn FnMut(&mut Sink<'_>) -> io::Result<()>) {
        let mut bytes = Vec::new();
        let mut sink = Sink::new(&mut bytes);
        write(&mut sink).unwrap();
        sink.finish().unwrap();
        *self.kept.borrow_mut() = bytes;
    }
}

fn config(property: Property) -> Config {
    Config {
        property,
        reduce: Reduction::None,
        checkpoint: true,
        jobs: Some(1),
        ..Config::default()
    }
}

/// A search that was stopped after it was kept.
fn stopped(config: &Config) -> Vec<u8> {
    let mut keeps = Keeps::default();
    let checker = Checker::from_source("model.pml", MODEL).unwrap();
    let outcome = checker.config(config.clone()).run_with(&mut keeps).unwrap();
    assert!(!outcome.holds());
    keeps.kept.into_inner()
}

fn resumed(config: Config, kept: &[u8]) -> Result<bool, Error> {
    let checker = Checker::from_source("model.pml", MODEL).unwrap();
    let outcome = checker
        .config(config)
        .run_with(&mut Resumes(kept.to_vec()))?;
    Ok(outcome.holds())
}

#[test]
fn a_search_for_deadlocks_is_not_resumed_as_one_for_assertions() {
    let kept = stopped(&config(Property::Deadlock));
    assert!(!kept.is_empty());
    assert!(resumed(config(Property::Deadlock), &kept).unwrap());
    for property in [Property::All, Property::Safety, Property::Assertion] {
        let refused = resumed(config(property), &kept).unwrap_err();
        assert!(refused.to_string().contains("`property` was"), "{refused}");
    }
}

#[test]
fn what_decides_about_a_search_stays_the_same() {
    let deadlock = config(Property::Deadlock);
    let kept = stopped(&deadlock);
    let others: [(&str, Config); 4] = [
        (
            "`reduce` was",
            Config {
                reduce: Reduction::Stubborn,
                ..deadlock.clone()
            },
        ),
        (
            "`search` was",
            Config {
                search: Order::BreadthFirst,
                ..deadlock.clone()
            },
        ),
        (
            "`depth` was",
            Config {
                depth: Some(10),
                ..deadlock.clone()
            },
        ),
        (
            "",
            Config {
                optimize: Switch::Off,
                ..deadlock.clone()
            },
        ),
    ];
    for (reason, other) in others {
        let refused = resumed(other, &kept).unwrap_err().to_string();
        assert!(
            refused.contains("cannot resume") && refused.contains(reason),
            "{refused}"
        );
    }
    // Limits may differ.
    let more = Config {
        memory: Some(1 << 30),
        ..deadlock
    };
    assert!(resumed(more, &kept).unwrap());
}

/// What was not followed before a search was saved is not forgotten when it is resumed.
#[test]
fn a_step_that_was_too_long_is_not_forgotten() {
    // Such a step takes long, so it is possible in the first state only.
    let model = "byte go, a, b; int i;
        active proctype I() { d_step { go == 0 -> do :: i < 20000000 -> i++ :: else -> break od } }
        active proctype G() { go = 1 }
        active proctype A() { go == 1; do :: a < 200 -> a++ :: a > 0 -> a-- od }
        active proctype B() { go == 1; do :: b < 200 -> b++ :: b > 0 -> b-- od }";
    let checker = Checker::from_source("model.pml", model).unwrap();
    let checker = checker.config(Config {
        audit: None,
        optimize: Switch::Off,
        ..config(Property::Safety)
    });
    let mut keeps = Keeps::default();
    let outcome = checker.run_with(&mut keeps).unwrap();
    assert_eq!(outcome.verdict(), Verdict::Inconclusive);
    let kept = keeps.kept.into_inner();
    assert!(!kept.is_empty(), "the search was over too soon");
    let outcome = checker.run_with(&mut Resumes(kept)).unwrap();
    assert_eq!(outcome.verdict(), Verdict::Inconclusive);
    let safety = outcome.safety().unwrap();
    assert!(safety.stopped_by.is_some(), "{outcome}");
}
