//! The syntax tree, as written. Names are not resolved yet.

use mazurka_span::Span;
pub use mazurka_syntax::Name;

/// A file.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The machine types.
    pub machines: Vec<MachineType>,
    /// The networks; a model needs exactly one.
    pub networks: Vec<Network>,
    /// Conditions on every state.
    pub invariants: Vec<Invariant>,
    /// Temporal properties.
    pub formulas: Vec<Formula>,
}

/// A type of machine: its states, and the mapping abstractions that connect it to the world.
#[derive(Clone, Debug)]
pub struct MachineType {
    /// Its name.
    pub name: Name,
    /// The states that it may begin in.
    pub initial: Vec<Name>,
    /// The states that it may stop in.
    pub end: Vec<Name>,
    /// The states in which there is progress.
    pub progress: Vec<Name>,
    /// The virtual inputs.
    pub inputs: Vec<Name>,
    /// The timers.
    pub timers: Vec<Timer>,
    /// The states.
    pub states: Vec<State>,
    /// What events do.
    pub events: Vec<EventMapping>,
    /// What outputs do.
    pub outputs: Vec<OutputMapping>,
    /// What comes from outside, at any time.
    pub spontaneous: Vec<Spontaneous>,
}

/// `timer T raises E;` or `timer T raises E after 5;`
#[derive(Clone, Debug)]
pub struct Timer {
    /// Its name.
    pub name: Name,
    /// The event.
    pub event: Name,
    /// How long it runs, if that is said.
    pub duration: Option<u32>,
    /// Where it stands.
    pub span: Span,
}

/// A state block, as in figure 1 of the paper.
#[derive(Clone, Debug)]
pub struct State {
    /// Its name.
    pub name: Name,
    /// `E:` outputs on entry.
    pub entry: Vec<Name>,
    /// `X:` outputs on exit.
    pub exit: Vec<Name>,
    /// `IA:` conditions and the outputs they cause.
    pub actions: Vec<InputAction>,
    /// `NS:` conditions and the states they lead to.
    pub next: Vec<NextState>,
}

/// `condition ? outputs;`
#[derive(Clone, Debug)]
pub struct InputAction {
    /// When.
    pub condition: Condition,
    /// The outputs.
    pub outputs: Vec<Name>,
    /// Where it stands.
    pub span: Span,
}

/// `condition > state;`
#[derive(Clone, Debug)]
pub struct NextState {
    /// When.
    pub condition: Condition,
    /// The next state.
    pub target: Name,
    /// Where it stands.
    pub span: Span,
}

/// A condition on the virtual input register.
#[derive(Clone, Debug)]
pub enum Condition {
    /// Always.
    Always,
    /// The input is in the register.
    Input(Name),
    /// Not so.
    Not(Box<Condition>),
    /// All of them.
    And(Vec<Condition>),
    /// One of them at least.
    Or(Vec<Condition>),
}

/// `on E: +I_A -I_B | nothing also in S;`
#[derive(Clone, Debug)]
pub struct EventMapping {
    /// The event.
    pub event: Name,
    /// One of these happens.
    pub alternatives: Vec<InputAlternative>,
    /// Where else it may come.
    pub tolerance: Tolerance,
}

/// Where an event may come although the state says nothing about its inputs.
#[derive(Clone, Debug)]
pub enum Tolerance {
    /// Nowhere.
    Nowhere,
    /// Anywhere.
    Anywhere,
    /// In these states.
    Also(Vec<Name>),
}

/// `spontaneous in S: +I_A | +I_B;`
#[derive(Clone, Debug)]
pub struct Spontaneous {
    /// Where; everywhere if empty.
    pub states: Vec<Name>,
    /// One of these happens.
    pub alternatives: Vec<InputAlternative>,
    /// Where it stands.
    pub span: Span,
}

/// One way in which the input mapper may change the register.
#[derive(Clone, Debug)]
pub struct InputAlternative {
    /// What happens to inputs.
    pub changes: Vec<InputChange>,
    /// Where it stands.
    pub span: Span,
}

/// What happens to one input.
#[derive(Clone, Debug)]
pub struct InputChange {
    /// What happens to it.
    pub how: How,
    /// The input.
    pub input: Name,
}

/// What happens to an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum How {
    /// `+`: into the register.
    Insert,
    /// `-`: out of it.
    Delete,
    /// `*`: into it until the transition is over.
    Pulse,
}

/// `out O: send E to m, start T | nothing;`
#[derive(Clone, Debug)]
pub struct OutputMapping {
    /// The output.
    pub output: Name,
    /// One of these happens.
    pub alternatives: Vec<OutputAlternative>,
}

/// One way in which the output function may behave.
#[derive(Clone, Debug)]
pub struct OutputAlternative {
    /// What is done, in this order.
    pub operations: Vec<Operation>,
    /// Where it stands.
    pub span: Span,
}

/// What an output does.
#[derive(Clone, Debug)]
pub enum Operation {
    /// `send E to m`
    Send {
        /// The event.
        event: Name,
        /// The machine that it goes to.
        to: Name,
    },
    /// `start T`
    Start(Name),
    /// `stop T`
    Stop(Name),
    /// `feedback E`
    Feedback(Name),
    /// `clear I`
    Clear(Name),
}

/// Processors with their processes, highest priority first, and what runs in them.
#[derive(Clone, Debug)]
pub struct Network {
    /// Where it stands.
    pub span: Span,
    /// `queue N;`: the length of queues that say nothing else.
    pub queue: Option<u32>,
    /// The processors.
    pub processors: Vec<Processor>,
    /// `start m in S, …;`: each an initial global state.
    pub starts: Vec<Vec<(Name, Name)>>,
}

/// `processor P { … }`
#[derive(Clone, Debug)]
pub struct Processor {
    /// Its name.
    pub name: Name,
    /// Its processes.
    pub processes: Vec<Process>,
}

/// `process P { … }`
#[derive(Clone, Debug)]
pub struct Process {
    /// Its name.
    pub name: Name,
    /// The length of its high queue, if that is said.
    pub high: Option<u32>,
    /// The length of its low queue, if that is said.
    pub low: Option<u32>,
    /// The machines in it.
    pub machines: Vec<Instance>,
}

/// `m: TYPE(role = machine, …);`
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its name.
    pub name: Name,
    /// The type of the machine.
    pub machine_type: Name,
    /// Roles, and the machines that play them.
    pub bindings: Vec<(Name, Name)>,
}

/// `invariant NAME: claim;`
#[derive(Clone, Debug)]
pub struct Invariant {
    /// Its name.
    pub name: Name,
    /// What is claimed.
    pub claim: Claim,
    /// Where it stands.
    pub span: Span,
}

/// A condition on a global state.
#[derive(Clone, Debug)]
pub enum Claim {
    /// True or false, whatever the state.
    Always(bool),
    /// `m.S_X` or `m.I_X`.
    Atom(Name, Name),
    /// Not so.
    Not(Box<Claim>),
    /// All of them.
    And(Vec<Claim>),
    /// One of them at least.
    Or(Vec<Claim>),
}

/// The cost of a state in a guided search.
#[derive(Clone, Debug)]
pub enum Cost {
    /// A number.
    Number(i32),
    /// `m.S_X`, `m.I_X` or `m.T_X`: 1 if the machine is there, has the input, or the timer runs.
    Atom(Name, Name),
    /// `len(P.low)`: the messages in a queue of a process.
    Length(Name, Name),
    /// 1 for 0, else 0.
    Not(Box<Cost>),
    /// An operator between two costs.
    Binary(Arithmetic, Box<Cost>, Box<Cost>),
}

/// Operators of costs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// Conjunction.
    And,
    /// Disjunction.
    Or,
}

/// `ltl NAME: formula;`
#[derive(Clone, Debug)]
pub struct Formula {
    /// Its name.
    pub name: Name,
    /// The formula, over numbers of atoms.
    pub formula: mazurka_ltl::Formula,
    /// What the atoms of the formula are: `m.S_X` or `m.I_X`.
    pub atoms: Vec<(Name, Name)>,
    /// Where the formula stands, without the semicolon.
    pub span: Span,
}
