//! A search that was stopped, in a form that can be kept in a file and resumed.
//!
//! A search without stored states is its stack: per state of the present execution what has been
//! explored from it and what is still to do. The execution itself is not kept, only the
//! schedule that leads to the next one; running the program brings back the rest, and shows
//! whether it is still the same program.

use mazurka_objects::history::{Past, Role};
use mazurka_runtime::{ACTORS, Kernel, Kind, ObjectId, Operation, Planned, Record, STEPS};
use serde::{Deserialize, Serialize};

use crate::options::{Finding, Options, Reduction, Statistics};
use crate::path::Step;
use crate::search::Frame;
use crate::wakeup::Branch;

/// What the field `format` says.
pub(crate) const FORMAT: &str = "mazurka-exploration";
/// Changes whenever the form does.
const VERSION: u32 = 5;

/// A search that can be resumed. One by several threads has a stack for each piece of work
/// that has been begun, and the pieces that have not.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Checkpoint {
    format: String,
    version: u32,
    /// For the user of this crate: what was explored, and how.
    pub command: Vec<String>,
    pub(crate) reduction: Reduction,
    pub(crate) stacks: Vec<SavedStack>,
    pub(crate) shared: Option<SavedWork>,
}

/// What of the work of several threads is in no stack.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedWork {
    pub pieces: Vec<SavedPiece>,
    /// How many there were in all.
    pub all: usize,
    pub numbers: SavedNumbers,
    /// What was counted and found where the work is done.
    pub statistics: Statistics,
    pub violations: Vec<Finding>,
}

/// A prefix that has not been gone on from, and who sleeps at its end.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedPiece {
    pub schedule: Vec<(u8, u32)>,
    pub sleep: u64,
}

/// The numbers of actors.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedNumbers {
    /// Parent, which of its children, number.
    numbers: Vec<(u8, u8, u8)>,
    numbered: u32,
}

/// The stack of a search.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedStack {
    /// Frames below this one are somebody else's.
    pub floor: usize,
    /// The step from which on the next execution is new.
    pub from: usize,
    /// The steps before it, as the program did them.
    prefix: Vec<Did>,
    /// The schedule of the next execution.
    schedule: Vec<(u8, u32)>,
    pub sleep: u64,
    frames: Vec<SavedFrame>,
    handed_down: Vec<SavedTree>,
    numbers: SavedNumbers,
    pub footprints: Vec<Vec<u16>>,
    pub statistics: Statistics,
    pub violations: Vec<Finding>,
}

/// What a step was, as far as the program decides it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
struct Did(u8, u8, u16, u16);

impl Did {
    fn of(step: &Step) -> Did {
        Did(step.actor, step.kind.0, step.object.0, step.second.0)
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct SavedFrame {
    enabled: u64,
    sleep: u64,
    explored: u64,
    todo: u64,
    first_choice: u32,
    preemptions: u32,
    done: Vec<SavedStep>,
    branches: SavedTree,
}

/// The numbers of a [`Step`], in the order of its fields.
type SavedStep = [u32; 16 + Operation::MORE];

/// Branches and what is below them: each step with its depth, and behind it those below it. Nested lists could not be read
/// back where a sequence is long.
type SavedTree = Vec<(u32, SavedStep)>;

/// No counter is as high, so that there is room to count on.
const MOST_COUNTED: u64 = 1 << 56;

/// What of a search goes into a checkpoint.
pub(crate) struct Stack<'s> {
    pub floor: usize,
    pub from: usize,
    pub sleep: u64,
    pub planned: usize,
    pub events: &'s mut dyn Iterator<Item = Step>,
    pub frames: &'s [Frame],
    pub handed_down: &'s [Vec<Branch>],
    pub footprints: Vec<Vec<u16>>,
    pub statistics: Statistics,
    pub violations: &'s [Finding],
}

impl Checkpoint {
    pub(crate) fn new(
        reduction: Reduction,
        stacks: Vec<SavedStack>,
        shared: Option<SavedWork>,
    ) -> Checkpoint {
        Checkpoint {
            format: FORMAT.into(),
            version: VERSION,
            command: vec![],
            reduction,
            stacks,
            shared,
        }
    }

    /// Its text.
    pub fn to_json(&self) -> String {
        // There is nothing in it that could fail.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// A checkpoint from its text, or why it is none.
    pub fn from_json(bytes: &[u8]) -> Result<Checkpoint, String> {
        // What another version wrote may have another form, but says so.
        #[derive(Deserialize)]
        struct Head {
            format: String,
            version: u32,
        }
        let head: Head = serde_json::from_slice(bytes)
            .map_err(|error| format!("it is not a checkpoint: {error}"))?;
        if head.format != FORMAT {
            return Err("it belongs to something else".into());
        }
        if head.version != VERSION {
            return Err(format!("it is of version {}", head.version));
        }
        let checkpoint: Checkpoint = serde_json::from_slice(bytes)
            .map_err(|error| format!("it is not a checkpoint: {error}"))?;
        let is_sane = (checkpoint.stacks.iter()).all(|stack| stack.is_sane())
            && match &checkpoint.shared {
                Some(work) => work.is_sane(),
                None => checkpoint.stacks.len() == 1,
            };
        is_sane
            .then_some(checkpoint)
            .ok_or_else(|| "it is damaged".into())
    }

    /// Whether a search with these options can resume it; if not, why.
    pub fn check(&self, options: &Options) -> Result<(), String> {
        if options.preemptions.is_some() && self.reduction != Reduction::None {
            return Err("it is of a search without a bound on preemptions".into());
        }
        Ok(())
    }

    /// Whether it is of several threads, for
    /// [`go_on_in_parallel`](crate::go_on_in_parallel) and not for [`go_on`](crate::go_on).
    pub fn is_shared(&self) -> bool {
        self.shared.is_some()
    }
}

impl SavedNumbers {
    pub fn of(kernel: &Kernel) -> SavedNumbers {
        let numbers = kernel.offspring.iter().enumerate();
        let numbers = numbers.flat_map(|(parent, children)| {
            let given = children
                .iter()
                .enumerate()
                .filter(|(_, number)| **number > 0);
            given.map(move |(child, &number)| (parent as u8, child as u8, number))
        });
        SavedNumbers {
            numbers: numbers.collect(),
            numbered: kernel.numbered,
        }
    }

    pub fn lay_down(&self, kernel: &mut Kernel) {
        kernel.forget_numbers();
        for &(parent, child, number) in &self.numbers {
            kernel.offspring[usize::from(parent)][usize::from(child)] = number;
        }
        kernel.numbered = self.numbered;
    }

    fn is_sane(&self) -> bool {
        self.numbered as usize <= ACTORS
            && (self.numbers.iter()).all(|&(parent, child, number)| {
                is_actor(parent) && is_actor(child) && usize::from(number) <= ACTORS
            })
    }
}

fn is_actor(actor: u8) -> bool {
    usize::from(actor) < ACTORS
}

fn lay_down(schedule: &[(u8, u32)], sleep: u64, sleep_from: usize, kernel: &mut Kernel) {
    for (planned, &(actor, choice)) in kernel.schedule.iter_mut().zip(schedule) {
        *planned = Planned::new(actor.into(), choice);
    }
    kernel.planned = schedule.len() as u32;
    kernel.policy.sleep = sleep;
    kernel.policy.sleep_from = sleep_from as u32;
}

impl SavedWork {
    fn is_sane(&self) -> bool {
        self.numbers.is_sane()
            && are_counted(&self.statistics)
            && self.pieces.iter().all(|piece| {
                piece.schedule.len() <= STEPS && piece.schedule.iter().all(|step| is_actor(step.0))
            })
    }
}

impl SavedPiece {
    /// Lays down in a kernel the schedule of its first execution.
    pub fn lay_down(&self, kernel: &mut Kernel) {
        lay_down(&self.schedule, self.sleep, self.schedule.len(), kernel);
    }
}

impl SavedStack {
    pub fn new(stack: Stack, kernel: &Kernel) -> SavedStack {
        SavedStack {
            floor: stack.floor,
            from: stack.from,
            prefix: stack.events.map(|step| Did::of(&step)).collect(),
            schedule: (kernel.schedule[..stack.planned].iter())
                .map(|planned| (planned.actor, planned.choice))
                .collect(),
            sleep: stack.sleep,
            frames: stack.frames.iter().map(save_frame).collect(),
            handed_down: (stack.handed_down.iter())
                .map(|branches| save_branches(branches))
                .collect(),
            numbers: SavedNumbers::of(kernel),
            footprints: stack.footprints,
            statistics: stack.statistics,
            violations: stack.violations.to_vec(),
        }
    }

    fn is_sane(&self) -> bool {
        self.frames.len() == self.from + 1
            && self.floor <= self.from
            && self.prefix.len() == self.from
            && self.schedule.len() > self.from
            && self.schedule.len() <= STEPS
            && self.schedule.iter().all(|step| is_actor(step.0))
            && self.numbers.is_sane()
            && self.footprints.len() <= ACTORS
            && are_counted(&self.statistics)
            && self.frames.iter().enumerate().all(|(depth, frame)| {
                frame.preemptions as usize <= STEPS && is_tree(&frame.branches, STEPS - depth)
            })
            && self.handed_down.len() <= STEPS - self.from
            && (self.handed_down.iter().enumerate())
                .all(|(depth, tree)| is_tree(tree, STEPS - self.from - depth))
    }

    /// Lays down in a kernel the schedule of the next execution.
    pub fn lay_down(&self, kernel: &mut Kernel) {
        self.numbers.lay_down(kernel);
        lay_down(&self.schedule, self.sleep, self.from, kernel);
    }

    pub fn frames(&self) -> Vec<Frame> {
        self.frames.iter().map(load_frame).collect()
    }

    pub fn handed_down(&self) -> Vec<Vec<Branch>> {
        self.handed_down.iter().map(load_branches).collect()
    }

    /// The first step before the new ones that is not what it was.
    pub fn difference(&self, trace: &[Record]) -> Option<u32> {
        let did = |record: &Record| {
            let operation = &record.operation;
            let (object, second) = (operation.object.0, operation.second.0);
            Did(record.actor, operation.kind.0, object, second)
        };
        let same = |(saved, record): (&Did, &Record)| *saved == did(record);
        let common = self.prefix.iter().zip(trace).take_while(|&pair| same(pair));
        let common = common.count();
        (common < self.prefix.len()).then_some(common as u32)
    }
}

fn save_frame(frame: &Frame) -> SavedFrame {
    SavedFrame {
        enabled: frame.enabled,
        sleep: frame.sleep,
        explored: frame.explored,
        todo: frame.todo,
        first_choice: frame.first_choice,
        preemptions: frame.preemptions,
        done: frame.done.iter().map(save_step).collect(),
        branches: save_branches(&frame.branches),
    }
}

fn load_frame(frame: &SavedFrame) -> Frame {
    Frame {
        enabled: frame.enabled,
        sleep: frame.sleep,
        explored: frame.explored,
        todo: frame.todo,
        first_choice: frame.first_choice,
        preemptions: frame.preemptions,
        done: frame.done.iter().map(load_step).collect(),
        branches: load_branches(&frame.branches),
    }
}

fn are_counted(statistics: &Statistics) -> bool {
    let Statistics {
        executions,
        redundant_executions,
        transitions,
        max_depth,
        cut,
        audited,
        states,
        estimate,
        weak_orders: _,
        waiting_loops: _,
        choices: _,
        uncontrolled: _,
    } = *statistics;
    let counters = [
        executions,
        redundant_executions,
        transitions,
        cut,
        audited,
        states,
    ];
    counters.iter().all(|counter| *counter < MOST_COUNTED)
        && max_depth as usize <= STEPS
        && estimate.is_finite()
}

/// Are the depths those of a tree that is at most so deep?
fn is_tree(tree: &SavedTree, deepest: usize) -> bool {
    let mut next = 0;
    tree.iter().all(|&(depth, _)| {
        let fits = depth <= next && (depth as usize) < deepest;
        next = depth.saturating_add(1);
        fits
    })
}

fn save_branches(branches: &[Branch]) -> SavedTree {
    let mut saved = vec![];
    let mut open: Vec<(u32, &Branch)> = branches.iter().rev().map(|branch| (0, branch)).collect();
    while let Some((depth, branch)) = open.pop() {
        saved.push((depth, save_step(&branch.step)));
        open.extend(branch.children.iter().rev().map(|child| (depth + 1, child)));
    }
    saved
}

fn load_branches(saved: &SavedTree) -> Vec<Branch> {
    let mut top = vec![];
    // The branch that was read last, below it the one that it belongs to, and so on.
    let mut open: Vec<Branch> = vec![];
    let close = |open: &mut Vec<Branch>, top: &mut Vec<Branch>| {
        if let Some(branch) = open.pop() {
            open.last_mut()
                .map_or(top, |above| &mut above.children)
                .push(branch);
        }
    };
    for (depth, step) in saved {
        while open.len() > *depth as usize {
            close(&mut open, &mut top);
        }
        open.push(Branch {
            step: load_step(step),
            children: vec![],
        });
    }
    while !open.is_empty() {
        close(&mut open, &mut top);
    }
    top
}

fn save_step(step: &Step) -> SavedStep {
    let past = |past: &Past| {
        let role = past.role as u32;
        [
            role,
            past.blocking.into(),
            past.number,
            past.capacity,
            past.before,
        ]
    };
    let mut saved = [0; 16 + Operation::MORE];
    saved[..6].copy_from_slice(&[
        step.actor.into(),
        step.uncertain.into(),
        step.kind.0.into(),
        step.choice,
        step.object.0.into(),
        step.second.0.into(),
    ]);
    saved[6..11].copy_from_slice(&past(&step.past));
    saved[11..16].copy_from_slice(&past(&step.second_past));
    saved[16..].copy_from_slice(&step.more.map(|object| object.0.into()));
    saved
}

fn load_step(saved: &SavedStep) -> Step {
    let past = |numbers: &[u32]| Past {
        role: Role::from_code(numbers[0] as u8),
        blocking: numbers[1] != 0,
        number: numbers[2],
        capacity: numbers[3],
        before: numbers[4],
    };
    Step {
        actor: (saved[0] as usize % ACTORS) as u8,
        uncertain: saved[1] != 0,
        kind: Kind(saved[2] as u8),
        choice: saved[3],
        object: ObjectId(saved[4] as u16),
        second: ObjectId(saved[5] as u16),
        past: past(&saved[6..11]),
        second_past: past(&saved[11..16]),
        more: std::array::from_fn(|which| ObjectId(saved[16 + which] as u16)),
    }
}
