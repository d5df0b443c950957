//! What the code of a network needs to know, in whatever language it is.

use mazurka_vfsm::Resolved;
use mazurka_vfsm::durations::TimerOf;
use mazurka_vfsm::network::{Condition, Network, Next, Operation, State, Type};

/// A network, with what was numbered.
pub(super) struct Plan<'n> {
    pub name: String,
    pub network: &'n Network,
    pub rounds: &'n [usize],
    pub chooses_start: bool,
    pub queues: Vec<Queue>,
    pub timers: Vec<TimerOf>,
    pub orders: Vec<Order>,
}

/// Two timers, by their numbers; if the second is started while the first runs, it waits for the first.
pub(super) struct Order {
    pub name: String,
    pub first: usize,
    pub second: usize,
}

/// States in which a free machine can do the same.
pub(super) struct FreeStates {
    /// What it can do: mapping and alternative.
    pub possible: Vec<(usize, usize)>,
    pub states: Vec<usize>,
}

/// A queue that something is sent to.
pub(super) struct Queue {
    pub name: String,
    pub process: usize,
    pub high: bool,
    pub capacity: u32,
}

impl<'n> Plan<'n> {
    pub fn new(resolved: &'n Resolved, name: &str) -> Plan<'n> {
        let network = &resolved.network;
        let mut queues = Vec::new();
        for (number, process) in network.processes.iter().enumerate() {
            for (high, exists, capacity, word) in [
                (true, network.has_high_queue(number), process.high, "high"),
                (false, network.has_low_queue(number), process.low, "low"),
            ] {
                if exists {
                    queues.push(Queue {
                        name: format!("{}.{word}", process.name),
                        process: number,
                        high,
                        capacity,
                    });
                }
            }
        }
        let mut timers = Vec::new();
        for machine in 0..network.machines.len() {
            timers.extend((0..network.type_of(machine).timers.len()).map(|timer| (machine, timer)));
        }
        let number = |timer: TimerOf| timers.iter().position(|known| *known == timer);
        let orders = network.orders().into_iter().filter_map(|order| {
            Some(Order {
                name: network.order_name(order),
                first: number(order.first)?,
                second: number(order.second)?,
            })
        });
        let orders = orders.collect();
        Plan {
            name: name.into(),
            network,
            rounds: &resolved.rounds,
            chooses_start: resolved.chooses_start,
            queues,
            orders,
            timers,
        }
    }

    /// The types that have machines.
    pub fn types(&self) -> impl Iterator<Item = (usize, &'n Type)> + use<'n> {
        let network = self.network;
        let types = network.types.iter().enumerate();
        types.filter(|(number, _)| network.machines.iter().any(|m| m.machine_type == *number))
    }

    /// Those of them whose machines ever move.
    pub fn moving_types(&self) -> impl Iterator<Item = (usize, &'n Type)> {
        self.types()
            .filter(|(number, described)| self.hears(*number) || !described.spontaneous.is_empty())
    }

    /// Does a machine of the type ever receive anything?
    pub fn hears(&self, machine_type: usize) -> bool {
        let events = 0..self.network.types[machine_type].events.len();
        events
            .into_iter()
            .any(|event| self.is_heard(machine_type, event))
    }

    pub fn machines_of(&self, machine_type: usize) -> Vec<usize> {
        let machines = self.network.machines.iter().enumerate();
        let of_type = machines.filter(|(_, machine)| machine.machine_type == machine_type);
        of_type.map(|(number, _)| number).collect()
    }

    pub fn queue(&self, process: usize, high: bool) -> Option<usize> {
        let mut queues = self.queues.iter();
        queues.position(|queue| queue.process == process && queue.high == high)
    }

    /// The number of the first timer of a machine.
    pub fn first_timer(&self, machine: usize) -> usize {
        self.timers.iter().take_while(|(m, _)| *m < machine).count()
    }

    /// The number of movers that are no machines and come before them.
    pub fn before_machines(&self) -> usize {
        usize::from(self.chooses_start)
    }

    pub fn movers(&self) -> Vec<String> {
        let machines = &self.network.machines;
        let start = self.chooses_start.then(|| "network".to_string());
        let timers = self.timers.iter().map(|(machine, timer)| {
            let described = &self.network.type_of(*machine).timers[*timer];
            format!("{}.{}", machines[*machine].name, described.name)
        });
        let names = machines.iter().map(|machine| machine.name.clone());
        start.into_iter().chain(names).chain(timers).collect()
    }

    /// How often a transition of a machine of this type executes the specification at most.
    pub fn rounds_of(&self, machine_type: usize) -> usize {
        let machines = self.machines_of(machine_type).into_iter();
        let most = machines.map(|machine| self.rounds[machine]).max();
        most.unwrap_or(0).max(1)
    }

    /// Is the event ever received by a machine of the type?
    pub fn is_heard(&self, machine_type: usize, event: usize) -> bool {
        self.machines_of(machine_type).into_iter().any(|machine| {
            let heard = self.network.machines[machine].heard[event];
            heard.high || heard.low
        })
    }

    /// The next-state transitions of a state that can be taken: none behind one that always holds.
    pub fn next_of<'s>(&self, state: &'s State) -> &'s [Next] {
        let always = state
            .next
            .iter()
            .position(|next| is_always(&next.condition));
        match always {
            Some(always) => &state.next[..=always],
            None => &state.next,
        }
    }

    /// The outputs that are made somewhere: a state that is never entered makes none on entry.
    pub fn outputs_made(&self, described: &Type) -> Vec<usize> {
        let mut made = Vec::new();
        for state in &described.states {
            made.extend(state.actions.iter().flat_map(|action| &action.outputs));
            let next = self.next_of(state);
            if !next.is_empty() {
                made.extend(&state.exit);
            }
            made.extend(
                next.iter()
                    .flat_map(|next| &described.states[next.target].entry),
            );
        }
        let mut made: Vec<usize> = made.into_iter().copied().collect();
        made.sort_unstable();
        made.dedup();
        made
    }

    /// Is the event raised by feedback?
    pub fn is_fed_back(&self, described: &Type, event: usize) -> bool {
        let made = self.outputs_made(described).into_iter();
        let mut alternatives = made.flat_map(|output| &described.outputs[output].alternatives);
        alternatives.any(|alternative| alternative.operations.contains(&Operation::Feedback(event)))
    }

    /// The receiver of a message of a machine, and the number of the event there.
    pub fn receiver(&self, machine: usize, role: usize, event: &str) -> (usize, usize) {
        let to = self.network.machines[machine].partners[role];
        let events = &self.network.type_of(to).events;
        let event = events.iter().position(|known| known.name == event);
        (to, event.expect("what is sent has a mapping"))
    }

    /// What a free machine may do in a state: mapping and alternative.
    pub fn free_in(&self, described: &Type, state: usize) -> Vec<(usize, usize)> {
        let mappings = described.spontaneous.iter().enumerate();
        let mappings = mappings.filter(|(_, mapping)| mapping.states[state]);
        mappings
            .flat_map(|(number, mapping)| (0..mapping.alternatives.len()).map(move |a| (number, a)))
            .collect()
    }

    /// Is there a state in which a free machine of the type has a choice?
    pub fn chooses_freely(&self, machine_type: usize) -> bool {
        let described = &self.network.types[machine_type];
        let mut states = 0..described.states.len();
        states.any(|state| self.free_in(described, state).len() > 1)
    }

    /// The states in which a free machine can act, those together in which it can do the same.
    pub fn free_states(&self, described: &Type) -> Vec<FreeStates> {
        let mut groups: Vec<FreeStates> = Vec::new();
        for state in 0..described.states.len() {
            let possible = self.free_in(described, state);
            match groups.iter_mut().find(|known| known.possible == possible) {
                _ if possible.is_empty() => {}
                Some(group) => group.states.push(state),
                None => groups.push(FreeStates {
                    possible,
                    states: vec![state],
                }),
            }
        }
        groups
    }

    /// The states in which an alternative of an event is unexpected.
    pub fn unexpected_in(&self, described: &Type, event: usize, alternative: usize) -> Vec<usize> {
        let event = &described.events[event];
        let touched = event.alternatives[alternative].touches();
        let states = described.states.iter().enumerate();
        states
            .filter(|(number, state)| {
                touched != 0 && touched & state.mentions == 0 && !event.tolerated[*number]
            })
            .map(|(number, _)| number)
            .collect()
    }
}

/// Does a condition hold whatever the register is, by its form?
pub(super) fn is_always(condition: &Condition) -> bool {
    match condition {
        Condition::Always => true,
        Condition::Input(_) | Condition::Not(_) => false,
        Condition::And(parts) => parts.iter().all(is_always),
        Condition::Or(parts) => parts.iter().any(is_always),
    }
}
