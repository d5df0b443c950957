//! Dead variables: a local variable whose value nobody will read again is set to 0.
//!
//! Two states that differ only in such a variable behave alike; after the reset they are the same
//! state. A variable is live at a location if some path from there reads it before writing it.
//! Only scalars are reset, and nothing of a process that others look into.

use std::collections::HashMap;
use std::ops::Range;

use mazurka_model::{
    Base, Expression, ExpressionId, Field, Instruction, PlaceId, ProcessTypeId, Program, ReceiveId,
};

use crate::bits::Bits;
use crate::constancy::Writes;
use crate::rounds::until_stable;
use crate::used::Used;

/// Adds resets of dead variables to the effects of transitions. Says how many.
pub fn reset_dead_variables(program: &mut Program) -> usize {
    reset_dead_variables_but(program, &|_, _| false)
}

/// The same for all variables but those that are to be kept, by type of process and offset.
pub fn reset_dead_variables_but(
    program: &mut Program,
    keeps: &dyn Fn(usize, u32) -> bool,
) -> usize {
    let watched = Used::by(program)
        .places()
        .any(|place| matches!(program.places[place.index()].base, Base::Remote(..)));
    if watched {
        return 0;
    }
    let mut resets = 0;
    for number in 0..program.process_types.len() {
        // A condition on its execution is read all the time.
        if program.process_types[number].provided.is_some() {
            continue;
        }
        resets += reset_in(program, ProcessTypeId(number as u32), keeps);
    }
    resets
}

/// The scalars of a process type, by offset, and what each transition does to them.
struct Liveness<'p> {
    program: &'p Program,
    /// The number of the variable that each byte of the frame belongs to.
    variables: HashMap<u32, u32>,
    count: usize,
}

fn reset_in(program: &mut Program, id: ProcessTypeId, keeps: &dyn Fn(usize, u32) -> bool) -> usize {
    let process = &program.process_types[id.index()];
    let scalars: Vec<(u32, mazurka_model::Kind)> = process
        .variables
        .iter()
        .filter(|variable| variable.length.is_none())
        .map(|variable| (variable.offset, variable.kind))
        .collect();
    // An element that is chosen at run time may be any scalar of a structure: leave those alone.
    let computed = program
        .places
        .iter()
        .any(|place| place.base == Base::Local && !place.indices.is_empty());
    let indexed: Vec<(u32, u32)> = if computed {
        (0..program.places.len())
            .map(|number| PlaceId(number as u32))
            .filter(|place| {
                let described = &program.places[place.index()];
                described.base == Base::Local && !described.indices.is_empty()
            })
            .map(|place| crate::constancy::span(program, place))
            .collect()
    } else {
        Vec::new()
    };
    // What never changes is worth more as a constant: it may say which channel is meant.
    let writes = Writes::of(program);
    let scalars: Vec<(u32, mazurka_model::Kind)> = scalars
        .into_iter()
        .filter(|(offset, kind)| writes.may_change(id.index(), *offset, offset + kind.bytes()))
        .filter(|(offset, _)| !keeps(id.index(), *offset))
        .filter(|(offset, _)| {
            !indexed
                .iter()
                .any(|(start, end)| start <= offset && offset < end)
        })
        .collect();
    let liveness = Liveness {
        program,
        variables: scalars
            .iter()
            .enumerate()
            .map(|(number, (offset, _))| (*offset, number as u32))
            .collect(),
        count: scalars.len(),
    };
    let live = liveness.solve(id);
    let mut changes: Vec<(usize, Vec<u32>)> = Vec::new();
    for location in process.locations.clone() {
        for number in program.locations[location as usize].transitions.clone() {
            let transition = &program.transitions[number as usize];
            let Some(target) = transition.target else {
                continue;
            };
            let (reads, writes) = liveness.of_transition(number);
            // What was neither touched here nor live before is zero already.
            let dead: Vec<u32> = (0..scalars.len() as u32)
                .filter(|variable| !live[target.index()].contains(*variable))
                .filter(|variable| {
                    reads.contains(*variable)
                        || writes.contains(*variable)
                        || live[location as usize].contains(*variable)
                })
                .collect();
            if !dead.is_empty() {
                changes.push((number as usize, dead));
            }
        }
    }
    let unused: Vec<u32> = (0..scalars.len() as u32)
        .filter(|variable| !live[process.initial.index()].contains(*variable))
        .collect();
    let zero = zero(program);
    let mut resets = 0;
    let start = program.process_types[id.index()].start.clone();
    let assignments: Vec<Instruction> = unused
        .iter()
        .map(|variable| {
            let (offset, kind) = scalars[*variable as usize];
            Instruction::Assign(local_place(program, offset, kind), zero)
        })
        .collect();
    let start = extended(program, start, assignments.into_iter());
    program.process_types[id.index()].start = start;
    for (number, dead) in changes {
        let places: Vec<PlaceId> = dead
            .iter()
            .map(|variable| {
                let (offset, kind) = scalars[*variable as usize];
                local_place(program, offset, kind)
            })
            .collect();
        resets += places.len();
        let old = program.transitions[number].effect.clone();
        let more = places
            .into_iter()
            .map(|place| Instruction::Assign(place, zero));
        program.transitions[number].effect = extended(program, old, more);
    }
    resets
}

impl Liveness<'_> {
    /// For each location of the program, the variables that are live there.
    fn solve(&self, id: ProcessTypeId) -> Vec<Bits> {
        let locations = self.program.process_types[id.index()].locations.clone();
        let mut live = vec![Bits::new(self.count); self.program.locations.len()];
        until_stable(
            locations.start as usize..locations.end as usize,
            |location| {
                let mut changed = false;
                for number in self.program.locations[location].transitions.clone() {
                    let (reads, kills) = self.of_transition_killing(number);
                    let mut before = reads;
                    if let Some(target) = self.program.transitions[number as usize].target {
                        let mut after = live[target.index()].clone();
                        after.remove(&kills);
                        before.join(&after);
                    }
                    changed |= live[location].join(&before);
                }
                changed
            },
        );
        live
    }

    /// What a transition reads, and what it may write.
    fn of_transition(&self, number: u32) -> (Bits, Bits) {
        let (reads, _) = self.of_transition_killing(number);
        let mut writes = Bits::new(self.count);
        for code in self.program.transitions[number as usize].effect.clone() {
            for place in crate::constancy::written(self.program, &self.program.code[code as usize])
            {
                if let Some(variable) = self.variable(place) {
                    writes.insert(variable);
                }
            }
        }
        (reads, writes)
    }

    /// What a transition may read before it writes, and what it certainly writes. An effect with
    /// jumps writes nothing for certain.
    fn of_transition_killing(&self, number: u32) -> (Bits, Bits) {
        let transition = &self.program.transitions[number as usize];
        let mut reads = Bits::new(self.count);
        let mut kills = Bits::new(self.count);
        self.read(transition.guard, &kills.clone(), &mut reads);
        let straight = transition.effect.clone().all(|code| {
            !matches!(
                self.program.code[code as usize],
                Instruction::Jump(_) | Instruction::JumpUnless(..)
            )
        });
        for code in transition.effect.clone() {
            let instruction = &self.program.code[code as usize];
            let known = kills.clone();
            self.instruction_reads(instruction, &known, &mut reads);
            if straight {
                for place in crate::constancy::written(self.program, instruction) {
                    if let Some(variable) = self.variable(place) {
                        kills.insert(variable);
                    }
                }
            }
        }
        (reads, kills)
    }

    fn instruction_reads(&self, instruction: &Instruction, killed: &Bits, reads: &mut Bits) {
        let mut list = |range: &Range<u32>| {
            for number in range.clone() {
                self.read(self.program.lists[number as usize], killed, reads);
            }
        };
        match instruction {
            Instruction::Assign(place, value) => {
                self.read(*value, killed, reads);
                self.read_indices(*place, killed, reads);
            }
            Instruction::Send(send) => {
                let send = &self.program.sends[send.index()];
                list(&send.values);
                self.read(send.channel, killed, reads);
            }
            Instruction::Receive(receive) => self.receive_reads(*receive, killed, reads),
            Instruction::Run {
                arguments, result, ..
            } => {
                list(arguments);
                if let Some(place) = result {
                    self.read_indices(*place, killed, reads);
                }
            }
            Instruction::Print(_, arguments) => list(arguments),
            Instruction::Assert(condition) | Instruction::JumpUnless(condition, _) => {
                self.read(*condition, killed, reads);
            }
            Instruction::SetPriority(process, priority) => {
                self.read(*process, killed, reads);
                self.read(*priority, killed, reads);
            }
            Instruction::NewChannel(..)
            | Instruction::Die
            | Instruction::Jump(_)
            | Instruction::Stuck
            | Instruction::Breach(_)
            | Instruction::Stop(_)
            | Instruction::Enter(_) => {}
        }
    }

    fn receive_reads(&self, receive: ReceiveId, killed: &Bits, reads: &mut Bits) {
        let receive = &self.program.receives[receive.index()];
        self.read(receive.channel, killed, reads);
        for field in receive.fields.clone() {
            match self.program.fields[field as usize] {
                Field::Match(value) => self.read(value, killed, reads),
                Field::Bind(place) => self.read_indices(place, killed, reads),
                Field::Discard => {}
            }
        }
    }

    fn read_indices(&self, place: PlaceId, killed: &Bits, reads: &mut Bits) {
        for index in self.program.places[place.index()].indices.clone() {
            self.read(
                self.program.indices[index as usize].expression,
                killed,
                reads,
            );
        }
    }

    fn read(&self, expression: ExpressionId, killed: &Bits, reads: &mut Bits) {
        match self.program.expressions[expression.index()] {
            Expression::Load(place) => {
                self.read_indices(place, killed, reads);
                if let Some(variable) = self.variable(place)
                    && !killed.contains(variable)
                {
                    reads.insert(variable);
                }
            }
            Expression::CanReceive(receive) => self.receive_reads(receive, killed, reads),
            Expression::Unary(_, a)
            | Expression::Channel(_, a)
            | Expression::Enabled(a)
            | Expression::LocationOf(a)
            | Expression::Marked { process: a, .. }
            | Expression::PriorityOf(a) => self.read(a, killed, reads),
            Expression::Binary(_, a, b) | Expression::And(a, b) | Expression::Or(a, b) => {
                self.read(a, killed, reads);
                self.read(b, killed, reads);
            }
            Expression::Conditional(a, b, c) => {
                self.read(a, killed, reads);
                self.read(b, killed, reads);
                self.read(c, killed, reads);
            }
            Expression::At { process, .. } => {
                if let Some(process) = process {
                    self.read(process, killed, reads);
                }
            }
            Expression::Constant(_)
            | Expression::SelfProcess
            | Expression::ProcessCount
            | Expression::LastProcess
            | Expression::Youngest
            | Expression::Timeout
            | Expression::NoProgress => {}
        }
    }

    fn variable(&self, place: PlaceId) -> Option<u32> {
        let described = &self.program.places[place.index()];
        match described.base {
            Base::Local if described.indices.is_empty() => {
                self.variables.get(&described.offset).copied()
            }
            _ => None,
        }
    }
}

fn zero(program: &mut Program) -> ExpressionId {
    let known = program
        .expressions
        .iter()
        .position(|e| *e == Expression::Constant(0));
    let number = known.unwrap_or_else(|| {
        program.expressions.push(Expression::Constant(0));
        program.expressions.len() - 1
    });
    ExpressionId(number as u32)
}

fn local_place(program: &mut Program, offset: u32, kind: mazurka_model::Kind) -> PlaceId {
    let place = mazurka_model::Place {
        base: Base::Local,
        offset,
        kind,
        indices: 0..0,
    };
    let known = program.places.iter().position(|other| *other == place);
    let number = known.unwrap_or_else(|| {
        program.places.push(place);
        program.places.len() - 1
    });
    PlaceId(number as u32)
}

/// A copy of a range of instructions with more behind it.
fn extended(
    program: &mut Program,
    old: Range<u32>,
    more: impl Iterator<Item = Instruction>,
) -> Range<u32> {
    let start = program.code.len() as u32;
    let moved = |target: u32| target - old.start + start;
    for code in old.clone() {
        let instruction = match program.code[code as usize].clone() {
            Instruction::Jump(target) => Instruction::Jump(moved(target)),
            Instruction::JumpUnless(condition, target) => {
                Instruction::JumpUnless(condition, moved(target))
            }
            other => other,
        };
        program.code.push(instruction);
    }
    program.code.extend(more);
    start..program.code.len() as u32
}
