//! Depth-first search, by one worker or by several.
//!
//! The stack holds, for every state on the current path, the state itself, the nodes of its tree,
//! its possible steps and how many of them were taken. The parts grow and shrink in vectors, so the
//! loop allocates nothing.
//!
//! Several workers share the store. A state belongs to the worker who stored it, who takes all
//! steps from it; so together they do what one would do, in another order. A worker without work
//! gets some from the bottom of another's stack, where most is left to do.

mod saved;

use std::io;

use crate::again::look_up_again;
use crate::ahead::Ahead;
use crate::alarm::Alarm;
use crate::bookkeeping::{Bookkeeping, Control, Watcher};
use crate::checkpoint::{Keeper, NotKept};
use crate::path::{Arrival, Frame, Path};
use crate::path_set::PathSet;
use crate::pool::Pool;
use crate::report::{Defect, Observer, Options, Report, Statistics, StopReason};
use crate::sequence::Long;
use crate::shared::Shared;
use crate::store::{Crowded, Folded, Insertion, Store, Tree};
use crate::system::{Outcome, Reduction, System};

/// A mark of states that were left.
const LEFT: u8 = 1;
/// This many states are given away at once, at most.
const STATES_GIVEN: usize = 256;

/// Explores everything that can be reached, or what a reduction leaves of it, with an exact store
/// and one worker.
///
/// A reduction alone preserves deadlocks. With [`Options::proviso`], more steps of a state are
/// explored as long as all of them lead back to the current path: otherwise a step left out might be
/// left out for ever around a cycle (Holzmann, Godefroid and Pirottin 1992). A state on the path all of
/// whose steps are taken does not count: what was left out is still possible there, and taken.
pub fn depth_first<Y: System, R: Reduction<Y> + Send>(
    system: &Y,
    reduction: &mut R,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Report<Y> {
    depth_first_in(
        system,
        Tree::new(),
        std::slice::from_mut(reduction),
        options,
        observer,
    )
}

/// Explores with any store, and with as many workers as there are reductions.
///
/// Several workers have no common path. For them, [`Options::proviso`] means that more steps of a
/// state are explored until one of them leads to a state that was never met before, or that was left
/// for good, or all of whose steps are taken. A new state stays on top of the one it was reached from, unless all its steps are taken:
/// only such a state is given away. So from state to state along such steps the time at which they
/// are left goes back, until one is explored in full. With one worker it means the same.
pub fn depth_first_in<Y: System, R: Reduction<Y> + Send, S: Store>(
    system: &Y,
    store: S,
    reductions: &mut [R],
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Report<Y> {
    depth_first_kept(system, store, reductions, options, observer, &mut NotKept)
        .expect("nothing is read, so nothing can be wrong with it")
}

/// The same, with a [`Keeper`] that saves the search now and then, and when a limit ends it. A search
/// that was saved is resumed with an empty store and with as many workers as it had.
pub fn depth_first_kept<Y: System, R: Reduction<Y> + Send, S: Store>(
    system: &Y,
    mut store: S,
    reductions: &mut [R],
    options: &Options<'_>,
    observer: &mut dyn Observer,
    keeper: &mut dyn Keeper,
) -> io::Result<Report<Y>> {
    let workers = reductions.len();
    let control = Control::new(options, workers);
    store.employ(reductions.len());
    let shared = Shared::new(store);
    let pool = Pool::new(workers);
    let mut watch = |statistics: &Statistics| observer.progress(statistics);
    let mut watcher: Option<Watcher<'_>> = Some(&mut watch);
    let crew = reductions
        .iter_mut()
        .enumerate()
        .map(|(number, reduction)| DepthFirst {
            system,
            book: Bookkeeping::new(system, &control, number, watcher.take()),
            shared: &shared,
            pool: &pool,
            path: (workers == 1 && (S::FORGETS || options.proviso && reduction.reduces()))
                .then(PathSet::new),
            marks: workers > 1 && options.proviso && reduction.reduces(),
            reduction,
            inside: Long::new(&control),
            before: Vec::new(),
            stack: Stack::new(system.ignored_suffix()),
            next: Vec::new(),
            nodes: Vec::new(),
            key: None,
            place: None,
            has_arrived: false,
            ahead: Ahead::new(),
            longest: options.depth.unwrap_or(usize::MAX),
            scratch: Y::Scratch::default(),
        });
    let mut crew: Vec<_> = crew.collect();
    match keeper.source() {
        Some(source) => saved::load(&mut crew, source)?,
        None => {
            shared.prepare(system);
            pool.give(Job::Start);
        }
    }
    loop {
        control.go_on(keeper.due());
        run_all(&mut crew);
        if pool.is_empty() || !control.is_worth_saving() {
            break;
        }
        keeper.keep(&mut |sink| saved::save(&crew, sink));
        if control.reason().is_some() {
            break;
        }
        pool.open();
    }
    let books: Vec<_> = crew.into_iter().map(|worker| worker.book).collect();
    let store = shared.read();
    let states = books.iter().map(|book| book.statistics.states).sum();
    let omission = store.omission_probability(states);
    let mut report = control.merge(books, store.bytes(), omission);
    if !options.all {
        report.keep_one();
    }
    for reduction in reductions {
        look_up_again(&*store, reduction);
    }
    Ok(report)
}

/// Lets all workers work until there is nothing left to do, or a pause.
fn run_all<Y: System, R: Reduction<Y> + Send, S: Store>(crew: &mut [DepthFirst<'_, Y, R, S>]) {
    std::thread::scope(|scope| {
        let mut crew = crew.iter_mut();
        let first = crew.next();
        for worker in crew {
            scope.spawn(|| worker.work());
        }
        if let Some(first) = first {
            first.work();
        }
    });
}

/// A worker. Workers stand side by side in memory, and each writes all the time.
#[repr(align(128))]
struct DepthFirst<'a, Y: System, R, S: Store> {
    system: &'a Y,
    reduction: &'a mut R,
    book: Bookkeeping<'a, Y>,
    shared: &'a Shared<S>,
    pool: &'a Pool<Job<Y::Step>>,
    /// The states on the current path, if it matters which they are.
    path: Option<PathSet>,
    /// Are states marked when they are left?
    marks: bool,
    /// States inside very long atomic sequences.
    inside: Long<'a>,
    /// The steps that lead to the bottom of the stack.
    before: Vec<Y::Step>,
    stack: Stack<Y::Step>,
    /// The state just arrived at.
    next: Vec<u8>,
    /// The nodes of its tree, its key, and where that is looked up, if they were worked out.
    nodes: Vec<u32>,
    key: Option<S::Key>,
    place: Option<u64>,
    /// Is there a state just arrived at?
    has_arrived: bool,
    /// Where the next steps of the last state on the path lead.
    ahead: Ahead<Y::Failure, S::Key>,
    /// The longest path, as far as the options and memory allow.
    longest: usize,
    scratch: Y::Scratch,
}

/// The current path.
struct Stack<S> {
    path: Path<S, Note>,
    nodes: Vec<u32>,
    /// How many bytes at the end of a state do not tell it from others.
    ignored_suffix: usize,
}

/// What is known of a state on the current path.
#[derive(Clone, Copy, Default)]
struct Note {
    /// Where the nodes of its tree begin; they end where the next ones begin.
    nodes: usize,
    /// The hash of the state, if it is in the set of those on the path.
    hash: u64,
    /// Did a step lead to a state that is not on the path, or that takes all its steps?
    leads_away: bool,
    /// Is it in the set of states on the path, or marked when it is left? Not if all its steps are taken.
    is_watched: bool,
}

/// What a worker begins with.
enum Job<S> {
    /// The initial state.
    Start,
    /// States that another worker did not get to.
    Rest {
        /// The steps from the initial state on.
        path: Vec<S>,
        states: Vec<Left<S>>,
    },
    /// What a worker was in the middle of when the search paused.
    Middle(Box<Middle<S>>),
}

/// What a worker was in the middle of.
struct Middle<S> {
    /// The steps that lead to the bottom of the stack.
    before: Vec<S>,
    stack: Stack<S>,
    /// The state just arrived at.
    next: Option<Vec<u8>>,
}

/// A state with the steps that are left to take from it.
struct Left<S> {
    /// How many steps of the path lead to it.
    depth: usize,
    state: Vec<u8>,
    steps: Vec<S>,
}

/// Why the loop was left.
enum Pause {
    /// The search is over.
    Stop(StopReason),
    /// The store has to grow.
    Crowded,
    /// Another worker waits for the store.
    Wanted,
}

impl From<StopReason> for Pause {
    fn from(reason: StopReason) -> Pause {
        Pause::Stop(reason)
    }
}

impl From<Crowded> for Pause {
    fn from(_: Crowded) -> Pause {
        Pause::Crowded
    }
}

impl<'a, Y: System, R: Reduction<Y>, S: Store> DepthFirst<'a, Y, R, S> {
    /// Takes work and does it until there is none. What it is at when the search ends, or pauses, is
    /// left in the pool.
    fn work(&mut self) {
        let (control, pool) = (self.book.control, self.pool);
        let _alarm = Alarm::new(control, || pool.close());
        // The worker that tells how far the search is may be without work, and others not.
        while let Some(job) = pool.take(|| self.book.tell()) {
            if let Err(reason) = self.do_job(job) {
                self.book.control.halt_unless_paused(reason);
                let middle = self.interrupted();
                // Nobody is to continue it now.
                self.pool.close();
                self.pool.give(Job::Middle(middle));
            }
        }
    }

    /// What this worker is in the middle of.
    fn interrupted(&mut self) -> Box<Middle<Y::Step>> {
        let empty = Stack::new(self.stack.ignored_suffix);
        self.ahead.forget();
        self.key = None;
        if !self.has_arrived {
            self.stack.path.forget_arrival();
        }
        let next = std::mem::take(&mut self.has_arrived).then(|| std::mem::take(&mut self.next));
        Box::new(Middle {
            before: std::mem::take(&mut self.before),
            stack: std::mem::replace(&mut self.stack, empty),
            next,
        })
    }

    /// Continues what some worker was in the middle of.
    fn resume(&mut self, middle: Middle<Y::Step>) -> Result<(), StopReason> {
        self.before = middle.before;
        self.stack = middle.stack;
        self.has_arrived = middle.next.is_some();
        self.next = middle.next.unwrap_or_default();
        if let Some(path) = &mut self.path {
            *path = PathSet::new();
            for (number, frame) in self.stack.path.frames.iter().enumerate() {
                if frame.note.is_watched {
                    path.insert(frame.note.hash, number, |frame| self.stack.hash(frame));
                }
            }
        }
        for (number, frame) in self.stack.path.frames.iter().enumerate() {
            let state = self.stack.path.state(number);
            self.inside.resume(frame.passing, state)?;
        }
        Ok(())
    }

    fn do_job(&mut self, job: Job<Y::Step>) -> Result<(), StopReason> {
        match job {
            Job::Start => {
                if let Err(failure) = self.system.initial(&mut self.next) {
                    return self
                        .book
                        .violation(Defect::Failure(failure), None, Vec::new);
                }
                self.has_arrived = true;
                self.explore()
            }
            Job::Rest { path, mut states } => {
                while let Some(left) = states.pop() {
                    self.before.clear();
                    self.before.extend_from_slice(&path[..left.depth]);
                    self.stack.begin(left);
                    self.ahead.forget();
                    if let Err(reason) = self.explore() {
                        self.pool.close();
                        self.pool.give(Job::Rest { path, states });
                        return Err(reason);
                    }
                }
                Ok(())
            }
            Job::Middle(middle) => {
                self.resume(*middle)?;
                self.explore()
            }
        }
    }

    /// Explores until the stack is empty, with pauses in which the store may grow.
    fn explore(&mut self) -> Result<(), StopReason> {
        loop {
            let store = self.shared.read();
            let pause = self.run(&store);
            let growths = self.shared.growths();
            drop(store);
            match pause {
                Ok(()) => return Ok(()),
                Err(Pause::Stop(reason)) => return Err(reason),
                Err(Pause::Wanted) => {}
                Err(Pause::Crowded) => {
                    let room = self.book.control.room().saturating_sub(self.inside.bytes());
                    if !self.shared.grow(growths, room) {
                        return Err(StopReason::Memory);
                    }
                }
            }
        }
    }

    /// The loop.
    fn run(&mut self, store: &S) -> Result<(), Pause> {
        // The store may have grown since.
        self.ahead.forget();
        self.place = None;
        if self.has_arrived {
            self.arrive(store)?;
        }
        while let Some(frame) = self.stack.path.frames.last_mut() {
            if self.book.is_look_due() {
                self.look(store)?;
                continue;
            }
            if frame.next == frame.limit {
                // Steps that only fail stand for nothing.
                let in_vain =
                    self.book.options.proviso && !frame.note.leads_away || !frame.leads_on;
                if frame.limit < self.stack.path.steps.len() && in_vain {
                    let state = &self.stack.path.states[frame.state..];
                    let steps = &mut self.stack.path.steps[frame.steps..];
                    let chosen = frame.limit - frame.steps;
                    let more = self.reduction.widen(self.system, state, steps, chosen);
                    frame.limit = frame.steps + more;
                    let reduced = &mut self.book.statistics.reduced;
                    *reduced = reduced.saturating_sub(u64::from(more == steps.len()));
                    continue;
                }
                self.leave(store);
                continue;
            }
            let step = self.stack.path.steps[frame.next];
            let state = &self.stack.path.states[frame.state..];
            self.system.cover(state, step, &mut self.book.covered);
            let frame = *frame;
            let outcome = self.take_step(frame, store);
            if let Some(failure) = outcome.failure {
                let path = || self.stack.taken(&self.before);
                self.book
                    .violation(Defect::Failure(failure), Some(step), path)?;
            }
            if outcome.complete {
                self.arrive(store)?;
            }
        }
        Ok(())
    }

    /// Takes the next step of the last state on the path. If it is not the first, it will mostly lead
    /// to a known state, so where the one after it leads is worked out as well.
    #[inline]
    fn take_step(&mut self, frame: Frame<Note>, store: &S) -> Outcome<Y::Failure> {
        let is_first = frame.next == frame.steps;
        let wanted = (frame.limit - frame.next).min(if is_first { 1 } else { 2 });
        while self.ahead.ready() < wanted {
            self.look_ahead(frame, store);
        }
        let successor = self.ahead.take();
        std::mem::swap(&mut self.next, &mut successor.state);
        std::mem::swap(&mut self.nodes, &mut successor.nodes);
        self.key = successor.key;
        self.place = successor.place;
        self.has_arrived = successor.outcome.complete;
        let outcome = successor.outcome;
        if let Some(frame) = self.stack.path.frames.last_mut() {
            frame.next += 1;
            frame.leads_on |= outcome.complete;
        }
        self.stack.path.forget_arrival();
        outcome
    }

    /// Works out where one more step of the last state on the path leads.
    #[inline]
    fn look_ahead(&mut self, frame: Frame<Note>, store: &S) {
        let step = self.stack.path.steps[frame.next + self.ahead.ready()];
        let state = &self.stack.path.states[frame.state..];
        let successor = self.ahead.add();
        successor.outcome =
            self.system
                .execute(&mut self.scratch, state, step, &mut successor.state);
        successor.key = None;
        if successor.outcome.complete && !self.system.is_passing(&successor.state) {
            let from = self.stack.folded(frame.anchor as usize);
            let length = successor.state.len() - self.stack.ignored_suffix;
            let identity = &successor.state[..length];
            // If the store is crowded, that will be found again when the state arrives.
            successor.key = store.fold(identity, Some(from), &mut successor.nodes).ok();
            successor.place = successor.key.and_then(|key| store.prefetch(key));
        }
    }

    /// Looks at the limits, and at what others want.
    #[cold]
    fn look(&mut self, store: &S) -> Result<(), Pause> {
        let path = self.path.as_ref().map_or(0, PathSet::bytes);
        // The way to where another worker left off is there twice: here, and in what was taken from that worker.
        let before = 2 * self.before.len() * size_of::<Y::Step>();
        let bytes = self.stack.bytes() + self.inside.bytes() + path + before as u64;
        match self.book.look(bytes, store.bytes()) {
            // A store that never grows is there to make the best of its memory: longer paths are cut.
            Err(StopReason::Memory) if S::IS_FIXED && !self.stack.path.is_empty() => {
                let top = self.stack.path.frames.len() - 1;
                let depth = self.before.len() + self.stack.path.depth_of(top) + 1;
                self.longest = self.longest.min(depth.saturating_sub(1));
            }
            result => result?,
        }
        if self.pool.is_hungry() && self.book.control.is_large() {
            self.give_away();
        }
        if self.shared.is_wanted() {
            return Err(Pause::Wanted);
        }
        Ok(())
    }

    /// Enters the state just arrived at, unless it was there before. If the store is crowded
    /// nothing has happened, and the state arrives again.
    #[inline]
    fn arrive(&mut self, store: &S) -> Result<(), Pause> {
        // A state whose key is known is not inside a sequence.
        if self.key.is_none() && !self.pass()? {
            return Ok(());
        }
        let depth = self.before.len() + self.stack.path.depth();
        let Some(hash) = self.store(store)? else {
            self.has_arrived = false;
            return Ok(());
        };
        self.has_arrived = false;
        if depth > self.longest {
            self.book.cut = true;
            return Ok(());
        }
        self.book.statistics.depth = self.book.statistics.depth.max(depth as u64);
        let first = self.stack.path.steps.len();
        let leads_on = self.stack.path.find_steps(self.system, &self.next);
        if !leads_on && !self.system.is_valid_end(&self.next) {
            let identity = &self.next[..self.next.len() - self.stack.ignored_suffix];
            self.book
                .deadlock(identity, || self.stack.arrived(&self.before))?;
        }
        if self.stack.path.steps.len() > first {
            self.enter(first, hash, store);
        } else if self.marks {
            let identity = &self.next[..self.next.len() - self.stack.ignored_suffix];
            mark(store, identity, &[], &mut self.nodes);
        }
        Ok(())
    }

    /// Follows the atomic sequence that the state just arrived at may be inside of. Says whether there is a state to be stored.
    #[inline(never)]
    fn pass(&mut self) -> Result<bool, StopReason> {
        let arrival = self.stack.path.pass(
            self.system,
            &mut self.scratch,
            &mut self.next,
            self.longest.saturating_sub(self.before.len()),
            &mut self.inside,
            &mut self.book,
        )?;
        if self.stack.path.deepest_inside > 0 {
            let depth = self.before.len() + self.stack.path.deepest_inside;
            self.book.statistics.depth = self.book.statistics.depth.max(depth as u64);
        }
        if arrival.is_stored() {
            return Ok(true);
        }
        self.has_arrived = false;
        if arrival == Arrival::Inside {
            self.ahead.forget();
            self.stack.close_nodes();
        }
        Ok(false)
    }

    /// Puts the state just arrived at on the path, with the steps that a reduction chooses.
    #[inline]
    fn enter(&mut self, first: usize, hash: u64, store: &S) {
        self.ahead.forget();
        let number = self.stack.path.frames.len();
        let steps = &mut self.stack.path.steps[first..];
        let kept = self.reduction.select(self.system, &self.next, steps);
        if kept < steps.len() {
            self.book.statistics.reduced += 1;
        }
        let is_watched = S::FORGETS || kept < steps.len();
        if let Some(path) = &mut self.path
            && is_watched
        {
            path.insert(hash, number, |frame| self.stack.hash(frame));
        }
        let note = Note {
            nodes: self.stack.nodes.len(),
            hash,
            leads_away: false,
            is_watched,
        };
        let is_whole = self.reduction.is_idle();
        self.stack
            .path
            .push(&self.next, first, kept, is_whole, note);
        self.stack.nodes.extend_from_slice(&self.nodes);
        if self.marks && !is_watched {
            let folded = self.stack.folded(number);
            mark(store, folded.state, folded.nodes, &mut self.nodes);
        }
    }

    /// Takes the last state off the path.
    #[inline]
    fn leave(&mut self, store: &S) {
        self.ahead.forget();
        if let Some(frame) = self.stack.path.frames.last() {
            let note = frame.note;
            let number = self.stack.path.frames.len() - 1;
            if self.marks && note.is_watched {
                let folded = self.stack.folded(number);
                mark(store, folded.state, folded.nodes, &mut self.nodes);
            }
            if let Some(path) = &mut self.path
                && note.is_watched
            {
                path.remove(note.hash, number, |frame| self.stack.hash(frame));
            }
            self.stack.path.pop();
            self.stack.nodes.truncate(note.nodes);
        }
    }

    /// Stores the state just arrived at, and gives its hash if it is new.
    #[inline]
    fn store(&mut self, store: &S) -> Result<Option<u64>, Pause> {
        let last = self.stack.path.frames.last();
        let anchor = last.map(|frame| frame.anchor as usize);
        let identity = &self.next[..self.next.len() - self.stack.ignored_suffix];
        let (key, place) = match self.key.take() {
            Some(key) => (key, self.place),
            None => {
                let from = anchor.map(|anchor| self.stack.folded(anchor));
                (store.fold(identity, from, &mut self.nodes)?, None)
            }
        };
        let hash = store.hash(key);
        let is_on_path = |path: &PathSet| {
            path.contains(hash, |frame| self.stack.folded(frame).state == identity)
        };
        let is_known = if S::FORGETS && self.path.as_ref().is_some_and(is_on_path) {
            true
        } else {
            let insertion = match place {
                Some(place) => store.insert_at(key, place, identity),
                None => store.insert(key, identity),
            };
            insertion? == Insertion::Known
        };
        // Whether it is on the path, or was left for good, has to be known only if more steps might have
        // to be taken.
        let is_left = || self.marks && store.mark(key, 0, 0).is_some_and(|marks| marks & LEFT != 0);
        let leads_back = |path: &PathSet| {
            path.contains(hash, |frame| {
                self.stack.path.leaves_out(frame) && self.stack.folded(frame).state == identity
            })
        };
        let leads_away = anchor.is_some_and(|anchor| self.stack.may_widen(anchor))
            && (!is_known || self.path.as_ref().is_some_and(|path| !leads_back(path)) || is_left());
        if leads_away && let Some(anchor) = anchor {
            self.stack.path.frames[anchor].note.leads_away = true;
        }
        let statistics = &mut self.book.statistics;
        if is_known {
            statistics.matched += 1;
            return Ok(None);
        }
        statistics.states += 1;
        statistics.state_bytes = statistics.state_bytes.max(self.next.len() as u64);
        Ok(Some(hash))
    }

    /// Gives half of the states that have steps left to a worker who has none, those at the bottom
    /// of the stack. Of a state whose steps were reduced, all have to be taken here.
    fn give_away(&mut self) {
        let path = &self.stack.path;
        let frames = &path.frames;
        let can_go = |number: &usize| {
            let frame = &frames[*number];
            let is_left = frame.next < frame.limit && frame.passing == 0;
            is_left && !path.leaves_out(*number)
        };
        let left: Vec<usize> = (0..frames.len())
            .filter(can_go)
            .take(2 * STATES_GIVEN)
            .collect();
        let given = &left[..left.len() / 2];
        let Some(last) = given.last() else {
            return;
        };
        let states = given.iter().map(|number| Left {
            depth: self.before.len() + path.depth_of(*number),
            state: path.state(*number).to_vec(),
            steps: path.steps[frames[*number].next..frames[*number].limit].to_vec(),
        });
        let states = states.collect();
        let before = self.before.iter().copied();
        let path = before.chain(path.taken_to(*last)).collect();
        for number in given {
            let frame = &mut self.stack.path.frames[*number];
            frame.limit = frame.next;
            frame.leads_on = true;
            frame.note.leads_away = true;
        }
        self.ahead.forget();
        self.pool.give(Job::Rest { path, states });
    }
}

/// Marks a state that was left, or all of whose steps are taken.
fn mark<S: Store>(store: &S, state: &[u8], nodes: &[u32], scratch: &mut Vec<u32>) {
    // All its nodes are there already, so there is always room.
    if let Ok(key) = store.fold(state, Some(Folded { state, nodes }), scratch) {
        store.mark(key, 0, LEFT);
    }
}

impl<S: Copy> Stack<S> {
    fn new(ignored_suffix: usize) -> Stack<S> {
        Stack {
            path: Path::new(),
            nodes: Vec::new(),
            ignored_suffix,
        }
    }

    /// Makes a state that another worker left the bottom of the stack.
    fn begin(&mut self, left: Left<S>) {
        let note = Note {
            leads_away: true,
            ..Note::default()
        };
        self.path.steps.extend_from_slice(&left.steps);
        self.path
            .push(&left.state, 0, left.steps.len(), false, note);
        self.path.frames[0].leads_on = true;
    }

    /// The last frame has no nodes: its state is not stored.
    #[inline]
    fn close_nodes(&mut self) {
        if let Some(frame) = self.path.frames.last_mut() {
            frame.note.nodes = self.nodes.len();
        }
    }

    /// The steps taken from the initial state on.
    fn taken(&self, before: &[S]) -> Vec<S> {
        [before, &self.path.taken()].concat()
    }

    /// The steps from the initial state to the one just arrived at.
    fn arrived(&self, before: &[S]) -> Vec<S> {
        [before, &self.path.arrived()].concat()
    }

    #[inline]
    fn hash(&self, frame: usize) -> u64 {
        self.path.frames[frame].note.hash
    }

    /// Are there steps of a frame that were left out, and nothing known yet that stands for them?
    #[inline]
    fn may_widen(&self, frame: usize) -> bool {
        !self.path.frames[frame].note.leads_away && self.path.leaves_out(frame)
    }

    /// What tells the state of a frame from others, and the nodes of its tree.
    #[inline]
    fn folded(&self, frame: usize) -> Folded<'_> {
        let state = self.path.state(frame);
        let frames = &self.path.frames;
        let next = frames.get(frame + 1);
        let end = next.map_or(self.nodes.len(), |next| next.note.nodes);
        Folded {
            state: &state[..state.len() - self.ignored_suffix],
            nodes: &self.nodes[frames[frame].note.nodes..end],
        }
    }

    fn bytes(&mut self) -> u64 {
        self.path.bytes() + self.nodes.len() as u64 * 4
    }
}
