//! The shortest lasso of a graph, compared with all of them.

use mazurka_search::emptiness::nearest;
use mazurka_search::{Acceptance, Effort, Over, System, settle};

use crate::support::{Graph, Way, graph};

struct Marked {
    graph: Graph,
    accepting: Vec<u8>,
}

impl Over for Marked {
    type Beneath = Graph;

    fn beneath(&self) -> &Graph {
        &self.graph
    }
}

impl Acceptance for Marked {
    fn is_accepting(&self, state: &[u8]) -> bool {
        self.accepting.contains(&state[0])
    }
}

fn effort(steps: u64) -> Effort<'static> {
    Effort {
        steps,
        bytes: 1 << 20,
        is_over: Box::new(|| false),
    }
}

const NODES: u64 = 9;

/// Numbers that look random and repeat themselves.
fn numbers(seed: u64) -> impl FnMut(u64) -> u64 {
    let mut state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    move |below| {
        state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(1);
        (state >> 33) % below
    }
}

fn random(seed: u64) -> Marked {
    let mut number = numbers(seed);
    let count = 6 + number(14);
    let edges: Vec<(u8, u8, Way)> = (0..count)
        .map(|_| {
            let kind = match number(6) {
                0 => Way::Holds,
                1 => Way::Foreign,
                2 => Way::Breaks(1),
                _ => Way::Plain,
            };
            (number(NODES) as u8, number(NODES) as u8, kind)
        })
        .collect();
    Marked {
        graph: graph(&edges, &[]),
        accepting: (0..NODES as u8).filter(|_| number(4) == 0).collect(),
    }
}

/// The state after a step, without what does not tell it from others; nothing if there is none.
fn after(system: &Marked, state: &[u8], step: usize) -> Option<Vec<u8>> {
    let mut next = Vec::new();
    let outcome = system.execute(&mut (), state, step, &mut next);
    settle(system, &mut next, &mut Vec::new());
    next[2] = 0;
    outcome.complete.then_some(next)
}

/// The least number of steps of a lasso, by the distances between all states.
fn least(system: &Marked) -> Option<usize> {
    let mut states = vec![vec![0, 0, 0]];
    let mut edges = Vec::new();
    let mut at = 0;
    while at < states.len() {
        let mut steps = Vec::new();
        system.enabled(&states[at], &mut steps);
        for step in steps {
            let Some(next) = after(system, &states[at], step) else {
                continue;
            };
            let to = states.iter().position(|known| *known == next);
            edges.push((at, to.unwrap_or(states.len())));
            if to.is_none() {
                states.push(next);
            }
        }
        at += 1;
    }
    const FAR: usize = 1000;
    let count = states.len();
    // Of one step at least.
    let mut distances = vec![vec![FAR; count]; count];
    for (from, to) in edges {
        distances[from][to] = 1;
    }
    for through in 0..count {
        for from in 0..count {
            for to in 0..count {
                let sum = distances[from][through] + distances[through][to];
                distances[from][to] = distances[from][to].min(sum);
            }
        }
    }
    let mut least = FAR;
    for accepting in 0..count {
        if system.is_passing(&states[accepting]) || !system.is_accepting(&states[accepting]) {
            continue;
        }
        for (entry, from_entry) in distances.iter().enumerate() {
            let stem = if entry == 0 { 0 } else { distances[0][entry] };
            let cycle = match entry == accepting {
                true => from_entry[entry],
                false => from_entry[accepting] + distances[accepting][entry],
            };
            least = least.min(stem + cycle);
        }
    }
    (least < FAR).then_some(least)
}

/// Is it a lasso through an accepting state?
fn is_lasso(system: &Marked, steps: &[usize], from: usize) -> bool {
    let mut states = vec![vec![0, 0, 0]];
    for step in steps {
        match after(system, &states[states.len() - 1], *step) {
            Some(next) => states.push(next),
            None => return false,
        }
    }
    let accepts = |state: &Vec<u8>| !system.is_passing(state) && system.is_accepting(state);
    from < steps.len() && states[from] == states[steps.len()] && states[from..].iter().any(accepts)
}

#[test]
fn nothing_is_shorter() {
    let (mut some, mut none) = (0, 0);
    for seed in 0..4000 {
        let system = random(seed);
        let found = nearest(&system, 100, &mut effort(100_000));
        let Some(least) = least(&system) else {
            assert_eq!(found, None, "{seed}");
            none += 1;
            continue;
        };
        let (steps, from) = found.unwrap_or_else(|| panic!("{seed}: nothing, not {least}"));
        assert!(is_lasso(&system, &steps, from), "{seed}");
        assert_eq!(steps.len(), least, "{seed}");
        // What is known already is not found again.
        assert_eq!(nearest(&system, least, &mut effort(100_000)), None);
        let again = nearest(&system, least + 1, &mut effort(100_000));
        assert_eq!(again.map(|(steps, _)| steps.len()), Some(least));
        some += 1;
    }
    assert!(some > 500 && none > 500, "{some} {none}");
}

#[test]
fn little_effort_gives_lassos_all_the_same() {
    let mut found = 0;
    for seed in 0..300 {
        let system = random(seed);
        for steps in [0, 1, 5, 10, 20] {
            let mut given = effort(steps);
            if let Some((steps, from)) = nearest(&system, 100, &mut given) {
                assert!(is_lasso(&system, &steps, from), "{seed}");
                found += 1;
            }
        }
    }
    assert!(found > 50, "{found}");
}
