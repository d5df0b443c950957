//! Names for numbers: of processes, channels and values.
//!
//! A channel is known by the variable that held it when it was made, because variables of channel
//! type may be reassigned while the channel stays.

use mazurka_model::{
    ChannelTypeId, HEADER_BYTES, Interpreter, Meaning, ProcessType, Program, Variable,
};

/// What a process calls the channel for messages that it keeps for later. No notation has names with spaces.
const KEPT: &str = "saved signals";

/// The names of the channels of a state.
#[derive(Clone, Debug, Default)]
pub struct Names {
    channels: Vec<String>,
}

impl Names {
    /// Follows the channels into a state: those that are gone lose their names, new ones get some.
    pub fn follow(&mut self, interpreter: &Interpreter, state: &[u8]) {
        let count = interpreter.shape(state).channels.len();
        self.channels.truncate(count);
        for number in self.channels.len() + 1..=count {
            let name = name_of_channel(interpreter, state, number as i32);
            self.channels.push(name);
        }
    }

    /// The name of a channel.
    pub fn channel(&self, number: i32) -> String {
        let index = usize::try_from(number.wrapping_sub(1)).ok();
        match index.and_then(|index| self.channels.get(index)) {
            Some(name) => name.clone(),
            None if number == 0 => "no channel".into(),
            None => format!("channel {number}"),
        }
    }

    /// The channel, by its number, with the messages that a process keeps aside from this one for later. They come before the others,
    /// and a reader sees one queue.
    pub fn kept_aside(&self, number: u32) -> Option<u32> {
        let index = (number as usize).checked_sub(1)?;
        let owner = self.channels.get(index)?.strip_suffix(".queue")?;
        let aside = format!("{owner}.{KEPT}");
        let index = self.channels.iter().position(|name| *name == aside)?;
        Some(index as u32 + 1)
    }

    /// Is it such a channel?
    pub fn is_aside(&self, number: u32) -> bool {
        let index = (number as usize).wrapping_sub(1);
        let name = self.channels.get(index);
        name.and_then(|name| name.strip_suffix(KEPT))
            .is_some_and(|owner| owner.ends_with('.'))
    }

    /// A value as its variable means it.
    pub fn value(&self, program: &Program, meaning: Meaning, value: i32) -> String {
        match meaning {
            Meaning::Channel => self.channel(value),
            _ => program.name_of(meaning, value),
        }
    }

    /// A message: `ack(1)` if it begins with a name, else its fields.
    pub fn message(
        &self,
        program: &Program,
        channel_type: ChannelTypeId,
        fields: &[i32],
    ) -> String {
        let channel_type = &program.channel_types[channel_type.index()];
        let described = &channel_type.fields;
        let form = fields.first().and_then(|name| {
            let number = usize::try_from(*name).ok()?.checked_sub(1)?;
            channel_type.forms.get(number)
        });
        if let (Some(form), [name, rest @ ..]) = (form, fields) {
            let name = self.value(program, described[0].meaning, *name);
            // Sender and receiver of a signal are not among what the model says it carries.
            let own = form.iter().zip(rest);
            let own = own.skip_while(|(meaning, _)| **meaning == Meaning::Process);
            let values = own.map(|(meaning, value)| self.value(program, *meaning, *value));
            let values: Vec<String> = values.collect();
            return match values.is_empty() {
                true => name,
                false => format!("{name}({})", values.join(",")),
            };
        }
        let mut values = described
            .iter()
            .zip(fields)
            .map(|(field, value)| self.value(program, field.meaning, *value));
        match described.first().map(|field| field.meaning) {
            Some(Meaning::Enumeration(_)) if described.len() > 1 => {
                let name = values.next().unwrap_or_default();
                format!("{name}({})", values.collect::<Vec<_>>().join(","))
            }
            _ => values.collect::<Vec<_>>().join(","),
        }
    }
}

/// Does somebody mean the process of this number and name? `P` is every process of that type, `P[1]` and `1` are one of them.
pub(crate) fn is_called(number: u32, name: &str, wanted: &str) -> bool {
    let kind = name.split('[').next().unwrap_or(name);
    name == wanted || kind == wanted || wanted.parse() == Ok(number)
}

/// The name of a process of a state.
pub fn name_of_process(interpreter: &Interpreter, state: &[u8], process: usize) -> String {
    if let Some(name) = interpreter.program().instances.get(process) {
        return name.clone();
    }
    let entry = interpreter.shape(state).processes[process];
    numbered(
        &interpreter.program().process_types[entry.process_type.index()],
        process,
    )
}

/// A process by the name of its type and its number, if there can be several.
pub fn numbered(process_type: &ProcessType, process: usize) -> String {
    match process_type.machine {
        true => process_type.name.clone(),
        false => format!("{}[{process}]", process_type.name),
    }
}

/// The elements of a variable: each with its name and its offset in the state.
pub fn elements(variable: &Variable, base: usize) -> impl Iterator<Item = (Element<'_>, usize)> {
    let width = variable.kind.bytes() as usize;
    let start = base + variable.offset as usize;
    (0..variable.length.unwrap_or(1)).map(move |index| {
        let element = Element { variable, index };
        (element, start + index as usize * width)
    })
}

/// A variable that is not an array, or an element of one that is.
#[derive(Clone, Copy)]
pub struct Element<'p> {
    pub variable: &'p Variable,
    index: u32,
}

impl Element<'_> {
    pub fn name(&self) -> String {
        match self.variable.length {
            None => self.variable.name.clone(),
            Some(_) => format!("{}[{}]", self.variable.name, self.index),
        }
    }
}

/// The offset of the hidden variables in a state.
pub fn hidden_base(program: &Program, state: &[u8]) -> usize {
    state.len() - program.hidden_bytes as usize
}

fn name_of_channel(interpreter: &Interpreter, state: &[u8], number: i32) -> String {
    let program = interpreter.program();
    let find = |variables: &[Variable], base: usize| {
        variables
            .iter()
            .filter(|variable| variable.meaning == Meaning::Channel)
            .flat_map(|variable| elements(variable, base))
            .find(|(element, offset)| element.variable.kind.read(state, *offset) == number)
            .map(|(element, _)| element.name())
    };
    let shape = interpreter.shape(state);
    let local = |process: usize| {
        let process_type = &program.process_types[shape.processes[process].process_type.index()];
        let name = find(&process_type.variables, shape.frame(process))?;
        Some(format!(
            "{}.{name}",
            name_of_process(interpreter, state, process)
        ))
    };
    find(&program.shared, HEADER_BYTES as usize)
        .or_else(|| find(&program.hidden, hidden_base(program, state)))
        .or_else(|| (0..shape.processes.len()).find_map(local))
        .unwrap_or_else(|| format!("channel {number}"))
}
