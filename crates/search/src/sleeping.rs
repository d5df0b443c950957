//! Depth-first search with sleep sets (Godefroid 1990; Godefroid, Holzmann and Pirottin 1995).
//!
//! If two steps of a state are independent, taking them in both orders leads to the same state. After
//! one of them was explored, the other order need not be: the first step *sleeps* in what the second
//! leads to, until a step that depends on it wakes it. Sleep sets save transitions, not states, and go
//! with any reduction.
//!
//! A state may be met again with fewer steps asleep than before. So with each state the steps are
//! kept that were to be taken but slept; those that do not sleep when the state is met again are
//! taken then. Only states where some step slept have such a note.
//!
//! An atomic sequence is one step: what sleeps is worked out when it begins, and stays so inside.

use rapidhash::RapidHashMap;

use crate::again::look_up_in_full;
use crate::bookkeeping::{Bookkeeping, Control};
use crate::exact::{Exact, Insertion, Position};
use crate::report::{Defect, Observer, Options, Report, Statistics, StopReason};
use crate::sequence::Long;
use crate::successors::{Event, Successors};
use crate::system::{Reduction, System};

/// About what the steps of a note take.
const STEPS_OF_NOTE: usize = 64;

/// Explores like [`crate::depth_first`], and takes no step that sleeps.
///
/// With [`Options::proviso`], more steps of a state are explored as long as those taken lead back to
/// the current path; a step that sleeps leads nowhere.
pub fn depth_first_sleeping<Y: System, R: Reduction<Y>>(
    system: &Y,
    reduction: &mut R,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Report<Y> {
    let control = Control::new(options, 1);
    let mut watch = |statistics: &Statistics| observer.progress(statistics);
    let mut search = Sleeping {
        system,
        reduction,
        book: Bookkeeping::new(system, &control, 0, Some(&mut watch)),
        store: Exact::new(system.ignored_suffix(), options.memory),
        notes: RapidHashMap::default(),
        // Inside one sequence the same steps sleep everywhere, so a state that was met in it need not be
        // explored again. In another sequence other steps may sleep, and what they lead to was left out.
        successors: Successors::new(Long::each_for_itself(&control), options.depth),
        asleep: Vec::new(),
    };
    if let Err(reason) = search.run() {
        control.halt(reason);
    }
    let bytes = search.store.bytes() + search.note_bytes();
    look_up_in_full(&mut search.store, system.ignored_suffix(), search.reduction);
    control.merge(vec![search.book], bytes, 0.0)
}

struct Sleeping<'a, Y: System, R> {
    system: &'a Y,
    reduction: &'a mut R,
    book: Bookkeeping<'a, Y>,
    store: Exact,
    /// Of states on the path, and of states where a step slept.
    notes: RapidHashMap<Position, Note<Y::Step>>,
    successors: Successors<Y, Slept, Long<'a>>,
    /// What sleeps in each state of the path, one after the other.
    asleep: Vec<Y::Step>,
}

/// What is known of a stored state.
struct Note<S> {
    on_path: bool,
    /// Steps that were to be taken but slept.
    put_off: Vec<S>,
}

/// What is known of a state on the current path. Its steps are first those to be taken, then those of the chosen ones that
/// sleep, then the rest.
#[derive(Clone, Copy, Default)]
struct Slept {
    /// Where what sleeps begins; it ends where that of the next frame begins.
    asleep: usize,
    /// The steps before this one are chosen.
    chosen: usize,
    /// Where the state is stored, if it is and this is its first frame on the path.
    stored: Option<Position>,
    leads_away: bool,
}

impl<Y: System, R: Reduction<Y>> Sleeping<'_, Y, R> {
    fn run(&mut self) -> Result<(), StopReason> {
        if let Err(failure) = self.system.initial(&mut self.successors.next) {
            return self
                .book
                .violation(Defect::Failure(failure), None, Vec::new);
        }
        self.arrive()?;
        loop {
            if self.book.is_look_due() {
                let inside = self.successors.inside.bytes();
                let bytes = inside + self.note_bytes() + self.stack_bytes();
                self.book.look(bytes, self.store.bytes())?;
                continue;
            }
            match self.successors.advance(self.system, &mut self.book)? {
                Event::Over => return Ok(()),
                Event::Exhausted => {
                    if !self.widen() {
                        self.leave();
                    }
                }
                Event::Failure(failure, step) => {
                    let path = || self.successors.path.taken();
                    self.book
                        .violation(Defect::Failure(failure), Some(step), path)?;
                }
                Event::Nothing => {}
                Event::Inside => {
                    let top = self.successors.path.frames.len() - 1;
                    let asleep = self.fall_asleep(top);
                    self.successors.path.frames[top].note.asleep = asleep;
                }
                Event::State => self.arrive()?,
            }
            let depth = self.successors.path.deepest_inside as u64;
            self.book.statistics.depth = self.book.statistics.depth.max(depth);
        }
    }

    /// Adds steps to those of the last state if the property needs more. Says whether it did.
    fn widen(&mut self) -> bool {
        let path = &mut self.successors.path;
        let Some(frame) = path.frames.last().copied() else {
            return false;
        };
        let all = path.steps.len();
        let Slept { chosen, stored, .. } = frame.note;
        if stored.is_none() || chosen == all {
            return false;
        }
        let slept = chosen - frame.limit;
        // Steps that only fail stand for nothing; one that sleeps has led on elsewhere.
        let in_vain =
            self.book.options.proviso && !frame.note.leads_away || !frame.leads_on && slept == 0;
        if !in_vain {
            return false;
        }
        let state = &path.states[frame.state..];
        let steps = &mut path.steps[frame.steps..];
        let taken = chosen - frame.steps;
        let more = frame.steps + self.reduction.widen(self.system, state, steps, taken);
        self.book.statistics.reduced -= u64::from(more == all);
        // Those that slept already go behind the new ones.
        path.steps[frame.limit..more].rotate_left(slept);
        let top = path.frames.len() - 1;
        path.frames[top].note.chosen = more;
        let fresh = frame.limit..more - slept;
        let awake = self.put_off(fresh, frame.note.asleep, stored);
        self.successors.path.frames[top].limit = frame.limit + awake;
        true
    }

    /// Of some chosen steps, puts those that do not sleep in front and says how many there are; the
    /// others are noted with the state.
    fn put_off(
        &mut self,
        range: std::ops::Range<usize>,
        asleep: usize,
        stored: Option<Position>,
    ) -> usize {
        let steps = &mut self.successors.path.steps;
        let mut awake = range.start;
        for position in range.clone() {
            let step = steps[position];
            if self.asleep[asleep..].contains(&step) {
                if let Some(note) = stored.and_then(|stored| self.notes.get_mut(&stored)) {
                    note.put_off.push(step);
                }
            } else {
                steps[awake..=position].rotate_right(1);
                awake += 1;
            }
        }
        awake - range.start
    }

    /// Enters the state just arrived at, unless everything was done there before.
    fn arrive(&mut self) -> Result<(), StopReason> {
        let position = match self.store()? {
            Ok(position) => position,
            Err(position) => return self.wake(position),
        };
        let Successors { path, next, .. } = &mut self.successors;
        let depth = path.depth();
        if self.book.options.depth.is_some_and(|limit| depth > limit) {
            self.book.cut = true;
            return Ok(());
        }
        self.book.statistics.depth = self.book.statistics.depth.max(depth as u64);
        let first = path.steps.len();
        let leads_on = self.system.enabled(next, &mut path.steps);
        if !leads_on && !self.system.is_valid_end(next) {
            let path = || path.arrived();
            self.book.violation(Defect::Deadlock, None, path)?;
        }
        let all = self.successors.path.steps.len() - first;
        if all > 0 {
            let asleep = self.fall_asleep(self.successors.path.frames.len());
            let Successors { path, next, .. } = &mut self.successors;
            let steps = &mut path.steps[first..];
            let chosen = self.reduction.select(self.system, next, steps);
            self.book.statistics.reduced += u64::from(chosen < all);
            self.enter(first, chosen, asleep, Some(position));
        }
        Ok(())
    }

    /// A state was met again: takes the steps that slept before and do not sleep now.
    fn wake(&mut self, position: Position) -> Result<(), StopReason> {
        let is_settled = self
            .notes
            .get(&position)
            .is_none_or(|n| n.put_off.is_empty());
        if is_settled {
            return Ok(());
        }
        let asleep = self.fall_asleep(self.successors.path.frames.len());
        let Some(note) = self.notes.get_mut(&position) else {
            return Ok(());
        };
        let steps = &mut self.successors.path.steps;
        let first = steps.len();
        let now = &self.asleep[asleep..];
        note.put_off.retain(|step| {
            let sleeps = now.contains(step);
            if !sleeps {
                steps.push(*step);
            }
            sleeps
        });
        let is_done = note.put_off.is_empty() && !note.on_path;
        if is_done {
            self.notes.remove(&position);
        }
        let chosen = steps.len() - first;
        if chosen == 0 {
            self.asleep.truncate(asleep);
            return Ok(());
        }
        self.enter(first, chosen, asleep, None);
        Ok(())
    }

    /// Puts the state just arrived at on the path.
    fn enter(&mut self, first: usize, chosen: usize, asleep: usize, stored: Option<Position>) {
        let mut kept = chosen;
        if let Some(position) = stored {
            let note = Note {
                on_path: true,
                put_off: Vec::new(),
            };
            self.notes.insert(position, note);
            kept = self.put_off(first..first + chosen, asleep, stored);
        }
        let Successors { path, next, .. } = &mut self.successors;
        let note = Slept {
            asleep,
            chosen: first + chosen,
            stored,
            leads_away: false,
        };
        path.push(next, first, kept, false, note);
    }

    /// Works out what sleeps in a state just arrived at, behind this many others on the path, and says where that begins: what
    /// slept in the state before, and what was explored there before the step just taken, if independent of
    /// that step.
    fn fall_asleep(&mut self, depth: usize) -> usize {
        let start = self.asleep.len();
        let path = &self.successors.path;
        let Some(before) = depth.checked_sub(1) else {
            return start;
        };
        let frame = path.frames[before];
        let slept = frame.note.asleep..start;
        if frame.passing != 0 {
            self.asleep.extend_from_within(slept);
            return start;
        }
        let state = path.state(before);
        let taken = path.steps[frame.next - 1];
        for position in slept {
            let other = self.asleep[position];
            if self.reduction.independent(self.system, state, other, taken) {
                self.asleep.push(other);
            }
        }
        for other in &path.steps[frame.steps..frame.next - 1] {
            if self
                .reduction
                .independent(self.system, state, *other, taken)
            {
                self.asleep.push(*other);
            }
        }
        start
    }

    /// Takes the last state off the path.
    fn leave(&mut self) {
        if let Some(frame) = self.successors.path.pop() {
            self.asleep.truncate(frame.note.asleep);
            if let Some(position) = frame.note.stored
                && let Some(note) = self.notes.get_mut(&position)
            {
                note.on_path = false;
                if note.put_off.is_empty() {
                    self.notes.remove(&position);
                }
            }
        }
    }

    /// Stores the state just arrived at. Says where it is: new, or known before.
    fn store(&mut self) -> Result<Result<Position, Position>, StopReason> {
        let statistics = &mut self.book.statistics;
        let next = &self.successors.next;
        let (result, leads_away) = match self.store.insert(next) {
            Insertion::New(position) => {
                statistics.states += 1;
                statistics.state_bytes = statistics.state_bytes.max(next.len() as u64);
                (Ok(position), true)
            }
            Insertion::Known(position) => {
                statistics.matched += 1;
                let on_path = self.notes.get(&position).is_some_and(|note| note.on_path);
                (Err(position), !on_path)
            }
            Insertion::Full => return Err(StopReason::Memory),
        };
        if leads_away && let Some(anchor) = self.successors.path.anchor() {
            anchor.note.leads_away = true;
        }
        Ok(result)
    }

    fn note_bytes(&self) -> u64 {
        let table = self.notes.capacity() * size_of::<(Position, Note<Y::Step>)>();
        (table + self.notes.len() * STEPS_OF_NOTE) as u64
    }

    fn stack_bytes(&mut self) -> u64 {
        let asleep = self.asleep.capacity() * size_of::<Y::Step>();
        self.successors.path.bytes() + asleep as u64
    }
}
