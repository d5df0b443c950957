//! Violations of an execution in words.

use mazurka_runtime::{
    ACTORS, Actor, ActorState, Ending, FailureKind, Kernel, Kind, ObjectId, ObjectKind, Record,
};

use mazurka_scenario::ViolationKind;
use mazurka_scenario::figures::counted;

use crate::mended::NO_END;
use crate::options::{Finding, Judgement, LeftBehind};

/// The violations that the execution that has just ended shows.
pub fn describe(kernel: &Kernel) -> Vec<Finding> {
    let schedule = |length: usize| schedule(kernel, length);
    let count = (kernel.failed as usize).min(kernel.failures.len());
    let mut violations: Vec<Finding> = kernel.failures[..count]
        .iter()
        .map(|failure| {
            let actor = actor_name(kernel, failure.actor.into());
            // A panic may say more than one line; what is reported is one.
            let text = kernel.texts.get(failure.message);
            let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
            let text = lines.collect::<Vec<_>>().join("; ");
            let told = if text.is_empty() {
                String::new()
            } else {
                format!(": {text}")
            };
            let (kind, message) = match failure.kind {
                FailureKind::ASSERTION => (
                    ViolationKind::Assertion,
                    format!("assertion violated by {actor}{told}"),
                ),
                FailureKind::PANIC => (ViolationKind::Assertion, format!("{actor} panicked{told}")),
                FailureKind::RACE => (ViolationKind::DataRace, format!("data-race{told}")),
                FailureKind::USE_AFTER_FREE => {
                    (ViolationKind::UseAfterFree, format!("use-after-free{told}"))
                }
                FailureKind::MISUSE => (
                    ViolationKind::RuntimeError,
                    format!("misuse by {actor}{told}"),
                ),
                _ => (ViolationKind::Crash, format!("{actor} crashed{told}")),
            };
            Finding {
                kind,
                message,
                at: kernel.texts.position(failure.place),
                schedule: schedule(failure.step as usize),
            }
        })
        .collect();
    if kernel.ending == Ending::DEADLOCK {
        let (waiting, at) = waiting(kernel);
        let spins = |actor: &Actor| actor.state == ActorState::PENDING && actor.loops();
        let kind = match kernel.actors.iter().any(spins) {
            true => ViolationKind::Livelock,
            false => ViolationKind::Deadlock,
        };
        violations.push(Finding {
            kind,
            message: format!("{kind}: {waiting}"),
            at,
            schedule: schedule(usize::MAX),
        });
    }
    if kernel.ending == Ending::DIVERGENCE {
        let actor = usize::from(kernel.current);
        violations.push(Finding {
            kind: ViolationKind::Divergence,
            message: format!(
                "{} does not come to its next visible operation",
                actor_name(kernel, actor)
            ),
            at: kernel
                .actors
                .get(actor)
                .and_then(|actor| kernel.texts.position(actor.pending.place)),
            schedule: schedule(usize::MAX),
        });
    }
    violations
}

/// The first steps of the execution. Actors have the numbers that they will have where it is the
/// first: in the order in which they are spawned.
fn schedule(kernel: &Kernel, length: usize) -> Vec<(u8, u32)> {
    let mut numbers = [0; ACTORS];
    let mut spawned = 0;
    let mut number = |record: &Record| {
        let actor = numbers[usize::from(record.actor) % ACTORS];
        if record.operation.kind == Kind::SPAWN {
            spawned += 1;
            numbers[record.result as usize % ACTORS] = spawned;
        }
        (actor, record.choice)
    };
    kernel
        .trace()
        .iter()
        .take(length)
        .map(&mut number)
        .collect()
}

/// All violations of the execution that has just ended, also those that are by option.
pub(crate) fn judge(kernel: &Kernel, judgement: &Judgement) -> Vec<Finding> {
    let mut violations = vec![];
    let hangs = matches!(kernel.ending, Ending::DEADLOCK | Ending::DIVERGENCE);
    if kernel.failed > 0 || hangs {
        violations = describe(kernel);
    }
    match kernel.ending {
        Ending::DEPTH if judgement.livelock => violations.push(describe_livelock(kernel)),
        Ending::COMPLETE if judgement.left_behind != LeftBehind::default() => {
            violations.extend(describe_left_behind(kernel, &judgement.left_behind));
        }
        _ => {}
    }
    violations
}

/// What is left behind at the end, if anything is.
fn describe_left_behind(kernel: &Kernel, which: &LeftBehind) -> Option<Finding> {
    let mut left = vec![];
    let mut at = None;
    for maker in 0..(kernel.population as usize).min(ACTORS) {
        if kernel.actors[maker].state == ActorState::ABSENT {
            continue;
        }
        for count in 0..usize::from(kernel.actors[maker].objects).min(ObjectId::LISTED) {
            let id = ObjectId::new(maker, count);
            let object = kernel.object(id);
            let what = match object.kind {
                ObjectKind::MUTEX | ObjectKind::RWLOCK
                    if which.locks && (object.owner != 0 || object.sent != 0) =>
                {
                    format!("is still{}", holder(kernel, id).replace(',', ""))
                }
                ObjectKind::QUEUE if which.messages && object.length() > 0 => {
                    format!("still has {}", counted(object.length() as u64, "message"))
                }
                _ => continue,
            };
            left.push(format!("{} {what}", object_name(kernel, id)));
            let last = kernel.trace().iter().rev();
            let mut last = last.filter(|record| record.operation.object == id);
            let place = last
                .next()
                .map_or(object.place, |record| record.operation.place);
            at = at.or_else(|| kernel.texts.position(place));
        }
    }
    (!left.is_empty()).then(|| Finding {
        kind: ViolationKind::LeftBehind,
        message: format!("left-behind: {}", left.join("; ")),
        at,
        schedule: schedule(kernel, usize::MAX),
    })
}

/// The violation of an execution that goes on and on.
fn describe_livelock(kernel: &Kernel) -> Finding {
    let last = kernel.trace().last();
    Finding {
        kind: ViolationKind::Livelock,
        message: format!(
            "livelock: {NO_END} {}",
            counted(kernel.length.into(), "step")
        ),
        at: last.and_then(|record| kernel.texts.position(record.operation.place)),
        schedule: schedule(kernel, usize::MAX),
    }
}

/// Who waits for what, who holds it, and where.
fn waiting(kernel: &Kernel) -> (String, Option<(String, u32, u32)>) {
    let mut parts = vec![];
    // The place that is named: that of an actor in a circle of waiting, if there is one.
    let mut at: Option<(Distance, (String, u32, u32))> = None;
    for (number, actor) in kernel.actors.iter().enumerate() {
        if actor.state != ActorState::PENDING {
            continue;
        }
        let operation = &actor.pending;
        let place = kernel.texts.position(operation.place);
        let line = place.as_ref().map_or(String::new(), |(file, line, _)| {
            format!(", at {file}:{line},")
        });
        let distance = Distance::of(kernel, number);
        let is_nearer = at.as_ref().is_none_or(|(known, _)| distance < *known);
        if let Some(place) = place.filter(|_| is_nearer) {
            at = Some((distance, place));
        }
        let who = actor_name(kernel, number);
        let what = match operation.kind {
            Kind::JOIN => format!(
                "the end of {}",
                actor_name(kernel, operation.argument as usize)
            ),
            Kind::REACQUIRE if kernel.object(operation.second).actors >> number & 1 == 1 => {
                object_name(kernel, operation.second)
            }
            _ => object_name(kernel, operation.object),
        };
        if actor.is_awaiting == Actor::SLEEPS {
            parts.push(format!("{who}{line} sleeps at {what} and is never woken"));
            continue;
        }
        if actor.loops() {
            let read = operation.objects().map(|id| object_name(kernel, id));
            let what = read.collect::<Vec<_>>().join(" and ");
            parts.push(format!(
                "{who}{line} loops, reading {what}, which nobody changes"
            ));
            continue;
        }
        let holder = holder(kernel, operation.object);
        parts.push(format!("{who}{line} waits for {what}{holder}"));
    }
    let at = at.map(|(_, place)| place);
    (parts.join("; "), at)
}

/// How far an actor that waits is from the reason of a deadlock.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Distance {
    /// It waits for what is held by somebody who waits for it, be it by others.
    InTheCircle,
    /// It waits for what somebody holds.
    ForAHolder,
    /// It waits for what somebody has to do.
    ForAnother,
    /// It waits for the end of others.
    ForTheEnd,
}

impl Distance {
    fn of(kernel: &Kernel, actor: usize) -> Distance {
        if waits_for(kernel, actor).is_none() {
            return match kernel.actors[actor].pending.kind {
                Kind::JOIN => Distance::ForTheEnd,
                _ => Distance::ForAnother,
            };
        }
        match circle_from(kernel, actor) {
            Some(_) => Distance::InTheCircle,
            None => Distance::ForAHolder,
        }
    }
}

/// An actor, the one that holds what it waits for, and so on, if that comes back to the first.
pub(crate) fn circle_from(kernel: &Kernel, actor: usize) -> Option<Vec<usize>> {
    let mut circle = vec![actor];
    for _ in 0..ACTORS {
        match waits_for(kernel, circle[circle.len() - 1])? {
            first if first == actor => return Some(circle),
            next => circle.push(next),
        }
    }
    None
}

/// Who holds what an actor waits for.
fn waits_for(kernel: &Kernel, actor: usize) -> Option<usize> {
    let waiting = kernel.actors.get(actor)?;
    let object = waiting.pending.object;
    let can_move = kernel.enabled >> actor & 1 == 1;
    if waiting.state != ActorState::PENDING || can_move || object == ObjectId::NONE {
        return None;
    }
    let object = kernel.object(object);
    if !matches!(object.kind, ObjectKind::MUTEX | ObjectKind::RWLOCK) {
        return None;
    }
    usize::from(object.owner).checked_sub(1)
}

pub(crate) fn holder(kernel: &Kernel, object: ObjectId) -> String {
    if object == ObjectId::NONE {
        return String::new();
    }
    let object = kernel.object(object);
    let readers = (0..64)
        .filter(|actor| object.kind == ObjectKind::RWLOCK && object.actors >> actor & 1 == 1);
    let mut holders: Vec<String> = readers.map(|actor| actor_name(kernel, actor)).collect();
    if object.owner > 0 {
        holders.push(actor_name(kernel, usize::from(object.owner) - 1));
    }
    if holders.is_empty() {
        String::new()
    } else {
        format!(", held by {}", holders.join(" and "))
    }
}

/// An actor as people know it.
pub fn actor_name(kernel: &Kernel, actor: usize) -> String {
    let name = kernel
        .actors
        .get(actor)
        .map_or(String::new(), |actor| kernel.texts.get(actor.name));
    match actor {
        _ if !name.is_empty() => name,
        0 => "main".into(),
        _ => format!("actor {actor}"),
    }
}

/// An object as people know it.
pub fn object_name(kernel: &Kernel, object: ObjectId) -> String {
    if object == ObjectId::NONE {
        return "nothing".into();
    }
    let cell = kernel.object(object);
    let name = kernel.texts.get(cell.name);
    if !name.is_empty() {
        return name;
    }
    let maker = match object.maker() {
        0 => String::new(),
        maker => format!("{maker}."),
    };
    format!("{} {maker}{}", cell.kind.name(), object.count())
}
