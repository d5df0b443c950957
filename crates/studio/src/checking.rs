//! A check that the page has started: how far it is, what came of it, and how to stop it.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use mazurka_checker::{
    Checker, Config, ModelText, Outcome, PropertyKind, Stage, Supervisor, Verdict,
};
use mazurka_scenario::{StepRecord, ViolationRecord};
use mazurka_search::Statistics;
use serde::Serialize;

use crate::editing::trouble_of;
use crate::exploring::explore;
use crate::view::Trouble;

/// A plot has no more points; then every second one goes.
const POINTS: usize = 400;
/// The page learns of no more violations.
pub const MOST_VIOLATIONS: usize = 200;

/// The check of a session. The page asks for it while the session itself may be busy.
#[derive(Debug, Default)]
pub struct Checking {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    view: CheckView,
    found: Vec<Found>,
    stop: Arc<AtomicBool>,
    /// Which check it is: one that was forgotten may still be running.
    number: u64,
}

/// A violation that was found.
#[derive(Clone, Debug)]
pub struct Found {
    /// What goes wrong.
    pub record: ViolationRecord,
    /// The steps from the initial state.
    pub steps: Vec<mazurka_model::Step>,
    /// The number of steps before those that repeat.
    pub loop_from: Option<usize>,
    /// Of a real program, what happened in the steps. A model is simulated along them instead.
    pub records: Vec<StepRecord>,
}

/// What is checked.
pub enum Work {
    /// A model.
    Model(Box<ModelText>, Box<Config>),
    /// A real program, with its arguments.
    Program(Vec<String>, Box<mazurka_explore::Config>),
}

/// A check as the page shows it.
#[derive(Clone, Debug, Default, Serialize)]
pub struct CheckView {
    /// Is it under way?
    pub running: bool,
    /// The property that is being checked.
    pub property: Option<String>,
    /// What is counted: the states of a model, the executions of a program.
    pub counted: &'static str,
    /// Seconds, states or executions, bytes, depth: along the search.
    pub samples: Vec<[f64; 4]>,
    /// The verdict on everything.
    pub verdict: Option<Verdict>,
    /// What came of each property.
    pub properties: Vec<PropertyView>,
    /// The violations.
    pub violations: Vec<FoundView>,
    /// Why there is no outcome.
    pub trouble: Option<Trouble>,
    /// Lines of the model that hold statements which were never carried out.
    pub unreached: Vec<u32>,
}

/// What came of a property.
#[derive(Clone, Debug, Serialize)]
pub struct PropertyView {
    pub name: String,
    pub kind: PropertyKind,
    pub verdict: Verdict,
    pub vacuous: bool,
    /// What the verdict rests on: `sequential consistency`.
    pub under: Option<&'static str>,
    pub reason: Option<String>,
    pub notes: Vec<String>,
    /// Or executions.
    pub states: u64,
    pub transitions: u64,
    pub depth: u64,
    pub bytes: u64,
    pub seconds: f64,
    pub reduction: String,
}

/// A violation as the page lists it.
#[derive(Clone, Debug, Serialize)]
pub struct FoundView {
    property: String,
    kind: &'static str,
    message: String,
    line: Option<u32>,
    steps: usize,
    repeats: bool,
}

impl FoundView {
    fn of(found: &Found) -> FoundView {
        FoundView {
            property: found.record.property.clone(),
            kind: found.record.kind.name(),
            message: found.record.message.clone(),
            line: found.record.at.as_ref().map(|at| at.line),
            steps: found.steps.len(),
            repeats: found.loop_from.is_some(),
        }
    }
}

impl Checking {
    /// Starts a check, unless one is under way.
    pub fn start(self: &Arc<Self>, work: Work) -> Result<(), Trouble> {
        let mut state = self.lock();
        if state.view.running {
            return Err(Trouble::new("a check is under way"));
        }
        let number = state.number + 1;
        *state = State {
            number,
            ..State::default()
        };
        state.view.running = true;
        state.view.counted = match work {
            Work::Model(..) => "states",
            Work::Program(..) => "executions",
        };
        let stop = state.stop.clone();
        drop(state);
        let checking = self.clone();
        let work = move || checking.run(work, stop, number);
        let thread = std::thread::Builder::new().name("check".into());
        let started = thread.spawn(work);
        if let Err(error) = started {
            self.lock().view.running = false;
            return Err(Trouble::new(format!("cannot start the check: {error}")));
        }
        Ok(())
    }

    /// Stops the check; what it found so far is its outcome.
    pub fn stop(&self) {
        self.lock().stop.store(true, Ordering::Relaxed);
    }

    /// As the page shows it.
    pub fn view(&self) -> CheckView {
        self.lock().view.clone()
    }

    /// A violation that was found.
    pub fn violation(&self, number: usize) -> Option<Found> {
        self.lock().found.get(number).cloned()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, work: Work, stop: Arc<AtomicBool>, number: u64) {
        let mut watching = Watching {
            checking: self,
            stop,
            number,
            began: Instant::now(),
            last: None,
        };
        let outcome = catch_unwind(AssertUnwindSafe(|| match work {
            Work::Model(model, config) => {
                let outcome = Checker::of(*model).config(*config).run_with(&mut watching);
                outcome
                    .map(|outcome| Came::of(&outcome))
                    .map_err(trouble_of)
            }
            Work::Program(command, config) => explore(command, *config, &mut watching),
        }));
        self.end(number, outcome);
    }

    /// What came of a check, if that is still the one that is wanted. One that broke has no verdict, and another can be started.
    fn end(&self, number: u64, outcome: std::thread::Result<Result<Came, Trouble>>) {
        let broken = || Trouble::new("internal error: the check broke; the terminal says where");
        let outcome = outcome.unwrap_or_else(|_| Err(broken()));
        let mut state = self.lock();
        if state.number != number {
            return;
        }
        state.view.running = false;
        state.view.property = None;
        match outcome {
            Ok(came) => {
                state.view.verdict = Some(came.verdict);
                state.view.properties = came.properties;
                state.view.violations = came.found.iter().map(FoundView::of).collect();
                state.view.unreached = came.unreached;
                state.found = came.found;
            }
            Err(trouble) => state.view.trouble = Some(trouble),
        }
    }
}

impl Drop for Checking {
    fn drop(&mut self) {
        self.stop();
    }
}

/// What came of a check.
pub struct Came {
    pub verdict: Verdict,
    pub properties: Vec<PropertyView>,
    pub found: Vec<Found>,
    pub unreached: Vec<u32>,
}

impl Came {
    fn of(outcome: &Outcome) -> Came {
        let properties = outcome.properties.iter().map(|property| PropertyView {
            name: property.name.clone(),
            kind: property.kind,
            verdict: property.verdict,
            vacuous: property.vacuous,
            under: None,
            reason: property.reason.clone(),
            notes: property.notes.clone(),
            states: property.statistics.states,
            transitions: property.statistics.transitions(),
            depth: property.statistics.depth,
            bytes: property.statistics.store_bytes,
            seconds: property.statistics.elapsed.as_secs_f64(),
            reduction: format!("{:?}", property.reduction).to_lowercase(),
        });
        let found = outcome.violations().take(MOST_VIOLATIONS);
        let found = found.map(|violation| Found {
            record: violation.record.clone(),
            steps: violation.steps.clone(),
            loop_from: violation.loop_from,
            records: Vec::new(),
        });
        Came {
            verdict: outcome.verdict(),
            properties: properties.collect(),
            found: found.collect(),
            unreached: unreached(outcome),
        }
    }
}

/// The lines of the model itself on which nothing was ever reached.
fn unreached(outcome: &Outcome) -> Vec<u32> {
    let all = outcome.reached().unwrap_or_default();
    let files = outcome.model.sources.files();
    let name = files.first().map(|file| file.name());
    let own = all.iter().filter(|one| Some(one.at.file.as_str()) == name);
    let (met, never): (Vec<_>, Vec<_>) = own.partition(|one| one.met);
    let mut lines: Vec<u32> = never.iter().map(|one| one.at.line).collect();
    lines.retain(|line| met.iter().all(|one| one.at.line != *line));
    lines.dedup();
    lines
}

/// Tells the page how far the search is.
pub struct Watching<'a> {
    checking: &'a Checking,
    /// Becomes true when the page has had enough.
    pub stop: Arc<AtomicBool>,
    number: u64,
    began: Instant,
    last: Option<Instant>,
}

impl Supervisor for Watching<'_> {
    fn begin(&mut self, stage: &Stage<'_>) {
        let mut state = self.checking.lock();
        if state.number == self.number {
            state.view.property = Some(stage.property.into());
        }
    }

    fn progress(&mut self, statistics: &Statistics) -> ControlFlow<()> {
        let figures = [statistics.states, statistics.store_bytes, statistics.depth];
        self.look(figures.map(|figure| figure as f64))
    }

    fn stop(&self) -> Arc<AtomicBool> {
        self.stop.clone()
    }
}

impl mazurka_explore::Observer for Watching<'_> {
    fn progress(&mut self, statistics: &mazurka_explore::Statistics) -> ControlFlow<()> {
        let (executions, depth) = (statistics.executions, statistics.max_depth);
        self.look([executions as f64, 0.0, depth.into()])
    }
}

impl Watching<'_> {
    /// A point of the plots, if the last one is not too near: states or executions, bytes, depth.
    fn look(&mut self, [count, bytes, depth]: [f64; 3]) -> ControlFlow<()> {
        let pause = Duration::from_millis(50);
        if self.last.is_some_and(|last| last.elapsed() < pause) {
            return ControlFlow::Continue(());
        }
        self.last = Some(Instant::now());
        let mut state = self.checking.lock();
        if state.number != self.number {
            return ControlFlow::Break(());
        }
        let samples = &mut state.view.samples;
        samples.push([self.began.elapsed().as_secs_f64(), count, bytes, depth]);
        if samples.len() > POINTS {
            let mut number = 0;
            samples.retain(|_| {
                number += 1;
                number % 2 == 0
            });
        }
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Checking, State};

    #[test]
    fn a_check_that_breaks_has_no_verdict_and_is_over() {
        let checking = Checking::default();
        *checking.lock() = State {
            number: 1,
            ..State::default()
        };
        checking.lock().view.running = true;
        checking.end(1, Err(Box::new("a panic")));
        let view = checking.view();
        assert!(!view.running && view.verdict.is_none() && view.properties.is_empty());
        assert!(view.trouble.unwrap().error.starts_with("internal error"));
    }
}
