//! Depth-first search over executions, without storing states.
//!
//! The search keeps one execution, as a stack of [`Frame`]s: the state before each step, what has
//! been explored from it and what is still to do. It takes the deepest state with something left
//! to do, lays down the schedule that leads there, and lets the engine run the program along it
//! and freely to its end. What is new in that execution is added to the stack, and dynamic
//! reduction finds from its races what else must be done, and where.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use mazurka_runtime::{
    ACTORS, ActorState, Ending, Kernel, Kind, Limit, Operation, Order, Planned, Refinement,
};

use crate::audit::Auditor;
use crate::checkpoint::{Checkpoint, SavedStack, Stack};
use crate::engine::{Engine, EngineError};
use crate::options::{Finding, Options, Reduction, Report, Statistics, StopReason, Strategy};
use crate::path::{Path, Step};
use crate::persistent::Footprints;
use crate::plan::{WHERE_CUT, loses_by_choices, loses_by_cuts};
use crate::repetition::Repetition;
use crate::told::ToldStates;
use crate::violation::judge;
use crate::wakeup::Branch;

/// Limits are looked at after each execution if this much time passes between two looks.
const SLOW: Duration = Duration::from_millis(20);

/// Watches an exploration, saves it and stops it. Everything has a default that does nothing, so `()` is one.
pub trait Observer {
    /// An execution has ended; redundant ones are not told.
    #[doc(hidden)]
    fn execution(&mut self, _kernel: &Kernel) {}

    /// Called now and then. `Break` stops the search.
    fn progress(&mut self, _statistics: &Statistics) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    /// Whether to make a checkpoint. Asked now and then, and when a search stops that could go on.
    fn wants_checkpoint(&mut self, _is_stopping: bool) -> bool {
        false
    }

    /// Gets the checkpoint that it wanted.
    fn checkpoint(&mut self, _checkpoint: Checkpoint) {}
}

impl Observer for () {}

/// The state before a step of the present execution.
#[derive(Default)]
pub(crate) struct Frame {
    /// Who can move.
    pub enabled: u64,
    /// Who was asleep when the state was reached.
    pub sleep: u64,
    /// Whose next step has been explored from here, with all its choices.
    pub explored: u64,
    /// The steps of these.
    pub done: Vec<Step>,
    /// Who else to explore, if that is known at once.
    pub todo: u64,
    /// What else to explore, if that turns out by and by.
    pub branches: Vec<Branch>,
    /// The choice of the present step that was taken first.
    pub first_choice: u32,
    /// How many preemptions led here.
    pub preemptions: u32,
}

/// Explores a program.
///
/// # Panics
///
/// If preemptions are bounded and there is a reduction: an execution within the bound may have no
/// equivalent one within it that the reduction keeps.
pub fn explore<E: Engine>(
    engine: &mut E,
    options: &Options,
    observer: &mut dyn Observer,
) -> Report {
    begin(engine, options, observer, None)
}

/// Resumes a search that was stopped. Apart from limits, the options must be those with which
/// it was begun.
///
/// # Panics
///
/// If the checkpoint is of several threads.
pub fn go_on<E: Engine>(
    engine: &mut E,
    options: &Options,
    observer: &mut dyn Observer,
    checkpoint: &Checkpoint,
) -> Report {
    begin(engine, options, observer, Some(checkpoint))
}

fn begin<E: Engine>(
    engine: &mut E,
    options: &Options,
    observer: &mut dyn Observer,
    checkpoint: Option<&Checkpoint>,
) -> Report {
    let mut options = options.clone();
    if let Some(checkpoint) = checkpoint {
        options.reduction = checkpoint.reduction;
    }
    options.assert_sound();
    let mut search = Search::new(engine, &options, observer);
    let ended = match checkpoint {
        Some(checkpoint) => {
            assert!(
                !checkpoint.is_shared(),
                "the checkpoint is of several threads"
            );
            search.resume(&checkpoint.stacks[0])
        }
        None => search.run(),
    };
    let reason = match ended {
        Ok(Ended::By(reason)) => reason,
        Ok(Ended::Cut) => {
            let (started, violations) = (search.started, search.violations);
            options.reduction = WHERE_CUT;
            search = Search::new(engine, &options, observer);
            search.started = started;
            search.violations = violations;
            match search.run() {
                Ok(Ended::By(reason)) => reason,
                Ok(Ended::Cut) => StopReason::Limit(Limit::OTHER),
                Err(error) => search.interrupted_or(error),
            }
        }
        Err(error) => search.interrupted_or(error),
    };
    Report {
        reason,
        statistics: search.statistics,
        violations: search.violations,
    }
}

/// Explores a program to a depth, then deeper by the same number of steps, and so on until no
/// execution is cut or a limit is reached.
pub fn explore_deeper_and_deeper<E: Engine>(
    engine: &mut E,
    options: &Options,
    steps: u32,
    observer: &mut dyn Observer,
) -> Report {
    let mut options = options.clone();
    let started = Instant::now();
    let limit = options.time;
    let mut depth = steps.max(1);
    loop {
        options.depth = Some(depth);
        options.time = limit.map(|limit| limit.saturating_sub(started.elapsed()));
        let report = explore(engine, &options, observer);
        if report.reason != StopReason::Depth(depth) {
            return report;
        }
        depth = depth.saturating_add(steps.max(1));
    }
}

/// Did the execution end with a failure, though another actor had more to do? What it would have done, and what races with that, is not
/// known then: as where executions are cut.
///
/// One that waits has nothing to do before somebody else has. What it waits to do is known, and is in races.
fn ended_early(kernel: &Kernel) -> bool {
    let last_failure = || {
        let last = (kernel.failed as usize).checked_sub(1)?;
        Some(kernel.failures.get(last)?.actor)
    };
    let by = match kernel.ending {
        Ending::FAILED => last_failure(),
        Ending::DIVERGENCE => Some(kernel.current),
        _ => return false,
    };
    let goes_on = |actor: usize| {
        let waits =
            kernel.actors[actor].state == ActorState::PENDING && kernel.enabled >> actor & 1 == 0;
        kernel.alive >> actor & 1 == 1 && by.map(usize::from) != Some(actor) && !waits
    };
    (0..ACTORS).any(goes_on)
}

/// How a search ended.
pub(crate) enum Ended {
    /// For a reason to tell.
    By(StopReason),
    /// An execution was cut, or ended before all that could come, or a step can end in several ways: the reduction is not sound with that.
    Cut,
}

/// The first step at which an execution is not what it was before, as far as it should be.
fn difference(kernel: &Kernel, path: &Path, branched: Option<&Frame>, from: usize) -> Option<u32> {
    let trace = kernel.trace();
    let repeated = trace.iter().zip(&path.events);
    if let Some(step) = repeated
        .clone()
        .position(|(record, event)| !event.step.repeats(record))
    {
        return Some(step as u32);
    }
    if kernel.ending == Ending::MISMATCH || trace.len() < from {
        return Some(kernel.length);
    }
    // Those who were explored from the state where the execution branches off want the same.
    let explored = branched.into_iter().flat_map(|frame| &frame.done);
    for step in explored {
        let after = trace[from..]
            .iter()
            .position(|record| record.actor == step.actor);
        if let Some(after) = after.filter(|after| !step.repeats(&trace[from + after])) {
            return Some((from + after) as u32);
        }
    }
    None
}

/// What the program did before the search was saved was not under control; what it was is not written down.
pub(crate) fn uncontrolled_before() -> StopReason {
    StopReason::Uncontrolled("what it did before the search was saved".into())
}

/// What several searches that share their work know of each other.
#[derive(Default)]
pub(crate) struct Shared {
    /// One has found enough.
    pub stop: AtomicBool,
    /// How many executions there have been, redundant ones too.
    pub runs: AtomicU64,
}

/// What was laid down for the next execution; running it changes the kernel.
#[derive(Clone, Copy, Default)]
struct Plan {
    from: usize,
    planned: usize,
    sleep: u64,
}

pub(crate) struct Search<'s, E> {
    engine: &'s mut E,
    options: &'s Options,
    observer: &'s mut dyn Observer,
    /// How far dependency looks at values.
    pub(crate) refinement: Refinement,
    pub(crate) path: Path,
    /// The frames of the present execution, and behind them some to be used again.
    pub(crate) frames: Vec<Frame>,
    /// How many frames count.
    pub(crate) height: usize,
    /// Frames below this one are somebody else's.
    pub(crate) floor: usize,
    /// What it shares with others that do the same work.
    pub(crate) shared: Option<&'s Shared>,
    /// The wakeup trees of the states that the schedule leads through.
    handed_down: Vec<Vec<Branch>>,
    plan: Plan,
    footprints: Footprints,
    repetition: Repetition,
    auditor: Auditor,
    /// After how many executions limits are looked at again, and when they were last.
    pace: u64,
    look_at: u64,
    looked: Instant,
    /// The states that the program has told of itself.
    told: ToldStates,
    pub(crate) statistics: Statistics,
    pub(crate) violations: Vec<Finding>,
    pub(crate) started: Instant,
}

impl<'s, E: Engine> Search<'s, E> {
    pub(crate) fn new(
        engine: &'s mut E,
        options: &'s Options,
        observer: &'s mut dyn Observer,
    ) -> Self {
        Search {
            engine,
            options,
            observer,
            refinement: options.refinement(),
            path: Path::new(),
            frames: vec![],
            height: 0,
            floor: 0,
            shared: None,
            handed_down: vec![],
            plan: Plan::default(),
            pace: 1,
            look_at: 0,
            looked: Instant::now(),
            footprints: Footprints::default(),
            repetition: Repetition::default(),
            auditor: Auditor::new(match options.reduction {
                // Nothing is left out, so nothing is relied on.
                Reduction::None => None,
                _ => options.audit,
            }),
            told: ToldStates::default(),
            statistics: Statistics::default(),
            violations: vec![],
            started: Instant::now(),
        }
    }

    pub(crate) fn kernel(&mut self) -> &mut Kernel {
        self.engine.kernel()
    }

    pub(crate) fn uncontrolled(&mut self) -> Option<String> {
        self.engine.uncontrolled()
    }

    pub(crate) fn run(&mut self) -> Result<Ended, EngineError> {
        self.prepare();
        self.engine.kernel().forget_numbers();
        if self.options.strategy != Strategy::Exhaustive {
            return self.run_at_random().map(Ended::By);
        }
        self.run_from_here()
    }

    /// Lays down in the kernel what the options say.
    pub(crate) fn prepare(&mut self) {
        let kernel = self.engine.kernel();
        kernel.depth = self.options.depth.unwrap_or(0);
        kernel.stop_at_failure = u8::from(!self.options.all);
        kernel.policy.refined = self.refinement;
        kernel.policy.random = self.options.seed;
        kernel.policy.order = Order::STEADY;
        kernel.planned = 0;
        kernel.policy.sleep = 0;
        kernel.policy.sleep_from = 0;
    }

    /// Resumes a search that was stopped.
    pub(crate) fn resume(&mut self, saved: &SavedStack) -> Result<Ended, EngineError> {
        self.prepare();
        saved.lay_down(self.engine.kernel());
        self.plan = Plan {
            from: saved.from,
            planned: self.engine.kernel().planned as usize,
            sleep: saved.sleep,
        };
        self.floor = saved.floor;
        self.frames = saved.frames();
        self.height = self.frames.len();
        self.handed_down = saved.handed_down();
        self.footprints.restore(&saved.footprints);
        self.statistics = saved.statistics;
        self.violations = saved.violations.clone();
        self.run_engine()?;
        let kernel = self.engine.kernel();
        if let Some(step) = saved.difference(kernel.trace()) {
            return Ok(Ended::By(StopReason::Nondeterminism(step)));
        }
        for record in &kernel.trace()[..saved.from] {
            match self.options.reduction {
                Reduction::Dpor => self.path.push(record),
                _ => self.path.push_plainly(record),
            }
        }
        self.go_on_from(saved.from)
    }

    /// What can be resumed later: all up to what is planned now.
    fn saved(&mut self) -> SavedStack {
        // Another engine will not know.
        self.statistics.uncontrolled |= self.uncontrolled().is_some();
        let Plan {
            from,
            planned,
            sleep,
        } = self.plan;
        let stack = Stack {
            floor: self.floor,
            from,
            sleep,
            planned,
            events: &mut self.path.events[..from].iter().map(|event| event.step),
            frames: &self.frames[..self.height],
            handed_down: &self.handed_down,
            footprints: self.footprints.saved(),
            statistics: self.statistics,
            violations: &self.violations,
        };
        SavedStack::new(stack, self.engine.kernel())
    }

    /// Offers a checkpoint to the observer, once something is planned.
    fn offer_checkpoint(&mut self, is_stopping: bool) {
        let is_planned = self.height > self.plan.from && self.path.events.len() >= self.plan.from;
        if is_planned && self.observer.wants_checkpoint(is_stopping) {
            let stacks = vec![self.saved()];
            let checkpoint = Checkpoint::new(self.options.reduction, stacks, None);
            self.observer.checkpoint(checkpoint);
        }
    }

    /// Why a search ended whose engine gave up: because the user wanted it to, or not.
    pub(crate) fn interrupted_or(&mut self, error: EngineError) -> StopReason {
        if self.options.is_interrupted() {
            self.offer_checkpoint(true);
            return StopReason::Interrupted;
        }
        if (self.options.time).is_some_and(|limit| self.started.elapsed() >= limit) {
            self.offer_checkpoint(true);
            return StopReason::Time;
        }
        StopReason::Engine(error.0)
    }

    /// Explores everything, or what follows a prefix that has been laid down already.
    pub(crate) fn run_from_here(&mut self) -> Result<Ended, EngineError> {
        self.run_engine()?;
        self.go_on_from(0)
    }

    /// Goes on after an execution that is new from this step on.
    fn go_on_from(&mut self, mut from: usize) -> Result<Ended, EngineError> {
        loop {
            if let Some(reason) = self.absorb(from) {
                return Ok(Ended::By(reason));
            }
            let mut learned = false;
            match self.options.reduction {
                reduction
                    if loses_by_cuts(reduction)
                        && (self.statistics.cut > 0 || ended_early(self.engine.kernel())) =>
                {
                    return Ok(Ended::Cut);
                }
                reduction
                    if self.statistics.choices
                        && loses_by_choices(reduction, self.options.dependency) =>
                {
                    return Ok(Ended::Cut);
                }
                Reduction::Dpor => self.reverse_races(),
                Reduction::Persistent => {
                    learned = self.footprints.learn(self.engine.kernel());
                    if learned {
                        self.start_again();
                        from = 0;
                    } else {
                        self.confine(from);
                    }
                }
                Reduction::None | Reduction::Sleep => {}
            }
            if !learned {
                if let Some(reason) = self.audit()? {
                    return Ok(Ended::By(reason));
                }
                match self.backtrack() {
                    Some(depth) => from = depth,
                    None => return Ok(Ended::By(self.completion())),
                }
            }
            if let Some(reason) = self.limit() {
                self.offer_checkpoint(true);
                return Ok(Ended::By(reason));
            }
            self.run_engine()?;
        }
    }

    /// Runs the program once, and sees whether it repeats itself.
    pub(crate) fn run_engine(&mut self) -> Result<(), EngineError> {
        let time = self.options.time;
        let deadline = time.and_then(|limit| self.started.checked_add(limit));
        self.engine.stop_at(deadline);
        self.engine.run()?;
        if let Some(shared) = self.shared {
            shared.runs.fetch_add(1, Ordering::Relaxed);
        }
        if self.engine.kernel().ending != Ending::CHANGED {
            self.repetition.judge(self.engine.kernel());
        }
        Ok(())
    }

    /// Runs the execution that has just ended once more in an equivalent order, if it is one of those that are audited.
    fn audit(&mut self) -> Result<Option<StopReason>, EngineError> {
        let judgement = &self.options.judgement;
        let Some(other) = self.auditor.draw(self.engine.kernel(), judgement) else {
            return Ok(None);
        };
        other.lay_down(self.engine.kernel());
        self.engine.run()?;
        if self.engine.kernel().ending == Ending::CHANGED {
            return Ok(Some(StopReason::Changed));
        }
        self.statistics.audited += 1;
        let difference = other.difference(self.engine.kernel(), judgement);
        let Some(difference) = difference else {
            // What is planned next is written anew.
            self.engine.kernel().planned = 0;
            return Ok(None);
        };
        // Twice, for a program that does something else every other time.
        for _ in 0..2 {
            other.lay_down_original(self.engine.kernel());
            self.engine.run()?;
            let kernel = self.engine.kernel();
            if other.difference(kernel, judgement).is_some() {
                let step = other.first_difference(kernel);
                return Ok(Some(StopReason::Nondeterminism(step)));
            }
        }
        let reason = format!("{difference}, in the schedule {}", other.text());
        Ok(Some(StopReason::Audit(reason)))
    }

    /// Forgets what has been explored, but not what was learned by it.
    fn start_again(&mut self) {
        self.height = 0;
        self.path.truncate(0);
        self.statistics = Statistics::default();
        let kernel = self.engine.kernel();
        kernel.planned = 0;
        kernel.policy.sleep = 0;
        kernel.policy.sleep_from = 0;
    }

    /// Confines the new states to persistent sets.
    fn confine(&mut self, from: usize) {
        let kernel = self.engine.kernel();
        let mut next: [Option<Operation>; ACTORS] = [None; ACTORS];
        let mut alive = kernel.alive;
        for (actor, operation) in next.iter_mut().enumerate() {
            if kernel.actors[actor].state == ActorState::PENDING {
                *operation = Some(kernel.actors[actor].pending);
            }
        }
        for position in (from..kernel.length as usize).rev() {
            let record = &kernel.records[position];
            let actor = usize::from(record.actor);
            if record.operation.kind == Kind::SPAWN {
                alive &= !(1 << (record.result as usize % ACTORS));
            }
            alive |= 1 << actor;
            next[actor] = Some(record.operation);
            if position > from || self.frames[position].explored == 0 {
                let set = self.footprints.persistent(actor, alive, &next);
                self.frames[position].todo &= set;
            }
        }
    }

    pub(crate) fn completion(&mut self) -> StopReason {
        if let Some(what) = self.uncontrolled() {
            return StopReason::Uncontrolled(what);
        }
        if self.statistics.uncontrolled {
            return uncontrolled_before();
        }
        if let (Some(depth), 1..) = (self.options.depth, self.statistics.cut) {
            return StopReason::Depth(depth);
        }
        match self.options.preemptions {
            Some(bound) => StopReason::Preemptions(bound),
            None => StopReason::Complete,
        }
    }

    /// Adds what is new in the execution that has just ended; `from` is the first new step.
    pub(crate) fn absorb(&mut self, from: usize) -> Option<StopReason> {
        let Search {
            engine,
            path,
            frames,
            ..
        } = self;
        let kernel = engine.kernel();
        let mut length = kernel.length as usize;
        let reduce = self.options.reduction;
        path.truncate(from);
        path.races.clear();
        if kernel.ending == Ending::CHANGED {
            return Some(StopReason::Changed);
        }
        if let Some(step) = difference(kernel, path, frames.get(from), from) {
            return Some(StopReason::Nondeterminism(step));
        }
        if kernel.ending == Ending::LIMIT {
            return Some(StopReason::Limit(kernel.limit));
        }
        if kernel.ending == Ending::OUTSIDE {
            return Some(self.completion());
        }
        // What footprints learn is about whole executions.
        if reduce != Reduction::Persistent {
            if let Some(known) = self.told.met_again(kernel.trace(), from) {
                length = known + 1;
            }
            self.statistics.states = self.told.count();
        }
        // What was planned beyond where the schedule was given up is explored elsewhere.
        self.handed_down
            .truncate((kernel.planned as usize + 1).saturating_sub(from + 1));
        let mut handed_down = self.handed_down.drain(..);
        for position in from..length {
            let record = &kernel.records[position];
            let actor = usize::from(record.actor);
            self.statistics.choices |= record.choices > 1;
            let mut preemptions = 0;
            if let Some(last) = position.checked_sub(1) {
                let before = usize::from(kernel.records[last].actor);
                let preempted = before != actor && record.enabled >> before & 1 == 1;
                preemptions = frames[last].preemptions + u32::from(preempted);
            }
            if position == frames.len() {
                frames.push(Frame::default());
            }
            let frame = &mut frames[position];
            frame.preemptions = preemptions;
            if position > from || position >= self.height {
                frame.enabled = record.enabled;
                frame.sleep = record.sleep;
                frame.explored = 0;
                frame.done.clear();
                frame.first_choice = record.choice;
                frame.branches.clear();
                frame.todo = record.enabled;
                if let Some(branches) = handed_down.next() {
                    frame.branches = branches;
                }
            }
            if reduce == Reduction::Dpor {
                path.push(record);
            } else {
                path.push_plainly(record);
            }
        }
        drop(handed_down);
        self.height = length;
        self.statistics.transitions += (length - from) as u64;
        self.statistics.max_depth = self.statistics.max_depth.max(length as u32);
        self.statistics.weak_orders |= kernel.weak != 0;
        self.statistics.waiting_loops |= kernel.loops != 0;
        if kernel.ending == Ending::ASLEEP {
            self.statistics.redundant_executions += 1;
            return None;
        }
        self.statistics.executions += 1;
        let is_whole = length == kernel.length as usize;
        if kernel.ending == Ending::DEPTH && is_whole {
            if self.options.depth.is_none() {
                return Some(StopReason::Limit(Limit::STEPS));
            }
            self.statistics.cut += 1;
        }
        self.observer.execution(kernel);
        self.judge()
    }

    /// Notes the violations of the execution that has just ended.
    fn judge(&mut self) -> Option<StopReason> {
        let violations = judge(self.engine.kernel(), &self.options.judgement);
        if violations.is_empty() {
            return None;
        }
        for violation in violations {
            let same = |other: &Finding| {
                (other.kind, &other.message) == (violation.kind, &violation.message)
            };
            if !self.violations.iter().any(same) {
                self.violations.push(violation);
            }
        }
        (!self.options.all).then_some(StopReason::Violation)
    }

    pub(crate) fn limit(&mut self) -> Option<StopReason> {
        let own = self.statistics.executions + self.statistics.redundant_executions;
        let all = match self.shared {
            // Random searches have a share of the executions each, so that they repeat themselves.
            Some(shared) if self.options.strategy == Strategy::Exhaustive => {
                shared.runs.load(Ordering::Relaxed)
            }
            _ => own,
        };
        if self.options.executions.is_some_and(|limit| all >= limit) {
            return Some(StopReason::Executions);
        }
        let is_stopped = |shared: &Shared| shared.stop.load(Ordering::Relaxed);
        if self.options.is_interrupted() || self.shared.is_some_and(is_stopped) {
            return Some(StopReason::Interrupted);
        }
        if own < self.look_at {
            return None;
        }
        // Looking at the clock takes time of its own, and an execution may take long.
        let now = Instant::now();
        let pause = now.duration_since(self.looked);
        self.pace = if pause > SLOW {
            1
        } else {
            (self.pace * 2).min(256)
        };
        (self.looked, self.look_at) = (now, own + self.pace);
        let over = |limit| now.duration_since(self.started) >= limit;
        if self.options.time.is_some_and(over) {
            return Some(StopReason::Time);
        }
        self.statistics.estimate = self.estimate();
        if self.observer.progress(&self.statistics).is_break() {
            return Some(StopReason::Interrupted);
        }
        self.offer_checkpoint(false);
        None
    }

    /// Lays down the schedule for the deepest step that is still to be explored, and tells where
    /// it is.
    pub(crate) fn backtrack(&mut self) -> Option<usize> {
        while self.height > self.floor {
            let depth = self.height - 1;
            if let Some(branch) = self.next_branch(depth) {
                self.plan(depth, branch);
                return Some(depth);
            }
            self.height = depth;
        }
        None
    }

    fn next_branch(&mut self, depth: usize) -> Option<Branch> {
        let event = &self.path.events[depth];
        let frame = &mut self.frames[depth];
        let actor = event.step.actor;
        if event.choices > 1 {
            let mut choice = match event.step.choice {
                choice if choice == frame.first_choice => 0,
                choice => choice + 1,
            };
            if choice == frame.first_choice {
                choice += 1;
            }
            if choice < event.choices {
                let step = Step {
                    choice,
                    ..event.step
                };
                let same =
                    |branch: &Branch| branch.step.actor == actor && branch.step.choice == choice;
                let children = match frame.branches.iter().position(same) {
                    Some(place) => std::mem::take(&mut frame.branches.remove(place).children),
                    None => vec![],
                };
                return Some(Branch { step, children });
            }
        }
        frame.explored |= 1 << actor;
        frame.done.push(event.step);
        let closed = frame.sleep | frame.explored;
        if self.options.reduction == Reduction::Dpor {
            while !frame.branches.is_empty() {
                let branch = frame.branches.remove(0);
                if closed >> branch.step.actor & 1 == 0 {
                    frame.first_choice = match branch.step.choice {
                        Planned::ANY => 0,
                        choice => choice,
                    };
                    return Some(branch);
                }
            }
            return None;
        }
        let closed = match self.options.reduction {
            Reduction::None => frame.explored,
            _ => closed,
        };
        let mut candidates = frame.todo & !closed;
        if let Some(bound) = self.options.preemptions {
            let before = depth
                .checked_sub(1)
                .map(|last| &self.path.events[last].step);
            if let Some(before) = before.filter(|step| frame.enabled >> step.actor & 1 == 1) {
                let used = self.frames[depth - 1].preemptions;
                if used >= bound {
                    candidates &= 1 << before.actor;
                }
            }
        }
        let frame = &mut self.frames[depth];
        (candidates != 0).then(|| {
            frame.first_choice = 0;
            Branch {
                step: Step::any_of(candidates.trailing_zeros() as u8),
                children: vec![],
            }
        })
    }

    /// Lays down the schedule that leads to a state and then along a branch.
    fn plan(&mut self, depth: usize, branch: Branch) {
        let kernel = self.engine.kernel();
        // What is in the kernel's schedule before `depth` was planned or chosen freely last time.
        let last = (kernel.planned as usize).min(depth);
        for position in last..depth {
            let step = &self.path.events[position].step;
            kernel.schedule[position] = Planned::new(step.actor.into(), step.choice);
        }
        self.handed_down.clear();
        let mut position = depth;
        let mut next = Some(branch);
        while let Some(mut branch) = next {
            let (step, mut children) = (branch.step, std::mem::take(&mut branch.children));
            kernel.schedule[position] = Planned::new(step.actor.into(), step.choice);
            position += 1;
            next = (!children.is_empty()).then(|| children.remove(0));
            self.handed_down.push(children);
        }
        let frame = &self.frames[depth];
        kernel.planned = position as u32;
        kernel.policy.sleep = match self.options.reduction {
            Reduction::None => 0,
            _ => frame.sleep | frame.explored,
        };
        kernel.policy.sleep_from = depth as u32;
        self.plan = Plan {
            from: depth,
            planned: position,
            sleep: kernel.policy.sleep,
        };
        self.height = depth + 1;
    }

    /// How many executions there may be, if what is left of each state is like what is done.
    fn estimate(&self) -> f64 {
        let (mut done, mut weight) = (0.0, 1.0);
        for frame in &self.frames[..self.height] {
            let explored = f64::from(frame.explored.count_ones());
            let left = match self.options.reduction {
                Reduction::Dpor => frame.branches.len() as f64,
                Reduction::None => f64::from((frame.todo & !frame.explored).count_ones()) - 1.0,
                _ => {
                    let todo = frame.todo & !frame.explored & !frame.sleep;
                    f64::from(todo.count_ones()) - 1.0
                }
            };
            let all = explored + 1.0 + left.max(0.0);
            done += weight * explored / all;
            weight /= all;
        }
        self.statistics.executions as f64 / (done + weight)
    }

    fn run_at_random(&mut self) -> Result<StopReason, EngineError> {
        let order = match self.options.strategy {
            Strategy::Pct(_) => Order::PCT,
            _ => Order::RANDOM,
        };
        let mut longest = 1;
        loop {
            let kernel = self.engine.kernel();
            kernel.planned = 0;
            kernel.policy.order = order;
            let changes = match self.options.strategy {
                Strategy::Pct(depth) => depth.saturating_sub(1),
                _ => 0,
            };
            kernel.policy.prepare(changes, longest);
            self.run_engine()?;
            let kernel = self.engine.kernel();
            longest = longest.max(kernel.length);
            match kernel.ending {
                Ending::MISMATCH => return Ok(StopReason::Nondeterminism(kernel.length)),
                Ending::LIMIT => return Ok(StopReason::Limit(kernel.limit)),
                Ending::CHANGED => return Ok(StopReason::Changed),
                Ending::OUTSIDE => return Ok(self.completion()),
                Ending::DEPTH => self.statistics.cut += 1,
                _ => {}
            }
            self.statistics.executions += 1;
            self.statistics.transitions += u64::from(kernel.length);
            self.statistics.max_depth = longest;
            self.observer.execution(kernel);
            if let Some(reason) = self.judge() {
                return Ok(reason);
            }
            if let Some(reason) = self.limit() {
                return Ok(reason);
            }
        }
    }
}
