//! Expressions to nodes of the program.

use std::sync::Arc;

use mazurka_model::{
    Base, ChannelTest, Expression, ExpressionId, Index, Place, PlaceId, ProcessTypeId,
};
use mazurka_span::Span;
use mazurka_syntax::Lower;

use super::{Local, Lowerer, Type};
use crate::ast::{self, Binary, BinaryOperator, ExpressionKind, Name, Unary, UnaryOperator};
use crate::codes;

impl Lowerer<'_> {
    /// Lowers an expression as the process of a machine sees it, or as a property does.
    pub(super) fn expression(
        &mut self,
        machine: Option<usize>,
        expression: &ast::Expression,
    ) -> (ExpressionId, Type) {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Number(value) => (self.constant(*value), Type::Int),
            ExpressionKind::Truth(value) => (self.constant(i32::from(*value)), Type::Bool),
            ExpressionKind::Name(name) => self.name(machine, name, span),
            ExpressionKind::Index(name, index) => self.element(machine, name, index, span),
            ExpressionKind::Unary(operator, operand) => {
                let (value, type_) = self.expression(machine, operand);
                self.expect_type(operand.span, type_, Type::Int);
                let (operator, type_) = match operator {
                    Unary::Value(UnaryOperator::Not) => (UnaryOperator::Not, Type::Bool),
                    Unary::Value(operator) => (*operator, Type::Int),
                    _ => {
                        let message = "a temporal operator inside a value: put what it is about in \
                                       parentheses, as in `<> (x == 0)`";
                        self.error(codes::MISPLACED_TEMPORAL, span, message);
                        return self.wrong();
                    }
                };
                let node = Expression::Unary(operator.of_program(), value);
                (self.node(node), type_)
            }
            ExpressionKind::Binary(operator, left, right) => {
                self.binary(machine, *operator, left, right, span)
            }
            ExpressionKind::Length(port) => self.length(machine, port),
            ExpressionKind::Member(instance, member) => {
                if machine.is_some() {
                    let message =
                        "a machine sees its own variables and those of all, not those of others";
                    self.error(codes::WRONG_KIND, span, message);
                    return self.wrong();
                }
                self.member(instance, member)
            }
            ExpressionKind::At(instance, state) => self.at(machine, instance, state),
            ExpressionKind::Wrong => self.wrong(),
        }
    }

    /// A value that is true or false, or a number.
    pub(super) fn condition(
        &mut self,
        machine: Option<usize>,
        expression: &ast::Expression,
    ) -> ExpressionId {
        let (value, type_) = self.expression(machine, expression);
        self.expect_type(expression.span, type_, Type::Bool);
        value
    }

    fn wrong(&mut self) -> (ExpressionId, Type) {
        (self.constant(0), Type::Unknown)
    }

    fn name(&mut self, machine: Option<usize>, name: &str, span: Span) -> (ExpressionId, Type) {
        if let Some(local) = self.variable_named(machine, name) {
            if local.length.is_some() {
                let message = format!("`{name}` is an array: which element?");
                self.error(codes::NOT_AN_ARRAY, span, message);
                return self.wrong();
            }
            let place = self.simple_place(local.base, local.offset, local.type_.kind());
            return (self.node(Expression::Load(place)), local.type_);
        }
        if let Some((value, type_)) = self.constants.get(name).copied() {
            return (self.constant(value), type_);
        }
        if let Some(instances) = self.instances.get(name).copied() {
            if instances.count.is_some() {
                let message = format!("`{name}` is an array of instances: which one?");
                self.error(codes::NOT_AN_ARRAY, span, message);
            }
            let value = self.constant(instances.first as i32);
            return (value, Type::Machine(instances.machine));
        }
        self.unknown_value(machine, name, span);
        self.wrong()
    }

    fn unknown_value(&mut self, machine: Option<usize>, name: &str, span: Span) {
        let mut known: Vec<Arc<str>> = self.globals.keys().cloned().collect();
        known.extend(self.constants.keys().cloned());
        known.extend(self.instances.keys().cloned());
        if let Some(machine) = machine {
            known.extend(self.machines[machine].locals.keys().cloned());
        }
        known.sort();
        let known = known.iter().map(|name| &**name);
        self.unknown(
            span,
            "there is no variable, constant or instance",
            name,
            known,
        );
    }

    fn variable_named(&self, machine: Option<usize>, name: &str) -> Option<Local> {
        let own = machine.and_then(|machine| self.machines[machine].locals.get(name));
        own.or_else(|| self.globals.get(name)).copied()
    }

    /// `x[i]`, or an instance of an array of them.
    fn element(
        &mut self,
        machine: Option<usize>,
        name: &Name,
        index: &ast::Expression,
        span: Span,
    ) -> (ExpressionId, Type) {
        if let Some(local) = self.variable_named(machine, &name.text) {
            let place = self.indexed(machine, local, name, index);
            return (self.node(Expression::Load(place)), local.type_);
        }
        let Some(instances) = self.instances.get(&name.text).copied() else {
            self.unknown_value(machine, &name.text, name.span);
            return self.wrong();
        };
        let (value, type_) = self.expression(machine, index);
        self.expect_type(index.span, type_, Type::Int);
        let type_ = Type::Machine(instances.machine);
        let Some(count) = instances.count else {
            let message = format!("`{}` is one instance, not an array of them", name.text);
            self.error(codes::NOT_AN_ARRAY, span, message);
            return (value, type_);
        };
        if let Expression::Constant(value) = self.building.program.expressions[value.index()] {
            if !(0..count as i32).contains(&value) {
                let message = format!("there is no {}[{value}]: there are {count}", name.text);
                self.error(codes::OUT_OF_RANGE, span, message);
            }
            return (self.constant(instances.first as i32 + value), type_);
        }
        // Whoever is not there is nobody; a send to nobody is a run-time error.
        let first = self.constant(instances.first as i32);
        let number = self.node(Expression::Binary(
            mazurka_model::BinaryOperator::Add,
            first,
            value,
        ));
        let exists = self.is_below(value, count);
        let nobody = self.constant(NOBODY);
        (
            self.node(Expression::Conditional(exists, number, nobody)),
            type_,
        )
    }

    fn is_below(&mut self, value: ExpressionId, count: u32) -> ExpressionId {
        let zero = self.constant(0);
        let count = self.constant(count as i32);
        let not_negative = self.node(Expression::Binary(
            mazurka_model::BinaryOperator::GreaterEqual,
            value,
            zero,
        ));
        let below = self.node(Expression::Binary(
            mazurka_model::BinaryOperator::Less,
            value,
            count,
        ));
        self.node(Expression::And(not_negative, below))
    }

    /// An element of an array.
    fn indexed(
        &mut self,
        machine: Option<usize>,
        local: Local,
        name: &Name,
        index: &ast::Expression,
    ) -> PlaceId {
        let (value, type_) = self.expression(machine, index);
        self.expect_type(index.span, type_, Type::Int);
        let kind = local.type_.kind();
        let Some(length) = local.length else {
            let message = format!("`{}` is not an array", name.text);
            self.error(codes::NOT_AN_ARRAY, name.span, message);
            return self.simple_place(local.base, local.offset, kind);
        };
        if let Expression::Constant(value) = self.building.program.expressions[value.index()] {
            if (0..length as i32).contains(&value) {
                let offset = local.offset + value as u32 * kind.bytes();
                return self.simple_place(local.base, offset, kind);
            }
            let message = format!("there is no element {value}: there are {length}");
            self.error(codes::OUT_OF_RANGE, index.span, message);
        }
        let index = Index {
            expression: value,
            length,
            stride: kind.bytes(),
        };
        let known = self
            .building
            .program
            .indices
            .iter()
            .position(|i| *i == index);
        let number = known.unwrap_or_else(|| {
            self.building.program.indices.push(index);
            self.building.program.indices.len() - 1
        }) as u32;
        self.place(Place {
            base: local.base,
            offset: local.offset,
            kind,
            indices: number..number + 1,
        })
    }

    /// Something that can be assigned.
    pub(super) fn target(&mut self, machine: usize, place: &ast::Place) -> Option<(PlaceId, Type)> {
        let name = &place.name;
        let Some(local) = self.variable_named(Some(machine), &name.text) else {
            if self.constants.contains_key(&name.text) {
                let message = format!("`{}` is a constant", name.text);
                self.error(codes::READ_ONLY, name.span, message);
            } else {
                self.unknown_value(Some(machine), &name.text, name.span);
            }
            return None;
        };
        if !local.writable {
            let message = format!("`{}` cannot be assigned", name.text);
            self.error(codes::READ_ONLY, name.span, message);
        }
        let place = match (&place.index, local.length) {
            (Some(index), _) => self.indexed(Some(machine), local, name, index),
            (None, Some(_)) => {
                let message = format!("`{}` is an array: which element?", name.text);
                self.error(codes::NOT_AN_ARRAY, name.span, message);
                return None;
            }
            (None, None) => self.simple_place(local.base, local.offset, local.type_.kind()),
        };
        Some((place, local.type_))
    }

    fn binary(
        &mut self,
        machine: Option<usize>,
        operator: Binary,
        left: &ast::Expression,
        right: &ast::Expression,
        span: Span,
    ) -> (ExpressionId, Type) {
        let (a, left_type) = self.expression(machine, left);
        let (b, right_type) = self.expression(machine, right);
        if operator == Binary::Value(BinaryOperator::Equal)
            || operator == Binary::Value(BinaryOperator::NotEqual)
        {
            self.expect_type(right.span, right_type, left_type);
        } else {
            self.expect_type(left.span, left_type, Type::Int);
            self.expect_type(right.span, right_type, Type::Int);
        }
        let Binary::Value(operator) = operator else {
            let message = "a temporal operator inside a value";
            self.error(codes::MISPLACED_TEMPORAL, span, message);
            return self.wrong();
        };
        let type_ = match operator.gives_truth() {
            true => Type::Bool,
            false => Type::Int,
        };
        (self.node(operator.expression(a, b)), type_)
    }

    /// `len(port)` of the machine itself, or of an instance in a property.
    fn length(&mut self, machine: Option<usize>, port: &ast::Expression) -> (ExpressionId, Type) {
        let channels: Vec<ExpressionId> = match (&port.kind, machine) {
            (ExpressionKind::Name(name), Some(machine)) => {
                let name = Name {
                    text: name.clone(),
                    span: port.span,
                };
                let Some(number) = self.port_named(machine, &name) else {
                    return self.wrong();
                };
                let channels = 0..self.machines[machine].ports[number].channels;
                channels
                    .map(|channel| self.own_channel(machine, number, channel))
                    .collect()
            }
            (ExpressionKind::Member(instance, name), None) => {
                let Some((number, machine)) = self.instance(None, instance) else {
                    return self.wrong();
                };
                let Some(port) = self.port_named(machine, name) else {
                    return self.wrong();
                };
                let channels = 0..self.machines[machine].ports[port].channels;
                channels
                    .map(|channel| self.channel_of(machine, number, (port, channel), true))
                    .collect()
            }
            _ => {
                let message =
                    "the length of what? Of a port of this machine, or in a formula of an instance";
                self.error(codes::WRONG_KIND, port.span, message);
                return self.wrong();
            }
        };
        let mut length = None;
        for channel in channels {
            let own = self.node(Expression::Channel(ChannelTest::Length, channel));
            length = Some(match length {
                Some(sum) => self.node(Expression::Binary(
                    mazurka_model::BinaryOperator::Add,
                    sum,
                    own,
                )),
                None => own,
            });
        }
        match length {
            Some(length) => (length, Type::Int),
            None => self.wrong(),
        }
    }

    pub(super) fn port_named(&mut self, machine: usize, name: &Name) -> Option<usize> {
        let ports = &self.machines[machine].ports;
        let found = ports.iter().position(|port| port.name == name.text);
        if found.is_none() {
            let known: Vec<Arc<str>> = ports.iter().map(|port| port.name.clone()).collect();
            let lacks = format!("machine {} has no port", self.machines[machine].name);
            let known = known.iter().map(|name| &**name);
            self.unknown(name.span, &lacks, &name.text, known);
        }
        found
    }

    /// A channel of a port of the process itself.
    pub(super) fn own_channel(
        &mut self,
        machine: usize,
        port: usize,
        channel: u32,
    ) -> ExpressionId {
        let offset = self.machines[machine].ports[port].offset + channel;
        let place = self.simple_place(Base::Local, offset, mazurka_model::Kind::Byte);
        self.node(Expression::Load(place))
    }

    /// A channel of a port of an instance, given its number among those of its machine. Nobody
    /// has no channel.
    pub(super) fn channel_of(
        &mut self,
        machine: usize,
        number: ExpressionId,
        (port, channel): (usize, u32),
        exists: bool,
    ) -> ExpressionId {
        let described = &self.machines[machine];
        let (ports, count) = (described.channels as i32, described.count);
        let first = (described.first_channel + described.ports[port].first + channel) as i32;
        if let Expression::Constant(number) = self.building.program.expressions[number.index()] {
            return self.constant(first + number * ports);
        }
        let mut offset = number;
        if ports != 1 {
            let ports = self.constant(ports);
            offset = self.node(Expression::Binary(
                mazurka_model::BinaryOperator::Multiply,
                number,
                ports,
            ));
        }
        let first = self.constant(first);
        let channel = self.node(Expression::Binary(
            mazurka_model::BinaryOperator::Add,
            first,
            offset,
        ));
        if exists {
            return channel;
        }
        let known = self.is_below(number, count);
        let none = self.constant(0);
        self.node(Expression::Conditional(known, channel, none))
    }

    /// An expression that names an instance: its number among those of its machine.
    pub(super) fn instance(
        &mut self,
        machine: Option<usize>,
        expression: &ast::Expression,
    ) -> Option<(ExpressionId, usize)> {
        let (value, type_) = self.expression(machine, expression);
        match type_ {
            Type::Machine(of) => Some((value, of)),
            Type::Unknown => None,
            _ => {
                let message = "an instance is needed here";
                self.error(codes::WRONG_TYPE, expression.span, message);
                None
            }
        }
    }

    /// The machine of an instance that an expression names.
    pub(super) fn machine_of(
        &self,
        machine: Option<usize>,
        expression: &ast::Expression,
    ) -> Option<usize> {
        let name = match &expression.kind {
            ExpressionKind::Name(name) => name,
            ExpressionKind::Index(name, _) => &name.text,
            _ => return None,
        };
        let machine = machine.map(|machine| &self.machines[machine]);
        let local = machine.and_then(|machine| machine.locals.get(name));
        match local.or_else(|| self.globals.get(name)) {
            Some(local) => match local.type_ {
                Type::Machine(number) => Some(number),
                _ => None,
            },
            None => self.instances.get(name).map(|found| found.machine),
        }
    }

    /// Is it sure that the expression names an instance that exists, and always the same?
    pub(super) fn surely_exists(&self, machine: usize, expression: &ast::Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Name(name) => match self.machines[machine].locals.get(name) {
                Some(local) => !local.writable,
                None => !self.globals.contains_key(name),
            },
            _ => false,
        }
    }

    /// The process of an instance, given its number among those of its machine.
    fn process_of(&mut self, machine: usize, number: ExpressionId) -> ExpressionId {
        let first = self.machines[machine].first_process as i32;
        if let Expression::Constant(number) = self.building.program.expressions[number.index()] {
            return self.constant(first + number);
        }
        let first = self.constant(first);
        self.node(Expression::Binary(
            mazurka_model::BinaryOperator::Add,
            first,
            number,
        ))
    }

    /// `node[1].x` in a property.
    fn member(&mut self, instance: &ast::Expression, member: &Name) -> (ExpressionId, Type) {
        let Some((number, machine)) = self.instance(None, instance) else {
            return self.wrong();
        };
        let Some(local) = self.machines[machine].locals.get(&member.text).copied() else {
            let locals = self.machines[machine].locals.keys();
            let known: Vec<Arc<str>> = locals.cloned().collect();
            let lacks = format!("machine {} has no variable", self.machines[machine].name);
            let known = known.iter().map(|name| &**name);
            self.unknown(member.span, &lacks, &member.text, known);
            return self.wrong();
        };
        if local.length.is_some() {
            let message = "elements of arrays of an instance cannot be named in a property";
            self.error(codes::NOT_AN_ARRAY, member.span, message);
            return self.wrong();
        }
        let process = self.process_of(machine, number);
        let base = Base::Remote(ProcessTypeId(machine as u32), Some(process));
        let place = self.simple_place(base, local.offset, local.type_.kind());
        (self.node(Expression::Load(place)), local.type_)
    }

    /// `node[1] at Done` in a property.
    fn at(
        &mut self,
        machine: Option<usize>,
        instance: &ast::Expression,
        state: &Name,
    ) -> (ExpressionId, Type) {
        if machine.is_some() {
            let message = "a machine does not see the states of others";
            self.error(codes::WRONG_KIND, instance.span, message);
            return self.wrong();
        }
        let Some((number, machine)) = self.instance(None, instance) else {
            return self.wrong();
        };
        let Some(location) = self.state_named(machine, state) else {
            return self.wrong();
        };
        let process = self.process_of(machine, number);
        let expression = Expression::At {
            process_type: ProcessTypeId(machine as u32),
            process: Some(process),
            number: location,
        };
        (self.node(expression), Type::Bool)
    }

    pub(super) fn state_named(&mut self, machine: usize, state: &Name) -> Option<u32> {
        let states = &self.machines[machine].states;
        let found = states.get(&state.text).copied();
        if found.is_none() {
            let known: Vec<Arc<str>> = states.keys().cloned().collect();
            let lacks = format!("machine {} has no state", self.machines[machine].name);
            let known = known.iter().map(|name| &**name);
            self.unknown(state.span, &lacks, &state.text, known);
        }
        found
    }
}

/// The number of an instance that does not exist.
const NOBODY: i32 = 255;
