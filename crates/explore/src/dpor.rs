//! Optimal dynamic partial-order reduction: reverse every race, once.
//!
//! When an execution has ended, each race whose second event is new asks for an execution in
//! which the second comes first: the events in between that do not happen after the first one,
//! then the second. What an actor waits to do for ever is in a race too, with what keeps it
//! waiting: two actors that each hold the lock the other wants must be made to take them one
//! after the other.

use mazurka_objects::history::{self, Order, Role};
use mazurka_runtime::{ACTORS, Kind, Planned};

use crate::engine::Engine;
use crate::path::{Race, Step};
use crate::search::Search;
use crate::wakeup::Sequence;

impl<E: Engine> Search<'_, E> {
    /// Inserts into the wakeup trees what the races of the execution ask for.
    pub(crate) fn reverse_races(&mut self, _from: usize) {
        let races = std::mem::take(&mut self.path.races);
        for race in &races {
            let event = &self.path.events[race.second as usize];
            let step = event.step;
            let kind = event.kind;
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
        let first = race.first as usize;
        let end = (race.second as usize).min(self.path.events.len());
        let path = &self.path;
        let mut events: Vec<usize> = (first + 1..end)
            .filter(|&event| !path.happens_before(first, event))
            .collect();
        if kind == Kind::WRITE_LOCK && !self.send_readers_away(first, &second, &mut events) {
            return;
        }
        let last = self.as_it_will_be(second, kind);
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
    fn as_it_will_be(&self, second: Step, kind: Kind) -> Step {
        let uncertain = matches!(
            kind,
            Kind::COMPARE_EXCHANGE
                | Kind::TRY_SEND
                | Kind::TRY_RECEIVE
                | Kind::TRY_TAKE
                | Kind::TRY_LOCK
                | Kind::TRY_READ_LOCK
                | Kind::TRY_WRITE_LOCK
                | Kind::NOTIFY_ONE
                | Kind::NOTIFY_ALL
        );
        let mut last = Step {
            uncertain,
            choice: Planned::ANY,
            ..second
        };
        // Its number among the sends or receives will be another.
        if matches!(last.past.role, Role::Send | Role::Receive) {
            last.past.number = u32::MAX;
        }
        last
    }

    /// A writer can come before a reader only where no other reader holds the lock. Takes away
    /// from the events those that depend on a reader that would still hold it; tells whether that
    /// is enough.
    fn send_readers_away(&self, first: usize, writer: &Step, events: &mut Vec<usize>) -> bool {
        loop {
            let mut holder = None;
            let mut settled = 0u64;
            for event in self.path.on_object(writer.object) {
                if event >= first && !events.contains(&event) {
                    continue;
                }
                let step = &self.path.events[event].step;
                let bit = 1 << step.actor;
                match step.past.role {
                    Role::ReadLock if settled & bit == 0 => {
                        holder = Some(event);
                        break;
                    }
                    Role::ReadUnlock | Role::WriteUnlock => settled |= bit,
                    Role::WriteLock if settled & bit == 0 => return false,
                    Role::ReadLock | Role::WriteLock => settled &= !bit,
                    _ => {}
                }
            }
            match holder {
                None => return true,
                Some(holder) if holder < first => return false,
                Some(holder) => events
                    .retain(|&event| event != holder && !self.path.happens_before(holder, event)),
            }
        }
    }
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
