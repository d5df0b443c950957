//! Does a program repeat itself? A search that goes back to a state by running the program again is
//! worth nothing if it does not, so each execution is compared with the one before.

use mazurka_runtime::{ACTORS, ActorState, Ending, Kernel, Kind, Operation, Record};

/// Compares executions as they come.
#[derive(Default)]
pub(crate) struct Repetition {
    before: Execution,
    /// Memory of the execution before that.
    spare: Execution,
}

impl Repetition {
    /// Compares the execution that has just ended with the one before. If the program does not
    /// repeat itself, the execution ends as one that did not follow its schedule.
    pub fn judge(&mut self, kernel: &mut Kernel) {
        let now = Execution::of(kernel, std::mem::take(&mut self.spare));
        let difference = first_difference(&self.before, &now);
        self.spare = std::mem::replace(&mut self.before, now);
        if let Some(step) = difference {
            kernel.ending = Ending::MISMATCH;
            kernel.length = step as u32;
        }
    }
}

/// What is kept of an execution to see whether the next one agrees with it.
#[derive(Default)]
struct Execution {
    steps: Vec<Record>,
    /// What actors waited to do at the end.
    pending: Vec<Option<Operation>>,
}

impl Execution {
    fn of(kernel: &Kernel, mut memory: Execution) -> Execution {
        memory.steps.clear();
        memory.steps.extend_from_slice(kernel.trace());
        memory.pending.clear();
        let actors = &kernel.actors[..kernel.population as usize];
        memory.pending.extend(
            actors
                .iter()
                .map(|actor| (actor.state == ActorState::PENDING).then_some(actor.pending)),
        );
        memory
    }

    /// What an actor wants to do after so many steps, if that came to light.
    fn wanted(&self, actor: usize, from: usize) -> Option<Operation> {
        let mut later = self.steps[from..].iter();
        match later.find(|record| usize::from(record.actor) == actor) {
            Some(record) => Some(record.operation),
            None => self.pending.get(actor).copied().flatten(),
        }
    }
}

/// The first step at which two executions show that the program does not repeat itself. As long as
/// the same actors have moved with the same choices, it must have done the same; and where the
/// executions part, every actor there is must want the same next.
fn first_difference(old: &Execution, new: &Execution) -> Option<usize> {
    let mut alive = 1u64;
    let mut parting = old.steps.len().min(new.steps.len());
    for (step, (old, new)) in old.steps.iter().zip(&new.steps).enumerate() {
        if old.enabled != new.enabled {
            return Some(step);
        }
        if old.actor != new.actor {
            parting = step;
            break;
        }
        if (old.operation, old.choices) != (new.operation, new.choices) {
            return Some(step);
        }
        if old.choice != new.choice {
            // What the actor wants next depends on it.
            alive &= !(1 << old.actor);
            parting = step + 1;
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
    let actor = actors.find(differs)?;
    // It shows where the actor comes to do what it wants.
    let mut later = new.steps[parting..].iter();
    let shown = later.position(|record| usize::from(record.actor) == actor);
    Some(parting + shown.unwrap_or(0))
}
