//! Does a program repeat itself? A search that goes back to a state by running the program again is
//! worth nothing if it does not, so each execution is compared with the one before.

use mazurka_runtime::{ACTORS, ActorState, Ending, Kernel, Kind, Operation, Record};

/// Compares executions as they come.
#[derive(Default)]
pub(crate) struct Repetition {
    before: Execution,
}

impl Repetition {
    /// Compares the execution that has just ended with the one before. If the program does not
    /// repeat itself, the execution ends as one that did not follow its schedule.
    pub fn judge(&mut self, kernel: &mut Kernel) {
        let now = Now {
            steps: kernel.trace(),
            kernel,
        };
        let (same, difference) = compare(&self.before, &now);
        self.before.keep(same, &now);
        if let Some(step) = difference {
            kernel.ending = Ending::MISMATCH;
            kernel.length = step as u32;
        }
    }
}

/// The execution that has just ended.
struct Now<'k> {
    steps: &'k [Record],
    kernel: &'k Kernel,
}

/// What is kept of an execution to see whether the next one agrees with it.
#[derive(Default)]
struct Execution {
    steps: Vec<Record>,
    /// What actors waited to do at the end.
    pending: Vec<Option<Operation>>,
}

fn pending(kernel: &Kernel, actor: usize) -> Option<Operation> {
    let actor = kernel.actors.get(actor)?;
    (actor.state == ActorState::PENDING).then(|| kernel.without_addresses(&actor.pending))
}

/// What an actor wants to do first in these steps.
fn first_of(steps: &[Record], actor: usize) -> Option<Operation> {
    let mut later = steps.iter();
    let found = later.find(|record| usize::from(record.actor) == actor);
    found.map(|record| record.operation)
}

impl Execution {
    /// Replaces it by another one, whose first steps are the same.
    fn keep(&mut self, same: usize, now: &Now) {
        self.steps.truncate(same);
        self.steps
            .extend(now.steps[same..].iter().map(|step| Record {
                operation: now.kernel.without_addresses(&step.operation),
                ..*step
            }));
        self.pending.clear();
        let actors = 0..now.kernel.population as usize;
        self.pending
            .extend(actors.map(|actor| pending(now.kernel, actor)));
    }

    /// What an actor wants to do after this many steps, if that came to light.
    fn wanted(&self, actor: usize, from: usize) -> Option<Operation> {
        let later = first_of(&self.steps[from..], actor);
        later.or_else(|| self.pending.get(actor).copied().flatten())
    }
}

impl Now<'_> {
    /// The same.
    fn wanted(&self, actor: usize, from: usize) -> Option<Operation> {
        let later = first_of(&self.steps[from..], actor);
        let later = later.map(|operation| self.kernel.without_addresses(&operation));
        later.or_else(|| pending(self.kernel, actor))
    }
}

/// How many steps of two executions are the same, and the first that shows that the program does
/// not repeat itself. As long as the same actors have moved with the same choices, it must have
/// done the same; and where the executions part, every actor there is must want the same next.
fn compare(old: &Execution, new: &Now) -> (usize, Option<usize>) {
    let now = new.kernel;
    let mut alive = 1u64;
    let shorter = old.steps.len().min(new.steps.len());
    let (mut same, mut parting) = (shorter, shorter);
    for (step, (old, new)) in old.steps.iter().zip(new.steps).enumerate() {
        if old.enabled != new.enabled {
            return (step, Some(step));
        }
        if old.actor != new.actor {
            (same, parting) = (step, step);
            break;
        }
        let operation = now.without_addresses(&new.operation);
        if (old.operation, old.choices) != (operation, new.choices) {
            return (step, Some(step));
        }
        if old.choice != new.choice {
            // What the actor wants next depends on it.
            alive &= !(1 << old.actor);
            (same, parting) = (step, step + 1);
            break;
        }
        if old.operation.kind == Kind::SPAWN {
            alive |= 1 << (old.result as usize % ACTORS);
        }
    }
    let differs = |&actor: &usize| match (old.wanted(actor, parting), new.wanted(actor, parting)) {
        (Some(before), Some(now)) => before != now,
        _ => false,
    };
    let mut actors = (0..ACTORS).filter(|actor| alive >> actor & 1 == 1);
    let Some(actor) = actors.find(differs) else {
        return (same, None);
    };
    // It shows where the actor comes to do what it wants.
    let mut later = new.steps[parting..].iter();
    let shown = later.position(|record| usize::from(record.actor) == actor);
    (same, Some(parting + shown.unwrap_or(0)))
}
