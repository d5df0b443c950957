//! Systems to search: [`Counters`] is a grid that is easy to count, [`Graph`] any graph with atomic
//! sequences. [`Maze`] is a large one at
//! random. And what a test does with them.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use mazurka_search::{
    Defect, Options, Outcome, Reduction, Report, System, Violation, breadth_first, depth_first,
    settled_steps,
};

/// Some counters, each of which counts in a circle. A step is the number of a counter.
pub struct Counters {
    pub counters: usize,
    pub modulo: u8,
    /// No counter moves in this state.
    pub deadlock: Option<Vec<u8>>,
    /// This counter fails when it starts from zero.
    pub failure: Option<usize>,
    /// A step takes this long.
    pub pause: Duration,
}

pub fn counters(counters: usize, modulo: u8) -> Counters {
    Counters {
        counters,
        modulo,
        deadlock: None,
        failure: None,
        pause: Duration::ZERO,
    }
}

impl System for Counters {
    type Step = usize;
    type Failure = &'static str;
    type Scratch = ();

    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Self::Failure> {
        state.clear();
        state.resize(self.counters, 0);
        Ok(())
    }

    fn enabled(&self, state: &[u8], steps: &mut Vec<usize>) -> bool {
        let moves = self.deadlock.as_deref() != Some(state);
        if moves {
            steps.extend(0..self.counters);
        }
        moves
    }

    fn execute(
        &self,
        _: &mut (),
        state: &[u8],
        step: usize,
        next: &mut Vec<u8>,
    ) -> Outcome<Self::Failure> {
        std::thread::sleep(self.pause);
        next.clear();
        next.extend_from_slice(state);
        next[step] = (next[step] + 1) % self.modulo;
        let fails = self.failure == Some(step) && state[step] == 0;
        Outcome {
            failure: fails.then_some("started"),
            complete: true,
        }
    }

    fn is_passing(&self, _: &[u8]) -> bool {
        false
    }

    fn settle(&self, _: &mut [u8]) {}

    fn ignored_suffix(&self) -> usize {
        0
    }

    fn is_valid_end(&self, _: &[u8]) -> bool {
        false
    }

    fn transitions(&self) -> usize {
        self.counters
    }

    fn cover(&self, _: &[u8], step: usize, covered: &mut [bool]) {
        covered[step] = true;
    }
}

/// A graph from node 0. A step is the number of an edge. A state is the node, whether control is
/// held, and the number of steps so far, which does not tell states apart.
#[derive(Default)]
pub struct Graph {
    pub edges: Vec<Edge>,
    /// Nodes where the system may end.
    pub ends: Vec<u8>,
    /// There is no initial state.
    pub broken: bool,
}

#[derive(Clone, Copy)]
pub struct Edge {
    pub from: u8,
    pub to: u8,
    pub kind: Way,
}

#[derive(Clone, Copy, PartialEq)]
pub enum Way {
    Plain,
    /// Leads to a passing state.
    Holds,
    /// Somebody else's: not possible while control is held.
    Foreign,
    /// Fails and leads on.
    Fails(u8),
    /// Fails and leads nowhere.
    Breaks(u8),
}

pub fn graph(edges: &[(u8, u8, Way)], ends: &[u8]) -> Graph {
    Graph {
        edges: edges
            .iter()
            .map(|&(from, to, kind)| Edge { from, to, kind })
            .collect(),
        ends: ends.to_vec(),
        broken: false,
    }
}

/// A line of nodes from 0 to `last`.
pub fn line(last: u8, ends: &[u8]) -> Graph {
    let edges: Vec<_> = (0..last).map(|node| (node, node + 1, Way::Plain)).collect();
    graph(&edges, ends)
}

impl System for Graph {
    type Step = usize;
    type Failure = u8;
    type Scratch = ();

    fn initial(&self, state: &mut Vec<u8>) -> Result<(), u8> {
        state.clear();
        state.extend([0, 0, 0]);
        if self.broken { Err(7) } else { Ok(()) }
    }

    fn enabled(&self, state: &[u8], steps: &mut Vec<usize>) -> bool {
        let mut leads_on = false;
        for (number, edge) in self.edges.iter().enumerate() {
            if edge.from == state[0] && (state[1] == 0 || edge.kind != Way::Foreign) {
                steps.push(number);
                leads_on |= !matches!(edge.kind, Way::Breaks(_));
            }
        }
        leads_on
    }

    fn execute(
        &self,
        _: &mut (),
        state: &[u8],
        step: usize,
        next: &mut Vec<u8>,
    ) -> Outcome<Self::Failure> {
        let edge = self.edges[step];
        next.clear();
        let held = u8::from(edge.kind == Way::Holds);
        next.extend([edge.to, held, state[2].wrapping_add(1)]);
        Outcome {
            failure: match edge.kind {
                Way::Fails(failure) | Way::Breaks(failure) => Some(failure),
                _ => None,
            },
            complete: !matches!(edge.kind, Way::Breaks(_)),
        }
    }

    fn is_passing(&self, state: &[u8]) -> bool {
        state[1] != 0
    }

    fn settle(&self, state: &mut [u8]) {
        state[1] = 0;
    }

    fn ignored_suffix(&self) -> usize {
        1
    }

    fn is_valid_end(&self, state: &[u8]) -> bool {
        self.ends.contains(&state[0])
    }

    fn transitions(&self) -> usize {
        self.edges.len()
    }

    fn cover(&self, _: &[u8], step: usize, covered: &mut [bool]) {
        covered[step] = true;
    }
}

pub static NEVER: AtomicBool = AtomicBool::new(false);
pub static ALWAYS: AtomicBool = AtomicBool::new(true);

/// Everything is looked for, nothing is limited, the first violation ends the search.
pub fn options() -> Options<'static> {
    Options {
        deadlock: true,
        failures: true,
        proviso: true,
        all: false,
        depth: None,
        memory: u64::MAX,
        deadline: None,
        alone: Options::ALONE,
        interrupt: &NEVER,
    }
}

pub fn all() -> Options<'static> {
    Options {
        all: true,
        ..options()
    }
}

/// Searches in both orders, replays all violations and looks at both reports.
pub fn check<Y: System>(system: &Y, options: &Options<'_>, look: impl Fn(&str, &Report<Y>)) {
    check_reduced(system, || (), options, look);
}

/// The same, under a reduction.
pub fn check_reduced<Y: System, R: Reduction<Y> + Send>(
    system: &Y,
    reduction: impl Fn() -> R,
    options: &Options<'_>,
    look: impl Fn(&str, &Report<Y>),
) {
    for (order, report) in [
        (
            "depth-first",
            depth_first(system, &mut reduction(), options, &mut ()),
        ),
        (
            "breadth-first",
            breadth_first(system, &mut reduction(), options, &mut ()),
        ),
    ] {
        for violation in &report.violations {
            replay(system, violation);
        }
        look(order, &report);
    }
}

/// Follows the steps of a violation and sees the defect at their end.
pub fn replay<Y: System>(system: &Y, violation: &Violation<Y::Step, Y::Failure>) {
    let mut state = Vec::new();
    if let Err(failure) = system.initial(&mut state) {
        assert_eq!(violation.defect, Defect::Failure(failure));
        return;
    }
    let mut failure = None;
    for step in &violation.steps {
        let mut possible = Vec::new();
        settled_steps(system, &mut state, &mut possible);
        assert!(possible.contains(step), "{step:?} is not possible");
        let mut next = Vec::new();
        failure = system
            .execute(&mut Y::Scratch::default(), &state, *step, &mut next)
            .failure;
        state = next;
    }
    match violation.defect {
        Defect::Failure(_) => {
            assert_eq!(failure.map(Defect::Failure), Some(violation.defect.clone()))
        }
        Defect::Cycle(_) => unreachable!("no cycles are looked for"),
        Defect::Deadlock => {
            assert!(!system.enabled(&state, &mut Vec::new()));
            assert!(!system.is_valid_end(&state));
        }
    }
}

/// The systems that every store is tried on: one to count, and one with a violation of each kind.
pub fn systems() -> [Counters; 2] {
    let planted = Counters {
        deadlock: Some(vec![3, 9, 9]),
        failure: Some(1),
        ..counters(3, 12)
    };
    [counters(3, 12), planted]
}

/// A large graph at random, with atomic sequences. A step is the number of a way out of a node.
pub struct Maze {
    pub seed: u64,
    pub nodes: u32,
    /// Ways lead at most this far ahead; anywhere if it is zero.
    pub reach: u32,
    /// One node in this many has no way out; none if it is zero.
    pub deadlocks: u64,
    /// One way in this many fails; none if it is zero.
    pub failures: u64,
}

impl Maze {
    fn dice(&self, node: u32, way: usize, what: u64) -> u64 {
        let mut dice = self.seed ^ u64::from(node) << 20 ^ (way as u64) << 8 ^ what;
        for factor in [0x9e37_79b9_7f4a_7c15, 0xd6e8_feb8_6659_fd93] {
            dice = (dice ^ dice >> 31).wrapping_mul(factor);
        }
        dice ^ dice >> 29
    }

    fn is_one_in(&self, node: u32, way: usize, what: u64, many: u64) -> bool {
        many != 0 && self.dice(node, way, what).is_multiple_of(many)
    }

    fn node(state: &[u8]) -> u32 {
        u32::from_le_bytes(state[..4].try_into().unwrap())
    }

    /// The state of a node, with some bytes that follow from it.
    fn write(&self, node: u32, holds: bool, state: &mut Vec<u8>) {
        state.clear();
        state.extend(node.to_le_bytes());
        state.extend([u8::from(holds), 1, 2, 3]);
        state.extend((node / 64).to_le_bytes());
        state.extend((node % 64).to_le_bytes());
        state.extend([0; 5]);
    }

    /// How many steps of a path others can see.
    pub fn visible(&self, steps: &[usize]) -> usize {
        let mut state = Vec::new();
        self.initial(&mut state).unwrap();
        let mut seen = 0;
        for step in steps {
            seen += usize::from(!self.is_passing(&state));
            let mut next = Vec::new();
            self.execute(&mut (), &state, *step, &mut next);
            state = next;
        }
        seen
    }
}

impl System for Maze {
    type Step = usize;
    type Failure = u64;
    type Scratch = ();

    fn initial(&self, state: &mut Vec<u8>) -> Result<(), u64> {
        self.write(0, false, state);
        Ok(())
    }

    fn enabled(&self, state: &[u8], steps: &mut Vec<usize>) -> bool {
        let node = Maze::node(state);
        if node != 0 && self.is_one_in(node, 0, 1, self.deadlocks) {
            return false;
        }
        steps.extend(0..1 + (self.dice(node, 0, 2) % 3) as usize);
        true
    }

    fn execute(&self, _: &mut (), state: &[u8], step: usize, next: &mut Vec<u8>) -> Outcome<u64> {
        let node = Maze::node(state);
        let far = self.dice(node, step, 3) as u32;
        let to = match self.reach {
            0 => far % self.nodes,
            reach => (node + 1 + far % reach) % self.nodes,
        };
        // Atomic sequences end: they only go up.
        let holds = to > node && self.is_one_in(node, step, 4, 8);
        self.write(to, holds, next);
        let fails = self.is_one_in(node, step, 5, self.failures);
        Outcome {
            failure: fails.then(|| self.dice(node, step, 6)),
            complete: true,
        }
    }

    fn is_passing(&self, state: &[u8]) -> bool {
        state[4] != 0
    }

    fn settle(&self, state: &mut [u8]) {
        state[4] = 0;
    }

    fn ignored_suffix(&self) -> usize {
        5
    }

    fn is_valid_end(&self, _: &[u8]) -> bool {
        false
    }

    fn transitions(&self) -> usize {
        3
    }

    fn cover(&self, _: &[u8], step: usize, covered: &mut [bool]) {
        covered[step] = true;
    }
}

/// The fewest visible steps to a defect, by a search that could not be simpler.
pub fn nearest_defect<Y: System>(system: &Y) -> Option<usize> {
    let mut level = vec![Vec::new()];
    system.initial(&mut level[0]).ok()?;
    let identity = |state: &Vec<u8>| state[..state.len() - system.ignored_suffix()].to_vec();
    let mut known: std::collections::HashSet<Vec<u8>> = level.iter().map(identity).collect();
    for depth in 0.. {
        let mut fails = false;
        let mut next_level = Vec::new();
        for state in &level {
            let mut inner = vec![state.clone()];
            if !system.enabled(state, &mut Vec::new()) && !system.is_valid_end(state) {
                return Some(depth);
            }
            while let Some(state) = inner.pop() {
                let mut steps = Vec::new();
                system.enabled(&state, &mut steps);
                for step in steps {
                    let mut next = Vec::new();
                    let scratch = &mut Y::Scratch::default();
                    let outcome = system.execute(scratch, &state, step, &mut next);
                    fails |= outcome.failure.is_some();
                    if system.is_passing(&next) {
                        if system.enabled(&next, &mut Vec::new()) {
                            inner.push(next);
                            continue;
                        }
                        system.settle(&mut next);
                    }
                    if outcome.complete && known.insert(identity(&next)) {
                        next_level.push(next);
                    }
                }
            }
        }
        if fails {
            return Some(depth + 1);
        }
        if next_level.is_empty() {
            return None;
        }
        level = next_level;
    }
    None
}
