//! From marks on transitions to accepting states.
//!
//! A state is copied once for each mark that a run may be waiting for next; the copy that waits for
//! none accepts (Gastin and Oddoux 2001, section 5: several marks may be passed in one step). The order of
//! the marks, and the copy in which a component is entered, are free: the choice with the
//! smallest result is taken.

use std::collections::HashMap;

use crate::components::Components;
use crate::generalised::{Generalised, Transition};
use crate::simulation;
use crate::translate::{Patience, Untranslated};

/// The smallest automaton with accepting states that was found.
pub fn degeneralise(
    automaton: &Generalised,
    patience: Patience<'_>,
) -> Result<Generalised, Untranslated> {
    let marks = automaton.marks as usize;
    let mut best: Option<Generalised> = None;
    for order in orders(marks) {
        let entries = if marks > 4 { 0..1 } else { 0..marks + 1 };
        for entry in entries {
            let mut candidate = with_order(automaton, &order, entry);
            simulation::reduce(&mut candidate, patience)?;
            let size = |automaton: &Generalised| {
                let transitions: usize = automaton.states.iter().map(Vec::len).sum();
                (automaton.states.len(), transitions)
            };
            if best
                .as_ref()
                .is_none_or(|best| size(&candidate) < size(best))
            {
                best = Some(candidate);
            }
        }
    }
    Ok(best.unwrap_or_else(|| automaton.clone()))
}

/// The orders to try: all of a few marks, one of many.
fn orders(marks: usize) -> Vec<Vec<usize>> {
    if marks > 4 {
        return vec![(0..marks).collect()];
    }
    let mut orders = vec![Vec::new()];
    for mark in 0..marks {
        orders = orders
            .into_iter()
            .flat_map(|order: Vec<usize>| {
                (0..=order.len()).map(move |position| {
                    let mut longer = order.clone();
                    longer.insert(position, mark);
                    longer
                })
            })
            .collect();
    }
    orders
}

fn with_order(automaton: &Generalised, order: &[usize], entry: usize) -> Generalised {
    let components = Components::of(automaton.states.len(), |state| {
        automaton.states[state].iter().map(|t| t.target)
    });
    let mut accepting_component = vec![false; components.count];
    let mut marks_of = vec![0; components.count];
    for (state, transitions) in automaton.states.iter().enumerate() {
        let component = components.number[state];
        for transition in transitions {
            if components.number[transition.target] == component {
                marks_of[component] |= transition.marks;
                accepting_component[component] |= marks_of[component] == automaton.all_marks();
            }
        }
    }
    let full = order.len();
    let level_on_entry = |state: usize| match accepting_component[components.number[state]] {
        true => entry,
        false => 0,
    };
    let mut numbers: HashMap<(usize, usize), usize> = HashMap::new();
    let mut open = vec![(0, level_on_entry(0))];
    numbers.insert(open[0], 0);
    let mut states = Vec::new();
    while let Some((state, level)) = open.get(states.len()).copied() {
        let component = components.number[state];
        let mut transitions = Vec::new();
        for transition in &automaton.states[state] {
            let target = transition.target;
            let reached = if components.number[target] != component {
                level_on_entry(target)
            } else if !accepting_component[component] {
                0
            } else {
                let mut reached = if level == full { 0 } else { level };
                while reached < full && transition.marks >> order[reached] & 1 == 1 {
                    reached += 1;
                }
                reached
            };
            let next = open.len();
            let number = *numbers.entry((target, reached)).or_insert(next);
            if number == next {
                open.push((target, reached));
            }
            transitions.push(Transition {
                condition: transition.condition,
                target: number,
                marks: 0,
            });
        }
        states.push(transitions);
    }
    let accepting = open
        .iter()
        .map(|(state, level)| *level == full && accepting_component[components.number[*state]])
        .collect();
    Generalised {
        states,
        marks: 0,
        accepting: Some(accepting),
    }
}
