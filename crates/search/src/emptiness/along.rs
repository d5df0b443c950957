//! A counterexample of another form of a system, found again in this one.
//!
//! A system and its reduced form take the same steps, but what they are together with a claim differs: states of the claim, and which of
//! them accept. So the known steps are followed with all that the claim may do meanwhile. That is a small graph, in which an accepting cycle
//! is looked for.

use std::collections::HashMap;

use crate::sequence::settle;
use crate::system::Acceptance;

/// No more states than these are looked at.
const MOST_STATES: usize = 1 << 18;
/// No more work than this is done in steps that take long.
const MOST_WORK: u64 = 1 << 22;
/// Looking for ways, no more states than these are come to, each as often as a way leads there.
const MOST_VISITS: usize = 1 << 22;

/// Follows a lasso of `length` steps, of which those from `from` on repeat for ever, and finds an accepting cycle on it: steps from the initial
/// state, and the number of those before the cycle. `is_taken` says whether a step may be taken at a position of the lasso; one that has
/// nothing to repeat stays at its end. Nothing when `is_over` says so.
pub fn along<Y: Acceptance>(
    system: &Y,
    length: usize,
    from: usize,
    is_taken: impl Fn(usize, Y::Step) -> bool,
    is_over: &dyn Fn() -> bool,
) -> Option<(Vec<Y::Step>, usize)> {
    // There is a state at least at each position.
    if length >= MOST_STATES {
        return None;
    }
    let mut initial = Vec::new();
    system.initial(&mut initial).ok()?;
    let mut graph = Graph::default();
    graph.number(system, 0, &initial);
    let (mut scratch, mut steps, mut ahead) = (Y::Scratch::default(), Vec::new(), Vec::new());
    let mut next = Vec::new();
    let mut at = 0;
    let began = system.work();
    while at < graph.states.len() && graph.states.len() < MOST_STATES {
        if system.work().saturating_sub(began) > MOST_WORK || is_over() {
            return None;
        }
        let (position, state) = graph.states[at].clone();
        let behind = match position + 1 < length {
            true => position + 1,
            false => from,
        };
        steps.clear();
        system.enabled(&state, &mut steps);
        let mut edges = Vec::new();
        for step in steps.iter().filter(|step| is_taken(position, **step)) {
            if system
                .execute(&mut scratch, &state, *step, &mut next)
                .complete
            {
                settle(system, &mut next, &mut ahead);
                edges.push((*step, graph.number(system, behind, &next)));
            }
        }
        graph.edges.push(edges);
        at += 1;
    }
    // Nothing comes back to what stands before the part that repeats.
    let is_accepting = |(position, state): &(usize, Vec<u8>)| {
        *position >= from && !system.is_passing(state) && system.is_accepting(state)
    };
    let mut visits = MOST_VISITS;
    let accepting = (0..graph.edges.len()).filter(|at| is_accepting(&graph.states[*at]));
    for at in accepting {
        if let Some(mut cycle) = graph.way(at, at, &mut visits) {
            let mut whole = match at {
                0 => Vec::new(),
                _ => graph.way(0, at, &mut { MOST_STATES })?,
            };
            let before = whole.len();
            whole.append(&mut cycle);
            return Some((whole, before));
        }
    }
    None
}

/// Positions on the lasso with states of the system there.
struct Graph<S> {
    states: Vec<(usize, Vec<u8>)>,
    /// Those that were looked at, with where their steps lead.
    edges: Vec<Vec<(S, usize)>>,
    known: HashMap<(usize, Vec<u8>), usize>,
}

impl<S> Default for Graph<S> {
    fn default() -> Graph<S> {
        Graph {
            states: Vec::new(),
            edges: Vec::new(),
            known: HashMap::new(),
        }
    }
}

impl<S: Copy> Graph<S> {
    fn number<Y: Acceptance>(&mut self, system: &Y, position: usize, state: &[u8]) -> usize {
        let told_apart = state[..state.len() - system.ignored_suffix()].to_vec();
        let number = self.states.len();
        let found = *self.known.entry((position, told_apart)).or_insert(number);
        if found == number {
            self.states.push((position, state.to_vec()));
        }
        found
    }

    /// A shortest way, of one step at least. Each state that is come to takes one from `visits`; when none is left, the answer is none.
    fn way(&self, from: usize, to: usize, visits: &mut usize) -> Option<Vec<S>> {
        let mut origins: HashMap<usize, (usize, S)> = HashMap::new();
        let mut open = vec![from];
        let mut next = 0;
        while next < open.len() && !origins.contains_key(&to) {
            *visits = visits.checked_sub(1)?;
            for (step, target) in self.edges.get(open[next]).into_iter().flatten() {
                if !origins.contains_key(target) {
                    origins.insert(*target, (open[next], *step));
                    open.push(*target);
                }
            }
            next += 1;
        }
        let mut steps = Vec::new();
        let mut at = to;
        loop {
            let (before, step) = origins.get(&at)?;
            steps.push(*step);
            at = *before;
            if at == from {
                break;
            }
        }
        steps.reverse();
        Some(steps)
    }
}
