//! Runs that are stepped through by hand, for people: of a model ([`Simulation`]) and of a real program ([`Session`]).

use mazurka_checker::Simulation;
use mazurka_explore::{Engine, Pending, Session};
use mazurka_scenario::figures::counted;
use mazurka_scenario::{Ending, Style, ViolationKind};

/// The steps that a model can take, numbered from 1, or why there is none.
pub fn steps_of_model(simulation: &mut Simulation, style: Style) -> String {
    let choices = simulation.choices();
    if choices.is_empty() {
        let end = match simulation.may_end() {
            true => "a valid end state",
            false => "a deadlock",
        };
        return format!("no step is possible: {end}\n");
    }
    let mut text = heading(simulation.position(), style);
    for (index, choice) in choices.iter().enumerate() {
        let name = style.process(choice.process, &choice.name);
        let partner = choice.partner.as_ref();
        let with = partner.map_or(String::new(), |partner| format!(" with {}", partner.name));
        let (line, statement) = (choice.at.line, &choice.statement);
        text += &format!("{:>4}) {name} line {line}: {statement}{with}\n", index + 1);
    }
    text
}

/// How the run of a model ends if it goes no further.
pub fn end_of_model(simulation: &mut Simulation, style: Style) -> String {
    let after = format!("after {}", counted(simulation.position() as u64, "step"));
    let has_failed = simulation.has_failed();
    let named = |kind: ViolationKind| style.error(kind.name());
    match simulation.ending() {
        _ if simulation.is_stuck() => format!("{} {after}", named(ViolationKind::RuntimeError)),
        Ending::Deadlock => {
            let kind = named(ViolationKind::Deadlock);
            format!("{kind} {after}: invalid end state")
        }
        Ending::ValidEnd if has_failed => {
            let failed = style.error("after a failed assertion");
            format!("ended {after}: valid end state, {failed}")
        }
        Ending::ValidEnd => format!("{} {after}: valid end state", style.success("ended")),
        _ if has_failed => {
            let failed = style.error("with a failed assertion");
            format!("stopped {after}, {failed}")
        }
        _ => format!("stopped {after}: the run could go on"),
    }
}

/// The steps that a program can take, numbered from 1, and who waits, or why there is none.
pub fn steps_of_program<E: Engine>(session: &mut Session<E>, style: Style) -> String {
    let choices = session.choices();
    if choices.is_empty() {
        let end = end_of_program(session, style);
        return format!("no step is possible: {end}\n");
    }
    let mut text = heading(session.position(), style);
    for (index, (pending, outcome)) in choices.iter().enumerate() {
        let which = match pending.choices {
            1 => String::new(),
            _ => format!(", outcome {outcome}"),
        };
        let step = described(pending, style);
        text += &format!("{:>4}) {step}{which}\n", index + 1);
    }
    for pending in session.pending() {
        if !pending.is_enabled {
            let step = described(&pending, style);
            text += &format!("      {step}, waits\n");
        }
    }
    text
}

/// Who stands where in a program, and the values of all objects.
pub fn state_of_program<E: Engine>(session: &mut Session<E>, style: Style) -> String {
    let mut text = String::new();
    for pending in session.pending() {
        let waits = if pending.is_enabled { "" } else { ", waits" };
        text += &format!("  {}{waits}\n", described(&pending, style));
    }
    for object in session.objects() {
        text += &format!("  {} = {}\n", object.name, object.value);
    }
    text
}

/// How the execution of a program ends if it goes no further.
pub fn end_of_program<E: Engine>(session: &mut Session<E>, style: Style) -> String {
    match session.violations().first() {
        Some(violation) => {
            let kind = style.error(violation.kind.name());
            format!("{kind}: {}", violation.message)
        }
        None if session.has_ended() => "all actors have ended".into(),
        None => "the execution could go on".into(),
    }
}

fn heading(position: usize, style: Style) -> String {
    let heading = style.heading("steps possible after");
    format!("{heading} {position}:\n")
}

fn described(pending: &Pending, style: Style) -> String {
    let name = style.process(pending.actor as u32, &pending.name);
    let at = pending.at.as_ref();
    let at = at.map_or(String::new(), |at| format!(" {}:{}", at.file, at.line));
    let object = pending.object.as_ref();
    let now = object.map_or(String::new(), |object| format!(" (now {})", object.value));
    format!("{name}{at}: {}{now}", pending.operation)
}
