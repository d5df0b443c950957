//! Strongly connected components by one worker, for whom others work ahead.
//!
//! The first worker does what [`super::components`] does, over the numbers of states. The others do what takes the time: they
//! take states that have been met and find their successors ([`super::lists`]). The first worker looks at a list that is
//! there, and makes one itself where there is none. So each state is explored once, whoever does it, and
//! it does not matter how the components lie: searches that share colours or sets of states explore a state for each worker that
//! comes to it before it is done with, which on one large component is most states.
//!
//! Nobody keeps a path of steps. For each state the table knows one that it was reached from, which is enough to find
//! the way when a violation is to be shown.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::bookkeeping::{Bookkeeping, Control, Watcher};
use crate::report::{Defect, Observer, Options, Report, Statistics, StopReason};
use crate::successors::Event;
use crate::system::{Acceptance, Reduction};

use super::crowd::Ways;
use super::gate::Gate;
use super::lists::{List, Lists, Piece};
use super::roots::{Root, join};
use super::shared_table::SharedTable;
use super::way::{Way, shortest_way};

/// States that were met are handed on this many at a time.
const HANDED_ON: usize = 64;

/// Looks for an execution that comes to accepting states again and again, and for steps that fail, with one worker for
/// each reduction.
///
/// What is said of the reduction of [`super::nested_depth_first`] holds here, too.
pub fn parallel_components<Y: Acceptance, R: Reduction<Y> + Send>(
    system: &Y,
    reductions: &mut [R],
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Report<Y> {
    let control = Control::new(options, reductions.len());
    let shared = Shared {
        table: SharedTable::new(system.ignored_suffix()),
        lists: Lists::new(),
        met: Mutex::new(VecDeque::new()),
        gate: Gate::new(options.alone == 0),
        is_over: AtomicBool::new(false),
    };
    let mut watch = |statistics: &Statistics| observer.progress(statistics);
    let mut watcher: Option<Watcher<'_>> = Some(&mut watch);
    let crew = reductions.iter_mut().enumerate();
    let crew = crew.map(|(number, reduction)| Worker {
        system,
        reduction,
        book: Bookkeeping::new(system, &control, number, watcher.take()),
        shared: &shared,
        ways: Ways::of(system),
        met: Vec::new(),
    });
    let mut crew: Vec<_> = crew.collect();
    std::thread::scope(|scope| {
        let mut crew = crew.iter_mut();
        let first = crew.next();
        for worker in crew {
            scope.spawn(|| worker.work_ahead());
        }
        if let Some(worker) = first {
            // However it ends, nobody is to wait for it.
            let _over = Over(&shared);
            Search::new(worker).work();
        }
    });
    let books = crew.into_iter().map(|worker| worker.book).collect();
    control.merge(books, shared.bytes(), 0.0)
}

/// What all workers have in common.
struct Shared {
    /// For each state, one that it was reached from (the initial one itself), with the mark of those that accept.
    table: SharedTable<Number>,
    lists: Lists,
    /// States that were met, the oldest first: those that the first worker comes to last.
    met: Mutex<VecDeque<Vec<u32>>>,
    /// Opens when there is enough to do for all.
    gate: Gate,
    is_over: AtomicBool,
}

/// The number of a state, twice, and one more if that is an accepting one.
type Number = u32;

/// Says that the search is over when it is dropped.
struct Over<'s>(&'s Shared);

impl Drop for Over<'_> {
    fn drop(&mut self) {
        self.0.is_over.store(true, Ordering::Relaxed);
        self.0.gate.open();
    }
}

impl Shared {
    fn bytes(&self) -> u64 {
        self.table.bytes() + self.lists.bytes()
    }

    /// The steps from the initial state to another.
    fn stem<Y: Acceptance, R: Reduction<Y>>(
        &self,
        system: &Y,
        reduction: &mut R,
        state: u32,
    ) -> Vec<Y::Step> {
        let mut parts = Vec::new();
        let mut at = state;
        let mut from = Vec::new();
        loop {
            let before = self.table.about(at) / 2;
            if before == at {
                break;
            }
            self.table.get(before, &mut from);
            let is_wanted = |found: &[u8]| self.table.find(found) == Some(at);
            let no_limit = |_| Ok::<(), std::convert::Infallible>(());
            let way = shortest_way(system, reduction, &from, is_wanted, |_| false, no_limit);
            let Ok(Some((steps, _))) = way else {
                unreachable!("it was reached from there")
            };
            parts.push(steps);
            at = before;
        }
        parts.into_iter().rev().flatten().collect()
    }
}

/// Finds successors of states.
struct Worker<'a, Y: Acceptance, R> {
    system: &'a Y,
    reduction: &'a mut R,
    book: Bookkeeping<'a, Y>,
    shared: &'a Shared,
    ways: Ways<Y>,
    /// States met that were not handed on yet.
    met: Vec<u32>,
}

impl<Y: Acceptance, R: Reduction<Y>> Worker<'_, Y, R> {
    /// Explores what was met, until the first worker is done.
    fn work_ahead(&mut self) {
        self.shared.gate.wait();
        let mut list = Vec::new();
        let mut piece = Piece::default();
        while !self.shared.is_over.load(Ordering::Relaxed) {
            let oldest = self
                .shared
                .met
                .lock()
                .expect("no worker panicked")
                .pop_front();
            let states = oldest.unwrap_or_else(|| std::mem::take(&mut self.met));
            if states.is_empty() {
                std::thread::yield_now();
            }
            for state in states {
                if self.shared.is_over.load(Ordering::Relaxed) {
                    break;
                }
                if self.shared.lists.ask(state) != List::Own {
                    continue;
                }
                list.clear();
                if let Err(reason) = self.expand(state, &mut list) {
                    return self.book.control.halt(reason);
                }
                self.shared.lists.make(state, &list, &mut piece);
            }
        }
    }

    /// Puts a state into the table, if it is not there, and hands it on.
    fn arrive(&mut self, state: &[u8]) -> Number {
        let from = None;
        arrive(
            self.system,
            self.shared,
            &mut self.book.statistics,
            &mut self.met,
            state,
            from,
        )
    }

    /// Takes all steps of a state, and says where they lead.
    fn expand(&mut self, number: u32, successors: &mut Vec<Number>) -> Result<(), StopReason> {
        let Worker {
            system,
            reduction,
            book,
            shared,
            ways,
            met,
        } = self;
        let mut failures = Vec::new();
        shared.table.get(number, &mut ways.next);
        let leaves_out = ways.push(*system, *reduction, number, false);
        book.statistics.reduced += u64::from(leaves_out);
        loop {
            if book.is_look_due() {
                book.look(ways.bytes(), shared.bytes())?;
                if book.control.is_large() {
                    shared.gate.open();
                }
            }
            match ways.advance(*system, book)? {
                Event::Over => break,
                Event::Exhausted => drop(ways.pop()),
                Event::Failure(failure, _) => failures.push((failure, ways.taken())),
                Event::Nothing | Event::Inside => {}
                Event::State => {
                    let statistics = &mut book.statistics;
                    let from = Some(number);
                    let next = &ways.next;
                    successors.push(arrive(*system, shared, statistics, met, next, from));
                }
            }
        }
        for (failure, steps) in failures {
            let path = || {
                let mut path = shared.stem(*system, *reduction, number);
                path.extend_from_slice(&steps);
                path
            };
            let defect = Defect::Failure(failure);
            book.violation(defect, steps.last().copied(), path)?;
        }
        Ok(())
    }
}

/// Puts a state into the table, if it is not there, and hands it on to whoever explores it first.
fn arrive<Y: Acceptance>(
    system: &Y,
    shared: &Shared,
    statistics: &mut Statistics,
    met: &mut Vec<u32>,
    state: &[u8],
    from: Option<u32>,
) -> Number {
    let first = |number| from.unwrap_or(number) * 2 + u32::from(system.is_accepting(state));
    let (number, about, is_new) = shared.table.insert(state, first);
    statistics.matched += u64::from(!is_new);
    if is_new {
        statistics.states += 1;
        statistics.state_bytes = statistics.state_bytes.max(state.len() as u64);
        met.push(number);
        if met.len() == HANDED_ON {
            let full = std::mem::replace(met, Vec::with_capacity(HANDED_ON));
            shared
                .met
                .lock()
                .expect("no worker panicked")
                .push_back(full);
        }
    }
    number * 2 + about % 2
}

/// The depth-first search of the first worker.
struct Search<'w, 'a, Y: Acceptance, R> {
    worker: &'w mut Worker<'a, Y, R>,
    /// For each state, when it was visited, from 1; or [`WHITE`] or [`CLOSED`].
    order: Vec<u32>,
    visited: u32,
    frames: Vec<Frame>,
    /// The successors that are left to look at, of all frames.
    successors: Vec<Number>,
    roots: Vec<Root>,
    /// The states of open components in the order in which they were visited.
    open: Vec<u32>,
}

const WHITE: u32 = 0;
/// The state is in a component that is done with.
const CLOSED: u32 = u32::MAX;

/// A state on the path.
struct Frame {
    state: u32,
    /// Where its successors begin.
    first: usize,
}

impl<'w, 'a, Y: Acceptance, R: Reduction<Y>> Search<'w, 'a, Y, R> {
    fn new(worker: &'w mut Worker<'a, Y, R>) -> Self {
        Search {
            worker,
            order: Vec::new(),
            visited: 0,
            frames: Vec::new(),
            successors: Vec::new(),
            roots: Vec::new(),
            open: Vec::new(),
        }
    }

    fn work(&mut self) {
        if let Err(reason) = self.run() {
            self.worker.book.control.halt(reason);
        }
    }

    fn run(&mut self) -> Result<(), StopReason> {
        let mut state = Vec::new();
        if let Err(failure) = self.worker.system.initial(&mut state) {
            let book = &mut self.worker.book;
            return book.violation(Defect::Failure(failure), None, Vec::new);
        }
        let initial = self.worker.arrive(&state);
        self.enter(initial)?;
        while let Some(frame) = self.frames.last() {
            if self.worker.book.is_look_due() {
                self.look()?;
                continue;
            }
            match self.successors.len() > frame.first {
                true => self.step()?,
                false => self.leave(),
            }
        }
        Ok(())
    }

    fn look(&mut self) -> Result<(), StopReason> {
        let own = (self.order.len() + self.successors.len() + self.open.len()) * size_of::<u32>()
            + self.frames.len() * size_of::<Frame>()
            + self.roots.len() * size_of::<Root>();
        let shared = self.worker.shared;
        self.worker.book.look(own as u64, shared.bytes())?;
        if self.worker.book.control.is_large() {
            shared.gate.open();
        }
        Ok(())
    }

    fn order(&self, state: u32) -> u32 {
        self.order.get(state as usize).copied().unwrap_or(WHITE)
    }

    /// Looks at the next successor of the last state on the path.
    fn step(&mut self) -> Result<(), StopReason> {
        let Some(next) = self.successors.pop() else {
            return Ok(());
        };
        match self.order(next / 2) {
            WHITE => self.enter(next),
            CLOSED => Ok(()),
            order => self.join(order),
        }
    }

    fn enter(&mut self, number: Number) -> Result<(), StopReason> {
        let state = number / 2;
        if self.order.len() <= state as usize {
            self.order.resize(state as usize + 1, WHITE);
        }
        let book = &mut self.worker.book;
        let depth = self.frames.len();
        if book.options.depth.is_some_and(|limit| depth > limit) {
            self.order[state as usize] = CLOSED;
            book.cut = true;
            return Ok(());
        }
        book.statistics.depth = book.statistics.depth.max(depth as u64);
        self.visited += 1;
        self.order[state as usize] = self.visited;
        self.open.push(state);
        self.roots.push(Root {
            state,
            order: self.visited,
            accepting: (number % 2 == 1).then_some(state),
            reported: false,
        });
        let first = self.successors.len();
        self.frames.push(Frame { state, first });
        let lists = &self.worker.shared.lists;
        match lists.ask(state) {
            List::Made(from, length) => {
                let entries = from..from + length as u64;
                let entries = entries.rev().map(|at| lists.entry(at));
                self.successors.extend(entries);
                Ok(())
            }
            // If somebody has begun, this is not worth waiting for.
            List::Own | List::Begun => {
                let explored = self.worker.expand(state, &mut self.successors);
                // They are taken from the end.
                self.successors[first..].reverse();
                explored
            }
        }
    }

    /// A step leads back to an open component: everything above is one component with it.
    fn join(&mut self, order: u32) -> Result<(), StopReason> {
        match join(&mut self.roots, order) {
            Some((root, accepting)) => self.cycle(root, accepting),
            None => Ok(()),
        }
    }

    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        if self
            .roots
            .last()
            .is_some_and(|root| root.state == frame.state)
        {
            self.roots.pop();
            while let Some(state) = self.open.pop() {
                self.order[state as usize] = CLOSED;
                if state == frame.state {
                    break;
                }
            }
        }
    }

    /// Shows a cycle: the way to the component, then around through the accepting state.
    fn cycle(&mut self, root: Root, accepting: u32) -> Result<(), StopReason> {
        let Worker {
            system,
            reduction,
            shared,
            ..
        } = &mut *self.worker;
        let mut steps = shared.stem(*system, *reduction, root.state);
        let from = steps.len();
        if root.state != accepting {
            let (there, _) = self.way(root.state, accepting, root.order)?;
            steps.extend(there);
        }
        let (back, _) = self.way(accepting, root.state, root.order)?;
        steps.extend(back);
        let book = &mut self.worker.book;
        book.violation(Defect::Cycle(from), None, || steps)
    }

    /// A shortest way inside the open component, of one step at least.
    fn way(&mut self, from: u32, to: u32, first: u32) -> Result<Way<Y::Step>, StopReason> {
        let order = &self.order;
        let Worker {
            system,
            reduction,
            book,
            shared,
            ..
        } = &mut *self.worker;
        let table = &shared.table;
        let mut start = Vec::new();
        table.get(from, &mut start);
        let is_inside = |number: u32| {
            let order = order.get(number as usize).copied().unwrap_or(WHITE);
            order >= first && order != CLOSED
        };
        let is_wanted = |state: &[u8]| table.find(state) == Some(to);
        let is_open = |state: &[u8]| table.find(state).is_some_and(is_inside);
        let may_go_on = |met: usize| match book.is_look_due() {
            true => book.look((order.len() * 4 + met * 64) as u64, shared.bytes()),
            false => Ok(()),
        };
        let way = shortest_way(*system, *reduction, &start, is_wanted, is_open, may_go_on)?;
        Ok(way.expect("the states of a component reach each other"))
    }
}
