//! Words of the form prefix, then a cycle for ever: truth by the definitions.
//!
//! What is here is slow and obvious. It judges translations in tests, and counterexamples before
//! they are shown.

use crate::buchi::Buchi;
use crate::formula::Formula;

/// An infinite word: for each position, the atoms that are true there, as bits. After the last
/// position comes `loop_from` again.
#[derive(Clone, PartialEq, Debug)]
pub struct Word {
    /// The positions.
    pub letters: Vec<u64>,
    /// Where the cycle begins.
    pub loop_from: usize,
}

impl Word {
    fn after(&self, position: usize) -> usize {
        match position + 1 {
            next if next == self.letters.len() => self.loop_from,
            next => next,
        }
    }

    /// Is the formula true of the word?
    pub fn satisfies(&self, formula: &Formula) -> bool {
        self.truth(formula)[0]
    }

    /// For each position, is the formula true from there on?
    pub fn truth(&self, formula: &Formula) -> Vec<bool> {
        let length = self.letters.len();
        let both = |left: &Formula, right: &Formula, join: fn(bool, bool) -> bool| {
            let pairs = self.truth(left).into_iter().zip(self.truth(right));
            pairs.map(|(a, b)| join(a, b)).collect()
        };
        match formula {
            Formula::Constant(value) => vec![*value; length],
            Formula::Atom(atom) => self.letters.iter().map(|l| l >> atom & 1 == 1).collect(),
            Formula::Not(inner) => self.truth(inner).into_iter().map(|a| !a).collect(),
            Formula::And(left, right) => both(left, right, |a, b| a && b),
            Formula::Or(left, right) => both(left, right, |a, b| a || b),
            Formula::Implies(left, right) => both(left, right, |a, b| !a || b),
            Formula::Equivalent(left, right) => both(left, right, |a, b| a == b),
            Formula::Next(inner) => {
                let truth = self.truth(inner);
                (0..length).map(|at| truth[self.after(at)]).collect()
            }
            Formula::Eventually(inner) => {
                self.least(&vec![true; length], &self.truth(inner), false)
            }
            Formula::Always(inner) => self.least(&self.truth(inner), &vec![false; length], true),
            Formula::Until(left, right) => self.least(&self.truth(left), &self.truth(right), false),
            Formula::WeakUntil(left, right) => {
                self.least(&self.truth(left), &self.truth(right), true)
            }
            Formula::Release(left, right) => {
                let (left, right) = (self.truth(left), self.truth(right));
                let ends: Vec<bool> = left.iter().zip(&right).map(|(a, b)| *a && *b).collect();
                self.least(&right, &ends, true)
            }
        }
    }

    /// The solution of `x = ends || stays && next x`, the least one from `false` or the greatest from
    /// `true`.
    fn least(&self, stays: &[bool], ends: &[bool], start: bool) -> Vec<bool> {
        let mut truth = vec![start; self.letters.len()];
        loop {
            let mut changed = false;
            for at in (0..self.letters.len()).rev() {
                let value = ends[at] || stays[at] && truth[self.after(at)];
                changed |= value != truth[at];
                truth[at] = value;
            }
            if !changed {
                return truth;
            }
        }
    }

    /// Does the automaton accept the word?
    pub fn is_accepted(&self, automaton: &Buchi) -> bool {
        // The word as an automaton that accepts nothing else.
        let width = automaton.states.len();
        let states = self.letters.len() * width;
        let mut product = Buchi {
            states: Vec::with_capacity(states),
        };
        for (position, letter) in self.letters.iter().enumerate() {
            for state in &automaton.states {
                let edges = state
                    .edges
                    .iter()
                    .filter(|edge| edge.condition.holds(*letter));
                let edges = edges.map(|edge| crate::buchi::Edge {
                    target: self.after(position) * width + edge.target,
                    ..*edge
                });
                product.states.push(crate::buchi::State {
                    accepting: state.accepting,
                    edges: edges.collect(),
                });
            }
        }
        // Only what can be reached counts.
        let mut seen = vec![false; states];
        let mut open = vec![0];
        seen[0] = true;
        while let Some(state) = open.pop() {
            for edge in &product.states[state].edges {
                if !std::mem::replace(&mut seen[edge.target], true) {
                    open.push(edge.target);
                }
            }
        }
        for (state, seen) in product.states.iter_mut().zip(seen) {
            state.accepting &= seen;
        }
        !product.is_empty()
    }
}
