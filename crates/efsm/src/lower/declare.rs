//! What names mean: constants, types, machines with their ports and variables, instances.

use std::collections::HashMap;
use std::sync::Arc;

use mazurka_model::{
    Base, ChannelType, ChannelTypeId, Enumeration, Instruction, Kind, LocationId, Meaning,
    MessageField, ProcessType, ProcessTypeId, Variable,
};
use mazurka_span::{Diagnostic, Span, counted, has_errors};
use mazurka_syntax::Lower;

use super::{Instances, Local, Lowerer, Machine, Message, Port, Type, bounds};
use crate::ast::{self, Name, Order};
use crate::codes;

/// A state names processes and channels by one byte.
const MOST_INSTANCES: u32 = 255;
const MOST_CHANNELS: u32 = 255;
const MOST_STATES: usize = 65_535;
/// A queue longer than this would make states of megabytes.
const LONGEST_QUEUE: i32 = 10_000;
/// A receive is a transition for each place of such a port.
const MOST_REORDERED: i32 = 16;
const LONGEST_ARRAY: i32 = 100_000;

impl Lowerer<'_> {
    /// Lowers everything.
    pub(super) fn model(&mut self, defines: &[String]) {
        let model = self.model;
        self.constants(defines);
        for (number, enumeration) in model.enumerations.iter().enumerate() {
            self.enumeration(number, enumeration);
        }
        for object in &model.objects {
            self.object(object);
        }
        let mut names: HashMap<&str, Span> = HashMap::new();
        let machines = model.machines.iter().map(|machine| &machine.name);
        let variables = model.globals.iter().map(|variable| &variable.name);
        let instances = model.instances.iter().map(|instance| &instance.name);
        for name in machines.chain(variables).chain(instances) {
            self.declared_once(&mut names, name);
        }
        for machine in &model.machines {
            self.signature(machine);
        }
        self.number_instances();
        let counts: Vec<u32> = self.machines.iter().map(|machine| machine.count).collect();
        let mut ports = model.machines.iter().flat_map(|machine| &machine.ports);
        // What is sent once counts once.
        self.most_messages = match self.is_open || ports.any(|port| port.duplicates) {
            true => None,
            false => bounds::messages_under_way(&model.machines, &counts),
        };
        let mut offset = 0;
        for variable in &model.globals {
            let start = offset;
            let (local, described) = self.variable(variable, Base::Shared, &mut offset);
            self.building.program.shared.push(described);
            let mut objects = model.objects.iter();
            if objects.any(|object| object.name.text == variable.name.text) {
                self.building.program.objects.push((start, offset));
            }
            self.globals.insert(variable.name.text.clone(), local);
        }
        self.building.program.shared_bytes = offset;
        for number in 0..model.machines.len() {
            self.body(number);
        }
        self.start();
        self.formulas();
        if !has_errors(self.building.diagnostics) {
            self.remark();
        }
    }

    pub(super) fn declared_once<'n>(&mut self, names: &mut HashMap<&'n str, Span>, name: &'n Name) {
        if let Some(before) = names.insert(&name.text, name.span) {
            let message = format!("`{}` is declared twice", name.text);
            let diagnostic = Diagnostic::error(codes::DUPLICATE, name.span, message)
                .also(before, "declared here before");
            self.building.diagnostics.push(diagnostic);
        } else if self.constants.contains_key(&name.text) {
            let message = format!("`{}` is a constant already", name.text);
            self.error(codes::DUPLICATE, name.span, message);
        }
    }

    fn constants(&mut self, defines: &[String]) {
        let mut given: HashMap<&str, i32> = HashMap::new();
        for define in defines {
            let (name, value) = define.split_once('=').unwrap_or((define, "1"));
            let known = self.model.constants.iter().any(|c| c.name.as_str() == name);
            let Ok(value) = value.trim().parse() else {
                let message = format!("the value of `{name}` must be a number, not `{value}`");
                self.error(codes::UNKNOWN_CONSTANT, Span::default(), message);
                continue;
            };
            if !known {
                let message = format!("the model has no constant `{name}` that could be defined");
                self.error(codes::UNKNOWN_CONSTANT, Span::default(), message);
            }
            given.insert(name, value);
        }
        for constant in &self.model.constants {
            let name = constant.name.as_str();
            let value = match given.get(name) {
                Some(value) => *value,
                None => self.evaluate(&constant.value, None).unwrap_or(1),
            };
            let known = self.constants.insert(name.into(), (value, Type::Int));
            if known.is_some() {
                let message = format!("`{name}` is declared twice");
                self.error(codes::DUPLICATE, constant.name.span, message);
            }
        }
    }

    /// How far an object counts, and from where.
    fn object(&mut self, object: &ast::Object) {
        let Some(bound) = &object.bound else { return };
        // A barrier counts those who come and then those who go.
        let (what, most) = match object.sort {
            ast::Sort::Barrier => ("the number of those who meet", 127),
            _ => ("how far an object counts", 255),
        };
        let bound = self.amount(bound, what, 1, most);
        if let Some(initial) = &object.initial {
            self.amount(initial, "the first value of an object", 0, bound as i32);
        }
    }

    fn enumeration(&mut self, number: usize, enumeration: &ast::Enumeration) {
        self.enumerations.push(enumeration.name.text.clone());
        let mut constants = Vec::new();
        if enumeration.values.len() > 255 {
            let message = "an enumeration has at most 255 values";
            self.error(codes::TOO_LARGE, enumeration.name.span, message);
        }
        for (value, name) in enumeration.values.iter().enumerate() {
            let value = value as i32;
            constants.push((name.to_string(), value));
            let known = self
                .constants
                .insert(name.text.clone(), (value, Type::Enumeration(number)));
            if known.is_some() {
                let message = format!("`{}` is declared twice", name.text);
                self.error(codes::DUPLICATE, name.span, message);
            }
        }
        self.building.program.enumerations.push(Enumeration {
            name: enumeration.name.to_string(),
            constants,
        });
    }

    /// Parameters, ports, variables and states of a machine.
    fn signature(&mut self, machine: &ast::Machine) {
        let mut names: HashMap<&str, Span> = HashMap::new();
        let mut locals = HashMap::new();
        let mut parameters = Vec::new();
        let mut variables = Vec::new();
        let mut places = Vec::new();
        let mut offset = 0;
        for parameter in &machine.parameters {
            self.declared_once(&mut names, &parameter.name);
            let type_ = self.type_of(&parameter.type_name);
            let local = Local {
                base: Base::Local,
                offset,
                type_,
                length: None,
                writable: false,
            };
            parameters.push(type_);
            variables.push(described(&parameter.name.text, local));
            places.push(self.simple_place(Base::Local, offset, type_.kind()));
            offset += type_.kind().bytes();
            locals.insert(parameter.name.text.clone(), local);
        }
        let mut ports = Vec::new();
        let mut channels = 0;
        for port in &machine.ports {
            self.declared_once(&mut names, &port.name);
            let lowered = self.port(machine, port, channels, offset);
            for channel in 0..lowered.channels {
                variables.push(Variable {
                    name: match channel {
                        0 => port.name.to_string(),
                        other => format!("{}.{}", port.name, other + 1),
                    },
                    offset: offset + channel,
                    kind: Kind::Byte,
                    length: None,
                    meaning: Meaning::Channel,
                });
            }
            channels += lowered.channels;
            offset += lowered.channels;
            ports.push(lowered);
        }
        for variable in &machine.variables {
            self.declared_once(&mut names, &variable.name);
            let (local, described) = self.variable(variable, Base::Local, &mut offset);
            variables.push(described);
            locals.insert(variable.name.text.clone(), local);
        }
        let mut states: HashMap<Arc<str>, u32> = HashMap::new();
        let mut places_of_states: HashMap<&str, Span> = HashMap::new();
        for (number, state) in machine.states.iter().enumerate() {
            self.declared_once(&mut places_of_states, &state.name);
            states
                .entry(state.name.text.clone())
                .or_insert(number as u32);
        }
        if machine.states.len() > MOST_STATES {
            self.error(codes::TOO_LARGE, machine.span, "too many states");
        }
        if machine.states.iter().filter(|state| state.start).count() != 1 {
            let message = format!("machine {} needs one start state", machine.name.text);
            self.error(codes::NO_START, machine.span, message);
        }
        self.machines.push(Machine {
            name: machine.name.text.clone(),
            parameters,
            ports,
            locals,
            states,
            count: 0,
            first_process: 0,
            first_channel: 0,
            channels,
            frame_bytes: offset,
        });
        self.building.program.process_types.push(ProcessType {
            variables,
            parameters: places,
            ..ProcessType::new(machine.name.as_str(), LocationId(0))
        });
    }

    fn port(&mut self, machine: &ast::Machine, port: &ast::Port, first: u32, offset: u32) -> Port {
        let (what, most) = match port.order {
            Order::Any => ("the capacity of a port that reorders", MOST_REORDERED),
            Order::Sent | Order::Sorted => ("the capacity of a port", LONGEST_QUEUE),
        };
        let capacity = match &port.capacity {
            Some(expression) => self.amount(expression, what, 1, most),
            None => 1,
        };
        // What can be taken in any order has a place of its own for each message.
        let (channels, length) = match port.order {
            Order::Any => (capacity, 1),
            Order::Sent | Order::Sorted => (1, capacity),
        };
        let mut names: HashMap<&str, Span> = HashMap::new();
        let mut messages: Vec<Message> = Vec::new();
        for message in &port.messages {
            if names
                .insert(&message.name.text, message.name.span)
                .is_some()
            {
                let text = format!("the port has a message `{}` already", message.name.text);
                self.error(codes::DUPLICATE, message.name.span, text);
            }
            let fields = message.fields.iter().map(|name| self.type_of(name));
            let fields = fields.collect();
            messages.push(Message {
                name: message.name.text.clone(),
                fields,
                span: message.name.span,
                sent: false,
            });
        }
        if messages.len() > 255 {
            let text = "a port has at most 255 messages";
            self.error(codes::TOO_LARGE, port.name.span, text);
        }
        let channel_type = self.channel_type(machine, port, length, &messages);
        Port {
            name: port.name.text.clone(),
            channel_type,
            waits: port.waits,
            loses: port.loses,
            duplicates: port.duplicates,
            order: port.order,
            messages,
            capacity,
            channels,
            first,
            offset,
        }
    }

    /// The channel of a port: the name of the message, then the fields, each as wide as the widest
    /// that any of the messages has there.
    fn channel_type(
        &mut self,
        machine: &ast::Machine,
        port: &ast::Port,
        capacity: u32,
        messages: &[Message],
    ) -> ChannelTypeId {
        let names = self.building.program.enumerations.len() as u32;
        let name = format!("{}.{}", machine.name.text, port.name.text);
        self.building.program.enumerations.push(Enumeration {
            name: name.clone(),
            constants: messages
                .iter()
                .enumerate()
                .map(|(number, message)| (message.name.to_string(), number as i32 + 1))
                .collect(),
        });
        let mut fields = vec![MessageField {
            kind: Kind::Byte,
            offset: 0,
            meaning: Meaning::Enumeration(names),
        }];
        let mut offset = 1;
        let most = messages.iter().map(|m| m.fields.len()).max().unwrap_or(0);
        for position in 0..most {
            let mut types: Vec<Type> = messages
                .iter()
                .filter_map(|message| message.fields.get(position).copied())
                .collect();
            types.dedup();
            let (kind, meaning) = match types.as_slice() {
                [one] => (one.kind(), one.meaning()),
                several => (join(several), Meaning::Number),
            };
            fields.push(MessageField {
                kind,
                offset,
                meaning,
            });
            offset += kind.bytes();
        }
        self.building.program.channel_types.push(ChannelType {
            name,
            capacity,
            fields,
            message_bytes: offset,
            forms: messages
                .iter()
                .map(|message| message.fields.iter().map(|field| field.meaning()).collect())
                .collect(),
        });
        ChannelTypeId(self.building.program.channel_types.len() as u32 - 1)
    }

    fn variable(
        &mut self,
        variable: &ast::Variable,
        base: Base,
        offset: &mut u32,
    ) -> (Local, Variable) {
        let type_ = self.type_of(&variable.type_name);
        let length = variable
            .length
            .as_ref()
            .map(|length| self.amount(length, "the length of an array", 1, LONGEST_ARRAY));
        let local = Local {
            base,
            offset: *offset,
            type_,
            length,
            writable: true,
        };
        *offset += type_.kind().bytes() * length.unwrap_or(1);
        (local, described(&variable.name.text, local))
    }

    /// Numbers instances machine by machine, in the order of the text.
    fn number_instances(&mut self) {
        let model = self.model;
        for instance in &model.instances {
            let machine = model
                .machines
                .iter()
                .position(|machine| machine.name.text == instance.machine.text);
            let Some(machine) = machine else {
                let known: Vec<Arc<str>> = self.machines.iter().map(|m| m.name.clone()).collect();
                let known = known.iter().map(|name| &**name);
                let name = &instance.machine;
                self.unknown(name.span, "there is no machine", &name.text, known);
                continue;
            };
            let count = instance.count.as_ref().map(|(_, count)| {
                self.amount(count, "the number of instances", 1, MOST_INSTANCES as i32)
            });
            let first = self.machines[machine].count;
            self.machines[machine].count += count.unwrap_or(1);
            self.instances.insert(
                instance.name.text.clone(),
                Instances {
                    machine,
                    first,
                    count,
                },
            );
        }
        let mut processes = 0;
        let mut channels = 1;
        for machine in &mut self.machines {
            machine.first_process = processes;
            machine.first_channel = channels;
            processes += machine.count;
            channels += machine.count * machine.channels;
        }
        let span = model.system.unwrap_or_default();
        if processes == 0 {
            let message = "there is no system: `system { name: Machine; }` says what runs";
            self.error(codes::NO_SYSTEM, span, message);
        }
        if processes > MOST_INSTANCES {
            let message = format!("{processes} instances, but at most {MOST_INSTANCES} can be");
            self.error(codes::TOO_LARGE, span, message);
        }
        if channels - 1 > MOST_CHANNELS {
            let ports = channels - 1;
            let message = format!(
                "{ports} ports of instances, but at most {MOST_CHANNELS} can be; one that reorders counts for each message that it holds"
            );
            self.error(codes::TOO_LARGE, span, message);
        }
    }

    /// What makes the initial state: values of shared variables, then the processes.
    fn start(&mut self) {
        let model = self.model;
        let begin = self.here();
        for variable in &model.globals {
            if let Some(initial) = &variable.initial {
                let local = self.globals[&variable.name.text];
                let (value, type_) = self.expression(None, initial);
                self.expect_type(initial.span, type_, local.type_);
                if self.evaluate(initial, None).is_some() {
                    self.initialise(local, value);
                }
            }
        }
        for number in 0..self.machines.len() {
            for instance in &model.instances {
                if instance.machine.text == self.machines[number].name {
                    self.run(number, instance);
                }
            }
        }
        self.building.program.start = begin..self.here();
    }

    /// Gives a variable, or all elements of one, a value.
    pub(super) fn initialise(&mut self, local: Local, value: mazurka_model::ExpressionId) {
        let kind = local.type_.kind();
        for element in 0..local.length.unwrap_or(1) {
            let offset = local.offset + element * kind.bytes();
            let place = self.simple_place(local.base, offset, kind);
            self.emit(Instruction::Assign(place, value));
        }
    }

    fn run(&mut self, machine: usize, instance: &ast::Instance) {
        let parameters = self.machines[machine].parameters.clone();
        if parameters.len() != instance.arguments.len() {
            let message = format!(
                "machine {} has {}, not {}",
                instance.machine.text,
                counted(parameters.len() as u64, "parameter"),
                instance.arguments.len()
            );
            self.error(codes::WRONG_COUNT, instance.name.span, message);
            return;
        }
        let count = self.instances[&instance.name.text].count;
        for number in 0..count.unwrap_or(1) {
            let counter = instance
                .count
                .as_ref()
                .map(|(name, _)| (name.as_str(), number as i32));
            let errors = self.building.diagnostics.len();
            let mut values = Vec::new();
            for (argument, wanted) in instance.arguments.iter().zip(&parameters) {
                let value = self.argument(argument, counter, *wanted);
                values.push(self.constant(wanted.kind().cast(value)));
            }
            let first = self.building.program.lists.len() as u32;
            self.building.program.lists.extend(values);
            let arguments = first..self.building.program.lists.len() as u32;
            self.emit(Instruction::Run {
                process_type: ProcessTypeId(machine as u32),
                arguments,
                priority: 1,
                result: None,
            });
            self.building.program.instances.push(match count {
                Some(_) => format!("{}[{number}]", instance.name.text),
                None => instance.name.to_string(),
            });
            // One report is enough for all.
            if self.building.diagnostics.len() > errors {
                return;
            }
        }
    }

    /// What is odd, but not wrong.
    fn remark(&mut self) {
        let model = self.model;
        for (number, machine) in model.machines.iter().enumerate() {
            let warning = |code, span, text: String| Diagnostic::warning(code, span, text);
            if self.machines[number].count == 0 {
                let text = format!("machine {} has no instance", machine.name.text);
                self.building.diagnostics.push(warning(
                    codes::UNUSED_MACHINE,
                    machine.name.span,
                    text,
                ));
                continue;
            }
            for state in machine.states.iter().filter(|state| !state.start) {
                let reached = machine
                    .transitions
                    .iter()
                    .any(|t| t.to.text == state.name.text && t.from.text != state.name.text);
                if !reached {
                    let text = format!("no transition leads to state {}", state.name.text);
                    self.building.diagnostics.push(warning(
                        codes::UNREACHABLE_STATE,
                        state.name.span,
                        text,
                    ));
                }
            }
            for port in &self.machines[number].ports {
                for message in port.messages.iter().filter(|message| !message.sent) {
                    let text = format!(
                        "nobody sends `{}` to port `{}` of machine {}",
                        message.name, port.name, machine.name.text
                    );
                    self.building
                        .diagnostics
                        .push(warning(codes::NEVER_SENT, message.span, text));
                }
            }
        }
    }
}

fn described(name: &str, local: Local) -> Variable {
    Variable {
        name: name.into(),
        offset: local.offset,
        kind: local.type_.kind(),
        length: local.length,
        meaning: local.type_.meaning(),
    }
}

/// A kind that holds the values of all the types.
fn join(types: &[Type]) -> Kind {
    let small = types
        .iter()
        .all(|type_| matches!(type_.kind(), Kind::Bit | Kind::Byte));
    if small { Kind::Byte } else { Kind::Int }
}
