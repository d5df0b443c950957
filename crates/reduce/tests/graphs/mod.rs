//! What the full graph and the simultaneous graph of a program contain. Each test uses a part of it.
#![allow(dead_code)]

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;

use mazurka_model::{Failure, Interpreter, Step};
use mazurka_reduce::{SetsFirst, Simultaneous, StepSet};
use mazurka_search::{
    Options, Outcome, Over, Reduction, Report, StopReason, System, breadth_first, depth_first,
};

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
    let recorder = Recorder::new(interpreter, interpreter, Some);
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
    let system = Simultaneous::new(interpreter, interpreter, refined).ok()?;
    // What the search is told counts, not what the analysis comes across when it tries steps.
    let recorder = Recorder::new(&system, interpreter, StepSet::single);
    let interrupt = AtomicBool::new(false);
    let options = options(&interrupt, proviso, 1 << 30);
    let report = if breadth {
        breadth_first(&recorder, &mut Sets, &options, &mut ())
    } else {
        depth_first(&recorder, &mut Sets, &options, &mut ())
    };
    for violation in &report.violations {
        replay(interpreter, &system.unfold(&violation.steps));
    }
    Some(recorder.found(report))
}

/// [`SetsFirst`] of a system that is recorded.
struct Sets;

impl<'i> Reduction<Recorder<'_, Simultaneous<'i, Interpreter>>> for Sets {
    fn select(
        &mut self,
        recorder: &Recorder<'_, Simultaneous<'i, Interpreter>>,
        state: &[u8],
        steps: &mut [StepSet],
    ) -> usize {
        SetsFirst.select(recorder.system, state, steps)
    }
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
struct Recorder<'a, Y: System> {
    system: &'a Y,
    interpreter: &'a Interpreter,
    /// The step of the program that a step of the system is, if it is one.
    single: fn(Y::Step) -> Option<Step>,
    stuck: Mutex<BTreeSet<Vec<u8>>>,
    failures: Mutex<BTreeSet<String>>,
}

impl<'a, Y: System<Failure = Failure>> Recorder<'a, Y> {
    fn new(
        system: &'a Y,
        interpreter: &'a Interpreter,
        single: fn(Y::Step) -> Option<Step>,
    ) -> Recorder<'a, Y> {
        Recorder {
            system,
            interpreter,
            single,
            stuck: Mutex::default(),
            failures: Mutex::default(),
        }
    }

    fn found(&self, report: Report<Recorder<'a, Y>>) -> Found {
        Found {
            stop: report.stop,
            states: report.statistics.states,
            stuck: std::mem::take(&mut self.stuck.lock().unwrap()),
            failures: std::mem::take(&mut self.failures.lock().unwrap()),
            covered: report.covered,
        }
    }
}

impl<Y: System<Failure = Failure>> Over for Recorder<'_, Y> {
    type Beneath = Y;

    fn beneath(&self) -> &Y {
        self.system
    }

    fn taken(
        &self,
        _: &[u8],
        step: Y::Step,
        _: &[u8],
        outcome: Outcome<Failure>,
    ) -> Outcome<Failure> {
        if let Some(failure) = outcome.failure {
            let step = (self.single)(step).expect("a set does not fail");
            let process = step.process;
            let statement =
                self.interpreter.program().transitions[step.transition.index()].statement;
            let text = format!("{process} {statement} {failure:?}");
            self.failures.lock().unwrap().insert(text);
        }
        outcome
    }

    fn ended(&self, state: &[u8], is_valid: bool) -> bool {
        if !is_valid {
            let identity = self.interpreter.identity(state).to_vec();
            self.stuck.lock().unwrap().insert(identity);
        }
        is_valid
    }
}
