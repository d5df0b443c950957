//! What is said to people about a network.

use mazurka_model::Origin;
use mazurka_span::{SourceMap, Span, counted};

use crate::automaton::Edge;
use crate::network::Network;
use crate::transition::{Configuration, Trigger};

pub(crate) struct Words<'n> {
    pub map: &'n SourceMap,
    pub network: &'n Network,
}

impl Words<'_> {
    pub fn origin(&self, span: Span) -> Origin {
        let place = |span: Span| self.map.location(span).map(|at| (at.line, at.column));
        let (line, column) = place(span).unwrap_or((1, 1));
        let (end_line, end_column) = place(span.at_end()).unwrap_or((line, column));
        let files = self.map.files();
        let after = files.partition_point(|file| file.base() <= span.start);
        Origin {
            file: after.saturating_sub(1) as u32,
            line,
            column,
            end_line,
            end_column,
        }
    }

    /// `S_WAIT {I_ACK}`
    pub fn configuration(&self, machine: usize, configuration: Configuration) -> String {
        let described = self.network.type_of(machine);
        let state = &described.states[configuration.state].name;
        match configuration.register {
            0 => state.clone(),
            register => format!("{state} {}", described.register_text(register)),
        }
    }

    fn event(&self, machine: usize, event: usize) -> &str {
        &self.network.type_of(machine).events[event].name
    }

    fn name(&self, machine: usize) -> &str {
        &self.network.machines[machine].name
    }

    /// The events that take a machine on from a configuration: `ACK or TIMEOUT`. None if nothing does.
    pub fn awaited(&self, machine: usize, from: usize, edges: &[Edge]) -> Option<String> {
        let mut events: Vec<&str> = Vec::new();
        for edge in edges {
            let leads_on = edge.target != from || !edge.way.effects.is_empty();
            if let (Trigger::Event(event), true) = (edge.trigger, leads_on && !edge.way.unexpected)
                && !events.contains(&self.event(machine, event))
            {
                events.push(self.event(machine, event));
            }
        }
        (!events.is_empty()).then(|| events.join(" or "))
    }

    /// `ACK: +I_ACK, O_MSG_OK, > S_NEXT, O_SEND`
    pub fn story(&self, machine: usize, edge: &Edge) -> String {
        let trigger = match edge.trigger {
            Trigger::Event(event) => self.event(machine, event),
            Trigger::Free => "spontaneous",
        };
        match edge.way.story.len() {
            0 => format!("{trigger}: nothing"),
            _ => format!("{trigger}: {}", edge.way.story.join(", ")),
        }
    }

    pub fn unexpected(&self, machine: usize, before: Configuration, event: usize) -> String {
        let described = self.network.type_of(machine);
        let state = &described.states[before.state].name;
        let touched = described.events[event]
            .alternatives
            .iter()
            .fold(0, |all, alternative| all | alternative.touches());
        let inputs = described.register_text(touched);
        format!(
            "{} in {} receives {}, but no condition of {state} mentions {}",
            self.name(machine),
            self.configuration(machine, before),
            self.event(machine, event),
            inputs.trim_matches(['{', '}']).replace(", ", " or "),
        )
    }

    pub fn overflow(
        &self,
        machine: usize,
        before: Configuration,
        to: usize,
        event: usize,
        queue: &str,
        capacity: u32,
    ) -> String {
        let process = &self.network.processes[self.network.machines[to].process].name;
        format!(
            "{} in {} sends {} to {}, but the {queue} queue of process {process} is full \
             ({})",
            self.name(machine),
            self.configuration(machine, before),
            self.event(to, event),
            self.name(to),
            counted(capacity.into(), "message"),
        )
    }

    /// `m in S_WAIT receives ACK and goes to S_NEXT {I_ACK}`
    pub fn cause(
        &self,
        machine: usize,
        before: Configuration,
        edge: &Edge,
        after: Configuration,
    ) -> String {
        format!(
            "{} in {} {} and goes to {}",
            self.name(machine),
            self.configuration(machine, before),
            self.trigger(machine, edge),
            self.configuration(machine, after),
        )
    }

    /// `receives ACK`
    fn trigger(&self, machine: usize, edge: &Edge) -> String {
        match edge.trigger {
            Trigger::Event(event) => format!("receives {}", self.event(machine, event)),
            Trigger::Free => "acts of its own accord".into(),
        }
    }

    pub fn unsettled(
        &self,
        machine: usize,
        before: Configuration,
        edge: &Edge,
        again: Configuration,
    ) -> String {
        let cause = self.trigger(machine, edge);
        format!(
            "{} in {} {cause} and may never settle: it comes back to {} in the same transition",
            self.name(machine),
            self.configuration(machine, before),
            self.configuration(machine, again),
        )
    }

    pub fn text(&self, span: Span) -> String {
        let words = self.map.text(span).split_whitespace();
        words.collect::<Vec<_>>().join(" ")
    }
}
