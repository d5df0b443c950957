//! Breadth-first search, by one worker or by several: a violation is found by a shortest path.
//!
//! The search goes level by level. The states of a level stand in batches, which workers take one
//! after the other; what they meet for the first time is the next level. The store says what was
//! met, in whatever way it does, so states in full are kept for two levels only. How a state was reached
//! is a link of a byte or two ([`crate::links`]); a path is put together from links when it is needed.
//!
//! New states are looked up in the store some dozens at a time, so that the processor waits for all
//! of them together.

mod saved;

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::again::look_up_again;
use crate::bookkeeping::{Bookkeeping, Control, Watcher};
use crate::checkpoint::{Keeper, NotKept, damaged};
use crate::frontier::Batch;
use crate::links::{self, Links};
use crate::report::{Defect, Observer, Options, Report, Statistics, StopReason};
use crate::sequence::Long;
use crate::shared::{Held, Shared};
use crate::store::{Folded, Insertion, Store, Tree};
use crate::successors::{Event, Successors};
use crate::system::{Reduction, System};

/// This many states are looked up together.
const LOOKED_UP_TOGETHER: usize = 32;
/// A level of fewer batches is not worth sharing.
const BATCHES_ALONE: usize = 4;
/// This many looks at the limits are put off to the end of an atomic sequence; after that the search may end in the
/// middle of it, and is not saved.
const MOST_LOOKS_PUT_OFF: u32 = 64;
/// A mark of states that have been left. The others, if they are stored, are still to be explored.
const LEFT: u8 = 1;

/// Explores everything that can be reached, or what a reduction leaves of it, nearest states first,
/// with an exact store and one worker.
///
/// Length counts the states that others can see: an atomic sequence is one step, however long.
/// With [`Options::proviso`], more steps of a state are explored until one of them leads to a state
/// that is still to be explored: there, the steps left out are looked at again.
pub fn breadth_first<Y: System, R: Reduction<Y> + Send>(
    system: &Y,
    reduction: &mut R,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Report<Y> {
    breadth_first_in(
        system,
        Tree::new(),
        std::slice::from_mut(reduction),
        options,
        observer,
    )
}

/// Explores with any store that does not forget, and with as many workers as there are reductions.
///
/// Each level is finished before the next one begins, so the path is as short as with one worker.
/// The proviso holds with several workers as well: a state is marked before its first step is taken, so
/// from a state to one without the mark time goes on, and the last of them is explored in full.
pub fn breadth_first_in<Y: System, R: Reduction<Y> + Send, S: Store>(
    system: &Y,
    store: S,
    reductions: &mut [R],
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Report<Y> {
    breadth_first_kept(system, store, reductions, options, observer, &mut NotKept)
        .expect("nothing is read, so nothing can be wrong with it")
}

/// The same, with a [`Keeper`] that saves the search now and then, and when time or a user ends it.
/// One that memory ends may have done so in the middle of a state, and is not saved.
pub fn breadth_first_kept<Y: System, R: Reduction<Y> + Send, S: Store>(
    system: &Y,
    mut store: S,
    reductions: &mut [R],
    options: &Options<'_>,
    observer: &mut dyn Observer,
    keeper: &mut dyn Keeper,
) -> io::Result<Report<Y>> {
    let control = Control::new(options, reductions.len());
    store.employ(reductions.len());
    let shared = Shared::new(store);
    let mut watch = |statistics: &Statistics| observer.progress(statistics);
    let mut watcher: Option<Watcher<'_>> = Some(&mut watch);
    let crew = reductions
        .iter_mut()
        .enumerate()
        .map(|(number, reduction)| {
            let book = Bookkeeping::new(system, &control, number, watcher.take());
            BreadthFirst::new(system, &shared, reduction, book)
        });
    let mut crew: Vec<_> = crew.collect();
    let mut place = Place::default();
    let result = match keeper.source() {
        Some(source) => {
            place = saved::load(&mut crew, source)?;
            for worker in &mut crew {
                worker.is_patient = true;
            }
            Ok(())
        }
        None => {
            shared.prepare(system);
            crew[0].start(&mut place)
        }
    };
    let result = result.and_then(|()| explore(&mut crew, &mut place, keeper));
    if let Err(reason) = result {
        control.halt(reason);
    }
    if crew.iter().any(|worker| worker.is_misled) {
        return Err(damaged("a state that its steps do not lead to"));
    }
    let bytes = crew.iter().map(BreadthFirst::bytes).sum::<u64>() + place.bytes();
    let books: Vec<_> = crew.into_iter().map(|worker| worker.book).collect();
    let store = shared.read();
    let states = books.iter().map(|book| book.statistics.states).sum();
    let omission = store.omission_probability(states);
    let mut report = control.merge(books, store.bytes() + bytes, omission);
    // Of those in the same level, a deadlock is nearer than a step that fails.
    report.violations.sort_by_key(|violation| {
        let is_farther = violation.defect != Defect::Deadlock && !options.all;
        (is_farther, violation.steps.len())
    });
    if !options.all {
        report.violations.truncate(1);
        report.statistics.violations = report.violations.len() as u64;
    }
    for reduction in reductions {
        look_up_again(&*store, reduction);
    }
    Ok(report)
}

/// Level after level, until one is empty.
fn explore<Y: System, R: Reduction<Y> + Send, S: Store>(
    crew: &mut [BreadthFirst<'_, Y, R, S>],
    place: &mut Place,
    keeper: &mut dyn Keeper,
) -> Result<(), StopReason> {
    let control = crew[0].book.control;
    control.go_on(keeper.due());
    while !place.work.is_empty() {
        crew[0].common_bytes = place.bytes();
        let level = Level {
            depth: place.levels.len(),
            before: &place.levels,
            work: std::mem::take(&mut place.work),
            next: AtomicUsize::new(0),
            has_failed: AtomicBool::new(place.has_failed),
            is_read: place.is_read,
        };
        let alone = control.options.alone;
        let states: u64 = crew
            .iter()
            .map(|worker| worker.book.statistics.states)
            .sum();
        // With few batches there is not enough to share.
        if states < alone || level.work.len() < BATCHES_ALONE.min(1 + alone as usize) {
            crew[0].work(&level);
        } else {
            std::thread::scope(|scope| {
                let (first, others) = crew.split_at_mut(1);
                for worker in others {
                    scope.spawn(|| worker.work(&level));
                }
                first[0].work(&level);
            });
        }
        place.has_failed = level.has_failed.into_inner();
        let untouched = level.next.into_inner();
        for (number, mut work) in level.work.into_iter().enumerate() {
            let mut crew = crew.iter();
            let left = crew.find_map(|worker| worker.left.filter(|left| left.0 == number));
            if let Some((_, done)) = left {
                work.done = done;
            }
            if number >= untouched || left.is_some() {
                place.work.push(work);
            }
        }
        for worker in crew.iter_mut() {
            worker.left = None;
            place.add(worker);
        }
        let is_torn = crew.iter().any(|worker| worker.is_torn);
        if control.is_worth_saving() && !is_torn {
            keeper.keep(&mut |sink| saved::save(crew, place, sink));
        }
        if let Some(reason) = control.reason() {
            return Err(reason);
        }
        if control.is_paused() {
            control.go_on(keeper.due());
        }
        if place.work.is_empty() {
            if place.has_failed {
                return Err(StopReason::Violation);
            }
            place.next_level();
        }
    }
    Ok(())
}

/// How far the search is, while no worker is at work.
#[derive(Default)]
struct Place {
    /// The links into each level but the first, up to the one at hand.
    levels: Vec<Vec<Links>>,
    link_bytes: u64,
    /// What is left of the level at hand.
    work: Vec<Work>,
    /// What was met of the next one, and how.
    met: Vec<Batch>,
    links: Vec<Links>,
    /// Did a step from the level at hand fail?
    has_failed: bool,
    /// Was it read from a checkpoint?
    is_read: bool,
}

/// Some states of a level.
struct Work {
    /// The number of the first one.
    first: u64,
    /// This many were left already.
    done: u64,
    batch: Batch,
}

impl Place {
    /// Takes what a worker met.
    fn add<Y: System, R, S: Store>(&mut self, worker: &mut BreadthFirst<'_, Y, R, S>) {
        if let Some(last) = worker.met.last_mut() {
            last.close();
        }
        self.met.append(&mut worker.met);
        worker.met_bytes = 0;
        let mut links = std::mem::take(&mut worker.links);
        if links.count() > 0 {
            links.close();
            self.link_bytes += links.bytes();
            self.links.push(links);
        }
    }

    /// What was met is what is to be left now.
    fn next_level(&mut self) {
        let mut first = 0;
        for batch in self.met.drain(..) {
            let count = batch.count();
            self.work.push(Work {
                first,
                done: 0,
                batch,
            });
            first += count;
        }
        self.levels.push(std::mem::take(&mut self.links));
    }

    fn bytes(&self) -> u64 {
        let work = self.work.iter().map(|work| work.batch.bytes());
        let met = self.met.iter().map(Batch::bytes);
        self.link_bytes + work.chain(met).sum::<u64>()
    }
}

/// What the workers share of a level.
struct Level<'a> {
    /// How far its states are from the initial one.
    depth: usize,
    /// The links into the levels before, and into this one.
    before: &'a [Vec<Links>],
    /// Its states.
    work: Vec<Work>,
    /// The next batch to take.
    next: AtomicUsize,
    /// Did a step fail, so that this is the last level? A deadlock in it is nearer still.
    has_failed: AtomicBool,
    /// Were links read from a checkpoint?
    is_read: bool,
}

/// A worker. Workers stand side by side in memory, and each writes all the time.
#[repr(align(128))]
struct BreadthFirst<'a, Y: System, R, S: Store> {
    system: &'a Y,
    reduction: &'a mut R,
    book: Bookkeeping<'a, Y>,
    shared: &'a Shared<S>,
    /// Does it matter which states have been left?
    marks: bool,
    /// The states met for the first time in this level.
    met: Vec<Batch>,
    met_bytes: u64,
    /// How they were reached.
    links: Links,
    /// States still to be looked up.
    pending: Pending<S::Key>,
    /// The state at hand.
    parent: Parent,
    /// Did a step from it lead to a state that is still to be explored?
    leads_away: bool,
    /// The state at hand, and atomic sequences that begin there.
    successors: Successors<Y, (), Long<'a>>,
    /// The steps of the state at hand before a reduction changed their order.
    order: Vec<Y::Step>,
    /// The nodes of the tree of the state just arrived at.
    nodes: Vec<u32>,
    /// The bytes of levels and links, known to the first worker.
    common_bytes: u64,
    look_is_due: bool,
    /// Where it stopped: which batch of the level, and how many of its states were left.
    left: Option<(usize, u64)>,
    /// Did it stop in the middle of a state that cannot be left once more?
    is_torn: bool,
    /// Is the search resumed, and has this worker not left a state since? Then it does, however long that takes: a time that is too short
    /// for one state would never be enough.
    is_patient: bool,
    /// Did links that were read lead to another state?
    is_misled: bool,
}

/// The state at hand.
#[derive(Default)]
struct Parent {
    /// Its number in its level.
    number: u64,
    state: Vec<u8>,
    /// The nodes of its tree.
    nodes: Vec<u32>,
}

/// States that were met and are still to be looked up.
struct Pending<K> {
    keys: Vec<K>,
    /// Each state's parent, and where it ends in `states` and its choices end in `choices`.
    ends: Vec<(u64, usize, usize)>,
    states: Vec<u8>,
    choices: Vec<u32>,
}

impl<'a, Y: System, R: Reduction<Y>, S: Store> BreadthFirst<'a, Y, R, S> {
    fn new(
        system: &'a Y,
        shared: &'a Shared<S>,
        reduction: &'a mut R,
        book: Bookkeeping<'a, Y>,
    ) -> Self {
        let successors = Successors::new(Long::new(book.control), None);
        BreadthFirst {
            system,
            marks: book.options.proviso && reduction.reduces(),
            reduction,
            book,
            shared,
            met: Vec::new(),
            met_bytes: 0,
            links: Links::default(),
            pending: Pending {
                keys: Vec::new(),
                ends: Vec::new(),
                states: Vec::new(),
                choices: Vec::new(),
            },
            parent: Parent::default(),
            leads_away: false,
            successors,
            order: Vec::new(),
            nodes: Vec::new(),
            common_bytes: 0,
            look_is_due: false,
            left: None,
            is_torn: false,
            is_patient: false,
            is_misled: false,
        }
    }

    /// The first level: the initial state.
    fn start(&mut self, place: &mut Place) -> Result<(), StopReason> {
        if let Err(failure) = self.system.initial(&mut self.successors.next) {
            return self
                .book
                .violation(Defect::Failure(failure), None, Vec::new);
        }
        let mut store = Held::new(self.shared);
        self.arrive(&mut store)?;
        self.look_up(&mut store, 0)?;
        place.add(self);
        place.next_level();
        // Nothing leads to the initial state.
        place.levels.clear();
        Ok(())
    }

    /// Takes batches of a level and leaves their states. An end to the search is an end for all.
    fn work(&mut self, level: &Level<'_>) {
        let mut store = Held::new(self.shared);
        if let Err(reason) = self.leave_batches(level, &mut store) {
            self.is_torn |= self.left.is_none();
            if reason == StopReason::Violation {
                // What was met is counted; that there is no room for more does not matter now.
                let _ = self.look_up(&mut store, level.depth + 1);
            }
            self.book.control.halt_unless_paused(reason);
        }
    }

    fn leave_batches(
        &mut self,
        level: &Level<'_>,
        store: &mut Held<'_, S>,
    ) -> Result<(), StopReason> {
        let mut state = Vec::new();
        loop {
            // Who comes too late leaves the number as it is.
            let taken = level
                .next
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |number| {
                    (number < level.work.len()).then_some(number + 1)
                });
            let Ok(number) = taken else {
                return self.look_up(store, level.depth + 1);
            };
            let work = &level.work[number];
            let mut reader = work.batch.read();
            for done in 0..work.batch.count() {
                reader.next(&mut state);
                if done < work.done {
                    continue;
                }
                store.give_way();
                if self.book.is_look_due() || self.look_is_due {
                    self.look_up(store, level.depth + 1)?;
                    if let Err(reason) = self.look(store) {
                        self.left = Some((number, done));
                        return Err(reason);
                    }
                }
                self.parent.number = work.first + done;
                self.enter(&state, level)?;
                if level.has_failed.load(Ordering::Relaxed) {
                    continue;
                }
                let violations = self.book.statistics.violations;
                match self.expand(&state, level, store) {
                    // It is the nearest one but for a deadlock.
                    Err(StopReason::Violation) => {
                        self.look_up(store, level.depth + 1)?;
                        level.has_failed.store(true, Ordering::Relaxed);
                    }
                    // In the middle of a long sequence. Whoever resumes the search leaves the state once more.
                    Err(reason @ (StopReason::Time | StopReason::Interrupted))
                        if !self.is_misled =>
                    {
                        self.look_up(store, level.depth + 1)?;
                        self.book.statistics.violations = violations;
                        self.left = Some((number, done));
                        return Err(reason);
                    }
                    result => result?,
                }
                self.is_patient = false;
            }
        }
    }

    /// Looks at the limits.
    #[cold]
    fn look(&mut self, store: &mut Held<'_, S>) -> Result<(), StopReason> {
        self.look_is_due = false;
        let store_bytes = store.ask(|| 0, |store| Ok(store.bytes()))?;
        let bytes = self.bytes() + self.common_bytes;
        self.book.look(bytes, store_bytes)
    }

    /// Finds the steps of a state, and a deadlock if there are none.
    fn enter(&mut self, state: &[u8], level: &Level<'_>) -> Result<(), StopReason> {
        self.successors.clear();
        let path = &mut self.successors.path;
        let leads_on = self.system.enabled(state, &mut path.steps);
        if leads_on || self.system.is_valid_end(state) {
            return Ok(());
        }
        self.violation(Defect::Deadlock, None, state, level)
    }

    /// Notes a violation. The links to the state at hand must lead there: a checkpoint in which they do not is forged.
    fn violation(
        &mut self,
        defect: Defect<Y::Failure>,
        last: Option<Y::Step>,
        state: &[u8],
        level: &Level<'_>,
    ) -> Result<(), StopReason> {
        let number = self.parent.number;
        let is_misled = &mut self.is_misled;
        let steps = || {
            let (mut path, leads_there) = links::path(self.system, level.before, number, state);
            *is_misled |= level.is_read && !leads_there;
            path.extend(self.successors.path.taken());
            path
        };
        let result = self.book.violation(defect, last, steps);
        if self.is_misled {
            self.book.control.halt(StopReason::Interrupted);
            return Err(StopReason::Interrupted);
        }
        result
    }

    /// Takes the steps from a state. Those into atomic sequences are followed, depth-first, to the
    /// sequences' ends.
    fn expand(
        &mut self,
        state: &[u8],
        level: &Level<'_>,
        store: &mut Held<'_, S>,
    ) -> Result<(), StopReason> {
        let all = self.successors.path.steps.len();
        let limit = self.book.options.depth;
        if limit.is_some_and(|limit| level.depth >= limit) {
            self.book.cut |= all > 0;
            return Ok(());
        }
        if all == 0 {
            return Ok(());
        }
        self.fold_parent(state, store)?;
        self.leads_away = false;
        let mut looks_put_off = 0;
        let Successors { path, inside, .. } = &mut self.successors;
        inside.clear();
        self.order.clear();
        if self.reduction.reduces() {
            self.order.extend_from_slice(&path.steps);
        }
        let mut chosen = self.reduction.select(self.system, state, &mut path.steps);
        path.push(state, 0, chosen, self.order.is_empty(), ());
        loop {
            if self.book.is_look_due() {
                self.book.put_off_look();
                self.look_is_due = true;
                looks_put_off += 1;
                if looks_put_off > MOST_LOOKS_PUT_OFF {
                    match self.is_patient {
                        true => self.book.control.end_if_stopped()?,
                        false => self.book.control.end_if_over()?,
                    }
                }
            }
            match self.successors.advance(self.system, &mut self.book)? {
                Event::Exhausted if self.successors.path.frames.len() > 1 => {
                    self.successors.path.pop();
                }
                Event::Exhausted if chosen < all => {
                    self.look_up(store, level.depth + 1)?;
                    let path = &mut self.successors.path;
                    // Steps that only fail stand for nothing.
                    let stands = self.leads_away || !self.book.options.proviso;
                    if path.frames[0].leads_on && stands {
                        self.book.statistics.reduced += 1;
                        return Ok(());
                    }
                    let steps = &mut path.steps[..all];
                    chosen = self.reduction.widen(self.system, state, steps, chosen);
                    path.frames[0].limit = chosen;
                }
                Event::Exhausted | Event::Over => return Ok(()),
                Event::Failure(failure, step) => {
                    self.violation(Defect::Failure(failure), Some(step), state, level)?;
                }
                Event::Nothing | Event::Inside => {}
                Event::State => {
                    self.arrive(store)?;
                    if self.pending.keys.len() >= LOOKED_UP_TOGETHER {
                        self.look_up(store, level.depth + 1)?;
                    }
                }
            }
        }
    }

    /// Folds the state at hand, so that those it leads to are folded with less work.
    fn fold_parent(&mut self, state: &[u8], store: &mut Held<'_, S>) -> Result<(), StopReason> {
        let control = self.book.control;
        let identity = &state[..state.len() - self.system.ignored_suffix()];
        let marks = self.marks;
        store.ask(
            || control.room(),
            |store| {
                let from = Folded {
                    state: &self.parent.state,
                    nodes: &self.parent.nodes,
                };
                let key = store.fold(identity, Some(from), &mut self.nodes)?;
                if marks {
                    store.mark(key, 0, LEFT);
                }
                Ok(())
            },
        )?;
        self.parent.state.clear();
        self.parent.state.extend_from_slice(identity);
        std::mem::swap(&mut self.parent.nodes, &mut self.nodes);
        Ok(())
    }

    /// Puts the state just arrived at among those to be looked up.
    #[inline]
    fn arrive(&mut self, store: &mut Held<'_, S>) -> Result<(), StopReason> {
        let control = self.book.control;
        let Successors { path, next, .. } = &self.successors;
        let identity = &next[..next.len() - self.system.ignored_suffix()];
        let key = store.ask(
            || control.room(),
            |store| {
                let from = Folded {
                    state: &self.parent.state,
                    nodes: &self.parent.nodes,
                };
                let key = store.fold(identity, Some(from), &mut self.nodes)?;
                store.prefetch(key);
                Ok(key)
            },
        )?;
        let pending = &mut self.pending;
        pending.keys.push(key);
        pending.states.extend_from_slice(next);
        for (number, frame) in path.frames.iter().enumerate() {
            let steps = &path.steps[frame.steps..path.steps_end(number)];
            if steps.len() > 1 {
                let taken = frame.next - frame.steps - 1;
                // Of the state at hand, in the order of the system.
                let is_at = |other: &Y::Step| *other == steps[taken];
                let taken = match number == 0 && !self.order.is_empty() {
                    true => self.order.iter().position(is_at),
                    false => Some(taken),
                };
                let taken = taken.expect("a reduction leaves the steps what they are");
                pending.choices.push(taken as u32);
            }
        }
        let ends = (
            self.parent.number,
            pending.states.len(),
            pending.choices.len(),
        );
        pending.ends.push(ends);
        Ok(())
    }

    /// Looks up the states that were met, and notes those that are new: they are in level `depth`.
    fn look_up(&mut self, store: &mut Held<'_, S>, depth: usize) -> Result<(), StopReason> {
        let control = self.book.control;
        let suffix = self.system.ignored_suffix();
        let (mut start, mut first_choice) = (0, 0);
        for (key, (parent, end, last_choice)) in self.pending.keys.iter().zip(&self.pending.ends) {
            let state = &self.pending.states[start..*end];
            let choices = &self.pending.choices[first_choice..*last_choice];
            (start, first_choice) = (*end, *last_choice);
            let identity = &state[..state.len() - suffix];
            let asks = self.marks && !self.leads_away && *parent == self.parent.number;
            let (insertion, is_open) = store.ask(
                || control.room(),
                |store| {
                    let insertion = store.insert(*key, identity)?;
                    let is_open = asks
                        && insertion == Insertion::Known
                        && store
                            .mark(*key, 0, 0)
                            .is_some_and(|marks| marks & LEFT == 0);
                    Ok((insertion, is_open))
                },
            )?;
            let statistics = &mut self.book.statistics;
            if insertion == Insertion::Known {
                statistics.matched += 1;
                self.leads_away |= is_open;
                continue;
            }
            self.leads_away |= *parent == self.parent.number;
            statistics.states += 1;
            statistics.state_bytes = statistics.state_bytes.max(state.len() as u64);
            statistics.depth = statistics.depth.max(depth as u64);
            self.links.push(*parent, choices);
            match self.met.last_mut() {
                Some(batch) if !batch.is_full() => batch.push(state),
                last => {
                    if let Some(batch) = last {
                        batch.close();
                        self.met_bytes += batch.bytes();
                    }
                    let mut batch = Batch::default();
                    batch.push(state);
                    self.met.push(batch);
                }
            }
        }
        self.pending.clear();
        Ok(())
    }

    /// The bytes that this worker takes.
    fn bytes(&self) -> u64 {
        self.met_bytes + self.links.bytes() + self.successors.inside.bytes()
    }
}

impl<K> Pending<K> {
    fn clear(&mut self) {
        self.keys.clear();
        self.ends.clear();
        self.states.clear();
        self.choices.clear();
    }
}
