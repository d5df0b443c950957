//! One execution again, and a shorter one that shows the same.

use mazurka_runtime::{Ending, Order, Planned, STEPS};
use mazurka_scenario::{Run, Scenario, ViolationKind, ViolationRecord};

use crate::account::{account, record_of, schedule_of};
use crate::engine::{Engine, EngineError};
use crate::options::{Finding, Judgement, LeftBehind, Options, Reduction, StopReason, Strategy};
use crate::search::explore;
use crate::violation::judge;

/// How many executions are tried for each bound on preemptions when looking for a shorter one.
const EFFORT: u64 = 2_000;

/// Repeats one execution; the kernel of the engine shows it afterwards. Gives the violations that
/// it shows, or the step, counted from 0, at which the program did something else.
pub fn replay<E: Engine>(
    engine: &mut E,
    schedule: &[(u8, u32)],
    judgement: &Judgement,
) -> Result<Result<Vec<Finding>, u32>, EngineError> {
    let kernel = engine.kernel();
    kernel.forget_numbers();
    let length = schedule.len().min(STEPS);
    for (planned, &(actor, choice)) in kernel.schedule.iter_mut().zip(schedule) {
        *planned = Planned::new(actor.into(), choice);
    }
    kernel.planned = length as u32;
    // The execution ends with its last step, whatever fails before: a search for all violations goes on after a failure.
    kernel.depth = length as u32;
    kernel.policy.sleep = if length == 0 { u64::MAX } else { 0 };
    kernel.policy.sleep_from = 0;
    kernel.policy.order = Order::STEADY;
    kernel.stop_at_failure = 0;
    engine.run()?;
    let kernel = engine.kernel();
    if kernel.ending == Ending::MISMATCH {
        return Ok(Err(kernel.length));
    }
    let found = judge(kernel, judgement);
    // An execution that ends before its schedule, and shows nothing, is another one.
    if found.is_empty() && (kernel.length as usize) < schedule.len() {
        return Ok(Err(kernel.length));
    }
    Ok(Ok(found))
}

/// What came of repeating a scenario.
#[derive(Clone, Debug)]
pub struct Repeated {
    /// What the program did.
    pub run: Run,
    /// The violation that the scenario names, if the program shows it again.
    pub violation: Option<ViolationRecord>,
    /// The first step that is not as the scenario tells it, in words.
    pub difference: Option<String>,
}

/// Repeats a scenario of a real program.
pub fn repeat<E: Engine>(engine: &mut E, scenario: &Scenario) -> Result<Repeated, EngineError> {
    let schedule = schedule_of(scenario)
        .ok_or_else(|| EngineError("the scenario has too many actors".into()))?;
    let is_left_behind = scenario.kind() == Some(ViolationKind::LeftBehind);
    let judgement = Judgement {
        livelock: scenario.kind() == Some(ViolationKind::Livelock),
        left_behind: LeftBehind {
            locks: is_left_behind,
            messages: is_left_behind,
        },
    };
    let shown = replay(engine, &schedule, &judgement)?.unwrap_or_default();
    let shown = shown
        .iter()
        .find(|shown| Some(shown.kind) == scenario.kind());
    let mut run = account(engine.kernel());
    run.steps.truncate(scenario.steps.len());
    Ok(Repeated {
        difference: difference(scenario, &run),
        violation: shown.map(record_of),
        run,
    })
}

/// The first step that is not as the scenario tells it.
fn difference(scenario: &Scenario, run: &Run) -> Option<String> {
    for (index, told) in scenario.steps.iter().enumerate() {
        let number = index + 1;
        let Some(done) = run.steps.get(index) else {
            let what = told.statement.as_deref().unwrap_or("a step");
            return Some(format!("step {number} is missing: {what}"));
        };
        let is_same = done.process == told.process
            && (told.statement.as_ref()).is_none_or(|what| *what == done.statement);
        if !is_same {
            let what = told.statement.as_deref().unwrap_or("something else");
            return Some(format!(
                "step {number} was `{what}` and is `{}`",
                done.statement
            ));
        }
    }
    None
}

/// Looks for an execution with a violation of the same kind, with the fewest preemptions and then
/// the fewest steps, with some effort.
pub fn shorten<E: Engine>(engine: &mut E, options: &Options, violation: Finding) -> Finding {
    if violation.kind == ViolationKind::Livelock {
        return violation;
    }
    let Some(most) = preemptions(engine, &violation) else {
        return violation;
    };
    let mut best = violation;
    for bound in 0..=most {
        let mut found = false;
        // Each time shorter than the best so far, until there is none.
        loop {
            let options = Options {
                strategy: Strategy::Exhaustive,
                reduction: Reduction::None,
                preemptions: Some(bound),
                depth: Some(best.schedule.len() as u32 - u32::from(found)),
                judgement: Judgement {
                    livelock: false,
                    ..options.judgement
                },
                all: false,
                executions: Some(EFFORT),
                ..options.clone()
            };
            let report = explore(engine, &options, &mut ());
            let shorter = (report.violations.into_iter()).find(|other| other.kind == best.kind);
            match shorter.filter(|_| report.reason == StopReason::Violation) {
                Some(shorter) if !found || shorter.schedule.len() < best.schedule.len() => {
                    best = shorter;
                    found = true;
                }
                _ => break,
            }
            if best.schedule.len() < 2 {
                break;
            }
        }
        if found {
            break;
        }
    }
    best
}

/// How often an actor that could go on is interrupted.
fn preemptions<E: Engine>(engine: &mut E, violation: &Finding) -> Option<u32> {
    replay(engine, &violation.schedule, &Judgement::default())
        .ok()?
        .ok()?;
    let trace = engine.kernel().trace();
    let switches = trace
        .windows(2)
        .filter(|pair| pair[0].actor != pair[1].actor && pair[1].enabled >> pair[0].actor & 1 == 1);
    Some(switches.count() as u32)
}
