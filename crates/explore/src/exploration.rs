//! An exploration, from a config to its outcome, whichever way the program is run.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use mazurka_scenario::{Model, Refusal, ViolationKind};

use crate::account::{account, record_of, scenario};
use crate::checkpoint::Checkpoint;
use crate::config::Config;
use crate::engine::{Engine, EngineError};
use crate::options::{Finding, Judgement, Options, Reduction, Report, StopReason};
use crate::outcome::{Outcome, Violation};
use crate::parallel::{explore_in_parallel, go_on_in_parallel};
use crate::plan::{Plan, WHERE_UNSEEN, loses_by_choices};
use crate::replay::{replay, shorten};
use crate::search::{Observer, explore, explore_deeper_and_deeper, go_on};

/// How long a shorter execution is looked for.
const SHORTENING: Duration = Duration::from_secs(5);

/// Knows how to run a program: makes engines.
pub trait Launcher: Sync {
    /// What runs it.
    type Engine: Engine;

    /// An engine for a search; the number tells which of several it is.
    fn launch(&self, number: Option<usize>) -> Result<Self::Engine, EngineError>;

    /// An engine to repeat what was found, also after the user has had enough.
    fn relaunch(&self) -> Result<Self::Engine, EngineError> {
        self.launch(None)
    }

    /// Adds to a scenario what its steps depend on besides the program.
    fn complete(&self, _model: &mut Model) {}

    /// What there is to say about how the executions of all engines so far were run.
    fn notes(&self) -> Vec<String> {
        Vec::new()
    }

    /// What a verdict rests on where a loop was taken to wait, if its state is not known in full.
    fn about_waiting_loops(&self) -> Option<&'static str> {
        None
    }

    /// The program and its arguments, as scenarios name them.
    fn command(&self) -> Vec<String> {
        Vec::new()
    }
}

/// Why there is no outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// What is asked for is not sound together.
    Refused(Refusal),
    /// The program cannot be run.
    Engine(EngineError),
    /// What was saved is not of this search.
    Checkpoint(String),
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Refused(refusal) => write!(out, "{refusal}"),
            Error::Engine(error) => write!(out, "{error}"),
            Error::Checkpoint(reason) => out.write_str(reason),
        }
    }
}

impl std::error::Error for Error {}

impl From<EngineError> for Error {
    fn from(error: EngineError) -> Error {
        Error::Engine(error)
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Error {
        Error::Refused(refusal)
    }
}

/// Explores a program, from the beginning or from where the search was saved, and repeats what is found.
pub fn run<L: Launcher>(
    launcher: &L,
    config: &Config,
    saved: Option<&Checkpoint>,
    interrupt: Option<Arc<AtomicBool>>,
    observer: &mut dyn Observer,
) -> Result<Outcome, Error> {
    let plan = Plan::new(config, interrupt)?;
    if let Some(saved) = saved {
        saved.check(&plan.options).map_err(Error::Checkpoint)?;
    }
    let began = Instant::now();
    let mut report = search(launcher, &plan, saved, observer)?;
    while report.reason == StopReason::Changed {
        let mut rest = plan.clone();
        rest.options.time = config.time.map(|time| time.saturating_sub(began.elapsed()));
        report = search(launcher, &rest, None, observer)?;
    }
    let mut unseen = None;
    if let (true, Reduction::Dpor, StopReason::Nondeterminism(_)) =
        (config.preload, plan.options.reduction, &report.reason)
    {
        let mut rest = plan.clone();
        rest.options.time = config.time.map(|time| time.saturating_sub(began.elapsed()));
        rest.options.reduction = WHERE_UNSEEN;
        report = search(launcher, &rest, None, observer)?;
        unseen = Some(
            "what its threads do depends on memory that is not seen, so the search began anew with --reduce none",
        );
    }
    let elapsed = began.elapsed();
    if let StopReason::Engine(reason) = report.reason {
        return Err(Error::Engine(EngineError(reason)));
    }
    let mut outcome = Outcome {
        stop: report.reason,
        statistics: report.statistics,
        violations: Vec::new(),
        notes: launcher.notes(),
        elapsed,
    };
    outcome.notes.extend(unseen.map(String::from));
    if let (true, Some(note)) = (
        outcome.statistics.waiting_loops,
        launcher.about_waiting_loops(),
    ) {
        outcome.notes.push(note.into());
        if config.strict && outcome.stop == StopReason::Complete {
            outcome.stop = StopReason::Uncontrolled(note.into());
        }
    }
    let options = &plan.options;
    if outcome.statistics.choices && loses_by_choices(options.reduction, options.dependency) {
        outcome.notes.push(
            "a step can end in several ways, so with --dependency refined the search began anew with --reduce sleep"
                .into(),
        );
    }
    if let told @ 1.. = outcome.statistics.states {
        outcome.notes.push(format!(
            "the program told {told} states of itself; where it came to one of them again, the rest was not explored anew"
        ));
    }
    let reason = outcome.reason();
    outcome.notes.retain(|note| Some(note) != reason.as_ref());
    confirm(launcher, &plan.options, report.violations, &mut outcome)?;
    if config.strict && outcome.is_under_sequential_consistency() {
        outcome.stop = StopReason::WeakOrders;
    }
    Ok(outcome)
}

/// The search that the plan names.
fn search<L: Launcher>(
    launcher: &L,
    plan: &Plan,
    saved: Option<&Checkpoint>,
    observer: &mut dyn Observer,
) -> Result<Report, Error> {
    let (options, jobs) = (&plan.options, plan.jobs);
    if jobs > 1 || saved.is_some_and(Checkpoint::is_shared) {
        let make = |number: usize| launcher.launch(Some(number));
        // What cannot be run at all is told before there are several of it.
        make(0)?;
        return Ok(match saved {
            Some(saved) => go_on_in_parallel(make, options, jobs, observer, saved),
            None => explore_in_parallel(make, options, jobs, observer),
        });
    }
    let engine = &mut launcher.launch(None)?;
    Ok(match (saved, plan.deepen) {
        (Some(saved), _) => go_on(engine, options, observer, saved),
        (None, Some(steps)) => explore_deeper_and_deeper(engine, options, steps, observer),
        (None, None) => explore(engine, options, observer),
    })
}

/// Shortens the first violation and repeats each. One that does not repeat is a sign of a program that does not either.
fn confirm<L: Launcher>(
    launcher: &L,
    options: &Options,
    found: Vec<Finding>,
    outcome: &mut Outcome,
) -> Result<(), Error> {
    if found.is_empty() {
        return Ok(());
    }
    let mut engine = launcher.relaunch()?;
    let command = launcher.command();
    for (index, mut finding) in found.into_iter().enumerate() {
        // Each try would take as long as the divergence itself.
        if finding.kind != ViolationKind::Divergence && index == 0 {
            let options = Options {
                time: Some(SHORTENING),
                interrupt: None,
                ..options.clone()
            };
            let shorter = shorten(&mut engine, &options, finding.clone());
            // Where all are asked for, one must not be lost for another of its kind.
            if !options.all || shorter.message == finding.message {
                finding = shorter;
            }
        }
        let judgement = Judgement {
            livelock: finding.kind == ViolationKind::Livelock,
            ..options.judgement
        };
        let again = match replay(&mut engine, &finding.schedule, &judgement)? {
            Err(step) => {
                outcome.stop = StopReason::Nondeterminism(step);
                continue;
            }
            Ok(shown) => same(shown, &finding),
        };
        let Some(again) = again else {
            outcome.stop = StopReason::Nondeterminism(finding.schedule.len() as u32);
            continue;
        };
        let kernel = engine.kernel();
        let mut run = account(kernel);
        run.steps.truncate(again.schedule.len());
        let mut scenario = scenario(kernel, &again, &command);
        launcher.complete(&mut scenario.model);
        outcome.violations.push(Violation {
            record: record_of(&again),
            scenario,
            schedule: again.schedule,
            run,
        });
    }
    Ok(())
}

/// The violation among those shown that was found: one of the same kind, and if possible with the same message.
fn same(shown: Vec<Finding>, found: &Finding) -> Option<Finding> {
    let of_kind = shown.into_iter().filter(|other| other.kind == found.kind);
    // The greatest comes last: that with the same message.
    of_kind.max_by_key(|other| other.message == found.message)
}
