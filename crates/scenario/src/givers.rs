//! Who could give what a process waits for, as far as the text tells.
//!
//! A process is a giver if, from where it is, it may come to a statement that does what is needed, itself or by a process that it
//! starts. It moves before it gets there, so of its values only those count that nobody changes on the way: an index that may become
//! another may be any, and so may a channel. That a process is called a giver in vain is possible, that one is left out is not, but for
//! a counter that would have to pass its largest value in several steps.

use std::ops::Range;

use mazurka_model::{
    Base, BinaryOperator, Expression, ExpressionId, Field, Instruction, Kind, PlaceId,
    ProcessTypeId, Program, ReceiveId, SendId, UnaryOperator,
};

use crate::names::name_of_process;
use crate::waiting::{Giver, Need, Question, Shared};
use crate::wish::Wish;

impl Question<'_> {
    /// The processes that could give what is needed, from where they are.
    pub(crate) fn givers(&self, needs: &[Need]) -> Vec<Giver> {
        let processes = 0..self.interpreter.shape(self.state).processes.len();
        let gives = |process: &usize| *process != self.process && self.gives(*process, needs);
        let givers = processes.filter(gives);
        givers
            .map(|process| Giver {
                process: process as u32,
                name: name_of_process(self.interpreter, self.state, process),
            })
            .collect()
    }

    fn gives(&self, process: usize, needs: &[Need]) -> bool {
        let giving = Giving::new(self, process);
        needs.iter().any(|need| match need {
            Need::Step(wanted) => *wanted == process,
            Need::Younger => process > self.process,
            // This one is not asked.
            Need::Others => true,
            need => giving.comes_to_give(*need),
        })
    }

    /// Can a message that is sent be the one that is to be received, as far as both are known?
    pub(crate) fn fits(
        &self,
        channel: i32,
        sent: (SendId, &dyn Fn(ExpressionId) -> Option<i32>),
        received: (ReceiveId, &dyn Fn(ExpressionId) -> Option<i32>),
    ) -> bool {
        let program = self.program;
        let shape = self.interpreter.shape(self.state);
        let index = usize::try_from(channel.wrapping_sub(1)).unwrap_or(usize::MAX);
        let Some(entry) = shape.channels.get(index) else {
            return true;
        };
        let kinds = &program.channel_types[entry.channel_type.index()].fields;
        let values = &program.lists[span(&program.sends[sent.0.index()].values)];
        let fields = &program.fields[span(&program.receives[received.0.index()].fields)];
        let mut pairs = values.iter().zip(fields).zip(kinds);
        pairs.all(|((value, field), kind)| match field {
            Field::Match(wanted) => match ((sent.1)(*value), (received.1)(*wanted)) {
                (Some(value), Some(wanted)) => kind.kind.cast(value) == wanted,
                _ => true,
            },
            Field::Bind(_) | Field::Discard => true,
        })
    }
}

/// A process that may come to give something.
struct Giving<'a> {
    question: &'a Question<'a>,
    process: usize,
    /// The local variables that it writes wherever it may come to, whatever its conditions say.
    written: Vec<Range<u32>>,
    /// The types of processes that it may start, and that these may start.
    started: Vec<ProcessTypeId>,
}

/// The locations of a type of process that were met.
struct Reached {
    first: u32,
    known: Vec<bool>,
}

impl Reached {
    /// Whether it is a new one.
    fn insert(&mut self, location: u32) -> bool {
        !std::mem::replace(&mut self.known[(location - self.first) as usize], true)
    }
}

/// Who executes an instruction: the process itself, or one that it has started, of which no values are known.
#[derive(Clone, Copy, PartialEq)]
enum Who {
    Itself,
    Started,
}

impl<'a> Giving<'a> {
    fn new(question: &'a Question<'a>, process: usize) -> Self {
        let mut giving = Giving {
            question,
            process,
            written: Vec::new(),
            started: Vec::new(),
        };
        let program = question.program;
        let mut reached = giving.nowhere();
        let mut open = vec![giving.here()];
        while let Some(location) = open.pop() {
            if !reached.insert(location) {
                continue;
            }
            for number in program.locations[location as usize].transitions.clone() {
                let transition = &program.transitions[number as usize];
                open.extend(transition.target.map(|target| target.0));
            }
            for instruction in instructions(program, location) {
                let places = places_written(program, instruction).into_iter();
                let local =
                    places.filter(|place| program.places[place.index()].base == Base::Local);
                giving
                    .written
                    .extend(local.map(|place| extent(program, place)));
                giving.start(instruction);
            }
        }
        giving.written.sort_by_key(|range| (range.start, range.end));
        giving.written.dedup();
        giving
    }

    /// Notes the type of process that an instruction starts, and what that starts.
    fn start(&mut self, instruction: &Instruction) {
        let program = self.question.program;
        let mut open: Vec<ProcessTypeId> = started(instruction).into_iter().collect();
        while let Some(process_type) = open.pop() {
            if self.started.contains(&process_type) {
                continue;
            }
            self.started.push(process_type);
            open.extend(instructions_of(program, process_type).filter_map(started));
        }
    }

    /// No location of its type.
    fn nowhere(&self) -> Reached {
        let question = self.question;
        let entry = question.interpreter.shape(question.state).processes[self.process];
        let locations = &question.program.process_types[entry.process_type.index()].locations;
        Reached {
            first: locations.start,
            known: vec![false; locations.len()],
        }
    }

    fn here(&self) -> u32 {
        let question = self.question;
        question
            .interpreter
            .location(question.state, self.process)
            .0
    }

    /// May it come to a deed without waiting for the same itself?
    fn comes_to_give(&self, need: Need) -> bool {
        let program = self.question.program;
        let here = self.here();
        let mut reached = self.nowhere();
        let mut open = vec![here];
        let mut starts = false;
        while let Some(location) = open.pop() {
            if !reached.insert(location) {
                continue;
            }
            for number in program.locations[location as usize].transitions.clone() {
                let transition = &program.transitions[number as usize];
                if self.demands(transition.guard, true, need, location == here) {
                    continue;
                }
                for instruction in &program.code[span(&transition.effect)] {
                    if self.is_deed(Who::Itself, instruction, need) {
                        return true;
                    }
                    starts |= started(instruction).is_some();
                }
                open.extend(transition.target.map(|target| target.0));
            }
        }
        // What a process does that it starts is its doing.
        let types = self.started.iter().filter(|_| starts);
        let mut deeds = types.flat_map(|started| instructions_of(program, *started));
        deeds.any(|instruction| self.is_deed(Who::Started, instruction, need))
    }

    /// Is a condition as said only once the need is met? Its values are known where the process is, and elsewhere if they stay.
    fn demands(&self, condition: ExpressionId, truth: bool, need: Need, is_here: bool) -> bool {
        let Need::Writer(wanted, wish) = need else {
            return false;
        };
        let demands = |part, truth| self.demands(part, truth, need, is_here);
        let question = self.question;
        match question.program.expressions[condition.index()] {
            Expression::Unary(UnaryOperator::Not, inner) => demands(inner, !truth),
            Expression::And(left, right) => match truth {
                true => demands(left, true) || demands(right, true),
                false => demands(left, false) && demands(right, false),
            },
            Expression::Or(left, right) => match truth {
                true => demands(left, true) && demands(right, true),
                false => demands(left, false) || demands(right, false),
            },
            _ => {
                let compared = question.comparison(self.process, condition, truth);
                compared.is_some_and(|(place, shared, demanded)| {
                    let is_known = is_here || self.stays_but_for(condition, place);
                    is_known && shared == wanted && demanded.implies(wish)
                })
            }
        }
    }

    /// Does an instruction do something that is needed?
    fn is_deed(&self, who: Who, instruction: &Instruction, need: Need) -> bool {
        let program = self.question.program;
        let written = |place: PlaceId| match need {
            Need::Writer(wanted, wish) if self.may_be(who, place, wanted) => Some(wish),
            _ => None,
        };
        // A channel that a variable does not hold yet may be any.
        let is_on = |channel: ExpressionId, wanted: i32| {
            self.value(who, channel)
                .is_none_or(|number| number == wanted)
        };
        let own = |expression: ExpressionId| self.value(who, expression);
        let asked = |expression: ExpressionId| self.question.value(expression);
        match instruction {
            Instruction::Assign(place, value) => {
                let kind = program.places[place.index()].kind;
                written(*place).is_some_and(|wish| self.may_meet(who, kind, *value, need, wish))
            }
            Instruction::Send(send) => match need {
                Need::Sender(number, receive) => {
                    let fits =
                        |receive| self.question.fits(number, (*send, &own), (receive, &asked));
                    is_on(program.sends[send.index()].channel, number) && receive.is_none_or(fits)
                }
                _ => false,
            },
            Instruction::Receive(receive) => {
                let receives = match need {
                    Need::Receiver(number, send) => {
                        let fits =
                            |send| self.question.fits(number, (send, &asked), (*receive, &own));
                        is_on(program.receives[receive.index()].channel, number)
                            && send.is_none_or(fits)
                    }
                    _ => false,
                };
                let places = places_written(program, instruction);
                receives || places.into_iter().any(|place| written(place).is_some())
            }
            other => {
                let places = places_written(program, other);
                places.into_iter().any(|place| written(place).is_some())
            }
        }
    }

    /// May what is wished of a variable come of assigning a value to it?
    fn may_meet(&self, who: Who, kind: Kind, value: ExpressionId, need: Need, wish: Wish) -> bool {
        let expressions = &self.question.program.expressions;
        let constant = |side: ExpressionId| match expressions[side.index()] {
            Expression::Constant(number) => Some(number),
            _ => None,
        };
        let is_itself = |side: ExpressionId| match (expressions[side.index()], need) {
            (Expression::Load(place), Need::Writer(wanted, _)) => {
                self.offset(who, place) == Some(wanted.offset) && self.may_be(who, place, wanted)
            }
            _ => false,
        };
        let value = match expressions[value.index()] {
            Expression::Binary(operator, left, right) => {
                Expression::Binary(operator.wrapping(), left, right)
            }
            other => other,
        };
        let (itself, added) = match value {
            Expression::Constant(number) => return wish.is_met(kind.cast(number)),
            Expression::Binary(BinaryOperator::Add, left, right) if is_itself(left) => {
                (left, constant(right))
            }
            Expression::Binary(BinaryOperator::Add, left, right) if is_itself(right) => {
                (right, constant(left))
            }
            Expression::Binary(BinaryOperator::Subtract, left, right) if is_itself(left) => {
                (left, constant(right).map(i32::wrapping_neg))
            }
            _ => return true,
        };
        added.is_none_or(|amount| {
            // One step may pass the largest value.
            let now = self.question.value_for(self.process, itself);
            let then = now.map(|now| kind.cast(now.wrapping_add(amount)));
            wish.is_met_by_adding(amount) || then.is_some_and(|then| wish.is_met(then))
        })
    }

    /// The value of an expression, if it is known wherever the process comes to.
    fn value(&self, who: Who, expression: ExpressionId) -> Option<i32> {
        let question = self.question;
        let mut leaves = question.program.leaves(expression).into_iter();
        let is_known = leaves.all(|leaf| self.stays(who, leaf));
        is_known
            .then(|| question.value_for(self.process, expression))
            .flatten()
    }

    /// Does a variable, or what else an expression reads, keep its value?
    fn stays(&self, who: Who, leaf: ExpressionId) -> bool {
        let question = self.question;
        match question.program.expressions[leaf.index()] {
            Expression::Load(place) => {
                let base = question.program.places[place.index()].base;
                let here = extent(question.program, place);
                match base {
                    Base::Local => {
                        who == Who::Itself && !self.written.iter().any(|it| overlap(it, &here))
                    }
                    Base::Shared | Base::Hidden => {
                        let [shared, hidden] = question.written();
                        let all = if base == Base::Hidden { hidden } else { shared };
                        !all.iter().any(|it| overlap(it, &here))
                    }
                    Base::Remote(..) => false,
                }
            }
            Expression::SelfProcess => who == Who::Itself,
            _ => false,
        }
    }

    /// Does all that a condition reads keep its value, but for the variable that it asks about?
    fn stays_but_for(&self, condition: ExpressionId, asked: PlaceId) -> bool {
        let program = self.question.program;
        let is_it =
            |leaf: &ExpressionId| program.expressions[leaf.index()] == Expression::Load(asked);
        let leaves = program.leaves(condition).into_iter();
        let mut others = leaves.filter(|leaf| !is_it(leaf));
        others.all(|leaf| self.stays(Who::Itself, leaf))
    }

    /// May a place be this shared variable when the process comes to it?
    fn may_be(&self, who: Who, place: PlaceId, wanted: Shared) -> bool {
        let program = self.question.program;
        let is_there = match program.places[place.index()].base {
            Base::Shared => !wanted.is_hidden,
            Base::Hidden => wanted.is_hidden,
            Base::Local | Base::Remote(..) => false,
        };
        is_there
            && match self.offset(who, place) {
                Some(offset) => offset == wanted.offset,
                None => extent(program, place).contains(&wanted.offset),
            }
    }

    /// Where a place is in its part of the state, if its indices are known.
    fn offset(&self, who: Who, place: PlaceId) -> Option<u32> {
        let program = self.question.program;
        let place = &program.places[place.index()];
        let mut offset = place.offset;
        for index in &program.indices[span(&place.indices)] {
            let element = u32::try_from(self.value(who, index.expression)?).ok()?;
            offset += element.checked_mul(index.stride)?;
        }
        Some(offset)
    }
}

fn span(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

fn overlap(one: &Range<u32>, other: &Range<u32>) -> bool {
    one.start < other.end && other.start < one.end
}

/// The bytes that a place may be, whatever its indices.
fn extent(program: &Program, place: PlaceId) -> Range<u32> {
    let place = &program.places[place.index()];
    let indices = &program.indices[span(&place.indices)];
    let last = indices
        .iter()
        .map(|index| index.length.saturating_sub(1) * index.stride);
    place.offset..place.offset + last.sum::<u32>() + place.kind.bytes()
}

/// What is executed at a location.
fn instructions(program: &Program, location: u32) -> impl Iterator<Item = &Instruction> {
    let transitions = program.locations[location as usize].transitions.clone();
    transitions.flat_map(|number| {
        let transition = &program.transitions[number as usize];
        &program.code[span(&transition.effect)]
    })
}

/// What processes of a type execute, from their start on.
fn instructions_of(
    program: &Program,
    process_type: ProcessTypeId,
) -> impl Iterator<Item = &Instruction> {
    let process_type = &program.process_types[process_type.index()];
    let locations = process_type.locations.clone();
    program.code[span(&process_type.start)]
        .iter()
        .chain(locations.flat_map(|location| instructions(program, location)))
}

/// What an instruction writes.
fn places_written(program: &Program, instruction: &Instruction) -> Vec<PlaceId> {
    match instruction {
        Instruction::Assign(place, _) | Instruction::NewChannel(place, _) => vec![*place],
        Instruction::Run { result, .. } => result.iter().copied().collect(),
        Instruction::Receive(receive) => {
            let fields = &program.fields[span(&program.receives[receive.index()].fields)];
            let bound = fields.iter().filter_map(|field| match field {
                Field::Bind(place) => Some(*place),
                Field::Match(_) | Field::Discard => None,
            });
            bound.collect()
        }
        _ => Vec::new(),
    }
}

/// The type of the process that an instruction starts.
fn started(instruction: &Instruction) -> Option<ProcessTypeId> {
    match instruction {
        Instruction::Run { process_type, .. } => Some(*process_type),
        _ => None,
    }
}

/// The shared variables that processes write, and the hidden ones.
pub(crate) fn written(program: &Program) -> [Vec<Range<u32>>; 2] {
    let types = 0..program.process_types.len() as u32;
    let all = types.flat_map(|number| instructions_of(program, ProcessTypeId(number)));
    let places: Vec<PlaceId> = all
        .flat_map(|instruction| places_written(program, instruction))
        .collect();
    [Base::Shared, Base::Hidden].map(|base| {
        let there = places
            .iter()
            .filter(|place| program.places[place.index()].base == base);
        let mut ranges: Vec<Range<u32>> = there.map(|place| extent(program, *place)).collect();
        ranges.sort_by_key(|range| (range.start, range.end));
        ranges.dedup();
        ranges
    })
}
