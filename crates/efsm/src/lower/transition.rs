//! States and transitions of a machine to locations and transitions of the program.

use std::sync::Arc;

use mazurka_model::{
    BinaryOperator, Breach, BreachId, BreachKind, ChannelTest, Expression, ExpressionId, Field,
    Handshake, Instruction, Kind, Location, LocationId, Origin, Receive, ReceiveId, Send, SendId,
    Slot, Transition,
};
use mazurka_span::{Span, counted};
use mazurka_syntax::Lower;

use super::Lowerer;
use crate::ast::{self, Order, Pattern, Sort};
use crate::codes;

impl Lowerer<'_> {
    /// Lowers what a machine does.
    pub(super) fn body(&mut self, number: usize) {
        let machine = &self.model.machines[number];
        self.start_of(number, machine);
        for transition in &machine.transitions {
            self.state_named(number, &transition.from);
            self.state_named(number, &transition.to);
        }
        let first = self.building.program.locations.len() as u32;
        for (position, state) in machine.states.iter().enumerate() {
            let begin = self.building.program.transitions.len() as u32;
            for transition in &machine.transitions {
                if transition.from.text == state.name.text {
                    self.transition(number, first, transition);
                }
            }
            self.unexpected_inputs(number, first + position as u32, state);
            self.building.program.locations.push(Location {
                number: position as u32,
                transitions: begin..self.building.program.transitions.len() as u32,
                end: state.last,
                accept: state.accept,
                progress: state.progress,
                marks: 0,
                labels: std::iter::once(state.name.to_string())
                    .chain(awaited(self.model, machine, &state.name.text))
                    .collect(),
                origin: self.origin(state.name.span),
            });
        }
        let kind = match machine.states.len() {
            0..=256 => Kind::Byte,
            _ => Kind::Unsigned(16),
        };
        let offset = self.machines[number].frame_bytes;
        let initial = machine.states.iter().position(|state| state.start);
        let process_type = &mut self.building.program.process_types[number];
        process_type.locations = first..self.building.program.locations.len() as u32;
        process_type.initial = LocationId(first + initial.unwrap_or(0) as u32);
        process_type.location = Slot { offset, kind };
        process_type.frame_bytes = offset + kind.bytes();
        self.building.program.features.quiet_end = true;
    }

    /// What a process does when it is started: makes its ports, gives its variables their values.
    fn start_of(&mut self, number: usize, machine: &ast::Machine) {
        let begin = self.here();
        for port in 0..machine.ports.len() {
            let described = &self.machines[number].ports[port];
            let (offset, channel_type) = (described.offset, described.channel_type);
            for channel in 0..described.channels {
                let place =
                    self.simple_place(mazurka_model::Base::Local, offset + channel, Kind::Byte);
                self.emit(Instruction::NewChannel(place, channel_type));
            }
        }
        for variable in &machine.variables {
            if let Some(initial) = &variable.initial
                && let Some(local) = self.machines[number].locals.get(&variable.name.text)
            {
                let local = *local;
                let (value, type_) = self.expression(Some(number), initial);
                self.expect_type(initial.span, type_, local.type_);
                self.initialise(local, value);
            }
        }
        self.building.program.process_types[number].start = begin..self.here();
    }

    /// A transition of the program for each choice of what becomes of its messages and, where it may take one of several, of which it takes.
    fn transition(&mut self, machine: usize, first: u32, transition: &ast::Transition) {
        for fates in self.fates(machine, transition) {
            for channel in 0..self.takes_one_of(machine, transition) {
                self.transition_with(machine, first, transition, &fates, channel);
            }
        }
    }

    /// Among how many channels a transition may choose to take a message from.
    pub(super) fn takes_one_of(&self, machine: usize, transition: &ast::Transition) -> u32 {
        let receive = transition.receive.as_ref();
        let ports = &self.machines[machine].ports;
        receive
            .and_then(|receive| ports.iter().find(|port| port.name == receive.port.text))
            .map_or(1, |port| port.channels)
    }

    /// All choices of what becomes of the messages of a transition: first that all arrive once.
    pub(super) fn fates(&self, machine: usize, transition: &ast::Transition) -> Vec<Vec<Fate>> {
        let of_port = |send: &ast::Send| {
            let of = self.machine_of(Some(machine), &send.target)?;
            let mut ports = self.machines[of].ports.iter();
            let port = ports.find(|port| port.name == send.port.text)?;
            Some(match (port.loses, port.duplicates) {
                (false, false) => vec![Fate::Arrives],
                (true, false) => vec![Fate::Arrives, Fate::IsLost],
                (false, true) => vec![Fate::Arrives, Fate::ArrivesTwice],
                (true, true) => vec![Fate::Arrives, Fate::IsLost, Fate::ArrivesTwice],
            })
        };
        let sends = transition.sends.iter();
        let fates = sends.map(|send| of_port(send).unwrap_or_else(|| vec![Fate::Arrives]));
        combinations(&fates.collect::<Vec<_>>())
    }

    fn transition_with(
        &mut self,
        machine: usize,
        first: u32,
        transition: &ast::Transition,
        fates: &[Fate],
        channel: u32,
    ) {
        let begin = self.here();
        let predicate = transition
            .predicate
            .as_ref()
            .map(|predicate| self.condition(Some(machine), predicate));
        let receive = transition
            .receive
            .as_ref()
            .and_then(|receive| self.receive(machine, receive, channel));
        let mut guard = predicate;
        if let Some(receive) = receive {
            let possible = self.node(Expression::CanReceive(receive));
            guard = Some(self.both(guard, possible));
            self.emit(Instruction::Receive(receive));
        }
        self.block(machine, &transition.block);
        for (position, send) in transition.sends.iter().enumerate() {
            let Some((sends, port)) = self.send(machine, send) else {
                continue;
            };
            let described = &self.machines[port.0].ports[port.1];
            let (waits, loses, capacity) = (described.waits, described.loses, described.capacity);
            if fates[position] == Fate::IsLost {
                continue;
            }
            let channel = self.building.program.sends[sends[0].index()].channel;
            // What waits looks before the transition takes its message: from the same port, that may be the one that fills it.
            let may_wait = waits && self.takes_from(machine, transition, send);
            let has_room = self
                .most_messages
                .is_some_and(|most| most <= u64::from(capacity));
            if !has_room || may_wait {
                let room = self.room(&sends);
                if loses && (position > 0 || !self.has_same_room(machine, transition, send)) {
                    // Whether there is room shows only now.
                    self.put_if_room(&sends);
                    self.copy(&sends, fates[position]);
                    continue;
                }
                if waits || loses {
                    guard = Some(self.both(guard, room));
                }
                // One that waits found room; but an earlier send of this transition may have taken it,
                // or the computation has changed whom it goes to.
                let is_fixed = self.surely_exists(machine, &send.target)
                    || matches!(
                        self.building.program.expressions[channel.index()],
                        Expression::Constant(_)
                    );
                if !loses && (!waits || position > 0 || !is_fixed) {
                    self.overflow_unless(room, send);
                }
            }
            self.put(&sends);
            self.copy(&sends, fates[position]);
        }
        let guard = guard.unwrap_or_else(|| self.constant(1));
        let target = self.machines[machine]
            .states
            .get(&transition.to.text)
            .map_or(first, |state| first + state);
        let mut text = self.text(transition.span);
        if channel > 0 {
            text += &format!(" // from place {}", channel + 1);
        }
        for (send, fate) in transition.sends.iter().zip(fates) {
            let told = match fate {
                Fate::Arrives => continue,
                Fate::IsLost => "lost",
                Fate::ArrivesTwice => "twice",
            };
            text += &format!(" // {told}: {}", self.text(send.span));
        }
        let statement = self.add_statement(machine, text, transition.span, true);
        self.building.program.transitions.push(Transition {
            guard,
            otherwise: false,
            handshake: Handshake::Apart,
            effect: begin..self.here(),
            target: Some(LocationId(target)),
            holds: false,
            group: 0,
            statement,
        });
    }

    /// The second of two messages, where one was sent. It is lost if there is no room for it.
    fn copy(&mut self, sends: &[SendId], fate: Fate) {
        if fate == Fate::ArrivesTwice {
            self.put_if_room(sends);
        }
    }

    /// Is there room in one of the channels that these sends, one for each channel of a port, go to?
    fn room(&mut self, sends: &[SendId]) -> ExpressionId {
        let mut room = None;
        for send in sends {
            let channel = self.building.program.sends[send.index()].channel;
            let own = self.node(Expression::Channel(ChannelTest::NotFull, channel));
            room = Some(match room {
                Some(others) => self.node(Expression::Or(others, own)),
                None => own,
            });
        }
        room.unwrap_or_else(|| self.constant(0))
    }

    fn put_if_room(&mut self, sends: &[SendId]) {
        let room = self.room(sends);
        let behind = self.here() + 1 + put_length(sends);
        self.emit(Instruction::JumpUnless(room, behind));
        self.put(sends);
    }

    /// Puts a message into the first of the channels of a port that has room. One has.
    fn put(&mut self, sends: &[SendId]) {
        let end = self.here() + put_length(sends);
        for (position, send) in sends.iter().enumerate() {
            if position + 1 == sends.len() {
                self.emit(Instruction::Send(*send));
                continue;
            }
            let room = self.room(std::slice::from_ref(send));
            let next = self.here() + 3;
            self.emit(Instruction::JumpUnless(room, next));
            self.emit(Instruction::Send(*send));
            self.emit(Instruction::Jump(end));
        }
    }

    /// Is the room in the port that a send goes to, the first of its transition, the same when it is sent as it was before?
    fn has_same_room(
        &self,
        machine: usize,
        transition: &ast::Transition,
        send: &ast::Send,
    ) -> bool {
        !self.takes_from(machine, transition, send) && self.surely_exists(machine, &send.target)
    }

    /// May the transition itself take a message from the port that a send goes to?
    fn takes_from(&self, machine: usize, transition: &ast::Transition, send: &ast::Send) -> bool {
        let own = self.machine_of(Some(machine), &send.target) == Some(machine);
        let receive = transition.receive.as_ref();
        own && receive.is_some_and(|receive| receive.port.text == send.port.text)
    }

    /// A send to a full port is an error, and there is no next state.
    fn overflow_unless(&mut self, room: ExpressionId, send: &ast::Send) {
        let origin = self.origin(send.span);
        let text = self.text(send.span);
        let message = format!("the port is full at {text}");
        let breach = self.breach(BreachKind::Overflow, message, origin);
        let at = self.here();
        self.emit(Instruction::JumpUnless(room, at + 2));
        self.emit(Instruction::Jump(at + 3));
        self.emit(Instruction::Stop(breach));
    }

    fn breach(&mut self, kind: BreachKind, message: String, origin: Origin) -> BreachId {
        self.building.program.breaches.push(Breach {
            kind,
            message,
            origin,
        });
        BreachId(self.building.program.breaches.len() as u32 - 1)
    }

    fn both(&mut self, left: Option<ExpressionId>, right: ExpressionId) -> ExpressionId {
        match left {
            Some(left) => self.node(Expression::And(left, right)),
            None => right,
        }
    }

    /// The number of a message of a port, from 1.
    fn message_named(&mut self, machine: usize, port: usize, name: &ast::Name) -> Option<usize> {
        let messages = &self.machines[machine].ports[port].messages;
        let found = messages
            .iter()
            .position(|message| message.name == name.text);
        if found.is_none() {
            let known: Vec<Arc<str>> = messages.iter().map(|m| m.name.clone()).collect();
            let lacks = format!(
                "port {} has no message",
                self.machines[machine].ports[port].name
            );
            let known = known.iter().map(|name| &**name);
            self.unknown(name.span, &lacks, &name.text, known);
        }
        found
    }

    fn check_count(&mut self, span: Span, message: &str, wanted: usize, found: usize) {
        if wanted != found {
            let wanted = counted(wanted as u64, "field");
            let text = format!("message {message} has {wanted}, not {found}");
            self.error(codes::WRONG_COUNT, span, text);
        }
    }

    fn receive(
        &mut self,
        machine: usize,
        receive: &ast::Receive,
        channel: u32,
    ) -> Option<ReceiveId> {
        let port = self.port_named(machine, &receive.port)?;
        let number = self.message_named(machine, port, &receive.message)?;
        let types = self.machines[machine].ports[port].messages[number]
            .fields
            .clone();
        let name = &receive.message.text;
        self.check_count(receive.span, name, types.len(), receive.patterns.len());
        let mut fields = Vec::new();
        for (pattern, type_) in receive.patterns.iter().zip(types) {
            fields.push(match pattern {
                Pattern::Ignore(_) => Field::Discard,
                Pattern::Match(value) => {
                    let (id, found) = self.expression(Some(machine), value);
                    self.expect_type(value.span, found, type_);
                    Field::Match(id)
                }
                Pattern::Store(place) => match self.target(machine, place) {
                    Some((id, found)) => {
                        self.expect_type(place.name.span, type_, found);
                        Field::Bind(id)
                    }
                    None => Field::Discard,
                },
            });
        }
        Some(self.add_receive(machine, (port, channel), number, fields))
    }

    fn add_receive(
        &mut self,
        machine: usize,
        (port, channel): (usize, u32),
        message: usize,
        fields: Vec<Field>,
    ) -> ReceiveId {
        let channel = self.own_channel(machine, port, channel);
        let tag = self.constant(message as i32 + 1);
        let channel_type = self.machines[machine].ports[port].channel_type;
        let width = self.building.program.channel_types[channel_type.index()]
            .fields
            .len();
        let first = self.building.program.fields.len() as u32;
        self.building.program.fields.push(Field::Match(tag));
        self.building.program.fields.extend(fields);
        let end = first as usize + width;
        self.building.program.fields.resize(end, Field::Discard);
        self.building.program.receives.push(Receive {
            channel,
            fields: first..end as u32,
            random: false,
            keep: false,
        });
        ReceiveId(self.building.program.receives.len() as u32 - 1)
    }

    /// A send for each channel of the port it goes to, and that port by the numbers of its machine and among its ports.
    fn send(&mut self, machine: usize, send: &ast::Send) -> Option<(Vec<SendId>, (usize, usize))> {
        let (instance, of) = self.instance(Some(machine), &send.target)?;
        let port = self.port_named(of, &send.port)?;
        let number = self.message_named(of, port, &send.message)?;
        let types = self.machines[of].ports[port].messages[number]
            .fields
            .clone();
        self.machines[of].ports[port].messages[number].sent = true;
        let name = &send.message.text;
        self.check_count(send.span, name, types.len(), send.values.len());
        let exists = self.surely_exists(machine, &send.target);
        let is_sorted = self.machines[of].ports[port].order == Order::Sorted;
        let mut values = vec![self.constant(number as i32 + 1)];
        for (value, type_) in send.values.iter().zip(types) {
            let (mut id, found) = self.expression(Some(machine), value);
            self.expect_type(value.span, found, type_);
            // A field may be wider in the channel than in this message.
            if let Expression::Constant(constant) = self.building.program.expressions[id.index()] {
                id = self.constant(type_.kind().cast(constant));
            } else if is_sorted && !found.is_within(type_) {
                id = self.cut(id, type_.kind());
            }
            values.push(id);
        }
        let described = &self.machines[of].ports[port];
        let (channel_type, channels) = (described.channel_type, described.channels);
        let width = self.building.program.channel_types[channel_type.index()]
            .fields
            .len();
        let zero = self.constant(0);
        values.resize(width, zero);
        let first = self.building.program.lists.len() as u32;
        self.building.program.lists.extend(values);
        let end = self.building.program.lists.len() as u32;
        let mut sends = Vec::new();
        for channel in 0..channels {
            let channel = self.channel_of(of, instance, (port, channel), exists);
            sends.push(SendId(self.building.program.sends.len() as u32));
            self.building.program.sends.push(Send {
                channel,
                values: first..end,
                sorted: is_sorted,
            });
        }
        Some((sends, (of, port)))
    }

    /// What remains of a value where only those of a kind fit. A sorted port compares what it keeps.
    fn cut(&mut self, value: ExpressionId, kind: Kind) -> ExpressionId {
        let with = |lowerer: &mut Self, operator, left, right: i32| {
            let right = lowerer.constant(right);
            lowerer.node(Expression::Binary(operator, left, right))
        };
        match kind {
            Kind::Bit => with(self, BinaryOperator::BitAnd, value, 1),
            Kind::Byte => with(self, BinaryOperator::BitAnd, value, 255),
            Kind::Short => {
                let above = with(self, BinaryOperator::Add, value, 1 << 15);
                let kept = with(self, BinaryOperator::BitAnd, above, 0xFFFF);
                with(self, BinaryOperator::Subtract, kept, 1 << 15)
            }
            Kind::Int | Kind::Unsigned(_) => value,
        }
    }

    /// A state that receives from a port, but not every message of it, does not expect the others:
    /// a step that fails stands for each of them.
    fn unexpected_inputs(&mut self, machine: usize, location: u32, state: &ast::State) {
        let model = self.model;
        for port in 0..self.machines[machine].ports.len() {
            let name = self.machines[machine].ports[port].name.clone();
            let expected: Vec<&str> = model.machines[machine]
                .transitions
                .iter()
                .filter(|transition| transition.from.text == state.name.text)
                .filter_map(|transition| transition.receive.as_ref())
                .filter(|receive| receive.port.text == name)
                .map(|receive| receive.message.as_str())
                .collect();
            if expected.is_empty() {
                continue;
            }
            for number in 0..self.machines[machine].ports[port].messages.len() {
                let message = self.machines[machine].ports[port].messages[number]
                    .name
                    .clone();
                if expected.contains(&&*message) {
                    continue;
                }
                let mut guard = None;
                for channel in 0..self.machines[machine].ports[port].channels {
                    let receive = self.add_receive(machine, (port, channel), number, Vec::new());
                    let own = self.node(Expression::CanReceive(receive));
                    guard = Some(match guard {
                        Some(others) => self.node(Expression::Or(others, own)),
                        None => own,
                    });
                }
                let Some(guard) = guard else { continue };
                let text = format!("{} does not expect {name}.{message}", state.name.text);
                let origin = self.origin(state.name.span);
                let told = format!(
                    "unexpected input: {} in state {text}",
                    self.machines[machine].name
                );
                let breach = self.breach(BreachKind::UnexpectedInput, told, origin);
                let statement = self.add_statement(machine, text, state.name.span, false);
                let begin = self.emit(Instruction::Stop(breach));
                self.building.program.transitions.push(Transition {
                    guard,
                    otherwise: false,
                    handshake: Handshake::Apart,
                    effect: begin..begin + 1,
                    target: Some(LocationId(location)),
                    holds: false,
                    group: 0,
                    statement,
                });
            }
        }
    }
}

/// The number of instructions that put a message into one of the channels of a port.
fn put_length(sends: &[SendId]) -> u32 {
    3 * sends.len() as u32 - 2
}

/// What becomes of a message.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    Arrives,
    IsLost,
    ArrivesTwice,
}

/// All ways to choose one of each list, the first of each first.
fn combinations(lists: &[Vec<Fate>]) -> Vec<Vec<Fate>> {
    let mut ways = vec![Vec::new()];
    for list in lists {
        ways = ways
            .into_iter()
            .flat_map(|way: Vec<Fate>| {
                list.iter().map(move |fate| {
                    let mut way = way.clone();
                    way.push(*fate);
                    way
                })
            })
            .collect();
    }
    ways
}

/// What takes a machine on from a state: `in.ack or a predicate`. None if nothing does.
fn awaited(model: &ast::Model, machine: &ast::Machine, state: &str) -> Option<String> {
    let mut awaited: Vec<String> = Vec::new();
    for transition in machine
        .transitions
        .iter()
        .filter(|t| t.from.as_str() == state)
    {
        let uses = transition.uses.iter().filter(|used| may_wait(model, used));
        let done = uses.map(|used| format!("{}.{}", used.object.name, used.operation));
        let done: Vec<String> = done.collect();
        let what = match (&transition.receive, &transition.predicate) {
            (Some(receive), _) => format!("{}.{}", receive.port.text, receive.message.text),
            (None, _) if !done.is_empty() => done.join(" and "),
            (None, Some(_)) => "a predicate".into(),
            (None, None) => "room to send".into(),
        };
        if !awaited.contains(&what) {
            awaited.push(what);
        }
    }
    (!awaited.is_empty()).then(|| awaited.join(" or "))
}

/// Does an operation wait in some value of its object?
fn may_wait(model: &ast::Model, used: &ast::Use) -> bool {
    let mut objects = model.objects.iter();
    let Some(object) = objects.find(|object| object.name.text == used.object.name.text) else {
        return true;
    };
    match &object.sort {
        Sort::Counter => false,
        Sort::Mutex => used.operation.as_str() == "lock",
        Sort::Semaphore | Sort::Barrier => true,
        Sort::Own(name) => {
            let kind = model.kinds.iter().find(|kind| kind.name.text == name.text);
            kind.is_none_or(|kind| {
                let mut operations = kind.operations.iter();
                let found = operations.find(|o| o.name.text == used.operation.text);
                let leaves = |state: &ast::State| {
                    let mut edges = found.into_iter().flat_map(|operation| &operation.edges);
                    edges.any(|(from, _)| from.text == state.name.text)
                };
                !kind.states.iter().all(leaves)
            })
        }
    }
}
