//! Strongly connected components on the fly (Couvreur 1999; Gabow 2000).
//!
//! One depth-first search keeps the components of the states met so far apart by their roots, each with
//! the word whether it has an accepting state. A step back into an open component joins all
//! components above; if the joined one accepts, there is a cycle, which a search inside it then
//! shows. No state is visited twice, and a cycle is noticed as soon as all its steps are seen.

use crate::bookkeeping::{Bookkeeping, Control};
use crate::report::{Defect, Observer, Options, Report, Statistics, StopReason};
use crate::system::{Acceptance, Reduction};

use super::ground::{self, Ground};
use super::roots::{Root, join};
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
        ground: Ground::new(
            system,
            reduction,
            Bookkeeping::new(system, &control, 0, Some(&mut watch)),
        ),
        table: Table::new(system.ignored_suffix()),
        order: Vec::new(),
        met: 0,
        roots: Vec::new(),
        open: Vec::new(),
    };
    if let Err(reason) = ground::Search::run(&mut search) {
        control.halt(reason);
    }
    let bytes = search.table.bytes() + search.order.capacity() as u64 * 4;
    control.merge(vec![search.ground.book], bytes, 0.0)
}

/// The state is in a component that is done with.
const CLOSED: u32 = 0;

struct Search<'a, Y: Acceptance, R> {
    ground: Ground<'a, Y, R>,
    table: Table,
    /// For each state, when it was met, from 1; or [`CLOSED`].
    order: Vec<u32>,
    met: u32,
    roots: Vec<Root>,
    /// The states of open components in the order in which they were met.
    open: Vec<u32>,
}

impl<'a, Y: Acceptance, R: Reduction<Y>> ground::Search<'a, Y, R> for Search<'a, Y, R> {
    fn ground(&mut self) -> &mut Ground<'a, Y, R> {
        &mut self.ground
    }

    fn bytes(&self) -> u64 {
        self.table.bytes() + self.order.len() as u64 * 8
    }

    fn arrive(&mut self) -> Result<(), StopReason> {
        let (number, is_new) = self.table.insert(&self.ground.ways.next);
        self.ground.count(is_new);
        if !is_new {
            return match self.order[number as usize] {
                CLOSED => Ok(()),
                order => self.join(order),
            };
        }
        self.ground.note_depth();
        if self.ground.is_cut() {
            self.order.push(CLOSED);
            return Ok(());
        }
        let accepting = self.ground.system.is_accepting(&self.ground.ways.next);
        self.met += 1;
        self.order.push(self.met);
        self.open.push(number);
        self.roots.push(Root {
            state: number,
            order: self.met,
            accepting: accepting.then_some(number),
            reported: false,
        });
        let leaves_out = self.ground.push(number, accepting);
        self.ground.book.statistics.reduced += u64::from(leaves_out);
        Ok(())
    }

    fn leave(&mut self) -> Result<(), StopReason> {
        let left = self.ground.ways.pop();
        let Some(number) = left.and_then(|frame| frame.note.stored) else {
            return Ok(());
        };
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
        Ok(())
    }
}

impl<Y: Acceptance, R: Reduction<Y>> Search<'_, Y, R> {
    /// A step leads back to an open component: everything above is one component with it.
    fn join(&mut self, order: u32) -> Result<(), StopReason> {
        match join(&mut self.roots, order) {
            Some((root, accepting)) => self.report(root.order, accepting),
            None => Ok(()),
        }
    }

    /// Shows the cycle: the path to the component, then around through the accepting state.
    fn report(&mut self, first: u32, accepting: u32) -> Result<(), StopReason> {
        let is_root =
            |stored: Option<u32>| stored.is_some_and(|number| self.order[number as usize] == first);
        let frames = &self.ground.ways.path.frames;
        let index = frames.iter().position(|frame| is_root(frame.note.stored));
        let index = index.expect("the root of an open component is on the path");
        let root = frames[index].note.stored.expect("a root is stored");
        let before = self.ground.ways.path.depth_of(index);
        let mut steps = self.ground.ways.path.taken_to(index);
        // All states of the component reach each other by steps that were taken.
        if root != accepting {
            steps.extend(self.way(root, accepting, first)?);
        }
        steps.extend(self.way(accepting, root, first)?);
        self.ground
            .book
            .violation(Defect::Cycle(before), None, || steps)
    }

    /// A shortest way inside the open component, of one step at least.
    fn way(&mut self, from: u32, to: u32, first: u32) -> Result<Vec<Y::Step>, StopReason> {
        let (table, order) = (&self.table, &self.order);
        let Ground {
            system,
            reduction,
            book,
            ways,
        } = &mut self.ground;
        let bytes = ways.bytes();
        let is_inside = |number: u32| order[number as usize] >= first;
        let found = shortest_way(
            *system,
            *reduction,
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
