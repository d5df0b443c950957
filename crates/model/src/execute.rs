//! Carrying out a step.

use std::cell::Cell;
use std::ops::Range;

use crate::channel::{self, channel, fields};
use crate::evaluate::{Environment, address, evaluate, is_defined_as, load};
use crate::fault::{Failure, Fault};
use crate::flat::Seat;
use crate::instruction::{Field, Instruction};
use crate::interpreter::Interpreter;
use crate::program::{
    BreachId, ChannelTypeId, ExpressionId, LocationId, PlaceId, ProcessTypeId, ReceiveId, SendId,
};
use crate::shape::{PopulationLimit, Shape, ShapeId};
use crate::witness::{Event, Witness};

/// A step that needs more instructions than this is not followed to its end, if it has one.
const INSTRUCTION_LIMIT: u32 = 10_000_000;

/// A state in the course of a step.
pub(crate) struct Machine<'a, W> {
    pub interpreter: &'a Interpreter,
    pub state: &'a mut Vec<u8>,
    /// The number of its shape, and the shape.
    pub shape: ShapeId,
    pub layout: &'a Shape,
    /// The process whose effect runs, and the offset of its frame.
    pub process: usize,
    pub frame: usize,
    /// The message of a rendezvous on its way from sender to receiver.
    pub in_transit: Option<InTransit>,
    /// An assertion that failed on the way.
    pub failure: Option<Failure>,
    /// The values of the message at hand; kept between steps for its memory.
    pub message: &'a mut Vec<i32>,
    pub witness: &'a mut W,
}

/// A message between the halves of a rendezvous. Its values are in [`Machine::message`].
#[derive(Clone, Copy)]
pub(crate) struct InTransit {
    pub channel: i32,
}

impl<'a, W: Witness> Machine<'a, W> {
    /// A machine for a state of this shape, in which a process acts.
    pub fn new(
        interpreter: &'a Interpreter,
        state: &'a mut Vec<u8>,
        shape: ShapeId,
        process: usize,
        message: &'a mut Vec<i32>,
        witness: &'a mut W,
    ) -> Self {
        let mut machine = Machine {
            interpreter,
            state,
            shape,
            layout: interpreter.shapes().get(shape),
            process,
            frame: 0,
            in_transit: None,
            failure: None,
            message,
            witness,
        };
        machine.act_as(process);
        machine
    }

    /// Makes a process the one whose effect runs. Before there are processes, none of them does.
    pub fn act_as(&mut self, process: usize) {
        let entry = self.layout.processes.get(process);
        self.frame = entry.map_or(0, |entry| entry.offset as usize);
        self.process = process;
    }

    /// Runs a range of instructions to its end.
    pub fn run(&mut self, range: Range<u32>) -> Result<(), Fault> {
        let mut budget = INSTRUCTION_LIMIT;
        let ended = self.run_within(range, &mut budget);
        self.interpreter.has_done(INSTRUCTION_LIMIT - budget);
        ended
    }

    /// The same, taking each instruction from the budget.
    #[inline]
    fn run_within(&mut self, range: Range<u32>, budget: &mut u32) -> Result<(), Fault> {
        let interpreter = self.interpreter;
        let program = interpreter.program();
        let mut next = range.start;
        while next < range.end {
            let instruction = &program.code[next as usize];
            next += 1;
            match instruction {
                Instruction::Assign(place, value) => {
                    let value = self.evaluate(*value)?;
                    self.store(*place, value)?;
                }
                Instruction::Send(send) => self.send(*send)?,
                Instruction::Receive(receive) => self.receive(*receive)?,
                Instruction::NewChannel(place, channel_type) => {
                    let number = self.new_channel(*channel_type)?;
                    self.store(*place, number)?;
                }
                Instruction::Run {
                    process_type,
                    arguments,
                    priority,
                    result,
                } => {
                    let number = self.start(*process_type, arguments.clone(), *priority)?;
                    if let Some(place) = result {
                        self.store(*place, number)?;
                    }
                }
                Instruction::Die => self.die(),
                Instruction::Assert(claim) => {
                    if self.evaluate(*claim)? == 0 && self.failure.is_none() {
                        self.failure = Some(Failure::Assertion(*claim));
                        if self.witness.is_interested() {
                            self.tell_failure(*claim);
                        }
                    }
                }
                Instruction::Print(format, arguments) => {
                    if self.witness.is_interested() {
                        self.print(*format, arguments.clone())?;
                    } else {
                        // What cannot be printed is an error, whoever watches.
                        for argument in arguments.clone() {
                            self.evaluate(program.lists[argument as usize])?;
                        }
                    }
                }
                Instruction::SetPriority(process, priority) => {
                    let process = self.evaluate(*process)?;
                    let priority = self.evaluate(*priority)?;
                    self.set_priority(process, priority)?;
                }
                Instruction::Jump(target) => next = *target,
                Instruction::JumpUnless(condition, target) => {
                    if self.evaluate(*condition)? == 0 {
                        next = *target;
                    }
                }
                Instruction::Stuck => return Err(Fault::Stuck),
                Instruction::Breach(breach) => {
                    let fault = self.breach(*breach);
                    self.failure.get_or_insert(Failure::Fault(fault));
                }
                Instruction::Stop(breach) => return Err(self.breach(*breach)),
                Instruction::Enter(location) => self.move_to(*location),
            }
            *budget -= 1;
            if *budget == 0 {
                return Err(Fault::Endless);
            }
        }
        Ok(())
    }

    /// Tells the values of what an assertion reads.
    fn tell_failure(&mut self, expression: ExpressionId) {
        let leaves = self.interpreter.program().leaves(expression);
        let value = |leaf: ExpressionId| Some((leaf, self.evaluate(leaf).ok()?));
        let values = leaves.into_iter().filter_map(value).collect();
        self.witness.event(Event::Failed {
            process: self.process as u32,
            expression,
            values,
        });
    }

    fn breach(&self, breach: BreachId) -> Fault {
        let described = &self.interpreter.program().breaches[breach.index()];
        Fault::Breach(described.kind, breach)
    }

    /// Moves the process to a location.
    pub fn move_to(&mut self, target: LocationId) {
        let interpreter = self.interpreter;
        let entry = self.layout.processes[self.process];
        let process_type = &interpreter.quick().process_types[entry.process_type.index()];
        let offset = (entry.offset + process_type.offset) as usize;
        let local = target.0 - process_type.first_location;
        process_type.kind.write(self.state, offset, local as i32);
    }

    #[inline]
    fn environment<'e>(&'e self, fault: &'e Cell<Option<Fault>>) -> Environment<'e> {
        Environment {
            program: self.interpreter.program(),
            quick: self.interpreter.quick(),
            shape: self.layout,
            state: self.state,
            process: self.process,
            frame: self.frame,
            timeout: false,
            midway: None,
            asked: 0,
            fault,
        }
    }

    #[inline]
    fn evaluate(&mut self, expression: ExpressionId) -> Result<i32, Fault> {
        let flat = &self.interpreter.quick().flat;
        match flat.value(self.state, &self.seat(), expression) {
            Some(value) => {
                debug_assert!({
                    let fault = Cell::new(None);
                    is_defined_as(&self.environment(&fault), expression, value)
                });
                Ok(value)
            }
            None => self.evaluate_by_definition(expression),
        }
    }

    #[inline]
    fn seat(&self) -> Seat<'a> {
        Seat {
            frame: self.frame,
            process: self.process,
            shape: self.layout,
            is_midway: false,
        }
    }

    fn evaluate_by_definition(&mut self, expression: ExpressionId) -> Result<i32, Fault> {
        let fault = Cell::new(None);
        let value = evaluate(&self.environment(&fault), expression);
        self.tolerate(fault.get())?;
        Ok(value)
    }

    #[inline]
    fn store(&mut self, place: PlaceId, value: i32) -> Result<(), Fault> {
        let flat = &self.interpreter.quick().flat;
        let seat = self.seat();
        let expected = cfg!(debug_assertions).then(|| self.address(place));
        if flat.store(self.state, &seat, place, value) {
            debug_assert!({
                let kind = self.interpreter.program().places[place.index()].kind;
                let is_written = |at| kind.read(self.state, at) == kind.cast(value);
                expected.flatten().is_some_and(is_written)
            });
            return Ok(());
        }
        self.store_by_definition(place, value)
    }

    /// Where a place is by definition, if nothing is wrong with it.
    fn address(&self, place: PlaceId) -> Option<usize> {
        let fault = Cell::new(None);
        let place = &self.interpreter.program().places[place.index()];
        let offset = address(&self.environment(&fault), place);
        offset.filter(|_| fault.get().is_none())
    }

    fn store_by_definition(&mut self, place: PlaceId, value: i32) -> Result<(), Fault> {
        let place = &self.interpreter.program().places[place.index()];
        let fault = Cell::new(None);
        let offset = address(&self.environment(&fault), place);
        self.tolerate(fault.get())?;
        if let Some(offset) = offset {
            place.kind.write(self.state, offset, value);
        }
        Ok(())
    }

    /// Notes a fault after which the step can go on.
    #[inline]
    fn tolerate(&mut self, fault: Option<Fault>) -> Result<(), Fault> {
        match fault {
            None => Ok(()),
            Some(fault) if fault.has_value() => {
                // It weighs more than an assertion that failed before it in the same step.
                let is_error =
                    |known: &Failure| matches!(known, Failure::Fault(known) if known.has_value());
                self.failure = self
                    .failure
                    .filter(is_error)
                    .or(Some(Failure::Fault(fault)));
                Ok(())
            }
            Some(fault) => Err(fault),
        }
    }

    fn send(&mut self, send: SendId) -> Result<(), Fault> {
        let interpreter = self.interpreter;
        let send = &interpreter.program().sends[send.index()];
        let number = self.evaluate(send.channel)?;
        self.message.clear();
        for index in send.values.clone() {
            let value = self.evaluate(interpreter.program().lists[index as usize])?;
            self.message.push(value);
        }
        let fault = Cell::new(None);
        let env = self.environment(&fault);
        let Some(target) = channel(&env, number) else {
            return Err(Fault::NoChannel(number));
        };
        if !target.is_rendezvous() && target.length() == target.room() {
            // The guard should have seen it.
            return Err(Fault::Stuck);
        }
        let (entry, rendezvous) = (target.entry, target.is_rendezvous());
        let channel_type = &interpreter.program().channel_types[entry.channel_type.index()];
        if channel_type.fields.len() != self.message.len() {
            return Err(Fault::WrongMessage {
                expected: channel_type.fields.len() as u32,
                found: self.message.len() as u32,
            });
        }
        if rendezvous {
            self.in_transit = Some(InTransit { channel: number });
        } else {
            channel::insert(self.state, channel_type, entry, self.message, send.sorted);
        }
        self.observe(true, number, entry.channel_type)?;
        if self.witness.is_interested() {
            for (value, field) in self.message.iter_mut().zip(&channel_type.fields) {
                *value = field.kind.cast(*value);
            }
            self.witness.event(Event::Sent {
                process: self.process as u32,
                channel: number as u32,
                channel_type: entry.channel_type,
                message: self.message.clone(),
            });
        }
        Ok(())
    }

    fn receive(&mut self, receive: ReceiveId) -> Result<(), Fault> {
        let interpreter = self.interpreter;
        let described = &interpreter.program().receives[receive.index()];
        let number = self.evaluate(described.channel)?;
        let transit = self.in_transit.take();
        let fault = Cell::new(None);
        let env = Environment {
            program: interpreter.program(),
            quick: interpreter.quick(),
            shape: self.layout,
            state: self.state,
            process: self.process,
            frame: self.frame,
            timeout: false,
            midway: None,
            asked: 0,
            fault: &fault,
        };
        let Some(source) = channel(&env, number) else {
            return Err(Fault::NoChannel(number));
        };
        let entry = source.entry;
        let channel_type = &interpreter.program().channel_types[entry.channel_type.index()];
        if transit.is_some_and(|transit| transit.channel == number) {
            for (value, field) in self.message.iter_mut().zip(&channel_type.fields) {
                *value = field.kind.cast(*value);
            }
        } else {
            let Some(slot) = channel::can_receive(&env, receive) else {
                return Err(fault.get().unwrap_or(Fault::Stuck));
            };
            self.message.clear();
            self.message
                .extend((0..channel_type.fields.len()).map(|field| source.field(slot, field)));
            if !described.keep {
                channel::remove(self.state, channel_type, entry, slot);
            }
        }
        for (position, field) in fields(interpreter.program(), described).iter().enumerate() {
            if let Field::Bind(place) = field {
                self.store(*place, self.message[position])?;
            }
        }
        if !described.keep {
            self.observe(false, number, entry.channel_type)?;
        }
        if self.witness.is_interested() {
            self.witness.event(Event::Received {
                process: self.process as u32,
                channel: number as u32,
                channel_type: entry.channel_type,
                message: self.message.clone(),
            });
        }
        Ok(())
    }

    /// Moves the monitor by the message at hand, if it is one that counts.
    fn observe(
        &mut self,
        sends: bool,
        channel: i32,
        channel_type: ChannelTypeId,
    ) -> Result<(), Fault> {
        let program = self.interpreter.program();
        let Some(monitor) = &program.monitor else {
            return Ok(());
        };
        let mut counts = false;
        for event in monitor.states.iter().flat_map(|state| &state.events) {
            if event.sends == sends && self.evaluate(event.channel)? == channel {
                counts = true;
                break;
            }
        }
        if !counts {
            return Ok(());
        }
        let fault = Cell::new(None);
        let number = load(&self.environment(&fault), monitor.place);
        let kinds = &program.channel_types[channel_type.index()].fields;
        let mut target = None;
        let events = monitor.states.get(number as usize);
        for event in events.into_iter().flat_map(|state| &state.events) {
            let message = self.message.iter().zip(kinds);
            let message = message.map(|(value, field)| field.kind.cast(*value));
            if event.sends != sends
                || !event.matches(message)
                || self.evaluate(event.channel)? != channel
            {
                continue;
            }
            if target.replace(event.target).is_some() {
                return Err(self.breach(monitor.ambiguous));
            }
        }
        let wrong = match target {
            Some(target) => monitor.forbids && monitor.states[target as usize].end,
            None => !monitor.forbids,
        };
        if wrong {
            let fault = self.breach(monitor.breach);
            self.failure.get_or_insert(Failure::Fault(fault));
        }
        match target {
            Some(target) if !(wrong && monitor.forbids) => self.store(monitor.place, target as i32),
            None if wrong => Ok(()),
            _ => self.store(monitor.place, monitor.lost() as i32),
        }
    }

    fn new_channel(&mut self, channel_type: ChannelTypeId) -> Result<i32, Fault> {
        let shape = self
            .interpreter
            .shapes()
            .with_channel(self.shape, channel_type)
            .map_err(population_fault)?;
        self.reshape(shape);
        Ok(self.layout.channels.len() as i32)
    }

    fn start(
        &mut self,
        process_type: ProcessTypeId,
        arguments: Range<u32>,
        priority: u8,
    ) -> Result<i32, Fault> {
        let interpreter = self.interpreter;
        let program = interpreter.program();
        let described = &program.process_types[process_type.index()];
        let values = arguments
            .map(|index| self.evaluate(program.lists[index as usize]))
            .collect::<Result<Vec<i32>, Fault>>()?;
        let shape = interpreter
            .shapes()
            .with_process(self.shape, process_type)
            .map_err(population_fault)?;
        self.reshape(shape);
        let starter = self.process;
        let started = self.layout.processes.len() - 1;
        self.act_as(started);
        self.move_to(described.initial);
        if let Some(slot) = described.priority {
            let offset = self.frame + slot.offset as usize;
            slot.kind.write(self.state, offset, i32::from(priority));
        }
        for (place, value) in described.parameters.iter().zip(values) {
            self.store(*place, value)?;
        }
        self.run(described.start.clone())?;
        self.act_as(starter);
        self.witness.event(Event::Started {
            process: started as u32,
            process_type,
        });
        Ok(started as i32)
    }

    fn die(&mut self) {
        self.witness.event(Event::Died {
            process: self.process as u32,
        });
        let shape = self.interpreter.shapes().without_youngest(self.shape);
        self.reshape(shape);
    }

    /// Makes room for what the new shape has more, or removes what it has less, in front of the
    /// hidden variables.
    fn reshape(&mut self, shape: ShapeId) {
        let shapes = self.interpreter.shapes();
        let hidden = self.interpreter.program().hidden_bytes as usize;
        let before = self.layout.visible_bytes as usize;
        let after = shapes.get(shape).visible_bytes as usize;
        if after >= before {
            self.state.resize(after + hidden, 0);
            self.state.copy_within(before..before + hidden, after);
            let fresh = before..after;
            self.state[fresh].fill(0);
        } else {
            self.state.copy_within(before..before + hidden, after);
            self.state.truncate(after + hidden);
        }
        self.shape = shape;
        self.layout = shapes.get(shape);
        self.act_as(self.process);
        self.state[..2].copy_from_slice(&shape.0.to_le_bytes());
    }

    fn set_priority(&mut self, process: i32, priority: i32) -> Result<(), Fault> {
        let interpreter = self.interpreter;
        let Some(entry) = usize::try_from(process)
            .ok()
            .and_then(|p| self.layout.processes.get(p))
        else {
            return Ok(());
        };
        if !(1..=255).contains(&priority) {
            return Err(Fault::PriorityOutOfRange(priority));
        }
        if let Some(slot) = interpreter.program().process_types[entry.process_type.index()].priority
        {
            slot.kind
                .write(self.state, (entry.offset + slot.offset) as usize, priority);
        }
        Ok(())
    }

    fn print(&mut self, format: u32, arguments: Range<u32>) -> Result<(), Fault> {
        let program = self.interpreter.program();
        let values = arguments
            .map(|index| self.evaluate(program.lists[index as usize]))
            .collect::<Result<Vec<i32>, Fault>>()?;
        let text = crate::witness::format(program, &program.formats[format as usize], &values);
        self.witness.event(Event::Printed(text));
        Ok(())
    }
}

fn population_fault(limit: PopulationLimit) -> Fault {
    match limit {
        PopulationLimit::Processes => Fault::TooManyProcesses,
        PopulationLimit::Channels => Fault::TooManyChannels,
        PopulationLimit::Shapes => Fault::TooManyShapes,
    }
}
