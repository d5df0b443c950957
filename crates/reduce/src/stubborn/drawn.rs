//! Which transitions an operation draws into a set.
//!
//! That depends on little: who performs the operation and what the value of its object tells, and where the other process is. States
//! have most of that in common, so what was found is kept.

use mazurka_model::Program;

use super::Stubborn;
use crate::constancy::Constancy;
use crate::footprint::Footprints;
use crate::operation::Object;
use crate::relations::Subject;
use crate::state_view::StateView;

/// This many findings are kept.
const KEPT: usize = 1 << 14;

/// Operations that alone count.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Wanted {
    /// Those that can change which message is the first of a channel that has messages.
    MovesHead,
}

/// What was found about operations that were asked about before.
#[derive(Debug)]
pub(super) struct Drawn {
    kept: Vec<Option<(Question, u64)>>,
    /// For each location, is what a process there does now always done to the same objects? Then what was found
    /// in one state is so in others.
    steady: Vec<bool>,
}

/// Who asks about whom, and where the latter is.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Question {
    subject: Subject,
    wanted: Option<Wanted>,
    location: u32,
}

impl Drawn {
    pub fn new(program: &Program, footprints: &Footprints) -> Drawn {
        let is_steady = |operation: u32| {
            !matches!(
                footprints.operations[operation as usize].object,
                Object::Memory {
                    constancy: Constancy::Standing,
                    ..
                } | Object::Channel {
                    constancy: Constancy::Standing,
                    ..
                } | Object::Readiness {
                    constancy: Constancy::Standing,
                    ..
                }
            )
        };
        let steady = program.locations.iter().map(|location| {
            let mut transitions = location.transitions.clone();
            // One bit for each transition.
            transitions.len() <= 64
                && transitions.all(|transition| {
                    let footprint = &footprints.transitions[transition as usize];
                    footprint.now.iter().all(is_steady)
                })
        });
        Drawn {
            kept: vec![None; KEPT],
            steady: steady.collect(),
        }
    }
}

impl Question {
    /// Where the answer is kept.
    fn slot(&self) -> usize {
        let location = u64::from(self.location) << 1 | u64::from(self.wanted.is_some());
        let mixed = (self.subject.hash() ^ location).wrapping_mul(0xd6e8_feb8_6659_fd93);
        (mixed >> 40) as usize % KEPT
    }
}

impl Stubborn {
    /// Adds an edge to each transition by which another process does, now or later, something
    /// that might interact with the operation. `own_too` names the node that asks if also its own
    /// process counts; `wanted` says which operations alone do.
    pub(super) fn draw_in(
        &mut self,
        view: &StateView<'_>,
        process: usize,
        operation: u32,
        now: bool,
        own_too: Option<usize>,
        wanted: Option<Wanted>,
    ) {
        self.relations.ask(view, process, operation, now);
        let partners = self.relations.partners();
        for other in 0..self.standing.len() {
            let may_meet = other >= 64 || partners >> other & 1 != 0;
            if !may_meet || other == process && own_too.is_none() {
                continue;
            }
            let present = self.standing[other].present.clone();
            if self.far || present.len() > 64 {
                self.draw_in_one_by_one(view, other, own_too, wanted);
                continue;
            }
            let mut found = self.look_up(view, other, wanted);
            while found != 0 {
                let node = present.start + found.trailing_zeros() as usize;
                found &= found - 1;
                if Some(node) != own_too {
                    self.draw(node as u32);
                }
            }
        }
    }

    /// Which of the transitions that a process has now are drawn in by the operation asked about, a bit for each.
    fn look_up(&mut self, view: &StateView<'_>, other: usize, wanted: Option<Wanted>) -> u64 {
        let location = self.standing[other].location;
        let subject = match self.drawn.steady[location as usize] {
            true => self.relations.subject(other),
            false => None,
        };
        let Some(subject) = subject else {
            return self.work_out(view, other, wanted);
        };
        let question = Question {
            subject,
            wanted,
            location,
        };
        let slot = question.slot();
        match self.drawn.kept[slot] {
            Some((known, found)) if known == question => found,
            _ => {
                let found = self.work_out(view, other, wanted);
                self.drawn.kept[slot] = Some((question, found));
                found
            }
        }
    }

    fn work_out(&mut self, view: &StateView<'_>, other: usize, wanted: Option<Wanted>) -> u64 {
        if !self.is_found(other, wanted) {
            return 0;
        }
        let present = self.standing[other].present.clone();
        let bits = present.enumerate().map(|(bit, node)| {
            let meets = self.meets(view, other, node);
            u64::from(meets) << bit
        });
        bits.fold(0, |found, bit| found | bit)
    }

    /// The same where there are too many transitions, or later ones are looked at as well.
    fn draw_in_one_by_one(
        &mut self,
        view: &StateView<'_>,
        other: usize,
        own_too: Option<usize>,
        wanted: Option<Wanted>,
    ) {
        if !self.is_found(other, wanted) {
            return;
        }
        for node in self.standing[other].present.clone() {
            let is_new = Some(node) != own_too && self.drawn_by[node] != self.drawer;
            if is_new && self.meets(view, other, node) {
                self.draw(node as u32);
            }
        }
        self.draw_in_distant(other, own_too);
    }

    /// Does a process do, now or later, something that might interact with the operation asked about?
    fn is_found(&mut self, other: usize, wanted: Option<Wanted>) -> bool {
        let future = &self.footprints.future[self.standing[other].location as usize];
        let wanted = wanted.map(|Wanted::MovesHead| &self.moves_head);
        self.relations.find(other, future, wanted)
    }

    /// Is what was found done by a transition that its process has now, or after it?
    fn meets(&mut self, view: &StateView<'_>, other: usize, node: usize) -> bool {
        let transition = self.nodes[node].transition as usize;
        let footprint = &self.footprints.transitions[transition];
        let later = match &self.prospect {
            Some(prospect) if self.far => &prospect.near[transition],
            _ => &footprint.later,
        };
        !footprint.timeout
            && (self.relations.found_in(later)
                || self.relations.found_now(view, other, &footprint.now))
    }

    /// Adds an edge, unless there is one already.
    #[inline]
    pub(super) fn draw(&mut self, node: u32) {
        if self.drawn_by[node as usize] != self.drawer {
            self.drawn_by[node as usize] = self.drawer;
            self.edges.push(node);
        }
    }
}
