//! Which statements a verification came to, for those who show the source.

use mazurka_scenario::{Position, position};
use mazurka_search::StopReason;

use crate::outcome::Outcome;

/// A statement, or a part of a machine, and whether an execution came to it.
#[derive(Clone, PartialEq, Debug)]
pub struct Reached {
    /// Where it is.
    pub at: Position,
    /// What it is.
    pub text: String,
    /// Did an execution come to it?
    pub met: bool,
}

impl Outcome {
    /// The statements that are worth a mention, in the order of the source; none unless a search for safety properties went everywhere that matters to that.
    pub fn reached(&self) -> Option<Vec<Reached>> {
        let safety = self.safety()?;
        let covered = safety.covered.as_ref()?;
        if safety.stop != StopReason::Complete {
            return None;
        }
        let program = self.model.program();
        let mut all: Vec<Reached> = Vec::new();
        if let Some(coverage) = &self.model.coverage {
            let missed = coverage.missed(covered);
            let missed: Vec<_> = missed.into_iter().map(|part| part.origin).collect();
            for part in &coverage.parts {
                all.push(Reached {
                    at: position(program, part.origin),
                    text: part.text.clone(),
                    met: !missed.contains(&part.origin),
                });
            }
        } else {
            let mut met = vec![None; program.statements.len()];
            for (transition, is_covered) in program.transitions.iter().zip(covered) {
                let statement = &mut met[transition.statement.index()];
                *statement = Some(statement.unwrap_or(false) || *is_covered);
            }
            // What no transition carries out cannot be reached.
            for (statement, met) in program.statements.iter().zip(met) {
                if let (true, Some(met)) = (statement.reported, met) {
                    all.push(Reached {
                        at: position(program, statement.origin),
                        text: statement.text.clone(),
                        met,
                    });
                }
            }
        }
        let place = |one: &Reached| (one.at.file.clone(), one.at.line, one.at.column);
        all.sort_by_key(place);
        Some(all)
    }
}

#[cfg(test)]
mod tests {
    use crate::Checker;

    #[test]
    fn what_is_never_reached_is_told_apart_only_after_a_complete_search() {
        let text =
            "byte x;\nactive proctype P() {\n if\n :: x == 0 -> x = 1\n :: x == 5 -> x = 2\n fi\n}";
        let outcome = Checker::from_source("if.pml", text).unwrap().run().unwrap();
        let reached = outcome.reached().unwrap();
        let never: Vec<u32> = reached
            .iter()
            .filter(|r| !r.met)
            .map(|r| r.at.line)
            .collect();
        assert_eq!(never, [5, 5][..never.len()], "{reached:?}");
        assert!(!never.is_empty() && reached.iter().any(|r| r.met && r.at.line == 4));
        let wrong = "byte x; active proctype P() { assert(x == 1); x = 2 }";
        let outcome = Checker::from_source("no.pml", wrong)
            .unwrap()
            .run()
            .unwrap();
        assert_eq!(outcome.reached(), None);
    }
}
