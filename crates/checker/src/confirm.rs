//! Nothing is reported that the interpreter does not repeat.

use mazurka_model::{Interpreter, Step};
use mazurka_scenario::{Run, Symptom, describe, replay_tail};
use mazurka_search::Defect;

use crate::error::Error;
use crate::load::Loaded;
use crate::outcome::Violation;
use crate::temporal::Found;
use crate::watched::Watched;

/// This many steps of a violation are kept to be printed.
const STEPS_KEPT: usize = 25;

/// Replays the violations of a search for safety.
pub(crate) fn confirm_safety(
    loaded: &Loaded,
    report: &mazurka_search::Report<Watched<'_>>,
    property: &str,
) -> Result<Vec<Violation>, Error> {
    let mut confirmed = Vec::new();
    for violation in &report.violations {
        let symptom = match violation.defect {
            Defect::Deadlock => Symptom::Deadlock,
            Defect::Failure(failure) => Symptom::Failure(failure),
            Defect::Cycle(_) => continue,
        };
        confirmed.push(described(
            loaded,
            property,
            symptom,
            violation.steps.clone(),
        )?);
    }
    Ok(confirmed)
}

/// Replays a violation of a temporal property, which has been judged already.
pub(crate) fn confirm_temporal(
    loaded: &Loaded,
    property: &str,
    found: Found,
) -> Result<Violation, Error> {
    let mut violation = match (found.record, found.failure) {
        (None, Some(failure)) => {
            described(loaded, property, Symptom::Failure(failure), found.steps)?
        }
        (None, None) => {
            let message = "a violation without a description";
            return Err(Error::Internal(message.into()));
        }
        (Some(record), _) => {
            let run = replay_tail(&loaded.interpreter, &found.steps, STEPS_KEPT);
            let tail = run.map_err(|error| Error::Internal(error.to_string()))?;
            Violation {
                span: loaded.span_of(record.at.as_ref()),
                record,
                steps: found.steps,
                loop_from: None,
                tail,
            }
        }
    };
    violation.loop_from = found.loop_from;
    violation.tail.loop_from = found.loop_from;
    Ok(violation)
}

fn described(
    loaded: &Loaded,
    property: &str,
    mut symptom: Symptom,
    steps: Vec<Step>,
) -> Result<Violation, Error> {
    let interpreter = &loaded.interpreter;
    let tail = repeated(interpreter, &mut symptom, &steps)?;
    let record = describe(interpreter, property, symptom, &tail, steps.last().copied());
    Ok(Violation {
        span: loaded.span_of(record.at.as_ref()),
        record,
        steps,
        loop_from: None,
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
    if !symptom.is_shown_by(&run) {
        return Err(Error::Internal(format!(
            "the search found a violation ({kind}) whose replay ends otherwise: {:?}, {:?}",
            run.ending, run.failure
        )));
    }
    Ok(run)
}
