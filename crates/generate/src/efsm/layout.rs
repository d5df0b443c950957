//! Where everything is: instances, ports, variables and their first values.

use mazurka_model::{Base, Interpreter, Kind, Meaning, Place, Program, Variable};

/// A system, with what was numbered.
pub(super) struct Layout<'p> {
    pub name: String,
    pub program: &'p Program,
    /// The instances: the number of the machine, and the number among its instances.
    pub instances: Vec<(usize, usize)>,
    /// For each instance, the first values of its variables, element by element.
    pub locals: Vec<Vec<i32>>,
    pub shared: Vec<i32>,
    /// The ports of all instances, by the numbers of their channels from 1: type of channel.
    pub ports: Vec<usize>,
}

impl<'p> Layout<'p> {
    pub fn new(program: &'p Program, name: &str) -> Layout<'p> {
        let interpreter = Interpreter::new(program.clone());
        let mut state = Vec::new();
        // What has no value at the start was reported by the front end.
        let _ = interpreter.initial(&mut state, &mut ());
        let shape = interpreter.shape(&state);
        let values = |variables: &[Variable], base: usize| {
            let elements = variables.iter().flat_map(|variable| {
                let width = variable.kind.bytes();
                let first = base + variable.offset as usize;
                let elements = 0..variable.length.unwrap_or(1);
                elements.map(move |element| (variable.kind, first + (element * width) as usize))
            });
            let values = elements.map(|(kind, offset)| kind.read(&state, offset));
            values.collect::<Vec<i32>>()
        };
        let mut instances = Vec::new();
        let mut locals = Vec::new();
        for entry in &shape.processes {
            let machine = entry.process_type.index();
            let number = instances.iter().filter(|(of, _)| *of == machine).count();
            instances.push((machine, number));
            let variables = &program.process_types[machine].variables;
            locals.push(values(variables, entry.offset as usize));
        }
        Layout {
            name: name.into(),
            program,
            instances,
            locals,
            shared: values(&program.shared, mazurka_model::HEADER_BYTES as usize),
            ports: shape
                .channels
                .iter()
                .map(|entry| entry.channel_type.index())
                .collect(),
        }
    }

    /// The machines that have instances, with the number of these.
    pub fn machines(&self) -> Vec<(usize, usize)> {
        let machines = 0..self.program.process_types.len();
        let counted = machines.map(|machine| (machine, self.count(machine)));
        counted.filter(|(_, count)| *count > 0).collect()
    }

    pub fn count(&self, machine: usize) -> usize {
        self.instances
            .iter()
            .filter(|(of, _)| *of == machine)
            .count()
    }

    /// The name of an instance.
    pub fn instance(&self, process: usize) -> &str {
        &self.program.instances[process]
    }

    /// The transitions of a machine, by their numbers in the program.
    pub fn transitions(&self, machine: usize) -> std::ops::Range<u32> {
        let locations = &self.program.process_types[machine].locations;
        let locations = &self.program.locations[locations.start as usize..locations.end as usize];
        let first = locations
            .first()
            .map_or(0, |location| location.transitions.start);
        let last = locations
            .last()
            .map_or(0, |location| location.transitions.end);
        first..last
    }

    /// The number of the first channel of a port of a machine, and how far it is to that of the next instance.
    pub fn port(&self, machine: usize, variable: usize) -> (i32, i32) {
        let position = self.element(&self.program.process_types[machine].variables, variable);
        let of_machine = self.instances.iter().zip(&self.locals);
        let mut numbers = of_machine
            .filter(|((of, _), _)| *of == machine)
            .map(|(_, values)| values[position]);
        let first = numbers.next().unwrap_or(1);
        (first, numbers.next().map_or(1, |second| second - first))
    }

    /// The place of the first element of a variable among all elements.
    pub fn element(&self, variables: &[Variable], variable: usize) -> usize {
        let before = variables[..variable].iter();
        before
            .map(|variable| variable.length.unwrap_or(1) as usize)
            .sum()
    }

    /// The variable of a place, and the element of it, unless an index says that.
    pub fn variable(&self, machine: Option<usize>, place: &Place) -> (bool, usize, u32) {
        let is_shared = place.base == Base::Shared;
        let variables = match machine {
            Some(machine) if !is_shared => &self.program.process_types[machine].variables,
            _ => &self.program.shared,
        };
        let found = variables.iter().position(|variable| {
            let width = variable.kind.bytes() * variable.length.unwrap_or(1);
            (variable.offset..variable.offset + width).contains(&place.offset)
        });
        let number = found.expect("a place of a variable");
        let variable = &variables[number];
        (
            is_shared,
            number,
            (place.offset - variable.offset) / variable.kind.bytes(),
        )
    }

    /// The name of a port, as the model has it.
    pub fn port_shown(&self, number: i32) -> String {
        for (process, (machine, _)) in self.instances.iter().enumerate() {
            let variables = &self.program.process_types[*machine].variables;
            for (position, variable) in variables.iter().enumerate().filter(|(_, v)| is_port(v)) {
                if self.locals[process][self.element(variables, position)] == number {
                    return format!("{}.{}", self.instance(process), variable.name);
                }
            }
        }
        format!("channel {number}")
    }

    /// How many fields a message has at most, its name included.
    pub fn fields(&self) -> usize {
        let types = self
            .ports
            .iter()
            .map(|number| &self.program.channel_types[*number]);
        types.map(|channel| channel.fields.len()).max().unwrap_or(1)
    }
}

/// Is it a port, of which a variable holds the number?
pub(super) fn is_port(variable: &Variable) -> bool {
    variable.meaning == Meaning::Channel
}

/// The values that a kind has.
pub(super) fn range(kind: Kind) -> (i64, i64) {
    match kind {
        Kind::Bit => (0, 1),
        Kind::Byte => (0, 255),
        Kind::Short => (i16::MIN.into(), i16::MAX.into()),
        Kind::Int => (i32::MIN.into(), i32::MAX.into()),
        Kind::Unsigned(bits) if bits < 32 => (0, (1 << bits) - 1),
        Kind::Unsigned(_) => (i32::MIN.into(), i32::MAX.into()),
    }
}

/// The number of a meaning in the trace.
pub(super) fn meaning(meaning: Meaning) -> u32 {
    match meaning {
        Meaning::Truth => 1,
        Meaning::Enumeration(which) => which + 2,
        Meaning::Number | Meaning::Process | Meaning::Channel => 0,
    }
}
