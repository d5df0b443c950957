//! A shortest way from one state to another, step by step.
//!
//! Breadth-first over all states, those inside atomic sequences among them: there may be more ways through a
//! sequence with branches and loops than anybody can go, but each of its states is met once.

use crate::sequence::settle;
use crate::system::{Reduction, System};

use super::table::Table;

/// A shortest way, of one step at least, and the state that it leads to.
pub(crate) type Way<S> = (Vec<S>, Vec<u8>);

/// Looks for a shortest way from a state to one that is wanted, by steps that the reduction leaves.
///
/// Only states that are `open` are gone through; states inside atomic sequences always are. `may_go_on` is
/// asked before each state is left, with the number of states met.
pub(crate) fn shortest_way<Y: System, R: Reduction<Y>, E>(
    system: &Y,
    reduction: &mut R,
    from: &[u8],
    is_wanted: impl Fn(&[u8]) -> bool,
    is_open: impl Fn(&[u8]) -> bool,
    mut may_go_on: impl FnMut(usize) -> Result<(), E>,
) -> Result<Option<Way<Y::Step>>, E> {
    let mut table = Table::new(system.ignored_suffix());
    table.insert(from);
    // For each state but the first, where it was reached from and by which step.
    let mut origins: Vec<(u32, Y::Step)> = Vec::new();
    let mut steps = Vec::new();
    let mut ahead = Vec::new();
    let mut state = Vec::new();
    let mut next = Vec::new();
    let mut scratch = Y::Scratch::default();
    let mut number = 0;
    while number <= origins.len() {
        may_go_on(origins.len())?;
        state.clear();
        state.extend_from_slice(table.get(number as u32));
        steps.clear();
        system.enabled(&state, &mut steps);
        if !system.is_passing(&state) {
            let kept = reduction.select(system, &state, &mut steps);
            steps.truncate(kept);
        }
        for step in &steps {
            let outcome = system.execute(&mut scratch, &state, *step, &mut next);
            if !outcome.complete {
                continue;
            }
            let is_inside = settle(system, &mut next, &mut ahead);
            let origin = (number as u32, *step);
            if is_wanted(&next) {
                return Ok(Some((steps_to(origin, &origins), next)));
            }
            if (is_inside || is_open(&next)) && table.insert(&next).1 {
                origins.push(origin);
            }
        }
        number += 1;
    }
    Ok(None)
}

/// The steps from the first state on, the last of them from a known state.
fn steps_to<S: Copy>(last: (u32, S), origins: &[(u32, S)]) -> Vec<S> {
    let mut steps = vec![last.1];
    let mut at = last.0;
    while at > 0 {
        let (before, step) = origins[at as usize - 1];
        steps.push(step);
        at = before;
    }
    steps.reverse();
    steps
}
