//! From the syntax tree to the common program form.
//!
//! A machine becomes a process type, a port a channel that each process makes for itself when it
//! starts, a transition one guarded command: predicate and receive are the guard, and the effect is
//! the receive, the computation and the sends. Instances are numbered machine by machine, so that
//! the channel of a port of any instance is a sum of constants and the number of the instance.
//!
//! [`objects`] makes variables of objects, [`declare`] gives names their meaning, [`expression`] and [`statement`] lower what computes,
//! [`transition`] makes locations and transitions, [`formula`] takes apart what is said of them.

mod bounds;
mod constant;
mod declare;
mod expression;
mod formula;
mod objects;
mod promela;
mod statement;
mod transition;

use std::collections::HashMap;
use std::sync::Arc;

use mazurka_model::{Base, ChannelTypeId, Kind, Meaning};
use mazurka_span::{Diagnostic, SourceMap, Span, has_errors, nearest};
use mazurka_syntax::{Building, Lower, Lowered};

use crate::ast::{Model, Name, Order};
use crate::{Property, codes};

/// Makes a program of a model. There is one exactly if no diagnostic is an error.
pub(crate) fn lower(
    map: &SourceMap,
    model: &Model,
    defines: &[String],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Lowered> {
    lower_as(map, model, defines, diagnostics, false)
}

/// The same, for machines that are also looked at alone, where more messages may come.
pub(crate) fn lower_open(
    map: &SourceMap,
    model: &Model,
    defines: &[String],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Lowered> {
    lower_as(map, model, defines, diagnostics, true)
}

fn lower_as(
    map: &SourceMap,
    model: &Model,
    defines: &[String],
    diagnostics: &mut Vec<Diagnostic>,
    is_open: bool,
) -> Option<Lowered> {
    let model = &objects::expand(model, diagnostics);
    let mut lowerer = Lowerer::new(map, model, diagnostics);
    lowerer.is_open = is_open;
    lowerer.model(defines);
    let asked_for = model.asked_for.as_ref();
    let expression = asked_for.map(|asked| lowerer.expression(None, asked).0);
    let lowered = Lowered {
        program: lowerer.building.program,
        formulas: lowerer.formulas,
        expression,
    };
    (!has_errors(diagnostics)).then_some(lowered)
}

/// The text of a model as Promela. There is one exactly if no diagnostic is an error.
pub(crate) fn export(
    map: &SourceMap,
    model: &Model,
    defines: &[String],
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<String> {
    let model = &objects::expand(model, diagnostics);
    let mut lowerer = Lowerer::new(map, model, diagnostics);
    lowerer.model(defines);
    let is_wrong = has_errors(lowerer.building.diagnostics);
    if is_wrong {
        return None;
    }
    let exported = promela::export(&mut lowerer);
    let name = &lowerer.building.program.name;
    Some(format!(
        "/* {name} as Promela. Check with pan -q. */\n\n{exported}"
    ))
}

struct Lowerer<'a> {
    building: Building<'a>,
    model: &'a Model,
    /// Constants and values of enumerations.
    constants: HashMap<Arc<str>, (i32, Type)>,
    enumerations: Vec<Arc<str>>,
    machines: Vec<Machine>,
    instances: HashMap<Arc<str>, Instances>,
    globals: HashMap<Arc<str>, Local>,
    /// The greatest number of messages that can be under way at once, if there is one.
    most_messages: Option<u64>,
    /// Are machines looked at alone, too?
    is_open: bool,
    formulas: Vec<Property>,
}

/// The type of a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Type {
    Bool,
    Byte,
    Short,
    Int,
    /// A value of that enumeration.
    Enumeration(usize),
    /// An instance of that machine.
    Machine(usize),
    /// That of something wrong, which fits everywhere.
    Unknown,
}

/// What is known of a machine.
struct Machine {
    name: Arc<str>,
    parameters: Vec<Type>,
    ports: Vec<Port>,
    /// Parameters, variables and loop variables.
    locals: HashMap<Arc<str>, Local>,
    states: HashMap<Arc<str>, u32>,
    /// How many instances there are.
    count: u32,
    /// The number of the process of the first instance.
    first_process: u32,
    /// The number of the channel of the first port of the first instance.
    first_channel: u32,
    /// How many channels an instance has.
    channels: u32,
    /// How much of the frame is taken.
    frame_bytes: u32,
}

/// What is known of a port.
struct Port {
    name: Arc<str>,
    channel_type: ChannelTypeId,
    waits: bool,
    loses: bool,
    duplicates: bool,
    order: Order,
    messages: Vec<Message>,
    /// How many messages it holds.
    capacity: u32,
    /// How many channels it is: one, or one for each message where these can be taken in any order.
    channels: u32,
    /// The number of its first channel among those of its machine.
    first: u32,
    /// Where a process keeps the numbers of its channels, one byte each.
    offset: u32,
}

/// What is known of a message; its number is its place among the messages of its port, from 1.
#[derive(Clone)]
struct Message {
    name: Arc<str>,
    fields: Vec<Type>,
    span: Span,
    sent: bool,
}

/// A variable.
#[derive(Clone, Copy)]
struct Local {
    base: Base,
    offset: u32,
    type_: Type,
    length: Option<u32>,
    writable: bool,
}

/// The instances that one name stands for.
#[derive(Clone, Copy)]
struct Instances {
    machine: usize,
    /// Their first number among the instances of the machine.
    first: u32,
    /// How many there are, if they are an array.
    count: Option<u32>,
}

impl Type {
    fn kind(self) -> Kind {
        match self {
            Type::Bool => Kind::Bit,
            Type::Byte | Type::Enumeration(_) | Type::Machine(_) | Type::Unknown => Kind::Byte,
            Type::Short => Kind::Short,
            Type::Int => Kind::Int,
        }
    }

    fn meaning(self) -> Meaning {
        match self {
            Type::Bool => Meaning::Truth,
            // Enumerations of messages stand before those of the model; see `declare`.
            Type::Enumeration(number) => Meaning::Enumeration(number as u32),
            _ => Meaning::Number,
        }
    }

    fn is_number(self) -> bool {
        matches!(
            self,
            Type::Bool | Type::Byte | Type::Short | Type::Int | Type::Unknown
        )
    }

    /// Is every value of the one type one of the other?
    fn is_within(self, other: Type) -> bool {
        match (self, other) {
            (_, Type::Int) | (Type::Bool | Type::Byte, Type::Short) | (Type::Bool, Type::Byte) => {
                true
            }
            _ => self == other,
        }
    }

    /// Can a value of the one type stand where the other is wanted?
    fn fits(self, other: Type) -> bool {
        self == other
            || self == Type::Unknown
            || other == Type::Unknown
            || self.is_number() && other.is_number()
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

impl<'a> Lowerer<'a> {
    fn new(
        map: &'a SourceMap,
        model: &'a Model,
        diagnostics: &'a mut Vec<Diagnostic>,
    ) -> Lowerer<'a> {
        Lowerer {
            building: Building::new(map, diagnostics),
            model,
            constants: HashMap::new(),
            enumerations: Vec::new(),
            machines: Vec::new(),
            instances: HashMap::new(),
            globals: HashMap::new(),
            most_messages: None,
            is_open: false,
            formulas: Vec::new(),
        }
    }

    /// Reports a name that means nothing here, behind words that say so, with the nearest that does.
    fn unknown<'n>(
        &mut self,
        span: Span,
        lacks: &str,
        name: &str,
        known: impl Iterator<Item = &'n str>,
    ) {
        let message = format!("{lacks} `{name}`");
        let mut diagnostic = Diagnostic::error(codes::UNKNOWN_NAME, span, message);
        if let Some(near) = nearest(name, known) {
            diagnostic = diagnostic.hint(format!("did you mean `{near}`?"));
        }
        self.building.diagnostics.push(diagnostic);
    }

    fn type_name(&self, type_: Type) -> String {
        match type_ {
            Type::Bool => "bool".into(),
            Type::Byte => "byte".into(),
            Type::Short => "short".into(),
            Type::Int => "int".into(),
            Type::Enumeration(number) => self.enumerations[number].to_string(),
            Type::Machine(number) => self.machines[number].name.to_string(),
            Type::Unknown => "unknown".into(),
        }
    }

    fn expect_type(&mut self, span: Span, found: Type, wanted: Type) {
        if !found.fits(wanted) {
            let wanted = self.type_name(wanted);
            let found = self.type_name(found);
            let message = format!("a value of type {wanted} is needed here, not {found}");
            self.error(codes::WRONG_TYPE, span, message);
        }
    }

    fn type_of(&mut self, name: &Name) -> Type {
        match name.as_str() {
            "bool" => return Type::Bool,
            "byte" => return Type::Byte,
            "short" => return Type::Short,
            "int" => return Type::Int,
            _ => {}
        }
        let machines = self.model.machines.iter();
        if let Some(number) = machines.clone().position(|m| m.name.text == name.text) {
            return Type::Machine(number);
        }
        if let Some(number) = self.enumerations.iter().position(|e| *e == name.text) {
            return Type::Enumeration(number);
        }
        let known: Vec<Arc<str>> = ["bool", "byte", "short", "int"]
            .into_iter()
            .map(Arc::from)
            .chain(machines.map(|m| m.name.text.clone()))
            .chain(self.enumerations.iter().cloned())
            .collect();
        let known = known.iter().map(|name| &**name);
        self.unknown(name.span, "there is no type", &name.text, known);
        Type::Unknown
    }
}
