//! The value of an expression: the definition.
//!
//! Most expressions have flat code ([`crate::flat`]), which answers first. Where it has no answer, this says what the value is, and
//! what is wrong.
//!
//! Evaluation never stops half-way. What has no value (a division by zero, an index out of
//! range) leaves a fault behind and counts as 0; whoever asked looks at the fault afterwards.

use std::cell::Cell;

use crate::channel::channel;
use crate::enabled::can_move;
use crate::expression::{BinaryOperator, ChannelTest, Expression};
use crate::fault::Fault;
use crate::flat::Seat;
use crate::program::{Base, ExpressionId, Place, PlaceId, ProcessTypeId, Program};
use crate::quick::Quick;
use crate::shape::{HEADER_BYTES, LAST_OFFSET, Shape};

/// What an expression is evaluated in.
#[derive(Clone, Copy)]
pub(crate) struct Environment<'a> {
    pub program: &'a Program,
    pub quick: &'a Quick,
    pub shape: &'a Shape,
    pub state: &'a [u8],
    /// The process that asks; only the initialisation of shared variables has none.
    pub process: usize,
    /// The offset of its frame.
    pub frame: usize,
    /// Can nothing else in the system move?
    pub timeout: bool,
    /// The first half of a rendezvous that has been made already.
    pub midway: Option<&'a Midway>,
    /// How many processes have been asked, one by the other, whether they are enabled.
    pub asked: u8,
    /// The first fault met.
    pub fault: &'a Cell<Option<Fault>>,
}

/// Processes that ask each other in a circle whether they are enabled get no answer.
const MOST_ASKED: u8 = 32;

/// A rendezvous between its halves, as the receiver sees it: the sender has moved on, and the
/// message is in the channel.
pub(crate) struct Midway {
    pub sender: usize,
    pub location: u32,
    pub channel: i32,
}

impl<'a> Environment<'a> {
    /// The same state seen by another process.
    #[inline]
    pub fn of_process(self, process: usize) -> Environment<'a> {
        Environment {
            process,
            frame: self.shape.frame(process),
            ..self
        }
    }

    /// Who asks, as flat code knows it.
    #[inline]
    pub fn seat(&self) -> Seat<'a> {
        Seat {
            frame: self.frame,
            process: self.process,
            shape: self.shape,
            is_midway: self.midway.is_some(),
        }
    }

    /// Notes a fault, unless there is one already.
    #[cold]
    pub fn fail(&self, fault: Fault) {
        if self.fault.get().is_none() {
            self.fault.set(Some(fault));
        }
    }

    /// The offset, in its type's range, of the location of a process.
    #[inline]
    pub fn location(&self, process: usize) -> u32 {
        if let Some(midway) = self.midway
            && midway.sender == process
        {
            return midway.location;
        }
        let entry = self.shape.processes[process];
        let process_type = &self.quick.process_types[entry.process_type.index()];
        let offset = (entry.offset + process_type.offset) as usize;
        process_type.kind.read(self.state, offset) as u32 + process_type.first_location
    }

    /// The priority of a process.
    pub fn priority(&self, process: usize) -> i32 {
        let entry = self.shape.processes[process];
        match self.program.process_types[entry.process_type.index()].priority {
            Some(slot) => slot
                .kind
                .read(self.state, (entry.offset + slot.offset) as usize),
            None => 1,
        }
    }

    fn alive(&self, process: i32) -> Option<usize> {
        usize::try_from(process)
            .ok()
            .filter(|process| *process < self.shape.processes.len())
    }

    fn referred(
        &self,
        process_type: ProcessTypeId,
        process: Option<ExpressionId>,
    ) -> Option<usize> {
        match process {
            Some(expression) => self.alive(evaluate(self, expression)),
            None => self
                .shape
                .processes
                .iter()
                .position(|entry| entry.process_type == process_type),
        }
    }
}

/// The value of `expression`.
#[inline]
pub(crate) fn evaluate(env: &Environment<'_>, expression: ExpressionId) -> i32 {
    match env.quick.flat.value(env.state, &env.seat(), expression) {
        Some(value) => {
            debug_assert!(is_defined_as(env, expression, value));
            value
        }
        None => define(env, expression),
    }
}

/// Is this the value of an expression by definition, without a fault?
pub(crate) fn is_defined_as(env: &Environment<'_>, expression: ExpressionId, value: i32) -> bool {
    let fault = Cell::new(None);
    let env = Environment {
        fault: &fault,
        ..*env
    };
    define(&env, expression) == value && fault.get().is_none()
}

/// What the value of an expression is, by definition.
fn define(env: &Environment<'_>, expression: ExpressionId) -> i32 {
    match env.program.expressions[expression.index()] {
        Expression::Constant(value) => value,
        Expression::Load(place) => load(env, place),
        Expression::Unary(operator, operand) => operator.apply(evaluate(env, operand)),
        Expression::Binary(operator, left, right) => {
            let left = evaluate(env, left);
            let right = evaluate(env, right);
            binary(env, operator, left, right)
        }
        Expression::And(left, right) => {
            i32::from(evaluate(env, left) != 0 && evaluate(env, right) != 0)
        }
        Expression::Or(left, right) => {
            i32::from(evaluate(env, left) != 0 || evaluate(env, right) != 0)
        }
        Expression::Conditional(condition, yes, no) => {
            let chosen = if evaluate(env, condition) != 0 {
                yes
            } else {
                no
            };
            evaluate(env, chosen)
        }
        Expression::Channel(test, operand) => {
            let number = evaluate(env, operand);
            match (channel(env, number), env.midway) {
                (Some(channel), Some(midway)) if midway.channel == number => {
                    channel_test(test, 1, channel.room())
                }
                (Some(channel), _) => channel_test(test, channel.length(), channel.room()),
                (None, _) => 0,
            }
        }
        Expression::CanReceive(receive) => {
            i32::from(crate::channel::can_receive(env, receive).is_some())
        }
        Expression::SelfProcess => env.process as i32,
        Expression::ProcessCount => env.shape.processes.len() as i32,
        Expression::LastProcess => match env.midway {
            Some(midway) => midway.sender as i32,
            None => i32::from(env.state[LAST_OFFSET]),
        },
        Expression::Youngest => i32::from(env.process + 1 == env.shape.processes.len()),
        Expression::Timeout => i32::from(env.timeout),
        Expression::NoProgress => i32::from(
            (0..env.shape.processes.len())
                .all(|process| !env.program.locations[env.location(process) as usize].progress),
        ),
        Expression::Enabled(operand) => {
            let asked = evaluate(env, operand);
            if asked == env.process as i32 || env.asked == MOST_ASKED {
                env.fail(Fault::EnabledSelf);
                return 0;
            }
            let env = Environment {
                asked: env.asked + 1,
                ..*env
            };
            i32::from(
                env.alive(asked)
                    .is_some_and(|process| can_move(&env, process)),
            )
        }
        Expression::LocationOf(operand) => match env.alive(evaluate(env, operand)) {
            Some(process) => env.program.locations[env.location(process) as usize].number as i32,
            None => 0,
        },
        Expression::PriorityOf(operand) => match env.alive(evaluate(env, operand)) {
            Some(process) => env.priority(process),
            None => 0,
        },
        Expression::Marked { process, mark } => match env.alive(evaluate(env, process)) {
            Some(process) => {
                let location = &env.program.locations[env.location(process) as usize];
                i32::from(location.marks >> mark & 1 != 0)
            }
            None => 0,
        },
        Expression::At {
            process_type,
            process,
            number,
        } => match env.referred(process_type, process) {
            Some(process) => i32::from(
                env.shape.processes[process].process_type == process_type
                    && env.program.locations[env.location(process) as usize].number == number,
            ),
            None => 0,
        },
    }
}

/// The value of a variable.
#[inline]
pub(crate) fn load(env: &Environment<'_>, place: PlaceId) -> i32 {
    let place = &env.program.places[place.index()];
    match address(env, place) {
        Some(offset) => place.kind.read(env.state, offset),
        None => 0,
    }
}

/// Where a place is in the state; nowhere if an index is out of range or its process is gone.
#[inline]
pub(crate) fn address(env: &Environment<'_>, place: &Place) -> Option<usize> {
    let base = match place.base {
        Base::Shared => HEADER_BYTES as usize,
        Base::Local => env.frame,
        Base::Hidden => env.shape.visible_bytes as usize,
        Base::Remote(process_type, process) => remote_frame(env, process_type, process)?,
    };
    let mut offset = base + place.offset as usize;
    if !place.indices.is_empty() {
        for index in &env.program.indices[place.indices.start as usize..place.indices.end as usize]
        {
            let value = evaluate(env, index.expression);
            if value < 0 || value as u32 >= index.length {
                env.fail(Fault::IndexOutOfRange {
                    index: value,
                    length: index.length,
                });
                return None;
            }
            offset += value as usize * index.stride as usize;
        }
    }
    Some(offset)
}

/// A process that is gone has no variables left; reading one gives 0, as in SPIN.
fn remote_frame(
    env: &Environment<'_>,
    process_type: ProcessTypeId,
    process: Option<ExpressionId>,
) -> Option<usize> {
    let process = env.referred(process_type, process)?;
    if env.shape.processes[process].process_type != process_type {
        env.fail(Fault::WrongProcessType(process as i32));
        return None;
    }
    Some(env.shape.frame(process))
}

#[inline]
fn binary(env: &Environment<'_>, operator: BinaryOperator, left: i32, right: i32) -> i32 {
    operator.apply(left, right).unwrap_or_else(|| {
        let divides = matches!(
            operator.wrapping(),
            BinaryOperator::Divide | BinaryOperator::Remainder
        );
        env.fail(match divides && right == 0 {
            true => Fault::DivisionByZero,
            false => Fault::NumberTooLarge,
        });
        0
    })
}

fn channel_test(test: ChannelTest, length: u32, room: u32) -> i32 {
    match test {
        ChannelTest::Length => length as i32,
        ChannelTest::Empty => i32::from(length == 0),
        ChannelTest::NotEmpty => i32::from(length > 0),
        ChannelTest::Full => i32::from(length == room),
        ChannelTest::NotFull => i32::from(length < room),
    }
}
