//! The check of a real program: an exploration of its executions, for the page.

use mazurka_explore::Config;

use crate::checking::{Came, Watching};
use crate::view::Trouble;

/// Explores a program, given with its arguments, until everything is explored or the page has had enough.
#[cfg(target_os = "linux")]
pub fn explore(
    command: Vec<String>,
    config: Config,
    watching: &mut Watching<'_>,
) -> Result<Came, Trouble> {
    let explorer = mazurka_processes::Explorer::new(command)
        .interrupt(watching.stop.clone())
        .config(config.clone());
    let outcome = explorer.run_with(None, watching);
    let outcome = outcome.map_err(|error| Trouble::new(error.to_string()))?;
    Ok(came_of(&outcome, &config))
}

#[cfg(not(target_os = "linux"))]
pub fn explore(_: Vec<String>, _: Config, _: &mut Watching<'_>) -> Result<Came, Trouble> {
    Err(Trouble::new("real programs run on Linux only"))
}

#[cfg(target_os = "linux")]
fn came_of(outcome: &mazurka_explore::Outcome, config: &Config) -> Came {
    use mazurka_explore::Plan;
    use mazurka_scenario::PropertyKind;

    use crate::checking::{Found, MOST_VIOLATIONS, PropertyView};
    use crate::program::step_of;

    let statistics = &outcome.statistics;
    let mut notes = outcome.notes.clone();
    let is_under = outcome.is_under_sequential_consistency();
    if is_under {
        notes.push("It uses weaker memory orders, which were not explored.".into());
    }
    let used = Plan::new(config, None).map(|plan| plan.options);
    let found = outcome.violations.iter().take(MOST_VIOLATIONS);
    Came {
        verdict: outcome.verdict(),
        properties: vec![PropertyView {
            name: PropertyKind::Safety.name().into(),
            kind: PropertyKind::Safety,
            verdict: outcome.verdict(),
            vacuous: false,
            under: is_under.then_some("sequential consistency"),
            reason: outcome.reason(),
            notes,
            states: statistics.executions,
            transitions: statistics.transitions,
            depth: statistics.max_depth.into(),
            bytes: 0,
            seconds: outcome.elapsed.as_secs_f64(),
            reduction: used.unwrap_or_default().reduction.name().into(),
        }],
        found: found
            .map(|violation| Found {
                record: violation.record.clone(),
                steps: violation.run.steps.iter().map(step_of).collect(),
                loop_from: None,
                records: violation.run.steps.clone(),
            })
            .collect(),
        unreached: Vec::new(),
    }
}
