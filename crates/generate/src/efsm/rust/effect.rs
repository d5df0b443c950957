//! What transitions need and do, and what moves the system.

use mazurka_model::{Kind, PlaceId, Variable};

use super::{Export, stored, type_of};
use crate::code::{Code, add};
use crate::efsm::expression::{Value, truth};
use crate::efsm::ids::Ids;
use crate::efsm::layout::is_port;
use crate::efsm::statement::{Language, Trouble, block, has_word, used_helpers};

impl Language for Export<'_, '_> {
    const FOR_EVER: &'static str = "loop {";
    const LEAVE: &'static str = "break;";
    const IS_BROKEN: &'static str = "*fault";
    const HAS_FAILED: &'static str = "self.failure != Failure::Fine";

    fn ids(&self) -> &Ids {
        &self.ids
    }

    fn assign(&self, machine: usize, place: PlaceId, value: &Value) -> String {
        let kind = self.layout.program.places[place.index()].kind;
        let (target, _, _) = self.spot(Some(machine), place);
        let value = stored(kind, value);
        format!("{target} = {value};")
    }

    fn sent(&self, kind: Kind, value: &Value) -> String {
        match type_of(kind) {
            "i32" => value.text.clone(),
            _ if value.literal().is_some() => stored(kind, value),
            _ => format!("i32::from({})", stored(kind, value)),
        }
    }

    fn fail(trouble: Trouble) -> String {
        format!("self.failure = Failure::{};\nreturn;", name(trouble))
    }

    fn notice(trouble: Trouble) -> String {
        format!("self.noticed = Failure::{};", name(trouble))
    }

    fn only_if(condition: &str) -> String {
        format!("if {condition} {{")
    }

    fn too_many_rounds(most: u32) -> String {
        format!("rounds += 1;\nif rounds > {most} {{")
    }

    fn test(condition: &str) -> String {
        format!("let test = {condition};")
    }

    fn drop(port: &str) -> String {
        format!("self.drop_first({port});")
    }

    fn keep_first(port: &str) -> String {
        format!("let got = *self.first({port});")
    }

    fn ask_for_port(port: &str) -> String {
        format!("let _ = exists({port}, fault);")
    }

    fn post(values: &[String], sorted: bool) -> String {
        let name = if sorted { "insert" } else { "post" };
        format!("self.{name}({}, [{}]);", values[0], values[1..].join(", "))
    }
}

fn name(trouble: Trouble) -> &'static str {
    match trouble {
        Trouble::Overflow => "Overflow",
        Trouble::UnexpectedInput => "UnexpectedInput",
        Trouble::Assertion => "Assertion",
        Trouble::RuntimeError => "RuntimeError",
    }
}

impl Export<'_, '_> {
    pub(super) fn source(&self) -> String {
        let mut machines = Code::default();
        for (machine, _) in self.layout.machines() {
            let name = &self.layout.program.process_types[machine].name;
            add!(machines, "/// {name}.\nimpl<M: Mapping> Network<M> {{");
            self.guards(&mut machines, machine);
            self.effects(&mut machines, machine);
            self.executable(&mut machines, machine);
            machines.add("}\n");
        }
        self.movement(&mut machines);
        let mut code = self.begin("the machines and their run-time.");
        self.declarations(&mut code);
        let helpers = ARITHMETIC.iter();
        let helpers = helpers.map(|(name, text)| (*name, (*text).to_string()));
        let mut text = machines.text().to_string();
        if !self.layout.ports.is_empty() {
            let ports = PORTS.replace("FIELDS", &self.layout.fields().to_string());
            text += &ports;
            machines.add("");
            machines.add(ports);
        }
        for helper in used_helpers(&text, helpers.collect()) {
            code.add(helper);
        }
        code.into_text() + machines.text()
    }

    /// States, transitions, messages, ports, and the structures.
    fn declarations(&self, code: &mut Code) {
        let (layout, ids) = (self.layout, &self.ids);
        let program = layout.program;
        let mut shown = Vec::new();
        for (number, count) in layout.machines() {
            let (machine, of_machine) = (&program.process_types[number], &ids.machines[number]);
            add!(code, "// {}: the states.", machine.name);
            for (state, name) in of_machine.states.iter().enumerate() {
                add!(code, "pub const {name}: usize = {state};");
            }
            add!(code, "// {}: the transitions.", machine.name);
            for (position, transition) in layout.transitions(number).enumerate() {
                let name = &of_machine.transitions[position];
                add!(code, "/// {}", escaped(&self.told(transition)));
                add!(code, "pub const {name}: usize = {position};");
            }
            let ports = machine.variables.iter().zip(&of_machine.variables);
            for (position, (_, name)) in ports.enumerate().filter(|(_, (v, _))| is_port(v)) {
                let (first, step) = layout.port(number, position);
                let channel_type = layout.ports[first as usize - 1];
                code.add("/// The number of a port of an instance.");
                add!(code, "pub const fn {name}(number: usize) -> i32 {{");
                add!(code, "{first} + number as i32 * {step}\n}}");
                if !shown.contains(&channel_type) {
                    shown.push(channel_type);
                    for (tag, message) in ids.messages[channel_type].iter().enumerate() {
                        add!(code, "pub const {message}: i32 = {};", tag + 1);
                    }
                }
            }
            add!(
                code,
                "\n/// {count} of it.\n#[derive(Clone, Copy, PartialEq, Eq, Debug)]"
            );
            add!(code, "pub struct {} {{\npub state: usize,", of_machine.name);
            for (variable, name) in machine.variables.iter().zip(&of_machine.variables) {
                if !is_port(variable) {
                    code.add(declared(variable, name));
                }
            }
            code.add("}\n");
        }
        let capacities = layout.ports.iter();
        let capacities = capacities.map(|port| program.channel_types[*port].capacity);
        let slots: u32 = capacities.clone().sum();
        code.add("/// The instances.");
        add!(
            code,
            "pub const MOVERS: usize = {};",
            layout.instances.len()
        );
        add!(code, "pub const PORTS: usize = {};", layout.ports.len());
        add!(code, "pub const SLOTS: usize = {slots};");
        code.add("/// Where the messages of a port are, and how many it holds.");
        code.add("pub const PORT_PLACES: [(usize, usize); PORTS] = [");
        let mut first = 0;
        for capacity in capacities {
            add!(code, "({first}, {capacity}),");
            first += capacity;
        }
        code.add("];\n");
        code.add(DECLARATIONS.replace("FIELDS", &layout.fields().to_string()));
        if !program.shared.is_empty() {
            code.add("/// What all machines share.\n#[derive(Clone, Copy, PartialEq, Eq, Debug)]\npub struct Shared {");
            for (variable, name) in program.shared.iter().zip(&ids.shared) {
                code.add(declared(variable, name));
            }
            code.add("}\n");
        }
        code.add("/// The network, with all that it is in.\npub struct Network<M> {");
        if !program.shared.is_empty() {
            code.add("pub shared: Shared,");
        }
        for (number, count) in layout.machines() {
            let of_machine = &ids.machines[number];
            add!(
                code,
                "pub {}: [{}; {count}],",
                of_machine.member,
                of_machine.name
            );
        }
        code.add("pub head: [usize; PORTS],\npub length: [usize; PORTS],\npub slots: [Message; SLOTS],\n/// Once it is there, nothing moves any more.\npub failure: Failure,\n/// What the last step ran into and survived.\npub noticed: Failure,\npub mapping: M,\n}\n");
        code.add("/// What a person fills in.\npub trait Mapping {");
        for (machine, _) in layout.machines() {
            for function in self.functions(machine) {
                add!(code, "/// {}\n{};", function.comment, function.signature());
            }
        }
        code.add("}\n");
    }

    /// Is a transition executable? One whose guard has no value is, and fails when it is taken.
    fn guards(&self, code: &mut Code, machine: usize) {
        let ids = &self.ids.machines[machine];
        let program = self.layout.program;
        code.add("/// Is a transition executable, in a state that has it?");
        add!(
            code,
            "fn {}(&self, number: usize, transition: usize, fault: &mut bool) -> bool {{\nmatch transition {{",
            ids.can
        );
        for (position, transition) in self.layout.transitions(machine).enumerate() {
            let guard = program.transitions[transition as usize].guard;
            let guard = truth(self, Some(machine), guard);
            add!(code, "// {}", self.told(transition));
            add!(
                code,
                "{} => {{\n{}\n}}",
                ids.transitions[position],
                guard.text
            );
        }
        code.add("_ => false,\n}\n}\n");
    }

    fn effects(&self, code: &mut Code, machine: usize) {
        let ids = &self.ids.machines[machine];
        let program = self.layout.program;
        let first = program.process_types[machine].locations.start;
        let mut cases = Code::default();
        let mut statements = String::new();
        for (position, transition) in self.layout.transitions(machine).enumerate() {
            let described = &program.transitions[transition as usize];
            let mut body = Code::default();
            let effect = &described.effect;
            let stops = block(self, &mut body, machine, effect.start, effect.end);
            statements += body.text();
            add!(cases, "// {}", self.told(transition));
            add!(cases, "{} => {{", ids.transitions[position]);
            cases.add(body.text().trim_end());
            if let (false, Some(target)) = (stops, described.target) {
                let state = &ids.states[(target.0 - first) as usize];
                add!(cases, "self.{}[number].state = {state};", ids.member);
            }
            cases.add("}");
        }
        code.add("/// Takes a transition that is executable.");
        add!(
            code,
            "fn {}(&mut self, number: usize, transition: usize) {{",
            ids.take
        );
        for (word, declaration) in [
            ("fault", "let mut broken = false;\nlet fault = &mut broken;"),
            ("rounds", "let mut rounds = 0;"),
        ] {
            if has_word(&statements, word) {
                code.add(declaration);
            }
        }
        code.add("match transition {");
        code.add(without_empty_lines(cases.text()));
        code.add("_ => self.failure = Failure::WrongChoice,\n}\n}\n");
    }

    fn executable(&self, code: &mut Code, machine: usize) {
        let (layout, ids) = (self.layout, &self.ids.machines[machine]);
        let program = layout.program;
        let locations = &program.process_types[machine].locations;
        let locations = &program.locations[locations.start as usize..locations.end as usize];
        let first = layout.transitions(machine).start;
        let ranges = locations.iter().map(|location| &location.transitions);
        let ranges =
            ranges.map(|range| format!("({}, {})", range.start - first, range.end - first));
        let ranges: Vec<String> = ranges.collect();
        code.add("/// The transitions that are executable: into the list, and how many.");
        add!(
            code,
            "fn {}_executable(&self, number: usize, list: &mut [usize; MOST_EXECUTABLE]) -> usize {{",
            ids.can
        );
        add!(
            code,
            "const OF_STATE: [(usize, usize); {}] = [{}];",
            ranges.len(),
            ranges.join(", ")
        );
        add!(
            code,
            "let (first, end) = OF_STATE[self.{}[number].state];\nlet mut count = 0;\nfor transition in first..end {{",
            ids.member
        );
        add!(
            code,
            "let mut fault = false;\nif self.{}(number, transition, &mut fault) || fault {{",
            ids.can
        );
        code.add("list[count] = transition;\ncount += 1;\n}\n}\ncount\n}");
    }

    /// Which transitions are executable, and what happens then.
    fn movement(&self, code: &mut Code) {
        let layout = self.layout;
        let machines = layout.machines();
        let locations = machines.iter().flat_map(|(machine, _)| {
            let locations = &layout.program.process_types[*machine].locations;
            &layout.program.locations[locations.start as usize..locations.end as usize]
        });
        let most = locations.map(|location| location.transitions.len()).max();
        add!(
            code,
            "const MOST_EXECUTABLE: usize = {};\n",
            most.unwrap_or(1).max(1)
        );
        code.add("impl<M: Mapping> Network<M> {\nfn executable(&self, mover: usize, list: &mut [usize; MOST_EXECUTABLE]) -> usize {\nmatch mover {");
        for (process, (machine, number)) in layout.instances.iter().enumerate() {
            let can = &self.ids.machines[*machine].can;
            add!(code, "// {}", layout.instance(process));
            add!(code, "{process} => self.{can}_executable({number}, list),");
        }
        code.add("_ => 0,\n}\n}\n");
        code.add("/// Has this instance a transition that is executable?\npub fn can_move(&self, mover: usize) -> bool {\nlet mut list = [0; MOST_EXECUTABLE];\nself.failure == Failure::Fine && self.executable(mover, &mut list) > 0\n}\n");
        code.add("/// One transition of an instance. It must be able to move.\npub fn step(&mut self, mover: usize) {\nlet mut list = [0; MOST_EXECUTABLE];\nlet count = self.executable(mover, &mut list);\nself.noticed = Failure::Fine;\nif count == 0 {\nreturn;\n}\nlet mut fault = false;\nmatch mover {");
        for (process, (machine, number)) in layout.instances.iter().enumerate() {
            let ids = &self.ids.machines[*machine];
            add!(code, "// {}\n{process} => {{", layout.instance(process));
            add!(
                code,
                "let chosen = if count > 1 {{ self.mapping.{}({number}, &list[..count]) }} else {{ 0 }};",
                ids.choose
            );
            code.add("if chosen >= count {\nself.failure = Failure::WrongChoice;\nreturn;\n}\nlet transition = list[chosen];");
            add!(code, "self.{}({number}, transition, &mut fault);", ids.can);
            code.add("if fault {\nself.failure = Failure::RuntimeError;\nreturn;\n}");
            add!(code, "self.{}({number}, transition);", ids.take);
            add!(
                code,
                "self.mapping.{}({number}, transition);\n}}",
                ids.moved
            );
        }
        code.add("_ => {}\n}\n}\n");
        self.beginning(code);
        code.add("}");
    }

    fn beginning(&self, code: &mut Code) {
        let (layout, program) = (self.layout, self.layout.program);
        code.add("/// The beginning.\npub fn new(mapping: M) -> Network<M> {\nNetwork {");
        let values = |names: &[String], variables: &[Variable], values: &[i32]| {
            let mut text = Vec::new();
            for (number, variable) in variables.iter().enumerate() {
                if is_port(variable) {
                    continue;
                }
                let first = layout.element(variables, number);
                let own = &values[first..first + variable.length.unwrap_or(1) as usize];
                let own: Vec<String> = own.iter().map(i32::to_string).collect();
                text.push(match variable.length {
                    None => format!("{}: {}", names[number], own[0]),
                    Some(_) => format!("{}: [{}]", names[number], own.join(", ")),
                });
            }
            text
        };
        if !program.shared.is_empty() {
            let shared = values(&self.ids.shared, &program.shared, &layout.shared);
            add!(code, "shared: Shared {{ {} }},", shared.join(", "));
        }
        for (machine, _) in layout.machines() {
            let (ids, described) = (&self.ids.machines[machine], &program.process_types[machine]);
            let initial = (described.initial.0 - described.locations.start) as usize;
            add!(code, "{}: [", ids.member);
            for (process, _) in layout
                .instances
                .iter()
                .enumerate()
                .filter(|(_, (of, _))| *of == machine)
            {
                let mut members = vec![format!("state: {}", ids.states[initial])];
                members.extend(values(
                    &ids.variables,
                    &described.variables,
                    &layout.locals[process],
                ));
                add!(code, "{} {{ {} }},", ids.name, members.join(", "));
            }
            code.add("],");
        }
        add!(
            code,
            "head: [0; PORTS],\nlength: [0; PORTS],\nslots: [Message {{ field: [0; {}] }}; SLOTS],\nfailure: Failure::Fine,\nnoticed: Failure::Fine,\nmapping,\n}}\n}}",
            layout.fields()
        );
    }
}

/// A variable as a member of a structure.
fn declared(variable: &Variable, name: &str) -> String {
    match variable.length {
        None => format!("pub {name}: {},", type_of(variable.kind)),
        Some(length) => format!("pub {name}: [{}; {length}],", type_of(variable.kind)),
    }
}

/// What a model says, in a comment of documentation.
fn escaped(text: &str) -> String {
    format!("`{}`", text.replace('`', "'"))
}

fn without_empty_lines(code: &str) -> String {
    let lines = code.lines().filter(|line| !line.trim().is_empty());
    lines.collect::<Vec<_>>().join("\n")
}

const DECLARATIONS: &str = "/// What can go wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
Fine,
/// A message to a full port.
Overflow,
/// A message where the state says nothing about it.
UnexpectedInput,
/// An assertion does not hold; the network goes on.
Assertion,
/// A division by zero, an index out of range, a block that does not end.
RuntimeError,
/// A function of yours returned a number that is none of those possible.
WrongChoice,
}

/// A message: its name, and its values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Message {
pub field: [i32; FIELDS],
}
";

const PORTS: &str = "/// The ports.
impl<M: Mapping> Network<M> {
fn length(&self, port: i32, fault: &mut bool) -> i32 {
if exists(port, fault) { self.length[port as usize - 1] as i32 } else { 0 }
}

fn has_room(&self, port: i32, fault: &mut bool) -> bool {
exists(port, fault) && self.length[port as usize - 1] < PORT_PLACES[port as usize - 1].1
}

/// The first message of a port.
fn first(&self, port: i32) -> &Message {
&self.slots[PORT_PLACES[port as usize - 1].0 + self.head[port as usize - 1]]
}

/// Is there a message, and is it this one?
fn begins(&self, port: i32, message: i32) -> bool {
self.length[port as usize - 1] > 0 && self.first(port).field[0] == message
}

/// The first message leaves a port.
fn drop_first(&mut self, port: i32) {
let at = port as usize - 1;
self.head[at] = (self.head[at] + 1) % PORT_PLACES[at].1;
self.length[at] -= 1;
}

/// A message goes into a sorted port, before the first that comes after it.
fn insert(&mut self, port: i32, field: [i32; FIELDS]) {
let at = port as usize - 1;
let (first, capacity) = PORT_PLACES[at];
let mut place = self.length[at];
if place == capacity {
self.failure = Failure::RuntimeError;
return;
}
while place > 0 {
let before = self.slots[first + (self.head[at] + place - 1) % capacity];
if before.field <= field {
break;
}
self.slots[first + (self.head[at] + place) % capacity] = before;
place -= 1;
}
self.slots[first + (self.head[at] + place) % capacity] = Message { field };
self.length[at] += 1;
}

/// A message goes into a port.
fn post(&mut self, port: i32, field: [i32; FIELDS]) {
let at = port as usize - 1;
let (first, capacity) = PORT_PLACES[at];
if self.length[at] == capacity {
self.failure = Failure::RuntimeError;
return;
}
self.slots[first + (self.head[at] + self.length[at]) % capacity] = Message { field };
self.length[at] += 1;
}
}
";

/// Numbers as the model has them.
const ARITHMETIC: &[(&str, &str)] = &[
    (
        "below",
        "/// Is this the number of one of the instances?\nfn below(number: i32, count: i32) -> bool {\nnumber >= 0 && number < count\n}\n",
    ),
    (
        "add",
        "fn add(a: i32, b: i32) -> i32 {\na.wrapping_add(b)\n}\n",
    ),
    (
        "subtract",
        "fn subtract(a: i32, b: i32) -> i32 {\na.wrapping_sub(b)\n}\n",
    ),
    (
        "multiply",
        "fn multiply(a: i32, b: i32) -> i32 {\na.wrapping_mul(b)\n}\n",
    ),
    (
        "negate",
        "fn negate(a: i32) -> i32 {\na.wrapping_neg()\n}\n",
    ),
    ("complement", "fn complement(a: i32) -> i32 {\n!a\n}\n"),
    ("bit_and", "fn bit_and(a: i32, b: i32) -> i32 {\na & b\n}\n"),
    ("bit_or", "fn bit_or(a: i32, b: i32) -> i32 {\na | b\n}\n"),
    ("bit_xor", "fn bit_xor(a: i32, b: i32) -> i32 {\na ^ b\n}\n"),
    (
        "shift_left",
        "/// Only the last five bits of the distance count.\nfn shift_left(a: i32, b: i32) -> i32 {\na.wrapping_shl(b as u32)\n}\n",
    ),
    (
        "shift_right",
        "/// Only the last five bits of the distance count.\nfn shift_right(a: i32, b: i32) -> i32 {\na.wrapping_shr(b as u32)\n}\n",
    ),
    (
        "divide",
        "fn divide(a: i32, b: i32, fault: &mut bool) -> i32 {\n*fault |= b == 0;\nif b == 0 { 0 } else { a.wrapping_div(b) }\n}\n",
    ),
    (
        "rest_of",
        "fn rest_of(a: i32, b: i32, fault: &mut bool) -> i32 {\n*fault |= b == 0;\nif b == 0 { 0 } else { a.wrapping_rem(b) }\n}\n",
    ),
    (
        "at",
        "/// An index, if there is such an element.\nfn at(index: i32, length: i32, fault: &mut bool) -> usize {\nlet is_outside = index < 0 || index >= length;\n*fault |= is_outside;\nif is_outside { 0 } else { index as usize }\n}\n",
    ),
    (
        "exists",
        "/// Is there a port of this number?\nfn exists(port: i32, fault: &mut bool) -> bool {\n*fault |= port < 1 || port > PORTS as i32;\n!*fault\n}\n",
    ),
];
