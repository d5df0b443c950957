//! What a verifier says about a model, in the same words for SPIN and for Mazurka.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The end of one verification run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The search ended by itself.
    Counts(Counts),
    /// The model was refused, with this text.
    Rejected(String),
    /// A stage took too long and was killed.
    Timeout,
    /// The verifier died or said something that cannot be understood.
    Crash(String),
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub states: u64,
    pub matched: u64,
    pub transitions: u64,
    pub depth: u64,
    /// How many times an error was met.
    pub errors: u64,
    /// Message to the number of times it was printed. SPIN prints a message once when it meets it several times in a row.
    pub messages: BTreeMap<String, u64>,
    /// The kinds of violation, in Mazurka's words.
    pub kinds: BTreeSet<String>,
    /// Not everything was searched (depth, memory, or an error that ends the search), so the counts mean nothing.
    pub truncated: bool,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Outcome::Counts(counts) => write!(f, "{counts}"),
            Outcome::Rejected(text) => write!(f, "rejected: {text}"),
            Outcome::Timeout => write!(f, "timed out"),
            Outcome::Crash(text) => write!(f, "crashed: {text}"),
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "{} states, {} transitions, {}",
            self.states,
            self.transitions,
            kinds_text(&self.kinds)
        )?;
        if self.truncated {
            write!(f, ", not completed")?;
        }
        Ok(())
    }
}

/// The kinds in order with commas between, or `-` for none.
pub fn kinds_text(kinds: &BTreeSet<String>) -> String {
    if kinds.is_empty() {
        return "-".to_string();
    }
    kinds.iter().cloned().collect::<Vec<_>>().join(",")
}
