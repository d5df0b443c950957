//! Direct simulation: a state that another one simulates can be left out where the other one is
//! there as well (Etessami, Wilke and Schuller 2001; Somenzi and Bloem 2000, section 4).
//!
//! State `p` is simulated by `q` if for every transition of `p` there is one of `q` with a weaker
//! condition, at least the same marks, and a target that simulates its target. States that simulate
//! each other are merged; a transition is dropped if another one of the same state covers it.
//! The same is done backwards: a state that is reached whenever another one is.

use crate::generalised::{Generalised, Transition, join_conditions};
use crate::translate::{Patience, Untranslated};

/// Merges states and drops transitions until nothing changes.
pub fn reduce(automaton: &mut Generalised, patience: Patience<'_>) -> Result<(), Untranslated> {
    loop {
        let before = size(automaton);
        automaton.tidy(patience)?;
        forwards(automaton, patience)?;
        automaton.tidy(patience)?;
        backwards(automaton, patience)?;
        automaton.tidy(patience)?;
        if size(automaton) >= before {
            return Ok(());
        }
    }
}

fn size(automaton: &Generalised) -> (usize, usize) {
    let transitions = automaton.states.iter().map(Vec::len).sum();
    (automaton.states.len(), transitions)
}

/// `simulates[p][q]`: does q simulate p?
type Relation = Vec<Vec<bool>>;

fn largest(
    states: usize,
    patience: Patience<'_>,
    holds: impl Fn(&Relation, usize, usize) -> bool,
) -> Result<Relation, Untranslated> {
    let mut relation = vec![vec![true; states]; states];
    loop {
        let mut changed = false;
        for p in 0..states {
            for q in 0..states {
                if !relation[p][q] || p == q {
                    continue;
                }
                patience.check()?;
                if !holds(&relation, p, q) {
                    relation[p][q] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return Ok(relation);
        }
    }
}

fn forwards(automaton: &mut Generalised, patience: Patience<'_>) -> Result<(), Untranslated> {
    let states = &automaton.states;
    let accepting = |state: usize| automaton.is_accepting(state);
    let relation = largest(states.len(), patience, |relation, p, q| {
        accepting(p) <= accepting(q)
            && states[p].iter().all(|t| {
                states[q].iter().any(|u| {
                    t.condition.implies(u.condition)
                        && t.marks & !u.marks == 0
                        && relation[t.target][u.target]
                })
            })
    })?;
    merge(automaton, &relation);
    let merged = representatives(&relation);
    for transitions in &mut automaton.states {
        let covers = |a: &Transition, b: &Transition| {
            b.condition.implies(a.condition)
                && b.marks & !a.marks == 0
                && relation[b.target][a.target]
        };
        let all = transitions.clone();
        let mut kept: Vec<Transition> = Vec::new();
        for candidate in all {
            patience.check()?;
            if !kept.iter().any(|other| covers(other, &candidate)) {
                kept.retain(|other| !covers(&candidate, other));
                kept.push(candidate);
            }
        }
        debug_assert!(kept.iter().all(|t| merged[t.target] == t.target));
        *transitions = kept;
        join_conditions(transitions, patience)?;
    }
    Ok(())
}

/// The first state of each class of states that simulate each other.
fn representatives(relation: &Relation) -> Vec<usize> {
    (0..relation.len())
        .map(|p| {
            (0..p)
                .find(|q| relation[p][*q] && relation[*q][p])
                .unwrap_or(p)
        })
        .collect()
}

fn merge(automaton: &mut Generalised, relation: &Relation) {
    let representative = representatives(relation);
    for transitions in &mut automaton.states {
        for transition in transitions.iter_mut() {
            transition.target = representative[transition.target];
        }
        transitions.sort_unstable();
        transitions.dedup();
    }
    // The initial state is the first, and so is its representative.
}

/// States into which exactly the same transitions lead are one: whoever is in the one could be in
/// the other.
fn backwards(automaton: &mut Generalised, patience: Patience<'_>) -> Result<(), Untranslated> {
    let count = automaton.states.len();
    let mut incoming: Vec<Vec<Transition>> = vec![Vec::new(); count];
    for (state, transitions) in automaton.states.iter().enumerate() {
        for transition in transitions {
            incoming[transition.target].push(Transition {
                target: state,
                ..*transition
            });
        }
    }
    let relation = largest(count, patience, |relation, p, q| {
        // The initial state is in the past of every run, so only itself stands for it.
        p != 0
            && q != 0
            && automaton.is_accepting(p) <= automaton.is_accepting(q)
            && incoming[p].iter().all(|t| {
                incoming[q].iter().any(|u| {
                    t.condition.implies(u.condition)
                        && t.marks & !u.marks == 0
                        && relation[t.target][u.target]
                })
            })
    })?;
    let representative = representatives(&relation);
    if representative.iter().enumerate().all(|(p, q)| p == *q) {
        return Ok(());
    }
    let mut joined: Vec<Vec<Transition>> = vec![Vec::new(); count];
    for (state, transitions) in automaton.states.iter().enumerate() {
        for transition in transitions {
            joined[representative[state]].push(Transition {
                target: representative[transition.target],
                ..*transition
            });
        }
    }
    for transitions in &mut joined {
        transitions.sort_unstable();
        transitions.dedup();
        join_conditions(transitions, patience)?;
    }
    automaton.states = joined;
    Ok(())
}
