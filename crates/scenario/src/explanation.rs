//! Why a violation is one, in parts that can be shown.

use serde::{Deserialize, Serialize};

use crate::kind::ViolationKind;
use crate::run::{Ending, Run};
use crate::snapshot::NamedValue;
use crate::style::Style;
use crate::text::{clean, place, values_text};
use crate::waiting::{Waiting, cycle};

/// What a reader has to know to understand a violation.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Explanation {
    /// What a failed assertion reads, with the values at that moment.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<NamedValue>,
    /// In a deadlock: who waits for what.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waiting: Vec<Waiting>,
    /// Processes each of which waits for the next, and the last for the first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cycle: Vec<u32>,
    /// Of a formula that is false: its atoms.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub atoms: Vec<AtomAlong>,
    /// Which part of it failed, and when, from the whole to the smallest part.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub blame: Vec<Blamed>,
}

/// An atom of a formula along an execution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct AtomAlong {
    /// The atom.
    pub text: String,
    /// Where its value changes: after how many steps, and to what. The first is the value at the beginning.
    pub changes: Vec<(usize, bool)>,
}

/// A part of a formula that is not as the formula needs it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Blamed {
    /// The part.
    pub part: String,
    /// After how many steps.
    pub step: usize,
    /// What is wrong with it there.
    pub what: String,
}

impl Explanation {
    /// Explains what the end of a run shows, if it is known which kind of violation that is.
    pub fn of_run(run: &Run, kind: Option<ViolationKind>) -> Explanation {
        // A step that fails may lead to where nobody can move. One of the two is to be explained.
        let is_deadlock = kind == Some(ViolationKind::Deadlock);
        let values = run.steps.last().filter(|_| !is_deadlock);
        let waiting = match run.ending {
            Ending::Deadlock | Ending::Nonprogress if is_deadlock || run.failure.is_none() => {
                run.waiting.clone()
            }
            _ => Vec::new(),
        };
        Explanation {
            values: values.map_or_else(Vec::new, |step| step.values.clone()),
            cycle: cycle(&waiting),
            waiting,
            ..Explanation::default()
        }
    }

    /// Is there nothing to say?
    pub fn is_empty(&self) -> bool {
        *self == Explanation::default()
    }

    /// In lines, each of its own.
    pub fn text(&self, style: Style) -> String {
        let mut text = String::new();
        if !self.values.is_empty() {
            text += &format!("  where {}\n", clean(&values_text(&self.values)));
        }
        if !self.waiting.is_empty() {
            text += &self.waiting_text(style);
        }
        if !self.atoms.is_empty() {
            text += &self.atoms_text();
        }
        for Blamed { part, step, what } in &self.blame {
            let when = match step {
                0 => "in the initial state".to_string(),
                step => format!("after step {step}"),
            };
            text += &format!("  {when}: {} {}\n", clean(part), clean(what));
        }
        text
    }

    fn waiting_text(&self, style: Style) -> String {
        let name_of = |process: &u32| {
            let known = self
                .waiting
                .iter()
                .find(|waiting| waiting.process == *process);
            known.map_or_else(|| format!("process {process}"), |known| clean(&known.name))
        };
        let mut text = String::new();
        for waiting in &self.waiting {
            let name = style.process(waiting.process, &clean(&waiting.name));
            let place = place(&waiting.at);
            let wants = waiting.wants.iter().map(|want| {
                let mut why = want.reason.clone();
                if !want.values.is_empty() {
                    let joined = if why.is_empty() { "" } else { ": " };
                    why += &format!("{joined}{}", values_text(&want.values));
                }
                let givers = want.givers.iter().map(|giver| clean(&giver.name));
                let givers: Vec<String> = givers.collect();
                let help = match givers.as_slice() {
                    [] if want.deed.is_empty() => String::new(),
                    [] => "no process can change that".to_string(),
                    givers => format!("{} could {}", givers.join(" or "), want.deed),
                };
                let told = [clean(&why), help]
                    .into_iter()
                    .filter(|part| !part.is_empty());
                let told = told.collect::<Vec<_>>().join("; ");
                format!("{} ({told})", clean(&want.statement))
            });
            let wants = wants.collect::<Vec<_>>().join(", or ");
            let what = match wants.is_empty() {
                true => "has nothing left to do".to_string(),
                false => format!("waits for {wants}"),
            };
            text += &format!("  {name} at {place} {what}\n");
        }
        if let [first, rest @ ..] = self.cycle.as_slice() {
            let names = rest.iter().chain([first]).map(name_of);
            let names = names.collect::<Vec<_>>().join(", which waits for ");
            text += &format!("  a circle: {} waits for {names}\n", name_of(first));
        }
        text
    }

    fn atoms_text(&self) -> String {
        let mut text = String::new();
        for AtomAlong {
            text: atom,
            changes,
        } in &self.atoms
        {
            let told = changes.iter().map(|(step, value)| match step {
                0 => format!("{value} at first"),
                step => format!("{value} after step {step}"),
            });
            let told: Vec<String> = told.take(CHANGES_TOLD).collect();
            let more = match changes.len().saturating_sub(CHANGES_TOLD) {
                0 => String::new(),
                more => format!(", and {more} more changes"),
            };
            text += &format!("  {} is {}{more}\n", clean(atom), told.join(", "));
        }
        text
    }
}

/// This many changes of an atom are told.
const CHANGES_TOLD: usize = 8;
