//! What is known about a property, of a model or of a real program.

use std::fmt;

use serde::{Deserialize, Serialize};

/// What is known about a property.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Everything was explored, and nothing is wrong.
    Holds,
    /// There is a violation.
    Violated,
    /// Not everything was explored.
    Inconclusive,
    /// Something else ended the verification before it could be told.
    #[serde(rename = "not decided")]
    NotDecided,
}

impl Verdict {
    /// As reports name it.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Inconclusive => "inconclusive",
            Verdict::NotDecided => "not decided",
        }
    }

    /// Violated if anything is, else inconclusive if anything is or is not decided.
    pub fn overall(verdicts: impl IntoIterator<Item = Verdict>) -> Verdict {
        let all = verdicts.into_iter();
        all.fold(Verdict::Holds, |all, one| match (all, one) {
            (Verdict::Violated, _) | (_, Verdict::Violated) => Verdict::Violated,
            (Verdict::Holds, Verdict::Holds) => Verdict::Holds,
            _ => Verdict::Inconclusive,
        })
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// A kind of property.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PropertyKind {
    /// Deadlocks, assertions and everything else about states and steps.
    Safety,
    /// A formula.
    Ltl,
    /// A never claim.
    Never,
    /// No acceptance cycles.
    Acceptance,
    /// No cycles without progress.
    Progress,
}

impl PropertyKind {
    /// As reports name it.
    pub fn name(self) -> &'static str {
        match self {
            PropertyKind::Safety => "safety",
            PropertyKind::Ltl => "ltl",
            PropertyKind::Never => "never",
            PropertyKind::Acceptance => "acceptance",
            PropertyKind::Progress => "progress",
        }
    }

    /// What people call a property of this kind: `ltl mutex`, but `safety` and not `safety safety`.
    pub fn title(self, name: &str) -> String {
        match self.name() == name {
            true => name.into(),
            false => format!("{self} {name}"),
        }
    }
}

impl fmt::Display for PropertyKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

/// Why something is not done: choices that are not known to be sound together.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// One sentence, in the words of the command line, whose options are named like the fields of a config.
    pub reason: String,
}

impl Refusal {
    /// A refusal for this reason.
    pub fn new(reason: impl Into<String>) -> Refusal {
        Refusal {
            reason: reason.into(),
        }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.reason)
    }
}

impl std::error::Error for Refusal {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_violation_decides_and_what_is_not_decided_does_not_hold() {
        use Verdict::*;
        for (verdicts, expected) in [
            (&[Holds, Holds][..], Holds),
            (&[Holds, Inconclusive], Inconclusive),
            (&[NotDecided, Holds], Inconclusive),
            (&[NotDecided, Violated, Holds], Violated),
            (&[], Holds),
        ] {
            assert_eq!(Verdict::overall(verdicts.iter().copied()), expected);
        }
    }
}
