//! An execution as people read it: the same steps, texts, charts and files as for models.

use std::collections::HashMap;

use mazurka_runtime::{ACTORS, Kernel, Kind, ObjectId, Operation, Record, Wording};
use mazurka_scenario::{
    Ending, FORMAT, Happening, Message, Model, Position, Run, Scenario, ScenarioStep, StepRecord,
    VERSION, ViolationKind, ViolationRecord,
};

use crate::options::Finding;
use crate::violation::{actor_name, object_name};

/// The execution that has just ended, step by step.
pub fn account(kernel: &Kernel) -> Run {
    let steps: Vec<StepRecord> = kernel
        .trace()
        .iter()
        .map(|record| step(kernel, record))
        .collect();
    let ending = match kernel.ending {
        mazurka_runtime::Ending::DEADLOCK => Ending::Deadlock,
        mazurka_runtime::Ending::COMPLETE => Ending::ValidEnd,
        _ => Ending::Open,
    };
    Run {
        start: vec![first_actor()],
        initial: None,
        skipped: 0,
        steps,
        last: None,
        waiting: Vec::new(),
        failure: None,
        ending,
        loop_from: None,
    }
}

/// The scenario of a violation, from the execution that has just ended and shows it. `program` is
/// the command that was explored.
pub fn scenario(kernel: &Kernel, violation: &Finding, program: &[String]) -> Scenario {
    let length = violation.schedule.len();
    let model = model_of(program);
    scenario_of(kernel, Some(record_of(violation)), length, model)
}

/// The scenario of the first steps of the execution that has just ended.
pub(crate) fn scenario_of(
    kernel: &Kernel,
    violation: Option<ViolationRecord>,
    length: usize,
    model: Model,
) -> Scenario {
    let steps = account(kernel).steps;
    Scenario {
        format: FORMAT.into(),
        version: VERSION,
        written_as: None,
        model,
        violation,
        loop_from: None,
        steps: steps
            .into_iter()
            .take(length)
            .map(|step| ScenarioStep {
                process: step.process,
                transition: step.transition,
                choice: step.choice,
                name: Some(step.name),
                line: (step.at.line > 0).then_some(step.at.line),
                file: (step.at.line > 0).then_some(step.at.file),
                statement: Some(step.statement),
            })
            .collect(),
    }
}

/// What a scenario says of a program, given with its arguments.
pub(crate) fn model_of(program: &[String]) -> Model {
    Model {
        file: program.first().cloned().unwrap_or_default(),
        language: Model::PROGRAM.into(),
        defines: program.iter().skip(1).cloned().collect(),
        hash: String::new(),
        optimize: false,
        racing: Vec::new(),
        spurious: false,
        preload: false,
        formula: None,
    }
}

/// A violation as reports and scenarios have it.
pub fn record_of(violation: &Finding) -> ViolationRecord {
    let kind = violation.kind.name();
    let message = violation.message.as_str();
    let without_kind = message
        .strip_prefix(kind)
        .and_then(|rest| rest.strip_prefix(": "));
    ViolationRecord {
        property: "safety".into(),
        kind: violation.kind,
        message: without_kind.unwrap_or(message).into(),
        at: (violation.at.clone()).map(|(file, line, column)| Position { file, line, column }),
    }
}

/// The schedule of a scenario of a real program, unless it is of more actors than there can be.
pub fn schedule_of(scenario: &Scenario) -> Option<Vec<(u8, u32)>> {
    let steps = scenario.steps.iter();
    steps
        .map(|step| {
            let actor = u8::try_from(step.process).ok();
            let actor = actor.filter(|actor| usize::from(*actor) < ACTORS)?;
            Some((actor, step.choice))
        })
        .collect()
}

fn step(kernel: &Kernel, record: &Record) -> StepRecord {
    let process = u32::from(record.actor);
    let place = kernel.texts.position(record.operation.place);
    let (file, line, column) = place.unwrap_or_default();
    let mut happenings = vec![];
    let queue = || object_name(kernel, record.operation.object);
    let contents = contents(kernel, record);
    let message = |number: i64| message(process, &queue(), number as u32, contents);
    match record.operation.kind {
        Kind::SEND | Kind::TRY_SEND if record.result > 0 => {
            happenings.push(Happening::Sent(message(record.result)));
        }
        Kind::RECEIVE | Kind::TRY_RECEIVE if record.result > 0 => {
            happenings.push(Happening::Received(message(record.result)));
        }
        Kind::SPAWN => happenings.push(Happening::Started {
            process: record.result as u32,
            name: actor_name(kernel, record.result as usize),
        }),
        _ => {}
    }
    StepRecord {
        process,
        name: actor_name(kernel, record.actor.into()),
        transition: record.operation.kind.0.into(),
        choice: record.choice,
        statement: statement(kernel, record),
        at: Position { file, line, column },
        partner: None,
        happenings,
        changes: vec![],
        continues: false,
        holds: false,
        failure: None,
        values: Vec::new(),
    }
}

/// What there is before the first step.
pub(crate) fn first_actor() -> Happening {
    Happening::Started {
        process: 0,
        name: "main".into(),
    }
}

fn message(process: u32, queue: &str, number: u32, contents: Option<String>) -> Message {
    let contents = contents.map_or(String::new(), |contents| format!(" ({contents})"));
    Message {
        process,
        channel: queue.into(),
        message: format!("message {number}{contents}"),
        number: Some(number),
        rendezvous: false,
    }
}

/// The message that a step has sent or received, as far as the kernel knows it: its first word. What a channel of Rust carries is known to
/// the program alone.
fn contents(kernel: &Kernel, record: &Record) -> Option<String> {
    let operation = &record.operation;
    let is_send = |kind: Kind| matches!(kind, Kind::SEND | Kind::TRY_SEND);
    let is_message = is_send(operation.kind)
        || matches!(operation.kind, Kind::RECEIVE | Kind::TRY_RECEIVE) && record.result > 0;
    if !is_message || kernel.object(operation.object).width == 0 {
        return None;
    }
    if is_send(operation.kind) {
        return Some(of_message(kernel, operation));
    }
    let mut sends = kernel.trace().iter().map_while(|other| {
        // It was sent before it was received.
        (!std::ptr::eq(other, record)).then_some(other)
    });
    let sent = sends.find(|other| {
        let is_same = (other.operation.object, other.result) == (operation.object, record.result);
        is_send(other.operation.kind) && is_same
    });
    sent.map(|sent| of_message(kernel, &sent.operation))
}

/// What a send sends; of a message of several words, the first.
fn of_message(kernel: &Kernel, send: &Operation) -> String {
    match kernel.object(send.object).width {
        1 => send.argument.to_string(),
        _ => format!("{} …", send.argument),
    }
}

/// A step in words: what, on what, with what, and what came of it.
pub fn statement(kernel: &Kernel, record: &Record) -> String {
    let (operation, result) = (&record.operation, record.result);
    let value = |value| shown(kernel, operation.object, value);
    let came_of_it = match (operation.kind.wording(), operation.kind) {
        (Wording::Before | Wording::Exchange, _) => format!(": was {}", value(result)),
        (Wording::Result, _) | (_, Kind::TOSS) => format!(": {}", value(result)),
        (_, Kind::RECEIVE | Kind::TRY_RECEIVE) => {
            let contents = contents(kernel, record);
            let contents = contents.map_or(String::new(), |contents| format!(" ({contents})"));
            let success = match (operation.kind, result) {
                (Kind::RECEIVE, _) => "",
                (_, 0) => ": no",
                _ => ": yes",
            };
            contents + success
        }
        (Wording::Success, _) => if result == 0 { ": no" } else { ": yes" }.into(),
        (_, Kind::ASSERT) if operation.argument == 0 => ": failed".into(),
        (_, Kind::SPAWN) => format!(" {}", actor_name(kernel, result as usize)),
        (_, Kind::REACQUIRE_TIMED) if result == 0 => ": woken by nobody".into(),
        (_, Kind::NOTIFY_ONE) if result > 0 => {
            format!(": {}", actor_name(kernel, result as usize - 1))
        }
        _ => String::new(),
    };
    intention(kernel, operation) + &came_of_it
}

/// An operation in words, before it is carried out: what, on what, with what.
pub(crate) fn intention(kernel: &Kernel, operation: &Operation) -> String {
    let mut text = operation.kind.name().to_string();
    if operation.object != ObjectId::NONE {
        text += &format!(" {}", object_name(kernel, operation.object));
    }
    let argument = operation.argument;
    let value = |value| shown(kernel, operation.object, value);
    match (operation.kind.wording(), operation.kind) {
        (Wording::Argument, _) if argument == Operation::UNKNOWN => text += " ?",
        (Wording::Argument | Wording::Before, _) | (_, Kind::TOSS) => {
            text += &format!(" {}", value(argument));
        }
        (Wording::Exchange, _) => {
            text += &format!(" {} to {}", value(argument), value(operation.extra));
        }
        (_, Kind::JOIN) => text += &format!(" {}", actor_name(kernel, argument as usize)),
        (_, Kind::NOTE) => {
            let note = kernel.texts.get(operation.extra as u16);
            text += &format!(" {note}");
        }
        (_, Kind::SEND | Kind::TRY_SEND) if kernel.object(operation.object).width > 0 => {
            text += &format!(" ({})", of_message(kernel, operation));
        }
        _ => {}
    }
    text
}

/// The value of an object in words. An address is told by when it was first seen in the execution.
pub(crate) fn shown(kernel: &Kernel, object: ObjectId, value: i64) -> String {
    if object == ObjectId::NONE || kernel.object(object).is_address == 0 {
        return value.to_string();
    }
    if value == 0 {
        return "null".into();
    }
    let trace = kernel.trace().iter();
    let told = trace.filter(|record| kernel.has_addresses(&record.operation));
    let told = told.flat_map(|record| {
        let operation = &record.operation;
        [operation.argument, operation.extra, record.result]
    });
    let mut seen: Vec<i64> = vec![];
    for address in told.filter(|address| *address != 0) {
        if !seen.contains(&address) {
            seen.push(address);
        }
    }
    let place = seen.iter().position(|address| *address == value);
    format!("&{}", place.unwrap_or(seen.len()) + 1)
}

/// The object in a [`statement`], and what is said behind it; nothing if the operation has no object.
pub(crate) fn wording(kind: Kind, statement: &str) -> Option<(&str, &str)> {
    let rest = statement.strip_prefix(kind.name())?;
    let before_result = rest.rfind(": ").unwrap_or(rest.len());
    let without_words = |count: usize| {
        let mut end = before_result;
        for _ in 0..count {
            end = rest[..end].rfind(' ')?;
        }
        Some(end)
    };
    let end = match (kind.wording(), kind) {
        (_, Kind::SEND | Kind::TRY_SEND | Kind::RECEIVE | Kind::TRY_RECEIVE) => {
            rest.len() - message_in(rest).1.len()
        }
        (_, Kind::TOSS | Kind::ASSERT | Kind::SPAWN | Kind::JOIN | Kind::STATE | Kind::NOTE) => {
            return None;
        }
        (Wording::Plain, _) => rest.len(),
        (Wording::Argument, _) => {
            // An argument is a number, in which no result is told.
            rest.rfind(' ')?
        }
        (Wording::Before, _) => without_words(1)?,
        (Wording::Exchange, _) => without_words(3)?,
        (Wording::Result | Wording::Success | Wording::Own, _) => before_result,
    };
    let object = rest[..end].trim();
    (!object.is_empty()).then_some((object, &rest[end..]))
}

/// What is said of a queue in a [`statement`], and what is said of the message: its contents in brackets, and whether a try succeeded.
fn message_in(rest: &str) -> (&str, &str) {
    let before_result = (rest.strip_suffix(": yes"))
        .or(rest.strip_suffix(": no"))
        .unwrap_or(rest);
    let bracket = before_result
        .rfind(" (")
        .filter(|_| before_result.ends_with(')'));
    rest.split_at(bracket.unwrap_or(before_result.len()))
}

/// What a scenario of a real program tells, without running the program.
pub fn run_of(scenario: &Scenario) -> Run {
    let mut spawned = 0;
    let mut counted: HashMap<(String, bool), u32> = HashMap::new();
    let steps = scenario.steps.iter().map(|step| {
        let kind = Kind(step.transition as u8);
        let statement = step.statement.clone().unwrap_or_default();
        let rest = statement.strip_prefix(kind.name()).unwrap_or_default();
        let mut happenings = vec![];
        match kind {
            Kind::SEND | Kind::TRY_SEND | Kind::RECEIVE | Kind::TRY_RECEIVE => {
                let is_send = matches!(kind, Kind::SEND | Kind::TRY_SEND);
                let succeeded = !rest.ends_with(": no");
                let (queue, said) = message_in(rest);
                let queue = queue.trim();
                let contents = said
                    .rsplit_once(')')
                    .and_then(|(said, _)| said.strip_prefix(" ("));
                if succeeded {
                    let number = counted.entry((queue.into(), is_send)).or_default();
                    *number += 1;
                    let contents = contents.map(str::to_string);
                    let message = message(step.process, queue, *number, contents);
                    happenings.push(match is_send {
                        true => Happening::Sent(message),
                        false => Happening::Received(message),
                    });
                }
            }
            // Nobody spawns more; who tells so would have a chart with a column for each.
            Kind::SPAWN if spawned + 1 < ACTORS as u32 => {
                spawned += 1;
                happenings.push(Happening::Started {
                    process: spawned,
                    name: rest.trim().into(),
                });
            }
            _ => {}
        }
        StepRecord {
            process: step.process,
            name: step.name.clone().unwrap_or_default(),
            transition: step.transition,
            choice: step.choice,
            statement,
            at: Position {
                file: step.file.clone().unwrap_or_default(),
                line: step.line.unwrap_or(0),
                column: 0,
            },
            partner: None,
            happenings,
            changes: vec![],
            continues: false,
            holds: false,
            failure: None,
            values: Vec::new(),
        }
    });
    Run {
        start: vec![first_actor()],
        initial: None,
        skipped: 0,
        steps: steps.collect(),
        last: None,
        waiting: Vec::new(),
        failure: None,
        ending: match scenario.kind() {
            Some(ViolationKind::Deadlock) => Ending::Deadlock,
            _ => Ending::Open,
        },
        loop_from: None,
    }
}
