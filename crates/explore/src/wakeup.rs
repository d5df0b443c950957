//! Wakeup trees: what optimal reduction still has to explore from a state, and in which order
//! (Abdulla, Aronis, Jonsson, Sagonas 2017, section 6).
//!
//! A race of two events is reversed by a sequence of steps that leads to the second one without
//! the first. If a sleeping actor could start such a sequence, it has been explored already. If
//! not, it is inserted into the tree of the state before the first event, unless it follows a
//! branch that is there to its end: from the end of a branch the search goes on freely.

use mazurka_runtime::Planned;

use crate::path::{Path, Step};

/// A step to explore, and those to explore after it.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The step.
    pub step: Step,
    /// What to explore after it; nothing means anything.
    pub children: Vec<Branch>,
}

/// A sequence may be long, and dropped from the inside it would take as deep a stack.
impl Drop for Branch {
    fn drop(&mut self) {
        let mut open = std::mem::take(&mut self.children);
        while let Some(mut branch) = open.pop() {
            open.append(&mut branch.children);
        }
    }
}

/// A sequence of steps that reverses a race.
pub struct Sequence {
    items: Vec<Item>,
}

#[derive(Clone, Copy)]
struct Item {
    step: Step,
    /// The event that it repeats; for the last item, none.
    event: Option<usize>,
    /// Whether the last item must come after it.
    is_before_last: bool,
}

impl Sequence {
    /// A sequence that repeats events and ends with a step that did not happen there. `orders`
    /// tells whether an event happens before that step once the sequence is performed.
    pub fn new(
        path: &Path,
        events: &[usize],
        last: Step,
        orders: impl Fn(usize) -> bool,
    ) -> Sequence {
        let mut items: Vec<Item> = events
            .iter()
            .map(|&event| Item {
                step: path.events[event].step,
                event: Some(event),
                is_before_last: orders(event),
            })
            .collect();
        items.push(Item {
            step: last,
            event: None,
            is_before_last: false,
        });
        Sequence { items }
    }

    /// Whether a step could be performed first: it is the first of its actor's in the sequence and
    /// nothing before it happens before it, or it commutes with the whole sequence ("weak
    /// initial"). The position of the step in the sequence, if it is there.
    pub fn can_start_with(&self, path: &Path, step: &Step) -> Option<Option<usize>> {
        let own = |item: &Item| item.step.actor == step.actor;
        match self.items.iter().position(own) {
            Some(position) => {
                let item = &self.items[position];
                let before = &self.items[..position];
                let first = match item.event {
                    Some(event) => !before
                        .iter()
                        .any(|item| item.event.is_some_and(|e| path.happens_before(e, event))),
                    None => !before.iter().any(|item| item.is_before_last),
                };
                first.then_some(Some(position))
            }
            None => {
                let independent = self.items.iter().all(|item| item.step.commutes(step));
                independent.then_some(None)
            }
        }
    }

    /// Inserts the sequence into a wakeup tree, unless a branch covers it.
    pub fn insert_into(mut self, path: &Path, mut branches: &mut Vec<Branch>) {
        'descend: loop {
            for place in 0..branches.len() {
                let Some(position) = self.can_start_with(path, &branches[place].step) else {
                    continue;
                };
                if let Some(position) = position {
                    let (mine, theirs) = (
                        self.items[position].step.choice,
                        branches[place].step.choice,
                    );
                    if mine != theirs && mine != Planned::ANY && theirs != Planned::ANY {
                        continue;
                    }
                    self.items.remove(position);
                }
                if branches[place].children.is_empty() || self.items.is_empty() {
                    return;
                }
                branches = &mut branches[place].children;
                continue 'descend;
            }
            if let Some(branch) = self.into_branch() {
                branches.push(branch);
            }
            return;
        }
    }

    fn into_branch(self) -> Option<Branch> {
        let mut branch: Option<Branch> = None;
        for item in self.items.into_iter().rev() {
            branch = Some(Branch {
                step: item.step,
                children: branch.into_iter().collect(),
            });
        }
        branch
    }
}
