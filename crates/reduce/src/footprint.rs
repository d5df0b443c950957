//! Footprints: what each transition does, and what its process may do from there on.
//!
//! A transition that keeps control counts as the whole atomic sequence it begins, since nobody
//! else can step in between. What comes after a `timeout` is left out of the future of a process:
//! a timeout happens only when nothing else can, so it cannot come before a step of a set that
//! contains an enabled step, as every stubborn set does.

use std::collections::HashMap;
use std::ops::Range;

use mazurka_model::{
    Base, ChannelTest, Expression, ExpressionId, Handshake, Instruction, Program, ReceiveId,
    Transition,
};

use mazurka_objects::population;

use crate::bits::Bits;
use crate::constancy::{Constancy, Writes, span};
use crate::operation::{
    Action, Addresses, Collector, Conjunct, Object, Operation, Spot, Unsupported, conjuncts,
};
use crate::rounds::until_stable;
use crate::tables::{Tables, tables_of};
use crate::used::Used;

/// Sets of operations are kept for each transition, and operations are compared in pairs. A model that needs more of either is not
/// reduced: nobody should wait for minutes before the search begins.
const MOST_PAIRS: usize = 1 << 27;

/// The footprints of a program. If it cannot be reduced, the sets may be missing.
#[derive(Debug, Default)]
pub(crate) struct Footprints {
    /// All operations, each once.
    pub operations: Vec<Operation>,
    /// For each transition of the program.
    pub transitions: Vec<Footprint>,
    /// For each operation, those that may be performed on the same object and depend on it.
    pub rivals: Vec<Bits>,
    /// For each location, what its process may do from there on, short of a timeout.
    pub future: Vec<Bits>,
    /// For each process type, what a process may ever do: the futures of all its locations.
    pub machine: Vec<Bits>,
    /// For each process type, the condition on its execution.
    pub provided: Vec<Option<Condition>>,
    /// All operations, as a set.
    pub everything: Bits,
    /// May some process send in order or receive from anywhere?
    pub disorderly: bool,
    /// What transitions do with objects of few values.
    pub tables: Tables,
    /// Why the program cannot be reduced at all.
    pub unsupported: Option<Unsupported>,
}

/// What a transition does and what may come after it.
#[derive(Debug)]
pub(crate) struct Footprint {
    /// Its operations; those in front happen in the state in which it begins.
    pub own: Vec<u32>,
    /// How many of `own` happen in the state in which it begins.
    pub first: usize,
    /// For each of `own`: is it performed at most once, on the same object as long as the process
    /// lives? If nothing else in the transition touches that object, it finds it as it is now.
    pub once: Vec<bool>,
    /// Its operations, as a set.
    pub all: Bits,
    /// Its operations in the state in which it begins, as a set.
    pub now: Bits,
    /// Its other operations, and what its process may do after it.
    pub later: Bits,
    /// The conditions for it to be enabled, with their operations as numbers.
    pub conditions: Vec<Condition>,
    /// The operations that test whether it is enabled. In the middle of an atomic sequence it makes
    /// a difference that it is not: control is given up.
    pub tests: Vec<u32>,
    /// Is it possible only when nothing else is?
    pub timeout: bool,
}

/// A condition for a transition to be enabled.
#[derive(Debug)]
pub(crate) struct Condition {
    /// What must be true; `None` if only the whole transition can be asked.
    pub expression: Option<mazurka_model::ExpressionId>,
    pub operations: Vec<u32>,
    /// Can the process itself change it by moving?
    pub local: bool,
}

impl Footprint {
    /// Its operations that happen in a state that is not known when it begins.
    pub fn after(&self) -> impl Iterator<Item = u32> {
        let later = self.own.iter().zip(&self.once).skip(self.first);
        later.filter(|(_, once)| !**once).map(|(number, _)| *number)
    }
}

impl Footprints {
    /// For each transition, may it change the value of one of these expressions, which a property
    /// looks at? All may, if the analysis cannot tell.
    pub fn visible(program: &Program, atoms: &[ExpressionId]) -> Vec<bool> {
        let used = Used::everything(program);
        let footprints = Footprints::watched_by(program, &used);
        let writes = Writes::of(program);
        let builder = Builder::new(program, &writes, &used);
        let mut collector = builder.collector(0);
        collector.addresses = Addresses::Foreign;
        for atom in atoms {
            collector.reads(*atom);
        }
        let unknown = collector.unsupported.is_some() || collector.timeout;
        let seen = collector.take();
        let changes = |number: &u32| {
            let operation = &footprints.operations[*number as usize];
            seen.iter()
                .any(|read| may_meet(read, operation, &footprints.tables))
        };
        let visible = |footprint: &Footprint| unknown || footprint.own.iter().any(changes);
        footprints.transitions.iter().map(visible).collect()
    }

    /// Analyses a program.
    pub fn of(program: &Program) -> Footprints {
        Footprints::watched_by(program, &Used::by(program))
    }

    /// Analyses a program, with what others look at given.
    fn watched_by(program: &Program, used: &Used) -> Footprints {
        let writes = Writes::of(program);
        let mut builder = Builder::new(program, &writes, used);
        let mut footprints = builder.transitions();
        let provided = builder.provided();
        builder.close_atomic(&mut footprints);
        let newborn = builder.newborn();
        let bound = builder.operations.len();
        if footprints.len().max(bound).saturating_mul(bound) > MOST_PAIRS {
            let unsupported = Some(Unsupported::TOO_LARGE);
            return Footprints {
                transitions: footprints,
                operations: builder.operations,
                tables: builder.tables,
                provided,
                unsupported: builder.unsupported.or(unsupported),
                ..Footprints::default()
            };
        }
        let future = fill_sets(program, &mut footprints, &newborn, bound);
        let disorderly = program.sends.iter().any(|send| send.sorted)
            || program
                .receives
                .iter()
                .any(|receive| receive.random && !receive.keep);
        let machines = program.process_types.iter().map(|process| {
            let mut all = Bits::new(bound);
            for location in process.locations.clone() {
                all.join(&future[location as usize]);
            }
            all
        });
        let machine = machines.collect();
        let mut everything = Bits::new(bound);
        (0..bound as u32).for_each(|operation| everything.insert(operation));
        Footprints {
            everything,
            rivals: rivals(&builder.operations, &builder.tables),
            future,
            machine,
            operations: builder.operations,
            transitions: footprints,
            tables: builder.tables,
            provided,
            disorderly,
            unsupported: builder.unsupported,
        }
    }
}

struct Builder<'a> {
    program: &'a Program,
    writes: &'a Writes,
    largest_field: i64,
    /// Local variables that other processes look at: process type and bytes.
    watched: Vec<(u32, u32, u32)>,
    /// Where other processes look.
    looked_at: Vec<Spot>,
    /// What the patterns of receives read, if there are rendezvous channels.
    patterns: Vec<Operation>,
    operations: Vec<Operation>,
    numbers: HashMap<Operation, u32>,
    tables: Tables,
    unsupported: Option<Unsupported>,
}

/// What each transition of a program does by itself: the operations, before it is said what follows
/// on what and what interacts with what.
#[derive(Debug)]
pub(crate) struct Collected {
    /// All operations, each once.
    pub operations: Vec<Operation>,
    /// For each transition of the program; the sets are empty.
    pub transitions: Vec<Footprint>,
    /// For each process type, the condition on its execution.
    pub provided: Vec<Option<Condition>>,
    /// Why the program cannot be analysed.
    pub unsupported: Option<Unsupported>,
}

impl Collected {
    /// Collects the operations of a program.
    pub fn of(program: &Program) -> Collected {
        let (writes, used) = (Writes::of(program), Used::by(program));
        let mut builder = Builder::new(program, &writes, &used);
        let transitions = builder.transitions();
        let provided = builder.provided();
        Collected {
            operations: builder.operations,
            transitions,
            provided,
            unsupported: builder.unsupported,
        }
    }
}

impl<'a> Builder<'a> {
    fn new(program: &'a Program, writes: &'a Writes, used: &Used) -> Builder<'a> {
        let mut builder = Builder {
            program,
            writes,
            largest_field: largest_field(program),
            watched: watched(program, used),
            looked_at: looked_at(program, used),
            patterns: Vec::new(),
            operations: Vec::new(),
            numbers: HashMap::new(),
            tables: Tables::default(),
            unsupported: None,
        };
        if program.features.last {
            builder.unsupported = Some(Unsupported("_last"));
        }
        if program.features.priority {
            builder.unsupported = Some(Unsupported("priorities"));
        }
        if program.monitor.is_some() {
            builder.unsupported = Some(Unsupported("a trace assertion"));
        }
        if program.features.rendezvous && program.features.provided {
            // The condition of a receiver is asked after the sender's move.
            builder.unsupported = Some(Unsupported("rendezvous together with provided"));
        }
        builder.patterns = builder.patterns();
        builder
    }

    fn number(&mut self, operation: Operation) -> u32 {
        let next = self.operations.len() as u32;
        let number = *self.numbers.entry(operation).or_insert(next);
        if number == next {
            self.operations.push(operation);
        }
        number
    }

    fn numbers_of(&mut self, operations: Vec<Operation>) -> Vec<u32> {
        operations
            .into_iter()
            .map(|operation| self.number(operation))
            .collect()
    }

    fn collector(&self, process_type: u32) -> Collector<'_> {
        Collector {
            program: self.program,
            writes: self.writes,
            process_type,
            largest_field: self.largest_field,
            watched: &self.watched,
            operations: Vec::new(),
            reads_local: false,
            timeout: false,
            addresses: Addresses::Exact,
            patterns: &self.patterns,
            unsupported: None,
        }
    }

    /// What the patterns of receives read: whether a receiver is ready for a message hangs on it.
    fn patterns(&self) -> Vec<Operation> {
        let mut operations = Vec::new();
        if !self.program.features.rendezvous {
            return operations;
        }
        for (number, process) in self.program.process_types.iter().enumerate() {
            let mut collector = self.collector(number as u32);
            collector.addresses = Addresses::Foreign;
            for location in process.locations.clone() {
                for receive in received_at(self.program, location) {
                    collector.pattern(receive);
                    collector.reads(self.program.receives[receive.index()].channel);
                }
            }
            operations.extend(collector.take());
        }
        operations
    }

    fn transitions(&mut self) -> Vec<Footprint> {
        let mut footprints = Vec::new();
        for (number, process) in self.program.process_types.iter().enumerate() {
            for location in process.locations.clone() {
                let siblings = self.program.locations[location as usize]
                    .transitions
                    .clone();
                let escapable = has_several_groups(self.program, siblings.clone());
                for transition in siblings {
                    let place = (number as u32, location, escapable);
                    footprints.push(self.transition(place, transition));
                }
            }
        }
        footprints
    }

    /// Of a transition at a location of a process type, which has escapes or has none.
    fn transition(
        &mut self,
        (process_type, location, escapable): (u32, u32, bool),
        number: u32,
    ) -> Footprint {
        let program = self.program;
        let transition = &program.transitions[number as usize];
        let siblings = program.locations[location as usize].transitions.clone();
        let mut collector = self.collector(process_type);
        let mut conditions = guard_conditions(&mut collector, transition);
        let timeout = collector.timeout;
        // The guard of a send or receive is part of what the send or receive does.
        if transition.handshake == Handshake::Apart {
            for condition in &conditions {
                for operation in &condition.operations {
                    if !collector.operations.contains(operation) {
                        collector.operations.push(*operation);
                    }
                }
            }
        }
        if let Some(condition) = program.process_types[process_type as usize].provided {
            collector.reads(condition);
        }
        // What a transition before it in the location could do decides about an `else`, and about
        // a statement that can be escaped from; in a process that must be deterministic, about whether the step is an error.
        let is_decided = transition.otherwise || escapable;
        let may_be_second = program.process_types[process_type as usize].deterministic;
        if is_decided || may_be_second {
            let mut others = self.collector(process_type);
            for other in siblings {
                if other != number {
                    let other = &program.transitions[other as usize];
                    others.reads(other.guard);
                    others.readiness(other.handshake);
                    others.partners(other.handshake);
                }
            }
            // A timeout among them decides nothing as long as something else can happen.
            let operations = others.take();
            collector.operations.extend(operations.iter().copied());
            if is_decided {
                conditions.push(Conjunct {
                    expression: None,
                    operations,
                    local: true,
                });
            }
        }
        let jumps = transition.effect.clone().any(|code| {
            matches!(
                program.code[code as usize],
                Instruction::Jump(_) | Instruction::JumpUnless(..)
            )
        });
        let mut code = transition.effect.clone();
        let first_instruction = code.next();
        if let Some(first) = first_instruction {
            collector.instruction(&program.code[first as usize]);
        }
        let mut unsupported = collector.unsupported;
        let mut timeout_inside = collector.timeout && !timeout;
        let mut first_operations = collector.take();
        // What happens later is collected by itself: the same operation may then mean another
        // element or channel. With jumps, the first instruction may come again.
        let mut rest = self.collector(process_type);
        for code in first_instruction.filter(|_| jumps).into_iter().chain(code) {
            rest.instruction(&program.code[code as usize]);
        }
        self.presence(&mut rest, location, transition);
        self.arrival(&mut rest, location, transition);
        unsupported = unsupported.or(rest.unsupported);
        timeout_inside |= rest.timeout;
        let mut rest_operations = rest.take();
        let mut tests = self.collector(process_type);
        tests.reads(transition.guard);
        tests.partners(transition.handshake);
        let tests = tests.take();
        self.unsupported = self.unsupported.or(unsupported);
        if timeout_inside {
            self.unsupported = Some(Unsupported("timeout inside an expression"));
        }
        // What decides besides the guard asks for the object as well.
        if !is_decided
            && !may_be_second
            && program.process_types[process_type as usize]
                .provided
                .is_none()
        {
            self.gather(
                process_type,
                transition,
                &mut first_operations,
                &mut rest_operations,
            );
        }
        let mut once = vec![false; first_operations.len()];
        once.extend(self.performed_once(process_type, transition, &rest_operations));
        let first_operations = self.numbers_of(first_operations);
        let rest = self.numbers_of(rest_operations);
        let tests = self.numbers_of(tests);
        let conditions = conditions
            .into_iter()
            .map(|conjunct| Condition {
                expression: conjunct.expression,
                operations: self.numbers_of(conjunct.operations),
                local: conjunct.local,
            })
            .collect();
        let first = first_operations.len();
        Footprint {
            own: first_operations.into_iter().chain(rest).collect(),
            first,
            once,
            all: Bits::default(),
            now: Bits::default(),
            later: Bits::default(),
            conditions,
            tests,
            timeout,
        }
    }

    /// Makes one operation of all that a transition does with an object, if that can be said in a table.
    fn gather(
        &mut self,
        process_type: u32,
        transition: &Transition,
        first: &mut Vec<Operation>,
        rest: &mut Vec<Operation>,
    ) {
        let all: Vec<Operation> = first.iter().chain(rest.iter()).copied().collect();
        for (object, table) in tables_of(self.program, transition, &all) {
            first.retain(|operation| operation.object != object);
            rest.retain(|operation| operation.object != object);
            first.push(Operation {
                process_type,
                object,
                action: Action::Table(self.tables.number(table)),
            });
        }
    }

    /// Which operations are performed by one instruction only, at most once, and on an object that
    /// cannot become another one.
    fn performed_once(
        &self,
        process_type: u32,
        transition: &Transition,
        operations: &[Operation],
    ) -> Vec<bool> {
        let program = self.program;
        let mut counts = vec![0; operations.len()];
        for code in transition.effect.clone() {
            let mut collector = self.collector(process_type);
            collector.instruction(&program.code[code as usize]);
            let repeated = transition.effect.clone().any(|jump| {
                let target = match program.code[jump as usize] {
                    Instruction::Jump(target) | Instruction::JumpUnless(_, target) => target,
                    _ => return false,
                };
                target <= code && code <= jump
            });
            for operation in collector.take() {
                if let Some(position) = operations.iter().position(|o| *o == operation) {
                    counts[position] += if repeated { 2 } else { 1 };
                }
            }
        }
        let is_fixed = |operation: &Operation| match operation.object {
            Object::Memory { constancy, .. } | Object::Channel { constancy, .. } => {
                constancy == Constancy::Instance
            }
            _ => false,
        };
        operations
            .iter()
            .zip(counts)
            .map(|(operation, count)| count == 1 && is_fixed(operation))
            .collect()
    }

    /// Coming to or leaving a place that others look at changes what they see.
    fn presence(&self, collector: &mut Collector<'_>, location: u32, transition: &Transition) {
        let process_type = collector.process_type;
        let is_there = |location: Option<u32>, spot: &Spot| {
            let location = location.map(|location| &self.program.locations[location as usize]);
            location.is_some_and(|location| match *spot {
                Spot::Location {
                    process_type: of,
                    number,
                } => of == process_type && location.number == number,
                Spot::Fact { mark, .. } => location.marks >> mark & 1 != 0,
            })
        };
        let target = transition.target.map(|target| target.0);
        for spot in &self.looked_at {
            if is_there(Some(location), spot) != is_there(target, spot) {
                let write = mazurka_objects::variable::Operation::Write(None);
                collector.operations.push(Operation {
                    process_type,
                    object: Object::Presence(*spot),
                    action: Action::Variable(write),
                });
            }
        }
    }

    /// Coming to or leaving a place where messages are received changes who is ready for them.
    fn arrival(&self, collector: &mut Collector<'_>, location: u32, transition: &Transition) {
        if !self.program.features.rendezvous {
            return;
        }
        let target = transition.target.map(|target| target.0);
        for location in std::iter::once(location).chain(target) {
            for name in received_from(self.program, location) {
                // Who comes first makes no difference: writes of one constant commute.
                let change = mazurka_objects::variable::Operation::Write(Some(1));
                collector.readiness_of(name, change);
            }
        }
    }

    fn provided(&mut self) -> Vec<Option<Condition>> {
        let program = self.program;
        let mut all = Vec::new();
        for (number, process) in program.process_types.iter().enumerate() {
            let mut collector = self.collector(number as u32);
            if let Some(condition) = process.provided {
                collector.reads(condition);
            }
            let (operations, local) = (collector.take(), collector.reads_local);
            let operations = self.numbers_of(operations);
            all.push(process.provided.map(|condition| Condition {
                expression: Some(condition),
                operations,
                local,
            }));
        }
        all
    }

    /// Lets a transition that keeps control do what the sequence it begins does.
    ///
    /// A rendezvous in the middle of it hands control over: what the receiver does, and goes on to
    /// do, belongs to the same step, though it is another process that does it.
    fn close_atomic(&mut self, footprints: &mut [Footprint]) {
        let program = self.program;
        let receives: Vec<u32> = (0..program.transitions.len() as u32)
            .filter(|number| is_receive(&program.transitions[*number as usize]))
            .collect();
        let plain: Vec<(Vec<u32>, Vec<u32>)> = footprints
            .iter()
            .map(|footprint| (footprint.own.clone(), footprint.tests.clone()))
            .collect();
        for (footprint, transition) in footprints.iter_mut().zip(&program.transitions) {
            if !transition.holds {
                continue;
            }
            let mut seen = vec![[false; 2]; program.locations.len()];
            let target = transition.target;
            let mut open: Vec<(u32, bool)> = target.iter().map(|t| (t.0, false)).collect();
            let mut handed_over = false;
            let mut more: Vec<u32> = Vec::new();
            while let Some((location, foreign)) = open.pop() {
                if std::mem::replace(&mut seen[location as usize][usize::from(foreign)], true) {
                    continue;
                }
                for next in program.locations[location as usize].transitions.clone() {
                    let (own, tests) = &plain[next as usize];
                    self.add(&mut more, own, foreign);
                    self.add(&mut more, tests, foreign);
                    let next = &program.transitions[next as usize];
                    if next.holds {
                        open.extend(next.target.iter().map(|t| (t.0, foreign)));
                    }
                    let hands_over = program.features.rendezvous
                        && matches!(next.handshake, Handshake::Sends(_));
                    if hands_over && !std::mem::replace(&mut handed_over, true) {
                        for receive in &receives {
                            self.add(&mut more, &plain[*receive as usize].0, true);
                            let receive = &program.transitions[*receive as usize];
                            if receive.holds {
                                open.extend(receive.target.iter().map(|t| (t.0, true)));
                            }
                        }
                    }
                }
            }
            for operation in more {
                if !footprint.own[footprint.first..].contains(&operation) {
                    footprint.own.push(operation);
                }
            }
            // Nothing is known of how often the sequence repeats itself.
            footprint.once = vec![false; footprint.own.len()];
        }
    }

    /// For each operation, the same by a process that is not there yet.
    fn newborn(&mut self) -> Vec<u32> {
        let starts = |instruction: &Instruction| matches!(instruction, Instruction::Run { .. });
        let mut newborn: Vec<u32> = (0..self.operations.len() as u32).collect();
        if self.program.code.iter().any(starts) {
            for number in &mut newborn {
                let operation = self.operations[*number as usize].newborn();
                *number = self.number(operation);
            }
        }
        // What one that is not there yet starts is not there yet either.
        newborn.extend(newborn.len() as u32..self.operations.len() as u32);
        newborn
    }

    /// Adds operations, as they are or as those of another process.
    fn add(&mut self, to: &mut Vec<u32>, operations: &[u32], foreign: bool) {
        for number in operations {
            let number = if foreign {
                let operation = self.operations[*number as usize].foreign();
                self.number(operation)
            } else {
                *number
            };
            to.push(number);
        }
    }
}

fn is_receive(transition: &Transition) -> bool {
    matches!(transition.handshake, Handshake::Receives(_))
}

/// The names of the channels that a process may receive from at a location. Many alternatives name one channel again and again.
fn received_from(program: &Program, location: u32) -> Vec<ExpressionId> {
    let mut names: Vec<ExpressionId> = Vec::new();
    for receive in received_at(program, location) {
        let name = program.receives[receive.index()].channel;
        if !names
            .iter()
            .any(|known| is_same_name(program, *known, name))
        {
            names.push(name);
        }
    }
    names
}

/// Are two names of channels written in the same way? Only plain variables are looked at.
fn is_same_name(program: &Program, one: ExpressionId, other: ExpressionId) -> bool {
    let variable = |name: ExpressionId| match program.expressions[name.index()] {
        Expression::Load(place) => Some(&program.places[place.index()]),
        _ => None,
    };
    one == other
        || matches!((variable(one), variable(other)), (Some(one), Some(other))
            if one.indices.is_empty()
                && other.indices.is_empty()
                && (one.base, one.offset, one.kind) == (other.base, other.offset, other.kind))
}

/// The receives that a process at a location is ready for.
fn received_at(program: &Program, location: u32) -> impl Iterator<Item = ReceiveId> {
    let transitions = program.locations[location as usize].transitions.clone();
    transitions.filter_map(
        |number| match program.transitions[number as usize].handshake {
            Handshake::Receives(receive) => Some(receive),
            _ => None,
        },
    )
}

/// The parts of a guard, each with what it asks, and with what decides whether those before it can be evaluated: if they
/// cannot, there is a step, though the part is still false.
fn guard_conditions(collector: &mut Collector<'_>, transition: &Transition) -> Vec<Conjunct> {
    let mut conditions = Vec::new();
    let (mut hazards, mut hazards_are_local) = match collector.provided() {
        Some(condition) => hazards_of(collector, condition),
        None => (Vec::new(), false),
    };
    if transition.handshake != Handshake::Apart {
        collector.reads_local = hazards_are_local;
        collector.readiness(transition.handshake);
        let mut operations = collector.operations.clone();
        operations.append(&mut hazards);
        conditions.push(Conjunct {
            expression: Some(transition.guard),
            operations,
            local: collector.reads_local,
        });
        return conditions;
    }
    for part in conjuncts(collector.program, transition) {
        if collector.program.expressions[part.index()] == Expression::Timeout {
            collector.timeout = true;
            continue;
        }
        let before = std::mem::take(&mut collector.operations);
        let was_timeout = std::mem::take(&mut collector.timeout);
        collector.reads_local = false;
        match waited_for(collector.program, transition, part) {
            // A send that waits for room: without, it does not happen.
            Some(send) => collector.readiness(Handshake::Sends(send)),
            None => collector.condition(part),
        }
        if std::mem::replace(&mut collector.timeout, was_timeout) {
            collector.unsupported = Some(Unsupported("timeout inside an expression"));
        }
        let mut operations = std::mem::replace(&mut collector.operations, before);
        let local = collector.reads_local | hazards_are_local;
        operations.extend(hazards.iter().copied());
        let (more, are_local) = hazards_of(collector, part);
        hazards.extend(more);
        hazards_are_local |= are_local;
        conditions.push(Conjunct {
            expression: Some(part),
            operations,
            local,
        });
    }
    conditions
}

/// What decides whether an expression can be evaluated, and whether its process can.
fn hazards_of(collector: &mut Collector<'_>, expression: ExpressionId) -> (Vec<Operation>, bool) {
    let before = std::mem::take(&mut collector.operations);
    collector.reads_local = false;
    collector.hazards(expression);
    let hazards = std::mem::replace(&mut collector.operations, before);
    (hazards, collector.reads_local)
}

/// The send of a transition that a part of its guard makes wait for room.
fn waited_for(
    program: &Program,
    transition: &Transition,
    part: ExpressionId,
) -> Option<mazurka_model::SendId> {
    let Expression::Channel(ChannelTest::NotFull, name) = program.expressions[part.index()] else {
        return None;
    };
    let mut code = transition.effect.clone();
    code.find_map(|code| match program.code[code as usize] {
        Instruction::Send(send) if program.sends[send.index()].channel == name => Some(send),
        _ => None,
    })
}

/// Makes the sets: what each transition does, and what its process, and those that it starts, may
/// do afterwards. Gives what may be done from each location on.
fn fill_sets(
    program: &Program,
    footprints: &mut [Footprint],
    newborn: &[u32],
    bound: usize,
) -> Vec<Bits> {
    for footprint in footprints.iter_mut() {
        footprint.all = Bits::new(bound);
        footprint.now = Bits::new(bound);
        footprint.later = Bits::new(bound);
        for (position, operation) in footprint.own.iter().enumerate() {
            let set = if position < footprint.first {
                &mut footprint.now
            } else {
                &mut footprint.later
            };
            set.insert(*operation);
            footprint.all.insert(*operation);
        }
    }
    let mut future: Vec<Bits> = vec![Bits::new(bound); program.locations.len()];
    until_stable(0..program.locations.len(), |number| {
        let mut changed = false;
        for transition in program.locations[number].transitions.clone() {
            let footprint = &footprints[transition as usize];
            if footprint.timeout {
                continue;
            }
            let mut more = footprint.now.clone();
            more.join(&footprint.later);
            more.join(&after(program, transition as usize, &future, newborn));
            changed |= future[number].join(&more);
        }
        changed
    });
    for (number, footprint) in footprints.iter_mut().enumerate() {
        let after = after(program, number, &future, newborn);
        footprint.later.join(&after);
    }
    future
}

/// What may be done after a transition, by its process and by those that it starts.
fn after(program: &Program, number: usize, future: &[Bits], newborn: &[u32]) -> Bits {
    let transition = &program.transitions[number];
    let mut after = Bits::new(newborn.len());
    if let Some(target) = transition.target {
        after.join(&future[target.index()]);
    }
    for code in transition.effect.clone() {
        if let Instruction::Run { process_type, .. } = program.code[code as usize] {
            let initial = program.process_types[process_type.index()].initial;
            for operation in future[initial.index()].iter() {
                after.insert(newborn[operation as usize]);
            }
        }
    }
    after
}

/// Are there escapes among the transitions of a location?
fn has_several_groups(program: &Program, mut transitions: Range<u32>) -> bool {
    let group = |number: u32| program.transitions[number as usize].group;
    let first = transitions.next().map(group);
    transitions.any(|other| Some(group(other)) != first)
}

/// The pairs of operations that may meet in an object and depend on each other there.
fn rivals(operations: &[Operation], tables: &Tables) -> Vec<Bits> {
    operations
        .iter()
        .map(|a| {
            let mut rivals = Bits::new(operations.len());
            for (number, b) in operations.iter().enumerate() {
                if may_meet(a, b, tables) {
                    rivals.insert(number as u32);
                }
            }
            rivals
        })
        .collect()
}

fn may_meet(a: &Operation, b: &Operation, tables: &Tables) -> bool {
    let depend = match (a.action, b.action) {
        (Action::Variable(a), Action::Variable(b)) => mazurka_objects::variable::dependent(a, b),
        // A send and a receive depend as halves of a rendezvous as well.
        (Action::Channel(a), Action::Channel(b)) => mazurka_objects::fifo::dependent(a, b),
        // Which end is meant is known only when it is asked.
        (Action::Population(a), Action::Population(b)) => {
            (a, b) != (population::Operation::Count, population::Operation::Count)
        }
        // One may be a table; or a channel appears or vanishes.
        (a, b) => tables.dependent(a, b, None).unwrap_or(true),
    };
    match (a.object, b.object) {
        (Object::Everything, _) | (_, Object::Everything) => true,
        (
            Object::Memory {
                start, end, hidden, ..
            },
            Object::Memory {
                start: from,
                end: to,
                hidden: other,
                ..
            },
        ) => hidden == other && start < to && from < end && depend,
        (
            Object::Remote {
                process_type,
                start,
                end,
            },
            Object::Remote {
                process_type: other,
                start: from,
                end: to,
            },
        ) => process_type == other && start < to && from < end && depend,
        (Object::Channel { .. }, Object::Channel { .. })
        | (Object::Channel { .. }, Object::Unborn)
        | (Object::Unborn, Object::Channel { .. }) => depend,
        (Object::Presence(a), Object::Presence(b)) => a.is_same(b) && depend,
        (Object::Population, Object::Population)
        | (Object::Readiness { .. }, Object::Readiness { .. }) => depend,
        _ => false,
    }
}

/// The greatest constant that every field of every channel can hold.
fn largest_field(program: &Program) -> i64 {
    program
        .channel_types
        .iter()
        .flat_map(|channel| &channel.fields)
        .map(|field| match field.kind {
            mazurka_model::Kind::Bit => 1,
            mazurka_model::Kind::Byte => 255,
            mazurka_model::Kind::Short => 32767,
            mazurka_model::Kind::Unsigned(bits) if bits < 31 => (1 << bits) - 1,
            _ => i64::from(i32::MAX),
        })
        .min()
        .unwrap_or(0)
}

fn watched(program: &Program, used: &Used) -> Vec<(u32, u32, u32)> {
    let mut watched = Vec::new();
    for place in used.places() {
        if let Base::Remote(process_type, _) = program.places[place.index()].base {
            let (start, end) = span(program, place);
            watched.push((process_type.0, start, end));
        }
    }
    watched
}

fn looked_at(program: &Program, used: &Used) -> Vec<Spot> {
    let mut spots = Vec::new();
    for expression in used.expressions(program) {
        let spot = match *expression {
            Expression::At {
                process_type,
                number,
                ..
            } => Spot::Location {
                process_type: process_type.0,
                number,
            },
            Expression::Marked { mark, .. } => Spot::Fact {
                mark,
                process: None,
            },
            _ => continue,
        };
        if !spots.contains(&spot) {
            spots.push(spot);
        }
    }
    spots
}
