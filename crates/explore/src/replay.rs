//! One execution again, and a shorter one that shows the same.

use mazurka_runtime::{Ending, Order, Planned, STEPS};
use mazurka_scenario::ViolationKind;

use crate::engine::{Engine, EngineError};
use crate::options::{Judgement, Options, Reduction, StopReason, Strategy, Violation};
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
) -> Result<Result<Vec<Violation>, u32>, EngineError> {
    let kernel = engine.kernel();
    kernel.forget_numbers();
    let length = schedule.len().min(STEPS);
    for (planned, &(actor, choice)) in kernel.schedule.iter_mut().zip(schedule) {
        *planned = Planned::new(actor.into(), choice);
    }
    kernel.planned = length as u32;
    kernel.depth = if judgement.livelock { length as u32 } else { 0 };
    kernel.policy.sleep = 0;
    kernel.policy.order = Order::STEADY;
    kernel.stop_at_failure = 1;
    engine.run()?;
    let kernel = engine.kernel();
    if kernel.ending == Ending::MISMATCH {
        return Ok(Err(kernel.length));
    }
    Ok(Ok(judge(kernel, judgement)))
}

/// Looks for an execution with a violation of the same kind, with the fewest preemptions and then
/// the fewest steps, with some effort.
pub fn shorten<E: Engine>(engine: &mut E, options: &Options, violation: Violation) -> Violation {
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
fn preemptions<E: Engine>(engine: &mut E, violation: &Violation) -> Option<u32> {
    replay(engine, &violation.schedule, &Judgement::default())
        .ok()?
        .ok()?;
    let trace = engine.kernel().trace();
    let switches = trace
        .windows(2)
        .filter(|pair| pair[0].actor != pair[1].actor && pair[1].enabled >> pair[0].actor & 1 == 1);
    Some(switches.count() as u32)
}
