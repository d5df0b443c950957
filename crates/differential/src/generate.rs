//! Random models that SPIN accepts and finishes.
//!
//! A model is drawn top-down: which features it has, then its globals, channels, inlines and processes. Two concerns
//! shape everything below. *Well-formed*: each choice is made from what is in scope, so that nearly every model is
//! accepted. *Small*: every variable stays in a small range (assignments are taken modulo a small number), so that loops
//! may run for ever and the state space stays finite and quick to explore.
//!
//! The first letter of a name says what it is for: `g` global, `h` hidden, `c` channel, `r` channel of channels, `u` channel that
//! holds nothing at first, `b` structure with a channel, `s` structure that is sent; in a process `l` local, `p` parameter, `d` channel,
//! `v` channel that is received, `t` declared in the middle.

mod channels;
mod claims;
mod communication;
mod compound;
mod declarations;
mod expressions;
mod labels;
mod processes;
mod statements;

use std::collections::BTreeMap;

use crate::ast::*;
use crate::features::{Feature, Features};
use crate::random::Random;

/// The model that `seed` names under the given features.
pub fn generate(seed: u64, features: Features) -> Program {
    generate_with(seed, features, Features::none())
}

/// The same, where some features may be used in any case.
pub fn generate_with(seed: u64, features: Features, wanted: Features) -> Program {
    let mut random = Random::new(seed);
    let drawn = features.draw_with(&mut random, wanted);
    let calm = random.chance(80) && drawn.has(Feature::EndLabels);
    let mut generator = Generator {
        random,
        features: drawn,
        program: Program {
            mtypes: Vec::new(),
            macros: Vec::new(),
            structures: Vec::new(),
            globals: Vec::new(),
            inlines: Vec::new(),
            processes: Vec::new(),
            trace: None,
            claims: Vec::new(),
        },
        calm,
        variables: Vec::new(),
        channels: Vec::new(),
        conditions: Vec::new(),
        numbers: Vec::new(),
        inlines: Vec::new(),
        workers: Vec::new(),
        remotes: Vec::new(),
        safe_indices: Vec::new(),
        relay: None,
        surplus: BTreeMap::new(),
        room: 0,
        next_pid: 0,
        names: 0,
        context: Context::default(),
    };
    generator.declare_globals();
    generator.declare_inlines();
    generator.declare_processes();
    generator.declare_trace();
    generator.declare_claims();
    generator.program
}

struct Generator {
    random: Random,
    features: Features,
    /// Whether the model should rather hold: processes may wait wherever they are, and assertions claim little.
    calm: bool,
    program: Program,
    /// What is in scope: globals, then the locals of the process being drawn.
    variables: Vec<Variable>,
    channels: Vec<Channel>,
    /// Macros that stand for a condition, and for a number.
    conditions: Vec<String>,
    numbers: Vec<String>,
    inlines: Vec<InlineSignature>,
    workers: Vec<Worker>,
    /// Active processes already drawn; those that follow may look into them.
    remotes: Vec<Remote>,
    /// An array, and a variable that is certainly in its range.
    safe_indices: Vec<(String, String)>,
    /// The channel that carries channels: its name, and the shape of those it carries.
    relay: Option<(Place, Shape)>,
    /// Per channel, how many more sends than receives were drawn.
    surplus: BTreeMap<String, i32>,
    /// How many more processes may be started once and for all, before there are too many interleavings.
    room: i64,
    next_pid: u32,
    names: u32,
    context: Context,
}

/// Where in a process the next statement goes.
#[derive(Clone, Default)]
struct Context {
    /// How many statements may still be drawn for this process.
    budget: usize,
    depth: usize,
    /// Inside a loop, so that `break` has a meaning.
    breakable: bool,
    /// Inside something that may run again and again, so that a bare `x++` would count up for ever.
    repeating: bool,
    atomic: bool,
    /// Inside a d_step: nothing may block.
    deterministic: bool,
    /// Inside an inline, whose body is text: no labels, no declarations.
    inlined: bool,
    labels: Vec<String>,
    /// In a formula or a never claim, which belongs to no process.
    claim: bool,
    /// The pids this process may have, if they are known.
    pids: Option<std::ops::Range<u32>>,
    /// The local variable that receives channels, once declared.
    via: Option<String>,
}

#[derive(Clone)]
struct Variable {
    name: String,
    kind: Type,
    length: Option<u32>,
    writable: bool,
    /// Not part of the state: it may be written but says nothing when read.
    hidden: bool,
    global: bool,
}

/// What a channel holds.
#[derive(Clone, PartialEq)]
struct Shape {
    capacity: u32,
    fields: Vec<Type>,
}

impl Shape {
    /// Is a message one whole structure?
    fn is_packet(&self) -> bool {
        matches!(self.fields[..], [Type::Structure(_)])
    }
}

#[derive(Clone)]
struct Channel {
    name: String,
    length: Option<u32>,
    /// The channel is this field of a structure.
    field: Option<String>,
    shape: Shape,
    /// A global one, which may be sent through a channel: it outlives every process.
    global: bool,
}

struct InlineSignature {
    name: String,
    parameters: usize,
    never_blocks: bool,
}

/// A process that others may `run`.
struct Worker {
    name: String,
    parameters: Vec<Parameter>,
}

#[derive(Clone)]
enum Parameter {
    Value,
    Mtype,
    Channel(Shape),
}

struct Remote {
    process: String,
    pids: std::ops::Range<u32>,
    variables: Vec<String>,
    labels: Vec<String>,
}

impl Generator {
    fn has(&self, feature: Feature) -> bool {
        self.features.has(feature)
    }

    /// True in `percent` of the cases if the feature is on. Draws in either case, to keep seeds comparable.
    fn sometimes(&mut self, feature: Feature, percent: usize) -> bool {
        self.random.chance(percent) && self.has(feature)
    }

    fn fresh(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    /// Runs `inner` in a changed context and with its own scope, and puts both back.
    fn within<T>(
        &mut self,
        change: impl FnOnce(&mut Context),
        inner: impl FnOnce(&mut Generator) -> T,
    ) -> T {
        let mut context = self.context.clone();
        context.depth += 1;
        change(&mut context);
        let outer = std::mem::replace(&mut self.context, context);
        let (variables, channels) = (self.variables.len(), self.channels.len());
        let result = inner(self);
        self.variables.truncate(variables);
        self.channels.truncate(channels);
        let budget = self.context.budget;
        self.context = outer;
        self.context.budget = budget;
        result
    }
}
