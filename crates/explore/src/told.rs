//! States that a program tells of itself, so that what follows one is explored once.
//!
//! Only as long as there is one actor: then nothing but its tosses decides what comes next, and who comes to a state that
//! was met before would only repeat what is explored from there. With several actors, what reduction has left out at the first visit
//! may have to be done at the second, so nothing is cut.

use std::collections::HashSet;

use mazurka_runtime::{Kind, Record};

#[derive(Default)]
pub(crate) struct ToldStates {
    /// Fingerprints of 128 bits.
    known: HashSet<(i64, i64)>,
}

impl ToldStates {
    /// Adds the states that an execution tells from this step on, up to the first that is known, whose step this is.
    pub fn met_again(&mut self, trace: &[Record], from: usize) -> Option<usize> {
        let is_spawn = |record: &Record| record.operation.kind == Kind::SPAWN;
        if trace.iter().any(is_spawn) {
            return None;
        }
        let told = trace.iter().enumerate().skip(from);
        let mut told = told.filter(|(_, record)| record.operation.kind == Kind::STATE);
        let known = told.find(|(_, record)| {
            let state = (record.operation.argument, record.operation.extra);
            !self.known.insert(state)
        });
        known.map(|(step, _)| step)
    }

    pub fn count(&self) -> u64 {
        self.known.len() as u64
    }
}
