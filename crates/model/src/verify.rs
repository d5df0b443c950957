//! Is a program well formed?
//!
//! The rules, which every front end must keep and every engine may rely on:
//!
//! 1. Every number names an entry of its table, every range lies inside its table.
//! 2. The locations of the process types are disjoint and cover the table; a transition leads to
//!    a location of its own process type, and belongs to one location only.
//! 3. Expressions refer only to expressions before them, so they are finite.
//! 4. Jumps stay inside their effect.
//! 5. Variables, places and message fields lie inside their part of the state; the index of an
//!    array cannot reach beyond it.
//! 6. A process type has as many parameters as each `run` of it gives arguments.
//! 7. The location, and the priority if there is one, lie in the frame and do not overlap a variable.
//! 8. Only the code that starts a process moves it to another location, one of its own type; marks
//!    are below 64.

use std::fmt;
use std::ops::Range;

use crate::expression::Expression;
use crate::instruction::{Field, Instruction};
use crate::program::{
    Base, ExpressionId, FormatPart, Handshake, LocationId, Meaning, Place, PlaceId, ProcessTypeId,
    Program, ReceiveId, Variable,
};

/// A breach of a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    /// The number of the rule in the module's documentation.
    pub rule: u32,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for Flaw {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "rule {}: {}", self.rule, self.message)
    }
}

/// All breaches of the rules; none if the program is well formed.
pub fn verify(program: &Program) -> Vec<Flaw> {
    let mut checker = Checker {
        program,
        flaws: Vec::new(),
        next_transition: 0,
    };
    checker.expressions();
    checker.places();
    checker.variables();
    checker.communications();
    checker.channel_types();
    checker.effect(None, &program.start, "start");
    checker.graph();
    checker.monitor();
    checker.flaws
}

struct Checker<'a> {
    program: &'a Program,
    flaws: Vec<Flaw>,
    /// The transitions before this one belong to locations seen.
    next_transition: u32,
}

impl Checker<'_> {
    fn flaw(&mut self, rule: u32, message: impl Into<String>) {
        self.flaws.push(Flaw {
            rule,
            message: message.into(),
        });
    }

    fn number(&mut self, what: &str, number: usize, length: usize) -> bool {
        if number >= length {
            self.flaw(1, format!("{what} {number} of {length}"));
        }
        number < length
    }

    fn range(&mut self, what: &str, range: &Range<u32>, length: usize) -> bool {
        let fits = range.start <= range.end && range.end as usize <= length;
        if !fits {
            self.flaw(
                1,
                format!("{what} {}..{} of {length}", range.start, range.end),
            );
        }
        fits
    }

    fn expression(&mut self, expression: ExpressionId) {
        self.number(
            "expression",
            expression.index(),
            self.program.expressions.len(),
        );
    }

    fn place(&mut self, place: PlaceId) {
        self.number("place", place.index(), self.program.places.len());
    }

    fn process_type(&mut self, process_type: ProcessTypeId) -> bool {
        self.number(
            "process type",
            process_type.index(),
            self.program.process_types.len(),
        )
    }

    fn monitor(&mut self) {
        let Some(monitor) = &self.program.monitor else {
            return;
        };
        self.place(monitor.place);
        for breach in [monitor.breach, monitor.ambiguous] {
            self.number("breach", breach.index(), self.program.breaches.len());
        }
        let states = monitor.states.len();
        for event in monitor.states.iter().flat_map(|state| &state.events) {
            self.expression(event.channel);
            self.number("state of the monitor", event.target as usize, states);
        }
    }

    fn expressions(&mut self) {
        for (number, expression) in self.program.expressions.iter().enumerate() {
            for child in children(expression) {
                if child.index() >= number {
                    self.flaw(3, format!("e{number} refers to {child}"));
                }
            }
            match expression {
                Expression::Load(place) => {
                    self.place(*place);
                    self.place_before(*place, number);
                }
                Expression::CanReceive(receive) => self.receive_before(*receive, number),
                Expression::At { process_type, .. } => {
                    self.process_type(*process_type);
                }
                Expression::Marked { mark, .. } if *mark >= u64::BITS => {
                    self.flaw(8, format!("e{number} asks for mark {mark}"));
                }
                _ => {}
            }
        }
    }

    /// Everything that a place is found by comes before the expression that reads it.
    fn place_before(&mut self, place: PlaceId, number: usize) {
        let Some(place) = self.program.places.get(place.index()) else {
            return;
        };
        let range = place.indices.start as usize..place.indices.end as usize;
        let indices = self.program.indices.get(range).unwrap_or_default();
        let process = match place.base {
            Base::Remote(_, process) => process,
            _ => None,
        };
        let late = indices
            .iter()
            .map(|index| index.expression)
            .chain(process)
            .find(|expression| expression.index() >= number);
        if let Some(late) = late {
            self.flaw(
                3,
                format!("e{number} reads a place that is found by {late}"),
            );
        }
    }

    fn receive_before(&mut self, receive: ReceiveId, number: usize) {
        if !self.number("receive", receive.index(), self.program.receives.len()) {
            return;
        }
        let receive = &self.program.receives[receive.index()];
        let range = receive.fields.start as usize..receive.fields.end as usize;
        let fields = self.program.fields.get(range).unwrap_or_default();
        let matched = fields.iter().filter_map(|field| match field {
            Field::Match(expression) => Some(*expression),
            _ => None,
        });
        let late = std::iter::once(receive.channel)
            .chain(matched)
            .find(|expression| expression.index() >= number);
        if let Some(late) = late {
            self.flaw(3, format!("e{number} asks about a receive with {late}"));
        }
    }

    fn variables(&mut self) {
        let program = self.program;
        self.part("the shared part", &program.shared, program.shared_bytes);
        self.part("the hidden part", &program.hidden, program.hidden_bytes);
        for process in &program.process_types {
            self.part(&process.name, &process.variables, process.frame_bytes);
        }
        for channel in &program.channel_types {
            for field in &channel.fields {
                self.meaning(field.meaning);
            }
        }
        for part in program.formats.iter().flatten() {
            if let FormatPart::Name(which) = part {
                self.meaning(Meaning::Enumeration(*which));
            }
        }
    }

    fn part(&mut self, what: &str, variables: &[Variable], bytes: u32) {
        for variable in variables {
            self.meaning(variable.meaning);
            let length = u64::from(variable.length.unwrap_or(1));
            let end = u64::from(variable.offset) + u64::from(variable.kind.bytes()) * length;
            if end > u64::from(bytes) {
                self.flaw(5, format!("{} lies outside {what}", variable.name));
            }
        }
    }

    fn meaning(&mut self, meaning: Meaning) {
        if let Meaning::Enumeration(which) = meaning {
            self.number(
                "enumeration",
                which as usize,
                self.program.enumerations.len(),
            );
        }
    }

    fn places(&mut self) {
        for (number, place) in self.program.places.iter().enumerate() {
            if !self.range("indices", &place.indices, self.program.indices.len()) {
                continue;
            }
            let mut reach = u64::from(place.offset) + u64::from(place.kind.bytes());
            for index in place.indices.clone() {
                let index = &self.program.indices[index as usize];
                self.expression(index.expression);
                if index.length == 0 {
                    self.flaw(5, format!("v{number} indexes an array of no elements"));
                    continue;
                }
                reach += u64::from(index.length - 1) * u64::from(index.stride);
            }
            if let Some(bytes) = self.part_bytes(place)
                && reach > u64::from(bytes)
            {
                self.flaw(
                    5,
                    format!("v{number} reaches {reach} bytes into a part of {bytes}"),
                );
            }
        }
    }

    /// The bytes of the part that a place is in. That of a local place depends on who uses it,
    /// so it is checked against the largest frame.
    fn part_bytes(&mut self, place: &Place) -> Option<u32> {
        match place.base {
            Base::Shared => Some(self.program.shared_bytes),
            Base::Hidden => Some(self.program.hidden_bytes),
            Base::Local => self
                .program
                .process_types
                .iter()
                .map(|p| p.frame_bytes)
                .max(),
            Base::Remote(process_type, process) => {
                if let Some(process) = process {
                    self.expression(process);
                }
                self.process_type(process_type)
                    .then(|| self.program.process_types[process_type.index()].frame_bytes)
            }
        }
    }

    fn communications(&mut self) {
        for send in &self.program.sends {
            self.expression(send.channel);
            self.range("values", &send.values, self.program.lists.len());
        }
        for receive in &self.program.receives {
            self.expression(receive.channel);
            self.range("fields", &receive.fields, self.program.fields.len());
        }
        for field in &self.program.fields {
            match field {
                Field::Bind(place) => self.place(*place),
                Field::Match(expression) => self.expression(*expression),
                Field::Discard => {}
            }
        }
        for expression in &self.program.lists {
            self.expression(*expression);
        }
    }

    fn channel_types(&mut self) {
        for channel in &self.program.channel_types {
            for field in &channel.fields {
                let end = u64::from(field.offset) + u64::from(field.kind.bytes());
                if end > u64::from(channel.message_bytes) {
                    self.flaw(
                        5,
                        format!("a field of {} lies outside the message", channel.name),
                    );
                }
            }
        }
    }

    fn effect(&mut self, process_type: Option<ProcessTypeId>, range: &Range<u32>, what: &str) {
        if !self.range("code", range, self.program.code.len()) {
            return;
        }
        for number in range.clone() {
            match &self.program.code[number as usize] {
                Instruction::Assign(place, value) => {
                    self.place(*place);
                    self.expression(*value);
                    if process_type.is_none()
                        && self
                            .program
                            .places
                            .get(place.index())
                            .is_some_and(|p| p.base == Base::Local)
                    {
                        self.flaw(5, format!("{what} writes a local variable"));
                    }
                }
                Instruction::Send(send) => {
                    self.number("send", send.index(), self.program.sends.len());
                }
                Instruction::Receive(receive) => {
                    self.number("receive", receive.index(), self.program.receives.len());
                }
                Instruction::NewChannel(place, channel_type) => {
                    self.place(*place);
                    let length = self.program.channel_types.len();
                    self.number("channel type", channel_type.index(), length);
                }
                Instruction::Run {
                    process_type,
                    arguments,
                    result,
                    ..
                } => {
                    if let Some(place) = result {
                        self.place(*place);
                    }
                    self.range("arguments", arguments, self.program.lists.len());
                    if self.process_type(*process_type) {
                        let started = &self.program.process_types[process_type.index()];
                        if started.parameters.len() != arguments.len() {
                            let given = arguments.len();
                            self.flaw(6, format!("run {} with {given} arguments", started.name));
                        }
                    }
                }
                Instruction::Assert(claim) => self.expression(*claim),
                Instruction::Print(format, arguments) => {
                    self.number("format", *format as usize, self.program.formats.len());
                    self.range("arguments", arguments, self.program.lists.len());
                }
                Instruction::SetPriority(process, priority) => {
                    self.expression(*process);
                    self.expression(*priority);
                }
                Instruction::Jump(target) => self.jump(range, *target, what),
                Instruction::JumpUnless(condition, target) => {
                    self.expression(*condition);
                    self.jump(range, *target, what);
                }
                Instruction::Breach(breach) | Instruction::Stop(breach) => {
                    self.number("breach", breach.index(), self.program.breaches.len());
                }
                Instruction::Enter(location) => self.enter(process_type, range, *location, what),
                Instruction::Die | Instruction::Stuck => {}
            }
        }
    }

    fn enter(
        &mut self,
        process_type: Option<ProcessTypeId>,
        range: &Range<u32>,
        location: LocationId,
        what: &str,
    ) {
        let fits = process_type.is_some_and(|id| {
            let process_type = &self.program.process_types[id.index()];
            process_type.start == *range && process_type.locations.contains(&location.0)
        });
        if !fits {
            self.flaw(8, format!("{what} moves a process to {location}"));
        }
    }

    fn jump(&mut self, range: &Range<u32>, target: u32, what: &str) {
        if target < range.start || target > range.end {
            self.flaw(
                4,
                format!(
                    "{what} jumps to {target}, outside {}..{}",
                    range.start, range.end
                ),
            );
        }
    }

    fn graph(&mut self) {
        let mut next = 0;
        for (number, process_type) in self.program.process_types.iter().enumerate() {
            let id = ProcessTypeId(number as u32);
            let name = &process_type.name;
            if process_type.locations.start != next
                || process_type.locations.end as usize > self.program.locations.len()
            {
                self.flaw(2, format!("the locations of {name} are not in order"));
                return;
            }
            next = process_type.locations.end;
            if !process_type.locations.contains(&process_type.initial.0) {
                self.flaw(2, format!("{name} starts outside its locations"));
            }
            self.frame(number);
            if let Some(condition) = process_type.provided {
                self.expression(condition);
            }
            for place in &process_type.parameters {
                self.place(*place);
            }
            self.effect(Some(id), &process_type.start, name);
            for location in process_type.locations.clone() {
                self.location(id, location);
            }
        }
        if next as usize != self.program.locations.len() {
            self.flaw(2, "there are locations that belong to no process type");
        }
    }

    fn location(&mut self, id: ProcessTypeId, location: u32) {
        let transitions = self.program.locations[location as usize]
            .transitions
            .clone();
        if !self.range("transitions", &transitions, self.program.transitions.len()) {
            return;
        }
        if transitions.start < self.next_transition {
            self.flaw(2, format!("l{location} shares transitions with one before"));
        }
        self.next_transition = self.next_transition.max(transitions.end);
        let process_type = &self.program.process_types[id.index()];
        for number in transitions {
            let transition = &self.program.transitions[number as usize];
            let what = format!("t{number}");
            self.expression(transition.guard);
            self.number(
                "statement",
                transition.statement.index(),
                self.program.statements.len(),
            );
            self.effect(Some(id), &transition.effect, &what);
            if let Some(target) = transition.target
                && !process_type.locations.contains(&target.0)
            {
                self.flaw(
                    2,
                    format!("{what} leads to {target} of another process type"),
                );
            }
            let first = self.program.code.get(transition.effect.start as usize);
            let begins = match transition.handshake {
                Handshake::Apart => true,
                Handshake::Sends(send) => first == Some(&Instruction::Send(send)),
                Handshake::Receives(receive) => first == Some(&Instruction::Receive(receive)),
            };
            if !begins {
                self.flaw(1, format!("{what} does not begin with what it can meet by"));
            }
        }
    }

    fn frame(&mut self, number: usize) {
        let process_type = &self.program.process_types[number];
        let slots = [Some(process_type.location), process_type.priority];
        for slot in slots.into_iter().flatten() {
            let end = slot.offset.saturating_add(slot.kind.bytes());
            let covers = |variable: &Variable| {
                let length = variable.length.unwrap_or(1);
                let bytes = variable.kind.bytes().saturating_mul(length);
                variable.offset < end && slot.offset < variable.offset.saturating_add(bytes)
            };
            if end > process_type.frame_bytes || process_type.variables.iter().any(covers) {
                self.flaw(7, format!("the frame of {} overlaps", process_type.name));
            }
        }
        let limit = process_type.location.kind.cast(-1) as u32;
        if process_type.locations.len() as u32 > limit.wrapping_add(1) && limit != u32::MAX {
            self.flaw(
                7,
                format!("{} has more locations than fit", process_type.name),
            );
        }
    }
}

fn children(expression: &Expression) -> Vec<ExpressionId> {
    match *expression {
        Expression::Unary(_, a)
        | Expression::Channel(_, a)
        | Expression::Enabled(a)
        | Expression::LocationOf(a)
        | Expression::Marked { process: a, .. }
        | Expression::PriorityOf(a) => vec![a],
        Expression::Binary(_, a, b) | Expression::And(a, b) | Expression::Or(a, b) => vec![a, b],
        Expression::Conditional(a, b, c) => vec![a, b, c],
        Expression::At { process, .. } => process.into_iter().collect(),
        Expression::Constant(_)
        | Expression::Load(_)
        | Expression::CanReceive(_)
        | Expression::SelfProcess
        | Expression::ProcessCount
        | Expression::LastProcess
        | Expression::Youngest
        | Expression::Timeout
        | Expression::NoProgress => Vec::new(),
    }
}
