//! How values flow through the processes of a program.

use std::collections::HashMap;
use std::ops::Range;

use mazurka_model::{
    Base, BinaryOperator, Expression, ExpressionId, Field, Instruction, Kind, PlaceId, Program,
    ReceiveId, SendId,
};

use super::kinds::{Kinds, Node, Value};
use super::storage::{Family, Storage};
use crate::constancy::span;

/// What is learned about a program.
pub(super) struct Flow<'p> {
    program: &'p Program,
    pub kinds: Kinds,
    pub storage: Storage,
    /// The number of a process, by type.
    pub numbers: Vec<Node>,
    /// Which types ask for it.
    pub asks: Vec<bool>,
    /// The fields of messages, by type of channel.
    pub fields: Vec<Node>,
    /// Variables that are written, by the type that writes.
    pub written: Vec<Family>,
    /// Elements that are read.
    pub reads: Vec<Read>,
    /// The values of arrays that name a channel.
    pub names: Vec<Node>,
    /// Is every channel named by a shared variable that never names another?
    pub names_last: bool,
    /// The types that are started by what is looked through.
    pub started: Vec<bool>,
    /// Who looks.
    process_type: u32,
    /// The type of channel that a variable names for ever.
    known: HashMap<PlaceId, Option<u32>>,
}

/// An element of an array is read. One that does not exist is 0.
#[derive(Debug)]
pub(super) struct Read {
    pub array: Family,
    /// The own number or parameter that each index is, if it is one: the type of process, and where the parameter is.
    pub indices: Vec<Option<(usize, Option<u32>)>>,
}

const COMPUTED: &str = "the identity of a process in a computation";

impl<'p> Flow<'p> {
    pub fn new(program: &'p Program) -> Flow<'p> {
        let mut kinds = Kinds::default();
        let storage = Storage::new(program, &mut kinds);
        let types = program.process_types.len();
        let first = kinds.add(types as u32);
        let channels = program.channel_types.iter();
        let fields = channels.map(|one| kinds.add(one.fields.len() as u32));
        let fields = fields.collect();
        Flow {
            program,
            kinds,
            storage,
            numbers: (first..first + types as u32).collect(),
            asks: vec![false; types],
            fields,
            written: Vec::new(),
            reads: Vec::new(),
            names: Vec::new(),
            names_last: true,
            started: vec![false; types],
            process_type: 0,
            known: HashMap::new(),
        }
    }

    /// Looks through the transitions of a type of process that leave some of its locations.
    pub fn process(&mut self, number: usize, counts: impl Fn(u32) -> bool) {
        self.process_type = number as u32;
        let program = self.program;
        let process = &program.process_types[number];
        if let Some(provided) = process.provided {
            self.ordinary(provided);
        }
        for location in process.locations.clone().filter(|one| counts(*one)) {
            for transition in program.locations[location as usize].transitions.clone() {
                let transition = &program.transitions[transition as usize];
                self.ordinary(transition.guard);
                self.code(transition.effect.clone());
            }
        }
    }

    /// Looks through what gives new processes their values: those of started types begin with zeros.
    pub fn births(&mut self) {
        let mut done = vec![false; self.started.len()];
        let open = |started: &[bool], done: &[bool]| {
            (0..done.len()).find(|number| started[*number] && !done[*number])
        };
        while let Some(number) = open(&self.started, &done) {
            done[number] = true;
            self.process_type = number as u32;
            self.code(self.program.process_types[number].start.clone());
        }
        let is_born = |family: &&Family| {
            let region = family.region;
            region.is_some_and(|number| done[number as usize])
        };
        for family in self.storage.families.iter().filter(is_born) {
            self.kinds
                .same(Value::Of(family.content), Value::Constant(0));
        }
    }

    /// All fields of messages, and how they are kept.
    pub fn all_fields(&self) -> Vec<(Node, Kind)> {
        let types = self.program.channel_types.iter().zip(&self.fields);
        let fields = types.flat_map(|(described, first)| {
            let kinds = described.fields.iter().map(|field| field.kind);
            (*first..).zip(kinds)
        });
        fields.collect()
    }

    fn code(&mut self, range: Range<u32>) {
        let program = self.program;
        for instruction in &program.code[range.start as usize..range.end as usize] {
            match instruction {
                Instruction::Assign(place, value) => {
                    let value = self.value(*value);
                    self.write(*place, value);
                }
                Instruction::Send(send) => self.send(*send),
                Instruction::Receive(receive) => self.receive(*receive, true),
                Instruction::NewChannel(place, _) => self.write(*place, Value::Ordinary),
                Instruction::Run {
                    process_type,
                    arguments,
                    result,
                    ..
                } => self.run(process_type.index(), arguments.clone(), *result),
                Instruction::Assert(claim) => self.ordinary(*claim),
                Instruction::Print(_, arguments) => {
                    for position in arguments.clone() {
                        // Nobody reads it, but it has to have a value.
                        self.value(program.lists[position as usize]);
                    }
                }
                Instruction::SetPriority(process, priority) => {
                    self.ordinary(*process);
                    self.ordinary(*priority);
                }
                Instruction::JumpUnless(condition, _) => self.ordinary(*condition),
                Instruction::Die
                | Instruction::Jump(_)
                | Instruction::Stuck
                | Instruction::Breach(_)
                | Instruction::Stop(_)
                | Instruction::Enter(_) => {}
            }
        }
    }

    fn run(&mut self, number: usize, arguments: Range<u32>, result: Option<PlaceId>) {
        let program = self.program;
        self.started[number] = true;
        let starter = self.process_type;
        let parameters = program.process_types[number].parameters.iter();
        for (place, argument) in parameters.zip(arguments) {
            let value = self.value(program.lists[argument as usize]);
            self.process_type = number as u32;
            let place = self.place(*place);
            self.kinds.same(place, value);
            self.process_type = starter;
        }
        if let Some(place) = result {
            self.write(place, Value::Ordinary);
        }
    }

    fn send(&mut self, send: SendId) {
        let program = self.program;
        let send = &program.sends[send.index()];
        let types = self.channel(send.channel, send.values.len());
        for (position, index) in send.values.clone().enumerate() {
            let value = self.value(program.lists[index as usize]);
            for number in &types {
                let field = self.fields[*number as usize] + position as u32;
                self.kinds.same(Value::Of(field), value);
                if send.sorted {
                    self.kinds.mark(field, "sorted sends of identities");
                }
            }
        }
    }

    fn receive(&mut self, receive: ReceiveId, takes: bool) {
        let program = self.program;
        let receive = &program.receives[receive.index()];
        let types = self.channel(receive.channel, receive.fields.len());
        let fields = &program.fields[receive.fields.start as usize..receive.fields.end as usize];
        for (position, field) in fields.iter().enumerate() {
            let value = match field {
                Field::Bind(place) if takes => self.write_place(*place),
                Field::Bind(place) => self.place(*place),
                Field::Match(value) => self.value(*value),
                Field::Discard => continue,
            };
            for number in &types {
                let field = self.fields[*number as usize] + position as u32;
                self.kinds.same(Value::Of(field), value);
            }
        }
    }

    /// The types of the channels that an expression may name where this number of fields is sent or received.
    fn channel(&mut self, name: ExpressionId, fields: usize) -> Vec<u32> {
        self.name(name);
        if let Expression::Load(place) = self.program.expressions[name.index()]
            && let Some(number) = self.type_of(place)
        {
            let found = self.program.channel_types[number as usize].fields.len();
            return (found >= fields).then_some(number).into_iter().collect();
        }
        let types = self.program.channel_types.iter().enumerate();
        let fit = types.filter(|(_, one)| one.fields.len() >= fields);
        fit.map(|(number, _)| number as u32).collect()
    }

    /// An expression that names a channel.
    fn name(&mut self, name: ExpressionId) {
        let value = match self.program.expressions[name.index()] {
            // An element that does not exist names no channel, whoever asks.
            Expression::Load(place) => {
                self.names_last &= self.type_of(place).is_some();
                let family = self.family(place);
                family.as_ref().map_or(Value::Ordinary, content)
            }
            _ => {
                self.names_last = false;
                self.value(name)
            }
        };
        match value {
            Value::Of(node) => self.names.push(node),
            Value::Ordinary | Value::Constant(_) => {}
        }
    }

    /// The only type of channel that a shared variable ever names.
    fn type_of(&mut self, place: PlaceId) -> Option<u32> {
        if let Some(known) = self.known.get(&place) {
            return *known;
        }
        let program = self.program;
        let mut found = None;
        let mut is_one = program.places[place.index()].base == Base::Shared;
        let (start, end) = span(program, place);
        for instruction in &program.code {
            for written in crate::constancy::written(program, instruction) {
                let (from, to) = span(program, written);
                let is_apart = program.places[written.index()].base != Base::Shared;
                if is_apart || to <= start || end <= from {
                    continue;
                }
                match instruction {
                    Instruction::NewChannel(_, number) if found.is_none_or(|f| f == number.0) => {
                        found = Some(number.0);
                    }
                    _ => is_one = false,
                }
            }
        }
        let known = found.filter(|_| is_one);
        self.known.insert(place, known);
        known
    }

    fn write(&mut self, place: PlaceId, value: Value) {
        let place = self.write_place(place);
        self.kinds.same(place, value);
    }

    fn write_place(&mut self, place: PlaceId) -> Value {
        let family = self.family(place);
        let value = family.as_ref().map_or(Value::Ordinary, content);
        self.written.extend(family);
        value
    }

    fn place(&mut self, place: PlaceId) -> Value {
        let family = self.family(place);
        if let Some(array) = family
            .clone()
            .filter(|family| !family.dimensions.is_empty())
        {
            let indices = self.program.places[place.index()].indices.clone();
            let indices = indices.map(|index| self.own_identity(index)).collect();
            self.reads.push(Read { array, indices });
        }
        family.as_ref().map_or(Value::Ordinary, content)
    }

    /// What an index is, if it is what may be the identity of the process.
    fn own_identity(&self, index: u32) -> Option<(usize, Option<u32>)> {
        let number = self.process_type as usize;
        let index = self.program.indices[index as usize].expression;
        match self.program.expressions[index.index()] {
            Expression::SelfProcess => Some((number, None)),
            Expression::Load(place) => {
                let place = &self.program.places[place.index()];
                let is_plain = place.base == Base::Local && place.indices.is_empty();
                is_plain.then_some((number, Some(place.offset)))
            }
            _ => None,
        }
    }

    fn family(&mut self, place: PlaceId) -> Option<Family> {
        let program = self.program;
        let place = &program.places[place.index()];
        let family = self
            .storage
            .family(program, &mut self.kinds, self.process_type, place);
        for (position, index) in place.indices.clone().enumerate() {
            let value = self.value(program.indices[index as usize].expression);
            match &family {
                Some(family) => {
                    let node = Value::Of(family.dimensions[position].node);
                    self.kinds.same(node, value);
                }
                None => self.kinds.ordinary(value, COMPUTED),
            }
        }
        family
    }

    fn ordinary(&mut self, expression: ExpressionId) {
        let value = self.value(expression);
        self.kinds.ordinary(value, COMPUTED);
    }

    fn value(&mut self, expression: ExpressionId) -> Value {
        match self.program.expressions[expression.index()] {
            Expression::Constant(value) => return Value::Constant(value),
            Expression::Load(place) => return self.place(place),
            Expression::SelfProcess => {
                self.asks[self.process_type as usize] = true;
                return Value::Of(self.numbers[self.process_type as usize]);
            }
            Expression::Binary(BinaryOperator::Equal | BinaryOperator::NotEqual, left, right) => {
                let (left, right) = (self.value(left), self.value(right));
                self.kinds.same(left, right);
            }
            Expression::Binary(_, left, right)
            | Expression::And(left, right)
            | Expression::Or(left, right) => {
                self.ordinary(left);
                self.ordinary(right);
            }
            Expression::Conditional(condition, yes, no) => {
                self.ordinary(condition);
                self.ordinary(yes);
                self.ordinary(no);
            }
            Expression::Channel(_, name) => self.name(name),
            Expression::CanReceive(receive) => self.receive(receive, false),
            Expression::Unary(_, operand)
            | Expression::Enabled(operand)
            | Expression::LocationOf(operand)
            | Expression::PriorityOf(operand)
            | Expression::Marked {
                process: operand, ..
            } => self.ordinary(operand),
            Expression::At { process, .. } => {
                process.into_iter().for_each(|one| self.ordinary(one));
            }
            Expression::ProcessCount
            | Expression::LastProcess
            | Expression::Youngest
            | Expression::Timeout
            | Expression::NoProgress => {}
        }
        Value::Ordinary
    }
}

fn content(family: &Family) -> Value {
    Value::Of(family.content)
}
