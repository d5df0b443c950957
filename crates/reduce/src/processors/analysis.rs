//! What is known before the search: agents, the operations of each transition, what follows from
//! each location, and which operations might interact.

use std::collections::HashMap;

use mazurka_model::{Base, Expression, ExpressionId, Instruction, PlaceId, Program, Transition};
use mazurka_objects::{Pattern, fifo, timer, variable};

use crate::bits::Bits;
use crate::footprint::{Collected, Footprint};
use crate::operation::{self, Unsupported};

#[derive(Debug)]
pub(super) struct Analysis {
    /// For each agent, its processes.
    pub agents: Vec<Vec<u32>>,
    /// For each process, its agent.
    pub agent_of: Vec<usize>,
    pub objects: Vec<Object>,
    pub operations: Vec<Operation>,
    /// How many operations there are.
    pub bound: usize,
    pub transitions: Vec<Operations>,
    /// For each transition: does it start processes? Nothing is reduced before.
    pub starts: Vec<bool>,
    /// For each location, what its process may do from there on.
    pub future: Vec<Bits>,
    /// The same without guards, as lists.
    pub future_list: Vec<Vec<OperationId>>,
    /// For each process, what it may ever do.
    pub ever: Vec<Bits>,
    /// The same without guards, as lists.
    pub ever_list: Vec<Vec<OperationId>>,
    /// For each agent, what it waits for when no step of it is enabled.
    pub awaited: Vec<Vec<OperationId>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct OperationId(pub u32);

#[derive(Debug)]
pub(super) struct Object {
    pub kind: ObjectKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum ObjectKind {
    Channel {
        number: i32,
        capacity: u32,
    },
    /// The bit at this offset of the state.
    Timer {
        offset: usize,
    },
    /// Where a process is, as far as others ask.
    Presence,
}

#[derive(Debug)]
pub(super) struct Operation {
    pub object: u32,
    pub action: Action,
    /// For each view of the object, the operations that might interact with it.
    pub rivals: Vec<Bits>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Action {
    /// The send that comes after this many others of the same transition to the same channel.
    Send(u32),
    /// Is there room for that send? Only asked if an overflow must not be missed.
    Room(u32),
    Receive,
    Empty,
    Timer(timer::Operation),
    Read,
    Write,
}

/// The operations of a transition.
#[derive(Clone, Debug, Default)]
pub(super) struct Operations {
    pub guard: Vec<OperationId>,
    pub effect: Vec<OperationId>,
}

impl Analysis {
    pub fn of(program: &Program, overflow: bool) -> Result<Analysis, Unsupported> {
        let collected = Collected::of(program);
        if let Some(unsupported) = collected.unsupported {
            return Err(unsupported);
        }
        let mut survey = Survey::new(program)?;
        survey.overflow = overflow;
        survey.transitions(&collected)?;
        let (agents, agent_of) = survey.agents();
        let bound = survey.operations.len();
        let mut analysis = Analysis {
            agents,
            agent_of,
            bound,
            starts: survey.starts,
            future: Vec::new(),
            future_list: Vec::new(),
            ever: Vec::new(),
            ever_list: Vec::new(),
            awaited: Vec::new(),
            objects: survey.objects,
            operations: survey.operations,
            transitions: survey.found,
        };
        analysis.relate();
        analysis.look_ahead(program, &survey.process_types);
        analysis.wait(program, &survey.process_types);
        Ok(analysis)
    }

    /// Works out which operations might interact in each view of their object.
    fn relate(&mut self) {
        let all: Vec<(u32, Action)> = self
            .operations
            .iter()
            .map(|operation| (operation.object, operation.action))
            .collect();
        for operation in &mut self.operations {
            let kind = self.objects[operation.object as usize].kind;
            let views = match kind {
                ObjectKind::Channel { capacity, .. } => capacity + 1,
                ObjectKind::Timer { .. } => 2,
                ObjectKind::Presence => 1,
            };
            for view in 0..views {
                let mut rivals = Bits::new(self.bound);
                for (number, (object, action)) in all.iter().enumerate() {
                    if *object == operation.object
                        && might_interact(kind, operation.action, *action, view)
                    {
                        rivals.insert(number as u32);
                    }
                }
                operation.rivals.push(rivals);
            }
        }
    }

    /// What each process may do from each location on, and ever.
    fn look_ahead(&mut self, program: &Program, process_types: &[u32]) {
        let mut own: Vec<Bits> = Vec::new();
        let mut visible: Vec<Bits> = Vec::new();
        for operations in &self.transitions {
            let mut set = Bits::new(self.bound);
            let mut effect = Bits::new(self.bound);
            operations
                .effect
                .iter()
                .for_each(|operation| effect.insert(operation.0));
            operations
                .guard
                .iter()
                .for_each(|operation| set.insert(operation.0));
            set.join(&effect);
            own.push(set);
            visible.push(effect);
        }
        self.future = closed(program, &own, self.bound);
        let effects = closed(program, &visible, self.bound);
        let list = |set: &Bits| set.iter().map(OperationId).collect::<Vec<_>>();
        self.future_list = effects.iter().map(list).collect();
        for process_type in process_types {
            let mut ever = Bits::new(self.bound);
            let mut ever_effects = Bits::new(self.bound);
            for location in program.process_types[*process_type as usize]
                .locations
                .clone()
            {
                ever.join(&self.future[location as usize]);
                ever_effects.join(&effects[location as usize]);
            }
            self.ever.push(ever);
            self.ever_list.push(list(&ever_effects));
        }
    }

    /// What each agent waits for when it can do nothing: messages, and timers that are started.
    fn wait(&mut self, program: &Program, process_types: &[u32]) {
        for processes in &self.agents {
            let mut awaited = Vec::new();
            for process in processes {
                let process_type =
                    &program.process_types[process_types[*process as usize] as usize];
                for location in process_type.locations.clone() {
                    for transition in program.locations[location as usize].transitions.clone() {
                        awaited.extend(&self.transitions[transition as usize].guard);
                    }
                }
            }
            awaited.sort_unstable_by_key(|operation: &OperationId| operation.0);
            awaited.dedup();
            self.awaited.push(awaited);
        }
    }
}

/// From each location, what the transitions there do and all that may follow.
fn closed(program: &Program, own: &[Bits], bound: usize) -> Vec<Bits> {
    let mut future = vec![Bits::new(bound); program.locations.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for number in (0..program.locations.len()).rev() {
            let mut set = std::mem::take(&mut future[number]);
            for transition in program.locations[number].transitions.clone() {
                changed |= set.join(&own[transition as usize]);
                match program.transitions[transition as usize].target {
                    Some(target) if target.index() != number => {
                        changed |= set.join(&future[target.index()]);
                    }
                    _ => {}
                }
            }
            future[number] = set;
        }
    }
    future
}

/// The relation ▷, by the tables of `objects`.
fn might_interact(kind: ObjectKind, a: Action, b: Action, view: u32) -> bool {
    match (kind, a, b) {
        (_, Action::Timer(a), Action::Timer(b)) => {
            // A later operation of the same transition finds the timer as an earlier one left it.
            let running = [false, true].map(|running| timer::View { running });
            let views = match a {
                timer::Operation::Expire => &running[view as usize..view as usize + 1],
                _ => &running[..],
            };
            views.iter().any(|view| timer::might_interact(a, b, view))
        }
        (ObjectKind::Channel { capacity, .. }, a, b) => {
            let earlier = match a {
                Action::Send(earlier) | Action::Room(earlier) => earlier,
                _ => 0,
            };
            let length = (view + earlier).min(capacity);
            let view = fifo::View::new(length, capacity, Pattern::UNKNOWN);
            match (channel_operation(a), channel_operation(b)) {
                (Some(a), Some(b)) => fifo::might_interact(a, b, &view),
                _ => true,
            }
        }
        (_, Action::Read, Action::Read) => false,
        _ => true,
    }
}

fn channel_operation(action: Action) -> Option<fifo::Operation> {
    match action {
        Action::Send(_) => Some(fifo::Operation::Send(Pattern::UNKNOWN)),
        // Whatever stands at the head, somebody of the agent receives it.
        Action::Receive => Some(fifo::Operation::Receive(fifo::Place::Head, Pattern::ANY)),
        Action::Room(_) => Some(fifo::Operation::NotFull),
        Action::Empty => Some(fifo::Operation::Empty),
        _ => None,
    }
}

/// Finds the machines' operations among those that were collected: which channel, which timer, which
/// process is meant is known for each.
struct Survey<'p> {
    program: &'p Program,
    /// For each process, its type.
    process_types: Vec<u32>,
    /// For each process type, its process.
    process_of: Vec<Option<u32>>,
    objects: Vec<Object>,
    object_numbers: HashMap<(ObjectKind, u32), u32>,
    operations: Vec<Operation>,
    operation_numbers: HashMap<(u32, Action), OperationId>,
    found: Vec<Operations>,
    starts: Vec<bool>,
    /// Pairs of processes of which one looks into the guards of the other.
    joined: Vec<(u32, u32)>,
    /// For each channel, the processes that receive from it or ask whether it is empty.
    readers: HashMap<i32, u32>,
    /// The channels in the order of their numbers.
    capacities: Vec<u32>,
    /// Must no overflow be missed?
    overflow: bool,
}

impl<'p> Survey<'p> {
    fn new(program: &'p Program) -> Result<Survey<'p>, Unsupported> {
        let mut survey = Survey {
            program,
            process_types: Vec::new(),
            process_of: vec![None; program.process_types.len()],
            objects: Vec::new(),
            object_numbers: HashMap::new(),
            operations: Vec::new(),
            operation_numbers: HashMap::new(),
            found: vec![Operations::default(); program.transitions.len()],
            starts: vec![false; program.transitions.len()],
            joined: Vec::new(),
            readers: HashMap::new(),
            capacities: Vec::new(),
            overflow: false,
        };
        survey.population()?;
        Ok(survey)
    }

    /// The processes and channels, which are there from the start or from the first step on.
    fn population(&mut self) -> Result<(), Unsupported> {
        let program = self.program;
        if program.process_types.iter().any(|process| !process.machine) {
            return Err(Unsupported("processes that are not machines"));
        }
        for code in program.start.clone() {
            match &program.code[code as usize] {
                Instruction::NewChannel(_, channel_type) => {
                    let capacity = program.channel_types[channel_type.index()].capacity;
                    if capacity == 0 {
                        return Err(Unsupported("rendezvous"));
                    }
                    self.capacities.push(capacity);
                }
                Instruction::Run { process_type, .. } => self.started(process_type.0)?,
                _ => return Err(Unsupported("variables")),
            }
        }
        for number in 0..program.process_types.len() as u32 {
            if self.process_of[number as usize].is_none() {
                self.started(number)?;
            }
        }
        Ok(())
    }

    fn started(&mut self, process_type: u32) -> Result<(), Unsupported> {
        if self.process_of[process_type as usize].is_some() {
            return Err(Unsupported("several processes of one type"));
        }
        self.process_of[process_type as usize] = Some(self.process_types.len() as u32);
        self.process_types.push(process_type);
        Ok(())
    }

    fn transitions(&mut self, collected: &Collected) -> Result<(), Unsupported> {
        for process in 0..self.process_types.len() as u32 {
            let process_type = self.process_types[process as usize] as usize;
            let provided = collected.provided[process_type].iter();
            let provided: Vec<u32> = provided
                .flat_map(|condition| condition.operations.iter().copied())
                .collect();
            let locations = self.program.process_types[process_type].locations.clone();
            for location in locations {
                for number in self.program.locations[location as usize]
                    .transitions
                    .clone()
                {
                    let footprint = &collected.transitions[number as usize];
                    let operations = &collected.operations;
                    self.found[number as usize] =
                        self.transition(process, number, footprint, &provided, operations)?;
                }
            }
        }
        Ok(())
    }

    fn transition(
        &mut self,
        process: u32,
        number: u32,
        footprint: &Footprint,
        provided: &[u32],
        all: &[operation::Operation],
    ) -> Result<Operations, Unsupported> {
        let program = self.program;
        let transition: &Transition = &program.transitions[number as usize];
        if transition.holds || transition.otherwise || transition.group != 0 {
            return Err(Unsupported("atomic sequences"));
        }
        let code = || {
            transition
                .effect
                .clone()
                .map(|code| &program.code[code as usize])
        };
        self.starts[number as usize] = code().any(|code| matches!(code, Instruction::Run { .. }));
        let mut operations = Operations::default();
        // A timer that expires is one operation, not a test and a write.
        let expiry = self.expiry(transition);
        if let Some(place) = expiry {
            operations
                .guard
                .push(self.timer(place, timer::Operation::Expire)?);
        }
        let asked = |number: &u32| {
            let mut conditions = footprint.conditions.iter();
            provided.contains(number)
                || conditions.any(|condition| condition.operations.contains(number))
        };
        for operation in provided {
            self.guard(process, &all[*operation as usize], expiry, &mut operations)?;
        }
        for operation in &footprint.own {
            let described = &all[*operation as usize];
            if asked(operation) {
                self.guard(process, described, expiry, &mut operations)?;
            } else {
                self.effect(process, number, described, expiry, &mut operations)?;
            }
        }
        for list in [&mut operations.guard, &mut operations.effect] {
            list.sort_unstable_by_key(|operation| operation.0);
            list.dedup();
        }
        Ok(operations)
    }

    /// An operation by which a machine looks whether a transition is possible.
    fn guard(
        &mut self,
        process: u32,
        operation: &operation::Operation,
        expiry: Option<PlaceId>,
        operations: &mut Operations,
    ) -> Result<(), Unsupported> {
        match (operation.object, operation.action) {
            (operation::Object::Channel { name, .. }, operation::Action::Channel(action)) => {
                let channel = self.constant(name)?;
                self.looks(process, channel, action, operations)
            }
            // Whether the free machine of a process of higher priority is enabled.
            (operation::Object::Presence(spot), _) => {
                let other = self.process_at(spot)?;
                self.joined.push((process, other));
                Ok(())
            }
            (operation::Object::Memory { place, .. }, _) if expiry == Some(place) => Ok(()),
            (operation::Object::Memory { .. }, _) => Err(Unsupported("variables")),
            // Machines are not made and do not end.
            (operation::Object::Population, _) => Ok(()),
            _ => Err(Unsupported("conditions that no machine has")),
        }
    }

    /// An operation by which a transition does something.
    fn effect(
        &mut self,
        process: u32,
        number: u32,
        operation: &operation::Operation,
        expiry: Option<PlaceId>,
        operations: &mut Operations,
    ) -> Result<(), Unsupported> {
        use operation::{Action as Act, Object as On};
        let starts = self.starts[number as usize];
        match (operation.object, operation.action) {
            (On::Channel { name, .. }, Act::Channel(fifo::Operation::Send(_))) => {
                let channel = self.constant(name)?;
                for earlier in 0..self.sends(number, channel)? {
                    let send = self.channel(channel, Action::Send(earlier))?;
                    operations.effect.push(send);
                    if self.overflow {
                        let room = self.channel(channel, Action::Room(earlier))?;
                        operations.effect.push(room);
                    }
                }
                Ok(())
            }
            // Room for a message: part of the send.
            (On::Channel { .. }, Act::Channel(fifo::Operation::NotFull)) => Ok(()),
            (On::Channel { name, .. }, Act::Channel(action)) => {
                let channel = self.constant(name)?;
                self.looks(process, channel, action, operations)
            }
            (On::Memory { place, .. }, Act::Variable(variable::Operation::Write(value))) => {
                let action = match value {
                    Some(0) if expiry == Some(place) && self.resets(number, place) == 1 => {
                        return Ok(());
                    }
                    Some(0) => timer::Operation::Stop,
                    Some(1) => timer::Operation::Start,
                    _ => return Err(Unsupported("variables")),
                };
                operations.effect.push(self.timer(place, action)?);
                Ok(())
            }
            (On::Presence(spot), Act::Variable(action)) => {
                let (other, action) = match action {
                    variable::Operation::Read => (self.process_at(spot)?, Action::Read),
                    _ => (process, Action::Write),
                };
                let operation = self.operation(ObjectKind::Presence, other, action);
                operations.effect.push(operation);
                Ok(())
            }
            (On::Population, Act::Population(mazurka_objects::population::Operation::Count)) => {
                Ok(())
            }
            (On::Population | On::Unborn | On::Everything, _) if starts => Ok(()),
            _ => Err(Unsupported("instructions that no machine has")),
        }
    }

    /// A look into a channel, or the receive that follows it: what stands at the head is received
    /// by somebody of the agent.
    fn looks(
        &mut self,
        process: u32,
        channel: i32,
        action: fifo::Operation,
        operations: &mut Operations,
    ) -> Result<(), Unsupported> {
        let action = match action {
            fifo::Operation::Empty => Action::Empty,
            fifo::Operation::Receive(fifo::Place::Head, _)
            | fifo::Operation::Copy(fifo::Place::Head, _)
            | fifo::Operation::Poll(fifo::Place::Head, _) => Action::Receive,
            _ => return Err(Unsupported("conditions that no machine has")),
        };
        self.reads(process, channel);
        operations.guard.push(self.channel(channel, action)?);
        Ok(())
    }

    /// The process that somebody asks about.
    fn process_at(&self, spot: operation::Spot) -> Result<u32, Unsupported> {
        let process = match spot {
            operation::Spot::Location { process_type, .. } => {
                self.process_of[process_type as usize]
            }
            operation::Spot::Fact { process, .. } => {
                process.and_then(|process| u32::try_from(process).ok())
            }
        };
        process
            .filter(|process| (*process as usize) < self.process_types.len())
            .ok_or(Unsupported("questions about other processes"))
    }

    /// How many messages a transition sends to a channel.
    fn sends(&self, transition: u32, channel: i32) -> Result<u32, Unsupported> {
        let mut count = 0;
        for code in self.program.transitions[transition as usize].effect.clone() {
            if let Instruction::Send(send) = self.program.code[code as usize] {
                let to = self.constant(self.program.sends[send.index()].channel)?;
                count += u32::from(to == channel);
            }
        }
        Ok(count)
    }

    /// How often a transition sets a place to zero.
    fn resets(&self, transition: u32, place: PlaceId) -> usize {
        let code = self.program.transitions[transition as usize].effect.clone();
        code.filter(|code| {
            matches!(self.program.code[*code as usize],
                Instruction::Assign(to, value) if to == place && self.constant(value) == Ok(0))
        })
        .count()
    }

    /// The bit of the timer whose expiry this transition is.
    fn expiry(&self, transition: &Transition) -> Option<PlaceId> {
        let Expression::Load(place) = self.program.expressions[transition.guard.index()] else {
            return None;
        };
        let first = transition.effect.clone().next()?;
        match self.program.code[first as usize] {
            Instruction::Assign(assigned, value) => {
                (assigned == place && self.constant(value) == Ok(0)).then_some(place)
            }
            _ => None,
        }
    }

    fn constant(&self, expression: ExpressionId) -> Result<i32, Unsupported> {
        match self.program.expressions[expression.index()] {
            Expression::Constant(value) => Ok(value),
            _ => Err(Unsupported("computed channels, processes or values")),
        }
    }

    /// All processes that look into a channel are one agent.
    fn reads(&mut self, process: u32, channel: i32) {
        let first = *self.readers.entry(channel).or_insert(process);
        self.joined.push((first, process));
    }

    fn channel(&mut self, number: i32, action: Action) -> Result<OperationId, Unsupported> {
        let capacity = usize::try_from(number - 1)
            .ok()
            .and_then(|index| self.capacities.get(index));
        let capacity = *capacity.ok_or(Unsupported("channels made later"))?;
        Ok(self.operation(ObjectKind::Channel { number, capacity }, 0, action))
    }

    fn timer(
        &mut self,
        place: PlaceId,
        operation: timer::Operation,
    ) -> Result<OperationId, Unsupported> {
        let place = &self.program.places[place.index()];
        let is_bit = place.kind == mazurka_model::Kind::Bit && place.indices.is_empty();
        if place.base != Base::Shared || !is_bit {
            return Err(Unsupported("variables"));
        }
        let offset = (mazurka_model::HEADER_BYTES + place.offset) as usize;
        Ok(self.operation(ObjectKind::Timer { offset }, 0, Action::Timer(operation)))
    }

    /// The number of an operation; `which` tells objects of one kind apart.
    fn operation(&mut self, kind: ObjectKind, which: u32, action: Action) -> OperationId {
        let fresh = self.objects.len() as u32;
        let object = *self.object_numbers.entry((kind, which)).or_insert(fresh);
        if object == fresh {
            self.objects.push(Object { kind });
        }
        let fresh = OperationId(self.operations.len() as u32);
        let number = *self
            .operation_numbers
            .entry((object, action))
            .or_insert(fresh);
        if number == fresh {
            self.operations.push(Operation {
                object,
                action,
                rivals: Vec::new(),
            });
        }
        number
    }

    /// Groups of processes of which one looks into the guards of another.
    fn agents(&self) -> (Vec<Vec<u32>>, Vec<usize>) {
        let mut leader: Vec<usize> = (0..self.process_types.len()).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for (a, b) in &self.joined {
                let least = leader[*a as usize].min(leader[*b as usize]);
                for process in [*a as usize, *b as usize] {
                    changed |= leader[process] != least;
                    leader[process] = least;
                }
            }
        }
        let mut agents: Vec<Vec<u32>> = Vec::new();
        let mut agent_of = Vec::new();
        let mut numbers: HashMap<usize, usize> = HashMap::new();
        for (process, leader) in leader.iter().enumerate() {
            let number = *numbers.entry(*leader).or_insert(agents.len());
            if number == agents.len() {
                agents.push(Vec::new());
            }
            agents[number].push(process as u32);
            agent_of.push(number);
        }
        (agents, agent_of)
    }
}
