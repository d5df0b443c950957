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
    pub name: Name,
    pub initial: Vec<Name>,
    pub end: Vec<Name>,
    pub progress: Vec<Name>,
    pub inputs: Vec<Name>,
    pub timers: Vec<Timer>,
    pub states: Vec<State>,
    pub events: Vec<EventMapping>,
    pub outputs: Vec<OutputMapping>,
    pub spontaneous: Vec<Spontaneous>,
}

/// `timer T raises E;`
#[derive(Clone, Debug)]
pub struct Timer {
    pub name: Name,
    pub event: Name,
    pub span: Span,
}

/// A state block, as in figure 1 of the paper.
#[derive(Clone, Debug)]
pub struct State {
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
    pub condition: Condition,
    pub outputs: Vec<Name>,
    pub span: Span,
}

/// `condition > state;`
#[derive(Clone, Debug)]
pub struct NextState {
    pub condition: Condition,
    pub target: Name,
    pub span: Span,
}

/// A condition on the virtual input register.
#[derive(Clone, Debug)]
pub enum Condition {
    Always,
    Input(Name),
    Not(Box<Condition>),
    /// All of them.
    And(Vec<Condition>),
    /// One of them at least.
    Or(Vec<Condition>),
}

/// `on E: +I_A -I_B | nothing also in S;`
#[derive(Clone, Debug)]
pub struct EventMapping {
    pub event: Name,
    pub alternatives: Vec<InputAlternative>,
    pub tolerance: Tolerance,
}

/// Where an event may come although the state says nothing about its inputs.
#[derive(Clone, Debug)]
pub enum Tolerance {
    Nowhere,
    Anywhere,
    Also(Vec<Name>),
}

/// `spontaneous in S: +I_A | +I_B;`
#[derive(Clone, Debug)]
pub struct Spontaneous {
    /// Where; everywhere if empty.
    pub states: Vec<Name>,
    pub alternatives: Vec<InputAlternative>,
    pub span: Span,
}

/// One way in which the input mapper may change the register.
#[derive(Clone, Debug)]
pub struct InputAlternative {
    pub changes: Vec<InputChange>,
    pub span: Span,
}

/// What happens to one input.
#[derive(Clone, Debug)]
pub struct InputChange {
    pub how: How,
    pub input: Name,
}

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
    pub output: Name,
    pub alternatives: Vec<OutputAlternative>,
}

/// One way in which the output function may behave.
#[derive(Clone, Debug)]
pub struct OutputAlternative {
    pub operations: Vec<Operation>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub enum Operation {
    Send { event: Name, to: Name },
    Start(Name),
    Stop(Name),
    Feedback(Name),
}

/// Processors with their processes, highest priority first, and what runs in them.
#[derive(Clone, Debug)]
pub struct Network {
    pub span: Span,
    /// `queue N;`: the length of queues that say nothing else.
    pub queue: Option<u32>,
    pub processors: Vec<Processor>,
    /// `start m in S, …;`: each an initial global state.
    pub starts: Vec<Vec<(Name, Name)>>,
}

#[derive(Clone, Debug)]
pub struct Processor {
    pub name: Name,
    pub processes: Vec<Process>,
}

#[derive(Clone, Debug)]
pub struct Process {
    pub name: Name,
    pub high: Option<u32>,
    pub low: Option<u32>,
    pub machines: Vec<Instance>,
}

/// `m: TYPE(role = machine, …);`
#[derive(Clone, Debug)]
pub struct Instance {
    pub name: Name,
    pub machine_type: Name,
    pub bindings: Vec<(Name, Name)>,
}

/// `invariant NAME: claim;`
#[derive(Clone, Debug)]
pub struct Invariant {
    pub name: Name,
    pub claim: Claim,
    pub span: Span,
}

/// A condition on a global state.
#[derive(Clone, Debug)]
pub enum Claim {
    Always(bool),
    /// `m.S_X` or `m.I_X`.
    Atom(Name, Name),
    Not(Box<Claim>),
    /// All of them.
    And(Vec<Claim>),
    /// One of them at least.
    Or(Vec<Claim>),
}

/// The cost of a state in a guided search.
#[derive(Clone, Debug)]
pub enum Cost {
    Number(i32),
    /// `m.S_X`, `m.I_X` or `m.T_X`: 1 if the machine is there, has the input, or the timer runs.
    Atom(Name, Name),
    /// `len(P.low)`: the messages in a queue of a process.
    Length(Name, Name),
    /// 1 for 0, else 0.
    Not(Box<Cost>),
    Binary(Arithmetic, Box<Cost>, Box<Cost>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arithmetic {
    Add,
    Subtract,
    Multiply,
    And,
    Or,
}

/// `ltl NAME: formula;`
#[derive(Clone, Debug)]
pub struct Formula {
    pub name: Name,
    pub formula: mazurka_ltl::Formula,
    /// What the atoms of the formula are: `m.S_X` or `m.I_X`.
    pub atoms: Vec<(Name, Name)>,
    /// Where the formula stands, without the semicolon.
    pub span: Span,
}
