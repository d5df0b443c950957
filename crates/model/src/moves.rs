//! Transitions that flat code can carry out, and running on inside an atomic sequence.
//!
//! Most transitions do one thing: assign, test, send, receive. Such a *move* is carried out on the state itself, or left alone if
//! something would be wrong with it; then the definition (`enabled.rs`, `execute.rs`) says what. A process inside an atomic sequence
//! mostly has one step, so it is moved as long as that is so ([`Interpreter::run_on`]).

use crate::channel;
use crate::flat::{Flat, Node, Operand, Seat, Target, plain};
use crate::instruction::{Field, Instruction};
use crate::interpreter::Interpreter;
use crate::program::{
    ExpressionId, Handshake, PlaceId, Program, ReceiveId, SendId, Transition, TransitionId,
};
use crate::shape::{CONTROL_OFFSET, ChannelEntry, LAST_OFFSET};
use crate::step::Step;

/// The transitions of a program as moves.
#[derive(Debug)]
pub(crate) struct Moves {
    /// By number of the transition.
    moves: Vec<Move>,
    acts: Vec<Act>,
    /// By number of the location.
    places: Vec<Choice>,
}

/// What flat code can say about the steps of a location.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Choice {
    /// Nothing: others have a say, or a guard has no flat code.
    Unknown,
    /// The guards alone say which steps there are.
    Guards,
    /// There is one transition, and it is always possible.
    Sole(u32),
    /// There are two, this one and the next: the guard says which of them is possible.
    Either(Operand, u32),
    /// The same, where the guard is one operator on fields.
    Plain(Node, u32),
}

/// A transition.
#[derive(Clone, Copy, Debug)]
struct Move {
    guard: ExpressionId,
    /// What it does, a range.
    first: u32,
    end: u32,
    target: u32,
    group: u32,
    is_open: bool,
    otherwise: bool,
    holds: bool,
    /// Can all that it does be carried out?
    is_flat: bool,
    /// Is all of it carried out, one after the other?
    is_straight: bool,
    /// Is it carried out as a whole, or not at all?
    is_whole: bool,
}

/// What a move does. There is one for each instruction of the effect, so that jumps lead to the same places.
#[derive(Clone, Copy, Debug)]
enum Act {
    /// Assigns to a variable.
    Put(Target, Operand),
    /// Assigns the value of one operator on fields.
    Compute(Target, Node),
    /// Adds a constant to a variable.
    Add(Target, i32),
    /// Assigns to an element.
    Assign(PlaceId, Operand),
    Assert(Operand),
    Send(SendId),
    Receive(ReceiveId),
    /// Goes on at another act.
    Jump(u32),
    /// The same, if the condition is false.
    JumpUnless(Operand, u32),
    /// The same, where the condition is one operator on fields.
    JumpUnlessPlain(Node, u32),
    /// Something that nobody reads.
    Nothing,
    /// Something is wrong here; the definition says what.
    Wrong,
}

/// A move that takes more acts is left to the definition, which has a limit of its own.
const MOST_ACTS: u32 = 1_000_000;

impl Moves {
    pub fn new(program: &Program, flat: &Flat) -> Moves {
        let mut acts = Vec::new();
        let moves: Vec<Move> = (program.transitions.iter())
            .map(|transition| one_move(program, flat, transition, &mut acts))
            .collect();
        let features = &program.features;
        // Others have a say in who may move.
        let is_free = !(features.priority || features.provided);
        let is_known = |transition: &Transition| {
            flat.has(transition.guard)
                && (!features.rendezvous || transition.handshake == Handshake::Apart)
        };
        let places = program.locations.iter().map(|location| {
            let range = location.transitions.start as usize..location.transitions.end as usize;
            if !is_free || !program.transitions[range.clone()].iter().all(is_known) {
                return Choice::Unknown;
            }
            let first = location.transitions.start;
            match &moves[range] {
                [one] if one.is_open => Choice::Sole(first),
                [one, other] if !one.otherwise && other.otherwise && other.is_open => {
                    match flat.as_plain(one.guard) {
                        Some(guard) => Choice::Plain(guard, first),
                        None => Choice::Either(flat.as_operand(one.guard), first),
                    }
                }
                _ => Choice::Guards,
            }
        });
        Moves {
            places: places.collect(),
            moves,
            acts,
        }
    }
}

fn one_move(program: &Program, flat: &Flat, transition: &Transition, acts: &mut Vec<Act>) -> Move {
    let first = acts.len();
    let mut is_flat = transition.target.is_some();
    let mut is_whole = true;
    let mut is_straight = true;
    let mut has_written = false;
    let effect = transition.effect.start as usize..transition.effect.end as usize;
    let place_of = |target: u32| first as u32 + (target - transition.effect.start);
    for instruction in &program.code[effect] {
        let here = acts.len() as u32;
        let act = match instruction {
            Instruction::Assign(place, value) => match flat.fixed(*place) {
                Some(target) => put(flat, target, *value),
                None => Act::Assign(*place, flat.as_operand(*value)),
            },
            Instruction::Assert(claim) => Act::Assert(flat.as_operand(*claim)),
            Instruction::Send(send) => Act::Send(*send),
            Instruction::Receive(receive) => Act::Receive(*receive),
            Instruction::Jump(target) => Act::Jump(place_of(*target)),
            Instruction::JumpUnless(condition, target) => {
                let target = place_of(*target);
                match flat.as_plain(*condition) {
                    Some(condition) => Act::JumpUnlessPlain(condition, target),
                    None => Act::JumpUnless(flat.as_operand(*condition), target),
                }
            }
            Instruction::Print(_, arguments) => {
                // Nobody reads it, but its arguments must have values.
                let arguments = arguments.start as usize..arguments.end as usize;
                let mut arguments = program.lists[arguments].iter();
                is_flat &= arguments.all(|argument| flat.is_sure(*argument));
                Act::Nothing
            }
            Instruction::Stuck | Instruction::Breach(_) | Instruction::Stop(_) => Act::Wrong,
            Instruction::NewChannel(..)
            | Instruction::Run { .. }
            | Instruction::Die
            | Instruction::SetPriority(..)
            | Instruction::Enter(_) => {
                is_flat = false;
                break;
            }
        };
        is_flat &= has_code(program, flat, instruction);
        is_straight &= !matches!(
            instruction,
            Instruction::Jump(_) | Instruction::JumpUnless(..)
        );
        // Whoever jumps back may have written before, and need not come to an end.
        is_whole &= match act {
            Act::Jump(target) | Act::JumpUnless(_, target) | Act::JumpUnlessPlain(_, target) => {
                target > here
            }
            _ => true,
        };
        is_whole &= !has_written || is_sure(flat, instruction);
        has_written |= matches!(
            instruction,
            Instruction::Assign(..) | Instruction::Send(_) | Instruction::Receive(_)
        );
        acts.push(act);
    }
    Move {
        guard: transition.guard,
        first: first as u32,
        end: acts.len() as u32,
        target: transition.target.map_or(0, |target| target.0),
        group: transition.group,
        is_open: flat
            .constant(transition.guard)
            .is_some_and(|value| value != 0),
        otherwise: transition.otherwise,
        holds: transition.holds,
        is_flat,
        is_straight,
        is_whole: is_flat && is_whole,
    }
}

/// An assignment to a variable.
fn put(flat: &Flat, target: Target, value: ExpressionId) -> Act {
    if let Some(number) = flat.as_sum(target, value) {
        return Act::Add(target, number);
    }
    match flat.as_plain(value) {
        Some(node) => Act::Compute(target, node),
        None => Act::Put(target, flat.as_operand(value)),
    }
}

/// Is there flat code for an instruction?
fn has_code(program: &Program, flat: &Flat, instruction: &Instruction) -> bool {
    match instruction {
        Instruction::Assign(place, value) => flat.has_place(*place) && flat.has(*value),
        Instruction::Assert(condition) | Instruction::JumpUnless(condition, _) => {
            flat.has(*condition)
        }
        Instruction::Send(send) => {
            let send = &program.sends[send.index()];
            let values = send.values.start as usize..send.values.end as usize;
            program.monitor.is_none()
                && flat.has(send.channel)
                && program.lists[values].iter().all(|value| flat.has(*value))
        }
        Instruction::Receive(receive) => {
            let described = &program.receives[receive.index()];
            let is_fixed = |field: &Field| match field {
                Field::Bind(place) => flat.fixed(*place).is_some(),
                Field::Match(_) | Field::Discard => true,
            };
            program.monitor.is_none()
                && flat.has(described.channel)
                && flat.has_receive(*receive)
                && channel::fields(program, described).iter().all(is_fixed)
        }
        _ => true,
    }
}

/// Can an instruction be carried out in every state?
fn is_sure(flat: &Flat, instruction: &Instruction) -> bool {
    match instruction {
        Instruction::Assign(place, value) => flat.fixed(*place).is_some() && flat.is_sure(*value),
        Instruction::JumpUnless(condition, _) => flat.is_sure(*condition),
        Instruction::Jump(_) | Instruction::Print(..) => true,
        _ => false,
    }
}

impl Interpreter {
    /// Goes on in a state in which a process holds control, in place, as long as exactly one step is possible and flat code can
    /// carry it out. Appends the steps, at most this many, and marks their transitions.
    ///
    /// Nothing may go wrong in such a step, and all states but the last are inside the sequence.
    pub fn run_on(
        &self,
        state: &mut [u8],
        most: usize,
        message: &mut Vec<i32>,
        taken: &mut Vec<Step>,
        covered: &mut [bool],
    ) {
        let Some(process) = self.controller(state) else {
            return;
        };
        #[cfg(debug_assertions)]
        let (before, first) = (state.to_vec(), taken.len());
        let moves = &self.quick().moves;
        let shape = self.shape(state);
        let entry = shape.processes[process];
        let process_type = &self.quick().process_types[entry.process_type.index()];
        let offset = (entry.offset + process_type.offset) as usize;
        let seat = Seat {
            process,
            frame: entry.offset as usize,
            shape,
            is_midway: false,
        };
        let started = process_type.kind.read(state, offset) as u32 + process_type.first_location;
        // Flat code does not ask where a process is, so that is written at the end.
        let mut location = started;
        let mut holds = true;
        let mut left = most;
        while holds && left > 0 {
            let only = match moves.places[location as usize] {
                Choice::Sole(number) => Some(number),
                Choice::Either(guard, number) => {
                    let value = self.quick().flat.operand(state, &seat, guard);
                    value.map(|value| number + u32::from(value == 0))
                }
                Choice::Plain(ref guard, number) => {
                    let value = plain(state, &seat, guard);
                    value.map(|value| number + u32::from(value == 0))
                }
                Choice::Guards => self.only_move(state, &seat, location),
                Choice::Unknown => None,
            };
            let Some(number) = only else {
                break;
            };
            let one = &moves.moves[number as usize];
            if !one.is_whole || self.carry_out(state, &seat, one, message).is_none() {
                break;
            }
            let mark = &mut covered[number as usize];
            if !*mark {
                *mark = true;
            }
            taken.push(Step {
                process: process as u32,
                transition: TransitionId(number),
                choice: 0,
            });
            location = one.target;
            holds = one.holds;
            left -= 1;
        }
        if left == most {
            return;
        }
        let local = location - process_type.first_location;
        process_type.kind.write(state, offset, local as i32);
        if !holds {
            state[CONTROL_OFFSET] = 0;
        }
        if self.program().features.last {
            state[LAST_OFFSET] = process as u8;
        }
        #[cfg(debug_assertions)]
        self.check_run(before, &taken[first..], state);
    }

    /// The only step of a process at a location; none if there is no such step, or flat code cannot tell.
    fn only_move(&self, state: &[u8], seat: &Seat<'_>, location: u32) -> Option<u32> {
        let quick = self.quick();
        let (first, end) = quick.locations[location as usize];
        let mut only = None;
        let mut group = 0;
        for number in first..end {
            let one = &quick.moves.moves[number as usize];
            if group != 0 && one.group != group {
                break;
            }
            if one.otherwise && only.is_some() {
                continue;
            }
            if one.is_open || quick.flat.value(state, seat, one.guard)? != 0 {
                if only.is_some() {
                    return None;
                }
                only = Some(number);
                group = one.group;
            }
        }
        only
    }

    /// Carries out a possible step, if flat code can: one of a process without a partner. Says whether it did; if not, `next` is not
    /// to be used.
    #[inline]
    pub(crate) fn carry_out_step(
        &self,
        state: &[u8],
        step: Step,
        next: &mut Vec<u8>,
        message: &mut Vec<i32>,
    ) -> bool {
        let one = &self.quick().moves.moves[step.transition.index()];
        if !one.is_flat || step.choice != 0 {
            return false;
        }
        next.clear();
        next.extend_from_slice(state);
        let state = next.as_mut_slice();
        let process = step.process as usize;
        let shape = self.shape(state);
        let entry = shape.processes[process];
        let seat = Seat {
            process,
            frame: entry.offset as usize,
            shape,
            is_midway: false,
        };
        if self.carry_out(state, &seat, one, message).is_none() {
            return false;
        }
        let process_type = &self.quick().process_types[entry.process_type.index()];
        let offset = (entry.offset + process_type.offset) as usize;
        let local = one.target - process_type.first_location;
        process_type.kind.write(state, offset, local as i32);
        state[CONTROL_OFFSET] = if one.holds { process as u8 + 1 } else { 0 };
        if self.program().features.last {
            state[LAST_OFFSET] = process as u8;
        }
        true
    }

    /// Carries out what a move does, if flat code can.
    #[inline]
    fn carry_out(
        &self,
        state: &mut [u8],
        seat: &Seat<'_>,
        one: &Move,
        message: &mut Vec<i32>,
    ) -> Option<()> {
        if !one.is_straight {
            return self.carry_out_jumps(state, seat, one, message);
        }
        for act in &self.quick().moves.acts[one.first as usize..one.end as usize] {
            self.act(state, seat, act, message, &mut 0)?;
        }
        Some(())
    }

    fn carry_out_jumps(
        &self,
        state: &mut [u8],
        seat: &Seat<'_>,
        one: &Move,
        message: &mut Vec<i32>,
    ) -> Option<()> {
        let acts = &self.quick().moves.acts;
        let mut next = one.first;
        let mut left = MOST_ACTS;
        while next < one.end {
            left = left.checked_sub(1)?;
            let act = &acts[next as usize];
            next += 1;
            self.act(state, seat, act, message, &mut next)?;
        }
        Some(())
    }

    /// Does one thing. If that is a jump, `next` says where it goes on.
    #[inline(always)]
    fn act(
        &self,
        state: &mut [u8],
        seat: &Seat<'_>,
        act: &Act,
        message: &mut Vec<i32>,
        next: &mut u32,
    ) -> Option<()> {
        let flat = &self.quick().flat;
        match *act {
            Act::Add(target, number) => {
                target.add(state, seat.frame, number);
                Some(())
            }
            Act::Compute(target, ref node) => {
                let value = plain(state, seat, node)?;
                target.put(state, seat.frame, value);
                Some(())
            }
            Act::JumpUnlessPlain(ref condition, target) => {
                if plain(state, seat, condition)? == 0 {
                    *next = target;
                }
                Some(())
            }
            Act::JumpUnless(condition, target) => {
                if flat.operand(state, seat, condition)? == 0 {
                    *next = target;
                }
                Some(())
            }
            Act::Jump(target) => {
                *next = target;
                Some(())
            }
            Act::Put(target, value) => {
                let value = flat.operand(state, seat, value)?;
                target.put(state, seat.frame, value);
                Some(())
            }
            Act::Assign(place, value) => {
                let value = flat.operand(state, seat, value)?;
                flat.store(state, seat, place, value).then_some(())
            }
            Act::Assert(claim) => (flat.operand(state, seat, claim)? != 0).then_some(()),
            Act::Send(send) => self.send(state, seat, send, message),
            Act::Receive(receive) => self.receive(state, seat, receive, message),
            Act::Nothing => Some(()),
            Act::Wrong => None,
        }
    }

    /// Puts a message into a channel that has room.
    fn send(
        &self,
        state: &mut [u8],
        seat: &Seat<'_>,
        send: SendId,
        message: &mut Vec<i32>,
    ) -> Option<()> {
        let program = self.program();
        let flat = &self.quick().flat;
        let send = &program.sends[send.index()];
        let entry = channel_of(seat, flat.value(state, seat, send.channel)?)?;
        message.clear();
        for value in &program.lists[send.values.start as usize..send.values.end as usize] {
            message.push(flat.value(state, seat, *value)?);
        }
        let described = &program.channel_types[entry.channel_type.index()];
        let is_possible = described.capacity > 0
            && described.fields.len() == message.len()
            && (described.length_kind().read(state, entry.offset as usize) as u32)
                < described.capacity;
        if !is_possible {
            return None;
        }
        channel::insert(state, described, entry, message, send.sorted);
        Some(())
    }

    /// Takes a message out of a channel, or looks at it.
    fn receive(
        &self,
        state: &mut [u8],
        seat: &Seat<'_>,
        receive: ReceiveId,
        message: &mut Vec<i32>,
    ) -> Option<()> {
        let program = self.program();
        let flat = &self.quick().flat;
        let described = &program.receives[receive.index()];
        let number = flat.value(state, seat, described.channel)?;
        let entry = channel_of(seat, number)?;
        let slot = flat.slot(state, seat, receive, number)??;
        let channel_type = &program.channel_types[entry.channel_type.index()];
        let start = channel::slot_offset(channel_type, entry, slot);
        message.clear();
        for field in &channel_type.fields {
            message.push(field.kind.read(state, start + field.offset as usize));
        }
        if !described.keep {
            channel::remove(state, channel_type, entry, slot);
        }
        for (field, value) in channel::fields(program, described).iter().zip(&*message) {
            if let Field::Bind(place) = field
                && !flat.store(state, seat, *place, *value)
            {
                return None;
            }
        }
        Some(())
    }

    /// The definition takes the same steps, and no others are possible on the way.
    #[cfg(debug_assertions)]
    fn check_run(&self, before: Vec<u8>, taken: &[Step], after: &[u8]) {
        let mut state = before;
        let mut next = Vec::new();
        for step in taken {
            let mut steps = Vec::new();
            assert!(self.controller(&state).is_some());
            assert!(self.enabled(&state, &mut steps));
            assert_eq!(steps, [*step]);
            let outcome = self.define(&state, *step, &mut next, &mut Vec::new(), &mut ());
            assert!(outcome.complete && outcome.failure.is_none());
            std::mem::swap(&mut state, &mut next);
        }
        assert_eq!(state, after);
    }
}

/// A channel by its number.
#[inline]
fn channel_of(seat: &Seat<'_>, number: i32) -> Option<ChannelEntry> {
    let index = usize::try_from(number.wrapping_sub(1)).ok()?;
    seat.shape.channels.get(index).copied()
}
