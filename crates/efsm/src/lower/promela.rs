//! A model as Promela, so that SPIN can check it as well.
//!
//! A machine becomes a process type, the ports of all its instances an array of channels, a state a
//! label, a transition a `d_step`. What Promela has no word for becomes an assertion: an overflow, an
//! unexpected input. Names get a prefix, since the words of one language may be those of another.
//! A formula becomes one about the time after all instances have started.
//! SPIN's verifier tells a nonprogress state when asked for empty channels at the end (`pan -q`).

mod names;
mod value;

use mazurka_model::Kind;
use mazurka_promela::ast::{
    self as promela, Expr, Initializer, ReceiveArgument, ReceiveArgumentKind, StatementKind,
    TypeKind, Unit,
};
use mazurka_promela::build;

use self::names::Naming;
use super::transition::Fate;
use super::{Lowerer, Type};
use crate::ast::{self, BinaryOperator, Order, Pattern, Statement};

/// The tree of a model that was lowered without an error.
pub(super) fn export(lowerer: &mut Lowerer<'_>) -> promela::Model {
    // What instances are made with is worked out by the lowering, which may report what is wrong; here nothing is.
    let mut runs = Vec::new();
    for number in 0..lowerer.machines.len() {
        for instance in &lowerer.model.instances {
            if instance.machine.text == lowerer.machines[number].name {
                let values = lowerer.arguments_of(number, instance);
                runs.extend(values.into_iter().map(|values| (number, values)));
            }
        }
    }
    let mut export = Export {
        lowerer,
        names: Naming::default(),
        loops: 0,
    };
    export.model(runs)
}

struct Export<'e, 'a> {
    lowerer: &'e Lowerer<'a>,
    names: Naming,
    /// Loop variables of the process type at hand.
    loops: usize,
}

/// What names mean where an expression stands.
#[derive(Clone, Copy)]
struct Scope<'s> {
    machine: Option<usize>,
    /// Loop variables: name and what it is called.
    loops: &'s [(std::sync::Arc<str>, String)],
}

impl Scope<'_> {
    fn of(machine: Option<usize>) -> Scope<'static> {
        let loops = &[];
        Scope { machine, loops }
    }
}

impl Lowerer<'_> {
    /// For each instance of a declaration its number and its arguments.
    fn arguments_of(&mut self, machine: usize, instance: &ast::Instance) -> Vec<Vec<i32>> {
        let parameters = self.machines[machine].parameters.clone();
        let instances = self.instances[&instance.name.text];
        let numbers = 0..instances.count.unwrap_or(1);
        let of_number = |number: u32| {
            let counter = instance.count.as_ref();
            let counter = counter.map(|(name, _)| (name.as_str(), number as i32));
            let mut values = vec![(instances.first + number) as i32];
            for (argument, wanted) in instance.arguments.iter().zip(&parameters) {
                values.push(self.argument(argument, counter, *wanted));
            }
            values
        };
        numbers.map(of_number).collect()
    }
}

impl Export<'_, '_> {
    fn model(&mut self, runs: Vec<(usize, Vec<i32>)>) -> promela::Model {
        let lowerer = self.lowerer;
        let model = lowerer.model;
        let mut units = self.channels();
        let scope = Scope::of(None);
        for variable in &model.globals {
            let local = lowerer.globals[&variable.name.text];
            let name = self.names.global(&variable.name.text);
            let declared = self.declaration(scope, &name, variable, local.type_, local.length);
            units.push(Unit::Declaration(declared));
        }
        if self.overflows() {
            // Nothing happens after an overflow, and that is no deadlock.
            let broken = build::declare(TypeKind::Bit, "broken", None, None);
            units.push(Unit::Declaration(broken));
            let wait = build::repeat(vec![vec![build::condition(build::value("broken"))]]);
            let wait = build::labelled([build::name("end")], wait);
            units.push(build::proctype("Broken", true, vec![], None, vec![wait]));
        }
        for number in 0..model.machines.len() {
            if lowerer.machines[number].count > 0 {
                let proctype = self.proctype(number);
                units.push(proctype);
            }
        }
        let has_formulas = !model.formulas.is_empty();
        if has_formulas {
            let started = build::declare(TypeKind::Bool, "started", None, None);
            units.push(Unit::Declaration(started));
        }
        let mut start = Vec::new();
        for (machine, values) in runs {
            let name = self.names.proctype(&lowerer.machines[machine].name);
            let values = values.into_iter().map(build::number).collect();
            start.push(build::run(&name, values));
        }
        if has_formulas {
            start.push(build::assign(
                build::variable("started"),
                build::truth(true),
            ));
        }
        units.push(build::init(vec![build::atomic(start)]));
        // A formula is about executions from the moment on at which all instances are there.
        for formula in &model.formulas {
            let body = self.formula(&formula.body);
            let name = self.names.formula(&formula.name.text);
            units.push(build::ltl(&name, build::once_started("started", body)));
        }
        promela::Model { units }
    }

    /// Messages and the channels of all ports.
    fn channels(&mut self) -> Vec<Unit> {
        let lowerer = self.lowerer;
        let mut units = Vec::new();
        let mut messages: Vec<&str> = Vec::new();
        for machine in &lowerer.machines {
            for message in machine.ports.iter().flat_map(|port| &port.messages) {
                if !messages.contains(&&*message.name) {
                    messages.push(&message.name);
                }
            }
        }
        if !messages.is_empty() {
            let names = messages.iter().map(|name| self.names.message(name));
            let names: Vec<_> = names.map(|name| build::name(&name)).collect();
            units.push(build::mtype(names));
        }
        for machine in lowerer.machines.iter().filter(|machine| machine.count > 0) {
            for port in &machine.ports {
                let channel = &lowerer.building.program.channel_types[port.channel_type.index()];
                let fields = channel.fields[1..].iter().map(|field| type_of(field.kind));
                let fields = [TypeKind::Mtype(None)].into_iter().chain(fields);
                // The order of names is Promela's own, so the number of the message goes before it.
                let number = (port.order == Order::Sorted).then_some(TypeKind::Byte);
                let fields = number.into_iter().chain(fields);
                let name = self.names.port(&machine.name, &port.name);
                let length = Some(machine.count * port.channels);
                let declared = build::declare_channel(&name, length, channel.capacity, fields);
                units.push(Unit::Declaration(declared));
            }
        }
        units
    }

    /// Can a port of this capacity overflow?
    fn may_overflow(&self, capacity: u32) -> bool {
        let most = self.lowerer.most_messages;
        most.is_none_or(|most| most > u64::from(capacity))
    }

    fn overflows(&self) -> bool {
        let machines = self.lowerer.machines.iter();
        let mut ports = machines
            .filter(|machine| machine.count > 0)
            .flat_map(|machine| &machine.ports);
        ports.any(|port| self.may_overflow(port.capacity))
    }

    fn declaration(
        &mut self,
        scope: Scope<'_>,
        name: &str,
        variable: &ast::Variable,
        type_: Type,
        length: Option<u32>,
    ) -> promela::Declaration {
        let initial = variable.initial.as_ref();
        let initial = initial.map(|value| Initializer::Expression(self.value(scope, value)));
        build::declare(type_of(type_.kind()), name, length, initial)
    }

    fn proctype(&mut self, number: usize) -> Unit {
        let lowerer = self.lowerer;
        let machine = &lowerer.model.machines[number];
        let described = &lowerer.machines[number];
        let mut parameters = vec![build::declare(TypeKind::Byte, "self", None, None)];
        for (parameter, type_) in machine.parameters.iter().zip(&described.parameters) {
            let name = self.names.local(&parameter.name.text);
            parameters.push(build::declare(type_of(type_.kind()), &name, None, None));
        }
        let mut body = Vec::new();
        for variable in &machine.variables {
            let local = described.locals[&variable.name.text];
            let name = self.names.local(&variable.name.text);
            let scope = Scope::of(Some(number));
            let declared = self.declaration(scope, &name, variable, local.type_, local.length);
            body.push(build::statement(StatementKind::Declaration(declared)));
        }
        self.loops = 0;
        let states: Vec<_> = machine
            .states
            .iter()
            .map(|state| self.state(number, state))
            .collect();
        for counter in 0..self.loops {
            let declared = build::declare(TypeKind::Int, &loop_variable(counter), None, None);
            body.push(build::statement(StatementKind::Declaration(declared)));
        }
        let start = machine.states.iter().find(|state| state.start);
        if let Some(start) = start.filter(|start| start.name != machine.states[0].name) {
            body.push(build::go_to(&self.names.state(&start.name.text)));
        }
        body.extend(states);
        let provided = self.overflows().then(|| build::not(build::value("broken")));
        let name = self.names.proctype(&machine.name.text);
        build::proctype(&name, false, parameters, provided, body)
    }

    fn state(&mut self, machine: usize, state: &ast::State) -> promela::Statement {
        let lowerer = self.lowerer;
        let name = self.names.state(&state.name.text);
        let marks = [
            (state.last, "end"),
            (state.progress, "progress"),
            (state.accept, "accept"),
        ];
        let mut labels = Vec::new();
        for (_, prefix) in marks.into_iter().filter(|(marked, _)| *marked) {
            labels.push(build::name(&format!("{prefix}_{}", state.name.text)));
        }
        labels.push(build::name(&name));
        let transitions = lowerer.model.machines[machine].transitions.iter();
        let mut options: Vec<_> = transitions
            .filter(|transition| transition.from.text == state.name.text)
            .flat_map(|transition| {
                let places = lowerer.takes_one_of(machine, transition);
                let fates = lowerer.fates(machine, transition).into_iter();
                let ways =
                    fates.flat_map(|fates| (0..places).map(move |place| (fates.clone(), place)));
                let options =
                    ways.map(|(fates, place)| self.option(machine, transition, &fates, place));
                options.collect::<Vec<_>>()
            })
            .collect();
        options.extend(self.unexpected(machine, &state.name.text));
        let statement = match options.is_empty() {
            true => build::condition(build::truth(false)),
            false => build::select(options),
        };
        build::labelled(labels, statement)
    }

    /// A transition, with what becomes of its messages, and from which place of its port it takes one.
    fn option(
        &mut self,
        machine: usize,
        transition: &ast::Transition,
        fates: &[Fate],
        place: u32,
    ) -> Vec<promela::Statement> {
        let scope = Scope::of(Some(machine));
        let mut guards = Vec::new();
        let mut effect = Vec::new();
        if let Some(predicate) = &transition.predicate {
            guards.push(self.value(scope, predicate));
        }
        if let Some(receive) = &transition.receive {
            let channel = self.own(machine, &receive.port.text, place);
            let (poll, bind) = self.patterns(scope, machine, receive);
            guards.push(build::poll(channel.clone(), poll));
            effect.push(build::receive(channel, bind));
        }
        self.block(scope, &transition.block, &mut effect);
        for (position, send) in transition.sends.iter().enumerate() {
            let Some((channels, values, port)) = self.send(scope, send) else {
                continue;
            };
            if fates[position] == Fate::IsLost {
                continue;
            }
            let (waits, capacity) = (port.waits, port.capacity);
            let has_room = room(&channels, port);
            if waits {
                guards.push(has_room.clone());
            }
            let full = match channels.as_slice() {
                [channel] => build::binary(
                    BinaryOperator::GreaterEqual,
                    build::length(channel.clone()),
                    build::number(capacity as i32),
                ),
                _ => build::not(has_room.clone()),
            };
            let sent = put(&channels, &values, port);
            // Sent if there is room for it.
            let kept = vec![build::condition(has_room), sent.clone()];
            let kept = build::select(vec![kept, vec![build::otherwise()]]);
            let copy = (fates[position] == Fate::ArrivesTwice).then(|| kept.clone());
            if port.loses {
                effect.push(kept);
                effect.extend(copy);
                continue;
            }
            if waits && position == 0 || !self.may_overflow(capacity) {
                effect.push(sent);
                effect.extend(copy);
                continue;
            }
            let broken = || build::value("broken");
            effect.push(build::select(vec![
                vec![
                    build::condition(build::any([broken(), full])),
                    build::assert(broken()),
                    build::assign(build::variable("broken"), build::number(1)),
                ],
                vec![build::otherwise(), sent],
            ]));
            effect.extend(copy);
        }
        effect.insert(0, build::condition(build::all(guards)));
        effect.push(build::skip());
        let to = self.names.state(&transition.to.text);
        vec![build::d_step(effect), build::go_to(&to)]
    }

    /// The options of a state for each message that it does not expect.
    fn unexpected(&mut self, machine: usize, state: &str) -> Vec<Vec<promela::Statement>> {
        let lowerer = self.lowerer;
        let mut options = Vec::new();
        for port in &lowerer.machines[machine].ports {
            let transitions = lowerer.model.machines[machine].transitions.iter();
            let expected: Vec<&str> = transitions
                .filter(|transition| transition.from.as_str() == state)
                .filter_map(|transition| transition.receive.as_ref())
                .filter(|receive| receive.port.text == port.name)
                .map(|receive| receive.message.as_str())
                .collect();
            for message in &port.messages {
                if !expected.is_empty() && !expected.contains(&&*message.name) {
                    let mut poll = beginning(port);
                    poll.push(self.message(&message.name));
                    poll.resize(poll.len() + self.width(port), anything());
                    let places = 0..port.channels;
                    let polls = places.map(|place| {
                        let channel = self.own(machine, &port.name, place);
                        build::poll(channel, poll.clone())
                    });
                    let polls = polls.collect::<Vec<_>>();
                    let refused = build::d_step(vec![
                        build::condition(build::any(polls)),
                        build::assert(build::truth(false)),
                    ]);
                    options.push(vec![refused, build::go_to(&self.names.state(state))]);
                }
            }
        }
        options
    }

    /// How many fields the messages of a port have besides their name.
    fn width(&self, port: &super::Port) -> usize {
        let channel_type = &self.lowerer.building.program.channel_types[port.channel_type.index()];
        channel_type.fields.len() - 1
    }

    /// A channel of a port of the machine itself.
    fn own(&mut self, machine: usize, port: &str, place: u32) -> promela::VariableRef {
        self.channel(machine, port, build::value("self"), place)
    }

    /// A channel of a port of an instance, whose number is given.
    fn channel(
        &mut self,
        machine: usize,
        port: &str,
        instance: Expr,
        place: u32,
    ) -> promela::VariableRef {
        let machine = &self.lowerer.machines[machine];
        let mut ports = machine.ports.iter();
        let channels = ports.find(|p| &*p.name == port).map_or(1, |p| p.channels);
        let number = match channels {
            1 => instance,
            _ => {
                let count = build::number(channels as i32);
                let first = build::binary(BinaryOperator::Multiply, instance, count);
                build::binary(BinaryOperator::Add, first, build::number(place as i32))
            }
        };
        build::element(&self.names.port(&machine.name, port), number)
    }

    /// How many messages are in a port of an instance, whose number is given.
    fn length(&mut self, machine: usize, port: &str, instance: &Expr) -> Expr {
        let mut ports = self.lowerer.machines[machine].ports.iter();
        let channels = ports.find(|p| &*p.name == port).map_or(1, |p| p.channels);
        let lengths = (0..channels)
            .map(|place| build::length(self.channel(machine, port, instance.clone(), place)));
        let sum = lengths.reduce(|sum, own| build::binary(BinaryOperator::Add, sum, own));
        sum.unwrap_or_else(|| build::number(0))
    }

    fn message(&mut self, name: &str) -> ReceiveArgument {
        let name = self.names.message(name);
        build::argument(ReceiveArgumentKind::Variable(build::variable(&name)))
    }

    /// What a receive asks for, to look and to take.
    fn patterns(
        &mut self,
        scope: Scope<'_>,
        machine: usize,
        receive: &ast::Receive,
    ) -> (Vec<ReceiveArgument>, Vec<ReceiveArgument>) {
        let mut ports = self.lowerer.machines[machine].ports.iter();
        let port = ports.find(|port| port.name == receive.port.text);
        let width = port.map_or(0, |port| self.width(port));
        let mut poll = port.map_or_else(Vec::new, beginning);
        poll.push(self.message(&receive.message.text));
        let full = poll.len() + width;
        let mut bind = poll.clone();
        for pattern in &receive.patterns {
            let (look, take) = match pattern {
                Pattern::Ignore(_) => (anything(), anything()),
                Pattern::Match(value) => {
                    let value = self.value(scope, value);
                    let value = build::argument(ReceiveArgumentKind::Eval(value));
                    (value.clone(), value)
                }
                Pattern::Store(place) => {
                    let place = self.place(scope, place);
                    (
                        anything(),
                        build::argument(ReceiveArgumentKind::Variable(place)),
                    )
                }
            };
            poll.push(look);
            bind.push(take);
        }
        poll.resize(full, anything());
        bind.resize(full, anything());
        (poll, bind)
    }

    /// The channels of a send, what is sent, and the port.
    fn send(
        &mut self,
        scope: Scope<'_>,
        send: &ast::Send,
    ) -> Option<(Vec<promela::VariableRef>, Vec<Expr>, &super::Port)> {
        let lowerer = self.lowerer;
        let target = self.value(scope, &send.target);
        let machine = self.machine_of(scope, &send.target)?;
        let mut ports = lowerer.machines[machine].ports.iter();
        let port = ports.find(|port| port.name == send.port.text)?;
        let message = self.names.message(&send.message.text);
        let mut values = vec![build::value(&message)];
        let mut messages = port.messages.iter();
        let number = messages.position(|message| message.name == send.message.text)?;
        let types = &port.messages[number].fields;
        for (value, type_) in send.values.iter().zip(types) {
            let value = self.value(scope, value);
            values.push(match port.order {
                Order::Sorted => cut(value, type_.kind()),
                Order::Sent | Order::Any => value,
            });
        }
        values.resize(self.width(port) + 1, build::number(0));
        if port.order == Order::Sorted {
            values.insert(0, build::number(number as i32));
        }
        let channels = 0..port.channels;
        let channels = channels
            .map(|place| self.channel(machine, &port.name, target.clone(), place))
            .collect();
        Some((channels, values, port))
    }

    fn block(
        &mut self,
        scope: Scope<'_>,
        statements: &[Statement],
        out: &mut Vec<promela::Statement>,
    ) {
        for statement in statements {
            match statement {
                Statement::Assign(place, value) => {
                    let place = self.place(scope, place);
                    out.push(build::assign(place, self.value(scope, value)));
                }
                Statement::Assert(claim) => out.push(build::assert(self.value(scope, claim))),
                Statement::If(condition, then, otherwise) => {
                    let mut yes = vec![build::condition(self.value(scope, condition))];
                    self.block(scope, then, &mut yes);
                    yes.push(build::skip());
                    let mut no = vec![build::otherwise()];
                    self.block(scope, otherwise, &mut no);
                    no.push(build::skip());
                    out.push(build::select(vec![yes, no]));
                }
                Statement::While(condition, body) => {
                    let mut round = vec![build::condition(self.value(scope, condition))];
                    self.block(scope, body, &mut round);
                    round.push(build::skip());
                    out.push(build::repeat(vec![round, leave()]));
                }
                Statement::For(variable, from, to, body) => {
                    let name = loop_variable(self.loops);
                    self.loops += 1;
                    out.push(build::assign(
                        build::variable(&name),
                        self.value(scope, from),
                    ));
                    let mut inner = scope.loops.to_vec();
                    inner.push((variable.text.clone(), name.clone()));
                    let scope = Scope {
                        machine: scope.machine,
                        loops: &inner,
                    };
                    let counter = || build::value(&name);
                    let end = self.value(scope, to);
                    let goes_on = build::binary(BinaryOperator::Less, counter(), end);
                    let mut round = vec![build::condition(goes_on)];
                    self.block(scope, body, &mut round);
                    let next = build::binary(BinaryOperator::Add, counter(), build::number(1));
                    round.push(build::assign(build::variable(&name), next));
                    out.push(build::repeat(vec![round, leave()]));
                    out.push(build::assign(build::variable(&name), build::number(0)));
                }
            }
        }
    }
}

/// `else -> break`
fn leave() -> Vec<promela::Statement> {
    vec![build::otherwise(), build::leave()]
}

/// What stands before the name of a message.
fn beginning(port: &super::Port) -> Vec<ReceiveArgument> {
    match port.order {
        Order::Sorted => vec![anything()],
        Order::Sent | Order::Any => Vec::new(),
    }
}

/// Is there room in one of the channels of a port?
fn room(channels: &[promela::VariableRef], port: &super::Port) -> Expr {
    let most = (port.capacity / port.channels) as i32;
    let rooms = channels.iter().map(|channel| {
        let length = build::length(channel.clone());
        build::binary(BinaryOperator::Less, length, build::number(most))
    });
    build::any(rooms.collect::<Vec<_>>())
}

/// Puts a message into the first of the channels that has room. One has.
fn put(
    channels: &[promela::VariableRef],
    values: &[Expr],
    port: &super::Port,
) -> promela::Statement {
    let (first, others) = channels.split_at(1);
    let sent = match port.order {
        Order::Sorted => build::sorted_send(first[0].clone(), values.to_vec()),
        Order::Sent | Order::Any => build::send(first[0].clone(), values.to_vec()),
    };
    match others.is_empty() {
        true => sent,
        false => build::select(vec![
            vec![build::condition(room(first, port)), sent],
            vec![build::otherwise(), put(others, values, port)],
        ]),
    }
}

/// What remains of a value where only those of a kind fit. A sorted channel compares what is sent, before it is cut.
fn cut(value: Expr, kind: Kind) -> Expr {
    let with = |operator, left, right| build::binary(operator, left, build::number(right));
    match kind {
        Kind::Bit => with(BinaryOperator::BitAnd, value, 1),
        Kind::Byte => with(BinaryOperator::BitAnd, value, 255),
        Kind::Short => {
            let above = with(BinaryOperator::Add, value, 1 << 15);
            let kept = with(BinaryOperator::BitAnd, above, 0xFFFF);
            with(BinaryOperator::Subtract, kept, 1 << 15)
        }
        Kind::Int | Kind::Unsigned(_) => value,
    }
}

fn anything() -> ReceiveArgument {
    build::argument(ReceiveArgumentKind::Anything)
}

fn loop_variable(number: usize) -> String {
    format!("l_{number}")
}

fn type_of(kind: Kind) -> TypeKind {
    match kind {
        Kind::Bit => TypeKind::Bit,
        Kind::Byte => TypeKind::Byte,
        Kind::Short => TypeKind::Short,
        Kind::Int | Kind::Unsigned(_) => TypeKind::Int,
    }
}
