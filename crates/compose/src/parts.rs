//! Which machines make up a part, and which bytes of a state are its own.

use std::ops::Range;

use mazurka_model::{
    Base, Expression, ExpressionId, Field, Instruction, Interpreter, PlaceId, Program, ReceiveId,
};

use crate::compose::Trouble;

/// A label has a bit for each part.
const MOST_PARTS: usize = 64;

/// Some of the machines, with their ports and with the variables that only they use.
#[derive(Debug)]
pub(crate) struct Part {
    pub name: String,
    /// Its processes.
    pub processes: Vec<usize>,
    /// Its bytes of a state.
    pub bytes: Vec<Range<usize>>,
    /// Its channels, by their place in the shape.
    pub channels: Vec<usize>,
}

impl Part {
    /// Its bytes of a state.
    pub fn slice(&self, state: &[u8]) -> Vec<u8> {
        let bytes = self.bytes.iter().flat_map(|range| &state[range.clone()]);
        bytes.copied().collect()
    }

    /// Puts its bytes into a state.
    pub fn put(&self, mut slice: &[u8], state: &mut [u8]) {
        for range in &self.bytes {
            let (own, rest) = slice.split_at(range.len());
            state[range.clone()].copy_from_slice(own);
            slice = rest;
        }
    }
}

/// Cuts a system into parts: those that are asked for, and each machine that is not named a part of its own. Machines that share a variable are
/// in one.
pub(crate) fn cut(
    interpreter: &Interpreter,
    initial: &[u8],
    asked: &[Vec<String>],
) -> Result<Vec<Part>, Trouble> {
    let program = interpreter.program();
    let shape = interpreter.shape(initial);
    let count = shape.processes.len();
    let features = program.features;
    let is_fixed = count > 0 && program.instances.len() == count && program.hidden_bytes == 0;
    let waits_for_all = features.timeout
        || features.priority
        || features.provided
        || features.last
        || features.rendezvous;
    // Whoever uses no bytes at all and does use something looks at more than variables and channels.
    let looks_elsewhere =
        |process: &mazurka_model::ProcessEntry| uses(program, process.process_type.0, &(0..0));
    if !is_fixed || waits_for_all || shape.processes.iter().any(looks_elsewhere) {
        let message = "only a system of machines that are all there from the beginning, and that know each other by messages and shared variables alone, can be put together from parts";
        return Err(Trouble::Refused(message.into()));
    }
    // The number of a part for each process.
    let mut part_of: Vec<usize> = (0..count).collect();
    let mut named = vec![false; count];
    for names in asked {
        let mut members = Vec::new();
        for name in names {
            members.extend(instances(program, name)?);
        }
        for member in &members {
            if std::mem::replace(&mut named[*member], true) {
                let name = &program.instances[*member];
                return Err(Trouble::Refused(format!("{name} is in two parts")));
            }
            part_of[*member] = members[0];
        }
    }
    let mut owners = Vec::new();
    for variable in &program.shared {
        let length = variable.kind.bytes() * variable.length.unwrap_or(1);
        let bytes = variable.offset..variable.offset + length;
        let uses =
            |process: &usize| uses(program, shape.processes[*process].process_type.0, &bytes);
        let users: Vec<usize> = (0..count).filter(uses).collect();
        let Some(first) = users.first() else { continue };
        owners.push((bytes, *first));
        for user in &users {
            let (from, to) = (part_of[*user], part_of[*first]);
            if from != to && named[*user] && named[*first] {
                let message = format!(
                    "{} and {} both use `{}`: put them into one part",
                    program.instances[*first], program.instances[*user], variable.name
                );
                return Err(Trouble::Refused(message));
            }
            let both = part_of.iter_mut().filter(|part| **part == from);
            both.for_each(|part| *part = to);
            let is_named = named[*user] || named[*first];
            named[*user] = is_named;
            named[*first] = is_named;
        }
    }
    let mut firsts = part_of.clone();
    firsts.sort_unstable();
    firsts.dedup();
    if firsts.len() > MOST_PARTS {
        let message = format!(
            "there are {} parts; at most {MOST_PARTS} can be put together",
            firsts.len()
        );
        return Err(Trouble::Refused(message));
    }
    let header = mazurka_model::HEADER_BYTES as usize;
    let parts = firsts.into_iter().map(|first| {
        let processes: Vec<usize> = (0..count).filter(|p| part_of[*p] == first).collect();
        let shared = owners.iter().filter(|(_, owner)| part_of[*owner] == first);
        let shared =
            shared.map(|(bytes, _)| header + bytes.start as usize..header + bytes.end as usize);
        let end = |process: usize| match shape.processes.get(process + 1) {
            Some(next) => next.offset as usize,
            None => shape.visible_bytes as usize,
        };
        let frames = processes
            .iter()
            .map(|process| shape.frame(*process)..end(*process));
        let bytes: Vec<Range<usize>> = shared.chain(frames).collect();
        let is_own = |channel: &usize| {
            let offset = shape.channels[*channel].offset as usize;
            bytes.iter().any(|range| range.contains(&offset))
        };
        let names = processes
            .iter()
            .map(|process| program.instances[*process].as_str());
        Part {
            name: names.collect::<Vec<_>>().join(","),
            channels: (0..shape.channels.len()).filter(is_own).collect(),
            processes,
            bytes,
        }
    });
    Ok(parts.collect())
}

/// The machines of this name: one, or all of an array.
pub(crate) fn instances(program: &Program, name: &str) -> Result<Vec<usize>, Trouble> {
    let is_meant = |known: &str| {
        let element = known.strip_prefix(name);
        element.is_some_and(|rest| rest.is_empty() || rest.starts_with('['))
    };
    let known = program.instances.iter().enumerate();
    let found: Vec<usize> = known
        .filter(|(_, known)| is_meant(known))
        .map(|(number, _)| number)
        .collect();
    match found.is_empty() {
        true => Err(Trouble::Refused(format!("there is no machine `{name}`"))),
        false => Ok(found),
    }
}

/// Does anything that a type of process does read or write some of these bytes of the shared variables?
fn uses(program: &Program, process_type: u32, bytes: &Range<u32>) -> bool {
    let uses = Uses { program, bytes };
    let locations = program.process_types[process_type as usize]
        .locations
        .clone();
    let locations = &program.locations[locations.start as usize..locations.end as usize];
    locations.iter().any(|location| {
        let transitions = location.transitions.clone();
        let transitions =
            &program.transitions[transitions.start as usize..transitions.end as usize];
        transitions.iter().any(|transition| {
            let effect = transition.effect.start as usize..transition.effect.end as usize;
            uses.expression(transition.guard)
                || program.code[effect]
                    .iter()
                    .any(|instruction| uses.instruction(instruction))
        })
    })
}

struct Uses<'p> {
    program: &'p Program,
    bytes: &'p Range<u32>,
}

impl Uses<'_> {
    fn instruction(&self, instruction: &Instruction) -> bool {
        match instruction {
            Instruction::Assign(place, value) => self.place(*place) || self.expression(*value),
            Instruction::Send(send) => {
                let send = &self.program.sends[send.index()];
                self.expression(send.channel) || self.list(&send.values)
            }
            Instruction::Receive(receive) => self.receive(*receive),
            Instruction::Assert(value) | Instruction::JumpUnless(value, _) => {
                self.expression(*value)
            }
            Instruction::Print(_, values) => self.list(values),
            Instruction::Jump(_)
            | Instruction::Stop(_)
            | Instruction::Breach(_)
            | Instruction::Stuck => false,
            // Not in what a machine does. Who uses everything is in the one part that there is then.
            Instruction::NewChannel(..)
            | Instruction::Run { .. }
            | Instruction::Die
            | Instruction::SetPriority(..)
            | Instruction::Enter(_) => true,
        }
    }

    fn list(&self, values: &Range<u32>) -> bool {
        let values = &self.program.lists[values.start as usize..values.end as usize];
        values.iter().any(|value| self.expression(*value))
    }

    fn receive(&self, receive: ReceiveId) -> bool {
        let receive = &self.program.receives[receive.index()];
        let fields = receive.fields.start as usize..receive.fields.end as usize;
        self.expression(receive.channel)
            || self.program.fields[fields].iter().any(|field| match field {
                Field::Bind(place) => self.place(*place),
                Field::Match(value) => self.expression(*value),
                Field::Discard => false,
            })
    }

    fn place(&self, place: PlaceId) -> bool {
        let place = &self.program.places[place.index()];
        let indices =
            &self.program.indices[place.indices.start as usize..place.indices.end as usize];
        let last = indices
            .iter()
            .map(|index| index.length.saturating_sub(1) * index.stride);
        let end = place.offset + last.sum::<u32>() + place.kind.bytes();
        let is_here = match place.base {
            Base::Local => false,
            Base::Shared => place.offset < self.bytes.end && self.bytes.start < end,
            Base::Hidden | Base::Remote(..) => true,
        };
        is_here
            || indices
                .iter()
                .any(|index| self.expression(index.expression))
    }

    fn expression(&self, expression: ExpressionId) -> bool {
        match self.program.expressions[expression.index()] {
            Expression::Constant(_)
            | Expression::SelfProcess
            | Expression::ProcessCount
            | Expression::Youngest => false,
            Expression::Load(place) => self.place(place),
            Expression::Unary(_, operand) | Expression::Channel(_, operand) => {
                self.expression(operand)
            }
            Expression::Binary(_, left, right)
            | Expression::And(left, right)
            | Expression::Or(left, right) => self.expression(left) || self.expression(right),
            Expression::Conditional(condition, yes, no) => {
                self.expression(condition) || self.expression(yes) || self.expression(no)
            }
            Expression::CanReceive(receive) => self.receive(receive),
            Expression::LastProcess
            | Expression::Timeout
            | Expression::NoProgress
            | Expression::Enabled(_)
            | Expression::LocationOf(_)
            | Expression::PriorityOf(_)
            | Expression::At { .. }
            | Expression::Marked { .. } => true,
        }
    }
}
