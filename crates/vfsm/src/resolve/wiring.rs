//! The network: which machine is where, who hears what from whom, where everything starts.

use std::collections::HashSet;

use mazurka_span::{Diagnostic, nearest};

use crate::ast::{self, Model, Name};
use crate::codes;
use crate::network::{
    Atom, Claim, Formula, Heard, Invariant, Machine, Operation, Process, Processor,
};

use super::{Names, Resolver};

/// The length of a queue about which nothing is said.
const USUAL_LENGTH: u32 = 4;
/// The most initial global states.
const MOST_STARTS: usize = 1000;
/// The program form counts processes, timers and queues in a byte.
const MOST_MEMBERS: usize = 250;
/// For each pair of timers with durations there is a bit.
const MOST_LASTING: usize = 32;

impl Resolver<'_> {
    pub(super) fn wiring(&mut self, model: &Model, guide: Option<&ast::Cost>) {
        let network = match model.networks.as_slice() {
            [network] => network,
            [] => {
                let span = model
                    .machines
                    .last()
                    .map_or(Default::default(), |m| m.name.span);
                self.error(codes::NO_NETWORK, span, "the model has no `network`");
                return;
            }
            [_, second, ..] => {
                self.error(codes::NO_NETWORK, second.span, "a second network");
                return;
            }
        };
        let processes = || network.processors.iter().flat_map(|p| &p.processes);
        let instances = || processes().flat_map(|process| &process.machines);
        self.number("processor", network.processors.iter().map(|p| &p.name));
        let process_names = self.number("process", processes().map(|process| &process.name));
        let types = self.number("machine type", model.machines.iter().map(|m| &m.name));
        let machines = self.number("machine", instances().map(|instance| &instance.name));
        if instances().next().is_none() {
            self.error(
                codes::NO_NETWORK,
                network.span,
                "the network has no machine",
            );
        }
        self.members(network, &types, &machines);
        let timers: usize = self
            .network
            .machines
            .iter()
            .map(|m| self.network.types[m.machine_type].timers.len())
            .sum();
        if self.network.machines.len() + timers + 2 * self.network.processes.len() > MOST_MEMBERS {
            let message = format!("more than {MOST_MEMBERS} machines, timers and queues");
            self.error(codes::TOO_MANY, network.span, message);
        }
        let lasting = |machine_type: usize| {
            let timers = self.network.types[machine_type].timers.iter();
            timers.filter(|timer| timer.duration.is_some()).count()
        };
        let types_of = self.network.machines.iter().map(|m| m.machine_type);
        if types_of.map(lasting).sum::<usize>() > MOST_LASTING {
            let message = format!("more than {MOST_LASTING} timers with durations");
            self.error(codes::TOO_MANY, network.span, message);
        }
        if mazurka_span::has_errors(self.diagnostics) {
            return;
        }
        self.hearing();
        self.free_machines(network);
        self.starts(network, &machines);
        self.invariants(model, &machines);
        self.formulas(model, &machines);
        if let Some(guide) = guide {
            self.network.guide = self.cost(guide, &machines, &process_names);
        }
    }

    fn members(&mut self, network: &ast::Network, types: &Names<'_>, machines: &Names<'_>) {
        for processor in &network.processors {
            let processor_number = self.network.processors.len();
            let mut members = Vec::new();
            for process in &processor.processes {
                let process_number = self.network.processes.len();
                members.push(process_number);
                let length = network.queue.unwrap_or(USUAL_LENGTH);
                let mut resolved = Process {
                    name: process.name.text.to_string(),
                    processor: processor_number,
                    high: process.high.unwrap_or(length),
                    low: process.low.unwrap_or(length),
                    machines: Vec::new(),
                };
                for instance in &process.machines {
                    resolved.machines.push(self.network.machines.len());
                    let machine = self.instance(instance, process_number, types, machines);
                    self.network.machines.push(machine);
                }
                self.network.processes.push(resolved);
            }
            self.network
                .processors
                .push(Processor { processes: members });
        }
    }

    fn instance(
        &mut self,
        instance: &ast::Instance,
        process: usize,
        types: &Names<'_>,
        machines: &Names<'_>,
    ) -> Machine {
        let machine_type = self.find(types, &instance.machine_type).unwrap_or(0);
        let mut partners = Vec::new();
        let mut events = 0;
        let mut known: HashSet<String> = HashSet::new();
        if let Some(described) = self.network.types.get(machine_type) {
            events = described.events.len();
            let roles: Vec<(String, _)> = described
                .roles
                .iter()
                .map(|role| (role.name.clone(), role.span))
                .collect();
            for (role, span) in roles {
                let bound = instance
                    .bindings
                    .iter()
                    .find(|(name, _)| *name.text == *role);
                let played = match bound {
                    Some((_, machine)) => self.find(machines, machine),
                    None => machines.numbers.get(role.as_str()).copied().or_else(|| {
                        let message = format!(
                            "machine `{}` sends to `{role}`, which is neither bound nor a machine",
                            instance.name.text
                        );
                        let hint = format!(
                            "`{}: {}({role} = …);`",
                            instance.name.text, instance.machine_type.text
                        );
                        let diagnostic =
                            Diagnostic::error(codes::UNDECLARED, instance.name.span, message)
                                .also(span, "sent to here")
                                .hint(hint);
                        self.diagnostics.push(diagnostic);
                        None
                    }),
                };
                partners.push(played.unwrap_or(0));
                known.insert(role);
            }
        }
        for (role, _) in &instance.bindings {
            if !known.contains(&*role.text) {
                let message = format!(
                    "machine type `{}` never sends to `{}`",
                    instance.machine_type.text, role.text
                );
                self.error(codes::UNDECLARED, role.span, message);
            }
        }
        Machine {
            name: instance.name.text.to_string(),
            span: instance.name.span,
            machine_type,
            process,
            partners,
            heard: vec![Heard::default(); events],
        }
    }

    /// By which queue each event can come to each machine.
    fn hearing(&mut self) {
        let mut raised: Vec<Vec<bool>> = self
            .network
            .types
            .iter()
            .map(|t| vec![false; t.events.len()])
            .collect();
        for sender in 0..self.network.machines.len() {
            let machine_type = self.network.machines[sender].machine_type;
            let mut problems = Vec::new();
            let described = &self.network.types[machine_type];
            let operations: Vec<Operation> = described
                .outputs
                .iter()
                .flat_map(|output| &output.alternatives)
                .flat_map(|alternative| alternative.operations.iter().cloned())
                .collect();
            for timer in &described.timers {
                raised[machine_type][timer.event] = true;
                self.network.machines[sender].heard[timer.event].low = true;
            }
            for operation in operations {
                match operation {
                    Operation::Feedback(event) => raised[machine_type][event] = true,
                    Operation::Send { role, event } => {
                        let receiver = self.network.machines[sender].partners[role];
                        let inside = self.network.machines[receiver].process
                            == self.network.machines[sender].process;
                        let receiver_type = self.network.machines[receiver].machine_type;
                        let events = &self.network.types[receiver_type].events;
                        let Some(number) = events.iter().position(|e| e.name == event) else {
                            problems.push((role, event, receiver));
                            continue;
                        };
                        raised[receiver_type][number] = true;
                        let heard = &mut self.network.machines[receiver].heard[number];
                        heard.high |= inside;
                        heard.low |= !inside;
                    }
                    Operation::Start(_) | Operation::Stop(_) | Operation::Clear(_) => {}
                }
            }
            for (role, event, receiver) in problems {
                let span = self.network.types[machine_type].roles[role].span;
                let receiver = &self.network.machines[receiver];
                let message = format!(
                    "`{}` sends `{event}` to `{}`, whose machine type `{}` has no mapping for it",
                    self.network.machines[sender].name,
                    receiver.name,
                    self.network.types[receiver.machine_type].name
                );
                self.diagnostics.push(
                    Diagnostic::error(codes::EVENT_WITHOUT_MAPPING, span, message)
                        .also(receiver.span, "the receiver")
                        .hint(format!("`on {event}: nothing anywhere;` ignores it")),
                );
            }
        }
        for (machine_type, raised) in raised.iter().enumerate() {
            for (event, raised) in raised.iter().enumerate() {
                if !raised {
                    let event = &self.network.types[machine_type].events[event];
                    let message = format!("nobody ever raises the event `{}`", event.name);
                    let warning =
                        Diagnostic::warning(codes::EVENT_NEVER_RAISED, event.span, message);
                    self.diagnostics.push(warning);
                }
            }
        }
    }

    fn free_machines(&mut self, network: &ast::Network) {
        let processes = network.processors.iter().flat_map(|p| &p.processes);
        for (number, process) in processes.enumerate() {
            let machines = self.network.processes[number].machines.clone();
            let free: Vec<usize> = machines
                .into_iter()
                .filter(|machine| !self.network.type_of(*machine).spontaneous.is_empty())
                .collect();
            if let [first, second, ..] = free[..] {
                let message = format!("process `{}` has two free machines", process.name.text);
                let machines = &self.network.machines;
                let diagnostic =
                    Diagnostic::error(codes::TWO_FREE_MACHINES, machines[second].span, message)
                        .also(machines[first].span, "the first")
                        .hint("put them into processes of their own");
                self.diagnostics.push(diagnostic);
            }
        }
    }

    /// The initial global states: those that the network lists, or else all combinations.
    fn starts(&mut self, network: &ast::Network, machines: &Names<'_>) {
        let initial =
            |resolver: &Self, machine: usize| resolver.network.type_of(machine).initial.clone();
        let count = self.network.machines.len();
        let mut all = Vec::new();
        for start in &network.starts {
            let mut chosen: Vec<Vec<usize>> =
                (0..count).map(|machine| initial(self, machine)).collect();
            for (machine, state) in start {
                let Some(machine) = self.find(machines, machine) else {
                    continue;
                };
                let states = &self.network.type_of(machine).states;
                match states.iter().position(|known| known.name == *state.text) {
                    Some(state) => chosen[machine] = vec![state],
                    None => {
                        let type_name = &self.network.type_of(machine).name;
                        let message =
                            format!("machine type `{type_name}` has no state `{}`", state.text);
                        self.error(codes::UNDECLARED, state.span, message);
                    }
                }
            }
            all.extend(product(&chosen));
        }
        if network.starts.is_empty() {
            let chosen: Vec<Vec<usize>> =
                (0..count).map(|machine| initial(self, machine)).collect();
            all = product(&chosen);
        }
        let mut seen = HashSet::new();
        all.retain(|start| seen.insert(start.clone()));
        if all.len() > MOST_STARTS {
            let message = format!("more than {MOST_STARTS} initial global states");
            self.error(codes::TOO_MANY, network.span, message);
        }
        self.network.starts = all;
    }

    fn invariants(&mut self, model: &Model, machines: &Names<'_>) {
        self.number("invariant", model.invariants.iter().map(|i| &i.name));
        for invariant in &model.invariants {
            if let Some(claim) = self.claim(&invariant.claim, machines) {
                self.network.invariants.push(Invariant {
                    name: invariant.name.text.to_string(),
                    claim,
                    span: invariant.span,
                });
            }
        }
    }

    fn formulas(&mut self, model: &Model, machines: &Names<'_>) {
        self.number("formula", model.formulas.iter().map(|f| &f.name));
        for formula in &model.formulas {
            let atoms = formula.atoms.iter();
            let atoms: Vec<Option<Atom>> = atoms
                .map(|(machine, what)| self.atom(machine, what, machines))
                .collect();
            if let Some(atoms) = atoms.into_iter().collect() {
                self.network.formulas.push(Formula {
                    name: formula.name.text.to_string(),
                    formula: formula.formula.clone(),
                    atoms,
                    span: formula.span,
                });
            }
        }
    }

    fn claim(&mut self, claim: &ast::Claim, machines: &Names<'_>) -> Option<Claim> {
        let mut parts_of = |parts: &[ast::Claim]| {
            let parts: Vec<Option<Claim>> = parts
                .iter()
                .map(|part| self.claim(part, machines))
                .collect();
            parts.into_iter().collect::<Option<Vec<Claim>>>()
        };
        Some(match claim {
            ast::Claim::Always(value) => Claim::Constant(*value),
            ast::Claim::And(parts) => Claim::And(parts_of(parts)?),
            ast::Claim::Or(parts) => Claim::Or(parts_of(parts)?),
            ast::Claim::Not(inner) => Claim::Not(Box::new(self.claim(inner, machines)?)),
            ast::Claim::Atom(machine, what) => Claim::Atom(self.atom(machine, what, machines)?),
        })
    }

    /// `m.S_X` or `m.I_X`
    pub(super) fn atom(
        &mut self,
        machine: &Name,
        what: &Name,
        machines: &Names<'_>,
    ) -> Option<Atom> {
        let machine = self.find(machines, machine)?;
        let described = self.network.type_of(machine);
        let state = described.states.iter().position(|s| s.name == *what.text);
        let input = described.inputs.iter().position(|i| *i == *what.text);
        match (state, input) {
            (Some(state), _) => Some(Atom::In { machine, state }),
            (None, Some(input)) => Some(Atom::Has {
                machine,
                input: input as u32,
            }),
            (None, None) => {
                let message = format!(
                    "machine type `{}` has no state and no virtual input `{}`",
                    described.name, what.text
                );
                let states = described.states.iter().map(|state| state.name.as_str());
                let inputs = described.inputs.iter().map(String::as_str);
                let near = nearest(&what.text, states.chain(inputs));
                let hint = near.map(|near| format!("did you mean `{near}`?"));
                let diagnostic = Diagnostic::error(codes::UNDECLARED, what.span, message);
                self.diagnostics.push(match hint {
                    Some(hint) => diagnostic.hint(hint),
                    None => diagnostic,
                });
                None
            }
        }
    }
}

/// All ways to choose one of each, up to a few more than are allowed.
fn product(choices: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for choice in choices {
        all = all
            .iter()
            .flat_map(|chosen: &Vec<usize>| {
                choice.iter().map(move |one| {
                    let mut longer = chosen.clone();
                    longer.push(*one);
                    longer
                })
            })
            .take(MOST_STARTS + 1)
            .collect();
    }
    all
}
