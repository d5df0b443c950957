//! Charts in the words of other tools: Mermaid and PlantUML.

use std::fmt::Write;

use mazurka_scenario::{Happening, Message, Run, ViolationRecord, clean};

use crate::chart::text_of;

/// The chart of a run as a Mermaid sequence diagram.
pub fn mermaid(run: &Run, violation: Option<&ViolationRecord>) -> String {
    let mut text = String::from("sequenceDiagram\n");
    for (process, name) in participants(run) {
        let _ = writeln!(text, "    participant p{process} as {}", tame("#", &name));
    }
    let mut out = |line: String| {
        let _ = writeln!(text, "    {line}");
    };
    for line in told(run) {
        match line {
            Told::Meets { from, to, what } => out(format!("p{from}->>p{to}: {}", tame("#", &what))),
            Told::Arrives { from, to, what } => {
                out(format!("p{from}-)p{to}: {}", tame("#", &what)))
            }
            Told::Alone { who, what } => out(format!("Note over p{who}: {}", tame("#", &what))),
            Told::Loop => out("loop for ever".into()),
            Told::End => out("end".into()),
        }
    }
    if let Some(violation) = violation {
        let who = run.steps.last().map_or(0, |step| step.process);
        let what = format!("{}: {}", violation.kind, violation.message);
        out(format!("Note over p{who}: {}", tame("#", &what)));
    }
    text
}

/// The chart of a run as a PlantUML sequence diagram.
pub fn plantuml(run: &Run, violation: Option<&ViolationRecord>) -> String {
    let mut text = String::from("@startuml\n");
    for (process, name) in participants(run) {
        let _ = writeln!(text, "participant \"{}\" as p{process}", tame("&#", &name));
    }
    let mut out = |line: String| {
        let _ = writeln!(text, "{line}");
    };
    for line in told(run) {
        match line {
            Told::Meets { from, to, what } => {
                out(format!("p{from} -> p{to} : {}", tame("&#", &what)))
            }
            Told::Arrives { from, to, what } => {
                out(format!("p{from} ->> p{to} : {}", tame("&#", &what)))
            }
            Told::Alone { who, what } => out(format!("rnote over p{who} : {}", tame("&#", &what))),
            Told::Loop => out("loop for ever".into()),
            Told::End => out("end".into()),
        }
    }
    if let Some(violation) = violation {
        let who = run.steps.last().map_or(0, |step| step.process);
        let what = format!("{}: {}", violation.kind, violation.message);
        out(format!("hnote over p{who} : {}", tame("&#", &what)));
    }
    text + "@enduml\n"
}

/// What both have words for.
enum Told {
    Meets { from: u32, to: u32, what: String },
    Arrives { from: u32, to: u32, what: String },
    Alone { who: u32, what: String },
    Loop,
    End,
}

/// Neither has arrows that take time, so a message is an arrow when it is received and a note when it is sent.
fn told(run: &Run) -> Vec<Told> {
    let mut told = Vec::new();
    let mut sent: Vec<(&Message, u32)> = Vec::new();
    for (index, step) in run.steps.iter().enumerate() {
        if run.loop_from == Some(run.skipped + index) {
            told.push(Told::Loop);
        }
        let number = run.skipped + index + 1;
        let mut messages = false;
        for happening in &step.happenings {
            match happening {
                Happening::Sent(message) if message.rendezvous => {
                    if let Some(partner) = &step.partner {
                        messages = true;
                        told.push(Told::Meets {
                            from: message.process,
                            to: partner.process,
                            what: format!("{number} {}", text_of(message)),
                        });
                    }
                }
                Happening::Received(message) if message.rendezvous => {}
                Happening::Sent(message) => {
                    messages = true;
                    sent.push((message, message.process));
                    told.push(Told::Alone {
                        who: message.process,
                        what: format!("{number} sends {}!{}", message.channel, message.message),
                    });
                }
                Happening::Received(message) => {
                    messages = true;
                    let what = format!("{number} {}?{}", message.channel, message.message);
                    let same = |(other, _): &(&Message, u32)| {
                        other.channel == message.channel && other.number == message.number
                    };
                    let to = message.process;
                    told.push(match sent.iter().rev().find(|one| same(one)) {
                        Some((_, from)) => Told::Arrives {
                            from: *from,
                            to,
                            what,
                        },
                        None => Told::Alone { who: to, what },
                    });
                }
                _ => {}
            }
        }
        if !messages {
            told.push(Told::Alone {
                who: step.process,
                what: format!("{number} {}", step.statement),
            });
        }
        if let Some(failure) = &step.failure {
            told.push(Told::Alone {
                who: step.process,
                what: failure.clone(),
            });
        }
    }
    let all = run.skipped + run.steps.len();
    if run.loop_from.is_some_and(|from| from < all) {
        told.push(Told::End);
    }
    told
}

/// Everybody who ever takes part, by number.
fn participants(run: &Run) -> Vec<(u32, String)> {
    let mut all: Vec<(u32, String)> = Vec::new();
    let mut add = |process: u32, name: &str| {
        if !all.iter().any(|(known, _)| *known == process) {
            all.push((process, name.into()));
        }
    };
    for process in run.initial.iter().flat_map(|state| &state.processes) {
        add(process.process, &process.name);
    }
    let in_steps = run.steps.iter().flat_map(|step| &step.happenings);
    for happening in run.start.iter().chain(in_steps) {
        if let Happening::Started { process, name } = happening {
            add(*process, name);
        }
    }
    for step in &run.steps {
        add(step.process, &step.name);
    }
    all.sort_by_key(|(process, _)| *process);
    all
}

/// Text in which a tool sees no more than text. Both know characters by number, each written in its way.
fn tame(prefix: &str, text: &str) -> String {
    let mut tamed = String::new();
    for character in clean(text).chars() {
        match character {
            '#' | ';' | '<' | '>' | '"' | '%' | '~' | '*' | '_' | '/' | '\\' | '&' => {
                let _ = write!(tamed, "{prefix}{};", u32::from(character));
            }
            other => tamed.push(other),
        }
    }
    tamed
}
