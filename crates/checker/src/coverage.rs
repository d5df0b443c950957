//! What no execution came to.

use std::collections::BTreeMap;

use mazurka_model::{Origin, Program};
use mazurka_scenario::{Position, position};
use mazurka_search::StopReason;
use mazurka_vfsm::Coverage;
use serde::{Deserialize, Serialize};

use crate::outcome::Outcome;

/// What no execution came to in one process or machine.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Unreached {
    /// The process or the machine.
    pub name: String,
    /// Statements, or parts of a machine.
    pub missed: Vec<UnreachedPart>,
    /// How many there are in all, reached or not.
    pub total: usize,
    /// Are they parts of a machine, and not statements?
    pub is_machine: bool,
}

/// A statement or a part of a machine that no execution came to.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct UnreachedPart {
    /// Where it is.
    pub at: Position,
    /// Its text.
    pub text: String,
}

impl Outcome {
    /// What no execution came to, for each process or machine in which there is something: none if the search stopped at a
    /// violation, or left statements out on purpose. A search that did not come to its end tells what was not reached so far.
    pub fn unreached(&self) -> Vec<Unreached> {
        let safety = self.safety();
        let safety = safety.filter(|safety| safety.stop != StopReason::Violation);
        let Some(covered) = safety.and_then(|safety| safety.covered.as_ref()) else {
            return Vec::new();
        };
        let program = self.model.program();
        let (unreached, is_machine) = match &self.model.coverage {
            None => (statements(program, covered), false),
            Some(coverage) => (parts(coverage, covered), true),
        };
        let unreached = unreached.into_iter();
        let unreached = unreached.filter(|(_, (missed, _))| !missed.is_empty());
        let unreached = unreached.map(|(name, (missed, total))| Unreached {
            name: name.into(),
            missed: missed
                .into_iter()
                .map(|(origin, text)| UnreachedPart {
                    at: position(program, origin),
                    text: text.into(),
                })
                .collect(),
            total,
            is_machine,
        });
        unreached.collect()
    }
}

type Missed<'p> = BTreeMap<&'p str, (Vec<(Origin, &'p str)>, usize)>;

fn statements<'p>(program: &'p Program, covered: &[bool]) -> Missed<'p> {
    let mut exists = vec![false; program.statements.len()];
    let mut reached = vec![false; program.statements.len()];
    for (transition, covered) in program.transitions.iter().zip(covered) {
        exists[transition.statement.index()] = true;
        reached[transition.statement.index()] |= covered;
    }
    let mut unreached = Missed::new();
    for (number, statement) in program.statements.iter().enumerate() {
        if !exists[number] || !statement.reported {
            continue;
        }
        let name = program.process_types[statement.process_type.index()]
            .name
            .as_str();
        let (missed, total) = unreached.entry(name).or_default();
        *total += 1;
        if !reached[number] {
            missed.push((statement.origin, statement.text.as_str()));
        }
    }
    for (missed, _) in unreached.values_mut() {
        missed.sort_by_key(|(origin, _)| (origin.file, origin.line, origin.column));
    }
    unreached
}

/// Parts of machines that no transition made use of.
fn parts<'p>(coverage: &'p Coverage, covered: &[bool]) -> Missed<'p> {
    let mut unreached = Missed::new();
    for part in &coverage.parts {
        unreached.entry(&part.machine).or_default().1 += 1;
    }
    for part in coverage.missed(covered) {
        let (missed, _) = unreached.entry(&part.machine).or_default();
        missed.push((part.origin, &part.text));
    }
    unreached
}
