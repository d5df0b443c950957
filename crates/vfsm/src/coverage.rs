//! Which parts of the specifications a search exercised.

use std::collections::HashMap;

use mazurka_model::Origin;

use crate::lower::words::Words;
use crate::transition::Part;

/// What each transition of the program exercises: states, input actions, next-state transitions
/// and alternatives of the mappings of each machine.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// The parts, those of a machine together.
    pub parts: Vec<CoveredPart>,
    /// For each transition of the program, the parts that it exercises.
    pub by_transition: Vec<Vec<u32>>,
    numbers: HashMap<Part, u32>,
}

/// A part of the specification of a machine.
#[derive(Clone, Debug)]
pub struct CoveredPart {
    /// The machine.
    pub machine: String,
    /// What it is, on one line.
    pub text: String,
    /// Where it stands.
    pub origin: Origin,
}

impl Coverage {
    /// Lists the parts of a machine, to which the transitions that follow belong.
    pub(crate) fn begin(&mut self, words: &Words<'_>, machine: usize) {
        self.numbers.clear();
        let described = words.network.type_of(machine);
        let mut parts = Vec::new();
        for (number, state) in described.states.iter().enumerate() {
            parts.push((
                Part::State(number),
                state.span,
                format!("state {}", state.name),
            ));
            for (action, described) in state.actions.iter().enumerate() {
                let text = format!("{} IA: {}", state.name, words.text(described.span));
                parts.push((Part::Action(number, action), described.span, text));
            }
            for (next, described) in state.next.iter().enumerate() {
                let text = format!("{} NS: {}", state.name, words.text(described.span));
                parts.push((Part::Next(number, next), described.span, text));
            }
        }
        let events = described.events.iter().enumerate();
        for (event, (alternative, mapping)) in
            events.flat_map(|(event, e)| e.alternatives.iter().enumerate().map(move |a| (event, a)))
        {
            let text = format!(
                "on {}: {}",
                described.events[event].name,
                words.text(mapping.span)
            );
            parts.push((Part::Event(event, alternative), mapping.span, text));
        }
        for (number, mapping) in described.spontaneous.iter().enumerate() {
            for (alternative, mapping) in mapping.alternatives.iter().enumerate() {
                let text = format!("spontaneous: {}", words.text(mapping.span));
                parts.push((Part::Spontaneous(number, alternative), mapping.span, text));
            }
        }
        for (output, described) in described.outputs.iter().enumerate() {
            for (alternative, mapping) in described.alternatives.iter().enumerate() {
                if let Some(span) = mapping.span {
                    let text = format!("out {}: {}", described.name, words.text(span));
                    parts.push((Part::Output(output, alternative), span, text));
                }
            }
        }
        for (part, span, text) in parts {
            self.numbers.insert(part, self.parts.len() as u32);
            self.parts.push(CoveredPart {
                machine: words.network.machines[machine].name.clone(),
                text,
                origin: words.origin(span),
            });
        }
    }

    /// The next transition of the machine.
    pub(crate) fn transition(&mut self, parts: &[Part]) {
        let numbers = parts
            .iter()
            .filter_map(|part| self.numbers.get(part).copied());
        self.by_transition.push(numbers.collect());
    }

    /// The expiry of a timer.
    pub(crate) fn timer(&mut self, words: &Words<'_>, machine: usize, timer: usize) {
        let described = &words.network.type_of(machine).timers[timer];
        self.by_transition.push(vec![self.parts.len() as u32]);
        self.parts.push(CoveredPart {
            machine: words.network.machines[machine].name.clone(),
            text: format!("timer {} expires", described.name),
            origin: words.origin(described.span),
        });
    }

    /// The parts that no covered transition exercises. A machine starts in a state without any.
    pub fn missed(&self, covered: &[bool]) -> Vec<&CoveredPart> {
        let mut exercised = vec![false; self.parts.len()];
        for (parts, covered) in self.by_transition.iter().zip(covered) {
            for part in parts {
                exercised[*part as usize] |= covered;
            }
        }
        let parts = self.parts.iter().zip(exercised);
        parts
            .filter(|(_, done)| !done)
            .map(|(part, _)| part)
            .collect()
    }
}
