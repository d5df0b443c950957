//! A network as a Promela model, so that SPIN can cross-check it.
//!
//! The translation goes from the network, not from the automata or the program: registers are
//! bits, a transition is an atomic sequence with a loop inside, mappings are selections. So SPIN
//! judges the unfolding as well. Errors become assertions; that nothing can happen any more shows
//! as a `timeout` in a process of its own, which asserts that every machine may end where it is.

mod transition;

use std::fmt::Write;

use mazurka_promela::ast::{Expr, ExprKind, Model, Probe, Statement, TypeKind, Unit};
use mazurka_promela::{Names, build};

use crate::durations::{Order, TimerOf};
use crate::network::{Atom, Claim, Network, Type};

/// Names that are not those of the network.
const TAKEN: [&str; 5] = ["started", "network", "deadlock", "round", "again"];

/// The text of the model.
pub(crate) fn promela(network: &Network, name: &str) -> String {
    let mut export = Export {
        network,
        names: Names::without(&TAKEN),
        watched: watched(network),
    };
    let model = export.model();
    format!("/* {name} as Promela.\n{}*/\n\n{model}", legend(network))
}

/// What the numbers in the model stand for.
fn legend(network: &Network) -> String {
    let mut text = String::new();
    for (number, machine) in network.machines.iter().enumerate() {
        let described = network.type_of(number);
        let states = described.states.iter().enumerate();
        let states: Vec<String> = states
            .map(|(number, state)| format!("{number} {}", state.name))
            .collect();
        let _ = writeln!(text, "{} is in {}.", machine.name, states.join(", "));
        let events = described.events.iter().enumerate();
        let events: Vec<String> = events
            .map(|(event, known)| format!("{} {}", message(network, number, event), known.name))
            .collect();
        if !events.is_empty() {
            let _ = writeln!(text, "{} receives {}.", machine.name, events.join(", "));
        }
    }
    text
}

/// The number of a message in the queues of its process.
fn message(network: &Network, machine: usize, event: usize) -> i32 {
    let process = &network.processes[network.machines[machine].process];
    let before = process.machines.iter().take_while(|m| **m != machine);
    let events: usize = before.map(|m| network.type_of(*m).events.len()).sum();
    (events + event + 1) as i32
}

struct Export<'n> {
    network: &'n Network,
    names: Names,
    /// What formulas ask about.
    watched: Vec<Atom>,
}

fn watched(network: &Network) -> Vec<Atom> {
    let mut watched = Vec::new();
    for atom in network.formulas.iter().flat_map(|formula| &formula.atoms) {
        if !watched.contains(atom) {
            watched.push(*atom);
        }
    }
    watched
}

/// The two queues of a process.
#[derive(Clone, Copy)]
enum Queue {
    High,
    Low,
}

impl<'n> Export<'n> {
    fn model(&mut self) -> Model {
        let mut units = self.declarations();
        units.push(self.beginning());
        for machine in 0..self.network.machines.len() {
            units.push(self.machine(machine));
        }
        units.extend(self.timers());
        units.push(self.ending());
        units.extend(self.formulas());
        Model { units }
    }

    fn name(&self, machine: usize) -> &'n str {
        &self.network.machines[machine].name
    }

    fn machine_type(&self, machine: usize) -> &'n Type {
        self.network.type_of(machine)
    }

    /// The variable for an input in the register, or for whether it is there for one transition only.
    fn input(&mut self, machine: usize, input: u32) -> String {
        let input = &self.machine_type(machine).inputs[input as usize];
        self.names.given("holds", self.name(machine), input)
    }

    fn pulse(&mut self, machine: usize, input: u32) -> String {
        let input = &self.machine_type(machine).inputs[input as usize];
        self.names.given("pulse", self.name(machine), input)
    }

    fn timer(&mut self, machine: usize, timer: usize) -> String {
        let timer = &self.machine_type(machine).timers[timer].name;
        self.names.given("runs", self.name(machine), timer)
    }

    /// Whether a timer waits for another.
    fn waits(&mut self, order: Order) -> String {
        let [first, second] = [order.first, order.second].map(|(m, t)| self.timer(m, t));
        self.names.given("waits", &second, &first)
    }

    fn queue(&mut self, process: usize, queue: Queue) -> String {
        let word = match queue {
            Queue::High => "high",
            Queue::Low => "low",
        };
        self.names
            .given(word, &self.network.processes[process].name, "")
    }

    fn state_variable(&mut self, machine: usize) -> String {
        self.names.given("at", self.name(machine), "")
    }

    fn is_in(&mut self, machine: usize, state: usize) -> Expr {
        let variable = self.state_variable(machine);
        build::equal(build::value(&variable), build::number(state as i32))
    }

    fn is_in_one_of(&mut self, machine: usize, states: impl Iterator<Item = usize>) -> Expr {
        build::any(states.map(|state| self.is_in(machine, state)))
    }

    fn is_empty(&mut self, process: usize, queue: Queue) -> Expr {
        let queue = self.queue(process, queue);
        build::probe(Probe::Empty, build::variable(&queue))
    }

    fn declarations(&mut self) -> Vec<Unit> {
        let network = self.network;
        let mut declarations = Vec::new();
        for (number, process) in network.processes.iter().enumerate() {
            for (queue, length) in [(Queue::High, process.high), (Queue::Low, process.low)] {
                let queue = self.queue(number, queue);
                let fields = [TypeKind::Short];
                declarations.push(build::declare_channel(&queue, None, length, fields));
            }
        }
        let variable = |kind, name: &str| build::declare(kind, name, None, None);
        for machine in 0..network.machines.len() {
            declarations.push(variable(TypeKind::Byte, &self.state_variable(machine)));
            for input in 0..self.machine_type(machine).inputs.len() as u32 {
                declarations.push(variable(TypeKind::Bool, &self.input(machine, input)));
                declarations.push(variable(TypeKind::Bool, &self.pulse(machine, input)));
            }
            for timer in 0..self.machine_type(machine).timers.len() {
                declarations.push(variable(TypeKind::Bool, &self.timer(machine, timer)));
            }
        }
        for order in network.orders() {
            declarations.push(variable(TypeKind::Bool, &self.waits(order)));
        }
        declarations.push(variable(TypeKind::Bool, "started"));
        for number in 0..self.watched.len() {
            declarations.push(variable(TypeKind::Bool, &watched_variable(number)));
        }
        declarations.into_iter().map(Unit::Declaration).collect()
    }

    /// Formulas see the states between transitions, not those inside: what they ask is noted at the
    /// end of each transition, all of it at once.
    fn watch(&mut self, more: Option<Statement>) -> Statement {
        let mut notes = Vec::new();
        for (number, atom) in self.watched.clone().into_iter().enumerate() {
            let variable = build::variable(&watched_variable(number));
            notes.push(build::assign(variable, self.atom(atom)));
        }
        notes.extend(more);
        match notes.is_empty() {
            true => build::skip(),
            false => build::d_step(notes),
        }
    }

    /// A formula is about executions from an initial global state.
    fn formulas(&mut self) -> Vec<Unit> {
        let mut units = Vec::new();
        for formula in &self.network.formulas {
            let condition = |number: u32| {
                let atom = &formula.atoms[number as usize];
                let known = self.watched.iter().position(|known| known == atom);
                build::value(&watched_variable(known.unwrap_or_default()))
            };
            let body = build::formula_of(&formula.formula, &condition);
            let name = self.names.given("", &formula.name, "");
            units.push(build::ltl(&name, build::once_started("started", body)));
        }
        units
    }

    /// The process that chooses an initial global state.
    fn beginning(&mut self) -> Unit {
        let mut options = Vec::new();
        for start in &self.network.starts {
            let mut option = Vec::new();
            for (machine, state) in start.iter().enumerate() {
                let variable = build::variable(&self.state_variable(machine));
                option.push(build::assign(variable, build::number(*state as i32)));
            }
            options.push(option);
        }
        let mut steps = vec![build::select(options)];
        steps.extend(self.invariants());
        let started = build::assign(build::variable("started"), build::truth(true));
        steps.push(self.watch(Some(started)));
        build::proctype("network", true, vec![], None, vec![build::atomic(steps)])
    }

    fn invariants(&mut self) -> Vec<Statement> {
        let invariants = self.network.invariants.iter();
        invariants
            .map(|invariant| build::assert(self.claim(&invariant.claim)))
            .collect()
    }

    fn claim(&mut self, claim: &Claim) -> Expr {
        match claim {
            Claim::Constant(value) => build::truth(*value),
            Claim::Atom(atom) => self.atom(*atom),
            Claim::Not(inner) => build::not(self.claim(inner)),
            Claim::And(parts) => build::all(parts.iter().map(|part| self.claim(part))),
            Claim::Or(parts) => build::any(parts.iter().map(|part| self.claim(part))),
        }
    }

    fn atom(&mut self, atom: Atom) -> Expr {
        match atom {
            Atom::In { machine, state } => self.is_in(machine, state),
            Atom::Has { machine, input } => build::value(&self.input(machine, input)),
        }
    }

    fn timers(&mut self) -> Vec<Unit> {
        let mut units = Vec::new();
        for machine in 0..self.network.machines.len() {
            for (number, timer) in self.machine_type(machine).timers.iter().enumerate() {
                let mut guard = vec![build::value(&self.timer(machine, number))];
                for order in self.network.orders() {
                    if order.second == (machine, number) {
                        guard.push(build::not(build::value(&self.waits(order))));
                    }
                }
                let mut steps = vec![build::condition(build::all(guard))];
                steps.extend(self.stop((machine, number)));
                steps.extend(self.send(machine, timer.event, Queue::Low));
                let wait = build::repeat(vec![vec![build::atomic(steps)]]);
                let wait = build::labelled([build::name("end")], wait);
                let name = self.names.given("timer", self.name(machine), &timer.name);
                units.push(build::proctype(&name, true, vec![], None, vec![wait]));
            }
        }
        units
    }

    /// A timer runs from now on, or goes on.
    fn start(&mut self, timer: TimerOf) -> Vec<Statement> {
        let runs = self.timer(timer.0, timer.1);
        let mut steps = Vec::new();
        for order in self.network.orders() {
            if order.second == timer {
                let waits = self.waits(order);
                let other = self.timer(order.first.0, order.first.1);
                let is_behind = build::all([build::not(build::value(&runs)), build::value(&other)]);
                let value = build::any([build::value(&waits), is_behind]);
                steps.push(build::assign(build::variable(&waits), value));
            }
        }
        steps.push(build::assign(build::variable(&runs), build::truth(true)));
        steps
    }

    /// A timer does not run any more.
    fn stop(&mut self, timer: TimerOf) -> Vec<Statement> {
        let mut cleared = vec![self.timer(timer.0, timer.1)];
        for order in self.network.orders() {
            if order.first == timer || order.second == timer {
                cleared.push(self.waits(order));
            }
        }
        let clear = |name: String| build::assign(build::variable(&name), build::truth(false));
        cleared.into_iter().map(clear).collect()
    }

    /// Nothing can happen any more: may every machine end where it is?
    fn ending(&mut self) -> Unit {
        let mut steps = vec![build::condition(build::expr(ExprKind::Timeout))];
        for machine in 0..self.network.machines.len() {
            let states = self.machine_type(machine).states.iter().enumerate();
            let ends = states.filter(|(_, state)| state.end);
            let ends = self.is_in_one_of(machine, ends.map(|(number, _)| number));
            steps.push(build::assert(ends));
        }
        build::proctype("deadlock", true, vec![], None, steps)
    }
}

fn watched_variable(number: usize) -> String {
    format!("watched_{number}")
}
