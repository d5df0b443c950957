//! Büchi automata: the result of a translation.

use crate::components::Components;
use crate::cube::Cube;
use crate::generalised::Generalised;

/// An automaton that accepts a word if a run on it meets accepting states again and again.
#[derive(Clone, PartialEq, Debug)]
pub struct Buchi {
    /// The states; the first one is the initial one.
    pub states: Vec<State>,
}

/// A state.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    /// Does it accept?
    pub accepting: bool,
    /// Its transitions.
    pub edges: Vec<Edge>,
}

/// A transition.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Edge {
    /// What must be true of the present state of the word.
    pub condition: Cube,
    /// The next state.
    pub target: usize,
}

/// How hard it is to find out whether the automaton accepts something.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Strength {
    /// Whatever reaches an accepting component is accepted: the formula negated is a safety property.
    Terminal,
    /// In each component either all states accept or none: any cycle among accepting states counts.
    Weak,
    /// A cycle must be found with an accepting state on it.
    General,
}

impl Buchi {
    /// From the form in which automata are built.
    pub(crate) fn new(automaton: &Generalised) -> Buchi {
        let states = automaton.states.iter().enumerate();
        Buchi {
            states: states
                .map(|(number, transitions)| State {
                    accepting: automaton.is_accepting(number),
                    edges: transitions
                        .iter()
                        .map(|transition| Edge {
                            condition: transition.condition,
                            target: transition.target,
                        })
                        .collect(),
                })
                .collect(),
        }
    }

    fn components(&self) -> Components {
        Components::of(self.states.len(), |state| {
            self.states[state].edges.iter().map(|edge| edge.target)
        })
    }

    /// Does it accept nothing?
    pub fn is_empty(&self) -> bool {
        let components = self.components();
        // An accepting state is on a cycle if an edge leads to it from its own component.
        !self.states.iter().enumerate().any(|(from, state)| {
            let mut targets = state.edges.iter().map(|edge| edge.target);
            targets.any(|to| {
                self.states[to].accepting && components.number[from] == components.number[to]
            })
        })
    }

    /// How hard it is to find out whether a system has a run that the automaton accepts.
    pub fn strength(&self) -> Strength {
        let components = self.components();
        let is_universal = |state: &State, number: usize| {
            let loops = |edge: &Edge| edge.target == number && edge.condition == Cube::TRUE;
            state.edges.iter().any(loops)
        };
        let numbered = || self.states.iter().enumerate();
        if numbered().all(|(number, state)| !state.accepting || is_universal(state, number)) {
            return Strength::Terminal;
        }
        let is_weak = numbered().all(|(number, state)| {
            state.edges.iter().all(|edge| {
                components.number[edge.target] != components.number[number]
                    || self.states[edge.target].accepting == state.accepting
            })
        });
        match is_weak {
            true => Strength::Weak,
            false => Strength::General,
        }
    }

    /// Is there a word that both accept?
    pub fn intersects(&self, other: &Buchi) -> bool {
        // A pair of states, and which automaton is to accept next.
        let number = |first: usize, second: usize, turn: usize| {
            (first * other.states.len() + second) * 3 + turn
        };
        let count = self.states.len() * other.states.len() * 3;
        let mut states: Vec<State> = (0..count)
            .map(|_| State {
                accepting: false,
                edges: Vec::new(),
            })
            .collect();
        let mut open = vec![(0, 0, 0)];
        let mut seen = vec![false; count];
        seen[0] = true;
        while let Some((first, second, turn)) = open.pop() {
            let here = number(first, second, turn);
            let next_turn = match turn {
                0 if self.states[first].accepting => 1,
                1 if other.states[second].accepting => 2,
                2 => 0,
                turn => turn,
            };
            states[here].accepting = turn == 2;
            for a in &self.states[first].edges {
                for b in &other.states[second].edges {
                    let Some(condition) = a.condition.and(b.condition) else {
                        continue;
                    };
                    let target = number(a.target, b.target, next_turn);
                    states[here].edges.push(Edge { condition, target });
                    if !std::mem::replace(&mut seen[target], true) {
                        open.push((a.target, b.target, next_turn));
                    }
                }
            }
        }
        !Buchi { states }.is_empty()
    }
}
