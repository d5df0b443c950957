//! Whether Mazurka and SPIN agree on a model.

use crate::outcome::{Counts, Outcome, kinds_text};

/// The result of holding two outcomes against each other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    Agree,
    /// What differs, in words.
    Differ(String),
    /// SPIN rejects the model.
    Rejected(String),
    /// SPIN did not finish, so it has no opinion.
    Unfinished,
}

/// Compares SPIN's outcome, the first, with Mazurka's.
pub fn compare(spin: &Outcome, mazurka: &Outcome) -> Comparison {
    match (spin, mazurka) {
        (Outcome::Rejected(text), _) => Comparison::Rejected(text.clone()),
        (Outcome::Timeout | Outcome::Crash(_), _) => Comparison::Unfinished,
        (Outcome::Counts(counts), _) if counts.truncated => Comparison::Unfinished,
        (Outcome::Counts(expected), Outcome::Counts(found)) => compare_counts(expected, found),
        (Outcome::Counts(_), other) => Comparison::Differ(format!("mazurka {other}")),
    }
}

pub fn compare_counts(expected: &Counts, found: &Counts) -> Comparison {
    let mut differences = Vec::new();
    let mut note = |what: &str, expected: String, found: String| {
        if expected != found {
            differences.push(format!("{what}: spin {expected}, mazurka {found}"));
        }
    };
    note(
        "states",
        expected.states.to_string(),
        found.states.to_string(),
    );
    note(
        "transitions",
        expected.transitions.to_string(),
        found.transitions.to_string(),
    );
    note(
        "violations",
        kinds_text(&expected.kinds),
        kinds_text(&found.kinds),
    );
    note(
        "completed",
        (!expected.truncated).to_string(),
        (!found.truncated).to_string(),
    );
    if differences.is_empty() {
        Comparison::Agree
    } else {
        Comparison::Differ(differences.join("; "))
    }
}
