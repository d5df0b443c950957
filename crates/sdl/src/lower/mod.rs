//! From the syntax tree to the common program form.
//!
//! A process becomes a process type, its input queue a channel that each instance makes for itself, a state a location. What happens
//! between two outputs of a transition is one step, and so is what happens before the first and after the last: outputs of different
//! processes may come between (Z.100 clause 2.6.7 gives a transition no duration and no atomicity). The signals that a state saves are
//! put aside, in a second channel, and stand before the others again when the next state is entered.
//!
//! [`declare`] gives names their meaning, [`expression`] lowers what computes, [`process`] makes locations and transitions.

mod declare;
mod expression;
mod graph;
mod process;
mod promela;
mod transition;

use std::collections::HashMap;

use mazurka_model::{Base, ChannelTypeId, Expression, ExpressionId, Kind, Meaning, PlaceId};
use mazurka_span::{Diagnostic, SourceMap, Span, has_errors, nearest};
use mazurka_syntax::{Building, Lower, Lowered};

use crate::ast::{self, Name, System};
use crate::codes;

/// Makes a program of a model. There is one exactly if no diagnostic is an error.
pub(crate) fn lower(
    map: &SourceMap,
    system: &System,
    defines: &[String],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Lowered> {
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
    let lowerer = lowered(map, system, defines, diagnostics);
    if has_errors(lowerer.building.diagnostics) {
        return None;
    }
    let name = &lowerer.building.program.name;
    let model = promela::export(&lowerer);
    Some(format!("/* {name} as Promela. */\n\n{model}"))
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
        types: HashMap::new(),
        enumerations: Vec::new(),
        signals: Vec::new(),
        processes: Vec::new(),
        lines: Vec::new(),
        queue: ChannelTypeId(0),
        capacity: 4,
        reports_unexpected: false,
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
}

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Type {
    Boolean,
    /// With its bounds, if it has any.
    Integer(Option<(i32, i32)>),
    Pid,
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
}

struct Process<'a> {
    ast: &'a ast::Process,
    /// By the numbers of its block and among the processes of that.
    at: (usize, usize),
    count: u32,
    /// The number of the first instance among all processes, from 0; as a PId one more.
    first: u32,
    /// The number of the input queue of the first instance.
    first_channel: u32,
    variables: HashMap<String, Local>,
    /// Where it is kept whether a timer runs, by its number among signals.
    timers: Vec<(usize, u32)>,
    /// The names of its states as written, and in small letters.
    states: Vec<(String, String)>,
    /// Does any state save signals?
    saves: bool,
    frame: u32,
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
}

/// Where things are in the frame of every process.
const QUEUE: u32 = 0;
const SENDER: u32 = 1;
/// The signals put aside, in a process that saves any.
const SAVED: u32 = 2;

impl Type {
    fn kind(self) -> Kind {
        match self {
            Type::Boolean => Kind::Bit,
            Type::Pid | Type::Literal(_) | Type::Unknown => Kind::Byte,
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

fn key(name: &Name) -> String {
    name.text.to_ascii_lowercase()
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
    /// Reports a name that means nothing here, with the nearest that does.
    fn unknown(&mut self, name: &Name, what: &str, known: &[&str]) {
        let message = format!("there is no {what} `{name}`");
        let mut diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, name.span, message);
        if let Some(near) = nearest(&key(name), known.iter().copied()) {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        }
        self.building.diagnostics.push(diagnostic);
    }

    fn type_name(&self, type_: Type) -> String {
        match type_ {
            Type::Boolean => "Boolean".into(),
            Type::Integer(_) => "Integer".into(),
            Type::Pid => "PId".into(),
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

    fn load(&mut self, offset: u32, kind: Kind) -> ExpressionId {
        let place = self.local(offset, kind);
        self.node(Expression::Load(place))
    }
}
