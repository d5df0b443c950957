//! An execution as people read it: the same steps, texts, charts and files as for models.

use mazurka_runtime::{ActorState, Kernel, Kind, ObjectId, ObjectKind, Record};
use mazurka_scenario::{
    Ending, FORMAT, Happening, Message, Model, Position, Run, Scenario, ScenarioStep, StepRecord,
    VERSION, ViolationRecord,
};

use crate::options::Violation;
use crate::violation::{actor_name, object_name};

/// What the field `language` of a scenario says if it is of a real program.
pub const LANGUAGE: &str = "program";

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
        start: vec![],
        initial: None,
        skipped: 0,
        steps,
        last: None,
        failure: None,
        ending,
        loop_from: None,
    }
}

/// The scenario of a violation, from the execution that has just ended and shows it. `program` is
/// the command that was explored.
pub fn scenario(kernel: &Kernel, violation: &Violation, program: &[String]) -> Scenario {
    let steps = account(kernel).steps;
    Scenario {
        format: FORMAT.into(),
        version: VERSION,
        model: Model {
            file: program.first().cloned().unwrap_or_default(),
            language: LANGUAGE.into(),
            defines: program.iter().skip(1).cloned().collect(),
            hash: String::new(),
            optimize: false,
            formula: None,
        },
        violation: record_of(violation),
        loop_from: None,
        steps: steps
            .into_iter()
            .take(violation.schedule.len())
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

/// A violation as reports and scenarios have it.
pub fn record_of(violation: &Violation) -> ViolationRecord {
    ViolationRecord {
        property: "safety".into(),
        kind: violation.kind.name().into(),
        message: violation.message.clone(),
        at: (violation.at.clone()).map(|(file, line, column)| Position { file, line, column }),
    }
}

/// The schedule of a scenario of a real program.
pub fn schedule_of(scenario: &Scenario) -> Vec<(u8, u32)> {
    let steps = scenario.steps.iter();
    steps
        .map(|step| (step.process as u8, step.choice))
        .collect()
}

fn step(kernel: &Kernel, record: &Record) -> StepRecord {
    let process = u32::from(record.actor);
    let place = kernel.texts.position(record.operation.place);
    let (file, line, column) = place.unwrap_or_default();
    let mut happenings = vec![];
    let queue = || object_name(kernel, record.operation.object);
    let message = |number: i64| Message {
        process,
        channel: queue(),
        message: format!("{} message {number}", queue()),
        number: Some(number as u32),
        rendezvous: false,
    };
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
    }
}

/// An operation in words: what, on what, with what, and what came of it.
pub fn statement(kernel: &Kernel, record: &Record) -> String {
    let operation = &record.operation;
    let mut text = operation.kind.name().to_string();
    if operation.object != ObjectId::NONE {
        text += &format!(" {}", object_name(kernel, operation.object));
    }
    let argument = operation.argument;
    let result = record.result;
    match operation.kind {
        Kind::WRITE | Kind::ADD => text += &format!(" {argument}"),
        Kind::FETCH_ADD | Kind::SWAP => text += &format!(" {argument}: was {result}"),
        Kind::COMPARE_EXCHANGE => {
            text += &format!(" {argument} to {}: was {result}", operation.extra);
        }
        Kind::READ | Kind::LENGTH => text += &format!(": {result}"),
        Kind::TOSS => text += &format!(" {argument}: {result}"),
        Kind::ASSERT if argument == 0 => text += ": failed",
        Kind::SPAWN => text += &format!(" {}", actor_name(kernel, result as usize)),
        Kind::JOIN => text += &format!(" {}", actor_name(kernel, argument as usize)),
        Kind::TRY_SEND
        | Kind::TRY_RECEIVE
        | Kind::TRY_TAKE
        | Kind::TRY_LOCK
        | Kind::TRY_READ_LOCK
        | Kind::TRY_WRITE_LOCK => text += if result == 0 { ": no" } else { ": yes" },
        Kind::REACQUIRE_TIMED if result == 0 => text += ": time is over",
        Kind::NOTIFY_ONE if result > 0 => {
            text += &format!(": {}", actor_name(kernel, result as usize - 1));
        }
        _ => {}
    }
    text
}

/// Locks that are still held at the end of the execution that has just ended, in words.
pub fn left_behind(kernel: &Kernel) -> Vec<String> {
    let mut left = vec![];
    for maker in 0..(kernel.population as usize).min(kernel.actors.len()) {
        if kernel.actors[maker].state == ActorState::ABSENT {
            continue;
        }
        for count in 0..usize::from(kernel.actors[maker].objects).min(ObjectId::PER_ACTOR) {
            let id = ObjectId::new(maker, count);
            let object = kernel.object(id);
            let held = match object.kind {
                ObjectKind::MUTEX => object.owner != 0,
                ObjectKind::RWLOCK => object.owner != 0 || object.sent != 0,
                _ => false,
            };
            if held {
                left.push(format!("{} is still held", object_name(kernel, id)));
            }
        }
    }
    left
}
