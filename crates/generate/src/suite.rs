//! A small suite of tests: short runs of the model that together exercise every part of it.

use std::collections::HashMap;

use mazurka_model::{Interpreter, Step, TransitionId};

/// Runs that exercise everything that can be reached.
#[derive(Clone, Debug)]
pub struct Suite {
    /// The tests, each a run from the initial state.
    pub tests: Vec<Vec<Step>>,
    /// The goals that no run was found for.
    pub missing: Vec<u32>,
    /// Were all states looked at, or did that end at the limit? Then a goal that is missing cannot be reached.
    pub is_complete: bool,
}

/// Looks for runs that meet every goal, breadth first, in at most `most_states` states. `meets` says which of the `goals` a transition
/// meets. A step that is an error is in no test.
pub fn suite(
    interpreter: &Interpreter,
    goals: usize,
    meets: &dyn Fn(TransitionId) -> Vec<u32>,
    most_states: usize,
) -> Suite {
    let mut search = Search {
        meets,
        ways: vec![None],
        found: vec![None; goals],
    };
    let is_complete = search.run(interpreter, most_states);
    let missing = (0..goals as u32).filter(|goal| search.found[*goal as usize].is_none());
    Suite {
        missing: missing.collect(),
        tests: search.tests(),
        is_complete,
    }
}

struct Search<'m> {
    meets: &'m dyn Fn(TransitionId) -> Vec<u32>,
    /// For each state, the one before it and the step between them.
    ways: Vec<Option<(usize, Step)>>,
    /// For each goal, the state and the step that met it first.
    found: Vec<Option<(usize, Step)>>,
}

impl Search<'_> {
    /// Says whether all states were looked at, or all goals met.
    fn run(&mut self, interpreter: &Interpreter, most_states: usize) -> bool {
        let mut state = Vec::new();
        if interpreter.initial(&mut state, &mut ()).is_err() {
            return true;
        }
        let mut numbers: HashMap<Vec<u8>, usize> = HashMap::new();
        numbers.insert(state.clone(), 0);
        let mut level = vec![(0, state)];
        let mut open = self.found.len();
        let (mut next, mut message) = (Vec::new(), Vec::new());
        while !level.is_empty() && open > 0 {
            let mut deeper = Vec::new();
            for (number, state) in level {
                let mut steps = Vec::new();
                interpreter.enabled(&state, &mut steps);
                for step in steps.into_iter().filter(|step| step.choice != Step::FAULT) {
                    let outcome =
                        interpreter.execute(&state, step, &mut next, &mut message, &mut ());
                    if outcome.is_error() {
                        continue;
                    }
                    for goal in (self.meets)(step.transition) {
                        let found = &mut self.found[goal as usize];
                        if found.is_none() {
                            *found = Some((number, step));
                            open -= 1;
                        }
                    }
                    if !numbers.contains_key(&next) {
                        if numbers.len() == most_states {
                            return false;
                        }
                        numbers.insert(next.clone(), self.ways.len());
                        deeper.push((self.ways.len(), next.clone()));
                        self.ways.push(Some((number, step)));
                    }
                }
            }
            level = deeper;
        }
        true
    }

    /// The goals that are furthest away first: on the way to them lie others.
    fn tests(&self) -> Vec<Vec<Step>> {
        let mut runs: Vec<(u32, Vec<Step>)> = Vec::new();
        for (goal, found) in self.found.iter().enumerate() {
            let Some((mut state, step)) = *found else {
                continue;
            };
            let mut run = vec![step];
            while let Some((before, step)) = self.ways[state] {
                run.push(step);
                state = before;
            }
            run.reverse();
            runs.push((goal as u32, run));
        }
        runs.sort_by_key(|(_, run)| std::cmp::Reverse(run.len()));
        let mut met = vec![false; self.found.len()];
        let mut tests = Vec::new();
        for (goal, run) in runs {
            if met[goal as usize] {
                continue;
            }
            for step in &run {
                for goal in (self.meets)(step.transition) {
                    met[goal as usize] = true;
                }
            }
            tests.push(run);
        }
        tests
    }
}

/// The steps of a run as a script for exported code: a line for each, with the number of who moves and what is chosen. `choices` says
/// that for each transition of a network; in a system of machines with ports, the place of the transition among those executable.
pub fn script(interpreter: &Interpreter, choices: Option<&[Vec<u32>]>, run: &[Step]) -> String {
    let (mut state, mut next, mut message) = (Vec::new(), Vec::new(), Vec::new());
    let mut text = String::new();
    if interpreter.initial(&mut state, &mut ()).is_err() {
        return text;
    }
    for step in run {
        let mut possible = Vec::new();
        interpreter.enabled(&state, &mut possible);
        possible.retain(|other| other.process == step.process);
        let chosen = match choices {
            Some(choices) => choices[step.transition.index()].clone(),
            None if possible.len() == 1 => Vec::new(),
            None => {
                let place = possible.iter().position(|other| other == step);
                vec![place.unwrap_or(0) as u32]
            }
        };
        text += &step.process.to_string();
        for choice in chosen {
            text += &format!(" {choice}");
        }
        text.push('\n');
        interpreter.execute(&state, *step, &mut next, &mut message, &mut ());
        std::mem::swap(&mut state, &mut next);
    }
    text
}
