//! Strongly connected components by several workers (Bloemen, Laarman and van de Pol 2016).
//!
//! Each worker searches depth-first, in an order of its own, over sets of states that are known to be strongly
//! connected ([`super::union_find`]). A step into a set on the worker's path joins all sets above it, for every
//! worker; if the joined set accepts, there is a cycle. A state that one worker has explored is explored for all, even
//! while its component is not known in full yet: this is what nested searches cannot share.
//!
//! Nobody keeps a path of steps. For each state the table knows one that it was reached from, which is enough to find
//! the way when a violation is to be shown.

use crate::bookkeeping::{Bookkeeping, Control, Watcher};
use crate::report::{Defect, Observer, Options, Report, Statistics, StopReason};
use crate::system::{Acceptance, Reduction};

use super::expansion::{Event, Expansion};
use super::gate::Gate;
use super::shared_table::SharedTable;
use super::union_find::{Claim, MOST_WORKERS, UnionFind};
use super::way::{Way, shortest_way};

/// Looks for an execution that comes to accepting states again and again, and for steps that fail, with one worker for
/// each reduction. There are at most 62.
///
/// What is said of the reduction of [`super::nested_depth_first`] holds here, too.
pub fn parallel_components<Y: Acceptance, R: Reduction<Y> + Send>(
    system: &Y,
    reductions: &mut [R],
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Report<Y> {
    let workers = reductions.len().min(MOST_WORKERS);
    let control = Control::new(options, workers);
    let shared = Shared {
        table: SharedTable::new(system.ignored_suffix()),
        sets: UnionFind::new(),
        gate: Gate::new(options.alone == 0),
    };
    let mut watch = |statistics: &Statistics| observer.progress(statistics);
    let mut watcher: Option<Watcher<'_>> = Some(&mut watch);
    let crew = reductions.iter_mut().take(workers).enumerate();
    let crew = crew.map(|(number, reduction)| Worker {
        system,
        reduction,
        book: Bookkeeping::new(system, &control, number, watcher.take()),
        shared: &shared,
        number,
        frames: Vec::new(),
        successors: Vec::new(),
        roots: Vec::new(),
        state: Vec::new(),
        expansion: Expansion::new(),
    });
    let mut crew: Vec<_> = crew.collect();
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
    let books = crew.into_iter().map(|worker| worker.book).collect();
    control.merge(books, shared.bytes(), 0.0)
}

/// What all workers have in common.
struct Shared {
    /// For each state, one that it was reached from; the initial one itself.
    table: SharedTable<u32>,
    sets: UnionFind,
    /// Opens when there is enough to do for all.
    gate: Gate,
}

struct Worker<'a, Y: Acceptance, R> {
    system: &'a Y,
    reduction: &'a mut R,
    book: Bookkeeping<'a, Y>,
    shared: &'a Shared,
    number: usize,
    frames: Vec<Frame>,
    /// The successors that are left to look at, of all frames.
    successors: Vec<u32>,
    /// A state of each set on the path.
    roots: Vec<u32>,
    state: Vec<u8>,
    expansion: Expansion<Y>,
}

/// A state that the worker came to.
struct Frame {
    state: u32,
    /// The state of its set that is being explored.
    picked: u32,
    /// Where its successors begin.
    first: usize,
}

impl<Y: Acceptance, R: Reduction<Y>> Worker<'_, Y, R> {
    fn work(&mut self) {
        if self.number > 0 {
            self.shared.gate.wait();
        }
        if let Err(reason) = self.run() {
            self.book.control.halt(reason);
        }
        self.shared.gate.open();
    }

    fn run(&mut self) -> Result<(), StopReason> {
        let mut state = Vec::new();
        if let Err(failure) = self.system.initial(&mut state) {
            // One worker is enough to say so.
            return match self.number {
                0 => self
                    .book
                    .violation(Defect::Failure(failure), None, Vec::new),
                _ => Ok(()),
            };
        }
        let statistics = &mut self.book.statistics;
        let initial = self.shared.arrive(self.system, &state, None, statistics);
        if self.shared.sets.claim(initial, self.number) == Claim::New {
            self.enter(initial)?;
        }
        while let Some(frame) = self.frames.last() {
            if self.book.is_look_due() {
                self.look()?;
                continue;
            }
            let (state, picked, first) = (frame.state, frame.picked, frame.first);
            let sets = &self.shared.sets;
            if sets.is_done(picked) {
                // Somebody else was faster.
                self.successors.truncate(first);
            }
            match (self.successors.len() > first)
                .then(|| self.successors.pop())
                .flatten()
            {
                Some(next) => self.step(state, next)?,
                None => {
                    sets.done(picked);
                    self.go_on(state)?;
                }
            }
        }
        Ok(())
    }

    fn look(&mut self) -> Result<(), StopReason> {
        let own = self.frames.len() * size_of::<Frame>()
            + (self.successors.len() + self.roots.len()) * size_of::<u32>();
        self.book.look(own as u64, self.shared.bytes())?;
        if self.book.control.is_large() {
            self.shared.gate.open();
        }
        Ok(())
    }

    /// Looks at a step from the set of a state to another state.
    fn step(&mut self, state: u32, next: u32) -> Result<(), StopReason> {
        let sets = &self.shared.sets;
        let limit = self.book.options.depth;
        if limit.is_some_and(|limit| self.frames.len() > limit) {
            self.book.cut |= !sets.is_dead(next);
            return Ok(());
        }
        match sets.claim(next, self.number) {
            Claim::Dead => Ok(()),
            Claim::New => self.enter(next),
            Claim::OnPath => {
                while !sets.is_same(next, state) {
                    let above = self.roots.pop();
                    let (Some(above), Some(below)) = (above, self.roots.last()) else {
                        unreachable!("a set on the path is below all above it");
                    };
                    sets.unite(above, *below);
                }
                match sets.is_accepting(state) && sets.report(state) {
                    true => self.cycle(state),
                    false => Ok(()),
                }
            }
        }
    }

    fn enter(&mut self, state: u32) -> Result<(), StopReason> {
        self.roots.push(state);
        self.frames.push(Frame {
            state,
            picked: state,
            first: self.successors.len(),
        });
        let depth = self.frames.len() as u64;
        self.book.statistics.depth = self.book.statistics.depth.max(depth);
        self.go_on(state)
    }

    /// Explores one more state of the set of the last frame, or leaves it for good.
    fn go_on(&mut self, state: u32) -> Result<(), StopReason> {
        let Some(picked) = self.shared.sets.pick(state) else {
            self.frames.pop();
            if self.roots.last() == Some(&state) {
                self.roots.pop();
            }
            return Ok(());
        };
        if let Some(frame) = self.frames.last_mut() {
            frame.picked = picked;
        }
        self.expand(picked)
    }

    /// Takes all steps of a state, and remembers where they lead.
    fn expand(&mut self, number: u32) -> Result<(), StopReason> {
        let Worker {
            system,
            reduction,
            book,
            shared,
            state,
            successors,
            ..
        } = self;
        shared.table.get(number, state);
        let first = successors.len();
        let mut failures = Vec::new();
        let left_out = self
            .expansion
            .expand(*system, *reduction, state, |path, event| {
                match event {
                    Event::Step(state, step) => {
                        system.cover(state, step, &mut book.covered);
                        if book.is_look_due() {
                            book.look(path.bytes(), shared.bytes())?;
                        }
                    }
                    Event::Inside => book.statistics.atomic_steps += 1,
                    Event::Failure(failure) => failures.push((failure, path.steps())),
                    Event::State(next) => {
                        let next = shared.arrive(*system, next, Some(number), &mut book.statistics);
                        successors.push(next);
                    }
                }
                Ok(())
            })?;
        book.statistics.reduced += u64::from(left_out > 0);
        shuffle(&mut successors[first..], self.number, number);
        for (failure, steps) in failures {
            let path = || {
                let mut path = self.shared.stem(self.system, self.reduction, number);
                path.extend_from_slice(&steps);
                path
            };
            let defect = Defect::Failure(failure);
            self.book.violation(defect, steps.last().copied(), path)?;
        }
        Ok(())
    }

    /// Shows a cycle: from the set of a state to an accepting one in it, and around.
    fn cycle(&mut self, state: u32) -> Result<(), StopReason> {
        let mut steps = self.shared.stem(self.system, self.reduction, state);
        let from = steps.len();
        let Shared { table, sets, .. } = self.shared;
        let mut start = Vec::new();
        table.get(state, &mut start);
        let system = self.system;
        let is_inside = |number: u32| sets.is_same(number, state);
        let accepts = |found: &[u8]| {
            let is_inside = || table.find(found).is_some_and(is_inside);
            system.is_accepting(found) && is_inside()
        };
        if !system.is_accepting(&start) {
            let (there, end) = self.way(&start, accepts, is_inside)?;
            steps.extend(there);
            start = end;
        }
        let (back, _) = self.way(&start, |found| table.find(found) == Some(state), is_inside)?;
        steps.extend(back);
        self.book.violation(Defect::Cycle(from), None, || steps)
    }

    /// A shortest way inside a set.
    fn way(
        &mut self,
        from: &[u8],
        is_wanted: impl Fn(&[u8]) -> bool,
        is_inside: impl Fn(u32) -> bool,
    ) -> Result<Way<Y::Step>, StopReason> {
        let Worker { book, shared, .. } = self;
        let is_open = |state: &[u8]| shared.table.find(state).is_some_and(&is_inside);
        let may_go_on = |met: usize| match book.is_look_due() {
            true => book.look(met as u64 * 64, shared.bytes()),
            false => Ok(()),
        };
        let way = shortest_way(
            self.system,
            self.reduction,
            from,
            is_wanted,
            is_open,
            may_go_on,
        )?;
        Ok(way.expect("the states of a set reach each other"))
    }
}

impl Shared {
    fn bytes(&self) -> u64 {
        self.table.bytes() + self.sets.bytes()
    }

    /// Puts a state into the table, if it is not there.
    fn arrive<Y: Acceptance>(
        &self,
        system: &Y,
        state: &[u8],
        from: Option<u32>,
        statistics: &mut Statistics,
    ) -> u32 {
        let first = |number| {
            if system.is_accepting(state) {
                self.sets.accept(number);
            }
            from.unwrap_or(number)
        };
        let (number, _, is_new) = self.table.insert(state, first);
        statistics.states += u64::from(is_new);
        statistics.matched += u64::from(!is_new && from.is_some());
        statistics.state_bytes = statistics.state_bytes.max(state.len() as u64);
        number
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
            let before = self.table.about(at);
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

/// Puts the successors of a state into an order of the worker's own.
fn shuffle(successors: &mut [u32], worker: usize, state: u32) {
    if worker == 0 {
        // They are taken from the end.
        successors.reverse();
    } else if worker > 1 && successors.len() > 1 {
        let by = (state as usize ^ worker).wrapping_mul(0x9e37_79b9) >> 7;
        let by = by % successors.len();
        successors.rotate_left(by);
    }
}
