//! Optimal dynamic partial-order reduction: reverse every race, once.
//!
//! When an execution has ended, each race whose second event is new asks for an execution in
//! which the second comes first: the events in between that do not happen after the first one,
//! then the second. What an actor waits to do for ever is in a race too, with what keeps it
//! waiting: two actors that each hold the lock the other wants must be made to take them one
//! after the other.
//!
//! All this is about whole executions. One that is cut, or that a failure ends while others could go on, does not have the races of what would have
//! come: the pending operations of the others are known, but not the many that may follow them. So the search is begun anew with
//! sleep sets then (`plan.rs`, `loses_by_cuts`). Where all others wait, nothing is missing: without the failing actor, which goes no further, that is a deadlock.
//!
//! Which races an execution has must be the same for all executions of its class, so dependency
//! looks at values only as far as these are: `by_value.rs` has programs of which ends would be
//! missed otherwise.

use mazurka_objects::history::{self, Order, Past, Role, Try};
use mazurka_objects::real;
use mazurka_runtime::{ACTORS, Outlook, Planned, Refinement};

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
            let base = self.path.base_of(race.second as usize);
            self.reverse(race, step, base);
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
            let Some(past) = kernel.wish(actor) else {
                continue;
            };
            let step = self.path.add_blocked(actor, &operation, &past);
            let base = self.path.base_of_blocked(actor, &operation);
            let races = std::mem::take(&mut self.path.races);
            for race in &races {
                self.reverse(race, step, base);
            }
        }
    }

    fn reverse(&mut self, race: &Race, second: Step, base: [u32; ACTORS]) {
        let end = (race.second as usize).min(self.path.events.len());
        let Some((first, events)) = self.make_way(race.first as usize, end, &second, &base) else {
            return;
        };
        // Before the floor everything is explored anyhow.
        if first < self.floor {
            return;
        }
        let Some(last) = self.as_it_will_be(second, race.second as usize, first, &events) else {
            return;
        };
        // What happens before the second event once the first is no longer before it.
        let mut clock = base;
        for &event in &events {
            let step = &self.path.events[event].step;
            let on_first = ordered(step, last.object, &last.past);
            let on_second = ordered(step, last.second, &last.second_past);
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

    /// The second event of a race as a step to come: what it finds may be something else. None
    /// if it is not possible there; there is a race with what keeps it waiting.
    fn as_it_will_be(
        &mut self,
        second: Step,
        number: usize,
        first: usize,
        events: &[usize],
    ) -> Option<Step> {
        let mut last = Step {
            choice: Planned::ANY,
            ..second
        };
        match Outlook::of(second.kind, second.past.role) {
            Outlook::Same => {}
            Outlook::ByValue => last.past = self.past_by_value(number, first, events),
            Outlook::Tries(attempt) => {
                last.past.role = self.outcome_after(attempt, &second, first, events);
            }
            Outlook::Needs(attempt) => {
                if self.outcome_after(attempt, &second, first, events) != second.past.role {
                    return None;
                }
            }
        }
        last.past = last.past.somewhere();
        Some(last)
    }

    /// What the event with this number will be to its object after all before `first` and these events, which follows from what they
    /// make of the object.
    ///
    /// A guess will not do. A step taken for more than it is would be tried where another one that commutes with it has been tried
    /// already, and what is asked for later would be left to this branch, though that other one sleeps in it.
    fn past_by_value(&mut self, number: usize, first: usize, events: &[usize]) -> Past {
        let object = self.path.events[number].step.object;
        // The last event on it before which all is as it was, and what comes after that.
        let mut later = vec![];
        for event in self.path.on_object_before(object, number) {
            later.push(event);
            if event <= first && self.path.events[event].step.object == object {
                break;
            }
        }
        let kernel = self.kernel();
        let mut value = *kernel.object(object);
        // What came before may only have watched it.
        let mut is_known = false;
        for event in later.into_iter().rev().chain([number]) {
            let record = &kernel.trace()[event];
            let call = record.operation.call(record.actor.into(), record.choice);
            let is_its_object = record.operation.object == object;
            if !is_known && is_its_object {
                value.put_content(record.content);
                is_known = true;
            }
            if event == number {
                let is_refined = kernel.policy.refined != Refinement::NONE;
                return real::effect(&call, &value, &value, is_refined).past;
            }
            if event < first || events.binary_search(&event).is_ok() {
                match is_its_object {
                    true => real::perform(&call, &mut value),
                    false => real::perform_beside(&call, &mut value),
                };
            }
        }
        self.path.events[number].step.past
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

    /// The events to repeat without the first of a race, up to the second. What would still keep
    /// the second one waiting is left out too, with all that depends on it; if it came before the
    /// first, it is the one to reverse the order with. None if the second comes after it by its
    /// own history.
    fn make_way(
        &self,
        mut first: usize,
        end: usize,
        second: &Step,
        base: &[u32; ACTORS],
    ) -> Option<(usize, Vec<usize>)> {
        let without = |first: usize| -> Vec<usize> {
            let after = (first + 1..end).filter(|&event| !self.path.happens_before(first, event));
            after.collect()
        };
        let needed =
            |event: usize| base[usize::from(self.path.events[event].step.actor)] > event as u32;
        let mut events = without(first);
        while let Some(obstacle) = self.obstacle(first, second, &events) {
            if needed(obstacle) {
                return None;
            }
            if obstacle < first {
                first = obstacle;
                events = without(first);
                continue;
            }
            let goes =
                |event: usize| event == obstacle || self.path.happens_before(obstacle, event);
            if events.iter().any(|&event| goes(event) && needed(event)) {
                return None;
            }
            events.retain(|&event| !goes(event));
        }
        Some((first, events))
    }

    /// What would keep a step waiting after all before `first` and then these events, though the
    /// step is in no race with it.
    fn obstacle(&self, first: usize, step: &Step, events: &[usize]) -> Option<usize> {
        let included = |event: &usize| *event < first || events.binary_search(event).is_ok();
        let earlier = || self.path.on_object(step.object).filter(included);
        let of = |event: usize| {
            let step = &self.path.events[event].step;
            (usize::from(step.actor), step.past.role)
        };
        let place = history::obstacle(&step.past, earlier().map(of))?;
        earlier().nth(place)
    }
}

/// Whether an event is ordered with the last step of a sequence on one of its objects.
fn ordered(event: &Step, object: mazurka_runtime::ObjectId, past: &history::Past) -> bool {
    let Some(earlier) = event.role_on(object) else {
        return false;
    };
    // Among sends and receives, what a message waits for is performed before the sequence or not
    // needed; which send a receive will find is not known.
    history::order(earlier, past) != Order::None
}
