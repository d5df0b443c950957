//! States inside atomic sequences, where cycles matter.
//!
//! There may be more ways through a sequence than anybody can go, so from each stored state on it is asked which of them
//! were met before, as soon as there are more than a few. One that closes a cycle inside its sequence is stored like any
//! other: such a sequence may never end.

use crate::path::{Frame, Path};
use crate::report::StopReason;
use crate::sequence::{Inside, Meeting};
use crate::successors::Successors;
use crate::system::{Reduction, System};

use super::table::Table;

/// This many states inside sequences are met, from a stored state on, before it is asked which were met before.
const FEW: u32 = 64;

/// A path through stored states and the sequences between them.
pub(crate) type Ways<Y> = Successors<Y, Note, Crowds>;

/// What is known of a state on the path.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Note {
    /// Its number, if it is stored.
    pub stored: Option<u32>,
    /// If it is stored, how many states inside sequences were met from it on.
    inside: u32,
    /// If it is not stored, its number in the crowd.
    member: Option<u32>,
    /// Does the state accept, if it is stored?
    pub accepting: bool,
    /// Is there a successor that is not red?
    pub leads_to_blue: bool,
    /// Does the second search start here? Then its step of the first search is over.
    pub seed: bool,
}

/// The states inside sequences that were met from stored states on the path.
pub(crate) struct Crowds {
    crowds: Vec<Crowd>,
    ignored_suffix: usize,
}

/// Those that were met from one stored state on, if they are many.
struct Crowd {
    /// The frame of the stored state.
    anchor: u32,
    states: Table,
    /// Is each of them on the path?
    on_path: Vec<bool>,
}

impl Crowds {
    fn bytes(&self) -> u64 {
        self.crowds.iter().map(|crowd| crowd.states.bytes()).sum()
    }

    /// A state was taken off the path: this many are left.
    fn leave(&mut self, note: &Note, left: usize) {
        if let Some(crowd) = self.crowds.last_mut() {
            match note.member {
                Some(number) => crowd.on_path[number as usize] = false,
                None if crowd.anchor as usize == left => drop(self.crowds.pop()),
                None => {}
            }
        }
    }
}

impl<S: Copy> Inside<S, Note> for Crowds {
    fn meet(
        &mut self,
        path: &mut Path<S, Note>,
        (anchor, _): (u32, u32),
        state: &[u8],
    ) -> Result<Meeting<Note>, StopReason> {
        let met = &mut path.frames[anchor as usize].note.inside;
        *met += 1;
        if *met <= FEW {
            return Ok(Meeting::New(Note::default()));
        }
        let last = self.crowds.last();
        if last.is_none_or(|crowd| crowd.anchor != anchor) {
            let mut states = Table::new(self.ignored_suffix);
            // A stored state inside a sequence may be one that closes a cycle, too. One that is not inside is never met here.
            states.insert(path.state(anchor as usize));
            self.crowds.push(Crowd {
                anchor,
                states,
                on_path: vec![true],
            });
        }
        let last = self.crowds.len() - 1;
        let crowd = &mut self.crowds[last];
        let (number, is_new) = crowd.states.insert(state);
        if !is_new {
            return Ok(match crowd.on_path[number as usize] {
                true => Meeting::Around,
                false => Meeting::Known,
            });
        }
        crowd.on_path.push(false);
        Ok(Meeting::New(Note {
            member: Some(number),
            ..Note::default()
        }))
    }

    fn may_forget(&self, _: u32, note: &Note) -> bool {
        // Whether a member of a crowd is on the path has to be known.
        note.member.is_none()
    }

    fn enter(&mut self, note: &Note) {
        if let (Some(number), Some(crowd)) = (note.member, self.crowds.last_mut()) {
            crowd.on_path[number as usize] = true;
        }
    }
}

impl<Y: System> Ways<Y> {
    /// An empty path.
    pub fn of(system: &Y) -> Ways<Y> {
        let inside = Crowds {
            crowds: Vec::new(),
            ignored_suffix: system.ignored_suffix(),
        };
        Successors::new(inside, None)
    }

    /// Puts the state just arrived at on the path: it is stored under this number. Says whether a reduction leaves
    /// some of its steps out.
    pub fn push<R: Reduction<Y>>(
        &mut self,
        system: &Y,
        reduction: &mut R,
        number: u32,
        accepting: bool,
    ) -> bool {
        let Successors { path, next, .. } = self;
        let first = path.steps.len();
        system.enabled(next, &mut path.steps);
        let steps = &mut path.steps[first..];
        let mut kept = steps.len();
        if !system.is_passing(next) {
            kept = reduction.select(system, next, steps);
        }
        let leaves_out = kept < steps.len();
        let note = Note {
            stored: Some(number),
            accepting,
            ..Note::default()
        };
        path.push(next, first, kept, false, note);
        leaves_out
    }

    /// Puts the last state on the path once more.
    pub fn push_again<R: Reduction<Y>>(&mut self, system: &Y, reduction: &mut R) {
        let Some(Frame { note, .. }) = self.path.frames.last().copied() else {
            return;
        };
        self.next.clear();
        self.next.extend_from_slice(self.path.top());
        let number = note.stored.expect("what is searched twice is stored");
        self.push(system, reduction, number, note.accepting);
    }

    /// Takes the last state off the path.
    pub fn pop(&mut self) -> Option<Frame<Note>> {
        let frame = self.path.pop()?;
        self.inside.leave(&frame.note, self.path.frames.len());
        Some(frame)
    }

    /// The steps taken in the first search, the last one being that of the last state on the path.
    pub fn taken(&self) -> Vec<Y::Step> {
        self.path.taken()
    }

    /// The steps that lead to the state just arrived at.
    pub fn steps(&self) -> Vec<Y::Step> {
        self.path.arrived_without(|note| !note.seed)
    }

    /// How many steps lie before the first frame of a stored state.
    pub fn steps_before(&self, stored: u32) -> usize {
        let is_at = |frame: &Frame<Note>| frame.note.stored == Some(stored);
        let frames = &self.path.frames;
        let index = frames.iter().position(is_at).unwrap_or(0);
        let seeds = frames[..index].iter().filter(|frame| frame.note.seed);
        self.path.depth_of(index) - seeds.count()
    }

    pub fn bytes(&mut self) -> u64 {
        self.path.bytes() + self.inside.bytes()
    }
}
