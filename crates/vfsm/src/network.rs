//! The network with all names resolved: what the paper's section III calls a VFSM system.

use std::collections::{HashMap, HashSet};

use mazurka_span::Span;

use crate::ast::Arithmetic;

/// A set of virtual inputs, a bit for each.
pub(crate) type Register = u64;

/// A whole system.
#[derive(Debug, Default)]
pub(crate) struct Network {
    pub types: Vec<Type>,
    pub machines: Vec<Machine>,
    /// Processes, those of a processor together, highest priority first.
    pub processes: Vec<Process>,
    pub processors: Vec<Processor>,
    /// The initial global states: for each machine its state.
    pub starts: Vec<Vec<usize>>,
    pub invariants: Vec<Invariant>,
    pub formulas: Vec<Formula>,
    /// What a state costs in a guided search.
    pub guide: Option<Cost>,
    /// How likely what begins at these places of the source is; everything else weighs 1.
    pub weights: HashMap<u32, u64>,
}

/// A type of machine.
#[derive(Debug)]
pub(crate) struct Type {
    pub name: String,
    pub span: Span,
    pub inputs: Vec<String>,
    pub states: Vec<State>,
    pub events: Vec<Event>,
    pub outputs: Vec<Output>,
    pub timers: Vec<Timer>,
    /// The machines it sends to, by the names it has for them.
    pub roles: Vec<Role>,
    pub initial: Vec<usize>,
    pub spontaneous: Vec<Spontaneous>,
}

#[derive(Debug)]
pub(crate) struct State {
    pub name: String,
    pub span: Span,
    pub entry: Vec<usize>,
    pub exit: Vec<usize>,
    pub actions: Vec<Action>,
    pub next: Vec<Next>,
    pub end: bool,
    pub progress: bool,
    /// The inputs that its conditions mention.
    pub mentions: Register,
}

/// An input action.
#[derive(Debug)]
pub(crate) struct Action {
    pub condition: Condition,
    pub outputs: Vec<usize>,
    pub span: Span,
}

/// A next-state transition.
#[derive(Debug)]
pub(crate) struct Next {
    pub condition: Condition,
    pub target: usize,
    pub span: Span,
}

/// A condition on the register.
#[derive(Debug)]
pub(crate) enum Condition {
    Always,
    Input(u32),
    Not(Box<Condition>),
    And(Vec<Condition>),
    Or(Vec<Condition>),
}

/// The input mapping of an event.
#[derive(Debug)]
pub(crate) struct Event {
    pub name: String,
    pub span: Span,
    pub alternatives: Vec<InputAlternative>,
    /// For each state: is it fine there although its conditions mention none of the inputs?
    pub tolerated: Vec<bool>,
}

#[derive(Debug)]
pub(crate) struct InputAlternative {
    pub insert: Register,
    pub delete: Register,
    /// Inserted, and deleted again when the transition is over.
    pub pulse: Register,
    pub span: Span,
}

/// What a free machine may do of its own accord.
#[derive(Debug)]
pub(crate) struct Spontaneous {
    /// For each state: may it there?
    pub states: Vec<bool>,
    pub alternatives: Vec<InputAlternative>,
}

/// The output function of a virtual output.
#[derive(Debug)]
pub(crate) struct Output {
    pub name: String,
    pub alternatives: Vec<OutputAlternative>,
}

#[derive(Debug)]
pub(crate) struct OutputAlternative {
    pub operations: Vec<Operation>,
    /// None for an output without a mapping.
    pub span: Option<Span>,
}

#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Operation {
    Send { role: usize, event: String },
    Start(usize),
    Stop(usize),
    Feedback(usize),
}

#[derive(Debug)]
pub(crate) struct Timer {
    pub name: String,
    pub span: Span,
    pub event: usize,
    /// Where its declaration begins.
    pub start: u32,
}

#[derive(Debug)]
pub(crate) struct Role {
    pub name: String,
    pub span: Span,
}

/// A machine of the network.
#[derive(Debug)]
pub(crate) struct Machine {
    pub name: String,
    pub span: Span,
    pub machine_type: usize,
    pub process: usize,
    /// The machine that plays each role.
    pub partners: Vec<usize>,
    /// For each event of its type, the queues by which it can come.
    pub heard: Vec<Heard>,
}

/// The queues by which an event can come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Heard {
    /// From a machine of the same process.
    pub high: bool,
    /// From another process, or from a timer.
    pub low: bool,
}

#[derive(Debug)]
pub(crate) struct Process {
    pub name: String,
    pub processor: usize,
    pub high: u32,
    pub low: u32,
    pub machines: Vec<usize>,
}

#[derive(Debug)]
pub(crate) struct Processor {
    pub processes: Vec<usize>,
}

#[derive(Debug)]
pub(crate) struct Invariant {
    pub name: String,
    pub claim: Claim,
    pub span: Span,
}

/// A formula of temporal logic.
#[derive(Debug)]
pub(crate) struct Formula {
    pub name: String,
    pub formula: mazurka_ltl::Formula,
    /// What its atoms are.
    pub atoms: Vec<Atom>,
    pub span: Span,
}

/// The cost of a state in a guided search.
#[derive(Clone, Debug)]
pub(crate) enum Cost {
    Number(i32),
    Atom(Atom),
    Running { machine: usize, timer: usize },
    Length { process: usize, high: bool },
    Not(Box<Cost>),
    Binary(Arithmetic, Box<Cost>, Box<Cost>),
}

/// A condition on a global state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Claim {
    Constant(bool),
    Atom(Atom),
    Not(Box<Claim>),
    And(Vec<Claim>),
    Or(Vec<Claim>),
}

/// What can be said of one machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Atom {
    /// The machine is in the state.
    In { machine: usize, state: usize },
    /// The register of the machine holds the input.
    Has { machine: usize, input: u32 },
}

impl Network {
    /// How likely what begins there is, against what may happen instead.
    pub fn weight(&self, start: u32) -> u64 {
        self.weights.get(&start).copied().unwrap_or(1)
    }

    /// Where the alternatives of mappings, the next-state transitions and the timers begin.
    pub fn weighable(&self) -> HashSet<u32> {
        let mut places = HashSet::new();
        for described in &self.types {
            let events = described.events.iter().map(|event| &event.alternatives);
            let spontaneous = described.spontaneous.iter().map(|s| &s.alternatives);
            let inputs = events.chain(spontaneous).flatten();
            places.extend(inputs.map(|alternative| alternative.span.start));
            let outputs = described.outputs.iter().flat_map(|o| &o.alternatives);
            places.extend(outputs.filter_map(|alternative| Some(alternative.span?.start)));
            let next = described.states.iter().flat_map(|state| &state.next);
            places.extend(next.map(|next| next.span.start));
            places.extend(described.timers.iter().map(|timer| timer.start));
        }
        places
    }

    pub fn type_of(&self, machine: usize) -> &Type {
        &self.types[self.machines[machine].machine_type]
    }

    /// Is there more than one machine in the process, or one that sends to itself?
    pub fn has_high_queue(&self, process: usize) -> bool {
        let mut machines = self.processes[process].machines.iter();
        machines.any(|machine| self.machines[*machine].heard.iter().any(|heard| heard.high))
    }

    /// Can a message come to the process from outside?
    pub fn has_low_queue(&self, process: usize) -> bool {
        let mut machines = self.processes[process].machines.iter();
        machines.any(|machine| self.machines[*machine].heard.iter().any(|heard| heard.low))
    }

    /// The machine of a process that acts of its own accord, if there is one.
    pub fn free_machine(&self, process: usize) -> Option<usize> {
        let mut machines = self.processes[process].machines.iter().copied();
        machines.find(|machine| !self.type_of(*machine).spontaneous.is_empty())
    }
}

impl Type {
    /// The names of the inputs in a register.
    pub fn register_text(&self, register: Register) -> String {
        let held: Vec<&str> = self
            .inputs
            .iter()
            .enumerate()
            .filter(|(input, _)| register >> input & 1 != 0)
            .map(|(_, name)| name.as_str())
            .collect();
        format!("{{{}}}", held.join(", "))
    }
}

impl Condition {
    /// Is it true of a register?
    pub fn holds(&self, register: Register) -> bool {
        match self {
            Condition::Always => true,
            Condition::Input(input) => register >> input & 1 != 0,
            Condition::Not(inner) => !inner.holds(register),
            Condition::And(parts) => parts.iter().all(|part| part.holds(register)),
            Condition::Or(parts) => parts.iter().any(|part| part.holds(register)),
        }
    }

    /// The inputs it mentions.
    pub fn mentions(&self) -> Register {
        match self {
            Condition::Always => 0,
            Condition::Input(input) => 1 << input,
            Condition::Not(inner) => inner.mentions(),
            Condition::And(parts) | Condition::Or(parts) => {
                parts.iter().fold(0, |all, part| all | part.mentions())
            }
        }
    }
}

impl InputAlternative {
    /// The inputs it says something about.
    pub fn touches(&self) -> Register {
        self.insert | self.delete | self.pulse
    }
}

impl Atom {
    pub fn machine(self) -> usize {
        match self {
            Atom::In { machine, .. } | Atom::Has { machine, .. } => machine,
        }
    }
}

impl Claim {
    /// The claim with what is known of some atoms put in.
    pub fn knowing(&self, known: &impl Fn(Atom) -> Option<bool>) -> Claim {
        match self {
            Claim::Constant(value) => Claim::Constant(*value),
            Claim::Atom(atom) => known(*atom).map_or(Claim::Atom(*atom), Claim::Constant),
            Claim::Not(inner) => match inner.knowing(known) {
                Claim::Constant(value) => Claim::Constant(!value),
                inner => Claim::Not(Box::new(inner)),
            },
            Claim::And(parts) => join(parts, known, false, Claim::And),
            Claim::Or(parts) => join(parts, known, true, Claim::Or),
        }
    }

    /// Adds the atoms in it to a list.
    pub fn atoms(&self, atoms: &mut Vec<Atom>) {
        match self {
            Claim::Constant(_) => {}
            Claim::Atom(atom) => atoms.push(*atom),
            Claim::Not(inner) => inner.atoms(atoms),
            Claim::And(parts) | Claim::Or(parts) => {
                parts.iter().for_each(|part| part.atoms(atoms));
            }
        }
    }
}

/// One part with the value `decisive` decides all.
fn join(
    parts: &[Claim],
    known: &impl Fn(Atom) -> Option<bool>,
    decisive: bool,
    make: impl Fn(Vec<Claim>) -> Claim,
) -> Claim {
    let mut open = Vec::new();
    for part in parts {
        match part.knowing(known) {
            Claim::Constant(value) if value == decisive => return Claim::Constant(decisive),
            Claim::Constant(_) => {}
            part => open.push(part),
        }
    }
    match open.len() {
        0 => Claim::Constant(!decisive),
        1 => open.remove(0),
        _ => make(open),
    }
}
