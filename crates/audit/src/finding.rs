//! What an audit did and found.

use mazurka_model::{Interpreter, Step};

use crate::whole::Whole;

/// What was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Two steps that are called independent, in both orders.
    Pair,
    /// A reduced set, along steps outside it.
    Set,
    /// What a claim sees of a step that is called invisible.
    Visibility,
    /// A step that was left out is taken later.
    Proviso,
    /// A state in the store.
    Store,
    /// The program that is searched does what the model does.
    Structure,
    /// The steps of a set that is taken at once, in other orders.
    Simultaneous,
    /// The verdict, by the whole graph.
    Whole,
    /// Two processes that are called alike, exchanged.
    Symmetry,
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 9] = [
        Kind::Pair,
        Kind::Set,
        Kind::Visibility,
        Kind::Proviso,
        Kind::Store,
        Kind::Structure,
        Kind::Simultaneous,
        Kind::Whole,
        Kind::Symmetry,
    ];

    /// As it is called in results.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Pair => "pairs",
            Kind::Set => "sets",
            Kind::Visibility => "visibility",
            Kind::Proviso => "proviso",
            Kind::Store => "store",
            Kind::Structure => "structure",
            Kind::Simultaneous => "simultaneous",
            Kind::Whole => "whole",
            Kind::Symmetry => "symmetry",
        }
    }
}

/// Something that the search relied on and that is not so.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    /// What was checked.
    pub kind: Kind,
    /// What is wrong.
    pub message: String,
    /// The state of the search in which it was found, without what does not tell it from others; empty if it is about no state.
    pub state: Vec<u8>,
    /// The steps from there to where it shows.
    pub walk: Vec<Step>,
    /// The steps, or whole atomic sequences, that it is about.
    pub about: Vec<Vec<Step>>,
}

/// What was checked, how often, and with what result.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tally {
    /// States audited.
    pub states: u64,
    /// Walks along steps outside a set, or of two programs in lockstep.
    pub walks: u64,
    /// Checks of each kind, in the order of [`Kind::ALL`].
    pub checks: [u64; Kind::ALL.len()],
    /// Checks that were given up within their bounds.
    pub undecided: u64,
    /// What failed; of each kind only the first is kept.
    pub findings: Vec<Finding>,
    /// How many failed.
    pub failures: u64,
}

impl Tally {
    pub(crate) fn count(&mut self, kind: Kind) {
        self.checks[kind as usize] += 1;
    }

    pub(crate) fn fail(&mut self, finding: Finding) {
        self.failures += 1;
        if self.findings.iter().all(|known| known.kind != finding.kind) {
            self.findings.push(finding);
        }
    }

    /// How often something of a kind was checked.
    pub fn checked(&self, kind: Kind) -> u64 {
        self.checks[kind as usize]
    }

    /// Compares a search that found nothing with the whole graph. `states` is how many states there must be, if nothing was left out.
    pub fn compare(&mut self, whole: &Whole, states: Option<u64>) {
        let message = match whole {
            Whole::TooLarge => return,
            Whole::Right(found) if states.is_none_or(|states| states == *found) => {
                return self.count(Kind::Whole);
            }
            Whole::Right(found) => format!(
                "states of the whole graph: {found}; the search found {}",
                states.unwrap_or(0)
            ),
            Whole::Wrong(wrong) => format!("the whole graph has {wrong}, the search found nothing"),
        };
        self.count(Kind::Whole);
        self.fail(Finding {
            kind: Kind::Whole,
            message,
            state: Vec::new(),
            walk: Vec::new(),
            about: Vec::new(),
        });
    }

    /// Adds what another worker, or another search, did.
    pub fn add(&mut self, other: &Tally) {
        self.states += other.states;
        self.walks += other.walks;
        self.undecided += other.undecided;
        for (own, other) in self.checks.iter_mut().zip(other.checks) {
            *own += other;
        }
        for finding in &other.findings {
            self.fail(finding.clone());
        }
        self.failures += other.failures - other.findings.len() as u64;
    }
}

/// The part of a state that tells it from others.
pub(crate) fn identity(interpreter: &Interpreter, state: &[u8]) -> Vec<u8> {
    interpreter.identity(state).to_vec()
}
