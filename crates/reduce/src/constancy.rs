//! How long the value of an expression stays the same.
//!
//! Which element of an array, or which channel, an operation means may be known exactly if the
//! expression that says so cannot change: for as long as the process lives, or at least as long
//! as it does not move.

use crate::bounds::reach;
use mazurka_model::{Base, Expression, ExpressionId, Field, Instruction, PlaceId, Program};

/// How long a value stays the same, longest first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Constancy {
    /// As long as the process lives.
    Instance,
    /// As long as the process does not move.
    Standing,
    /// Others can change it at any time.
    Volatile,
}

/// Does no transition write a shared variable, nor any element of it if it is an array?
pub fn is_never_written(program: &Program, place: PlaceId) -> bool {
    let (start, end) = span(program, place);
    program.places[place.index()].base == Base::Shared
        && !Writes::of(program).shared[start as usize..end as usize].contains(&true)
}

/// What is written after the start.
#[derive(Debug)]
pub(crate) struct Writes {
    shared: Vec<bool>,
    /// For each process type, the bytes of its frame.
    local: Vec<Vec<bool>>,
    /// How many messages channels hold, if all hold the same number of them.
    capacity: Option<u32>,
}

impl Writes {
    /// Finds all bytes of variables that some transition may write.
    pub fn of(program: &Program) -> Writes {
        let mut writes = Writes {
            shared: vec![false; program.shared_bytes as usize],
            local: program
                .process_types
                .iter()
                .map(|process| vec![false; process.frame_bytes as usize])
                .collect(),
            capacity: only(
                program
                    .code
                    .iter()
                    .filter_map(|code| capacity_made(program, code))
                    .filter(|capacity| *capacity > 0),
            ),
        };
        for (number, process) in program.process_types.iter().enumerate() {
            for location in process.locations.clone() {
                for transition in program.locations[location as usize].transitions.clone() {
                    let effect = program.transitions[transition as usize].effect.clone();
                    for code in effect {
                        for place in written(program, &program.code[code as usize]) {
                            writes.mark(program, number, place);
                        }
                    }
                }
            }
        }
        writes
    }

    fn mark(&mut self, program: &Program, process_type: usize, place: PlaceId) {
        let described = &program.places[place.index()];
        let (start, end) = reach(program, place);
        let part = match described.base {
            Base::Shared => &mut self.shared,
            Base::Local => &mut self.local[process_type],
            Base::Hidden | Base::Remote(..) => return,
        };
        for byte in &mut part[start as usize..end as usize] {
            *byte = true;
        }
    }

    /// Are these bytes of the shared variables never written after the start?
    pub fn is_fixed(&self, (start, end): (u32, u32)) -> bool {
        !self.shared[start as usize..end as usize].contains(&true)
    }

    /// Is some of these bytes of the frame of a process ever written after its start?
    pub fn may_change(&self, process_type: usize, start: u32, end: u32) -> bool {
        self.local[process_type][start as usize..end as usize].contains(&true)
    }

    /// How long the value of an expression stays the same for a process of a type.
    pub fn constancy(
        &self,
        program: &Program,
        process_type: usize,
        expression: ExpressionId,
    ) -> Constancy {
        let of = |e: ExpressionId| self.constancy(program, process_type, e);
        match program.expressions[expression.index()] {
            Expression::Constant(_) | Expression::SelfProcess => Constancy::Instance,
            Expression::Load(place) => {
                let described = &program.places[place.index()];
                let (start, end) = reach(program, place);
                let range = start as usize..end as usize;
                let own = match described.base {
                    Base::Shared if !self.shared[range.clone()].contains(&true) => {
                        Constancy::Instance
                    }
                    Base::Local if !self.local[process_type][range].contains(&true) => {
                        Constancy::Instance
                    }
                    Base::Local => Constancy::Standing,
                    _ => Constancy::Volatile,
                };
                described
                    .indices
                    .clone()
                    .map(|index| of(program.indices[index as usize].expression))
                    .fold(own, Constancy::max)
            }
            Expression::Unary(_, operand) => of(operand),
            Expression::Binary(_, left, right)
            | Expression::And(left, right)
            | Expression::Or(left, right) => of(left).max(of(right)),
            Expression::Conditional(condition, yes, no) => of(condition).max(of(yes)).max(of(no)),
            _ => Constancy::Volatile,
        }
    }

    /// How many messages the channel holds that an expression names, if that is one number whichever it is. Channels that
    /// never hold a message do not count: nothing changes what is told of them.
    pub fn capacity(
        &self,
        program: &Program,
        process_type: u32,
        name: ExpressionId,
    ) -> Option<u32> {
        if self.capacity.is_some() {
            return self.capacity;
        }
        let Expression::Load(place) = program.expressions[name.index()] else {
            return None;
        };
        // What the start puts there stays there.
        let (start, end) = span(program, place);
        let range = start as usize..end as usize;
        let (code, changes) = match program.places[place.index()].base {
            Base::Shared => (&program.start, self.shared[range].contains(&true)),
            Base::Local => {
                let number = process_type as usize;
                let changes = self.local[number][range].contains(&true);
                (&program.process_types[number].start, changes)
            }
            Base::Hidden | Base::Remote(..) => return None,
        };
        let base = program.places[place.index()].base;
        let puts = |instruction: &&Instruction| {
            written(program, instruction).iter().any(|other| {
                let (from, to) = span(program, *other);
                program.places[other.index()].base == base && from < end && start < to
            })
        };
        let parameters = &program.process_types[process_type as usize].parameters;
        let is_given = base == Base::Local
            && parameters.iter().any(|parameter| {
                let (from, to) = span(program, *parameter);
                from < end && start < to
            });
        if changes || is_given {
            return None;
        }
        let code = &program.code[code.start as usize..code.end as usize];
        let put: Option<Vec<u32>> = code
            .iter()
            .filter(puts)
            .map(|code| capacity_made(program, code))
            .collect();
        only(put?.into_iter())
    }

    /// How long the address of a place stays the same.
    pub fn address_constancy(
        &self,
        program: &Program,
        process_type: usize,
        place: PlaceId,
    ) -> Constancy {
        let described = &program.places[place.index()];
        described
            .indices
            .clone()
            .map(|index| {
                let expression = program.indices[index as usize].expression;
                self.constancy(program, process_type, expression)
            })
            .fold(Constancy::Instance, Constancy::max)
    }
}

/// How many messages the channel holds that an instruction makes.
fn capacity_made(program: &Program, instruction: &Instruction) -> Option<u32> {
    match instruction {
        Instruction::NewChannel(_, made) => Some(program.channel_types[made.index()].capacity),
        _ => None,
    }
}

/// The number that all are, if there are any.
fn only(mut numbers: impl Iterator<Item = u32>) -> Option<u32> {
    let first = numbers.next()?;
    numbers.all(|number| number == first).then_some(first)
}

/// The bytes that a place may be, in its part of the state.
pub(crate) fn span(program: &Program, place: PlaceId) -> (u32, u32) {
    let place = &program.places[place.index()];
    let reach: u32 = place
        .indices
        .clone()
        .map(|index| {
            let index = &program.indices[index as usize];
            (index.length - 1) * index.stride
        })
        .sum();
    (place.offset, place.offset + reach + place.kind.bytes())
}

/// The places that an instruction writes.
pub(crate) fn written(program: &Program, instruction: &Instruction) -> Vec<PlaceId> {
    match instruction {
        Instruction::Assign(place, _) | Instruction::NewChannel(place, _) => vec![*place],
        Instruction::Run { result, .. } => result.iter().copied().collect(),
        Instruction::Receive(receive) => {
            let fields = program.receives[receive.index()].fields.clone();
            program.fields[fields.start as usize..fields.end as usize]
                .iter()
                .filter_map(|field| match field {
                    Field::Bind(place) => Some(*place),
                    _ => None,
                })
                .collect()
        }
        _ => Vec::new(),
    }
}
