//! What the page asks and what it is told.

use mazurka_scenario::{Change, Happening, Snapshot, StepRecord, ViolationRecord};
use serde::{Deserialize, Serialize};

use crate::branch::BranchView;
use crate::charting::{ChartView, HaveChart};
use crate::program::ProgramView;
use crate::waiting::Waiting;
use crate::watch::WatchView;

/// What a page already has, so that it is told no more than is new.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Have {
    /// Of which text of the model.
    pub revision: u64,
    /// Of which branch.
    pub branch: usize,
    /// How many steps.
    pub steps: usize,
    /// How many of them are taken where the page stands.
    pub position: Option<usize>,
    /// How much of the chart.
    pub chart: HaveChart,
}

/// Something to do.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
pub enum Action {
    /// Nothing but look.
    Look,
    /// Takes a possible step.
    Take {
        /// Its number among the choices.
        choice: usize,
    },
    /// Takes the last step back.
    Back,
    /// Takes the next step again. At the end of what repeats for ever, the first of that.
    Forward,
    /// Goes to where this many steps are taken.
    Go {
        /// How many.
        position: usize,
    },
    /// Takes steps at random.
    Random {
        /// How many at most.
        steps: usize,
    },
    /// Takes steps at random until an expression holds.
    Until {
        /// The expression.
        expression: String,
    },
    /// Begins a new branch at the initial state.
    Reset,
    /// Runs the real program of a scenario.
    Start,
    /// Goes to another branch.
    Branch {
        /// Its number.
        number: usize,
    },
    /// Shows a violation that the check found.
    Violation {
        /// Its number.
        number: usize,
    },
    /// Goes to a state of a graph that was asked for.
    Node {
        /// Its number.
        number: usize,
        /// Which graph.
        slot: usize,
    },
}

/// Where the session stands.
#[derive(Clone, Debug, Serialize)]
pub struct View {
    /// Counts the texts of the model.
    pub revision: u64,
    /// What to say about what was done.
    pub note: Option<String>,
    /// The present branch.
    pub branch: usize,
    /// All branches.
    pub branches: Vec<BranchView>,
    /// How many steps are taken.
    pub position: usize,
    /// How many steps the branch has.
    pub length: usize,
    /// How many steps of the page stay as they are.
    pub keep: usize,
    /// The others.
    pub steps: Vec<StepView>,
    /// The chart.
    pub chart: ChartView,
    /// The possible steps.
    pub choices: Vec<StepView>,
    /// Who cannot move, and why.
    pub waiting: Vec<Waiting>,
    /// Processes each of which waits for the next, and the last for the first.
    pub circle: Vec<u32>,
    /// The functions that actors of a real program are in.
    pub stacks: Vec<Stack>,
    /// How the run ends if it goes no further.
    pub ending: &'static str,
    /// The present state; of a real program the objects, once it runs.
    pub state: Option<Snapshot>,
    /// What the last step changed.
    pub changes: Vec<Change>,
    /// Where the processes are in their automata.
    pub locations: Vec<Located>,
    /// The watched expressions.
    pub watches: Vec<WatchView>,
    /// Where a real program has failed: the actors that did it and may be gone by now.
    pub involved: Vec<Involved>,
    /// What goes wrong at the end of the branch.
    pub violation: Option<ViolationRecord>,
    /// For a run that goes on for ever: the number of steps before those that repeat.
    pub loop_from: Option<usize>,
    /// Can steps be chosen?
    pub can_step: bool,
    /// The real program, unless it is a model.
    pub program: Option<ProgramView>,
    /// The present state in each graph that was asked for.
    pub nodes: Vec<Option<usize>>,
}

/// A step, or a choice, as the page lists it.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct StepView {
    /// Who moves.
    pub process: u32,
    /// The name of who moves.
    pub name: String,
    /// The statement.
    pub statement: String,
    /// The file of the statement.
    pub file: String,
    /// Its line; 0 if it is not known.
    pub line: u32,
    /// Who receives, in a rendezvous.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub partner: Option<String>,
    /// The message that is sent or received, if the statement does not say it: `0` for `requests!paid`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// Does it continue an atomic sequence?
    #[serde(skip_serializing_if = "is_false")]
    pub continues: bool,
    /// Does the process keep control?
    #[serde(skip_serializing_if = "is_false")]
    pub holds: bool,
    /// What failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failure: Option<String>,
    /// What happened, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub said: Vec<String>,
}

/// The functions that an actor is in.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Stack {
    /// The actor.
    pub process: u32,
    /// Each with its place in the source, the inner ones first.
    pub functions: Vec<String>,
}

/// An actor of a real program and what it was doing when something went wrong.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Involved {
    /// The actor.
    pub process: u32,
    /// Its name.
    pub name: String,
    /// The file.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The functions that it was in, the inner ones first.
    pub functions: Vec<String>,
}

/// Where a process is in the automaton of its type.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Located {
    /// The process.
    pub process: u32,
    /// The name of its type.
    pub kind: String,
    /// The number of its location.
    pub location: u32,
}

/// A place in the text of a model, and what is wrong there.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DiagnosticView {
    /// `error`, `warning` or `note`.
    pub severity: &'static str,
    /// Its stable name.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub hint: Option<String>,
    /// The file; none if it is the model itself.
    pub file: Option<String>,
    /// The line.
    pub line: u32,
    /// Where it begins, in units of UTF-16, as browsers count.
    pub from: usize,
    /// Where it ends.
    pub to: usize,
}

/// Why something was not done.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Trouble {
    /// In words.
    pub error: String,
    /// What is wrong with the model.
    pub diagnostics: Vec<DiagnosticView>,
}

fn is_false(value: &bool) -> bool {
    !value
}

impl StepView {
    /// A step as the page lists it.
    pub fn of(step: &StepRecord) -> StepView {
        let said = step
            .happenings
            .iter()
            .filter_map(|happening| match happening {
                Happening::Printed { text } => Some(format!("prints “{}”", text.trim_end())),
                Happening::Started { name, .. } => Some(format!("starts {name}")),
                Happening::Died { name, .. } => Some(format!("{name} ends")),
                // An operation on an object, of which the statement says everything.
                Happening::Sent(message) if message.message.is_empty() => None,
                Happening::Sent(message) if message.rendezvous => {
                    Some(format!("hands over {}", message.message))
                }
                Happening::Sent(message) => {
                    Some(format!("sends {} on {}", message.message, message.channel))
                }
                Happening::Received(message) if message.rendezvous => None,
                Happening::Received(message) => Some(format!(
                    "receives {} from {}",
                    message.message, message.channel
                )),
            });
        StepView {
            process: step.process,
            name: step.name.clone(),
            statement: step.statement.clone(),
            file: step.at.file.clone(),
            line: step.at.line,
            partner: match &step.partner {
                Some(partner) if !partner.statement.is_empty() => Some(partner.name.clone()),
                _ => None,
            },
            message: message(step),
            continues: step.continues,
            holds: step.holds,
            failure: step.failure.as_ref().map(|failure| match values(step) {
                Some(values) => format!("{failure} ({values})"),
                None => failure.clone(),
            }),
            said: said.collect(),
        }
    }
}

/// The message of a step, unless its statement says it.
fn message(step: &StepRecord) -> Option<String> {
    let statement = &step.statement;
    if !statement.contains(['!', '?']) {
        return None;
    }
    let mut happenings = step.happenings.iter();
    let text = happenings.find_map(|happening| match happening {
        Happening::Sent(message) | Happening::Received(message) => Some(&message.message),
        _ => None,
    })?;
    let words = |text: &'_ str| -> Vec<String> {
        let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        words
            .filter(|word| !word.is_empty())
            .map(Into::into)
            .collect()
    };
    let said = words(statement);
    let is_said = words(text).iter().all(|word| said.contains(word));
    (!is_said).then(|| text.clone())
}

/// The values that a failure depends on: `x = 1, y = 3`.
pub fn values(step: &StepRecord) -> Option<String> {
    let values = step.values.iter();
    let values = values.map(|one| format!("{} = {}", one.name, one.value));
    let values: Vec<String> = values.collect();
    (!values.is_empty()).then(|| values.join(", "))
}

impl Trouble {
    /// Something that cannot be done, in words.
    pub fn new(error: impl Into<String>) -> Trouble {
        Trouble {
            error: error.into(),
            diagnostics: Vec::new(),
        }
    }
}
