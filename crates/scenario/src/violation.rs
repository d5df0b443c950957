//! Violations in words.

use mazurka_model::{
    BinaryOperator, Expression, ExpressionId, Failure, Fault, Interpreter, ProcessTypeId, Program,
    Step,
};

use crate::format::ViolationRecord;
use crate::kind::ViolationKind;
use crate::run::{Ending, Run};
use crate::snapshot::ProcessAt;
use crate::walk::{Position, position};

/// What a scenario must show at its end.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Symptom {
    /// No step is possible, and the system may not stop there.
    Deadlock,
    /// No step is possible, and messages are left that nobody takes.
    Nonprogress,
    /// The last step fails so, or the initial state cannot be made.
    Failure(Failure),
}

/// A deadlock names at most this many processes.
const PROCESSES_NAMED: usize = 4;

impl Symptom {
    /// The kind of violation.
    pub fn kind(self) -> ViolationKind {
        match self {
            Symptom::Deadlock => ViolationKind::Deadlock,
            Symptom::Nonprogress => ViolationKind::NonprogressState,
            Symptom::Failure(failure) => failure.into(),
        }
    }

    /// Does the run end as said?
    pub fn is_shown_by(self, run: &Run) -> bool {
        match self {
            Symptom::Deadlock => run.ending == Ending::Deadlock,
            Symptom::Nonprogress => run.ending == Ending::Nonprogress,
            Symptom::Failure(failure) => run.failure == Some(failure),
        }
    }

    /// The symptoms that a run shows at its end, at most two.
    pub fn all_shown_by(run: &Run) -> Vec<Symptom> {
        let deadlock = match run.ending {
            Ending::Deadlock => Some(Symptom::Deadlock),
            Ending::Nonprogress => Some(Symptom::Nonprogress),
            Ending::Open | Ending::ValidEnd => None,
        };
        run.failure
            .map(Symptom::Failure)
            .into_iter()
            .chain(deadlock)
            .collect()
    }
}

/// Describes the violation at the end of a run.
pub fn describe(
    interpreter: &Interpreter,
    property: &str,
    symptom: Symptom,
    run: &Run,
    last: Option<Step>,
) -> ViolationRecord {
    let (message, at) = match symptom {
        Symptom::Deadlock => describe_deadlock(run),
        Symptom::Nonprogress => describe_nonprogress(run),
        Symptom::Failure(failure) => describe_step(interpreter.program(), failure, last),
    };
    ViolationRecord {
        property: property.into(),
        kind: symptom.kind(),
        message,
        at,
    }
}

fn describe_deadlock(run: &Run) -> (String, Option<Position>) {
    let Some(state) = &run.last else {
        return ("invalid end state".into(), None);
    };
    let blocked: Vec<&ProcessAt> = state
        .processes
        .iter()
        .filter(|process| !process.may_end)
        .collect();
    let mut parts: Vec<String> = blocked
        .iter()
        .take(PROCESSES_NAMED)
        .enumerate()
        .map(|(index, process)| match &process.state {
            Some(state) => {
                let waits = if index == 0 { " waits" } else { "" };
                let awaited = process.awaits.iter().map(|what| format!(" for {what}"));
                let awaited = awaited.collect::<String>();
                format!("{}{waits} in {state}{awaited}", process.name)
            }
            None => {
                let blocked = if index == 0 { " is blocked" } else { "" };
                format!("{}{blocked} at line {}", process.name, process.at.line)
            }
        })
        .collect();
    if blocked.len() > PROCESSES_NAMED {
        parts.push(format!("and {} more", blocked.len() - PROCESSES_NAMED));
    }
    if parts.is_empty() {
        // Every process may end here, so what may not is the assertion about messages.
        parts.push("the trace assertion asks for more messages".into());
    }
    let what = match blocked.iter().any(|process| process.state.is_some()) {
        true => "nothing can happen any more",
        false => "invalid end state",
    };
    let message = format!("{what}: {}", parts.join(", "));
    (message, blocked.first().map(|process| process.at.clone()))
}

/// Names the channels in which messages are left.
fn describe_nonprogress(run: &Run) -> (String, Option<Position>) {
    let Some(state) = &run.last else {
        return ("nonprogress state".into(), None);
    };
    let left: Vec<String> = state
        .channels
        .iter()
        .filter(|channel| !channel.messages.is_empty())
        .take(PROCESSES_NAMED)
        .map(|channel| format!("{} in {}", channel.messages.join(", "), channel.name))
        .collect();
    let message = format!(
        "nothing can happen any more, and messages are left: {}",
        left.join("; ")
    );
    let waiting = state.processes.iter().find(|process| !process.may_end);
    let at = waiting.or(state.processes.first());
    (message, at.map(|process| process.at.clone()))
}

fn describe_step(
    program: &Program,
    failure: Failure,
    last: Option<Step>,
) -> (String, Option<Position>) {
    let Some(step) = last else {
        let Failure::Fault(fault) = failure else {
            return ("the initial state is wrong".into(), None);
        };
        return (format!("{fault}, in making the initial state"), None);
    };
    let transition = &program.transitions[step.transition.index()];
    let statement = &program.statements[transition.statement.index()];
    let message = describe_failure(program, failure, step);
    let origin = match failure {
        Failure::Fault(Fault::Breach(_, breach)) => program.breaches[breach.index()].origin,
        _ => statement.origin,
    };
    (message, Some(position(program, origin)))
}

/// What to say about the failure of a step.
pub(crate) fn describe_failure(program: &Program, failure: Failure, step: Step) -> String {
    let transition = &program.transitions[step.transition.index()];
    let statement = &program.statements[transition.statement.index()];
    match failure {
        Failure::Assertion(symptom) => {
            let written = statement.text.trim();
            let inside = written
                .strip_prefix("assert")
                .map(str::trim_start)
                .and_then(|rest| rest.strip_prefix('(')?.strip_suffix(')'));
            let text = match inside {
                Some(inside) => inside.trim().to_string(),
                None if program.has_states(statement.process_type) => {
                    return out_of_range(program, statement.process_type, symptom);
                }
                None => program.expression_text(Some(statement.process_type), symptom),
            };
            format!("assertion violated: {text}")
        }
        Failure::Nondeterminism => {
            let name = &program.process_types[statement.process_type.index()].name;
            format!("{name} must be deterministic and has a second enabled transition")
        }
        Failure::Fault(Fault::Breach(_, breach)) => {
            program.breaches[breach.index()].message.clone()
        }
        // What a notation of machines says of a transition that cannot go on.
        Failure::Fault(Fault::Stuck) if program.has_states(statement.process_type) => {
            statement.text.clone()
        }
        Failure::Fault(fault) => fault.to_string(),
    }
}

/// What a machine asserts without having written it: that a value lies in the range of its variable.
fn out_of_range(program: &Program, process_type: ProcessTypeId, claim: ExpressionId) -> String {
    let text = |id| program.expression_text(Some(process_type), id);
    let compared = |id: ExpressionId, wanted| match program.expressions[id.index()] {
        Expression::Binary(operator, value, bound) if operator == wanted => Some((value, bound)),
        _ => None,
    };
    use BinaryOperator::{GreaterEqual, LessEqual};
    let both = match program.expressions[claim.index()] {
        Expression::And(low, high) => compared(low, GreaterEqual).zip(compared(high, LessEqual)),
        _ => None,
    };
    if let Some(((value, low), (_, high))) = both {
        return format!(
            "{} is out of the range {}:{}",
            text(value),
            text(low),
            text(high)
        );
    }
    let told = |(value, bound), what| format!("{} is {what} {}", text(value), text(bound));
    match (compared(claim, GreaterEqual), compared(claim, LessEqual)) {
        (Some(least), _) => told(least, "less than"),
        (_, Some(most)) => told(most, "greater than"),
        _ => format!("assertion violated: {}", text(claim)),
    }
}
