//! The network becomes a program.
//!
//! Each machine is a process whose locations are its configurations: VFSM state and register. A
//! way that a transition may go is a transition of the program, so one step of the search is one
//! transition of the paper, with nothing left to work out. The scheduler is in the guards: that a
//! machine receives from a queue only while those of higher priority are empty is an `empty`
//! operation. Queues are channels, running timers are bits, and each timer is a process that can
//! expire while its bit is set.

mod build;
mod cost;
mod expiry;
mod formula;
mod properties;
pub(crate) mod words;

use mazurka_model::{
    Base, BreachKind, ChannelTest, ChannelType, Enumeration, Expression, ExpressionId, Field,
    Handshake, Instruction, Kind, Location, LocationId, Meaning, MessageField, PlaceId,
    ProcessType, ProcessTypeId, Program, Receive, ReceiveId, Send, SendId, Slot, Statement,
    StatementId, Transition, Variable,
};
use mazurka_span::{SourceMap, Span};

use crate::Property;
use crate::automaton::{Automaton, Edge};
use crate::coverage::Coverage;
use crate::durations::Order;
use crate::network::{Claim, Network};
use crate::transition::{Effect, Ending, Trigger};
use build::Builder;
use words::Words;

/// A network as a program.
pub(crate) struct Lowered {
    pub program: Program,
    /// What its transitions exercise.
    pub coverage: Coverage,
    pub formulas: Vec<Property>,
    /// What a state costs in a guided search.
    pub guide: Option<ExpressionId>,
    /// For each transition, how likely it is.
    pub weights: Vec<u64>,
    /// For each transition, the alternatives that it takes.
    pub choices: Vec<Vec<u32>>,
}

/// The program of a network.
pub(crate) fn lower(
    map: &SourceMap,
    name: &str,
    network: &Network,
    automata: &[Automaton],
) -> Lowered {
    let lowering = Lowering {
        network,
        automata,
        words: Words { map, network },
        builder: Builder::new(name),
        queues: Vec::new(),
        timers: Vec::new(),
        orders: Vec::new(),
        coverage: Coverage::default(),
        weights: Vec::new(),
        choices: Vec::new(),
        several_starts: false,
        claims: Default::default(),
    };
    lowering.run()
}

/// Is the initial global state chosen by a step? So it is if there are several, or if an invariant is violated in the only one, since
/// somebody has to violate it.
pub(crate) fn chooses_start(network: &Network) -> bool {
    network.starts.len() > 1 || !properties::holds_at_start(network)
}

struct Lowering<'n> {
    network: &'n Network,
    automata: &'n [Automaton],
    words: Words<'n>,
    builder: Builder,
    /// For each process, its queues.
    queues: Vec<Queues>,
    /// For each machine, the places of its timers.
    timers: Vec<Vec<PlaceId>>,
    /// Timers of which one may have to wait for the other, and the bit that says that it does.
    orders: Vec<(Order, PlaceId)>,
    coverage: Coverage,
    /// How likely the transitions are that there are so far.
    weights: Vec<u64>,
    /// The alternatives that they take.
    choices: Vec<Vec<u32>>,
    /// Is there a process that chooses the initial global state?
    several_starts: bool,
    /// Claims that have become expressions.
    claims: std::collections::HashMap<Claim, ExpressionId>,
}

/// The channels of a process; a queue that nothing is ever sent to is none.
struct Queues {
    high: Option<Queue>,
    low: Option<Queue>,
    /// The messages: machine and event. A message is its number here plus one.
    messages: Vec<(usize, usize)>,
}

#[derive(Clone)]
struct Queue {
    /// The number of its channel.
    channel: ExpressionId,
    capacity: u32,
    empty: ExpressionId,
    room: ExpressionId,
    /// For each message, the receive that takes it, the question whether it is there, and the send.
    receives: Vec<(ReceiveId, ExpressionId)>,
    sends: Vec<SendId>,
}

impl Lowering<'_> {
    fn run(mut self) -> Lowered {
        self.several_starts = chooses_start(self.network);
        for process in 0..self.network.processes.len() {
            let queues = self.queues(process);
            self.queues.push(queues);
        }
        self.running_timers();
        if self.several_starts {
            self.chooser();
        }
        for machine in 0..self.network.machines.len() {
            self.machine(machine);
        }
        for machine in 0..self.network.machines.len() {
            for timer in 0..self.network.type_of(machine).timers.len() {
                self.timer(machine, timer);
            }
        }
        if !self.several_starts {
            self.run_all(None);
        }
        let formulas = self.formulas();
        let guide = self.network.guide.as_ref().map(|cost| self.cost(cost));
        let mut program = self.builder.finish();
        let files = self.words.map.files().iter();
        program.files = files.map(|file| file.name().into()).collect();
        program.features.provided = program.process_types.iter().any(|p| p.provided.is_some());
        Lowered {
            program,
            coverage: self.coverage,
            formulas,
            guide,
            weights: self.weights,
            choices: self.choices,
        }
    }

    /// The number of the process of a machine.
    fn process_number(&self, machine: usize) -> i32 {
        (machine + usize::from(self.several_starts)) as i32
    }

    fn process_type(&self, machine: usize) -> ProcessTypeId {
        ProcessTypeId(self.process_number(machine) as u32)
    }

    fn queues(&mut self, process: usize) -> Queues {
        let described = &self.network.processes[process];
        let mut messages = Vec::new();
        for machine in &described.machines {
            for (event, heard) in self.network.machines[*machine].heard.iter().enumerate() {
                if heard.high || heard.low {
                    messages.push((*machine, event));
                }
            }
        }
        let names = messages
            .iter()
            .enumerate()
            .map(|(number, (machine, event))| {
                let event = &self.network.type_of(*machine).events[*event].name;
                let name = match described.machines.len() {
                    1 => event.clone(),
                    _ => format!("{}.{event}", self.network.machines[*machine].name),
                };
                (name, number as i32 + 1)
            });
        let enumeration = self.builder.program.enumerations.len() as u32;
        let enumerated = Enumeration {
            name: described.name.clone(),
            constants: names.collect(),
        };
        self.builder.program.enumerations.push(enumerated);
        let network = self.network;
        let mut queue = |word: &str, exists: bool, capacity: u32| {
            let name = format!("{}.{word}", described.name);
            exists.then(|| self.queue(name, capacity, enumeration, messages.len()))
        };
        let high = queue("high", network.has_high_queue(process), described.high);
        let low = queue("low", network.has_low_queue(process), described.low);
        Queues {
            high,
            low,
            messages,
        }
    }

    fn queue(&mut self, name: String, capacity: u32, enumeration: u32, messages: usize) -> Queue {
        let kind = match messages {
            0..=255 => Kind::Byte,
            _ => Kind::Unsigned(16),
        };
        let number = self.builder.channel(ChannelType {
            name,
            capacity,
            fields: vec![MessageField {
                kind,
                offset: 0,
                meaning: Meaning::Enumeration(enumeration),
            }],
            message_bytes: kind.bytes(),
            forms: Vec::new(),
        });
        let builder = &mut self.builder;
        let channel = builder.constant(number);
        let mut queue = Queue {
            channel,
            capacity,
            empty: builder.expression(Expression::Channel(ChannelTest::Empty, channel)),
            room: builder.expression(Expression::Channel(ChannelTest::NotFull, channel)),
            receives: Vec::new(),
            sends: Vec::new(),
        };
        for message in 1..=messages as i32 {
            let value = builder.constant(message);
            let field = builder.program.fields.len() as u32;
            builder.program.fields.push(Field::Match(value));
            let receive = ReceiveId(builder.program.receives.len() as u32);
            builder.program.receives.push(Receive {
                channel,
                fields: field..field + 1,
                random: false,
                keep: false,
            });
            let possible = builder.expression(Expression::CanReceive(receive));
            queue.receives.push((receive, possible));
            let list = builder.program.lists.len() as u32;
            builder.program.lists.push(value);
            queue.sends.push(SendId(builder.program.sends.len() as u32));
            builder.program.sends.push(Send {
                channel,
                values: list..list + 1,
                sorted: false,
            });
        }
        queue
    }

    /// The process that chooses an initial global state, in one step before all others.
    fn chooser(&mut self) {
        let locations = self.builder.next_location();
        let first = self.builder.program.transitions.len() as u32;
        let origin = self.words.origin(self.network.machines[0].span);
        for (number, start) in self.network.starts.iter().enumerate() {
            let code = self.builder.here();
            let places = self.run_all(Some(number));
            self.check_invariants_at(start);
            let places: Vec<String> = places;
            let statement = self.builder.statement(Statement {
                text: format!("starts with {}", places.join(", ")),
                origin,
                process_type: ProcessTypeId(0),
                reported: false,
            });
            let guard = self.builder.constant(1);
            let effect = code..self.builder.here();
            let target = LocationId(locations + 1);
            self.builder.transition(guard, effect, target, statement);
            self.coverage.by_transition.push(Vec::new());
            self.weights.push(1);
            self.choices.push(vec![number as u32]);
        }
        let last = self.builder.program.transitions.len() as u32;
        for (number, transitions) in [first..last, last..last].into_iter().enumerate() {
            self.builder.program.locations.push(Location {
                number: number as u32,
                transitions,
                end: true,
                accept: false,
                progress: false,
                labels: vec![["not started", "started"][number].into()],
                marks: 0,
                origin,
            });
        }
        let empty = self.builder.here();
        self.builder.process_type(ProcessType {
            locations: locations..locations + 2,
            frame_bytes: 1,
            start: empty..empty,
            machine: true,
            ..ProcessType::new("network", LocationId(locations))
        });
        self.builder.run_at_start(ProcessTypeId(0));
    }

    /// Starts all machines and timers: when the program starts, or as the effect of the step that
    /// chooses the given initial global state. Says where the machines are then.
    fn run_all(&mut self, start: Option<usize>) -> Vec<String> {
        let mut places = Vec::new();
        let timers: usize = self.timers.iter().map(Vec::len).sum();
        let machines = self.network.machines.len();
        for number in 0..machines + timers {
            let process_type = ProcessTypeId((number + usize::from(start.is_some())) as u32);
            match start {
                None => self.builder.run_at_start(process_type),
                Some(start) => {
                    let list = self.builder.program.lists.len() as u32;
                    if number < machines {
                        let state = self.network.starts[start][number];
                        let argument = self.builder.constant(start as i32);
                        self.builder.program.lists.push(argument);
                        let machine = &self.network.machines[number].name;
                        let state = &self.network.type_of(number).states[state].name;
                        places.push(format!("{machine} in {state}"));
                    }
                    let arguments = list..self.builder.program.lists.len() as u32;
                    self.builder.emit(Instruction::Run {
                        process_type,
                        arguments,
                        priority: 1,
                        result: None,
                    });
                }
            }
        }
        places
    }

    fn machine(&mut self, machine: usize) {
        let automaton = &self.automata[machine];
        let described = self.network.type_of(machine);
        let first = self.builder.next_location();
        self.coverage.begin(&self.words, machine);
        for (number, configuration) in automaton.configurations.iter().enumerate() {
            let transitions = self.builder.program.transitions.len() as u32;
            for edge in &automaton.edges[number] {
                self.edge(machine, number, edge, first);
            }
            let transitions = transitions..self.builder.program.transitions.len() as u32;
            let state = &described.states[configuration.state];
            let mut labels = vec![self.words.configuration(machine, *configuration)];
            labels.extend(
                self.words
                    .awaited(machine, number, &automaton.edges[number]),
            );
            self.builder.program.locations.push(Location {
                number: configuration.state as u32,
                transitions,
                end: state.end,
                accept: false,
                progress: state.progress,
                labels,
                marks: configuration.register,
                origin: self.words.origin(state.span),
            });
        }
        let provided = self.has_processor(machine);
        let location = |number: usize| LocationId(first + number as u32);
        let start_of = |start: &Vec<usize>| {
            let configuration = crate::transition::Configuration {
                state: start[machine],
                register: 0,
            };
            location(automaton.numbers[&configuration])
        };
        let starts: Vec<LocationId> = self.network.starts.iter().map(start_of).collect();
        let last = self.builder.next_location();
        let slot_kind = match last - first {
            0..=256 => Kind::Byte,
            _ => Kind::Unsigned(16),
        };
        let mut process_type = ProcessType {
            name: self.network.machines[machine].name.clone(),
            locations: first..last,
            initial: starts[0],
            variables: Vec::new(),
            parameters: Vec::new(),
            location: Slot {
                offset: 0,
                kind: slot_kind,
            },
            priority: None,
            frame_bytes: slot_kind.bytes(),
            start: 0..0,
            provided,
            deterministic: false,
            machine: true,
        };
        self.start_code(&mut process_type, &starts);
        self.builder.process_type(process_type);
    }

    /// Where there are several initial global states, a machine is told which one it is.
    fn start_code(&mut self, process_type: &mut ProcessType, starts: &[LocationId]) {
        let first = self.builder.here();
        if self.several_starts {
            let kind = Kind::Unsigned(16);
            let offset = process_type.frame_bytes;
            process_type.frame_bytes += kind.bytes();
            process_type.variables.push(Variable {
                name: "start".into(),
                offset,
                kind,
                length: None,
                meaning: Meaning::Number,
            });
            let place = self.builder.place(Base::Local, offset, kind);
            process_type.parameters.push(place);
            for (number, start) in starts.iter().enumerate() {
                let is_this = self.builder.is_equal(place, number as i32);
                let behind = self.builder.here() + 2;
                self.builder.emit(Instruction::JumpUnless(is_this, behind));
                self.builder.emit(Instruction::Enter(*start));
            }
            // From now on it tells states apart no more.
            let zero = self.builder.constant(0);
            self.builder.emit(Instruction::Assign(place, zero));
        }
        process_type.start = first..self.builder.here();
    }

    /// The condition that no process of higher priority on the same processor can execute: its
    /// queues are empty, and its free machine, if any, is not enabled.
    fn has_processor(&mut self, machine: usize) -> Option<ExpressionId> {
        let own = self.network.machines[machine].process;
        let processor = &self.network.processors[self.network.processes[own].processor];
        let mut conditions = Vec::new();
        for process in processor
            .processes
            .iter()
            .take_while(|process| **process != own)
        {
            let queues = &self.queues[*process];
            conditions.extend(
                queues
                    .high
                    .iter()
                    .chain(&queues.low)
                    .map(|queue| queue.empty),
            );
            if let Some(free) = self.network.free_machine(*process) {
                let states = 0..self.network.type_of(free).states.len();
                for state in states {
                    let mut mappings = self.network.type_of(free).spontaneous.iter();
                    if mappings.any(|mapping| mapping.states[state]) {
                        let there = self.is_in(free, state);
                        conditions.push(self.builder.not(there));
                    }
                }
            }
        }
        self.builder.all(conditions)
    }

    fn is_in(&mut self, machine: usize, state: usize) -> ExpressionId {
        let process = self.builder.constant(self.process_number(machine));
        self.builder.expression(Expression::At {
            process_type: self.process_type(machine),
            process: Some(process),
            number: state as u32,
        })
    }

    /// A way that a transition may go: a transition for each queue that can set it off.
    fn edge(&mut self, machine: usize, from: usize, edge: &Edge, first: u32) {
        let process = self.network.machines[machine].process;
        let (high, low) = (
            self.queues[process].high.clone(),
            self.queues[process].low.clone(),
        );
        let empty = |queue: &Option<Queue>| queue.as_ref().map(|queue| queue.empty);
        match edge.trigger {
            Trigger::Free => {
                let conditions = empty(&high).into_iter().chain(empty(&low)).collect();
                self.transition(machine, from, edge, first, conditions, None);
            }
            Trigger::Event(event) => {
                let messages = &self.queues[process].messages;
                let message = messages.iter().position(|known| *known == (machine, event));
                let message = message.expect("an event that is heard has a message");
                let heard = self.network.machines[machine].heard[event];
                if let (true, Some(queue)) = (heard.high, &high) {
                    let (receive, possible) = queue.receives[message];
                    self.transition(machine, from, edge, first, vec![possible], Some(receive));
                }
                if let (true, Some(queue)) = (heard.low, &low) {
                    let (receive, possible) = queue.receives[message];
                    let conditions = empty(&high).into_iter().chain([possible]).collect();
                    self.transition(machine, from, edge, first, conditions, Some(receive));
                }
            }
        }
    }

    fn transition(
        &mut self,
        machine: usize,
        from: usize,
        edge: &Edge,
        first: u32,
        conditions: Vec<ExpressionId>,
        receive: Option<ReceiveId>,
    ) {
        let code = self.builder.here();
        if let Some(receive) = receive {
            self.builder.emit(Instruction::Receive(receive));
        }
        let before = self.automata[machine].configurations[from];
        match edge.way.ending {
            Ending::Never(again) => {
                let message = self.words.unsettled(machine, before, edge, again);
                let breach = self.breach(BreachKind::Unsettled, message, edge.way.span);
                self.builder.emit(Instruction::Stop(breach));
            }
            Ending::Settled(after) => {
                if let (true, Trigger::Event(event)) = (edge.way.unexpected, edge.trigger) {
                    let message = self.words.unexpected(machine, before, event);
                    let span = self.network.type_of(machine).states[before.state].span;
                    let breach = self.breach(BreachKind::UnexpectedInput, message, span);
                    self.builder.emit(Instruction::Breach(breach));
                }
                self.effects(machine, before, edge);
                self.check_invariants(machine, before, edge, after);
            }
        }
        self.builder.end_effect();
        let guard = self
            .builder
            .all(conditions)
            .unwrap_or_else(|| self.builder.constant(1));
        let statement = self.builder.statement(Statement {
            text: self.words.story(machine, edge),
            origin: self.words.origin(edge.way.span),
            process_type: self.process_type(machine),
            reported: false,
        });
        let effect = code..self.builder.here();
        let target = LocationId(first + edge.target as u32);
        self.builder.transition(guard, effect, target, statement);
        self.coverage.transition(&edge.way.parts);
        self.weights.push(edge.way.weight);
        self.choices.push(edge.way.choices.clone());
    }

    fn effects(&mut self, machine: usize, before: crate::transition::Configuration, edge: &Edge) {
        for effect in &edge.way.effects {
            match *effect {
                Effect::Start(timer) => self.start_timer((machine, timer)),
                Effect::Stop(timer) => self.stop_timer((machine, timer)),
                Effect::Send { to, event } => {
                    let message = |words: &Words<'_>, word: &str, capacity: u32| {
                        words.overflow(machine, before, to, event, word, capacity)
                    };
                    let inside =
                        self.network.machines[to].process == self.network.machines[machine].process;
                    self.send(to, event, inside, edge.way.span, message);
                }
            }
        }
    }

    /// Sends an event, or reports that there is no room for it.
    fn send(
        &mut self,
        to: usize,
        event: usize,
        inside: bool,
        span: Span,
        message: impl Fn(&Words<'_>, &str, u32) -> String,
    ) {
        let queues = &self.queues[self.network.machines[to].process];
        let number = queues
            .messages
            .iter()
            .position(|known| *known == (to, event));
        let (queue, word) = match inside {
            true => (&queues.high, "high"),
            false => (&queues.low, "low"),
        };
        let (Some(queue), Some(number)) = (queue.clone(), number) else {
            unreachable!("what is sent is heard");
        };
        let text = message(&self.words, word, queue.capacity);
        let breach = self.breach(BreachKind::Overflow, text, span);
        self.builder.emit_or_stop(queue.room, breach);
        self.builder.emit(Instruction::Send(queue.sends[number]));
    }

    fn breach(&mut self, kind: BreachKind, message: String, span: Span) -> mazurka_model::BreachId {
        let origin = self.words.origin(span);
        self.builder.breach(kind, message, origin)
    }
}

/// The transition without a guard of its own kind of meeting.
impl Builder {
    fn transition(
        &mut self,
        guard: ExpressionId,
        effect: std::ops::Range<u32>,
        target: LocationId,
        statement: StatementId,
    ) {
        self.program.transitions.push(Transition {
            guard,
            otherwise: false,
            handshake: Handshake::Apart,
            effect,
            target: Some(target),
            holds: false,
            group: 0,
            statement,
        });
    }
}
