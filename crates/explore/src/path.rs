//! The execution under consideration: its events and which of them happen before which.
//!
//! Each event has a vector clock: per actor, the number of the last event that happens before it,
//! plus one. Events stay from one execution to the next as far as the schedule does, so only what
//! is new costs anything.
//!
//! **Loops that wait.** A step that waits until one of several objects has changed reads all of them: it is ordered with every change of
//! each. That is a constant relation, so what is known of optimal reduction holds with it, provided that all races are found. The
//! second event of a race is possible without the first. With one object and changes that are ordered among themselves, that is so for
//! all but the first change since the actor looked. With several objects, or with changes that commute, no single one of them need have
//! been necessary: `b = 1` or `c = 1` wakes who waits for both, and whichever came first, the step could have come before it. So each
//! change is asked for: is the step possible after what does not happen after that change ([`Path::is_awake_without`])? Both the answer
//! and the set of changes are the same in all executions of a class, since what was looked at is ordered with what changes it.

use mazurka_objects::history::{self, Order, Past, Role};
use mazurka_objects::real;
use mazurka_runtime::{ACTORS, Kernel, Kind, ObjectId, Operation, Record};

/// No event.
pub const NONE: u32 = u32::MAX;

/// What of a step decides on what it depends.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The actor.
    pub actor: u8,
    /// Whether it stands for whatever its actor does.
    pub uncertain: bool,
    /// What it does.
    pub kind: Kind,
    /// Which choice it takes.
    pub choice: u32,
    /// Its object.
    pub object: ObjectId,
    /// Its second object.
    pub second: ObjectId,
    /// What it is to its object.
    pub past: Past,
    /// What it is to its second object.
    pub second_past: Past,
    /// The variables that it only watches.
    pub more: [ObjectId; Operation::MORE],
}

impl Step {
    fn of(record: &Record) -> Step {
        Step {
            actor: record.actor,
            uncertain: false,
            kind: record.operation.kind,
            choice: record.choice,
            object: record.operation.object,
            second: record.operation.second,
            past: record.past(),
            second_past: record.second_past(),
            more: record.operation.more,
        }
    }

    /// Any step of an actor.
    pub fn any_of(actor: u8) -> Step {
        Step {
            actor,
            uncertain: true,
            kind: Kind::YIELD,
            choice: mazurka_runtime::Planned::ANY,
            object: ObjectId::NONE,
            second: ObjectId::NONE,
            past: Past::default(),
            second_past: Past::default(),
            more: [ObjectId::NONE; Operation::MORE],
        }
    }

    /// Whether a record says the same, as far as the program decides it.
    #[inline]
    pub fn repeats(&self, record: &Record) -> bool {
        (self.actor, self.kind) == (record.actor, record.operation.kind)
            && self.object == record.operation.object
            && self.second == record.operation.second
    }

    /// What it is to an object, if it is anything.
    #[inline]
    pub fn role_on(&self, object: ObjectId) -> Option<&Past> {
        if object == ObjectId::NONE {
            None
        } else if self.object == object {
            Some(&self.past)
        } else if self.second == object {
            Some(&self.second_past)
        } else {
            self.more.contains(&object).then_some(&Past::READ)
        }
    }

    /// Its objects, and which they are among all that it can have.
    #[inline]
    fn objects(&self) -> impl Iterator<Item = (usize, ObjectId)> + use<> {
        let all = [self.object, self.second].into_iter().chain(self.more);
        all.enumerate()
            .filter(|(_, object)| *object != ObjectId::NONE)
    }

    /// Whether two steps of different actors that could both come next commute.
    pub fn commutes(&self, other: &Step) -> bool {
        self.objects().all(
            |(_, object)| match (self.role_on(object), other.role_on(object)) {
                (Some(a), Some(b)) if self.uncertain || other.uncertain => {
                    a.role == Role::None || b.role == Role::None
                }
                (Some(a), Some(b)) => history::commute(a, b),
                _ => true,
            },
        )
    }
}

/// An event: a step that was performed, and where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// The step.
    pub step: Step,
    /// In how many ways it could have ended.
    pub choices: u32,
    /// What the actor learned.
    pub result: i64,
    /// Whether it changed its objects, a bit for each.
    changed: u8,
    /// Where it stands among the events on its two objects.
    links: [Link; 2],
    /// The place of what it has for the others, if there are any.
    watching: u32,
    /// The event of the same actor before it.
    previous_of_actor: u32,
    /// An event that had to come before it, whatever the interleaving: the spawn of its actor, the
    /// last event of an actor it joins, the notification or the arrival that lets it go on.
    cause: u32,
}

/// Where an event stands among those on one of its objects.
#[derive(Clone, Copy, Debug)]
struct Link {
    /// The event before it on the object.
    previous: u32,
    /// The last event before it on the object that was something else to it. A long row of reads is
    /// passed in one step by whoever reads as well.
    before_the_like: u32,
}

impl Link {
    const NONE: Link = Link {
        previous: NONE,
        before_the_like: NONE,
    };
}

/// A race: `first` happens immediately before `second`, and the second could have come first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Race {
    /// The number of the first event.
    pub first: u32,
    /// The number of the second event; the number of events if it is what a blocked actor waits
    /// to do.
    pub second: u32,
    /// The actor of the second.
    pub actor: u8,
}

type Clock = [u32; ACTORS];

/// Something that was done to an object since an actor had looked at it.
struct Change {
    event: u32,
    object: ObjectId,
    /// Whether it did change the object.
    did: bool,
}

/// The events of an execution.
pub struct Path {
    /// The events, in the order in which they were performed.
    pub events: Vec<Event>,
    /// Races whose second event is new.
    pub races: Vec<Race>,
    /// The links of the variables that events only watch, for the few that do.
    watching: Vec<[Link; Operation::MORE]>,
    clocks: Vec<u32>,
    stride: usize,
    last_on_object: Vec<u32>,
    last_of_actor: [u32; ACTORS],
    spawned_by: [u32; ACTORS],
}

impl Path {
    /// No events.
    pub fn new() -> Path {
        Path {
            events: vec![],
            races: vec![],
            watching: vec![],
            clocks: vec![],
            stride: 4,
            last_on_object: vec![],
            last_of_actor: [NONE; ACTORS],
            spawned_by: [NONE; ACTORS],
        }
    }

    /// Forgets all events from this one on.
    pub fn truncate(&mut self, length: usize) {
        while self.events.len() > length {
            let Some(event) = self.events.pop() else {
                return;
            };
            let more = match event.watching {
                NONE => None,
                _ => self.watching.pop(),
            };
            for (which, object) in event.step.objects() {
                let link = match which {
                    0 | 1 => Some(event.links[which]),
                    _ => more.map(|links| links[which - 2]),
                };
                // There is no such place where events were added plainly.
                if let Some(last) = self.last_on_object.get_mut(object.index()) {
                    *last = link.map_or(NONE, |link| link.previous);
                }
            }
            self.last_of_actor[usize::from(event.step.actor)] = event.previous_of_actor;
        }
        self.clocks.truncate(length * self.stride);
    }

    /// Adds the event of a record, with its clock and its races.
    pub fn push(&mut self, record: &Record) {
        let number = self.events.len() as u32;
        let step = Step::of(record);
        let actor = usize::from(step.actor);
        self.make_room_for(actor);
        let kind = record.operation.kind;
        let cause = self.cause(actor, &record.operation);
        let mut seen = [0; ACTORS];
        self.base(&mut seen, actor, cause);
        let mut full = seen;
        let found = self.races.len();
        let mut links = [Link::NONE; Operation::OBJECTS];
        self.make_room_for_objects(&record.operation);
        let changes = (record.awaits != 0).then(|| self.changes(&step));
        for (which, object) in step.objects() {
            let past = match which {
                0 => step.past,
                1 => step.second_past,
                _ => Past::READ,
            };
            let previous = self.last_on_object[object.index()];
            links[which] = Link {
                previous,
                before_the_like: self.before_the_like(object, previous, past.role),
            };
            if past.role != Role::None {
                let new = (number, step.actor, changes.as_deref());
                self.scan(object, &past, &mut seen, &mut full, new);
            }
            self.last_on_object[object.index()] = number;
        }
        self.races[found..].sort_unstable_by_key(|race| race.first);
        full[actor] = number + 1;
        self.clocks.extend_from_slice(&full[..self.stride]);
        let watching = match step.more[0] {
            ObjectId::NONE => NONE,
            _ => self.watching.len() as u32,
        };
        if watching != NONE {
            let more = std::array::from_fn(|which| links[2 + which]);
            self.watching.push(more);
        }
        self.events.push(Event {
            step,
            choices: record.choices,
            result: record.result,
            changed: record.changed,
            links: [links[0], links[1]],
            watching,
            previous_of_actor: self.last_of_actor[actor],
            cause,
        });
        self.last_of_actor[actor] = number;
        if kind == Kind::SPAWN {
            self.spawned_by[record.result as usize % ACTORS] = number;
        }
    }

    /// Adds the event of a record where nobody asks what happens before what.
    pub fn push_plainly(&mut self, record: &Record) {
        self.events.push(Event {
            step: Step::of(record),
            choices: record.choices,
            result: record.result,
            changed: record.changed,
            links: [Link::NONE; 2],
            watching: NONE,
            previous_of_actor: NONE,
            cause: NONE,
        });
    }

    /// Adds the races of an operation that an actor waits to perform, for ever.
    pub fn add_blocked(&mut self, actor: usize, operation: &Operation, past: &Past) -> Step {
        self.make_room_for(actor);
        let step = Step {
            actor: actor as u8,
            uncertain: false,
            kind: operation.kind,
            choice: 0,
            object: operation.object,
            second: operation.second,
            past: *past,
            second_past: Past::default(),
            more: operation.more,
        };
        let cause = self.cause(actor, operation);
        let mut seen = [0; ACTORS];
        self.base(&mut seen, actor, cause);
        let mut full = seen;
        let number = self.events.len() as u32;
        self.make_room_for_objects(operation);
        let new = (number, step.actor, None);
        self.scan(step.object, past, &mut seen, &mut full, new);
        step
    }

    /// Whether the first event happens before the second.
    #[inline]
    pub fn happens_before(&self, first: usize, second: usize) -> bool {
        let actor = usize::from(self.events[first].step.actor);
        self.clocks[second * self.stride + actor] > first as u32
    }

    /// The clock of an actor before its next operation, of which `cause` is the cause.
    fn base(&self, clock: &mut Clock, actor: usize, cause: u32) {
        for event in [self.last_of_actor[actor], cause] {
            if event != NONE {
                self.join(clock, event);
            }
        }
    }

    /// The clock of an event without what its objects add: before it was known that it would be
    /// performed.
    pub fn base_of(&self, event: usize) -> [u32; ACTORS] {
        let mut clock = [0; ACTORS];
        let event = &self.events[event];
        for event in [event.previous_of_actor, event.cause] {
            if event != NONE {
                self.join(&mut clock, event);
            }
        }
        clock
    }

    /// The same for what a blocked actor waits to do.
    pub fn base_of_blocked(&self, actor: usize, operation: &Operation) -> [u32; ACTORS] {
        let mut clock = [0; ACTORS];
        self.base(&mut clock, actor, self.cause(actor, operation));
        clock
    }

    /// Adds to a clock that of an event.
    #[inline]
    pub fn join(&self, clock: &mut Clock, event: u32) {
        let start = event as usize * self.stride;
        let other = &self.clocks[start..start + self.stride];
        for (mine, theirs) in clock.iter_mut().zip(other) {
            *mine = (*mine).max(*theirs);
        }
    }

    /// Goes back through the events of an object: joins the clocks of those that are ordered with
    /// a new one, and finds its races.
    ///
    /// An event in conflict shields all that happens before it: there is no race with these. An
    /// event that merely enabled the new one shields nothing, since the new one could have come
    /// before both it and what made it necessary: a lock is in a race with the last lock, not
    /// with the unlock between them.
    ///
    /// Of the new one its number, its actor and, if it waited for a change, the changes.
    fn scan(
        &mut self,
        object: ObjectId,
        past: &Past,
        seen: &mut Clock,
        full: &mut Clock,
        (number, actor, changes): (u32, u8, Option<&[Change]>),
    ) {
        let mut next = self.last_on_object[object.index()];
        // What of a queue shields all that came before: its last send and its last receive, as
        // far as they are ordered with the new one.
        let mut sent = false;
        let mut received = past.role == Role::Send && past.number < past.capacity;
        while next != NONE {
            let event = &self.events[next as usize];
            let (earlier, link) = self.on(next, object);
            if past.role.family().is_some() && earlier.role.family() == past.role.family() {
                next = link.before_the_like;
                continue;
            }
            let before = link.previous;
            let of = usize::from(event.step.actor);
            let shielded = seen[of] > next;
            let order = match (history::order(&earlier, past), changes) {
                (Order::Conflict, Some(changes)) if !self.is_awake_without(next, changes) => {
                    Order::Enabling
                }
                (order, _) => order,
            };
            match order {
                Order::None => {}
                Order::Conflict => {
                    if !shielded {
                        self.races.push(Race {
                            first: next,
                            second: number,
                            actor,
                        });
                        self.join(seen, next);
                    }
                    self.join(full, next);
                    if earlier.role.is_total() {
                        return;
                    }
                }
                Order::Enabling => {
                    self.join(full, next);
                    if shielded && earlier.role.is_total() {
                        return;
                    }
                }
            }
            if order != Order::None && matches!(earlier.role, Role::Send | Role::Receive) {
                sent |= earlier.role == Role::Send;
                received |= earlier.role == Role::Receive;
                if sent && received {
                    return;
                }
            }
            next = before;
        }
    }

    /// What an event was to one of its objects, and where it stands there.
    #[inline]
    fn on(&self, event: u32, object: ObjectId) -> (Past, Link) {
        let event = &self.events[event as usize];
        if event.step.object == object {
            (event.step.past, event.links[0])
        } else if event.step.second == object {
            (event.step.second_past, event.links[1])
        } else {
            let which = event.step.more.iter().position(|&other| other == object);
            let links = self.watching.get(event.watching as usize).zip(which);
            let link = links.map_or(Link::NONE, |(links, which)| links[which]);
            (Past::READ, link)
        }
    }

    /// The last event on an object, from this one on backwards, that is of another family.
    fn before_the_like(&self, object: ObjectId, previous: u32, role: Role) -> u32 {
        if previous == NONE {
            return NONE;
        }
        let (earlier, link) = self.on(previous, object);
        match role.family().is_some() && earlier.role.family() == role.family() {
            true => link.before_the_like,
            false => previous,
        }
    }

    /// What has been done to the objects of a step that waited for a change of one of them, since its actor looked at each: what
    /// changed it, and writes that might have, the first ones last.
    fn changes(&self, step: &Step) -> Vec<Change> {
        let mut changes = vec![];
        for (_, object) in step.objects() {
            for number in self.on_object(object) {
                let event = &self.events[number];
                if event.step.actor == step.actor {
                    break;
                }
                let bit = u8::from(event.step.object != object);
                let (past, _) = self.on(number as u32, object);
                let (event, did) = (number as u32, event.changed >> bit & 1 == 1);
                if did || past.role == Role::Write {
                    changes.push(Change { event, object, did });
                }
            }
        }
        changes
    }

    /// Whether a step that waited for one of these changes, no matter which, could have been performed without an event and all that happens after it.
    ///
    /// What is not ordered with the event does the same without it, but for one thing: of several writes of one value that are not
    /// ordered (dependency by value has such), only the first is a change, and without it another is.
    fn is_awake_without(&self, event: u32, changes: &[Change]) -> bool {
        let own = changes.iter().find(|change| change.event == event);
        let takes_over = |change: &Change| {
            own.is_some_and(|own| {
                let past = |number| self.on(number, change.object).0;
                own.did
                    && own.object == change.object
                    && history::order(&past(event), &past(change.event)) == Order::None
            })
        };
        let mut others = changes.iter().rev().filter(|change| change.event != event);
        others.any(|change| {
            !self.happens_before(event as usize, change.event as usize)
                && (change.did || takes_over(change))
        })
    }

    /// See [`Event::cause`].
    fn cause(&self, actor: usize, operation: &Operation) -> u32 {
        let awaited = |object: ObjectId| {
            let call = operation.call(actor, 0);
            self.find_on(object, |event| {
                real::is_cause(&call, event.step.kind, event.result, &event.step.past)
            })
        };
        match real::awaits(operation.kind) {
            (true, _) => return awaited(operation.object),
            (_, true) => return awaited(operation.second),
            _ => {}
        }
        match operation.kind {
            Kind::JOIN => {
                let target = operation.argument as usize % ACTORS;
                match self.last_of_actor[target] {
                    NONE => self.spawned_by[target],
                    last => last,
                }
            }
            _ if self.last_of_actor[actor] == NONE => self.spawned_by[actor],
            _ => NONE,
        }
    }

    /// The last event on an object with some property.
    fn find_on(&self, object: ObjectId, is_it: impl Fn(&Event) -> bool) -> u32 {
        let mut next = self.last_on(object);
        while next != NONE {
            if is_it(&self.events[next as usize]) {
                return next;
            }
            next = self.on(next, object).1.previous;
        }
        NONE
    }

    /// The events on an object, last first.
    pub fn on_object(&self, object: ObjectId) -> impl Iterator<Item = usize> + '_ {
        self.on_object_from(object, self.last_on(object))
    }

    /// The events on an object before one that is on it too, last first.
    pub fn on_object_before(
        &self,
        object: ObjectId,
        event: usize,
    ) -> impl Iterator<Item = usize> + '_ {
        self.on_object_from(object, self.on(event as u32, object).1.previous)
    }

    fn on_object_from(&self, object: ObjectId, mut next: u32) -> impl Iterator<Item = usize> + '_ {
        std::iter::from_fn(move || {
            (next != NONE).then(|| {
                let number = next;
                next = self.on(number, object).1.previous;
                number as usize
            })
        })
    }

    fn last_on(&self, object: ObjectId) -> u32 {
        let last = self.last_on_object.get(object.index());
        last.copied().unwrap_or(NONE)
    }

    fn make_room_for_objects(&mut self, operation: &Operation) {
        for object in operation.objects() {
            if object.index() >= self.last_on_object.len() {
                self.last_on_object.resize(object.index() + 1, NONE);
            }
        }
    }

    fn make_room_for(&mut self, actor: usize) {
        while actor >= self.stride {
            let wider = self.stride * 2;
            let mut clocks = vec![0; self.events.len() * wider];
            for (new, old) in clocks
                .chunks_mut(wider)
                .zip(self.clocks.chunks(self.stride))
            {
                new[..old.len()].copy_from_slice(old);
            }
            self.clocks = clocks;
            self.stride = wider;
        }
    }
}

/// Tells classes of equivalent executions apart: a fingerprint of what happens before what in the
/// execution that has just ended.
pub fn class(kernel: &Kernel) -> u64 {
    let mut path = Path::new();
    let mut local = vec![];
    let mut counts = [0u64; ACTORS];
    for record in kernel.trace() {
        path.push(record);
        let actor = usize::from(record.actor);
        counts[actor] += 1;
        local.push(counts[actor]);
    }
    let mut sum = 0u64;
    for (number, event) in path.events.iter().enumerate() {
        let mut hash = u64::from(event.step.actor) << 32 | local[number];
        let mut mix = |word: u64| {
            hash = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            hash ^= hash >> 29;
        };
        mix(u64::from(event.step.kind.0) << 32 | u64::from(event.step.choice));
        mix(event.step.object.0.into());
        for actor in 0..ACTORS {
            let last = (0..=number).rev().find(|&earlier| {
                let same = usize::from(path.events[earlier].step.actor) == actor;
                same && path.happens_before(earlier, number)
            });
            if let Some(last) = last {
                mix((actor as u64) << 32 | local[last]);
            }
        }
        sum = sum.wrapping_add(hash);
    }
    sum
}

impl Default for Path {
    fn default() -> Path {
        Path::new()
    }
}
