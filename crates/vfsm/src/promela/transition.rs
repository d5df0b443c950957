//! A machine: what sets a transition off, and how it goes on until it settles.

use mazurka_promela::ast::{
    BinaryOperator, Expr, Probe, ReceiveArgumentKind, Statement, StatementKind, TypeKind, Unit,
};
use mazurka_promela::build;

use super::{Export, Queue, message};
use crate::network::{Condition, InputAlternative, Operation, Register, State};

/// A transition that goes through more states than this never settles.
const MOST_ROUNDS: i32 = 200;

impl Export<'_> {
    pub(super) fn machine(&mut self, machine: usize) -> Unit {
        let described = self.machine_type(machine);
        let again = || build::value("again");
        let set = |name: &str, value| build::assign(build::variable(name), value);
        let mut options = Vec::new();
        for (number, state) in described.states.iter().enumerate() {
            let mut option = vec![build::condition(self.is_in(machine, number))];
            option.extend(self.state(machine, state));
            options.push(option);
        }
        let settles = build::binary(
            BinaryOperator::Less,
            build::value("round"),
            build::number(MOST_ROUNDS),
        );
        let mut round = vec![
            build::condition(again()),
            build::assert(settles),
            build::statement(StatementKind::Increment(build::variable("round"))),
            set("again", build::truth(false)),
        ];
        round.push(build::select(options));
        let settled = vec![build::condition(build::not(again())), build::leave()];
        let mut steps = vec![
            self.triggers(machine),
            set("again", build::truth(true)),
            build::repeat(vec![settled, round]),
        ];
        for input in 0..described.inputs.len() as u32 {
            let (held, pulse) = (self.input(machine, input), self.pulse(machine, input));
            let stays = build::all([build::value(&held), build::not(build::value(&pulse))]);
            steps.push(set(&held, stays));
            steps.push(set(&pulse, build::truth(false)));
        }
        steps.extend(self.invariants());
        steps.push(set("round", build::number(0)));
        steps.push(self.watch(None));
        let turns = build::repeat(vec![vec![build::atomic(steps)]]);
        let declare = |kind, name| {
            let declared = build::declare(kind, name, None, None);
            build::statement(StatementKind::Declaration(declared))
        };
        let body = vec![
            declare(TypeKind::Byte, "round"),
            declare(TypeKind::Bool, "again"),
            build::labelled([build::name("end")], turns),
        ];
        let name = self.names.given("machine", self.name(machine), "");
        build::proctype(&name, true, vec![], None, body)
    }

    /// The conditions that the machine's process has the processor.
    fn scheduled(&mut self, machine: usize) -> Vec<Expr> {
        let network = self.network;
        let own = network.machines[machine].process;
        let processor = &network.processors[network.processes[own].processor];
        let mut parts = vec![build::value("started")];
        let before = processor.processes.iter();
        for process in before.take_while(|process| **process != own) {
            for queue in [Queue::High, Queue::Low] {
                parts.push(self.is_empty(*process, queue));
            }
            if let Some(free) = network.free_machine(*process) {
                parts.push(build::not(self.is_free(free)));
            }
        }
        parts
    }

    /// The condition that a free machine may act of its own accord.
    fn is_free(&mut self, machine: usize) -> Expr {
        let described = self.machine_type(machine);
        let acts = |state: &usize| {
            let mut mappings = described.spontaneous.iter();
            mappings.any(|mapping| mapping.states[*state])
        };
        self.is_in_one_of(machine, (0..described.states.len()).filter(acts))
    }

    /// What may set a transition off, and what it does to the register.
    fn triggers(&mut self, machine: usize) -> Statement {
        let described = self.machine_type(machine);
        let process = self.network.machines[machine].process;
        let scheduled = self.scheduled(machine);
        let mut options = Vec::new();
        for (number, event) in described.events.iter().enumerate() {
            let heard = self.network.machines[machine].heard[number];
            let message = build::number(message(self.network, machine, number));
            let message = build::argument(ReceiveArgumentKind::Constant(message));
            let queues = [(heard.high, Queue::High), (heard.low, Queue::Low)];
            for (_, queue) in queues.into_iter().filter(|(heard, _)| *heard) {
                let mut guard = scheduled.clone();
                if let Queue::Low = queue {
                    guard.push(self.is_empty(process, Queue::High));
                }
                let queue = build::variable(&self.queue(process, queue));
                guard.push(build::poll(queue.clone(), vec![message.clone()]));
                options.push(vec![
                    build::condition(build::all(guard)),
                    build::receive(queue, vec![message.clone()]),
                    self.alternatives(machine, &event.alternatives, Some(number)),
                ]);
            }
        }
        for mapping in &described.spontaneous {
            let states = (0..described.states.len()).filter(|state| mapping.states[*state]);
            let mut guard = scheduled.clone();
            guard.push(self.is_empty(process, Queue::High));
            guard.push(self.is_empty(process, Queue::Low));
            guard.push(self.is_in_one_of(machine, states));
            options.push(vec![
                build::condition(build::all(guard)),
                self.alternatives(machine, &mapping.alternatives, None),
            ]);
        }
        // Without anything to wait for, a selection would be empty.
        options.push(vec![build::condition(build::truth(false))]);
        build::select(options)
    }

    /// Chooses how the register changes. An event from a queue may be unexpected.
    fn alternatives(
        &mut self,
        machine: usize,
        list: &[InputAlternative],
        received: Option<usize>,
    ) -> Statement {
        let described = self.machine_type(machine);
        let mut options = Vec::new();
        for alternative in list {
            let mut option = Vec::new();
            if let Some(event) = received {
                let unexpected = (0..described.states.len()).filter(|state| {
                    alternative.touches() != 0
                        && alternative.touches() & described.states[*state].mentions == 0
                        && !described.events[event].tolerated[*state]
                });
                let unexpected: Vec<usize> = unexpected.collect();
                if !unexpected.is_empty() {
                    let elsewhere = unexpected.into_iter().map(|state| {
                        let variable = build::value(&self.state_variable(machine));
                        let state = build::number(state as i32);
                        build::binary(BinaryOperator::NotEqual, variable, state)
                    });
                    option.push(build::assert(build::all(elsewhere)));
                }
            }
            self.change(machine, alternative, &mut option);
            options.push(option);
        }
        build::select(options)
    }

    fn change(
        &mut self,
        machine: usize,
        alternative: &InputAlternative,
        option: &mut Vec<Statement>,
    ) {
        let sets: [(Register, bool, bool); 3] = [
            (alternative.delete, false, false),
            (alternative.insert, true, false),
            (alternative.pulse, true, true),
        ];
        for (set, value, pulse) in sets {
            for input in (0..Register::BITS).filter(|input| set >> input & 1 != 0) {
                let held = build::variable(&self.input(machine, input));
                option.push(build::assign(held, build::truth(value)));
                let pulsed = build::variable(&self.pulse(machine, input));
                option.push(build::assign(pulsed, build::truth(pulse)));
            }
        }
    }

    fn state(&mut self, machine: usize, state: &State) -> Vec<Statement> {
        let mut steps = Vec::new();
        let nothing = || vec![build::otherwise()];
        for action in &state.actions {
            let mut option = vec![build::condition(self.condition(machine, &action.condition))];
            option.extend(self.outputs(machine, &action.outputs));
            steps.push(build::select(vec![option, nothing()]));
        }
        for next in &state.next {
            let target = &self.machine_type(machine).states[next.target];
            let first = build::not(build::value("again"));
            let condition = self.condition(machine, &next.condition);
            let mut option = vec![build::condition(build::all([first, condition]))];
            option.extend(self.outputs(machine, &state.exit));
            let variable = build::variable(&self.state_variable(machine));
            option.push(build::assign(variable, build::number(next.target as i32)));
            option.push(build::assign(build::variable("again"), build::truth(true)));
            option.extend(self.outputs(machine, &target.entry));
            steps.push(build::select(vec![option, nothing()]));
        }
        steps.push(build::skip());
        steps
    }

    fn condition(&mut self, machine: usize, condition: &Condition) -> Expr {
        match condition {
            Condition::Always => build::truth(true),
            Condition::Input(input) => build::value(&self.input(machine, *input)),
            Condition::Not(inner) => build::not(self.condition(machine, inner)),
            Condition::And(parts) => {
                build::all(parts.iter().map(|part| self.condition(machine, part)))
            }
            Condition::Or(parts) => {
                build::any(parts.iter().map(|part| self.condition(machine, part)))
            }
        }
    }

    fn outputs(&mut self, machine: usize, outputs: &[usize]) -> Vec<Statement> {
        let mut steps = Vec::new();
        for output in outputs {
            let described = &self.machine_type(machine).outputs[*output];
            let mut options = Vec::new();
            for alternative in &described.alternatives {
                let operations = alternative.operations.iter();
                let option = operations.flat_map(|operation| self.operation(machine, operation));
                options.push(option.collect());
            }
            steps.push(build::select(options));
        }
        steps
    }

    fn operation(&mut self, machine: usize, operation: &Operation) -> Vec<Statement> {
        match operation {
            Operation::Start(timer) => self.start((machine, *timer)),
            Operation::Stop(timer) => self.stop((machine, *timer)),
            Operation::Feedback(event) => {
                let event = &self.machine_type(machine).events[*event];
                vec![self.alternatives(machine, &event.alternatives, None)]
            }
            Operation::Clear(input) => {
                let held = build::variable(&self.input(machine, *input));
                let pulsed = build::variable(&self.pulse(machine, *input));
                let clear = |variable| build::assign(variable, build::truth(false));
                vec![clear(held), clear(pulsed)]
            }
            Operation::Send { role, event } => {
                let network = self.network;
                let to = network.machines[machine].partners[*role];
                let mut events = self.machine_type(to).events.iter();
                let Some(number) = events.position(|known| known.name == *event) else {
                    return Vec::new();
                };
                let inside = network.machines[to].process == network.machines[machine].process;
                self.send(to, number, if inside { Queue::High } else { Queue::Low })
            }
        }
    }

    pub(super) fn send(&mut self, to: usize, event: usize, queue: Queue) -> Vec<Statement> {
        let queue = self.queue(self.network.machines[to].process, queue);
        let queue = build::variable(&queue);
        let message = build::number(message(self.network, to, event));
        let room = build::probe(Probe::NotFull, queue.clone());
        vec![build::assert(room), build::send(queue, vec![message])]
    }
}
