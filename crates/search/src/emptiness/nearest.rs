//! The shortest counterexample of all, where the graph is small enough to be looked at as a whole.
//!
//! [`shorten`](super::shorten) stays near the cycle that a search has found, and there may be a much nearer one. Here the graph is made
//! breadth first, as far as the effort goes, and every accepting state of it is asked for the best lasso through it: the steps to some state of
//! a cycle, and those around. Parts of the graph that were not reached are not missed: what is found is a lasso all the same.

use crate::sequence::settle;
use crate::shorter::Effort;
use crate::system::Acceptance;

use super::table::Table;

/// To look at this many edges takes about as long as a small step.
const EDGES_OF_A_STEP: u64 = 64;
/// No number of a state.
const NOBODY: u32 = u32::MAX;

/// Looks for an accepting cycle and a way to it that take fewer than `known` steps together: steps from the initial state, and the number of
/// those before the cycle. The effort that is spent is taken from what is given. Within it, what is found is shortest.
pub fn nearest<Y: Acceptance>(
    system: &Y,
    known: usize,
    effort: &mut Effort<'_>,
) -> Option<(Vec<Y::Step>, usize)> {
    let mut graph = Graph::new(system.ignored_suffix());
    graph.make(system, known, effort)?;
    let components = graph.components();
    let mut best = Lasso {
        length: known.min(NOBODY as usize) as u32,
        states: Vec::new(),
        from: 0,
    };
    let mut around = Around::new(graph.depths.len());
    for number in 0..graph.expanded() as u32 {
        // The cycle has one step at least, and the way to this state is a part of the whole.
        if graph.depths[number as usize] + 1 >= best.length || effort.steps == 0 {
            break;
        }
        if graph.accepting[number as usize] {
            around.improve(&graph, &components, number, &mut best, effort);
        }
    }
    let steps = graph.steps(system, &best.states)?;
    Some((steps, best.from))
}

/// Numbers of states along a lasso, of which the last one is that at `from` again.
struct Lasso {
    length: u32,
    states: Vec<u32>,
    from: usize,
}

/// States by numbers in the order in which they were met, with where their steps lead.
struct Graph {
    table: Table,
    /// The least number of steps to each.
    depths: Vec<u32>,
    /// From which state each was met; nobody for the first.
    parents: Vec<u32>,
    accepting: Vec<bool>,
    /// Where the targets of each state begin that was left, and where those of the last one end.
    first: Vec<usize>,
    targets: Vec<u32>,
}

impl Graph {
    fn new(ignored_suffix: usize) -> Graph {
        Graph {
            table: Table::new(ignored_suffix),
            depths: Vec::new(),
            parents: Vec::new(),
            accepting: Vec::new(),
            first: vec![0],
            targets: Vec::new(),
        }
    }

    /// How many states were left.
    fn expanded(&self) -> usize {
        self.first.len() - 1
    }

    fn meet<Y: Acceptance>(&mut self, system: &Y, state: &[u8], parent: u32) -> u32 {
        let (number, is_new) = self.table.insert(state);
        if is_new {
            let depth = match parent {
                NOBODY => 0,
                parent => self.depths[parent as usize] + 1,
            };
            self.depths.push(depth);
            self.parents.push(parent);
            self.accepting
                .push(!system.is_passing(state) && system.is_accepting(state));
        }
        number
    }

    /// Leaves states for half of the effort, or until they are too far to be of use.
    fn make<Y: Acceptance>(
        &mut self,
        system: &Y,
        known: usize,
        effort: &mut Effort<'_>,
    ) -> Option<()> {
        let last = effort.steps / 2;
        let (mut state, mut next) = (Vec::new(), Vec::new());
        let (mut steps, mut ahead) = (Vec::new(), Vec::new());
        let mut scratch = Y::Scratch::default();
        system.initial(&mut state).ok()?;
        self.meet(system, &state, NOBODY);
        while self.expanded() < self.depths.len() {
            let number = self.expanded() as u32;
            if self.depths[number as usize] as usize + 1 >= known
                || effort.steps <= last
                || self.bytes() > effort.bytes
            {
                break;
            }
            state.clear();
            state.extend_from_slice(self.table.get(number));
            steps.clear();
            system.enabled(&state, &mut steps);
            for step in &steps {
                let before = system.work();
                let outcome = system.execute(&mut scratch, &state, *step, &mut next);
                effort.spend_on(system, before, &next);
                if outcome.complete {
                    settle(system, &mut next, &mut ahead);
                    let target = self.meet(system, &next, number);
                    self.targets.push(target);
                }
            }
            self.first.push(self.targets.len());
        }
        Some(())
    }

    fn bytes(&self) -> u64 {
        let of_each = self.depths.len() * (4 + 4 + 1 + 8) + self.targets.len() * 4;
        self.table.bytes() + of_each as u64
    }

    fn targets(&self, number: u32) -> &[u32] {
        match self.first.get(number as usize + 1) {
            Some(end) => &self.targets[self.first[number as usize]..*end],
            None => &[],
        }
    }

    /// For each state, the number of its strongly connected component (Tarjan 1972): no cycle leaves one.
    fn components(&self) -> Vec<u32> {
        let count = self.depths.len();
        let mut component = vec![NOBODY; count];
        let (mut index, mut low) = (vec![NOBODY; count], vec![0; count]);
        let (mut path, mut open) = (Vec::<(u32, usize)>::new(), Vec::new());
        let mut met = 0;
        for root in 0..count as u32 {
            if index[root as usize] != NOBODY {
                continue;
            }
            path.push((root, 0));
            while let Some((number, next)) = path.pop() {
                let at = number as usize;
                if next == 0 {
                    (index[at], low[at]) = (met, met);
                    met += 1;
                    open.push(number);
                }
                match self.targets(number).get(next) {
                    Some(&target) => {
                        path.push((number, next + 1));
                        if index[target as usize] == NOBODY {
                            path.push((target, 0));
                        } else if component[target as usize] == NOBODY {
                            low[at] = low[at].min(index[target as usize]);
                        }
                    }
                    None => {
                        if let Some((parent, _)) = path.last() {
                            low[*parent as usize] = low[*parent as usize].min(low[at]);
                        }
                        if low[at] == index[at] {
                            while let Some(member) = open.pop() {
                                component[member as usize] = number;
                                if member == number {
                                    break;
                                }
                            }
                        }
                    }
                }
            }
        }
        component
    }

    /// The states from the initial one to another.
    fn way_to(&self, number: u32) -> Vec<u32> {
        let mut way = vec![number];
        let mut at = number;
        while self.parents[at as usize] != NOBODY {
            at = self.parents[at as usize];
            way.push(at);
        }
        way.reverse();
        way
    }

    /// Steps that lead from each of the states to the next.
    fn steps<Y: Acceptance>(&self, system: &Y, states: &[u32]) -> Option<Vec<Y::Step>> {
        let (mut next, mut possible, mut ahead) = (Vec::new(), Vec::new(), Vec::new());
        let mut scratch = Y::Scratch::default();
        let mut taken = Vec::new();
        for pair in states.windows(2) {
            let state = self.table.get(pair[0]);
            possible.clear();
            system.enabled(state, &mut possible);
            let step = possible.iter().find(|step| {
                let outcome = system.execute(&mut scratch, state, **step, &mut next);
                outcome.complete && {
                    settle(system, &mut next, &mut ahead);
                    self.table.find(&next) == Some(pair[1])
                }
            })?;
            taken.push(*step);
        }
        (!taken.is_empty()).then_some(taken)
    }
}

/// Looks for the best lasso through one state after the other. What it remembers of a state counts for one of these at a time.
struct Around {
    /// For each state, whom it was reached for, how far it is, and from where.
    away: Vec<Mark>,
    /// The same on the way back, where the distance is the length of the whole up to here.
    back: Vec<Mark>,
    reached: Vec<u32>,
    /// States on the way back, by the length of the whole.
    waiting: Vec<Vec<u32>>,
}

#[derive(Clone, Copy)]
struct Mark {
    of: u32,
    length: u32,
    from: u32,
}

impl Around {
    fn new(states: usize) -> Around {
        let nothing = Mark {
            of: NOBODY,
            length: 0,
            from: NOBODY,
        };
        Around {
            away: vec![nothing; states],
            back: vec![nothing; states],
            reached: Vec::new(),
            waiting: Vec::new(),
        }
    }

    /// Looks for a lasso through `center` that is shorter than the best one.
    ///
    /// Its cycle is entered at some state: the whole is the way there, the way from there to the center, and that from the center back there.
    /// So each state that the center leads to is a beginning whose length is the first and the last of these, and the least of the
    /// three together is a shortest way from all beginnings to the center.
    fn improve(
        &mut self,
        graph: &Graph,
        components: &[u32],
        center: u32,
        best: &mut Lasso,
        effort: &mut Effort<'_>,
    ) {
        let own = components[center as usize];
        let mut looked = 0;
        self.go_away(graph, components, center, best.length, &mut looked);
        self.waiting.iter_mut().for_each(Vec::clear);
        self.waiting.resize_with(best.length as usize, Vec::new);
        for number in &self.reached {
            let length = graph.depths[*number as usize] + self.away[*number as usize].length;
            if length + 1 < best.length {
                self.back[*number as usize] = Mark {
                    of: center,
                    length,
                    from: NOBODY,
                };
                self.waiting[length as usize].push(*number);
            }
        }
        'all: for length in 0..best.length - 1 {
            let mut next = 0;
            while let Some(&number) = self.waiting[length as usize].get(next) {
                next += 1;
                if self.back[number as usize].length != length {
                    continue;
                }
                for &target in graph.targets(number) {
                    looked += 1;
                    if target == center {
                        *best = self.lasso(graph, center, number, length + 1);
                        break 'all;
                    }
                    let mark = &mut self.back[target as usize];
                    let is_better = mark.of != center || mark.length > length + 1;
                    if components[target as usize] == own && is_better && length + 2 < best.length {
                        *mark = Mark {
                            of: center,
                            length: length + 1,
                            from: number,
                        };
                        self.waiting[length as usize + 1].push(target);
                    }
                }
            }
        }
        // The lists of those that wait are gone through whether there is something in them or not.
        looked += u64::from(best.length);
        effort.spend(1 + looked / EDGES_OF_A_STEP);
    }

    /// How far the states of its component are from the center.
    fn go_away(
        &mut self,
        graph: &Graph,
        components: &[u32],
        center: u32,
        known: u32,
        looked: &mut u64,
    ) {
        self.reached.clear();
        self.reached.push(center);
        self.away[center as usize] = Mark {
            of: center,
            length: 0,
            from: NOBODY,
        };
        let mut next = 0;
        while let Some(&number) = self.reached.get(next) {
            next += 1;
            let length = self.away[number as usize].length + 1;
            if length + 1 >= known {
                break;
            }
            for &target in graph.targets(number) {
                *looked += 1;
                let mark = &mut self.away[target as usize];
                if mark.of != center && components[target as usize] == components[center as usize] {
                    *mark = Mark {
                        of: center,
                        length,
                        from: number,
                    };
                    self.reached.push(target);
                }
            }
        }
    }

    /// The lasso whose way back to the center ends with `last`.
    fn lasso(&self, graph: &Graph, center: u32, last: u32, length: u32) -> Lasso {
        let mut to_center = vec![center, last];
        let mut entry = last;
        while self.back[entry as usize].from != NOBODY {
            entry = self.back[entry as usize].from;
            to_center.push(entry);
        }
        to_center.reverse();
        let mut from_center = Vec::new();
        let mut at = entry;
        while at != center {
            from_center.push(at);
            at = self.away[at as usize].from;
        }
        from_center.reverse();
        let mut states = graph.way_to(entry);
        let from = states.len() - 1;
        states.extend(&to_center[1..]);
        states.extend(from_center);
        Lasso {
            length,
            states,
            from,
        }
    }
}
