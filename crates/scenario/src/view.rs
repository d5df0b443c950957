//! A part of a run: some of its steps, with the numbers that they have in the whole.

use crate::names::is_called;
use crate::run::Run;
use crate::walk::{Happening, StepRecord};

/// Which steps of a run are to be seen. All of them, unless something is asked for.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct View {
    /// From this step on; the first is 1.
    pub from: Option<usize>,
    /// To this one.
    pub to: Option<usize>,
    /// Only steps of these processes, by name, by type or by number, and those in which they receive.
    pub processes: Vec<String>,
    /// Only steps that send or receive a message.
    pub messages: bool,
    /// Only steps that change this variable.
    pub changes: Option<String>,
}

impl View {
    /// Is everything to be seen?
    pub fn is_all(&self) -> bool {
        *self == View::default()
    }

    /// The steps that are seen, by their place in the run. What cannot be is said.
    pub fn steps(&self, run: &Run) -> Result<Vec<usize>, String> {
        let last = run.skipped + run.steps.len();
        if last == 0 && self.is_all() {
            return Ok(Vec::new());
        }
        let from = self.from.unwrap_or(1);
        let to = self.to.unwrap_or(last);
        for (option, number) in [("--from", self.from), ("--to", self.to)] {
            if number.is_some_and(|number| number == 0 || number > last) {
                return Err(match last {
                    0 => format!("{option}: there are no steps"),
                    _ => format!("{option}: there are steps 1 to {last}"),
                });
            }
        }
        if from > to && last > 0 {
            return Err(format!("--from {from} is after --to {to}"));
        }
        for wanted in &self.processes {
            if !run.steps.iter().any(|step| moves(step, wanted)) {
                let known = names(run).join(", ");
                return Err(format!(
                    "--process {wanted}: it takes no step; there are {known}"
                ));
            }
        }
        let numbered = run.steps.iter().enumerate();
        let seen = numbered.filter(|(index, step)| {
            (from..=to).contains(&(run.skipped + index + 1))
                && (self.processes.is_empty()
                    || self.processes.iter().any(|wanted| moves(step, wanted)))
                && (!self.messages || has_message(step))
                && self.changes.as_ref().is_none_or(|name| changes(step, name))
        });
        let seen: Vec<usize> = seen.map(|(index, _)| index).collect();
        if let (Some(name), true) = (&self.changes, seen.is_empty()) {
            let all = run.steps.iter().flat_map(|step| &step.changes);
            let mut all: Vec<&str> = all.map(|change| change.name.as_str()).collect();
            all.sort_unstable();
            all.dedup();
            let others = match all.is_empty() {
                true => "none changes anything".to_string(),
                false => format!("these change: {}", all.join(", ")),
            };
            return Err(format!(
                "--changes {name}: no step shown changes it; {others}"
            ));
        }
        Ok(seen)
    }
}

/// Is the process one that moves in the step?
fn moves(step: &StepRecord, wanted: &str) -> bool {
    let mut partner = step.partner.iter();
    is_called(step.process, &step.name, wanted)
        || partner.any(|partner| is_called(partner.process, &partner.name, wanted))
}

/// The processes that move, each once.
fn names(run: &Run) -> Vec<&str> {
    let mut names: Vec<&str> = run.steps.iter().map(|step| step.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn has_message(step: &StepRecord) -> bool {
    let mut happenings = step.happenings.iter();
    happenings.any(|happening| matches!(happening, Happening::Sent(_) | Happening::Received(_)))
}

/// Does a step change a variable? `x` is also the local one of every process, and an array is its elements.
fn changes(step: &StepRecord, wanted: &str) -> bool {
    step.changes.iter().any(|change| {
        let own = change.name.rsplit_once("].").map_or("", |(_, own)| own);
        [change.name.as_str(), own].into_iter().any(|name| {
            let rest = name.strip_prefix(wanted);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['[', '.']))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::Ending;
    use crate::snapshot::Change;
    use crate::walk::{Message, Position};

    fn step(process: u32, name: &str, changed: &[&str], sends: bool) -> StepRecord {
        let message = Message {
            process,
            channel: "q".into(),
            message: "1".into(),
            number: Some(1),
            rendezvous: false,
        };
        StepRecord {
            process,
            name: name.into(),
            transition: 0,
            choice: 0,
            statement: "skip".into(),
            at: Position {
                file: "m.pml".into(),
                line: 1,
                column: 1,
            },
            partner: None,
            happenings: sends
                .then_some(Happening::Sent(message))
                .into_iter()
                .collect(),
            changes: changed
                .iter()
                .map(|name| Change {
                    name: name.to_string(),
                    old: Some("0".into()),
                    new: "1".into(),
                })
                .collect(),
            continues: false,
            holds: false,
            failure: None,
            values: Vec::new(),
        }
    }

    fn run() -> Run {
        Run {
            start: Vec::new(),
            initial: None,
            skipped: 0,
            steps: vec![
                step(0, "P[0]", &["x"], false),
                step(1, "Q[1]", &["q"], true),
                step(2, "Q[2]", &["Q[2].x", "a[1]"], false),
            ],
            loop_from: None,
            last: None,
            waiting: Vec::new(),
            failure: None,
            ending: Ending::Open,
        }
    }

    #[test]
    fn each_choice_leaves_its_steps() {
        let all = View::default();
        let seen = |view: View| view.steps(&run()).expect("steps");
        let process = |name: &str| View {
            processes: vec![name.into()],
            ..View::default()
        };
        let changes = |name: &str| View {
            changes: Some(name.into()),
            ..View::default()
        };
        assert_eq!(seen(all.clone()), [0, 1, 2]);
        let part = View {
            from: Some(2),
            to: Some(2),
            ..all.clone()
        };
        assert_eq!(seen(part), [1]);
        assert_eq!(seen(process("Q")), [1, 2]);
        assert_eq!(seen(process("Q[2]")), [2]);
        assert_eq!(seen(process("0")), [0]);
        assert_eq!(seen(changes("x")), [0, 2]);
        assert_eq!(seen(changes("a")), [2]);
        let messages = View {
            messages: true,
            ..all
        };
        assert_eq!(seen(messages), [1]);
    }

    #[test]
    fn what_is_not_there_is_said() {
        let wrong = |view: View| view.steps(&run()).expect_err("nothing");
        let none = wrong(View {
            processes: vec!["R".into()],
            ..View::default()
        });
        assert!(none.contains("P[0], Q[1], Q[2]"), "{none}");
        let none = wrong(View {
            changes: Some("y".into()),
            ..View::default()
        });
        assert!(none.contains("Q[2].x, a[1], q, x"), "{none}");
        let from = |from, to| View {
            from: Some(from),
            to: Some(to),
            ..View::default()
        };
        assert!(wrong(from(0, 1)).contains("steps 1 to 3"));
        assert!(wrong(from(3, 2)).contains("--from 3 is after --to 2"));
    }
}
