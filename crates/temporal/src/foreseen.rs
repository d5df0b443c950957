//! Where a reduced system has to be explored in full so that nothing is put off for ever.
//!
//! A product of a system with a claim may be reduced by any choice of steps that depends on nothing but the system's
//! state, if on each cycle of the reduced system there is a state that is explored in full (the cycle condition of ample
//! sets). Sticky transitions bring that about without looking at a single state, but where many processes
//! wait at such a transition everything is explored. Here the system is walked through once, without
//! the claim: a state from which a step leads back to the path of a depth-first walk is one to be explored in full.
//! Each cycle contains such a step. What comes out is fixed before the product is searched, so it does not matter how
//! that is done, and the traps of choices that look at the search (Siegel 2019) are not there.

use std::collections::{HashMap, HashSet};

use mazurka_model::Interpreter;
use mazurka_reduce::{Simultaneous, StepSet};
use mazurka_search::System;

/// No more memory than this for the states of the walk.
const MOST_BYTES: usize = 1 << 26;
/// An atomic sequence of more steps might never end.
const LONGEST_SEQUENCE: usize = 10_000;

/// The states, without what does not tell them apart, in which each step must be taken by itself. None if there
/// are too many states to say, or if the time is over.
pub(crate) fn explored_in_full(
    sets: &Simultaneous<'_, Interpreter>,
    is_over: &dyn Fn() -> bool,
) -> Option<HashSet<Box<[u8]>>> {
    let mut walk = Walk {
        sets,
        is_over,
        on_path: HashMap::new(),
        path: Vec::new(),
        full: HashSet::new(),
        bytes: 0,
        scratch: Vec::new(),
    };
    let mut initial = Vec::new();
    // A system that fails when it starts has no cycle.
    if sets.initial(&mut initial).is_ok() {
        for first in walk.settled(initial)? {
            walk.from(first)?;
        }
    }
    Some(walk.full)
}

struct Walk<'s, 'i> {
    sets: &'s Simultaneous<'i, Interpreter>,
    is_over: &'s dyn Fn() -> bool,
    /// All states met: is the state on the path?
    on_path: HashMap<Box<[u8]>, bool>,
    path: Vec<Visit>,
    full: HashSet<Box<[u8]>>,
    bytes: usize,
    scratch: Vec<i32>,
}

/// A state on the path.
struct Visit {
    state: Vec<u8>,
    steps: Vec<StepSet>,
    /// How many of them are to be taken.
    chosen: usize,
    taken: usize,
    /// Where the last one leads.
    successors: Vec<Vec<u8>>,
}

impl Walk<'_, '_> {
    fn from(&mut self, first: Vec<u8>) -> Option<()> {
        if !self.on_path.contains_key(self.key(&first)) {
            self.visit(first)?;
        }
        while let Some(top) = self.path.last_mut() {
            if let Some(next) = top.successors.pop() {
                match self.on_path.get(self.key(&next)) {
                    None => self.visit(next)?,
                    Some(true) => self.explore_in_full(),
                    Some(false) => {}
                }
            } else if top.taken < top.chosen {
                let step = top.steps[top.taken];
                top.taken += 1;
                let mut next = Vec::new();
                let outcome = self
                    .sets
                    .execute(&mut self.scratch, &top.state, step, &mut next);
                if outcome.complete {
                    let successors = self.settled(next)?;
                    self.path.last_mut()?.successors = successors;
                }
            } else {
                let left = self.path.pop()?;
                let key = self.key(&left.state).into();
                self.on_path.insert(key, false);
            }
        }
        Some(())
    }

    fn key<'k>(&self, state: &'k [u8]) -> &'k [u8] {
        &state[..state.len() - self.sets.ignored_suffix()]
    }

    fn visit(&mut self, state: Vec<u8>) -> Option<()> {
        let mut steps = Vec::new();
        self.sets.enabled(&state, &mut steps);
        // Those that the sets stand for come last.
        let chosen = steps.iter().position(|step| step.is_spare());
        self.bytes += state.len();
        self.on_path.insert(self.key(&state).into(), true);
        self.path.push(Visit {
            chosen: chosen.unwrap_or(steps.len()),
            steps,
            state,
            taken: 0,
            successors: Vec::new(),
        });
        // To choose sets in a state may take a millisecond.
        (self.bytes <= MOST_BYTES && !(self.is_over)()).then_some(())
    }

    /// A step from the end of the path closes a cycle.
    fn explore_in_full(&mut self) {
        let Some(top) = self.path.last_mut() else {
            return;
        };
        if top.chosen < top.steps.len() {
            top.chosen = top.steps.len();
            let key = self.key(&self.path[self.path.len() - 1].state).into();
            self.full.insert(key);
        }
    }

    /// The states that others can see in which the atomic sequence ends that a state may be in.
    fn settled(&mut self, state: Vec<u8>) -> Option<Vec<Vec<u8>>> {
        let mut ends = Vec::new();
        let mut inside = vec![state];
        let mut steps = Vec::new();
        let mut count = 0;
        while let Some(mut state) = inside.pop() {
            if !self.sets.is_passing(&state) {
                ends.push(state);
                continue;
            }
            count += 1;
            if count > LONGEST_SEQUENCE {
                return None;
            }
            steps.clear();
            if !self.sets.enabled(&state, &mut steps) {
                self.sets.settle(&mut state);
                ends.push(state);
                continue;
            }
            for step in &steps {
                let mut next = Vec::new();
                let outcome = self
                    .sets
                    .execute(&mut self.scratch, &state, *step, &mut next);
                if outcome.complete {
                    inside.push(next);
                }
            }
        }
        Some(ends)
    }
}
