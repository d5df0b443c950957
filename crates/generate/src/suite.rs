//! A small suite of tests: short runs of the model that together exercise every part of it.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use mazurka_checker::{Error, Loaded};
use mazurka_model::{Interpreter, Step};
use mazurka_scenario::figures::counted;
use mazurka_scenario::{Mark, Scenario, ScenarioFiles, choices, refuse_foreign, replace_file};

use crate::Machines;
use crate::folder::{MARK, make_folder};

/// Runs that exercise everything that can be reached.
#[derive(Clone, Debug)]
pub struct Suite {
    /// What there is to exercise: the parts of a network, or every transition that is written in a model of machines with ports.
    pub parts: Vec<String>,
    /// The tests, each a run from the initial state.
    pub tests: Vec<Vec<Step>>,
    /// The parts that no run was found for.
    pub missing: Vec<u32>,
    /// Were all states looked at, or did that end at the limit? Then a part that is missing cannot be exercised.
    pub is_complete: bool,
}

choices! {
    /// How tests are written.
    TestForm {
        /// A scenario, which can be replayed in the model.
        Scenario "scenario",
        /// A script for exported code.
        Script "script",
    }
}

impl Suite {
    /// Looks for runs that exercise every part of a model, breadth first, in at most `most_states` states. A step that is an error is
    /// in no test.
    pub fn new(model: &Loaded, most_states: usize) -> Result<Suite, Error> {
        let Parts { names, exercised } = Parts::of(model)?;
        let mut search = Search {
            exercised: &exercised,
            ways: vec![None],
            found: vec![None; names.len()],
        };
        let is_complete = search.run(&model.interpreter, most_states);
        let found = search.found.iter().enumerate();
        let missing = found.filter(|(_, found)| found.is_none());
        Ok(Suite {
            missing: missing.map(|(part, _)| part as u32).collect(),
            tests: search.tests(),
            parts: names,
            is_complete,
        })
    }

    /// Is it known of every part whether it can be exercised?
    pub fn is_conclusive(&self) -> bool {
        self.missing.is_empty() || self.is_complete
    }

    /// What the tests in a folder exercise, and what they do not. No more states than `states` were looked at.
    pub fn text(&self, folder: &Path, states: usize) -> String {
        let (missing, all) = (&self.missing, self.parts.len());
        let tests = counted(self.tests.len() as u64, "test");
        let steps = self.tests.iter().map(Vec::len).sum::<usize>();
        let steps = counted(steps as u64, "step");
        let (folder, met) = (folder.display(), all - missing.len());
        let mut text = format!("{folder}: {tests}, {steps}, {met} of {all} parts\n");
        for part in missing {
            text += &format!("  not exercised: {}\n", self.parts[*part as usize]);
        }
        if !self.is_conclusive() {
            let states = counted(states as u64, "state");
            text += &format!("  only {states} were looked at: --states\n");
        }
        text
    }

    /// Writes each test into a file of its own, called after the model. Nothing is written if one of them would replace a file that is
    /// not Mazurka's.
    pub fn write(&self, model: &Loaded, form: TestForm, folder: &Path) -> Result<(), Error> {
        let wrong = |path: &Path, reason: &dyn std::fmt::Display| {
            Error::Usage(format!("{}: {reason}", path.display()))
        };
        let subject = Path::new(&model.model.file);
        let stem = subject.file_stem().unwrap_or_default().to_string_lossy();
        let ending = match form {
            TestForm::Scenario => "scenario.json",
            TestForm::Script => "script",
        };
        let path = |number: usize| folder.join(format!("{stem}-{:03}.{ending}", number + 1));
        let paths: Vec<PathBuf> = (0..self.tests.len()).map(path).collect();
        let files = |path: &Path| ScenarioFiles::of_model(subject).named(Some(path));
        make_folder(folder).map_err(|reason| wrong(folder, &reason))?;
        for path in &paths {
            match form {
                TestForm::Scenario => files(path).map(drop).map_err(Error::Usage)?,
                TestForm::Script => {
                    refuse_foreign(path, Mark::Words(MARK))
                        .map_err(|reason| wrong(path, &reason))?;
                }
            }
        }
        for (path, run) in paths.iter().zip(&self.tests) {
            let written = match form {
                TestForm::Scenario => {
                    let scenario =
                        Scenario::new(model.model.clone(), None, &model.interpreter, run);
                    let files = files(path).map_err(Error::Usage)?;
                    files.keep(&scenario).map(drop)
                }
                TestForm::Script => {
                    let text = format!("# {MARK}\n{}", script(model, run));
                    replace_file(path, |out| out.write_all(text.as_bytes()))
                }
            };
            written.map_err(|error| wrong(path, &error))?;
        }
        Ok(())
    }
}

/// What there is to exercise in a model.
struct Parts {
    names: Vec<String>,
    /// For each transition, the parts that it exercises.
    exercised: Vec<Vec<u32>>,
}

impl Parts {
    fn of(model: &Loaded) -> Result<Parts, Error> {
        let Some(_) = Machines::of(model) else {
            return Err(Error::Usage(format!(
                "{}: tests are made of .vfsm and .efsm, not of {}",
                model.model.file,
                model.notation.name()
            )));
        };
        if let Some(coverage) = &model.coverage {
            let parts = coverage.parts.iter();
            return Ok(Parts {
                names: parts
                    .map(|part| format!("{}: {}", part.machine, part.text))
                    .collect(),
                exercised: coverage.by_transition.clone(),
            });
        }
        let program = model.program();
        let mut parts = Parts {
            names: Vec::new(),
            exercised: Vec::new(),
        };
        for transition in &program.transitions {
            let statement = &program.statements[transition.statement.index()];
            let number = parts.names.len() as u32;
            parts.exercised.push(match statement.reported {
                true => {
                    parts.names.push(statement.text.clone());
                    vec![number]
                }
                false => Vec::new(),
            });
        }
        Ok(parts)
    }
}

struct Search<'m> {
    /// For each transition, the parts that it exercises.
    exercised: &'m [Vec<u32>],
    /// For each state, the one before it and the step between them.
    ways: Vec<Option<(usize, Step)>>,
    /// For each part, the state and the step that exercised it first.
    found: Vec<Option<(usize, Step)>>,
}

impl Search<'_> {
    /// Says whether all states were looked at, or all parts exercised.
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
                    for part in &self.exercised[step.transition.index()] {
                        let found = &mut self.found[*part as usize];
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

    /// The parts that are furthest away first: on the way to them lie others.
    fn tests(&self) -> Vec<Vec<Step>> {
        let mut runs: Vec<(u32, Vec<Step>)> = Vec::new();
        for (part, found) in self.found.iter().enumerate() {
            let Some((mut state, step)) = *found else {
                continue;
            };
            let mut run = vec![step];
            while let Some((before, step)) = self.ways[state] {
                run.push(step);
                state = before;
            }
            run.reverse();
            runs.push((part as u32, run));
        }
        runs.sort_by_key(|(_, run)| std::cmp::Reverse(run.len()));
        let mut met = vec![false; self.found.len()];
        let mut tests = Vec::new();
        for (part, run) in runs {
            if met[part as usize] {
                continue;
            }
            for step in &run {
                for part in &self.exercised[step.transition.index()] {
                    met[*part as usize] = true;
                }
            }
            tests.push(run);
        }
        tests
    }
}

/// The steps of a run as a script for exported code: a line for each, with the number of who moves and what is chosen. In a network
/// that is what a transition chooses; in a system of machines with ports, the place of the transition among those executable.
pub fn script(model: &Loaded, run: &[Step]) -> String {
    let interpreter = &model.interpreter;
    let (mut state, mut next, mut message) = (Vec::new(), Vec::new(), Vec::new());
    let mut text = String::new();
    if interpreter.initial(&mut state, &mut ()).is_err() {
        return text;
    }
    for step in run {
        let mut possible = Vec::new();
        interpreter.enabled(&state, &mut possible);
        possible.retain(|other| other.process == step.process);
        let chosen = match &model.choices {
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
