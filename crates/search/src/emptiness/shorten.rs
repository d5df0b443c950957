//! Shorter counterexamples: a short cycle through an accepting state, and a shortest way to it.
//!
//! A depth-first search finds long ways into long cycles. From each of the first accepting states on the cycle a
//! breadth-first search looks for a shortest way back to it; the shortest of these is the new cycle, and one more
//! breadth-first search from the initial state looks for the nearest state on it. The result is a shortest way to
//! that cycle, not always the shortest counterexample of all.

use crate::system::Acceptance;

use super::LONG_SEQUENCE;
use super::edges::Edges;
use super::table::Table;

/// So many accepting states of a cycle are tried.
const MOST_TRIED: usize = 8;

/// So many steps, for each state that may be stored, are taken in all.
const STEPS_PER_STATE: u64 = 64;

/// Makes a counterexample shorter: steps from the initial state, and the number of those before the cycle.
/// Each search stores at most `budget` states. Nothing if it cannot be made shorter.
pub fn shorten<Y: Acceptance>(
    system: &Y,
    steps: &[Y::Step],
    from: usize,
    budget: usize,
) -> Option<(Vec<Y::Step>, usize)> {
    let lasso = replay(system, steps)?;
    let first = lasso.iter().position(|(before, _)| *before == from)?;
    // The last state is the first of the cycle again.
    let around = &lasso[first..lasso.len() - 1];
    let accepting = around
        .iter()
        .filter(|(_, state)| system.is_accepting(state));
    let mut edges = Edges::new();
    edges.steps_left = STEPS_PER_STATE * budget as u64;
    let mut search = Search {
        system,
        edges,
        budget,
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
    let mut passing = 0;
    for (number, step) in steps.iter().enumerate() {
        if !system
            .execute(&mut scratch, &state, *step, &mut next)
            .complete
        {
            return None;
        }
        std::mem::swap(&mut state, &mut next);
        possible.clear();
        passing += 1;
        if system.is_passing(&state) && system.enabled(&state, &mut possible) {
            // Inside a sequence as long as this states are stored, too.
            if passing > LONG_SEQUENCE {
                return None;
            }
            continue;
        }
        if system.is_passing(&state) {
            system.settle(&mut state);
        }
        passing = 0;
        stored.push((number + 1, state.clone()));
    }
    Some(stored)
}

struct Search<'a, Y: Acceptance> {
    system: &'a Y,
    edges: Edges<Y>,
    budget: usize,
}

impl<Y: Acceptance> Search<'_, Y> {
    /// A shortest way, of one edge at least, to a state that is looked for.
    fn way(
        &mut self,
        from: &[u8],
        is_wanted: impl Fn(&[u8]) -> bool,
    ) -> Option<(Vec<Y::Step>, Vec<u8>)> {
        let mut table = Table::new(self.system.ignored_suffix());
        table.insert(from);
        // How each state was reached first: from where, and where its steps end in the list of all.
        let mut origins: Vec<(u32, usize)> = vec![(0, 0)];
        let mut taken: Vec<Y::Step> = Vec::new();
        let mut number = 0;
        while number < origins.len() && origins.len() <= self.budget && self.edges.steps_left > 0 {
            let state = table.get(number as u32).to_vec();
            let mut found = None;
            self.edges
                .visit(self.system, &mut (), &state, |path, next| {
                    let wanted = is_wanted(next);
                    if wanted || table.insert(next).1 {
                        taken.extend(path.steps());
                        origins.push((number as u32, taken.len()));
                    }
                    if wanted {
                        found = Some(next.to_vec());
                    }
                    wanted
                });
            if let Some(found) = found {
                let mut parts = Vec::new();
                let mut at = origins.len() - 1;
                while at != 0 {
                    let (origin, end) = origins[at];
                    parts.push(&taken[origins[at - 1].1..end]);
                    at = origin as usize;
                }
                return Some((parts.into_iter().rev().flatten().copied().collect(), found));
            }
            number += 1;
        }
        None
    }
}
