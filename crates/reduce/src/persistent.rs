//! Persistent sets of whole processes (Godefroid, Peled and Staskauskas 1996, figure 5).
//!
//! A set of processes is closed if nothing that one of them may do next has to do with what a process
//! outside may do, now or later. What such a set can do now stands for everything. The sets are
//! coarser than stubborn sets, which choose among the transitions of a process, and cheaper.
//!
//! How good they are hangs on what is known of processes: see [`Information`]. Ample sets as SPIN makes
//! them are the sets of one process, with the least known of the others.

use std::sync::Arc;

use mazurka_model::{Interpreter, Step};

use crate::footprint::Footprints;
use crate::operation::Unsupported;
use crate::relations::Relations;
use crate::state_view::StateView;

/// What is known of what a process may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Information {
    /// Everything that it may ever do.
    Machine,
    /// What it may do from its present location on.
    State,
    /// What exactly its next step does here; of the processes outside, what they may do from their
    /// present locations on.
    Run,
}

/// Chooses persistent sets of whole processes.
#[derive(Debug)]
pub struct Persistent {
    footprints: Arc<Footprints>,
    relations: Relations,
    information: Information,
    /// Only sets of one process, of which the others are known by all they ever do.
    single: bool,
    /// For each process of the state.
    processes: Vec<Member>,
    open: Vec<usize>,
}

/// A process of the state.
#[derive(Clone, Copy, Debug)]
struct Member {
    process_type: usize,
    location: usize,
    /// Is it in the set under way?
    inside: bool,
    /// Is it in the best set so far?
    best: bool,
}

impl Persistent {
    /// Prepares the analysis of a program, with refined or with constant dependency.
    pub fn new(
        interpreter: &Interpreter,
        refined: bool,
        information: Information,
    ) -> Result<Persistent, Unsupported> {
        let program = interpreter.program();
        let footprints = Footprints::of(program);
        if let Some(unsupported) = footprints.unsupported {
            return Err(unsupported);
        }
        let footprints = Arc::new(footprints);
        Ok(Persistent {
            relations: Relations::new(interpreter, footprints.clone(), refined),
            footprints,
            information,
            single: false,
            processes: Vec::new(),
            open: Vec::new(),
        })
    }

    /// Prepares the choice of ample sets: of one process, by what the others may ever do.
    pub fn ample(interpreter: &Interpreter, refined: bool) -> Result<Persistent, Unsupported> {
        let mut ample = Persistent::new(interpreter, refined, Information::Run)?;
        ample.single = true;
        Ok(ample)
    }

    /// Puts the steps of a persistent set in front and says how many there are.
    pub fn select(&mut self, system: &Interpreter, state: &[u8], steps: &mut [Step]) -> usize {
        let one_process = steps.iter().all(|step| step.process == steps[0].process);
        let timeout = |step: &Step| self.footprints.transitions[step.transition.index()].timeout;
        if one_process || steps.iter().any(timeout) {
            return steps.len();
        }
        let view = StateView { system, state };
        self.relations.enter(&view);
        self.processes.clear();
        for (number, entry) in system.shape(state).processes.iter().enumerate() {
            self.processes.push(Member {
                process_type: entry.process_type.index(),
                location: system.location(state, number).index(),
                inside: false,
                best: false,
            });
        }
        let mut least = steps.len();
        let mut seed = usize::MAX;
        for position in 0..steps.len() {
            if steps[position].process as usize == seed {
                continue;
            }
            seed = steps[position].process as usize;
            if self.close(&view, steps, seed, least) {
                let inside = |step: &&Step| self.processes[step.process as usize].inside;
                let size = steps.iter().filter(inside).count();
                if size < least {
                    least = size;
                    for member in &mut self.processes {
                        member.best = member.inside;
                    }
                }
                if least == 1 {
                    break;
                }
            }
        }
        if least == steps.len() {
            return least;
        }
        let mut kept = 0;
        for position in 0..steps.len() {
            if self.processes[steps[position].process as usize].best {
                steps[kept..=position].rotate_right(1);
                kept += 1;
            }
        }
        kept
    }

    /// Does the order of two possible steps make no difference in this state?
    pub fn independent(&mut self, system: &Interpreter, state: &[u8], a: Step, b: Step) -> bool {
        let view = StateView { system, state };
        self.relations.independent(&view, a, b)
    }

    /// Closes the set of one process. Says whether it has fewer steps than `most`.
    fn close(&mut self, view: &StateView<'_>, steps: &[Step], seed: usize, most: usize) -> bool {
        for member in &mut self.processes {
            member.inside = false;
        }
        self.open.clear();
        self.take_in(seed);
        let mut size = 0;
        while let Some(process) = self.open.pop() {
            for step in steps {
                let partner = view.system.partner(view.state, *step);
                let partner = partner.map(|(partner, _)| partner);
                let owner = step.process as usize;
                size += usize::from(owner == process);
                if let Some(partner) = partner
                    && (owner == process || partner == process)
                {
                    self.take_in(owner);
                    self.take_in(partner);
                }
            }
            if size >= most {
                return false;
            }
            self.take_in_rivals(view, process);
            if self.single && !self.open.is_empty() {
                return false;
            }
        }
        true
    }

    /// Takes in every process that may do something that has to do with what this one may do next.
    fn take_in_rivals(&mut self, view: &StateView<'_>, process: usize) {
        let footprints = self.footprints.clone();
        let Member {
            process_type,
            location,
            ..
        } = self.processes[process];
        let known = match self.information {
            Information::Machine => Some(self.footprints.machine[process_type].clone()),
            Information::State => Some(footprints.future[location].clone()),
            Information::Run => None,
        };
        if let Some(condition) = &footprints.provided[process_type] {
            for operation in &condition.operations {
                self.take_in_rivals_of(view, process, *operation, false);
            }
        }
        if let Some(operations) = known {
            for operation in operations.iter() {
                self.take_in_rivals_of(view, process, operation, false);
            }
            return;
        }
        let program = view.system.program();
        for transition in program.locations[location].transitions.clone() {
            let footprint = &footprints.transitions[transition as usize];
            if footprint.timeout {
                continue;
            }
            for (position, operation) in footprint.own.iter().enumerate() {
                let now = position < footprint.first;
                self.take_in_rivals_of(view, process, *operation, now);
            }
            for condition in &footprint.conditions {
                for operation in &condition.operations {
                    self.take_in_rivals_of(view, process, *operation, true);
                }
            }
        }
    }

    fn take_in_rivals_of(
        &mut self,
        view: &StateView<'_>,
        process: usize,
        operation: u32,
        now: bool,
    ) {
        self.relations.ask(view, process, operation, now);
        for other in 0..self.processes.len() {
            let member = self.processes[other];
            if member.inside {
                continue;
            }
            let by_machine = self.single || self.information == Information::Machine;
            let may_do = match by_machine {
                true => &self.footprints.machine[member.process_type],
                false => &self.footprints.future[member.location],
            };
            if self.relations.find(other, may_do, None) {
                self.take_in(other);
            }
        }
    }

    fn take_in(&mut self, process: usize) {
        if !std::mem::replace(&mut self.processes[process].inside, true) {
            self.open.push(process);
        }
    }
}
