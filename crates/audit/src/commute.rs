//! Two steps in both orders.

use mazurka_model::{BreachKind, Failure, Fault, Interpreter};

use crate::run::{Run, repeat};

/// Are two runs from the same state, by different processes, independent there? Neither may keep the other from happening, or from
/// failing as it would, and both orders lead to the same state. If not, says what differs. Where queues are taken to be long enough, an order
/// in which one is full is not compared.
pub(crate) fn commute(
    interpreter: &Interpreter,
    (a, b): (&Run, &Run),
    long_queues: bool,
) -> Result<(), String> {
    let after = |first: &Run, second: &Run, names: (&str, &str)| {
        // Whoever leads nowhere has no state after it.
        let Some(state) = &first.end else {
            return Ok(None);
        };
        let run = repeat(interpreter, state, &second.steps).map_err(|broken| {
            let (first, second) = names;
            format!("after the {first} step the {second} one {}", broken.text())
        })?;
        let overflows = |run: &Run| run.failures.iter().any(is_overflow);
        if long_queues && (overflows(&run) || overflows(second)) {
            return Ok(None);
        }
        if run.failures != second.failures || run.end.is_some() != second.end.is_some() {
            let (first, second_name) = names;
            return Err(format!(
                "after the {first} step the {second_name} one fails otherwise: {:?} instead of {:?}",
                run.failures, second.failures
            ));
        }
        Ok(run.end)
    };
    let one = after(a, b, ("first", "second"))?;
    let other = after(b, a, ("second", "first"))?;
    match (one, other) {
        (Some(one), Some(other)) if interpreter.identity(&one) != interpreter.identity(&other) => {
            Err("the two orders lead to different states".into())
        }
        _ => Ok(()),
    }
}

fn is_overflow(failure: &Failure) -> bool {
    matches!(
        failure,
        Failure::Fault(Fault::Breach(BreachKind::Overflow, _))
    )
}
