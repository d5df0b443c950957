//! Optimal dynamic partial-order reduction: reverse every race, once.
//!
//! When an execution has ended, each race whose second event is new asks for an execution in
//! which the second comes first: the events in between that do not happen after the first one,
//! then the second. What an actor waits to do for ever is in a race too, with what keeps it
//! waiting: two actors that each hold the lock the other wants must be made to take them one
//! after the other.
//!
//! Which races an execution has must be the same for all executions of its class, so dependency
//! that looks at values is no part of this: `by_value.rs` has programs of which it would miss ends.

use mazurka_objects::history::{self, Order, Role, Try};
use mazurka_runtime::{ACTORS, Kind, Planned};

use crate::engine::Engine;
use crate::path::{Race, Step};
use crate::search::Search;
use crate::wakeup::Sequence;

impl<E: Engine> Search<'_, E> {
    /// Inserts into the wakeup trees what the races of the execution ask for.
    pub(crate) fn reverse_races(&mut self) {
        let races = std::mem::take(&mut self.path.races);
        for race in &races {
            let event = &self.path.events[race.second as usize];
            let step = event.step;
            let kind = event.step.kind;
            let base = self.path.base_of(race.second as usize);
            self.reverse(race, step, kind, base);
        }
        self.path.races = races;
        self.path.races.clear();
        self.free_the_blocked();
    }

    /// The races of what blocked actors wait to do, in a deadlock or where those who could move
    /// are asleep.
    fn free_the_blocked(&mut self) {
        let kernel = self.kernel();
        let mut blocked = kernel.alive & !kernel.enabled;
        while blocked != 0 {
            let actor = blocked.trailing_zeros() as usize;
            blocked &= blocked - 1;
            let kernel = self.kernel();
            let operation = kernel.actors[actor].pending;
            // Who has not been notified waits for that, not for the mutex.
            let waits = kernel.object(operation.second).actors >> actor & 1 == 1;
            if operation.kind == Kind::REACQUIRE && waits {
                continue;
            }
            let mut past = kernel.effect(&operation).past;
            // It will be what it is when it succeeds, not what it would be now.
            past.role = match operation.kind {
                Kind::SEND => Role::Send,
                Kind::RECEIVE => Role::Receive,
                Kind::TAKE => Role::Take,
                Kind::LOCK | Kind::REACQUIRE | Kind::REACQUIRE_TIMED => Role::Lock,
                Kind::READ_LOCK => Role::ReadLock,
                Kind::WRITE_LOCK => Role::WriteLock,
                _ => continue,
            };
            let step = self.path.add_blocked(actor, &operation, &past);
            let base = self.path.base_of_blocked(actor, &operation);
            let races = std::mem::take(&mut self.path.races);
            for race in &races {
                self.reverse(race, step, operation.kind, base);
            }
        }
    }

    fn reverse(&mut self, race: &Race, second: Step, kind: Kind, base: [u32; ACTORS]) {
        let mut first = race.first as usize;
        let end = (race.second as usize).min(self.path.events.len());
        let without = |first: usize| -> Vec<usize> {
            let after = (first + 1..end).filter(|&event| !self.path.happens_before(first, event));
            after.collect()
        };
        let mut events = without(first);
        if kind == Kind::WRITE_LOCK {
            loop {
                match self.send_readers_away(first, &second, &base, &mut events) {
                    Readers::Gone => break,
                    Readers::Before(earlier) => {
                        first = earlier;
                        events = without(first);
                    }
                    Readers::Needed => return,
                }
            }
        }
        // Before the floor everything is explored anyhow.
        if first < self.floor {
            return;
        }
        // With two objects, a race on one says nothing of whether the other is free; if it is not,
        // there is a race with who holds it.
        if kind == Kind::REACQUIRE_TIMED
            && self.outcome_after(Try::Lock, &second, first, &events) != Role::Lock
        {
            return;
        }
        let last = self.as_it_will_be(second, kind, first, &events);
        // What happens before the second event once the first is no longer before it.
        let mut clock = base;
        for &event in &events {
            let step = &self.path.events[event].step;
            let on_first = ordered(step, &last, last.object, &last.past);
            let on_second = ordered(step, &last, last.second, &last.second_past);
            if on_first || on_second {
                self.path.join(&mut clock, event as u32);
            }
        }
        let orders =
            |event: usize| clock[usize::from(self.path.events[event].step.actor)] > event as u32;
        let sequence = Sequence::new(&self.path, &events, last, orders);
        if self.is_redundant(first, &sequence) {
            return;
        }
        let Search { path, frames, .. } = self;
        sequence.insert_into(path, &mut frames[first].branches);
    }

    /// Whether an actor that sleeps in a state, or has been explored from it, or is being
    /// explored, could start the sequence.
    fn is_redundant(&self, position: usize, sequence: &Sequence) -> bool {
        let frame = &self.frames[position];
        let present = &self.path.events[position].step;
        let can_start = |step: &Step| sequence.can_start_with(&self.path, step).is_some();
        if can_start(present) || frame.done.iter().any(can_start) {
            return true;
        }
        // Those who slept when the state was reached were explored from an earlier one.
        let mut sleepers = frame.sleep & !frame.explored;
        let mut earlier = position;
        while sleepers != 0 && earlier > 0 {
            earlier -= 1;
            for step in &self.frames[earlier].done {
                if sleepers >> step.actor & 1 == 1 {
                    sleepers &= !(1 << step.actor);
                    if can_start(step) {
                        return true;
                    }
                }
            }
        }
        false
    }

    /// The second event of a race as a step to come: what it finds may be something else.
    fn as_it_will_be(&self, second: Step, kind: Kind, first: usize, events: &[usize]) -> Step {
        let mut last = Step {
            choice: Planned::ANY,
            ..second
        };
        match kind {
            Kind::COMPARE_EXCHANGE | Kind::NOTIFY_ONE | Kind::NOTIFY_ALL => last.uncertain = true,
            _ => {
                if let Some(attempt) = attempt(kind) {
                    last.past.role = self.outcome_after(attempt, &second, first, events);
                }
            }
        }
        // Its number among the sends or receives will be another.
        last.past.number = u32::MAX;
        last
    }

    /// What a try will be to its object after all before `first` and these events.
    fn outcome_after(&self, attempt: Try, step: &Step, first: usize, events: &[usize]) -> Role {
        let past_of = |event: usize| self.path.events[event].step.role_on(step.object);
        let included = |event: &usize| *event < first || events.binary_search(event).is_ok();
        let pasts = self
            .path
            .on_object(step.object)
            .filter(included)
            .filter_map(past_of);
        let earliest = self.path.on_object(step.object).last().and_then(past_of);
        let initial = earliest.map_or(step.past.before, |past| past.before);
        history::outcome(attempt, pasts, step.past.capacity, initial)
    }

    /// A writer can come before a reader only where no other reader holds the lock. Takes away
    /// from the events those that depend on a reader that would still hold it.
    fn send_readers_away(
        &self,
        first: usize,
        writer: &Step,
        base: &[u32; ACTORS],
        events: &mut Vec<usize>,
    ) -> Readers {
        let needed =
            |event: usize| base[usize::from(self.path.events[event].step.actor)] > event as u32;
        while let Some(holder) = self.reader_left(first, writer, events) {
            if needed(holder) {
                return Readers::Needed;
            }
            if holder < first {
                return Readers::Before(holder);
            }
            let goes = |event: usize| event == holder || self.path.happens_before(holder, event);
            if events.iter().any(|&event| goes(event) && needed(event)) {
                return Readers::Needed;
            }
            events.retain(|&event| !goes(event));
        }
        Readers::Gone
    }

    /// A reader that holds the lock after what came before `first` and then these events.
    fn reader_left(&self, first: usize, writer: &Step, events: &[usize]) -> Option<usize> {
        let mut given_back = [0u32; ACTORS];
        self.path.on_object(writer.object).find(|&event| {
            if event >= first && events.binary_search(&event).is_err() {
                return false;
            }
            let step = &self.path.events[event].step;
            let of_actor = &mut given_back[usize::from(step.actor)];
            match step.past.role {
                Role::ReadUnlock => *of_actor += 1,
                Role::ReadLock if *of_actor == 0 => return true,
                Role::ReadLock => *of_actor -= 1,
                _ => {}
            }
            false
        })
    }
}

/// What an operation tries, if it does.
fn attempt(kind: Kind) -> Option<Try> {
    Some(match kind {
        Kind::TRY_SEND => Try::Send,
        Kind::TRY_RECEIVE => Try::Receive,
        Kind::TRY_TAKE => Try::Take,
        Kind::TRY_LOCK => Try::Lock,
        Kind::TRY_READ_LOCK => Try::ReadLock,
        Kind::TRY_WRITE_LOCK => Try::WriteLock,
        _ => return None,
    })
}

/// Whether a writer can come before all readers that would keep it waiting.
enum Readers {
    /// It can.
    Gone,
    /// It must come before this one too, which came earlier.
    Before(usize),
    /// It cannot: it comes after one of them by its own history.
    Needed,
}

/// Whether an event is ordered with the last step of a sequence on one of its objects.
fn ordered(
    event: &Step,
    last: &Step,
    object: mazurka_runtime::ObjectId,
    past: &history::Past,
) -> bool {
    let Some(earlier) = event.role_on(object) else {
        return false;
    };
    if last.uncertain {
        return earlier.role != Role::None && past.role != Role::None;
    }
    // Among sends and receives, what a message waits for is performed before the sequence or not
    // needed; which send a receive will find is not known.
    history::order(earlier, past) != Order::None
}
