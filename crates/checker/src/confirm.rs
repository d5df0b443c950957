//! Nothing is reported that the interpreter does not repeat.

use mazurka_model::{Failure, Fault, Interpreter, Step};
use mazurka_scenario::{Explanation, Run, Scenario, Symptom, describe, replay_tail};
use mazurka_search::{Defect, System};
use mazurka_temporal::Lasso;

use crate::choice::Property;
use crate::error::Error;
use crate::load::Loaded;
use crate::outcome::Violation;
use crate::shorten::{Shortener, state_after};
use crate::temporal::{Found, Stopped};
use crate::watched::Watched;

/// This many steps of a violation are kept to be printed.
const STEPS_KEPT: usize = 25;

/// Replays the violations of a search for safety.
pub(crate) fn confirm_safety(
    loaded: &Loaded,
    report: &mazurka_search::Report<Watched<'_>>,
    (name, property): (&str, Property),
    all: bool,
    mut shortener: Option<Shortener<'_>>,
) -> Result<Vec<Violation>, Error> {
    // If all violations are wanted, the error is among them, and who asks for deadlocks is told of them.
    let tells_errors = !all && matches!(property, Property::All | Property::Safety);
    let mut confirmed = Vec::new();
    for violation in &report.violations {
        let symptom = match violation.defect {
            Defect::Deadlock => Symptom::Deadlock,
            Defect::Failure(failure) => Symptom::Failure(failure),
            Defect::Cycle(_) => continue,
        };
        let error = match symptom {
            Symptom::Deadlock if tells_errors => error_at_end(loaded, name, &violation.steps),
            _ => None,
        };
        let found = match error {
            Some(error) => error,
            None => described(loaded, name, symptom, violation.steps.clone())?,
        };
        let shortener = shortener.as_mut();
        let shorter = shortener.and_then(|it| shortened(loaded, name, property, &found, it));
        confirmed.push(shorter.unwrap_or(found));
    }
    Ok(confirmed)
}

/// Where nobody can move, because a guard has no value: the step that says so. That is what is wrong, and not that nobody moves.
fn error_at_end(loaded: &Loaded, name: &str, steps: &[Step]) -> Option<Violation> {
    let interpreter = &loaded.interpreter;
    let (mut possible, mut next) = (Vec::new(), Vec::new());
    let state = state_after(interpreter, steps)?;
    interpreter.enabled(&state, &mut possible);
    let error = possible
        .into_iter()
        .find(|step| step.choice == Step::FAULT)?;
    let outcome = System::execute(interpreter, &mut Vec::new(), &state, error, &mut next);
    let symptom = Symptom::Failure(outcome.failure?);
    described(loaded, name, symptom, [steps, &[error]].concat()).ok()
}

/// The same violation after fewer steps, if some are found. What the interpreter does not repeat is none.
fn shortened(
    loaded: &Loaded,
    name: &str,
    property: Property,
    found: &Violation,
    shortener: &mut Shortener<'_>,
) -> Option<Violation> {
    let symptom = found.symptom?;
    let shorter = shortener.safety(&loaded.interpreter, property, symptom, &found.steps)?;
    let steps_found = found.steps.len();
    let shown = match shorter.steps.len() < steps_found {
        true => described(loaded, name, symptom, shorter.steps).ok()?,
        false => found.clone(),
    };
    Some(Violation {
        steps_found,
        is_shortest: shorter.shortest,
        ..shown
    })
}

/// Replays a violation of a temporal property, which has been judged already.
pub(crate) fn confirm_temporal(
    loaded: &Loaded,
    property: &str,
    found: Found,
) -> Result<Violation, Error> {
    let roomy = loaded.interpreter.with_room();
    let interpreter = roomy.as_ref().unwrap_or(&loaded.interpreter);
    let run = replay_tail(interpreter, &found.steps, STEPS_KEPT);
    let mut tail = run.map_err(|error| Error::Internal(error.to_string()))?;
    tail.loop_from = found.loop_from;
    Ok(Violation {
        span: loaded.span_of(found.record.at.as_ref()),
        record: found.record,
        steps_found: found.steps_found.max(found.steps.len()),
        is_shortest: found.is_shortest,
        explanation: explanation(loaded, property, &found.steps, found.loop_from),
        steps: found.steps,
        loop_from: found.loop_from,
        symptom: None,
        tail,
    })
}

/// Replays a run-time error that ends an execution before a temporal property is decided.
pub(crate) fn confirm_stopped(
    loaded: &Loaded,
    property: &str,
    stopped: Stopped,
) -> Result<Violation, Error> {
    let symptom = Symptom::Failure(stopped.failure);
    let steps_found = stopped.steps.len();
    let shorter = stopped.shorter.and_then(|(steps, is_shortest)| {
        let shown = described(loaded, property, symptom, steps).ok()?;
        Some(Violation {
            steps_found,
            is_shortest,
            ..shown
        })
    });
    match shorter {
        Some(shorter) => Ok(shorter),
        None => described(loaded, property, symptom, stopped.steps),
    }
}

/// Replays a step that goes further than the interpreter does, behind which nothing was searched.
pub(crate) fn confirm_limit(
    loaded: &Loaded,
    name: &str,
    end: &mazurka_search::Violation<Step, Failure>,
) -> Result<Option<Violation>, Error> {
    let Defect::Failure(failure) = end.defect else {
        return Ok(None);
    };
    let symptom = Symptom::Failure(failure);
    described(loaded, name, symptom, end.steps.clone()).map(Some)
}

impl Loaded {
    /// Why what a scenario shows is a violation, in the words of the check that found it. `run` is what its steps do now.
    pub fn explain(&self, scenario: &Scenario, run: &Run) -> Explanation {
        match &scenario.violation {
            Some(violation) if violation.kind.is_temporal() => {
                let steps = scenario.steps();
                explanation(self, &violation.property, &steps, scenario.loop_from)
            }
            violation => Explanation::of_run(run, violation.as_ref().map(|known| known.kind)),
        }
    }
}

/// Why the formula of this name, if it is one, is false of an execution.
fn explanation(
    loaded: &Loaded,
    property: &str,
    steps: &[Step],
    loop_from: Option<usize>,
) -> Explanation {
    let formula = loaded
        .properties
        .iter()
        .find(|known| known.name == property);
    let going_on = loaded.after_unexpected_inputs();
    let interpreter = going_on.as_ref().unwrap_or(&loaded.interpreter);
    let roomy = interpreter.with_room();
    let lasso = Lasso::replay(roomy.as_ref().unwrap_or(interpreter), steps, loop_from);
    match (formula, lasso) {
        (Some(formula), Ok(lasso)) => loaded.explain_formula(formula, &lasso),
        _ => Explanation::default(),
    }
}

/// Replays a violation, and describes it.
pub(crate) fn described(
    loaded: &Loaded,
    property: &str,
    mut symptom: Symptom,
    steps: Vec<Step>,
) -> Result<Violation, Error> {
    let roomy = loaded.interpreter.with_room();
    let interpreter = roomy.as_ref().unwrap_or(&loaded.interpreter);
    let tail = repeated(interpreter, &mut symptom, &steps)?;
    let record = describe(interpreter, property, symptom, &tail, steps.last().copied());
    let explanation = Explanation::of_run(&tail, Some(record.kind));
    Ok(Violation {
        span: loaded.span_of(record.at.as_ref()),
        record,
        steps_found: steps.len(),
        is_shortest: steps.is_empty(),
        steps,
        loop_from: None,
        symptom: Some(symptom),
        explanation,
        tail,
    })
}

/// Replays a violation; a deadlock may turn out to be a nonprogress state.
fn repeated(
    interpreter: &Interpreter,
    symptom: &mut Symptom,
    steps: &[Step],
) -> Result<Run, Error> {
    let kind = symptom.kind();
    let run = replay_tail(interpreter, steps, STEPS_KEPT).map_err(|error| {
        Error::Internal(format!(
            "the search found a violation ({kind}) that does not replay: {error}"
        ))
    })?;
    if *symptom == Symptom::Deadlock && Symptom::Nonprogress.is_shown_by(&run) {
        *symptom = Symptom::Nonprogress;
    }
    // Which populations have room depends on those that an interpreter has met, and the search has met others.
    let is_of_the_search = *symptom == Symptom::Failure(Failure::Fault(Fault::TooManyShapes));
    if !is_of_the_search && !symptom.is_shown_by(&run) {
        return Err(Error::Internal(format!(
            "the search found a violation ({kind}) whose replay ends differently: {:?}, {:?}",
            run.ending, run.failure
        )));
    }
    Ok(run)
}
