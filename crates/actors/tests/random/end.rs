//! Where an execution ended, told in a way that does not depend on how it was run: by what each
//! actor has learned, what it still waits to do, and what its objects hold. Actors go by their
//! lineage, since another search may have met them in another order.

use std::collections::{BTreeMap, HashMap, HashSet};

use mazurka_runtime::{ActorState, Failure, FailureKind, Kernel, Kind, ObjectId, Record};

/// A hash of all that can be told of the end of an execution.
pub fn end(kernel: &Kernel) -> u64 {
    let lineages = lineages(kernel);
    let of = |actor: u64| lineages.get(&(actor as usize)).copied().unwrap_or(actor);
    let many = |set: u64| {
        let members = (0..64).filter(|actor| set >> actor & 1 == 1);
        members.fold(0, |sum: u64, actor| sum.wrapping_add(of(actor)))
    };
    let failures = &kernel.failures[..(kernel.failed as usize).min(kernel.failures.len())];
    // Of two accesses in a race, the second is the one that fails, and either may be that.
    let who = |failure: &Failure| match failure.kind {
        FailureKind::RACE => cell_in(&kernel.texts.get(failure.message)),
        _ => of(failure.actor.into()),
    };
    let mut failed: Vec<u64> = failures.iter().map(who).collect();
    failed.sort_unstable();
    failed.dedup();
    let mut mixed = failed.iter().fold(kernel.ending.0.into(), mix_in);
    debug_assert_eq!(
        lineages.len(),
        lineages.values().collect::<HashSet<_>>().len()
    );
    // By lineage: what each has learned, where it stands, what its objects hold.
    let learned = learned(kernel);
    let mut actors = BTreeMap::new();
    for (&number, &lineage) in &lineages {
        let actor = &kernel.actors[number];
        let mut hash = learned.get(&number).copied().unwrap_or(0);
        hash = mix(hash, actor.state.0.into());
        if actor.state == ActorState::PENDING {
            hash = mix(hash, actor.pending.kind.0.into());
            hash = mix(hash, name(actor.pending.object, of));
        }
        for count in 0..usize::from(actor.objects) {
            let object = kernel.object(ObjectId::new(number, count));
            let owner = match object.owner {
                0 => 0,
                owner => of(u64::from(owner) - 1),
            };
            for word in [
                object.value as u64,
                many(object.actors),
                u64::from(object.sent) << 32 | u64::from(object.received),
                owner << 1 | u64::from(object.deaf),
            ] {
                hash = mix(hash, word);
            }
            for number in object.received..object.sent {
                if object.width > 0 && object.bound > 0 {
                    let slot = object.slots + number % object.bound * object.width;
                    hash = mix(hash, kernel.words[slot as usize]);
                }
            }
        }
        actors.insert(lineage, hash);
    }
    for (lineage, hash) in actors {
        mixed = mix(mix(mixed, lineage), hash);
    }
    mixed
}

/// The cell that a race is about, by the place where it was made.
pub fn cell_of(message: &str) -> Option<&str> {
    let (_, place) = message.split_once("made at ")?;
    place.split(" by ").next()
}

fn cell_in(message: &str) -> u64 {
    let place = cell_of(message).unwrap_or(message);
    place.bytes().fold(1, |hash, byte| mix(hash, byte.into()))
}

/// Not symmetric in its arguments, and no two small ones give the same.
fn mix(hash: u64, word: u64) -> u64 {
    let mut z = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 32)
        .wrapping_add(word)
        .wrapping_add(0x632b_e59b_d9b4_e019);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^ z >> 27
}

fn mix_in(hash: u64, word: &u64) -> u64 {
    mix(hash, *word)
}

fn name(object: ObjectId, lineage: impl Fn(u64) -> u64) -> u64 {
    match object {
        ObjectId::NONE => 0,
        object => mix(lineage(object.maker() as u64), object.count() as u64 + 1),
    }
}

/// Each actor by who spawned it and as which of its children.
fn lineages(kernel: &Kernel) -> HashMap<usize, u64> {
    let mut lineages = HashMap::from([(0, 1)]);
    let mut children = HashMap::new();
    for record in kernel.trace() {
        if record.operation.kind == Kind::SPAWN {
            let parent = usize::from(record.actor);
            let count: &mut u64 = children.entry(parent).or_default();
            *count += 1;
            let lineage = mix(lineages[&parent], *count);
            lineages.insert(record.result as usize, lineage);
        }
    }
    lineages
}

/// What each actor has learned by its operations, in their order.
fn learned(kernel: &Kernel) -> HashMap<usize, u64> {
    let mut sent: HashMap<ObjectId, Vec<i64>> = HashMap::new();
    let mut learned = HashMap::new();
    for record in kernel.trace() {
        let value = match record.operation.kind {
            Kind::SEND | Kind::TRY_SEND => {
                if record.result > 0 {
                    let messages = sent.entry(record.operation.object).or_default();
                    messages.push(record.operation.argument);
                }
                i64::from(record.result > 0)
            }
            Kind::RECEIVE | Kind::TRY_RECEIVE => received(record, &sent),
            // Whom they woke is not told.
            Kind::NOTIFY_ONE | Kind::NOTIFY_ALL | Kind::SPAWN => 0,
            _ => record.result,
        };
        let hash = learned.entry(usize::from(record.actor)).or_default();
        *hash = mix(mix(*hash, record.operation.kind.0.into()), value as u64);
    }
    learned
}

fn received(record: &Record, sent: &HashMap<ObjectId, Vec<i64>>) -> i64 {
    let number = usize::try_from(record.result - 1).ok();
    let messages = sent.get(&record.operation.object);
    let message = number.and_then(|number| messages?.get(number));
    message.copied().unwrap_or(-1)
}
