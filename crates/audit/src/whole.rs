//! The whole graph of a small system, by the plainest search there is.
//!
//! Every state is kept as it is in a hash map, every step is taken, and cycles are looked for when all is known. There is no store, no
//! reduction, no order to get wrong, so where a system is small enough this is what a verdict is compared with.

use std::fmt::Debug;

use mazurka_search::{Acceptance, System};
use rapidhash::RapidHashMap;

/// What a graph may have at most to be looked at.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// States, those inside atomic sequences counted as well.
    pub states: usize,
    /// Steps from one to another.
    pub steps: usize,
}

impl Most {
    /// Such that it is done within some hundredths of a second.
    pub const USUAL: Most = Most {
        states: 10_000,
        steps: 40_000,
    };
}

/// What is looked for in a graph.
#[derive(Clone, Copy, Debug)]
pub struct Sought {
    /// States without a next step, where the system may not end.
    pub deadlocks: bool,
    /// Steps that fail.
    pub failures: bool,
}

impl Sought {
    /// Failures alone.
    pub const FAILURES: Sought = Sought {
        deadlocks: false,
        failures: true,
    };
}

/// What there is in the whole graph of a system.
#[derive(Clone, PartialEq, Debug)]
pub enum Whole {
    /// More than was to be looked at.
    TooLarge,
    /// Nothing is wrong, in all of its states; those inside atomic sequences are not counted.
    Right(u64),
    /// This is wrong.
    Wrong(String),
}

/// Looks for what is sought in all states.
pub fn whole_graph<Y: System>(system: &Y, sought: Sought, most: Most) -> Whole {
    match Graph::of(system, sought, most, |_| false) {
        Ok(graph) => Whole::Right(graph.stored),
        Err(whole) => whole,
    }
}

/// Looks for failures, and for cycles through accepting states.
pub fn whole_graph_with_cycles<Y: Acceptance>(system: &Y, most: Most) -> Whole {
    let accepts = |state: &[u8]| system.is_accepting(state);
    match Graph::of(system, Sought::FAILURES, most, accepts) {
        Ok(graph) if graph.has_accepting_cycle() => {
            Whole::Wrong("a cycle through an accepting state".into())
        }
        Ok(graph) => Whole::Right(graph.stored),
        Err(whole) => whole,
    }
}

/// All states and steps.
struct Graph {
    numbers: RapidHashMap<Box<[u8]>, u32>,
    /// For each state, where its successors begin.
    from: Vec<usize>,
    successors: Vec<u32>,
    accepting: Vec<bool>,
    /// States that are not inside atomic sequences.
    stored: u64,
}

impl Graph {
    fn of<Y: System>(
        system: &Y,
        sought: Sought,
        most: Most,
        accepts: impl Fn(&[u8]) -> bool,
    ) -> Result<Graph, Whole> {
        let mut graph = Graph {
            numbers: RapidHashMap::default(),
            from: Vec::new(),
            successors: Vec::new(),
            accepting: Vec::new(),
            stored: 0,
        };
        let mut scratch = Y::Scratch::default();
        let mut open: Vec<Box<[u8]>> = Vec::new();
        let mut next = Vec::new();
        let mut steps = Vec::new();
        let fails = |failure: &dyn Debug| Whole::Wrong(format!("a failure, {failure:?}"));
        system
            .initial(&mut next)
            .map_err(|failure| fails(&failure))?;
        graph.number(system, &mut next, &mut steps, &mut open);
        let mut done = 0;
        while done < open.len() {
            let state = std::mem::take(&mut open[done]);
            done += 1;
            graph.from.push(graph.successors.len());
            graph.accepting.push(accepts(&state));
            steps.clear();
            let leads_on = system.enabled(&state, &mut steps);
            let is_inside = system.is_passing(&state);
            graph.stored += u64::from(!is_inside);
            if sought.deadlocks && !leads_on && !is_inside && !system.is_valid_end(&state) {
                return Err(Whole::Wrong("a state without a next step".into()));
            }
            let mut found = Vec::new();
            for step in &steps {
                let outcome = system.execute(&mut scratch, &state, *step, &mut next);
                if let Some(failure) = outcome.failure.filter(|_| sought.failures) {
                    return Err(fails(&failure));
                }
                if outcome.complete {
                    let number = graph.number(system, &mut next, &mut found, &mut open);
                    graph.successors.push(number);
                }
            }
            if graph.numbers.len() > most.states || graph.successors.len() > most.steps {
                return Err(Whole::TooLarge);
            }
        }
        graph.from.push(graph.successors.len());
        Ok(graph)
    }

    /// The number of a state, which is to be explored if it is new. Bytes that do not tell it from others are kept as they were first met.
    fn number<Y: System>(
        &mut self,
        system: &Y,
        state: &mut [u8],
        steps: &mut Vec<Y::Step>,
        open: &mut Vec<Box<[u8]>>,
    ) -> u32 {
        if system.is_passing(state) {
            steps.clear();
            if !system.enabled(state, steps) {
                system.settle(state);
            }
        }
        let told_apart = &state[..state.len() - system.ignored_suffix()];
        if let Some(number) = self.numbers.get(told_apart) {
            return *number;
        }
        let number = open.len() as u32;
        self.numbers.insert(told_apart.into(), number);
        open.push((&*state).into());
        number
    }

    /// Does an accepting state reach itself? Tarjan 1972, with a stack of its own.
    fn has_accepting_cycle(&self) -> bool {
        let states = self.accepting.len();
        let mut order = vec![0u32; states];
        let mut lowest = vec![0u32; states];
        let mut is_open = vec![false; states];
        let mut component: Vec<usize> = Vec::new();
        // All states are reached from the first.
        let mut path: Vec<(usize, usize)> = vec![(0, self.from[0])];
        let mut met = 0;
        while let Some((state, next)) = path.last_mut() {
            let state = *state;
            if order[state] == 0 {
                met += 1;
                order[state] = met;
                lowest[state] = met;
                is_open[state] = true;
                component.push(state);
            }
            if *next < self.from[state + 1] {
                let successor = self.successors[*next] as usize;
                *next += 1;
                if successor == state && self.accepting[state] {
                    return true;
                }
                if order[successor] == 0 {
                    path.push((successor, self.from[successor]));
                } else if is_open[successor] {
                    lowest[state] = lowest[state].min(order[successor]);
                }
                continue;
            }
            path.pop();
            if let Some((before, _)) = path.last() {
                lowest[*before] = lowest[*before].min(lowest[state]);
            }
            if lowest[state] == order[state] {
                let first = component.iter().rposition(|open| *open == state);
                let members = component.split_off(first.unwrap_or(0));
                if members.len() > 1 && members.iter().any(|member| self.accepting[*member]) {
                    return true;
                }
                for member in members {
                    is_open[member] = false;
                }
            }
        }
        false
    }
}
