//! The reference semantics: initial state, possible steps, effect of a step.
//!
//! Everything that runs a program runs this code: the search, the simulator, the replay of a
//! scenario. Another engine has to agree with it.

use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::channel::channel;
use crate::enabled::{fault_of, steps_of};
use crate::evaluate::{Environment, evaluate, load};
use crate::execute::Machine;
use crate::fault::{Failure, Fault};
use crate::program::{ExpressionId, LocationId, PlaceId, Program, Transition, TransitionId};
use crate::quick::Quick;
use crate::reads::Difference;
use crate::shape::{CONTROL_OFFSET, HEADER_BYTES, LAST_OFFSET, Shape, ShapeId, Shapes};
use crate::step::Step;
use crate::witness::Witness;

/// Who only watches is none of the processes.
const WATCHER: usize = i32::MAX as usize;

/// A program that can be run.
#[derive(Debug)]
pub struct Interpreter {
    program: Program,
    quick: Quick,
    shapes: Arc<Shapes>,
    /// See [`Interpreter::instructions_of_long_steps`].
    long: AtomicU64,
}

/// A step of more instructions than these is long.
const LONG: u32 = 1 << 10;

/// What a step led to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// What went wrong, if anything.
    pub failure: Option<Failure>,
    /// Is there a next state?
    pub complete: bool,
}

impl Outcome {
    /// Was the step a run-time error? What comes after one means nothing, even if there is a next state. A failed assertion, or a
    /// breach of a rule after which the notation goes on, is none.
    #[inline]
    pub fn is_error(&self) -> bool {
        match self.failure {
            Some(Failure::Fault(fault)) => !self.complete || fault.has_value(),
            Some(_) => !self.complete,
            None => false,
        }
    }
}

/// What a channel holds, as far as a reduction asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChannelContents {
    /// The number of messages.
    pub length: u32,
    /// The greatest number of messages.
    pub capacity: u32,
    /// The first fields of the first message.
    head: [i32; 4],
    fields: usize,
}

impl ChannelContents {
    /// The first message, if there is one and it has four fields at most.
    pub fn head(&self) -> Option<&[i32]> {
        if self.length == 0 {
            None
        } else {
            self.head.get(..self.fields)
        }
    }
}

impl Interpreter {
    /// Prepares a well-formed program.
    pub fn new(program: Program) -> Interpreter {
        let shapes = Arc::new(Shapes::new(&program));
        let quick = Quick::new(&program);
        Interpreter {
            program,
            quick,
            shapes,
            long: AtomicU64::new(0),
        }
    }

    /// How many instructions were carried out in steps of very many, by all who use this interpreter. A step may take as long as a million
    /// others.
    pub fn instructions_of_long_steps(&self) -> u64 {
        self.long.load(Ordering::Relaxed)
    }

    /// This many instructions were carried out in one step.
    #[inline]
    pub(crate) fn has_done(&self, instructions: u32) {
        if instructions > LONG {
            self.long.fetch_add(instructions.into(), Ordering::Relaxed);
        }
    }

    /// Prepares another form of the same program, such that a state of one is a state of the other: both know the same
    /// populations. None if states are not laid out alike.
    pub fn beside(&self, program: Program) -> Option<Interpreter> {
        let is_alike =
            self.shapes.fit(&program) && program.hidden_bytes == self.program.hidden_bytes;
        is_alike.then(|| Interpreter {
            quick: Quick::new(&program),
            shapes: self.shapes.clone(),
            program,
            long: AtomicU64::new(0),
        })
    }

    /// Another one for the same program, if this one may have no room for the populations of one more execution.
    pub fn with_room(&self) -> Option<Interpreter> {
        (self.shapes.is_crowded()).then(|| Interpreter::new(self.program.clone()))
    }

    /// The program.
    #[inline]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// The program, as far as every step needs it.
    #[inline]
    pub(crate) fn quick(&self) -> &Quick {
        &self.quick
    }

    /// The populations met so far.
    #[inline]
    pub fn shapes(&self) -> &Shapes {
        &self.shapes
    }

    /// The shape of a state.
    #[inline]
    pub fn shape(&self, state: &[u8]) -> &Shape {
        self.shapes.of(state)
    }

    /// Makes the initial state.
    pub fn initial<W: Witness>(&self, state: &mut Vec<u8>, witness: &mut W) -> Result<(), Fault> {
        state.clear();
        let bytes = HEADER_BYTES + self.program.shared_bytes + self.program.hidden_bytes;
        state.resize(bytes as usize, 0);
        let mut message = Vec::new();
        let mut machine = Machine::new(self, state, self.shapes.empty(), 0, &mut message, witness);
        machine.run(self.program.start.clone())
    }

    /// Appends all steps that are possible in a state, in the order in which SPIN tries them, and
    /// says whether one of them leads on: a step may also do no more than report that a guard has
    /// no value.
    ///
    /// While a process holds control, only its steps count; if none leads on, [`Self::release`]
    /// the state and ask again.
    pub fn enabled(&self, state: &[u8], steps: &mut Vec<Step>) -> bool {
        let fault = Cell::new(None);
        let mut env = self.environment(state, &fault);
        if let Some(process) = self.controller(state) {
            return steps_of(&env, process, steps);
        }
        let first = steps.len();
        let mut any = false;
        for process in (0..env.shape.processes.len()).rev() {
            any |= steps_of(&env, process, steps);
        }
        if !any && self.program.features.timeout {
            env.timeout = true;
            steps.truncate(first);
            for process in (0..env.shape.processes.len()).rev() {
                any |= steps_of(&env, process, steps);
            }
        }
        any
    }

    /// Appends all steps that are possible in a state, as [`Self::enabled`] does, knowing those of another
    /// state, which are all in `steps`, from `known.start` to before `known.end`. A process that has the same
    /// frame in both, and whose guards read nothing that differs, has the same steps.
    pub fn enabled_beside(
        &self,
        other: &[u8],
        known: Range<usize>,
        state: &[u8],
        steps: &mut Vec<Step>,
    ) -> bool {
        let shape = self.shapes.of(state);
        let is_similar = state[..=CONTROL_OFFSET] == other[..=CONTROL_OFFSET]
            && state.len() == other.len()
            && shape.processes.len() <= Difference::MOST_PROCESSES;
        if !self.quick.is_local || !is_similar || self.controller(state).is_some() {
            return self.enabled(state, steps);
        }
        let difference = Difference::new(shape, other, state);
        let fault = Cell::new(None);
        let env = self.environment(state, &fault);
        let mut any = false;
        let mut next = known.start;
        for process in (0..shape.processes.len()).rev() {
            let first = next;
            while next < known.end && steps[next].process == process as u32 {
                next += 1;
            }
            let reads = self.quick.reads[env.location(process) as usize];
            if difference.concerns(process, reads) {
                any |= steps_of(&env, process, steps);
                continue;
            }
            for number in first..next {
                let step = steps[number];
                any |= step.choice != Step::FAULT;
                steps.push(step);
            }
        }
        debug_assert!({
            let mut found = Vec::new();
            any == self.enabled(state, &mut found) && found == steps[known.end..]
        });
        any
    }

    /// Carries out a possible step: `next` becomes the state it leads to.
    pub fn execute<W: Witness>(
        &self,
        state: &[u8],
        step: Step,
        next: &mut Vec<u8>,
        message: &mut Vec<i32>,
        witness: &mut W,
    ) -> Outcome {
        if !witness.is_interested() && self.carry_out_step(state, step, next, message) {
            debug_assert!({
                let mut other = Vec::new();
                let outcome = self.define(state, step, &mut other, &mut Vec::new(), &mut ());
                outcome.complete && outcome.failure.is_none() && other == *next
            });
            return Outcome {
                failure: None,
                complete: true,
            };
        }
        self.define(state, step, next, message, witness)
    }

    /// Carries out a step by the definition.
    pub(crate) fn define<W: Witness>(
        &self,
        state: &[u8],
        step: Step,
        next: &mut Vec<u8>,
        message: &mut Vec<i32>,
        witness: &mut W,
    ) -> Outcome {
        next.clear();
        next.extend_from_slice(state);
        let transition = &self.program.transitions[step.transition.index()];
        if step.choice == Step::FAULT {
            let fault = Cell::new(None);
            let env = self
                .environment(state, &fault)
                .of_process(step.process as usize);
            let failure = Some(Failure::Fault(fault_of(&env, transition)));
            return Outcome {
                failure,
                complete: false,
            };
        }
        let shape = ShapeId(u16::from_le_bytes([state[0], state[1]]));
        let process = step.process as usize;
        let mut machine = Machine::new(self, next, shape, process, message, witness);
        match perform(&mut machine, step, transition) {
            Ok(last) => {
                let failure = machine
                    .failure
                    .or((step.choice & Step::SECOND != 0).then_some(Failure::Nondeterminism));
                let mover = machine.process as u8;
                next[CONTROL_OFFSET] = if last.holds { mover + 1 } else { 0 };
                if self.program.features.last {
                    next[LAST_OFFSET] = mover;
                }
                Outcome {
                    failure,
                    complete: true,
                }
            }
            Err(fault) => Outcome {
                failure: Some(Failure::Fault(fault)),
                complete: false,
            },
        }
    }

    /// The process that holds control of the system, as inside an atomic sequence.
    #[inline]
    pub fn controller(&self, state: &[u8]) -> Option<usize> {
        usize::from(state[CONTROL_OFFSET]).checked_sub(1)
    }

    /// The process in control cannot go on: control is free again.
    pub fn release(&self, state: &mut [u8]) {
        state[CONTROL_OFFSET] = 0;
    }

    /// The part of a state that tells it from others.
    #[inline]
    pub fn identity<'s>(&self, state: &'s [u8]) -> &'s [u8] {
        &state[..state.len() - self.program.hidden_bytes as usize]
    }

    /// May the system end in this state? Yes if every process is where it may end, and if the
    /// notation asks for it, no message is left over, and no assertion about messages is half-way.
    pub fn is_valid_end(&self, state: &[u8]) -> bool {
        let shape = self.shape(state);
        (0..shape.processes.len())
            .all(|process| self.program.locations[self.location(state, process).index()].end)
            && !(self.program.features.quiet_end && self.has_messages(state))
            && self.program.monitor.as_ref().is_none_or(|monitor| {
                let fault = Cell::new(None);
                monitor.may_end(load(&self.environment(state, &fault), monitor.place))
            })
    }

    /// Is there a message in some channel?
    pub fn has_messages(&self, state: &[u8]) -> bool {
        (1..=self.shape(state).channels.len() as i32)
            .any(|number| self.channel(state, number).is_some_and(|c| c.length > 0))
    }

    /// The location of a process.
    pub fn location(&self, state: &[u8], process: usize) -> LocationId {
        let fault = Cell::new(None);
        LocationId(self.environment(state, &fault).location(process))
    }

    /// The transition that the partner of a rendezvous makes, and who the partner is.
    pub fn partner(&self, state: &[u8], step: Step) -> Option<(usize, TransitionId)> {
        let (partner, position) = step.partner()?;
        let location = &self.program.locations[self.location(state, partner).index()];
        Some((
            partner,
            TransitionId(location.transitions.start + position as u32),
        ))
    }

    /// The value of an expression as a process sees it.
    pub fn value(
        &self,
        state: &[u8],
        process: usize,
        expression: ExpressionId,
    ) -> Result<i32, Fault> {
        let fault = Cell::new(None);
        let env = self.environment(state, &fault);
        let env = match env.shape.processes.get(process) {
            Some(_) => env.of_process(process),
            None => env,
        };
        let value = evaluate(&env, expression);
        fault.get().map_or(Ok(value), Err)
    }

    /// The value of an expression of another program in a state of this one, as a process sees it. None unless both lay out their
    /// states alike, as programs do that were made of the same model, one of them together with the expression.
    pub fn value_beside(
        &self,
        state: &[u8],
        process: usize,
        (other, expression): (&Interpreter, ExpressionId),
    ) -> Option<Result<i32, Fault>> {
        if !self.program.has_layout_of(&other.program) {
            return None;
        }
        let fault = Cell::new(None);
        let env = Environment {
            program: &other.program,
            quick: &other.quick,
            ..self.environment(state, &fault)
        };
        let env = match env.shape.processes.get(process) {
            Some(_) => env.of_process(process),
            None => env,
        };
        let value = evaluate(&env, expression);
        Some(fault.get().map_or(Ok(value), Err))
    }

    /// Is an expression true, as somebody sees it who only watches the system? `stopped` says
    /// whether nothing in the system can move.
    pub fn holds(
        &self,
        state: &[u8],
        expression: ExpressionId,
        stopped: bool,
    ) -> Result<bool, Fault> {
        let fault = Cell::new(None);
        let env = Environment {
            process: WATCHER,
            timeout: stopped,
            ..self.environment(state, &fault)
        };
        let value = evaluate(&env, expression);
        fault.get().map_or(Ok(value != 0), Err)
    }

    /// The value of a variable as a process sees it.
    pub fn load(&self, state: &[u8], process: usize, place: PlaceId) -> Result<i32, Fault> {
        let fault = Cell::new(None);
        let env = self.environment(state, &fault).of_process(process);
        let value = load(&env, place);
        fault.get().map_or(Ok(value), Err)
    }

    /// How many messages a channel holds, by its number, which counts from 1.
    #[inline]
    pub fn length(&self, state: &[u8], number: i32) -> Option<u32> {
        let index = usize::try_from(number.wrapping_sub(1)).ok()?;
        let entry = self.shape(state).channels.get(index)?;
        let channel_type = &self.program.channel_types[entry.channel_type.index()];
        match channel_type.capacity {
            0 => Some(0),
            _ => {
                let length = channel_type.length_kind();
                Some(length.read(state, entry.offset as usize) as u32)
            }
        }
    }

    /// A channel by its number, which counts from 1.
    pub fn channel(&self, state: &[u8], number: i32) -> Option<ChannelContents> {
        let fault = Cell::new(None);
        let env = self.environment(state, &fault);
        let channel = channel(&env, number)?;
        let length = channel.length();
        let mut head = [0; 4];
        if length > 0 {
            for (position, value) in head
                .iter_mut()
                .enumerate()
                .take(channel.channel_type.fields.len())
            {
                *value = channel.field(0, position);
            }
        }
        Some(ChannelContents {
            length,
            capacity: channel.channel_type.capacity,
            head,
            fields: channel.channel_type.fields.len(),
        })
    }

    fn environment<'e>(
        &'e self,
        state: &'e [u8],
        fault: &'e Cell<Option<Fault>>,
    ) -> Environment<'e> {
        Environment {
            program: &self.program,
            quick: &self.quick,
            shape: self.shapes.of(state),
            state,
            process: 0,
            frame: 0,
            timeout: false,
            midway: None,
            asked: 0,
            fault,
        }
    }
}

/// Runs the effects of a step, those of both partners in a rendezvous. Gives the transition
/// that came last; its process is then the machine's.
fn perform<'a, W: Witness>(
    machine: &mut Machine<'a, W>,
    step: Step,
    transition: &'a Transition,
) -> Result<&'a Transition, Fault> {
    let interpreter = machine.interpreter;
    let location_of_partner = step.partner().map(|(partner, position)| {
        let location = interpreter.location(machine.state, partner);
        let transitions = &interpreter.program.locations[location.index()].transitions;
        (partner, transitions.start as usize + position)
    });
    machine.run(transition.effect.clone())?;
    if let Some(target) = transition.target {
        machine.move_to(target);
    }
    let Some((partner, number)) = location_of_partner else {
        return match machine.in_transit {
            None => Ok(transition),
            Some(_) => Err(Fault::RendezvousInStep),
        };
    };
    let received = &interpreter.program.transitions[number];
    machine.act_as(partner);
    machine.run(received.effect.clone())?;
    if let Some(target) = received.target {
        machine.move_to(target);
    }
    Ok(received)
}
