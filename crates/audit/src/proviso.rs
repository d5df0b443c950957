//! A step that was left out is taken later.
//!
//! A step outside a reduced set stays possible until it is taken; it must be taken in some state that the search comes to from there, or it was
//! forgotten around a cycle. So the graph that was explored is followed from a state until every step that was left out
//! there has been met. What was explored is either noted during the search ([`Record`]), since the search may have widened a set, or is a
//! function of the state, as under claims. If the way leads to a state that nobody has noted, or is too long, nothing is decided.

use std::collections::{HashMap, HashSet, VecDeque};

use mazurka_model::Step;
use mazurka_search::{System, settled_steps};
use rapidhash::v3::rapidhash_v3;

use crate::auditable::Auditable;

/// What a search took in some states.
#[derive(Debug)]
pub(crate) struct Record<S> {
    /// By the hash of the state: the steps taken, or nothing if all of them were.
    taken: HashMap<u64, Option<Box<[S]>>>,
    /// No more than these.
    most: usize,
}

impl<S: Copy> Record<S> {
    pub fn new(most: usize) -> Record<S> {
        Record {
            taken: HashMap::new(),
            most,
        }
    }

    #[inline]
    pub fn has_room(&self) -> bool {
        self.taken.len() < self.most
    }

    /// Of these steps the first `chosen` are to be taken.
    pub fn note(&mut self, identity: &[u8], steps: &[S], chosen: usize) {
        let taken = (chosen < steps.len()).then(|| steps[..chosen].into());
        self.taken.insert(hash(identity), taken);
    }

    /// More of the steps of a state that is noted are to be taken.
    pub fn revise(&mut self, identity: &[u8], steps: &[S], chosen: usize) {
        if let Some(taken) = self.taken.get_mut(&hash(identity)) {
            *taken = (chosen < steps.len()).then(|| steps[..chosen].into());
        }
    }

    /// What was taken in a state, of all its steps, if it is known.
    pub fn taken(&self, identity: &[u8], all: &[S]) -> Option<Vec<S>> {
        let taken = self.taken.get(&hash(identity))?;
        Some(taken.as_ref().map_or(all.to_vec(), |taken| taken.to_vec()))
    }
}

fn hash(identity: &[u8]) -> u64 {
    rapidhash_v3(identity)
}

/// Whether the steps that were left out are met.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Met {
    All,
    /// This one is not, wherever the search went.
    Not(Step),
    Undecided,
}

/// Follows what was explored from a state, over at most this many states, until all steps that are `left` are met. `taken` gives what was
/// taken in a state, of all its steps.
pub(crate) fn follow<Y: Auditable>(
    system: &Y,
    state: &[u8],
    mut left: Vec<Step>,
    most: usize,
    mut taken: impl FnMut(&[u8], &[Y::Step]) -> Option<Vec<Y::Step>>,
) -> Met {
    let mut scratch = Y::Scratch::default();
    let suffix = system.ignored_suffix();
    let mut open = VecDeque::from([state.to_vec()]);
    let mut seen = HashSet::from([hash(&state[..state.len() - suffix])]);
    let mut is_cut = false;
    let mut next = Vec::new();
    let mut steps = Vec::new();
    while let Some(mut state) = open.pop_front() {
        steps.clear();
        settled_steps(system, &mut state, &mut steps);
        let explored = match system.is_passing(&state) {
            true => Some(steps.clone()),
            false => taken(&state, &steps),
        };
        let Some(explored) = explored else {
            is_cut = true;
            continue;
        };
        for step in explored {
            left.retain(|left| !is_in(system, *left, step));
            if left.is_empty() {
                return Met::All;
            }
            let outcome = system.execute(&mut scratch, &state, step, &mut next);
            // Where a step fails and leads nowhere there is a violation, and nothing is proved that could be wrong.
            is_cut |= !outcome.complete;
            if !outcome.complete || !seen.insert(hash(&next[..next.len() - suffix])) {
                continue;
            }
            match seen.len() > most {
                true => is_cut = true,
                false => open.push_back(next.clone()),
            }
        }
    }
    match left.first() {
        Some(left) if !is_cut => Met::Not(*left),
        Some(_) => Met::Undecided,
        None => Met::All,
    }
}

fn is_in<Y: Auditable>(system: &Y, left: Step, step: Y::Step) -> bool {
    match system.single(step) {
        Some(step) if system.exchanges() => step.transition == left.transition,
        Some(step) => step == left,
        None => system
            .members(step)
            .is_some_and(|members| members.contains(&left)),
    }
}

/// The single steps that the search left out in a state.
pub(crate) fn left_out<Y: Auditable>(system: &Y, all: &[Y::Step], taken: &[Y::Step]) -> Vec<Step> {
    let mut left: Vec<Step> = all.iter().filter_map(|step| system.single(*step)).collect();
    // There may be very many, and mostly they are taken as they are.
    let singles: HashSet<Step> = taken
        .iter()
        .filter_map(|step| system.single(*step))
        .collect();
    left.retain(|step| !singles.contains(step));
    left.retain(|step| !taken.iter().any(|taken| is_in(system, *step, *taken)));
    left
}

/// All that is possible in a state.
pub(crate) fn possible<Y: System>(system: &Y, state: &[u8]) -> Vec<Y::Step> {
    let mut steps = Vec::new();
    system.enabled(state, &mut steps);
    steps
}
