//! Nested depth-first search with early detection (Courcoubetis, Vardi, Wolper and Yannakakis 1992;
//! Schwoon and Esparza 2005; Gaiser and Schwoon 2009, figure 3).
//!
//! The first search colours states *cyan* while they are on its path and *blue* afterwards. When it
//! leaves an accepting state, a second search from there colours *red* all that it reaches; if it comes
//! to a cyan state, a cycle is closed, since from there the path leads back. The first search notices a
//! cycle at once when a step from or into an accepting state closes it. A state all of whose
//! successors are red is red without a second search.

use crate::bookkeeping::{Bookkeeping, Control};
use crate::report::{Defect, Observer, Options, Report, Statistics, StopReason};
use crate::system::{Acceptance, Reduction};

use super::path::{Passing, Path};
use super::table::Table;

const WHITE: u8 = 0;
const CYAN: u8 = 1;
const BLUE: u8 = 2;
const RED: u8 = 3;

/// Looks for an execution that comes to accepting states again and again, and for steps that fail.
///
/// If in each component of the graph either all states accept or none (`weak`), the second search
/// is not needed.
///
/// The reduction must choose by the state alone, and must itself see to it that no step is put off
/// around a cycle: this search asks it again in its second phase and adds no proviso.
pub fn nested_depth_first<Y: Acceptance, R: Reduction<Y>>(
    system: &Y,
    reduction: &mut R,
    weak: bool,
    options: &Options<'_>,
    observer: &mut dyn Observer,
) -> Report<Y> {
    let control = Control::new(options, 1);
    let mut watch = |statistics: &Statistics| observer.progress(statistics);
    let mut search = Nested {
        system,
        reduction,
        weak,
        book: Bookkeeping::new(system, &control, 0, Some(&mut watch)),
        table: Table::new(system.ignored_suffix()),
        colours: Vec::new(),
        path: Path::new(),
        seed: None,
        next: Vec::new(),
        scratch: Y::Scratch::default(),
    };
    if let Err(reason) = search.run() {
        control.halt(reason);
    }
    let bytes = search.table.bytes() + search.colours.capacity() as u64;
    control.merge(vec![search.book], bytes, 0.0)
}

struct Nested<'a, Y: Acceptance, R> {
    system: &'a Y,
    reduction: &'a mut R,
    weak: bool,
    book: Bookkeeping<'a, Y>,
    table: Table,
    colours: Vec<u8>,
    path: Path<Y::Step>,
    /// In the second search, the frame that it started from.
    seed: Option<usize>,
    /// The state just arrived at.
    next: Vec<u8>,
    scratch: Y::Scratch,
}

impl<Y: Acceptance, R: Reduction<Y>> Nested<'_, Y, R> {
    fn run(&mut self) -> Result<(), StopReason> {
        if let Err(failure) = self.system.initial(&mut self.next) {
            return self
                .book
                .violation(Defect::Failure(failure), None, Vec::new);
        }
        self.arrive()?;
        while !self.path.frames.is_empty() {
            if self.book.is_look_due() {
                let bytes = self.table.bytes() + self.colours.len() as u64;
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
            if let Some(failure) = outcome.failure
                && self.seed.is_none()
            {
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

    /// Enters the state just arrived at, or sees that it closes a cycle.
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
        let accepting = self.system.is_accepting(&self.next);
        if self.seed.is_some() {
            return self.arrive_red(number, accepting);
        }
        let statistics = &mut self.book.statistics;
        if is_new {
            self.colours.push(WHITE);
            statistics.states += 1;
            statistics.state_bytes = statistics.state_bytes.max(self.next.len() as u64);
        } else {
            statistics.matched += 1;
        }
        let colour = self.colours[number as usize];
        let from_accepting = self.path.anchor().is_some_and(|frame| frame.accepting);
        match colour {
            WHITE => {
                let depth = self.path.frames.len();
                if self.book.options.depth.is_some_and(|limit| depth > limit) {
                    self.book.cut = true;
                    return Ok(());
                }
                self.book.statistics.depth = self.book.statistics.depth.max(depth as u64);
                self.colours[number as usize] = CYAN;
                self.enter(number, accepting);
            }
            CYAN if accepting || from_accepting => self.cycle(number)?,
            _ => {}
        }
        if colour != RED
            && colour != WHITE
            && let Some(anchor) = self.path.anchor()
        {
            anchor.all_red = false;
        }
        Ok(())
    }

    /// The second search: blue states become red, a cyan one closes a cycle.
    fn arrive_red(&mut self, number: u32, accepting: bool) -> Result<(), StopReason> {
        match self.colours.get(number as usize) {
            Some(&CYAN) => self.cycle(number),
            Some(&BLUE) => {
                self.colours[number as usize] = RED;
                self.enter(number, accepting);
                Ok(())
            }
            // What the first search cut off at the depth limit is white.
            None => {
                self.colours.push(WHITE);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn enter(&mut self, number: u32, accepting: bool) {
        let left_out = self
            .path
            .push(self.system, self.reduction, &self.next, number);
        if left_out > 0 && self.seed.is_none() {
            self.book.statistics.reduced += 1;
        }
        if let Some(frame) = self.path.frames.last_mut() {
            frame.accepting = accepting;
        }
    }

    /// The last state has no steps left.
    fn leave(&mut self) {
        let Some(top) = self.path.frames.last().copied() else {
            return;
        };
        let index = self.path.frames.len() - 1;
        let (Some(number), None) = (top.stored, self.seed) else {
            // Of the second search, or inside an atomic sequence.
            self.path.pop();
            if self.seed == Some(index) {
                // The copy of the seed: the second search is over.
                self.seed = None;
                if let Some(frame) = self.path.frames.last_mut() {
                    frame.seed = false;
                    if let Some(number) = frame.stored {
                        self.colours[number as usize] = RED;
                    }
                    self.path.pop();
                    self.finish_child(RED);
                }
            }
            return;
        };
        if top.all_red {
            self.colours[number as usize] = RED;
        } else if top.accepting && !self.weak {
            // The seed again, with its steps, at the head of the second search.
            self.path.frames[index].seed = true;
            self.next.clear();
            self.next.extend_from_slice(self.path.top());
            self.seed = Some(index + 1);
            self.enter(number, top.accepting);
            return;
        } else {
            self.colours[number as usize] = BLUE;
        }
        let colour = self.colours[number as usize];
        self.path.pop();
        self.finish_child(colour);
    }

    /// A successor of the last stored state has got its colour.
    fn finish_child(&mut self, colour: u8) {
        if colour != RED
            && let Some(anchor) = self.path.anchor()
        {
            anchor.all_red = false;
        }
    }

    fn cycle(&mut self, number: u32) -> Result<(), StopReason> {
        let from = self.path.steps_before(number);
        let path = || self.path.steps();
        self.book.violation(Defect::Cycle(from), None, path)
    }
}
