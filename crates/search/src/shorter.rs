//! The same violation after fewer steps.
//!
//! A depth-first search comes to a violation by a long way. From what it found:
//!
//! 1. loops are dropped;
//! 2. a breadth-first search from the initial state looks for a way of fewer steps. Within its effort it finds the fewest;
//! 3. if there are too many states for that, a search that prefers states near the one that was found, as a given distance
//!    has it (Edelkamp, Leue, Lluch Lafuente 2004: *Partial-order reduction and trail improvement in directed model checking*);
//! 4. steps that the end does not need are left out of the best way known, in ever smaller groups;
//! 5. pieces of that way are replaced by the shortest between their ends.
//!
//! All effort is counted in steps carried out, not by the clock, so that the same search gives the same answer.

use std::collections::{HashMap, VecDeque};

use crate::emptiness::table::Table;
use crate::sequence::settled_steps;
use crate::system::System;

/// What a shorter path must end in, and how far a state may be from that.
pub struct Goal<'a, Y: System> {
    /// The end.
    pub end: End<'a, Y>,
    /// About how many steps are missing: no more than a hint.
    pub distance: &'a dyn Fn(&[u8]) -> u32,
    /// May a path go through a step that fails, without being the end?
    pub may_fail: bool,
}

/// How a path ends.
pub enum End<'a, Y: System> {
    /// In a state that no step leads on from and in which the system may not stop, of which this is true.
    Stop(&'a dyn Fn(&[u8]) -> bool),
    /// With a step that fails so.
    Failure(&'a dyn Fn(Y::Step, Y::Failure) -> bool),
}

/// How much may be done.
pub struct Effort<'a> {
    /// Steps carried out, in all.
    pub steps: u64,
    /// Bytes of states held at a time.
    pub bytes: u64,
    /// Is it to be given up?
    pub is_over: Box<dyn Fn() -> bool + 'a>,
}

impl Effort<'_> {
    /// This much was done; is there no more left?
    pub(crate) fn spend(&mut self, steps: u64) -> bool {
        let before = self.steps;
        self.steps = before.saturating_sub(steps);
        if before / STEPS_BETWEEN != self.steps / STEPS_BETWEEN && (self.is_over)() {
            self.steps = 0;
        }
        self.steps == 0
    }

    /// One more step was carried out, to this state, when this much work had been done. One to a large state counts for more, and so does
    /// one that takes long by itself.
    pub(crate) fn spend_on<Y: System>(&mut self, system: &Y, before: u64, next: &[u8]) -> bool {
        let copied = (next.len() / BYTES_OF_A_STEP) as u64;
        self.spend(1 + copied + system.work().saturating_sub(before))
    }
}

/// A path that is shorter than the one that was known, or known to be as short as can be.
#[derive(Clone, PartialEq, Debug)]
pub struct Shorter<S> {
    /// The steps from the initial state.
    pub steps: Vec<S>,
    /// Is there none with fewer steps to such an end?
    pub shortest: bool,
}

/// Looks for fewer steps from the initial state to an end like that of a path. The effort that is spent is taken from what is given.
///
/// The path may be one of another form of the system, and not a path of this one: then what is found is a path to such an end, of whatever length.
/// Nothing if none was found.
pub fn shorter<Y: System>(
    system: &Y,
    steps: &[Y::Step],
    goal: &Goal<'_, Y>,
    effort: &mut Effort<'_>,
) -> Option<Shorter<Y::Step>> {
    let mut search = Search {
        system,
        goal,
        effort,
        scratch: Y::Scratch::default(),
    };
    let mut best = search.follow(steps, 0).map(|(kept, _)| kept);
    let length = |best: &Option<Vec<Y::Step>>| best.as_ref().map_or(usize::MAX, Vec::len);
    let share = search.effort.steps / 4;
    match search.best_first(0, share, length(&best)) {
        Looked::Found(steps) => return Some(Shorter::shortest(steps)),
        Looked::Nothing => return best.map(Shorter::shortest),
        Looked::GaveUp => {}
    }
    best = best.map(|best| search.without_what_is_not_needed(best, share));
    for weight in [1, 3] {
        if let Looked::Found(found) = search.best_first(weight, share, length(&best)) {
            best = Some(found);
        }
    }
    let best = search.without_what_is_not_needed(best?, share / 4);
    Some(Shorter {
        steps: search.by_shorter_pieces(best),
        shortest: false,
    })
}

impl<S> Shorter<S> {
    fn shortest(steps: Vec<S>) -> Shorter<S> {
        Shorter {
            steps,
            shortest: true,
        }
    }
}

/// What came of a search for a path of fewer steps.
enum Looked<S> {
    Found(Vec<S>),
    /// There is none, in the whole of what was asked about.
    Nothing,
    GaveUp,
}

/// A state in a search that prefers some.
#[derive(Clone, Copy)]
struct Node<S> {
    /// Where it was reached from, and by which step; nothing for the first.
    from: Option<(u32, S)>,
    /// The number of steps to it.
    depth: u32,
    is_closed: bool,
}

/// This many steps are carried out between two questions whether it is over.
const STEPS_BETWEEN: u64 = 1 << 12;
/// To copy and compare this many bytes takes about as long as a small step.
const BYTES_OF_A_STEP: usize = 128;

struct Search<'a, 'e, Y: System> {
    system: &'a Y,
    goal: &'a Goal<'a, Y>,
    effort: &'a mut Effort<'e>,
    scratch: Y::Scratch,
}

/// The states of a path, each with the number of steps before it.
type Path<S> = (Vec<S>, Vec<Vec<u8>>);

impl<Y: System> Search<'_, '_, Y> {
    /// The possible steps; a state in an atomic sequence that goes no further is settled. Says whether one leads on.
    fn possible(&self, state: &mut [u8], steps: &mut Vec<Y::Step>) -> bool {
        steps.clear();
        settled_steps(self.system, state, steps)
    }

    fn is_stop(&self, state: &[u8], leads_on: bool) -> bool {
        match self.goal.end {
            End::Stop(is_it) => !leads_on && !self.system.is_valid_end(state) && is_it(state),
            End::Failure(_) => false,
        }
    }

    fn is_failure(&self, step: Y::Step, failure: Option<Y::Failure>) -> bool {
        match (&self.goal.end, failure) {
            (End::Failure(is_it), Some(failure)) => is_it(step, failure),
            _ => false,
        }
    }

    /// Takes those of the steps that are possible one after the other, leaving out loops, and stops at the end that is looked for.
    /// Nothing if it does not come to it, or if there are more than `most` steps that are not possible.
    fn follow(&mut self, steps: &[Y::Step], most: usize) -> Option<Path<Y::Step>> {
        let mut state = Vec::new();
        self.system.initial(&mut state).ok()?;
        let mut taken: Vec<Y::Step> = Vec::new();
        let mut states: Vec<Vec<u8>> = Vec::new();
        let mut known: HashMap<Vec<u8>, usize> = HashMap::new();
        let (mut possible, mut next) = (Vec::new(), Vec::new());
        let mut missed = 0;
        let mut rest = steps.iter();
        loop {
            let leads_on = self.possible(&mut state, &mut possible);
            if let Some(before) = known.insert(state.clone(), taken.len()) {
                for forgotten in states.drain(before..) {
                    known.remove(&forgotten);
                }
                taken.truncate(before);
                known.insert(state.clone(), before);
            }
            states.push(state.clone());
            if self.is_stop(&state, leads_on) {
                return Some((taken, states));
            }
            let step = loop {
                let step = *rest.next()?;
                match possible.contains(&step) {
                    true => break step,
                    false if missed == most => return None,
                    false => missed += 1,
                }
            };
            let before = self.system.work();
            let outcome = self
                .system
                .execute(&mut self.scratch, &state, step, &mut next);
            taken.push(step);
            if self.is_failure(step, outcome.failure) {
                return Some((taken, states));
            }
            if !outcome.complete
                || outcome.failure.is_some() && !self.goal.may_fail
                || self.effort.spend_on(self.system, before, &next)
            {
                return None;
            }
            std::mem::swap(&mut state, &mut next);
        }
    }

    /// Looks for a path of fewer than `known` steps. States are left in the order of the steps to them and, `weight` times as
    /// important, their distance; without a weight that is breadth-first, and what is found first is shortest.
    fn best_first(&mut self, weight: u32, effort: u64, known: usize) -> Looked<Y::Step> {
        let last = self.effort.steps.saturating_sub(effort);
        let mut initial = Vec::new();
        if self.system.initial(&mut initial).is_err() {
            return Looked::GaveUp;
        }
        let mut table = Table::new(self.system.ignored_suffix());
        table.insert(&initial);
        let mut nodes: Vec<Node<Y::Step>> = vec![Node {
            from: None,
            depth: 0,
            is_closed: false,
        }];
        let mut open = Open::default();
        open.put(0, 0);
        let (mut state, mut next) = (Vec::new(), Vec::new());
        let mut steps = Vec::new();
        while let Some(number) = open.take() {
            let node = nodes[number as usize];
            if node.is_closed {
                continue;
            }
            nodes[number as usize].is_closed = true;
            state.clear();
            state.extend_from_slice(table.get(number));
            let leads_on = self.possible(&mut state, &mut steps);
            if self.is_stop(&state, leads_on) {
                if (node.depth as usize) < known {
                    return Looked::Found(way_to(number, &nodes));
                }
                continue;
            }
            if node.depth as usize + 1 >= known {
                continue;
            }
            for step in &steps {
                let before = self.system.work();
                let outcome = self
                    .system
                    .execute(&mut self.scratch, &state, *step, &mut next);
                if self.effort.spend_on(self.system, before, &next) || self.effort.steps <= last {
                    return Looked::GaveUp;
                }
                if self.is_failure(*step, outcome.failure) {
                    let mut way = way_to(number, &nodes);
                    way.push(*step);
                    return Looked::Found(way);
                }
                if !outcome.complete {
                    continue;
                }
                if outcome.failure.is_some() && !self.goal.may_fail {
                    // What comes after it is another violation's.
                    continue;
                }
                let (found, is_new) = table.insert(&next);
                let reached = Node {
                    from: Some((number, *step)),
                    depth: node.depth + 1,
                    is_closed: false,
                };
                if is_new {
                    nodes.push(reached);
                    if table.bytes() > self.effort.bytes {
                        return Looked::GaveUp;
                    }
                } else if nodes[found as usize].depth > reached.depth {
                    nodes[found as usize] = reached;
                } else {
                    continue;
                }
                let distance = match weight {
                    0 => 0,
                    _ => (self.goal.distance)(&next),
                };
                open.put(reached.depth + weight * distance, found);
            }
        }
        Looked::Nothing
    }

    /// Leaves out groups of steps as long as the end is still reached: halves, quarters, and so on.
    fn without_what_is_not_needed(&mut self, steps: Vec<Y::Step>, effort: u64) -> Vec<Y::Step> {
        let last = self.effort.steps.saturating_sub(effort);
        let mut best = steps;
        let mut group = best.len() / 2;
        while group > 0 && self.effort.steps > last {
            let mut at = best.len().saturating_sub(group);
            let before = best.len();
            loop {
                let without: Vec<Y::Step> = best[..at]
                    .iter()
                    .chain(&best[(at + group).min(best.len())..])
                    .copied()
                    .collect();
                if let Some((kept, _)) = self.follow(&without, usize::MAX)
                    && kept.len() < best.len()
                {
                    best = kept;
                }
                if at == 0 || self.effort.steps <= last {
                    break;
                }
                at = at.min(best.len()).saturating_sub(group);
            }
            // Fewer steps may make more of them needless.
            if best.len() == before || group > 1 {
                group /= 2;
            }
            group = group.min(best.len() / 2);
        }
        best
    }

    /// From each state of the path, looks for the state furthest along it that a short search meets.
    fn by_shorter_pieces(&mut self, steps: Vec<Y::Step>) -> Vec<Y::Step> {
        let mut best = steps;
        loop {
            let Some((taken, states)) = self.follow(&best, 0) else {
                return best;
            };
            if taken.len() < best.len() {
                best = taken;
                continue;
            }
            let share = self.effort.steps / states.len().max(1) as u64;
            let ahead: HashMap<&[u8], usize> = states
                .iter()
                .enumerate()
                .map(|(at, state)| (&state[..], at))
                .collect();
            let mut at = 0;
            let mut joined: Vec<Y::Step> = Vec::new();
            while at + 2 < states.len() {
                match self.jump(&states[at], at, &ahead, share) {
                    Some((way, to)) => {
                        joined.extend(way);
                        at = to;
                    }
                    None => {
                        joined.push(taken[at]);
                        at += 1;
                    }
                }
            }
            joined.extend(&taken[at.min(taken.len())..]);
            if joined.len() >= best.len() || self.effort.steps == 0 {
                return best;
            }
            match self.follow(&joined, 0) {
                Some((shorter, _)) if shorter.len() < best.len() => best = shorter,
                _ => return best,
            }
        }
    }

    /// The way from a state of a path to a later one that saves most.
    fn jump(
        &mut self,
        from: &[u8],
        position: usize,
        ahead: &HashMap<&[u8], usize>,
        effort: u64,
    ) -> Option<(Vec<Y::Step>, usize)> {
        let last = self.effort.steps.saturating_sub(effort);
        let mut table = Table::new(0);
        table.insert(from);
        let mut nodes: Vec<Node<Y::Step>> = vec![Node {
            from: None,
            depth: 0,
            is_closed: false,
        }];
        let (mut state, mut next) = (Vec::new(), Vec::new());
        let mut steps = Vec::new();
        // How many steps are saved, by going to which state.
        let mut best: Option<(usize, u32, usize)> = None;
        let mut number = 0;
        'search: while (number as usize) < nodes.len() {
            state.clear();
            state.extend_from_slice(table.get(number));
            let depth = nodes[number as usize].depth;
            self.possible(&mut state, &mut steps);
            if let Some(to) = ahead.get(&state[..]) {
                let saved = to.saturating_sub(position + depth as usize);
                if saved > 0 && best.is_none_or(|(known, ..)| saved > known) {
                    best = Some((saved, number, *to));
                }
            }
            for step in &steps {
                let before = self.system.work();
                let outcome = self
                    .system
                    .execute(&mut self.scratch, &state, *step, &mut next);
                if self.effort.spend_on(self.system, before, &next) || self.effort.steps <= last {
                    break 'search;
                }
                if outcome.complete
                    && (outcome.failure.is_none() || self.goal.may_fail)
                    && table.insert(&next).1
                {
                    nodes.push(Node {
                        from: Some((number, *step)),
                        depth: depth + 1,
                        is_closed: false,
                    });
                }
            }
            number += 1;
        }
        let (_, number, to) = best?;
        Some((way_to(number, &nodes), to))
    }
}

fn way_to<S: Copy>(number: u32, nodes: &[Node<S>]) -> Vec<S> {
    let mut steps = Vec::new();
    let mut at = number;
    while let Some((before, step)) = nodes[at as usize].from {
        steps.push(step);
        at = before;
    }
    steps.reverse();
    steps
}

/// States that wait to be left, those of the lowest cost first, and among them the oldest.
#[derive(Default)]
struct Open {
    by_cost: Vec<VecDeque<u32>>,
    lowest: usize,
}

impl Open {
    fn put(&mut self, cost: u32, number: u32) {
        let cost = cost as usize;
        if self.by_cost.len() <= cost {
            self.by_cost.resize_with(cost + 1, VecDeque::new);
        }
        self.by_cost[cost].push_back(number);
        self.lowest = self.lowest.min(cost);
    }

    fn take(&mut self) -> Option<u32> {
        while self.lowest < self.by_cost.len() {
            if let Some(number) = self.by_cost[self.lowest].pop_front() {
                return Some(number);
            }
            self.lowest += 1;
        }
        None
    }
}
