//! Shorter counterexamples: a short cycle through an accepting state, and a shortest way to it.
//!
//! A depth-first search finds long ways into long cycles. From each of the first accepting states on the cycle a
//! breadth-first search looks for a shortest way back to it; the shortest of these is the new cycle, and one more
//! breadth-first search from the initial state looks for the nearest state on it. The result is a shortest way to
//! that cycle, not always the shortest counterexample of all.

use crate::sequence::settle;
use crate::system::Acceptance;

use super::way::{Way, shortest_way};

/// This many accepting states of a cycle are tried.
const MOST_TRIED: usize = 8;

/// Makes a counterexample shorter: steps from the initial state, and the number of those before the cycle.
/// Each search stores at most `budget` states, fewer if its steps take long, and is given up when `is_over` says so. Nothing if it cannot be
/// made shorter.
pub fn shorten<Y: Acceptance>(
    system: &Y,
    steps: &[Y::Step],
    from: usize,
    budget: usize,
    is_over: &dyn Fn() -> bool,
) -> Option<(Vec<Y::Step>, usize)> {
    let lasso = replay(system, steps)?;
    let first = lasso.iter().position(|(before, _)| *before == from)?;
    // The last state is the first of the cycle again.
    let around = &lasso[first..lasso.len() - 1];
    let accepting = around
        .iter()
        .filter(|(_, state)| system.is_accepting(state));
    let search = Search {
        system,
        budget,
        is_over,
    };
    let mut best: Option<(usize, Vec<u8>, Vec<Y::Step>)> = None;
    for (position, state) in accepting.take(MOST_TRIED) {
        let back = search.way(state, |found| same(system, found, state));
        if let Some((cycle, _)) = back
            && best
                .as_ref()
                .is_none_or(|(_, _, known)| cycle.len() < known.len())
        {
            best = Some((*position, state.clone(), cycle));
        }
    }
    let (position, state, mut cycle) = best?;
    let mut states = vec![(0, state)];
    states.extend(
        replay_from(system, &states[0].1, &cycle)?
            .into_iter()
            .skip(1),
    );
    states.pop();
    let mut initial = Vec::new();
    system.initial(&mut initial).ok()?;
    let on_cycle = |found: &[u8]| {
        let mut known = states.iter();
        known.position(|(_, state)| same(system, found, state))
    };
    let (mut stem, entry) = match on_cycle(&initial) {
        Some(entry) => (Vec::new(), entry),
        None => match search.way(&initial, |found| on_cycle(found).is_some()) {
            Some((stem, state)) => (stem, on_cycle(&state)?),
            None => (steps[..position].to_vec(), 0),
        },
    };
    cycle.rotate_left(states[entry].0);
    let from_now = stem.len();
    stem.append(&mut cycle);
    (stem.len() < steps.len()).then_some((stem, from_now))
}

fn same<Y: Acceptance>(system: &Y, one: &[u8], other: &[u8]) -> bool {
    let ignored = system.ignored_suffix();
    one[..one.len() - ignored] == other[..other.len() - ignored]
}

type Stored = Vec<(usize, Vec<u8>)>;

/// The stored states along a list of steps, each with the number of steps before it.
fn replay<Y: Acceptance>(system: &Y, steps: &[Y::Step]) -> Option<Stored> {
    let mut initial = Vec::new();
    system.initial(&mut initial).ok()?;
    replay_from(system, &initial, steps)
}

fn replay_from<Y: Acceptance>(system: &Y, initial: &[u8], steps: &[Y::Step]) -> Option<Stored> {
    let mut state = initial.to_vec();
    let mut next = Vec::new();
    let mut scratch = Y::Scratch::default();
    let mut stored = vec![(0, state.clone())];
    let mut possible = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        if !system
            .execute(&mut scratch, &state, *step, &mut next)
            .complete
        {
            return None;
        }
        std::mem::swap(&mut state, &mut next);
        if !settle(system, &mut state, &mut possible) {
            stored.push((number + 1, state.clone()));
        }
    }
    Some(stored)
}

struct Search<'a, Y> {
    system: &'a Y,
    budget: usize,
    is_over: &'a dyn Fn() -> bool,
}

impl<Y: Acceptance> Search<'_, Y> {
    /// A shortest way, of one step at least, to a state that is looked for.
    fn way(&self, from: &[u8], is_wanted: impl Fn(&[u8]) -> bool) -> Option<Way<Y::Step>> {
        let began = self.system.work();
        let work = || self.system.work().saturating_sub(began) as usize;
        let may_go_on = |met: usize| match met + work() > self.budget || (self.is_over)() {
            true => Err(()),
            false => Ok(()),
        };
        let is_wanted = |state: &[u8]| !self.system.is_passing(state) && is_wanted(state);
        let way = shortest_way(self.system, &mut (), from, is_wanted, |_| true, may_go_on);
        way.ok().flatten()
    }
}
