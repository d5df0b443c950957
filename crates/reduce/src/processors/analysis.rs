//! What is known before the search: agents, the operations of each transition, what follows from
//! each location, and which operations might interact.

use std::collections::HashMap;

use mazurka_model::{
    Base, ChannelTest, Expression, ExpressionId, Instruction, PlaceId, Program, Transition,
};
use mazurka_objects::{Pattern, fifo, timer};

use super::sets::Set;
use crate::operation::Unsupported;

#[derive(Debug)]
pub(super) struct Analysis {
    /// For each agent, its processes.
    pub agents: Vec<Vec<u32>>,
    /// For each process, its agent.
    pub agent_of: Vec<usize>,
    pub objects: Vec<Object>,
    pub operations: Vec<Operation>,
    /// The words of a set of operations.
    pub words: usize,
    pub transitions: Vec<Operations>,
    /// For each transition: does it start processes? Nothing is reduced before.
    pub starts: Vec<bool>,
    /// For each location, what its process may do from there on.
    pub future: Vec<Set>,
    /// The same without guards, as lists.
    pub future_list: Vec<Vec<OperationId>>,
    /// For each process, what it may ever do.
    pub ever: Vec<Set>,
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
    pub rivals: Vec<Set>,
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
        let mut survey = Survey::new(program)?;
        survey.overflow = overflow;
        survey.transitions()?;
        let (agents, agent_of) = survey.agents();
        let words = survey.operations.len().div_ceil(64).max(1);
        let mut analysis = Analysis {
            agents,
            agent_of,
            words,
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
                let mut rivals = Set::new(self.words);
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
        let mut own: Vec<Set> = Vec::new();
        let mut visible: Vec<Set> = Vec::new();
        for operations in &self.transitions {
            let mut set = Set::new(self.words);
            let mut effect = Set::new(self.words);
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
        self.future = closed(program, &own, self.words);
        let effects = closed(program, &visible, self.words);
        let list = |set: &Set| set.iter().map(OperationId).collect::<Vec<_>>();
        self.future_list = effects.iter().map(list).collect();
        for process_type in process_types {
            let mut ever = Set::new(self.words);
            let mut ever_effects = Set::new(self.words);
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
fn closed(program: &Program, own: &[Set], words: usize) -> Vec<Set> {
    let mut future = vec![Set::new(words); program.locations.len()];
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

/// Collects operations from the program.
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
    /// For each process, the locations that others ask for.
    asked: Vec<Vec<Asked>>,
    /// Must no overflow be missed?
    overflow: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    Number(u32),
    Mark(u32),
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
            asked: Vec::new(),
            overflow: false,
        };
        survey.population()?;
        survey.atoms()?;
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
        self.asked.push(Vec::new());
        Ok(())
    }

    /// The locations that some expression asks for.
    fn atoms(&mut self) -> Result<(), Unsupported> {
        for expression in &self.program.expressions {
            let (process, asked) = match *expression {
                Expression::At {
                    process: Some(process),
                    number,
                    ..
                } => (process, Asked::Number(number)),
                Expression::Marked { process, mark } => (process, Asked::Mark(mark)),
                Expression::At { process: None, .. }
                | Expression::LocationOf(_)
                | Expression::Enabled(_)
                | Expression::NoProgress
                | Expression::PriorityOf(_)
                | Expression::LastProcess
                | Expression::Timeout => {
                    return Err(Unsupported("questions about other processes"));
                }
                _ => continue,
            };
            let process = self.constant(process)? as usize;
            let known = self.asked.get_mut(process);
            let known = known.ok_or(Unsupported("questions about other processes"))?;
            if !known.contains(&asked) {
                known.push(asked);
            }
        }
        Ok(())
    }

    fn transitions(&mut self) -> Result<(), Unsupported> {
        for process in 0..self.process_types.len() as u32 {
            let described =
                &self.program.process_types[self.process_types[process as usize] as usize];
            let mut provided = Vec::new();
            if let Some(condition) = described.provided {
                self.condition(process, condition, &mut provided)?;
            }
            for location in described.locations.clone() {
                let transitions = self.program.locations[location as usize]
                    .transitions
                    .clone();
                for number in transitions {
                    let mut operations = self.transition(process, location, number)?;
                    operations.guard.extend(&provided);
                    self.found[number as usize] = operations;
                }
            }
        }
        Ok(())
    }

    fn transition(
        &mut self,
        process: u32,
        location: u32,
        number: u32,
    ) -> Result<Operations, Unsupported> {
        let program = self.program;
        let transition: &Transition = &program.transitions[number as usize];
        if transition.holds || transition.otherwise || transition.group != 0 {
            return Err(Unsupported("atomic sequences"));
        }
        let mut operations = Operations::default();
        // A timer that expires is one operation, not a test and a write.
        let expiry = self.expiry(transition)?;
        match expiry {
            Some(place) => {
                let expire = self.timer(place, timer::Operation::Expire)?;
                operations.guard.push(expire);
            }
            None => self.condition(process, transition.guard, &mut operations.guard)?,
        }
        let mut sends: HashMap<i32, u32> = HashMap::new();
        for (position, code) in transition.effect.clone().enumerate() {
            match &program.code[code as usize] {
                Instruction::Assign(..) if position == 0 && expiry.is_some() => {}
                Instruction::Assign(place, value) => {
                    let action = match self.constant(*value)? {
                        0 => timer::Operation::Stop,
                        1 => timer::Operation::Start,
                        _ => return Err(Unsupported("variables")),
                    };
                    let operation = self.timer(*place, action)?;
                    operations.effect.push(operation);
                }
                Instruction::Send(send) => {
                    let send = &program.sends[send.index()];
                    let channel = self.constant(send.channel)?;
                    let earlier = sends.entry(channel).or_insert(0);
                    let send = self.channel(channel, Action::Send(*earlier))?;
                    operations.effect.push(send);
                    if self.overflow {
                        let room = self.channel(channel, Action::Room(*earlier))?;
                        operations.effect.push(room);
                    }
                    *earlier += 1;
                }
                Instruction::Receive(receive) => {
                    let channel = self.constant(program.receives[receive.index()].channel)?;
                    self.reads(process, channel);
                    let operation = self.channel(channel, Action::Receive)?;
                    operations.guard.push(operation);
                }
                Instruction::JumpUnless(condition, _) => {
                    self.claim(*condition, &mut operations.effect)?;
                }
                Instruction::Run { .. } => self.starts[number as usize] = true,
                Instruction::Jump(_) | Instruction::Breach(_) | Instruction::Stop(_) => {}
                _ => return Err(Unsupported("instructions that no machine has")),
            }
        }
        if let Some(target) = transition.target
            && self.is_seen(process, location, target.0)
        {
            let operation = self.operation(ObjectKind::Presence, process, Action::Write);
            operations.effect.push(operation);
        }
        for list in [&mut operations.guard, &mut operations.effect] {
            list.sort_unstable_by_key(|operation| operation.0);
            list.dedup();
        }
        Ok(operations)
    }

    /// Can a process that asks tell these two locations of another apart?
    fn is_seen(&self, process: u32, from: u32, to: u32) -> bool {
        let [from, to] = [from, to].map(|location| &self.program.locations[location as usize]);
        self.asked[process as usize]
            .iter()
            .any(|asked| match asked {
                Asked::Number(number) => (from.number == *number) != (to.number == *number),
                Asked::Mark(mark) => (from.marks ^ to.marks) >> mark & 1 != 0,
            })
    }

    /// The bit of the timer whose expiry this transition is.
    fn expiry(&self, transition: &Transition) -> Result<Option<PlaceId>, Unsupported> {
        let Expression::Load(place) = self.program.expressions[transition.guard.index()] else {
            return Ok(None);
        };
        let first = transition.effect.clone().next();
        match first.map(|code| &self.program.code[code as usize]) {
            Some(Instruction::Assign(assigned, value))
                if *assigned == place && self.constant(*value)? == 0 =>
            {
                Ok(Some(place))
            }
            _ => Err(Unsupported("variables")),
        }
    }

    /// The operations of a guard.
    fn condition(
        &mut self,
        process: u32,
        condition: ExpressionId,
        operations: &mut Vec<OperationId>,
    ) -> Result<(), Unsupported> {
        match self.program.expressions[condition.index()] {
            Expression::And(left, right) => {
                self.condition(process, left, operations)?;
                self.condition(process, right, operations)
            }
            Expression::Unary(_, inner) => self.condition(process, inner, operations),
            Expression::Constant(_) => Ok(()),
            Expression::Channel(ChannelTest::Empty, channel) => {
                let channel = self.constant(channel)?;
                self.reads(process, channel);
                operations.push(self.channel(channel, Action::Empty)?);
                Ok(())
            }
            // The receive itself comes with the effect.
            Expression::CanReceive(_) => Ok(()),
            // Whether the free machine of a process of higher priority is enabled.
            Expression::At {
                process: Some(other),
                ..
            } => {
                let other = self.constant(other)? as u32;
                self.joined.push((process, other));
                Ok(())
            }
            _ => Err(Unsupported("conditions that no machine has")),
        }
    }

    /// The operations of a claim that is checked.
    fn claim(
        &mut self,
        claim: ExpressionId,
        operations: &mut Vec<OperationId>,
    ) -> Result<(), Unsupported> {
        match self.program.expressions[claim.index()] {
            Expression::And(left, right) | Expression::Or(left, right) => {
                self.claim(left, operations)?;
                self.claim(right, operations)
            }
            Expression::Unary(_, inner) => self.claim(inner, operations),
            Expression::Constant(_) => Ok(()),
            // Room for a message: part of the send.
            Expression::Channel(ChannelTest::NotFull, _) => Ok(()),
            Expression::At {
                process: Some(other),
                ..
            }
            | Expression::Marked { process: other, .. } => {
                let other = self.constant(other)? as u32;
                operations.push(self.operation(ObjectKind::Presence, other, Action::Read));
                Ok(())
            }
            _ => Err(Unsupported("claims that no machine has")),
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
