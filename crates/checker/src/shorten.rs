//! Counterexamples that people can read are short: the same violation after fewer steps.
//!
//! A bounded search from what was found (`mazurka_search::shorter`), over the program as it is written, without reduction. What comes
//! of it is replayed by the interpreter like everything else; if it does not show the violation, what was found is shown.

use mazurka_model::{Failure, Interpreter, ProcessTypeId, Program, Step};
use mazurka_scenario::Symptom;
use mazurka_search::emptiness::nearest;
use mazurka_search::{Effort, End, Goal, Shorter, System, settle, shorter};
use mazurka_temporal::{Product, ProductFailure, ProductStep};

use crate::choice::Property;
use crate::supervisor::Limits;
use crate::watched::Watched;

/// This many steps are carried out, at most, to shorten a violation: about a second.
const STEPS: u64 = 1_200_000;
/// This many times as much is done for a cycle if a shortest scenario is asked for.
const THOROUGHLY: u64 = 100;
/// This many bytes of states are held for it at a time.
const BYTES: u64 = 256 << 20;

/// What is left of the effort for the violations of a search, if there are several.
#[derive(Debug)]
pub(crate) struct Shortener<'a> {
    limits: &'a Limits,
    steps: u64,
    bytes: u64,
    /// Are several violations looked for? Then each keeps its own end.
    several: bool,
}

impl<'a> Shortener<'a> {
    /// For the violations of one search.
    pub fn new(limits: &'a Limits, several: bool) -> Shortener<'a> {
        Shortener {
            limits,
            steps: STEPS,
            bytes: BYTES.min(limits.memory / 2),
            several,
        }
    }

    /// The same for a search that is asked for a shortest scenario. Cycles are not found in the order of their lengths, so that is its work.
    pub fn thorough(self) -> Shortener<'a> {
        Shortener {
            steps: self.steps * THOROUGHLY,
            bytes: self.limits.memory / 2,
            ..self
        }
    }

    /// The steps to a violation of safety, or fewer.
    pub fn safety(
        &mut self,
        interpreter: &Interpreter,
        property: Property,
        symptom: Symptom,
        steps: &[Step],
    ) -> Option<Shorter<Step>> {
        let system = Watched::new(interpreter, property);
        // Of a step that fails, the state before it.
        let before = match symptom {
            Symptom::Failure(_) => steps.len().checked_sub(1)?,
            Symptom::Deadlock | Symptom::Nonprogress => steps.len(),
        };
        let last = state_after(interpreter, &steps[..before])?;
        let distance = Distance::new(interpreter, &last);
        let statement = |step: &Step| {
            let transition = &interpreter.program().transitions[step.transition.index()];
            transition.statement
        };
        let failing = steps.last().map(statement);
        let is_failure = |step: Step, failure: Failure| {
            symptom == Symptom::Failure(failure) && Some(statement(&step)) == failing
        };
        let identity = interpreter.identity(&last);
        let is_stop = |state: &[u8]| {
            let is_kind = match symptom {
                Symptom::Nonprogress => interpreter.has_messages(state),
                _ => !(interpreter.program().features.quiet_end && interpreter.has_messages(state)),
            };
            is_kind && (!self.several || interpreter.identity(state) == identity)
        };
        let goal = Goal {
            end: match symptom {
                Symptom::Failure(_) => End::Failure(&is_failure),
                Symptom::Deadlock | Symptom::Nonprogress => End::Stop(&is_stop),
            },
            distance: &|state| distance.of(interpreter, state),
            may_fail: self.several,
        };
        let mut effort = self.effort();
        let found = shorter(&system, steps, &goal, &mut effort);
        self.steps = effort.steps;
        found
    }

    /// The steps to where a claim is violated for good, or fewer. Those that are known may be of another form of the product.
    pub fn claim(
        &mut self,
        product: &Product<'_>,
        failure: ProductFailure,
        steps: &[ProductStep],
    ) -> Option<Shorter<ProductStep>> {
        let is_failure = |_: ProductStep, other: ProductFailure| other == failure;
        let goal = Goal {
            end: End::Failure(&is_failure),
            distance: &|_| 0,
            may_fail: false,
        };
        let mut effort = self.effort();
        let found = shorter(product, steps, &goal, &mut effort);
        self.steps = effort.steps;
        found
    }

    /// A cycle that a claim accepts, and the way to it, of fewer steps than are known: the steps, and how many of them come before the cycle.
    pub fn cycle(
        &mut self,
        product: &Product<'_>,
        known: usize,
    ) -> Option<(Vec<ProductStep>, usize)> {
        let mut effort = self.effort();
        let found = nearest(product, known, &mut effort);
        self.steps = effort.steps;
        found
    }

    fn effort(&self) -> Effort<'a> {
        let limits = self.limits;
        Effort {
            steps: self.steps,
            bytes: self.bytes,
            is_over: Box::new(|| limits.are_over()),
        }
    }
}

/// The state after some steps.
pub(crate) fn state_after(interpreter: &Interpreter, steps: &[Step]) -> Option<Vec<u8>> {
    let (mut state, mut next) = (Vec::new(), Vec::new());
    let (mut scratch, mut possible) = (Vec::new(), Vec::new());
    System::initial(interpreter, &mut state).ok()?;
    for step in steps {
        settle(interpreter, &mut state, &mut possible);
        System::execute(interpreter, &mut scratch, &state, *step, &mut next);
        std::mem::swap(&mut state, &mut next);
    }
    settle(interpreter, &mut state, &mut possible);
    Some(state)
}

/// From a place that does not lead to the wanted one, this many steps are thought to be missing.
const NO_WAY: u32 = 20;

/// How far the processes of a state are from where they were at the end of a violation, by the arrows of their graphs.
struct Distance {
    /// For each process at the end, its type and the steps from each of the locations of that.
    processes: Vec<(ProcessTypeId, Vec<u32>)>,
}

impl Distance {
    fn new(interpreter: &Interpreter, last: &[u8]) -> Distance {
        let program = interpreter.program();
        let processes = interpreter.shape(last).processes.iter().enumerate();
        Distance {
            processes: processes
                .map(|(process, entry)| {
                    let to = interpreter.location(last, process).0;
                    (
                        entry.process_type,
                        distances(program, entry.process_type, to),
                    )
                })
                .collect(),
        }
    }

    fn of(&self, interpreter: &Interpreter, state: &[u8]) -> u32 {
        let program = interpreter.program();
        let present = &interpreter.shape(state).processes;
        let mut missing = 0;
        for (process, (process_type, distances)) in self.processes.iter().enumerate() {
            let described = &program.process_types[process_type.index()];
            let first = described.locations.start;
            missing += match present.get(process) {
                Some(entry) if entry.process_type == *process_type => {
                    distances[(interpreter.location(state, process).0 - first) as usize]
                }
                _ => 1 + distances[(described.initial.0 - first) as usize],
            };
        }
        missing
    }
}

/// The least number of transitions from each location of a process type to one of them.
fn distances(program: &Program, process_type: ProcessTypeId, to: u32) -> Vec<u32> {
    let locations = program.process_types[process_type.index()]
        .locations
        .clone();
    let mut distances = vec![NO_WAY; locations.len()];
    distances[(to - locations.start) as usize] = 0;
    let mut is_changing = true;
    while is_changing {
        is_changing = false;
        for location in locations.clone() {
            for transition in program.locations[location as usize].transitions.clone() {
                let Some(target) = program.transitions[transition as usize].target else {
                    continue;
                };
                let through = 1 + distances[(target.0 - locations.start) as usize];
                let known = &mut distances[(location - locations.start) as usize];
                if through < *known {
                    *known = through;
                    is_changing = true;
                }
            }
        }
    }
    distances
}
