//! Which transitions processes may come to, and from where.
//!
//! A transition at a location that its process has still to reach is disabled for more than one reason. That it cannot
//! happen before the process gets there is one; that its guard is false, and stays so until somebody does something about
//! it, is another (Laarman, Pater, van de Pol and Hansen 2013, guard-based partial-order reduction). The second often asks
//! for less: who waits for a fork that is taken is no reason to let him take his other fork first.

use mazurka_model::{Instruction, Program, Transition};

use crate::bits::Bits;
use crate::footprint::Footprints;
use crate::rounds::until_stable;

/// This many pairs of a location and a transition ahead of it are kept, and of a transition and one before it.
const MOST_KEPT: usize = 1 << 20;
/// This many pairs, of any location and transition, are looked at: with more, finding those ahead takes longer than it saves.
const MOST_PAIRS: usize = 1 << 28;

/// What lies ahead of each location.
#[derive(Debug)]
pub(crate) struct Prospect {
    /// For each process type, its first transition and one past its last.
    pub transitions: Vec<std::ops::Range<u32>>,
    /// For each location, the transitions elsewhere that its process may come to, short of a timeout.
    pub ahead: Vec<Vec<u32>>,
    /// For each transition, those that lead to its location.
    before: Vec<Vec<u32>>,
    /// For each location, those of `ahead` and its own, as a set.
    within: Vec<Bits>,
    /// For each transition, what it does after its first operations, and these too if it may come again.
    pub near: Vec<Bits>,
    /// For each location, may a process be started from there on?
    starts: Vec<bool>,
}

impl Prospect {
    /// Looks ahead from each location of a program; not if the request is too large to keep.
    pub fn of(program: &Program, footprints: &Footprints) -> Option<Prospect> {
        let transitions = transitions_of_types(program)?;
        let places = program.locations.len().max(footprints.operations.len());
        if places.saturating_mul(program.transitions.len()) > MOST_PAIRS {
            return None;
        }
        let within = within(program, footprints);
        let mut ahead = Vec::new();
        let mut starts = Vec::new();
        let mut kept = 0;
        for (number, location) in program.locations.iter().enumerate() {
            let elsewhere = |transition: &u32| !location.transitions.contains(transition);
            let far: Vec<u32> = within[number].iter().filter(elsewhere).collect();
            kept += far.len();
            if kept > MOST_KEPT {
                return None;
            }
            ahead.push(far);
            let may_start = |transition: u32| starts_process(program, transition);
            starts.push(within[number].iter().any(may_start));
        }
        let leading = |transition: &Transition| {
            let target = &program.locations[transition.target?.index()];
            Some(target.transitions.len())
        };
        if program
            .transitions
            .iter()
            .filter_map(leading)
            .sum::<usize>()
            > MOST_KEPT
        {
            return None;
        }
        let mut before = vec![Vec::new(); program.transitions.len()];
        for (number, transition) in program.transitions.iter().enumerate() {
            let Some(target) = transition.target else {
                continue;
            };
            if !footprints.transitions[number].timeout {
                for next in program.locations[target.index()].transitions.clone() {
                    before[next as usize].push(number as u32);
                }
            }
        }
        let near = (0..program.transitions.len())
            .map(|number| {
                let footprint = &footprints.transitions[number];
                let mut near = Bits::new(footprints.operations.len());
                let rest = footprint.own[footprint.first..].iter();
                rest.for_each(|operation| near.insert(*operation));
                let target = program.transitions[number].target;
                if target.is_some_and(|target| within[target.index()].contains(number as u32)) {
                    near.join(&footprint.now);
                }
                near
            })
            .collect();
        Some(Prospect {
            transitions,
            ahead,
            before,
            within,
            near,
            starts,
        })
    }

    /// May a process at a location start others, now or later?
    pub fn may_start(&self, location: u32) -> bool {
        self.starts[location as usize]
    }

    /// The transitions by which a process at a location may come to one that is elsewhere.
    pub fn before(&self, transition: u32, location: u32) -> impl Iterator<Item = u32> {
        let within = &self.within[location as usize];
        let before = self.before[transition as usize].iter().copied();
        before.filter(|earlier| within.contains(*earlier))
    }
}

/// The transitions of each process type, if they stand together.
fn transitions_of_types(program: &Program) -> Option<Vec<std::ops::Range<u32>>> {
    let mut ranges = Vec::new();
    for process_type in &program.process_types {
        let mut all = process_type
            .locations
            .clone()
            .flat_map(|location| program.locations[location as usize].transitions.clone());
        let first = all.next().unwrap_or(0);
        let mut end = first;
        for transition in all {
            end += 1;
            if transition != end {
                return None;
            }
        }
        ranges.push(first..end + 1);
    }
    Some(ranges)
}

/// For each location, the transitions there and those that its process may come to, short of a timeout.
fn within(program: &Program, footprints: &Footprints) -> Vec<Bits> {
    let mut within = vec![Bits::new(program.transitions.len()); program.locations.len()];
    until_stable(0..program.locations.len(), |number| {
        let mut changed = false;
        for transition in program.locations[number].transitions.clone() {
            if footprints.transitions[transition as usize].timeout {
                continue;
            }
            if !within[number].contains(transition) {
                within[number].insert(transition);
                changed = true;
            }
            if let Some(target) = program.transitions[transition as usize].target {
                let more = within[target.index()].clone();
                changed |= within[number].join(&more);
            }
        }
        changed
    });
    within
}

fn starts_process(program: &Program, transition: u32) -> bool {
    let mut effect = program.transitions[transition as usize].effect.clone();
    effect.any(|code| matches!(program.code[code as usize], Instruction::Run { .. }))
}
