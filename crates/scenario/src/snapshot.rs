//! A state with names, and what changed between two states.

use mazurka_model::{ChannelEntry, HEADER_BYTES, Interpreter, Meaning, Program, Variable};
use serde::{Deserialize, Serialize};

use crate::names::{Element, Names, elements, hidden_base, is_called, name_of_process};
use crate::walk::{Position, position};

/// A state as people read it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Snapshot {
    /// Every process.
    pub processes: Vec<ProcessAt>,
    /// Every variable, shared ones first.
    pub variables: Vec<NamedValue>,
    /// Every channel that can hold messages.
    pub channels: Vec<ChannelContents>,
}

/// Where a process is.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ProcessAt {
    /// Its number.
    pub process: u32,
    /// Its name.
    pub name: String,
    /// The place in the source.
    pub at: Position,
    /// The state, if people know where it is by that.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state: Option<String>,
    /// What would take it on from there, in the words of its notation.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub awaits: Option<String>,
    /// The statements it would execute next.
    pub next: Vec<String>,
    /// May the system end with the process here?
    pub may_end: bool,
    /// Is it in an atomic sequence that nobody may interrupt?
    pub holds: bool,
}

/// A variable and its value.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct NamedValue {
    /// The name; of a local variable, behind that of its process.
    pub name: String,
    /// The value.
    pub value: String,
}

/// What a channel holds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ChannelContents {
    /// Its name.
    pub name: String,
    /// How many messages it can hold.
    pub capacity: u32,
    /// The messages, oldest first.
    pub messages: Vec<String>,
}

/// A variable, or the contents of a channel, that changed.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Change {
    /// The name; of a local variable, behind that of its process.
    pub name: String,
    /// The value before; none if the variable is new.
    pub old: Option<String>,
    /// The value after.
    pub new: String,
}

impl Snapshot {
    /// Describes a state.
    pub fn new(interpreter: &Interpreter, names: &Names, state: &[u8]) -> Snapshot {
        let program = interpreter.program();
        let mut variables = Vec::new();
        for part in parts(interpreter, state) {
            for (element, offset) in part.elements() {
                let value = element.variable.kind.read(state, offset);
                let value = names.value(program, element.variable.meaning, value);
                let name = part.name_of(element);
                // That the variable `c` holds the channel `c` goes without saying.
                if element.variable.meaning != Meaning::Channel || value != name {
                    variables.push(NamedValue { name, value });
                }
            }
        }
        let shape = interpreter.shape(state);
        let channels = shape
            .channels
            .iter()
            .enumerate()
            .filter_map(|(index, entry)| {
                let capacity = program.channel_types[entry.channel_type.index()].capacity;
                let number = index as u32 + 1;
                (capacity > 0 && !names.is_aside(number)).then(|| ChannelContents {
                    name: names.channel(number as i32),
                    capacity,
                    messages: held(interpreter, names, state, number),
                })
            });
        let processes = 0..shape.processes.len();
        Snapshot {
            processes: processes
                .map(|process| process_at(interpreter, state, process))
                .collect(),
            variables,
            channels: channels.collect(),
        }
    }

    /// The processes of this name, type or number: at least one.
    pub fn processes_named(&self, named: &str) -> Result<Vec<&ProcessAt>, String> {
        let processes = self.processes.iter();
        let is_meant = |process: &&ProcessAt| is_called(process.process, &process.name, named);
        let found: Vec<&ProcessAt> = processes.filter(is_meant).collect();
        if !found.is_empty() {
            return Ok(found);
        }
        let known = self.processes.iter().map(|process| process.name.as_str());
        let known: Vec<&str> = known.collect();
        let known = known.join(", ");
        Err(match (known.is_empty(), named.is_empty()) {
            (true, _) => "no process is left".into(),
            (false, true) => format!("name a process: there are {known}"),
            (false, false) => format!("there is no process {named}; there are {known}"),
        })
    }
}

fn process_at(interpreter: &Interpreter, state: &[u8], process: usize) -> ProcessAt {
    let program = interpreter.program();
    let location = &program.locations[interpreter.location(state, process).index()];
    let mut next: Vec<String> = Vec::new();
    for number in location.transitions.clone() {
        let statement = program.transitions[number as usize].statement;
        let text = &program.statements[statement.index()].text;
        if !next.contains(text) {
            next.push(text.clone());
        }
    }
    ProcessAt {
        process: process as u32,
        name: name_of_process(interpreter, state, process),
        at: position(program, location.origin),
        state: label(interpreter, state, process, 0),
        awaits: label(interpreter, state, process, 1),
        next,
        may_end: location.end,
        holds: interpreter.controller(state) == Some(process),
    }
}

/// Of where a machine is: the name of the state, or, behind that, what it waits for.
fn label(interpreter: &Interpreter, state: &[u8], process: usize, number: usize) -> Option<String> {
    let program = interpreter.program();
    let entry = interpreter.shape(state).processes[process];
    let is_machine = program.has_states(entry.process_type);
    let location = &program.locations[interpreter.location(state, process).index()];
    location.labels.get(number).filter(|_| is_machine).cloned()
}

/// What a step changed. Of a process that is new, its parameters and what is not zero.
pub fn changes(
    interpreter: &Interpreter,
    names: &Names,
    before: &[u8],
    after: &[u8],
) -> Vec<Change> {
    let program = interpreter.program();
    let mut changes = Vec::new();
    let old_parts = parts(interpreter, before);
    for (number, part) in parts(interpreter, after).into_iter().enumerate() {
        let old = old_parts.get(number);
        for (position, (element, offset)) in part.elements().enumerate() {
            let variable = element.variable;
            let text = |value| names.value(program, variable.meaning, value);
            let new = variable.kind.read(after, offset);
            match old {
                Some(old) => {
                    let before = variable.kind.read(before, offset - part.base + old.base);
                    if before != new {
                        let name = part.name_of(element);
                        changes.push(Change {
                            name,
                            old: Some(text(before)),
                            new: text(new),
                        });
                    }
                }
                None if new != 0 || position < part.parameters => {
                    let (name, new) = (part.name_of(element), text(new));
                    if name != new {
                        changes.push(Change {
                            name,
                            old: None,
                            new,
                        });
                    }
                }
                None => {}
            }
        }
    }
    let (old, new) = (interpreter.shape(before), interpreter.shape(after));
    for process in 0..old.processes.len().min(new.processes.len()) {
        let (old, new) = (
            label(interpreter, before, process, 0),
            label(interpreter, after, process, 0),
        );
        if let Some(new) = new.filter(|new| old.as_ref() != Some(new)) {
            let name = name_of_process(interpreter, after, process);
            changes.push(Change { name, old, new });
        }
    }
    for number in 1..=old.channels.len().min(new.channels.len()) as u32 {
        if names.is_aside(number) {
            continue;
        }
        let is_changed = |number: &u32| {
            let both = (old.channels.get(*number as usize - 1))
                .zip(new.channels.get(*number as usize - 1));
            both.is_some_and(|(old, new)| {
                bytes(program, *old, before) != bytes(program, *new, after)
            })
        };
        let aside = names.kept_aside(number);
        if !is_changed(&number) && !aside.as_ref().is_some_and(is_changed) {
            continue;
        }
        let text = |state| format!("[{}]", held(interpreter, names, state, number).join(", "));
        let (old, new) = (text(before), text(after));
        if old != new || aside.is_none() {
            changes.push(Change {
                name: names.channel(number as i32),
                old: Some(old),
                new,
            });
        }
    }
    changes
}

/// The messages in a channel, with those that its process keeps aside for later, which come first.
fn held(interpreter: &Interpreter, names: &Names, state: &[u8], number: u32) -> Vec<String> {
    let program = interpreter.program();
    let channels = &interpreter.shape(state).channels;
    let both = names.kept_aside(number).into_iter().chain([number]);
    let entries = both.filter_map(|number| channels.get(number as usize - 1));
    let messages = entries.flat_map(|entry| {
        let messages = contents(program, *entry, state).into_iter();
        messages.map(|message| names.message(program, entry.channel_type, &message))
    });
    messages.collect()
}

/// The messages in a channel.
pub fn contents(program: &Program, entry: ChannelEntry, state: &[u8]) -> Vec<Vec<i32>> {
    let channel_type = &program.channel_types[entry.channel_type.index()];
    if channel_type.capacity == 0 {
        return Vec::new();
    }
    let length_kind = channel_type.length_kind();
    let length = length_kind.read(state, entry.offset as usize);
    let first = (entry.offset + length_kind.bytes()) as usize;
    (0..length as usize)
        .map(|slot| first + slot * channel_type.message_bytes as usize)
        .map(|slot| {
            let fields = channel_type.fields.iter();
            fields
                .map(|field| field.kind.read(state, slot + field.offset as usize))
                .collect()
        })
        .collect()
}

fn bytes<'s>(program: &Program, entry: ChannelEntry, state: &'s [u8]) -> &'s [u8] {
    let length = program.channel_types[entry.channel_type.index()].bytes();
    &state[entry.offset as usize..(entry.offset + length) as usize]
}

/// Variables that stand together in a state: the shared ones, the hidden ones, those of a process.
struct Part<'p> {
    variables: &'p [Variable],
    base: usize,
    owner: Option<String>,
    parameters: usize,
}

/// Shared, hidden, then one part for each process.
fn parts<'p>(interpreter: &'p Interpreter, state: &[u8]) -> Vec<Part<'p>> {
    let program = interpreter.program();
    let global = |variables, base| Part {
        variables,
        base,
        owner: None,
        parameters: 0,
    };
    let mut parts = vec![
        global(&program.shared[..], HEADER_BYTES as usize),
        global(&program.hidden[..], hidden_base(program, state)),
    ];
    let shape = interpreter.shape(state);
    for (process, entry) in shape.processes.iter().enumerate() {
        let process_type = &program.process_types[entry.process_type.index()];
        parts.push(Part {
            variables: &process_type.variables,
            base: entry.offset as usize,
            owner: Some(name_of_process(interpreter, state, process)),
            parameters: process_type.parameters.len(),
        });
    }
    parts
}

impl<'p> Part<'p> {
    fn elements(&self) -> impl Iterator<Item = (Element<'p>, usize)> + use<'p> {
        let base = self.base;
        self.variables
            .iter()
            .flat_map(move |variable| elements(variable, base))
    }

    fn name_of(&self, element: Element<'_>) -> String {
        match &self.owner {
            None => element.name(),
            Some(owner) => format!("{owner}.{}", element.name()),
        }
    }
}
