//! What to explore, how, and what came of it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use mazurka_runtime::{Limit, Refinement};
use mazurka_scenario::{ViolationKind, choices};
use serde::{Deserialize, Serialize};

choices! {
    /// How equivalent interleavings are left out.
    Reduction {
        /// Optimal dynamic partial-order reduction.
        Dpor "dpor",
        /// Sleep sets.
        Sleep "sleep",
        /// Persistent sets by the objects that actors were seen to use, and sleep sets.
        Persistent "persistent",
        /// Not at all.
        None "none",
    }

    /// What depends on what.
    Dependency {
        /// As the happens-before relation of each kind of object has it, whatever the values.
        Constant "constant",
        /// Besides, steps that commute by value are independent: with [`Reduction::Sleep`] and
        /// [`Reduction::Persistent`] all that commute in the present state, with [`Reduction::Dpor`]
        /// those for which that is the same in all executions of a class (see `by_value.rs`).
        Refined "refined",
    }
}

/// The order in which executions are tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Strategy {
    /// All of them, depth-first.
    #[default]
    Exhaustive,
    /// At random, for ever or as often as told.
    Random,
    /// With random priorities and this many changes of priority, less one.
    Pct(u32),
}

/// What must not be left behind when all actors have ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LeftBehind {
    /// Locks that are held.
    pub locks: bool,
    /// Messages that nobody has received.
    pub messages: bool,
}

/// What is a violation beside what always is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Judgement {
    /// An execution that is cut: it makes no progress.
    pub livelock: bool,
    /// Something that is left behind at the end.
    pub left_behind: LeftBehind,
}

/// What to explore and when to stop.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which executions.
    pub strategy: Strategy,
    /// How equivalent ones are left out.
    pub reduction: Reduction,
    /// What depends on what.
    pub dependency: Dependency,
    /// Executions are cut after this many steps.
    pub depth: Option<u32>,
    /// What is a violation beside what always is.
    pub judgement: Judgement,
    /// Only executions with at most this many preemptions; needs [`Reduction::None`].
    pub preemptions: Option<u32>,
    /// Go on after a violation.
    pub all: bool,
    /// Stop after this many executions.
    pub executions: Option<u64>,
    /// Stop after this time.
    pub time: Option<Duration>,
    /// The seed of random strategies.
    pub seed: u64,
    /// The share of the executions of which an equivalent one is run too, from 0 to 1; none if nothing is audited.
    pub audit: Option<f64>,
    /// Stop when this becomes true.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            strategy: Strategy::Exhaustive,
            reduction: Reduction::Dpor,
            dependency: Dependency::Constant,
            depth: None,
            judgement: Judgement::default(),
            preemptions: None,
            all: false,
            executions: None,
            time: None,
            seed: 0,
            audit: Some(Options::USUAL_AUDIT),
            interrupt: None,
        }
    }
}

impl Options {
    /// The share of the executions that are audited unless told: such that it costs about one part in a hundred.
    pub const USUAL_AUDIT: f64 = 1.0 / 128.0;

    /// Did somebody ask to stop?
    pub(crate) fn is_interrupted(&self) -> bool {
        let flag = self.interrupt.as_ref();
        flag.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// How far dependency looks at values.
    pub(crate) fn refinement(&self) -> Refinement {
        match (self.dependency, self.reduction) {
            (Dependency::Constant, _) => Refinement::NONE,
            (Dependency::Refined, Reduction::Dpor) => Refinement::BY_CLASS,
            (Dependency::Refined, _) => Refinement::BY_STATE,
        }
    }

    /// # Panics
    ///
    /// If something could be missed by this combination.
    #[track_caller]
    pub(crate) fn assert_sound(&self) {
        if self.strategy != Strategy::Exhaustive {
            return;
        }
        assert!(
            self.preemptions.is_none() || self.reduction == Reduction::None,
            "a bound on preemptions is sound only without a reduction"
        );
    }
}

/// Why a search ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StopReason {
    /// Every inequivalent execution has been explored.
    Complete,
    /// Every inequivalent execution has been explored up to the bound on its length.
    Depth(u32),
    /// Every execution with at most this many preemptions has been explored.
    Preemptions(u32),
    /// A violation was found.
    Violation,
    /// As many executions as were asked for.
    Executions,
    /// Time is over.
    Time,
    /// The user stopped it.
    Interrupted,
    /// The program does not repeat itself: the first step that differs.
    Nondeterminism(u32),
    /// Every execution that could be told from others has been explored, but the program did
    /// something that is not under control.
    Uncontrolled(String),
    /// Two executions that are equivalent by their visible operations are not: the program shares memory that is not under control, or
    /// Mazurka is wrong. What differs, and the schedule that shows it.
    Audit(String),
    /// The program has more of something than can be explored.
    Limit(Limit),
    /// Every inequivalent execution has been explored, as if memory were sequentially consistent, and the program relies on more.
    WeakOrders,
    /// What counts as a step has changed, so the search has to begin again.
    Changed,
    /// The program cannot be run.
    Engine(String),
}

/// What was counted.
#[derive(Clone, Copy, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Statistics {
    /// Executions explored to their end.
    pub executions: u64,
    /// Executions given up because all that could move was asleep.
    pub redundant_executions: u64,
    /// Steps that were not in the execution before.
    pub transitions: u64,
    /// The longest execution.
    pub max_depth: u32,
    /// Executions cut by the bound on their length.
    pub cut: u64,
    /// Executions of which an equivalent one was run too.
    #[serde(default)]
    pub audited: u64,
    /// How many different states the program told of itself.
    #[serde(default)]
    pub states: u64,
    /// How many executions there may be in all.
    pub estimate: f64,
    /// Whether memory was used by an order weaker than sequentially consistent. Values were read as if
    /// it were that.
    #[serde(default)]
    pub weak_orders: bool,
    /// Whether a loop was taken to wait for a change, since it had come back to the same state.
    #[serde(default)]
    pub waiting_loops: bool,
    /// Whether a step could end in several ways.
    #[serde(default)]
    pub choices: bool,
    /// Whether the program had done something that is not under control when the search was saved.
    #[serde(default)]
    pub uncontrolled: bool,
}

/// A violation as a search finds it, and how to get there. [`Outcome`](crate::Outcome) has those that were repeated.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finding {
    /// What it is.
    pub kind: ViolationKind,
    /// One sentence.
    pub message: String,
    /// File, line and column.
    pub at: Option<(String, u32, u32)>,
    /// Actor and choice of each step.
    pub schedule: Vec<(u8, u32)>,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Report {
    /// Why it ended.
    pub reason: StopReason,
    /// What was counted.
    pub statistics: Statistics,
    /// The violations, the first of each kind and message.
    pub violations: Vec<Finding>,
}
