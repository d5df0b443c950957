//! The operations that the transitions of a program perform, found in its text.

use mazurka_model::{
    Base, BinaryOperator, ChannelTest, Expression, ExpressionId, Field, Handshake, Instruction,
    Kind, PlaceId, Program, ReceiveId, SendId, Transition, UnaryOperator,
};
use mazurka_objects::variable::{self, Comparison};
use mazurka_objects::{self as objects, Pattern, fifo, population};

use crate::bounds::reach;
use crate::constancy::{Constancy, Writes};

/// An operation of a process type on an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Operation {
    /// The type of process that performs it.
    pub process_type: u32,
    /// What it is performed on.
    pub object: Object,
    /// What is done.
    pub action: Action,
}

/// What an operation is performed on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Object {
    /// A variable of all, or an element of one.
    Memory {
        place: PlaceId,
        /// All bytes that it may be.
        start: u32,
        end: u32,
        kind: Kind,
        hidden: bool,
        /// How long its address stays the same.
        constancy: Constancy,
    },
    /// A local variable of some process of a type, which another process looks at.
    Remote {
        process_type: u32,
        start: u32,
        end: u32,
    },
    /// A channel, named by an expression.
    Channel {
        name: ExpressionId,
        constancy: Constancy,
    },
    /// Being where others look.
    Presence(Spot),
    /// Whether somebody is ready to receive from a rendezvous channel, named by an expression.
    Readiness {
        name: ExpressionId,
        constancy: Constancy,
    },
    /// How many processes there are, and which is the youngest.
    Population,
    /// The numbers of channels that do not exist: a new process may make them.
    Unborn,
    /// Anything.
    Everything,
}

/// Where others look whether a process is there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Spot {
    /// At a place of a type of process.
    Location { process_type: u32, number: u32 },
    /// Where a fact holds; of which process it is asked, if that is known.
    Fact { mark: u32, process: Option<i32> },
}

/// What an operation does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Action {
    Variable(variable::Operation),
    /// On a variable that is an object of few values: all that a transition does with it.
    Table(u32),
    /// On a channel; a `Variable` action on one makes it appear or vanish.
    Channel(fifo::Operation),
    /// On the population; an end is that of the process that performs it, or of one that is not
    /// there yet.
    Population(population::Operation),
}

/// The end of the process that performs it.
const OWN_END: Action = Action::Population(population::Operation::End(0));
/// The number of a process that is not there yet.
pub(crate) const NEWBORN: u32 = u32::MAX / 2;
/// Capacities up to this are looked through.
const FEW_MESSAGES: i64 = 1024;
/// To write whatever it may be.
const OVERWRITE: Action = Action::Variable(variable::Operation::Write(None));

/// A part of a guard that must be true by itself.
#[derive(Clone, Debug)]
pub(crate) struct Conjunct {
    /// Is it true now? `None` stands for the transition as a whole.
    pub expression: Option<ExpressionId>,
    pub operations: Vec<Operation>,
    /// Can the process itself change it by moving?
    pub local: bool,
}

/// What is known of the elements and channels that collected operations name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Addresses {
    /// The process that asks names them, and it has not moved yet.
    Exact,
    /// The process that asks names them, but it may have changed an index.
    Moved,
    /// Another process names them.
    Foreign,
}

/// What the analysis cannot handle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unsupported(pub &'static str);

impl Unsupported {
    /// Nothing that would be wrong, but more than the analysis takes on.
    pub const TOO_LARGE: Unsupported = Unsupported("too many operations to compare each with each");

    /// As a sentence: `the model uses priorities`.
    pub fn of_model(self) -> String {
        let verb = match self {
            Unsupported::TOO_LARGE => "has",
            _ => "uses",
        };
        format!("the model {verb} {}", self.0)
    }
}

/// Collects operations of one process type.
pub(crate) struct Collector<'a> {
    pub program: &'a Program,
    pub writes: &'a Writes,
    pub process_type: u32,
    /// The greatest constant that every field of every channel can hold.
    pub largest_field: i64,
    /// Local variables of this type that others look at.
    pub watched: &'a [(u32, u32, u32)],
    pub operations: Vec<Operation>,
    /// Was a local variable read that can change?
    pub reads_local: bool,
    pub timeout: bool,
    /// What is known of the elements and channels that operations name.
    pub addresses: Addresses,
    /// What readiness to receive hangs on besides where the receivers are.
    pub patterns: &'a [Operation],
    pub unsupported: Option<Unsupported>,
}

impl Operation {
    /// The same operation by whoever it may be: what it names is not known any more.
    pub fn foreign(self) -> Operation {
        let object = match self.object {
            Object::Population if self.action == OWN_END => Object::Everything,
            object => object.of_anybody(),
        };
        Operation { object, ..self }
    }

    /// The same operation by a process that is not there yet.
    pub fn newborn(self) -> Operation {
        let action = match self.action {
            OWN_END => Action::Population(population::Operation::End(NEWBORN)),
            action => action,
        };
        Operation {
            object: self.object.of_anybody(),
            action,
            ..self
        }
    }
}

impl Spot {
    /// May they be about the same process being at the same place?
    pub fn is_same(self, other: Spot) -> bool {
        match (self, other) {
            (Spot::Fact { mark, .. }, Spot::Fact { mark: other, .. }) => mark == other,
            _ => self == other,
        }
    }
}

impl Object {
    /// The same, named by whoever it may be.
    fn of_anybody(mut self) -> Object {
        match &mut self {
            Object::Memory { constancy, .. }
            | Object::Channel { constancy, .. }
            | Object::Readiness { constancy, .. } => *constancy = Constancy::Volatile,
            Object::Remote { .. }
            | Object::Presence(_)
            | Object::Population
            | Object::Unborn
            | Object::Everything => {}
        }
        self
    }
}

impl Collector<'_> {
    /// The operations of a part of a guard that must be true by itself.
    pub fn condition(&mut self, expression: ExpressionId) {
        if let Some((place, comparison, value)) = self.comparison_of_variable(expression) {
            return self.variable(place, variable::Operation::Await(comparison, Some(value)));
        }
        match self.program.expressions[expression.index()] {
            // Where it must be true, the answer tells nothing: there is a message, or nothing happens.
            Expression::CanReceive(receive) => {
                let pattern = self.pattern(receive);
                let place = place_of(self.program.receives[receive.index()].random);
                let name = self.program.receives[receive.index()].channel;
                self.channel(name, fifo::Operation::Copy(place, pattern));
            }
            _ => self.reads(expression),
        }
    }

    /// A variable that is compared with a constant, as a truth value.
    fn comparison_of_variable(
        &self,
        expression: ExpressionId,
    ) -> Option<(PlaceId, Comparison, i64)> {
        let of = |e: ExpressionId| self.program.expressions[e.index()];
        match of(expression) {
            Expression::Load(place) => Some((place, Comparison::NotEqual, 0)),
            Expression::Unary(UnaryOperator::Not, operand) => match of(operand) {
                Expression::Load(place) => Some((place, Comparison::Equal, 0)),
                _ => None,
            },
            _ => {
                let (subject, comparison, value) = self.comparison_with_constant(expression)?;
                match of(subject) {
                    Expression::Load(place) => Some((place, comparison, i64::from(value))),
                    _ => None,
                }
            }
        }
    }

    /// What is compared with a constant, on the left, and how.
    fn comparison_with_constant(
        &self,
        expression: ExpressionId,
    ) -> Option<(ExpressionId, Comparison, i32)> {
        let Expression::Binary(operator, left, right) =
            self.program.expressions[expression.index()]
        else {
            return None;
        };
        let constant = |e: ExpressionId| match self.program.expressions[e.index()] {
            Expression::Constant(value) => Some(value),
            _ => None,
        };
        let comparison = comparison_of(operator)?;
        match (constant(left), constant(right)) {
            (None, Some(value)) => Some((left, comparison, value)),
            (Some(value), None) => Some((right, mirrored(comparison), value)),
            _ => None,
        }
    }

    /// What an expression reads of which only the truth matters: how it compares with zero.
    fn asks(&mut self, expression: ExpressionId) {
        match self.comparison_of_variable(expression) {
            Some((place, comparison, value)) => {
                self.variable(place, variable::Operation::Test(comparison, Some(value)));
            }
            None => self.reads(expression),
        }
    }

    /// All that an expression reads, whatever it does with it.
    pub fn reads(&mut self, expression: ExpressionId) {
        match self.program.expressions[expression.index()] {
            Expression::Constant(_) | Expression::SelfProcess => {}
            Expression::Load(place) => self.variable(place, variable::Operation::Read),
            Expression::Unary(UnaryOperator::Not, operand) => self.asks(operand),
            Expression::Unary(_, operand) => self.reads(operand),
            Expression::Binary(_, left, right) => self.reads_both(expression, left, right),
            Expression::And(left, right) | Expression::Or(left, right) => {
                self.asks(left);
                self.asks(right);
            }
            Expression::Conditional(condition, yes, no) => {
                self.asks(condition);
                self.reads(yes);
                self.reads(no);
            }
            Expression::Channel(test, name) => {
                let action = match test {
                    ChannelTest::Length => fifo::Operation::Length,
                    ChannelTest::Empty => fifo::Operation::Empty,
                    ChannelTest::NotEmpty => fifo::Operation::NotEmpty,
                    ChannelTest::Full => fifo::Operation::Full,
                    ChannelTest::NotFull => fifo::Operation::NotFull,
                };
                self.channel(name, action);
            }
            Expression::CanReceive(receive) => {
                let pattern = self.pattern(receive);
                let place = place_of(self.program.receives[receive.index()].random);
                let name = self.program.receives[receive.index()].channel;
                self.channel(name, fifo::Operation::Poll(place, pattern));
            }
            Expression::ProcessCount => self.counts_processes(),
            Expression::Youngest => self.push(Object::Population, OWN_END),
            Expression::At {
                process_type,
                process,
                number,
            } => {
                if let Some(process) = process {
                    self.reads(process);
                }
                self.looks_at(Spot::Location {
                    process_type: process_type.0,
                    number,
                });
            }
            Expression::Timeout => self.timeout = true,
            Expression::LastProcess => self.unsupported("_last"),
            Expression::NoProgress => self.unsupported("np_"),
            Expression::Enabled(_) => self.unsupported("enabled()"),
            Expression::LocationOf(_) => self.unsupported("pc_value()"),
            Expression::PriorityOf(_) => self.unsupported("priorities"),
            Expression::Marked { process, mark } => {
                self.reads(process);
                let process = match self.program.expressions[process.index()] {
                    Expression::Constant(process) => Some(process),
                    _ => None,
                };
                self.looks_at(Spot::Fact { mark, process });
            }
        }
    }

    /// What an operator with two operands reads. Of a comparison with a constant only the answer is told.
    fn reads_both(&mut self, whole: ExpressionId, left: ExpressionId, right: ExpressionId) {
        let compared = self.comparison_with_constant(whole);
        let subject = compared.map(|(subject, ..)| self.program.expressions[subject.index()]);
        match (compared, subject) {
            (Some((_, comparison, value)), Some(Expression::Load(place))) => {
                let value = Some(i64::from(value));
                self.variable(place, variable::Operation::Test(comparison, value));
            }
            (
                Some((_, comparison, value)),
                Some(Expression::Channel(ChannelTest::Length, name)),
            ) => {
                let capacity = self.writes.capacity(self.program, self.process_type, name);
                self.channel(name, test_of_length(comparison, i64::from(value), capacity));
            }
            _ => {
                self.reads(left);
                self.reads(right);
            }
        }
    }

    /// All that an instruction does.
    pub fn instruction(&mut self, instruction: &Instruction) {
        match instruction {
            Instruction::Assign(place, value) => self.assign(*place, *value),
            Instruction::Send(send) => self.send(*send),
            Instruction::Receive(receive) => self.receive(*receive),
            Instruction::Run {
                process_type,
                arguments,
                result,
                ..
            } => {
                for argument in arguments.clone() {
                    self.reads(self.program.lists[argument as usize]);
                }
                if let Some(place) = result {
                    self.variable(*place, variable::Operation::Write(None));
                }
                let start = population::Operation::Start;
                self.push(Object::Population, Action::Population(start));
                self.start_of(*process_type);
            }
            Instruction::Die => {
                self.push(Object::Population, OWN_END);
                // Its channels go with it, whoever knows them.
                let program = self.program;
                let start = &program.process_types[self.process_type as usize].start;
                for code in start.clone() {
                    if let Instruction::NewChannel(place, _) = program.code[code as usize] {
                        let object = self.channel_made_for(place);
                        self.push(object, OVERWRITE);
                    }
                }
            }
            Instruction::Assert(claim) => self.asks(*claim),
            Instruction::JumpUnless(condition, _) => self.asks(*condition),
            Instruction::NewChannel(..) => self.unsupported("channels made in the middle"),
            Instruction::SetPriority(..) => self.unsupported("priorities"),
            // What is printed changes nothing; that it cannot be printed is an error.
            Instruction::Print(_, arguments) => {
                for argument in arguments.clone() {
                    self.hazards(self.program.lists[argument as usize]);
                }
            }
            Instruction::Jump(_)
            | Instruction::Stuck
            | Instruction::Breach(_)
            | Instruction::Stop(_)
            | Instruction::Enter(_) => {}
        }
    }

    /// What giving the variables of a new process their values does.
    fn start_of(&mut self, process_type: mazurka_model::ProcessTypeId) {
        let program = self.program;
        let starter = std::mem::replace(&mut self.process_type, process_type.0);
        let known = std::mem::replace(&mut self.addresses, Addresses::Foreign);
        for code in program.process_types[process_type.index()].start.clone() {
            match program.code[code as usize] {
                Instruction::Assign(_, value) => self.reads(value),
                Instruction::NewChannel(..) => self.push(Object::Unborn, OVERWRITE),
                _ => self.push(Object::Everything, OVERWRITE),
            }
        }
        // It may be ready to receive at once.
        let initial = program.process_types[process_type.index()].initial;
        if program.features.rendezvous {
            for number in program.locations[initial.index()].transitions.clone() {
                let handshake = program.transitions[number as usize].handshake;
                if let Handshake::Receives(receive) = handshake {
                    let name = program.receives[receive.index()].channel;
                    self.readiness_of(name, variable::Operation::Write(Some(1)));
                }
            }
        }
        self.addresses = known;
        self.process_type = starter;
    }

    /// The channel that was made for a variable: what that names now may be another one, unless nobody changes it.
    fn channel_made_for(&self, place: PlaceId) -> Object {
        let load = Expression::Load(place);
        let known = self.program.expressions.iter().position(|e| *e == load);
        let name = ExpressionId(known.unwrap_or(0) as u32);
        let constancy = match known {
            Some(_) if self.constancy(name) == Constancy::Instance => Constancy::Instance,
            _ => Constancy::Volatile,
        };
        Object::Channel { name, constancy }
    }

    fn assign(&mut self, place: PlaceId, value: ExpressionId) {
        let kind = self.program.places[place.index()].kind;
        let written = match self.program.expressions[value.index()] {
            Expression::Constant(value) => {
                variable::Operation::Write(Some(i64::from(kind.cast(value))))
            }
            Expression::Binary(operator, left, right) => {
                match self.addition(place, operator, left, right) {
                    Some(added) => variable::Operation::Add(added),
                    None => {
                        self.reads(value);
                        variable::Operation::Write(None)
                    }
                }
            }
            _ => {
                self.reads(value);
                variable::Operation::Write(None)
            }
        };
        self.variable(place, written);
    }

    /// What is added to a variable by storing this in it, if it is an addition: the constant, or nothing if it is not one.
    /// Both the sum and the variable wrap around, and the number of values of the variable divides that of the sum.
    fn addition(
        &mut self,
        place: PlaceId,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
    ) -> Option<Option<i64>> {
        let is_place =
            |e: ExpressionId| self.program.expressions[e.index()] == Expression::Load(place);
        let added = match operator {
            BinaryOperator::Add if is_place(left) => right,
            BinaryOperator::Add if is_place(right) => left,
            BinaryOperator::Subtract if is_place(left) => right,
            _ => return None,
        };
        Some(match self.program.expressions[added.index()] {
            Expression::Constant(by) if operator == BinaryOperator::Add => Some(i64::from(by)),
            Expression::Constant(by) => Some(-i64::from(by)),
            _ => {
                self.reads(added);
                None
            }
        })
    }

    fn send(&mut self, send: SendId) {
        let described = &self.program.sends[send.index()];
        let mut fields = Vec::new();
        for value in described.values.clone() {
            let value = self.program.lists[value as usize];
            self.reads(value);
            fields.push(self.known_field(value));
        }
        let message = Pattern::new(&fields);
        if described.sorted {
            self.channel(described.channel, fifo::Operation::SortedSend(message));
        }
        // A message finds its place by what is sent, not by what is left of it when a field cuts it: then
        // the order of two such sends shows, as if they were sent to the end.
        let mut values = described.values.clone();
        if !described.sorted
            || values.any(|value| !self.arrives_whole(self.program.lists[value as usize]))
        {
            self.channel(described.channel, fifo::Operation::Send(message));
        }
    }

    fn receive(&mut self, receive: ReceiveId) {
        let described = &self.program.receives[receive.index()];
        let pattern = self.pattern(receive);
        let place = place_of(described.random);
        let action = if described.keep {
            fifo::Operation::Copy(place, pattern)
        } else {
            fifo::Operation::Receive(place, pattern)
        };
        self.channel(described.channel, action);
        // A field may be stored in an element whose index another field has just changed.
        let known = self.addresses;
        if known == Addresses::Exact {
            self.addresses = Addresses::Moved;
        }
        for place in crate::constancy::written(self.program, &Instruction::Receive(receive)) {
            self.variable(place, variable::Operation::Write(None));
        }
        self.addresses = known;
    }

    /// The operation by which a transition takes part in a rendezvous or finds its channel ready.
    pub fn readiness(&mut self, handshake: Handshake) {
        match handshake {
            Handshake::Apart => {}
            Handshake::Sends(send) => self.send(send),
            Handshake::Receives(receive) => self.receive(receive),
        }
    }

    /// What decides whether a send to a rendezvous channel finds a partner, or that it does not.
    pub fn partners(&mut self, handshake: Handshake) {
        let Handshake::Sends(send) = handshake else {
            return;
        };
        if !self.program.features.rendezvous {
            return;
        }
        self.readiness_of(
            self.program.sends[send.index()].channel,
            variable::Operation::Read,
        );
        for operation in self.patterns {
            if !self.operations.contains(operation) {
                self.operations.push(*operation);
            }
        }
    }

    /// An operation on the readiness of somebody to receive from a channel.
    pub fn readiness_of(&mut self, name: ExpressionId, operation: variable::Operation) {
        let constancy = self.constancy(name);
        if operation == variable::Operation::Read && constancy != Constancy::Instance {
            self.reads(name);
        }
        self.push(
            Object::Readiness { name, constancy },
            Action::Variable(operation),
        );
    }

    /// How long the name of a channel stays the same.
    fn constancy(&self, name: ExpressionId) -> Constancy {
        if self.addresses == Addresses::Foreign {
            return Constancy::Volatile;
        }
        self.writes
            .constancy(self.program, self.process_type as usize, name)
    }

    /// What a receive asks of a message; its own reads are collected.
    pub fn pattern(&mut self, receive: ReceiveId) -> Pattern {
        let range = self.program.receives[receive.index()].fields.clone();
        let mut fields = Vec::new();
        for number in range {
            fields.push(match self.program.fields[number as usize] {
                Field::Match(value) => {
                    self.reads(value);
                    self.known_field(value)
                }
                Field::Bind(_) | Field::Discard => objects::Field::Any,
            });
        }
        Pattern::new(&fields)
    }

    fn known_field(&self, value: ExpressionId) -> objects::Field {
        match self.program.expressions[value.index()] {
            // A value that some field would cut is not the value that arrives.
            Expression::Constant(value) if (0..=self.largest_field).contains(&i64::from(value)) => {
                objects::Field::Constant(i64::from(value))
            }
            _ => objects::Field::Unknown,
        }
    }

    /// Is a value such that no field of a message cuts it?
    fn arrives_whole(&self, value: ExpressionId) -> bool {
        let largest = match self.program.expressions[value.index()] {
            Expression::Constant(value) if value >= 0 => i64::from(value),
            Expression::Load(place) => match self.program.places[place.index()].kind {
                Kind::Bit => 1,
                Kind::Byte => 255,
                Kind::Unsigned(bits) if bits < 31 => (1 << bits) - 1,
                Kind::Short | Kind::Int | Kind::Unsigned(_) => return false,
            },
            _ => return false,
        };
        largest <= self.largest_field
    }

    fn variable(&mut self, place: PlaceId, operation: variable::Operation) {
        let described = &self.program.places[place.index()];
        for index in described.indices.clone() {
            self.reads(self.program.indices[index as usize].expression);
        }
        let (start, end) = reach(self.program, place);
        let mut constancy =
            self.writes
                .address_constancy(self.program, self.process_type as usize, place);
        constancy = match self.addresses {
            Addresses::Exact => constancy,
            Addresses::Moved if constancy == Constancy::Standing => Constancy::Volatile,
            Addresses::Moved => constancy,
            Addresses::Foreign => Constancy::Volatile,
        };
        match described.base {
            Base::Shared | Base::Hidden => {
                let object = Object::Memory {
                    place,
                    start,
                    end,
                    kind: described.kind,
                    hidden: described.base == Base::Hidden,
                    constancy,
                };
                self.push(object, Action::Variable(operation));
            }
            Base::Local => {
                let reads = matches!(
                    operation,
                    variable::Operation::Read
                        | variable::Operation::Test(..)
                        | variable::Operation::Await(..)
                );
                self.reads_local |= reads
                    && self
                        .writes
                        .may_change(self.process_type as usize, start, end);
                let process_type = self.process_type;
                let seen = self
                    .watched
                    .iter()
                    .any(|(of, from, to)| *of == process_type && *from < end && start < *to);
                if seen {
                    let object = Object::Remote {
                        process_type,
                        start,
                        end,
                    };
                    self.push(object, Action::Variable(operation));
                }
            }
            Base::Remote(process_type, process) => {
                if let Some(process) = process {
                    self.reads(process);
                }
                let object = Object::Remote {
                    process_type: process_type.0,
                    start,
                    end,
                };
                self.push(object, Action::Variable(variable::Operation::Read));
                self.counts_processes();
            }
        }
    }

    /// Whether a process is somewhere; without it, the answer is no.
    fn looks_at(&mut self, spot: Spot) {
        let read = Action::Variable(variable::Operation::Read);
        self.push(Object::Presence(spot), read);
        self.counts_processes();
    }

    fn counts_processes(&mut self) {
        let count = population::Operation::Count;
        self.push(Object::Population, Action::Population(count));
    }

    fn channel(&mut self, name: ExpressionId, action: fifo::Operation) {
        let constancy = self.constancy(name);
        if constancy != Constancy::Instance {
            self.reads(name);
        }
        self.push(Object::Channel { name, constancy }, Action::Channel(action));
    }

    fn push(&mut self, object: Object, action: Action) {
        let operation = Operation {
            process_type: self.process_type,
            object,
            action,
        };
        if !self.operations.contains(&operation) {
            self.operations.push(operation);
        }
    }

    fn unsupported(&mut self, what: &'static str) {
        self.unsupported = Some(Unsupported(what));
    }

    /// The condition on the execution of the process.
    pub fn provided(&self) -> Option<ExpressionId> {
        self.program.process_types[self.process_type as usize].provided
    }

    /// Takes what was collected.
    pub fn take(&mut self) -> Vec<Operation> {
        std::mem::take(&mut self.operations)
    }
}

/// The parts of a guard that must each be true.
pub(crate) fn conjuncts(program: &Program, transition: &Transition) -> Vec<ExpressionId> {
    let mut open = vec![transition.guard];
    let mut parts = Vec::new();
    while let Some(expression) = open.pop() {
        match program.expressions[expression.index()] {
            Expression::And(left, right) => {
                open.push(right);
                open.push(left);
            }
            Expression::Constant(1) => {}
            _ => parts.push(expression),
        }
    }
    parts
}

fn place_of(random: bool) -> fifo::Place {
    if random {
        fifo::Place::Anywhere
    } else {
        fifo::Place::Head
    }
}

/// The operation that tells how the number of messages of a channel compares with a constant.
fn test_of_length(comparison: Comparison, value: i64, capacity: Option<u32>) -> fifo::Operation {
    let tells = |number: i64| comparison.holds(number, value);
    // Beyond the constant and its neighbours the answer does not change any more.
    let none = tells(0);
    if (1..=value + 2)
        .chain([1])
        .all(|number| tells(number) != none)
        && value < FEW_MESSAGES
    {
        return match none {
            true => fifo::Operation::Empty,
            false => fifo::Operation::NotEmpty,
        };
    }
    match capacity.map(i64::from) {
        Some(capacity) if (1..FEW_MESSAGES).contains(&capacity) => {
            let full = tells(capacity);
            match ((0..capacity).all(|number| tells(number) != full), full) {
                (true, true) => fifo::Operation::Full,
                (true, false) => fifo::Operation::NotFull,
                (false, _) => fifo::Operation::Length,
            }
        }
        _ => fifo::Operation::Length,
    }
}

fn comparison_of(operator: BinaryOperator) -> Option<Comparison> {
    Some(match operator {
        BinaryOperator::Equal => Comparison::Equal,
        BinaryOperator::NotEqual => Comparison::NotEqual,
        BinaryOperator::Less => Comparison::Less,
        BinaryOperator::LessEqual => Comparison::AtMost,
        BinaryOperator::Greater => Comparison::Greater,
        BinaryOperator::GreaterEqual => Comparison::AtLeast,
        _ => return None,
    })
}

fn mirrored(comparison: Comparison) -> Comparison {
    match comparison {
        Comparison::Less => Comparison::Greater,
        Comparison::AtMost => Comparison::AtLeast,
        Comparison::Greater => Comparison::Less,
        Comparison::AtLeast => Comparison::AtMost,
        same => same,
    }
}
