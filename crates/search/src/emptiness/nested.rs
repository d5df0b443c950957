//! Nested depth-first search with early detection (Courcoubetis, Vardi, Wolper and Yannakakis 1992;
//! Schwoon and Esparza 2005; Gaiser and Schwoon 2009, figure 3).
//!
//! The first search colours states *cyan* while they are on its path and *blue* afterwards. When it
//! leaves an accepting state, a second search from there colours *red* all that it reaches; if it comes
//! to a cyan state, a cycle is closed, since from there the path leads back. The first search notices a
//! cycle at once when a step from or into an accepting state closes it. A state all of whose
//! successors are red is red without a second search.

use crate::bookkeeping::{Bookkeeping, Control};
use crate::report::{Observer, Options, Report, Statistics, StopReason};
use crate::system::{Acceptance, Reduction};

use super::ground::{Ground, Search};
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
        ground: Ground::new(
            system,
            reduction,
            Bookkeeping::new(system, &control, 0, Some(&mut watch)),
        ),
        weak,
        table: Table::new(system.ignored_suffix()),
        colours: Vec::new(),
        seed: None,
    };
    if let Err(reason) = search.run() {
        control.halt(reason);
    }
    let bytes = search.table.bytes() + search.colours.capacity() as u64;
    control.merge(vec![search.ground.book], bytes, 0.0)
}

struct Nested<'a, Y: Acceptance, R> {
    ground: Ground<'a, Y, R>,
    weak: bool,
    table: Table,
    colours: Vec<u8>,
    /// In the second search, the frame that it started from.
    seed: Option<usize>,
}

impl<'a, Y: Acceptance, R: Reduction<Y>> Search<'a, Y, R> for Nested<'a, Y, R> {
    fn ground(&mut self) -> &mut Ground<'a, Y, R> {
        &mut self.ground
    }

    fn bytes(&self) -> u64 {
        self.table.bytes() + self.colours.len() as u64
    }

    fn is_second(&self) -> bool {
        self.seed.is_some()
    }

    fn arrive(&mut self) -> Result<(), StopReason> {
        let (number, is_new) = self.table.insert(&self.ground.ways.next);
        let accepting = self.ground.system.is_accepting(&self.ground.ways.next);
        if self.seed.is_some() {
            return self.arrive_red(number, accepting);
        }
        if is_new {
            self.colours.push(WHITE);
        }
        self.ground.count(is_new);
        let colour = self.colours[number as usize];
        let anchor = self.ground.ways.path.anchor();
        let from_accepting = anchor.is_some_and(|frame| frame.note.accepting);
        match colour {
            WHITE => {
                if self.ground.is_cut() {
                    return Ok(());
                }
                self.ground.note_depth();
                self.colours[number as usize] = CYAN;
                self.enter(number, accepting);
            }
            CYAN if accepting || from_accepting => self.ground.cycle(number)?,
            _ => {}
        }
        if colour != WHITE {
            self.finish_child(colour);
        }
        Ok(())
    }

    fn leave(&mut self) -> Result<(), StopReason> {
        let ways = &mut self.ground.ways;
        let Some(top) = ways.path.frames.last().copied() else {
            return Ok(());
        };
        let index = ways.path.frames.len() - 1;
        let (Some(number), None) = (top.note.stored, self.seed) else {
            // Of the second search, or inside an atomic sequence.
            ways.pop();
            if self.seed == Some(index) {
                // The copy of the seed: the second search is over.
                self.seed = None;
                if let Some(frame) = ways.pop() {
                    if let Some(number) = frame.note.stored {
                        self.colours[number as usize] = RED;
                    }
                    self.finish_child(RED);
                }
            }
            return Ok(());
        };
        let mut colour = BLUE;
        if !top.note.leads_to_blue {
            colour = RED;
        } else if top.note.accepting && !self.weak {
            // The seed again, with its steps, at the head of the second search.
            ways.path.frames[index].note.seed = true;
            self.seed = Some(index + 1);
            self.ground.push_again();
            return Ok(());
        }
        self.colours[number as usize] = colour;
        ways.pop();
        self.finish_child(colour);
        Ok(())
    }
}

impl<Y: Acceptance, R: Reduction<Y>> Nested<'_, Y, R> {
    /// The second search: blue states become red, a cyan one closes a cycle.
    fn arrive_red(&mut self, number: u32, accepting: bool) -> Result<(), StopReason> {
        match self.colours.get(number as usize) {
            Some(&CYAN) => self.ground.cycle(number),
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
        let leaves_out = self.ground.push(number, accepting);
        let counts = leaves_out && self.seed.is_none();
        self.ground.book.statistics.reduced += u64::from(counts);
    }

    /// A successor of the last stored state has got its colour.
    fn finish_child(&mut self, colour: u8) {
        if colour != RED
            && let Some(anchor) = self.ground.ways.path.anchor()
        {
            anchor.note.leads_to_blue = true;
        }
    }
}
