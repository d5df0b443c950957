//! Nested depth-first search by several workers (Evangelista, Laarman, Petrucci and van de Pol 2012:
//! improved multi-core nested depth-first search, CNDFS).
//!
//! Each worker runs a nested search of its own, in an order of its own. What they share is
//! which states are *blue* (done with by somebody's first search) and *red* (known not to reach
//! an accepting cycle); a worker skips what others have done. A second search collects what it
//! visits and makes it red only at its end, after it has waited for accepting states among it that other workers
//! are still busy with.

use std::collections::HashMap;

use crate::alarm::Alarm;
use crate::bookkeeping::{Bookkeeping, Control, Watcher};
use crate::report::{Observer, Options, Report, Statistics, StopReason};
use crate::system::{Acceptance, Reduction};

use super::ground::{Ground, Search};
use super::shared_table::SharedTable;

const BLUE: u8 = 1;
const RED: u8 = 2;

/// Looks for an execution that comes to accepting states again and again, and for steps that fail,
/// with one worker for each reduction. It stops at the first violation.
///
/// If in each component of the graph either all states accept or none (`weak`), the second search
/// is not needed: the first state of a cycle to become blue has its successor on the path.
///
/// What is said of the reduction of [`super::nested_depth_first`] holds here, too.
pub fn parallel_nested<Y: Acceptance, R: Reduction<Y> + Send>(
    system: &Y,
    reductions: &mut [R],
    weak: bool,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Report<Y> {
    let options = &Options {
        all: false,
        ..options.clone()
    };
    let control = Control::new(options, reductions.len());
    // States and their colours.
    let table = SharedTable::new(system.ignored_suffix());
    let mut watch = |statistics: &Statistics| observer.progress(statistics);
    let mut watcher: Option<Watcher<'_>> = Some(&mut watch);
    let shuffled = reductions.iter_mut().enumerate();
    let shuffled = shuffled.map(|(number, reduction)| Shuffled {
        reduction,
        worker: number as u64,
    });
    let mut shuffled: Vec<_> = shuffled.collect();
    let crew = shuffled.iter_mut().enumerate();
    let crew = crew.map(|(number, reduction)| {
        let book = Bookkeeping::new(system, &control, number, watcher.take());
        Worker {
            ground: Ground::new(system, reduction, book),
            table: &table,
            own: HashMap::default(),
            weak,
            seed: None,
            visited: Vec::new(),
        }
    });
    let mut crew: Vec<_> = crew.collect();
    std::thread::scope(|scope| {
        for worker in &mut crew {
            scope.spawn(|| {
                let _alarm = Alarm::new(worker.ground.book.control, || ());
                // Who is done leaves the others alone: they may be busy with second searches that he relies on.
                if let Err(reason) = worker.run() {
                    worker.ground.book.control.halt(reason);
                }
            });
        }
    });
    let books = crew.into_iter().map(|worker| worker.ground.book);
    let mut report = control.merge(books.collect(), table.bytes(), 0.0);
    report.keep_one();
    if !report.violations.is_empty() {
        report.stop = StopReason::Violation;
    }
    report
}

/// What a worker itself thinks of a state.
const CYAN: u8 = 1;
const PINK: u8 = 2;

struct Worker<'a, 'r, Y: Acceptance, R> {
    ground: Ground<'a, Y, Shuffled<'r, R>>,
    table: &'a SharedTable<u8>,
    /// Cyan states, and pink ones of the second search under way.
    own: HashMap<u32, u8, std::hash::BuildHasherDefault<Identity>>,
    weak: bool,
    /// The frame that the second search started from.
    seed: Option<usize>,
    /// What the second search has visited: state, and whether it accepts.
    visited: Vec<(u32, bool)>,
}

/// Numbers of states are hashes of themselves.
#[derive(Default)]
struct Identity(u64);

impl std::hash::Hasher for Identity {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("only numbers are hashed");
    }

    fn write_u32(&mut self, number: u32) {
        self.0 = u64::from(number).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

/// Takes the steps that a reduction chooses in an order that depends on the worker.
struct Shuffled<'a, R> {
    reduction: &'a mut R,
    worker: u64,
}

impl<Y: Acceptance, R: Reduction<Y>> Reduction<Y> for Shuffled<'_, R> {
    fn select(&mut self, system: &Y, state: &[u8], steps: &mut [Y::Step]) -> usize {
        let kept = self.reduction.select(system, state, steps);
        if self.worker > 0 && kept > 1 {
            let by = (self.worker as usize).wrapping_mul(state.len() + kept / 2 + 1) % kept;
            steps[..kept].rotate_left(by);
            if self.worker % 2 == 1 {
                steps[..kept].reverse();
            }
        }
        kept
    }
}

impl<'a, 'r: 'a, Y: Acceptance, R: Reduction<Y>> Search<'a, Y, Shuffled<'r, R>>
    for Worker<'a, 'r, Y, R>
{
    fn ground(&mut self) -> &mut Ground<'a, Y, Shuffled<'r, R>> {
        &mut self.ground
    }

    fn bytes(&self) -> u64 {
        self.table.bytes() + self.own.capacity() as u64 * 8
    }

    fn is_second(&self) -> bool {
        self.seed.is_some()
    }

    fn arrive(&mut self) -> Result<(), StopReason> {
        let next = &self.ground.ways.next;
        let (number, colour, is_new) = self.table.insert(next, |_| 0);
        let accepting = self.ground.system.is_accepting(next);
        let own = self.own.get(&number).copied();
        if is_new || self.seed.is_none() {
            self.ground.count(is_new);
        }
        if own == Some(CYAN) {
            let anchor = self.ground.ways.path.anchor();
            let from_accepting = anchor.is_some_and(|frame| frame.note.accepting);
            if self.seed.is_some() || accepting || from_accepting {
                return self.ground.cycle(number);
            }
            return Ok(());
        }
        if self.seed.is_some() {
            if own != Some(PINK) && colour & RED == 0 {
                self.own.insert(number, PINK);
                self.visited.push((number, accepting));
                self.ground.push(number, accepting);
            }
            return Ok(());
        }
        if colour & BLUE != 0 || self.ground.is_cut() {
            return Ok(());
        }
        self.ground.note_depth();
        self.own.insert(number, CYAN);
        let leaves_out = self.ground.push(number, accepting);
        self.ground.book.statistics.reduced += u64::from(leaves_out);
        Ok(())
    }

    fn leave(&mut self) -> Result<(), StopReason> {
        let ways = &mut self.ground.ways;
        let index = ways.path.frames.len() - 1;
        let top = ways.path.frames[index].note;
        let (Some(number), None) = (top.stored, self.seed) else {
            ways.pop();
            if self.seed == Some(index) {
                self.end_second_search()?;
            }
            return Ok(());
        };
        // Blue before the second search, as in the paper.
        self.set_colour(number, BLUE);
        if top.accepting && !self.weak && self.colour(number) & RED == 0 {
            self.ground.ways.path.frames[index].note.seed = true;
            self.ground.push_again();
            self.seed = Some(index + 1);
            self.visited.clear();
            self.visited.push((number, true));
            return Ok(());
        }
        self.own.remove(&number);
        self.ground.ways.pop();
        Ok(())
    }
}

impl<Y: Acceptance, R: Reduction<Y>> Worker<'_, '_, Y, R> {
    fn colour(&self, number: u32) -> u8 {
        self.table.about(number)
    }

    fn set_colour(&self, number: u32, colour: u8) {
        self.table.change(number, |known| *known |= colour);
    }

    /// Waits until the accepting states visited are red by somebody's hand, then makes all red.
    fn end_second_search(&mut self) -> Result<(), StopReason> {
        let seed = self.visited[0].0;
        for index in 1..self.visited.len() {
            let (number, accepting) = self.visited[index];
            while accepting && self.colour(number) & RED == 0 {
                let bytes = Search::bytes(self);
                self.ground.book.look(self.ground.ways.bytes(), bytes)?;
                std::thread::yield_now();
            }
        }
        for index in 0..self.visited.len() {
            let (number, _) = self.visited[index];
            self.set_colour(number, RED);
            self.own.remove(&number);
        }
        self.seed = None;
        self.own.remove(&seed);
        self.ground.ways.pop();
        Ok(())
    }
}
