//! Simultaneous reachability: edges that are sets of independent transitions.
//!
//! Karaçalı and Tai (2000) let an edge of the state graph carry a set of transitions of different
//! processes whose order does not matter, so that one edge stands for all their interleavings. Their
//! three steps choose, from the enabled transitions, sets without two of one process, without two
//! that race now or later, and with at most one visible transition. Here the three come out of one
//! construction (`docs/simultaneous.md` has the proof):
//!
//! - The smallest closed parts of the graph that [`Stubborn`] builds are persistent sets that have
//!   nothing to do with each other. A process with a *potentially executable* transition, or one
//!   that *races* with a transition still to come, is in the same part as the process it waits
//!   for, or in none.
//! - An edge takes one transition from each of these parts, and there is an edge for each choice.
//! - If a property looks at the states, parts with visible transitions stand back. Where there is no
//!   other part, every transition is an edge by itself.
//!
//! An atomic sequence is one element of an edge, with an edge for each way through it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use mazurka_model::{ExpressionId, Failure, Interpreter, Step};
use mazurka_search::{Outcome, Reduction, System};

use crate::footprint::Footprints;
use crate::operation::Unsupported;
use crate::stubborn::Stubborn;

/// More edges than this from one state are not made: parts with many alternatives stand back.
const MOST_EDGES: usize = 1024;
/// An atomic sequence of more steps, or with more ways through it, stands back.
const LONGEST_RUN: usize = 256;
const MOST_RUNS: usize = 64;

/// A system whose steps are sets of steps of another one.
///
/// Its possible steps are first the sets that stand for all, then every single step, marked as
/// [`StepSet::is_spare`]: a search that must not forget any takes them as well. Use it together
/// with [`SetsFirst`].
#[derive(Debug)]
pub struct Simultaneous<'i, Y> {
    system: &'i Y,
    interpreter: &'i Interpreter,
    refined: bool,
    /// For each transition, may it change what a property looks at, or is it kept apart for another
    /// reason?
    visible: Vec<bool>,
    /// Does nothing come after a run-time error?
    ends_in_errors: bool,
    /// Analyses that no worker uses at the moment.
    idle: Mutex<Vec<Analysis>>,
    sets: RwLock<Sets>,
}

/// A set of steps, or a single one.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StepSet {
    /// The first of the steps in an order in which they can be taken.
    first: Step,
    /// The number of the set, from 1; none for a single step.
    set: Option<std::num::NonZeroU32>,
    spare: bool,
}

impl StepSet {
    /// A single step.
    pub fn of(step: Step) -> StepSet {
        StepSet {
            first: step,
            set: None,
            spare: false,
        }
    }

    /// The step, if it is a single one.
    pub fn single(self) -> Option<Step> {
        self.set.is_none().then_some(self.first)
    }

    /// Is it left to the others to stand for it?
    pub fn is_spare(self) -> bool {
        self.spare
    }
}

/// All sets met so far, each once.
#[derive(Debug, Default)]
struct Sets {
    numbers: HashMap<Arc<[Step]>, u32>,
    lists: Vec<Arc<[Step]>>,
}

/// What a worker needs to analyse a state.
#[derive(Debug)]
struct Analysis {
    stubborn: Stubborn,
    steps: Vec<Step>,
    /// For each step, the number of the part it belongs to.
    parts: Vec<u32>,
}

/// The ways in which a part of the system can move: each a step, or a whole atomic sequence.
type Alternatives = Vec<Vec<Step>>;

impl<'i, Y: System<Step = Step, Failure = Failure, Scratch = Vec<i32>>> Simultaneous<'i, Y> {
    /// Prepares the analysis of a program, which is what `system` runs, with refined or with
    /// constant dependency.
    pub fn new(
        system: &'i Y,
        interpreter: &'i Interpreter,
        refined: bool,
    ) -> Result<Self, Unsupported> {
        let analysis = Analysis::new(interpreter, refined)?;
        Ok(Simultaneous {
            system,
            interpreter,
            refined,
            visible: vec![false; interpreter.program().transitions.len()],
            ends_in_errors: false,
            idle: Mutex::new(vec![analysis]),
            sets: RwLock::default(),
        })
    }

    /// Keeps what a property sees of each step: no edge has more than one step that may change
    /// the value of one of these expressions.
    pub fn watching(mut self, atoms: &[ExpressionId]) -> Self {
        self.visible = Footprints::visible(self.interpreter.program(), atoms);
        self
    }

    /// Keeps transitions out of sets and of what stands for all: where nothing else is to be done, every
    /// step is taken by itself. `apart` says which.
    pub fn keeping_apart(mut self, apart: Vec<bool>) -> Self {
        self.visible = apart;
        self
    }

    /// Nothing comes after a run-time error, not even where the system could go on.
    pub fn ending_in_errors(mut self) -> Self {
        self.ends_in_errors = true;
        self
    }

    /// The program whose steps the sets are made of.
    pub fn interpreter(&self) -> &'i Interpreter {
        self.interpreter
    }

    /// The single steps that a path of sets stands for, in an order in which they can be taken.
    pub fn unfold(&self, path: &[StepSet]) -> Vec<Step> {
        path.iter()
            .flat_map(|step| self.members(*step).to_vec())
            .collect()
    }

    /// The steps of a set.
    pub fn members(&self, step: StepSet) -> Arc<[Step]> {
        match step.set {
            None => Arc::new([step.first]),
            Some(number) => {
                let sets = self.sets.read().unwrap_or_else(PoisonError::into_inner);
                sets.lists[number.get() as usize - 1].clone()
            }
        }
    }

    fn set_of(&self, steps: &[Step]) -> StepSet {
        let single = StepSet {
            first: steps[0],
            set: None,
            spare: false,
        };
        if steps.len() == 1 {
            return single;
        }
        let known = {
            let sets = self.sets.read().unwrap_or_else(PoisonError::into_inner);
            sets.numbers.get(steps).copied()
        };
        let number = known.unwrap_or_else(|| {
            let mut sets = self.sets.write().unwrap_or_else(PoisonError::into_inner);
            sets.add(steps)
        });
        StepSet {
            set: std::num::NonZeroU32::new(number),
            ..single
        }
    }

    /// Appends the sets that stand for all steps. None if every step has to stand for itself.
    fn choose(&self, analysis: &mut Analysis, state: &[u8], sets: &mut Vec<StepSet>) {
        let Analysis {
            stubborn,
            steps,
            parts,
        } = analysis;
        let count = stubborn.closed_parts(self.interpreter, state, steps, parts);
        let members = |part: usize| {
            let chosen = parts.iter().zip(steps.iter());
            chosen
                .filter(move |(of, _)| **of == part as u32)
                .map(|(_, step)| *step)
        };
        let is_visible = |step: &Step| {
            let partner = self.interpreter.partner(state, *step);
            self.visible[step.transition.index()]
                || partner.is_some_and(|(_, transition)| self.visible[transition.index()])
        };
        let admitted: Vec<usize> = (0..count)
            .filter(|part| !members(*part).any(|step| is_visible(&step)))
            .collect();
        if admitted.len() > 1 {
            let mut failing = Vec::new();
            let mut choices: Vec<Alternatives> = Vec::new();
            for part in &admitted {
                let first = failing.len();
                match self.alternatives(state, members(*part), &mut failing) {
                    Some(runs) if !runs.is_empty() => choices.push(runs),
                    Some(_) => {}
                    None => failing.truncate(first),
                }
            }
            if !choices.is_empty() {
                sets.extend(failing.iter().map(|step| self.set_of(&[*step])));
                self.combine(choices, sets);
                return;
            }
        }
        let smallest = admitted
            .into_iter()
            .min_by_key(|part| members(*part).count());
        if let Some(part) = smallest {
            sets.extend(members(part).map(|step| self.set_of(&[step])));
        }
    }

    /// Appends an edge for each choice of one alternative from each part.
    fn combine(&self, mut choices: Vec<Alternatives>, sets: &mut Vec<StepSet>) {
        choices.sort_by_key(Vec::len);
        let mut edges = 1;
        let parts = choices
            .iter()
            .take_while(|alternatives| {
                edges *= alternatives.len();
                edges <= MOST_EDGES
            })
            .count()
            .max(1);
        choices.truncate(parts);
        // Edges that differ only in the order of parts would be different steps.
        choices.sort_by_key(|alternatives| alternatives[0][0].process);
        let mut chosen = vec![0; choices.len()];
        let mut list = Vec::new();
        loop {
            list.clear();
            for (alternatives, choice) in choices.iter().zip(&chosen) {
                list.extend_from_slice(&alternatives[*choice]);
            }
            sets.push(self.set_of(&list));
            let next = (0..choices.len()).find(|part| {
                chosen[*part] = (chosen[*part] + 1) % choices[*part].len();
                chosen[*part] != 0
            });
            if next.is_none() {
                return;
            }
        }
    }

    /// The ways in which a part can move from a state. Steps that fail are noted, and count only if
    /// the system can go on after them. None if the part is too involved to move with others.
    fn alternatives(
        &self,
        state: &[u8],
        members: impl Iterator<Item = Step>,
        failing: &mut Vec<Step>,
    ) -> Option<Alternatives> {
        let mut runs = Vec::new();
        let mut scratch = Vec::new();
        let mut next = Vec::new();
        for step in members {
            let outcome = self.system.execute(&mut scratch, state, step, &mut next);
            if outcome.failure.is_some() {
                failing.push(step);
            }
            let is_error =
                matches!(outcome.failure, Some(Failure::Fault(fault)) if fault.has_value());
            if !outcome.complete || is_error && self.ends_in_errors {
                continue;
            }
            if self.system.is_passing(&next) {
                self.follow(&next, &mut vec![step], &mut runs)?;
            } else {
                runs.push(vec![step]);
            }
            if runs.len() > MOST_RUNS {
                return None;
            }
        }
        Some(runs)
    }

    /// Appends all ways through the atomic sequence that a passing state is in.
    fn follow(&self, state: &[u8], run: &mut Vec<Step>, runs: &mut Alternatives) -> Option<()> {
        let mut steps = Vec::new();
        if !self.system.is_passing(state) || !self.system.enabled(state, &mut steps) {
            runs.push(run.clone());
            return (runs.len() <= MOST_RUNS).then_some(());
        }
        let mut scratch = Vec::new();
        let mut next = Vec::new();
        for step in steps {
            let outcome = self.system.execute(&mut scratch, state, step, &mut next);
            if outcome.failure.is_some() || run.len() == LONGEST_RUN {
                return None;
            }
            run.push(step);
            self.follow(&next, run, runs)?;
            run.pop();
        }
        Some(())
    }

    /// Takes the steps of a set one after the other; calls `before` with each state on the way.
    fn walk(
        &self,
        scratch: &mut Vec<i32>,
        state: &[u8],
        steps: &[Step],
        next: &mut Vec<u8>,
        mut before: impl FnMut(&[u8], Step),
    ) -> Outcome<Failure> {
        let mut current = state.to_vec();
        for step in steps {
            // Whoever had control was blocked at the end of its sequence.
            let controller = self.interpreter.controller(&current);
            if controller.is_some_and(|process| process != step.process as usize) {
                self.system.settle(&mut current);
            }
            before(&current, *step);
            let outcome = self.system.execute(scratch, &current, *step, next);
            if !outcome.complete {
                return outcome;
            }
            std::mem::swap(&mut current, next);
        }
        std::mem::swap(&mut current, next);
        // What fails in a set fails alone as well, and is an edge by itself.
        Outcome {
            failure: None,
            complete: true,
        }
    }
}

impl Sets {
    fn add(&mut self, steps: &[Step]) -> u32 {
        if let Some(number) = self.numbers.get(steps) {
            return *number;
        }
        let list: Arc<[Step]> = steps.into();
        self.lists.push(list.clone());
        let number = self.lists.len() as u32;
        self.numbers.insert(list, number);
        number
    }
}

impl Analysis {
    fn new(interpreter: &Interpreter, refined: bool) -> Result<Analysis, Unsupported> {
        Ok(Analysis {
            stubborn: Stubborn::new(interpreter, refined)?,
            steps: Vec::new(),
            parts: Vec::new(),
        })
    }
}

impl<Y: System<Step = Step, Failure = Failure, Scratch = Vec<i32>>> System for Simultaneous<'_, Y> {
    type Step = StepSet;
    type Failure = Failure;
    type Scratch = Vec<i32>;

    fn is_dead_end(failure: &Failure) -> bool {
        Y::is_dead_end(failure)
    }

    fn initial(&self, state: &mut Vec<u8>) -> Result<(), Failure> {
        self.system.initial(state)
    }

    fn enabled(&self, state: &[u8], sets: &mut Vec<StepSet>) -> bool {
        let taken = self
            .idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let Ok(mut analysis) =
            taken.map_or_else(|| Analysis::new(self.interpreter, self.refined), Ok)
        else {
            // `new` has seen that the analysis is possible.
            return false;
        };
        analysis.steps.clear();
        let leads_on = self.system.enabled(state, &mut analysis.steps);
        let before = sets.len();
        if analysis.steps.len() > 1 && !self.system.is_passing(state) {
            self.choose(&mut analysis, state, sets);
        }
        let spare = sets.len() > before;
        for step in &analysis.steps {
            let single = StepSet {
                first: *step,
                set: None,
                spare: false,
            };
            if !sets[before..].contains(&single) {
                sets.push(StepSet { spare, ..single });
            }
        }
        self.idle
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .push(analysis);
        leads_on
    }

    fn execute(
        &self,
        scratch: &mut Vec<i32>,
        state: &[u8],
        step: StepSet,
        next: &mut Vec<u8>,
    ) -> Outcome<Failure> {
        match step.set {
            None => self.system.execute(scratch, state, step.first, next),
            Some(_) => {
                let steps = self.members(step);
                self.walk(scratch, state, &steps, next, |_, _| {})
            }
        }
    }

    fn is_passing(&self, state: &[u8]) -> bool {
        self.system.is_passing(state)
    }

    fn settle(&self, state: &mut [u8]) {
        self.system.settle(state);
    }

    fn ignored_suffix(&self) -> usize {
        self.system.ignored_suffix()
    }

    fn is_valid_end(&self, state: &[u8]) -> bool {
        self.system.is_valid_end(state)
    }

    fn transitions(&self) -> usize {
        self.system.transitions()
    }

    fn cover(&self, state: &[u8], step: StepSet, covered: &mut [bool]) {
        let steps = self.members(step);
        let meets = steps[1..].iter().any(|step| step.partner().is_some());
        if meets {
            // Who a step meets can be said only where it is taken.
            let mut next = Vec::new();
            self.walk(&mut Vec::new(), state, &steps, &mut next, |state, step| {
                self.system.cover(state, step, covered);
            });
            return;
        }
        for step in steps.iter() {
            self.system.cover(state, *step, covered);
        }
    }
}

/// Takes the sets for all steps, and single steps only where a search has to take all.
#[derive(Clone, Copy, Debug, Default)]
pub struct SetsFirst;

impl<Y: System<Step = Step, Failure = Failure, Scratch = Vec<i32>>> Reduction<Simultaneous<'_, Y>>
    for SetsFirst
{
    fn select(&mut self, _: &Simultaneous<'_, Y>, _: &[u8], steps: &mut [StepSet]) -> usize {
        let chosen = steps.iter().position(|step| step.is_spare());
        chosen.unwrap_or(steps.len())
    }
}
