//! Objects that random machines share.

use crate::random::Random;

const STATES: [&str; 3] = ["one", "two", "three"];
const OPERATIONS: [&str; 3] = ["a", "b", "c"];

/// The objects of a system.
#[derive(Clone, Debug)]
pub(super) struct Objects {
    /// Each with its declaration and what can be done with it.
    listed: Vec<(String, Vec<String>)>,
}

impl Objects {
    /// One to three objects.
    pub fn random(random: &mut Random) -> Objects {
        let mut sorts = vec![0, 1, 2, 3, 4];
        let mut listed = Vec::new();
        for number in 0..1 + random.below(3) {
            let sort = sorts.remove(random.below(sorts.len()));
            let array = random.chance(30);
            listed.push(object(random, number, sort, array));
        }
        Objects { listed }
    }

    /// What a transition does with them: mostly one thing or nothing.
    pub fn uses(&self, random: &mut Random) -> Vec<String> {
        let mut used = Vec::new();
        for (_, operations) in &self.listed {
            if random.chance(30) {
                used.push(operations[random.below(operations.len())].clone());
            }
        }
        used
    }

    pub fn text(&self) -> String {
        self.listed.iter().map(|(text, _)| text.as_str()).collect()
    }
}

/// An object, and what can be done with it.
fn object(random: &mut Random, number: usize, sort: usize, array: bool) -> (String, Vec<String>) {
    let name = format!("o{number}");
    let length = if array { "[2]" } else { "" };
    let bound = 1 + random.below(3);
    let initial = match random.below(bound + 2) {
        value if value <= bound => format!(" = {value}"),
        _ => String::new(),
    };
    let (text, operations) = match sort {
        0 => (format!("mutex {name}{length};\n"), vec!["lock", "unlock"]),
        1 => (
            format!("semaphore {name}{length}({bound}){initial};\n"),
            vec!["take", "release"],
        ),
        2 => (
            format!("counter {name}{length}({bound}){initial};\n"),
            vec!["increase", "decrease"],
        ),
        3 => (
            format!("barrier {name}{length}({bound});\n"),
            vec!["arrive", "pass"],
        ),
        _ => (
            format!("{}shared {name}: Cell{length};\n", kind(random)),
            OPERATIONS.to_vec(),
        ),
    };
    // No message is stored in `y`, so that it is clear which element is meant.
    let places: &[&str] = match array {
        true => &["[0]", "[1]", "[y % 2]"],
        false => &[""],
    };
    let uses = operations.iter().flat_map(|operation| {
        let name = &name;
        places
            .iter()
            .map(move |place| format!("{name}{place}.{operation}"))
    });
    (text, uses.collect())
}

/// A kind of object with three states, where an operation leads anywhere, or waits.
fn kind(random: &mut Random) -> String {
    let mut text = "object Cell {\n  start state one;\n  state two, three;\n".to_string();
    for operation in OPERATIONS {
        let mut edges = Vec::new();
        for from in STATES {
            if random.chance(60) {
                edges.push(format!("{from} -> {}", STATES[random.below(3)]));
            }
        }
        if edges.is_empty() {
            edges.push("one -> two".into());
        }
        text += &format!("  {operation}: {};\n", edges.join(", "));
    }
    text + "}\n"
}
