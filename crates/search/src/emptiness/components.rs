//! Strongly connected components on the fly (Couvreur 1999; Gabow 2000).
//!
//! One depth-first search keeps the components of the states met so far apart by their roots, each with
//! the word whether it has an accepting state. A step back into an open component joins all
//! components above; if the joined one accepts, there is a cycle, which a search inside it then
//! shows. No state is visited twice, and a cycle is noticed as soon as all its steps are seen.

use crate::bookkeeping::{Bookkeeping, Control};
use crate::report::{Defect, Observer, Options, Report, Statistics, StopReason};
use crate::system::{Acceptance, Reduction};

use super::path::{Passing, Path};
use super::table::Table;
use super::way::shortest_way;

/// Looks for an execution that comes to accepting states again and again, and for steps that fail.
///
/// What is said of the reduction of [`super::nested_depth_first`] holds here, too.
pub fn components<Y: Acceptance, R: Reduction<Y>>(
    system: &Y,
    reduction: &mut R,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Report<Y> {
    let control = Control::new(options, 1);
    let mut watch = |statistics: &Statistics| observer.progress(statistics);
    let mut search = Search {
        system,
        reduction,
        book: Bookkeeping::new(system, &control, 0, Some(&mut watch)),
        table: Table::new(system.ignored_suffix()),
        order: Vec::new(),
        met: 0,
        path: Path::new(),
        roots: Vec::new(),
        open: Vec::new(),
        next: Vec::new(),
        scratch: Y::Scratch::default(),
    };
    if let Err(reason) = search.run() {
        control.halt(reason);
    }
    let bytes = search.table.bytes() + search.order.capacity() as u64 * 4;
    control.merge(vec![search.book], bytes, 0.0)
}

/// The state is in a component that is done with.
const CLOSED: u32 = 0;

struct Search<'a, Y: Acceptance, R> {
    system: &'a Y,
    reduction: &'a mut R,
    book: Bookkeeping<'a, Y>,
    table: Table,
    /// For each state, when it was met, from 1; or [`CLOSED`].
    order: Vec<u32>,
    met: u32,
    path: Path<Y::Step>,
    roots: Vec<Root>,
    /// The states of open components in the order in which they were met.
    open: Vec<u32>,
    next: Vec<u8>,
    scratch: Y::Scratch,
}

/// The first state of an open component.
#[derive(Clone, Copy)]
struct Root {
    order: u32,
    /// An accepting state of the component.
    accepting: Option<u32>,
    /// Was a cycle of it reported?
    reported: bool,
}

impl<Y: Acceptance, R: Reduction<Y>> Search<'_, Y, R> {
    fn run(&mut self) -> Result<(), StopReason> {
        if let Err(failure) = self.system.initial(&mut self.next) {
            return self
                .book
                .violation(Defect::Failure(failure), None, Vec::new);
        }
        self.arrive()?;
        while !self.path.frames.is_empty() {
            if self.book.is_look_due() {
                let bytes = self.table.bytes() + self.order.len() as u64 * 8;
                self.book.look(self.path.bytes(), bytes)?;
                continue;
            }
            let Some((state, step)) = self.path.advance() else {
                self.leave();
                continue;
            };
            self.system.cover(state, step, &mut self.book.covered);
            let outcome = self
                .system
                .execute(&mut self.scratch, state, step, &mut self.next);
            if let Some(failure) = outcome.failure {
                let path = || self.path.steps();
                self.book
                    .violation(Defect::Failure(failure), Some(step), path)?;
            }
            if outcome.complete {
                self.arrive()?;
            }
        }
        Ok(())
    }

    fn arrive(&mut self) -> Result<(), StopReason> {
        if self.system.is_passing(&self.next) {
            self.book.statistics.atomic_steps += 1;
            match self.path.pass(self.system, &self.next) {
                Passing::Passed => return Ok(()),
                Passing::Stuck => self.system.settle(&mut self.next),
                Passing::Around => {}
            }
        }
        let (number, is_new) = self.table.insert(&self.next);
        let statistics = &mut self.book.statistics;
        if !is_new {
            statistics.matched += 1;
            return match self.order[number as usize] {
                CLOSED => Ok(()),
                order => self.join(order),
            };
        }
        statistics.states += 1;
        statistics.state_bytes = statistics.state_bytes.max(self.next.len() as u64);
        let depth = self.path.frames.len();
        statistics.depth = statistics.depth.max(depth as u64);
        if self.book.options.depth.is_some_and(|limit| depth > limit) {
            self.order.push(CLOSED);
            self.book.cut = true;
            return Ok(());
        }
        self.met += 1;
        self.order.push(self.met);
        self.open.push(number);
        self.roots.push(Root {
            order: self.met,
            accepting: self.system.is_accepting(&self.next).then_some(number),
            reported: false,
        });
        let left_out = self
            .path
            .push(self.system, self.reduction, &self.next, number);
        self.book.statistics.reduced += u64::from(left_out > 0);
        Ok(())
    }

    /// A step leads back to an open component: everything above is one component with it.
    fn join(&mut self, order: u32) -> Result<(), StopReason> {
        let mut accepting = None;
        let mut reported = false;
        while let Some(root) = self.roots.last().copied() {
            accepting = accepting.or(root.accepting);
            reported |= root.reported;
            if root.order <= order {
                break;
            }
            self.roots.pop();
        }
        let Some(root) = self.roots.last_mut() else {
            return Ok(());
        };
        root.accepting = accepting;
        root.reported = reported || accepting.is_some();
        let first = root.order;
        match accepting {
            Some(accepting) if !reported => self.report(first, accepting),
            _ => Ok(()),
        }
    }

    fn leave(&mut self) {
        let Some(frame) = self.path.pop() else { return };
        let Some(number) = frame.stored else { return };
        let order = self.order[number as usize];
        if self.roots.last().is_some_and(|root| root.order == order) {
            self.roots.pop();
            while let Some(state) = self.open.pop() {
                self.order[state as usize] = CLOSED;
                if state == number {
                    break;
                }
            }
        }
    }

    /// Shows the cycle: the path to the component, then around through the accepting state.
    fn report(&mut self, first: u32, accepting: u32) -> Result<(), StopReason> {
        let is_root =
            |stored: Option<u32>| stored.is_some_and(|number| self.order[number as usize] == first);
        let frames = &self.path.frames;
        let index = frames.iter().position(|frame| is_root(frame.stored));
        let index = index.expect("the root of an open component is on the path");
        let root = frames[index].stored.expect("a root is stored");
        let mut steps = self.path.steps()[..index].to_vec();
        // All states of the component reach each other by steps that were taken.
        if root != accepting {
            steps.extend(self.way(root, accepting, first)?);
        }
        steps.extend(self.way(accepting, root, first)?);
        self.book.violation(Defect::Cycle(index), None, || steps)
    }

    /// A shortest way inside the open component, of one step at least.
    fn way(&mut self, from: u32, to: u32, first: u32) -> Result<Vec<Y::Step>, StopReason> {
        let (table, order, book) = (&self.table, &self.order, &mut self.book);
        let bytes = self.path.bytes();
        let is_inside = |number: u32| order[number as usize] >= first;
        let found = shortest_way(
            self.system,
            self.reduction,
            table.get(from),
            |state| table.find(state) == Some(to),
            |state| table.find(state).is_some_and(is_inside),
            |met| match book.is_look_due() {
                true => book.look(bytes, table.bytes() + (order.len() + met) as u64 * 8),
                false => Ok(()),
            },
        )?;
        let (steps, _) = found.expect("the states of a component reach each other");
        Ok(steps)
    }
}
