//! A machine as an automaton: its configurations, and the ways that lead from one to another.
//!
//! This is the state-transition graph of figure 6 of the paper, with the register unfolded: what
//! a machine does next is then known exactly, before the search begins. Ways that need an event
//! in a configuration in which it never comes are listed all the same.

use std::collections::HashMap;

use crate::network::Network;
use crate::transition::{Configuration, Ending, TooManyWays, Trigger, Way, ways};

/// More configurations than this, or more ways, are too many to list.
pub(crate) const MOST_CONFIGURATIONS: usize = 50_000;
pub(crate) const MOST_EDGES: usize = 1_000_000;

#[derive(Debug, Default)]
pub(crate) struct Automaton {
    pub configurations: Vec<Configuration>,
    /// For each configuration, the ways that lead from it.
    pub edges: Vec<Vec<Edge>>,
    pub numbers: HashMap<Configuration, usize>,
}

#[derive(Debug)]
pub(crate) struct Edge {
    pub trigger: Trigger,
    pub way: Way,
    /// The number of the configuration it leads to; its own if it never settles.
    pub target: usize,
}

/// Why a machine cannot be unfolded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TooLarge {
    Configurations,
    Ways,
}

/// Unfolds a machine from all its initial states.
pub(crate) fn unfold(network: &Network, machine: usize) -> Result<Automaton, TooLarge> {
    let machine_type = network.type_of(machine);
    let mut automaton = Automaton::default();
    for start in &network.starts {
        automaton.number(Configuration {
            state: start[machine],
            register: 0,
        });
    }
    let mut edges = 0;
    let mut from = 0;
    while let Some(configuration) = automaton.configurations.get(from) {
        let heard = network.machines[machine].heard.iter().enumerate();
        let events = heard
            .filter(|(_, heard)| heard.high || heard.low)
            .map(|(event, _)| Trigger::Event(event));
        let is_free = machine_type
            .spontaneous
            .iter()
            .any(|mapping| mapping.states[configuration.state]);
        automaton.edges.push(Vec::new());
        for trigger in events.chain(is_free.then_some(Trigger::Free)) {
            automaton.extend(network, machine, from, trigger)?;
        }
        edges += automaton.edges[from].len();
        if edges > MOST_EDGES || automaton.configurations.len() > MOST_CONFIGURATIONS {
            return Err(TooLarge::Configurations);
        }
        from += 1;
    }
    Ok(automaton)
}

impl Automaton {
    /// Adds the ways that lead from a configuration if this sets it off.
    pub(crate) fn extend(
        &mut self,
        network: &Network,
        machine: usize,
        from: usize,
        trigger: Trigger,
    ) -> Result<(), TooLarge> {
        let ways = ways(network, machine, self.configurations[from], trigger);
        for way in ways.map_err(|TooManyWays| TooLarge::Ways)? {
            let target = match way.ending {
                Ending::Settled(configuration) => self.number(configuration),
                Ending::Never(_) => from,
            };
            if self.edges.len() <= from {
                self.edges.resize_with(from + 1, Vec::new);
            }
            self.edges[from].push(Edge {
                trigger,
                way,
                target,
            });
        }
        Ok(())
    }

    /// The number of a configuration.
    pub(crate) fn number(&mut self, configuration: Configuration) -> usize {
        let fresh = self.configurations.len();
        let number = *self.numbers.entry(configuration).or_insert(fresh);
        if number == fresh {
            self.configurations.push(configuration);
        }
        number
    }
}
