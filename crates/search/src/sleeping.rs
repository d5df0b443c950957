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
use crate::system::{Reduction, System};

/// An atomic sequence of this many steps might never end: from here on its states are stored, so
/// that a cycle is noticed.
const LONG_SEQUENCE: u32 = 1000;
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
        passing: Exact::new(0, options.memory),
        notes: RapidHashMap::default(),
        frames: Vec::new(),
        states: Vec::new(),
        steps: Vec::new(),
        asleep: Vec::new(),
        next: Vec::new(),
        scratch: Y::Scratch::default(),
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
    /// States inside very long atomic sequences.
    passing: Exact,
    /// Of states on the path, and of states where a step slept.
    notes: RapidHashMap<Position, Note<Y::Step>>,
    frames: Vec<Frame>,
    states: Vec<u8>,
    steps: Vec<Y::Step>,
    /// What sleeps in each state of the path, one after the other.
    asleep: Vec<Y::Step>,
    /// The state just arrived at.
    next: Vec<u8>,
    scratch: Y::Scratch,
}

/// What is known of a stored state.
struct Note<S> {
    on_path: bool,
    /// Steps that were to be taken but slept.
    put_off: Vec<S>,
}

/// A state on the current path. Its parts end where those of the next frame begin.
#[derive(Clone, Copy)]
struct Frame {
    state: usize,
    /// First those to be taken, then those of the chosen ones that sleep, then the rest.
    steps: usize,
    asleep: usize,
    next: usize,
    /// The steps before this one are to be taken.
    limit: usize,
    /// The steps before this one are chosen.
    chosen: usize,
    /// Where the state is stored, if it is and this is its first frame on the path.
    stored: Option<Position>,
    /// The frame of the last stored state on the path, this one or one below.
    anchor: usize,
    /// Is it a state in the middle of an atomic sequence?
    passing: u32,
    leads_away: bool,
    leads_on: bool,
}

impl<Y: System, R: Reduction<Y>> Sleeping<'_, Y, R> {
    fn run(&mut self) -> Result<(), StopReason> {
        if let Err(failure) = self.system.initial(&mut self.next) {
            return self
                .book
                .violation(Defect::Failure(failure), None, Vec::new);
        }
        self.arrive()?;
        while let Some(frame) = self.frames.last().copied() {
            if self.book.is_look_due() {
                let bytes = self.passing.bytes() + self.note_bytes() + self.stack_bytes();
                self.book.look(bytes, self.store.bytes())?;
                continue;
            }
            if frame.next == frame.limit {
                if !self.widen(frame) {
                    self.leave();
                }
                continue;
            }
            let step = self.steps[frame.next];
            let top = self.frames.len() - 1;
            self.frames[top].next += 1;
            let state = &self.states[frame.state..];
            self.system.cover(state, step, &mut self.book.covered);
            let outcome = self
                .system
                .execute(&mut self.scratch, state, step, &mut self.next);
            self.frames[top].leads_on |= outcome.complete;
            if let Some(failure) = outcome.failure {
                let path = || path(&self.frames, &self.steps);
                self.book
                    .violation(Defect::Failure(failure), Some(step), path)?;
            }
            if outcome.complete {
                self.arrive()?;
            }
        }
        Ok(())
    }

    /// Adds steps to those of a frame if the property needs more. Says whether it did.
    fn widen(&mut self, frame: Frame) -> bool {
        let all = self.steps.len();
        let slept = frame.chosen > frame.limit;
        // Steps that only fail stand for nothing; one that sleeps has led on elsewhere.
        let in_vain = self.book.options.proviso && !frame.leads_away || !frame.leads_on && !slept;
        if frame.chosen == all || !in_vain || frame.stored.is_none() {
            return false;
        }
        let state = &self.states[frame.state..];
        let steps = &mut self.steps[frame.steps..];
        let chosen = frame.chosen - frame.steps;
        let more = frame.steps + self.reduction.widen(self.system, state, steps, chosen);
        self.book.statistics.reduced -= u64::from(more == all);
        // Those that slept already go behind the new ones.
        self.steps[frame.limit..more].rotate_left(frame.chosen - frame.limit);
        let top = self.frames.len() - 1;
        self.frames[top].chosen = more;
        let fresh = frame.limit..more - (frame.chosen - frame.limit);
        let awake = self.put_off(fresh, frame.asleep, frame.stored);
        self.frames[top].limit = frame.limit + awake;
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
        let mut awake = range.start;
        for position in range.clone() {
            let step = self.steps[position];
            if self.asleep[asleep..].contains(&step) {
                if let Some(note) = stored.and_then(|stored| self.notes.get_mut(&stored)) {
                    note.put_off.push(step);
                }
            } else {
                self.steps[awake..=position].rotate_right(1);
                awake += 1;
            }
        }
        awake - range.start
    }

    /// Enters the state just arrived at, unless everything was done there before.
    fn arrive(&mut self) -> Result<(), StopReason> {
        let mut passing = match self.frames.last() {
            Some(frame) if self.system.is_passing(&self.next) => frame.passing + 1,
            _ => 0,
        };
        let mut stored = None;
        if passing == 0 {
            match self.store()? {
                Ok(position) => stored = Some(position),
                Err(position) => return self.wake(position),
            }
        } else {
            self.book.statistics.atomic_steps += 1;
            // Inside one sequence the same steps sleep everywhere, so a state that was met in it need not be
            // explored again. In another sequence other steps may sleep, and what they lead to was left out.
            if passing == 1 && !self.passing.is_empty() {
                self.passing = Exact::new(0, self.book.options.memory);
            }
            if passing > LONG_SEQUENCE {
                match self.passing.insert(&self.next) {
                    Insertion::New(_) => {}
                    Insertion::Known(_) => return Ok(()),
                    Insertion::Full => return Err(StopReason::Memory),
                }
            }
        }
        let depth = self.frames.len();
        if self.book.options.depth.is_some_and(|limit| depth > limit) {
            self.book.cut = true;
            return Ok(());
        }
        self.book.statistics.depth = self.book.statistics.depth.max(depth as u64);
        let first = self.steps.len();
        let mut leads_on = self.system.enabled(&self.next, &mut self.steps);
        if !leads_on && passing != 0 {
            passing = 0;
            self.steps.truncate(first);
            self.system.settle(&mut self.next);
            match self.store()? {
                Ok(position) => stored = Some(position),
                Err(position) => return self.wake(position),
            }
            leads_on = self.system.enabled(&self.next, &mut self.steps);
        }
        if !leads_on && !self.system.is_valid_end(&self.next) {
            let path = || path(&self.frames, &self.steps);
            self.book.violation(Defect::Deadlock, None, path)?;
        }
        if self.steps.len() > first {
            let asleep = self.fall_asleep();
            let mut chosen = self.steps.len() - first;
            if stored.is_some() {
                let steps = &mut self.steps[first..];
                chosen = self.reduction.select(self.system, &self.next, steps);
                self.book.statistics.reduced += u64::from(chosen < steps.len());
            }
            self.enter(first, chosen, asleep, stored, passing);
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
        let asleep = self.fall_asleep();
        let Some(note) = self.notes.get_mut(&position) else {
            return Ok(());
        };
        let first = self.steps.len();
        let now = &self.asleep[asleep..];
        let steps = &mut self.steps;
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
        let chosen = self.steps.len() - first;
        if chosen == 0 {
            self.asleep.truncate(asleep);
            return Ok(());
        }
        self.enter(first, chosen, asleep, None, 0);
        Ok(())
    }

    /// Puts the state just arrived at on the path.
    fn enter(
        &mut self,
        first: usize,
        chosen: usize,
        asleep: usize,
        stored: Option<Position>,
        passing: u32,
    ) {
        let mut anchor = self.frames.len();
        if passing != 0 {
            anchor = self.frames.last().map_or(0, |frame| frame.anchor);
        }
        let mut limit = first + chosen;
        if let Some(position) = stored {
            let note = Note {
                on_path: true,
                put_off: Vec::new(),
            };
            self.notes.insert(position, note);
            limit = first + self.put_off(first..first + chosen, asleep, stored);
        }
        self.frames.push(Frame {
            state: self.states.len(),
            steps: first,
            asleep,
            next: first,
            limit,
            chosen: first + chosen,
            stored,
            anchor,
            passing,
            leads_away: false,
            leads_on: false,
        });
        self.states.extend_from_slice(&self.next);
    }

    /// Works out what sleeps in the state just arrived at, and says where that begins: what slept in
    /// the state before, and what was explored there before the step just taken, if independent of
    /// that step.
    fn fall_asleep(&mut self) -> usize {
        let start = self.asleep.len();
        let Some(frame) = self.frames.last().copied() else {
            return start;
        };
        if frame.passing != 0 {
            self.asleep.extend_from_within(frame.asleep..start);
            return start;
        }
        let state = &self.states[frame.state..];
        let taken = self.steps[frame.next - 1];
        for position in frame.asleep..start {
            let other = self.asleep[position];
            if self.reduction.independent(self.system, state, other, taken) {
                self.asleep.push(other);
            }
        }
        for position in frame.steps..frame.next - 1 {
            let other = self.steps[position];
            if self.reduction.independent(self.system, state, other, taken) {
                self.asleep.push(other);
            }
        }
        start
    }

    /// Takes the last state off the path.
    fn leave(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.states.truncate(frame.state);
            self.steps.truncate(frame.steps);
            self.asleep.truncate(frame.asleep);
            if let Some(position) = frame.stored
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
        let (result, leads_away) = match self.store.insert(&self.next) {
            Insertion::New(position) => {
                statistics.states += 1;
                statistics.state_bytes = statistics.state_bytes.max(self.next.len() as u64);
                (Ok(position), true)
            }
            Insertion::Known(position) => {
                statistics.matched += 1;
                let on_path = self.notes.get(&position).is_some_and(|note| note.on_path);
                (Err(position), !on_path)
            }
            Insertion::Full => return Err(StopReason::Memory),
        };
        if leads_away && let Some(frame) = self.frames.last() {
            let anchor = frame.anchor;
            self.frames[anchor].leads_away = true;
        }
        Ok(result)
    }

    fn note_bytes(&self) -> u64 {
        let table = self.notes.capacity() * size_of::<(Position, Note<Y::Step>)>();
        (table + self.notes.len() * STEPS_OF_NOTE) as u64
    }

    fn stack_bytes(&self) -> u64 {
        (self.frames.capacity() * size_of::<Frame>()
            + self.states.capacity()
            + (self.steps.capacity() + self.asleep.capacity()) * size_of::<Y::Step>())
            as u64
    }
}

/// The steps taken from the initial state on.
fn path<S: Copy>(frames: &[Frame], steps: &[S]) -> Vec<S> {
    frames.iter().map(|frame| steps[frame.next - 1]).collect()
}
