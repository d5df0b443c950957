//! Why a run violates what it does: the conditions of a formula along it, or who waits for what.

use mazurka_model::ExpressionId;
use mazurka_scenario::{ViolationKind, Walk};
use serde::Serialize;

use crate::session::Session;
use crate::view::{Trouble, values};
use crate::waiting::waiting;

/// A run as a property sees it.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// What is explained.
    pub title: String,
    /// In sentences.
    pub lines: Vec<String>,
    /// The conditions of the formula.
    pub atoms: Vec<Atom>,
}

/// A condition of a formula, and whether it is true in each state of the run.
#[derive(Clone, Debug, Serialize)]
pub struct Atom {
    /// The condition.
    pub text: String,
    /// Its truth before each step and after the last; nothing where it has none.
    pub values: Vec<Option<bool>>,
}

impl Session {
    /// Explains the violation at the end of the present branch.
    pub(crate) fn explain(&self) -> Result<Explanation, Trouble> {
        let (violation, loop_from) = self.violation();
        let nothing = || Trouble::new("this run shows no violation that could be explained");
        let violation = violation.ok_or_else(nothing)?;
        let model = self.simulated()?;
        let loaded = model.loaded();
        let mut explanation = Explanation {
            title: format!("{}: {}", violation.kind, violation.message),
            lines: Vec::new(),
            atoms: Vec::new(),
        };
        let name = &violation.property;
        let formula = loaded.properties.iter().find(|known| known.name == *name);
        let claim = loaded.claims.iter().find(|known| known.name == *name);
        if let Some(formula) = formula {
            explanation.lines.push(formula.text.clone());
            explanation.atoms = self.along(&formula.atoms, &formula.words)?;
        } else if let Some(claim) = claim {
            let words = format!("The never claim {name} accepts this run.");
            explanation.lines.push(words);
            explanation.atoms = self.along(&claim.conditions, &[])?;
        }
        let (steps, _) = self.steps();
        match loop_from {
            Some(from) if from < steps.len() => explanation.lines.push(format!(
                "Steps {} to {} repeat for ever.",
                from + 1,
                steps.len()
            )),
            Some(_) => (explanation.lines).push("At the end nothing happens any more.".into()),
            None => {}
        }
        if let Some(values) = self.last_record().and_then(values) {
            explanation.lines.push(format!("There, {values}."));
        }
        if let ViolationKind::Deadlock | ViolationKind::NonprogressState = violation.kind {
            explanation.lines.extend(self.who_waits()?);
        }
        Ok(explanation)
    }

    /// The truth of conditions in each state of the run, with how they are written, if that is known.
    fn along(&self, conditions: &[ExpressionId], words: &[String]) -> Result<Vec<Atom>, Trouble> {
        let interpreter = &self.simulated()?.loaded().interpreter;
        let program = interpreter.program();
        let mut atoms: Vec<Atom> = conditions
            .iter()
            .enumerate()
            .map(|(number, id)| Atom {
                text: match words.get(number) {
                    Some(words) => words.clone(),
                    None => program.expression_text(None, *id),
                },
                values: Vec::new(),
            })
            .collect();
        let (mut walk, _) =
            Walk::start(interpreter).map_err(|fault| Trouble::new(fault.to_string()))?;
        let (steps, _) = self.steps();
        for position in 0..=steps.len() {
            let stopped = walk.enabled().is_empty();
            for (atom, id) in atoms.iter_mut().zip(conditions) {
                let value = interpreter.holds(walk.state(), *id, stopped);
                atom.values.push(value.ok());
            }
            if let Some(step) = steps.get(position) {
                walk.advance(*step);
            }
        }
        Ok(atoms)
    }

    /// Who waits for what at the end of the run.
    fn who_waits(&self) -> Result<Vec<String>, Trouble> {
        let interpreter = &self.simulated()?.loaded().interpreter;
        let (mut walk, _) =
            Walk::start(interpreter).map_err(|fault| Trouble::new(fault.to_string()))?;
        for step in self.steps().0 {
            walk.enabled();
            walk.advance(*step);
        }
        walk.enabled();
        let state = walk.snapshot();
        let mut lines = Vec::new();
        for waiting in waiting(&walk, &[]) {
            let process = &state.processes[waiting.process as usize];
            if process.may_end {
                continue;
            }
            for blocked in waiting.statements {
                let (name, line) = (&process.name, blocked.line);
                lines.push(format!("{name}, line {line}: {}.", blocked.reason));
            }
        }
        Ok(lines)
    }
}
