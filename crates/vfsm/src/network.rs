//! The network with all names resolved: what the paper's section III calls a VFSM system.

use std::collections::{HashMap, HashSet};

use mazurka_span::Span;

use crate::ast::Arithmetic;

/// A set of virtual inputs, a bit for each.
pub type Register = u64;

/// A whole system.
#[derive(Debug, Default)]
pub struct Network {
    /// The machine types.
    pub types: Vec<Type>,
    /// The machines, those of a process together.
    pub machines: Vec<Machine>,
    /// Processes, those of a processor together, highest priority first.
    pub processes: Vec<Process>,
    /// The processors.
    pub processors: Vec<Processor>,
    /// The initial global states: for each machine its state.
    pub starts: Vec<Vec<usize>>,
    /// Conditions on every state.
    pub invariants: Vec<Invariant>,
    /// Temporal properties.
    pub formulas: Vec<Formula>,
    /// What a state costs in a guided search.
    pub guide: Option<Cost>,
    /// How likely what begins at these places of the source is; everything else weighs 1.
    pub weights: HashMap<u32, u64>,
}

/// A type of machine.
#[derive(Debug)]
pub struct Type {
    /// Its name.
    pub name: String,
    /// Where its name stands.
    pub span: Span,
    /// The virtual inputs; the number of one is its bit in the register.
    pub inputs: Vec<String>,
    /// The states.
    pub states: Vec<State>,
    /// The events, with their mappings.
    pub events: Vec<Event>,
    /// The virtual outputs, with their mappings.
    pub outputs: Vec<Output>,
    /// The timers.
    pub timers: Vec<Timer>,
    /// The machines it sends to, by the names it has for them.
    pub roles: Vec<Role>,
    /// The states that it may begin in.
    pub initial: Vec<usize>,
    /// What comes from outside, at any time.
    pub spontaneous: Vec<Spontaneous>,
}

/// A state block.
#[derive(Debug)]
pub struct State {
    /// Its name.
    pub name: String,
    /// Where its name stands.
    pub span: Span,
    /// The outputs on entry.
    pub entry: Vec<usize>,
    /// The outputs on exit.
    pub exit: Vec<usize>,
    /// Input actions, in the order written.
    pub actions: Vec<Action>,
    /// Next-state transitions, in the order written.
    pub next: Vec<Next>,
    /// May the machine stop here?
    pub end: bool,
    /// Is being here progress?
    pub progress: bool,
    /// The inputs that its conditions mention.
    pub mentions: Register,
}

/// An input action.
#[derive(Debug)]
pub struct Action {
    /// When.
    pub condition: Condition,
    /// The outputs.
    pub outputs: Vec<usize>,
    /// Where it stands.
    pub span: Span,
}

/// A next-state transition.
#[derive(Debug)]
pub struct Next {
    /// When.
    pub condition: Condition,
    /// The next state.
    pub target: usize,
    /// Where it stands.
    pub span: Span,
}

/// A condition on the register.
#[derive(Debug)]
pub enum Condition {
    /// Always.
    Always,
    /// The input is in the register.
    Input(u32),
    /// Not so.
    Not(Box<Condition>),
    /// All of them.
    And(Vec<Condition>),
    /// One of them at least.
    Or(Vec<Condition>),
}

/// The input mapping of an event.
#[derive(Debug)]
pub struct Event {
    /// Its name.
    pub name: String,
    /// Where its name stands.
    pub span: Span,
    /// One of these happens.
    pub alternatives: Vec<InputAlternative>,
    /// For each state: is it fine there although its conditions mention none of the inputs?
    pub tolerated: Vec<bool>,
}

/// One way in which the input mapper may change the register.
#[derive(Debug)]
pub struct InputAlternative {
    /// Inserted.
    pub insert: Register,
    /// Deleted.
    pub delete: Register,
    /// Inserted, and deleted again when the transition is over.
    pub pulse: Register,
    /// Where it stands.
    pub span: Span,
}

/// What a free machine may do of its own accord.
#[derive(Debug)]
pub struct Spontaneous {
    /// For each state: may it there?
    pub states: Vec<bool>,
    /// One of these happens.
    pub alternatives: Vec<InputAlternative>,
}

/// The output function of a virtual output.
#[derive(Debug)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// One of these happens.
    pub alternatives: Vec<OutputAlternative>,
}

/// One way in which the output function may behave.
#[derive(Debug)]
pub struct OutputAlternative {
    /// What is done, in this order.
    pub operations: Vec<Operation>,
    /// None for an output without a mapping.
    pub span: Option<Span>,
}

/// What an output does.
#[derive(Clone, PartialEq, Debug)]
pub enum Operation {
    /// Sends an event to the machine that plays a role.
    Send {
        /// The role.
        role: usize,
        /// The name of the event.
        event: String,
    },
    /// Starts a timer.
    Start(usize),
    /// Stops a timer.
    Stop(usize),
    /// The machine receives an event of its own at once.
    Feedback(usize),
    /// The input is no longer in the register.
    Clear(u32),
}

/// A timer.
#[derive(Debug)]
pub struct Timer {
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
    /// The event of its expiry.
    pub event: usize,
    /// Where its declaration begins.
    pub start: u32,
    /// How long it runs, if that is said.
    pub duration: Option<u32>,
}

/// A machine that is sent to, by the name that the type has for it.
#[derive(Debug)]
pub struct Role {
    /// Its name.
    pub name: String,
    /// Where it is sent to.
    pub span: Span,
}

/// A machine of the network.
#[derive(Debug)]
pub struct Machine {
    /// Its name.
    pub name: String,
    /// Where its name stands.
    pub span: Span,
    /// The number of its type.
    pub machine_type: usize,
    /// The number of its process.
    pub process: usize,
    /// The machine that plays each role.
    pub partners: Vec<usize>,
    /// For each event of its type, the queues by which it can come.
    pub heard: Vec<Heard>,
}

/// The queues by which an event can come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Heard {
    /// From a machine of the same process.
    pub high: bool,
    /// From another process, or from a timer.
    pub low: bool,
}

/// A process and its two queues.
#[derive(Debug)]
pub struct Process {
    /// Its name.
    pub name: String,
    /// The number of its processor.
    pub processor: usize,
    /// The length of its high queue.
    pub high: u32,
    /// The length of its low queue.
    pub low: u32,
    /// The machines in it.
    pub machines: Vec<usize>,
}

/// A processor.
#[derive(Debug)]
pub struct Processor {
    /// Its processes, highest priority first.
    pub processes: Vec<usize>,
}

/// A condition on every state.
#[derive(Debug)]
pub struct Invariant {
    /// Its name.
    pub name: String,
    /// What is claimed.
    pub claim: Claim,
    /// Where it stands.
    pub span: Span,
}

/// A formula of temporal logic.
#[derive(Debug)]
pub struct Formula {
    /// Its name.
    pub name: String,
    /// The formula, over numbers of atoms.
    pub formula: mazurka_ltl::Formula,
    /// What its atoms are.
    pub atoms: Vec<Atom>,
    /// Where it stands.
    pub span: Span,
}

/// The cost of a state in a guided search.
#[derive(Clone, Debug)]
pub enum Cost {
    /// A number.
    Number(i32),
    /// 1 if it is so, else 0.
    Atom(Atom),
    /// 1 if the timer runs, else 0.
    Running {
        /// The machine.
        machine: usize,
        /// The timer, by its number in the type.
        timer: usize,
    },
    /// The messages in a queue.
    Length {
        /// The process.
        process: usize,
        /// Its high queue, or the low one?
        high: bool,
    },
    /// 1 for 0, else 0.
    Not(Box<Cost>),
    /// An operator between two costs.
    Binary(Arithmetic, Box<Cost>, Box<Cost>),
}

/// A condition on a global state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Claim {
    /// True or false, whatever the state.
    Constant(bool),
    /// So it is of one machine.
    Atom(Atom),
    /// Not so.
    Not(Box<Claim>),
    /// All of them.
    And(Vec<Claim>),
    /// One of them at least.
    Or(Vec<Claim>),
}

/// What can be said of one machine.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Atom {
    /// The machine is in the state.
    In {
        /// The machine.
        machine: usize,
        /// The state.
        state: usize,
    },
    /// The register of the machine holds the input.
    Has {
        /// The machine.
        machine: usize,
        /// The input.
        input: u32,
    },
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

    /// The type of a machine.
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
    /// The machine that it is about.
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
