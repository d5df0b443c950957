//! Judges a counterexample once more: replays its steps and asks the property itself.
//!
//! Nothing here knows how the counterexample was found. A formula is evaluated by its definition on
//! the states of the execution; a claim is run along them.

use std::fmt;

use mazurka_ltl::{Buchi, Cube, Edge, Formula, State, Word};
use mazurka_model::{Claim, ExpressionId, Interpreter, Step};

use crate::product::sees_inside;

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
            let (enabled, _) = settled(interpreter, &mut state);
            if !enabled.contains(step) {
                return not_shown(format!("step {} is not possible", number + 1));
            }
            let mut next = Vec::new();
            let outcome = interpreter.execute(&state, *step, &mut next, &mut Vec::new(), &mut ());
            if !outcome.complete {
                return not_shown(format!("step {} leads nowhere", number + 1));
            }
            states.push(state);
            state = next;
        }
        let (_, leads_on) = settled(interpreter, &mut state);
        match loop_from {
            Some(from) if from >= steps.len() && leads_on => {
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

    /// The states in the order in which they count: the last one is the first of the cycle again,
    /// unless the system has stopped there or there is no cycle.
    fn positions(&self) -> &[Vec<u8>] {
        match self.loop_from {
            Some(from) if from < self.steps.len() => &self.states[..self.steps.len()],
            _ => &self.states,
        }
    }

    /// The word that somebody sees who watches the execution: for each state, which of the expressions hold, as bits, and where it
    /// begins to repeat. The states inside atomic sequences are not seen, unless `inside`.
    fn word(&self, expressions: &[ExpressionId], inside: bool) -> Result<Word, NotShown> {
        let mut letters = Vec::new();
        let mut loop_from = 0;
        for (number, state) in self.positions().iter().enumerate() {
            if self.loop_from.is_none_or(|from| number <= from) {
                loop_from = letters.len();
            }
            if !inside && self.interpreter.controller(state).is_some() {
                continue;
            }
            let stopped = !self.interpreter.enabled(state, &mut Vec::new());
            let mut letter = 0;
            for (bit, expression) in expressions.iter().enumerate() {
                match self.interpreter.holds(state, *expression, stopped) {
                    Ok(holds) => letter |= u64::from(holds) << bit,
                    Err(fault) => return not_shown(format!("a condition has no value: {fault}")),
                }
            }
            letters.push(letter);
        }
        // Without a cycle, what was seen is enough: however it goes on, here as if it stopped.
        let last = letters.len() - 1;
        let loop_from = match self.loop_from {
            Some(_) => loop_from.min(last),
            None => last,
        };
        Ok(Word { loop_from, letters })
    }

    /// Is a formula false of the execution?
    pub fn violates(&self, formula: &Formula, atoms: &[ExpressionId]) -> Result<(), NotShown> {
        let word = self.word(atoms, false)?;
        match word.satisfies(formula) {
            false => Ok(()),
            true => not_shown("the formula is true of the execution"),
        }
    }

    /// Does a claim accept the execution, or come to its end along it?
    pub fn is_accepted(&self, claim: &Claim, marks: bool) -> Result<(), NotShown> {
        let inside = sees_inside(self.interpreter, claim);
        let word = self.word(&claim.conditions, inside)?;
        let Some(loop_from) = self.loop_from else {
            return self.ends_claim(claim, &word.letters);
        };
        let automaton = buchi(claim);
        let around = &self.states[loop_from.min(self.states.len() - 1)..];
        let marked = marks
            && around.iter().any(|state| {
                let processes = 0..self.interpreter.shape(state).processes.len();
                processes.into_iter().any(|process| {
                    let location = self.interpreter.location(state, process);
                    self.interpreter.program().locations[location.index()].accept
                })
            });
        let accepting = match marked {
            true => Buchi {
                states: automaton
                    .states
                    .into_iter()
                    .map(|state| State {
                        accepting: true,
                        ..state
                    })
                    .collect(),
            },
            false => automaton,
        };
        match word.is_accepted(&accepting) {
            true => Ok(()),
            false => not_shown("the claim does not accept the execution"),
        }
    }

    fn ends_claim(&self, claim: &Claim, letters: &[u64]) -> Result<(), NotShown> {
        let mut reached = vec![false; claim.states.len()];
        reached[0] = true;
        for letter in letters {
            let mut next = vec![false; claim.states.len()];
            for (number, state) in claim.states.iter().enumerate() {
                for transition in &state.transitions {
                    next[transition.target as usize] |=
                        reached[number] && transition.is_enabled(*letter);
                }
            }
            reached = next;
        }
        let ends = |(number, state): (usize, &mazurka_model::ClaimState)| {
            reached[number] && state.violated
        };
        match claim.states.iter().enumerate().any(ends) {
            true => Ok(()),
            false => not_shown("the claim does not come to its end"),
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
                    && !enabled
                        .iter()
                        .any(|step| step.process as usize == process && step.choice != Step::FAULT)
            };
            if !moves && !self.states[from..self.steps.len()].iter().any(is_unable) {
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

fn buchi(claim: &Claim) -> Buchi {
    let states = claim.states.iter().map(|state| State {
        accepting: state.accepting,
        edges: state
            .transitions
            .iter()
            .map(|transition| Edge {
                condition: Cube {
                    positive: transition.positive,
                    negative: transition.negative,
                },
                target: transition.target as usize,
            })
            .collect(),
    });
    Buchi {
        states: states.collect(),
    }
}
