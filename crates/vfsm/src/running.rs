//! The configurations that machines come to in their network, found by running all of it.
//!
//! [`unfold`](crate::automaton::unfold) takes every event that a machine may ever hear for possible in each of its configurations. A machine with
//! many inputs that stay then has more configurations than can be listed, though only a few of them are met. For such networks the
//! whole of it is run here, with its queues, timers and processors, and only what is met is listed.

use std::collections::HashSet;

use crate::automaton::{Automaton, MOST_CONFIGURATIONS, MOST_EDGES, TooLarge};
use crate::network::Network;
use crate::transition::{Configuration, Effect, Ending, Trigger};

/// A network with more states than this is not run to its end.
pub(crate) const MOST_STATES: usize = 1_000_000;

/// The automata of all machines, as far as they are met; none if that is too much.
pub(crate) fn unfold_by_running(network: &Network, most: usize) -> Option<Vec<Automaton>> {
    let automata = network.machines.iter().map(|_| Automaton::default());
    let mut running = Running {
        network,
        automata: automata.collect(),
        tried: vec![Vec::new(); network.machines.len()],
        first_timer: Vec::new(),
        states: HashSet::new(),
        open: Vec::new(),
    };
    let mut timers = 0;
    for machine in 0..network.machines.len() {
        running.first_timer.push(timers);
        timers += network.type_of(machine).timers.len();
    }
    for start in &network.starts {
        let configurations = start.iter().enumerate().map(|(machine, state)| {
            let configuration = Configuration {
                state: *state,
                register: 0,
            };
            running.automata[machine].number(configuration)
        });
        let first = State {
            configurations: configurations.collect(),
            timers: vec![false; timers],
            queues: vec![Vec::new(); 2 * network.processes.len()],
        };
        running.meet(first);
    }
    while let Some(state) = running.open.pop() {
        running.steps_from(&state).ok()?;
        if running.states.len() > most {
            return None;
        }
    }
    let mut automata = running.automata;
    for automaton in &mut automata {
        let count = automaton.configurations.len();
        automaton.edges.resize_with(count, Vec::new);
    }
    Some(automata)
}

/// A state of the network.
#[derive(Clone, PartialEq, Eq, Hash)]
struct State {
    /// For each machine, the number of its configuration.
    configurations: Vec<usize>,
    timers: Vec<bool>,
    /// For each process its high and its low queue: machines and events.
    queues: Vec<Vec<(usize, usize)>>,
}

struct Running<'n> {
    network: &'n Network,
    automata: Vec<Automaton>,
    /// For each machine and configuration, what has set it off.
    tried: Vec<Vec<Vec<Trigger>>>,
    first_timer: Vec<usize>,
    states: HashSet<State>,
    open: Vec<State>,
}

impl Running<'_> {
    fn meet(&mut self, state: State) {
        if self.states.insert(state.clone()) {
            self.open.push(state);
        }
    }

    fn steps_from(&mut self, state: &State) -> Result<(), TooLarge> {
        let network = self.network;
        for processor in &network.processors {
            let ready = processor.processes.iter();
            let mut ready = ready.filter_map(|process| self.ready(state, *process));
            if let Some((machine, trigger, queue)) = ready.next() {
                drop(ready);
                let mut before = state.clone();
                if let Some(queue) = queue {
                    before.queues[queue].remove(0);
                }
                self.transition(&before, machine, trigger)?;
            }
        }
        for machine in 0..network.machines.len() {
            for (number, timer) in network.type_of(machine).timers.iter().enumerate() {
                let timer_number = self.first_timer[machine] + number;
                if state.timers[timer_number] {
                    let mut after = state.clone();
                    after.timers[timer_number] = false;
                    if self.post(&mut after, machine, timer.event, false) {
                        self.meet(after);
                    }
                }
            }
        }
        Ok(())
    }

    /// Who executes in a process, what sets it off, and the queue from which that comes.
    fn ready(&self, state: &State, process: usize) -> Option<(usize, Trigger, Option<usize>)> {
        for queue in [2 * process, 2 * process + 1] {
            if let Some((machine, event)) = state.queues[queue].first() {
                return Some((*machine, Trigger::Event(*event), Some(queue)));
            }
        }
        let free = self.network.free_machine(process)?;
        let configuration = state.configurations[free];
        let at = self.automata[free].configurations[configuration].state;
        let mut mappings = self.network.type_of(free).spontaneous.iter();
        mappings
            .any(|mapping| mapping.states[at])
            .then_some((free, Trigger::Free, None))
    }

    fn transition(
        &mut self,
        before: &State,
        machine: usize,
        trigger: Trigger,
    ) -> Result<(), TooLarge> {
        let from = before.configurations[machine];
        let tried = &mut self.tried[machine];
        if tried.len() <= from {
            tried.resize(from + 1, Vec::new());
        }
        if !tried[from].contains(&trigger) {
            tried[from].push(trigger);
            self.automata[machine].extend(self.network, machine, from, trigger)?;
            let edges: usize = self.automata[machine].edges.iter().map(Vec::len).sum();
            if edges > MOST_EDGES
                || self.automata[machine].configurations.len() > MOST_CONFIGURATIONS
            {
                return Err(TooLarge::Configurations);
            }
        }
        let edges = self.automata[machine].edges[from].iter();
        let edges = edges.filter(|edge| edge.trigger == trigger);
        let mut met = Vec::new();
        for edge in edges.filter(|edge| matches!(edge.way.ending, Ending::Settled(_))) {
            let mut after = before.clone();
            after.configurations[machine] = edge.target;
            let fits = edge.way.effects.iter().all(|effect| match *effect {
                Effect::Start(timer) | Effect::Stop(timer) => {
                    let timer = self.first_timer[machine] + timer;
                    after.timers[timer] = matches!(effect, Effect::Start(_));
                    true
                }
                Effect::Send { to, event } => {
                    let machines = &self.network.machines;
                    let inside = machines[to].process == machines[machine].process;
                    self.post(&mut after, to, event, inside)
                }
            });
            // Nothing follows an overflow.
            if fits {
                met.push(after);
            }
        }
        for state in met {
            self.meet(state);
        }
        Ok(())
    }

    /// Puts an event into a queue. Is there room?
    fn post(&self, state: &mut State, to: usize, event: usize, inside: bool) -> bool {
        let process = self.network.machines[to].process;
        let described = &self.network.processes[process];
        let (queue, capacity) = match inside {
            true => (2 * process, described.high),
            false => (2 * process + 1, described.low),
        };
        let has_room = state.queues[queue].len() < capacity as usize;
        if has_room {
            state.queues[queue].push((to, event));
        }
        has_room
    }
}
