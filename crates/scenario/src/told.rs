//! A scenario as it was told, without its model: what its file says about each step.

use crate::format::Scenario;
use crate::run::{Ending, Run};
use crate::walk::{Position, StepRecord};

impl Scenario {
    /// Does the file say what its steps are? Very long ones do not.
    pub fn is_told(&self) -> bool {
        self.steps.iter().all(|step| step.statement.is_some())
    }

    /// The steps by their text, from the one of this number on, counted from 0. Nobody knows what they did.
    pub fn told_from(&self, first: usize) -> Vec<StepRecord> {
        let steps = self.steps.iter().skip(first);
        let told = steps.map(|step| StepRecord {
            process: step.process,
            name: match &step.name {
                Some(name) => format!("{name}[{}]", step.process),
                None => format!("process {}", step.process),
            },
            transition: step.transition,
            choice: step.choice,
            statement: step.statement.clone().unwrap_or_else(|| "?".into()),
            at: Position {
                file: step.file.clone().unwrap_or_default(),
                line: step.line.unwrap_or(0),
                column: 0,
            },
            partner: None,
            happenings: Vec::new(),
            changes: Vec::new(),
            continues: false,
            holds: false,
            failure: None,
            values: Vec::new(),
        });
        told.collect()
    }

    /// All steps by their text.
    pub fn told(&self) -> Run {
        Run {
            start: Vec::new(),
            initial: None,
            skipped: 0,
            steps: self.told_from(0),
            loop_from: self.loop_from,
            last: None,
            waiting: Vec::new(),
            failure: None,
            ending: Ending::Open,
        }
    }
}
