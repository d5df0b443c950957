//! From the syntax tree to the common program form.
//!
//! A process becomes a process type, its input queue a channel that each instance makes for itself, a state a location. What happens
//! between two outputs of a transition is one step, and so is what happens before the first and after the last: outputs of different
//! processes may come between (Z.100 clause 2.6.7 gives a transition no duration and no atomicity). The signals that a state saves are
//! put aside, in a second channel, and stand before the others again when the next state is entered.
//!
//! [`declare`] gives names their meaning, [`expression`] lowers what computes, [`process`] makes locations and transitions.

mod bounds;
mod constants;
mod declare;
mod efsm;
mod environment;
mod expression;
mod graph;
mod line;
mod output;
mod process;
mod promela;
mod queue;
mod state;
mod timer;
mod transition;
mod uses;

use std::collections::{HashMap, HashSet};

use mazurka_model::{
    Base, ChannelTypeId, Expression, ExpressionId, Index, Kind, Meaning, Place, PlaceId,
};
use mazurka_span::{Diagnostic, SourceMap, Span, has_errors, nearest};
use mazurka_syntax::{Building, Lower, Lowered};

use crate::ast::{self, Name, System};
use crate::codes;
use crate::expand::{expand, key};
use crate::routing;

/// Makes a program of a model. There is one exactly if no diagnostic is an error.
pub(crate) fn lower(
    map: &SourceMap,
    system: &System,
    defines: &[String],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Lowered> {
    let system = &expand(system, defines, diagnostics);
    if has_errors(diagnostics) {
        return None;
    }
    let mut lowerer = lowered(map, system, defines, diagnostics);
    let mut formulas = Vec::new();
    let mut expression = None;
    if !has_errors(lowerer.building.diagnostics) {
        formulas = lowerer.formulas();
        expression = (system.asked_for.as_ref()).map(|asked| lowerer.value(None, asked).0);
    }
    let lowered = Lowered {
        program: lowerer.building.program,
        formulas,
        expression,
    };
    (!has_errors(diagnostics)).then_some(lowered)
}

/// The text of a model as Promela. There is one exactly if no diagnostic is an error.
pub(crate) fn export(
    map: &SourceMap,
    system: &System,
    defines: &[String],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<String> {
    written(map, system, defines, diagnostics, |lowerer| {
        let name = &lowerer.building.program.name;
        let model = promela::export(lowerer)?;
        Ok(format!("/* {name} as Promela. */\n\n{model}"))
    })
}

/// The same as machines with ports.
pub(crate) fn export_efsm(
    map: &SourceMap,
    system: &System,
    defines: &[String],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<String> {
    written(map, system, defines, diagnostics, efsm::export)
}

fn written(
    map: &SourceMap,
    system: &System,
    defines: &[String],
    diagnostics: &mut Vec<Diagnostic>,
    write: fn(&Lowerer<'_>) -> Result<String, Box<Diagnostic>>,
) -> Option<String> {
    let system = &expand(system, defines, diagnostics);
    if has_errors(diagnostics) {
        return None;
    }
    let lowerer = lowered(map, system, defines, diagnostics);
    if has_errors(lowerer.building.diagnostics) {
        return None;
    }
    match write(&lowerer) {
        Ok(text) => Some(text),
        Err(error) => {
            diagnostics.push(*error);
            None
        }
    }
}

fn lowered<'a>(
    map: &'a SourceMap,
    system: &'a System,
    defines: &[String],
    diagnostics: &'a mut Vec<Diagnostic>,
) -> Lowerer<'a> {
    let mut lowerer = Lowerer {
        building: Building::new(map, diagnostics),
        system,
        constants: HashMap::new(),
        ambiguous: HashSet::new(),
        types: HashMap::new(),
        enumerations: Vec::new(),
        signals: Vec::new(),
        processes: Vec::new(),
        lines: Vec::new(),
        queue: ChannelTypeId(0),
        capacity: 4,
        reports_unexpected: false,
        told: HashSet::new(),
        instances: 4,
        reuses: false,
        environment: None,
        shared: 0,
    };
    lowerer.declare(defines);
    if !has_errors(lowerer.building.diagnostics) {
        lowerer.bodies();
    }
    lowerer
}

struct Lowerer<'a> {
    building: Building<'a>,
    system: &'a System,
    /// Synonyms and literals, by their names in small letters, like everything that is found by its name.
    constants: HashMap<String, (i32, Type)>,
    /// Literals that several types have.
    ambiguous: HashSet<String>,
    types: HashMap<String, Type>,
    enumerations: Vec<String>,
    /// Signals, and behind them the timers of all processes. The number of a signal is its place, from 1.
    signals: Vec<Signal>,
    processes: Vec<Process<'a>>,
    /// The ways of delaying channels.
    lines: Vec<Line>,
    queue: ChannelTypeId,
    /// How many signals a queue holds.
    capacity: u32,
    /// Is a signal that a state says nothing about an error?
    reports_unexpected: bool,
    /// Types that something was said about.
    told: HashSet<String>,
    /// How many instances there can be of a process whose number is not bounded.
    instances: u32,
    /// Does a new instance get the PId of one that has stopped?
    reuses: bool,
    /// If signals may come from outside: while the queue of who gets them has fewer than that.
    environment: Option<u32>,
    /// The bytes of shared variables: which instances exist, and what processes reveal.
    shared: u32,
}

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Type {
    Boolean,
    /// With its bounds, if it has any.
    Integer(Option<(i32, i32)>),
    Pid,
    Character,
    /// A literal of that enumeration.
    Literal(usize),
    /// That of something wrong, which fits everywhere.
    Unknown,
}

struct Signal {
    name: String,
    parameters: Vec<Type>,
    /// The process whose timer it is.
    timer_of: Option<usize>,
    /// The process that it starts an instance of.
    creates: Option<usize>,
}

struct Process<'a> {
    ast: &'a ast::Process,
    /// By the numbers of its block and among the processes of that.
    at: (usize, usize),
    count: u32,
    /// How many there can be, with those that have stopped.
    slots: u32,
    /// Is that all that the model allows at a time?
    bounded: bool,
    /// The first of the shared variables that say which instances exist, if not all do for ever.
    exists: Option<u32>,
    /// The number among signals of what starts an instance.
    created_by: Option<usize>,
    /// Where its parent and its offspring are kept, if anybody asks.
    parent: Option<u32>,
    offspring: Option<u32>,
    /// The number of the first instance among all processes, from 0; as a PId one more.
    first: u32,
    /// The number of the input queue of the first instance.
    first_channel: u32,
    variables: HashMap<String, Local>,
    timers: Vec<Timer>,
    /// The names of its states as written, and in small letters.
    states: Vec<(String, String)>,
    /// Does any state save signals?
    saves: bool,
    frame: u32,
}

/// A timer of a process; one for each value of its parameters.
#[derive(Clone)]
struct Timer {
    /// Its number among signals.
    signal: usize,
    /// Where it is kept whether it runs.
    offset: u32,
    /// The least and the greatest value of each parameter.
    ranges: Vec<(i32, i32)>,
}

impl Timer {
    /// How many there are.
    fn count(&self) -> u32 {
        let lengths = self
            .ranges
            .iter()
            .map(|(low, high)| (high - low + 1) as u32);
        lengths.product()
    }

    /// The parameters of the one with that number.
    fn values(&self, number: u32) -> Vec<i32> {
        let mut rest = number;
        let mut values = Vec::new();
        for (low, high) in self.ranges.iter().rev() {
            let length = (high - low + 1) as u32;
            values.insert(0, low + (rest % length) as i32);
            rest /= length;
        }
        values
    }
}

/// What delays the signals of one way of a channel: a process with a queue.
struct Line {
    /// By the numbers of the channel and among its ways.
    of: (usize, usize),
    name: String,
    channel: u32,
}

#[derive(Clone, Copy)]
struct Local {
    offset: u32,
    type_: Type,
    /// The number of elements of a part of an array.
    length: Option<u32>,
    /// The process that reveals it: it is shared then, with a place for each instance.
    revealed_by: Option<usize>,
}

/// What an instance is, in the shared variable that says so.
const NEVER: i32 = 0;
const ALIVE: i32 = 1;
const STOPPED: i32 = 2;

/// Where things are in the frame of every process.
const QUEUE: u32 = 0;
const SENDER: u32 = 1;
/// The signals put aside, in a process that saves any.
const SAVED: u32 = 2;

impl Type {
    fn kind(self) -> Kind {
        match self {
            Type::Boolean => Kind::Bit,
            Type::Pid | Type::Character | Type::Literal(_) | Type::Unknown => Kind::Byte,
            Type::Integer(Some((0.., ..=255))) => Kind::Byte,
            Type::Integer(Some((-32768.., ..=32767))) => Kind::Short,
            Type::Integer(_) => Kind::Int,
        }
    }

    fn meaning(self) -> Meaning {
        match self {
            Type::Boolean => Meaning::Truth,
            Type::Literal(number) => Meaning::Enumeration(number as u32),
            _ => Meaning::Number,
        }
    }

    /// Can a value of the one type stand where the other is wanted?
    fn fits(self, other: Type) -> bool {
        match (self, other) {
            (Type::Unknown, _) | (_, Type::Unknown) => true,
            (Type::Integer(_), Type::Integer(_)) => true,
            _ => self == other,
        }
    }
}

impl<'a> Lower<'a> for Lowerer<'a> {
    fn building(&self) -> &Building<'a> {
        &self.building
    }

    fn building_mut(&mut self) -> &mut Building<'a> {
        &mut self.building
    }
}

impl Lowerer<'_> {
    /// The names of signals, without those of timers and of what starts processes.
    fn names_of_signals(&self) -> Vec<String> {
        let sent = |signal: &&Signal| signal.timer_of.is_none() && signal.creates.is_none();
        let names = self.signals.iter().filter(sent);
        names.map(|signal| signal.name.clone()).collect()
    }

    fn names_of_timers(&self, process: usize) -> Vec<String> {
        let own = |signal: &&Signal| signal.timer_of == Some(process);
        let names = self.signals.iter().filter(own);
        names.map(|signal| signal.name.clone()).collect()
    }

    /// The variables of a process, as they are written.
    fn names_of_variables(&self, process: usize) -> Vec<String> {
        let variables = self.processes[process].ast.variables.iter();
        variables
            .map(|variable| variable.name.to_string())
            .collect()
    }

    /// Reports a name that means nothing here, with the nearest that does.
    fn unknown(&mut self, name: &Name, what: &str, known: Vec<String>) {
        let mut refused = self.system.refused.iter();
        if let Some((_, reason)) = refused.find(|(known, _)| routing::same(known, name)) {
            let message = format!("`{name}` is not supported: {reason}");
            return self.error(codes::NOT_TAKEN, name.span, message);
        }
        let message = format!("there is no {what} `{name}`");
        let mut diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, name.span, message);
        let small: Vec<String> = known.iter().map(|name| name.to_ascii_lowercase()).collect();
        if let Some(near) = nearest(&key(name), small.iter().map(String::as_str)) {
            let spelt = known.iter().find(|name| name.eq_ignore_ascii_case(near));
            let near = spelt.map_or(near, String::as_str);
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        }
        self.building.diagnostics.push(diagnostic);
    }

    fn type_name(&self, type_: Type) -> String {
        match type_ {
            Type::Boolean => "Boolean".into(),
            Type::Integer(_) => "Integer".into(),
            Type::Pid => "PId".into(),
            Type::Character => "Character".into(),
            Type::Literal(number) => self.enumerations[number].clone(),
            Type::Unknown => "unknown".into(),
        }
    }

    fn expect_type(&mut self, span: Span, found: Type, wanted: Type) {
        if !found.fits(wanted) {
            let (wanted, found) = (self.type_name(wanted), self.type_name(found));
            let message = format!("a value of type {wanted} is needed here, not {found}");
            self.error(codes::WRONG_TYPE, span, message);
        }
    }

    fn local(&mut self, offset: u32, kind: Kind) -> PlaceId {
        self.simple_place(Base::Local, offset, kind)
    }

    /// Does an instance exist? None if it always does.
    fn instance_is(&mut self, process: usize, number: u32, what: i32) -> Option<ExpressionId> {
        let offset = self.processes[process].exists? + number;
        let place = self.simple_place(Base::Shared, offset, Kind::Byte);
        let state = self.node(Expression::Load(place));
        let what = self.constant(what);
        Some(self.both(ast::BinaryOperator::Equal, state, what))
    }

    /// An element of a part of an array, or a variable.
    fn part(&mut self, base: Base, local: Local, index: Option<ExpressionId>) -> PlaceId {
        let kind = local.type_.kind();
        let Some((length, index)) = local.length.zip(index) else {
            return self.simple_place(base, local.offset, kind);
        };
        if let Expression::Constant(value) = self.building.program.expressions[index.index()]
            && (0..length as i32).contains(&value)
        {
            let offset = local.offset + value as u32 * kind.bytes();
            return self.simple_place(base, offset, kind);
        }
        let indices = &mut self.building.program.indices;
        indices.push(Index {
            expression: index,
            length,
            stride: kind.bytes(),
        });
        let end = indices.len() as u32;
        self.place(Place {
            base,
            offset: local.offset,
            kind,
            indices: end - 1..end,
        })
    }

    /// A variable of the process itself, or an element of one.
    fn own_part(&mut self, local: Local, index: Option<ExpressionId>) -> PlaceId {
        let Some(process) = local.revealed_by else {
            return self.part(Base::Local, local, index);
        };
        let number = match self.processes[process].slots {
            1 => self.constant(0),
            _ => {
                let first = self.constant(self.processes[process].first as i32);
                let own = self.node(Expression::SelfProcess);
                self.both(ast::BinaryOperator::Subtract, own, first)
            }
        };
        self.revealed_part(local, process, number, index)
    }

    /// A variable that an instance of a process reveals. A number that is out of range is an error, as an index is.
    fn revealed_part(
        &mut self,
        local: Local,
        process: usize,
        number: ExpressionId,
        index: Option<ExpressionId>,
    ) -> PlaceId {
        use ast::BinaryOperator as Value;
        let slots = self.processes[process].slots;
        let mut place = number;
        if let Some((length, index)) = local.length.zip(index) {
            let rows = self.constant(length as i32);
            let row = self.both(Value::Multiply, number, rows);
            let sum = self.both(Value::Add, row, index);
            let zero = self.constant(0);
            let low = self.both(Value::GreaterEqual, index, zero);
            let high = self.both(Value::Less, index, rows);
            let fits = self.node(Expression::And(low, high));
            let far = self.constant(-1_000_000);
            place = self.node(Expression::Conditional(fits, sum, far));
        }
        let row = Local {
            length: Some(slots * local.length.unwrap_or(1)),
            revealed_by: None,
            ..local
        };
        self.part(Base::Shared, row, Some(place))
    }

    fn load(&mut self, offset: u32, kind: Kind) -> ExpressionId {
        let place = self.local(offset, kind);
        self.node(Expression::Load(place))
    }
}
