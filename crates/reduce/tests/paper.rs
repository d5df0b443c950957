//! The published algorithm (Karaçalı and Tai 2000, figure 9), word for word, and what it misses.
//!
//! It is kept as the reason why `Simultaneous` is built otherwise: where each port contributes the
//! null transition, step 2 drops the set even if there are transitions that send nothing, so a send
//! that another process races with is never delayed.

mod graphs;

use std::collections::BTreeSet;

use mazurka_model::{Expression, Instruction, Interpreter, Step, TransitionId};
use mazurka_span::SourceMap;

/// Two senders race for a port; one of them has to make a step of its own before it can send. If it
/// still comes first, the receiver gets stuck.
const RACE: &str = "
machine Early { start state Begin; final state Sent; Begin -> Sent !receiver.in.early; }
machine Late {
    start state Begin; state Ready; final state Sent;
    Begin -> Ready;
    Ready -> Sent !receiver.in.late;
}
machine Receiver {
    port in[2] { early, late }
    start state Begin; state One, Stuck; final state Both;
    Begin -> One ?in.early;
    One -> Both ?in.late;
    Begin -> Stuck ?in.late;
}
system { early: Early; late: Late; receiver: Receiver; }
";

/// A transition set of the paper: steps, or the null transition.
type Choice = Option<Step>;

struct Paper<'i> {
    interpreter: &'i Interpreter,
}

impl Paper<'_> {
    /// The port that a transition sends to, if any.
    fn out_port(&self, transition: TransitionId) -> Option<i32> {
        let program = self.interpreter.program();
        let effect = program.transitions[transition.index()].effect.clone();
        effect.into_iter().find_map(|code| {
            let Instruction::Send(send) = program.code[code as usize] else {
                return None;
            };
            match program.expressions[program.sends[send.index()].channel.index()] {
                Expression::Constant(port) => Some(port),
                _ => panic!("a port that is not known"),
            }
        })
    }

    /// Can the state of a process reach a transition that sends to a port?
    fn reachable(&self, state: &[u8], process: usize, port: i32) -> bool {
        let program = self.interpreter.program();
        let mut seen = BTreeSet::new();
        let mut open = vec![self.interpreter.location(state, process)];
        while let Some(location) = open.pop() {
            if !seen.insert(location) {
                continue;
            }
            for number in program.locations[location.index()].transitions.clone() {
                if self.out_port(TransitionId(number)) == Some(port) {
                    return true;
                }
                open.extend(program.transitions[number as usize].target);
            }
        }
        false
    }

    fn generate_srg_edges(&self, state: &[u8]) -> Vec<Vec<Step>> {
        let mut enabled = Vec::new();
        self.interpreter.enabled(state, &mut enabled);
        let processes = self.interpreter.shape(state).processes.len();
        // Step 1. No transition has a predicate here, so every disabled one is potentially
        // executable.
        let mut pd: Vec<Vec<Choice>> = Vec::new();
        for process in 0..processes {
            let mut own: Vec<Choice> = enabled
                .iter()
                .filter(|step| step.process as usize == process)
                .map(|step| Some(*step))
                .collect();
            if own.is_empty() {
                continue;
            }
            let location = self.interpreter.location(state, process);
            let program = self.interpreter.program();
            let all = program.locations[location.index()].transitions.len();
            if own.len() < all {
                own.push(None);
            }
            pd.push(own);
        }
        let sets1: Vec<Vec<Step>> = product(&pd)
            .into_iter()
            .map(|set| set.into_iter().flatten().collect::<Vec<Step>>())
            .filter(|set| !set.is_empty())
            .collect();
        // Step 2.
        let mut sets2: Vec<Vec<Step>> = Vec::new();
        for set in sets1 {
            let port_of = |step: &Step| self.out_port(step.transition);
            let x: Vec<Step> = set
                .iter()
                .filter(|s| port_of(s).is_none())
                .copied()
                .collect();
            let ports: BTreeSet<i32> = set.iter().filter_map(port_of).collect();
            let mut rd: Vec<Vec<Choice>> = Vec::new();
            for port in ports {
                let senders = set.iter().filter(|step| port_of(step) == Some(port));
                let mut group: Vec<Choice> = senders.map(|step| Some(*step)).collect();
                let others = (0..processes)
                    .filter(|k| !group.iter().flatten().any(|s| s.process as usize == *k));
                if others.into_iter().any(|k| self.reachable(state, k, port)) {
                    group.push(None);
                }
                rd.push(group);
            }
            if rd.is_empty() {
                sets2.push(x);
                continue;
            }
            for choice in product(&rd) {
                let mut chosen: Vec<Step> = choice.into_iter().flatten().collect();
                // Here is the hole: X may have something in it.
                if !chosen.is_empty() {
                    chosen.extend(&x);
                    sets2.push(chosen);
                }
            }
        }
        // Step 3: nothing is visible.
        sets2
    }

    /// The states of the graph in which nothing is possible and the system may not end.
    fn stuck(&self) -> BTreeSet<Vec<u8>> {
        let mut initial = Vec::new();
        self.interpreter.initial(&mut initial, &mut ()).unwrap();
        let mut seen = BTreeSet::new();
        let mut open = vec![initial];
        let mut stuck = BTreeSet::new();
        while let Some(state) = open.pop() {
            if !seen.insert(state.clone()) {
                continue;
            }
            let edges = self.generate_srg_edges(&state);
            if edges.is_empty() && !self.interpreter.is_valid_end(&state) {
                stuck.insert(state.clone());
            }
            for edge in edges {
                let mut current = state.clone();
                let mut next = Vec::new();
                for step in edge {
                    self.interpreter
                        .execute(&current, step, &mut next, &mut Vec::new(), &mut ());
                    std::mem::swap(&mut current, &mut next);
                }
                open.push(current);
            }
        }
        stuck
    }
}

fn product(groups: &[Vec<Choice>]) -> Vec<Vec<Choice>> {
    groups.iter().fold(vec![Vec::new()], |sets, group| {
        let extended = sets.iter().flat_map(|set| {
            group.iter().map(move |choice| {
                let mut set = set.clone();
                set.push(*choice);
                set
            })
        });
        extended.collect()
    })
}

#[test]
fn the_published_algorithm_misses_a_nonprogress_state() {
    let mut map = SourceMap::new();
    let compiled = mazurka_efsm::compile(&mut map, "race.efsm", RACE.as_bytes(), &[]);
    let interpreter = Interpreter::new(compiled.unwrap().program);
    let full = graphs::full(&interpreter);
    assert_eq!(full.stuck.len(), 1);
    let paper = Paper {
        interpreter: &interpreter,
    };
    assert_eq!(paper.stuck(), BTreeSet::new());
    let ours = graphs::simultaneous(&interpreter, true, false, false).unwrap();
    assert_eq!(ours.stuck, full.stuck);
}
