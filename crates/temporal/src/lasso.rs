//! Judges a counterexample once more: replays its steps and asks the property itself.
//!
//! Nothing here knows how the counterexample was found. A formula is evaluated by its definition on
//! the states of the execution; a claim is run along them.

use std::collections::HashMap;
use std::fmt;

use mazurka_ltl::{Buchi, Cube, Edge, Formula, State, Word};
use mazurka_model::{Claim, ClaimState, ClaimTransition, ExpressionId, Interpreter, Step};

use crate::errors::drop_misled;

/// An execution: steps from the initial state, and where it goes on after the last.
#[derive(Clone, Debug)]
pub struct Lasso<'i> {
    interpreter: &'i Interpreter,
    /// The state before each step, and the last one.
    states: Vec<Vec<u8>>,
    steps: Vec<Step>,
    /// After the last step comes this one again. If there is none of that number, the system has
    /// stopped.
    loop_from: Option<usize>,
}

/// What is seen of a state.
#[derive(Clone, Copy, Debug, Default)]
struct Sight {
    /// The conditions that hold, as bits.
    holding: u64,
    /// Those that have no value.
    missing: u64,
    /// Can nothing move?
    stopped: bool,
}

/// Why an execution does not show what it should.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotShown(pub String);

impl fmt::Display for NotShown {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for NotShown {}

fn not_shown<T>(reason: impl Into<String>) -> Result<T, NotShown> {
    Err(NotShown(reason.into()))
}

impl<'i> Lasso<'i> {
    /// Replays an execution. One that goes on for ever must close its cycle, or stop where
    /// nothing can move.
    pub fn replay(
        interpreter: &'i Interpreter,
        steps: &[Step],
        loop_from: Option<usize>,
    ) -> Result<Lasso<'i>, NotShown> {
        let mut state = Vec::new();
        if let Err(fault) = interpreter.initial(&mut state, &mut ()) {
            return not_shown(format!("the initial state cannot be made: {fault}"));
        }
        let mut states = Vec::new();
        for (number, step) in steps.iter().enumerate() {
            let (mut enabled, _) = settled(interpreter, &mut state);
            drop_misled(interpreter.program(), &mut enabled);
            if !enabled.contains(step) {
                return not_shown(format!("step {} is not possible", number + 1));
            }
            let mut next = Vec::new();
            let outcome = interpreter.execute(&state, *step, &mut next, &mut Vec::new(), &mut ());
            if outcome.is_error() {
                return not_shown(format!("step {} is a run-time error", number + 1));
            }
            states.push(state);
            state = next;
        }
        let (enabled, _) = settled(interpreter, &mut state);
        match loop_from {
            Some(from) if from >= steps.len() && !enabled.is_empty() => {
                return not_shown("the system does not stop at the end");
            }
            Some(from) if from < steps.len() => {
                let first = interpreter.identity(&states[from]);
                if first != interpreter.identity(&state) {
                    return not_shown("the cycle is not closed");
                }
            }
            _ => {}
        }
        states.push(state);
        Ok(Lasso {
            interpreter,
            states,
            steps: steps.to_vec(),
            loop_from,
        })
    }

    /// Replays an execution that was found in a program with dead variables reset. What such a variable holds when the
    /// cycle is entered may be old; once around, it is what the cycle itself leaves there. So the cycle may
    /// have to be entered a second time before it closes: the first round then belongs to the way there.
    pub fn replay_structured(
        interpreter: &'i Interpreter,
        steps: &mut Vec<Step>,
        from: &mut usize,
    ) -> Result<Lasso<'i>, NotShown> {
        let once = Lasso::replay(interpreter, steps, Some(*from));
        if once.is_ok() || *from >= steps.len() {
            return once;
        }
        let around = steps[*from..].to_vec();
        *from += around.len();
        steps.extend(around);
        Lasso::replay(interpreter, steps, Some(*from))
    }

    /// The first two positions of one state between which the execution stays inside an atomic sequence.
    pub(crate) fn first_round_inside(&self) -> Option<(usize, usize)> {
        let mut met: HashMap<&[u8], usize> = HashMap::new();
        for (number, state) in self.states.iter().enumerate() {
            if self.interpreter.controller(state).is_none() {
                met.clear();
            } else if let Some(before) = met.insert(self.interpreter.identity(state), number) {
                return Some((before, number));
            }
        }
        None
    }

    /// The state after the last step.
    pub(crate) fn last_state(&self) -> &[u8] {
        &self.states[self.states.len() - 1]
    }

    /// The states in the order in which they count: the last one is the first of the cycle again,
    /// unless the system has stopped there or there is no cycle.
    fn positions(&self) -> &[Vec<u8>] {
        match self.loop_from {
            Some(from) if from < self.steps.len() => &self.states[..self.steps.len()],
            _ => &self.states,
        }
    }

    /// What somebody sees who watches the execution, and where that begins to repeat. The states inside atomic sequences are not
    /// seen, unless `inside`.
    fn sights(&self, expressions: &[ExpressionId], inside: bool) -> (Vec<Sight>, usize) {
        let mut sights = Vec::new();
        let mut loop_from = 0;
        for (number, state) in self.positions().iter().enumerate() {
            if self.loop_from.is_none_or(|from| number <= from) {
                loop_from = sights.len();
            }
            if !inside && self.interpreter.controller(state).is_some() {
                continue;
            }
            let mut enabled = Vec::new();
            let stopped = !self.interpreter.enabled(state, &mut enabled);
            let mut sight = Sight {
                // Where somebody runs into an error the system has not stopped.
                stopped: enabled.is_empty(),
                ..Sight::default()
            };
            for (bit, expression) in expressions.iter().enumerate() {
                match self.interpreter.holds(state, *expression, stopped) {
                    Ok(holds) => sight.holding |= u64::from(holds) << bit,
                    Err(_) => sight.missing |= 1 << bit,
                }
            }
            sights.push(sight);
        }
        // Without a cycle, what was seen is enough: however it goes on, here as if it stopped.
        let last = sights.len().saturating_sub(1);
        let loop_from = match self.loop_from {
            Some(_) => loop_from.min(last),
            None => last,
        };
        (sights, loop_from)
    }

    /// Which atoms hold in the states that are seen, as a word, and the number of steps before each of these states. What has no value
    /// counts as false.
    pub fn word(&self, atoms: &[ExpressionId]) -> (Word, Vec<usize>) {
        let (sights, loop_from) = self.sights(atoms, false);
        let letters = sights.iter().map(|sight| sight.holding).collect();
        let is_seen = |(_, state): &(usize, &Vec<u8>)| self.interpreter.controller(state).is_none();
        let seen = self.positions().iter().enumerate().filter(is_seen);
        let steps = seen.map(|(number, _)| number).collect();
        (Word { loop_from, letters }, steps)
    }

    /// Is a formula false of the execution? Each of its atoms must have a value in every state that is seen.
    pub fn violates(&self, formula: &Formula, atoms: &[ExpressionId]) -> Result<(), NotShown> {
        let (sights, loop_from) = self.sights(atoms, false);
        if sights.iter().any(|sight| sight.missing != 0) {
            return not_shown("an atom of the formula has no value");
        }
        let letters = sights.iter().map(|sight| sight.holding).collect();
        match (Word { loop_from, letters }).satisfies(formula) {
            false => Ok(()),
            true => not_shown("the formula is true of the execution"),
        }
    }

    /// Does every one of these conditions have a value in all states that are seen?
    pub fn defines(&self, conditions: &[ExpressionId]) -> Result<(), NotShown> {
        let (sights, _) = self.sights(conditions, false);
        match sights.iter().all(|sight| sight.missing == 0) {
            true => Ok(()),
            false => not_shown("an atom of the formula has no value"),
        }
    }

    /// Has a condition no value in the last state?
    pub fn lacks_value(&self, condition: ExpressionId) -> Result<(), NotShown> {
        let (sights, _) = self.sights(&[condition], true);
        match sights.last().is_some_and(|sight| sight.missing != 0) {
            true => Ok(()),
            false => not_shown("the condition has a value"),
        }
    }

    /// Does a claim accept the execution, or come to its end along it?
    pub fn is_accepted(&self, claim: &Claim, marks: bool) -> Result<(), NotShown> {
        let (sights, repeats_from) = self.sights(&claim.conditions, claim.sees_inside);
        let Some(loop_from) = self.loop_from else {
            let ends = |number: usize| claim.states[number].violated;
            return match runs(claim, &sights, |_, transition| {
                ends(transition.target as usize)
            }) {
                true => Ok(()),
                false => not_shown("the claim does not come to its end"),
            };
        };
        let around = &self.states[loop_from.min(self.states.len() - 1)..];
        let marked = marks
            && around.iter().any(|state| {
                let processes = 0..self.interpreter.shape(state).processes.len();
                processes.into_iter().any(|process| {
                    let location = self.interpreter.location(state, process);
                    self.interpreter.program().locations[location.index()].accept
                })
            });
        match accepts(claim, &sights, repeats_from, marked) {
            true => Ok(()),
            false => not_shown("the claim does not accept the execution"),
        }
    }

    /// Does an assertion of a claim fail in the last state?
    pub fn fails_assertion(&self, claim: &Claim, assertion: ExpressionId) -> Result<(), NotShown> {
        let (sights, _) = self.sights(&claim.conditions, claim.sees_inside);
        let fails = |sight: &Sight, transition: &ClaimTransition| {
            transition.assertion.is_some_and(|bit| {
                claim.conditions[usize::from(bit)] == assertion && sight.holding >> bit & 1 == 0
            })
        };
        match runs(claim, &sights, fails) {
            true => Ok(()),
            false => not_shown("no assertion of the claim fails"),
        }
    }

    /// Does every process that is able to move all around the cycle move on it?
    pub fn is_fair(&self) -> Result<(), NotShown> {
        let Some(from) = self.loop_from.filter(|from| *from < self.steps.len()) else {
            return Ok(());
        };
        let processes = self.states[from..]
            .iter()
            .map(|state| self.interpreter.shape(state).processes.len());
        for process in 0..processes.min().unwrap_or(0) {
            let moves = self.steps[from..].iter().any(|step| {
                step.process as usize == process
                    || step
                        .partner()
                        .is_some_and(|(partner, _)| partner == process)
            });
            let is_unable = |state: &Vec<u8>| {
                let mut enabled = Vec::new();
                self.interpreter.enabled(state, &mut enabled);
                self.interpreter.controller(state).is_none()
                    && !enabled.iter().any(|step| step.process as usize == process)
            };
            // Inside an atomic sequence that never ends, nobody else is able to move.
            let around = &self.states[from..self.steps.len()];
            let is_inside = |state: &Vec<u8>| self.interpreter.controller(state).is_some();
            if !moves && !around.iter().any(is_unable) && !around.iter().all(is_inside) {
                return not_shown(format!("process {process} is ignored for ever"));
            }
        }
        Ok(())
    }
}

/// The steps that are possible; a process that holds control and cannot move loses it.
fn settled(interpreter: &Interpreter, state: &mut [u8]) -> (Vec<Step>, bool) {
    let mut steps = Vec::new();
    let mut leads_on = interpreter.enabled(state, &mut steps);
    if !leads_on && interpreter.controller(state).is_some() {
        steps.clear();
        interpreter.release(state);
        leads_on = interpreter.enabled(state, &mut steps);
    }
    (steps, leads_on)
}

/// Does a run of the claim along an execution take a transition of which `is_found` is true? Where the system has stopped, the
/// last state is seen again and again.
fn runs(
    claim: &Claim,
    sights: &[Sight],
    is_found: impl Fn(&Sight, &ClaimTransition) -> bool,
) -> bool {
    let last = sights.last().filter(|sight| sight.stopped);
    let again = last.map(|last| std::iter::repeat_n(last, claim.states.len()));
    let mut reached = vec![false; claim.states.len()];
    reached[0] = true;
    for sight in sights.iter().chain(again.into_iter().flatten()) {
        let mut next = vec![false; claim.states.len()];
        for (number, state) in claim.states.iter().enumerate() {
            for transition in possible(state, sight).filter(|_| reached[number]) {
                if is_found(sight, transition) {
                    return true;
                }
                next[transition.target as usize] = true;
            }
        }
        reached = next;
    }
    false
}

/// Does a run of the claim along an execution for ever come to a state that accepts?
fn accepts(claim: &Claim, sights: &[Sight], repeats_from: usize, everywhere: bool) -> bool {
    let width = claim.states.len();
    let mut product = Buchi { states: Vec::new() };
    let mut reached = vec![false; sights.len() * width];
    reached[0] = true;
    for (position, sight) in sights.iter().enumerate() {
        let after = match position + 1 == sights.len() {
            true => repeats_from,
            false => position + 1,
        };
        for state in &claim.states {
            let edges = possible(state, sight).map(|transition| Edge {
                condition: Cube::TRUE,
                target: after * width + transition.target as usize,
            });
            product.states.push(State {
                accepting: everywhere || state.accepting,
                edges: edges.collect(),
            });
        }
    }
    let mut open = vec![0];
    while let Some(state) = open.pop() {
        for edge in &product.states[state].edges {
            if !std::mem::replace(&mut reached[edge.target], true) {
                open.push(edge.target);
            }
        }
    }
    for (state, reached) in product.states.iter_mut().zip(reached) {
        state.accepting &= reached;
    }
    !product.is_empty()
}

/// The transitions that a claim can take. If it asks for a condition that has no value, that is an error, and none is.
fn possible<'c>(
    state: &'c ClaimState,
    sight: &'c Sight,
) -> impl Iterator<Item = &'c ClaimTransition> {
    let asks = |transition: &ClaimTransition| {
        let assertion = transition.assertion.map_or(0, |bit| 1 << bit);
        (transition.positive | transition.negative | assertion) & sight.missing != 0
    };
    let is_fault = sight.missing != 0 && state.transitions.iter().any(asks);
    let transitions = state.transitions.iter().filter(move |_| !is_fault);
    transitions.filter(|transition| transition.is_enabled(sight.holding))
}
