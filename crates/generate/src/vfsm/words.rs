//! What comments say.

use mazurka_vfsm::network::{InputAlternative, Operation, OutputAlternative, Type};

/// `+I_A *I_B`
pub(crate) fn changes(described: &Type, alternative: &InputAlternative) -> String {
    let mut words = Vec::new();
    for (sign, set) in [
        ('-', alternative.delete),
        ('+', alternative.insert),
        ('*', alternative.pulse),
    ] {
        for (input, name) in described.inputs.iter().enumerate() {
            if set >> input & 1 != 0 {
                words.push(format!("{sign}{name}"));
            }
        }
    }
    match words.is_empty() {
        true => "nothing".into(),
        false => words.join(" "),
    }
}

/// `send E to m, start T`
pub(crate) fn operations(described: &Type, alternative: &OutputAlternative) -> String {
    let words = alternative
        .operations
        .iter()
        .map(|operation| match operation {
            Operation::Send { role, event } => {
                format!("send {event} to {}", described.roles[*role].name)
            }
            Operation::Start(timer) => format!("start {}", described.timers[*timer].name),
            Operation::Stop(timer) => format!("stop {}", described.timers[*timer].name),
            Operation::Feedback(event) => format!("feedback {}", described.events[*event].name),
            Operation::Clear(input) => format!("clear {}", described.inputs[*input as usize]),
        });
    let words: Vec<String> = words.collect();
    match words.is_empty() {
        true => "nothing".into(),
        false => words.join(", "),
    }
}

/// Alternatives with their numbers: `0: nothing; 1: send E to m`.
pub(crate) fn numbered(alternatives: impl Iterator<Item = String>) -> String {
    let words = alternatives.enumerate();
    let words: Vec<String> = words
        .map(|(number, words)| format!("{number}: {words}"))
        .collect();
    words.join("; ")
}
