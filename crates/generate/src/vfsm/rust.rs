//! A network as Rust.
//!
//! `src/network.rs` has the machines and the run-time, `src/trace.rs` what happens as text, `src/mapping.rs` what a person fills in: an
//! implementation of `Mapping`, which the network is generic over.

mod machine;
mod trace;

use super::ids::Function;
use super::machine::{Language, Returns};
use super::plan::Plan;
use crate::code::{Code, add};
use crate::folder::{Folder, MARK};

const MAIN: &str = include_str!("../assets/main.rs");
const CARGO: &str = include_str!("../assets/Cargo.toml.txt");

/// Names and forms that come from the model are kept as they are.
const ALLOWED: &str = "#![allow(non_upper_case_globals, non_snake_case, dead_code, unused_variables, unused_mut, unreachable_patterns)]
#![allow(clippy::single_match, clippy::collapsible_match, clippy::match_single_binding, clippy::identity_op, clippy::needless_range_loop)]
#![allow(clippy::nonminimal_bool, clippy::overly_complex_bool_expr)]";

/// What the run-time calls its own.
const TAKEN: &[&str] = &[
    "network_timer_started",
    "network_timer_stopped",
    "can_move",
    "start_timer",
    "stop_timer",
    "next_queue",
    "process_of",
    "first_timer",
];

/// The folder with the code.
pub(super) fn folder(plan: &Plan<'_>) -> Folder {
    let export = Export::new(plan, TAKEN);
    let mut folder = Folder::default();
    folder.ours("src/network.rs", export.source());
    let (template, functions) = export.template();
    folder.template("src/mapping.rs", template, functions);
    folder.ours("src/trace.rs", export.trace());
    folder.ours("src/main.rs", MAIN.into());
    folder.ours("Cargo.toml", CARGO.into());
    folder
}

type Export<'p, 'n> = super::machine::Export<'p, 'n, Rust>;

/// Rust.
struct Rust;

impl Language for Rust {
    const END_OF_CASE: &'static str = "}";
    const END_AFTER_ANSWER: &'static str = "}";
    const WRONG_CHOICE: &'static str = "_ => self.failure = Failure::WrongChoice,\n}";
    const OTHERWISE_NOTHING: &'static str = "_ => {}\n}";
    const CHOSEN: &'static str = "let mut chosen = 0;";
    const STATE: &'static str = "self.state[me]";

    fn comment(text: &str) -> String {
        format!("/// {text}")
    }

    fn function(name: &str, parameters: &[&str], returns: Returns) -> String {
        let parameters = parameters.iter();
        let parameters: String = parameters.map(|name| format!(", {name}: usize")).collect();
        let result = match returns {
            Returns::Nothing => "",
            Returns::Truth => " -> bool",
            Returns::Number => " -> usize",
        };
        format!("fn {name}(&mut self{parameters}){result} {{")
    }

    fn call(function: &str, arguments: &str) -> String {
        format!("self.{function}({arguments})")
    }

    fn ask(function: &str) -> String {
        format!("self.mapping.{function}(me)")
    }

    fn ignore(call: &str) -> String {
        format!("{call};")
    }

    fn only_if(condition: &str) -> String {
        format!("if {condition} {{")
    }

    fn cases_of(value: &str) -> String {
        format!("match {value} {{")
    }

    fn case(value: &str, comment: Option<&str>) -> String {
        match comment {
            Some(comment) => format!("// {comment}\n{value} => {{"),
            None => format!("{value} => {{"),
        }
    }

    fn answer(value: &str, is_last: bool) -> String {
        match is_last {
            true => value.into(),
            false => format!("return {value};"),
        }
    }
}

/// A function that a person fills in, as Rust declares it.
fn signature(function: &Function) -> String {
    let parameters = function.parameters.iter();
    let parameters: String = parameters.map(|name| format!(", {name}: usize")).collect();
    let result = match function.choices {
        Some(_) => " -> usize",
        None => "",
    };
    format!("fn {}(&mut self{parameters}){result}", function.name)
}

impl Export<'_, '_> {
    fn begin(&self, what: &str) -> Code {
        let mut code = Code::default();
        add!(code, "//! {}: {what} {MARK}", self.plan.name);
        code.add(ALLOWED);
        code.add("");
        code
    }

    fn source(&self) -> String {
        let (plan, ids) = (self.plan, &self.ids);
        let network = plan.network;
        let mut code = self.begin("the machines and their run-time.");
        numbered(&mut code, "The machines.", &ids.machines);
        numbered(&mut code, "The timers.", &ids.timers);
        for (number, described) in plan.types() {
            let of_type = &ids.types[number];
            let name = &described.name;
            numbered(&mut code, &format!("{name}: the states."), &of_type.states);
            for (bit, input) in of_type.inputs.iter().enumerate() {
                add!(code, "pub const {input}: Inputs = 1 << {bit};");
            }
            numbered(&mut code, &format!("{name}: the events."), &of_type.events);
            numbered(&mut code, &format!("{name}: the timers."), &of_type.timers);
        }
        let slots: u32 = plan.queues.iter().map(|queue| queue.capacity).sum();
        for (name, value) in [
            ("MACHINES", network.machines.len()),
            ("TIMERS", plan.timers.len()),
            ("QUEUES", plan.queues.len()),
            ("SLOTS", slots as usize),
            ("FIRST_MACHINE", plan.before_machines()),
            (
                "FIRST_TIMER",
                plan.before_machines() + network.machines.len(),
            ),
            ("MOVERS", plan.movers().len()),
        ] {
            add!(code, "pub const {name}: usize = {value};");
        }
        let list = |numbers: Vec<String>| numbers.join(", ");
        let process_of = network.machines.iter().map(|m| m.process.to_string());
        add!(
            code,
            "\n/// The process of each machine.\nconst process_of: [usize; MACHINES] = [{}];",
            list(process_of.collect())
        );
        let first_timer = (0..network.machines.len()).map(|m| plan.first_timer(m).to_string());
        add!(
            code,
            "/// The first timer of each machine.\nconst first_timer: [usize; MACHINES] = [{}];",
            list(first_timer.collect())
        );
        code.add("/// A process: its processor, its queues, and the machine that acts of its own accord.");
        code.add("struct Process {\nprocessor: usize,\nhigh: Option<usize>,\nlow: Option<usize>,\nfree: Option<usize>,\n}\n");
        code.add("/// The processes, those of a processor together, highest priority first.");
        add!(
            code,
            "const PROCESSES: [Process; {}] = [",
            network.processes.len()
        );
        for (number, process) in network.processes.iter().enumerate() {
            let free = network
                .free_machine(number)
                .map(|machine| &ids.machines[machine]);
            let free = free.map_or("None".into(), |machine| format!("Some({machine})"));
            let (high, low) = (plan.queue(number, true), plan.queue(number, false));
            add!(
                code,
                "Process {{ processor: {}, high: {high:?}, low: {low:?}, free: {free} }}, // {}",
                process.processor,
                process.name
            );
        }
        code.add("];");
        code.add("/// Where the messages of a queue are, and how many it holds.\npub const QUEUE_PLACES: [(usize, usize); QUEUES] = [");
        let mut first = 0;
        for queue in &plan.queues {
            add!(code, "({first}, {}), // {}", queue.capacity, queue.name);
            first += queue.capacity;
        }
        code.add("];");
        if !plan.orders.is_empty() {
            code.add("/// Timers with durations: if the second is started while the first runs, it waits for the first.");
            add!(
                code,
                "const ORDERS: [(usize, usize); {}] = [",
                plan.orders.len()
            );
            for order in &plan.orders {
                add!(
                    code,
                    "({}, {}),",
                    ids.timers[order.first],
                    ids.timers[order.second]
                );
            }
            code.add("];");
        }
        let starts = network.starts.len();
        add!(
            code,
            "/// The initial global states: for each machine its state.\nconst STARTS: [[usize; MACHINES]; {starts}] = ["
        );
        for start in &network.starts {
            let states = start.iter().enumerate().map(|(machine, state)| {
                ids.types[network.machines[machine].machine_type].states[*state].clone()
            });
            add!(code, "[{}],", list(states.collect()));
        }
        code.add("];\n");
        code.add("/// What a person fills in.\npub trait Mapping {\n/// A number below `count`, from whoever runs the network.\nfn choose(&mut self, count: usize) -> usize;");
        for function in &plan.functions(ids) {
            add!(code, "/// {}\n{};", function.comment, signature(function));
        }
        code.add("}\n");
        let before = match plan.chooses_start {
            true => "if !self.started || mover == 0 {\nreturn !self.started && mover == 0;\n}\n",
            false => "",
        };
        let has_orders = !plan.orders.is_empty();
        let waits = match has_orders {
            true => {
                "/// Of two timers, does the second wait for the first?\npub waits: [bool; ORDERS.len()],\n"
            }
            false => "",
        };
        let may_expire = match has_orders {
            true => "return self.may_expire(mover - FIRST_TIMER);",
            false => "return self.running[mover - FIRST_TIMER];",
        };
        let run_time = RUN_TIME.replace("BEFORE_THE_START\n", before);
        let run_time = run_time.replace("WAITS\n", waits);
        code.add(run_time.replace("MAY_EXPIRE", may_expire));
        let choose = match starts {
            1 => "0".to_string(),
            _ => format!("self.mapping.choose({starts})"),
        };
        code.add("impl<M: Mapping> Network<M> {\n/// A transition of a machine, or the expiry of a timer. It must be able to move.\npub fn step(&mut self, mover: usize) {");
        code.add("self.noticed = Failure::Fine;");
        if plan.chooses_start {
            add!(
                code,
                "if mover == 0 {{\nlet which = {choose};\nself.start(which);\nreturn;\n}}"
            );
        }
        code.add("if mover < FIRST_TIMER {\nself.transition(mover - FIRST_MACHINE);\n} else {\nself.expire(mover - FIRST_TIMER);\n}\n}\n");
        code.add("/// The beginning: queues are empty, and timers are stopped.\npub fn new(mapping: M) -> Network<M> {\nNetwork {");
        if has_orders {
            code.add("waits: [false; ORDERS.len()],");
        }
        code.add("inputs: [0; MACHINES],\npulses: 0,\nrunning: [false; TIMERS],\nhead: [0; QUEUES],\nlength: [0; QUEUES],\nslots: [Message { machine: 0, event: 0 }; SLOTS],");
        let (state, started) = match plan.chooses_start {
            true => ("[0; MACHINES]", false),
            false => ("STARTS[0]", true),
        };
        add!(code, "state: {state},\nstarted: {started},");
        code.add("failure: Failure::Fine,\nnoticed: Failure::Fine,\nmapping,\n}\n}\n");
        self.network(&mut code);
        code.add("}");
        for (number, described) in plan.moving_types() {
            add!(
                code,
                "\n/// {}.\nimpl<M: Mapping> Network<M> {{",
                described.name
            );
            self.machine_type(&mut code, number);
            code.add("}");
        }
        code.into_text()
    }

    fn template(&self) -> (String, Vec<String>) {
        let mut code = Code::default();
        add!(
            code,
            "//! {}: the input mapper and the output functions. Yours: an export never replaces this file.",
            self.plan.name
        );
        code.add("//!\n//! `me` is the machine, one of those in `network`. A function that returns a number chooses one of the alternatives of the");
        code.add(
            "//! model; what the alternative does to queues, timers and inputs is done for you.\n",
        );
        code.add("#![allow(non_snake_case)]\n\nuse crate::network::Mapping;\n");
        code.add("/// Whoever runs the network.\npub trait Runner {\n/// A number below `count`.\nfn choose(&mut self, count: usize) -> usize;\n}\n");
        code.add(
            "/// What the output functions act on.\npub struct World<R> {\npub runner: R,\n}\n",
        );
        code.add("impl<R: Runner> Mapping for World<R> {\nfn choose(&mut self, count: usize) -> usize {\nself.runner.choose(count)\n}");
        let functions = self.plan.functions(&self.ids);
        for function in &functions {
            let body = match &function.choices {
                Some(count) => format!("self.runner.choose({count})"),
                None => String::new(),
            };
            let mut text = signature(function);
            for name in function.parameters.iter().filter(|name| **name != "count") {
                text = text.replace(&format!(" {name}: "), &format!(" _{name}: "));
            }
            match body.is_empty() {
                true => add!(code, "\n/// {}\n{text} {{}}", function.comment),
                false => add!(code, "\n/// {}\n{text} {{\n{body}\n}}", function.comment),
            }
        }
        code.add("}");
        let names = functions.into_iter().map(|function| function.name);
        (code.into_text(), names.collect())
    }
}

fn numbered(code: &mut Code, comment: &str, names: &[String]) {
    if !names.is_empty() {
        add!(code, "// {comment}");
    }
    for (number, name) in names.iter().enumerate() {
        add!(code, "pub const {name}: usize = {number};");
    }
}

const RUN_TIME: &str = "/// A virtual input register: a bit for each input.
pub type Inputs = u64;

/// What can go wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failure {
Fine,
/// A message to a full queue.
Overflow,
/// A transition that never ends.
Unsettled,
/// An event where the state says nothing about it; the network goes on.
UnexpectedInput,
/// A mapping returned a number that is none of its alternatives.
WrongChoice,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Message {
pub machine: u16,
pub event: u16,
}

/// The network, with all that it is in.
pub struct Network<M> {
pub state: [usize; MACHINES],
pub inputs: [Inputs; MACHINES],
/// What leaves the register when the present transition is over.
pulses: Inputs,
pub running: [bool; TIMERS],
WAITS
pub head: [usize; QUEUES],
pub length: [usize; QUEUES],
pub slots: [Message; SLOTS],
pub started: bool,
/// Once it is there, nothing moves any more.
pub failure: Failure,
/// What the last step ran into and survived.
pub noticed: Failure,
pub mapping: M,
}

impl<M: Mapping> Network<M> {
/// Can this machine or timer move? At most one machine of a processor can.
pub fn can_move(&self, mover: usize) -> bool {
if self.failure != Failure::Fine || mover >= MOVERS {
return false;
}
BEFORE_THE_START
if mover >= FIRST_TIMER {
MAY_EXPIRE
}
let processor = PROCESSES[process_of[mover - FIRST_MACHINE]].processor;
for process in 0..PROCESSES.len() {
if PROCESSES[process].processor == processor {
if let Some(machine) = self.ready(process) {
return machine == mover - FIRST_MACHINE;
}
}
}
false
}

/// The machine of a process that can execute, if there is one.
fn ready(&self, process: usize) -> Option<usize> {
if let Some(queue) = self.next_queue(process) {
return Some(self.slots[QUEUE_PLACES[queue].0 + self.head[queue]].machine as usize);
}
PROCESSES[process].free.filter(|machine| self.possible(*machine) > 0)
}

/// The queue that a process takes its next message from, if there is one.
fn next_queue(&self, process: usize) -> Option<usize> {
let has_message = |queue: &usize| self.length[*queue] > 0;
let high = PROCESSES[process].high.filter(has_message);
high.or(PROCESSES[process].low.filter(has_message))
}

fn start(&mut self, which: usize) {
match STARTS.get(which) {
Some(states) => self.state = *states,
None => self.failure = Failure::WrongChoice,
}
self.started = true;
}

/// A mapping changes the register.
fn change(&mut self, me: usize, removed: Inputs, inserted: Inputs, pulsed: Inputs) {
self.inputs[me] = (self.inputs[me] & !removed) | inserted | pulsed;
self.pulses = (self.pulses & !(removed | inserted)) | pulsed;
}

/// Is one of these inputs in the register?
fn has(&self, me: usize, inputs: Inputs) -> bool {
self.inputs[me] & inputs != 0
}

/// A message goes into a queue.
fn post(&mut self, queue: Option<usize>, machine: usize, event: usize) {
let Some(queue) = queue else {
return;
};
let (first, capacity) = QUEUE_PLACES[queue];
if self.length[queue] == capacity {
self.failure = Failure::Overflow;
return;
}
let slot = first + (self.head[queue] + self.length[queue]) % capacity;
self.slots[slot] = Message { machine: machine as u16, event: event as u16 };
self.length[queue] += 1;
}

/// Inside a process a message goes to its high queue, else to the low one.
fn send(&mut self, me: usize, machine: usize, event: usize) {
let process = &PROCESSES[process_of[machine]];
let is_inside = process_of[machine] == process_of[me];
let queue = if is_inside { process.high } else { process.low };
self.post(queue, machine, event);
}
}
";
