//! The kinds of violation: one list for models and real programs.

use std::fmt;

use mazurka_model::{BreachKind, Failure, Fault};
use serde::{Deserialize, Serialize};

/// What went wrong. Reports and scenarios use the name in kebab case, such as `unexpected-input`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ViolationKind {
    /// Nobody can move, and the system may not stop there.
    Deadlock,
    /// Nobody can move, and messages are left that nobody takes.
    NonprogressState,
    /// An assertion failed, or Rust code panicked: nothing tells these apart.
    Assertion,
    /// A condition on every state does not hold.
    Invariant,
    /// A formula is false.
    Ltl,
    /// A never claim came to its end.
    Never,
    /// A cycle through acceptance marks.
    AcceptanceCycle,
    /// A cycle without progress.
    NonProgressCycle,
    /// A message came where nothing is said about it.
    UnexpectedInput,
    /// A message was sent to a queue that is full.
    Overflow,
    /// A transition that can go on for ever.
    Unsettled,
    /// A message came in an order that a trace assertion forbids.
    #[serde(alias = "trace")]
    TraceAssertion,
    /// A division by zero, an index out of range, an object used in a way that makes no sense.
    RuntimeError,
    /// A part of a real program crashed.
    Crash,
    /// A part of a real program never came to its next visible operation.
    Divergence,
    /// An execution of a real program went on beyond the bound.
    Livelock,
    /// An execution of a real program left locks or messages behind at its end.
    LeftBehind,
    /// Two accesses to memory, one of them a write, that nothing orders.
    DataRace,
    /// Memory was used, or given back, after it had been given back.
    UseAfterFree,
}

impl ViolationKind {
    /// All kinds.
    pub const ALL: [ViolationKind; 19] = [
        ViolationKind::Deadlock,
        ViolationKind::NonprogressState,
        ViolationKind::Assertion,
        ViolationKind::Invariant,
        ViolationKind::Ltl,
        ViolationKind::Never,
        ViolationKind::AcceptanceCycle,
        ViolationKind::NonProgressCycle,
        ViolationKind::UnexpectedInput,
        ViolationKind::Overflow,
        ViolationKind::Unsettled,
        ViolationKind::TraceAssertion,
        ViolationKind::RuntimeError,
        ViolationKind::Crash,
        ViolationKind::Divergence,
        ViolationKind::Livelock,
        ViolationKind::LeftBehind,
        ViolationKind::DataRace,
        ViolationKind::UseAfterFree,
    ];

    /// As reports and scenarios name it.
    pub fn name(self) -> &'static str {
        match self {
            ViolationKind::Deadlock => "deadlock",
            ViolationKind::NonprogressState => "nonprogress-state",
            ViolationKind::Assertion => "assertion",
            ViolationKind::Invariant => "invariant",
            ViolationKind::Ltl => "ltl",
            ViolationKind::Never => "never",
            ViolationKind::AcceptanceCycle => "acceptance-cycle",
            ViolationKind::NonProgressCycle => "non-progress-cycle",
            ViolationKind::UnexpectedInput => "unexpected-input",
            ViolationKind::Overflow => "overflow",
            ViolationKind::Unsettled => "unsettled",
            ViolationKind::TraceAssertion => "trace-assertion",
            ViolationKind::RuntimeError => "runtime-error",
            ViolationKind::Crash => "crash",
            ViolationKind::Divergence => "divergence",
            ViolationKind::Livelock => "livelock",
            ViolationKind::LeftBehind => "left-behind",
            ViolationKind::DataRace => "data-race",
            ViolationKind::UseAfterFree => "use-after-free",
        }
    }

    /// Is it about an execution as a whole, and not about where it ends? Then a formula or a claim judges it.
    pub fn is_temporal(self) -> bool {
        matches!(
            self,
            ViolationKind::Ltl
                | ViolationKind::Never
                | ViolationKind::AcceptanceCycle
                | ViolationKind::NonProgressCycle
        )
    }
}

impl From<Failure> for ViolationKind {
    fn from(failure: Failure) -> ViolationKind {
        match failure {
            Failure::Assertion(_) => ViolationKind::Assertion,
            Failure::Fault(Fault::Breach(kind, _)) => match kind {
                BreachKind::UnexpectedInput => ViolationKind::UnexpectedInput,
                BreachKind::Overflow => ViolationKind::Overflow,
                BreachKind::Unsettled => ViolationKind::Unsettled,
                BreachKind::Invariant => ViolationKind::Invariant,
                BreachKind::Trace => ViolationKind::TraceAssertion,
            },
            Failure::Nondeterminism | Failure::Fault(_) => ViolationKind::RuntimeError,
        }
    }
}

impl fmt::Display for ViolationKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_what_files_say() {
        for kind in ViolationKind::ALL {
            let written = serde_json::to_string(&kind).unwrap();
            assert_eq!(written, format!("\"{}\"", kind.name()));
            assert_eq!(
                serde_json::from_str::<ViolationKind>(&written).unwrap(),
                kind
            );
        }
        let older: ViolationKind = serde_json::from_str("\"trace\"").unwrap();
        assert_eq!(older, ViolationKind::TraceAssertion);
    }
}
