//! Expressions, and formulas over them.

use mazurka_ltl::Formula;
use mazurka_model::{Base, ChannelTest, Expression, ExpressionId, Field, Kind, ProcessTypeId};
use mazurka_span::{Code, Span, has_errors};
use mazurka_syntax::{Lower, LowerFormulas, Part};

use super::bounds::{Bounds, may_overflow};
use super::{Local, Lowerer, QUEUE, SAVED, SENDER, Timer, Type, key};
use crate::Property;
use crate::ast::{
    self, Binary, BinaryOperator, ExpressionKind, Instance, Name, Unary, UnaryOperator,
};
use crate::codes;

impl Lowerer<'_> {
    /// The value of an expression over constants.
    pub(super) fn constant_value(&mut self, expression: &ast::Expression) -> Option<(i32, Type)> {
        let before = self.building.diagnostics.len();
        let (value, type_) = self.value(None, expression);
        match self.building.program.expressions[value.index()] {
            Expression::Constant(value) => Some((value, type_)),
            Expression::Binary(operator, ..) if operator != operator.wrapping() => {
                let message = "the value of this does not fit into 32 bits";
                self.error(codes::OUT_OF_RANGE, expression.span, message);
                None
            }
            _ => {
                if self.building.diagnostics.len() == before {
                    let message = "this must be known before the system runs";
                    self.error(codes::NOT_CONSTANT, expression.span, message);
                }
                None
            }
        }
    }

    /// Lowers an expression as an instance of a process sees it, or as a property does. What is constant becomes a constant.
    pub(super) fn value(
        &mut self,
        process: Option<usize>,
        expression: &ast::Expression,
    ) -> (ExpressionId, Type) {
        let span = expression.span;
        match &expression.kind {
            ExpressionKind::Number(value) => (self.constant(*value), Type::Integer(None)),
            ExpressionKind::Truth(value) => (self.constant(i32::from(*value)), Type::Boolean),
            ExpressionKind::Null => (self.constant(0), Type::Pid),
            ExpressionKind::Own
            | ExpressionKind::Sender
            | ExpressionKind::Parent
            | ExpressionKind::Offspring
            | ExpressionKind::Element(..)
            | ExpressionKind::Active(..)
                if process.is_none() =>
            {
                let message = "only a process can ask this";
                self.error(codes::WRONG_TYPE, span, message);
                self.wrong()
            }
            ExpressionKind::Own => {
                let own = self.node(Expression::SelfProcess);
                let one = self.constant(1);
                let add = mazurka_model::BinaryOperator::Add;
                (self.node(Expression::Binary(add, own, one)), Type::Pid)
            }
            ExpressionKind::Sender => (self.load(SENDER, Kind::Byte), Type::Pid),
            ExpressionKind::Parent | ExpressionKind::Offspring => {
                let described = &self.processes[process.unwrap_or(0)];
                let kept = match expression.kind {
                    ExpressionKind::Parent => described.parent,
                    _ => described.offspring,
                };
                // Who was there at the start has no parent.
                let value = match kept {
                    Some(offset) => self.load(offset, Kind::Byte),
                    None => self.constant(0),
                };
                (value, Type::Pid)
            }
            ExpressionKind::Text(text) => {
                let mut characters = text.chars();
                match (characters.next(), characters.next()) {
                    (Some(one @ '\0'..='\x7f'), None) => {
                        (self.constant(one as i32), Type::Character)
                    }
                    _ => {
                        let message = "text of several characters is not supported (Charstring)";
                        self.error(codes::NOT_TAKEN, span, message);
                        self.wrong()
                    }
                }
            }
            ExpressionKind::Active(timer, values) => {
                let found =
                    process.and_then(|process| Some((process, self.timer(process, timer)?)));
                let Some((process, timer)) = found else {
                    return self.wrong();
                };
                (self.active(process, &timer, values, span), Type::Boolean)
            }
            ExpressionKind::Element(name, index) => {
                let local = process.and_then(|p| self.processes[p].variables.get(&key(name)));
                let Some(local) = local.copied() else {
                    let known = process.map(|process| self.names_of_variables(process));
                    self.unknown(name, "variable", known.unwrap_or_default());
                    return self.wrong();
                };
                let (index_id, found) = self.value(process, index);
                self.expect_type(index.span, found, Type::Integer(None));
                let place = self.own_part(local, Some(index_id));
                (self.node(Expression::Load(place)), local.type_)
            }
            ExpressionKind::Applied(inner, values) if values.is_empty() => {
                let (value, found) = self.value(process, inner);
                if let Type::Pid = found {
                    self.expect_type(inner.span, found, Type::Integer(None));
                }
                (value, Type::Integer(None))
            }
            ExpressionKind::Name(name) => self.named(process, name),
            ExpressionKind::Unary(Unary::Value(operator), operand) => {
                let (value, found) = self.value(process, operand);
                let type_ = match operator {
                    UnaryOperator::Not => Type::Boolean,
                    _ => Type::Integer(None),
                };
                self.expect_type(operand.span, found, type_);
                if let UnaryOperator::Minus = operator {
                    let zero = self.constant(0);
                    let bounds = self.bounds(process, operand);
                    let id = self.exact(BinaryOperator::Subtract, (zero, (0, 0)), (value, bounds));
                    return (id, type_);
                }
                if let Expression::Constant(value) =
                    self.building.program.expressions[value.index()]
                {
                    return (self.constant(operator.apply(value)), type_);
                }
                (
                    self.node(Expression::Unary(operator.of_program(), value)),
                    type_,
                )
            }
            ExpressionKind::Binary(operator, left, right) => {
                self.binary(process, *operator, left, right)
            }
            ExpressionKind::Conditional(condition, yes, no) => {
                let (condition_id, found) = self.value(process, condition);
                self.expect_type(condition.span, found, Type::Boolean);
                let (yes, type_) = self.value(process, yes);
                let (no_id, found) = self.value(process, no);
                self.expect_type(no.span, found, type_);
                let node = Expression::Conditional(condition_id, yes, no_id);
                (self.node(node), type_)
            }
            ExpressionKind::At(instance, state) => self.at(instance, state),
            ExpressionKind::Member(instance, member) => self.member(instance, member),
            ExpressionKind::Length(instance) => {
                let Some((process, number)) = self.instance(instance) else {
                    return self.wrong();
                };
                let described = &self.processes[process];
                let step = 1 + u32::from(described.saves);
                let channel = described.first_channel + number * step;
                let queue = self.constant(channel as i32);
                let mut length = self.node(Expression::Channel(ChannelTest::Length, queue));
                if self.processes[process].saves {
                    let saved = self.constant(channel as i32 + 1);
                    let saved = self.node(Expression::Channel(ChannelTest::Length, saved));
                    let add = mazurka_model::BinaryOperator::Add;
                    length = self.node(Expression::Binary(add, length, saved));
                }
                (length, Type::Integer(None))
            }
            ExpressionKind::Unary(..) => {
                let message =
                    "a temporal operator inside a value: put what it is about in brackets";
                self.error(codes::MISPLACED_TEMPORAL, span, message);
                self.wrong()
            }
            ExpressionKind::Seen(name, index, of) => match process {
                Some(process) => self.seen(process, name, *index, of.as_deref()),
                None => self.wrong(),
            },
            // Wrong, or put in its place before; where nobody did, as in a constant, there is no value.
            ExpressionKind::Wrong
            | ExpressionKind::Tagged(..)
            | ExpressionKind::View(..)
            | ExpressionKind::Import(..)
            | ExpressionKind::AnyOf(_)
            | ExpressionKind::Applied(..)
            | ExpressionKind::Call(..)
            | ExpressionKind::Field(..)
            | ExpressionKind::Aggregate(_)
            | ExpressionKind::Record(_)
            | ExpressionKind::Temporary(..) => {
                if !has_errors(self.building.diagnostics) {
                    let message = "this must be known before the system runs";
                    self.error(codes::NOT_CONSTANT, span, message);
                }
                self.wrong()
            }
        }
    }

    /// A value that is true or false.
    pub(super) fn condition(
        &mut self,
        process: Option<usize>,
        expression: &ast::Expression,
    ) -> ExpressionId {
        let (value, type_) = self.value(process, expression);
        self.expect_type(expression.span, type_, Type::Boolean);
        value
    }

    fn wrong(&mut self) -> (ExpressionId, Type) {
        (self.constant(0), Type::Unknown)
    }

    fn named(&mut self, process: Option<usize>, name: &Name) -> (ExpressionId, Type) {
        let local = process.and_then(|process| self.processes[process].variables.get(&key(name)));
        if let Some(local) = local.copied() {
            let place = self.own_part(local, None);
            return (self.node(Expression::Load(place)), local.type_);
        }
        if self.ambiguous.contains(&key(name)) {
            let message = format!(
                "several types have a literal `{name}`, and which is meant cannot be told here"
            );
            self.error(codes::WRONG_TYPE, name.span, message);
            return self.wrong();
        }
        if let Some((value, type_)) = self.constants.get(&key(name)).copied() {
            return (self.constant(value), type_);
        }
        let mut known: Vec<String> = self.constants.keys().cloned().collect();
        if let Some(process) = process {
            known.extend(self.processes[process].variables.keys().cloned());
        }
        known.sort();
        self.unknown(name, "variable, synonym or literal", known);
        self.wrong()
    }

    /// A variable that another process of the block reveals (Z.100 clause 2.6.1.2).
    fn seen(
        &mut self,
        process: usize,
        name: &Name,
        index: Option<u32>,
        of: Option<&ast::Expression>,
    ) -> (ExpressionId, Type) {
        use BinaryOperator as Value;
        let candidates = self.revealing(process, name);
        let Some(last) = candidates.last().copied() else {
            let message = format!("no other process of this block reveals `{name}`");
            self.error(codes::UNKNOWN_NAME, name.span, message);
            return self.wrong();
        };
        let types: Vec<Type> = candidates
            .iter()
            .map(|other| self.processes[*other].variables[&key(name)].type_)
            .collect();
        if types.iter().any(|type_| !type_.fits(types[0])) {
            let message = format!("`{name}` is revealed with different types");
            self.error(codes::WRONG_TYPE, name.span, message);
        }
        let asked = match of {
            Some(of) => {
                let (asked, found) = self.value(Some(process), of);
                self.expect_type(of.span, found, Type::Pid);
                asked
            }
            None if candidates.len() == 1 && self.processes[last].slots == 1 => {
                self.constant(self.processes[last].first as i32 + 1)
            }
            None => {
                let message =
                    format!("several instances reveal `{name}`: say which, `view({name}, PId)`");
                self.error(codes::NOT_TAKEN, name.span, message);
                return self.wrong();
            }
        };
        let mut value: Option<ExpressionId> = None;
        for other in candidates.into_iter().rev() {
            let (first, slots) = (self.processes[other].first, self.processes[other].slots);
            let offset = self.constant(first as i32 + 1);
            let mut number = self.both(Value::Subtract, asked, offset);
            // Of one that does not exist nothing can be seen.
            if let Some(exists) = self.processes[other].exists {
                let local = Local {
                    offset: exists,
                    type_: Type::Unknown,
                    length: Some(slots),
                    revealed_by: None,
                };
                let state = self.part(Base::Shared, local, Some(number));
                let state = self.node(Expression::Load(state));
                let alive = self.constant(super::ALIVE);
                let alive = self.both(Value::Equal, state, alive);
                let far = self.constant(-1_000_000);
                number = self.node(Expression::Conditional(alive, number, far));
            }
            let local = self.processes[other].variables[&key(name)];
            let index = index.map(|index| self.constant(index as i32));
            let place = self.revealed_part(local, other, number, index);
            let found = self.node(Expression::Load(place));
            value = Some(match value {
                None => found,
                Some(rest) => {
                    let low = self.both(Value::GreaterEqual, asked, offset);
                    let end = self.constant((first + slots) as i32);
                    let high = self.both(Value::LessEqual, asked, end);
                    let is_it = self.node(Expression::And(low, high));
                    self.node(Expression::Conditional(is_it, found, rest))
                }
            });
        }
        match value {
            Some(value) => (value, types[0]),
            None => self.wrong(),
        }
    }

    /// The other processes of a block that reveal a variable.
    pub(super) fn revealing(&self, process: usize, name: &Name) -> Vec<usize> {
        let block = self.processes[process].at.0;
        let reveals = |other: &usize| {
            let described = &self.processes[*other];
            let local = described.variables.get(&key(name));
            described.at.0 == block && local.is_some_and(|local| local.revealed_by.is_some())
        };
        (0..self.processes.len()).filter(reveals).collect()
    }

    fn binary(
        &mut self,
        process: Option<usize>,
        operator: Binary,
        left: &ast::Expression,
        right: &ast::Expression,
    ) -> (ExpressionId, Type) {
        use BinaryOperator as Value;
        let (a, left_type) = self.value(process, left);
        let (b, right_type) = self.value(process, right);
        let integer = Type::Integer(None);
        let (wanted, type_) = match operator {
            Binary::Value(Value::Equal | Value::NotEqual) => (left_type, Type::Boolean),
            Binary::Value(Value::And | Value::Or | Value::BitXor) | Binary::Implies => {
                (Type::Boolean, Type::Boolean)
            }
            Binary::Value(operator) if operator.gives_truth() => match left_type {
                Type::Literal(_) | Type::Character => (left_type, Type::Boolean),
                _ => (integer, Type::Boolean),
            },
            Binary::Value(_) | Binary::Modulo => (integer, integer),
            _ => {
                let message = "a temporal operator inside a value";
                self.error(codes::MISPLACED_TEMPORAL, left.span, message);
                return self.wrong();
            }
        };
        self.expect_type(left.span, left_type, wanted);
        self.expect_type(right.span, right_type, wanted);
        let bounds = (self.bounds(process, left), self.bounds(process, right));
        // Both sides are evaluated: SDL's `and` and `or` are functions.
        let id = match operator {
            Binary::Value(operator) => {
                let operator = match operator {
                    Value::And => Value::BitAnd,
                    Value::Or => Value::BitOr,
                    operator => operator,
                };
                self.exact(operator, (a, bounds.0), (b, bounds.1))
            }
            Binary::Modulo => self.modulo(a, b),
            _ => {
                let not = self.node(Expression::Unary(mazurka_model::UnaryOperator::Not, a));
                self.both(Value::BitOr, not, b)
            }
        };
        (id, type_)
    }

    /// What an operator makes of two values; a constant if they are. What may not fit into 32 bits is a fault where it does not.
    fn exact(
        &mut self,
        operator: BinaryOperator,
        (left, left_bounds): (ExpressionId, Bounds),
        (right, right_bounds): (ExpressionId, Bounds),
    ) -> ExpressionId {
        let Some(program) = operator.of_program() else {
            return self.both(operator, left, right);
        };
        let exact = program.exactly();
        let expressions = &self.building.program.expressions;
        if let (Expression::Constant(a), Expression::Constant(b)) =
            (expressions[left.index()], expressions[right.index()])
            && let Some(value) = exact.apply(a, b)
        {
            return self.constant(value);
        }
        let chosen = match may_overflow(operator, left_bounds, right_bounds) {
            true => exact,
            false => program,
        };
        self.node(Expression::Binary(chosen, left, right))
    }

    /// `mod`, which is never negative (Z.100 annex D): the remainder, and the size of the divisor more if that is negative.
    fn modulo(&mut self, left: ExpressionId, right: ExpressionId) -> ExpressionId {
        use BinaryOperator as Value;
        let expressions = &self.building.program.expressions;
        if let (Expression::Constant(a), Expression::Constant(b)) =
            (expressions[left.index()], expressions[right.index()])
            && let Some(value) = a.checked_rem_euclid(b)
        {
            return self.constant(value);
        }
        let zero = self.constant(0);
        let remainder = self.both(Value::Remainder, left, right);
        let sum = self.both(Value::Add, remainder, right);
        let difference = self.both(Value::Subtract, remainder, right);
        let is_positive = self.both(Value::Greater, right, zero);
        let more = self.node(Expression::Conditional(is_positive, sum, difference));
        let is_enough = self.both(Value::GreaterEqual, remainder, zero);
        self.node(Expression::Conditional(is_enough, remainder, more))
    }

    pub(super) fn both(
        &mut self,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
    ) -> ExpressionId {
        self.node(operator.expression(left, right))
    }

    /// A timer of a process.
    pub(super) fn timer(&mut self, process: usize, name: &Name) -> Option<Timer> {
        let timers = &self.processes[process].timers;
        let mut timers = timers.iter();
        let found = timers
            .find(|timer| {
                self.signals[timer.signal]
                    .name
                    .eq_ignore_ascii_case(&name.text)
            })
            .cloned();
        if found.is_none() {
            let known = self.names_of_timers(process);
            self.unknown(name, "timer", known);
        }
        found
    }

    /// A timer is active until its signal is taken (Z.100 clause 2.8): while it runs, and while that is in the queue.
    fn active(
        &mut self,
        process: usize,
        timer: &Timer,
        values: &[ast::Expression],
        span: Span,
    ) -> ExpressionId {
        let (index, named) = self.timer_index(process, timer, values, span);
        let place = self.part(Base::Local, timer_local(timer), index);
        let mut active = self.node(Expression::Load(place));
        let mut fields = vec![Field::Discard; self.head() - 1];
        fields.extend(named.iter().map(|(value, _)| Field::Match(*value)));
        let saves = self.processes[process].saves;
        for queue in [Some(QUEUE), saves.then_some(SAVED)].into_iter().flatten() {
            let receive = self.receive(queue, timer.signal, fields.clone(), true);
            let there = self.node(Expression::CanReceive(receive));
            active = self.node(Expression::Or(active, there));
        }
        active
    }

    /// Which of the timers of a name is meant, and the values that name it.
    pub(super) fn timer_index(
        &mut self,
        process: usize,
        timer: &Timer,
        values: &[ast::Expression],
        span: Span,
    ) -> (Option<ExpressionId>, Vec<(ExpressionId, Type)>) {
        if values.len() != timer.ranges.len() {
            let count = mazurka_span::counted(timer.ranges.len() as u64, "parameter");
            let name = &self.signals[timer.signal].name;
            let message = format!("`{name}` has {count}, not {}", values.len());
            self.error(codes::WRONG_COUNT, span, message);
            return (None, Vec::new());
        }
        let types = self.signals[timer.signal].parameters.clone();
        let mut named = Vec::new();
        let mut index: Option<ExpressionId> = None;
        for ((value, type_), (low, high)) in values.iter().zip(types).zip(&timer.ranges) {
            let (id, found) = self.value(Some(process), value);
            self.expect_type(value.span, found, type_);
            named.push((id, type_));
            let low = self.constant(*low);
            let length = self.constant(high - timer.ranges[named.len() - 1].0 + 1);
            let part = self.both(BinaryOperator::Subtract, id, low);
            index = Some(match index {
                None => part,
                Some(before) => {
                    let rows = self.both(BinaryOperator::Multiply, before, length);
                    self.both(BinaryOperator::Add, rows, part)
                }
            });
        }
        (index, named)
    }

    /// The process and, from 0, the instance that a property names.
    fn instance(&mut self, instance: &Instance) -> Option<(usize, u32)> {
        let name = key(&instance.process);
        let mut processes = self.processes.iter();
        let Some(process) = processes.position(|process| key(&process.ast.name) == name) else {
            let known: Vec<String> = self.processes.iter().map(|p| key(&p.ast.name)).collect();
            self.unknown(&instance.process, "process", known);
            return None;
        };
        let count = self.processes[process].slots;
        if !(1..=count).contains(&instance.number) {
            let message = format!("its instances are numbered from 1 to {count}");
            self.error(codes::OUT_OF_RANGE, instance.process.span, message);
            return None;
        }
        Some((process, instance.number - 1))
    }

    fn at(&mut self, instance: &Instance, state: &Name) -> (ExpressionId, Type) {
        let Some((process, number)) = self.instance(instance) else {
            return self.wrong();
        };
        let states = &self.processes[process].states;
        // A state that has states is any of its innermost ones.
        let inside = format!("{}.", key(state));
        let is_it = |known: &String| *known == key(state) || known.starts_with(&inside);
        let locations: Vec<u32> = (states.iter().enumerate())
            .filter(|(_, (_, known))| is_it(known))
            .map(|(number, _)| number as u32)
            .collect();
        if locations.is_empty() {
            let known: Vec<String> = states.iter().map(|(_, name)| name.clone()).collect();
            self.unknown(state, "state", known);
            return self.wrong();
        };
        let asked = self.constant((self.processes[process].first + number) as i32);
        let mut any: Option<ExpressionId> = None;
        for location in locations {
            let one = self.node(Expression::At {
                process_type: ProcessTypeId(process as u32),
                process: Some(asked),
                number: super::process::FIRST_STATE + location,
            });
            any = Some(match any {
                None => one,
                Some(before) => self.node(Expression::Or(before, one)),
            });
        }
        match any {
            Some(any) => (any, Type::Boolean),
            None => self.wrong(),
        }
    }

    fn member(&mut self, instance: &Instance, member: &ast::Expression) -> (ExpressionId, Type) {
        let Some((process, number)) = self.instance(instance) else {
            return self.wrong();
        };
        let (name, index) = match &member.kind {
            ExpressionKind::Name(name) => (name, None),
            ExpressionKind::Element(name, index) => {
                (name, self.constant_value(index).map(|(value, _)| value))
            }
            _ => return self.wrong(),
        };
        let Some(local) = self.processes[process].variables.get(&key(name)).copied() else {
            let known = self.names_of_variables(process);
            self.unknown(name, "variable", known);
            return self.wrong();
        };
        let index = index.map(|index| self.constant(index));
        if local.revealed_by.is_some() {
            let number = self.constant(number as i32);
            let place = self.revealed_part(local, process, number, index);
            return (self.node(Expression::Load(place)), local.type_);
        }
        let asked = self.constant((self.processes[process].first + number) as i32);
        let base = Base::Remote(ProcessTypeId(process as u32), Some(asked));
        let place = self.part(base, local, index);
        (self.node(Expression::Load(place)), local.type_)
    }

    pub(super) fn formulas(&mut self) -> Vec<Property> {
        let formulas = self.system.formulas.iter();
        let formulas = formulas.map(|(name, body)| self.property(name, body));
        formulas.collect()
    }
}

impl<'a> LowerFormulas<'a> for Lowerer<'a> {
    type Expression = ast::Expression;
    const TOO_LARGE: Code = codes::TOO_LARGE;

    fn part(expression: &ast::Expression) -> Part<'_, ast::Expression> {
        match &expression.kind {
            ExpressionKind::Unary(operator, operand) => {
                let operator = match operator {
                    Unary::Value(UnaryOperator::Not) => Formula::Not,
                    Unary::Always => Formula::Always,
                    Unary::Eventually => Formula::Eventually,
                    Unary::Next => Formula::Next,
                    Unary::Value(_) => return Part::Condition,
                };
                Part::Unary(operator, operand)
            }
            ExpressionKind::Binary(operator, left, right) => {
                let operator = match operator {
                    Binary::Value(BinaryOperator::And) => Formula::And,
                    Binary::Value(BinaryOperator::Or) => Formula::Or,
                    Binary::Implies => Formula::Implies,
                    Binary::Equivalent => Formula::Equivalent,
                    Binary::Until => Formula::Until,
                    Binary::WeakUntil => Formula::WeakUntil,
                    Binary::Release => Formula::Release,
                    Binary::Value(_)
                    | Binary::Modulo
                    | Binary::AndThen
                    | Binary::OrElse
                    | Binary::Append
                    | Binary::In => return Part::Condition,
                };
                Part::Binary(operator, left, right)
            }
            _ => Part::Condition,
        }
    }

    fn span(expression: &ast::Expression) -> Span {
        expression.span
    }

    fn condition_of(&mut self, expression: &ast::Expression) -> ExpressionId {
        self.condition(None, expression)
    }

    /// Words mean the same in capitals and in small letters.
    fn same(text: String) -> String {
        text.to_ascii_lowercase()
    }
}

/// Where it is kept whether a timer runs.
pub(super) fn timer_local(timer: &Timer) -> Local {
    Local {
        offset: timer.offset,
        type_: Type::Boolean,
        length: (!timer.ranges.is_empty()).then(|| timer.count()),
        revealed_by: None,
    }
}
