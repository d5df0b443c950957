//! What the full graph and the simultaneous graph of a program contain. Each test uses a part of it.
#![allow(dead_code)]

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use mazurka_model::{Failure, Interpreter, Step};
use mazurka_reduce::{SetsFirst, Simultaneous};
use mazurka_search::{Options, Outcome, Report, StopReason, System, breadth_first, depth_first};

/// What a search came across.
#[derive(Clone, Debug)]
pub struct Found {
    pub stop: StopReason,
    pub states: u64,
    /// States in which nothing is possible and the system may not end.
    pub stuck: BTreeSet<Vec<u8>>,
    /// Which transition failed, and how.
    pub failures: BTreeSet<String>,
    /// Which transitions were carried out.
    pub covered: Vec<bool>,
}

/// Searches the full graph; only what fits into a little memory is complete.
pub fn full(interpreter: &Interpreter) -> Found {
    let recorder = Recorder::new(interpreter);
    let interrupt = AtomicBool::new(false);
    let options = options(&interrupt, true, 16 << 20);
    let report = depth_first(&recorder, &mut (), &options, &mut ());
    recorder.found(report)
}

/// Searches the simultaneous graph, and replays what it found. None if the analysis does not allow
/// for the program.
pub fn simultaneous(
    interpreter: &Interpreter,
    refined: bool,
    breadth: bool,
    proviso: bool,
) -> Option<Found> {
    let recorder = Recorder::new(interpreter);
    let system = Simultaneous::new(&recorder, interpreter, refined).ok()?;
    let interrupt = AtomicBool::new(false);
    let options = options(&interrupt, proviso, 1 << 30);
    let report = if breadth {
        breadth_first(&system, &mut SetsFirst, &options, &mut ())
    } else {
        depth_first(&system, &mut SetsFirst, &options, &mut ())
    };
    for violation in &report.violations {
        replay(interpreter, &system.unfold(&violation.steps));
    }
    Some(recorder.found(report))
}

/// Each step must be possible where it is taken.
fn replay(interpreter: &Interpreter, steps: &[Step]) {
    let (mut state, mut next, mut message) = (Vec::new(), Vec::new(), Vec::new());
    if interpreter.initial(&mut state, &mut ()).is_err() {
        return;
    }
    for (number, step) in steps.iter().enumerate() {
        let mut possible = Vec::new();
        if !interpreter.enabled(&state, &mut possible) && interpreter.controller(&state).is_some() {
            interpreter.release(&mut state);
            possible.clear();
            interpreter.enabled(&state, &mut possible);
        }
        assert!(
            possible.contains(step),
            "step {number} of {} is not possible",
            steps.len()
        );
        interpreter.execute(&state, *step, &mut next, &mut message, &mut ());
        std::mem::swap(&mut state, &mut next);
    }
}

fn options(interrupt: &AtomicBool, proviso: bool, memory: u64) -> Options<'_> {
    Options {
        deadlock: true,
        failures: true,
        proviso,
        all: true,
        depth: Some(100_000),
        memory,
        deadline: None,
        alone: 0,
        interrupt,
    }
}

/// A system that remembers in which states it got stuck and what failed.
struct Recorder<'a> {
    interpreter: &'a Interpreter,
    stuck: Mutex<BTreeSet<Vec<u8>>>,
    failures: Mutex<BTreeSet<String>>,
}

impl<'a> Recorder<'a> {
    fn new(interpreter: &'a Interpreter) -> Recorder<'a> {
        Recorder {
            interpreter,
            stuck: Mutex::default(),
            failures: Mutex::default(),
        }
    }

    fn found<Y: System>(&self, report: Report<Y>) -> Found {
        Found {
            stop: report.stop,
            states: report.statistics.states,
            stuck: std::mem::take(&mut self.stuck.lock().unwrap()),
            failures: std::mem::take(&mut self.failures.lock().unwrap()),
            covered: report.covered,
        }
    }
}

impl System for Recorder<'_> {
    type Step = Step;
    type Failure = Failure;
    type Scratch = Vec<i32>;

    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Failure> {
        System::initial(self.interpreter, state)
    }

    fn enabled(&self, state: &[u8], steps: &mut Vec<Step>) -> bool {
        self.interpreter.enabled(state, steps)
    }

    fn execute(
        &self,
        scratch: &mut Vec<i32>,
        state: &[u8],
        step: Step,
        next: &mut Vec<u8>,
    ) -> Outcome<Failure> {
        let outcome = System::execute(self.interpreter, scratch, state, step, next);
        if let Some(failure) = outcome.failure {
            let process = step.process;
            let statement =
                self.interpreter.program().transitions[step.transition.index()].statement;
            let text = format!("{process} {statement} {failure:?}");
            self.failures.lock().unwrap().insert(text);
        }
        outcome
    }

    fn is_passing(&self, state: &[u8]) -> bool {
        self.interpreter.is_passing(state)
    }

    fn settle(&self, state: &mut [u8]) {
        self.interpreter.settle(state);
    }

    fn ignored_suffix(&self) -> usize {
        self.interpreter.ignored_suffix()
    }

    fn is_valid_end(&self, state: &[u8]) -> bool {
        let valid = System::is_valid_end(self.interpreter, state);
        if !valid {
            let identity = self.interpreter.identity(state).to_vec();
            self.stuck.lock().unwrap().insert(identity);
        }
        valid
    }

    fn transitions(&self) -> usize {
        self.interpreter.transitions()
    }

    fn cover(&self, state: &[u8], step: Step, covered: &mut [bool]) {
        self.interpreter.cover(state, step, covered);
    }
}
